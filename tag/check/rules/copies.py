"""Checks of copies: equal, independent and playable, with all cards."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tag.check.evidence.mutable import shared_mutable
from tag.check.evidence.values import difference
from tag.check.subject import GameCheck, Position
from tag.components import Deck
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.engine.state import GameState
from tag.errors import ContractError

_PLAYED_ON: Final = 12


class CopyEqual(GameCheck):
    """A copy is the same position."""

    text = "a copy equals its origin in every field"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        copy = state.copy()
        if type(copy) is not type(state):
            raise ContractError(f"a copy of {type(state).__name__} is a {type(copy).__name__}")
        found = difference(state, copy)
        if found:
            raise ContractError(f"in a copy {found}")


class CopyIndependent(GameCheck):
    """Search plays in copies."""

    text = "copies and observations share nothing mutable with their origin"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        found = shared_mutable(state, state.copy())
        if found:
            raise ContractError(f"a copy shares {found} with its origin")
        for player in position.players:
            found = shared_mutable(state, position.drawn(player)[0])
            if found:
                raise ContractError(f"an observation of player {player} shares {found} with its origin")


class CopyPlayable(GameCheck):
    """Play in a copy changes nothing outside, and is the same as in the game."""

    text = "playing on in a copy leaves its origin unchanged, and goes as it would there"

    def at(self, position: Position) -> None:
        """Play two copies on with equal streams."""
        model, state = position.model, position.state
        self.cases += 1
        before = state_hash(state)
        one = state.copy()
        other = one.copy()
        if _play_on(model, one, position.rng("on")) != _play_on(model, other, position.rng("on")):
            found = difference(one, other)
            raise ContractError(
                f"a copy and its copy, played on with equal streams, come to different positions: {found or 'on the way'}"
            )
        if state_hash(state) != before:
            raise ContractError("playing on in a copy changes its origin")


def _play_on(model: ForwardModel[Any], state: GameState, rng: Rng) -> list[object]:
    """Play ``state`` on at random and return the available actions at each step, and the final position."""
    course: list[object] = []
    while not state.is_terminal and len(course) < _PLAYED_ON:
        actions = model.available_actions(state)
        course.append(actions)
        model.next(state, rng.choice(actions), rng)
    return [*course, state.snapshot()]


class CardsKept(GameCheck):
    """Nothing is lost in play."""

    text = "no card in a deck of components() vanishes; cards that leave the game lie in a deck, too"
    untested = "components() returns no deck"

    def __init__(self) -> None:
        super().__init__()
        self.at_first: dict[tuple[int, int], Counter[str]] = {}

    def at(self, position: Position) -> None:
        found = Counter(
            [str(item) for deck in position.state.components() if isinstance(deck, Deck) for item in deck.items]
        )
        first = self.at_first.setdefault((position.where.seed, int(position.state.n_players)), found)
        self.cases += bool(first)
        lost = first - found
        if lost:
            card = min(lost)
            raise ContractError(f"there are {found[card]} cards {card} instead of {first[card]} in components()")
