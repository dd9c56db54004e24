"""Tuning: which parameters make an agent strong, searched with samplers for objectives as noisy as single games."""

from __future__ import annotations

from tuning.definition import StudyDefinition, StudyOptions, define_study
from tuning.reports.recommendation import StudyResults, read_study
from tuning.samplers import BgpSampler, NtbeaSampler, SamplerChoice, make_sampler
from tuning.search.optuna_study import export_optuna_study, load_optuna_study
from tuning.space.space import Configurations, SearchSpace, agent_space, game_space
from tuning.space.tag_json import TagSearchSpace, read_tag_json
from tuning.tune import tune

__all__ = [
    "BgpSampler",
    "Configurations",
    "NtbeaSampler",
    "SamplerChoice",
    "SearchSpace",
    "StudyDefinition",
    "StudyOptions",
    "StudyResults",
    "TagSearchSpace",
    "agent_space",
    "define_study",
    "export_optuna_study",
    "game_space",
    "load_optuna_study",
    "make_sampler",
    "read_study",
    "read_tag_json",
    "tune",
]
