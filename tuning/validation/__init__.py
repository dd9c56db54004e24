"""Validation: is the recommendation better than the default, on blocks that the search has not seen?

`ValidationPlan` says beforehand what so many blocks can show, `Validation` is the test that follows it.
"""

from __future__ import annotations

from tuning.validation.sequential import FEWEST_BLOCKS, Validation, ValidationPlan, ValidationResult

__all__ = ["FEWEST_BLOCKS", "Validation", "ValidationPlan", "ValidationResult"]
