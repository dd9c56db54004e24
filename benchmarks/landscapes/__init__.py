"""Landscapes: made-up win rates over spaces of configurations, to measure samplers where the truth is known."""

from __future__ import annotations

from typing import Final

from benchmarks.landscapes.evolution import EvolutionLandscape as EvolutionLandscape
from benchmarks.landscapes.landscape import Landscape as Landscape
from benchmarks.landscapes.shapes import SHAPES as SHAPES
from benchmarks.landscapes.shapes import ShapedLandscape as ShapedLandscape
from benchmarks.landscapes.tables import FAMILIES as FAMILIES
from benchmarks.landscapes.tables import TableLandscape as TableLandscape

EVOLUTION: Final = "evolution"
NAMES: Final = (EVOLUTION, *FAMILIES)


def make_landscape(family: str, seed: int, repetition: int = 0) -> Landscape:
    """Return a landscape of the benchmark: seeds 0 to 19 of ``evolution``, 0 to 3 of each other family."""
    if family == EVOLUTION:
        return EvolutionLandscape(seed, repetition)
    if family in SHAPES:
        return ShapedLandscape(family, seed, repetition)
    return TableLandscape(family, seed, repetition)
