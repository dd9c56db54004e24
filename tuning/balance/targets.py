"""Targets: what a measure of a game should be, as text and as value.

seat_spread=0±0.02      within 0.02 of 0; +- for ± where the keyboard has none
length=50..70           from 50 to 70
draws<=0.05             at most so often; >= for at least
win_rate(mcts)=0.6±0.05 of an agent, an action, a pace: what the measure asks for stands in parentheses
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import inf, isinf
from typing import Final

from tag.errors import ParameterError, SpecError, UnknownNameError
from tuning.balance.candidate import CandidateGames
from tuning.balance.catalogue import Measure, measures_of
from tuning.balance.estimate import Estimate

_TEXT: Final = re.compile(
    r"\s*(?P<measure>\w+)\s*(?:\((?P<argument>.*)\))?\s*(?P<relation><=|>=|=)\s*(?P<band>[^()=<>]+)",
    re.ASCII | re.DOTALL,
)
_CENTRED: Final = re.compile(r"(?P<centre>.+?)(?:±|\+/?-)(?P<half>.+)")
_EXAMPLE: Final = "seat_spread=0±0.02, length=50..70 or draws<=0.05"


@dataclass(frozen=True)
class Target:
    """A band in which a measure of a game should lie. Make one with `read_target`, which checks it.

    Attributes:
        measure: its name (`tuning.balance.catalogue`).
        low: the lower end of the band; infinite for none.
        high: the upper end.
        argument: what the measure is of: an agent, an action; empty for nothing.
    """

    measure: str
    low: float
    high: float
    argument: str = ""

    @property
    def name(self) -> str:
        """The measure with its argument: ``win_rate(mcts)``."""
        return f"{self.measure}({self.argument})" if self.argument else self.measure

    def is_met(self, estimate: Estimate) -> bool:
        """Say whether the measure lies in the band for all that is known: its whole interval does."""
        return self.low <= estimate.low and estimate.high <= self.high

    def is_missed(self, estimate: Estimate) -> bool:
        """Say whether the measure lies outside of the band for all that is known: its whole interval does."""
        return estimate.high < self.low or self.high < estimate.low

    def violation(self, estimate: Estimate) -> float:
        """Return the square of how far the measure is outside of the band, without what noise adds to it.

        With noise of standard error s, a squared excess is too great by s² on average, which is taken off where an estimate
        is outside; so the mean over games is right, far from the band and, to a tenth of s², at its ends. One value can
        be negative: it is for means and models, not for judging one candidate, which `is_met` does. In the square of the
        measure's unit; infinite where nothing is known.
        """
        if not estimate.error < inf:
            return inf
        excess = max(self.low - estimate.value, estimate.value - self.high, 0.0)
        return excess**2 - estimate.error**2 if excess > 0.0 else 0.0

    def __str__(self) -> str:
        """Return the target as text, which `read_target` reads back."""
        if isinf(self.low):
            return f"{self.name}<={_plain(self.high)}"
        if isinf(self.high):
            return f"{self.name}>={_plain(self.low)}"
        return f"{self.name}={_plain(self.low)}..{_plain(self.high)}"


def read_target(text: str, game: str, players: int) -> Target:
    """Read a target for a game type with so many players, and check that it can be had.

    Raises:
        SpecError: it is not written like a target.
        UnknownNameError: there is no such measure.
        ParameterError: the band holds nothing, or nothing that the measure can be, or the game cannot give the measure.

    >>> read_target("draws<=0.05", "tic_tac_toe", 2)
    Target(measure='draws', low=-inf, high=0.05, argument='')
    >>> print(read_target("length = 7 +- 0.5", "tic_tac_toe", 2))
    length=6.5..7.5
    """
    parts = _TEXT.fullmatch(text)
    if not parts:
        raise SpecError(f"{text!r} is no target; write one like {_EXAMPLE}")
    known = measures_of(game)
    if parts["measure"] not in known:
        raise UnknownNameError.of("measure", parts["measure"], known)
    measure, argument = known[parts["measure"]], (parts["argument"] or "").strip()
    measure.check_argument(argument)
    measure.check_game(game, players)
    low, high = _band(text, parts["relation"], parts["band"].strip())
    _check_band(text, measure, low, high)
    return Target(measure.name, low, high, argument)


def needed_metrics(targets: Iterable[Target], game: str) -> tuple[str, ...]:
    """Return the names of the metrics with which the games have to be played, each once."""
    known = measures_of(game)
    return tuple(dict.fromkeys(known[one.measure].metric for one in targets if known[one.measure].metric))


def estimates(targets: Iterable[Target], candidate: CandidateGames, game: str) -> list[Estimate]:
    """Return what the games of a candidate tell about each target.

    Raises:
        TagError: the games do not have what a measure is of: an agent, a restriction.
    """
    known = measures_of(game)
    return [known[one.measure].estimate(candidate, one.argument) for one in targets]


def _band(text: str, relation: str, band: str) -> tuple[float, float]:
    """Return the ends of a band as it is written."""
    if relation != "=":
        bound = float(_number(text, band))
        return (-inf, bound) if relation == "<=" else (bound, inf)
    centred = _CENTRED.fullmatch(band)
    if centred:
        centre, half = _number(text, centred["centre"]), _number(text, centred["half"])
        return float(centre - half), float(centre + half)
    low, dots, high = band.partition("..")
    if not dots:
        number = _number(text, band)
        raise ParameterError(f"{text!r} has no width, and games are never so sure; write ={number}±…, <= or >=")
    return float(_number(text, low)), float(_number(text, high))


def _check_band(text: str, measure: Measure, low: float, high: float) -> None:
    """Refuse a band that nothing can lie in."""
    if low > high:
        raise ParameterError(f"the band of {text!r} is upside down; write {measure.name}={high:g}..{low:g}")
    if low == high:
        raise ParameterError(f"the band of {text!r} is empty, and games are never so sure; give it a width")
    if high < measure.least or low > measure.greatest:
        possible = (
            f"at least {measure.least:g}" if isinf(measure.greatest) else f"{measure.least:g} to {measure.greatest:g}"
        )
        raise ParameterError(f"{text!r} cannot be met: {measure.name} is {possible}")


def _number(text: str, part: str) -> Decimal:
    try:
        number = Decimal(part.strip())
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise SpecError(f"{part.strip()!r} in the target {text!r} is no number; write one like {_EXAMPLE}")
    return number


def _plain(number: float) -> str:
    """Return a number as people write it, exactly."""
    return repr(number + 0.0).removesuffix(".0")  # 0 also for -0
