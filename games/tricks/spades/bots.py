"""A bot of Spades that bids what its cards are likely to take."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot, bit_count
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import N_RANKS, SPADES, SUIT, taker
from tag.games.tricks.spades.actions import Bid, BidBlind
from tag.games.tricks.spades.data import N_PLAYERS, tricks_in
from tag.games.tricks.spades.state import SpadesState
from tag.games.tricks.spades.values import contract_of, out_of, won_by


@mypyc_attr(allow_interpreted_subclasses=True)
class Counting(RuleBot[SpadesState]):
    """Bids the tricks that its high cards and long spades are likely to take, and plays for its bid, then against bags.

    It never bids blind, and bids nil with less than half a trick. While its side needs tricks, it leads high cards, takes a
    trick that its partner does not hold as cheaply as it can, and lets the partner have others; else it keeps below, and
    throws its highest cards away. A nil it plays below what lies there, and it takes tricks from a partner who bid nil.

    Source: our own; to count sure tricks, to cover a nil and to throw bags are what guides for beginners advise.
    """

    def prepare(self, state: SpadesState) -> None:
        """Look at the trick, and whether the side wants it."""
        side = self.player % 2
        partner = (self.player + 2) % N_PLAYERS
        self.hand: i64 = state.hands[self.player]
        self.others: i64 = out_of(state, self.player)
        self.best: i64 = taker(state.trick, state.led, SPADES) if state.trick else 0
        self.is_last = bit_count(state.trick) == N_PLAYERS - 1
        self.is_nil = state.bids[self.player] == 0
        is_open = state.bids[partner] == 0 and state.won[partner] == 0
        has_best = state.played[partner] & self.best != 0
        needs = won_by(state, side) < contract_of(state, side)
        self.wants = not self.is_nil and ((needs and not has_best) or (is_open and has_best))

    def worth(self, state: SpadesState, action: AnyAction) -> float:
        """Weigh a bid or a card."""
        if isinstance(action, BidBlind):
            return 0.0 if action.accepts else 1.0
        if isinstance(action, Bid):
            return self._bid(state, action.tricks)
        if not isinstance(action, PlayCard):
            return 0.0
        rank = float(action.card % N_RANKS) + (13.0 if action.suit == SPADES else 0.0)
        if state.trick == 0:
            return self._led(action.bit, action.suit, rank)
        takes = taker(state.trick | action.bit, state.led, SPADES) == action.bit
        if self.wants:
            if not takes:
                return -rank
            return 100.0 - rank if self.is_last or action.suit == SPADES else 60.0 + rank
        return -rank if takes else 50.0 + rank

    def _bid(self, state: SpadesState, tricks: i64) -> float:
        """Prefer the number of likely tricks, rounded down a little; nil with hardly any and no high spade."""
        likely = tricks_in(self.hand, self.others)
        high = self.hand & SUIT[SPADES] & ~((SUIT[SPADES] >> 4) & SUIT[SPADES])
        if tricks == 0:
            return 100.0 if likely < 0.5 and not high else -100.0
        return -abs(float(tricks) - max(likely - 0.2, 1.0))

    def _led(self, bit: i64, suit: i64, rank: float) -> float:
        """Lead cards that nobody can beat while tricks are wanted, else low cards."""
        if not self.wants:
            return -rank
        above = self.others & SUIT[suit] & ~(bit - 1)
        return 30.0 - rank if above == 0 and suit != SPADES else 20.0 if above == 0 else -rank
