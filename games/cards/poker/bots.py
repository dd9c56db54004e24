"""Bots of Poker: one that counts what its cards win, and one that plays few hands hard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot, integer
from tag.games.cards.poker.actions import AllIn, Call, Check, Raise
from tag.games.cards.poker.data import (
    BIT,
    FLUSH,
    HAND_CARDS,
    HOLE_CARDS,
    HOW_MANY,
    N_RANKS,
    ON_BOARD,
    PAIR,
    PREFLOP,
    RANK_SET,
    RIVER,
    SUITS,
    category,
    deal,
    highest,
    ranks_of,
    strength,
)
from tag.games.cards.poker.state import PokerState

# Both bots bet the pot, or what comes nearest to it, and otherwise call, check or fold.
_FOLD: Final = 0.0
_CHECK: Final = 1.0
_CALL: Final = 2.0
_BET: Final = 4.0
_NEVER: Final = -1.0
_POT: Final = 100


def _bet(action: AnyAction, is_strong: bool, is_very_strong: bool) -> float:
    """Return the worth of a raise: the nearest one to the pot is best, all-in is for very strong hands."""
    if isinstance(action, Raise):
        return _BET - 0.01 * abs(float(action.percent - _POT)) if is_strong else _NEVER
    return 2.5 if is_very_strong else _NEVER


@dataclass
class EquityParameters(Parameters):
    """How the chance to win is estimated."""

    deals: int = integer(100, 10, 10_000, "random deals of all hidden cards for a decision", log=True)


@mypyc_attr(allow_interpreted_subclasses=True)
class Equity(RuleBot[PokerState]):
    """Bets by the share of random deals that it wins, its equity, and calls if that exceeds the pot odds.

    Against several rivals the share to bet with is that power of the share against one. A raise takes more to be raised.

    Source: D. Sklansky, "The Theory of Poker", 1987, on pot odds; the limits of .62, .74, .85 and .05 are our own.
    """

    parameters_class = EquityParameters

    def __init__(self, parameters: EquityParameters | None = None) -> None:
        super().__init__(parameters)
        self.equity = 0.0
        self.rivals: i64 = 1

    def prepare(self, state: PokerState) -> None:
        """Deal the hidden cards again, and count the wins."""
        me = self.player
        others = [seat for seat in range(state.n_players) if seat != me and state.live & BIT[seat]]
        self.rivals = max(1, len(others))
        first = HOLE_CARDS * state.n_players
        kept = [int(HOLE_CARDS * me), int(HOLE_CARDS * me + 1), *range(first, first + ON_BOARD[state.phase])]
        cards = state.cards[:]
        deals = cast("EquityParameters", self.parameters).deals
        total = 0.0
        for _deal in range(deals):
            deal(cards, kept, self.sim.rng)
            total += _share(cards, me, others, first)
        self.equity = total / float(deals)

    def worth(self, state: PokerState, action: AnyAction) -> float:
        """Compare the equity with what a bet or a call needs."""
        owed = float(state.owed(self.player))
        if isinstance(action, (Raise, AllIn)):
            is_raise = owed > 0.0 and state.to_match > state.big_blind
            needed = 0.74 if is_raise else 0.62
            one = self.equity ** (1.0 / float(self.rivals))
            return _bet(action, one >= needed, one >= 0.85)
        if isinstance(action, Call):
            stake = min(owed, float(state.stacks[self.player]))
            return _CALL if self.equity > stake / (float(state.pot) + stake) + 0.05 else _NEVER
        return _CHECK if isinstance(action, Check) else _FOLD


def _share(cards: list[int], me: i64, others: list[int], first: i64) -> float:
    """Return the part of the pot that a player wins in a deal."""
    board: i64 = 0
    for card in cards[first:]:
        board |= BIT[card]
    mine = strength(board | BIT[cards[HOLE_CARDS * me]] | BIT[cards[HOLE_CARDS * me + 1]])
    equal = 1
    for seat in others:
        theirs = strength(board | BIT[cards[HOLE_CARDS * seat]] | BIT[cards[HOLE_CARDS * seat + 1]])
        if theirs > mine:
            return 0.0
        equal += theirs == mine
    return 1.0 / float(equal)


#: What the high card is worth by rank, from a two.
_HIGH: Final[list[float]] = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0]
#: What the ranks missing between two cards cost.
_GAPS: Final[list[float]] = [0.0, 1.0, 2.0, 4.0, 5.0]
_QUEEN: Final = 10


@mypyc_attr(allow_interpreted_subclasses=True)
class TightAggressive(RuleBot[PokerState]):
    """Plays few hands before the flop, and bets the pot with them; after it, with top pair or better.

    Hands are counted by the Chen formula: the more players, the more points are needed. After the flop lesser pairs and
    four cards of a suit call a third of the pot at most.

    Source: B. Chen's formula in L. Krieger, "Hold'em Excellence", 1995; D. Harrington, "Harrington on Hold'em", 2004, for
    the style; the limits are our own.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        #: 0 to fold, 1 to call little, 2 to bet but not to raise, 3 to raise, 4 to put all in.
        self.grade = 0

    def prepare(self, state: PokerState) -> None:
        """Grade the hand."""
        self.grade = _grade_before(state, self.player) if state.phase == PREFLOP else _grade_after(state, self.player)

    def worth(self, state: PokerState, action: AnyAction) -> float:
        """Bet, call or fold by the grade."""
        owed = state.owed(self.player)
        if isinstance(action, (Raise, AllIn)):
            is_raise = owed > 0 and (state.phase != PREFLOP or state.to_match > state.big_blind)
            return _bet(action, self.grade >= (3 if is_raise else 2), self.grade == 4)
        if isinstance(action, Call):
            needed = 1 if 3 * owed <= state.pot else 2 if owed <= state.pot else 3
            return _CALL if self.grade >= needed else _NEVER
        return _CHECK if isinstance(action, Check) else _FOLD


def _grade_before(state: PokerState, player: i64) -> int:
    """Grade two cards by the Chen formula and the number of players dealt in."""
    first: i64 = state.cards[HOLE_CARDS * player]
    second: i64 = state.cards[HOLE_CARDS * player + 1]
    high, low = max(first % N_RANKS, second % N_RANKS), min(first % N_RANKS, second % N_RANKS)
    points = _HIGH[high]
    if high == low:
        points = max(5.0, 2.0 * points)
    else:
        gap = high - low - 1
        points -= _GAPS[min(gap, 4)]
        if gap < 2 and high < _QUEEN:
            points += 1.0
        if first // N_RANKS == second // N_RANKS:
            points += 2.0
    above = points - float(min(2 * HOW_MANY[state.dealt] - 1, 9))
    return 4 if above >= 8.0 else 3 if above >= 3.0 else 2 if above >= 0.0 else 1 if above >= -3.0 else 0


def _grade_after(state: PokerState, player: i64) -> int:
    """Grade a hand by what it has beyond the board."""
    board = state.board_set()
    hole = state.hole(player)
    made = category(hole | board)
    better = made - category(board)
    if better >= 2 or (better > 0 and made > PAIR):
        return 4 if made > PAIR + 1 else 3
    if better > 0:
        pair = strength(hole | board) >> N_RANKS & RANK_SET
        return 2 if pair >= highest(ranks_of(board)) else 1
    return 1 if made < FLUSH and state.phase < RIVER and _has_four(hole, board) else 0


def _has_four(hole: i64, board: i64) -> bool:
    """Say whether a suit lacks one card for a flush with an own card."""
    for _suit in range(len(SUITS)):
        own: i64 = HOW_MANY[hole & RANK_SET]
        if own and own + HOW_MANY[board & RANK_SET] == HAND_CARDS - 1:
            return True
        hole >>= N_RANKS
        board >>= N_RANKS
    return False
