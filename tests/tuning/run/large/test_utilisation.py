"""Workers of a study have something to play nearly all the time, also where games of some configurations take far longer.

Workers and games are simulated; the study in front of them is real, and its clock counts the CPU time that it takes.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tag.cluster.batches import Columns, Reply
from tag.cluster.workers import ReliableWorkers
from tag.engine.parameters import parse_spec
from tag.orders import GameOrder
from tag.tournaments.simulation.workers import Circumstances, GameSeconds, SimulatedActors
from tag.tuning.agent.defining import define_study
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

WORKERS = 2
SHORTEST, SPREAD = 0.05, 4.0
#: The agents' place among the fields of an order.
AGENTS = [field.name for field in fields(GameOrder)].index("agents")


def seconds_of(agents: tuple[str, ...]) -> float:
    """Return how long a game takes against OSLA: four times as long with the longest horizon as with the shortest."""
    tuned = next(agent for agent in agents if agent != "osla")
    horizon = int(str(parse_spec(tuned).values.get("horizon", 10)))
    return SHORTEST * SPREAD ** ((horizon - 1) / 29)


class LastNamed(GameSeconds):
    """The lengths of the games that were named last."""

    def name(self, lengths: list[float]) -> None:
        object.__setattr__(self, "lengths", np.array(lengths))

    def draw(self, games: int, rng: np.random.Generator) -> np.ndarray:
        assert len(self.lengths) == games
        return self.lengths


class Uneven(SimulatedActors):
    """Workers whose games take longer with some configurations than with others.

    Attributes:
        last: when the last games came in.
    """

    def __init__(self) -> None:
        self._lengths = LastNamed()
        self.last = 0.0
        super().__init__(WORKERS, 2, Circumstances(self._lengths, start=0.0), seed=1)

    def give(self, number: int, columns: Columns) -> None:
        self._lengths.name([seconds_of(agents) for agents in columns[AGENTS]])
        super().give(number, columns)

    def wait(self, seconds: float) -> list[Reply]:
        found = super().wait(seconds)
        self.last = self.clock.now if found else self.last
        return found


@pytest.mark.parametrize(
    ("sampler", "games"), [("ntbea", 400), pytest.param("auto", 10_000, marks=pytest.mark.slow)], ids=["ntbea", "auto"]
)
def test_two_workers_are_busy_with_a_fourfold_spread_of_game_lengths(sampler: str, games: int, tmp_path: Path) -> None:
    actors = Uneven()
    workers = ReliableWorkers(lambda _sources: actors, WORKERS, lambda: actors.clock.now)
    definition = define_study("rmhc", "tic_tac_toe", games=games, versus=("osla",), sampler=sampler, validation=0)
    assert run_study(definition, tmp_path, tracking=False, workers=workers).complete
    share = actors.busy / (WORKERS * actors.last)
    sys.stdout.write(
        f"{definition.sampler}: {share:.1%} of {actors.last:.0f} s, the driver's CPU {actors.clock.cpu:.0f} s\n"
    )
    assert share >= 0.95
