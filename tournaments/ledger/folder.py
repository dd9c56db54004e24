"""The folder of a tournament: its manifest (``tournament.json``), its lock, and requests to the process that plays it."""

from __future__ import annotations

import fcntl
import json
import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from tag.catalogue.registry import game_class
from tag.catalogue.user_code import check_specs
from tag.catalogue.version import tag_version
from tag.engine.parameters import parse_spec
from tag.errors import DataError
from tag.playing.game import STREAMS_VERSION
from tag.tournaments.definition import TournamentDefinition, define, user_sources
from tag.tournaments.designs.design import TABLES_VERSION
from tag.tournaments.ledger.identity import DECISIVE, STREAMS, TABLES
from tag.tournaments.ledger.rows import SCHEMA_VERSION, check_version
from tag.tournaments.ledger.storage import check_is_ours, check_storage, locked, read_json, write_whole

# --- manifest and lock ------------------------------------------------------------------------------------------------
#
# ``tournament.json`` holds the definition, the versions at the beginning, and the text of every user's file. So
# workers, a resumption and a replay use the same.


MANIFEST: Final = "tournament.json"
#: The file of a folder with several tournaments, its events.
SERIES: Final = "series.json"
_LOCK: Final = ".lock"
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

    def write(self, folder: Path) -> None:
        """Write it to ``folder``, completely or not at all."""
        content = {
            "schema_version": SCHEMA_VERSION,
            **asdict(self),
            "definition": self.definition.to_json(),
            "labels": self.definition.labels,
        }
        write_whole(folder / MANIFEST, json.dumps(content, indent=2))


def read_manifest(folder: Path) -> TournamentManifest:
    """Return the manifest of the tournament in ``folder``.

    Raises:
        DataError: there is none, or its file is damaged, or of a newer version of the schema.
    """

    def parse(content: dict[str, Any]) -> TournamentManifest:
        version = content.pop("schema_version", 1)  # version 1 has no such key, and is the same otherwise
        check_version(version, folder / MANIFEST)
        content.pop("labels")
        definition = TournamentDefinition.from_json(content.pop("definition"))
        return TournamentManifest(definition=definition, **content)

    return read_json(folder, MANIFEST, "tournament", parse)


def read_seed(folder: Path) -> int | None:
    """Return the seed of the tournament in ``folder``, None where there is no tournament.

    Raises:
        DataError: its file is damaged, or of a newer version of the schema.
    """
    with suppress(OSError):  # the code that opens the folder reports a path that cannot be one
        if (folder / MANIFEST).is_file():
            return read_manifest(folder).definition.seed
    return None


@contextmanager
def opened(folder: Path, definition: TournamentDefinition) -> Iterator[TournamentManifest]:
    """Begin the tournament in ``folder``, or go on with the same one, and lock the folder until the end.

    A tournament may be given more blocks and more agents than it was begun with.

    Raises:
        DataError: the folder holds something else, is in use, or cannot take the tournament.
    """
    sources = user_sources(definition)
    check_is_ours(folder, MANIFEST, "tournament")
    check_storage(folder, 0 if (folder / MANIFEST).exists() else ledger_bytes(definition))
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if (folder / MANIFEST).exists():
            manifest = _resumed(folder, definition, sources)
        else:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            manifest = TournamentManifest(uuid4().hex, now, definition, _versions(definition), sources)
        manifest.write(folder)
        yield manifest


def check_fits(folder: Path, definition: TournamentDefinition) -> None:
    """Raise `DataError` if `opened` would because of other contents of ``folder``, but write nothing."""
    check_is_ours(folder, MANIFEST, "tournament")
    if (folder / MANIFEST).exists():
        _resumed(folder, definition, user_sources(definition))


def read_events(folder: Path) -> dict[str, TournamentDefinition]:
    """Return the events of the series in ``folder``, by the names of their folders.

    Raises:
        DataError: there is no series, or its file is damaged.
    """
    return read_json(
        folder,
        SERIES,
        "series",
        lambda content: {name: TournamentDefinition.from_json(one) for name, one in content["events"].items()},
    )


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
    """Say whether a process on this machine is at work on the tournament in ``folder``."""
    try:
        with (folder / _LOCK).open("r", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False


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
        former = old_versions.get(name, "1" if name in (STREAMS, TABLES) else None)
        if name in versions and former != versions[name]:
            raise DataError(
                f"{str(folder)!r} was begun with version {former} of {name} and this is "
                f"{versions[name]}; go on with the former, or name a new --out"
            )


def knows_tables(manifest: TournamentManifest) -> bool:
    """Say whether the tables of a tournament are known: if its design learns, those that the present rules would set."""
    return not manifest.definition.schedule().design.learns or manifest.versions.get(TABLES) == str(TABLES_VERSION)


def _versions(definition: TournamentDefinition) -> dict[str, str]:
    """Return the versions that a tournament begins with."""
    learns = definition.schedule().design.learns
    return versions_of(definition.game) | ({TABLES: str(TABLES_VERSION)} if learns else {})


def versions_of(game: str, *packages: str) -> dict[str, str]:
    """Return the versions of tag, the game type, Python and the packages that matter, and of other ``packages``."""
    versions = {
        "tag": tag_version(),
        "game": str(game_class(parse_spec(game).name).game_type.version),
        STREAMS: str(STREAMS_VERSION),
        "python": platform.python_version(),
    }
    for package in sorted((*_PACKAGES, *packages)):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


# --- requests to the process that plays a tournament: pause, or go on with more ---------------------------------------
#
# A request is a file in the tournament's folder, written whole or not at all. The process that plays looks for it
# several times a second, and a process that starts later finds it too.


_FILE: Final = ".request.json"
_PAUSE: Final = "pause"


def extended(definition: TournamentDefinition, blocks: int | None, agents: Sequence[str]) -> TournamentDefinition:
    """Return the tournament with so many blocks in all and these agents as well, checked.

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
        **definition.options,
    )
    reason = definition.difference(longer)
    if reason:
        raise DataError(f"this tournament cannot be extended: {reason}")
    return longer


def request_extension(folder: Path, longer: TournamentDefinition) -> None:
    """Ask the process that plays ``folder`` to go on with more, with users' files as they are here and now."""
    _write(folder, {"definition": longer.to_json(), "sources": user_sources(longer)})


def request_pause(folder: Path) -> None:
    """Ask the process that plays ``folder`` to end in good order.

    Raises:
        DataError: there is no tournament, or no process plays it.
    """
    read_manifest(folder)
    if not is_at_work(folder):
        raise DataError(f"nobody is at work on {str(folder)!r}")
    _write(folder, {_PAUSE: True})


def has_request(folder: Path) -> bool:
    """Say whether there is a request to the process that plays ``folder``."""
    return (folder / _FILE).exists()


def asks_for_more(folder: Path) -> bool:
    """Say whether an extension of the tournament in ``folder`` is requested; a request to pause is removed."""
    path = folder / _FILE
    if not path.exists():
        return False
    if _PAUSE in _read(path):
        path.unlink()
        return False
    return True


def take_extension(folder: Path, manifest: TournamentManifest) -> TournamentManifest | None:
    """Remove the request in ``folder``, and write and return the extended tournament.

    None if there is no request, or it is a request to pause.
    """
    path = folder / _FILE
    if not path.exists():
        return None
    content = _read(path)
    longer = None if _PAUSE in content else TournamentDefinition.from_json(content["definition"])
    if longer is not None:
        check_specs(longer.specs)  # before anything is written
    path.unlink()
    if longer is None:
        return None  # no process played any more when it was asked
    if manifest.definition.difference(longer):
        return None  # it has been extended otherwise since this was asked
    extension = replace(manifest, definition=longer, sources={**content["sources"], **manifest.sources})
    extension.write(folder)
    return extension


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise DataError(f"{str(path)!r} is damaged ({error}); delete it, and say again what it asked for") from error
    if not isinstance(content, dict) or not (_PAUSE in content or content.keys() >= {"definition", "sources"}):
        raise DataError(f"{str(path)!r} is no request; delete it, and say again what it asked for")
    return content


def _write(folder: Path, content: object) -> None:
    write_whole(folder / _FILE, json.dumps(content))
