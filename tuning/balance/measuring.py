"""Measuring: what a game is like on seeds that the search has not seen, and whether that is known well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, inf, isfinite
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tag.results import DRAW, WIN
from tournaments import PlayedGame
from tournaments.intervals import HALF_WIDTH
from tournaments.plain import plain
from tuning.balance.estimate import Estimate
from tuning.balance.goals import Goal
from tuning.balance.tables import CandidateTables
from tuning.balance.targets import Target
from tuning.player import Player

MET: Final = "met"
MISSED: Final = "missed"
OPEN: Final = "open"

#: So many standard errors more than half its width from the ends of a band, and nine intervals of ten lie within.
_POWER: Final = 1.28


@dataclass(frozen=True)
class Measurement:
    """What the games of one candidate told of the targets.

    Attributes:
        spec: the candidate.
        targets: what was measured.
        estimates: of each target.
        games: that were played.
        seed: of the stream of their chance seeds.
        degenerate: how all of them ended, where that is alike, in a sentence; empty where it is not.
    """

    spec: str
    targets: tuple[Target, ...]
    estimates: tuple[Estimate, ...]
    games: int
    seed: int
    degenerate: str = ""

    @property
    def states(self) -> tuple[str, ...]:
        """For each target whether it is met or missed for all that is known, or still open."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return tuple(MET if one.is_met(got) else MISSED if one.is_missed(got) else OPEN for one, got in pairs)

    @property
    def is_feasible(self) -> bool:
        """Whether all targets are met: every interval lies in its band."""
        return all(state == MET for state in self.states)

    def games_to_know(self) -> float:
        """Return after how many games, about, all intervals would lie in their bands; infinite where a value does not."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return self.games * max((_growth(target, estimate) for target, estimate in pairs), default=1.0)

    def cost(self, goals: Sequence[Goal]) -> float:
        """Return what it costs to be like this."""
        return sum(goal.observed(estimate) for goal, estimate in zip(goals, self.estimates, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        rows = zip(self.targets, self.estimates, self.states, strict=True)
        return {
            "spec": self.spec,
            "games": self.games,
            "seed": self.seed,
            "feasible": self.is_feasible,
            "degenerate": self.degenerate,
            "targets": {one.name: {"target": str(one), **plain(asdict(got)), "state": what} for one, got, what in rows},
        }


def measure(tables: CandidateTables, player: Player, spec: str, n_games: int, seed: int) -> Measurement:
    """Play ``n_games`` of a candidate, rounded up to whole blocks, and return what they tell.

    Args:
        tables: of a stream of chance seeds.
        player: who plays at them.
        spec: the candidate.
        n_games: how many.
        seed: of the stream, for the record.

    Raises:
        StudyInterruptedError: somebody wants it to stop.
    """
    plan = tables.plan
    asked = tables.games(tables.enter(spec), range(ceil(n_games / plan.block_games)))
    player.ask(asked)
    played: list[PlayedGame] = player.take(asked)
    return Measurement(spec, plan.targets, plan.estimates(spec, played), len(played), seed, degenerate_text(played))


def degenerate_text(played: Sequence[PlayedGame]) -> str:
    """Return a sentence where all games that count ended alike, so that it does not matter who plays, or how; or nothing."""
    ends = [game.record.results for game in played if not game.record.void]
    if len(ends) < 2 or len(set(ends)) > 1:
        return ""
    winners = [seat for seat, result in enumerate(ends[0]) if result == WIN]
    all_games = f"all {len(ends):,} games"
    if not winners:
        end, target = ("drawn", "draws<=0.5") if DRAW in ends[0] else ("lost", "success>=0.1")
        said = f"{all_games} are {end}"
    elif len(winners) == len(ends[0]):
        said, target = f"{all_games} are won by the team", "success<=0.9"
    else:
        said, target = f"seat {' and '.join(map(str, winners))} wins {all_games}", "seat_spread<=0.5"
    return f"{said}, so that play decides nothing; add a target such as {target}"


def games_wanted(
    goals: Sequence[Goal], means: npt.NDArray[np.float64], variances: npt.NDArray[np.float64], fewest: int, most: int
) -> int:
    """Return how many games it should take until intervals lie in their bands nine times of ten.

    Args:
        goals: what the measures are to be.
        means: what they are believed to be, of shape (goals,).
        variances: those of a measure from one game, of shape (goals,).
        fewest: of them.
        most: what may be played.
    """
    wanted = float(fewest)
    for goal, mean, variance in zip(goals, means.tolist(), variances.tolist(), strict=True):
        room = min(mean - goal.target.low, goal.target.high - mean)
        wanted = max(wanted, variance * ((HALF_WIDTH + _POWER) / room) ** 2 if room > 0.0 else inf)
    return most if wanted >= most else ceil(wanted)


def _growth(target: Target, estimate: Estimate) -> float:
    """Return how many times as many games shrink an interval, by the root of that, into the band."""
    value = estimate.value
    if not target.low < value < target.high:
        return inf
    sides = ((value - estimate.low, value - target.low), (estimate.high - value, target.high - value))
    shrink = max(half / room if isfinite(room) else 0.0 for half, room in sides)
    return max(shrink, 1.0) ** 2
