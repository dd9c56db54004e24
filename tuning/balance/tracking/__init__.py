"""Tracking of balancing studies: what is theirs of `tuning.tracking`."""

from __future__ import annotations

from typing import Final

from tournaments.tracking import Kind
from tuning.balance.verdict import BALANCE
from tuning.tracking import contents_with

__all__ = ["BALANCES"]

BALANCES: Final = Kind("tuning.balance.tracking.writer:BalanceWriter", contents_with(BALANCE))
