"""Love Letter, by Seiji Kanai: the 16-card edition for 2-4 players (AEG, Tempest edition, 2012; later Z-Man Games).

Rules. A round is played with 5 Guards (1), 2 Priests (2), 2 Barons (3), 2 Handmaids (4), 2 Princes (5), the King (6), the
Countess (7) and the Princess (8). One card is removed face down, with two players three more face up; every player gets
one card. In turn, draw a card and play one of the two:

* Guard: name another player and a card, but no Guard; who holds it is out of the round.
* Priest: look at another player's hand.
* Baron: compare hands with another player in secret; the lower one is out of the round.
* Handmaid: until your next turn no card of others has an effect on you.
* Prince: a player, perhaps yourself, discards the hand, without effect, and draws a card; who discards the Princess so is
  out of the round.
* King: trade hands with another player.
* Countess: no effect, but who holds her with the King or a Prince must play her.
* Princess: who plays or discards her is out of the round.

A player out of the round discards the hand face up, without effect. A card with a target must be played even if all other
players still in the round are protected by the Handmaid, and has no effect then; the Prince must then be used on oneself.
A Prince on an empty deck makes the target take the card removed at the start.

The round ends when one player is left, who wins it, or when the deck is empty at the end of a turn: then the highest hand
wins, and of equal hands the one whose player's discards add up to more. The winner gets a token of affection and starts
the next round. 7 tokens win a game of two, 5 of three, 4 of four.

Where the printed rules are silent:

* Players equal in hand and in discards all get a token (as the 2019 edition has it); the next round is started by the first
  of them in turn order after the player who started this one.
* Players who reach the tokens together draw, and the others lose.
* Seat 0 starts the game, where the rules ask who was on a date last.

Variants (`LoveLetterParameters`): the tokens to win, the number of each card, the cards removed face up with two players,
and a round limit, after which most tokens win.

What a player knows, for observations: the own cards, the cards face up and discarded, and every hand seen with a
Priest, Baron or King, for as long as it is certain to be held, wherever a King moves it. Since equal cards look the same, a
known hand is unknown again once its holder plays a card of that value. All players notice looks at hands; whether
a player still knows the hand of a third player who has played since is drawn in each observation. What is certain to
all players is known, too: a hand is not what a Guard failed to guess, it is higher than the card that lost to it under the
Baron or equal to the hand that tied with it, and it is not the Countess if it was kept beside a King or Prince played.
These facts go with a traded hand, and end when its holder plays a card that may have been it. Of two hands that tied, each
is still compared with what the other's holder has played since. All deals that remain possible are as likely. Forgotten is
what a third player learns of a tie by looking at one of the two hands after the other one, or that one, was played: this
differs from viewer to viewer, and mattered in 4 of 129,318 observations with three players. How
likely players are to play one card rather than another is left to the agents.

Unlike TAG's Java version, the card removed is hidden from observations too, a traded card stays known, a shared round is
followed by the next winner in turn order, and settings that cannot be dealt are refused.
"""

from tag.games.cards.love_letter.data import LoveLetterParameters
from tag.games.cards.love_letter.rules import LoveLetter
from tag.games.cards.love_letter.state import LoveLetterState
from tag.games.cards.love_letter.values import (
    LoveLetterFeatures,
    LoveLetterHeuristic,
    LoveLetterHeuristicParameters,
    LoveLetterMetric,
)

__all__ = [
    "LoveLetter",
    "LoveLetterFeatures",
    "LoveLetterHeuristic",
    "LoveLetterHeuristicParameters",
    "LoveLetterMetric",
    "LoveLetterParameters",
    "LoveLetterState",
]
