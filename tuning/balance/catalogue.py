"""The measures that targets can be about: what each is, what it may be, what it needs, and what estimates it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite
from typing import Final

from tag.errors import ParameterError
from tag.registry import game_class, metric_class, metrics_for
from tag.spec import parse_spec
from tournaments.analysis.definition import Event
from tournaments.analysis.measures import is_share, is_share_of_games
from tuning.balance import lengths, luck, match_ups, outcomes, printed_rules, restrictions, seats, skill
from tuning.balance.candidate import CandidateGames
from tuning.balance.courses import measured
from tuning.balance.estimate import Estimate

#: Estimates a measure from games and its argument, which is empty where none is given.
Estimator = Callable[[CandidateGames, str], Estimate]

#: Who a measure makes sense for.
ANYBODY: Final = ""
SIDES: Final = "sides"
ONE_TEAM: Final = "one team"

_WHY_NOT: Final = {
    SIDES: "it is about who does better, and all players of {game} win or lose together",
    ONE_TEAM: "it is about teams that win or lose together, and the players of {game} are against each other",
}


@dataclass(frozen=True)
class Measure:
    """Something about a game that a target can be set for.

    Attributes:
        name: as in targets.
        about: what it is, in one line, with the unit.
        least: the least value that is possible.
        greatest: the greatest.
        argument: what is named in parentheses (``agent``), empty where nothing is.
        is_optional: whether that can be left out.
        for_whom: `SIDES`, `ONE_TEAM` or `ANYBODY`.
        metric: the name of the metric that has to measure the games (`tag.metrics`); empty for none.
        estimate: what estimates it.
    """

    name: str
    about: str
    least: float
    greatest: float
    estimate: Estimator
    argument: str = ""
    is_optional: bool = False
    for_whom: str = ANYBODY
    metric: str = ""

    def check_argument(self, argument: str) -> None:
        """Raise `ParameterError` where an argument is missing, too much, or not of the kind."""
        if argument and not self.argument:
            raise ParameterError(f"{self.name} takes no argument, not {argument!r}; write {self.name}=…")
        if not argument and self.argument and not self.is_optional:
            raise ParameterError(f"{self.name} needs to know which {self.argument}; write {self.name}({self.argument})")
        if argument and self.argument in _NUMBERS:
            _number(self.name, self.argument, argument)

    def check_game(self, game: str, players: int) -> None:
        """Raise `ParameterError` where a game cannot give it."""
        if self.for_whom and Event(game, players).is_contest != (self.for_whom == SIDES):
            raise ParameterError(f"{game} has no {self.name}: {_WHY_NOT[self.for_whom].format(game=game)}")


#: What is written as a number in parentheses.
_NUMBERS: Final = ("seconds", "actions")


def measures_of(game: str) -> dict[str, Measure]:
    """Return all measures by name, with those of the game's own metric.

    Raises:
        UnknownNameError: there is no such game.
    """
    name = parse_spec(game).name
    game_class(name)
    found = {one.name: one for one in (*_OUTCOMES, *_lengths(), *_STUDIES)}
    for metric in metrics_for(name):
        for measure, about in metric_class(metric).measures.items():
            found.setdefault(measure, _of_metric(measure, about, metric))
    return found


def _number(name: str, kind: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -inf
    if not (isfinite(number) and number > 0.0):
        raise ParameterError(f"{name} cannot be for {text!r} {kind}; it is a number above 0, such as {name}(20)")
    return number


def _of_metric(name: str, about: str, metric: str) -> Measure:
    shares = {"is_share": is_share(about), "is_share_of_games": is_share_of_games(about)}
    least, greatest = (0.0, 1.0) if is_share(about) else (-inf, inf)
    for_whom = SIDES if metric == "lead" else ANYBODY

    def estimate(candidate: CandidateGames, _argument: str) -> Estimate:
        return measured(candidate, name, **shares)

    return Measure(name, about, least, greatest, estimate, for_whom=for_whom, metric=metric)


def _lengths() -> list[Measure]:
    """Return the measures of length: the mean, and what 95 % of games stay below."""
    found = []
    for name, (unit, what) in _UNITS.items():
        argument = "seconds" if unit == "minutes" else ""
        for suffix, about, estimator in (
            ("", f"{what}, mean over games", lengths.mean_length),
            ("_p95", f"{what}, of which 95 % of games have no more", lengths.long_length),
        ):
            estimate = partial(_length, unit=unit, estimator=estimator)
            found.append(Measure(f"{name}{suffix}", about, 0.0, inf, estimate, argument))
    return found


_UNITS: Final = {
    "length": ("ticks", "actions of a game, those without an alternative included"),
    "decisions": ("decisions", "decisions of a game, with more than one action to choose from"),
    "turns": ("turns", "turns ended in a game"),
    "rounds": ("rounds", "rounds ended in a game"),
    "minutes": ("minutes", "minutes of a game in which a decision takes so many seconds"),
}


def _length(
    candidate: CandidateGames,
    argument: str,
    *,
    unit: str,
    estimator: Callable[[CandidateGames, lengths.Floats], Estimate],
) -> Estimate:
    pace = float(argument) if argument else 0.0
    return estimator(candidate, lengths.game_lengths(candidate, unit, pace))


def _without_argument(estimator: Callable[[CandidateGames], Estimate]) -> Estimator:
    def estimate(candidate: CandidateGames, _argument: str) -> Estimate:
        return estimator(candidate)

    return estimate


def _completion(candidate: CandidateGames, argument: str) -> Estimate:
    return outcomes.completion(candidate, float(argument) if argument else None)


def _match_ups(candidate: CandidateGames, argument: str) -> Estimate:
    return match_ups.match_up_distance(candidate, match_ups.read_wanted(argument))


def _skill_area(candidate: CandidateGames, argument: str) -> Estimate:
    return skill.skill_trace(candidate, skill.ladder(candidate, argument)).area


def _skill_slope(candidate: CandidateGames, argument: str) -> Estimate:
    return skill.skill_trace(candidate, skill.ladder(candidate, argument)).slope


_OUTCOMES: Final = (
    Measure(
        "first_seat",
        "points of the first seat beyond an equal share: above 0 where it is good to begin",
        -1.0,
        1.0,
        _without_argument(seats.first_seat),
        for_whom=SIDES,
    ),
    Measure(
        "seat_spread",
        "points of the best seat less those of the worst, without what noise adds",
        0.0,
        1.0,
        _without_argument(seats.seat_spread),
        for_whom=SIDES,
    ),
    Measure(
        "win_rate",
        "share of its games that an agent wins",
        0.0,
        1.0,
        outcomes.win_rate,
        argument="agent",
        for_whom=SIDES,
    ),
    Measure("draws", "share of games that nobody wins", 0.0, 1.0, _without_argument(outcomes.draws), for_whom=SIDES),
    Measure(
        "success",
        "share of games that the team wins, or that a team of one agent alone does",
        0.0,
        1.0,
        outcomes.success,
        argument="agent",
        is_optional=True,
        for_whom=ONE_TEAM,
    ),
    Measure(
        "completion",
        "share of games that end by the rules, none by a fault, within so many actions if said",
        0.0,
        1.0,
        _completion,
        argument="actions",
        is_optional=True,
    ),
)

_STUDIES: Final = (
    Measure(
        "restriction",
        "points per game of an agent that never takes some actions less those of the agent that may",
        -1.0,
        1.0,
        restrictions.restriction,
        argument="action",
        for_whom=SIDES,
    ),
    Measure(
        "restriction_spread",
        "points per game between the best restriction and the worst, without what noise adds",
        0.0,
        2.0,
        _without_argument(restrictions.restriction_spread),
        for_whom=SIDES,
    ),
    Measure(
        "match_ups",
        "root mean square of the differences between scores of agents and those wanted in a CSV file",
        0.0,
        1.0,
        _match_ups,
        argument="file",
        for_whom=SIDES,
    ),
    Measure(
        "skill_area",
        "what twice the budget gains, mean over the steps of a ladder: 0 for nothing, 1 for every game",
        -1.0,
        1.0,
        _skill_area,
        argument="agent",
        is_optional=True,
        for_whom=SIDES,
    ),
    Measure(
        "skill_slope",
        "how much that gain changes from step to step",
        -1.0,
        1.0,
        _skill_slope,
        argument="agent",
        is_optional=True,
        for_whom=SIDES,
    ),
    Measure(
        "luck",
        "share of the variance of a seat's points that the chance seed explains",
        -1.0,
        1.0,
        _without_argument(luck.luck),
        for_whom=SIDES,
    ),
    Measure(
        "rules_distance",
        "mean distance of the parameters from the printed rules, 0 to 1 across their ranges",
        0.0,
        1.0,
        _without_argument(printed_rules.candidate_distance),
    ),
)
