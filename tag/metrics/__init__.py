"""Metrics: measurements of any game while it is played (μ1 to μ7 of the TAG report, and more).

A tournament with ``metrics=("lead",)`` keeps their values in its ledger; ``tag analyse`` plays with all of them.
"""

from __future__ import annotations

from typing import Final

from tag.metrics._action_space import ActionSpaceMetric, BranchingMetric
from tag.metrics._lead import LeadMetric
from tag.metrics._metric import STRIDE, Metric, Stride, share
from tag.metrics._reward import RewardMetric
from tag.metrics._table import TableMetric
from tag.metrics._turns import TurnsMetric

#: The metrics for any game, by name.
METRICS: Final[dict[str, type[Metric]]] = {
    "action_space": ActionSpaceMetric,
    "branching": BranchingMetric,
    "lead": LeadMetric,
    "reward": RewardMetric,
    "table": TableMetric,
    "turns": TurnsMetric,
}

__all__ = [
    "METRICS",
    "STRIDE",
    "ActionSpaceMetric",
    "BranchingMetric",
    "LeadMetric",
    "Metric",
    "RewardMetric",
    "Stride",
    "TableMetric",
    "TurnsMetric",
    "share",
]
