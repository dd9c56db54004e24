"""The parameters of Dots and Boxes and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import Parameters, integer, real
from tag.games.abstract.dots_and_boxes.data import LARGEST


@dataclass
class DotsAndBoxesParameters(Parameters):
    """The grid, and TAG's restriction of the opening."""

    width: int = integer(7, 1, LARGEST, "boxes in a row")
    height: int = integer(5, 1, LARGEST, "boxes in a column")
    third_sides_after: int = integer(
        0,
        0,
        760,
        "lines until one may be the third side of a box, unless it completes another or there is no other line",
    )


@dataclass
class DotsAndBoxesHeuristicParameters(Parameters):
    """The weights of `DotsAndBoxesHeuristic`; an owned box weighs 1."""

    takeable: float = real(1.0, 0.0, 1.0, "weight of a box that the player to move can take")
    chains: float = real(
        1.0, 0.0, 1.0, "weight of the boxes of chains and loops, once every line is the third side of a box"
    )
