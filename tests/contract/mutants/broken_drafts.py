"""7 Wonders, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from broken_shipped import Copied, Remade

from tag import Event
from tag.games.drafts.seven_wonders.data import NAMES, NO_CHOICE
from tag.games.drafts.seven_wonders.rules import SevenWonders
from tag.games.drafts.seven_wonders.state import SevenWondersState


class _IntactState(Copied, SevenWondersState):
    """One that is not broken."""


class _SevenWonders(Remade, SevenWonders):
    state_class = _IntactState


class IntactSevenWonders(_SevenWonders):
    caught_by = ""


class _KeptState(_IntactState):
    def redeterminise(self, player, rng):
        """Leave all cards where they are."""


class HandsAreNotDealtAgain(_SevenWonders):
    caught_by = "observation_blind"
    state_class = _KeptState


class _OpenChoicesState(_IntactState):
    def redeterminise(self, player, rng):
        chosen = self.chosen[:]
        super().redeterminise(player, rng)
        self.chosen = chosen


class ChoicesAreSeenWhenMade(_SevenWonders):
    caught_by = "observation_blind"
    state_class = _OpenChoicesState


class _SeenDiscardsState(_IntactState):
    def text(self, viewer):
        return f"{super().text(viewer)}\n{', '.join(NAMES[kind] for kind in self.discarded())}"


class DiscardsLieOpen(_SevenWonders):
    caught_by = "views_blind"
    state_class = _SeenDiscardsState


class TellsOfTheNextHand(_SevenWonders):
    caught_by = "events_blind"

    def _after_action(self, state, action, rng):
        seat = state.current_player
        super()._after_action(state, action, rng)
        if state.is_unresolved():
            state.announce(Event("thinks", seat, float(state.hands[state.left_of(seat)])))


class LosesTheLastCards(_SevenWonders):
    caught_by = "cards_kept"

    def _discard_last(self, state):
        before = state.face_down
        super()._discard_last(state)
        state.face_down = before


class _OrderlyState(_IntactState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        unseen = [seat for seat in range(self.n_players) if self.class_at(seat, player) == 32 * self.age]
        hands = sorted(self.hands[seat] for seat in unseen)
        if all(choice == NO_CHOICE for choice in self.chosen):
            for seat, hand in zip(unseen, hands, strict=True):
                self.hands[seat] = hand


class DealsUnseenHandsInOrder(_SevenWonders):
    caught_by = "observation_fair"
    state_class = _OrderlyState
