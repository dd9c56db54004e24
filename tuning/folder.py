"""The folder of a study: its manifest (``study.json``), its lock, its ledgers and its data frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Generic, TypeVar
from uuid import uuid4

import pandas as pd

from tag.errors import DataError
from tournaments.ledger.folder import check_unchanged, versions_of
from tournaments.ledger.storage import GO_ON, check_is_ours, check_storage, locked, write_whole
from tuning.definition import Study, StudyDefinition

# --- folder of a study: its manifest (``study.json``), its lock and its ledgers -----------------------------------------
#
# ``search/ledger`` holds the games of the search; ``validation/ledger`` and ``held_out/ledger`` hold the games of the
# recommendation and the default.


STUDY: Final = "study.json"
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
        definition: the study.
        versions: of tag, the game type, Python and the packages that matter, at the start.
        sources: the text of each user's file by its name.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for.
    """

    id: str
    created: str
    definition: D
    versions: dict[str, str]
    sources: dict[str, str]
    sampler_reason: str = ""

    def write(self, folder: Path) -> None:
        """Write it to ``folder``, all or nothing."""
        kind = {"schema_version": _VERSION, "kind": self.definition.kind}
        content = {**kind, **asdict(self), "definition": self.definition.to_json()}
        write_whole(folder / STUDY, json.dumps(content, indent=2))


StudyManifest = Manifest[StudyDefinition]


def read_study_manifest(folder: Path) -> StudyManifest:
    """Return the manifest of the tuning study in ``folder``.

    Raises:
        DataError: there is none, or its file is damaged, or of a newer version.
    """
    return read_manifest_of(StudyDefinition, folder)


def read_manifest_of(study: type[D], folder: Path) -> Manifest[D]:
    """Return the manifest of the study in ``folder``, of the kind that ``study`` defines.

    Raises:
        DataError: there is none, or one of another kind, or its file is damaged, or of a newer version.
    """
    path = folder / STUDY
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
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


@contextmanager
def opened_study(folder: Path, definition: D) -> Iterator[Manifest[D]]:
    """Begin the study in ``folder``, or go on with the same one, and lock it for other processes.

    Raises:
        DataError: the folder holds something else, is in use, or cannot be written.
    """
    sources = definition.sources()
    check_is_ours(folder, STUDY, "study")
    check_storage(folder, 0 if (folder / STUDY).exists() else _STUDY_BYTES + definition.games_at_most * _GAME_BYTES)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if (folder / STUDY).exists():
            manifest = _resumed(folder, definition, sources)
        else:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            versions = _versions(definition)
            manifest = Manifest(uuid4().hex, now, definition, versions, sources, definition.sampler_reason)
        manifest.write(folder)
        yield manifest


def _resumed(folder: Path, definition: D, sources: dict[str, str]) -> Manifest[D]:
    """Return the manifest in ``folder``, with the budget of ``definition``, or raise an error about the difference."""
    old = read_manifest_of(type(definition), folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another study: {reason}; name a new folder with --out")
    played = {file: text for file, text in old.sources.items() if file not in definition.unplayed_sources()}
    check_unchanged(folder, (old.versions, played), (_versions(definition), sources))
    return replace(old, definition=definition, sources=sources)


def _versions(definition: Study) -> dict[str, str]:
    """Return the versions of the software that decides a study."""
    return versions_of(definition.game, "optuna")


# --- files --------------------------------------------------------------------------------------------------------------
#
# The files derived from the ledgers of a study: data frames, rewritten at intervals, and verdicts.


TRIALS: Final = "trials.parquet"
INCUMBENTS: Final = "incumbents.parquet"

#: Least interval in seconds between writes of the frames during a study, and the greatest share of time for writing.
_EVERY_SECONDS: Final = 10.0
_SHARE: Final = 0.01


class KeptFrames:
    """Data frames of a running study, kept up to date for reports and other readers.

    They are written in their order, so that a later one never knows more than an earlier one.
    """

    def __init__(
        self,
        folder: Path,
        frames: Callable[[], Mapping[str, pd.DataFrame]],
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Write the frames that ``frames`` returns, by file name, to ``folder``, by a clock in seconds."""
        self._folder = folder
        self._frames = frames
        self._now = now
        self._next = now() + _EVERY_SECONDS

    def keep(self) -> None:
        """Write the frames if they are old.

        Raises:
            DataError: they cannot be written.
        """
        if self._now() >= self._next:
            self.write()

    def write(self) -> None:
        """Write the frames.

        Raises:
            DataError: they cannot be written.
        """
        begin = self._now()
        for name, frame in self._frames().items():
            write_frame(self._folder / name, frame)
        now = self._now()
        self._next = now + max(_EVERY_SECONDS, (now - begin) / _SHARE)


def write_frame(path: Path, frame: pd.DataFrame) -> None:
    """Write a data frame, all or nothing.

    Raises:
        DataError: it cannot be written.
    """
    buffer = BytesIO()
    frame.to_parquet(buffer, index=False)
    write_whole(path, buffer.getvalue(), GO_ON)


def read_frame(path: Path) -> pd.DataFrame:
    """Return a data frame, empty where there is no file yet.

    Raises:
        DataError: it is damaged.
    """
    try:
        return pd.read_parquet(path)
    except FileNotFoundError:
        return pd.DataFrame()
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}; run the study again to write it anew") from None


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write plain values, all or nothing.

    Raises:
        DataError: they cannot be written.
    """
    write_whole(path, json.dumps(content, indent=2) + "\n", GO_ON)


def read_json(path: Path) -> dict[str, Any] | None:
    """Return plain values; None where there is no file yet.

    Raises:
        DataError: it is damaged.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    return found
