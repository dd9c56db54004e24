"""Running an A/A test: its tournaments one after the other over one pool."""

from __future__ import annotations

import json
from pathlib import Path

from tag.errors import DataError
from tournaments.noise.definition import MANIFEST, NoiseDefinition, read_definition
from tournaments.noise.results import NoiseResults, read_noise
from tournaments.progress import Progress
from tournaments.sharing import check_all, run_all
from tournaments.storage import check_is_ours, write_whole


def run_noise(
    definition: NoiseDefinition,
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    progress: Progress | None = None,
) -> NoiseResults:
    """Play what is missing of an A/A test and return what it tells.

    Args:
        definition: the test.
        out: its folder, new or with the same test in it, which may have had fewer blocks.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        progress: what shows how it comes along.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    parts = dict(definition.folders(out))
    _check(definition, out)
    check_all(parts, out, address)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / MANIFEST, json.dumps(definition.to_json(), indent=2))
    run_all(
        parts,
        workers=workers,
        uses_ray=uses_ray,
        address=address,
        tracking=False,
        progress=progress or Progress(),
    )
    return read_noise(out)


def _check(definition: NoiseDefinition, out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or holds this test, perhaps with fewer blocks."""
    check_is_ours(out, MANIFEST, "A/A test")
    if not (out / MANIFEST).exists():
        return
    old = read_definition(out)
    reason = old.tournament.difference(definition.tournament)
    if old.agents != definition.agents:
        reason = f"agents is {', '.join(old.agents)} there, not {', '.join(definition.agents)}"
    if reason:
        raise DataError(f"{str(out)!r} holds another A/A test: {reason}; name a new folder with --out")
