"""Comparisons of the recommendation with the default on unseen seeds, at equal budgets and at equal time."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from pathlib import Path
from typing import Any, Final

import numpy as np

from tag.catalogue.registry import make_agent
from tag.engine.parameters import Integer, parse_spec
from tag.errors import DataError
from tag.playing.agent import BUDGET_TYPES
from tag.tournaments.definition import canonical_agent
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import CONFIDENCE, ClusteredMean, Interval
from tag.tuning.definition import StudyDefinition
from tag.tuning.objectives import PANELS, Objective, range_of
from tag.tuning.search.games import GameQueue, StudySchedule
from tag.tuning.search.panels import PanelEstimate, PanelValidation
from tag.tuning.search.validation import Validation, ValidationResult
from tag.tuning.study import read_json, write_json

# --- comparison ---------------------------------------------------------------------------------------------------------
#
# Comparison of the recommendation with the default, on seeds that the search has not seen.


#: The two sides of a comparison.
SIDES: Final = ("recommended", "default")


@dataclass(frozen=True)
class Side:
    """Results of one agent: the value of the objective in the games that count, with its 95 % interval from blocks.

    The CPU milliseconds per decision differ between two runs, and are None where they are not known.
    """

    spec: str
    games: int
    value: float
    low: float
    high: float
    decision_cpu_ms: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Comparison:
    """The recommendation against the default, block by block on the same seeds.

    Attributes:
        result: of the test of the difference, more being better.
        seed: of the stream that decides the games.
    """

    recommended: Side
    default: Side
    result: ValidationResult
    seed: int

    @property
    def times(self) -> dict[str, float | None]:
        """CPU milliseconds per decision by side; None where it is not known."""
        return dict(zip(SIDES, (self.recommended.decision_cpu_ms, self.default.decision_cpu_ms), strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return all but the times as plain values: those that are the same in every run."""
        plain = asdict(self)
        for side in SIDES:
            del plain[side]["decision_cpu_ms"]
        return plain


def compare(
    definition: StudyDefinition,
    stream: str,
    schedule: StudySchedule,
    queue: GameQueue,
    spec: str,
    default: str,
    games: int,
) -> Comparison:
    """Play two agents on the blocks of a stream until the test is decided or the games are spent.

    Args:
        definition: of the study.
        stream: of the chance seeds.
        schedule: the games against the opponents.
        queue: plays the games.
        spec: the recommendation.
        default: the agent that it is compared with.
        games: of either side at most.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    return _Duel(definition, schedule, queue, (spec, default), games).run(definition.stream(stream))


def decision_cpu_ms(games: Sequence[PlayedGame], agent: int) -> float | None:
    """Return the CPU milliseconds per decision of the agent with this number; None where no game knows it."""
    seats = [
        (game.record.cpu_seconds[seat], game.record.decisions[seat])
        for game in games
        if game.record.cpu_seconds
        for seat, number in enumerate(game.pairing.agents)
        if number == agent
    ]
    decisions = sum(asked for _seconds, asked in seats)
    return 1_000.0 * sum(seconds for seconds, _asked in seats) / decisions if decisions else None


class _Duel:
    def __init__(
        self, definition: StudyDefinition, schedule: StudySchedule, queue: GameQueue, sides: tuple[str, str], games: int
    ) -> None:
        self._schedule = schedule
        self._queue = queue
        self._objective = Objective(definition.objectives[0], schedule, definition.panel, max(schedule.opponents, 1))
        self._agents = tuple(schedule.enter(spec) for spec in sides)
        self._panel = max(schedule.opponents, 1)
        self._round = self._panel * schedule.seatings
        self._n_blocks = games // self._round
        self._ahead = definition.live
        self._games: tuple[list[PlayedGame], list[PlayedGame]] = ([], [])
        self._range = range_of(definition.objectives[0], definition.players)
        self._is_plain = definition.panel == PANELS[0] or self._panel == 1
        self._blocks: tuple[list[list[float]], list[list[float]]] = ([], [])

    def run(self, seed: int) -> Comparison:
        test = self._test()
        line: deque[tuple[list[Pairing], list[Pairing]]] = deque()
        asked = 0
        while test.decision is None:
            while asked < self._n_blocks and len(line) < self._ahead:
                line.append(self._ask(asked))
                asked += 1
            if not line:
                break
            sides = self._take(line.popleft())
            if sides is None:
                continue
            if isinstance(test, PanelValidation):
                test.add(*sides)
            else:
                (ours,), (theirs,) = sides
                test.add(ours - theirs)
        if not test.blocks:
            raise DataError("no game of the validation counts: all are void; see what went wrong in its ledger")
        return Comparison(self._side(0), self._side(1), test.result(), seed)

    def _ask(self, number: int) -> tuple[list[Pairing], list[Pairing]]:
        blocks = range(number * self._panel, (number + 1) * self._panel)
        recommended, default = (self._schedule.games(agent, blocks) for agent in self._agents)
        self._queue.ask(recommended + default)
        return recommended, default

    def _test(self) -> Validation | PanelValidation:
        most = self._range[1] - self._range[0]
        if self._is_plain:
            return Validation(self._n_blocks, self._round, most=most)
        return PanelValidation(self._n_blocks, self._round, self._signed_value, most=most)

    def _take(self, games: tuple[list[Pairing], list[Pairing]]) -> tuple[list[float], list[float]] | None:
        """Return the means of both sides in a block, by opponent and more being better; None if one has none that counts.

        Where the value is a plain mean, there is one number of each side.
        """
        found = []
        for number in range(2):
            played = self._queue.take(games[number])
            self._games[number].extend(played)
            found.append(self._means(played, self._agents[number]))
        ours, theirs = found
        if not ours or not theirs:
            return None
        for blocks, means in zip(self._blocks, (ours, theirs), strict=True):
            blocks.append(means)
        return ours, theirs

    def _means(self, games: Sequence[PlayedGame], agent: int) -> list[float]:
        """Return the means of an agent in a block, by opponent and more being better; none if one is missing."""
        means = list(self._objective.by_opponent(games, agent).values())
        if self._is_plain and means:
            means = [self._objective.combined(means)]
        elif len(means) < self._panel:
            return []
        return [self._objective.sign * one for one in means]

    def _signed_value(self, means: Sequence[float]) -> float:
        """Return the value of signed means, more being better."""
        sign = self._objective.sign
        return sign * self._objective.combined([sign * mean for mean in means])

    def _side(self, number: int) -> Side:
        games, agent = self._games[number], self._agents[number]
        counted = sum(not game.record.void for game in games)
        value = self._objective.value(games, agent)
        low, high = self._interval(number)
        time = decision_cpu_ms(games, agent)
        return Side(self._schedule.labels[agent], counted, nan if value is None else value, low, high, time)

    def _interval(self, number: int) -> Interval:
        """Return the interval of the value of a side: from its blocks, and of a panel from resampled ones as well."""
        values = np.array(self._objective.by_block(self._games[number], self._agents[number]))
        mean = ClusteredMean.of(values, np.ones(len(values)))
        found = mean.proportion_interval() if self._objective.is_rate else mean.interval(*self._range)
        blocks = np.array(self._blocks[number])
        if self._is_plain or len(blocks) < 2:
            return found
        resampled = PanelEstimate(blocks[:, None, :], self._signed_value).interval(CONFIDENCE)
        low, high = sorted(self._objective.sign * end for end in resampled)
        return Interval(min(found.low, low), max(found.high, high))


# --- equal time ---------------------------------------------------------------------------------------------------------
#
# Validation at equal time: the default with the budget that takes it as much CPU time as the recommendation.
#
# A budget in forward-model calls does not count an agent's work between them, so the winner at equal calls may just take
# longer. Time is about proportional to the budget. The validation measures the time of both, their ratio scales the
# default's budget, and a few games at that budget correct it. Measured times differ from run to run and by machine, so
# budget and factor are decided once and kept in ``equal_time.json``; the games follow from them and from the seed.


EQUAL_TIME_FILE: Final = "equal_time.json"
#: Times that differ by less than this factor count as equal.
_SAME: Final = 1.1

#: The unit of each type of budget, in words.
_UNITS: Final = {
    "forward_model_calls": "forward-model calls",
    "iterations": "iterations",
    "copies": "copies",
    "wall_ms": "wall time",
    "cpu_ms": "CPU time",
    "clock": "clocks",
}

#: CPU milliseconds per decision of the ``recommended`` and of the ``default``; None where that is not known.
Times = Mapping[str, float | None]


@dataclass(frozen=True)
class Scaling:
    """The default with a budget that takes as much time as a recommendation; no function of the study's definition.

    Attributes:
        default: its spec; empty if there is none.
        remark: why there is none.
        factor: the CPU time per decision of the recommendation in that of the default with its own budget, as measured by
            the machines that played; None where it is not known.
    """

    default: str = ""
    remark: str = ""
    factor: float | None = None


def scaled(default: str, times: Times, factor: float = 1.0) -> Scaling:
    """Return the default with the budget that takes it as much time as the recommendation, as far as its range allows.

    Args:
        default: the spec to scale.
        times: measured with that spec.
        factor: by which its budget has been scaled before.
    """
    ours, theirs = times["recommended"], times["default"]
    if not ours or not theirs:
        return Scaling(remark="the CPU time per decision is not known")
    parameters = make_agent(default).parameters
    budget = round(budget_of(default) * ours / theirs)
    for dimension in parameters.dimensions():
        if dimension.name == "budget" and isinstance(dimension, Integer):
            budget = min(max(budget, dimension.low), dimension.high)
    return Scaling(
        canonical_agent(str(parse_spec(default).with_value("budget", budget))), factor=factor * ours / theirs
    )


def first_scaling(default: str, times: Times, is_better: bool) -> Scaling:
    """Return how to scale the default after the validation at equal calls, or why a scaled one would show nothing new.

    A recommendation that is slower is compared at equal time only if it was shown to be better at equal calls.
    """
    ours, theirs = times["recommended"], times["default"]
    if ours and theirs:
        if max(ours, theirs) <= _SAME * min(ours, theirs):
            return Scaling(remark="both take the same CPU time, within 10 %", factor=ours / theirs)
        if ours > theirs and not is_better:
            remark = "what is recommended takes more CPU time without being shown to be better"
            return Scaling(remark=remark, factor=ours / theirs)
    return scaled(default, times)


def budget_of(spec: str) -> int:
    """Return the budget of an agent that has one."""
    return int(make_agent(spec).parameters.values()["budget"])


def equal_calls(spec: str, default: str) -> str:
    """Return the unit of two equal budgets, "at equal forward-model calls"; empty if the budgets are not equal."""
    ours, theirs = (make_agent(one).parameters.values() for one in (spec, default))
    names = ("budget", "budget_type")
    if "budget" not in ours or any(ours.get(name) != theirs.get(name) for name in names):
        return ""
    return f"at equal {_UNITS[str(ours.get('budget_type', BUDGET_TYPES[0]))]}"


def read_scaling(folder: Path, recommended: str) -> Scaling | None:
    """Return the scaling kept for a recommendation of the study in ``folder``; None if there is none yet."""
    kept = (read_json(folder / EQUAL_TIME_FILE) or {}).get(recommended)
    try:
        return None if kept is None else Scaling(**kept)
    except TypeError as error:
        raise DataError(f"{str(folder / EQUAL_TIME_FILE)!r} is damaged: {error}") from None


def write_scaling(folder: Path, recommended: str, scaling: Scaling) -> None:
    """Keep the scaling of a recommendation, before any game is played with it."""
    kept: dict[str, Any] = read_json(folder / EQUAL_TIME_FILE) or {}
    write_json(folder / EQUAL_TIME_FILE, {**kept, recommended: asdict(scaling)})
