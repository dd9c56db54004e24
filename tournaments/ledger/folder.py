"""The folder of a tournament: its manifest (``tournament.json``), its lock, its ledger, and requests to who plays it."""

from __future__ import annotations

import fcntl
import json
import platform
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Self
from uuid import uuid4

from tag.catalogue.registry import game_class, spec_of
from tag.catalogue.user_code import check_specs
from tag.catalogue.version import tag_version
from tag.engine.parameters import Spec
from tag.errors import DataError
from tag.playing.game import STREAMS_VERSION
from tag.tournaments.definition import TournamentDefinition, define, user_sources
from tag.tournaments.designs.design import TABLES_VERSION, Design
from tag.tournaments.ledger.identity import DECISIVE, STREAMS, TABLES, Binding
from tag.tournaments.ledger.reading import LedgerGames, Shards
from tag.tournaments.ledger.rows import SCHEMA_VERSION
from tag.tournaments.ledger.storage import (
    OtherVersionError,
    check_is_ours,
    check_storage,
    list_shards,
    locked,
    publish_folder,
    read_json,
    write_whole,
)

# ``tournament.json`` holds the definition, the versions at the beginning, and the text of every user's file. So
# workers, a resumption and a replay use the same.


MANIFEST: Final = "tournament.json"
#: The folder of the shards.
FOLDER: Final = "ledger"
LOCK: Final = ".lock"
_PACKAGES: Final = ("mlflow", "numpy", "pandas", "pyarrow", "ray", "scipy")

#: Measured and doubled, as there are two copies of the ledger while it is merged.
_LEDGER_BYTES: Final = 1 << 20
_GAME_BYTES: Final = 80
_SEAT_BYTES: Final = 24
#: Of a game of a hundred actions; they take half a byte to two bytes each.
_ACTIONS_BYTES: Final = 130


@dataclass(frozen=True)
class TournamentManifest:
    """The contents of ``tournament.json``.

    Attributes:
        id: names the tournament for ever, even if the folder is renamed.
        created: when it was begun, in ISO 8601, UTC.
        versions: of tag, the game type, Python and the packages that matter, when it was begun.
        sources: the text of each user's file, and the digest of each model, by the file's name.
    """

    id: str
    created: str
    definition: TournamentDefinition
    versions: dict[str, str]
    sources: dict[str, str]

    @property
    def text(self) -> str:
        """The contents of the file."""
        content = {
            "schema_version": SCHEMA_VERSION,
            **asdict(self),
            "definition": self.definition.to_json(),
            "labels": self.definition.labels,
        }
        return json.dumps(content, indent=2)

    def write(self, folder: Path) -> None:
        """Write the manifest to ``folder``, completely or not at all."""
        write_whole(folder / MANIFEST, self.text)


def read_manifest(folder: Path) -> TournamentManifest:
    """Return the manifest of the tournament in ``folder``.

    Raises:
        DataError: there is none, or its file is damaged, or of another version of the schema.
    """

    def parse(content: dict[str, Any]) -> TournamentManifest:
        if (found := content.pop("schema_version")) != SCHEMA_VERSION:
            raise OtherVersionError(folder / MANIFEST, found)
        content.pop("labels")
        definition = TournamentDefinition.from_json(content.pop("definition"))
        return TournamentManifest(definition=definition, **content)

    within = [] if (folder / MANIFEST).exists() else sorted(folder.glob(f"*/{MANIFEST}"))
    if within:
        raise DataError(
            f"{str(folder)!r} holds no tournament of its own; name one in it, such as {str(within[0].parent)!r}"
        )
    return read_json(folder, MANIFEST, "tournament", parse)


def read_seed(folder: Path) -> int | None:
    """Return the seed of the tournament in ``folder``, None where there is no tournament.

    Raises:
        DataError: its file is damaged, or of another version of the schema.
    """
    with suppress(OSError):  # the code that opens the folder reports a path that cannot be one
        if (folder / MANIFEST).is_file():
            return read_manifest(folder).definition.seed
    return None


def check_fits(folder: Path, definition: TournamentDefinition) -> None:
    """Raise `DataError` if `Folder.locked` would because of other contents of ``folder``, but write nothing."""
    check_is_ours(folder, MANIFEST, "tournament")
    if (folder / MANIFEST).exists():
        _resumed(folder, definition, user_sources(definition))


def event_name(game: str, players: int) -> str:
    """Return the name of a folder for games of the spec ``game`` with so many players, one of several such folders.

    >>> event_name("tic_tac_toe:size=4", 2)
    'tic_tac_toe_size=4-2p'
    """
    return f"{re.sub(r'[^A-Za-z0-9.=]+', '_', game).strip('._')}-{players}p"


def ledger_bytes(definition: TournamentDefinition, done: int = 0) -> int:
    """Return about how much more room the ledger of a tournament takes at most, while it is being merged."""
    games = len(definition.schedule()) - done / 2
    actions = _ACTIONS_BYTES if definition.record_actions else 0
    return _LEDGER_BYTES + int(games * (_GAME_BYTES + definition.players * _SEAT_BYTES + actions))


def is_at_work(folder: Path) -> bool:
    """Say whether a process on this machine is at work on the tournament, study or training in ``folder``."""
    try:
        with (folder / LOCK).open("r", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False


def check_at_work(folder: Path) -> None:
    """Raise `DataError` where no process on this machine is at work in ``folder``."""
    if not is_at_work(folder):
        raise DataError(f"nobody is at work on {str(folder)!r}")


@contextmanager
def new_folder(out: Path, manifest: TournamentManifest) -> Iterator[Folder]:
    """Let the body fill the folder of a tournament, which is at ``out`` after it, complete, or else not at all.

    Until then it is a hidden folder beside ``out``. If that is left behind by a killed process, the next call clears it.

    Raises:
        DataError: there is something at ``out``, another process is at work on it, or it cannot be written.
    """
    out = out.resolve()
    check_is_new(out)
    check_storage(out.parent, ledger_bytes(manifest.definition))
    making = out.with_name(f".{out.name}.new")
    making.mkdir(parents=True, exist_ok=True)
    with locked(making / LOCK, f"another process is at work on {str(out)!r}; wait for it, or stop it"):
        try:
            for left in (making / MANIFEST, making / FOLDER):
                shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
            manifest.write(making)
            (making / FOLDER).mkdir()
            yield Folder(making, manifest)
            publish_folder(making, out)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise


def check_is_new(out: Path) -> None:
    """Raise `DataError` unless there is nothing at ``out``, or an empty folder."""
    if (out / MANIFEST).exists():
        raise DataError(f"{str(out)!r} holds a tournament already; name a new folder with --out")
    check_is_ours(out, MANIFEST, "tournament")


def _resumed(folder: Path, definition: TournamentDefinition, sources: dict[str, str]) -> TournamentManifest:
    """Return the manifest in ``folder``, with the blocks and agents of ``definition``, or raise the first misfit."""
    old = read_manifest(folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another tournament: {reason}; name a new folder with --out")
    check_storage(folder, ledger_bytes(definition) - ledger_bytes(old.definition))
    check_unchanged(folder, (old.versions, old.sources), (_versions(definition), sources))
    return replace(old, definition=definition, sources=sources)


def check_unchanged(
    folder: Path, old: tuple[dict[str, str], dict[str, str]], new: tuple[dict[str, str], dict[str, str]]
) -> None:
    """Raise `DataError` if versions or users' files differ from those at the beginning of ``folder``."""
    (old_versions, old_sources), (versions, sources) = old, new
    changed = [file for file, text in old_sources.items() if sources.get(file) != text]
    if changed:  # a module that no other imports any more is named last
        file = min(changed, key=lambda one: one not in sources and Path(one).exists())
        raise DataError(f"{file!r} has changed since {str(folder)!r} was begun; restore it, or name a new --out")
    for name in DECISIVE:
        former = old_versions.get(name)
        if name in versions and former != versions[name]:
            raise DataError(
                f"{str(folder)!r} was begun with version {former} of {name} and this is "
                f"{versions[name]}; go on with the former, or name a new --out"
            )


def _versions(definition: TournamentDefinition) -> dict[str, str]:
    """Return the versions that a tournament begins with."""
    learns = definition.schedule().design.learns
    return versions_of(definition.game_spec) | ({TABLES: str(TABLES_VERSION)} if learns else {})


def versions_of(game: str | Spec, *packages: str) -> dict[str, str]:
    """Return the versions of tag, the game type, Python and the packages that matter, and of other ``packages``."""
    versions = {
        "tag": tag_version(),
        "game": str(game_class(spec_of(game).name).game_type.version),
        STREAMS: str(STREAMS_VERSION),
        "python": platform.python_version(),
    }
    found = {package: _installed(package) for package in sorted((*_PACKAGES, *packages))}
    return versions | {package: number for package, number in found.items() if number}


@cache
def _installed(package: str) -> str:
    """Return the version of a package, empty where there is none; to read it takes .4 ms, and does so once."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# A request is a file in the tournament's folder, written whole or not at all. The process that plays looks for it
# several times a second, and a process that starts later finds it too. Who changes it holds a lock, so that no request is
# lost between the reading of one and its removal.


_FILE: Final = ".request.json"
_ASKING: Final = ".request.lock"
_PAUSE: Final = "pause"


def extended(definition: TournamentDefinition, blocks: int | None, agents: Sequence[str]) -> TournamentDefinition:
    """Return the tournament with so many blocks in all and these agents as well, checked.

    >>> from tag.tournaments import define
    >>> longer = extended(define("nim", ("osla", "random"), 2), 10, ["mcts:budget=50"])
    >>> longer.blocks, longer.agents
    (10, ('osla', 'random', 'mcts:budget=50'))

    Raises:
        TagError: it cannot be extended like that.
    """
    longer = define(
        definition.game,
        (*definition.named_agents, *agents),
        definition.blocks if blocks is None else blocks,
        players=definition.players,
        seed=definition.seed,
        rules=definition.rules,
        part=definition.part,
        **definition.options,
    )
    check_extension(definition, longer)
    return longer


def check_extension(definition: TournamentDefinition, longer: TournamentDefinition) -> None:
    """Refuse another tournament than this one with more blocks or agents.

    Raises:
        DataError: it is not.
    """
    if reason := definition.difference(longer):
        raise DataError(f"this tournament cannot be extended: {reason}")


def read_extended(folder: Path) -> TournamentDefinition:
    """Return the tournament in ``folder``, with what the process that plays it has been asked for.

    Raises:
        DataError: there is no tournament, or a file is damaged.
    """
    known, content = read_manifest(folder).definition, _read_request(folder)
    longer = TournamentDefinition.from_json(content["definition"]) if "definition" in content else known
    return known if known.difference(longer) else longer


def request_extension(folder: Path, longer: TournamentDefinition) -> None:
    """Ask the process that plays ``folder`` to go on with more, with users' files as they are here and now.

    Raises:
        DataError: it is not the tournament with more, or something else was asked for since it was made.
    """
    check_extension(read_manifest(folder).definition, longer)
    with changing_request(folder):
        if reason := read_extended(folder).difference(longer):
            raise DataError(f"more has been asked for by another process: {reason}; ask again")
        _write_request(folder, {"definition": longer.to_json(), "sources": user_sources(longer)})


def request_pause(folder: Path) -> None:
    """Ask the process that plays ``folder`` to end in good order.

    Raises:
        DataError: there is no tournament, or no process plays it.
    """
    read_manifest(folder)
    check_at_work(folder)
    with changing_request(folder):
        _write_request(folder, {**_read_request(folder), _PAUSE: True})


def changing_request(folder: Path) -> AbstractContextManager[None]:
    """Let no other process change the request in a folder, until the end."""
    return locked(folder / _ASKING)


def _read_request(folder: Path) -> dict[str, Any]:
    """Return the content of the request in a folder; nothing where there is none."""
    path = folder / _FILE
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise DataError(f"{str(path)!r} is damaged ({error}); delete it, and say again what it asked for") from error
    if not isinstance(content, dict) or not (_PAUSE in content or content.keys() >= {"definition", "sources"}):
        raise DataError(f"{str(path)!r} is no request; delete it, and say again what it asked for")
    return content


def _write_request(folder: Path, content: Mapping[str, Any]) -> None:
    """Write a request, or remove it where nothing is asked for any more."""
    if content:
        write_whole(folder / _FILE, json.dumps(content))
    else:
        (folder / _FILE).unlink(missing_ok=True)


class Folder:
    """The folder of a tournament, opened once for all that is read from it, or written to it.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False)
    ...     opened = Folder.open(folder)
    >>> opened.definition.agents, opened.definition.blocks
    (('osla', 'random'), 2)

    Attributes:
        path: the folder's.
        manifest: as it was when the folder was opened, or extended by this process.
        shards: of the ledger.
    """

    def __init__(self, path: Path, manifest: TournamentManifest) -> None:
        """Take the manifest of the tournament in ``path``; `open` and `locked` read it."""
        self.path = path
        self.manifest = manifest
        self.shards = bound_shards(path / FOLDER, _binding_of(manifest))

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a tournament for reading.

        Raises:
            DataError: there is none, or its manifest is damaged, or of a newer version of the schema.
        """
        known = _known(Path(path))
        folder = cls(Path(path), known[0] if known else read_manifest(Path(path)))
        folder.shards = Shards(folder.shards.folder, partial(binding_of, folder.shards.folder))
        return folder

    @classmethod
    def of(cls, folder: FolderOrPath) -> Folder:
        """Return a folder that is open, or open it for reading."""
        return folder if isinstance(folder, Folder) else cls.open(folder)

    @classmethod
    @contextmanager
    def locked(cls, path: Path, definition: TournamentDefinition) -> Iterator[Self]:
        """Begin the tournament in ``path``, or go on with the same one, and lock the folder until the end.

        A tournament may be given more blocks and more agents than it was begun with.

        Raises:
            DataError: the folder holds something else, is in use, or cannot take the tournament.
        """
        sources = user_sources(definition)
        check_is_ours(path, MANIFEST, "tournament")
        check_storage(path, 0 if (path / MANIFEST).exists() else ledger_bytes(definition))
        path.mkdir(parents=True, exist_ok=True)
        with locked(path / LOCK, f"another process is at work on {str(path)!r}; wait for it, or stop it"):
            if (path / MANIFEST).exists():
                manifest = _resumed(path, definition, sources)
            else:
                now = datetime.now(UTC).isoformat(timespec="seconds")
                manifest = TournamentManifest(uuid4().hex, now, definition, _versions(definition), sources)
            folder = cls(path, manifest)
            folder._write(manifest)
            yield folder

    @property
    def definition(self) -> TournamentDefinition:
        """The tournament."""
        return self.manifest.definition

    def knows_tables(self, design: Design) -> bool:
        """Say whether the tables of the design are known: if it learns, those that the present rules would set."""
        return not design.learns or self.manifest.versions.get(TABLES) == str(TABLES_VERSION)

    def games(self, columns: Sequence[str] | None = None, every: int = 1) -> LedgerGames:
        """Return the games of the shards that are known, or some of their columns, of ``every`` so many-th block.

        Raises:
            DataError: a shard is damaged, or of another tournament.
        """
        return LedgerGames(self.shards, columns, every)

    @property
    def has_request(self) -> bool:
        """True if there is a request to the process that plays the tournament."""
        return (self.path / _FILE).exists()

    def asks_for_more(self) -> bool:
        """Say whether an extension of the tournament is requested; of a request to pause, that is removed."""
        if not self.has_request:
            return False
        with changing_request(self.path):
            content = _read_request(self.path)
            if content.pop(_PAUSE, False):
                _write_request(self.path, content)  # what else is asked for waits for the next process
                return False
            return bool(content)

    def take_extension(self) -> None:
        """Extend the tournament if that is requested, and remove the request; the folder is locked by this process."""
        with changing_request(self.path):
            content = _read_request(self.path)
            if "definition" in content:
                longer = TournamentDefinition.from_json(content["definition"])
                check_specs(longer.specs)  # before anything is written
                if not self.definition.difference(longer):  # else it has been extended otherwise since this was asked
                    sources = {**content["sources"], **self.manifest.sources}
                    self._write(replace(self.manifest, definition=longer, sources=sources))
            _write_request(self.path, {_PAUSE: True} if _PAUSE in content else {})

    def _write(self, manifest: TournamentManifest) -> None:
        """Write the manifest that this process has made; its shards are compared with it."""
        manifest.write(self.path)
        self.manifest, self.shards = manifest, bound_shards(self.path / FOLDER, _binding_of(manifest))


#: What readers take: an open folder, or the path of a tournament's folder or of its ledger's.
FolderOrPath = Folder | Path | str


def shards_of(path: FolderOrPath, binding: Binding | None = None) -> Shards:
    """Return the shards of a ledger.

    Args:
        path: the folder of a tournament or study, or its ledger's.
        binding: what the games must be of; by default the tournament whose ledger it is.

    Raises:
        DataError: there is no ledger.
    """
    if isinstance(path, Folder):
        return path.shards
    folder = Path(path)
    if (folder / FOLDER).is_dir() or (folder / MANIFEST).is_file():
        folder /= FOLDER
    elif not folder.is_dir() or not (folder.name == FOLDER or any(list_shards(folder).values())):
        raise DataError(f"{str(path)!r} holds no ledger; name the folder of a tournament")
    return bound_shards(folder, binding) if binding else Shards(folder, partial(binding_of, folder))


def bound_shards(folder: Path, binding: Binding) -> Shards:
    """Return the shards in a folder, whose games must be of ``binding``."""
    return Shards(folder, lambda: binding)


def binding_of(folder: Path) -> Binding | None:
    """Return the binding of the shards in ``folder``: the tournament in the folder above; None where there is none.

    Raises:
        DataError: its definition is damaged, or of a newer version.
    """
    known = _known(folder.parent)
    return known[1] if known else None


def _known(folder: Path) -> tuple[TournamentManifest, Binding] | None:
    """Return the manifest in ``folder``, and what its ledger must be of; read once as long as it stays the same."""
    try:
        about = (folder / MANIFEST).stat()
    except OSError:
        return None
    return _read_once(folder, about.st_mtime_ns, about.st_size, about.st_ino)


@lru_cache(maxsize=16)
def _read_once(folder: Path, _changed: int, _size: int, _file: int) -> tuple[TournamentManifest, Binding]:
    manifest = read_manifest(folder)
    return manifest, _binding_of(manifest)


def _binding_of(manifest: TournamentManifest) -> Binding:
    """Return the binding of a tournament's ledger."""
    return Binding(manifest.definition, manifest.versions, manifest.sources)
