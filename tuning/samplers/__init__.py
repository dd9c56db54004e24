"""Samplers made for games, beside Optuna's."""

from __future__ import annotations

from tuning.samplers.bgp import BgpSampler
from tuning.samplers.by_name import AUTO, SAMPLERS, SamplerChoice, make_sampler
from tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES, ModelSampler
from tuning.samplers.ntbea import NtbeaBgpSampler, NtbeaSampler

__all__ = [
    "AUTO",
    "BLOCKS",
    "BLOCK_VARIANCE",
    "GAMES",
    "SAMPLERS",
    "BgpSampler",
    "ModelSampler",
    "NtbeaBgpSampler",
    "NtbeaSampler",
    "SamplerChoice",
    "make_sampler",
]
