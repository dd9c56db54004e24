"""Bots of Goofspiel, which bid by the prize."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.goofspiel.actions import Bid
from tag.games.cards.goofspiel.data import card_of
from tag.games.cards.goofspiel.state import GoofspielState


@mypyc_attr(allow_interpreted_subclasses=True)
class Match(RuleBot[GoofspielState]):
    """Bids the card with the number of the points on offer, or the nearest one that it holds, the higher of two.

    Against a player whose bids are random, no play wins more points, as long as prizes of equal bids are thrown away.

    Source: S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8, 1971.
    """

    def worth(self, state: GoofspielState, action: AnyAction) -> float:
        """Prefer the card nearest to the points on offer."""
        return _nearness(cast("Bid", action).card, min(state.stake(), state.n_cards))


@mypyc_attr(allow_interpreted_subclasses=True)
class OneHigher(RuleBot[GoofspielState]):
    """Bids one more than the points on offer, and its lowest card for the greatest prizes, which it cannot outbid.

    It takes all prizes but the last from a player who matches them.

    Source: our own; "beat the opponent by exactly one point", as rules for beginners advise.
    """

    def worth(self, state: GoofspielState, action: AnyAction) -> float:
        """Prefer the card above the points on offer."""
        stake = state.stake()
        if stake >= state.n_cards:
            stake = card_of(state.hands[state.current_player], 0) - 1
        return _nearness(cast("Bid", action).card, stake + 1)


def _nearness(card: i64, wanted: i64) -> float:
    """Return how near a card is to the one wanted; of two, the higher is nearer."""
    distance = float(card - wanted)
    return 1.0 - 2.0 * distance if distance > 0.0 else 2.0 * distance
