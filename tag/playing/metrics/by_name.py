"""The metrics for any game, by name.

A tournament with ``metrics=("lead",)`` keeps their values in its ledger; ``tag analyse`` plays with all of them.
"""

from __future__ import annotations

from typing import Final

from tag.playing.metrics.actions import ActionSpaceMetric, BranchingMetric, TurnsMetric
from tag.playing.metrics.components import TableMetric
from tag.playing.metrics.lead import LeadMetric
from tag.playing.metrics.metric import Metric
from tag.playing.metrics.rewards import RewardMetric

METRICS: Final[dict[str, type[Metric]]] = {
    "action_space": ActionSpaceMetric,
    "branching": BranchingMetric,
    "lead": LeadMetric,
    "reward": RewardMetric,
    "table": TableMetric,
    "turns": TurnsMetric,
}
