"""What other processes ask of the one that is at work on a tournament: to pause, or to go on with more.

A request is a file in the tournament's folder, written whole or not at all; the process at work looks for it several
times a second, and a process that begins work later finds it as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tag.errors import DataError
from tournaments.definition import TournamentDefinition, define, user_sources
from tournaments.folder import Manifest, is_at_work, read_manifest
from tournaments.storage import write_whole

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
        metrics=definition.metrics,
        record_actions=definition.record_actions,
        design=definition.design,
        sprt=definition.sprt,
        precision=definition.precision,
        compare=definition.compare,
        draw=definition.draw,
        streams=definition.streams,
    )
    reason = definition.difference(longer)
    if reason:
        raise DataError(f"this tournament cannot be extended: {reason}")
    return longer


def request_extension(folder: Path, longer: TournamentDefinition) -> None:
    """Ask the process at work on ``folder`` to go on with more, with users' files as they are here and now."""
    _write(folder, {"definition": longer.to_json(), "sources": user_sources(longer)})


def request_pause(folder: Path) -> None:
    """Ask the process at work on ``folder`` to end in good order.

    Raises:
        DataError: there is no tournament, or nobody is at work on it.
    """
    read_manifest(folder)
    if not is_at_work(folder):
        raise DataError(f"nobody is at work on {str(folder)!r}")
    _write(folder, {_PAUSE: True})


def has_request(folder: Path) -> bool:
    """Say whether something is asked of whoever is at work on ``folder``."""
    return (folder / _FILE).exists()


def asks_for_more(folder: Path) -> bool:
    """Say whether the tournament in ``folder`` is to be extended; a request to pause has been heard with that."""
    path = folder / _FILE
    if not path.exists():
        return False
    if _PAUSE in _read(path):
        path.unlink()
        return False
    return True


def take_extension(folder: Path, manifest: Manifest) -> Manifest | None:
    """Remove the request in ``folder``, and write and return what it makes of the tournament.

    None if there is no request, or it is to pause.
    """
    path = folder / _FILE
    if not path.exists():
        return None
    content = _read(path)
    path.unlink()
    if _PAUSE in content:
        return None  # nobody was at work any more when it was asked
    longer = TournamentDefinition.from_json(content["definition"])
    if manifest.definition.difference(longer):
        return None  # somebody has extended it otherwise since this was asked
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
