"""Mean scores, validations of scores, and minima over opponents, of games whose law is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from benchmarks.coverage.table import Settings, Shares, Table
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tuning.agent.comparisons.panels import PanelEstimate
from tag.tuning.validation import Validation

Floats = npt.NDArray[np.float64]
#: Scores of games, of a shape.
Law = Callable[[np.random.Generator, tuple[int, ...]], Floats]

#: Laws whose mean is 0. A block has two games.
LAWS: Final[Mapping[str, Law]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "discrete": lambda rng, shape: rng.choice([-2.0, -1.0, 0.0, 3.0], shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "lognormal": lambda rng, shape: rng.lognormal(-0.5, 1.0, shape) - 1.0,
    "two lognormals": lambda rng, shape: rng.lognormal(-0.125, 0.5, shape) - rng.lognormal(-0.5, 1.0, shape),
    "rare loss": lambda rng, shape: np.where(rng.random(shape) < 0.05, -19.0, 1.0),
    "rare loss, noise": lambda rng, shape: np.where(rng.random(shape) < 0.05, -19.0, 1.0) + rng.normal(size=shape),
}
_LAWS_TOLD: Final = (
    "All laws have the mean 0. *Two lognormals* is the difference between one of deviation 0.5 and one of 1, in logarithms, "
    "of equal means; *rare loss* is -19 in 5 % of games, otherwise 1. A block has two games, whose luck is their own, or "
    "shared: then both have the same score."
)
LUCK: Final = ("own", "shared")
#: Chances to win against each opponent: of the recommendation, and of the default.
PANELS: Final[Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    "equals, level": ((0.5, 0.5), (0.5, 0.5)),
    "equals, the default level": ((0.5, 0.9), (0.5, 0.5)),
    "equals, nearly level": ((0.5, 0.52), (0.5, 0.55)),
    "equals, the default level against four": ((0.6, 0.95, 0.95, 0.95), (0.6, 0.6, 0.6, 0.6)),
    "better by 10 points": ((0.5, 0.6), (0.4, 0.8)),
}


def blocks_of(law: str, luck: str, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Return the mean scores of blocks of two games, of shape (samples, blocks)."""
    return LAWS[law](rng, shape) if luck == "shared" else LAWS[law](rng, (2, *shape)).mean(axis=0)


def means(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often intervals of a mean score hold the mean."""
    law, luck, blocks = settings
    ones, held = np.ones(blocks), 0
    for values in blocks_of(law, luck, (simulations, blocks), rng):
        low, high = ClusteredMean.of(values, ones).interval(-inf, inf)
        held += low <= 0.0 <= high
    return {"held": held / simulations}


def validations(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often validations of differences in score hold the difference, and how often they call equals better."""
    law, luck, blocks = settings
    held = better = 0
    for values in blocks_of(law, luck, (simulations, blocks), rng):
        validation = Validation(blocks, 2)
        for value in values.tolist():
            validation.add(value)
        result = validation.result()
        held += result.low <= 0.0 <= result.high
        better += result.decision == "better"
    return {"held": held / simulations, "equals called better": better / simulations}


def minima(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often intervals of the difference between two minima over opponents hold it."""
    panel, luck, blocks = settings
    ours, theirs = PANELS[panel]
    chances, share, held = np.array([ours, theirs]), 0.6 if luck == "shared" else 0.0, 0
    for _study in range(simulations):
        deals, own = rng.normal(size=(blocks, 1, 1, 2)), rng.normal(size=(blocks, *chances.shape, 2))
        won = sqrt(share) * deals + sqrt(1.0 - share) * own < ndtri(chances)[None, :, :, None]
        low, high = PanelEstimate(won.mean(axis=3), min).interval(0.95)
        held += low - 1e-9 <= min(ours) - min(theirs) <= high + 1e-9
    return {"held": held / simulations}


TABLES: Final = [
    Table(
        "Mean scores",
        f"How often the interval of a mean score holds it. {_LAWS_TOLD} Of few blocks nothing can be known about rare "
        "events: ten blocks are all alike in 36 to 60 % of samples with rare losses, and then no interval holds the mean.",
        ("law", "luck", "blocks"),
        [((law, luck, blocks), 400) for law in LAWS for luck in LUCK for blocks in (2, 5, 10, 20, 50, 100, 500, 2_000)],
        means,
    ),
    Table(
        "Validations of scores",
        f"Differences between equals. {_LAWS_TOLD} At most 2.5 % should be called better.",
        ("law", "luck", "blocks"),
        [((law, luck, blocks), 500) for law in LAWS for luck in LUCK for blocks in (100, 500)],
        validations,
    ),
    Table(
        "Minima over opponents",
        "How often the interval of the difference between two agents in the minimum of win rates over opponents holds it. "
        "Both play two games against each opponent in a block; shared luck is 60 % of the variance of all games of a block.",
        ("chances", "luck", "blocks"),
        [((panel, luck, blocks), 100) for panel in PANELS for luck in LUCK for blocks in (20, 125)],
        minima,
    ),
]
