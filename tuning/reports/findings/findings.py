"""The findings of a study: its best configurations, and what matters in them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text
from tag.tuning.reports.findings.differences import ParameterChange
from tag.tuning.reports.findings.effects import Effects
from tag.tuning.reports.findings.posterior import ConfigurationModel
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration


@dataclass(frozen=True)
class ConfigurationEstimate:
    """The model's estimate of a value, with its standard deviation."""

    value: float
    deviation: float

    @property
    def text(self) -> str:
        """The value and half the length of its 95 % interval."""
        return f"{self.value:.3f} {self.half_text}"

    @property
    def half_text(self) -> str:
        """Half the length of the 95 % interval."""
        return f"± {half_width_text(HALF_WIDTH * self.deviation, '.3f')}"


@dataclass(frozen=True)
class Ranked:
    """A configuration among the best: the model's estimate, its games, and the value observed in these.

    The observed value is too good for the best on average.
    """

    spec: str
    estimate: ConfigurationEstimate
    games: int
    observed: float


@dataclass(frozen=True)
class Findings:
    """Findings of the model about a study's trials.

    Attributes:
        candidate: the spec of the incumbent, with its searched values as ``configuration``.
        estimate: of it.
        played: how many games of it the search has played; 0 if only the model supports it.
        default: the estimate of the default; None if that is outside of the search space.
        differences: of the candidate from the default.
        top: the best configurations that were tried, best first.
        remark: the model of the recommendation, if the values are from another model; otherwise empty.
    """

    posterior: ConfigurationModel
    effects: Effects
    candidate: str
    configuration: Configuration
    estimate: ConfigurationEstimate
    played: int
    default: ConfigurationEstimate | None
    differences: list[ParameterChange]
    top: list[Ranked]
    remark: str

    @property
    def space(self) -> SearchSpace:
        """The search space."""
        return self.posterior.space

    def to_json(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return {
            "candidate": {"spec": self.candidate, **asdict(self.estimate), "played": self.played},
            "remark": self.remark,
            "default": asdict(self.default) if self.default else None,
            "differences": [one.to_json() for one in self.differences],
            "top": [
                {"spec": one.spec, **asdict(one.estimate), "games": one.games, "observed": one.observed}
                for one in self.top
            ],
            "importance": [asdict(one) for one in self.effects.parameters],
        }
