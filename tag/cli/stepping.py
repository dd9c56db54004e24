"""Stepping through a game in a terminal: forwards and backwards, action by action, with the available actions."""

from __future__ import annotations

import os
import re
import shutil
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Protocol

import click

from tag.engine.results import result_name
from tag.engine.state import AnyAction, GameState
from tag.errors import ParameterError
from tag.playing.agent import Agent
from tag.playing.listener import Listener

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

_HINT: Final = "Enter next   ← back   n p turns   number Enter go there   v view   ? help   q quit"
_HELP: Final = """\
Enter, →, space   the next action
←                 back by one action
n, p              the next turn, the previous turn
12 Enter          the position after 12 actions
Home, End         the start, the end
v                 change the view: everything, or what one player sees
?                 this help
q                 quit"""
#: So many of the available actions are always shown.
_FEWEST_LINES: Final = 5
#: So many bytes are read from the terminal at once.
_MOST_BYTES: Final = 1024


class Screen(Protocol):
    """Something to step through in a terminal."""

    def press(self, key: str) -> bool:
        """Run the command of a key of `keys_in`, and return whether to go on."""

    def screen(self, columns: int, lines: int) -> str:
        """Return the text of a screen of so many columns and lines."""


@dataclass(frozen=True)
class Move:
    """The action taken in a position.

    Attributes:
        player: who took it.
        action: the action.
        actions: the available actions.
    """

    player: int
    action: AnyAction
    actions: Sequence[AnyAction]


class StateFrames(Listener):
    """Records a game: all positions, and the action in each.

    Attributes:
        positions: copies, from the set-up to the end.
        moves: the move in each position, none in the last.
    """

    def __init__(self) -> None:
        """Start with an empty record."""
        self.positions: list[GameState] = []
        self.moves: list[Move] = []

    def on_start(self, state: GameState) -> None:
        """Record the set-up."""
        self.positions.append(state.copy())

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Record the action."""
        self.moves.append(Move(int(player), action, tuple(actions)))

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        """Record the position."""
        self.positions.append(state.copy())

    def on_end(self, state: GameState) -> None:
        """Record the end; if a fault ended the game, there is no action."""
        self.positions[-1] = state.copy()


class Stepper:
    """The position in a game and on the screen.

    Attributes:
        tick: the number of actions that have been taken.
        viewer: the player who looks, or -1 for one who may see everything.
    """

    def __init__(self, title: str, names: Sequence[str], frames: StateFrames, viewer: int = -1) -> None:
        """Start before the first action.

        Args:
            title: names the game.
            names: the agents, by seat.
            frames: the game.
            viewer: the player who looks, or -1 for one who may see everything.
        """
        self.tick = 0
        self.viewer = viewer
        self._title = title
        self._names = names
        self._positions = frames.positions
        self._moves = frames.moves[: len(frames.positions) - 1]
        self._digits = ""
        self._helps = False

    # --- keys -------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Run the command of a key of `keys_in`, and return whether to go on."""
        self._helps = key == "help"
        digits, self._digits = self._digits, ""
        if key.isdigit():
            self._digits = digits + key
        elif key == "rub out":
            self._digits = digits[:-1]
        elif key == "enter" and digits:
            self._go(int(digits))
        elif key == "view":
            self.viewer = self.viewer + 1 if self.viewer + 1 < len(self._names) else -1
        else:
            self._go(self._target(key))
        return key != "quit"

    def _target(self, key: str) -> int:
        """Return the tick that a key leads to."""
        if key in ("enter", "next"):
            return self.tick + 1
        if key == "next turn":
            return next((tick for tick in self._turns() if tick > self.tick), len(self._positions))
        if key == "previous turn":
            return max((tick for tick in self._turns() if tick < self.tick), default=0)
        return {"back": self.tick - 1, "first": 0, "last": len(self._positions)}.get(key, self.tick)

    def _turns(self) -> Iterator[int]:
        """Yield the ticks at which turns begin."""
        turn = -1
        for tick, position in enumerate(self._positions):
            if position.turn != turn:
                turn = int(position.turn)
                yield tick

    def _go(self, tick: int) -> None:
        self.tick = min(max(tick, 0), len(self._positions) - 1)

    # --- the screen -------------------------------------------------------------------------------------------------

    def screen(self, columns: int, lines: int) -> str:
        """Return the text of a screen of so many columns and lines."""
        state = self._positions[self.tick]
        top = [self._headline(state), *self._players(state), "", state.text(self.viewer), ""]
        bottom = ["", *(_HELP.splitlines() if self._helps else []), self._prompt()]
        left = lines_left(lines, columns, [*top, *bottom])
        middle = self._end(state) if self.tick == len(self._moves) else self._choice(state, left)
        return "\n".join([*top, *(cut(line, columns) for line in middle), *bottom])

    def _headline(self, state: GameState) -> str:
        where = f"{self.tick} of {len(self._moves)} actions, turn {state.turn + 1}, round {state.round + 1}"
        return click.style(f"{self._title}   {where}", bold=True)

    def _players(self, state: GameState) -> list[str]:
        lines = []
        for player, name in enumerate(self._names):
            mark = "→" if player == state.current_player and not state.is_terminal else " "
            score = f"   score {state.score(player):g}" if self.viewer in (-1, player) else ""
            view = "   (your view)" if player == self.viewer else ""
            lines.append(f"{mark} player {player}: {name}{score}{view}")
        return lines

    def _choice(self, state: GameState, lines: int) -> list[str]:
        """Return the available actions and the chosen one; of others, a player sees only the chosen one."""
        move = self._moves[self.tick]
        taken = move.action.text(state, self.viewer)
        if self.viewer not in (-1, move.player):
            return [f"player {move.player} chooses:", click.style(f"  ► {taken}", bold=True)]
        if len(move.actions) == 1:
            return [f"player {move.player} can do one thing only:", click.style(f"  ► {taken}", bold=True)]
        number = move.actions.index(move.action)
        rows = [
            click.style(f"  ► {taken}", bold=True)
            if action is move.action
            else f"    {action.text(state, self.viewer)}"
            for action in move.actions
        ]
        return [f"player {move.player} chooses 1 of {len(move.actions)}:", *rows_around(number, rows, lines - 1)]

    def _end(self, state: GameState) -> list[str]:
        if not state.is_terminal:
            return ["the game stops here"]
        return result_lines(state, [f"player {player} ({name})" for player, name in enumerate(self._names)])

    def _prompt(self) -> str:
        return f"go to action {self._digits}" if self._digits else _HINT


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


def check_viewer(viewer: int, n_players: int) -> None:
    """Raise `ParameterError` where no player has that number, and it is not -1."""
    if not -1 <= viewer < n_players:
        raise ParameterError(f"--view cannot be {viewer}; the players are 0 to {n_players - 1}, and -1 sees everything")


def result_lines(state: GameState, names: Sequence[str]) -> list[str]:
    """Return the result of each player, who is called so in ``names``, in a final position."""
    return [
        f"{name}: {result_name(state.result(player))}, place {state.ordinal(player)}, score {state.score(player):g}"
        for player, name in enumerate(names)
    ]


def rows_around(number: int, rows: Sequence[str], lines: int) -> list[str]:
    """Return the rows around the one of this number, in so many lines, with notes on those left out above and below."""
    shown = lines - 2
    begin = min(max(number - shown // 2, 0), max(len(rows) - shown, 0))
    end = begin + shown
    above = [f"    … {begin} more"] if begin else []
    below = [f"    … {len(rows) - end} more"] if end < len(rows) else []
    return [*above, *rows[begin:end], *below]


def lines_left(lines: int, columns: int, text: Sequence[str]) -> int:
    """Return how many lines of a screen are left beside ``text``; some always are."""
    rows = [click.unstyle(row) for line in text for row in line.split("\n")]
    return max(lines - sum(max(1, -(-len(row) // columns)) for row in rows) - 1, _FEWEST_LINES)


def cut(line: str, columns: int) -> str:
    """Return a line that fits; none that is cut is bold."""
    plain = click.unstyle(line)
    return line if len(plain) <= columns else plain[: columns - 1] + "…"
