"""Backgammon, the traditional race with two dice for 2 players, with the doubling cube and matches.

Rules. The board has 24 points, which each player numbers from 24 to 1, in opposite directions. Both have 15 men: two on
the 24-point, five on the 13-point, three on the 8-point and five on the 6-point. Each rolls one die, equal dice again; the
higher one begins and plays both. From then on a player rolls two dice, and moves a man for each by so many points, to one
without two men of the other; a double is played four times. A single man that is hit goes to the bar, and enters by a die,
1 on the 24-point, before other men of its side move. Both dice must be played if that is possible; of two that exclude
each other, the higher. Who has all men on the points 1 to 6 bears them off: from the point of the die, or if there is no
man on it and none above, from the highest point. Who has borne off all men wins: a point, two if the loser has borne off
none (gammon), three if the loser also has a man on the bar or in the winner's home (backgammon).

With ``cube=true`` a player may double the stakes before the roll. The other drops, and loses the stakes of before, or
takes, and alone may double next. With ``match=n`` games are played up to n points. By Crawford's rule there is no doubling
in the first game in which a player is a point from winning.

Where the printed rules are silent: a player who may not double rolls without being asked, and one who cannot move has one
action, ``no move``. The cube ends at 64. Left out are automatic doubles and beavers. Agents play to win, not for points:
in one game with the cube a drop is a loss, so they take all doubles; matches make sense of it.

An action is a play of two men, ``first`` by the higher die and ``second`` by the lower; a double is two actions. So a
search of one step values whole plays, and learners whole afterstates: with an action for each man they would judge men
left half-way. Whole doubles would need over 10,000 actions, these are 680. The order in which two men move matters only
for what is hit, so several orders of the same play are one action. OpenSpiel's actions are the same, each order apart. Of
20,000 games of random players 37.6 % end by a single win, 35.9 % by a gammon and 26.5 % by a backgammon, after 111 plays
(OpenSpiel, 10,000 games: 37.5, 36.8, 25.7 % and 112). In 100 random positions GNU Backgammon has as many plays.

Variants (`BackgammonParameters`): one game or a match; the cube; Crawford's rule; Jacoby's, by which gammons count only
after a double, in one game for points (``match=1,cube=true``). ``variant=duodecim_scripta`` is the Roman game of 36
points, as in TAG: all men enter from the bar, both sides run the same way, and while own men wait on the bar, only those
that entered in this turn may move on, up to the 25-point. ``variant=pente_grammai`` is the Greek game of five lines: five
men each on a ring of ten points, and one die. A man stands alone, except on the two sacred points, and who has five men on
the sacred point opposite wins. Men run past it, and must leave it if nothing else can move. After 1,000 turns most men
there win. Wins count a point.

What a player knows: everything but the dice to come.

Unlike TAG's Java version there are an opening roll (TAG: seat 0 begins, here only in pente grammai), gammons and the cube.
Both dice must be played, or the higher, and a higher die bears off only from the highest point. In TAG each man is an
action, XII Scripta also has three dice, and Pente Grammai men that start outside and hit. The rules are those at
gammonlab.com and in Wikipedia's article on backgammon; those of both ancient games follow TAG, as no complete ancient
rules are known.
"""

from tag.games.boards.backgammon.data import BackgammonParameters
from tag.games.boards.backgammon.rules import Backgammon
from tag.games.boards.backgammon.state import BackgammonState
from tag.games.boards.backgammon.values import (
    BackgammonFeatures,
    BackgammonHeuristic,
    BackgammonHeuristicParameters,
    BackgammonMetric,
)

__all__ = [
    "Backgammon",
    "BackgammonFeatures",
    "BackgammonHeuristic",
    "BackgammonHeuristicParameters",
    "BackgammonMetric",
    "BackgammonParameters",
    "BackgammonState",
]
