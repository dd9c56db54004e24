"""The bot of Uno."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.cards.uno.actions import Challenge, Draw, Keep, NameColour, Play
from tag.games.cards.uno.data import N_SYMBOLS, SKIP, WILD
from tag.games.cards.uno.state import UnoState

_ACTION_CARD: Final = 20.0
_WILD: Final = -20.0
_KEEP: Final = -40.0
_DRAW: Final = -50.0


@mypyc_attr(allow_interpreted_subclasses=True)
class HighestCard(RuleBot[UnoState]):
    """Plays skips, reverses and draw twos first, then the highest number; wild cards only if nothing else fits.

    Each card of the same colour that stays in hand counts half a point, and a wild card names the colour with the most. It
    never challenges a wild draw four, and draws only if it must.

    Source: our own, after the advice of players to be left with few points in few colours.
    """

    def worth(self, state: UnoState, action: AnyAction) -> float:
        """Weigh the points that leave the hand and the cards of the colour that stay."""
        if isinstance(action, Play):
            colour = 0.5 * _cards_of(state, self.player, action.colour)
            if action.card >= WILD:
                return _WILD - float(action.card - WILD) + colour
            symbol = action.card % N_SYMBOLS
            return (_ACTION_CARD if symbol >= SKIP else float(symbol)) + colour
        if isinstance(action, NameColour):
            return _cards_of(state, self.player, action.colour)
        if isinstance(action, Draw):
            return _DRAW
        if isinstance(action, Keep):
            return _KEEP
        return -1.0 if isinstance(action, Challenge) else 0.0


def _cards_of(state: UnoState, player: i64, colour: i64) -> float:
    """Return the number of cards of a colour in hand."""
    counts = state.hands[player].counts(colour)
    found: i64 = 0
    while counts:
        found += counts & 15
        counts >>= 4
    return float(found)
