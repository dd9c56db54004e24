"""Options: declared once, as fields of a dataclass, for command lines, TOML files, Python and the documentation.

    @dataclass(frozen=True, kw_only=True)
    class Settings:
        blocks: int = option(10, "Chance seeds, each played in every seating.", "How much is played", example="50")

From such a field follow ``--blocks``, the key ``blocks`` of a TOML file, and a row of the page on options.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final

_KEY: Final = "option"


@dataclass(frozen=True)
class Option:
    """Metadata of an option beyond its name, type and default.

    Attributes:
        help: its effect, in a sentence.
        heading: the section of ``--help`` that lists it.
        example: a value as in a TOML file.
        flag: its name on a command line, if different: ``--agent`` for ``agents``.
        metavar: the placeholder for its value in ``--help``.
        choices: the values that it can have, if they are few.
    """

    help: str
    heading: str
    example: str = ""
    flag: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()


def option(
    default: Any,
    help: str,  # noqa: A002  the word that click has for it
    heading: str,
    *,
    example: str = "",
    flag: str = "",
    metavar: str = "",
    choices: tuple[str, ...] = (),
) -> Any:
    """Return a field of a dataclass that is an option; for the arguments see `Option`."""
    return field(default=default, metadata={_KEY: Option(help, heading, example, flag, metavar, choices)})


def options_in(cls: type[Any]) -> Iterator[tuple[Field[Any], Option]]:
    """Yield the fields of a dataclass that are options, in the order of their declaration."""
    for one in fields(cls):
        if _KEY in one.metadata:
            yield one, one.metadata[_KEY]
