"""Metrics: measurements of any game while it is played (μ1 to μ7 of the TAG report, and more)."""

from __future__ import annotations

from tag.playing.metrics.actions import ActionSpaceMetric, BranchingMetric, TurnsMetric
from tag.playing.metrics.by_name import METRICS
from tag.playing.metrics.components import TableMetric
from tag.playing.metrics.lead import LeadMetric
from tag.playing.metrics.metric import STRIDE, Metric, Stride, is_share, is_share_of_games, share
from tag.playing.metrics.rewards import RewardMetric

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
    "is_share",
    "is_share_of_games",
    "share",
]
