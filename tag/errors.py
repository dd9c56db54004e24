"""Exceptions that TAG raises on purpose.

    TagError
    ├── UnknownNameError        a game, agent, heuristic, parameter … that does not exist
    ├── ParameterError          a parameter value that is not allowed
    ├── SpecError               a spec that cannot be read
    ├── UserCodeError           a user's own file that cannot be imported
    ├── DataError               a data file (JSON, TOML, ledger) that cannot be used
    ├── TrustError              code or a program that a file names and the user has not typed
    ├── PlayersError            too few or too many players or agents
    ├── ContractError           a game or agent that breaks the engine's contract
    ├── VoidGameError           a game that the fault policy declared void
    ├── InstallationError       packages of the same names that get in each other's way
    └── ClusterError            workers that do not start or do not survive

The message is one sentence, lower case and without a full stop: the offending value, the rule it broke, then the nearest
right value. The command line prints it unchanged and exits with code 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from signal import getsignal, valid_signals
from traceback import walk_tb
from typing import Final

#: The longest foreign text that a message quotes, in characters.
_LONGEST: Final = 300
_TERMINAL_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)", re.DOTALL)


class TagError(Exception):
    """The root of the hierarchy; catch it to handle any user's mistake.

    Examples:
        >>> from tag import make_game
        >>> try:
        ...     make_game("chess")
        ... except TagError as error:
        ...     print(error)
        no game named 'chess'; did you mean 'hearts'?
    """


class UnknownNameError(TagError):
    """A name that is in no registry."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """Name the offending ``name`` and the nearest of the ``known`` ones."""
        return cls(f"no {kind} named {name!r}{nearest(name, known)}")


class ParameterError(TagError):
    """A parameter value outside of its declared range, or of the wrong type.

    Examples:
        >>> from tag import make_agent
        >>> try:
        ...     make_agent("mcts:k=-1")
        ... except ParameterError as error:
        ...     print(error)
        mcts: k cannot be -1.0; the range is 0.001..100, the nearest value 0.001
    """


class SpecError(TagError):
    """A spec (``name:key=value,key=value``) that cannot be read."""


class UserCodeError(TagError):
    """A user's own file that does not import or does not hold the named class."""


class DataError(TagError):
    """A data file (JSON, TOML, ledger) that cannot be used."""


class TrustError(TagError):
    """Code or a program that would run because a file names it, although the user did not type it."""


class PlayersError(TagError):
    """A number of players or agents that the game cannot seat."""


class ContractError(TagError):
    """A game or an agent that breaks the engine's contract."""


class VoidGameError(TagError):
    """A game that ends without a result, by the fault policy."""


class InstallationError(TagError):
    """An installation in which packages of another distribution stand in the place of ours."""


class ClusterError(TagError):
    """A cluster that cannot be reached, or workers that do not start or do not survive their games."""


def one_line(text: str, longest: int = _LONGEST) -> str:
    r"""Return ``text`` on one line, without control characters and terminal sequences, shortened to ``longest`` characters.

    Agents and users' files can put anything into an exception, and messages go to terminals, ledgers and reports.

    Examples:
        >>> one_line("first\n\x1b[31msecond")
        'first second'
    """
    some = _TERMINAL_SEQUENCE.sub(" ", text[: 10 * longest])
    line = " ".join("".join([letter if letter.isprintable() else " " for letter in some]).split())
    is_cut = len(line) > longest or len(text) > 10 * longest
    return f"{line[: longest - 1]}…" if is_cut else line


def printable(text: str) -> str:
    r"""Return ``text`` with all characters escaped that could act on a terminal, hide text, or not be encoded.

    These are control characters, line ends, marks of direction, and lone surrogates. Labels and specs that files hold are
    read through this function (`tag.engine.text_files.printable_values`), so no output need escape them again.

    Examples:
        >>> print(printable("mcts\x1b[2J\u202e\ud800"))
        mcts\x1b[2J\u202e\ud800
    """
    if text.isprintable():
        return text
    return "".join([letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text])


def sentence_of(error: BaseException) -> str:
    """Return ``ValueError: its message`` as `one_line`; of some exceptions even the message fails."""
    name = type(error).__name__
    try:
        text = str(error)
    except (Exception, SystemExit, GeneratorExit):  # noqa: BLE001  a user's own class may do anything
        text = "its text cannot be made"
    return one_line(f"{name}: {text}" if text else name)


def is_of_signal(error: BaseException) -> bool:
    """Say whether a signal's handler raised ``error``, whatever code the signal interrupted.

    A handler that ends the process raises `SystemExit` in the middle of other code, which must not be blamed for it.
    """
    handlers = [getsignal(number) for number in valid_signals()]
    codes = [getattr(_function_of(handler), "__code__", None) for handler in handlers]
    return any(frame.f_code in codes for frame, _line in walk_tb(error.__traceback__))


def _function_of(handler: object) -> object:
    """Return the function within methods and partial functions."""
    while inner := getattr(handler, "__func__", None) or getattr(handler, "func", None):
        handler = inner
    return handler


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` or, with nothing near, the list of known names.

    Examples:
        >>> nearest("mtcs", ["mcts", "random"])
        "; did you mean 'mcts'?"
        >>> nearest("chess", ["mcts", "random"])
        '; there are: mcts, random'
    """
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(names)}" if names else ""
