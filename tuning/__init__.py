"""Tuning, balancing and training: `tune`, `balance`, `train`, or use studies, samplers and search spaces directly.

The names below are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if not __name__.startswith("tag."):
    raise ImportError("tuning is imported as tag.tuning: of each class there must be one")

if TYPE_CHECKING:
    from tag.tuning.agent.definition import StudyDefinition
    from tag.tuning.agent.options import StudyOptions, define_study
    from tag.tuning.commands.python import (
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
    from tag.tuning.reports.optuna_study import export_optuna_study, load_optuna_study
    from tag.tuning.reports.results import StudyResults, read_study
    from tag.tuning.run import run_study
    from tag.tuning.samplers import SamplerChoice, make_sampler
    from tag.tuning.samplers.bgp import BgpSampler
    from tag.tuning.samplers.ntbea import NtbeaSampler
    from tag.tuning.space import SearchSpace, agent_space, game_space
    from tag.tuning.space.configurations import Configurations
    from tag.tuning.space.tag_json import TagSearchSpace, read_tag_json

_HOMES = {
    "BalanceRun": "commands.python",
    "BgpSampler": "samplers.bgp",
    "Configurations": "space.configurations",
    "NtbeaSampler": "samplers.ntbea",
    "SamplerChoice": "samplers",
    "SearchSpace": "space",
    "StudyDefinition": "agent.definition",
    "StudyOptions": "agent.options",
    "StudyResults": "reports.results",
    "StudyRun": "commands.python",
    "TagSearchSpace": "space.tag_json",
    "TrainingRun": "commands.python",
    "agent_space": "space",
    "balance": "commands.python",
    "define_study": "agent.options",
    "export_optuna_study": "reports.optuna_study",
    "game_space": "space",
    "load_optuna_study": "reports.optuna_study",
    "make_sampler": "samplers",
    "open_balance": "commands.python",
    "open_study": "commands.python",
    "open_training": "commands.python",
    "read_study": "reports.results",
    "read_tag_json": "space.tag_json",
    "run_study": "run",
    "train": "commands.python",
    "tune": "commands.python",
}

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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Return all names, also those that have not been imported yet, for completion."""
    return sorted({*globals(), *__all__})
