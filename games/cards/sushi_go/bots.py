"""The bot of Sushi Go!."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.sushi_go.actions import ChooseCard, ChooseTwo
from tag.games.cards.sushi_go.data import (
    CHOPSTICKS,
    DUMPLING,
    MAKI_1,
    MAKI_3,
    PUDDING,
    SASHIMI,
    TEMPURA,
    WASABI,
    count,
    place_of,
    points_for,
    with_card,
)
from tag.games.cards.sushi_go.state import SushiGoState

#: Points that a card is hoped to bring beyond those it brings at once.
_FIRST_TEMPURA: Final = 2.0
_SASHIMI: Final[list[float]] = [1.5, 3.5]
_DUMPLING: Final = 1.0
_MAKI_ROLL: Final = 1.1
_PUDDING: Final = 2.2
_WASABI: Final = 3.2
_CHOPSTICKS: Final = 1.4
#: What giving the chopsticks back costs.
_GIVEN_BACK: Final = 1.5
#: With fewer cards in hand, sets that need another card are worth nothing.
_FEW: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class FixedWorth(RuleBot[SushiGoState]):
    """Takes the card with the most points, unfinished sets counted at a fixed worth.

    What it does not look at: the hands of others, and who has the most maki rolls.

    Source: our own; the points are the average that a card brings in play of such bots.
    """

    def worth(self, state: SushiGoState, action: AnyAction) -> float:
        """Add the worth of the cards, one after the other."""
        table: i64 = state.tables[self.player]
        if isinstance(action, ChooseCard):
            return _worth(state, table, action.card)
        if isinstance(action, ChooseTwo):
            first = _worth(state, table, action.first)
            after = with_card(table, place_of(table, action.first))
            return first + _worth(state, after, action.second) - _GIVEN_BACK
        return 0.0


def _worth(state: SushiGoState, table: i64, card: i64) -> float:
    """Return the points that a card brings to a table, now and later."""
    place = place_of(table, card)
    points = float(points_for(state.prices, table, place))
    is_early = state.cards >= _FEW
    if card == TEMPURA and points == 0.0:
        return _FIRST_TEMPURA if is_early else 0.0
    if card == SASHIMI and points == 0.0:
        return _SASHIMI[count(table, SASHIMI) % 3] if is_early else 0.0
    if card == DUMPLING:
        return points + (_DUMPLING if is_early else 0.0)
    if MAKI_1 <= card <= MAKI_3:
        return _MAKI_ROLL * float(card - MAKI_1 + 1)
    if card == PUDDING:
        return _PUDDING
    if card == WASABI:
        return _WASABI if is_early and count(table, WASABI) == 0 else 0.0
    if card == CHOPSTICKS:
        return _CHOPSTICKS if is_early else 0.0
    return points
