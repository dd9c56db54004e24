"""The data of a ledger by the path of its folder: games, seats, timings, faults, measures and actions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.orders import GameRecord
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.folder import FolderOrPath, shards_of
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.ledger.reading import LedgerGames, frames_of_table, keys_in, with_keys
from tag.tournaments.ledger.rows import ACTIONS, GAMES, KINDS, MEASURES, TIMINGS, records
from tag.tournaments.statistics.repeats import are_independent

#: The number of games whose actions are Python lists at the same time.
_ROWS_AT_ONCE: Final = 1_000


def read_ledger(path: FolderOrPath) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the games, and the seats of the games, of the tournament in ``path``, both in schedule order.

    The columns are listed in ``docs/ledger.md``. The path is a tournament's folder or its ledger's, here and below.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False)
    ...     games, seats = read_ledger(Path(folder))
    >>> games["game_id"].tolist(), seats["agent"].tolist()[:4]
    (['b0-m0-s0', 'b0-m0-s1', 'b1-m0-s0', 'b1-m0-s1'], ['osla', 'random', 'random', 'osla'])

    Raises:
        DataError: there is no ledger, or a shard of it is damaged; so do all functions below.
    """
    return frames_of_table(shards_of(path).table(GAMES))


def read_labels(path: FolderOrPath) -> list[str]:
    """Return the agents' names by number, as many as were known when the last games were written."""
    shards = shards_of(path)
    newest = [paths[-1] for kind in KINDS if (paths := shards.of(kind))]
    return max((rows.labels_of(storage.schema_of(shard)) for shard in newest), key=len, default=[])


def read_timings(path: FolderOrPath) -> pd.DataFrame:
    """Return the costs of each agent in each game, in schedule order: game_id, seat, seconds, cpu_seconds, peak_mb, worker.

    Seconds are wall time. CPU time is nan where it is not known, as that of people. The most memory, in megabytes, is nan
    where agents are not isolated.

    Games whose timings are lost have no rows.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 1), Path(folder), tracking=False)
    ...     timings = read_timings(Path(folder))
    >>> list(timings.columns), bool((timings["seconds"] >= 0.0).all())
    (['game_id', 'seat', 'seconds', 'cpu_seconds', 'peak_mb', 'worker'], True)
    """
    return rows.timings_frame(shards_of(path).table(TIMINGS))


def read_faults(path: FolderOrPath) -> pd.DataFrame:
    """Return the faults, in schedule order: game_id, seat, tick, kind and message (empty where it is lost).

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 1), Path(folder), tracking=False)
    ...     faults = read_faults(Path(folder))
    >>> len(faults), list(faults.columns)
    (0, ['game_id', 'seat', 'tick', 'kind', 'message'])
    """
    shards = shards_of(path)
    return rows.faults_frame(shards.table(GAMES, ["game_id", "faults"]), shards.table(TIMINGS, ["game_id", "messages"]))


def read_measures(path: FolderOrPath) -> pd.DataFrame:
    """Return the values of metrics, in schedule order: game_id, measure, number and value, one row per value.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> definition = define("nim", ("random", "random"), 2, metrics=("turns",))
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(definition, Path(folder), tracking=False)
    ...     measures = read_measures(Path(folder))
    >>> sorted(set(measures["measure"])), float(measures["value"].mean())
    (['actions_per_turn'], 1.0)
    """
    return rows.measures_frame(shards_of(path).table(MEASURES))


def read_actions(path: FolderOrPath) -> pd.DataFrame:
    """Return the recorded actions, in schedule order: game_id, tick and choice, one row per action.

    The choice is the action's number among those that were available. Games that were not recorded have no rows.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> definition = define("nim", ("random", "random"), 1, record_actions=True)
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(definition, Path(folder), tracking=False)
    ...     actions = read_actions(Path(folder))
    >>> actions["choice"].tolist()[:4]
    [10, 9, 7, 0]
    """
    return rows.actions_frame(shards_of(path).table(ACTIONS))


def read_choices(
    path: FolderOrPath, game_ids: Collection[str] | None = None
) -> Iterator[tuple[str, list[int], list[tuple[int, int]]]]:
    """Yield the id, choices and forfeits (`tag.playing.recording`) of each recorded game, in schedule order."""
    yield from choices_in(shards_of(path).table(ACTIONS), game_ids)


def choices_in(
    table: Any, game_ids: Collection[str] | None = None
) -> Iterator[tuple[str, list[int], list[tuple[int, int]]]]:
    """Yield the same of an Arrow table of actions, in its order."""
    if game_ids is not None:
        table = table.filter(pc.is_in(table["game_id"], pa.array(sorted(game_ids), pa.string())))
    for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
        for row in batch.select(["game_id", "choices", "forfeits"]).to_pylist():
            yield row["game_id"], row["choices"], [(forfeit["seat"], forfeit["result"]) for forfeit in row["forfeits"]]


def read_records(
    path: FolderOrPath, binding: Binding | None = None
) -> Iterator[tuple[tuple[int, int, int], GameRecord]]:
    """Yield block, match-up and seating of each game in schedule order, and its record, as if it were played now.

    Actions are left out, as are lost seconds and messages. The games must be those of ``binding``, if it is given.
    """
    shards = shards_of(path, binding)
    yield from records(*(shards.table(kind) for kind in (GAMES, TIMINGS, MEASURES)))


def content_hash(path: FolderOrPath) -> str:
    """Return 32 hexadecimal digits for all that is deterministic in a ledger, independent of its shards.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> hashes = set()
    >>> for _time in range(2):
    ...     with TemporaryDirectory() as folder:
    ...         results = run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False)
    ...         hashes.add(content_hash(Path(folder)))
    >>> len(hashes)
    1
    """
    return rows.digest_of(shards_of(path).table(GAMES))


def arrivals(path: FolderOrPath, within: float = inf) -> list[tuple[float, int]]:
    """Return when games arrived and how many: the time of each shard, in seconds since 1970, in order.

    Args:
        path: the folder of a tournament or study, or its ledger's.
        within: only in so many seconds before the last.
    """
    times = []
    for shard in shards_of(path).of(GAMES):
        with suppress(FileNotFoundError):  # merged into another by now
            times.append((storage.arrived_at(shard), shard))
    since = max((when for when, _shard in times), default=0.0) - within
    found = []
    for when, shard in times:
        if when >= since:
            with suppress(FileNotFoundError):
                found.append((when, storage.n_rows(shard)))
    return sorted(found)


def ledger_files(path: FolderOrPath) -> list[Path]:
    """Return the files of a ledger, games first."""
    return shards_of(path).all()


def compared_frames(path: FolderOrPath) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `tournaments.read_ledger`, with the columns of `with_keys`."""
    games = LedgerGames(shards_of(path))
    keys, agents = keys_in(games.table, games.actions_digests())
    return frames_of_table(with_keys(games.table, keys, are_independent(keys, agents)))
