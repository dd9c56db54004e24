"""Poker: no-limit Texas hold'em for 2-9 players, by tournament rules (Tournament Directors Association, TDA, 2024).

Rules. What the TDA leaves to the house follows Robert's Rules of Poker (Robert Ciaffone). Each player starts
with 1,000 chips. In each hand every player is dealt two cards, the hole cards, face down. The two players left of the
dealer button post the small blind of 5 and the big blind of 10. There are four rounds of betting: before the flop, and
after three cards of the board are dealt face up (the flop), a fourth one (the turn), and a fifth (the river). Before the
flop the player left of the big blind acts first, later the first one left of the button who is still in the hand. Of two
players the button posts the small blind, and acts first before the flop only.

* A player folds, checks if no chips are owed, calls, bets or raises. A round of betting ends when all have acted and put
  in as many chips. The big blind may raise if all others call.
* A bet is at least the big blind, a raise at least as large as the greatest bet or raise of the round (TDA 43-A). Who has
  fewer chips may go all-in. An all-in below a full raise does not reopen the betting: who has acted already may raise
  again only if what is owed adds up to a full raise (TDA 47-A).
* A blind may be all-in for less; others must call the full big blind all the same.
* Who is all-in can win from each player as many chips as were put in; the others play for side pots, each of which is
  paid by itself (TDA 21). Chips that no one calls are returned.
* When betting is over and several players are left, they show their cards. The best five of two hole cards and the board
  win: straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, pair, high card, then by
  rank; suits break no tie. Equal hands share the pot, and odd chips go one by one to the first of them left of the button
  (TDA 20-A). If all others fold, the last player wins without showing.
* Then the button moves on to the next player with chips. Players without chips are out. Of two players left, none has the
  big blind twice in a row (TDA 34-B).

The game is over when one player has all chips, or after 10 hands. Most chips win; players with as many draw. Who is out
later stands above, and of players out in the same hand the one with more chips at its start.

Where the rules are silent, or simpler here:

* The button moves, and there are two blinds in every hand. The dead button of TDA 32 leaves the small blind out now and
  then.
* Cards are not burnt before the flop, turn and river, as that changes no probability.
* Folding is not offered where no chips are owed, nor a raise if no other player has chips left to call with. All-in is at
  most what one of the others can still call: the rest would be returned.
* All who reach the showdown show their cards. At a table losers may discard theirs unseen, unless a player is all-in (TDA
  16 and 17).
* Seat 0 has the button in the first hand.
* Bets and raises have a few sizes, so that there are finitely many actions: the smallest, half the pot and the pot, as it
  is after a call, and all-in. Each amount is offered once.

Variants (`PokerParameters`): other sizes of raises, stacks, blinds, blinds that double, the number of hands, and a number
of chips that ends the game. ``hands=1`` is a single hand, as in the Annual Computer Poker Competition; ``raises=pot`` and
``raises=half_pot`` are the sizes FCPA and FCHPA of OpenSpiel.

What a player knows, for observations: the own cards, also once folded, the board, and all chips. After the last hand all
cards shown are known; after others they are of no use, as every hand is dealt from a full deck. All other cards are dealt
again, each deal as likely. What bets tell about cards is left to the agents.

The cards of each hand are dealt at its start to all seats, those of players who are out included: with a fixed source of
chance ``cards`` they are the same whatever players do.

Unlike TAG's Java version, stacks are 100 big blinds instead of 5 (``stack=50``); bets and raises have the sizes above
instead of a bet of 5 chips and raises by one to four times the biggest bet of the hand; none folds without a bet; and odd
chips go by seat. TAG's other numbers of cards are left out. TAG's ``endMinMoney`` is ``target=80,hands=1000``.

Sources: the rules of the Poker TDA in the edition of 2024, whose numbers are cited here, and Robert's Rules of Poker.
"""

from tag.games.cards.poker.data import PokerParameters
from tag.games.cards.poker.rules import Poker
from tag.games.cards.poker.state import PokerState
from tag.games.cards.poker.values import PokerFeatures, PokerHeuristic, PokerHeuristicParameters, PokerMetric

__all__ = [
    "Poker",
    "PokerFeatures",
    "PokerHeuristic",
    "PokerHeuristicParameters",
    "PokerMetric",
    "PokerParameters",
    "PokerState",
]
