"""Boards of squares, of hexagons, and of places with connections."""

from __future__ import annotations

from tag.components._boards.board import Board
from tag.components._boards.graphs import BoardNode, Edge, Graph, GraphBoard
from tag.components._boards.grids import GridBoard, PartiallyObservableGridBoard
from tag.components._boards.hexagons import HexBoard, HexGrid

__all__ = [
    "Board",
    "BoardNode",
    "Edge",
    "Graph",
    "GraphBoard",
    "GridBoard",
    "HexBoard",
    "HexGrid",
    "PartiallyObservableGridBoard",
]
