"""A small Hanabi, broken in one way each: above all in what is dealt again, where values, pairs and orders leak.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

import random  # noqa: TID251  the breach of one of the games
import sys
from dataclasses import replace
from pathlib import Path

from tag import WIN, StateHeuristic, interned

sys.path.insert(0, str(Path(__file__).parent))

from hanabi import CARDS, COLOURS, HAND, RANKS, UNKNOWN, DiscardCard, Hanabi, HanabiState, Hint, PlayCard


class Intact(Hanabi):
    """Nothing broken."""

    caught_by = ""


# --- dealing again --------------------------------------------------------------------------------------------------


class _OwnHandState(HanabiState):
    def redeterminise(self, player, rng):
        rng.shuffle(self.deck)


class OwnHandIsNotDealtAgain(Hanabi):
    caught_by = "observation_blind"
    state_class = _OwnHandState


class OwnHandIsNeverAnotherOne(Hanabi):
    caught_by = "observation_varies"
    state_class = _OwnHandState


class _OneSeatState(HanabiState):
    def redeterminise(self, player, rng):
        if player == 1:
            rng.shuffle(self.deck)
        else:
            super().redeterminise(player, rng)


class OneSeatSeesItsHand(Hanabi):
    caught_by = "observation_blind"
    state_class = _OneSeatState


class _AgainstHintsState(HanabiState):
    def fits(self, player, hand):
        return True


class DealsAgainstHints(Hanabi):
    caught_by = "observation_possible"
    state_class = _AgainstHintsState


class _AgainstRanksState(HanabiState):
    def fits(self, player, hand):
        told = zip(hand, self.colours[player], strict=True)
        return all(colour in (UNKNOWN, card // RANKS) for card, colour in told)


class DealsAgainstHintsOfRanks(Hanabi):
    caught_by = "observation_possible"
    state_class = _AgainstRanksState


class _CuttingState(HanabiState):
    def redeterminise(self, player, rng):
        if self.is_terminal:
            return
        size = len(self.hands[player])
        pool = [*self.deck, *self.hands[player]]
        for _try in range(100):
            cut = rng.below(len(pool))
            pool = [*pool[cut:], *pool[:cut]]
            if self.fits(player, pool[:size]):
                break
        self.hands[player] = pool[:size]
        self.deck = pool[size:]


class CutsInsteadOfShuffling(Hanabi):
    caught_by = "observation_blind"
    state_class = _CuttingState


class _CutDeckState(HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        self.deck.sort()
        if self.deck:
            cut = rng.below(len(self.deck))
            self.deck = [*self.deck[cut:], *self.deck[:cut]]


class SortsAndCutsTheDeck(Hanabi):
    caught_by = "observation_fair"
    state_class = _CutDeckState


class _NeverState(HanabiState):
    never = 2

    def fits(self, player, hand):
        return super().fits(player, hand) and (self.never not in hand or self.tick > 0)


class NeverDealsACard(Hanabi):
    caught_by = "observation_fair"
    state_class = _NeverState


class _NeverAtAllState(HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        hand, deck = self.hands[player], self.deck
        for place, card in enumerate(hand):
            if card == RANKS - 1 and deck:
                hand[place], deck[0] = deck[0], card


class NeverDealsACardToTheHand(Hanabi):
    caught_by = "observation_varies"
    state_class = _NeverAtAllState


class _BiasedState(HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if rng.below(2) == 0 and self.tick == 0:
            self.hands[player].sort()


class DealsWithABias(Hanabi):
    caught_by = "observation_fair"
    state_class = _BiasedState


class _NewestState(HanabiState):
    def redeterminise(self, player, rng):
        kept = self.hands[player][:-1]
        for _try in range(30):
            super().redeterminise(player, rng)
        if self.is_terminal or not kept:
            return
        pool = [*self.deck, *self.hands[player]]
        for card in kept:
            if card not in pool:
                return
            pool.remove(card)
        rng.shuffle(pool)
        self.hands[player], self.deck = [*kept, pool[0]], pool[1:]


class DealsTheNewestCardOnly(Hanabi):
    caught_by = "observation_blind"
    state_class = _NewestState


class _SometimesState(HanabiState):
    def redeterminise(self, player, rng):
        if rng.below(5):
            super().redeterminise(player, rng)


class ShowsTheTruthOnceInFiveTimes(Hanabi):
    caught_by = "observation_blind"
    state_class = _SometimesState


class _OrderedState(HanabiState):
    def redeterminise(self, player, rng):
        order = self.deck[:]
        super().redeterminise(player, rng)
        self.deck.sort(key=lambda card: order.index(card) if card in order else -1)


class KeepsTheOrderOfTheDeck(Hanabi):
    caught_by = "observation_blind"
    state_class = _OrderedState


class _TopState(HanabiState):
    def redeterminise(self, player, rng):
        top = self.deck[-1] if self.deck else UNKNOWN
        super().redeterminise(player, rng)
        if top in self.deck and rng.below(2):
            self.deck.remove(top)
            self.deck.append(top)


class OftenKeepsTheTopCard(Hanabi):
    caught_by = "observation_blind"
    state_class = _TopState


class _DuplicatingState(HanabiState):
    def redeterminise(self, player, rng):
        if not self.is_terminal:
            size = len(self.hands[player])
            self.hands[player] = [rng.choice(CARDS) for _card in range(size)]
            rng.shuffle(self.deck)


class DealsFromAFullDeck(Hanabi):
    caught_by = "observation_blind"
    state_class = _DuplicatingState


# --- knowledge ------------------------------------------------------------------------------------------------------


class _ForgetsHintsState(HanabiState):
    def knowledge(self, player):
        return super().knowledge(player)[:5]


class KnowledgeForgetsHints(Hanabi):
    caught_by = "observation_blind"
    state_class = _ForgetsHintsState


class _KnowsItsHandState(HanabiState):
    def knowledge(self, player):
        return (*super().knowledge(player), tuple(self.hands[player]))


class KnowledgeHoldsTheOwnHand(Hanabi):
    caught_by = "observation_knowledge"
    state_class = _KnowsItsHandState


class _KnowsTheTopState(HanabiState):
    def knowledge(self, player):
        return (*super().knowledge(player), self.deck[-1] if self.deck else UNKNOWN)


class KnowledgeHoldsTheTopCard(Hanabi):
    caught_by = "observation_knowledge"
    state_class = _KnowsTheTopState


class _NotHashableState(HanabiState):
    def knowledge(self, player):
        return list(super().knowledge(player))


class KnowledgeIsNotHashable(Hanabi):
    caught_by = "observation_knowledge"
    state_class = _NotHashableState


class _ShowingState(HanabiState):
    def text(self, viewer):
        return super().text(-1)


class TextShowsTheOwnHand(Hanabi):
    caught_by = "views_blind"
    state_class = _ShowingState


# --- sharing --------------------------------------------------------------------------------------------------------


class _SharingState(HanabiState):
    def copy(self):
        other = super().copy()
        other.colours = self.colours[:]
        return other


class CopySharesInnerLists(Hanabi):
    caught_by = "copy_independent"
    state_class = _SharingState


class _ReversingState(HanabiState):
    def copy(self):
        other = super().copy()
        other.deck.reverse()
        return other


class CopyReversesTheDeck(Hanabi):
    caught_by = "copy_equal"
    state_class = _ReversingState


TABLE = [[card] for card in CARDS]


class _TableState(HanabiState):
    def copy(self):
        other = super().copy()
        other.table = (TABLE,)
        return other


class ObservationsHoldATable(Hanabi):
    caught_by = "observation_detached"
    state_class = _TableState


class _ModelState(HanabiState):
    model = None

    def copy(self):
        other = super().copy()
        other.model = self.model
        return other


class _Holder:
    def __init__(self, model):
        self.deal = model.deal


class ObservationsHoldPartOfTheModel(Hanabi):
    caught_by = "observation_detached"
    state_class = _ModelState

    def __init__(self, parameters=None):
        super().__init__(parameters)
        self.deal = [HAND]
        self.holder = _Holder(self)

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.model = self.holder
        return state


# --- seeds and state elsewhere ----------------------------------------------------------------------------------------


class OrderOfTwoFromASet(Hanabi):
    caught_by = "seed_other_process"

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.names = tuple({"red", "blue"})
        return state


class _HashedDealState(HanabiState):
    def redeterminise(self, player, rng):
        self.deck.sort(key=lambda card: hash(f"card {card}"))
        super().redeterminise(player, rng)


class ObservationsDependOnHashes(Hanabi):
    caught_by = "seed_other_process"
    state_class = _HashedDealState


class HintsDrawFromElsewhere(Hanabi):
    caught_by = "seed_repeats"

    def _after_action(self, state, action, rng):
        if isinstance(action, Hint):
            random.shuffle(state.deck)
        super()._after_action(state, action, rng)


class _ClassAttributeState(HanabiState):
    pile: list[int] = []  # noqa: RUF012  the breach


class DiscardsLiveInTheClass(Hanabi):
    caught_by = "seed_undisturbed"
    state_class = _ClassAttributeState

    def _setup(self, n_players, rng):
        state = super()._setup(n_players, rng)
        state.pile.clear()
        return state

    def _after_action(self, state, action, rng):
        if isinstance(action, DiscardCard):
            state.pile.append(1)
        state.phase = len(state.pile)
        super()._after_action(state, action, rng)


# --- actions, players, results ------------------------------------------------------------------------------------------


class OffersPlayableCardsOnly(Hanabi):
    caught_by = "observation_actions"

    def _available_actions(self, state):
        hand = state.hands[state.current_player]
        fits = [place for place, card in enumerate(hand) if state.fireworks[card // RANKS] == card % RANKS]
        plays = [interned(PlayCard(place)) for place in fits]
        return plays + [action for action in super()._available_actions(state) if not isinstance(action, PlayCard)]


class OffersAPlaceThatIsEmpty(Hanabi):
    caught_by = "actions_playable"

    def _available_actions(self, state):
        return [*super()._available_actions(state), interned(DiscardCard(HAND))]


class _HandHint(Hint):
    def __init__(self, player, what, hand=()):
        super().__init__(player, what)
        self.hand = hand


class ActionsHoldAHand(Hanabi):
    caught_by = "actions_interned"

    def _available_actions(self, state):
        hand = state.hands[1 - state.current_player]
        return [interned(_HandHint(1 - state.current_player, COLOURS, hand)), *super()._available_actions(state)]


class AsksAPlayerWhoDoesNotExist(Hanabi):
    caught_by = "actions_while_it_lasts"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.tick == 3:
            state.current_player = state.n_players


class _OwnScoreState(HanabiState):
    def score(self, player):
        return super().score(player) + player


class TeamsDoNotShareTheScore(Hanabi):
    caught_by = "results_ordered"
    state_class = _OwnScoreState


class OnePlayerWins(Hanabi):
    caught_by = "results_ordered"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.is_terminal:
            state.set_result(0, WIN)


class _Hope(StateHeuristic):
    def value(self, state, player):
        return state.result_value(player) or 1.0 + state.score(player)


class HeuristicIsTooHigh(Hanabi):
    caught_by = "heuristic_in_range"
    game_type = replace(Hanabi.game_type, heuristic=_Hope)
