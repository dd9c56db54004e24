"""Goofspiel with hidden bids and Liar's Dice, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from broken_shipped import Copied, Remade

from tag.games.boards.liars_dice import LiarsDice, LiarsDiceState
from tag.games.cards.goofspiel.rules import Goofspiel
from tag.games.cards.goofspiel.state import GoofspielState


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
