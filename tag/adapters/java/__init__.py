"""Files of TAG, the framework in Java: its players and games as specs, its tournaments as definitions.

Each says what its entries have become.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from warnings import warn

from tag.adapters.java.arguments import JavaDefinition
from tag.adapters.java.entries import EXACT, LOST, NEAR, UNKNOWN, Entry
from tag.adapters.java.games import JavaGame, game_named, game_of, is_game, read_game
from tag.adapters.java.listeners import listener_of
from tag.adapters.java.players import JavaPlayer, is_player, read_player, translated, with_files
from tag.adapters.java.run_games import read_run_games
from tag.engine.parameters import Spec
from tag.engine.text_files import read_json

__all__ = [
    "EXACT",
    "LOST",
    "NEAR",
    "UNKNOWN",
    "Entry",
    "JavaDefinition",
    "JavaGame",
    "JavaPlayer",
    "TranslationWarning",
    "file_in_spec",
    "game_named",
    "read_file",
    "read_game",
    "read_player",
    "read_run_games",
    "spec_in_file",
    "tell_differences",
    "with_listeners",
]


class TranslationWarning(UserWarning):
    """A file of TAG's has entries that mean something else here, or nothing."""


def read_file(
    path: Path, content: dict[str, Any], budget: int | None = None, *, is_to_play: bool = True
) -> JavaGame | JavaPlayer | None:
    """Return the game or player in a file with this content, None where it is none of TAG's.

    Raises:
        TagError: it is of a class that is not here, or has no budget.
    """
    if is_game(content):
        return game_of(content)
    if not is_player(content):
        return None
    return translated(with_files(content, path), budget, repr(str(path)), is_to_play=is_to_play)


def file_in_spec(text: str) -> JavaGame | JavaPlayer | None:
    """Return the game or player in the file of TAG's that a spec names, None where it names none.

    Raises:
        TagError: the file cannot be read, or is of a class that is not here.
    """
    name, suffix, rest = text.strip().partition(".json")
    path = Path(name + suffix)
    if not suffix or not path.is_file():
        return None
    budget = re.search(r"(?:^:|,)budget=(\d+)", rest)
    content = read_json(path, "agent file")
    if not isinstance(content, dict):
        return None
    return read_file(path, content, int(budget[1]) if budget else None, is_to_play=False)


def spec_in_file(path: Path, content: dict[str, Any], given: dict[str, object]) -> Spec | None:
    """Return the agent or game of a file with this content as `parse_spec` wants it, None where it is none of TAG's.

    Warns:
        TranslationWarning: entries mean something else here.
    """
    budget = str(given.get("budget", ""))
    found = read_file(path, content, int(budget) if budget.isdigit() else None)
    if found is None:
        return None
    n_changed = len(found.differences)
    if n_changed:
        said = "an entry that means" if n_changed == 1 else f"{n_changed} entries that mean"
        kind = "games" if isinstance(found, JavaGame) else "agents"
        warn(f"{path} has {said} something else here; tag {kind} {path} tells", TranslationWarning, stacklevel=2)
    return Spec(found.spec.name, {**found.spec.values, **given})


def with_listeners(metrics: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Return names of metrics with those of TAG's listeners in place of their files, and whether actions are to be kept.

    Raises:
        DataError: a file cannot be read.

    Warns:
        TranslationWarning: metrics in them mean something else here.
    """
    found: dict[str, None] = {}
    keeps_actions = False
    for name in metrics:
        if not name.endswith(".json"):
            found[name] = None
            continue
        listener = listener_of(read_json(Path(name), "listener of TAG's"))
        tell_differences(Path(name), JavaDefinition({}, listener.entries))
        found |= dict.fromkeys(listener.metrics)
        keeps_actions = keeps_actions or listener.record_actions
    return tuple(found), keeps_actions


def tell_differences(path: Path, found: JavaDefinition) -> None:
    """Warn of the entries of a definition that mean something else here, all in one.

    Warns:
        TranslationWarning: there are some.
    """
    if found.differences:
        lines = "\n  ".join(map(str, found.differences))
        warn(f"{path} does not mean quite the same here:\n  {lines}", TranslationWarning, stacklevel=2)
