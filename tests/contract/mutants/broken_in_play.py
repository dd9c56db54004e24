"""Games with faults that only play shows: secret choices, deals of later rounds, memory, marks, and other parameters.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from tag import DRAW, LOSE, WIN, Actions, Vocabulary, interned
from tag.games.abstract.connect_four import ConnectFour
from tag.games.abstract.nim import Nim, Take
from tag.games.boards.battlelore.rules import Battlelore
from tag.games.boards.battlelore.state import BattleloreState
from tag.games.boards.colt_express.rules import ColtExpress
from tag.games.boards.colt_express.state import ColtExpressState
from tag.games.cards.blackjack.data import ONE, card_at
from tag.games.cards.blackjack.rules import Blackjack
from tag.games.cards.blackjack.state import BlackjackState
from tag.games.cards.diamant.rules import Diamant
from tag.games.cards.diamant.state import DiamantState
from tag.games.cards.poker.rules import Poker
from tag.games.cards.poker.state import PokerState
from tag.games.cards.sushi_go.data import NO_CARD, NO_CHOICE, choice_of, listed, unit
from tag.games.cards.sushi_go.rules import SushiGo
from tag.games.cards.sushi_go.state import SushiGoState
from tag.games.cards.sushi_go.values import SushiGoFeatures
from tag.games.cards.uno.state import UnoState
from tag.games.cards.virus.state import VirusState

sys.path.insert(0, str(Path(__file__).parent))

from broken_shipped import Copied, CopiedLoveLetterState, CopiedPandemicState, Remade, RemadeLoveLetter, RemadePandemic
from hanabi import COLOURS, HAND, RANKS, Hanabi, HanabiState, Hint
from hostile_games import RemadeUno, RemadeVirus

# --- Sushi Go!: simultaneous choices -------------------------------------------------------------------------------------


class _SushiGoState(Copied, SushiGoState):
    """One that is not broken."""


class _SushiGo(Remade, SushiGo):
    state_class = _SushiGoState


class IntactSushiGo(_SushiGo):
    caught_by = ""


class _SeenChoicesState(_SushiGoState):
    def redeterminise(self, player, rng):
        chosen = self.chosen[:]
        super().redeterminise(player, rng)
        self.chosen = chosen


class SecretChoicesAreSeen(_SushiGo):
    caught_by = "observation_blind"
    state_class = _SeenChoicesState


class _NextSeatState(_SushiGoState):
    def redeterminise(self, player, rng):
        chosen = self.chosen[0]
        super().redeterminise(player, rng)
        if player == 1:
            self.chosen[0] = chosen


class TheSecondSeesTheChoiceOfTheFirst(_SushiGo):
    caught_by = "observation_blind"
    state_class = _NextSeatState


class _OftenState(_SushiGoState):
    def redeterminise(self, player, rng):
        chosen = self.chosen[:]
        super().redeterminise(player, rng)
        if rng.below(3) == 0:
            self.chosen = chosen


class SecretChoicesOftenStay(_SushiGo):
    caught_by = "observation_blind"
    state_class = _OftenState


class _KnownChoicesState(_SeenChoicesState):
    def knowledge(self, player):
        return (super().knowledge(player), tuple(self.chosen))


class SecretChoicesAreKnown(_SushiGo):
    caught_by = "secrets_kept"
    state_class = _KnownChoicesState


class _FirstCardState(_SushiGoState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        for seat, choice in enumerate(self.chosen):
            if choice != NO_CHOICE and seat != player:
                self.chosen[seat] = int(choice_of(listed(self.hands[seat])[0], NO_CARD))


class OnlyTheFirstCardIsChosen(_SushiGo):
    caught_by = "observation_varies"
    state_class = _FirstCardState


class _ChoiceFeatures(SushiGoFeatures):
    def names(self, n_players):
        return (*super().names(n_players), "choices")

    def values(self, state, player):
        return [*super().values(state, player), float(sum(state.chosen))]


class FeaturesShowChoices(_SushiGo):
    caught_by = "views_blind"
    game_type = replace(_SushiGo.game_type, features=_ChoiceFeatures)


class _LowRoundsState(_SushiGoState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        seat = (player + 1) % self.n_players
        if self.round and self.dealt == self.cards:
            high, low = max(listed(self.hands[seat])), min(listed(self.deck), default=99)
            if low < high:
                self.hands[seat] += unit(low) - unit(high)
                self.deck += unit(high) - unit(low)


class LaterHandsAreDealtLow(_SushiGo):
    caught_by = "observation_fair_in_play"
    state_class = _LowRoundsState


# --- Diamant, Colt Express, Exploding Kittens ------------------------------------------------------------------------------


class _DiamantState(Copied, DiamantState):
    """One that is not broken."""


class _Diamant(Remade, Diamant):
    state_class = _DiamantState


class _SeenLeaversState(_DiamantState):
    def redeterminise(self, player, rng):
        leaving = self.leaving
        super().redeterminise(player, rng)
        self.leaving = leaving


class LeaversAreSeen(_Diamant):
    caught_by = "observation_blind"
    state_class = _SeenLeaversState


class _StayingState(_DiamantState):
    def redeterminise(self, player, rng):
        own = self.leaving & 1 << player
        super().redeterminise(player, rng)
        self.leaving = own if self.is_unresolved() else self.leaving


class AllSeemToStay(_Diamant):
    caught_by = "observation_varies"
    state_class = _StayingState


class _ColtExpressState(Copied, ColtExpressState):
    """One that is not broken."""


class _ColtExpress(Remade, ColtExpress):
    state_class = _ColtExpressState


class _OpenPileState(_ColtExpressState):
    def redeterminise(self, player, rng):
        pile, cards = self.pile[:], [cards.copy() for cards in self.cards]
        super().redeterminise(player, rng)
        if pile != self.pile:
            self.pile, self.cards = pile, cards


class CardsInTunnelsAreSeen(_ColtExpress):
    caught_by = "observation_blind"
    state_class = _OpenPileState


# --- deals of later rounds -----------------------------------------------------------------------------------------------


class _LaterLowState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.round and self.removed and self.deck and self.removed > self.deck[0]:
            self.removed, self.deck[0] = self.deck[0], self.removed


class RemovedCardIsLowInLaterRounds(RemadeLoveLetter):
    caught_by = "observation_fair_in_play"
    state_class = _LaterLowState


class _LaterSeatState(CopiedLoveLetterState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        seat = (player + 1) % self.n_players
        if (
            self.round
            and self.deck
            and self.hands[seat] > self.deck[-1]
            and not self.knows(player, seat)
            and rng.below(2)
        ):
            self.hands[seat], self.deck[-1] = self.deck[-1], self.hands[seat]


class TheNextPlayerIsDealtLowInLaterRounds(RemadeLoveLetter):
    caught_by = "observation_fair_in_play"
    state_class = _LaterSeatState


class _PokerState(Copied, PokerState):
    """One that is not broken."""


class _Poker(Remade, Poker):
    state_class = _PokerState


class IntactPoker(_Poker):
    caught_by = ""


class _LaterHandsState(_PokerState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        rival = (player + 1) % self.n_players
        if self.round and not self.sees(player, rival):
            pair = sorted(self.cards[2 * rival : 2 * rival + 2])
            self.cards[2 * rival : 2 * rival + 2] = pair


class LaterHandsAreSorted(_Poker):
    caught_by = "observation_fair_in_play"
    state_class = _LaterHandsState


class _FlopState(_PokerState):
    def redeterminise(self, player, rng):
        first = 2 * self.n_players
        kept = self.cards[first : first + 3]
        super().redeterminise(player, rng)
        if self.round:
            self.cards[first : first + 3] = kept


class TheFlopIsSeenInLaterHands(_Poker):
    caught_by = "observation_blind"
    state_class = _FlopState


class _LaterUnoState(Copied, UnoState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.round and not self.is_terminal and rng.below(2):
            hand = self.hands[(player + 1) % self.n_players]
            low, high = self.deck.cards()[0], hand.cards()[-1]
            if low < high and high != self.drawn:
                hand.remove(high)
                self.deck.add(high)
                self.deck.remove(low)
                hand.add(low)


class LaterUnoHandsAreDealtLow(RemadeUno):
    caught_by = "observation_fair_in_play"
    state_class = _LaterUnoState


class _BlackjackState(Copied, BlackjackState):
    """One that is not broken."""


class _Blackjack(Remade, Blackjack):
    state_class = _BlackjackState


class _LowHoleState(_BlackjackState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.hole >= 0 and not self.is_hole_certain and self.left:
            other = card_at(self.shoe, rng.below(self.left))
            if other < self.hole and other != self.never_hole():
                self.shoe += ONE[self.hole] - ONE[other]
                self.hole = other


class TheHoleCardIsDealtLow(_Blackjack):
    caught_by = "observation_fair_in_play"
    state_class = _LowHoleState


class _SeenHoleState(_BlackjackState):
    def redeterminise(self, player, rng):
        hole, shoe = self.hole, self.shoe
        super().redeterminise(player, rng)
        if rng.below(2):
            self.hole, self.shoe = hole, shoe


class TheHoleCardIsOftenSeen(_Blackjack):
    caught_by = "observation_blind"
    state_class = _SeenHoleState


class _BattleloreState(Copied, BattleloreState):
    """One that is not broken."""


class _BattleLore(Remade, Battlelore):
    state_class = _BattleloreState


class _OpenHandState(_BattleloreState):
    def redeterminise(self, player, rng):
        hands, deck = self.hands, self.deck
        super().redeterminise(player, rng)
        if self.turn:
            self.hands, self.deck = hands, deck


class TheRivalsHandIsSeenLater(_BattleLore):
    caught_by = "observation_blind"
    state_class = _OpenHandState


class _LaterHandState(Copied, VirusState):
    def redeterminise(self, player, rng):
        hands, deck = self.hands[:], self.deck[:]
        sizes = (self.deck_size, self.deck_organs, self.deck_viruses, self.deck_medicines)
        super().redeterminise(player, rng)
        if self.turn > 2 and rng.below(2):
            self.hands, self.deck = hands, deck
            self.deck_size, self.deck_organs, self.deck_viruses, self.deck_medicines = sizes


class RivalsHandsAreOftenSeenLater(RemadeVirus):
    caught_by = "observation_blind"
    state_class = _LaterHandState


class _LaterInfectionState(CopiedPandemicState):
    def redeterminise(self, player, rng):
        order = self.infection_deck[:]
        super().redeterminise(player, rng)
        if self.turn:
            self.infection_deck = order


class TheInfectionDeckIsSeenLater(RemadePandemic):
    caught_by = "observation_blind"
    state_class = _LaterInfectionState


# --- memory --------------------------------------------------------------------------------------------------------------


class HandsSeenAreForgotten(RemadeLoveLetter):
    caught_by = "observation_remembers"

    def _before_action(self, state, action, rng):
        state.known = 0
        super()._before_action(state, action, rng)


class _OwnHandState(HanabiState):
    """Of the hands of others, only those are known that were seen in the last action."""

    def knowledge(self, player):
        known = list(super().knowledge(player))
        if self.tick % 2:
            known[3] = tuple([() for _hand in self.hands])
        return tuple(known)

    def redeterminise(self, player, rng):
        if self.tick % 2 and not self.is_terminal:
            other = 1 - player
            hand, size = self.hands[other], len(self.hands[other])
            pool = sorted([*self.deck, *hand])
            while True:
                rng.shuffle(pool)
                if self.fits(other, pool[:size]):
                    break
            self.hands[other], self.deck = pool[:size], pool[size:]
        super().redeterminise(player, rng)

    def text(self, viewer):
        return f"told {self.colours} {self.ranks}, fireworks {self.fireworks}, discards {self.discards}"


class HandsOfOthersAreForgotten(Hanabi):
    caught_by = "observation_remembers"
    state_class = _OwnHandState


# --- marks beside hidden values -------------------------------------------------------------------------------------------


_BITS = COLOURS + RANKS


class _MarkedState(HanabiState):
    """A mask for each card in hand, with a bit for each hint that it fits, in one list for all players."""

    def __init__(self, n_players):
        super().__init__(n_players)
        self.marks = [0] * self.size()

    def size(self):
        return self.n_players * HAND

    def copy(self):
        other = super().copy()
        other.marks = self.marks[:]
        return other

    def knowledge(self, player):
        return (*super().knowledge(player), tuple(self.marks))

    def masks(self, player):
        return self.marks[player * HAND : (player + 1) * HAND]

    def set_masks(self, player, masks):
        self.marks[player * HAND : (player + 1) * HAND] = masks

    def draw(self, player):
        if self.deck:
            self.hands[player].append(self.deck.pop())

    def take(self, player, place):
        masks = self.masks(player)
        self.set_masks(player, [*masks[:place], *masks[place + 1 :], 0])
        return self.hands[player].pop(place)

    def text(self, viewer):
        return f"{super().text(viewer)}, marks {self.marks}"

    def fits(self, player, hand):
        told = zip(hand, self.masks(player), strict=False)
        return all(mask & ~(1 << card // RANKS | 1 << COLOURS + card % RANKS) == 0 for card, mask in told)


class _MarkingHint(Hint):
    """A hint that is kept as marks."""

    def execute(self, state, rng):
        state.hints -= 1
        masks = state.masks(self.player)
        for place, card in enumerate(state.hands[self.player]):
            if self.what in (card // RANKS, COLOURS + card % RANKS):
                masks[place] |= 1 << self.what
        state.set_masks(self.player, masks)


class IntactMarks(Hanabi):
    caught_by = ""
    state_class = _MarkedState

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        return [interned(_MarkingHint(*action.key())) if isinstance(action, Hint) else action for action in actions]


class _AgainstMarksState(_MarkedState):
    def fits(self, player, hand):
        return True


class DealsAgainstMarksInOneList(IntactMarks):
    caught_by = "marks_kept"
    state_class = _AgainstMarksState


class _PackedState(_MarkedState):
    """The masks of a player in one number."""

    def size(self):
        return self.n_players

    def masks(self, player):
        return [self.marks[player] >> _BITS * place & (1 << _BITS) - 1 for place in range(HAND)]

    def set_masks(self, player, masks):
        self.marks[player] = sum([mask << _BITS * place for place, mask in enumerate(masks)])


class IntactPackedMarks(IntactMarks):
    caught_by = ""
    state_class = _PackedState


class _AgainstPackedState(_PackedState):
    def fits(self, player, hand):
        return True


class DealsAgainstPackedMarks(IntactMarks):
    caught_by = "marks_kept"
    state_class = _AgainstPackedState


class _AgainstRanksState(_PackedState):
    def fits(self, player, hand):
        told = zip(hand, self.masks(player), strict=False)
        return all(mask & 3 & ~(1 << card // RANKS) == 0 for card, mask in told)


class DealsAgainstPackedMarksOfRanks(IntactMarks):
    caught_by = "marks_kept"
    state_class = _AgainstRanksState


# --- other parameters ------------------------------------------------------------------------------------------------------


class TheVocabularyIsThatOfThreeHeaps(Nim):
    caught_by = "parameters_swept"

    def vocabulary(self, n_players):
        return Vocabulary(Actions(Take, heap=range(3), number=range(1, 6)))


class NarrowGridsEndInDraws(ConnectFour):
    caught_by = "parameters_swept"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if self.width == 2 and state.is_terminal:
            state.set_result(0, DRAW)
            state.set_result(1, LOSE)


class LargeHandsOfferAnActionTwice(_SushiGo):
    caught_by = "parameters_swept"

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        return [*actions, actions[0]] if state.dealt > 10 else actions


class OneCaveHasTwoWinnersAndNoLoser(_Diamant):
    caught_by = "parameters_swept"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if self.parameters.caves == 1 and state.is_terminal:
            for player in range(state.n_players):
                state.set_result(player, WIN if player else DRAW)
