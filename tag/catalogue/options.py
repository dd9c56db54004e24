"""Options: declared once, as fields of a dataclass, for command lines, TOML files, Python and the documentation.

    @dataclass(frozen=True, kw_only=True)
    class Settings:
        blocks: int = option(10, "Chance seeds, each played in every seating.", "How much is played", least=1)

From such a field follow ``--blocks``, the key ``blocks`` of a TOML file, and a row of the page on options. Every number
has a range.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final

from tag.errors import ParameterError

_KEY: Final = "option"
#: The largest number of an option: ledgers have 64 bits for one.
LARGEST: Final = (1 << 63) - 1


@dataclass(frozen=True)
class Range:
    """The numbers that an option can be, all of them finite.

    Attributes:
        least: the least.
        most: the greatest.
        zero: the meaning of 0, such as ``for none``, where 0 is below the least and possible; else empty.
    """

    least: float
    most: float = LARGEST
    zero: str = ""

    def refusal(self, number: float) -> str:
        """Return why ``number`` is none of these, with the nearest that is; empty where it is one.

        Examples:
            >>> Range(64, zero="for none").refusal(10)
            'the least is 64, or 0 for none'
        """
        if self.least <= number <= self.most or (number == 0 and self.zero):
            return ""
        if number < self.least and number >= -LARGEST:
            return f"the least is {_text(self.least)}" + (f", or 0 {self.zero}" if self.zero else "")
        if self.most < LARGEST and number > self.most:
            return f"the most is {_text(self.most)}"
        return "it is a finite number of at most 64 bits"

    def check(self, name: str, number: float) -> None:
        """Raise `ParameterError`, with the option's ``name``, where ``number`` is out of the range."""
        refusal = self.refusal(number)
        if refusal:
            raise ParameterError(f"{name} cannot be {_text(number)}; {refusal}")


def _text(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:g}"


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
        range: the numbers that it can be; None where it is no number.
    """

    help: str
    heading: str
    example: str = ""
    flag: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    range: Range | None = None


def option(
    default: Any,
    help: str,  # noqa: A002  the word that click has for it
    heading: str,
    *,
    example: str = "",
    flag: str = "",
    metavar: str = "",
    choices: tuple[str, ...] = (),
    least: float | None = None,
    most: float = LARGEST,
    zero: str = "",
) -> Any:
    """Return a field of a dataclass that is an option; for the arguments see `Option`, and `Range` for the last three.

    A number needs the ``least`` that it can be.
    """
    numbers = None if least is None else Range(least, most, zero)
    return field(default=default, metadata={_KEY: Option(help, heading, example, flag, metavar, choices, numbers)})


def options_in(cls: type[Any]) -> Iterator[tuple[Field[Any], Option]]:
    """Yield the fields of a dataclass that are options, in the order of their declaration."""
    for one in fields(cls):
        if _KEY in one.metadata:
            yield one, one.metadata[_KEY]


def check_ranges(options: Any) -> None:
    """Raise `ParameterError` for the first number of a dataclass of options that is out of its range.

    Defaults are not checked: some stand for "not said", as 0 games do.
    """
    for one, about in options_in(type(options)):
        value = getattr(options, one.name)
        if about.range is not None and value is not None and value != one.default:
            about.range.check(name_of(one.name, about), value)


def name_of(name: str, about: Option) -> str:
    """Return the name of a field's option for people: ``games`` for ``n_games``, whose flag is ``--games``.

    Examples:
        >>> name_of("blocks", Option("Chance seeds.", "Amount"))
        'blocks'
        >>> name_of("n_games", Option("Games.", "Amount", flag="--games"))
        'games'
    """
    return about.flag.removeprefix("--").replace("-", "_") or name
