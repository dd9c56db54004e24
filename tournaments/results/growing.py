"""The results of a tournament during play, kept up to date by reading each shard of its ledger once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tournaments.definition import TournamentDefinition
from tournaments.designs.matchups import Grid
from tournaments.designs.schedule import PLACE, Pairing
from tournaments.designs.stopping import Breaker, Charges, Follower
from tournaments.ledger import rows, storage
from tournaments.ledger.folder import TournamentManifest, read_manifest
from tournaments.ledger.games import GAMES_AT_ONCE, frames_of_table, ledger_folder, merged, seats_of_table
from tournaments.ledger.rows import GAMES, TIMINGS
from tournaments.results.tournament import Tally, TournamentResults, fault_counts, read_results, variant_standings
from tournaments.statistics.intervals import Bools

#: Shards that are read at once, and games that are added up at once. A million games take 1 to 2 s, and a page shows how
#: far that is.
_SHARDS_AT_ONCE: Final = 100
_SLICES_AT_ONCE: Final = 5
_OF_GAMES: Final = ["agents", "results", "ordinals", "teams", "scores", "decisions", "void", "faults"]


class GrowingResults:
    """The results of the tournament in a folder, so far.

    Where agents are paused, all win or lose together, or the design is a grid, results need all games at the same time;
    then the whole ledger is read for each look.

    Attributes:
        folder: the tournament's.
        manifest: as it was when the ledger was last looked at.
        games: how many have been read.
        workers: how many games each worker has played, as far as that is known.
    """

    def __init__(self, folder: Path) -> None:
        """Read the manifest, but no game yet.

        Raises:
            DataError: there is no tournament, or its file is damaged.
        """
        self.folder = folder
        self._begin(read_manifest(folder))

    def _begin(self, manifest: TournamentManifest) -> None:
        self.manifest = manifest
        self.games = 0
        self.workers: Counter[str] = Counter()
        self._read: set[str] = set()
        self._sums = _Sums(manifest.definition)
        self._results: TournamentResults | None = None

    def read(self) -> bool:
        """Read some of the games that are new; return whether there are more.

        Raises:
            DataError: a shard is damaged.
        """
        if self._sums.needs_all_games:
            self._results = None
            return False
        if self._sums.unsummed:
            return self._add_up() or self._read_shards()
        return self._read_shards()

    def _read_shards(self) -> bool:
        shards = storage.list_shards(ledger_folder(self.folder), GAMES)
        if self._read and self._begins_again(shards):
            self._begin(read_manifest(self.folder))
        new = [shard for shard in shards if shard.name not in self._read]
        if new and not self._take(new[:_SHARDS_AT_ONCE]):
            self._begin(self.manifest)
            self._take(shards)  # some games are in several of them: read together, they count once
            new = []
        return self._add_up() or len(new) > _SHARDS_AT_ONCE

    def _add_up(self) -> bool:
        """Add up some of the games that have been read; return whether there are more."""
        if self._sums.unsummed:
            self._sums.add_up(_SLICES_AT_ONCE)
            self._results = None
        return bool(self._sums.unsummed)

    def _begins_again(self, shards: Sequence[Path]) -> bool:
        """Say whether the tournament has been extended, or its shards have been merged and games dropped from them."""
        definition = read_manifest(self.folder).definition
        if definition != self.manifest.definition:
            return True
        names = {shard.name for shard in shards}
        if self._read <= names:
            return False
        if len(names) > 1 or len(merged(ledger_folder(self.folder), GAMES, [])) != self.games:
            return True
        self._read = names
        return False

    def _take(self, shards: Sequence[Path]) -> bool:
        """Read shards and add their games; return whether all of them are new."""
        folder, numbers = ledger_folder(self.folder), {storage.shard_number(shard) for shard in shards}
        games = merged(folder, GAMES, _OF_GAMES, numbers=numbers)
        timings = merged(folder, TIMINGS, ["worker", "seconds", "cpu_seconds"], numbers=numbers)
        charges: dict[str, Charges] = {}
        if rows.lengths(games["faults"]).any():
            charges = rows.charges([merged(folder, GAMES, ["game_id", "agents", "faults"], numbers=numbers)])
        if not self._sums.add(games, timings, charges):
            return False
        self._read.update(shard.name for shard in shards)
        self.games += len(games)
        for count in timings["worker"].value_counts().to_pylist():
            self.workers[count["values"]] += count["counts"]
        self._results = None
        return True

    def results(self) -> TournamentResults:
        """Return the results of the games that have been read, without the content hash."""
        if self._results is None:
            if self._sums.needs_all_games:
                self._results = read_results(self.folder)
                self.games = self._results.games
            else:
                self._results = self._sums.results(self.folder, self.games - sum(map(len, self._sums.unsummed)))
        return self._results


class _Sums:
    """Sums over the games of a tournament, in any order of their arrival.

    Attributes:
        needs_all_games: whether these sums cannot give the results.
        unsummed: games that are still to be added up, as Arrow tables.
    """

    def __init__(self, definition: TournamentDefinition) -> None:
        self._definition = definition
        self._schedule = definition.schedule()
        self.needs_all_games = isinstance(self._schedule.design, Grid)
        self._tally = Tally(definition.labels, definition.players)
        self._breaker = Breaker(self._schedule)
        self._charges: dict[str, Charges] = {}
        self._follower = Follower(self._schedule, definition.stopping_rule(self._schedule))
        self._played = np.zeros((0, 0, self._schedule.design.n_seatings), dtype=bool)
        self._is_void = self._played.copy()
        #: The seats of match-ups that are not whole: few, as the games of a match-up are played one after the other.
        self._waiting: list[pd.DataFrame] = []
        self.unsummed: list[Any] = []
        nothing = seats_of_table(rows.SCHEMAS[GAMES].empty_table())
        self._tally.add(nothing, nothing)

    def add(self, games: Any, timings: Any, charges: Mapping[str, Charges]) -> bool:
        """Add some games, as Arrow tables; return whether all of them are new, and otherwise add nothing."""
        place = tuple(games[name].to_numpy().astype(np.int64) for name in PLACE)
        self._make_room(*(int(numbers.max(initial=-1)) + 1 for numbers in place[:2]))
        if self._played[place].any():
            return False
        self._played[place] = True
        self._is_void[place] = games["void"].to_numpy()
        for timed in rows.timed_seats(games, timings, GAMES_AT_ONCE):
            self._tally.add_times(timed)
        self._judge(charges)
        self.needs_all_games |= rows.is_cooperative(games.slice(0, 1)) and rows.is_cooperative(games)
        if not self.needs_all_games:
            self.unsummed += [games.slice(begin, GAMES_AT_ONCE) for begin in range(0, len(games), GAMES_AT_ONCE)]
        return True

    def add_up(self, most: int) -> None:
        """Add up at most so many of the tables that wait."""
        tables, self.unsummed = self.unsummed[:most], self.unsummed[most:]
        is_played: Bools = np.all(self._played, axis=2)
        counts: Bools = is_played & ~np.any(self._is_void, axis=2)
        for table in tables:
            self._add_seats(self._seats(table), is_played, counts)

    def _seats(self, table: Any) -> pd.DataFrame:
        """Return the seats of some games, which a stopping rule or a learning design sees, too."""
        if not self._follower.is_needed:
            return seats_of_table(table)
        games, seats = frames_of_table(table)
        self._follower.add_ledger(games, seats)
        return seats

    def _make_room(self, blocks: int, matchups: int) -> None:
        """Enlarge the arrays by place, to twice the blocks, so that this is done seldom."""
        known_blocks, known_matchups, _seatings = self._played.shape
        if blocks > known_blocks or matchups > known_matchups:
            more = (max(0, 2 * blocks - known_blocks), max(0, matchups - known_matchups), 0)
            self._played, self._is_void = (
                np.pad(array, [(0, size) for size in more]) for array in (self._played, self._is_void)
            )

    def _judge(self, charges: Mapping[str, Charges]) -> None:
        self._charges.update(charges)
        for game_id, of_game in charges.items():
            self._breaker.take(game_id, of_game)
        self._breaker.judge(self._has)
        self.needs_all_games |= bool(self._breaker.pauses)

    def _has(self, pairing: Pairing) -> bool:
        place = (pairing.block, pairing.matchup, pairing.seating)
        is_inside = all(number < size for number, size in zip(place, self._played.shape, strict=True))
        return is_inside and bool(self._played[place])

    def _add_seats(self, seats: pd.DataFrame, is_played: Bools, counts: Bools) -> None:
        """Add seats; the match-ups that are played and that count are given by block and number."""
        waiting = pd.concat([*self._waiting, seats], ignore_index=True) if self._waiting else seats
        matchup = tuple(waiting[name].to_numpy() for name in PLACE[:2])
        is_played, counts = is_played[matchup], counts[matchup]
        self._tally.add(seats, waiting if counts.all() else waiting[counts])
        self._waiting = [] if is_played.all() else [waiting[~is_played]]

    def results(self, folder: Path, n_games: int) -> TournamentResults:
        """Return the results of the games so far, so many."""
        definition, rule = self._definition, self._follower.rule
        return TournamentResults(
            folder=folder,
            standings=self._tally.standings(),
            games=n_games,
            total=n_games if rule is not None and rule.is_decided else len(self._schedule),
            content_hash="",
            stopping=rule.result() if rule else None,
            faults=fault_counts(self._charges, definition.labels),
            is_alone=definition.players == 1,
            variants=list(variant_standings(definition, self._tally)),
        )
