"""Skill trace: what twice the budget is worth, step by step.

After Ludii's metric of that name: an agent meets itself with half its budget, at doubling budgets. A step's gain is twice
the stronger agent's share of the points less one: 0 where the budget makes no difference, 1 where the stronger always
wins. Seats are paired by blocks, and all steps share their seeds, so that errors of steps depend on
each other; area and slope take that into account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tag.errors import DataError, PlayersError
from tag.spec import parse_spec
from tuning.balance.block_means import BlockMeans
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SkillTrace:
    """What growing budgets are worth.

    Attributes:
        agents: their labels, the weakest first.
        gains: of each against the one before.
        area: the mean of the gains: how much skill there is to be had.
        slope: how much the gain changes from step to step, by least squares: below 0 where the game is soon played out.
    """

    agents: tuple[str, ...]
    gains: tuple[Estimate, ...]
    area: Estimate
    slope: Estimate


def skill_trace(candidate: CandidateGames, agents: Sequence[str] = ()) -> SkillTrace:
    """Return the skill trace of agents that have met their neighbours.

    Args:
        candidate: the games, as of a tournament by the design ``ladder``.
        agents: their labels, the weakest first; by default all, in the order of the tournament.

    Raises:
        UnknownNameError: an agent does not take part.
        PlayersError: there are fewer than two.
        DataError: two neighbours have not met.
    """
    labels = tuple(agents) or candidate.labels
    if len(labels) < 2:
        raise PlayersError(f"a skill trace needs 2 agents at growing budgets, not {len(labels)}")
    numbers = [candidate.agent(label) for label in labels]
    gains = _gains(candidate, numbers)
    k = len(numbers) - 1
    steps = np.arange(k) - (k - 1) / 2.0
    slope = np.divide(steps, steps @ steps) if k > 1 else None
    return SkillTrace(
        labels,
        tuple(gains.combined(row, -1.0, 1.0) for row in np.eye(k)),
        gains.combined(np.full(k, 1.0 / k), -1.0, 1.0),
        Estimate.unknown(games=gains.games) if slope is None else gains.combined(slope, *_range(slope)),
    )


def ladder(candidate: CandidateGames, name: str) -> tuple[str, ...]:
    """Return the agents of that name in the order of the tournament, all of them for no name."""
    return tuple(label for label in candidate.labels if name in ("", parse_spec(label).name.partition("#")[0]))


def _range(weights: _Floats) -> tuple[float, float]:
    """Return the least and the greatest sum of gains with these weights."""
    reach = float(np.abs(weights).sum())
    return -reach, reach


def _gains(candidate: CandidateGames, agents: list[int]) -> BlockMeans:
    """Return twice the share of the points of each agent against the one before, less one."""
    block, n_blocks = candidate.block_numbers
    totals, sizes = np.zeros((n_blocks, len(agents) - 1)), np.zeros((n_blocks, len(agents) - 1))
    is_used = np.zeros(len(block), dtype=bool)
    for step, (weak, strong) in enumerate(pairwise(agents)):
        of_weak, of_strong = candidate.agents == weak, candidate.agents == strong
        meets = of_weak.any(axis=1) & of_strong.any(axis=1)
        if not meets.any():
            raise DataError(f"{candidate.labels[weak]!r} and {candidate.labels[strong]!r} have not met in these games")
        is_used |= meets
        won, lost = ((candidate.points * sits).sum(axis=1) * meets for sits in (of_strong, of_weak))
        totals[:, step] = np.bincount(block, won - lost, n_blocks)
        sizes[:, step] = np.bincount(block, won + lost, n_blocks)
    return BlockMeans.of(totals, sizes, int(is_used.sum()))
