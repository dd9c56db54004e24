"""The results that sections are about, and the looks of the agents in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tag.tournaments.reports.figures import Style, styles
from tag.tournaments.reports.html.figures import variable
from tag.tournaments.reports.sections.section import Block, Key, Section

if TYPE_CHECKING:
    from tag.tournaments.reports.sections.data import TournamentData
    from tag.tournaments.results.tournament import RatingSummary, TournamentResults

#: With more agents there is no heat map, no list of pairs, and a course only for this many.
MOST_AGENTS: Final = 40
#: How to read names in figures.
NUMBERS: Final = "The numbers before the names are places in the standings."


class ReportContext:
    """The results of a tournament, as far as they are known, and the looks of its agents.

    Attributes:
        labels: those of all agents.
        data: all data of the tournament; None where only the results are known, as during play.
        ratings: if known.
        styles: those of the agents, best first.
        short: the short forms of labels.
    """

    def __init__(
        self,
        results: TournamentResults,
        labels: Sequence[str],
        *,
        data: TournamentData | None = None,
        ratings: RatingSummary | None = None,
        prefix: str = "",
    ) -> None:
        """Give the agents their looks; names of sections and figures begin with the ``prefix``."""
        self.results = results
        self.labels = list(labels)
        self.data = data
        self.ratings = ratings
        self.styles: list[Style] = styles([standing.agent for standing in results.standings] or labels, labels)
        self.by_label = {style.label: style for style in self.styles}
        self.short = {style.label: style.short for style in self.styles}
        self._prefix = prefix

    @property
    def rate(self) -> str:
        """The name of a share of games won."""
        return "success rate" if self.results.is_cooperative else "win rate"

    @property
    def key(self) -> Key:
        """The colours of the agents."""
        return Key("agents", [(variable(style.colour), style.name) for style in self.styles])

    def figure(self, what: str) -> str:
        """Return the name of a figure."""
        return f"{self._prefix}figure-{what}"

    def section(self, name: str, title: str, about: str, blocks: Sequence[Block]) -> Section:
        """Return a section."""
        return Section(f"{self._prefix}{name}", title, blocks, about)
