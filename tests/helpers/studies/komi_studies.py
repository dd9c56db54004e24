"""Balancing studies of the made-up game of `komi`, without runs, which take seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tag.tuning.balancing import BalanceDefinition, BalanceResults, define_balance, run_balance

KOMI = f"{Path(__file__).with_name('komi.py')}:Komi"
TARGETS = ("first_seat=0±0.15", "length=12±1")


def komi(**changed: Any) -> BalanceDefinition:
    said = {"targets": TARGETS, "agents": ("random",), "games": 400, "validation": 400, "games_per_trial": 20}
    return define_balance(KOMI, **{**said, **changed})


def untracked(definition: BalanceDefinition, out: Path, **changed: Any) -> BalanceResults:
    return run_balance(definition, out, tracking=False, **changed)
