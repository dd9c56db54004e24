"""The run of a tournament: its curves, parameters, tags, tables and files, from the ledger alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.pausing import AgentPauses
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping import InOrderStopping, StoppingRule
from tag.tournaments.ledger.folder import MANIFEST, Folder, FolderOrPath, TournamentManifest, read_manifest
from tag.tournaments.ledger.games import compared_frames, ledger_files
from tag.tournaments.reports.sections.again import as_command
from tag.tournaments.reports.sections.data import SeatSums, TournamentData, read_tournament
from tag.tournaments.reports.text import standings_csv, standings_markdown
from tag.tournaments.results.tournament import judged
from tag.tournaments.statistics.intervals import flat
from tag.tournaments.statistics.pairwise import PairwiseTable
from tag.tournaments.statistics.standings import Standing, standings
from tag.tournaments.tracking.runs import Identity, Run, agent_names, origin_tags
from tag.tournaments.tracking.tracker import TOURNAMENTS, RunWriter, log_files

# --- curves: standings after the first blocks, from the ledger alone --------------------------------------------------
#
# The points of a curve are at fixed numbers of blocks, so many for each doubling. Each is made of whole blocks in
# schedule order. So the points do not depend on when a curve is computed, in how many pieces, or in which order games
# arrived, and none is there twice.


#: The points of a curve for each doubling of the blocks; up to this many blocks there is one after every block.
_PER_DOUBLING: Final = 8
#: The curves of an agent during the tournament; a complete tournament has all fields of `Standing`.
_SHOWN: Final = [
    f"{name}{end}" for name in ("win_rate", "points", "mean_ordinal", "score") for end in ("", "_low", "_high")
]


@dataclass(frozen=True)
class StandingsPoint:
    """The standings of a tournament after some of its first blocks.

    Attributes:
        agents: the figures of each agent in these games, by label and field of `Standing`.
        rule: the numbers in the state of the stopping rule, by name.
    """

    games: int
    blocks: int
    agents: dict[str, dict[str, float]]
    rule: dict[str, float]


def grid(blocks: int) -> list[int]:
    """Return the numbers of blocks, up to ``blocks``, after which there is a point, independent of later blocks.

    >>> grid(20)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20]
    >>> len(grid(1_000)), len(grid(100_000))
    (63, 116)
    """
    found = list(range(1, min(blocks, _PER_DOUBLING) + 1))
    stride = 1
    while found and found[-1] + stride <= blocks:
        found.append(found[-1] + stride)
        if found[-1] == 2 * stride * _PER_DOUBLING:
            stride *= 2
    return found


def next_in_grid(blocks: int) -> int:
    """Return the first number of blocks after ``blocks`` at which there is a point."""
    return next(point for point in grid(2 * blocks + 2) if point > blocks)


def curve_points(
    folder: FolderOrPath, definition: TournamentDefinition, after: int = 0, *, complete: bool = False
) -> Iterator[StandingsPoint]:
    """Yield the points of a tournament's curves that its ledger has, with more than ``after`` games.

    If all has been played, ``complete``, the last point is of all that.

    Raises:
        DataError: the ledger is damaged.
    """
    opened = Folder.of(folder)
    games, seats = compared_frames(opened)
    schedule = definition.schedule()
    pauses = AgentPauses(schedule)
    if games["faults"].any():
        pauses, _faults = judged(opened.games(["agents", "faults"]), schedule)
    skipped = pauses.skipped().keys()
    games, seats = _without(games, skipped), _without(seats, skipped)
    if schedule.design.in_rounds:  # the further blocks of its tables are not known before
        InOrderStopping(schedule, None).add_ledger(games, seats)
    whole = schedule.blocks if complete else _whole_blocks(games, schedule, skipped)
    stopping, begin = InOrderStopping(schedule, definition.stopping_rule(schedule)), 0
    for end in sorted({*grid(whole), whole} if complete else grid(whole)):
        if stopping.rule is not None:
            stopping.add_ledger(*pauses.before_pauses(_within(games, begin, end), _within(seats, begin, end)))
        blocks = stopping.blocks if stopping.is_decided else end
        played = _within(games, 0, blocks)
        if len(played) > after:
            found = standings(
                played,
                _within(seats, 0, blocks),
                n_seatings=schedule.design.n_seatings,
                uncounted=pauses.uncounted(),
            )
            yield StandingsPoint(
                len(played), blocks, {one.agent: _figures(one) for one in found}, _numbers(stopping.rule)
            )
        if stopping.is_decided:
            return
        begin = end


def _figures(standing: Standing) -> dict[str, float]:
    values = flat(standing)
    return {name: float(values[name]) for name in _SHOWN if isfinite(values[name])}


def _without(rows: pd.DataFrame, skipped: Collection[str]) -> pd.DataFrame:
    """Return the rows of games that are not skipped."""
    return rows[~rows["game_id"].isin(list(skipped))] if skipped else rows


def _within(rows: pd.DataFrame, begin: int, end: int) -> pd.DataFrame:
    """Return the rows, which are in schedule order, of the blocks from ``begin`` up to ``end``."""
    first, last = np.searchsorted(rows["block"].to_numpy(), [begin, end]).tolist()
    return rows.iloc[first:last]


def _whole_blocks(games: pd.DataFrame, schedule: Schedule, skipped: Collection[str]) -> int:
    """Return how many blocks from the first on have all their games."""
    wanted = np.array([schedule.n_games(block) for block in range(schedule.blocks)])
    blocks = [int(game_id[1 : game_id.index("-")]) for game_id in skipped]
    wanted -= np.bincount(blocks, minlength=schedule.blocks)[: schedule.blocks] if blocks else 0
    there = np.bincount(games["block"].to_numpy(np.int64), minlength=schedule.blocks)
    missing = np.flatnonzero(there < wanted)
    return int(missing[0]) if len(missing) else schedule.blocks


def _numbers(rule: StoppingRule | None) -> dict[str, float]:
    """Return the numbers in the state of a stopping rule."""
    values = flat(rule.result()) if rule is not None else {}
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    }


# --- parameters, tags, tables and files of a tournament's run ---------------------------------------------------------


#: A larger ledger, in bytes, is not copied to the store; a tag says where it is.
LARGEST_LEDGER: Final = 64 << 20


def run_parameters(manifest: TournamentManifest) -> dict[str, object]:
    """Return the definition of the tournament except its blocks, which can grow; the agents by number, from 1."""
    plain = manifest.definition.to_json()
    plain.pop("blocks")
    agents = plain.pop("agents")
    return {**plain, **{f"agent_{number}": spec for number, spec in enumerate(agents, start=1)}}


def run_tags(folder: Path, manifest: TournamentManifest, execution: Mapping[str, object]) -> dict[str, str]:
    """Return the place and the versions of a tournament, and the command that goes on with it."""
    return {
        **origin_tags(folder, "tag tournament", manifest.versions, manifest.sources, execution),
        "command.again": as_command(manifest.definition),
    }


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


def write_files(data: TournamentData, folder: Path) -> str:
    """Write the tables and the report to ``folder``, and return why there is no report, empty if there is one.

    An error in drawing the report loses nothing else: the games and the tables are worth more.
    """
    from tag.tournaments.reports.html.page import page_html  # noqa: PLC0415  only who draws waits for these
    from tag.tournaments.reports.sections.tournament import page_of  # noqa: PLC0415

    results = data.results
    (folder / "results.md").write_text(standings_markdown(results.standings), encoding="utf-8")
    (folder / "results.csv").write_text(standings_csv(results.standings), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(results.to_json(), indent=2), encoding="utf-8")
    shutil.copy(results.folder / MANIFEST, folder)
    (folder / "tables").mkdir()
    for name, table in tables(data):
        table.to_parquet(folder / "tables" / f"{name}.parquet", index=False)
    try:
        (folder / "report.html").write_text(page_html(page_of(data)), encoding="utf-8")
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
    frames = [counted.seat_points().assign(agent=None)]
    frames += [counted.seat_points(agent).assign(agent=label) for agent, label in enumerate(labels)]
    found = pd.concat([frame.astype({"agent": "object"}) for frame in frames if len(frame)], ignore_index=True)
    return found[["agent", "seat", "games", "mean", "low", "high"]].rename(
        columns={"mean": "points", "low": "points_low", "high": "points_high"}
    )


_REPORT_ERROR_TAG: Final = "report.error"
_LONGEST_TAG: Final = 500
#: Figures with a curve for each agent; MLflow draws a chart of each metric, so there is one for each agent.
_CURVE: Final = "win_rate"
#: Modules that reports import when they are written.
_FOR_REPORTS: Final = (
    "jinja2",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "tag.tournaments.reports.html.page",
    "tag.tournaments.reports.sections.tournament",
)
#: The final figures of each agent; the tables have all else.
_RESULTS: Final = ("win_rate_low", "win_rate_high", "rating", "decision_ms")


class Writer(RunWriter):
    """Writes the run of the tournament in a folder, as far as its ledger goes."""

    kind = TOURNAMENTS

    def prepare_end(self) -> None:
        """Import what reports need: half a second of CPU time, a third of what the end takes."""
        for name in _FOR_REPORTS:
            import_module(name)

    def read_manifest(self) -> TournamentManifest:
        """Return the tournament's."""
        return read_manifest(self.folder)

    def identity(self, manifest: TournamentManifest) -> Identity:
        """Return the tournament's id, among the tournaments of its game type."""
        game = manifest.definition.game_spec.name
        return Identity(game, "tournament.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: TournamentManifest) -> None:
        """Write the definition of the tournament, and its versions and conditions."""
        run.log(run_parameters(manifest))
        run.set_tags(run_tags(self.folder, manifest, self.execution))

    def log_news(self, run: Run, manifest: TournamentManifest, news: Mapping[str, float]) -> None:
        """Write new points of curves if there can be any."""
        if self._may_have_points(run, manifest, news):
            for point in curve_points(self.folder, manifest.definition, run.last_step):
                run.log({}, [(point.games, _values(point, manifest))])

    @staticmethod
    def _may_have_points(run: Run, manifest: TournamentManifest, news: Mapping[str, float]) -> bool:
        """Say whether so many games have been played that the curves may go on; reading the ledger is expensive."""
        blocks = manifest.definition.schedule().blocks
        known = round(run.last_step * blocks / news["total"])
        return news["games"] * blocks >= news["total"] * min(next_in_grid(known), blocks)

    def log_all(self, run: Run, manifest: TournamentManifest) -> Iterator[bool]:
        """Write tables, the report, the ledger, and the last points with all figures."""
        yield False
        data = read_tournament(self.folder)
        points = list(curve_points(self.folder, manifest.definition, run.last_step, complete=True))
        with TemporaryDirectory() as temporary:
            trouble = write_files(data, Path(temporary))
            yield True
            run.set_tags({_REPORT_ERROR_TAG: trouble[:_LONGEST_TAG]} if trouble else {})
            yield from log_files(run, Path(temporary))
        files, elsewhere = ledger_to_copy(self.folder)
        run.set_tags({"ledger": elsewhere} if elsewhere else {})
        for file in files:
            yield True
            run.log_file(file, f"ledger/{manifest.definition.blocks}_blocks")  # stores cannot delete files
        yield True
        for point in points:
            values = _values(point, manifest)
            run.log({}, [(point.games, {**values, **_summary(data)} if point is points[-1] else values)])


def _values(point: StandingsPoint, manifest: TournamentManifest) -> dict[str, float]:
    """Return a point of all curves by the names of metrics, in sections of MLflow's: ``win_rate/mcts_budget_400``."""
    names = agent_names(manifest.definition.labels)
    values = {"blocks": float(point.blocks), **{f"stopping/{name}": value for name, value in point.rule.items()}}
    known = {name: point.agents.get(label, {}) for label, name in names.items()}
    return {**values, **{f"{_CURVE}/{name}": found[_CURVE] for name, found in known.items() if _CURVE in found}}


def _summary(data: TournamentData) -> dict[str, float]:
    """Return the results of the tournament by the names of metrics: ``rating/mcts_budget_400``."""
    names = agent_names(data.definition.labels)
    rows = [standing.to_json() for standing in data.results.standings]
    if data.ratings is not None:
        rows += data.ratings.to_json()["agents"]
    return {
        f"{field}/{names[row['agent']]}": float(row[field])
        for row in rows
        for field in _RESULTS
        if row.get(field) is not None
    }
