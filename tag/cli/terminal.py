"""A terminal in which people are asked, line by line; also over ssh, and where input comes from a file."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Final, Protocol

import click

try:
    import readline
except ImportError:  # not on every system; then lines are typed without completion
    _COMPLETES = False
else:
    _COMPLETES = True

#: Lines are no wider, however wide the terminal is: far ends of longer ones are hard to find.
_WIDEST: Final = 100
#: Erases the screen and all that has scrolled off it.
_ERASE: Final = "\x1b[2J\x1b[3J\x1b[H"


class Console(Protocol):
    """Something that shows lines to people and reads theirs."""

    @property
    def columns(self) -> int:
        """The width of a line."""

    def say(self, text: str = "", *, is_heading: bool = False) -> None:
        """Show lines."""

    def ask(self, prompt: str, words: Sequence[str]) -> str:
        """Read a line, which may begin with one of the words.

        Raises:
            EOFError: there will be no more lines.
            KeyboardInterrupt: the person wants to stop.
        """

    def wait(self, text: str) -> None:
        """Show a note that the next line replaces."""

    def hide(self) -> None:
        """Remove from sight what was shown."""


class Terminal:
    """Standard input and output."""

    def __init__(self) -> None:
        """Make ready for keys and for bytes of any kind."""
        self._is_screen = sys.stdin.isatty() and sys.stdout.isatty()
        self._words: list[str] = []
        self._waiting = 0
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if _COMPLETES and self._is_screen:
            readline.set_auto_history(False)  # another person at this terminal must not see what was typed
            readline.set_completer(self._completion)
            readline.set_completer_delims("")
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    @property
    def columns(self) -> int:
        """The width of a line."""
        return max(min(shutil.get_terminal_size().columns, _WIDEST), 20)

    def say(self, text: str = "", *, is_heading: bool = False) -> None:
        """Show lines, broken where they are too wide."""
        self.wait("")
        for line in text.split("\n"):
            for part in _broken(line, self.columns):
                click.echo(click.style(part, bold=True) if is_heading else part)

    def ask(self, prompt: str, words: Sequence[str]) -> str:
        """Read a line.

        Raises:
            EOFError: there will be no more lines.
            KeyboardInterrupt: the person wants to stop.
        """
        self.wait("")
        self._words = list(words)
        try:
            line = input(prompt)
        except OSError as error:  # the terminal is gone
            raise EOFError from error
        except (EOFError, KeyboardInterrupt):
            with suppress(OSError):
                click.echo()
            raise
        if not self._is_screen:
            click.echo(line)  # so that the output of a script reads like a screen
        return line

    def wait(self, text: str) -> None:
        """Show a note that the next line replaces; nothing where no screen is."""
        if self._is_screen and (text or self._waiting):
            click.echo(f"\r{' ' * self._waiting}\r{text}", nl=False)
            self._waiting = len(text)

    def hide(self) -> None:
        """Erase the screen."""
        if self._is_screen:
            click.echo(_ERASE, nl=False)

    def _completion(self, begun: str, number: int) -> str | None:
        """Return the word of this number among those that begin like this, for readline."""
        found = beginning(begun, self._words)
        return found[number] if number < len(found) else None


def beginning(begun: str, words: Iterable[str]) -> list[str]:
    """Return the words that begin so; capitals make no difference.

    >>> beginning("pl", ["play 1", "Play 2", "pass"])
    ['play 1', 'Play 2']
    """
    return [word for word in words if word.casefold().startswith(begun.casefold())]


def _broken(line: str, columns: int) -> list[str]:
    if len(line) <= columns:
        return [line]
    return textwrap.wrap(
        line, columns, subsequent_indent="    ", replace_whitespace=False, break_on_hyphens=False, tabsize=4
    )


def in_columns(cells: Sequence[str], columns: int) -> list[str]:
    """Return rows of cells, as many beside one another as the width allows, in order from left to right.

    >>> in_columns(["0 pass", "1 bet", "2 fold"], 20)
    ['  0 pass   1 bet', '  2 fold']
    """
    width = max((len(cell) for cell in cells), default=0)
    across = max((columns + 1) // (width + 3), 1)
    rows = [cells[begin : begin + across] for begin in range(0, len(cells), across)]
    return ["  " + "   ".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
