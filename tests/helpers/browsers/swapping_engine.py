"""An engine process in which a part of the tables stands at another true state that some player cannot tell from theirs.

A seed of ``s + STEP * (viewer + 1)`` is that of ``s``, but in every position, all that ``viewer`` cannot know is dealt
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tag import Rng
from tag.engine.state import GameState
from tag.playing.inspection import InspectedDecision
from tag.table.game import Start, TableGame
from tag.tournaments.web.tables.engine import Engine, serve

STEP = 1_000_000


def true_start(start: Start) -> Start:
    return replace(start, seed=start.seed % STEP)


def swapped(start: Start, line: tuple[int, ...], state: GameState) -> GameState:
    """The true state of a table after these actions, given that of the one with the true seed."""
    viewer = start.seed // STEP - 1
    if viewer < 0 or state.is_terminal:
        return state
    found = state.observation(viewer, Rng(1000 + len(line)))
    # In the middle of a decision of another player, what is dealt to that player need not allow it: no true state.
    return found if start.model().available_actions(found) else state


class SwappingAdviser:
    """Asks in the one position, without the ones before; no subclass, as `Adviser` may be compiled."""

    def __init__(self, start: Start, spec: str) -> None:
        self._start = start
        self._spec = spec

    def goes_on_to(self, line: tuple[int, ...]) -> bool:
        return True

    def decision(self, line: tuple[int, ...]) -> InspectedDecision:
        start = true_start(self._start)
        game = start.new_game(start.model(), self._spec)
        for number in line:
            game.take(number)
        game.state = swapped(self._start, line, game.state)
        return game.decide()


class SwappingEngine(Engine):
    def game(self, start: Start, line: tuple[int, ...]) -> TableGame:
        game: Any = TableGame(true_start(start), line)
        game._game.state = swapped(start, line, game.state)
        return game

    def stream(self, start: Start, purpose: str, number: int) -> Rng:
        return super().stream(true_start(start), purpose, number)

    def tree(self, start: Sequence[Any], parents: Sequence[int], choices: Sequence[int]) -> list[int]:
        game, players, seed, *position = start
        return super().tree([game, players, seed % STEP, *position], parents, choices)

    def adviser(self, start: Start, spec: str, since: int, seat: int) -> Any:
        return SwappingAdviser(start, spec)


if __name__ == "__main__":
    serve(SwappingEngine())
