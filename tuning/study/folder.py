"""The folder of a study: its manifest (``study.json``), its lock, and its results so far.

``search/ledger`` holds the games of the search; ``validation/ledger`` and ``held_out/ledger`` hold the games of the
recommendation and the default.
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

from tag.engine.text_files import printable_values
from tag.errors import DataError
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tuning.study.definition import Study
from tag.tuning.study.files import INCUMBENTS, TIMES, TRIALS, read_frame, read_json

STUDY: Final = "study.json"
REPORT: Final = "report.html"
_LOCK: Final = ".lock"
_VERSION: Final = 1
#: About the size of a game in the ledger, doubled, as there are two copies during a merge.
_GAME_BYTES: Final = 250
#: The rest of the folder of a small study.
_STUDY_BYTES: Final = 1 << 20

D = TypeVar("D", bound=Study)


@dataclass(frozen=True)
class Manifest(Generic[D]):
    """Content of ``study.json``.

    Attributes:
        id: of the study; it stays when the folder is renamed or moved.
        created: the start of the study, in ISO 8601, UTC.
        versions: of tag, the game type, Python and the packages that matter, at the start.
        sources: the text of each user's file by its name.
    """

    id: str
    created: str
    definition: D
    versions: dict[str, str]
    sources: dict[str, str]
    sampler_reason: str = ""

    @property
    def played_sources(self) -> dict[str, str]:
        """The users' files that games depend on."""
        unplayed = self.definition.unplayed_sources()
        return {file: text for file, text in self.sources.items() if file not in unplayed}

    def write(self, folder: Path) -> None:
        """Write it to ``folder``, all or nothing."""
        kind = {"schema_version": _VERSION, "kind": self.definition.kind}
        content = {**kind, **asdict(self), "definition": self.definition.to_json()}
        storage.write_whole(folder / STUDY, json.dumps(content, indent=2))


def study_kind(folder: Path) -> str:
    """Return the command that made the study in ``folder``, `Study.kind`; empty where no file says it.

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
    path = folder / STUDY
    try:
        content: dict[str, Any] = printable_values(json.loads(path.read_text(encoding="utf-8")))
        version, kind, plain = (content.pop(name) for name in ("schema_version", "kind", "definition"))
        definition = study.from_json(plain) if kind == study.kind else None
        manifest = None if definition is None else Manifest(definition=definition, **content)
    except OSError:
        raise DataError(f"{str(folder)!r} holds no study: it has no {STUDY}") from None
    except (ValueError, KeyError, TypeError, AttributeError, DataError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    if version > _VERSION:
        raise DataError(
            f"{str(path)!r} has version {version} of the schema, and this tag knows {_VERSION}; upgrade tag"
        )
    if manifest is None:
        raise DataError(f"{str(folder)!r} holds a study of `tag {kind}`, not of `tag {study.kind}`")
    return manifest


def of_now(manifest: Manifest[D], verdict: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the verdict of a study from its file; None if it is from before the study was given more games."""
    is_of_now = verdict is not None and verdict["study"]["definition"] == manifest.definition.to_json()
    return verdict if is_of_now else None


def is_complete(manifest: Manifest[D], folder: Path) -> bool:
    """Say whether a study has the verdict on all of its games."""
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
    storage.check_is_ours(folder, STUDY, "study")
    storage.check_storage(
        folder, 0 if (folder / STUDY).exists() else _STUDY_BYTES + definition.games_at_most * _GAME_BYTES
    )
    folder.mkdir(parents=True, exist_ok=True)
    with storage.locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if (folder / STUDY).exists():
            manifest = _resumed(folder, definition, sources)
        else:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            versions = _versions(definition)
            manifest = Manifest(uuid4().hex, now, definition, versions, sources, definition.sampler_reason)
        manifest.write(folder)
        yield manifest


def _resumed(folder: Path, definition: D, sources: dict[str, str]) -> Manifest[D]:
    old = read_manifest_of(type(definition), folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another study: {reason}; name a new folder with --out")
    folders.check_unchanged(folder, (old.versions, old.played_sources), (_versions(definition), sources))
    if sources != old.sources:
        for name in (definition.verdict, TIMES):  # by the former objective
            (folder / name).unlink(missing_ok=True)
    return replace(old, definition=definition.grown_from(old.definition), sources=sources)


def _versions(definition: Study) -> dict[str, str]:
    return folders.versions_of(definition.game, "optuna")


@dataclass(frozen=True)
class ResultsSoFar(Generic[D]):
    """Results of a study so far.

    Attributes:
        folder: the study's.
        manifest: its definition and versions.
        trials: one row per trial that has ended (`tag.tuning.search.trials.trials_frame`).
        incumbents: one row per best configuration by the model, in the course of the search.
        verdict: the content of the file with the verdict; None as long as the study is not complete.
    """

    folder: Path
    manifest: Manifest[D]
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    verdict: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """True if the study is complete."""
        return self.verdict is not None

    @classmethod
    def read(cls, study: type[D], folder: Path, **more: Any) -> Self:
        """Return the results of the study in ``folder``, with ``more`` fields.

        Raises:
            DataError: there is none, or a file is damaged.
        """
        manifest = read_manifest_of(study, folder)
        frames = read_frame(folder / TRIALS), read_frame(folder / INCUMBENTS)
        return cls(folder, manifest, *frames, of_now(manifest, read_json(folder / study.verdict)), **more)
