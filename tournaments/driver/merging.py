"""Merging of parts: shares of a tournament, each played in a folder of its own, become the folder of the whole.

The parts are only read. The ledger of the whole is that of one run, to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Final

from tag.errors import DataError
from tag.tournaments.designs.games import PlayedGames
from tag.tournaments.designs.parts import Part, missing_parts
from tag.tournaments.designs.stopping.pausing import pauses_after
from tag.tournaments.driver.tournament import finish
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import Folder, TournamentManifest, check_is_new, is_at_work, new_folder
from tag.tournaments.ledger.identity import DECISIVE
from tag.tournaments.ledger.rows import faults_by_game
from tag.tournaments.ledger.writing import Ledger

#: So many parts that are not complete are named; the others are counted.
_NAMED: Final = 3
_WAY_OUT: Final = "name them, or add --incomplete, and tag tournament plays what is missing"


def merge_parts(folders: Iterable[Path], out: Path, *, incomplete: bool = False) -> int:
    """Write the tournament whose parts are in some folders to ``out``, and return how many of its games are missing.

    None is missing unless it is said to be ``incomplete``, or an agent was paused in a part that is not paused in the whole.
    The order of the folders makes no difference.

    Raises:
        DataError: the folders do not hold parts of one tournament, a part is missing or there twice with other games, or
            ``out`` is not empty. Nothing has been written then.
    """
    check_is_new(out)
    parts = _parts_in(folders)
    gaps = _gaps(parts)
    if gaps and not incomplete:
        raise DataError(f"{gaps}; {_WAY_OUT}")
    with new_folder(out, _manifest_of(parts)) as whole:
        for number, part in enumerate(parts, start=1):
            _copy(part, whole, number)
        return finish(whole, Ledger(whole, whole.definition))


def _parts_in(folders: Iterable[Path]) -> list[Folder]:
    """Return the parts in some folders in their order, each once, after a check that they are of one tournament."""
    opened = [Folder.open(path) for path in {path.resolve(): path for path in folders}.values()]
    if not opened:
        raise DataError("there are no parts; name the folder of each")
    for folder in opened:
        if not folder.definition.part:
            raise DataError(f"{str(folder.path)!r} holds a whole tournament, not a part of one; leave it out")
        if is_at_work(folder.path):
            raise DataError(f"another process is at work on {str(folder.path)!r}; wait for it, or stop it")
    opened.sort(key=lambda folder: (part_of(folder), folder.manifest.id))
    for folder in opened[1:]:
        _check_fits(opened[0], folder)
    return [_only([*copies]) for _part, copies in groupby(opened, part_of)]


def part_of(folder: Folder) -> Part:
    """Return the part in a folder."""
    return Part.read(folder.definition.part)


def _check_fits(first: Folder, other: Folder) -> None:
    """Raise `DataError` unless two parts are of the same tournament, by the same versions and users' files."""
    mine, theirs = first.manifest, other.manifest
    reason = mine.definition.difference(replace(theirs.definition, part=mine.definition.part))
    if part_of(first).of != part_of(other).of:
        reason = f"part is {mine.definition.part} there, not {theirs.definition.part}"
    if reason:
        raise DataError(f"{str(other.path)!r} is no part of the tournament in {str(first.path)!r}: {reason}")
    for name in DECISIVE:
        was, now = mine.versions.get(name), theirs.versions.get(name)
        if was != now:
            raise DataError(
                f"{str(other.path)!r} was begun with version {now} of {name}, and {str(first.path)!r} with {was}; play all "
                "parts with the same"
            )
    for file in {**mine.sources, **theirs.sources}:
        if mine.sources.get(file) != theirs.sources.get(file):
            raise DataError(
                f"{str(other.path)!r} was played with another {file!r} than {str(first.path)!r}; play all with the same"
            )


def _only(copies: Sequence[Folder]) -> Folder:
    """Return the first of several folders with the same part, or raise `DataError` where their games differ."""
    first, *others = copies
    mine = first.games().content_hash() if others else ""
    for other in others:
        if other.games().content_hash() != mine:
            raise DataError(
                f"{str(first.path)!r} and {str(other.path)!r} both hold part {part_of(first).text}, with other games; leave "
                "one out"
            )
    return first


def _gaps(parts: Sequence[Folder]) -> str:
    """Return which parts are missing or not complete, in words; empty where none is."""
    found = {part_of(folder).number for folder in parts}
    missing = missing_parts(found, part_of(parts[0]).of, parts[0].definition.blocks)
    unfinished = list(_unfinished(parts))
    rest = len(unfinished) - _NAMED
    more = [f"{rest:,} more {'parts are' if rest > 1 else 'part is'} not complete"] if rest > 0 else []
    return ", and ".join([text for text in (missing, ", ".join(unfinished[:_NAMED]), *more) if text])


def _unfinished(parts: Sequence[Folder]) -> Iterator[str]:
    """Yield which parts lack games, in words."""
    for folder in parts:
        table = folder.games(["game_id", "agents", "faults"]).table
        schedule, played = folder.definition.schedule(), PlayedGames([table])
        pauses = pauses_after(schedule, faults_by_game([table]), played)
        wanted = len(schedule) - sum(pairing not in played for pairing in pauses.skipped().values())
        if len(played) < wanted:
            yield f"part {part_of(folder).number} has {len(played):,} of {wanted:,} games"


def _manifest_of(parts: Sequence[Folder]) -> TournamentManifest:
    """Return the manifest of the whole; its id follows from those of the parts, so that it has one run in a store."""
    first = parts[0].manifest
    ids = "".join(sorted(part.manifest.id for part in parts))
    return replace(
        first,
        id=blake2b(ids.encode(), digest_size=16).hexdigest(),
        created=min(part.manifest.created for part in parts),
        definition=replace(first.definition, part=""),
    )


def _copy(part: Folder, whole: Folder, number: int) -> None:
    """Write the rows of a part as shards of the whole with this number, each game once; timings before the games."""
    for kind in reversed(part.shards.kinds()):
        paths = part.shards.of(kind)
        if sum(map(storage.n_rows, paths)):
            storage.write_parts(whole.shards.folder, kind, number, *part.shards.in_order(kind, paths))
