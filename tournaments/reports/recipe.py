"""How to play a tournament again: as a command, and as a TOML file for ``tag tournament``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from tournaments.definition import STREAMS, Rules, TournamentDefinition

#: Settings that are given once per value, and their options.
_REPEATED: Final = {"agents": "--agent", "metrics": "--metric", "compare": "--compare", "draw": "--draw"}


def command(definition: TournamentDefinition) -> str:
    """Return the command that plays the same tournament, an option per line."""
    said = dict(_said(definition))
    lines = [f"tag tournament {shlex.quote(said.pop('game'))}"]
    for name, value in said.items():
        option = _REPEATED.get(name, f"--{name.replace('_', '-')}")
        values = value if name in _REPEATED else [value]
        lines += [f"  {option}" if one is True else f"  {option} {shlex.quote(str(one))}" for one in values]
    return " \\\n".join(lines)


def toml(definition: TournamentDefinition) -> str:
    """Return a TOML file of the same tournament; the keys are those of `tournaments.settings`."""
    return "\n".join(f"{name} = {_toml_value(value)}" for name, value in _said(definition))


def _said(definition: TournamentDefinition) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a definition, those that most tournaments do without only where they are given."""
    defaults = {
        **asdict(Rules()),
        "metrics": [],
        "sprt": "",
        "precision": 0.0,
        "compare": [],
        "draw": [],
        "record_actions": False,
        "streams": STREAMS[0],
    }
    for name, value in definition.to_json().items():
        if name not in defaults or value != defaults[name]:
            yield name, value


def _toml_value(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml_value(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)  # TOML's texts and numbers are written as JSON's
