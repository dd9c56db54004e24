"""Catan (Klaus Teuber, Kosmos, 1995), settlements, roads and trade on an island of hexes, for 3 or 4 players.

Draft.
"""

from tag.games.boards.catan.data import CatanParameters
from tag.games.boards.catan.rules import Catan
from tag.games.boards.catan.state import CatanState
from tag.games.boards.catan.values import CatanFeatures, CatanHeuristic, CatanHeuristicParameters, CatanMetric

__all__ = [
    "Catan",
    "CatanFeatures",
    "CatanHeuristic",
    "CatanHeuristicParameters",
    "CatanMetric",
    "CatanParameters",
    "CatanState",
]
