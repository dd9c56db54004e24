"""Games of simultaneous or secret choices, broken in one way each: Goofspiel with hidden bids, Liar's Dice and 7 Wonders.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from broken_shipped import Copied, Remade

from tag import Event
from tag.games.cards.goofspiel.rules import Goofspiel
from tag.games.cards.goofspiel.state import GoofspielState
from tag.games.dice.liars_dice import LiarsDice, LiarsDiceState
from tag.games.drafts.seven_wonders.data import NAMES, NO_CHOICE
from tag.games.drafts.seven_wonders.rules import SevenWonders
from tag.games.drafts.seven_wonders.state import SevenWondersState


class _HiddenState(Copied, GoofspielState):
    """One that is not broken."""


class _Goofspiel(Remade, Goofspiel):
    game_type = replace(Goofspiel.game_type, check_parameters="cards=4,hidden=true")
    state_class = _HiddenState


class IntactGoofspiel(_Goofspiel):
    caught_by = ""


class _KeptState(_HiddenState):
    def _deal_past(self, player, rng):
        """Leave the bids as they are."""


class PastBidsAreNotDealtAgain(_Goofspiel):
    caught_by = "observation_blind"
    state_class = _KeptState


class _DeafState(_HiddenState):
    def shown(self, bids):
        return 0, 0

    def told(self, bids):
        return GoofspielState.told(self, bids)

    def knowledge(self, player):
        told = tuple([GoofspielState.shown(self, bids) for bids in self.past])
        return (super().knowledge(player), told)


class DealsBidsAgainstWhatWasTold(_Goofspiel):
    caught_by = "observation_knowledge"
    state_class = _DeafState


class _OpenState(_HiddenState):
    def redeterminise(self, player, rng):
        bids = self.bids
        super().redeterminise(player, rng)
        self.bids = bids


class ChosenBidsAreNotDealtAgain(_Goofspiel):
    game_type = replace(Goofspiel.game_type, check_parameters="cards=4")
    caught_by = "observation_blind"
    state_class = _OpenState


class _DiceState(Copied, LiarsDiceState):
    """One that is not broken."""


class _LiarsDice(Remade, LiarsDice):
    game_type = replace(LiarsDice.game_type, check_parameters="dice=1,faces=3")
    state_class = _DiceState


class IntactLiarsDice(_LiarsDice):
    caught_by = ""


class _ShownState(_DiceState):
    def redeterminise(self, player, rng):
        """Leave all dice as they lie."""


class DiceOfOthersAreNotRolledAgain(_LiarsDice):
    caught_by = "observation_blind"
    state_class = _ShownState


class _LoadedState(_DiceState):
    def roll(self, number, rng):
        return sum(1 << 4 * min(rng.below(12), self.faces - 1) for _die in range(number))


class DiceAreLoadedInObservations(_LiarsDice):
    caught_by = "observation_fair"
    state_class = _LoadedState


class _ForgetfulState(_DiceState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        self.bids = self.bids[-1:]


class ForgetsEarlierBids(_LiarsDice):
    caught_by = "observation_knowledge"
    state_class = _ForgetfulState


class _WondersIntactState(Copied, SevenWondersState):
    """One that is not broken."""


class _WondersSevenWonders(Remade, SevenWonders):
    state_class = _WondersIntactState


class IntactSevenWonders(_WondersSevenWonders):
    caught_by = ""


class _WondersKeptState(_WondersIntactState):
    def redeterminise(self, player, rng):
        """Leave all cards where they are."""


class PassedHandsAreNotDealtAgain(_WondersSevenWonders):
    caught_by = "observation_blind"
    state_class = _WondersKeptState


class _WondersOpenChoicesState(_WondersIntactState):
    def redeterminise(self, player, rng):
        chosen = self.chosen[:]
        super().redeterminise(player, rng)
        self.chosen = chosen


class ChoicesAreSeenWhenMade(_WondersSevenWonders):
    caught_by = "observation_blind"
    state_class = _WondersOpenChoicesState


class _WondersSeenDiscardsState(_WondersIntactState):
    def text(self, viewer):
        return f"{super().text(viewer)}\n{', '.join(NAMES[kind] for kind in self.discarded())}"


class DiscardsLieOpen(_WondersSevenWonders):
    caught_by = "views_blind"
    state_class = _WondersSeenDiscardsState


class TellsOfTheNextHand(_WondersSevenWonders):
    caught_by = "events_blind"

    def _after_action(self, state, action, rng):
        seat = state.current_player
        super()._after_action(state, action, rng)
        if state.is_unresolved():
            state.announce(Event("thinks", seat, float(state.hands[state.left_of(seat)])))


class LosesTheLastCards(_WondersSevenWonders):
    caught_by = "cards_kept"

    def _discard_last(self, state):
        before = state.face_down
        super()._discard_last(state)
        state.face_down = before


class _WondersOrderlyState(_WondersIntactState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        unseen = [seat for seat in range(self.n_players) if self.class_at(seat, player) == 32 * self.age]
        hands = sorted(self.hands[seat] for seat in unseen)
        if all(choice == NO_CHOICE for choice in self.chosen):
            for seat, hand in zip(unseen, hands, strict=True):
                self.hands[seat] = hand


class DealsUnseenHandsInOrder(_WondersSevenWonders):
    caught_by = "observation_fair"
    state_class = _WondersOrderlyState
