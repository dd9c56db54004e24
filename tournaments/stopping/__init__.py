"""When to stop, and who plays next: sequential statistics on blocks released in schedule order.

Games go through `InOrderRelease`, and the blocks it releases to one of

- `Gsprt`: is an agent worth elo0 or elo1?
- `FixedWidth`: are the intervals narrow enough?
- `BestAgent`: who is the best, with the next blocks to the contenders?
"""

from __future__ import annotations

from tournaments.stopping.best_agent import BestAgent
from tournaments.stopping.distribution import EXTREMES, PENTANOMIAL, TRINOMIAL
from tournaments.stopping.elo import EloScale, LogisticElo, NormalizedElo
from tournaments.stopping.fixed_width import FixedWidth
from tournaments.stopping.gsprt import Decision, EloEstimate, Gsprt
from tournaments.stopping.release import InOrderRelease
from tournaments.stopping.strengths import Strengths

__all__ = [
    "EXTREMES",
    "PENTANOMIAL",
    "TRINOMIAL",
    "BestAgent",
    "Decision",
    "EloEstimate",
    "EloScale",
    "FixedWidth",
    "Gsprt",
    "InOrderRelease",
    "LogisticElo",
    "NormalizedElo",
    "Strengths",
]
