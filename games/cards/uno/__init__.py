"""Uno, by Merle Robbins: the instruction sheet of 1993 (International Games, a Mattel company; 108 cards), for 2-10 players.

Rules. The deck has four colours, each with one 0, two of each number from 1 to 9, two skips, two reverses and two
draw twos; and four wilds and four wild draw fours. Every player is dealt 7 cards, and a card is turned up. In turn,
play a card that matches the one on top by colour, number or symbol, or a wild card, and name the colour that
follows; or draw a card, which may be played at once if it can be, but no other card then. Who can play may draw all
the same.

* Skip: the next player loses the turn. Reverse: play goes the other way round; with two players it is a skip.
* Draw two: the next player draws two cards and loses the turn. Draw twos do not add up.
* Wild: always allowed. Wild draw four: the next player draws four cards and loses the turn; only allowed to who has
  no card of the colour to match (a card of the same number or symbol, or a wild, does not count).
* It may be played all the same. Only the next player may challenge it, and is shown the hand: the
  guilty draws the four cards, and the challenger plays on; if the challenge fails the challenger draws six, and
  loses the turn.
* The card turned up has its effect: a skip skips the player to the left of the dealer, a draw two makes that player
  draw and lose the turn, after a reverse the dealer begins and play goes to the right, after a wild the player to
  the left of the dealer names the colour and plays. A wild draw four is put back, and another card turned up.
* When the draw pile is empty, the discards but for the one on top become the draw pile.

Who has no card left wins the round; a draw two or wild draw four played last still has its effect. The winner gets
the points of all cards in the other hands: numbers as printed, 20 for skip, reverse and draw two, 50 for wild cards.
500 points win.

Calling "uno" is no decision: all players do it in time. What a table of forgetful players would be like is
told by the parameter ``uno_slip``: the chance that a player left with one card forgets to, is caught and draws two
cards.

Where the sheet is silent: seat 0 is the first to play where nothing is turned up that says otherwise, and the deal
passes to the left. Who has to draw where no card is left draws as many as there are; who chooses to draw then
passes, and when all have passed in a row the round is over, won by the fewest points in hand, or not won if
several have as few. A wild draw four that is the last card cannot be challenged, since no card is left to be guilty
of. The colour that counts in a challenge is the one that was to be matched, and the hand the one held after playing.
After a challenge that succeeds the colour named stands, and the challenger plays. Totals that are equal at the end
are a draw. With two left in the game the turned-up reverse is a skip: the dealer begins.

Later sheets: that of the present deck of 108 cards says the same. That of the decks with blank cards to write on puts
a wild that is turned up back as well, lets the player to the right of the dealer begin after a reverse, and has who
forgets to call "uno" draw four cards (``uno_penalty``).

A round has no limit, and needs none. Search agents play 10 to 250 turns. Play at random draws too often, yet in some
5,000 games to 500 points, of 2 to 10 players, all came to an end, the longest after 43,528 actions; half of the rounds
took more than 500 to 700 turns, depending on the players, and one in a hundred more than 2,500 to 4,600. With a limit
(``max_turns``) a round that reaches it ends as if no player could draw; one of 300 cuts off seven in ten random rounds.

Variants (`UnoParameters`): ``scoring`` is by the ``winner`` of each round, up to the goal; ``lowest``: each player
counts the cards caught with, and when one reaches the goal the fewest points win; ``elimination`` (the sheet's
Challenge UNO): who reaches the goal is out, and the last player wins; ``single``: one round. ``partners``: four
players are two teams who sit across, and a round won gives both the points in the opponents' hands. Also the deck,
the cards dealt and drawn, points, whether wild draw fours can be bluffed and challenged, whether drawing is
voluntary, and limits of turns in a round and of rounds, after which the score decides.

What a player knows, for observations: the own cards, the discards, how many cards each player holds, and of a hand
seen in a challenge what has not been played since. When the discards become the draw pile, all other cards are in hands:
if only two players hold cards they so know each other's hand, as if they had seen it. Whether another player still knows
cards of a third player's hand that were seen in a challenge is drawn in each observation, as far as it is not certain. A
card just drawn is hidden from the others, and so is whether it could be played: who cannot play it is asked all the same,
with keeping it as the only choice. At the end all hands are shown.

Forgotten on purpose: with three or more players, which cards the hands of all others together held when the discards
became the draw pile. Each player can exclude other cards, and a card played later may have been one of them or not: a set
for each player would have to follow each card played. Of random players' observations after that 66 % with three players
and 94 % with five deal a hidden card where it cannot be. Third players also forget whether a hand had a card of the colour
in a challenge, which is certain only until its holder draws. What follows from what players did or did not play is left
to the agents.

Unlike TAG's Java version, a wild draw four makes the next player draw; skips, reverses and draw twos match each
other across colours; cards drawn are played by choice and with their effect, or kept; drawing is a choice;
challenges exist; every round starts clockwise; an empty draw pile is no error; and scoring is by the winner of each
round unless said otherwise.
"""

from tag.games.cards.uno.data import UnoParameters
from tag.games.cards.uno.rules import Uno
from tag.games.cards.uno.state import UnoState
from tag.games.cards.uno.values import UnoFeatures, UnoHeuristic, UnoHeuristicParameters, UnoMetric

__all__ = ["Uno", "UnoFeatures", "UnoHeuristic", "UnoHeuristicParameters", "UnoMetric", "UnoParameters", "UnoState"]
