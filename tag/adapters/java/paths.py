"""Files and folders that files of TAG's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Final

from tag.catalogue import trust
from tag.errors import TrustError

#: What separates the names in a word of a command line.
_SEPARATOR: Final = re.compile(r"[=(,)]")


def file_beside(path: Path, name: str) -> Path | None:
    """Return the file or folder ``name`` that the file ``path`` names; None where there is none.

    TAG seeks it in the working directory. It is sought beside the file, in the folders above, and in the working directory.

    Raises:
        TrustError: an absolute path, ``..`` or a link leads out of these, and the user has not typed it.
    """
    words = trust.typed()
    may_leave = words is None or any(name in _SEPARATOR.split(word) for word in words)
    relative = PurePath(name.replace("\\", "/"))
    for folder in _folders(path):
        found = folder / relative
        if not found.exists() or not name:
            continue
        is_inside = ".." not in relative.parts and found.resolve().is_relative_to(folder)
        if not is_inside and not may_leave:
            raise TrustError(
                f"{str(path)!r} names {name!r}, which is outside of its folders; move it there, or add --trust"
            )
        return found
    return None


def shown(path: Path) -> Path:
    """Return a path for people: from the working directory where it is in there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _folders(path: Path) -> Iterator[Path]:
    """Yield the folders in which a name is sought; the same one of a file that two others name first."""
    yield from path.resolve().parents
    yield Path.cwd()
