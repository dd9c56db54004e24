"""Search entries: values of ``--search`` and ``search = […]``, as names with their values.

horizon,population_size,crossover             these parameters, in their whole ranges
horizon=2..12,selection=rank,tournament       in narrower ones
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from tag.engine.parameters import Choice, Dimension, Flag, SpecOf
from tag.errors import ParameterError, TagError, UnknownNameError, nearest

Entries = dict[str, list[str]]


def read_entries(search: Iterable[str], known: Mapping[str, Dimension], groups: Sequence[str], of: str) -> Entries:
    """Return the values given for each name, none for its whole range.

    Commas separate names as well as values: a text without ``=`` that is not a name is another value of the name before. So
    is one that is a name, too, if the parameter before has such a choice.

    Args:
        search: entries, some of them joined by commas.
        known: the parameters by name.
        groups: names of more than one parameter.
        of: the owner of these parameters, for messages.

    Raises:
        TagError: a name is unknown, given twice, or followed by no values after ``=``.
    """
    found: Entries = {}
    for text in search:
        last = ""
        for part in split(text):
            name, values = _pair(part)
            is_name = name in known or name in groups
            if (
                values is None
                and (not is_name or isinstance(known.get(last), Choice))
                and _is_value(name, found.get(last), known, last)
            ):
                found[last].append(name)
                continue
            if not is_name:
                raise _unknown(name, known, groups, of, last if found.get(last) else "")
            if name in found:
                raise ParameterError(f"{name} is searched twice; say it once")
            if values == "":
                raise ParameterError(f"{name}= names no values; {_right(known.get(name))}")
            found[name] = [] if values is None else [values]
            last = name
    return found


def split(text: str) -> list[str]:
    """Split at the commas that are not inside parentheses.

    >>> split("heuristic=game,(score_win:bonus=5,x=1), k")
    ['heuristic=game', '(score_win:bonus=5,x=1)', 'k']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _pair(part: str) -> tuple[str, str | None]:
    if part.startswith("("):
        return part, None
    name, equals, values = part.partition("=")
    return name.strip(), values.strip() if equals else None


def _is_value(text: str, before: list[str] | None, known: Mapping[str, Dimension], name: str) -> bool:
    """Say whether ``text`` is another value of a parameter that has values before it."""
    if not before or name not in known or ".." in before[0]:
        return False
    if isinstance(known[name], SpecOf):
        return True
    try:
        known[name].read(text)
    except ParameterError:
        return _is_number(text)  # a number out of range is no name
    return True


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _unknown(name: str, known: Mapping[str, Dimension], groups: Sequence[str], of: str, last: str) -> TagError:
    """Return the error for a text that is neither a name nor a value of the parameter before."""
    if not name:
        return ParameterError("a name is missing between two commas of what is to be searched")
    names = {*known, *groups}
    inner = sorted(one for one in names if one.rpartition(".")[2] == name)
    if inner and not get_close_matches(name, names, n=1, cutoff=0.8):
        return UnknownNameError(f"no parameter of {of} named {name!r}; did you mean {inner[0]!r}?")
    before = known.get(last)
    if isinstance(before, Choice | Flag):
        options = before.range_text().split(" | ")
        return UnknownNameError(f"no parameter or value of {last} named {name!r}{nearest(name, [*names, *options])}")
    return UnknownNameError.of(f"parameter of {of}", name, names)


def _right(dimension: Dimension | None) -> str:
    return f"its range is {dimension.range_text()}" if dimension is not None else "it has none"
