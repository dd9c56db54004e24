"""Samplers made for games, beside Optuna's."""

from __future__ import annotations

from tuning.samplers._seen import GAMES
from tuning.samplers.bgp import BgpSampler
from tuning.samplers.ntbea import NtbeaSampler

__all__ = ["GAMES", "BgpSampler", "NtbeaSampler"]
