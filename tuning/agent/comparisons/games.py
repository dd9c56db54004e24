"""The comparison of the recommendation with the default in several games, on seeds that the search has not seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tag.errors import DataError
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import Floats, Interval
from tag.tuning.agent.across import GainOverGames, shares_of
from tag.tuning.agent.comparisons.comparison import SIDES, decision_cpu_ms
from tag.tuning.agent.comparisons.strata import MeanGain, at_once, gain_of, together, worst
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.events import StudyEvent
from tag.tuning.agent.objectives import ACROSS, WORST
from tag.tuning.agent.schedule import StudySchedule, events_in
from tag.tuning.study.queue import GameQueue


@dataclass(frozen=True)
class GameGain:
    """The gain of the recommendation in one game, in points per game.

    Attributes:
        event: the name of the event.
        recommended: the mean points of the recommendation; its gain is over the default on the same seeds.
        low: the lower end of the interval; those of all games of the comparison hold together in 95 % of cases.
        blocks: the chance seeds.
        games: of both sides.
        decision_cpu_ms: CPU milliseconds per decision by side; None where it is not known. They differ between two runs.
    """

    event: str
    game: str
    players: int
    weight: float
    recommended: float
    default: float
    gain: float
    low: float
    high: float
    blocks: int
    games: int
    decision_cpu_ms: dict[str, float | None] = field(compare=False)


@dataclass(frozen=True)
class GamesComparison:
    """The recommendation against the default in several games.

    Attributes:
        gain: over all games: the weighted mean of their gains, or the least.
        low: the lower end of its 95 % interval.
        p_value: two-sided, of the mean; None for the least gain.
        is_better: whether the interval lies above 0.
        seed: of the stream that decides the games.
    """

    across: str
    gain: float
    low: float
    high: float
    p_value: float | None
    is_better: bool
    games: tuple[GameGain, ...]
    seed: int

    @property
    def times(self) -> dict[str, dict[str, float | None]]:
        """CPU milliseconds per decision by event and side."""
        return {one.event: one.decision_cpu_ms for one in self.games}

    def to_json(self) -> dict[str, Any]:
        """Return all but the times as plain values: those that are the same in every run."""
        plain = asdict(self)
        for one in plain["games"]:
            del one["decision_cpu_ms"]
        return plain


def compare_in_games(
    definition: StudyDefinition, stream: str, schedule: StudySchedule, queue: GameQueue, sides: tuple[str, str]
) -> GamesComparison:
    """Play two agents in the games of a stream, the first being the recommendation; all planned rounds are played.

    Args:
        definition: of the study.
        stream: of the chance seeds.
        schedule: the games of the stream.
        queue: plays the games.
        sides: the specs of the recommendation and the default.

    Raises:
        StudyInterruptedError: the study was asked to stop.
        DataError: an event has fewer than two chance seeds that count.
    """
    events = events_in(definition, stream)
    agents = [schedule.enter(spec) for spec in sides]
    rounds = definition.validation // definition.games_of_round(events)
    played = play_rounds(schedule, queue, agents, rounds, definition.live)
    return _compared(definition, schedule, events, agents, played, definition.stream(stream))


def play_rounds(
    schedule: StudySchedule, queue: GameQueue, agents: Sequence[int], rounds: int, ahead: int
) -> list[list[PlayedGame]]:
    """Return the games of each agent in so many rounds, of which some are asked for ahead."""
    line: deque[list[list[Pairing]]] = deque()
    played: list[list[PlayedGame]] = [[] for _agent in agents]
    asked = 0
    while asked < rounds or line:
        while asked < rounds and len(line) < ahead:
            blocks = range(asked * schedule.round_blocks, (asked + 1) * schedule.round_blocks)
            line.append([schedule.games(agent, blocks) for agent in agents])
            for games in line[-1]:
                queue.ask(games)
            asked += 1
        for known, games in zip(played, line.popleft(), strict=True):
            known.extend(queue.take(games))
    return played


def _compared(
    definition: StudyDefinition,
    schedule: StudySchedule,
    events: Sequence[StudyEvent],
    agents: Sequence[int],
    played: Sequence[list[PlayedGame]],
    seed: int,
) -> GamesComparison:
    differences = differences_in(schedule, events, agents, played)
    gains = [gain_of(found[:, 0] - found[:, 1]) for found in differences]
    intervals = at_once(gains)
    rows = tuple(
        _row(event, differences[place], gains[place], intervals[place], _games_of(schedule, played, place), agents)
        for place, event in enumerate(events)
    )
    mean = together(gains, shares_of(events))
    if definition.across == WORST:
        least, interval = worst(gains)
        return GamesComparison(WORST, least, *interval, None, interval.low > 0.0, rows, seed)
    interval = mean.interval()
    return GamesComparison(
        definition.across, mean.mean, *interval, mean.p_value(), interval.low > 0.0, rows, seed
    )  # fmt: skip


def differences_in(
    schedule: StudySchedule, events: Sequence[StudyEvent], agents: Sequence[int], played: Sequence[list[PlayedGame]]
) -> list[Floats]:
    """Return the gains of two agents by chance seed, where both have games that count, for each event; shape (seeds, 2).

    Raises:
        DataError: an event has fewer than two such seeds.
    """
    objective = GainOverGames(schedule, events, ACROSS[0])
    sides = [objective.gains(games, agent) for games, agent in zip(played, agents, strict=True)]
    found = [_differences(*(dict(side[place]) for side in sides)) for place in range(len(events))]
    for event, seeds in zip(events, found, strict=True):
        if len(seeds) < 2:
            raise DataError(f"too few games of {event.name} count: others are void; see what went wrong in its ledger")
    return found


def _differences(ours: dict[int, float], theirs: dict[int, float]) -> Floats:
    """Return the gains of both sides by chance seed, where both have games that count; shape (seeds, 2)."""
    return np.array([(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]).reshape(-1, 2)


def _games_of(schedule: StudySchedule, played: Sequence[list[PlayedGame]], place: int) -> list[list[PlayedGame]]:
    return [
        [game for game in games if schedule.event_of(schedule.chance_of(game.pairing.block)) == place]
        for games in played
    ]


def _row(
    event: StudyEvent,
    differences: Floats,
    gain: MeanGain,
    interval: Interval,
    played: Sequence[list[PlayedGame]],
    agents: Sequence[int],
) -> GameGain:
    ours, theirs = (differences.mean(axis=0) + 1.0 / event.players).tolist()
    return GameGain(
        event.name,
        event.game,
        event.players,
        event.weight,
        ours,
        theirs,
        gain.mean,
        *interval,
        len(differences),
        sum(not game.record.void for games in played for game in games),
        {side: decision_cpu_ms(games, agent) for side, games, agent in zip(SIDES, played, agents, strict=True)},
    )
