"""Hearts, the traditional card game for 3-6 players, by the usual rules of Black Lady: few points win.

Rules. All cards are dealt. Each player passes three cards to another one, chosen before any is seen: in the first hand to
the left, then to the right, then across the table, and in the fourth hand none; so on. Who holds the two of clubs leads it
to the first trick. Others follow suit if they can, and else play any card. The highest card of the suit led takes the trick,
there is no trump, and who takes it leads to the next one. Two rules restrict this:

* No heart and no queen of spades may be played to the first trick, unless the player has nothing else.
* No heart may be led before one has been played, unless the player has nothing else.

Each heart taken is a point, and the queen of spades 13. Who takes all of them has shot the moon: all others get 26 points,
and this player none. The game is over when a player has 100 points after a hand. Fewest points win; equal ones share.

Cards left out, so that all players have as many: the 2 of diamonds for three players (17 cards each), the 2s of diamonds and
clubs for five (10 each), as the rules by T. Bear (thebearknowsbest.com) and most others say; the 2s and 3s of both suits for
six (8 each), as the rules at sites.google.com/view/feelinggamey say. The lowest club that is left is led first. Three, five
and six players pass as four do, but three and five have nobody across the table, and leave this hand out.

Sources: these two pages, which agree with OpenSpiel's rules for four players but where it breaks hearts with the queen; it
does so with ``queen_breaks``. It plays a single hand: ``hands=1``.

Where the printed rules are silent: the deal does not matter, as all is dealt at once. Cards are chosen one by one. A player
who has only hearts and the queen of spades leads the queen until hearts are broken.

Variants (`HeartsParameters`): the length of the game, the number of cards, and these rules:

- ``goal``, ``hands``: points that end the game, and a number of hands after which it ends in any case.
- ``passing=left``: always to the left; ``passing=none``: never. ``pass_cards`` is their number.
- ``first_points``, ``must_break=false``: the two restrictions are lifted. ``queen_breaks``: the queen of spades breaks
  hearts, too.
- ``queen``, ``jack``: the points of the queen of spades, and those that the jack of diamonds takes away.
- ``moon=own`` ("old moon"): 26 points are taken away from who shoots the moon; ``moon=others`` ("new moon"), the default,
  gives them to all others; ``moon=none``: the cards count as always.
- ``play_on``: equal fewest points at the end are played off by another hand.
- ``ranks``: the cards of each suit, from the ace down, for short games.

What a player knows, for observations: the own hand, all cards played, to whom the own passed cards went, from whom others
came, which suits a player could not follow, and what follows from a heart led, or a point played to the first trick: that
player has nothing else. Unseen cards are dealt uniformly over all deals that fit; what others have passed to each other is
drawn again as well.

Unlike TAG's Java version: the game ends at 100 points (``goal=50`` is TAG's), no point may be played to the first trick, no
card is chosen in a hand without passing, five players leave out the 2 of clubs and not that of spades, and observations
respect passed cards and voids.
"""

from tag.games.tricks.hearts.data import HeartsParameters
from tag.games.tricks.hearts.rules import Hearts
from tag.games.tricks.hearts.state import HeartsState
from tag.games.tricks.hearts.values import HeartsFeatures, HeartsHeuristic, HeartsHeuristicParameters, HeartsMetric

__all__ = [
    "Hearts",
    "HeartsFeatures",
    "HeartsHeuristic",
    "HeartsHeuristicParameters",
    "HeartsMetric",
    "HeartsParameters",
    "HeartsState",
]
