"""Blackjack, by the rules common on the Las Vegas Strip (M. Shackleford, wizardofodds.com, 2019), for 1-7 players.

Rules. The shoe has six decks of 52 cards. Aces count 1 or 11, court cards 10, all others their number. In each of ten
rounds every player bets one unit and gets two cards, face up. The dealer gets one face up and one face down, the hole card.
An ace and a ten as the first two cards are a blackjack, which beats any other 21.

* Insurance: if the dealer shows an ace, each player may bet half a unit that the hole card is a ten. It pays 2 to 1.
* With an ace or a ten the dealer looks at the hole card. A blackjack ends the round: all bets are lost, but those of players
  who have a blackjack, too, come back. Otherwise insurance is lost.
* One after another, players play their hands: they hit (take a card) as often as they like, or stand. A hand of more than 21
  points is bust, and loses at once.
* Double down: with the first two cards, double the bet and take exactly one more card.
* Split: two cards of equal value become two hands, with a bet on each; so do later pairs, up to four hands. Tens and court
  cards are equal. Hands from a split may be doubled. Split aces get one card each and cannot be split again. An ace and a
  ten after a split are no blackjack.
* At last the dealer turns the hole card over, and takes cards up to 17 points or more; an ace counts 11 if that makes at
  most 21. Hands with more points than the dealer win their bets, and so do all that are not bust if the dealer is. Equal
  points are a push: the bet comes back. A blackjack wins 3 to 2.

The shoe is shuffled before the next round when three quarters of it are used.

Results: the player with the most money wins, as in blackjack tournaments; equal money is a draw. Another player begins each
round, as is usual there. One player alone wins with more money than at the start, and draws with as much. With
``goal=dealer``, all players who have won money win, and the others lose. The score is the money won, in units.

Where the rules of houses are silent or differ: a hand with 21 points is done. The dealer takes no card if no bet
depends on it, but turns the hole card up. Insurance is for half of the bet exactly. Money has no limit. If all bets are
one unit, the player who begins has one action, to ask for the cards, so that each round can be seen to its end. If the
shoe runs out, the discards of earlier rounds are shuffled. So that the cards suffice, no pair is split at a table that
has 10 hands with one deck, or 21 with two. No card is burnt.

Variants (`BlackjackParameters`): decks, and when they are shuffled (``penetration=0``: before each round); the dealer's soft
17; what a blackjack pays; which hands can be doubled; how many hands a player can make by splitting; hitting and splitting
of split aces; insurance; late surrender; bets of several units; the number of rounds; the goal. ``hole_card=false`` is the
European game: the dealer takes the second card last, and a blackjack then takes all bets, also those on hands doubled,
split or given up.

What a player knows: everything but the hole card and the shoe. All cards dealt since the last shuffle are known, so the hole
card is dealt again from exactly those that are left; once the dealer has looked, without those that would make a blackjack.
If the shoe runs out, the hole card is the last one not seen, and known. The shoe has no order: a card is drawn when dealt.

Unlike TAG's Java version, this one pays blackjacks, and has doubling, splitting, insurance and several rounds. TAG's game is
``blackjack:rounds=1,decks=1,blackjack=none,double=none,hands=1,insurance=false,goal=dealer``, for 1 to 6 players. A push
is a draw there. OpenSpiel's game is the same for one player, who may hit 21. GBG's adds the other choices.
"""

from tag.games.cards.blackjack.data import BlackjackParameters
from tag.games.cards.blackjack.rules import Blackjack
from tag.games.cards.blackjack.state import BlackjackState
from tag.games.cards.blackjack.values import (
    BlackjackFeatures,
    BlackjackHeuristic,
    BlackjackHeuristicParameters,
    BlackjackMetric,
)

__all__ = [
    "Blackjack",
    "BlackjackFeatures",
    "BlackjackHeuristic",
    "BlackjackHeuristicParameters",
    "BlackjackMetric",
    "BlackjackParameters",
    "BlackjackState",
]
