"""Results of a ledger and the sums they are made of, kept in a file, so that only games that came later are read.

They are taken from it only if its own digest fits, if it was made by the same code, of the same tournament with the same or
fewer blocks and agents, and of shards that are all still there: their names are digests of their bytes, which are compared.
Otherwise the ledger is read. So no accident can make them differ from the ledger. Nothing is secret in it: who may write
into the folder can forge it, as well as games. So only the status, live pages and the end of a run begin with it, and a run
does not compare games of these shards with the schedule again. All other commands, `tag verify` first, compare all games.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from platform import python_version
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from tag.errors import TagError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.feedback import read_feedback
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.results.tournament import FaultCount, PausedAgent, TournamentResults, VariantStandings
from tag.tournaments.statistics.intervals import Interval
from tag.tournaments.statistics.repeats import RepeatedGames
from tag.tournaments.statistics.standings import Standing

#: Beside the manifest, and hidden, as it is no part of the tournament: a digest in hexadecimal digits, and numpy's arrays.
KEPT: Final = ".results"
#: The packages that decide the last digits.
_PACKAGES: Final = ("numpy", "pandas", "pyarrow", "scipy")
#: The array with all that is text, as JSON.
_TEXT: Final = "text"
_DIGITS: Final = 64


class KeptSums(NamedTuple):
    """The sums over the games of some shards, by the names of these, as plain values and arrays."""

    names: Sequence[str]
    values: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]


def keep_results(
    folder: Folder,
    results: TournamentResults,
    shards: Sequence[Path],
    sums: KeptSums | None,
    *,
    is_checked: bool,
) -> None:
    """Keep the results of the games in some shards, and sums over these or some of them; nothing if it cannot be written.

    ``is_checked`` says whether this process has compared the games in all of them with the tournament.
    """
    names, values = [shard.name for shard in shards], asdict(replace(results, feedback=[]))  # feedback may come later
    del values["folder"]
    text = {
        "code": _code(),
        "manifest": folder.manifest.text,
        "names": names,
        "checked": names if is_checked else sorted(folder.shards.checked & {*names}),
        "results": values,
        "summed": sums.names if sums else [],
        "sums": sums.values if sums else None,
    }
    arrays: dict[str, Any] = {
        _TEXT: np.frombuffer(json.dumps(text).encode(), np.uint8),
        **(sums.arrays if sums else {}),
    }
    file = BytesIO()
    np.savez(file, **arrays)
    with suppress(TagError):
        storage.write_whole(folder.path / KEPT, _digest(file.getvalue()) + file.getvalue())


def kept_results(folder: Folder) -> TournamentResults | None:
    """Return the results that were kept of exactly what is in a folder now; None where there are none.

    Raises:
        DataError: the file with what people said of games is damaged.
    """
    found = _read(folder, "names")
    if found is None or found[0]["manifest"] != folder.manifest.text:
        return None
    is_all = {*found[0]["names"]} == {shard.name for shard in folder.shards.all()}
    return _results_in(folder.path, found[0]["results"]) if is_all else None


def kept_sums(folder: Folder) -> KeptSums | None:
    """Return the sums that were kept of shards that are still in a folder; None where there are none."""
    found = _read(folder, "summed")
    return KeptSums(found[0]["summed"], found[0]["sums"], found[1]) if found and found[0]["sums"] else None


def is_merged(shard: str) -> bool:
    """Say whether a shard of this name is the merged one of its kind."""
    return storage.shard_number(Path(shard)) == storage.MERGED


def _read(folder: Folder, needed: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]] | None:
    """Return text and arrays of what was kept if it holds for the shards under the key ``needed``.

    Note also which shards were compared with the tournament.
    """
    try:
        content = (folder.path / KEPT).read_bytes()
        digest, data = content[:_DIGITS], content[_DIGITS:]
        if digest != _digest(data):
            return None
        with np.load(BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
        text = json.loads(arrays.pop(_TEXT).tobytes())
        if text["code"] != _code() or not _is_of(folder, json.loads(text["manifest"])):
            return None
        folder.shards.refresh()
        shards = {shard.name: shard for shard in folder.shards.all()}
        for name in text[needed]:
            storage.check_bytes(shards[name])
    except (OSError, ValueError, KeyError, BadZipFile, TagError):
        return None
    folder.shards.checked.update(text["checked"])
    return text, arrays


def _is_of(folder: Folder, manifest: Mapping[str, Any]) -> bool:
    """Say whether a tournament is that in a folder, perhaps with fewer blocks and agents."""
    now, sources = folder.manifest, manifest["sources"]
    return (
        (manifest["id"], manifest["versions"]) == (now.id, now.versions)
        and all(now.sources.get(file) == text for file, text in sources.items())
        and not TournamentDefinition.from_json(manifest["definition"]).difference(now.definition)
    )


def _digest(data: bytes) -> bytes:
    """Return a digest in hexadecimal digits."""
    return blake2b(data, digest_size=_DIGITS // 2).hexdigest().encode()


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
