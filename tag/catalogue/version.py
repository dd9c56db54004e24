"""Version of the installation, and whether it runs compiled."""

from __future__ import annotations

import platform
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path

from tag.playing import game as _game

DISTRIBUTION = "tag-games"

#: The parts of the package that no game is played with, and the files of the others that decide the play.
_NOT_IN_PLAY = ("tournaments", "tuning")
_SUFFIXES = (".json", ".py", ".safetensors", ".toml")


def is_compiled() -> bool:
    """Say whether the engine was compiled by mypyc; the program is the same, slower where it was not."""
    return not _game.__file__.endswith(".py")


@cache
def tag_version() -> str:
    """Return the version of the installed distribution, or ``0+source`` where it is run uninstalled."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0+source"


def version_text() -> str:
    """Return version, build and Python in one line."""
    build = "compiled" if is_compiled() else "interpreted"
    return f"tag {tag_version()} ({build}, {platform.python_implementation()} {platform.python_version()})"


@cache
def installation() -> dict[str, str]:
    """Return the facts that must agree on all machines of a tournament, by name.

    The sources are included as a hash: two checkouts, or an edited installation, have the same version.
    """
    facts = {
        "tag": tag_version(),
        "build": "compiled" if is_compiled() else "interpreted",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "sources": _hash_of_sources(),
    }
    for group in ("tag.agents", "tag.games"):
        for entry in entry_points(group=group):
            if entry.dist is not None:
                facts[entry.dist.name] = entry.dist.version
    return facts


def difference(theirs: dict[str, str], ours: dict[str, str]) -> str:
    """Return the differences of an installation from ours in words; empty if there are none.

    Examples:
        >>> difference({"tag": "0.1.0", "build": "interpreted"}, {"tag": "0.1.0", "build": "compiled"})
        'build interpreted instead of compiled'
    """
    names = sorted({*theirs, *ours}, key=[*ours, *theirs].index)
    values = [(name, theirs.get(name, "none"), ours.get(name, "none")) for name in names]
    return ", ".join(f"{name} {there} instead of {here}" for name, there, here in values if there != here)


def _hash_of_sources() -> str:
    home = Path(_game.__file__).parents[1]
    parts = [entry for entry in home.iterdir() if entry.name not in _NOT_IN_PLAY]
    files = [path for part in parts for path in (part, *part.rglob("*")) if path.suffix in _SUFFIXES]
    digest = blake2b(digest_size=4)
    for path in sorted(files):
        digest.update(f"{path.relative_to(home).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
