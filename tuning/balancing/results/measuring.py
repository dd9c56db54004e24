"""Measuring candidates: which meet the targets, and how many games that takes.

Measurement of a game on seeds that the search has not seen, and the precision of the measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, inf, isfinite
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import scipy

from tag.engine.results import DRAW, WIN
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import CONFIDENCE, student
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.balancing.estimation import Estimate
from tag.tuning.balancing.problem import CandidateSchedule
from tag.tuning.balancing.targets import Goal, Target, measures_of, ranks
from tag.tuning.study.queue import GameQueue

MET: Final = "met"
MISSED: Final = "missed"
OPEN: Final = "open"

#: So many standard errors more than half its width from the ends of a band, and nine of ten intervals lie inside.
_POWER: Final = 1.28

#: The greatest chance that a study certifies a candidate although none meets the targets.
FAMILY: Final = 0.05


def confidence_of(finalists: int) -> float:
    """Return the confidence of the intervals of a study with so many finalists, and the default rules.

    Each of these is certified falsely with the probability of one tail, at the end of a band. All tails together have a
    probability of 5 % (Bonferroni), although the first candidate that fits is taken.

    >>> confidence_of(1), confidence_of(3)
    (0.95, 0.975)
    """
    return 1.0 - 2.0 * FAMILY / (finalists + 1)


@dataclass(frozen=True)
class Measurement:
    """Estimates of the targets from the games of one candidate.

    Attributes:
        spec: the candidate.
        games: how many were played.
        seed: of the stream of their chance seeds.
        degenerate: a sentence on the common end of all games; empty where games ended differently.
    """

    spec: str
    targets: tuple[Target, ...]
    estimates: tuple[Estimate, ...]
    games: int
    seed: int
    degenerate: str = ""

    @property
    def states(self) -> tuple[str, ...]:
        """The state of each target: met or missed by its whole interval, or still open."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return tuple(MET if one.is_met(got) else MISSED if one.is_missed(got) else OPEN for one, got in pairs)

    @property
    def is_feasible(self) -> bool:
        """True if all targets are met: every interval lies in its band."""
        return all(state == MET for state in self.states)

    def games_to_know(self) -> float:
        """Return the approximate number of games until all intervals lie in their bands; infinite if a value does not."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return self.games * max((_growth(target, estimate) for target, estimate in pairs), default=1.0)

    def cost(self, goals: Sequence[Goal]) -> float:
        """Return the cost of this measurement."""
        return sum(goal.observed(estimate) for goal, estimate in zip(goals, self.estimates, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain values."""
        rows = zip(self.targets, self.estimates, self.states, strict=True)
        return {
            "spec": self.spec,
            "games": self.games,
            "seed": self.seed,
            "feasible": self.is_feasible,
            "degenerate": self.degenerate,
            "targets": {one.name: {"target": str(one), **plain(asdict(got)), "state": what} for one, got, what in rows},
        }


def measure(
    schedule: CandidateSchedule, queue: GameQueue, spec: str, n_games: int, seed: int, confidence: float
) -> Measurement:
    """Play ``n_games`` of a candidate, rounded up to whole blocks, on the stream of ``seed``, and return the estimates.

    Intervals have the ``confidence``, of 95 % or more.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    plan = schedule.plan
    blocks = ceil(n_games / plan.block_games)
    asked = schedule.games(schedule.enter(spec), range(blocks))
    queue.ask(asked)
    played: list[PlayedGame] = queue.take(asked)
    factor = student(blocks, confidence) / student(blocks) if blocks > 1 else 1.0
    known = measures_of(spec)
    estimates = tuple(
        one.widened(factor, known[target.measure].least, known[target.measure].greatest)
        for target, one in zip(plan.targets, plan.estimates(spec, played), strict=True)
    )
    return Measurement(spec, plan.targets, estimates, len(played), seed, degenerate_text(played))


def chosen(candidates: Sequence[Measurement], goals: Sequence[Goal]) -> Measurement:
    """Return the choice among measured candidates: the first that meets all targets, otherwise the nearest.

    A target that one of them surely meets is not surely missed for a gain elsewhere, which may be luck. Where this leaves
    several, or where each misses what another meets, `tag.tuning.balancing.targets.ranks` decides among those that miss the
    fewest such targets.
    """
    feasible = [one for one in candidates if one.is_feasible]
    if feasible:
        return feasible[0]
    within_reach = [MET in states for states in zip(*(one.states for one in candidates), strict=True)]
    means, errors = (
        np.array([[getattr(estimate, name) for estimate in one.estimates] for one in candidates]).T
        for name in ("value", "error")
    )
    costs = np.array([one.cost(goals) for one in candidates])
    needless = [
        sum(can and state == MISSED for can, state in zip(within_reach, one.states, strict=True)) for one in candidates
    ]
    order = list(zip(needless, ranks(goals, means, errors, costs), strict=True))
    return candidates[min(range(len(candidates)), key=order.__getitem__)]


def degenerate_text(played: Sequence[PlayedGame]) -> str:
    """Return a sentence if all games that count ended alike, so that agents make no difference; otherwise nothing."""
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
    goals: Sequence[Goal],
    means: npt.NDArray[np.float64],
    variances: npt.NDArray[np.float64],
    fewest: int,
    most: int,
    confidence: float = CONFIDENCE,
) -> int:
    """Return the number of games after which intervals lie in their bands nine times of ten, within ``fewest`` and ``most``.

    Args:
        goals: the targets with their weights.
        means: the posterior means of the measures, of shape (goals,).
        variances: of each measure from one game, of shape (goals,).
        fewest: the least number of games to return.
        most: the greatest.
        confidence: of the intervals.
    """
    wanted, half = float(fewest), float(scipy.special.ndtri(0.5 * (1.0 + confidence)))
    for goal, mean, variance in zip(goals, means.tolist(), variances.tolist(), strict=True):
        room = min(mean - goal.target.low, goal.target.high - mean)
        wanted = max(wanted, variance * ((half + _POWER) / room) ** 2 if room > 0.0 else inf)
    return most if wanted >= most else ceil(wanted)


def _growth(target: Target, estimate: Estimate) -> float:
    """Return the factor of games that shrinks an interval, by its square root, into the band."""
    value = estimate.value
    if not target.low < value < target.high:
        return inf
    sides = ((value - estimate.low, value - target.low), (estimate.high - value, target.high - value))
    shrink = max(half / room if isfinite(room) else 0.0 for half, room in sides)
    return max(shrink, 1.0) ** 2
