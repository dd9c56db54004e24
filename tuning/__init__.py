"""Tuning: declared parameters as search spaces of Optuna, and samplers for objectives as noisy as single games."""

from __future__ import annotations

from tuning.configurations import Configurations
from tuning.samplers import BgpSampler, NtbeaSampler, SamplerChoice, make_sampler
from tuning.space import configurations, distributions, from_drawn

__all__ = [
    "BgpSampler",
    "Configurations",
    "NtbeaSampler",
    "SamplerChoice",
    "configurations",
    "distributions",
    "from_drawn",
    "make_sampler",
]
