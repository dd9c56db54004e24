"""The bot of Blackjack."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.blackjack.actions import Bet, Decline, DoubleDown, Hit, SplitPair, Stand, Surrender
from tag.games.cards.blackjack.data import ACE, POINTS, is_soft, pair_of, total_of
from tag.games.cards.blackjack.state import BlackjackState

# Plans by the dealer's card 2 to 9, ten and ace: H hit, S stand, D double or else hit, d double or else stand, P split, R
# surrender or else hit.

#: Hard totals from 8 on; 17 and more stand, less than 8 hit.
_HARD: Final = (
    *("HHHHHHHHHH", "HDDDDHHHHH", "DDDDDDDDHH", "DDDDDDDDDH", "HHSSSHHHHH"),  # 8 to 12
    *("SSSSSHHHHH", "SSSSSHHHHH", "SSSSSHHHRH", "SSSSSHHRRR"),  # 13 to 16
)
#: Soft totals from 12 on; 19 and more stand.
_SOFT: Final = (
    *("HHHHHHHHHH", "HHHDDHHHHH", "HHHDDHHHHH", "HHDDDHHHHH", "HHDDDHHHHH"),  # 12 to 16
    *("HDDDDHHHHH", "SddddSSHHH"),  # 17 and 18
)
#: Pairs of aces, twos, … tens; a dot is for the plan of the total.
_PAIRS: Final = (
    *("PPPPPPPPPP", "PPPPPP....", "PPPPPP....", "...PP.....", ".........."),  # aces, 2 to 5
    *("PPPPP.....", "PPPPPP....", "PPPPPPPPPP", "PPPPP.PP..", ".........."),  # 6 to 10
)
_LOWEST_HARD: Final = 8
_LOWEST_SOFT: Final = 12
_BY_TOTAL: Final = "."

#: What is done instead where a plan is not allowed.
_PREFERENCES: Final[dict[str, str]] = {"H": "H", "S": "S", "D": "DH", "d": "DS", "P": "P", "R": "RH"}


@mypyc_attr(allow_interpreted_subclasses=True)
class BasicStrategy(RuleBot[BlackjackState]):
    """Plays the hand that is best on average against the dealer's open card; bets least and never insures.

    The table is that for four to eight decks, a dealer who stands on soft 17, and doubling after splits.

    Source: "basic strategy", first by R. Baldwin and others, "The optimum strategy in blackjack", Journal of the American
    Statistical Association 51, 1956; this table is by M. Shackleford, wizardofodds.com.
    """

    def worth(self, state: BlackjackState, action: AnyAction) -> float:
        """Prefer the plan, and the next one where that is not allowed."""
        if isinstance(action, Bet):
            return -float(action.units)
        if isinstance(action, Decline):
            return 1.0
        place = _plans(state).find(_letter(action))
        return -float(place) if place >= 0 else -9.0


def _plans(state: BlackjackState) -> str:
    """Return the letters of what to do with the hand that is being played, the best first."""
    if not state.hands:
        return ""
    hand: i64 = state.hands[state.at]
    up = state.up_card()
    column = 9 if up == ACE else POINTS[up] - 2
    pair = pair_of(hand)
    plan = _BY_TOTAL if pair < 0 else _PAIRS[pair][column]
    by_total = _by_total(hand, column)
    return _PREFERENCES.get(plan, "") + _PREFERENCES[by_total]


def _by_total(hand: i64, column: int) -> str:
    total = total_of(hand)
    rows, lowest = (_SOFT, _LOWEST_SOFT) if is_soft(hand) else (_HARD, _LOWEST_HARD)
    if total < lowest:
        return "H"
    return rows[total - lowest][column] if total - lowest < len(rows) else "S"


def _letter(action: AnyAction) -> str:
    if isinstance(action, Hit):
        return "H"
    if isinstance(action, Stand):
        return "S"
    if isinstance(action, DoubleDown):
        return "D"
    if isinstance(action, SplitPair):
        return "P"
    return "R" if isinstance(action, Surrender) else "-"
