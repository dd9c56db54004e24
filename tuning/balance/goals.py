"""Goals: targets with what a miss of each costs, so that several can be weighed against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isinf

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from tag.errors import ParameterError, UnknownNameError
from tuning.balance.catalogue import measures_of
from tuning.balance.estimate import Estimate
from tuning.balance.targets import Target

_Floats = npt.NDArray[np.float64]
#: How far inside of a band to aim, as a share of half of its width: what is there takes at most four times the
#: games of what is in the middle to be shown.
_MARGIN = 0.5
_ROOT_2_PI = float(np.sqrt(2.0 * np.pi))


@dataclass(frozen=True)
class Goal:
    """A target as a cost: squared excess over the band, in units of half the band's width.

    So measures of different units compare: missing a band by half of its width costs 1, whatever it is about. Of a band
    with one end, the other is the least or greatest value that is possible; where there is none, the unit is the end itself.

    What is only just in the band takes ever more games to be shown to be. So a search aims a margin inside of its ends:
    `expected` and `aimed` count from there.

    Attributes:
        target: the band.
        unit: what a miss of 1 is, in the unit of the measure.
        weight: what such a miss costs.
        margin: how far inside of the band to aim, in the unit of the measure.
    """

    target: Target
    unit: float
    weight: float = 1.0
    margin: float = 0.0

    def excess(self, values: _Floats) -> _Floats:
        """Return by how many units values are outside of the band."""
        return self._beyond(values, 0.0)

    def aimed(self, values: _Floats) -> _Floats:
        """Return what values cost a search."""
        found: _Floats = self.weight * self._beyond(values, self.margin) ** 2
        return found

    def observed(self, estimate: Estimate) -> float:
        """Return what an estimate costs, without what noise adds on average; infinite where nothing is known."""
        return self.weight * self.target.violation(estimate) / self.unit**2

    def expected(self, means: _Floats, deviations: _Floats) -> _Floats:
        """Return what values cost a search on average that are believed to be normal, by means and standard deviations."""
        above = _expected_square(means - (self.target.high - self.margin), deviations)
        below = _expected_square(self.target.low + self.margin - means, deviations)
        found: _Floats = self.weight * (above + below) / self.unit**2
        return found

    def _beyond(self, values: _Floats, margin: float) -> _Floats:
        beyond = np.maximum(self.target.low + margin - values, values - (self.target.high - margin))
        found: _Floats = np.maximum(beyond, 0.0) / self.unit
        return found


def misses(goals: Sequence[Goal], values: _Floats) -> _Floats:
    """Return by how much candidates miss all targets together, of shape (candidates,), 0 within all bands.

    It is the root of the sum of the squared excesses over the bands, each in units of half of its band and by its weight.

    Args:
        goals: what the measures are to be.
        values: what they are, of shape (goals, candidates).
    """
    squares = [goal.weight * goal.excess(row) ** 2 for goal, row in zip(goals, values, strict=True)]
    found: _Floats = np.sqrt(np.sum(squares, axis=0))
    return found


def goals_of(game: str, targets: Sequence[Target], weights: Sequence[str] = ()) -> tuple[Goal, ...]:
    """Return the targets as costs.

    Args:
        game: the spec of the game type.
        targets: the bands.
        weights: what misses of some cost, as ``name=number``.

    Raises:
        UnknownNameError: a weight is of no target.
        ParameterError: a weight is no number above 0.
    """
    by_name = dict(_weight(text) for text in weights)
    names = [target.name for target in targets]
    for name in by_name:
        if name not in names:
            raise UnknownNameError.of("target", name, names)
    known = measures_of(game)
    found = []
    for one in targets:
        ends = max(one.low, known[one.measure].least), min(one.high, known[one.measure].greatest)
        half = (ends[1] - ends[0]) / 2.0
        unit, margin = (half or 1.0, half * _MARGIN) if half < inf else (abs(_finite(*ends)) or 1.0, 0.0)
        found.append(Goal(one, unit, by_name.get(one.name, 1.0), margin))
    return tuple(found)


def _weight(text: str) -> tuple[str, float]:
    name, _equals, number = text.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        weight = -1.0
    if not name or not 0.0 < weight < float("inf"):
        raise ParameterError(f"{text!r} is no weight; write a target's name and a number above 0, such as length=2")
    return name.strip(), weight


def _finite(low: float, high: float) -> float:
    """Return the end of a band with one end."""
    return high if isinf(low) else low


def _expected_square(distances: _Floats, deviations: _Floats) -> _Floats:
    """Return the mean of the squares of the positive parts of normal values."""
    spread = np.maximum(deviations, 1e-12)
    z = np.where(np.isfinite(distances), distances, -1.0) / spread
    density = np.exp(-0.5 * z * z) / _ROOT_2_PI
    square = spread**2 * ((1.0 + z * z) * ndtr(z) + z * density)
    found: _Floats = np.where(np.isfinite(distances), np.maximum(square, 0.0), 0.0)
    return found
