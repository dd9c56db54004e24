"""Values for JSON, which knows no nan and no infinity."""

from __future__ import annotations

from math import isfinite
from typing import Any


def plain(value: Any) -> Any:
    """Return ``value`` with None for all numbers in it that JSON has not, and lists for tuples."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
