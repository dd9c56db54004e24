"""Landscapes: made-up win rates over spaces of configurations, to measure samplers on where the truth is known."""

from __future__ import annotations

from tuning.landscapes.evolution import CONFIGURATIONS, EvolutionLandscape
from tuning.landscapes.landscape import Landscape
from tuning.landscapes.search import EVOLUTION, NAMES, make_landscape, regret, search
from tuning.landscapes.tables import FAMILIES, TableLandscape

__all__ = [
    "CONFIGURATIONS",
    "EVOLUTION",
    "FAMILIES",
    "NAMES",
    "EvolutionLandscape",
    "Landscape",
    "TableLandscape",
    "make_landscape",
    "regret",
    "search",
]
