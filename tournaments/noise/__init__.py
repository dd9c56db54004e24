"""The noise of a set-up: what differences identical agents show, and whether anything favours one of them (an A/A test).

What would be played is played between copies of one agent, which draw numbers of their own: equal in strength, not in
their games. `run_noise` plays, `read_noise` says what the ledgers tell.
"""

from __future__ import annotations

from tournaments.noise.definition import NoiseDefinition, noise_of
from tournaments.noise.results import NoiseResults, read_noise
from tournaments.noise.run import run_noise

__all__ = ["NoiseDefinition", "NoiseResults", "noise_of", "read_noise", "run_noise"]
