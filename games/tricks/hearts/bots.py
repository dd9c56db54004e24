"""A bot of Hearts that takes as few tricks as it can."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot, bit_count
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import HEARTS, N_RANKS, SPADES, SUIT, taker
from tag.games.tricks.hearts.actions import PassCard
from tag.games.tricks.hearts.data import ABOVE_QUEEN, POINTS, QUEEN_OF_SPADES
from tag.games.tricks.hearts.state import HeartsState


@mypyc_attr(allow_interpreted_subclasses=True)
class Cautious(RuleBot[HeartsState]):
    """Passes dangerous cards, ducks under the highest card of a trick, and discards points on others.

    It passes the high spades unless it holds four lower ones, then high cards of short suits and high hearts. It leads low
    cards, and low spades to bring the queen out if it has none of the high ones. Following suit, it plays its highest card
    that does not take the trick; if it must take it, or plays last and there are no points in it, its highest. Of other
    suits it plays the queen of spades first, the king and ace while the queen is out, high hearts, and then high cards.

    Source: our own; to duck, to void suits, to bring the queen out and to pass high spades that are not guarded are what
    guides for beginners advise.
    """

    def prepare(self, state: HeartsState) -> None:
        """Look whether the queen of spades is out, and at the trick."""
        self.hand: i64 = state.hands[self.player]
        others: i64 = state.deck & ~self.hand
        for cards in state.played:
            others &= ~cards
        self.others = others
        self.lower: i64 = bit_count(self.hand & SUIT[SPADES] & (QUEEN_OF_SPADES - 1))
        self.best: i64 = taker(state.trick, state.led) if state.trick else 0
        self.is_last = bit_count(state.trick) == state.n_players - 1
        self.is_bad = state.trick & POINTS != 0

    def worth(self, state: HeartsState, action: AnyAction) -> float:
        """Weigh a card that is passed, led, discarded, or follows suit."""
        if isinstance(action, PassCard):
            return self._passed(action.bit, action.card // N_RANKS, float(action.card % N_RANKS))
        if not isinstance(action, PlayCard):
            return 0.0
        rank = float(action.card % N_RANKS)
        if state.trick == 0:
            return self._led(action.bit, action.suit, rank)
        if action.suit != state.led:
            return self._passed(action.bit, action.suit, rank) + (20.0 if action.bit & POINTS else 0.0)
        return self._followed(action.bit, rank)

    def _length(self, suit: i64) -> float:
        return float(bit_count(self.hand & SUIT[suit]))

    def _passed(self, bit: i64, suit: i64, rank: float) -> float:
        """Return how good it is to be rid of a card."""
        if bit & QUEEN_OF_SPADES:
            return 60.0 if self.lower < 4 else 0.0
        if bit & ABOVE_QUEEN and (self.others | self.hand) & QUEEN_OF_SPADES:
            return 50.0 if self.lower < 4 else 0.0
        if suit == SPADES:
            return rank - 12.0
        return 1.5 * rank - self._length(suit) + (2.0 if suit == HEARTS else 0.0)

    def _led(self, bit: i64, suit: i64, rank: float) -> float:
        """Prefer low cards, below which others hold few, and no card of a suit that others do not have."""
        of_suit = self.others & SUIT[suit]
        if of_suit == 0:
            return -30.0
        below = float(bit_count(of_suit & (bit - 1)))
        worth = -below - 0.1 * rank
        if suit == SPADES and self.others & QUEEN_OF_SPADES:
            return -20.0 if bit & ABOVE_QUEEN else worth + (3.0 if self.hand & ABOVE_QUEEN == 0 else -1.0)
        return worth - (25.0 if bit & QUEEN_OF_SPADES else 0.0)

    def _followed(self, bit: i64, rank: float) -> float:
        """Prefer the highest card below the best; above it the highest if it must take the trick, and no queen."""
        if bit < self.best:
            return 30.0 + rank + (60.0 if bit & QUEEN_OF_SPADES else 0.0)
        if bit & QUEEN_OF_SPADES:
            return -30.0
        if self.is_last:
            return rank + (0.0 if self.is_bad else 35.0 if not bit & ABOVE_QUEEN else 10.0)
        worth = -rank
        return worth - 10.0 if bit & ABOVE_QUEEN and self.others & QUEEN_OF_SPADES else worth
