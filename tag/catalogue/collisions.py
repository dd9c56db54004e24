"""Name collisions: other distributions install packages called ``agents``, ``games`` or ``cluster`` as well.

The first on the path is imported, and two in one folder overwrite each other's files. Both would cause an error far from
its reason, so the check runs where names are first needed. It takes a millisecond. Only after a collision is the owner
looked up among all installed distributions, which takes longer.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions, packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tag.errors import InstallationError

PACKAGES: Final = ("agents", "cluster", "games", "tournaments", "tuning")
_DISTRIBUTION: Final = "tag-games"
#: The folders in which every module counts as one of ours: the registries.
_REGISTRIES: Final = ("agents", "games")
_ADVICE: Final = "install tag-games in an environment of its own (python -m venv)"


@cache
def check_packages(names: tuple[str, ...] = PACKAGES) -> None:
    """Check that imports of these ``names`` find our packages, and that no other package shares their folders.

    Raises:
        InstallationError: another package is in the way; the message names it.
    """
    home = Path(__file__).parents[2]
    record = _record(home)
    for name in names:
        _check_place(name, home)
        if record:
            _check_files(name, home, record)


def _check_place(name: str, home: Path) -> None:
    spec = find_spec(name)
    found = [Path(folder) for folder in (spec and spec.submodule_search_locations) or []]
    if not found:
        raise InstallationError(
            f"the package {name!r} is missing beside {str(home / 'tag')!r}; install tag-games again"
        )
    if found[0].resolve() != (home / name).resolve():
        owners = [owner for owner in packages_distributions().get(name, []) if owner != _DISTRIBUTION]
        whose = f" of {', '.join(sorted(set(owners)))}" if owners else ""
        advice = _ADVICE if owners else "rename that folder, or run tag from another one"
        raise InstallationError(
            f"{name!r} is the package{whose} in {str(found[0])!r}, not the one beside tag in {str(home)!r}; {advice}"
        )


def _check_files(name: str, home: Path, record: str) -> None:
    """Check the files of an installed package by pip's record of them."""
    suspects = [] if _is_as_recorded(f"{name}/__init__.py", home, record) else [f"{name}/__init__.py"]
    if name in _REGISTRIES:
        modules = [
            path.relative_to(home).as_posix() for path in (*home.glob(f"{name}/*.py"), *home.glob(f"{name}/*/*.py"))
        ]
        suspects += [module for module in modules if f"\n{module}," not in record]
    owner = _owner(suspects) if suspects else ""
    if owner:
        raise InstallationError(f"{owner} has put files into the package {name!r} in {str(home)!r} as well; {_ADVICE}")


def _record(home: Path) -> str:
    """Return pip's list of our files, each line after a newline; empty where tag runs from a checkout."""
    for folder in home.glob(f"{_DISTRIBUTION.replace('-', '_')}-*.dist-info"):
        try:
            return "\n" + (folder / "RECORD").read_text(encoding="utf-8")
        except OSError:
            continue
    return ""


def _is_as_recorded(file: str, home: Path, record: str) -> bool:
    digest = urlsafe_b64encode(hashlib.sha256((home / file).read_bytes()).digest()).rstrip(b"=").decode()
    return f"\n{file},sha256={digest}," in record


def _owner(files: Iterable[str]) -> str:
    """Return the name and version of another distribution that has one of the files; empty if none has."""
    wanted = set(files)
    for distribution in distributions():
        name = distribution.metadata["Name"]
        if name != _DISTRIBUTION and any(file.as_posix() in wanted for file in distribution.files or []):
            return f"{name} {distribution.version}"
    return ""
