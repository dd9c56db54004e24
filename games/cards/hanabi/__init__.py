"""Hanabi, by Antoine Bauza: the edition of R&R Games (2010) for 2-5 players, in which all win or lose together.

Rules. There are five colours, with the cards 1, 1, 1, 2, 2, 3, 3, 4, 4 and 5 in each. Two or three players have five cards
in hand, four or five have four, and all see the hands of the others, but not their own. The team builds a firework of each
colour, from 1 to 5. A turn is one of three actions:

* Give a hint, if one of the eight is left: tell another player all cards of one colour, or of one rank, in the hand. The
  hand must have one, and nobody is told about the own hand.
* Discard a card, face up, and get a hint back; not while all eight are left. Draw a card.
* Play a card. If it is the next one of its colour, it goes there; a 5 gives a hint back, if one is spent. Else it is
  discarded, and one of the three fuses burns. Draw a card.

The game is won at once with all 25 cards played, and lost with the third fuse. When the last card has been drawn, each
player has one more turn, the one who has drawn it included. Points are the cards played; with the third fuse there are
none.

Results. All 25 points are a win, the third fuse is a loss, and any other end is a draw, by its points. So tournaments
compare teams by the mean of their points, beside the share of games won.

Where the printed rules are silent: seat 0 begins. A player who draws no card any more goes on with a smaller hand. Discards
are open, and so their order does not matter. With a deck too small for the hands, these are as large as leaves a card to
draw.

Variants (`HanabiParameters`): 1-6 colours, of which the sixth is multicolour, up to five ranks and the copies of each;
hands, hints and fuses; and these rules:

- ``multicolour``: cards of the last colour are marked by hints of every other colour, and no hint names theirs.
- ``third_fuse=points``: the last fuse ends the game as a loss, but the points stay.
- ``empty_hints``: a hint may name what the hand does not have, as some editions allow.
- ``hint_back=false``: completing a colour gives no hint back.
- ``free_discards``: cards may be discarded while all hints are left, for nothing.

What a player knows, for observations: all other hands, the table, and of each card what it may be by the hints given: what
it was marked by, and what it was not marked by. The own hand is dealt again among the cards not seen that fit these
marks, each deal of single cards as likely. All players remember which cards hints have marked, and which by the last hint
before the holder's turn, as conventions need it. At the end all hands are open. The deck has no order: cards are drawn by
chance, and the same ones with each seed, whoever draws.

The names of colours are those of OpenSpiel and the Hanabi Learning Environment; of their rules, empty hints and the set-up
differ in nothing, and the points of a lost game are ``third_fuse=zero``.

Unlike TAG's Java version: own cards are hidden from agents and dealt again by all marks; hands of four for four or five
players (``hand_4=5`` is TAG's); a 5 gives a hint back (``hint_back=false``); the third fuse takes the points
(``third_fuse=points``); a deck that ends is no win.
"""

from tag.games.cards.hanabi.data import HanabiParameters
from tag.games.cards.hanabi.rules import Hanabi
from tag.games.cards.hanabi.state import HanabiState
from tag.games.cards.hanabi.values import HanabiFeatures, HanabiHeuristic, HanabiHeuristicParameters, HanabiMetric

__all__ = [
    "Hanabi",
    "HanabiFeatures",
    "HanabiHeuristic",
    "HanabiHeuristicParameters",
    "HanabiMetric",
    "HanabiParameters",
    "HanabiState",
]
