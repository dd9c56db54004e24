"""What the sections of a study's report have in common."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.html.figures import variable
from tournaments.html.page import Key
from tuning.definition import StudyDefinition
from tuning.findings import Findings
from tuning.objectives import MAXIMIZE, bounds_of, direction_of
from tuning.reports.figures import DEFAULT, RECOMMENDED
from tuning.results import StudyResults


@dataclass(frozen=True, eq=False)
class Subject:
    """The study that a report is about.

    Attributes:
        results: what it has come to.
        findings: what the model makes of its trials; None as long as there are none.
    """

    results: StudyResults
    findings: Findings | None

    @property
    def definition(self) -> StudyDefinition:
        """The study."""
        return self.results.manifest.definition

    @property
    def objective(self) -> str:
        """What its values are; of several objectives, the first."""
        return self.definition.objectives[0].replace("_", " ")

    @property
    def goal(self) -> str:
        """The same with the direction in which it goes."""
        return f"{self.objective}, {'more' if self.is_maximised else 'less'} is better"

    @property
    def is_maximised(self) -> bool:
        """Whether more of the objective is better."""
        return direction_of(self.definition.objectives[0]) == MAXIMIZE

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest value that the objective can have."""
        return bounds_of(self.definition.objectives[0])


def key() -> Key:
    """Return what the two colours of all figures stand for."""
    return Key("Colours", [(variable(RECOMMENDED), "recommended"), (variable(DEFAULT), "default")])
