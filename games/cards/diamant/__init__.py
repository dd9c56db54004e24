"""Diamant, by Bruno Faidutti and Alan R. Moon: the edition of IELLO (2016), printed for 3-8 players, here for 2-6.

Rules. There are five caves. The deck has 15 treasures (1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15 and 17 rubies), three
cards of each of five hazards, and five relics. All players enter each cave, and a card is turned up:

* Treasure: the players in the cave share the rubies in equal whole parts; the rest stays on the card.
* Hazard: the first one of a kind does nothing. With the second one of a kind, all players who are still in the cave lose
  what they carry, and the cave is over. This second card is removed from the game.
* Relic: it stays where it is.

After each card, every player in the cave decides in secret to go on or to leave, and all show it at once. Those who leave
share the rubies on each card in equal whole parts; what cannot be shared stays on the card. Who leaves alone so takes all
rubies on the way, and all relics; of several who leave, none takes a relic. They bring what they carry home, where it is
safe. The next card is turned up for those who go on. If none is left, the cave is over.

After each cave the cards are shuffled again, without the relics that were turned up, taken or not. The first three relics
that are taken count 5 rubies, the others 10. After the last cave the most rubies win, and of equal ones the most relics.

Where the printed rules are silent: players equal in rubies and relics draw. If the deck runs out, which only other
parameters make possible, all players still in the cave leave. Players may count what the others have brought home, so it is
open to all.

Variants (`DiamantParameters`): ``relics`` are as in Incan Gold (2006), one more in the deck of each cave, where those not
found stay (``one_per_cave``); as in Incan Gold (2020), the same with 5, 7, 8, 10 and 12 rubies on them, the lowest first
(``numbered``); or not used, as in the first edition (Schmidt Spiele, 2005). ``sharing=path``, as in Incan Gold, shares all
rubies on the way together. Also the caves, the hazards, how many of a kind end a cave, and the treasures and relics.

What a player knows: everything but the choices that other players have made since the last card, and the order of the deck.
A choice that is not yet shown is dealt again, going on and leaving being as likely. The deck has no order: each card is
drawn when it is turned up.

Unlike TAG's Java version, the treasures are the printed ones, and the rubies on each card are shared by themselves; TAG's
are ``treasures=tag,sharing=path``. TAG's other relics are ``relics=numbered`` or ``relics=none``. Players who have left a
cave are not asked again before the next one. TAG's caves that end with the first hazard are left out: the game could be over
before the first choice.
"""

from tag.games.cards.diamant.data import DiamantParameters
from tag.games.cards.diamant.rules import Diamant
from tag.games.cards.diamant.state import DiamantState
from tag.games.cards.diamant.values import DiamantFeatures, DiamantHeuristic, DiamantHeuristicParameters, DiamantMetric

__all__ = [
    "Diamant",
    "DiamantFeatures",
    "DiamantHeuristic",
    "DiamantHeuristicParameters",
    "DiamantMetric",
    "DiamantParameters",
    "DiamantState",
]
