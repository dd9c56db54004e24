"""Dominion, by Donald X. Vaccarino: the base game in its second edition for 2-4 players (Rio Grande Games, 2016).

Rules. Every player has a deck, at first of 7 Coppers and 3 Estates, and draws a hand of five. The supply has 17 piles:
Copper (60, those of the players included), Silver (40), Gold (30), Estate, Duchy and Province (8 each with two players, 12
with three or four), Curses (10 for each player but one), and ten kinds of kingdom cards (10 each, Gardens as victory
cards). A turn has three phases:

* Action: play one action card, and as many more as it gives actions.
* Buy: play treasures, and buy one card, or as many as there are buys, for its cost in coins. It goes to the discard pile.
* Clean-up: discard the hand and all cards played, and draw five. When a deck is empty and a card has to be drawn, its
  owner shuffles the discards.

The game ends with a turn after which the Provinces or any three piles are empty. Most points in the whole deck win: Estate
1, Duchy 3, Province 6, Curse -1. Of equal players those with fewer turns win; if they had as many, they draw.

The kingdom cards with their cost, and with cards, actions, buys and coins that they give first (+C, +A, +B, +$):

* Cellar (2): +1A; discard any number of cards, then draw as many. Chapel (2): trash up to four cards of the hand.
* Moat (2): +2C; when another player plays an attack, you may reveal it from the hand to be unaffected.
* Harbinger (3): +1C +1A; you may put a card of the discard pile on the deck. Merchant (3): +1C +1A; the first Silver
  played in the turn gives a coin more. Vassal (3): +2$; discard the top card of the deck, and you may play it if it is an
  action.
* Village (3): +1C +2A. Workshop (3): gain a card costing up to 4.
* Bureaucrat (4, attack): gain a Silver onto the deck; each other player puts a victory card from the hand on the deck, or
  shows a hand without. Militia (4, attack): +2$; each other player discards down to three cards.
* Gardens (4): victory card, a point for each ten cards of the deck. Moneylender (4): you may trash a Copper for +3$.
* Poacher (4): +1C +1A +1$; discard a card for each empty pile. Smithy (4): +3C.
* Remodel (4): trash a card of the hand, and gain one costing up to 2 more.
* Throne Room (4): you may play an action of the hand twice.
* Bandit (5, attack): gain a Gold; each other player reveals two cards of the deck, trashes a Silver or Gold among them,
  and discards the rest. Witch (5, attack): +2C; each other player gains a Curse.
* Council Room (5): +4C +1B; each other player draws a card. Festival (5): +2A +1B +2$. Laboratory (5): +2C +1A.
* Library (5): draw up to seven cards; actions may be set aside as they are drawn, and are then discarded.
* Market (5): +1C +1A +1B +1$. Mine (5): you may trash a treasure of the hand, and gain one costing up to 3 more to the
  hand.
* Sentry (5): +1C +1A; look at two cards of the deck; trash or discard any of them, and put the rest back in any order.
* Artisan (6): gain a card costing up to 5 to the hand, and put a card of the hand on the deck.

Where the printed rules are silent, and how choices are made:

* All treasures are played when the buy phase begins: no card here makes it better to keep one. The action phase ends by
  itself when there is no action left, or no action card in hand.
* Several cards are chosen one after the other, in the order of the piles, so that each set can be chosen in one way only.
* All others are asked for Moats before an attack does anything, whether they hold one or not, and again when a Throne
  Room plays the attack a second time.
* Seat 0 starts. Play without a plan may not end: after 200 rounds the points decide.

Variants (`DominionParameters`): the kingdom is one of the six sets of the rule book, ten cards drawn at random, or a list:
``kingdom=listed,cards=cellar+chapel+…``. Also the size of hands, of piles and of first decks, and how the game ends.

What a player knows, for observations: the supply, the trash and what is played, gained or revealed; so also which cards
each player owns. Discard piles are open: all that comes to lie there is shown, and players are taken to remember it,
although the rules let them look at the top card only. Hidden are the hands of the others, the order of the decks, and cards
that an Artisan or a Sentry puts back. What must be in a hand stays there in observations: cards gained to it or drawn from
the open top of a deck, a Moat or hand that was shown, and all that is neither on the deck nor among the discards when these
are shuffled. In the buy phase a hand has no treasures. The rest is dealt again, each arrangement as likely.

A deck that was shuffled has no order: each card is drawn at random when it is needed, which is the same. Cards of the first
deck come from the source of chance ``first shuffle``, later ones from ``shuffles``, a random kingdom from ``kingdom``.

Forgotten on purpose: which of two cards that a Sentry puts back was known before; and if the discards are shuffled between
the two, that the rest of the old deck is in the hand or among them. While a card of the hand lies unseen on the deck,
others deal hands of its owner's buy phase not quite as likely as they are. While a player decides, others may deal that
player a hand that does not allow the decision: without actions in the action phase, which is skipped then, or with too few
cards to discard. No other player has a choice meanwhile. What follows from what players do or do not choose is left to the
agents.

Unlike TAG's Java version, a game ends with a turn, not within it; fewer turns break ties; Moats are revealed before an
attack does anything; the Coppers of the supply depend on the number of players (TAG: 32); Curses are there in all games,
and three more of the rule book's kingdoms. TAG also ends the game when a player has no card in hand but Chapels. TAG's
First Game with two players is `dominion:copper=46,curses=0,turns_break_ties=false`; with three ``copper`` is 53, with four
60. TAG's other kingdoms, which have Curses, are `dominion:kingdom=size_distortion` and `dominion:kingdom=improvements`.

Sources: the cards of the rule book's six sets were compared with two other open implementations, in Java and in C++. Both
agree with all six. The players' wiki agrees with Size Distortion, the set that could be read there.
"""

from tag.games.cards.dominion.data import DominionParameters
from tag.games.cards.dominion.rules import Dominion
from tag.games.cards.dominion.state import DominionState
from tag.games.cards.dominion.values import (
    DominionFeatures,
    DominionHeuristic,
    DominionHeuristicParameters,
    DominionMetric,
)

__all__ = [
    "Dominion",
    "DominionFeatures",
    "DominionHeuristic",
    "DominionHeuristicParameters",
    "DominionMetric",
    "DominionParameters",
    "DominionState",
]
