"""The folder of a study: what it is (``study.json``), who is at work on it, and its ledgers.

``search/ledger`` holds the games of the search, ``validation/ledger`` and ``held_out/ledger`` those that were played
with what it recommends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from tag.errors import DataError
from tag.user_code import is_path, source_of
from tournaments.definition import sources_of
from tournaments.folder import check_unchanged, locked, versions_of
from tournaments.storage import check_is_ours, check_storage, write_whole
from tuning.definition import StudyDefinition

STUDY: Final = "study.json"
_LOCK: Final = ".lock"
_VERSION: Final = 1
#: About what a game takes in the ledger, doubled, as there are two copies while it is merged.
_GAME_BYTES: Final = 250
#: The rest of the folder of a small study.
_STUDY_BYTES: Final = 1 << 20


@dataclass(frozen=True)
class StudyManifest:
    """What ``study.json`` says.

    Attributes:
        id: names the study for ever, whatever becomes of the folder.
        created: when it was begun, in ISO 8601, UTC.
        definition: the study.
        versions: of tag, the game type, Python and the packages that matter, when it was begun.
        sources: the text of each user's file by its name.
        sampler_reason: why the sampler was chosen, in a sentence; empty where it was asked for.
    """

    id: str
    created: str
    definition: StudyDefinition
    versions: dict[str, str]
    sources: dict[str, str]
    sampler_reason: str = ""

    def write(self, folder: Path) -> None:
        """Write it to ``folder``, all or nothing."""
        content = {"schema_version": _VERSION, **asdict(self), "definition": self.definition.to_json()}
        write_whole(folder / STUDY, json.dumps(content, indent=2))


def read_study_manifest(folder: Path) -> StudyManifest:
    """Return what the study in ``folder`` is.

    Raises:
        DataError: there is none, or its file is damaged, or of a newer version.
    """
    path = folder / STUDY
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        version = content.pop("schema_version")
        definition = StudyDefinition.from_json(content.pop("definition"))
        manifest = StudyManifest(definition=definition, **content)
    except OSError:
        raise DataError(f"{str(folder)!r} holds no study: it has no {STUDY}") from None
    except (ValueError, KeyError, TypeError, AttributeError, DataError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None
    if version > _VERSION:
        raise DataError(
            f"{str(path)!r} has version {version} of the schema, and this tag knows {_VERSION}; upgrade tag"
        )
    return manifest


@contextmanager
def opened_study(folder: Path, definition: StudyDefinition) -> Iterator[StudyManifest]:
    """Begin the study in ``folder``, or go on with the same one, and keep everyone else out meanwhile.

    Raises:
        DataError: the folder holds something else, is in use, or cannot take what is to be written.
    """
    sources = study_sources(definition)
    check_is_ours(folder, STUDY, "study")
    check_storage(folder, 0 if (folder / STUDY).exists() else _STUDY_BYTES + definition.games_at_most * _GAME_BYTES)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / _LOCK, f"another process is at work on {str(folder)!r}; wait for it, or stop it"):
        if (folder / STUDY).exists():
            manifest = _resumed(folder, definition, sources)
        else:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            versions = versions_of(definition.game)
            manifest = StudyManifest(uuid4().hex, now, definition, versions, sources, definition.sampler_reason)
        manifest.write(folder)
        yield manifest


def study_sources(definition: StudyDefinition) -> dict[str, str]:
    """Return the text of every user's file that the study names, also within specs, by the file's name.

    Raises:
        UserCodeError: a file cannot be read.
    """
    objective = (definition.objective,) if is_path(definition.objective) else ()
    return {
        **sources_of(definition.game, definition.everyone, definition.metrics),
        **dict(source_of(name) for name in objective),
    }


def _resumed(folder: Path, definition: StudyDefinition, sources: dict[str, str]) -> StudyManifest:
    """Return the manifest in ``folder``, with the budget of ``definition``, or say what does not fit."""
    old = read_study_manifest(folder)
    reason = old.definition.difference(definition)
    if reason:
        raise DataError(f"{str(folder)!r} holds another study: {reason}; name a new folder with --out")
    check_unchanged(folder, (old.versions, old.sources), (versions_of(definition.game), sources))
    return replace(old, definition=definition, sources=sources)
