"""The origin of a run, as tags: its place, the versions of all that played, and the command that goes on with it."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

import tag
from tag.catalogue.version import installation
from tag.tournaments.tracking.runs import COMMIT_TAG

_GIT_SECONDS: Final = 10.0


def origin_tags(
    folder: Path,
    command: str,
    versions: Mapping[str, str],
    sources: Mapping[str, str],
    execution: Mapping[str, object],
) -> dict[str, str]:
    """Return the place and the versions of a run, and the command that goes on with it."""
    where, commit = str(folder.resolve()), _commit()
    return {
        "folder": where,
        "command.go_on": f"{command} {shlex.quote(where)}",
        **{f"version.{name}": value for name, value in versions.items()},
        **{f"code.{name}": value for name, value in installation().items()},
        **({COMMIT_TAG: commit} if commit else {}),
        **{f"source.{file}": blake2b(text.encode(), digest_size=16).hexdigest() for file, text in sources.items()},
        **{f"execution.{name}": str(value) for name, value in execution.items()},
    }


def _commit() -> str:
    """Return the commit of the checkout in use, with ``+changes`` if it was edited; empty if it is no checkout."""
    root = Path(tag.__file__).parents[1]
    if not (root / ".git").exists():
        return ""
    try:
        commit = _git(root, "rev-parse", "HEAD")
        return f"{commit}+changes" if _git(root, "status", "--porcelain", "--untracked-files=no") else commit
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603  the arguments are ours
        ["git", "-C", str(root), *arguments],  # noqa: S607  the user's git
        capture_output=True,
        text=True,
        check=True,
        timeout=_GIT_SECONDS,
    )
    return done.stdout.strip()
