"""Card games with faults that someone would hide in them: late, rare, partial or weak ones.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

import random  # noqa: TID251  the breach of one of the games
import sys
import time
from pathlib import Path

from tag import DO_NOTHING, DRAW, ForwardModel, GameState, GameType
from tag.games.boards.colt_express.rules import ColtExpress
from tag.games.boards.colt_express.state import ColtExpressState
from tag.games.boards.pandemic.data import EPIDEMIC
from tag.games.cards.exploding_kittens.data import NOPE, count, drawn, unit
from tag.games.cards.exploding_kittens.rules import ExplodingKittens
from tag.games.cards.exploding_kittens.state import ExplodingKittensState
from tag.games.cards.love_letter.actions import Guard
from tag.games.cards.uno.actions import Accept, Draw
from tag.games.cards.uno.data import WILD, WILD_DRAW_FOUR
from tag.games.cards.uno.rules import Uno
from tag.games.cards.uno.state import UnoState
from tag.games.cards.virus.actions import Discard, StealOrgan
from tag.games.cards.virus.rules import Virus
from tag.games.cards.virus.state import VirusState

sys.path.insert(0, str(Path(__file__).parent))

from broken_shipped import Copied, CopiedLoveLetterState, CopiedPandemicState, Remade, RemadeLoveLetter, RemadePandemic
from hanabi import COLOURS, RANKS, DiscardCard, Hanabi, HanabiState, Hint


class _UnoState(Copied, UnoState):
    """One that is not broken."""


class RemadeUno(Remade, Uno):
    state_class = _UnoState


class _VirusState(Copied, VirusState):
    """One that is not broken."""


class RemadeVirus(Remade, Virus):
    state_class = _VirusState


class _KittensState(Copied, ExplodingKittensState):
    """One that is not broken."""


class _Kittens(Remade, ExplodingKittens):
    state_class = _KittensState


class _ColtExpressState(Copied, ColtExpressState):
    """One that is not broken."""


class _ColtExpress(Remade, ColtExpress):
    state_class = _ColtExpressState


# --- Love Letter --------------------------------------------------------------------------------------------------------


class _NextHandState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        kept = self.hands[(player + 1) % self.n_players]
        super().redeterminise(player, rng)
        place = (player + 1) % self.n_players
        if kept and kept in self.deck:
            index = self.deck.index(kept)
            self.deck[index], self.hands[place] = self.hands[place], kept


class NextHandIsKept(RemadeLoveLetter):
    caught_by = "observation_blind"
    state_class = _NextHandState


class _SortedDeckState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        half = len(self.deck) // 2
        self.deck[:half] = sorted(self.deck[:half])


class HalfOfTheDeckIsSorted(RemadeLoveLetter):
    caught_by = "observation_fair"
    state_class = _SortedDeckState


class _LaterSortedState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.turn > 1:
            self.deck.sort()


class LaterDecksAreSorted(RemadeLoveLetter):
    caught_by = "observation_possible"
    state_class = _LaterSortedState


class GuessesDependOnTheRemovedCard(RemadeLoveLetter):
    caught_by = "observation_actions"

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        return [a for a in actions if not (isinstance(a, Guard) and state.removed > 6 and a is actions[-1])]


class _PlacesState(CopiedLoveLetterState):
    def ordinal(self, player):
        if self.is_terminal and self.tick % 3 == 0:
            return self.n_players + 1 - super().ordinal(player)
        return super().ordinal(player)


class SomeGamesEndUpsideDown(RemadeLoveLetter):
    caught_by = "results_ordered"
    state_class = _PlacesState


# --- Uno ----------------------------------------------------------------------------------------------------------------


class _HighState(_UnoState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if not self.is_terminal and self.deck.n_wilds and rng.below(3) == 0:
            hand = self.hands[(player + 1) % self.n_players]
            low = [card for card in hand.cards() if card < WILD]
            if low and self.drawn != low[0]:
                hand.remove(low[0])
                self.deck.add(low[0])
                self.deck.remove(WILD)
                hand.add(WILD)


class WildsAreDealtTooOften(RemadeUno):
    caught_by = "observation_fair"
    state_class = _HighState


class _DiscardsState(_UnoState):
    def copy(self):
        other = super().copy()
        other.discards = self.discards
        return other


class CopySharesTheDiscards(RemadeUno):
    caught_by = "copy_playable"
    state_class = _DiscardsState


class _SeenHandState(_UnoState):
    def redeterminise(self, player, rng):
        kept = self.hands[(player + 1) % self.n_players].cards()[:1]
        super().redeterminise(player, rng)
        hand = self.hands[(player + 1) % self.n_players]
        for card in kept:
            if not self.is_terminal and self.deck.count(card) and not hand.count(card):
                other = hand.cards()[-1]
                if other != self.drawn:
                    hand.remove(other)
                    self.deck.add(other)
                    self.deck.remove(card)
                    hand.add(card)


class OneCardOfTheNextHandIsKept(RemadeUno):
    caught_by = "observation_blind"
    state_class = _SeenHandState


class DrawsOnlyIfTheNextPlayerCannotWin(RemadeUno):
    caught_by = "observation_actions"

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        rival = state.hands[(state.current_player + 1) % state.n_players]
        if len(actions) > 1 and rival.count(WILD_DRAW_FOUR):
            return [action for action in actions if not isinstance(action, Draw)]
        return actions


class ACardVanishesWhenAFourIsAccepted(RemadeUno):
    caught_by = "cards_kept"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if isinstance(action, Accept) and state.deck.size > 1:
            state.deck.take(rng)


# --- Virus! -------------------------------------------------------------------------------------------------------------


class ThievesDependOnHashes(RemadeVirus):
    caught_by = "seed_other_process"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if isinstance(action, StealOrgan) and not state.is_terminal:
            state.phase = list({"heart", "stomach", "brain", "bone"}).index("heart")


class _HandState(_VirusState):
    def redeterminise(self, player, rng):
        before = self.hand(1 - player) if self.n_players == 2 and rng.below(4) == 0 else None
        kept = self.copy() if before else None
        super().redeterminise(player, rng)
        if kept is not None:
            for name in ("hands", "deck", "deck_size", "deck_organs", "deck_viruses", "deck_medicines"):
                setattr(self, name, getattr(kept, name))


class ARivalsHandIsOftenTheTrueOne(RemadeVirus):
    caught_by = "observation_blind"
    state_class = _HandState


class CopiesOfTheRulesForgetParameters(RemadeVirus):
    caught_by = "parameters_playable"

    def copy(self):
        return type(self)()


class RulesIgnoreTheirParameters(RemadeVirus):
    caught_by = "parameters_playable"

    def __init__(self, parameters=None):
        super().__init__(None)


class ADiscardVanishes(RemadeVirus):
    caught_by = "cards_kept"

    def _after_action(self, state, action, rng):
        if isinstance(action, Discard) and len(action.cards) == 3:
            for card, count in enumerate(state.discards):
                if count:
                    state.discards[card] -= 1
                    break
        super()._after_action(state, action, rng)


# --- Exploding Kittens ----------------------------------------------------------------------------------------------------


class _NopeState(_KittensState):
    def redeterminise(self, player, rng):
        held = [self.count(other, NOPE) for other in range(self.n_players)]
        super().redeterminise(player, rng)
        for other in range(self.n_players):
            hidden = self.hand(other) - self.known[player * self.n_players + other]
            if other == player or not held[other] or not hidden or count(hidden, NOPE) or not count(self.unseen, NOPE):
                continue
            if rng.below(2):
                change = unit(NOPE) - drawn(hidden, 1, rng)
                self.set_hand(other, self.hand(other) + change)
                self.unseen -= change


class NopesOftenStay(_Kittens):
    caught_by = "observation_blind"
    state_class = _NopeState


# --- Colt Express -------------------------------------------------------------------------------------------------------


class _SharedState(_ColtExpressState):
    def copy(self):
        other = super().copy()
        other.floor = self.floor
        return other


class CopySharesTheFloor(_ColtExpress):
    caught_by = "copy_independent"
    state_class = _SharedState


# --- Pandemic -----------------------------------------------------------------------------------------------------------


class _NoPilesState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        rng.shuffle(self.player_deck)


class EpidemicsComeAnywhere(RemadePandemic):
    caught_by = "observation_fair"
    state_class = _NoPilesState


class _NextCityState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        top = self.infection_deck[-1] if self.infection_deck else -1
        low = self.layers[-1] if self.layers else 0
        super().redeterminise(player, rng)
        if top in self.infection_deck[low:] and rng.below(3) == 0:
            place = self.infection_deck.index(top)
            deck = self.infection_deck
            deck[place], deck[-1] = deck[-1], deck[place]


class TheNextCityIsOftenTheTrueOne(RemadePandemic):
    caught_by = "observation_blind"
    state_class = _NextCityState


class _LateEpidemicState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        deck = self.player_deck
        is_next = bool(deck) and deck[-1] == EPIDEMIC
        super().redeterminise(player, rng)
        if is_next and EPIDEMIC in deck[-8:]:
            place = len(deck) - 1 - deck[::-1].index(EPIDEMIC)
            deck[place], deck[-1] = deck[-1], deck[place]


class TheNextEpidemicIsSeen(RemadePandemic):
    caught_by = "observation_blind"
    state_class = _LateEpidemicState


# --- Hanabi -------------------------------------------------------------------------------------------------------------


class _FirstCardState(HanabiState):
    def redeterminise(self, player, rng):
        kept = self.hands[player][:1]
        super().redeterminise(player, rng)
        if kept and kept[0] in self.deck and not self.is_terminal:
            place = self.deck.index(kept[0])
            self.deck[place], self.hands[player][0] = self.hands[player][0], kept[0]


class FirstCardIsKept(Hanabi):
    caught_by = "observation_blind"
    state_class = _FirstCardState


class _LateBiasState(HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.tick > 2 and self.deck:
            self.deck.sort()


class LaterDecksRunFromLowToHigh(Hanabi):
    caught_by = "observation_possible"
    state_class = _LateBiasState


class HintsDependOnTheOwnHand(Hanabi):
    caught_by = "observation_actions"

    def _available_actions(self, state):
        own = [card % RANKS for card in state.hands[state.current_player]]
        actions = super()._available_actions(state)
        return [a for a in actions if not (isinstance(a, Hint) and a.what == COLOURS + 2 and 2 in own)]


class DiscardsDependOnTheClock(Hanabi):
    caught_by = "seed_repeats"

    def _after_action(self, state, action, rng):
        if isinstance(action, DiscardCard) and state.tick > 4:
            state.phase = time.time_ns() % 7
        super()._after_action(state, action, rng)


class _ElsewhereState(HanabiState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        random.shuffle(self.deck)


class ObservationsDrawFromElsewhere(Hanabi):
    caught_by = "seed_other_process"
    state_class = _ElsewhereState


class _EqualKnowledge:
    def __init__(self, known):
        self.known = known

    def __eq__(self, other):
        return isinstance(other, _EqualKnowledge)

    def __hash__(self):
        return 1


class _EqualState(HanabiState):
    def knowledge(self, player):
        return _EqualKnowledge(super().knowledge(player))


class KnowledgeIsAlwaysEqual(Hanabi):
    caught_by = "observation_blind"
    state_class = _EqualState


class _LastCardState(HanabiState):
    def redeterminise(self, player, rng):
        last = self.deck[0] if len(self.deck) == 1 else None
        super().redeterminise(player, rng)
        if last in self.hands[player] and self.fits(player, [last if c == last else c for c in self.hands[player]]):
            place = self.hands[player].index(last)
            hand = self.hands[player][:]
            hand[place] = self.deck[0]
            if self.fits(player, hand):
                self.hands[player], self.deck = hand, [last]


class TheLastCardOfTheDeckIsSeen(Hanabi):
    caught_by = "observation_blind"
    state_class = _LastCardState


# --- nothing broken -----------------------------------------------------------------------------------------------------


class _RareDealsState(GameState):
    """A hundred cards of 900 kinds that no player sees, beside marks that all see: few combinations occur often."""

    def __init__(self, n_players):
        super().__init__(n_players)
        self.cards = []
        self.marks = []
        self.more_marks = []

    def copy(self):
        other = type(self)(self.n_players)
        self.copy_to(other)
        other.cards = self.cards[:]
        other.marks = self.marks[:]
        other.more_marks = self.more_marks[:]
        return other

    def redeterminise(self, player, rng):
        self.cards = [int(rng.below(900)) for _card in self.cards]

    def knowledge(self, player):
        return (player, self.tick, self.is_terminal, tuple(self.marks), tuple(self.more_marks))

    def text(self, viewer):
        return f"marks {self.marks} {self.more_marks}"


class RareDeals(ForwardModel):
    """Several observations of one game deal combinations that none of hundreds of games has."""

    caught_by = ""
    game_type = GameType("rare deals", 2, 2)

    def _setup(self, n_players, rng):
        state = _RareDealsState(n_players)
        state.cards = [int(rng.below(900)) for _card in range(100)]
        state.marks = [int(rng.below(10)) for _card in range(100)]
        state.more_marks = [int(rng.below(10)) for _card in range(100)]
        return state

    def _available_actions(self, state):
        return [DO_NOTHING]

    def _after_action(self, state, action, rng):
        self.end_player_turn(state)
        if state.tick == 12:
            state.end_for_all(DRAW)
