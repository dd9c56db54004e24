"""Folders for Ray's sockets and logs, which only this user can enter.

Ray itself takes a folder that all users of the machine can write to, without a sticky bit.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from tag.errors import ClusterError

USUAL: Final = "/tmp"  # noqa: S108  its owner and mode are checked
#: How long the path of a Unix socket may be (Linux 107, macOS 103), and how much Ray adds to the path of a folder:
#: ``/session_2026-01-01_00-00-00_000000_1234567/sockets/plasma_store.1``.
_LONGEST_SOCKET: Final = 103
_RAYS_PART: Final = 67
_NAME_LENGTH: Final = 9


def private_base(within: str = "") -> Path:
    """Return the folder of all of this user's sessions of Ray, made where it is not there.

    Args:
        within: the folder in which it is; by default that of ``RAY_TMPDIR``, or else /tmp.

    Raises:
        ClusterError: another user has made it, or it cannot be made.
    """
    base = Path(within or os.environ.get("RAY_TMPDIR", USUAL)).resolve() / f"tag-{os.getuid()}"
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ClusterError(no_folder(base, error)) from None
    found = base.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise ClusterError(f"others can write to {str(base)!r}; remove it")
    return base


def private_folder(base: Path) -> Path:
    """Make a folder for one session in a `private_base`, and return it; `ClusterError` where that cannot be written to."""
    try:
        return Path(tempfile.mkdtemp(prefix="", dir=base))
    except OSError as error:
        raise ClusterError(no_folder(base, error)) from None


def session_folder() -> Path:
    """Make a private folder whose path is short enough for Ray's sockets: in /tmp where that of ``RAY_TMPDIR`` is too long.

    Raises:
        ClusterError: no such folder can be made.
    """
    base = private_base()
    is_short = len(os.fsencode(base)) + _NAME_LENGTH + _RAYS_PART <= _LONGEST_SOCKET
    return private_folder(base if is_short else private_base(USUAL))


def no_folder(base: Path, error: OSError) -> str:
    """Return the sentence for a folder that Ray cannot use."""
    return f"Ray cannot write to {str(base)!r}: {error.strerror}; name another folder with RAY_TMPDIR"
