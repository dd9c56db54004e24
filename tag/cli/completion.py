"""Completion in shells: commands and options by click, and here the names of games and agents, folders and files.

eval "$(_TAG_COMPLETE=bash_source tag)"      in ~/.bashrc; zsh_source for zsh, fish_source for fish
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class

#: The variable with which a shell asks for completions.
COMPLETE: Final = "_TAG_COMPLETE"

_GAMES: Final = "game_names"
_AGENTS: Final = "agent_names"
_LEARNERS: Final = "learner_names"
_HEURISTICS: Final = "heuristic_names"
#: The registries of parameters by their names. A file or folder may stand for a name, too.
_REGISTRIES: Final = {
    **dict.fromkeys(("game", "games"), _GAMES),
    **dict.fromkeys(("agent", "agents", "versus", "held_out", "responses", "panel", "skill", "skill_trace"), _AGENTS),
    **dict.fromkeys(("learner",), _LEARNERS),
}
#: The same of ``NAME``, by command.
_NAMES: Final = {"games": _GAMES, "agents": _AGENTS, "learners": _LEARNERS, "heuristics": _HEURISTICS}
_FOLDERS: Final = ("folder", "folders", "out", "ledger", "source")


def complete(group: click.Group) -> NoReturn:
    """Answer the shell that asks, and exit; a line that is wrong has no completions."""
    shell, _, what = os.environ[COMPLETE].partition("_")
    kind = get_completion_class(shell)
    if kind is None or what not in ("source", "complete"):
        sys.exit(f"tag: {COMPLETE} cannot be {os.environ[COMPLETE]!r}; it is bash_source, zsh_source or fish_source")
    answer = kind(group, {}, "tag", COMPLETE)
    try:
        click.echo(answer.source() if what == "source" else answer.complete())
    except Exception:  # noqa: BLE001  errors of a line that is being typed are told when it is run
        sys.exit(0 if what == "complete" else 1)
    sys.exit(0)


def completing(name: str, command: click.Command) -> click.Command:
    """Have the parameters of the command ``name`` complete the names, folders and files that they take."""
    for inner_name, inner in command.commands.items() if isinstance(command, click.Group) else ():
        completing(inner_name, inner)
    for parameter in command.params:
        found = _completion(name, parameter)
        if found is not None:
            parameter.shell_complete = found  # type: ignore[assignment,method-assign]  # click takes it when a parameter is made only
    return command


def _completion(command: str, parameter: click.Parameter) -> Callable[[Any, str], list[CompletionItem]] | None:
    registry = _NAMES.get(command, "") if parameter.name == "name" else _REGISTRIES.get(parameter.name or "", "")
    if registry:
        return _Names(registry)
    return _folders if parameter.name in _FOLDERS else None


class _Names:
    """Completes names of a registry, and files where none begins so."""

    def __init__(self, registry: str) -> None:
        self._registry = registry

    def __call__(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names: Iterable[str] = getattr(_registry(), self._registry)()
        if self._registry == _AGENTS:
            on_line = (ctx.params.get("game"), *(ctx.params.get("games") or ()))
            names = [*names, *_bots(on_line, incomplete)]
        return [
            CompletionItem(incomplete, type="file"),
            *[CompletionItem(one) for one in names if one.startswith(incomplete)],
        ]


def _bots(on_line: Iterable[object], incomplete: str) -> list[str]:
    """Return the bots of the games on the line, and of the game of which a bot is being typed."""
    games = dict.fromkeys([str(one).partition(":")[0] for one in (*on_line, incomplete) if one])
    return [bot for one in games for bot in _registry().bot_names(one)]


def _registry() -> Any:
    from tag.catalogue import registry  # most calls list options

    return registry


def _folders(_ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file" if incomplete.endswith(".jsonl") else "dir")]
