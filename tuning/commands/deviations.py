"""One-step changes around the recommendation of a study, played on common seeds: ``tag tune deviations``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tag.cluster import Workers
from tag.errors import DataError, ParameterError
from tag.tournaments.driver.events import Listeners
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.reports.progress import Progress
from tag.tournaments.statistics.intervals import Floats
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.objectives import PANELS, Objective, range_of
from tag.tuning.agent.schedule import StudySchedule, schedule_of
from tag.tuning.reports.results import read_study
from tag.tuning.search.deviations import Deviation, deviation, steps_from
from tag.tuning.space import SearchSpace
from tag.tuning.space.ranges import shown
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.study.engine import StudyEngine
from tag.tuning.study.folder import opened_study, read_manifest_of
from tag.tuning.study.queue import GameQueue, StudyInterruptedError

#: The stage of a study with these games, and the folder of its ledger.
STAGE: Final = "deviations"


@dataclass(frozen=True)
class Deviations:
    """One-step changes of an agent.

    Attributes:
        spec: the agent.
        found: the changes, the best first.
        games: of the agent, and of each change.
    """

    spec: str
    found: tuple[Deviation, ...]
    games: int

    def to_json(self) -> dict[str, Any]:
        """Return all as plain values."""
        changes = [{**asdict(one), "interval": list(one.interval), "verdict": one.verdict} for one in self.found]
        return {"spec": self.spec, "games": self.games, "changes": changes}

    def text(self) -> str:
        """Return a table for terminals."""
        rows = [("change", "difference", "95 % interval of all", "")]
        for one in self.found:
            ends = f"{one.interval.low:+.3f} … {one.interval.high:+.3f}"
            rows.append((shown(f"{one.step.parameter}={one.step.value}"), f"{one.difference:+.3f}", ends, one.verdict))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip() for row in rows
        ]
        return "\n".join([f"one-step changes of {self.spec}, {self.games:,} games of each:", "", *lines])


def play_deviations(folder: Path, spec: str, games: int, *, workers: Workers, progress: Progress) -> Deviations:
    """Play each one-step change of an agent against the opponents of the study in ``folder``, on seeds of their own.

    The games are in ``deviations/ledger`` there; those that are in it are not played again.

    Args:
        folder: of a complete study.
        spec: the agent, in the search space of the study; empty for the one that the study recommends, or the nearest
            to it in the search space.
        games: of the agent and of each change.
        workers: play the games.
        progress: shows the progress, and is closed in the end.

    Raises:
        TagError: the study or the agent does not fit, or a game breaks its contract.
        KeyboardInterrupt: it was asked to stop; called again, it goes on from there.
    """
    definition = read_manifest_of(StudyDefinition, folder).definition
    if definition.events:
        raise DataError(
            f"{str(folder)!r} is a study over several games, and one-step changes are for one; name a study of one game"
        )
    space = definition.space
    base = space.spec(space.configuration(spec or _recommended(folder, space)))
    blocks = games // definition.round_games
    if blocks < FEWEST_BLOCKS:
        raise ParameterError(f"games cannot be {games}; the least is {FEWEST_BLOCKS * definition.round_games}")
    if definition.panel != PANELS[0] and len(definition.measuring) > 1:
        raise ParameterError(f"deviations are for the panel {PANELS[0]!r}, not {definition.panel!r}")
    steps = list(steps_from(space, space.configuration(base)))
    if not steps:
        raise DataError(f"{base!r} has no one-step change in the search space of {str(folder)!r}")
    values = _played(folder, definition, [base, *(step.spec for step in steps)], blocks, workers, progress)
    low, high = range_of(definition.objectives[0], definition.players)
    found = []
    for step, one in zip(steps, values[1:], strict=True):
        differences = one - values[0]
        counts = np.isfinite(differences)
        if not counts.any():
            raise DataError(f"no game of {step.spec!r} counts: all are void; see what went wrong in its ledger")
        found.append(deviation(step, differences[counts], len(steps), high - low))
    found.sort(key=lambda one: -one.difference)
    return Deviations(base, tuple(found), blocks * definition.round_games)


def _played(
    folder: Path, definition: StudyDefinition, specs: Sequence[str], blocks: int, workers: Workers, progress: Progress
) -> Floats:
    """Play agents in the folder of a study and return their values as `_values` does."""
    schedule = schedule_of(definition, STAGE, definition.measuring)
    events = Listeners(progress)
    with opened_study(folder, definition) as manifest, Interruption(events.say) as interruption:
        workers.start(manifest.sources)
        engine = StudyEngine(folder, manifest, workers, events, interruption)
        events.start(len(specs) * blocks * definition.round_games, 0)
        try:
            with interruption.as_the_reason(), engine.games(STAGE, schedule) as queue:
                return _values(definition, schedule, queue, specs, blocks)
        except StudyInterruptedError:
            raise KeyboardInterrupt from None
        finally:
            events.close()


def _recommended(folder: Path, space: SearchSpace) -> str:
    """Return the agent that a study recommends; a default out of the ranges by the nearest values in them."""
    results = read_study(folder)
    if results.recommendation is None:
        raise DataError(f"{str(folder)!r} is not complete, so it recommends nothing yet; name an agent with --of")
    spec = str(results.recommendation["spec"])
    return space.spec(space.default) if spec == results.definition.default else spec


def _values(
    definition: StudyDefinition, schedule: StudySchedule, queue: GameQueue, specs: Sequence[str], blocks: int
) -> Floats:
    """Return the values of agents by chance seed, more being better, shape (agents, blocks); NaN where none counts."""
    panel = schedule.panel
    objective = Objective(definition.objectives[0], schedule, definition.panel, panel)
    asked = []
    for block in range(blocks):
        for number in map(schedule.enter, specs):
            asked.append((number, schedule.games(number, range(block * panel, (block + 1) * panel))))
            queue.ask(asked[-1][1])
    found = [objective.value(queue.take(games), number) for number, games in asked]
    values = np.array([np.nan if one is None else objective.sign * one for one in found])
    return values.reshape(blocks, len(specs)).T
