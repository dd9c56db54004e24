"""The writer of tournaments: from the ledger, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tag.spec import parse_spec
from tournaments.folder import Manifest, read_manifest
from tournaments.reports.reading import Reading, read_tournament
from tournaments.tracking import curves, record
from tournaments.tracking._run import Identity, Run, agent_names
from tournaments.tracking.kinds import TOURNAMENTS
from tournaments.tracking.writing import RunWriter, log_files

_REPORT_ERROR_TAG: Final = "report.error"
_LONGEST_TAG: Final = 500
#: What has a curve for each agent; MLflow draws a chart of each metric, so there is one for each agent.
_CURVE: Final = "win_rate"
#: What is known of each agent in the end; the tables have all else.
_RESULTS: Final = ("win_rate_low", "win_rate_high", "rating", "decision_ms")


class Writer(RunWriter):
    """Writes the run of the tournament in a folder, as far as its ledger goes."""

    kind = TOURNAMENTS

    def read_manifest(self) -> Manifest:
        """Return the tournament's."""
        return read_manifest(self.folder)

    def identity(self, manifest: Manifest) -> Identity:
        """Return the tournament's id, among the tournaments of its game type."""
        game = parse_spec(manifest.definition.game).name
        return Identity(game, "tournament.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: Manifest) -> None:
        """Write what decides the tournament, and what it is played with."""
        run.log(record.parameters(manifest))
        run.set_tags(record.tags(self.folder, manifest, self.execution))

    def log_news(self, run: Run, manifest: Manifest, news: Mapping[str, float]) -> None:
        """Write new points of curves if there can be any."""
        if self._may_have_points(run, manifest, news):
            for point in curves.points(self.folder, manifest.definition, run.last_step):
                run.log({}, [(point.games, _values(point, manifest))])

    @staticmethod
    def _may_have_points(run: Run, manifest: Manifest, news: Mapping[str, float]) -> bool:
        """Say whether so many games have been played that the curves may go on; to read the ledger is dear."""
        blocks = manifest.definition.schedule().blocks
        known = round(run.last_step * blocks / news["total"])
        return news["games"] * blocks >= news["total"] * min(curves.next_in_grid(known), blocks)

    def log_all(self, run: Run, manifest: Manifest) -> Iterator[bool]:
        """Write tables, the report, the ledger, and the last points with all figures."""
        yield False
        reading = read_tournament(self.folder)
        points = list(curves.points(self.folder, manifest.definition, run.last_step, complete=True))
        with TemporaryDirectory() as temporary:
            trouble = record.write_files(reading, Path(temporary))
            yield True
            run.set_tags({_REPORT_ERROR_TAG: trouble[:_LONGEST_TAG]} if trouble else {})
            yield from log_files(run, Path(temporary))
        files, elsewhere = record.ledger_to_copy(self.folder)
        run.set_tags({"ledger": elsewhere} if elsewhere else {})
        for file in files:
            yield True
            run.log_file(file, f"ledger/{manifest.definition.blocks}_blocks")  # stores cannot take files back
        yield True
        for point in points:
            values = _values(point, manifest)
            run.log({}, [(point.games, {**values, **_summary(reading)} if point is points[-1] else values)])


def _values(point: curves.Point, manifest: Manifest) -> dict[str, float]:
    """Return a point of all curves by the names of metrics, in sections of MLflow's: ``win_rate/mcts_budget_400``."""
    names = agent_names(manifest.definition.labels)
    values = {"blocks": float(point.blocks), **{f"stopping/{name}": value for name, value in point.rule.items()}}
    known = {name: point.agents.get(label, {}) for label, name in names.items()}
    return {**values, **{f"{_CURVE}/{name}": found[_CURVE] for name, found in known.items() if _CURVE in found}}


def _summary(reading: Reading) -> dict[str, float]:
    """Return what the tournament came to by the names of metrics: ``rating/mcts_budget_400``."""
    names = agent_names(reading.definition.labels)
    rows = [standing.to_json() for standing in reading.results.standings]
    if reading.ratings is not None:
        rows += reading.ratings.to_json()["agents"]
    return {
        f"{field}/{names[row['agent']]}": float(row[field])
        for row in rows
        for field in _RESULTS
        if row.get(field) is not None
    }
