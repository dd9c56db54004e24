"""Tuning: from declared parameters to the search spaces of Optuna (its only importer)."""

from __future__ import annotations

from tuning.space import distributions, from_drawn

__all__ = ["distributions", "from_drawn"]
