"""Sushi Go!, by Phil Walker-Harding: the card game for 2-5 players (Gamewright, 2013).

Rules. 108 cards: 14 tempura, 14 sashimi, 14 dumplings, 12 cards of two maki rolls, 8 of three and 6 of one, 10 salmon
nigiri, 5 squid nigiri, 5 egg nigiri, 10 puddings, 6 wasabi and 4 chopsticks. A game has three rounds. In each round every
player is dealt a hand: 10 cards with two players, 9 with three, 8 with four, 7 with five. In a turn all players at the
same time choose a card of their hand. Then all show their cards, lay them on the table and pass the rest of the hand to
the left. The last card of a hand is shown without a choice, and the round is scored:

* Tempura: 5 points for each two.
* Sashimi: 10 points for each three.
* Dumplings: 1, 3, 6, 10 or 15 points for one, two, three, four, or five and more.
* Nigiri: 3 points for a squid, 2 for a salmon, 1 for an egg.
* Wasabi: the next nigiri of the player goes on top of it and counts three times. One nigiri fits on each wasabi.
* Maki rolls: 6 points for the most, 3 for the second most. Players who are equal share the points, rounded down; if several
  have the most, no points go to the second most.
* Chopsticks: in a later turn the player may choose two cards, and puts the chopsticks back into the hand before passing it.
  One of several chopsticks can be used in a turn.

All cards but the puddings are discarded, and the next round is dealt from the rest of the deck. After the last round the
most puddings get 6 points, and with three players or more the fewest, none included, lose 6. Players who are equal share,
rounded down; if all have the same, no player gets or loses any. Most points win, then most puddings.

Where the printed rules are silent:

* A player without maki rolls gets no points for the second most.
* Two cards chosen with chopsticks are played in the order that the player names: a wasabi and a nigiri either way round, and
  of two nigiri either on the one wasabi. The chopsticks may be used to take other chopsticks.
* Players announce only together with their cards that they use chopsticks.
* If the deck is too small for another round, the discards are shuffled into it. This does not happen in the printed game.
* Players equal in points and in puddings draw.

Variants (`SushiGoParameters`): the number of each card, the points, the rounds, the size of hands, and hands that are passed
to the right in every second round. The variant for two players with a third hand between them is left out.

What a player knows, for observations: all on the tables, and each hand that the player has held in this round, wherever it
is now, as all that leaves it is shown. In other hands only chopsticks that were put back are known. The rest is dealt again,
each deal as likely. Players are asked one after the other, another one first in each turn, and choices are hidden
until all have chosen: observations draw them again, each choice from the hand as likely. How likely players are to choose
one card rather than another is left to the agents.

Unlike TAG's Java version, two cards chosen with chopsticks are one action. Deck and dumplings are as printed: before
November 2025 TAG had 8 double and 12 triple maki, and the second to fifth dumpling added 3, 6, 10 and 15 points, further
ones 15. The game of TAG's published results is
`sushi_go:maki_2=8,maki_3=12,dumpling_2=3,dumpling_3=6,dumpling_4=10,dumpling_5=15,dumpling_6=15`.
"""

from tag.games.cards.sushi_go.data import SushiGoParameters
from tag.games.cards.sushi_go.rules import SushiGo
from tag.games.cards.sushi_go.state import SushiGoState
from tag.games.cards.sushi_go.values import SushiGoFeatures, SushiGoHeuristic, SushiGoHeuristicParameters, SushiGoMetric

__all__ = [
    "SushiGo",
    "SushiGoFeatures",
    "SushiGoHeuristic",
    "SushiGoHeuristicParameters",
    "SushiGoMetric",
    "SushiGoParameters",
    "SushiGoState",
]
