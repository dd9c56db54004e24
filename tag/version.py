"""Which version this is, and whether it runs compiled."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

import tag.game

DISTRIBUTION = "tag-games"


def is_compiled() -> bool:
    """Say whether the engine was compiled by mypyc; the program is the same, slower where it was not."""
    return not tag.game.__file__.endswith(".py")


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
