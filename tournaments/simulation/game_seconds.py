"""How long simulated games take."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log
from pathlib import Path
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from tag.errors import ParameterError
from tournaments.ledger import read_timings

_Floats = npt.NDArray[np.float64]

_LOGNORMAL: Final = "lognormal:"
_MEASURED: Final = "measured:"


@dataclass(frozen=True)
class GameSeconds:
    """A distribution of lengths of games, in seconds of a worker's time.

    Attributes:
        log_mean: the mean of the logarithm; a log-normal distribution, constant where `log_deviation` is 0.
        log_deviation: the standard deviation of the logarithm.
        measured: lengths to draw from instead, each as likely; none for the above.
    """

    log_mean: float = 0.0
    log_deviation: float = 0.0
    measured: tuple[float, ...] = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``0.05`` (constant), ``lognormal:0.05,0.5`` (median, deviation of the logarithm) or ``measured:DIR``.

        The last draws from the games of the tournament in DIR: the time that their agents took.

        Raises:
            ParameterError: it is none of these.
            DataError: there is no tournament in DIR, or nothing is played.
        """
        if text.startswith(_MEASURED):
            timings = read_timings(Path(text.removeprefix(_MEASURED)))
            lengths = timings.groupby("game_id", sort=False)["seconds"].sum()
            if not lengths.sum():
                raise ParameterError(f"game-seconds cannot be {text!r}; no game there has taken any time")
            return cls(measured=tuple(lengths.to_list()))
        parts = text.removeprefix(_LOGNORMAL).split(",")
        if len(parts) != (2 if text.startswith(_LOGNORMAL) else 1):
            raise _refusal(text)
        try:
            median, deviation = float(parts[0]), float(parts[1]) if len(parts) > 1 else 0.0
        except ValueError:
            raise _refusal(text) from None
        if not 0.0 < median < inf or not 0.0 <= deviation < inf:
            raise _refusal(text)
        return cls(log(median), deviation)

    @property
    def mean(self) -> float:
        """The mean length."""
        if self.measured:
            return float(np.mean(self.measured))
        return exp(self.log_mean + self.log_deviation**2 / 2.0)

    def draw(self, games: int, rng: np.random.Generator) -> _Floats:
        """Return the lengths of so many games."""
        if self.measured:
            return rng.choice(np.array(self.measured), games)
        if not self.log_deviation:
            return np.full(games, exp(self.log_mean))
        return rng.lognormal(self.log_mean, self.log_deviation, games)


def _refusal(text: str) -> ParameterError:
    return ParameterError(
        f"game-seconds cannot be {text!r}; it is a number of seconds, lognormal:MEDIAN,DEVIATION or measured:DIR"
    )
