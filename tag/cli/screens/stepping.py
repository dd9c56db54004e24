"""Stepping through a game in a terminal: forwards and backwards, action by action, with the available actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import click

from tag.cli.screens.layout import cut, lines_left, result_lines, rows_around
from tag.engine.state import AnyAction, Event, GameState
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.table.events import event_texts

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
        events: what followed from the set-up or the action that led to each position.
    """

    def __init__(self) -> None:
        """Start with an empty record."""
        self.positions: list[GameState] = []
        self.moves: list[Move] = []
        self.events: list[list[Event]] = []

    def on_start(self, state: GameState) -> None:
        """Record the set-up."""
        self.positions.append(state.copy())
        self.events.append([])

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Record the action."""
        self.moves.append(Move(int(player), action, tuple(actions)))

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        """Record the position."""
        self.positions.append(state.copy())
        self.events.append([])

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Record the event."""
        self.events[-1].append(event)

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
        self._events = frames.events
        self._digits = ""
        self._helps = False

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

    def screen(self, columns: int, lines: int) -> str:
        """Return the text of a screen of so many columns and lines."""
        state = self._positions[self.tick]
        told = event_texts(self._events[self.tick], self.viewer)
        told += [""] if told else []
        top = [self._headline(state), *self._players(state), "", *told, state.text(self.viewer), ""]
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
