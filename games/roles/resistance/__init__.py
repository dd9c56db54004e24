"""The Resistance (Don Eskridge, Indie Boards & Cards, 2009/2010), hidden spies for 5-10 players, with Avalon's roles.

Rules. Some players are spies: 2 of 5 or 6, 3 of 7 to 9, 4 of 10. They know each other; the others, the resistance, know no
sides. A leader proposes the team of a mission, and all vote at the same time. More than half have to approve; a tie rejects.
After each vote the next player leads. If five teams in a row are rejected in one mission, the spies win. Each member of an
approved team plays a card in secret: a success, or as a spy also a fail. The cards are shuffled, so that all see only how
many fails there are. One fail makes the mission fail; the fourth mission needs two, if there are 7 players or more. Who wins
three of five missions wins at once. Players of the teams, mission by mission:

- 5 players: 2, 3, 2, 3, 3; 6 players: 2, 3, 4, 3, 4; 7 players: 2, 3, 3, 4, 4.
- 8, 9 and 10 players: 3, 4, 4, 5, 5.

Avalon's roles (The Resistance: Avalon, Indie Boards & Cards, 2012), each by a parameter:

- ``merlin``: Merlin, of the resistance, is told of the spies. After three successes the Assassin, a spy, names a player; if
  it is Merlin, the spies win after all.
- ``percival``: Percival, of the resistance, is told who Merlin is.
- ``morgana``: Morgana, a spy, looks like Merlin to Percival, who is told of both.
- ``mordred``: Mordred is a spy of whom Merlin is not told.
- ``oberon``: Oberon is a spy whom other spies do not know, and who does not know them.

A role cannot be dealt without the one it is about, nor where there are more spies with a name than spies.

Where the printed rules are silent: players choose at the same time and are asked one after another. All learn who the
Assassin is when he has to name a player. He may name any player who is not a spy that he knows. Players do not talk.

Variants (`ResistanceParameters`): ``spies``, ``size_1`` to ``size_5``, ``two_fails``, ``rejections`` and ``goal`` change the
printed numbers.

What a player knows, for observations: the own role and what it is told, all teams, votes and numbers of fails, and the own
mission cards. Roles are dealt again, all sets of spies that can have played the fails being as likely. A vote that is not
shown is drawn at random, and a mission card by the role that was dealt. All roles are shown at the end.

Sources: the rules as retold by 007dev.com and 64ouncegames.com; they were not compared with the printed rule books.

Unlike TAG's Java version: the first leader is drawn; the fourth mission needs two fails from 7 players on (``two_fails=11``
is TAG's rule); past votes are known; there are Avalon's roles.
"""

from tag.games.roles.resistance.data import ResistanceParameters
from tag.games.roles.resistance.rules import Resistance
from tag.games.roles.resistance.state import ResistanceState
from tag.games.roles.resistance.values import (
    ResistanceFeatures,
    ResistanceHeuristic,
    ResistanceHeuristicParameters,
    ResistanceMetric,
)

__all__ = [
    "Resistance",
    "ResistanceFeatures",
    "ResistanceHeuristic",
    "ResistanceHeuristicParameters",
    "ResistanceMetric",
    "ResistanceParameters",
    "ResistanceState",
]
