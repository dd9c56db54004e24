"""Specs: a name with parameters as text, ``mcts:budget=500,k=1.4``.

A value may be a spec in parentheses, ``rhea:opponent=(mcts:budget=50)``, and ``()`` is the empty one. The name is that
of a registry, a game's bot, ``diamant:threshold:carried=8``, or a path with a class, ``./my_agent.py:MyAgent:depth=3``.
Specs are sent to workers, stored in the ledger and typed by people; safe in a shell, a file and a Parquet column alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tag.engine.text_files import read_json
from tag.errors import SpecError, UnknownNameError

#: The beginning of the names of games of OpenSpiel, ``open_spiel:kuhn_poker(players=3)``.
OPEN_SPIEL: Final = "open_spiel:"

_OPEN_SPIEL_NAME = re.compile(r"^(?P<name>open_spiel:[^:(]+(?:\(.*\))?)(?::(?P<rest>.*))?$", re.DOTALL)
_FILE = re.compile(r"^(?P<name>[^=(]+\.json)(?::(?P<rest>.*))?$", re.DOTALL)
#: The name of the agent that runs a program of the user's, as a word.
_PROGRAM = re.compile(r"(?<!\w)process(?!\w)")
#: The keys of a JSON file that holds a spec. Studies write more beside them, and this one with the spec as text.
_KEYS: Final = ("name", "parameters")
_WRITTEN: Final = "spec"
_NAME_WITH_COLON = re.compile(r"^(?P<name>[^=(]+?\.py(?::[A-Za-z_]\w*)?|\w+:[A-Za-z_][^:=(),\s]*)(?::(?P<rest>.*))?$")


@dataclass(frozen=True)
class Spec:
    """A name in a registry, ``game:bot`` or ``path.py:Class``, with the parameters that were given, as text or plain values.

    Examples:
        >>> spec = parse_spec("mcts:budget=500,k=1.4")
        >>> spec.name, spec.values
        ('mcts', {'budget': '500', 'k': '1.4'})
        >>> str(spec.with_value("budget", 1000))
        'mcts:budget=1000,k=1.4'
    """

    name: str
    values: dict[str, object] = field(default_factory=dict)

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Spec, (self.name, self.values))

    def with_value(self, name: str, value: object) -> Spec:
        """Return this spec with one parameter more, or another value of it."""
        return Spec(self.name, {**self.values, name: value})

    def __str__(self) -> str:
        """Return the text form, which `parse_spec` reads back."""
        if not self.values:
            return self.name
        return f"{self.name}:{','.join(f'{key}={_value_text(value)}' for key, value in self.values.items())}"


#: Reads a spec in a JSON file of another program, from its path and content and the parameters given after its name; None
#: where it is no such file.
FileReader = Callable[[Path, dict[str, Any], dict[str, object]], Spec | None]

#: The readers of other programs' files; `add_file_reader`.
_READERS: Final[list[FileReader]] = []


def add_file_reader(reader: FileReader) -> None:
    """Have `parse_spec` read another program's files, too; the package `tag` adds those of TAG in Java."""
    _READERS.append(reader)


def parse_spec(text: str) -> Spec:
    """Read ``name:key=value,…``, or the JSON file of that name with ``{"name": …, "parameters": {…}}``.

    Parameters may follow a file's name as well, ``mine.json:budget=500``, and take the place of the file's.

    Raises:
        SpecError: the text is no spec.
        DataError: the file cannot be read or is not JSON.
        UnknownNameError: the file has another key.

    Examples:
        >>> parse_spec("rhea:horizon=3,opponent=(mcts:budget=50,k=1)")
        Spec(name='rhea', values={'horizon': '3', 'opponent': 'mcts:budget=50,k=1'})
        >>> print(parse_spec("./my_agent.py:Mine:depth=3").with_value("width", 2))
        ./my_agent.py:Mine:depth=3,width=2
    """
    stripped = text.strip()
    file = _FILE.match(stripped)
    if file:
        return _spec_from_file(Path(file["name"]), _pairs(file["rest"] or "", text))
    parts = _OPEN_SPIEL_NAME.match(stripped) or _NAME_WITH_COLON.match(stripped)
    name, _, rest = (parts["name"], "", parts["rest"] or "") if parts else stripped.partition(":")
    if not name or name.startswith(("=", ",")):
        raise SpecError(f"the spec {text!r} has no name; write name:key=value,key=value")
    return Spec(name, _pairs(rest, text))


def names_program(text: str) -> bool:
    """Say whether a spec may have a program run, by the agent ``process``, which may also stand within it.

    It is asked of all that may come from others: saved games, models, agents in JSON files, visitors of pages.
    """
    return _PROGRAM.search(text) is not None


def _pairs(rest: str, text: str) -> dict[str, object]:
    """Return the parameters that stand after the name in the spec ``text``."""
    pairs = [_pair(part, text) for part in split_list(rest, text)]
    values: dict[str, object] = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for key in values if sum(key == other for other, _value in pairs) > 1)
        raise SpecError(f"the spec {text!r} sets {twice} more than once; leave all but one out")
    return values


def split_list(rest: str, text: str) -> list[str]:
    """Split ``rest``, a part of ``text``, at the commas that are not inside parentheses.

    Examples:
        >>> split_list("win,plus=(score:win_factor=1.5,loss_factor=0.5)", "…")
        ['win', 'plus=(score:win_factor=1.5,loss_factor=0.5)']

    Raises:
        SpecError: the parentheses do not match.
    """
    parts: list[str] = []
    depth = 0
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        elif parts:
            parts[-1] += letter
        else:
            parts.append(letter)
    if depth:
        raise SpecError(f"the parentheses in the spec {text!r} do not match")
    return parts


def _pair(part: str, text: str) -> tuple[str, str]:
    key, equals, value = (piece.strip() for piece in part.partition("="))
    if not equals or not key or not value:
        raise SpecError(f"{part!r} in the spec {text!r} is not key=value")
    if value.startswith("(") and value.endswith(")"):
        value = value[1:-1].strip()
    return key, value


def _value_text(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"({text})" if not text or any(letter in text for letter in ",=:(") else text


def _spec_from_file(path: Path, given: dict[str, object]) -> Spec:
    """Return the spec in a file, with the parameters that were given after its name."""
    content = read_json(path, "agent file")
    if isinstance(content, dict) and "name" not in content:
        for reader in _READERS:
            found = reader(path, content, given)
            if found is not None:
                return found
    if not isinstance(content, dict) or not isinstance(content.get("name"), str):
        raise SpecError(f"the agent file {str(path)!r} has no 'name'")
    values = content.get("parameters", {})
    if not isinstance(values, dict):
        raise SpecError(f"'parameters' in the agent file {str(path)!r} is not an object")
    if _WRITTEN not in content:
        for key in content:
            if key not in _KEYS:
                raise UnknownNameError.of(f"key in the agent file {str(path)!r}", key, _KEYS)
    if names_program(json.dumps(content)):
        raise SpecError(
            f"the agent file {str(path)!r} names a program, which it may not do; name it in the spec itself"
        )
    return Spec(content["name"], {**values, **given})
