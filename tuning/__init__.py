"""Tuning: from declared parameters to the search spaces of Optuna (its only importer)."""

from __future__ import annotations

from tuning.space import distributions

__all__ = ["distributions"]
