"""Records with intervals as plain values, as JSON, tables and metrics name them."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np


def flat(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, each interval as two numbers.

    The ends of the field ``interval`` are ``low`` and ``high``, those of ``points_interval`` are ``points_low`` and
    ``points_high``: as JSON, tables and metrics name them.
    """
    found: dict[str, Any] = {}
    for name, value in asdict(record).items():
        if name.endswith("interval"):
            prefix = name.removesuffix("interval")
            found[f"{prefix}low"], found[f"{prefix}high"] = value
        else:
            found[name] = value
    return found


def plain_record(record: Any) -> dict[str, Any]:
    """Return `flat` with only values that JSON has."""
    return dict(plain(flat(record)))


def plain(value: Any) -> Any:
    """Return ``value`` with None for all numbers in it that JSON has not, and lists for tuples and arrays of numbers.

    >>> plain({"rate": float("nan"), "seats": (1, 2)})
    {'rate': None, 'seats': [1, 2]}
    """
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        numbers = value.astype(object)
        numbers[~np.isfinite(value)] = None
        return numbers.tolist()
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value
