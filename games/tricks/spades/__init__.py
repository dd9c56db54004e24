"""Spades, the traditional card game for two partnerships, seats 0 and 2 against 1 and 3, to 500 points.

Rules. Each player is dealt 13 cards. Beginning at the dealer's left, each says once how many tricks the own hand will take;
partners must take as many together as both have bid. A bid of none is nil: this player has to take no trick at all. The
player who bid first leads; others follow suit if they can, and else play any card. Spades are trump: the highest spade takes
the trick, or else the highest card of the suit led. Who takes it leads to the next one. Spades may be led only after one has
been played, unless the player has nothing else. Aces are high.

Points. A side that takes the tricks bid gets 10 for each of them, and one for each trick more, a bag. Ten bags cost 100
points, and are taken off. A side that takes fewer loses 10 for each trick bid, and gets no bags. A nil that succeeds is
worth 100 points to the side, one that fails costs as many, whatever becomes of the partner's bid. The tricks of a nil that
has failed count for the partner's bid.

The game is over when a side has 500 points after a hand, or 500 below zero. More points win; equal sides play another hand.

Sources: the rules of Spades as in the usual books (Hoyle, pagat.com), recalled, and OpenSpiel's, which play agrees with but
for what is said under ``team_limit``. Where rules differ: a game lost at -500 is an option in most of them; without it,
sides that always bid too much would play on for ever.

Where the printed rules are silent: seat 0 bids first in the first hand, the next seat in the next one. Blind nils are bid
before all other bids, and no cards are exchanged for them.

Variants (`SpadesParameters`): the length of the game, the number of cards, and these rules:

- ``goal``, ``lowest``, ``hands``: points of a side that end the game, at both ends, and a number of hands.
- ``nil``: points of a nil. ``nil_tricks=bags``: tricks of a failed nil are bags, and do not help the partner.
- ``blind_nil``: before the deal each player whose side is 100 points behind may bid nil, for twice the points.
- ``bags``, ``bag_penalty``: bags that cost points, and how many.
- ``team_limit``: partners may not bid more tricks together than there are, as in OpenSpiel.
- ``first_lead=club``: who has the two of clubs leads it to the first trick.
- ``ranks``: the cards of each suit, from the ace down, for short games.

What a player knows, for observations: the own hand, all cards played, which suits a player could not follow, and that who
led a spade too early has nothing else. Unseen cards are dealt uniformly over all deals that fit.

Unlike TAG's Java version: a nil that fails costs 100 points (``nil=200`` doubles both), and equal sides play on.
"""

from tag.games.tricks.spades.data import SpadesParameters
from tag.games.tricks.spades.rules import Spades
from tag.games.tricks.spades.state import SpadesState
from tag.games.tricks.spades.values import SpadesFeatures, SpadesHeuristic, SpadesHeuristicParameters, SpadesMetric

__all__ = [
    "Spades",
    "SpadesFeatures",
    "SpadesHeuristic",
    "SpadesHeuristicParameters",
    "SpadesMetric",
    "SpadesParameters",
    "SpadesState",
]
