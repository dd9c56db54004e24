"""Tournaments on live pages, also while they are played: one, and several side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from tag.errors import DataError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.agents import short_labels
from tag.tournaments.driver.counts import duration
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import FOLDER, MANIFEST, TournamentManifest, is_at_work, read_manifest
from tag.tournaments.ledger.rows import GAMES
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.section import (
    Block,
    Column,
    Definitions,
    Figures,
    Folded,
    Key,
    ProgressBar,
    TableData,
)
from tag.tournaments.reports.sections.stopping import stopping_progress
from tag.tournaments.reports.sections.tournament import title_of, tournament_page, tournament_sections
from tag.tournaments.reports.status import Status, status_of
from tag.tournaments.results.analysis.claims import difference
from tag.tournaments.results.live import GrowingResults
from tag.tournaments.results.tournament import TournamentResults, rate
from tag.tournaments.statistics.intervals import IntervalEstimate
from tag.tournaments.statistics.standings import Standing
from tag.tournaments.web.live.feed import FolderRow, Intervals, LiveBlock, LiveSection, LiveSubject
from tag.tournaments.web.live.folders import COMPLETE, RUNNING, STOPPED, LiveFolder, games_in

#: More workers than this are listed when they are asked for.
_MOST_WORKERS: Final = 8
#: More bars than this are left out.
_MOST_BARS: Final = 100


class LiveTournament(LiveFolder):
    """A tournament, also while it is played."""

    kind = "tournament"

    def __init__(self, folder: Path, name: str) -> None:
        """Read nothing yet."""
        super().__init__(folder, name)
        self._games_of: dict[str, int] = {}
        self._growing: GrowingResults | None = None
        self._rated: tuple[int, list[LiveSection]] = (0, [])

    def changing(self) -> Sequence[Path]:
        """Return the manifest and the folder of the shards."""
        return [self.folder / MANIFEST, self.folder / FOLDER]

    def row(self) -> FolderRow:
        """Return the entry in the list, without reading a game."""
        manifest = read_manifest(self.folder)
        definition = manifest.definition
        games, total, is_complete = count_games(self.folder, definition, self._games_of)
        state = RUNNING if is_at_work(self.folder) else self.state(is_complete)
        what = f"{definition.game}, {definition.players} players"
        part = f", part {definition.plan.part.text}" if definition.plan.part else ""
        return self.own_row(what + part, state, games, total, manifest.created)

    def report(self) -> str:
        """Return the report of the tournament."""
        return page_html(tournament_page(self.folder))

    @property
    def manifest(self) -> TournamentManifest:
        """The manifest, when it was last read."""
        return self._ledger().manifest

    def results(self) -> TournamentResults:
        """Return the results after reading what is new."""
        while self._ledger().read():
            pass
        return self._ledger().results()

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the part that follows the ledger closely, and that of ratings, which take longer."""
        return [self._course, self._strength]

    def _ledger(self) -> GrowingResults:
        self._growing = self._growing or GrowingResults(self.folder)
        return self._growing

    def _course(self) -> Iterator[LiveSection]:
        ledger, more = self._ledger(), True
        if not ledger.games:  # a million games take a second or two
            games = games_in(self.folder, self._games_of)
            entries = [*_facts(ledger.manifest), ("Games", f"{games:,}, which are being read")]
            yield LiveSection("progress", "Progress", [Definitions(entries)])
        while more:
            more = ledger.read()
            results = ledger.results()
            status = replace(status_of(results), at_work=self.is_at_work)
            yield progress_section(status, ledger, "reading the ledger …" if more else self._state(results))
            labels = ledger.manifest.definition.labels
            for section in live_sections(ReportContext(results, labels, faults=ledger.faults)):
                yield replace(section, games=f"/folder/{self.key}/games")
        if ledger.workers:
            yield _workers_section(ledger)

    def _state(self, results: TournamentResults) -> str:
        if results.complete or self.is_at_work:
            return COMPLETE if results.complete else RUNNING
        stopped = f"{STOPPED} before its end: it was paused, interrupted or killed, and tag tournament goes on with it"
        return self.state_text(self.state(complete=False), stopped)

    def _strength(self) -> Iterator[LiveSection]:
        """Yield ratings and pairs, computed again only after new games."""
        ledger = self._ledger()
        if self._rated[0] != ledger.games:
            self._rated = (ledger.games, [])
            with suppress(DataError):  # nothing can be rated: no whole match-up yet, or all win or lose together
                ratings = rate(self.folder)
                context = ReportContext(ledger.results(), ledger.manifest.definition.labels, ratings=ratings)
                self._rated = (ledger.games, list(live_sections(context, "ratings", "pairs")))
        yield from self._rated[1]


class GameCount(NamedTuple):
    """The games in the ledger of a tournament, the most that it has, and whether no more are to be played."""

    games: int
    total: int
    is_complete: bool


def count_games(folder: Path, definition: TournamentDefinition, known: dict[str, int]) -> GameCount:
    """Return how many games of a tournament are in ``folder``, of which none is read; ``known`` is as in `games_in`."""
    games, schedule = games_in(folder, known), definition.schedule()
    in_rounds = schedule.design.in_rounds
    total = max(len(schedule), games if in_rounds else 0)  # with the further blocks of tables that tie
    shards = storage.list_shards(folder / FOLDER)[GAMES]
    is_merged = [storage.shard_number(shard) for shard in shards] == [storage.MERGED]
    return GameCount(games, total, is_merged or (games >= total and not in_rounds))


def live_sections(context: ReportContext, *names: str) -> Iterator[LiveSection]:
    """Yield sections of the report (`tournament_sections`), without drawings, a stopping rule with a progress bar."""
    for section in tournament_sections(context, *names):
        blocks = list(undrawn(section.blocks))
        if section.name == "stopping" and context.results.stopping is not None:
            blocks.insert(0, stopping_progress(context.results.stopping))
        yield LiveSection(section.name, section.title, blocks, section.about)


def undrawn(blocks: Iterable[Block]) -> Iterator[LiveBlock]:
    """Yield bars in place of figures of intervals, and matrices written out; to draw others would take too long."""
    for block in blocks:
        if isinstance(block, Figures):
            for figure in block.figures:
                if figure.intervals is not None and len(figure.intervals[0]) <= _MOST_BARS:
                    yield Intervals.of(figure.title, *figure.intervals)
                elif figure.matrix is not None:
                    yield figure.matrix
        elif not isinstance(block, Key):
            yield block


def progress_section(status: Status, ledger: GrowingResults, state: str) -> LiveSection:
    """Return games, speed, time left, workers and faults."""
    results = status.results
    entries = [
        ("State", state),
        *_facts(ledger.manifest),
        ("Games", f"{results.games:,} of {results.total_text}"),
        ("Faults", f"{sum(standing.faults for standing in results.standings):,}"),
    ]
    if status.at_work:
        speed = f"{status.games_per_second:,.3g} games/s" if status.games_per_second else "no games in the last minute"
        entries.append(("Speed", speed))
    if ledger.workers:
        entries.append(("Workers", f"{len(ledger.workers):,}"))
    if status.seconds_left is not None and not results.complete:
        most = "at most " if results.at_most else ""
        entries.append(("Time left", f"{most}{duration(status.seconds_left)}"))
    share = min(1.0, results.games / max(results.total, 1))
    bar = ProgressBar("Games", share, "0", results.total_text, f"{share:.0%}".replace("%", " %"))
    return LiveSection("progress", "Progress", [bar, Definitions(entries)])


def _facts(manifest: TournamentManifest) -> list[tuple[str, str]]:
    definition, part = manifest.definition, manifest.definition.plan.part
    return [
        ("Game", f"{title_of(definition.game)}, {definition.players} players"),
        ("Design", f"{definition.design.replace('_', ' ')} of {len(definition.agents)} agents"),
        *([("Part", part.text)] if part else []),
    ]


def _workers_section(ledger: GrowingResults) -> LiveSection:
    counted = sum(ledger.workers.values())
    workers = [
        {"worker": worker or "unknown", "games": games, "share": games / counted}
        for worker, games in ledger.workers.most_common()
    ]
    columns = {"games": Column("games", form=","), "share": Column("share", "%", ".3f")}
    listed = TableData(workers, "Games by worker", ("worker",), columns)
    many = len(workers) > _MOST_WORKERS
    return LiveSection("workers", "Workers", [Folded(f"{len(workers):,} workers", [listed]) if many else listed])


class TournamentComparison(LiveSubject):
    """Several tournaments side by side."""

    def __init__(self, tournaments: Sequence[LiveTournament]) -> None:
        """Read nothing yet."""
        self.title = f"Comparison of {len(tournaments)} tournaments"
        self._tournaments = tournaments

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the comparison."""
        return [self._compare]

    def stamp(self) -> object:
        """Return the stamps of all."""
        stamps = tuple(one.stamp() for one in self._tournaments)
        self.is_at_work = any(one.is_at_work for one in self._tournaments)
        return stamps

    def _compare(self) -> Iterator[LiveSection]:
        results = [one.results() for one in self._tournaments]
        about = "Tournaments with other opponents, players or parameters are not comparable."
        if len(results) == 2:
            about += " The difference is that of the second from the first, as if no luck were shared."
        rates = compared_rates([one.name for one in self._tournaments], results)
        yield LiveSection("agents", "Agents", [rates], about)
        yield LiveSection("definitions", "Definitions", [self._definitions(results)])

    def _definitions(self, results: Sequence[TournamentResults]) -> TableData:
        records = [
            {
                "tournament": one.name,
                "game": (definition := one.manifest.definition).game,
                "players": definition.players,
                "design": definition.design,
                "agents": len(definition.agents),
                "seed": str(definition.seed),
                "games": found.games,
                "of": found.total,
            }
            for one, found in zip(self._tournaments, results, strict=True)
        ]
        columns = {name: Column(name, form=",") for name in ("players", "agents", "games", "of")}
        texts = {name: Column(name) for name in ("game", "design", "seed")}
        return TableData(records, "Definitions", ("tournament",), texts | columns)


def compared_rates(names: Sequence[str], results: Sequence[TournamentResults]) -> TableData:
    """Return the win rate of each agent in each tournament; of two, also the difference with its 95 % interval."""
    found = [{one.agent: one for one in each.standings if one.games} for each in results]
    agents = list(dict.fromkeys(agent for standings in found for agent in standings))
    records = []
    for agent in agents:
        record: dict[str, Any] = {"agent": agent}
        for number, standings in enumerate(found):
            rate = standings[agent].win_rate if agent in standings else None
            low, high = standings[agent].win_rate_interval if agent in standings else (None, None)
            record |= {f"rate_{number}": rate, f"rate_{number}_low": low, f"rate_{number}_high": high}
        if len(found) == 2:
            record |= _difference(*(standings.get(agent) for standings in found))
        records.append(record)
    columns = {f"rate_{number}": Column(name, "%", ".3f", "ends") for number, name in enumerate(names)}
    if len(found) == 2:
        columns["difference"] = Column(
            "difference", "%", ".3f", "ends", "the second tournament's rate minus the first's"
        )
    return TableData(records, "Win rates", ("agent",), columns, short_labels(agents))


def _difference(one: Standing | None, other: Standing | None) -> dict[str, float | None]:
    """Return the difference of the win rates of two standings, if both are there."""
    if one is None or other is None:
        return {"difference": None, "difference_low": None, "difference_high": None}
    value, (low, high) = difference(*(IntervalEstimate(each.win_rate, each.win_rate_interval) for each in (other, one)))
    return {"difference": value, "difference_low": low, "difference_high": high}
