"""The folder of a study: its manifest (``study.json``, ``training.json``), its lock, and its results so far.

Of a study with a search, ``search/ledger`` holds the games of the search; ``validation/ledger`` and ``held_out/ledger`` hold
the games of the recommendation and the default.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Generic, Self, TypeVar
from uuid import uuid4

import pandas as pd

from tag.engine.parameters import parse_spec
from tag.errors import DataError
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tuning.study.definition import Definition, Study
from tag.tuning.study.estimate import room_of
from tag.tuning.study.files import INCUMBENTS, TIMES, TRIALS, read_frame, read_json

STUDY: Final = Definition.manifest
REPORT: Final = "report.html"
_LOCK: Final = ".lock"
_PAUSE: Final = ".pause"
_VERSION: Final = 1

D = TypeVar("D", bound=Definition)
S = TypeVar("S", bound=Study)


@dataclass(frozen=True)
class Manifest(Generic[D]):
    """Content of the file by which the folder of a study is known.

    Attributes:
        id: of the study; it stays when the folder is renamed or moved.
        created: the start of the study, in ISO 8601, UTC.
        versions: of tag, the game type, Python and the packages that matter, at the start.
        sources: the text of each user's file, and the digest of each model, by the file's name.
        sampler_reason: why the sampler was chosen at the start, in a sentence; empty where it was asked for.
    """

    id: str
    created: str
    definition: D
    versions: dict[str, str]
    sources: dict[str, str]
    sampler_reason: str = ""

    @classmethod
    def new(cls, definition: D, versions: dict[str, str], sources: dict[str, str]) -> Self:
        """Return that of a study that begins now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(uuid4().hex, now, definition, versions, sources, definition.sampler_reason)

    @property
    def played_sources(self) -> dict[str, str]:
        """The users' files that games depend on."""
        unplayed = self.definition.unplayed_sources()
        return {file: text for file, text in self.sources.items() if file not in unplayed}

    def write(self, folder: Path) -> None:
        """Write the manifest to ``folder``, all or nothing."""
        definition = self.definition
        kind = {"schema_version": _VERSION, "kind": definition.kind}
        content = {**kind, **asdict(self), "definition": definition.to_json()}
        written = {name: value for name, value in content.items() if name not in definition.unwritten}
        storage.write_whole(folder / definition.manifest, json.dumps(written, indent=2))


def study_kind(folder: Path) -> str:
    """Return the command that made the study in ``folder``, `Definition.kind`; empty where no file says it.

    Raises:
        DataError: the file is damaged.
    """
    known = read_json(folder / STUDY)
    return str(known.get("kind", "")) if isinstance(known, dict) else ""


def read_manifest_of(study: type[D], folder: Path) -> Manifest[D]:
    """Return the manifest of the study in ``folder``, of the kind that ``study`` defines.

    Raises:
        DataError: there is none, or one of another kind, or its file is damaged, or of a newer version.
    """

    def parse(content: dict[str, Any]) -> tuple[int, str, Manifest[D] | None]:
        version, plain = content.pop("schema_version"), content.pop("definition")
        kind = study.kind if "kind" in study.unwritten else content.pop("kind")
        is_such = kind == study.kind
        return version, kind, Manifest(definition=study.from_json(plain), **content) if is_such else None

    version, kind, manifest = storage.read_json(folder, study.manifest, study.word, parse)
    if version > _VERSION:
        path = str(folder / study.manifest)
        raise DataError(f"{path!r} has version {version} of the schema, and this tag knows {_VERSION}; upgrade tag")
    if manifest is None:
        raise DataError(f"{str(folder)!r} holds a study of `tag {kind}`, not of `tag {study.kind}`")
    return manifest


def of_now(manifest: Manifest[D], verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the verdict of a study from its file; None if it is from before the study was given more games."""
    is_of_now = verdict is not None and verdict["study"]["definition"] == manifest.definition.to_json()
    return verdict if is_of_now else None


def is_complete(manifest: Manifest[D], folder: Path) -> bool:
    """Say whether a study has the verdict on all of its games; never where none is written."""
    if not manifest.definition.verdict:
        return False
    return of_now(manifest, read_json(folder / manifest.definition.verdict)) is not None


def is_reported(manifest: Manifest[D], folder: Path) -> bool:
    """Say whether a study is complete and has been reported since."""
    verdict, report = folder / manifest.definition.verdict, folder / REPORT
    if not report.is_file() or not is_complete(manifest, folder):
        return False
    return report.stat().st_mtime_ns >= verdict.stat().st_mtime_ns


@contextmanager
def opened_study(folder: Path, definition: D) -> Iterator[Manifest[D]]:
    """Begin the study in ``folder``, or go on with the same one, and lock it for other processes.

    Raises:
        DataError: the folder holds something else, is in use, or cannot be written.
    """
    sources = definition.sources()
    manifest = folder / definition.manifest
    storage.check_is_ours(folder, manifest.name, definition.word)
    storage.check_storage(folder, 0 if manifest.exists() else room_of(definition.ledger_games))
    definition.check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    is_old = has_pause(folder)
    with storage.locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if is_old:  # the process that was asked was killed
            (folder / _PAUSE).unlink(missing_ok=True)
        versions = _versions_of(definition)
        if manifest.exists():
            known = _resumed(folder, definition, versions, sources)
        else:
            known = Manifest.new(definition, versions, sources)
        known.write(folder)
        try:
            yield known
        finally:
            (folder / _PAUSE).unlink(missing_ok=True)


def request_pause(folder: Path) -> None:
    """Ask the process at work on the study in ``folder`` to end in good order.

    Raises:
        DataError: there is none.
    """
    folders.check_at_work(folder)
    (folder / _PAUSE).touch()


def has_pause(folder: Path) -> bool:
    """Say whether the process at work on the study in ``folder`` is asked to end."""
    return (folder / _PAUSE).exists()


def _versions_of(definition: Definition) -> dict[str, str]:
    """Return the versions of what decides the games; of several games those of all, by name."""
    games = definition.everywhere
    found = [folders.versions_of(game, *definition.packages) for game in games]
    by_game = {parse_spec(game).name: versions["game"] for game, versions in zip(games, found, strict=True)}
    several = ", ".join(f"{name} {version}" for name, version in sorted(by_game.items()))
    return {**found[0], **({"game": several} if len(games) > 1 else {})}


def _resumed(folder: Path, definition: D, versions: dict[str, str], sources: dict[str, str]) -> Manifest[D]:
    old = read_manifest_of(type(definition), folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another {definition.word}: {reason}; name a new folder with --out")
    folders.check_unchanged(folder, (old.versions, old.played_sources), (versions, sources))
    if sources != old.sources:
        for name in filter(None, (definition.verdict, TIMES)):  # by the former objective
            (folder / name).unlink(missing_ok=True)
    return replace(old, definition=definition.grown_from(old.definition), sources=sources)


@dataclass(frozen=True)
class ResultsSoFar(Generic[S]):
    """Results of a study so far.

    Attributes:
        folder: the study's.
        manifest: its definition and versions.
        trials: one row per trial that has ended (`tag.tuning.search.trials.trials_frame`).
        incumbents: one row per best configuration by the model, in the course of the search.
        verdict: the content of the file with the verdict; None as long as the study is not complete.
    """

    folder: Path
    manifest: Manifest[S]
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    verdict: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """True if the study is complete."""
        return self.verdict is not None

    @classmethod
    def read(cls, study: type[S], folder: Path, **more: Any) -> Self:
        """Return the results of the study in ``folder``, with ``more`` fields.

        Raises:
            DataError: there is none, or a file is damaged.
        """
        manifest = read_manifest_of(study, folder)
        frames = read_frame(folder / TRIALS), read_frame(folder / INCUMBENTS)
        return cls(folder, manifest, *frames, of_now(manifest, read_json(folder / study.verdict)), **more)
