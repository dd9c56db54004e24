"""Objectives: the value of a configuration, as a number from its games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, fsum, inf, log
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from tag.catalogue.user_code import is_path, load_function
from tag.engine.results import WIN
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tournaments.ledger import reading as readers
from tag.tournaments.statistics.stopping.outcomes import Outcome
from tag.tuning.samplers.users_code import told_in_a_sentence

if TYPE_CHECKING:
    from tag.tournaments.ledger.identity import LedgerAgents
    from tag.tournaments.ledger.rows import PlayedGame


MAXIMIZE: Final = "maximize"
MINIMIZE: Final = "minimize"

#: Scale of a soft minimum: an opponent against whom the value is so much better counts 1/e as much.
_SOFTNESS: Final = 0.05


@dataclass(frozen=True)
class _Measure:
    """Measure of an objective from one seat of one game."""

    about: str
    value: Callable[[PlayedGame, int], float]
    direction: str = MAXIMIZE


def _points(game: PlayedGame, seat: int) -> float:
    return Outcome.of(game.pairing.agents, game.record).points[seat]


def _decision_ms(game: PlayedGame, seat: int) -> float:
    seconds = game.record.cpu_seconds or game.record.seconds  # empty where it was not measured
    return 1_000.0 * seconds[seat] / max(game.record.decisions[seat], 1)


_MEASURES: Final[Mapping[str, _Measure]] = {
    "win_rate": _Measure("the share of games won", lambda game, seat: float(game.record.results[seat] == WIN)),
    "points": _Measure("the same with a win shared by its k winners, or a draw by its k players, as 1/k", _points),
    "ordinal": _Measure("the mean place, from 1", lambda game, seat: float(game.record.ordinals[seat]), MINIMIZE),
    "score": _Measure("the game's own points", lambda game, seat: game.record.scores[seat]),
    "decision_ms": _Measure("CPU milliseconds per decision", _decision_ms, MINIMIZE),
    "success": _Measure(
        "the share of games that the team won", lambda game, seat: float(game.record.results[seat] == WIN)
    ),
}
#: Objectives that are shares of games; an agent that loses all has 0.
RATES: Final = ("win_rate", "points", "success")
OBJECTIVES: Final = {name: measure.about for name, measure in _MEASURES.items()}


def _soft_minimum(values: Sequence[float]) -> float:
    lowest = min(values)
    return lowest - _SOFTNESS * log(fmean(exp((lowest - value) / _SOFTNESS) for value in values))


def _equal_weights(values: Sequence[float]) -> list[float]:
    return [1.0 / len(values)] * len(values)


def _weight_of_lowest(values: Sequence[float]) -> list[float]:
    lowest = values.index(min(values))
    return [float(number == lowest) for number in range(len(values))]


def _soft_weights(values: Sequence[float]) -> list[float]:
    lowest = min(values)
    weights = [exp((lowest - value) / _SOFTNESS) for value in values]
    total = fsum(weights)
    return [weight / total for weight in weights]


@dataclass(frozen=True)
class _Panel:
    """Value of the means against several opponents, and its derivative by each of these means."""

    value: Callable[[Sequence[float]], float]
    weights: Callable[[Sequence[float]], list[float]]


_PANELS: Final[Mapping[str, _Panel]] = {
    "mean": _Panel(fmean, _equal_weights),
    "minimum": _Panel(min, _weight_of_lowest),
    "soft_minimum": _Panel(_soft_minimum, _soft_weights),
}
PANELS: Final = tuple(_PANELS)
#: How the gains in several games become one value (`tag.tuning.agent.across`).
WORST: Final = "worst"
ACROSS: Final = ("mean", WORST)


class Objective:
    """Value that a study maximises or minimises.

    Against several opponents it is a function of the means against each of them, over all games that are given:

        value = panel(mean of games against opponent 1, mean of games against opponent 2, …)

    So ``minimum`` is the least of the means, not the mean of the minima of blocks, which is lower: an agent that wins half
    of its games against either of two opponents has the minimum 0.5, although in blocks of one game each the mean of the
    minima is 0.25. The least of few means is still biased downwards by luck. Where the objective is minimised, the minimum
    is the greatest mean: that against the worst opponent.

    Attributes:
        name: one of `OBJECTIVES`, or ``file.py:function``.
        panel: how the means against several opponents are combined: one of `PANELS`. ``minimum`` is the mean against the
            opponent against which it is worst.
        direction: ``maximize`` or ``minimize``, as Optuna has it.
    """

    def __init__(self, name: str, roster: LedgerAgents, panel: str = "mean", opponents: int = 1) -> None:
        """Take an objective by name, of games in ``roster``, against so many opponents in turn.

        Raises:
            UnknownNameError: there is no such objective.
            UserCodeError: there is no such function of the user's.
        """
        if not is_path(name) and name not in _MEASURES:
            raise UnknownNameError.of("objective", name, _MEASURES)
        if panel not in _PANELS:
            raise UnknownNameError.of("panel", panel, _PANELS)
        self.name = name
        self.panel = panel
        self._function = load_function(name) if is_path(name) else None
        self.direction = direction_of(name)
        self._agents = roster
        self._opponents = opponents

    @property
    def sign(self) -> float:
        """1 where more is better, otherwise -1."""
        return 1.0 if self.direction == MAXIMIZE else -1.0

    @property
    def is_rate(self) -> bool:
        """True if values are shares of games, between 0 and 1."""
        return self.name in RATES

    def value(self, games: Sequence[PlayedGame], number: int) -> float | None:
        """Return the value of the agent ``number`` in games; None where none of them counts.

        A user's function is called as ``function(games, seats)`` with the data frames of ``docs/ledger.md``; a column
        ``tuned`` of the seats is true where the agent sits: in all of them where it meets itself or is the whole team.
        """
        means = self.by_opponent(games, number)
        return self.combined(list(means.values())) if means else None

    def by_opponent(self, games: Sequence[PlayedGame], number: int) -> dict[int, float]:
        """Return the mean of the agent ``number`` against each opponent that it has games with, by the opponent's number."""
        groups: dict[int, list[PlayedGame]] = {}
        for game in games:
            if not game.record.void:
                groups.setdefault(game.pairing.block % self._opponents, []).append(game)
        return {opponent: self._mean(groups[opponent], number) for opponent in sorted(groups)}

    def combined(self, means: Sequence[float]) -> float:
        """Return the value that means against opponents amount to."""
        return self.sign * _PANELS[self.panel].value([self.sign * mean for mean in means])

    def by_block(self, games: Sequence[PlayedGame], number: int) -> list[float]:
        """Return a value for each chance seed, in order; seeds without games that count are left out.

        Their mean is `value`, unless single games of a seed do not count.

        The mean over opponents has a value in each block. For other panels, the value of all games is linearised at the
        means against the opponents: a block adds its deviations from them, each weighted by the derivative. So the
        variance between blocks gives the error of the value to first order, as it does for a plain mean.
        """

        def chance(game: PlayedGame) -> int:
            return game.pairing.block // self._opponents

        groups = [list(group) for _seed, group in groupby(sorted(games, key=chance), chance)]
        if self.panel == PANELS[0] or self._opponents == 1:
            values = [self.value(group, number) for group in groups]
            return [value for value in values if value is not None]
        return self._linearised([one for one in (self.by_opponent(group, number) for group in groups) if one])

    def _linearised(self, blocks: Sequence[Mapping[int, float]]) -> list[float]:
        """Return the values of blocks from their means by opponent, which some may lack."""
        known = {
            opponent: [block[opponent] for block in blocks if opponent in block]
            for opponent in sorted({opponent for block in blocks for opponent in block})
        }
        means = {opponent: fmean(values) for opponent, values in known.items()}
        weights = _PANELS[self.panel].weights([self.sign * mean for mean in means.values()])
        pull = {
            opponent: weight * len(blocks) / len(known[opponent])
            for opponent, weight in zip(known, weights, strict=True)
        }
        value = self.combined(list(means.values()))
        return [
            fsum([value, *(pull[opponent] * (mean - means[opponent]) for opponent, mean in block.items())])
            for block in blocks
        ]

    def _mean(self, games: Sequence[PlayedGame], number: int) -> float:
        if self._function is not None:
            played, seats = readers.frames_of(games, self._agents)
            with told_in_a_sentence("objective", self.name):
                value = self._function(played, seats.assign(tuned=seats["agent_index"] == number))
            return _checked(value, self.name)
        measure = _MEASURES[self.name].value
        return fmean(
            fmean(measure(game, seat) for seat, agent in enumerate(game.pairing.agents) if agent == number)
            for game in games
        )


def direction_of(name: str) -> str:
    """Return the direction of an objective, ``maximize`` or ``minimize``; functions of users' are maximised."""
    return MAXIMIZE if is_path(name) else _MEASURES[name].direction


def bounds_of(name: str) -> tuple[float, float]:
    """Return the least and the greatest value that an objective can have; infinite where it is no share of games.

    >>> bounds_of("win_rate"), bounds_of("score")
    ((0.0, 1.0), (-inf, inf))
    """
    return (0.0, 1.0) if name in RATES else (-inf, inf)


def range_of(objective: str, players: int) -> tuple[float, float]:
    """Return the least and the greatest value of an objective in a game; infinite where its values have no bound.

    >>> range_of("win_rate", 4), range_of("ordinal", 4), range_of("score", 4)
    ((0.0, 1.0), (1.0, 4.0), (-inf, inf))
    """
    return (1.0, float(players)) if objective == "ordinal" else bounds_of(objective)


def check_objectives(names: Sequence[str], is_cooperative: bool, has_score: bool) -> None:
    """Raise `ParameterError` where a game cannot give an objective, or one is there twice.

    In a co-operative game all players win or lose together; ``has_score`` says whether the game counts points of its
    own.
    """
    for name in names:
        if is_path(name):
            load_function(name)
        elif name not in _MEASURES:
            raise UnknownNameError.of("objective", name, _MEASURES)
        if is_cooperative and name in ("points", "ordinal"):
            raise ParameterError(
                f"objective cannot be {name!r} in a co-operative game, where all share it; take 'success'"
            )
        if not is_cooperative and name == "success":
            raise ParameterError(
                "objective cannot be 'success' in a game that some win and others lose; take 'win_rate'"
            )
        if not has_score and name == "score":
            nearest = "success" if is_cooperative else "points"
            raise ParameterError(f"objective cannot be 'score' in a game that counts no points; take {nearest!r}")
        if names.count(name) > 1:
            raise ParameterError(f"objective cannot name {name!r} twice")


def _checked(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(f"the objective {name!r} returned {value!r}, which is no number") from None
    if number != number or number in (inf, -inf):
        raise DataError(f"the objective {name!r} returned {number}, which cannot be compared")
    return number
