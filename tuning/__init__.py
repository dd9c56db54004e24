"""Tuning: declared parameters as search spaces of Optuna, and samplers for objectives as noisy as single games."""

from __future__ import annotations

from tuning.configurations import Configurations
from tuning.samplers import BgpSampler, NtbeaSampler, SamplerChoice, make_sampler
from tuning.search_space import SearchSpace, agent_space, game_space
from tuning.tag_json import TagSearchSpace, read_tag_json

__all__ = [
    "BgpSampler",
    "Configurations",
    "NtbeaSampler",
    "SamplerChoice",
    "SearchSpace",
    "TagSearchSpace",
    "agent_space",
    "game_space",
    "make_sampler",
    "read_tag_json",
]
