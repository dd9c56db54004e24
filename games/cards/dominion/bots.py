"""Bots of Dominion, which buy money."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.dominion.actions import Buy, Discard, Play, PutBack, Trash
from tag.games.cards.dominion.data import COSTS, DUCHY, ESTATE, GOLD, OWNED, PROVINCE, SILVER, SMITHY
from tag.games.cards.dominion.state import DominionState

_NEVER: Final = -1.0
#: What is bought rather than what: Provinces first, then points at the end of the game, then the best treasure.
_WISHES: Final[dict[int, float]] = {PROVINCE: 8.0, DUCHY: 7.0, GOLD: 6.0, ESTATE: 4.0, SILVER: 3.0}
#: The most Provinces left with which a Duchy, and an Estate, is bought.
_LATE: Final = 4
_LAST: Final = 2
_SMITHIES: Final = 2
#: The turn, from 0, from which on a second Smithy is bought.
_SECOND: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class BigMoney(RuleBot[DominionState]):
    """Buys Provinces, and until then the best treasure; plays no action.

    A Duchy is bought once four Provinces or fewer are left, an Estate once two or fewer are.

    Source: "Big Money", the strategy that others are measured by in the Dominion Strategy Wiki.
    """

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Prefer the card to be bought; lose the cheapest card to attacks."""
        if isinstance(action, Buy):
            return self.wish(state, action.card)
        if isinstance(action, (Discard, PutBack, Trash)):
            return -_need(action.card)
        return _NEVER if isinstance(action, Play) else 0.0

    def wish(self, state: DominionState, card: i64) -> float:
        """Return how much a card is to be bought: more than 0, or `_NEVER`."""
        left = state.in_supply(PROVINCE)
        if (card == DUCHY and left > _LATE) or (card == ESTATE and left > _LAST):
            return _NEVER
        return _WISHES.get(card, _NEVER)


class BigMoneySmithy(BigMoney):
    """Big Money with one Smithy, and a second one from the sixth turn on; in kingdoms without Smithy, Big Money.

    Source: "Big Money", with one kind of terminal action added, in the Dominion Strategy Wiki.
    """

    def worth(self, state: DominionState, action: AnyAction) -> float:
        """Play a Smithy whenever possible."""
        if isinstance(action, Play):
            return 1.0 if action.card == SMITHY else _NEVER
        return super().worth(state, action)

    def wish(self, state: DominionState, card: i64) -> float:
        """Want a Smithy before a Silver."""
        if card != SMITHY:
            return super().wish(state, card)
        most = _SMITHIES if state.turns(self.player) >= _SECOND else 1
        return 4.0 if state.count(self.player, OWNED, state.slots[SMITHY]) < most else _NEVER


def _need(card: i64) -> float:
    """Return how much a card in hand is needed: points do nothing before the end."""
    return 0.0 if card in {ESTATE, DUCHY, PROVINCE} else 1.0 + float(COSTS[card])
