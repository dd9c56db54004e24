"""Dots and Boxes, the traditional game for 2 to 6 players, as described by É. Lucas (Récréations mathématiques II, 1883).

Rules: a grid of dots is given. The players by turns draw a line between two dots next to each other in a row or column.
Who draws the fourth side of a box owns it, and must draw another line; one line that completes two boxes gives one more
line. A box may be left to the others. When all lines are drawn, most boxes win.

Where the rules leave it to the players: the grid has 7 by 5 boxes, as in TAG, and seat 0 begins. Players who share the
first place draw. No line is drawn at first; in Lucas's game La Pipopipette (1889) those of the border were.

Variants (`DotsAndBoxesParameters`): width and height of the grid, and TAG's restriction of the opening
(``disallowThreeBoxCreationUntilMove``): until so many lines are drawn, none may be the third side of a box, unless it
completes another box, or all lines left are such ones.

What a player knows: everything.

Unlike TAG's heuristic, the one here counts out chains and loops, after E. Berlekamp, "The Dots-and-Boxes Game: Sophisticated
Child's Play", 2000.
"""

from tag.games.abstract.dots_and_boxes.data import DotsAndBoxesParameters
from tag.games.abstract.dots_and_boxes.rules import DotsAndBoxes
from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState
from tag.games.abstract.dots_and_boxes.values import (
    DotsAndBoxesFeatures,
    DotsAndBoxesHeuristic,
    DotsAndBoxesHeuristicParameters,
    DotsAndBoxesMetric,
)

__all__ = [
    "DotsAndBoxes",
    "DotsAndBoxesFeatures",
    "DotsAndBoxesHeuristic",
    "DotsAndBoxesHeuristicParameters",
    "DotsAndBoxesMetric",
    "DotsAndBoxesParameters",
    "DotsAndBoxesState",
]
