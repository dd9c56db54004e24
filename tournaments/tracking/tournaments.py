"""The contents of a tournament's run: its curves, parameters, tags, tables and files, from the ledger alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.ledger.folder import MANIFEST, TournamentManifest, read_manifest
from tag.tournaments.ledger.games import ledger_files
from tag.tournaments.reports.sections.again import as_command
from tag.tournaments.reports.sections.data import SeatSums, TournamentData, read_tournament
from tag.tournaments.reports.sections.ratings import ratings_table
from tag.tournaments.reports.sections.section import TableData
from tag.tournaments.reports.sections.standings import COLUMNS
from tag.tournaments.reports.text import standings_csv, standings_markdown
from tag.tournaments.results.curves import curve_points, next_in_grid
from tag.tournaments.statistics.plain_records import flat
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable
from tag.tournaments.tracking.contents import Point, RunContents, RunResults
from tag.tournaments.tracking.origin import origin_tags
from tag.tournaments.tracking.runs import Identity, agent_names
from tag.tournaments.tracking.tracker import TOURNAMENTS

_REPORT_ERROR_TAG: Final = "report.error"
_LONGEST_TAG: Final = 500
#: Modules that reports import when they are written.
_FOR_REPORTS: Final = (
    "jinja2",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "tag.tournaments.reports.html.page",
    "tag.tournaments.reports.sections.tournament",
)
#: A larger ledger, in bytes, is not copied to the store; a tag says where it is.
LARGEST_LEDGER: Final = 64 << 20


def tables(data: TournamentData) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of a tournament by name, those that are not empty."""
    yield "standings", pd.DataFrame([flat(standing) for standing in data.results.standings])
    if data.ratings is not None:
        yield "ratings", pd.DataFrame([flat(agent) for agent in data.ratings.agents])
        yield "pairwise", _pairs(data.ratings.pairs)
    if len(data.counted):
        yield "seats", _seats(data.counted, data.definition.labels)
    if data.results.faults:
        yield "faults", pd.DataFrame([asdict(count) for count in data.results.faults])


def write_tables(data: TournamentData, folder: Path) -> None:
    """Write the tables and the manifest to ``folder``."""
    results = data.results
    (folder / "results.md").write_text(standings_markdown(results.standings), encoding="utf-8")
    (folder / "results.csv").write_text(standings_csv(results.standings), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(results.to_json(), indent=2), encoding="utf-8")
    shutil.copy(results.folder / MANIFEST, folder)
    (folder / "tables").mkdir()
    for name, table in tables(data):
        table.to_parquet(folder / "tables" / f"{name}.parquet", index=False)


def write_report(data: TournamentData | Path, folder: Path) -> str:
    """Write the report of a tournament, or of a folder, to ``folder``; return why there is none, empty if there is one.

    An error in drawing the report loses nothing else: the games and the tables are worth more.
    """
    from tag.tournaments.reports.html.page import page_html  # noqa: PLC0415  only who draws waits for these
    from tag.tournaments.reports.sections.tournament import folder_page, page_of  # noqa: PLC0415

    try:
        page = folder_page(data) if isinstance(data, Path) else page_of(data)
        (folder / "report.html").write_text(page_html(page), encoding="utf-8")
    except Exception as error:  # noqa: BLE001  see above
        return f"{type(error).__name__}: {error}"
    return ""


def ledger_to_copy(folder: Path) -> tuple[list[Path], str]:
    """Return the files of the ledger in ``folder`` if they are small enough, and otherwise none and where they are."""
    files = ledger_files(folder)
    size = sum(file.stat().st_size for file in files)
    if size <= LARGEST_LEDGER:
        return files, ""
    return [], f"{size / 1e6:,.0f} MB, in {str(folder.resolve())!r} only"


def _pairs(pairs: PairwiseTable) -> pd.DataFrame:
    """Return a row for each ordered pair of agents that have met."""
    names = ("games", "above", "score", "low", "high", "p_value", "corrected")
    first, second = np.nonzero(pairs.games)
    columns: dict[str, Any] = {
        "agent": [pairs.labels[number] for number in first],
        "opponent": [pairs.labels[number] for number in second],
    }
    return pd.DataFrame({**columns, **{name: getattr(pairs, name)[first, second] for name in names}})


def _seats(counted: SeatSums, labels: Sequence[str]) -> pd.DataFrame:
    """Return the points of each seat over all agents (no agent), and of each agent there."""
    by_agent = counted.seat_points_by_agent()
    frames = [
        counted.seat_points().assign(agent=None),
        by_agent.assign(agent=[labels[number] for number in by_agent["agent"]]),
    ]
    found = pd.concat([frame.astype({"agent": "object"}) for frame in frames if len(frame)], ignore_index=True)
    return found[["agent", "seat", "games", "mean", "low", "high"]].rename(
        columns={"mean": "points", "low": "points_low", "high": "points_high"}
    )


class TournamentContents(RunContents):
    """The contents of the run of a tournament, as far as its ledger goes."""

    kind = TOURNAMENTS
    manifest: TournamentManifest

    def read_manifest(self) -> TournamentManifest:
        """Return the tournament's."""
        return read_manifest(self.folder)

    def identity(self) -> Identity:
        """Return the tournament's id, among the tournaments of its game type."""
        game = self.manifest.definition.game_spec.name
        return Identity(game, "tournament.id", self.manifest.id, self.manifest.created)

    def parameters(self) -> dict[str, object]:
        """Return the definition of the tournament except its blocks, which can grow; the agents by number, from 1."""
        plain = self.manifest.definition.to_json()
        plain.pop("blocks")
        agents = plain.pop("agents")
        return {**plain, **{f"agent_{number}": spec for number, spec in enumerate(agents, start=1)}}

    def tags(self, execution: Mapping[str, object]) -> dict[str, str]:
        """Return the place and the versions of the tournament, and the commands that go on with it and play it again."""
        origin = origin_tags(self.folder, "tag tournament", self.manifest.versions, self.manifest.sources, execution)
        return {**origin, "command.again": as_command(self.manifest.definition)}

    def has_points(self, news: Mapping[str, float], after: int) -> bool:
        """Say whether so many games have been played that the curves may go on."""
        blocks = self.manifest.definition.schedule().blocks
        known = round(after * blocks / news["total"])
        return news["games"] * blocks >= news["total"] * min(next_in_grid(known), blocks)

    def points(self, after: int, *, complete: bool) -> Iterator[Point]:
        """Yield a curve for each agent, as MLflow draws a chart of each metric: ``win_rate/mcts_budget_400``."""
        names = agent_names(self.manifest.definition.labels)
        shown = [name for name, column in COLUMNS.items() if column.metric == "curve"]
        for point in curve_points(self.folder, self.manifest.definition, after, complete=complete):
            values = {
                "blocks": float(point.blocks),
                **{f"stopping/{name}": value for name, value in point.rule.items()},
            }
            for label, name in names.items():
                known = point.agents.get(label, {})
                values |= {f"{field}/{name}": known[field] for field in shown if field in known}
            yield point.games, values

    def prepare_results(self) -> None:
        """Import what reports need: half a second of CPU time, a third of what the end takes."""
        for name in _FOR_REPORTS:
            import_module(name)

    def results(self, scratch: Path) -> RunResults:
        """Return the results of agents (``rating/mcts_budget_400``), tables, the report and the ledger."""
        data = read_tournament(self.folder)
        write_tables(data, scratch)
        tags = report_tags(write_report(data, scratch))
        ledger, elsewhere = ledger_to_copy(self.folder)
        where = f"ledger/{self.manifest.definition.blocks}_blocks"  # stores cannot delete files
        return RunResults(
            tags | ({"ledger": elsewhere} if elsewhere else {}),
            result_metrics(data),
            [*written_files(scratch), *((file, where) for file in ledger)],
        )


def report_tags(trouble: str) -> dict[str, str]:
    """Return the tag that says why there is no report, none if there is one."""
    return {_REPORT_ERROR_TAG: trouble[:_LONGEST_TAG]} if trouble else {}


def written_files(scratch: Path) -> list[tuple[Path, str]]:
    """Return the files in ``scratch``, each with its folder among the artifacts."""
    written = sorted(file for file in scratch.rglob("*") if file.is_file())
    return [(file, file.parent.relative_to(scratch).as_posix().removeprefix(".")) for file in written]


def result_metrics(data: TournamentData) -> dict[str, float]:
    """Return the results of the tournament by the names of metrics."""
    names = agent_names(data.definition.labels)
    records = [standing.to_json() for standing in data.results.standings]
    tables = [TableData(records, "Standings", ("agent",), COLUMNS)]
    tables += [ratings_table(data.ratings)] if data.ratings is not None else []
    return {name: value for table in tables for name, value in table.metrics(names).items()}
