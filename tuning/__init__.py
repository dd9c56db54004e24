"""Tuning, balancing and training: `tune`, `balance`, `train`, or use studies, samplers and search spaces directly.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tag.tournaments import late_names as _late_names

if not __name__.startswith("tag."):
    raise ImportError("tuning is imported as tag.tuning: of each class there must be one")

if TYPE_CHECKING:
    from tag.tuning.agent.defining import define_study as define_study
    from tag.tuning.agent.definition import StudyDefinition as StudyDefinition
    from tag.tuning.agent.options import StudyOptions as StudyOptions
    from tag.tuning.commands.python import BalanceRun as BalanceRun
    from tag.tuning.commands.python import StudyRun as StudyRun
    from tag.tuning.commands.python import TrainingRun as TrainingRun
    from tag.tuning.commands.python import balance as balance
    from tag.tuning.commands.python import open_balance as open_balance
    from tag.tuning.commands.python import open_study as open_study
    from tag.tuning.commands.python import open_training as open_training
    from tag.tuning.commands.python import train as train
    from tag.tuning.commands.python import tune as tune
    from tag.tuning.reports.optuna_study import export_optuna_study as export_optuna_study
    from tag.tuning.reports.optuna_study import load_optuna_study as load_optuna_study
    from tag.tuning.reports.results import StudyResults as StudyResults
    from tag.tuning.reports.results import read_study as read_study
    from tag.tuning.run import run_study as run_study
    from tag.tuning.samplers import SamplerChoice as SamplerChoice
    from tag.tuning.samplers import make_sampler as make_sampler
    from tag.tuning.samplers.bgp import BgpSampler as BgpSampler
    from tag.tuning.samplers.ntbea import NtbeaSampler as NtbeaSampler
    from tag.tuning.space import SearchSpace as SearchSpace
    from tag.tuning.space import agent_space as agent_space
    from tag.tuning.space import game_space as game_space
    from tag.tuning.space.configurations import Configurations as Configurations
    from tag.tuning.space.tag_json import TagSearchSpace as TagSearchSpace
    from tag.tuning.space.tag_json import read_tag_json as read_tag_json

__all__, __getattr__, __dir__ = _late_names(__name__, __file__)
