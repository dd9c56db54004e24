"""Exact play near the end of games for two without chance and secrets: how many decisions of an agent keep the result.

Positions come from random play. Each is solved to its ends, and counts where some actions keep the result of perfect play
and others lose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tag import ForwardModel, GameState, Rng, make_agent, make_game
from tag.engine.results import DRAW, WIN
from tag.engine.snapshot import state_hash
from tag.playing.inspection import InspectedGame

#: The points of results; others have none.
_POINTS = {WIN: 1.0, DRAW: 0.5}


class Solver:
    """The points of player 0 under perfect play by both, remembered by position."""

    def __init__(self, model: ForwardModel[Any]) -> None:
        """Solve positions of ``model``, whose actions must have one outcome each."""
        self._model = model
        self._known: dict[str, float] = {}
        self._rng = Rng(0)  # nothing is drawn

    def value(self, state: GameState) -> float:
        """Return the points of player 0."""
        if state.is_terminal:
            return _POINTS.get(int(state.results[0]), 0.0)
        key = state_hash(state)
        if key not in self._known:
            self._known[key] = self._best(state, self.after(state))
        return self._known[key]

    def after(self, state: GameState) -> list[float]:
        """Return the points of player 0 after each action."""
        found = []
        for action in self._model.available_actions(state):
            then = state.copy()
            self._model.next(then, action, self._rng)
            found.append(self.value(then))
        return found

    def keeping(self, state: GameState) -> set[int]:
        """Return the numbers of the actions that keep the result of perfect play."""
        values = self.after(state)
        best = self._best(state, values)
        return {number for number, value in enumerate(values) if value == best}

    def _best(self, state: GameState, values: list[float]) -> float:
        return max(values) if state.current_player == 0 else min(values)


@dataclass(frozen=True)
class Endgames:
    """Positions of a game after random actions.

    Attributes:
        game: the spec.
        actions: how many have been played.
    """

    game: str
    actions: int

    def positions(self, seed: int) -> Iterator[tuple[list[int], set[int]]]:
        """Yield positions in which the next action matters: the actions so far and those that keep the result, by number."""
        model, rng = make_game(self.game), Rng(seed)
        solver = Solver(model)
        while True:
            state = model.setup(2, rng)
            played: list[int] = []
            while not state.is_terminal and len(played) < self.actions:
                actions = model.available_actions(state)
                played.append(rng.below(len(actions)))
                model.next(state, actions[played[-1]], rng)
            if not state.is_terminal:
                keeping = solver.keeping(state)
                if len(keeping) < len(model.available_actions(state)):
                    yield played, keeping


def kept(agents: list[str], endgames: Endgames, n: int, seed: int) -> dict[str, int]:
    """Return in how many of ``n`` positions each agent plays an action that keeps the result."""
    found = dict.fromkeys(agents, 0)
    for played, keeping in islice(endgames.positions(seed), n):
        for agent in agents:
            game = InspectedGame(make_game(endgames.game), [make_agent(agent), make_agent(agent)], seed)
            for number in played:
                game.take(number)
            found[agent] += game.decide().choice in keeping
    return found
