"""Targets and goals: bands for measures of a game, their costs, and the catalogue of measures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from math import inf, isfinite, isinf, log
from typing import Final

import numpy as np
import scipy

from tag.catalogue.registry import game_class, metric_class, metrics_for
from tag.engine.parameters import parse_spec
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.orders.set_up import is_cooperative_game
from tag.playing.metrics import is_share, is_share_of_games
from tag.tournaments.statistics.intervals import Floats
from tag.tuning.balancing import measures
from tag.tuning.balancing.estimation import CandidateGames, Estimate

# The measures for targets: of each its meaning, its range, its requirements and its estimator.


#: Function that estimates a measure from games and its argument, which is empty if none is given.
Estimator = Callable[[CandidateGames, str], Estimate]

#: Kinds of games that a measure applies to.
ANYBODY: Final = ""
SIDES: Final = "sides"
ONE_TEAM: Final = "one team"

_WHY_NOT: Final = {
    SIDES: "it is about who does better, and all players of {game} win or lose together",
    ONE_TEAM: "it is about teams that win or lose together, and the players of {game} are against each other",
}


@dataclass(frozen=True)
class Measure:
    """A measure of a game, for which a target can be set.

    Attributes:
        about: its meaning in one line, with the unit.
        least: the least value that is possible.
        greatest: the greatest.
        argument: the kind of argument in parentheses (``agent``), empty for none.
        is_optional: whether that can be left out.
        for_whom: `SIDES`, `ONE_TEAM` or `ANYBODY`.
        metric: the name of the metric that must measure the games (`tag.playing.metrics`); empty for none.
    """

    name: str
    about: str
    least: float
    greatest: float
    estimate: Estimator
    argument: str = ""
    is_optional: bool = False
    for_whom: str = SIDES
    metric: str = ""

    def check_argument(self, argument: str) -> None:
        """Raise `ParameterError` where an argument is missing, too much, or not of the kind."""
        if argument and not self.argument:
            raise ParameterError(f"{self.name} takes no argument, not {argument!r}; write {self.name}=…")
        if not argument and self.argument and not self.is_optional:
            raise ParameterError(f"{self.name} needs to know which {self.argument}; write {self.name}({self.argument})")
        if argument and self.argument in _NUMBERS:
            _measure_number(self.name, self.argument, argument)

    def check_game(self, game: str, players: int) -> None:
        """Raise `ParameterError` if a game does not have this measure."""
        if self.for_whom and is_cooperative_game(game, players) == (self.for_whom == SIDES):
            raise ParameterError(f"{game} has no {self.name}: {_WHY_NOT[self.for_whom].format(game=game)}")


#: Arguments that are numbers.
_NUMBERS: Final = ("seconds", "actions")


def measures_of(game: str) -> dict[str, Measure]:
    """Return all measures by name, with those of the game's own metric; `UnknownNameError` where there is no such game."""
    name = parse_spec(game).name
    game_class(name)
    found = {one.name: one for one in _MEASURES}
    for metric in metrics_for(name):
        for measure, about in metric_class(metric).measures.items():
            found.setdefault(measure, _of_metric(measure, about, metric))
    return found


def _measure_number(name: str, kind: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -inf
    if not (isfinite(number) and number > 0.0):
        raise ParameterError(f"{name} cannot be for {text!r} {kind}; it is a number above 0, such as {name}(20)")
    return number


def _of_metric(name: str, about: str, metric: str) -> Measure:
    shares = {"is_share": is_share(about), "is_share_of_games": is_share_of_games(about)}
    possible = (0.0, 1.0) if is_share(about) else (-inf, inf)
    for_whom = SIDES if metric == "lead" else ANYBODY
    return Measure(
        name,
        about,
        *possible,
        lambda games, _: measures.measured(games, name, **shares),
        for_whom=for_whom,
        metric=metric,
    )


def _lengths(name: str, unit: str, what: str) -> Iterator[Measure]:
    """Yield the measures of length in a unit: the mean, and the 95th percentile."""
    argument = "seconds" if unit == "minutes" else ""
    for suffix, about, estimator in (
        ("", f"{what}, mean over games", measures.mean_length),
        ("_p95", f"{what}, of which 95 % of games have no more", measures.long_length),
    ):
        estimate = partial(_length, unit=unit, estimator=estimator)
        yield Measure(f"{name}{suffix}", about, 0.0, inf, estimate, argument, for_whom=ANYBODY)


def _length(games: CandidateGames, seconds: str, *, unit: str, estimator: Callable[..., Estimate]) -> Estimate:
    return estimator(games, measures.game_lengths(games, unit, float(seconds or 0.0)))


def _skill(games: CandidateGames, agent: str) -> measures.SkillTrace:
    return measures.skill_trace(games, measures.ladder(games, agent))


_MEASURES: Final = (
    Measure(
        "first_seat",
        "points of the first seat beyond an equal share: above 0 where it is good to begin",
        -1.0,
        1.0,
        lambda games, _: measures.first_seat(games),
    ),
    Measure(
        "seat_spread",
        "points of the best seat less those of the worst, without what noise adds",
        0.0,
        1.0,
        lambda games, _: measures.seat_spread(games),
    ),
    Measure("win_rate", "share of its games that an agent wins", 0.0, 1.0, measures.win_rate, "agent"),
    Measure("draws", "share of games that nobody wins", 0.0, 1.0, lambda games, _: measures.draws(games)),
    Measure(
        "success",
        "share of games that the team wins, or that a team of one agent alone does",
        0.0,
        1.0,
        measures.success,
        "agent",
        is_optional=True,
        for_whom=ONE_TEAM,
    ),
    Measure(
        "score",
        "mean score, of the seats of an agent or of all",
        -inf,
        inf,
        measures.mean_score,
        "agent",
        is_optional=True,
        for_whom=ANYBODY,
    ),
    Measure(
        "completion",
        "share of games that end by the rules, none by a fault, within so many actions if said",
        0.0,
        1.0,
        lambda games, actions: measures.completion(games, float(actions) if actions else None),
        "actions",
        is_optional=True,
        for_whom=ANYBODY,
    ),
    *_lengths("length", "ticks", "actions of a game, those without an alternative included"),
    *_lengths("decisions", "decisions", "decisions of a game, with more than one action to choose from"),
    *_lengths("turns", "turns", "turns ended in a game"),
    *_lengths("rounds", "rounds", "rounds ended in a game"),
    *_lengths("minutes", "minutes", "minutes of a game in which a decision takes so many seconds"),
    Measure(
        "restriction",
        "points per game of an agent that never takes some actions less those of the agent that may",
        -1.0,
        1.0,
        measures.restriction,
        "action",
    ),
    Measure(
        "restriction_spread",
        "points per game between the best restriction and the worst, without what noise adds",
        0.0,
        2.0,
        lambda games, _: measures.restriction_spread(games),
    ),
    Measure(
        "match_ups",
        "root mean square of the differences between scores of agents and those wanted in a CSV file",
        0.0,
        1.0,
        lambda games, file: measures.match_up_distance(games, measures.read_wanted(file)),
        "file",
    ),
    Measure(
        "skill_area",
        "what twice the budget gains, mean over the steps of a ladder: 0 for nothing, 1 for every game",
        -1.0,
        1.0,
        lambda games, agent: _skill(games, agent).area,
        "agent",
        is_optional=True,
    ),
    Measure(
        "skill_slope",
        "how much that gain changes from step to step",
        -1.0,
        1.0,
        lambda games, agent: _skill(games, agent).slope,
        "agent",
        is_optional=True,
    ),
    Measure(
        "luck",
        "share of the variance of a seat's points that the chance seed explains",
        -1.0,
        1.0,
        lambda games, _: measures.luck(games),
    ),
    Measure(
        "rules_distance",
        "mean distance of the parameters from the default rules, 0 to 1 across their ranges",
        0.0,
        1.0,
        lambda games, _: measures.candidate_distance(games),
        for_whom=ANYBODY,
    ),
)


#     seat_spread=0±0.02        within 0.02 of 0; +- where the keyboard has no ±
#     length=50..70             from 50 to 70
#     draws<=0.05               at most this share; >= for at least
#     win_rate(mcts)=0.6±0.05   the argument of a measure in parentheses: an agent, an action, a pace


_TEXT: Final = re.compile(
    r"\s*(?P<measure>\w+)\s*(?:\((?P<argument>.*)\))?\s*(?P<relation><=|>=|=)\s*(?P<band>[^()=<>]+)",
    re.ASCII | re.DOTALL,
)
_CENTRED: Final = re.compile(r"(?P<centre>.+?)(?:±|\+/?-)(?P<half>.+)")
_EXAMPLE: Final = "seat_spread=0±0.02, length=50..70 or draws<=0.05"


@dataclass(frozen=True)
class Target:
    """A band in which a measure of a game should lie, with infinite ends where it is open. Make one with `read_target`.

    The argument of the measure is an agent or an action, and empty for none.
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
        """Say whether the whole interval of the measure lies in the band."""
        return self.low <= estimate.low and estimate.high <= self.high

    def is_missed(self, estimate: Estimate) -> bool:
        """Say whether the whole interval of the measure lies outside of the band."""
        return estimate.high < self.low or self.high < estimate.low

    def violation(self, estimate: Estimate) -> float:
        """Return the squared excess of the measure over the band, with the bias of noise removed.

        With noise of standard error s, a squared excess is too great by s² on average. This is subtracted where an
        estimate is outside. So the mean over games is right far from the band, and to a tenth of s² at its ends. One
        value can be negative: it is for means and models, while `is_met` judges one candidate. In the square of the
        measure's unit; infinite where nothing is known.
        """
        if not estimate.error < inf:
            return inf
        excess = max(self.low - estimate.value, estimate.value - self.high, 0.0)
        return excess**2 - estimate.error**2 if excess > 0.0 else 0.0

    def __str__(self) -> str:
        if isinf(self.low):
            return f"{self.name}<={_plain(self.high)}"
        if isinf(self.high):
            return f"{self.name}>={_plain(self.low)}"
        return f"{self.name}={_plain(self.low)}..{_plain(self.high)}"


def read_target(text: str, game: str, players: int) -> Target:
    """Read a target for a game type with so many players, and check it against the game.

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
    """Return the estimate of each target from the games of a candidate.

    Raises:
        TagError: the games lack the argument of a measure: an agent, a restriction.
    """
    known = measures_of(game)
    return [known[one.measure].estimate(candidate, one.argument) for one in targets]


def _band(text: str, relation: str, band: str) -> tuple[float, float]:
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


#: Distance to aim inside of a band, as a share of half of its width. To show that a value at this distance is in the band
#: takes at most four times the games of a value in the middle.
_MARGIN = 0.5
#: A candidate may meet all targets where the logarithm of the probability is so much: 1 %.
_POSSIBLE: Final = log(0.01)
_ROOT_2_PI = float(np.sqrt(2.0 * np.pi))


@dataclass(frozen=True)
class Goal:
    """A target as a cost: squared excess over the band, in units of half the band's width.

    So measures of different units compare: missing a band by half of its width costs 1 for every measure. Of a band
    with one end, the other is the least or greatest value that is possible; where there is none, the unit is the end
    itself.

    A value just inside the band takes very many games to show. So a search aims a margin inside of the ends: `expected`
    and `aimed` count from there.

    Attributes:
        target: the band.
        unit: the size of a miss of 1, in the unit of the measure.
        weight: the cost of such a miss.
        margin: how far inside of the band to aim, in the unit of the measure.
    """

    target: Target
    unit: float
    weight: float = 1.0
    margin: float = 0.0

    def excess(self, values: Floats) -> Floats:
        """Return by how many units values are outside of the band."""
        return self._beyond(values, 0.0)

    def aimed(self, values: Floats) -> Floats:
        """Return the cost of values for the search, with the margin."""
        found: Floats = self.weight * self._beyond(values, self.margin) ** 2
        return found

    def observed(self, estimate: Estimate) -> float:
        """Return the cost of an estimate, with the bias of noise removed; infinite where nothing is known."""
        return self.weight * self.target.violation(estimate) / self.unit**2

    def expected(self, means: Floats, deviations: Floats) -> Floats:
        """Return the expected cost for the search of values with normal laws of these means and standard deviations."""
        above = _expected_square(means - (self.target.high - self.margin), deviations)
        below = _expected_square(self.target.low + self.margin - means, deviations)
        found: Floats = self.weight * (above + below) / self.unit**2
        return found

    def log_chance(self, means: Floats, deviations: Floats) -> Floats:
        """Return the logarithm of the probability that values with such normal laws lie in the band."""
        low, high = ((end - means) / np.maximum(deviations, 1e-12) for end in (self.target.low, self.target.high))
        low, high = np.where(low > 0.0, -high, low), np.where(low > 0.0, -low, high)  # the tail of precise numbers
        below, within = scipy.special.log_ndtr(low), scipy.special.log_ndtr(high)
        found: Floats = within + np.log1p(-np.exp(np.minimum(below - within, -1e-15)))
        return found

    def _beyond(self, values: Floats, margin: float) -> Floats:
        beyond = np.maximum(self.target.low + margin - values, values - (self.target.high - margin))
        found: Floats = np.maximum(beyond, 0.0) / self.unit
        return found


def misses(goals: Sequence[Goal], values: Floats) -> Floats:
    """Return by how much candidates miss all targets together, of shape (candidates,), 0 within all bands.

    It is the root of the sum of the squared excesses over the bands, each in units of half of its band and by its
    weight. Values of the measures have shape (goals, candidates).
    """
    squares = [goal.weight * goal.excess(row) ** 2 for goal, row in zip(goals, values, strict=True)]
    found: Floats = np.sqrt(np.sum(squares, axis=0))
    return found


def ranks(goals: Sequence[Goal], means: Floats, deviations: Floats, costs: Floats) -> list[tuple[int, float]]:
    """Return the ranks of candidates by what is known of their measures; the less the better.

    Those that may meet all targets come first, by the probability that they do, as the least cost may miss one target by
    little for sure. All others follow by cost.

    Args:
        goals: the targets.
        means: of the measures, shape (goals, candidates).
        deviations: their standard errors, of the same shape.
        costs: of the candidates, shape (candidates,).
    """
    chances = np.sum([goal.log_chance(*row) for goal, *row in zip(goals, means, deviations, strict=True)], axis=0)
    is_possible = chances >= _POSSIBLE
    return list(zip(np.where(is_possible, 0, 1).tolist(), np.where(is_possible, -chances, costs).tolist(), strict=True))


def goals_of(game: str, targets: Sequence[Target], weights: Sequence[str] = ()) -> tuple[Goal, ...]:
    """Return the targets as goals, with the weights given as ``name=number`` for some of them.

    Raises:
        UnknownNameError: a weight names no target.
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
    return high if isinf(low) else low


def _expected_square(distances: Floats, deviations: Floats) -> Floats:
    """Return the mean of the squares of the positive parts of normal values."""
    spread = np.maximum(deviations, 1e-12)
    z = np.where(np.isfinite(distances), distances, -1.0) / spread
    density = np.exp(-0.5 * z * z) / _ROOT_2_PI
    square = spread**2 * ((1.0 + z * z) * scipy.special.ndtr(z) + z * density)
    found: Floats = np.where(np.isfinite(distances), np.maximum(square, 0.0), 0.0)
    return found
