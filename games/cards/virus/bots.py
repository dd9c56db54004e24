"""The bot of Virus!."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.virus.actions import (
    Discard,
    MoveVirus,
    PlayMedicine,
    PlayOrgan,
    PlaySpreading,
    PlayVirus,
    StealOrgan,
    SwapBodies,
    Transplant,
)
from tag.games.cards.virus.data import ABSENT, FREE, N_COLOURS, VACCINATED, VIRUSES, healthy_in, organs_in, state_of
from tag.games.cards.virus.state import VirusState

_NEVER: Final = -9.0


@mypyc_attr(allow_interpreted_subclasses=True)
class BodyFirst(RuleBot[VirusState]):
    """Builds a body first: organs, then cures and vaccines; then it infects the healthiest one of another.

    Stealing a healthy organ comes first, and a swap of bodies if the other one has more healthy organs. Without use for its
    cards it discards all but organs that it lacks.

    Source: our own.
    """

    def worth(self, state: VirusState, action: AnyAction) -> float:
        """Weigh a card by what it does to the own body or to another's."""
        mine: i64 = state.bodies[self.player]
        if isinstance(action, PlayOrgan):
            return 10.0
        if isinstance(action, PlayMedicine):
            before = state_of(mine, action.organ)
            return 9.0 if FREE < before < VACCINATED else 5.0 if before == FREE else 6.5
        if isinstance(action, (PlayVirus, StealOrgan, MoveVirus)):
            return self._attack(state, action)
        if isinstance(action, SwapBodies):
            gain = healthy_in(state.bodies[action.target]) - healthy_in(mine)
            return 4.0 + 4.0 * float(gain) if gain > 0 else _NEVER
        if isinstance(action, Transplant):
            return self._transplant(state, action)
        if isinstance(action, Discard):
            return _spare(mine, action.cards)
        return 7.5 if isinstance(action, PlaySpreading) else 2.0

    def _attack(self, state: VirusState, action: PlayVirus | StealOrgan | MoveVirus) -> float:
        """Weigh an attack on an organ: those of the healthiest body first."""
        target: i64 = action.target
        body: i64 = state.bodies[target]
        if target == self.player:
            return _NEVER
        lead = 0.5 * float(healthy_in(body)) + 0.1 * float(organs_in(body))
        if isinstance(action, MoveVirus):
            return 5.0 + lead
        before = state_of(body, action.organ)
        if isinstance(action, StealOrgan):
            return 9.0 + lead if before == FREE or before >= VACCINATED else 6.0
        return lead + (7.0 if before == FREE else 6.0 if before < VACCINATED else 5.0)

    def _transplant(self, state: VirusState, action: Transplant) -> float:
        """Weigh a swap of two organs by the own healthy organs that it brings."""
        if self.player not in {action.one, action.other}:
            return _NEVER
        given = state_of(state.bodies[action.one], action.organ)
        taken = state_of(state.bodies[action.other], action.other_organ)
        if action.other == self.player:
            given, taken = taken, given
        return 8.0 if _is_healthy(taken) and not _is_healthy(given) else _NEVER


def _is_healthy(organ: i64) -> bool:
    return organ == FREE or organ >= VACCINATED


def _spare(body: i64, cards: tuple[int, ...]) -> float:
    """Return the worth of discarding cards: more are better, but organs that the body lacks are kept."""
    worth = 0.0
    for card in cards:
        is_lacking = card < N_COLOURS and state_of(body, card) == ABSENT
        worth += -5.0 if is_lacking else 0.6 if card < VIRUSES else 0.4
    return worth
