"""Arguments that RunGames and ParameterSearch of TAG's share, and the definitions that their files become.

Source: TAG as of May 2026, evaluation/RunArg.java.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from tag.adapters.java.entries import Entries, Entry, changed

#: What says that a file has no arguments, but a game, a player or an agent.
_OTHERS: Final = ("class", "name")


@dataclass(frozen=True)
class JavaDefinition:
    """A definition in a file of TAG's.

    Attributes:
        values: what it says, as a TOML file would.
        entries: what its entries have become.
    """

    values: dict[str, Any]
    entries: tuple[Entry, ...]

    @property
    def differences(self) -> tuple[Entry, ...]:
        """The entries that mean something else here, or nothing, each once."""
        return tuple(dict.fromkeys(changed(self.entries)))


def is_of(content: object, arguments: Iterable[str]) -> bool:
    """Say whether the content of a JSON file is some of these arguments."""
    if not isinstance(content, dict) or any(name in content for name in _OTHERS):
        return False
    return any(name in content for name in arguments)


def seed_of(entries: Entries) -> dict[str, Any]:
    """Return the seed, if there is one; TAG takes the clock otherwise."""
    return {} if entries.take("seed") is None else {"seed": abs(entries.whole("seed", 0))}


def folder_of(entries: Entries) -> dict[str, Any]:
    """Return the folder of the results, if it is within the working directory."""
    if entries.take("addTimeStamp", False):
        entries.lost("addTimeStamp", "name a folder with --out")
    text = entries.text("destDir", "").replace("\\", "/")
    path = PurePath(text)
    if not text:
        return {}
    if path.is_absolute() or ".." in path.parts or ":" in text:
        entries.lost("destDir", "is outside of the working directory; name it with --out")
        return {}
    return {"out": text}
