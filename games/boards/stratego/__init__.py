"""Stratego, by Jacques Johan Mogendorff (Jumbo, 1961; Milton Bradley), and Barrage, with eight pieces, for 2 players.

Rules. Each player has 40 pieces: a marshal (10), a general (9), two colonels (8), three majors (7), four captains (6), four
lieutenants (5), four sergeants (4), five miners (3), eight scouts (2), a spy, six bombs and a flag. They are set up in
secret on the four rows nearest to the player. Two lakes of four squares are closed. Player 0 moves first. In turn players
move a piece to a free square beside it, not diagonally, or attack an enemy there. Bombs and the flag never move. A scout
may run any number of free squares in a row and attack at the end. Pieces that fight are shown to both. The higher rank
wins, equal ranks both fall. A bomb beats all but miners, which take it away; a bomb that wins stays. A spy that attacks the
marshal wins, and loses any other fight. An attacker that wins moves to the square. Who takes the flag wins, and so does a
player whose enemy has no move; if neither has one, it is a draw.

Two rules of the International Stratego Federation (ISF) prevent endless play. Two squares: a piece may not move more than
three times in turns that follow each other between the same two squares, attacks included. More squares: a player who moves
beside enemy pieces turn by turn, while one so threatened moves away each time, may not by another such move repeat a
position of the chase; a piece may always go back to where it has just come from.

Where the printed rules are silent or differ: the ISF rules of 2006 and the travel edition by Jumbo allow five moves between
two squares (``two_squares=5``), later ISF rules three. For scouts it counts whether all these moves cross the same border
between two squares. Positions of a chase are those after moves of the player who chases, from the first threat on. Fights
end a chase. If these rules forbid all moves, a player has none, and loses. After 1,000 moves the game is a draw, which is
not printed (``max_moves``). At the end all pieces are turned over. The older rule that a scout may not run and attack at
once is ``scout_attacks=false``.

The set-up: both players choose a plan at the same time, in three steps: a part of the board for the flag, what the bombs
are for, and which pieces stand in front. Chance does the rest, so search compares 27 plans, not 40 squares. The last choice
of each step asks for nothing, so all set-ups are possible. With ``setup=pieces`` players choose the square of each piece,
the flag first; with ``setup=drawn`` chance sets up, each way as likely.

Variants (`StrategoParameters`): ``variant=barrage`` has a marshal, a general, a miner, two scouts, a spy, a bomb and a flag
on the same board and rows. ``small`` has 6 by 6 squares and 12 pieces, ``tiny`` 4 by 4 squares and 4 pieces, both our own,
for tests and exact play. Numbers of spies, scouts, miners and bombs can be changed, as far as there are squares.

What a player knows: the own pieces, all that fought or ran, where each piece has moved, and how many of each kind are left.
Hidden pieces are dealt again, each deal as likely that fits: those that have moved are neither bombs nor the flag, and an
enemy whose turn it is has a move. How likely players choose a plan is not taken into account.

Unlike TAG's Java version players set up themselves: there two of a few fixed set-ups are drawn. TAG's scouts run over enemy
pieces, there is neither of the rules against endless play, and its observations deal bombs and flags also to pieces that
have moved. A game is a draw after 1,000 turns there, too, and only the player to move is asked for a move.

Sources: the booklet of Jumbo's travel edition and the ISF Game Rules in excerpts (ISF parts of 2006 quoted at
strategousa.org; gravon.de on the more-squares rule), and ultraboardgames.com on Barrage. The whole booklet could not be
read.
"""

from tag.games.boards.stratego.data import StrategoParameters
from tag.games.boards.stratego.rules import Stratego
from tag.games.boards.stratego.state import StrategoState
from tag.games.boards.stratego.values import (
    StrategoFeatures,
    StrategoHeuristic,
    StrategoHeuristicParameters,
    StrategoMetric,
)

__all__ = [
    "Stratego",
    "StrategoFeatures",
    "StrategoHeuristic",
    "StrategoHeuristicParameters",
    "StrategoMetric",
    "StrategoParameters",
    "StrategoState",
]
