"""Writes the oldest version that is allowed of each package that `pyproject.toml` names for users, as pip's requirements."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

#: Extras whose packages are small enough to be installed for this.
EXTRAS = ("rl",)


def lowest(requirement: str) -> str:
    """Return ``name==version`` for a requirement with a lower bound, such as ``numpy>=2``.

    Raises:
        ValueError: it has none, so that any version would have to do.
    """
    parsed = Requirement(requirement)
    bounds = [one.version for one in parsed.specifier if one.operator in (">=", "==", "~=")]
    if len(bounds) != 1:
        raise ValueError(f"{requirement!r} in pyproject.toml has no lower bound, or several; give it one")
    return f"{parsed.name}=={bounds[0]}"


def main() -> None:
    """Write one requirement per line."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"]]
    for extra in EXTRAS:
        named += project["optional-dependencies"][extra]
    sys.stdout.write("\n".join(map(lowest, named)) + "\n")


if __name__ == "__main__":
    main()
