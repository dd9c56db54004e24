"""The writer of tuning studies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tuning.comparison import SIDES
from tuning.definition import StudyDefinition
from tuning.recommendation import RECOMMENDATION, comparisons_of
from tuning.tracking import STUDIES
from tuning.tracking.base import BaseStudyWriter


class StudyWriter(BaseStudyWriter):
    """Writes the run of a tuning study."""

    kind = STUDIES
    study = StudyDefinition
    topic = "tuning"
    verdict = RECOMMENDATION

    def tags(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return what is recommended in words."""
        return {f"recommendation.{name}": str(found[name]) for name in ("verdict", "sentence", "spec", "default")}

    def results(self, found: Mapping[str, Any]) -> dict[str, float]:
        """Return what the games on unseen seeds say, by the names of metrics: ``validation/difference``."""
        values: dict[str, float | None] = {}
        for name, (comparison, times) in comparisons_of(found).items():
            for side in SIDES:
                values[f"{name}/{side}/decision_cpu_ms"] = times[side]
                values |= {f"{name}/{side}/{key}": comparison[side][key] for key in ("games", "value", "low", "high")}
            result = comparison["result"]
            values |= {f"{name}/{key}": result[key] for key in ("difference", "low", "high", "p_value", "blocks")}
        return {name: float(value) for name, value in values.items() if value is not None}
