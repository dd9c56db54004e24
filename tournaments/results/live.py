"""The results of a tournament during play, kept up to date by the games that arrive.

The process that plays takes the games themselves (`LiveStandings`); others read each shard of the ledger once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tag.catalogue.registry import dealt_sides
from tag.errors import DataError, printable
from tag.tournaments.designs.games import PLACE, GameFaults, Pairing, game_id_of
from tag.tournaments.designs.matchups import Grid
from tag.tournaments.designs.stopping.in_order import InOrderStopping
from tag.tournaments.designs.stopping.pausing import AgentPauses
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger import rows, storage, writing
from tag.tournaments.ledger.feedback import read_feedback
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.reading import GAMES_AT_ONCE, frames_of_table, keys_in, with_keys
from tag.tournaments.ledger.rows import GAMES, TIMINGS, PlayedGame
from tag.tournaments.results.kept import KeptSums, is_merged, keep_results, kept_sums
from tag.tournaments.results.tournament import (
    CountedGames,
    StandingSums,
    TournamentResults,
    fault_counts,
    results_of,
    rounds_of,
    variant_standings,
)
from tag.tournaments.statistics.intervals import Bools
from tag.tournaments.statistics.repeats import RepeatedGames, Repeats
from tag.tournaments.statistics.standings import Standing

#: Shards that are read at once; of the merged shard, `GAMES_AT_ONCE` games. A million games take half a second, and a page
#: shows how far that is.
_SHARDS_AT_ONCE: Final = 100
#: Standings during play are shown so often, in seconds, and computing them may take this share of the time.
_STANDINGS_SECONDS: Final = 3.0
_STANDINGS_SHARE: Final = 0.05
#: The same where results are kept.
_KEEPING_SECONDS: Final = 60.0
_KEEPING_SHARE: Final = 0.02
#: Games between two looks at the results, which take 5 ms on a page.
_GAMES_BETWEEN: Final = 100_000
#: So many faulty games of a part of the ledger are looked at for first faults.
_FAULTY: Final = 1_000
#: Sums over the merged shard are kept if there are no more games than so many times as many.
_MOST_GROWTH: Final = 1.0 + 1.0 / writing.TIMES
_OF_GAMES: Final = [name for name in rows.SCHEMAS[GAMES].names if name not in PLACE]
_OF_TIMINGS: Final = ["worker", *rows.TIMED, "actions_digest", "messages"]


class GrowingResults:
    """The results of the tournament in a folder, so far.

    Where agents are paused, all win or lose together, games repeat, or the design is a grid, results need all games at once;
    then the whole ledger is read for each look. Otherwise they begin with the sums that were kept of the ledger, if these
    still hold, and games that came later are added.

    Attributes:
        folder: the tournament's.
        manifest: as it was when the ledger was last looked at.
        games: how many have been read.
        workers: how many games each worker has played, as far as that is known.
        faults: the first fault of each agent and kind that was read, as far as messages are known.
    """

    def __init__(self, folder: FolderOrPath) -> None:
        """Read the manifest, but no game yet.

        Raises:
            DataError: there is no tournament, or its file is damaged.
        """
        opened = Folder.of(folder)
        self.folder = opened.path
        self._begin(opened)
        if (kept := kept_sums(opened)) is not None:
            self._resume(kept)

    def _begin(self, folder: Folder) -> None:
        self._opened = folder
        self.manifest = folder.manifest
        self.games = 0
        self.workers: Counter[str] = Counter()
        self.faults: dict[tuple[str, str], FirstFault] = {}
        self._read: set[str] = set()
        self._parts: Iterator[tuple[Any, Any]] = iter(())
        self._next: tuple[Any, Any] | None = None
        self._sums = _Sums(folder)
        self._results: TournamentResults | None = None
        #: The sums over the merged shard, which stays where a tournament is extended by little.
        self._merged_sums: KeptSums | None = None

    def keep(self, *, is_checked: bool) -> None:
        """Keep the results of the games that have been read, and the sums if they follow from these; see `keep_results`.

        Results that are more than tables are not kept.
        """
        results = self.results()
        if results.stopping or results.grid or results.teams or results.rounds:
            return
        if not self.has_sums:
            keep_results(self._opened, results, self._opened.shards.all(), None, is_checked=is_checked)
            return
        sums = self._merged_sums
        if sums is None or self.games > sums.values["games"] * _MOST_GROWTH:
            sums = self._state()
        shards = [path for path in self._opened.shards.all() if _belongs(path, self._read)]
        keep_results(self._opened, results, shards, sums, is_checked=is_checked)

    @property
    def has_sums(self) -> bool:
        """True if the results follow from sums, as far as is known."""
        return not self._sums.needs_all_games

    def _state(self) -> KeptSums:
        """Return the sums over the games that have been read."""
        arrays, values = self._sums.state()
        faults = [[*key, *fault] for key, fault in self.faults.items()]
        values |= {"games": self.games, "workers": dict(self.workers), "faults": faults}
        names = [path.name for path in self._opened.shards.all() if _belongs(path, self._read)]
        return KeptSums(names, values, arrays)

    def _resume(self, kept: KeptSums) -> None:
        """Go on from sums that `keep` has kept."""
        values = kept.values
        self._sums.resume(values, kept.arrays)
        self.games = values["games"]
        self.workers = Counter(values["workers"])
        self.faults = {(agent, kind): FirstFault(*fault) for agent, kind, *fault in values["faults"]}
        self._read = {name for name in kept.names if name.startswith(GAMES)}
        self._merged_sums = kept if all(map(is_merged, kept.names)) else None

    def read(self) -> bool:
        """Read some of the games that are new; return whether there are more.

        Raises:
            DataError: a shard is damaged.
        """
        if self._sums.needs_all_games:
            self._results = None
            return False
        if self._next is None:
            self._look()
        enough = self.games + _GAMES_BETWEEN
        while self._next is not None and self.games < enough:
            part, self._next = self._next, None
            if not self._take(*part):
                self._begin(Folder.open(self.folder))
                # Some games are in several shards: read together, they count once.
                self._take(*self._merged(self._opened.shards.of(GAMES)))
            self._next = next(self._parts, None)
        return self._next is not None

    def add(self, played: Sequence[PlayedGame]) -> bool:
        """Add games that have been written since the last look, without reading them; return whether all are new."""
        if self._sums.needs_all_games:
            self._results = None
            return True
        definition = self.manifest.definition
        columns = rows.columns_of(played, definition.game_of)
        games, timings = (
            rows.table_of(kind, columns, definition.entries).select([*PLACE, *names])
            for kind, names in ((GAMES, _OF_GAMES), (TIMINGS, _OF_TIMINGS))
        )
        return self._take(games, timings)

    def _look(self) -> None:
        """Look for new shards."""
        self._opened.shards.refresh()
        shards = self._opened.shards.of(GAMES)
        if self._read and self._begins_again(shards):
            self._begin(Folder.open(self.folder))
            shards = self._opened.shards.of(GAMES)
        new = [shard for shard in shards if shard.name not in self._read]
        self._parts = self._parts_of(new)
        self._next = next(self._parts, None)

    def _parts_of(self, shards: Sequence[Path]) -> Iterator[tuple[Any, Any]]:
        """Yield the games of shards, in parts, and their timings."""
        begins_merged = bool(shards) and storage.shard_number(shards[0]) == storage.MERGED and not self._timings_alone()
        if begins_merged:
            with suppress(FileNotFoundError):  # merged again, as the tournament has been extended
                yield from self._opened.shards.merged_parts(_OF_GAMES, _OF_TIMINGS, GAMES_AT_ONCE)
            self._read.add(shards[0].name)
            self._merged_sums = None if self._sums.needs_all_games else self._state()
        for begin in range(begins_merged, len(shards), _SHARDS_AT_ONCE):
            yield self._merged(shards[begin : begin + _SHARDS_AT_ONCE])

    def _merged(self, shards: Sequence[Path]) -> tuple[Any, Any]:
        """Read shards, and return their games and timings."""
        numbers = set(map(storage.shard_number, shards))
        games = self._opened.shards.table(GAMES, _OF_GAMES, numbers=numbers)
        timed = set(map(storage.shard_number, self._opened.shards.of(TIMINGS)))
        beside = numbers | self._timings_alone() | (set() if numbers <= timed else {storage.MERGED})
        timings = self._opened.shards.table(TIMINGS, _OF_TIMINGS, numbers=beside)
        self._read.update(shard.name for shard in shards)
        return games, timings

    def _timings_alone(self) -> set[int]:
        """Return the numbers of shards of timings that no shard of games has, as of games that are merged before them."""
        timings, games = (map(storage.shard_number, self._opened.shards.of(kind)) for kind in (TIMINGS, GAMES))
        return {*timings}.difference(games)

    def _begins_again(self, shards: Sequence[Path]) -> bool:
        """Say whether the tournament has been extended, or its shards have been merged and games dropped from them."""
        if Folder.open(self.folder).definition != self.manifest.definition:
            return True
        names = {shard.name for shard in shards}
        if self._read <= names:
            return False
        if len(names) > 1 + storage.EXTENSION or len(self._opened.games([])) != self.games:
            return True
        self._read = names
        return False

    def _take(self, games: Any, timings: Any) -> bool:
        """Add games; return whether all of them are new."""
        timings = rows.of_same_games(games, timings)
        if not self._sums.add(games, timings):
            return False
        self.games += len(games)
        for count in timings["worker"].value_counts().to_pylist():
            self.workers[printable(count["values"])] += count["counts"]
        self._add_faults(games, timings)
        self._results = None
        return True

    def _add_faults(self, games: Any, timings: Any) -> None:
        """Remember the first fault of each agent and kind."""
        labels = self.manifest.definition.labels
        messages = {tuple(row[name] for name in PLACE): row["messages"] for row in _first_rows(timings, "messages")}
        for row in _first_rows(games, "faults", "agents"):
            place = tuple(row[name] for name in PLACE)
            said = messages.get(place, [])
            for at, fault in enumerate(row["faults"]):
                message = printable(said[at]) if at < len(said) else ""
                found = FirstFault(game_id_of(*place), fault["tick"], message)
                self.faults.setdefault((labels[row["agents"][fault["seat"]]], fault["kind"]), found)

    def results(self) -> TournamentResults:
        """Return the results of the games that have been read."""
        if self._results is None:
            repeats = self._sums.repeats()
            self._sums.needs_all_games |= repeats is not None and repeats.different < repeats.games
            if self._sums.needs_all_games:
                self._results = self._read_all()
            else:
                self._results = self._sums.results(self.folder, self.games)
        return self._results

    def _read_all(self) -> TournamentResults:
        """Return the results of the whole ledger, as the tournament is now."""
        self._opened = opened = Folder.open(self.folder)
        counted = CountedGames(opened)
        self.manifest = opened.manifest
        self.workers = Counter(counted.games.workers().tolist())
        self.faults = {}
        self._add_faults(counted.games.table, opened.shards.table(TIMINGS, [*PLACE, "messages"]))
        results = results_of(counted)
        self.games = results.games
        return results


def current_results(folder: Folder, *, is_checked: bool = False) -> TournamentResults:
    """Return the results of the games in a folder, and keep them; of sums that were kept, only what is new is read.

    ``is_checked`` says whether this process has compared all games with the tournament, or played them.
    """
    growing = GrowingResults(folder)
    n_kept = growing.games
    while growing.read():
        pass
    results = growing.results()
    if is_checked or growing.games != n_kept:
        growing.keep(is_checked=is_checked)
    return results


def _belongs(path: Path, games: Collection[str]) -> bool:
    """Say whether a shard is one of these of games, or of the same number as one."""
    numbers = {name.split("-")[1] for name in games}
    return path.name in games or (storage.kind_of(path) != GAMES and path.name.split("-")[1] in numbers)


class FirstFault(NamedTuple):
    """A fault: its game, the actions before it, and its message."""

    game_id: str
    tick: int
    message: str


def _first_rows(table: Any, name: str, *more: str) -> list[dict[str, Any]]:
    """Return the first rows of a table in which the list of this name is not empty, with their places."""
    filled = rows.lengths(rows.one_piece(table[name])) > 0
    found: list[dict[str, Any]] = (
        table.select([*PLACE, name, *more]).filter(pa.array(filled)).slice(0, _FAULTY).to_pylist()
        if filled.any()
        else []
    )
    return found


class KeptDuringPlay(PlayListener):
    """Keeps results and sums during play, so that a status reads few games; that takes a small share of the time."""

    def __init__(self, folder: Folder) -> None:
        """Keep those of the tournament in ``folder``, which this process plays."""
        self._folder = folder
        self._growing: GrowingResults | None = None
        self._next = perf_counter() + _KEEPING_SECONDS

    def written(self, games: int) -> None:
        """Read some games that are new if it is time, and keep the results once all have been read."""
        begin = perf_counter()
        if begin < self._next:
            return
        with suppress(DataError):  # the next run reports a damaged shard
            self._growing = self._growing or GrowingResults(self._folder)
            if not self._growing.read() and self._growing.has_sums:
                self._growing.keep(is_checked=True)
        now = perf_counter()
        self._next = now + max(_KEEPING_SECONDS, (now - begin) / _KEEPING_SHARE)


class LiveStandings(PlayListener):
    """Shows the standings during play, which takes a small share of the time."""

    def __init__(self, folder: Path, show: Callable[[Sequence[Standing], bool], None]) -> None:
        """Follow the tournament in ``folder``; ``show`` takes standings, and whether all players win or lose together."""
        self._folder = folder
        self._show = show
        self._growing: GrowingResults | None = None
        self._waiting: list[PlayedGame] = []
        self._next = 0.0

    def start(self, total: int, done: int, product: str = "") -> None:
        """Begin with the games in the ledger, which are read when standings are shown first."""
        self._growing = None
        self._waiting = []
        self._next = perf_counter() + _STANDINGS_SECONDS

    def played(self, games: Sequence[PlayedGame]) -> None:
        """Take games that have arrived."""
        self._waiting += games

    def written(self, games: int) -> None:
        """Show the standings if it is time: of games that survive a crash."""
        begin = perf_counter()
        if begin < self._next:
            return
        if self._growing is None or not self._growing.add(self._waiting):
            self._growing = GrowingResults(self._folder)
            while self._growing.read():
                pass
        self._waiting = []
        results = self._growing.results()
        self._show(results.standings, results.is_cooperative)
        now = perf_counter()
        self._next = now + max(_STANDINGS_SECONDS, (now - begin) / _STANDINGS_SHARE)


class _Sums:
    """Sums over the games of a tournament, in any order of their arrival.

    Attributes:
        needs_all_games: whether these sums cannot give the results.
    """

    def __init__(self, folder: Folder) -> None:
        definition = self._definition = folder.definition
        self._schedule = definition.schedule()
        knows = folder.knows_tables(self._schedule.design)
        self._in_rounds = self._schedule.design.in_rounds and knows
        self.needs_all_games = isinstance(self._schedule.design, Grid) or not knows
        self._tally = StandingSums(definition.labels, definition.players, sides=dealt_sides(definition.game))
        self._repeats = Repeats(len(definition.agents))
        self._pauses = AgentPauses(self._schedule)
        self._faults_by_game: dict[str, GameFaults] = {}
        self._stopping = InOrderStopping(self._schedule, definition.stopping_rule(self._schedule) if knows else None)
        #: By seating, block and match-up: to ask about all seatings takes the least time so.
        self._played = np.zeros((self._schedule.design.n_seatings, 0, 0), dtype=bool)
        self._is_void = self._played.copy()
        #: The games of match-ups that are not whole: few, as those of a match-up are played one after the other.
        self._waiting: list[Any] = []
        self._hashes = np.zeros(2, np.uint64)
        #: The agents that shards name, as many as any does.
        self._entries: list[str] = []

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Return the sums as arrays and plain values, for `resume`."""
        keys, agents = self._repeats.games()
        arrays = {
            "played": np.packbits(self._played),
            "void": np.packbits(self._is_void),
            "keys": keys,
            "agents": agents,
            "hashes": self._hashes.copy(),
        }
        waiting = [row for table in self._waiting for row in table.to_pylist()]
        values = {
            "shape": self._played.shape,
            "faults by game": self._faults_by_game,
            "waiting": waiting,
            "entries": self._entries,
        }
        return {**arrays, **self._tally.arrays()}, values

    def resume(self, values: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Begin with the sums of `state`, of the same tournament or one with fewer blocks and agents."""
        shape = tuple(values["shape"])
        self._played, self._is_void = (
            np.unpackbits(arrays[name], count=prod(shape)).reshape(shape).astype(bool) for name in ("played", "void")
        )
        self._repeats.add(arrays["keys"], arrays["agents"])
        self._hashes = arrays["hashes"].copy()
        self._tally.take(arrays)
        self._judge({game_id: [*map(tuple, faults)] for game_id, faults in values["faults by game"].items()})
        if values["waiting"]:
            empty = rows.SCHEMAS[GAMES].empty_table().select([*PLACE, *_OF_GAMES])
            self._waiting = [pa.Table.from_pylist(values["waiting"], with_keys(empty, np.zeros(0, np.uint64)).schema)]
        self._entries = values["entries"]

    def add(self, games: Any, timings: Any) -> bool:
        """Add some games, as Arrow tables; return whether all of them are new, and otherwise add nothing."""
        block, matchup, seating = (games[name].to_numpy().astype(np.int64) for name in PLACE)
        self._make_room(int(block.max(initial=-1)) + 1, int(matchup.max(initial=-1)) + 1)
        place = seating, block, matchup
        if self._played[place].any():
            return False
        self._played[place] = True
        self._is_void[place] = games["void"].to_numpy()
        for timed in rows.timed_seats(games, timings, GAMES_AT_ONCE):
            self._tally.add_times(timed)
        keys, agents = keys_in(games, rows.actions_digests(games, timings))
        self._repeats.add(keys, agents)
        self._hashes += rows.hash_sums(games)
        self._entries = max(self._entries, rows.entries_of(games.schema), key=len)
        games = with_keys(games, keys)
        self._judge(rows.faults_by_game([games]))
        self.needs_all_games |= rows.is_cooperative(games.slice(0, 1)) and rows.is_cooperative(games)
        if not self.needs_all_games:
            for begin in range(0, len(games), GAMES_AT_ONCE):
                self._add_up(games.slice(begin, GAMES_AT_ONCE))
        return True

    def _add_up(self, games: Any) -> None:
        """Add up games, and those of match-ups that they complete."""
        if self._stopping.rule is not None or self._in_rounds:
            self._stopping.add_ledger(*frames_of_table(games))
        waiting = pa.concat_tables([*self._waiting, games]) if self._waiting else games
        block, matchup = (waiting[name].to_numpy() for name in PLACE[:2])
        first, end = int(block.min(initial=0)), int(block.max(initial=-1)) + 1
        is_whole: Bools = np.all(self._played[:, first:end], axis=0)
        counts: Bools = is_whole & ~np.any(self._is_void[:, first:end], axis=0)
        self._tally.add(games, waiting, counts[block - first, matchup])
        is_played = is_whole[block - first, matchup]
        self._waiting = [] if is_played.all() else [waiting.filter(pa.array(~is_played))]

    def _make_room(self, blocks: int, matchups: int) -> None:
        """Enlarge the arrays by place, to twice the blocks, so that this is done seldom."""
        _seatings, known_blocks, known_matchups = self._played.shape
        if blocks > known_blocks or matchups > known_matchups:
            more = (0, max(0, 2 * blocks - known_blocks), max(0, matchups - known_matchups))
            self._played, self._is_void = (
                np.pad(array, [(0, size) for size in more]) for array in (self._played, self._is_void)
            )

    def _judge(self, faults_by_game: Mapping[str, GameFaults]) -> None:
        self._faults_by_game.update(faults_by_game)
        for game_id, of_game in faults_by_game.items():
            self._pauses.take(game_id, of_game)
        self._pauses.judge(self._has)
        self.needs_all_games |= bool(self._pauses.by_agent)

    def _has(self, pairing: Pairing) -> bool:
        place = (pairing.seating, pairing.block, pairing.matchup)
        is_inside = all(number < size for number, size in zip(place, self._played.shape, strict=True))
        return is_inside and bool(self._played[place])

    def repeats(self) -> RepeatedGames | None:
        """Return how many games repeat others, None where no games can be compared."""
        found = self._repeats.result()
        return found if found.games else None

    def results(self, folder: Path, n_games: int) -> TournamentResults:
        """Return the results of the games so far, so many."""
        definition, rule = self._definition, self._stopping.rule
        return TournamentResults(
            folder=folder,
            standings=self._tally.standings(),
            games=n_games,
            total=n_games if rule is not None and rule.is_decided else len(self._schedule),
            content_hash=rows.digest_of_sums(self._hashes, self._entries),
            stopping=rule.result() if rule else None,
            faults=fault_counts(self._faults_by_game, definition.labels),
            is_alone=definition.players == 1,
            variants=list(variant_standings(definition, self._tally)),
            sides=self._tally.by_side(),
            rounds=rounds_of(self._schedule, definition.labels) if self._in_rounds else None,
            repeats=self.repeats(),
            part=definition.part,
            feedback=read_feedback(folder),
        )
