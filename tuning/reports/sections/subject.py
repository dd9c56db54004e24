"""The subject of a report, which all sections share."""

from __future__ import annotations

from dataclasses import dataclass

from tag.tournaments.reports.html.figures import variable
from tag.tournaments.reports.sections.section import Key
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.objectives import MAXIMIZE, bounds_of, direction_of
from tag.tuning.reports.figures import DEFAULT, RECOMMENDED
from tag.tuning.reports.findings.findings import Findings
from tag.tuning.reports.results import StudyResults


@dataclass(frozen=True, eq=False)
class StudySubject:
    """The study that a report is about."""

    results: StudyResults

    @property
    def findings(self) -> Findings | None:
        """The findings of the model in its trials; None as long as no trial has a value."""
        return self.results.findings

    @property
    def definition(self) -> StudyDefinition:
        """The study."""
        return self.results.manifest.definition

    @property
    def objective(self) -> str:
        """The objective; of several, the first."""
        return self.definition.objectives[0].replace("_", " ")

    @property
    def goal(self) -> str:
        """The same with the direction in which it goes."""
        return f"{self.objective}, {'more' if self.is_maximised else 'less'} is better"

    @property
    def is_maximised(self) -> bool:
        """True if more of the objective is better."""
        return direction_of(self.definition.objectives[0]) == MAXIMIZE

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the objective can have."""
        return bounds_of(self.definition.objectives[0])


def key() -> Key:
    """Return the meaning of the two colours of all figures."""
    return Key("Colours", [(variable(RECOMMENDED), "recommended"), (variable(DEFAULT), "default")])
