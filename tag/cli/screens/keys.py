"""Keys of a terminal, and a screen that follows them."""

from __future__ import annotations

import os
import re
import shutil
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, Protocol

import click

#: Text sent by keys without a character, by its command here.
_SEQUENCES: Final = {
    "\x1b[C": "next",
    "\x1bOC": "next",
    "\x1b[D": "back",
    "\x1bOD": "back",
    "\x1b[H": "first",
    "\x1bOH": "first",
    "\x1b[1~": "first",
    "\x1b[F": "last",
    "\x1bOF": "last",
    "\x1b[4~": "last",
}
_CHARACTERS: Final = {
    "\r": "enter",
    "\n": "enter",
    " ": "next",
    "\x7f": "rub out",
    "\b": "rub out",
    "n": "next turn",
    "p": "previous turn",
    "u": "back",
    "v": "view",
    "?": "help",
    "q": "quit",
    "\x03": "quit",
    "\x04": "quit",
}
#: One key: a character, or a complete escape sequence.
_KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[^\x1b]|\x1b(?=[^\[O])", re.DOTALL)
#: So many bytes are read from the terminal at once.
_MOST_BYTES: Final = 1024


class Screen(Protocol):
    """Something to step through in a terminal."""

    def press(self, key: str) -> bool:
        """Run the command of a key of `keys_in`, and return whether to go on."""

    def screen(self, columns: int, lines: int) -> str:
        """Return the text of a screen of so many columns and lines."""


def keys_in(text: str) -> tuple[list[str], str]:
    r"""Return the commands of the keys that a terminal has sent, and the rest of an unfinished key.

    >>> keys_in("n12\r\x1b[D\x1b[")
    (['next turn', '1', '2', 'enter', 'back'], '\x1b[')
    """
    keys: list[str] = []
    rest = text
    while match := _KEY.match(rest):
        key = match.group()
        keys.append(_SEQUENCES.get(key) or _CHARACTERS.get(key, key if key in "0123456789" else "unknown"))
        rest = rest[match.end() :]
    return keys, rest


def step_through(stepper: Screen) -> None:
    """Show a game in the terminal and follow the keys until the user quits."""
    unfinished = ""
    with _keys_at_once() as terminal, suppress(KeyboardInterrupt):
        while True:
            size = shutil.get_terminal_size()
            click.clear()
            click.echo(stepper.screen(size.columns, size.lines))
            sent = os.read(terminal, _MOST_BYTES)
            keys, unfinished = keys_in(unfinished + sent.decode(errors="replace"))
            if not sent or not all(stepper.press(key) for key in keys):
                return


@contextmanager
def _keys_at_once() -> Iterator[int]:
    """Have the terminal hand over each key when it is pressed, unseen; yield where to read them.

    Raw mode lasts to the end, not key by key as in `click.getchar`: keys typed in between would be lost.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield terminal
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
