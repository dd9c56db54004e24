"""7 Wonders, by Antoine Bauza: the game of drafting for 3-7 cities (Repos Production, 2010, first edition).

Rules. Each player has one of seven wonders, dealt at random with side A or B, and 3 coins. In each of three ages players are
dealt seven cards. In a turn all choose a card at the same time, and its use:

- Build the structure. A city can have no two structures of the same name. Some structures make another one free.
- Build the next stage of the wonder, with the card face down under it. Stages are built in order.
- Discard the card, face down, for 3 coins.

Then all choices happen at once, and hands go to the left in Ages I and III, to the right in Age II. Of the last two cards
one is played and the other discarded. Resources are made each turn and never spent. A resource that a city lacks is bought
of a neighbour, who cannot refuse, for 2 coins, or 1 with a trading post (raw materials of one neighbour) or the marketplace
(manufactured goods of both). For sale is what the neighbour's board, brown and grey cards make, not what yellow cards and
wonders do. Coins that come in during a turn pay for nothing in it. After an age, each city compares shields with both
neighbours: a victory is worth 1, 3 and 5 points in Ages I, II and III, a defeat costs 1. Age III has two guilds more than
players, drawn from ten. At the end points count for conflicts, each three coins, wonders, blue cards, yellow cards, guilds,
and science: the square of the number of each symbol, and 7 for each set of three. Most points win, then most coins.

Stages with a power:

- Alexandria makes a raw material of choice, and on side B a good. Babylon has a symbol of choice at the end; on side B it
  also plays the last card of each age as any other. Olympia builds a structure without cost once in each age; on side B it
  buys raw materials for 1 coin, and at the end counts a guild of a neighbour as its own.
- Halicarnassus looks through the discards at the end of the turn in which the stage is built, and may build one of them.

Payments are part of the choice: the cheapest one, of several the most even; the one that pays the right neighbour as little
as possible; and the one that pays the left neighbour as little as possible. Others, and dearer ones in between, are left
out.

Where the printed rules are silent, or could not be read:

- Structures built in the same turn count for coins: a vineyard counts a neighbour's brown card of this turn.
- Looms, glassworks and presses of Ages I and II are the same structure, as they have the same name.
- At the end of an age Babylon plays its last card first; then the others discard theirs; then Halicarnassus chooses.
- The discards are kept in order: who looks through them, or sees a card taken out, knows who discarded it.
- Symbols of choice and Olympia's guild are those with the most points, found by the rules. Equal points and coins draw.

Variants (`SevenWondersParameters`): ``sides`` fixes the sides of wonders; ``splits=false`` makes the cheapest payment, as
TAG does; others change ages, hands, guilds, prices, coins and points. The game for two is left out.

What a player knows, for observations: all cities and coins, the own cards, also those face down, and each hand when it was
seen. What was taken from a hand since and lies face down may be any of its cards; what was taken before the player saw it
may be any card that was in no hand when seen, as may the cards of hands not seen and guilds that are not in the game. All
deals that fit are as likely. Choices are hidden until all have chosen: they are drawn again, each that is possible as
likely.

Sources: the publisher's manual of the first edition, in parts (an online edition of Asmodee: construction, turns, sides B),
questions of rprod.com and dized.com, and cards and wonders of two programs, joffrey-bion/seven-wonders and one in Haskell.
These agree but for the Lighthouse, which counts yellow cards, and the Magistrates Guild, worth 1 point for each blue card.
The pages on sides A and on cards could not be read.

Unlike TAG's Java version, which is the second edition (other chains, costs, guilds, resources of boards and powers of
Olympia; a stage of Rhodes has 5 shields there): payments happen at once, stages can be built with bought resources, cards
under wonders are no discards, Babylon's last card is a choice, and what is hidden fits all that a player has seen.
"""

from tag.games.drafts.seven_wonders.data import SevenWondersParameters
from tag.games.drafts.seven_wonders.rules import SevenWonders
from tag.games.drafts.seven_wonders.state import SevenWondersState
from tag.games.drafts.seven_wonders.values import (
    SevenWondersFeatures,
    SevenWondersHeuristic,
    SevenWondersHeuristicParameters,
    SevenWondersMetric,
)

__all__ = [
    "SevenWonders",
    "SevenWondersFeatures",
    "SevenWondersHeuristic",
    "SevenWondersHeuristicParameters",
    "SevenWondersMetric",
    "SevenWondersParameters",
    "SevenWondersState",
]
