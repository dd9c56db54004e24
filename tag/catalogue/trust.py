r"""Trust: what the user typed may run, and what a file names may only with ``--trust``.

Folders, action logs, JSON agents, saved games and definitions in TOML can come from others. They may name users' files,
which would be imported, and programs, which would be started. The command line therefore begins with `asking`: from then
on only what stands in its words may run, and `check_file` and `check_program` refuse the rest, just before it would run.
They are asked where files are imported and programs started, not where files are read. So a reader of a new kind of file
cannot forget them.

Python programs, workers and isolated agents do not ask: their caller has decided.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tag.errors import TrustError

#: What separates the names in a spec.
_BEFORE: Final = r"(?:^|[=(,:+;])\s*"
_AFTER: Final = r"\s*(?:$|[:),;+])"
#: The parameters of the agent `process` that say what runs.
PROGRAM_KEYS: Final = ("command", "url")
#: Files that were typed are searched for the names in them up to this size, in bytes, for the message of a refusal.
_SEARCHED: Final = 1 << 24
_SUFFIXES: Final = (".json", ".jsonl", ".toml")


class _State:
    """Texts that the user has typed.

    Attributes:
        words: those of the command line, and what was typed since; None where everything may run.
        checked: specs that name nothing else.
    """

    def __init__(self) -> None:
        self.words: list[str] | None = None
        self.checked: set[str] = set()


_state: Final = _State()


@contextmanager
def asking(words: Iterable[str] | None) -> Iterator[None]:
    """Let only code and programs run that the ``words`` typed by the user name; with None all may, as without this."""
    before = _state.words
    _set(None if words is None else list(words))
    try:
        yield
    finally:
        _set(before)


def trust_all() -> None:
    """Let everything run from now on, until `asking` ends: the user has said so."""
    _set(None)


def vouch(*texts: str) -> None:
    """Let files and programs named in texts run as well, because the user has typed these."""
    if _state.words is not None:
        _state.words += [text for text in texts if text not in _state.words]


def unchecked(specs: Iterable[str]) -> set[str]:
    """Return the specs that `note_checked` has not been told of; none where everything may run."""
    return set() if _state.words is None else set(specs) - _state.checked


def note_checked(specs: Iterable[str]) -> None:
    """Record that code and programs of some specs may run: the same ones are played again and again."""
    _state.checked |= set(specs)


def typed() -> list[str] | None:
    """Return the texts that the user has typed, for `asking` in another process; None where everything may run."""
    return _state.words


def check_file(file: str, *, is_altered: bool = False) -> None:
    """Refuse to import a user's file that the user has not typed.

    Args:
        file: its name.
        is_altered: whether its text comes from a folder and is not what the file of this name holds.

    Raises:
        TrustError: the user has not typed its name, or has typed it for another text.
    """
    name = re.escape(file)
    if is_altered or not _is_typed(rf"{_BEFORE}{name}{_AFTER}"):
        _refuse(f"the code of {file!r} would run", file)


def check_program(program: str) -> None:
    """Refuse to start a program, or to ask a server, that the user has not typed.

    Args:
        program: the command or URL.

    Raises:
        TrustError: the user has not typed it.
    """
    keys = "|".join(PROGRAM_KEYS)
    if program and not _is_typed(rf"(?:{keys})\s*=\s*\(?\s*{re.escape(program)}\s*(?:$|[,)])"):
        _refuse(f"the program {program!r} would be started", program)


def _set(words: list[str] | None) -> None:
    _state.words = words
    _state.checked = set()


def check_cluster(address: str) -> None:
    """Refuse to join a Ray cluster that the user has not typed: what its processes send is unpickled.

    Raises:
        TrustError: the user has not typed its address.
    """
    if not _is_typed(rf"{_BEFORE}{re.escape(address)}{_AFTER}"):
        _refuse(f"the Ray cluster at {address!r} would be joined", address)


def _is_typed(pattern: str) -> bool:
    return _state.words is None or any(re.search(pattern, word) for word in _state.words)


def _refuse(what: str, name: str) -> None:
    if _state.words is None:
        return
    raise TrustError(
        f"{what}, because {_origin(name)} names it; only what you type runs unasked, so add --trust if you trust it"
    )


def _origin(name: str) -> str:
    """Return which of the files and folders that the user typed, after the command itself, names something."""
    wanted = {name, json.dumps(name)[1:-1]}
    pieces = [piece for word in (_state.words or [])[1:] for piece in re.split(r"[=(,)]", word) if piece]
    for path in [path for piece in pieces for path in _files_in(Path(piece))]:
        try:
            text = path.read_bytes().decode(errors="replace") if path.stat().st_size <= _SEARCHED else ""
        except OSError:
            continue
        if any([one in text for one in wanted]):
            return repr(str(path))
    return "a file"


def _files_in(path: Path) -> list[Path]:
    """Return a file, or the manifests in a folder, hidden files apart; nothing where there is neither."""
    try:
        if path.is_dir():
            return [one for one in sorted(path.iterdir()) if one.suffix in _SUFFIXES and one.name[0] != "."]
        return [path] if path.is_file() else []
    except (OSError, ValueError):
        return []
