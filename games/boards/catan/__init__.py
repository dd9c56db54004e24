"""Catan (Klaus Teuber, Kosmos, 1995; 5th edition), settlements, roads and trade on an island of hexes, for 3 or 4 players.

Rules. The island has 19 hexes: four of lumber, wool and grain, three of brick and ore, and a desert. 18 of them have a
number disc. Each player in order places a settlement on a corner and a road next to it, then in reverse order a second
pair; the second settlement yields a card for each hex at it. In a turn the dice are rolled, and each hex of that number
yields a card to each settlement at it, two to a city. Then the player trades and builds: a road (lumber, brick) next to own
pieces, a settlement (lumber, brick, wool, grain) on a corner at an own road, a city (2 grain, 3 ore) in place of a
settlement, or a development card (wool, grain, ore). No settlement stands next to another. Settlements are a point, cities
two, and so are the longest road, of five or more, and the largest army, of three or more knights. Who has 10 points in the
own turn wins.

- If a resource cannot be given to all to whom it is due, none gets it; if it is due to one player only, all that is left.
- By a seven nobody gets a card. Who holds more than seven cards discards half, rounded down. Then the player moves the
  robber to another hex, which yields nothing while it stands there, and steals a random card from one player there.
- A knight moves the robber, too. Road building is two free roads, year of plenty two cards from the bank, monopoly all
  cards of a kind from the others. One card is played in a turn, also before the roll, and none that was bought in it. There
  are 14 knights, two of each other, and five cards of a point each, which are kept secret and count at once.
- The bank takes four cards of a kind for one, at a harbour three, or two of the harbour's kind, in the turn in which it is
  built, too. Players trade with the one whose turn it is only, and neither give cards away nor trade like for like.
- A road is broken by a settlement of another player, not by an own one. Who had the longest road keeps it while it is among
  the longest; else the one longest takes it, and if several are equal, or none is of five, it is set aside.
- There are 15 roads, 5 settlements and 4 cities for each player, and 19 cards of each resource.

Where the printed rules are silent: a player who has no development card rolls at once; one with any is asked first, so that
others do not learn which. Cards to discard are chosen one at a time, player after player. The bank is open, so that all
know how many cards of each kind players hold together. A random player begins, and the spiral of discs begins at a random
tip of the island. If the bank has one card only, year of plenty takes it.

Offers (``trading=offers``) are one or two cards of a kind for one of another: 40 actions. A player makes two in a turn. All
others who may have the card answer in order, openly; of those who accept, the offerer chooses one, or none. To accept shows
that one has the card. Other mixes and counter-offers are left out. Offers are the default as the printed game has them, and
as trade is what other games do not have; with ``trading=bank`` games have half of the decisions or fewer.

Variants (`CatanParameters`): ``trading=bank`` or ``none``; ``discs=apart``, shuffled with 6 and 8 apart, as the almanac
also has it, or ``any``; ``robber=friendly``, which spares players with two points or fewer, a common variant;
and the numbers of the rules, for balancing.

What a player knows, for observations: the own cards, all that is built, and all hands that are possible by what every
player has seen, with how likely each is by Bayes' rule. Yields, costs, trades, discards and monopolies show cards; a stolen
card shows only its way, and is drawn by what its owner can have held. An observer adds the own hand, so that thief and
victim know what was stolen. Never forgotten is what all have seen; forgotten is which cards one has stolen or lost oneself,
where the own hand no longer tells: of random players up to 0.3 % of the observations deal such hands with three players,
up to 3.4 % with four. If over 500 sets of hands would be possible, as can happen with a large bank and without trade, all
see the card that is stolen. Development cards are dealt again from all that were not played, without those with which a
player would have won. At the end all is shown.

Sources: the almanac of the 5th edition as catanboard.com has it (longest road, set-up, spiral), and catan.com's questions
and answers (shortage, harbours, cards). The places of harbours are those of the printed frame as catanatron (B. Collazo)
lists them. Random players of ``trading=bank`` end their turn in 38 % of their decisions; catanatron's count, 38.6 % rolls
and 27 % ends, is of other decisions: there each roll is one, and all discards of a player are one.

Unlike TAG's Java version: offers are accepted by others, not by the offerer; a resource of which there are too few is not
given; the longest road can be broken; discs lie in a spiral (TAG: ``discs=any``); cards can be played before the roll. TAG
ends after 100 rounds (``max_rounds=100``), and offers one or two cards of a kind, twice a turn.
"""

from tag.games.boards.catan.data import CatanParameters
from tag.games.boards.catan.rules import Catan
from tag.games.boards.catan.state import CatanState
from tag.games.boards.catan.values import CatanFeatures, CatanHeuristic, CatanHeuristicParameters, CatanMetric

__all__ = [
    "Catan",
    "CatanFeatures",
    "CatanHeuristic",
    "CatanHeuristicParameters",
    "CatanMetric",
    "CatanParameters",
    "CatanState",
]
