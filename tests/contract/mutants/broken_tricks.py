"""Hearts and Spades, broken in one way each: above all in what is dealt again.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from broken_shipped import Copied, Remade

from tag.engine.rules.tricks import ALL_CARDS, SUIT
from tag.games.tricks.hearts.rules import Hearts
from tag.games.tricks.hearts.state import HeartsState
from tag.games.tricks.spades.rules import Spades
from tag.games.tricks.spades.state import SpadesState


class _HeartsState(Copied, HeartsState):
    """One that is not broken."""


class _Hearts(Remade, Hearts):
    state_class = _HeartsState


class IntactHearts(_Hearts):
    caught_by = ""


class _KeptHandsState(_HeartsState):
    def redeterminise(self, player, rng):
        """Leave all hands as they are."""


class HandsOfOthersAreNotDealtAgain(_Hearts):
    caught_by = "observation_blind"
    state_class = _KeptHandsState


class _VoidsState(_HeartsState):
    def redeterminise(self, player, rng):
        limits = self.may_hold
        self.may_hold = (ALL_CARDS,) * self.n_players
        super().redeterminise(player, rng)
        self.may_hold = limits


class DealsSuitsThatAPlayerHasNot(_Hearts):
    caught_by = "observation_knowledge"
    state_class = _VoidsState


class _ForgottenPassState(_HeartsState):
    def _limits(self, player):
        return list(self.may_hold)

    def knowledge(self, player):
        return (super().knowledge(player), self.hands[self.target(player)] & self.passed[player])


class ThePasserForgetsWhereCardsWent(_Hearts):
    caught_by = "observation_knowledge"
    state_class = _ForgottenPassState


class _KeptPassesState(_HeartsState):
    def _draw_passes(self, player, rng):
        """Leave what others have passed as it is."""


class PassesOfOthersAreNotDrawnAgain(_Hearts):
    caught_by = "observation_blind"
    state_class = _KeptPassesState


class _SuitsState(_HeartsState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        first, last = [seat for seat in range(self.n_players) if seat != player][:2]
        hearts = self.hands[last] & SUIT[2] & -(self.hands[last] & SUIT[2])
        others = self.hands[first] & ~SUIT[2]
        if self.tick == 0 and hearts and others:
            other = others & -others
            self.hands[first] ^= other | hearts
            self.hands[last] ^= other | hearts


class DealsMoreHeartsToOnePlayer(_Hearts):
    caught_by = "observation_fair"
    state_class = _SuitsState


class _OpenState(_HeartsState):
    def text(self, viewer):
        return super().text(-1)


class TheTextShowsAllHands(_Hearts):
    caught_by = "views_blind"
    state_class = _OpenState


class _FewCardsState(_HeartsState):
    def components(self):
        return [part for part in super().components() if not part.name.startswith("taken")]


class CardsTakenVanish(_Hearts):
    caught_by = "cards_kept"
    state_class = _FewCardsState


class TellsAllWhatIsPassed(_Hearts):
    caught_by = "events_blind"

    def _after_pass(self, state):
        super()._after_pass(state)
        for event in state.announced:
            event.seen_by = -1


class _SpadesState(Copied, SpadesState):
    """One that is not broken."""


class _Spades(Remade, Spades):
    state_class = _SpadesState


class IntactSpades(_Spades):
    caught_by = ""


class _SeenState(_SpadesState):
    def redeterminise(self, player, rng):
        """Leave all hands as they are."""


class HandsAreNotDealtAgain(_Spades):
    caught_by = "observation_blind"
    state_class = _SeenState


class _AnySuitState(_SpadesState):
    def _limits(self):
        return [ALL_CARDS] * 4

    def knowledge(self, player):
        limits = SpadesState._limits(self)
        fits = [self.hands[seat] & ~limits[seat] == 0 for seat in range(4) if seat != player]
        return (super().knowledge(player), fits.count(True))


class DealsSpadesToWhoHasNone(_Spades):
    caught_by = "observation_knowledge"
    state_class = _AnySuitState


class PartnersDoNotShareTheScore(_Spades):
    caught_by = "results_ordered"

    def _end_hand(self, state, rng):
        super()._end_hand(state, rng)
        if state.is_terminal:
            state.results = (*state.results[:2], *reversed(state.results[2:]))
