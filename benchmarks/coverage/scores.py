"""How often intervals of scores hold, and how often equals are called better: by simulation, with known means.

python benchmarks/coverage/scores.py --simulations 500        (about two minutes of CPU)

Writes a table in Markdown. The mean of all laws is 0. The luck of a block's two games is their own, or shared: then both
have the same score.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

sys.path.insert(0, str(Path(__file__).parents[2]))

from tournaments.statistics.intervals import ClusteredMean
from tuning.search.panels import PanelEstimate
from tuning.search.validation import Validation

Floats = npt.NDArray[np.float64]
#: Scores of games, of a shape.
Law = Callable[[np.random.Generator, tuple[int, ...]], Floats]

LAWS: Final[Mapping[str, Law]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "discrete": lambda rng, shape: rng.choice([-2.0, -1.0, 0.0, 3.0], shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "lognormal": lambda rng, shape: rng.lognormal(-0.5, 1.0, shape) - 1.0,
    "difference of lognormals": lambda rng, shape: rng.lognormal(-0.125, 0.5, shape) - rng.lognormal(-0.5, 1.0, shape),
    "-19 in 5 %, else 1": lambda rng, shape: np.where(rng.random(shape) < 0.05, -19.0, 1.0),
    "-19 in 5 %, else 1, and noise": lambda rng, shape: (
        np.where(rng.random(shape) < 0.05, -19.0, 1.0) + rng.normal(size=shape)
    ),
}
LUCK: Final = ("own", "shared")
#: Blocks of intervals, and of validations.
BLOCKS: Final = (2, 5, 10, 20, 50, 100, 500, 2_000)
PLANNED: Final = (100, 500)
#: Chances to win against each opponent, of both sides.
PANELS: Final = (
    ((0.5, 0.5), (0.5, 0.5)),
    ((0.5, 0.9), (0.5, 0.5)),
    ((0.5, 0.52), (0.5, 0.55)),
    ((0.6, 0.95, 0.95, 0.95), (0.6, 0.6, 0.6, 0.6)),
)


@dataclass(frozen=True)
class Cell:
    """One row of the table.

    Attributes:
        quantity: what has an interval.
        holds: the share of intervals with the truth.
        better: the share of validations that called equals better; None where there is no verdict.
    """

    quantity: str
    law: str
    luck: str
    blocks: int
    simulations: int
    holds: float
    better: float | None = None

    @property
    def row(self) -> str:
        """The cell as a row in Markdown, with the standard error of the first share."""
        error = sqrt(max(self.holds * (1.0 - self.holds), 0.25 / self.simulations) / self.simulations)
        claimed = "" if self.better is None else f"{100.0 * self.better:.1f} %"
        return (
            f"| {self.quantity} | {self.law} | {self.luck} | {self.blocks:,} | {self.simulations:,} "
            f"| {100.0 * self.holds:.1f} ± {100.0 * error:.1f} % | {claimed} |"
        )


def blocks_of(law: str, luck: str, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Return the mean scores of blocks of two games."""
    return LAWS[law](rng, shape) if luck == "shared" else LAWS[law](rng, (2, *shape)).mean(axis=0)


def of_mean(law: str, luck: str, blocks: int, simulations: int, rng: np.random.Generator) -> Cell:
    """Return how often intervals of a mean score hold; blocks that are all equal have that of equals."""
    held = 0
    for values in blocks_of(law, luck, (simulations, blocks), rng):
        low, high = ClusteredMean.of(values, np.ones(blocks)).interval(-inf, inf)
        held += low <= 0.0 <= high
    return Cell("mean score", law, luck, blocks, simulations, held / simulations)


def of_validation(law: str, luck: str, blocks: int, simulations: int, rng: np.random.Generator) -> Cell:
    """Return how often validations of differences in score hold, and how often they are wrong."""
    held = better = 0
    for values in blocks_of(law, luck, (simulations, blocks), rng):
        validation = Validation(blocks, 2)
        for value in values.tolist():
            validation.add(value)
        result = validation.result()
        held += result.low <= 0.0 <= result.high
        better += result.decision == "better"
    return Cell("validation", law, luck, blocks, simulations, held / simulations, better / simulations)


def of_panel(
    ours: Sequence[float], theirs: Sequence[float], luck: str, blocks: int, simulations: int, rng: np.random.Generator
) -> Cell:
    """Return how often intervals of the difference of two minima over opponents hold."""
    chances, share = np.array([ours, theirs]), 0.6 if luck == "shared" else 0.0
    held, true = 0, min(ours) - min(theirs)
    limits = ndtri(chances)
    for _study in range(simulations):
        deals, own = rng.normal(size=(blocks, 1, 1, 2)), rng.normal(size=(blocks, *chances.shape, 2))
        won = sqrt(share) * deals + sqrt(1.0 - share) * own < limits[None, :, :, None]
        low, high = PanelEstimate(won.mean(axis=3), min).interval(0.95)
        held += low - 1e-9 <= true <= high + 1e-9
    return Cell("minimum", f"{_words(ours)} and {_words(theirs)}", luck, blocks, simulations, held / simulations)


def cells(simulations: int, seed: int = 1) -> Iterator[Cell]:
    """Yield all rows, each from numbers of its own; those of panels have a fifth of the simulations."""
    for law in LAWS:
        for luck in LUCK:
            for blocks in BLOCKS:
                yield of_mean(law, luck, blocks, simulations, np.random.default_rng([seed, blocks]))
            for blocks in PLANNED:
                yield of_validation(law, luck, blocks, simulations, np.random.default_rng([seed, blocks]))
    for ours, theirs in PANELS:
        for luck in LUCK:
            yield of_panel(ours, theirs, luck, 100, max(simulations // 5, 1), np.random.default_rng(seed))


def table(simulations: int) -> str:
    """Return the table in Markdown."""
    head = "| interval of | law | luck of a block | blocks | simulations | holds | equals called better |"
    return "\n".join([head, "|" + "---|" * 7, *(cell.row for cell in cells(simulations))])


def _words(chances: Sequence[float]) -> str:
    return ", ".join(f"{chance:g}" for chance in chances)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=500)
    print(table(parser.parse_args().simulations))


if __name__ == "__main__":
    main()
