"""Virus!, by Domingo Cabrero, Carlos López and Santi Santisteban: the base game for 2-6 players (Tranjis Games, 2015).

Rules. 68 cards: of each of the four colours 5 organs, 4 viruses and 4 medicines; 1 multicoloured organ, 1 virus and 4
medicines; 3 transplants, 3 organ thieves, 2 spreadings ("contagion"), 1 latex glove and 1 medical error. Every player has a
hand of 3 cards. In turn, either play one card or discard one to three, then draw up to 3 again. The first body with four
different healthy organs wins; the multicoloured organ is a fifth kind, and no organ is ever twice in a body.

* An organ goes into one's own body. It is healthy unless a virus lies on it.
* A virus is played on a rival's organ of its colour: it infects a free organ; it destroys an infected one, and organ and
  both viruses are discarded. Or it is played on a medicine of its colour that vaccinates an organ: both are discarded.
* A medicine is played on one's own organ of its colour: it vaccinates a free organ; as a second one it immunises, and no
  virus or treatment affects that organ again. Or it cures: it is played on a virus of its colour, and both are discarded.
* Multicoloured cards fit all colours, and all colours fit them. So a multicoloured organ may be immunised by medicines of
  two colours and destroyed by viruses of two, and any medicine cures the multicoloured virus on any organ; but a
  red virus on a multicoloured organ takes a red or multicoloured medicine.
* Transplant: any two players' organs change places with all that lies on them, unless one is immunised.
* Organ thief: take a rival's organ with all that lies on it, unless it is immunised.
* Spreading: as many viruses as possible move from one's own organs to free organs of others, colour by colour.
* Latex glove: all others discard their hands; in their next turn they only draw.
* Medical error: two whole bodies change places, immunised organs included.

Where the printed rules are silent or leave it open:

* The discard pile becomes the deck when a card is to be drawn and none is left. The rules turn it over and call shuffling
  needless; here it is shuffled, since a computer would remember the order. If both are empty, hands stay smaller.
* Viruses are for rivals and medicines for oneself.
* A treatment is played only where it has something to act on: two organs to swap, an organ to steal, a virus that can
  move, a card to discard, a body to swap.
* Transplants may swap organs of the same colour, and those of two rivals.
* Spreading goes organ by organ; a choice after which fewer viruses could move in all is not offered.
* A body completed by another player's card wins at once; no card completes two.
* Seat 0 starts.
* Play without a plan may not end: after 100 rounds, as in the TAG report, most healthy organs win, then most organs;
  players equal in both draw.

Variants (`VirusParameters`): the number of each card, the size of hands, how many cards may be discarded, how many
organs win, viruses on one's own organs, and the round limit.

What a player knows, for observations: the own hand, all bodies, the discard pile (face up), and how many cards the
others and the deck hold. When the discard pile becomes the deck, all hidden cards are in hands: two players know each
other's cards from then on, until they are laid down. All the rest is dealt again, each arrangement as likely.

Forgotten on purpose: with three or more players, which cards the hands of all others together held when the discard
pile became the deck. Each player can exclude other cards, and a card laid down later may have been one of them or not:
a set for each player would make all copies slower, for a few turns of long games. Of random players' observations after
that 29 % with three players and 55 % with five deal a hidden card where it cannot be.

Unlike TAG's Java version, the latex glove affects all rivals instead of one, spreading moves all viruses that can move
instead of one, discards fit any size of hand, and decks that cannot be dealt are refused.
"""

from tag.games.cards.virus.data import VirusParameters
from tag.games.cards.virus.rules import Virus
from tag.games.cards.virus.state import VirusState
from tag.games.cards.virus.values import VirusFeatures, VirusHeuristic, VirusHeuristicParameters, VirusMetric

__all__ = [
    "Virus",
    "VirusFeatures",
    "VirusHeuristic",
    "VirusHeuristicParameters",
    "VirusMetric",
    "VirusParameters",
    "VirusState",
]
