"""Models of a noisy objective: what is known of configurations from the games that they and others have played."""

from __future__ import annotations

from tuning.models.gaussian_process import GaussianProcess
from tuning.models.noise import Noise, noise_of
from tuning.models.ntuple import NTuple

__all__ = ["GaussianProcess", "NTuple", "Noise", "noise_of"]
