"""Results of a ledger, kept in a file when games are written, so that a status reads no game.

Results are taken from it only if it was made of the same manifest, of shards with the same names, which are digests of their
bytes, and by the same code. Otherwise, and where bytes differ from a name, the ledger is read. Nothing is secret in it: who
may write into the folder can forge it, as well as games. So only the status shows it; all other commands read the ledger.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, Final

from tag.errors import DataError
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.feedback import read_feedback
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.results.tournament import FaultCount, PausedAgent, TournamentResults, VariantStandings
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.repeats import RepeatedGames
from tag.tournaments.statistics.standings import Standing

#: Beside the manifest, and hidden, as it is no part of the tournament.
KEPT: Final = ".results.json"
#: The packages that decide the last digits.
_PACKAGES: Final = ("numpy", "pandas", "pyarrow", "scipy")


def keep_results(folder: Folder, results: TournamentResults) -> None:
    """Keep the results of all games in a folder that this process has written, unless they are more than tables.

    Nothing is kept where it cannot be written.
    """
    if results.stopping or results.grid or results.teams or results.rounds:
        return
    values = asdict(replace(results, feedback=[]))  # feedback may come later
    del values["folder"]
    text = json.dumps(values)
    with suppress(DataError):
        storage.write_whole(folder.path / KEPT, f"{_digest(folder, text)}\n{text}")


def kept_results(folder: Folder) -> TournamentResults | None:
    """Return the results that were kept of exactly what is in a folder now; None where there are none.

    Raises:
        DataError: the file with what people said of games is damaged.
    """
    folder.shards.refresh()
    try:
        digest, text = (folder.path / KEPT).read_text(encoding="utf-8").split("\n")
        if digest != _digest(folder, text):
            return None
        for shard in folder.shards.all():
            storage.check_bytes(shard)
        values = json.loads(text)
    except (OSError, ValueError, DataError):
        return None
    return _results_in(folder.path, values)


def _digest(folder: Folder, text: str) -> str:
    """Return a digest of the results as text, and of all they follow from."""
    names = " ".join(shard.name for shard in folder.shards.all())
    parts = json.dumps([_code(), folder.manifest.text, names, text])
    return blake2b(parts.encode(), digest_size=32).hexdigest()


@cache
def _code() -> str:
    """Return a digest of the code of tournaments, and the versions of Python and of packages; a checkout has no version."""
    home = Path(__file__).parents[1]
    digest = blake2b(digest_size=16)
    for path in sorted(home.rglob("*.py")):
        digest.update(path.read_bytes())
    return " ".join([digest.hexdigest(), python_version(), *map(version, _PACKAGES)])


def _results_in(path: Path, values: Mapping[str, Any]) -> TournamentResults:
    """Return results whose attributes are plain values."""
    repeats = values["repeats"]
    made = {
        "standings": [_standing(one) for one in values["standings"]],
        "faults": [FaultCount(**one) for one in values["faults"]],
        "paused": [PausedAgent(**one) for one in values["paused"]],
        "repeats": repeats and RepeatedGames(**{**repeats, "shares": tuple(repeats["shares"])}),
        "feedback": read_feedback(path),
    }
    made |= {
        name: [VariantStandings(**{**one, "standings": [*map(_standing, one["standings"])]}) for one in values[name]]
        for name in ("variants", "sides")
    }
    return TournamentResults(folder=path, **{**values, **made})


def _standing(values: Mapping[str, Any]) -> Standing:
    """Return a standing; of its attributes, only intervals are lists."""
    made: dict[str, Any] = {name: Interval(*one) if isinstance(one, list) else one for name, one in values.items()}
    return Standing(**made)
