"""Samplers made for games, beside Optuna's."""

from __future__ import annotations

from tuning.samplers._model_sampler import ModelSampler
from tuning.samplers._seen import GAMES
from tuning.samplers.bgp import BgpSampler
from tuning.samplers.by_name import AUTO, SAMPLERS, SamplerChoice, make_sampler
from tuning.samplers.ntbea import NtbeaSampler

__all__ = ["AUTO", "GAMES", "SAMPLERS", "BgpSampler", "ModelSampler", "NtbeaSampler", "SamplerChoice", "make_sampler"]
