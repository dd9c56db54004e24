"""Tuning, balancing and training: `tune`, `balance`, `train`, or use studies, samplers and search spaces directly."""

from __future__ import annotations

from tuning.commands.python import (
    BalanceRun,
    StudyRun,
    TrainingRun,
    balance,
    open_balance,
    open_study,
    open_training,
    train,
    tune,
)
from tuning.definition import StudyDefinition, StudyOptions, define_study
from tuning.reports.results import StudyResults, read_study
from tuning.reports.tracking import export_optuna_study, load_optuna_study
from tuning.run import run_study
from tuning.samplers import SamplerChoice, make_sampler
from tuning.samplers.bgp import BgpSampler
from tuning.samplers.ntbea import NtbeaSampler
from tuning.space import SearchSpace, agent_space, game_space
from tuning.space.configurations import Configurations
from tuning.space.tag_json import TagSearchSpace, read_tag_json

__all__ = [
    "BalanceRun",
    "BgpSampler",
    "Configurations",
    "NtbeaSampler",
    "SamplerChoice",
    "SearchSpace",
    "StudyDefinition",
    "StudyOptions",
    "StudyResults",
    "StudyRun",
    "TagSearchSpace",
    "TrainingRun",
    "agent_space",
    "balance",
    "define_study",
    "export_optuna_study",
    "game_space",
    "load_optuna_study",
    "make_sampler",
    "open_balance",
    "open_study",
    "open_training",
    "read_study",
    "read_tag_json",
    "run_study",
    "train",
    "tune",
]
