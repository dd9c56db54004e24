"""Contents of `tag serve`: the tournaments, experiments, studies and trainings below some folders."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Final

from tag.errors import TagError
from tag.tournaments.driver.failures import FAILURE, failure_in
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.experiment import EXPERIMENT
from tag.tournaments.ledger.folder import FOLDER, is_at_work
from tag.tournaments.ledger.rows import GAMES
from tag.tournaments.reports.sections.section import Paragraph, begun_text
from tag.tournaments.web.live.feed import FolderList, FolderRow, LiveBlock, LiveSection, LiveSubject
from tag.tournaments.web.server import without_folders

RUNNING: Final = "running"
COMPLETE: Final = "complete"
#: Neither complete nor at work: paused, interrupted or killed.
STOPPED: Final = "stopped"
#: Stopped by an error, such as one that a game raised.
FAILED: Final = "failed"
DAMAGED: Final = "damaged"

#: Seconds after which a page of a running tournament is computed again without new games: the speed is of the last minute.
_WITHOUT_GAMES: Final = 20.0


class LiveFolder(LiveSubject):
    """A tournament, study or training in a folder, which is only read.

    Attributes:
        kind: what it is, for people.
        key: names it in addresses, as long as the folder stays where it is.
        name: the path below the folder that was asked for.
    """

    kind: ClassVar[str]

    def __init__(self, folder: Path, name: str) -> None:
        """Read nothing yet."""
        self.folder = folder
        self.name = name
        self.title = name
        self.key = blake2b(os.fsencode(folder.resolve()), digest_size=6).hexdigest()

    def row(self) -> FolderRow:
        """Return the entry in the list.

        Raises:
            TagError: a file in the folder is damaged.
        """
        raise NotImplementedError

    def report(self) -> str:
        """Return the whole report as an HTML file, which needs no server."""
        raise NotImplementedError

    def state(self, complete: bool) -> str:
        """Return the state of the folder: ``complete``, running, or stopped or failed before."""
        if complete:
            return COMPLETE
        return RUNNING if is_at_work(self.folder) else FAILED if failure_in(self.folder) else STOPPED

    def state_text(self, state: str, stopped: str) -> str:
        """Return a state in words, of a failure with its sentence, and ``stopped`` for one that was stopped."""
        if state == FAILED:
            return f"{state}: {without_folders(failure_in(self.folder))}"
        return stopped if state == STOPPED else state

    def own_row(self, game: str, state: str, games: int, total: int, created: str) -> FolderRow:
        """Return the entry in the list with these values; ``created`` is in ISO 8601."""
        why = without_folders(failure_in(self.folder)) if state == FAILED else ""
        begun = begun_text(created, "%Y-%m-%d %H:%M")
        return FolderRow(self.key, self.name, self.kind, game, state, games, total, begun, why)

    def stamp(self) -> object:
        """Return the times of the files that change; while a process is at work, also that of the clock now and then."""
        self.is_at_work = is_at_work(self.folder)
        clock = int(time.time() / _WITHOUT_GAMES) if self.is_at_work else 0
        return (self.is_at_work, clock, *map(_modified, (self.folder / FAILURE, *self.changing())))

    def changing(self) -> Sequence[Path]:
        """Return the files and folders whose times tell whether the page has to be computed again."""
        raise NotImplementedError


def _modified(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def games_in(folder: Path, known: dict[str, int]) -> int:
    """Return how many games the shards of the ledger in ``folder`` have; ``known`` are those of earlier calls by name."""
    total = 0
    for shard in storage.list_shards(folder / FOLDER)[GAMES]:
        if shard.name not in known:
            with suppress(OSError):  # merged into another by now
                known[shard.name] = storage.n_rows(shard)
        total += known.get(shard.name, 0)
    return total


#: Makes a live folder of a path and its name, by the file that such folders have.
Kinds = Mapping[str, Callable[[Path, str], LiveFolder]]
#: Folders that are passed over: MLflow keeps copies in one (`tag.tournaments.tracking`).
PASSED: Final = frozenset({"mlflow", "__pycache__"})


class LiveFolders(LiveSubject):
    """All tournaments, studies and trainings below some folders."""

    def __init__(self, folders: Sequence[Path], kinds: Kinds) -> None:
        """Look for nothing yet."""
        self.title = "Tournaments, studies and trainings"
        self._folders = folders
        self._kinds = kinds
        self._known: dict[str, LiveFolder] = {}
        self._rows: dict[str, tuple[object, FolderRow]] = {}

    def find(self, key: str) -> LiveFolder | None:
        """Return the folder of a key; looks for new folders if it is not known."""
        if key not in self._known:
            self.scan()
        return self._known.get(key)

    def scan(self) -> None:
        """Look for folders; those that are known stay as they are."""
        found = {}
        for root, root_name in zip(self._folders, short_names(self._folders), strict=True):
            for folder, make in _walk(root, self._kinds):
                path = folder.relative_to(root).parts
                name = "/".join(path if len(self._folders) == 1 else (root_name, *path))
                live = make(folder, name or root_name)
                known = self._known.get(live.key)
                found[live.key] = known if type(known) is type(live) else live  # a tournament may have been given games
        self._known = found

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the list."""
        return [self._list]

    def stamp(self) -> object:
        """Look for folders, and return their stamps."""
        self.scan()
        stamps = {key: live.stamp() for key, live in self._known.items()}
        self.is_at_work = any(live.is_at_work for live in self._known.values())
        return tuple(stamps.items())

    def _list(self) -> Iterator[LiveSection]:
        rows = []
        for key, live in self._known.items():
            stamp = live.stamp()
            if self._rows.get(key, (None, None))[0] != stamp:
                self._rows[key] = (stamp, _row(live))
            rows.append(self._rows[key][1])
        rows.sort(key=lambda row: (row.state != RUNNING, row.name))
        blocks: list[LiveBlock] = [FolderList(rows)] if rows else [Paragraph("There is nothing in these folders yet.")]
        count = sum(row.state == RUNNING for row in rows)
        yield LiveSection("list", "List", blocks, f"{len(rows):,} in all, {count:,} running.")


def short_names(folders: Sequence[Path]) -> list[str]:
    """Return the names of folders, each with so many of the folders above as tell all of them apart.

    >>> short_names([Path("/first/runs"), Path("/second/runs")]), short_names([Path("/first/runs"), Path("/more")])
    (['first/runs', 'second/runs'], ['runs', 'more'])
    """
    parts = [folder.resolve().parts[1:] for folder in folders]
    most, different = max(map(len, parts), default=1), len(set(parts))
    lengths = (length for length in range(1, most + 1) if len({part[-length:] for part in parts}) == different)
    length = next(lengths, most)
    return ["/".join(part[-length:]) for part in parts]


def _row(live: LiveFolder) -> FolderRow:
    try:
        return live.row()
    except (TagError, OSError, ValueError, KeyError, TypeError):
        return live.own_row("", DAMAGED, 0, 0, "")


def _walk(root: Path, kinds: Kinds) -> Iterator[tuple[Path, Callable[[Path, str], LiveFolder]]]:
    for place, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in PASSED and not name.startswith("."))
        make = next((kinds[file] for file in kinds if file in files), None)
        if make is not None:
            yield Path(place), make
            if EXPERIMENT not in files:  # its events have pages of their own
                folders.clear()
