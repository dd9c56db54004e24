"""Goofspiel, or the Game of Pure Strategy (GOPS): the traditional card game for 2 or 3 players, here for 2-10.

Rules. Each player holds the cards 1 to 13 of a suit (ace to king), and those of another suit are the prizes. A prize is
turned up. All players at the same time choose a card of their hand as a bid for it, and show their bids. The highest one
wins the prize, which counts its number in points, and all bids are laid aside. Another prize is turned up, and so on. If
several players make the highest bid, the prize stays on offer, and the next bids are for it and the next prize together;
what is on offer at the end is won by none. The most points win.

Where the printed rules are silent: equal points draw. Where several players share the highest bid, a lower one wins nothing,
with any number of players.

Variants (`GoofspielParameters`): the number of cards; prizes in ascending or descending order, known to all; fewer rounds
than cards; prizes with equal bids thrown away (``ties=discard``), as in OpenSpiel and in much of the theory; and bids that
are never shown (``hidden=true``), as in OpenSpiel's ``imp_info``: players are told only whose bids were the highest. With
three and more players the highest bid itself is shown then, unlike in OpenSpiel.

What a player knows: everything but the bids that others have chosen in this round, and the order of the prizes. A bid that
is not yet shown is dealt again, each card of the hand being as likely. Where bids are never shown, those of earlier rounds
are dealt again, too: of all orders of cards that agree with whose bids were the highest, each is as likely.

Unlike TAG, this package has Goofspiel. It is after the rules of GOPS of Pickpocket Cards (pickpocketcards.com), where prizes
are carried over, and S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8 (1971).
"""

from tag.games.cards.goofspiel.data import GoofspielParameters
from tag.games.cards.goofspiel.rules import Goofspiel
from tag.games.cards.goofspiel.state import GoofspielState
from tag.games.cards.goofspiel.values import (
    GoofspielFeatures,
    GoofspielHeuristic,
    GoofspielHeuristicParameters,
    GoofspielMetric,
)

__all__ = [
    "Goofspiel",
    "GoofspielFeatures",
    "GoofspielHeuristic",
    "GoofspielHeuristicParameters",
    "GoofspielMetric",
    "GoofspielParameters",
    "GoofspielState",
]
