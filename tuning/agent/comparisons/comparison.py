"""Comparison of the recommendation with the default, on seeds that the search has not seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import nan
from typing import Any, Final

import numpy as np

from tag.errors import DataError
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import CONFIDENCE, Interval
from tag.tuning.agent.comparisons.equal_time import Scaling
from tag.tuning.agent.comparisons.panels import PanelEstimate, PanelValidation
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.objectives import PANELS, Objective, range_of
from tag.tuning.agent.schedule import StudySchedule
from tag.tuning.study.queue import GameQueue
from tag.tuning.validation import Validation, ValidationResult

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


@dataclass(frozen=True)
class EqualTime:
    """Comparison at equal CPU time per decision; None if none was played, as the scaling then says."""

    scaling: Scaling
    comparison: Comparison | None = None

    def to_json(self) -> dict[str, Any]:
        """Return all but the times as plain values."""
        return {**asdict(self.scaling), "comparison": self.comparison.to_json() if self.comparison else None}


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
        if sides[0] == sides[1]:  # the queue would wait for each game twice
            raise ValueError(f"a duel is between two agents, not {sides[0]} alone")
        self._schedule = schedule
        self._queue = queue
        self._objective = Objective(definition.objectives[0], schedule, definition.panel, schedule.panel)
        self._agents = tuple(schedule.enter(spec) for spec in sides)
        self._panel = schedule.panel
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
