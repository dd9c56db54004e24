"""The screen of an inspection, which goes on at a key."""

from __future__ import annotations

from typing import Final

import click

from tag.cli.inspection.inspection import Inspection
from tag.cli.inspection.text import agent_lines, end_lines, headline, hidden_line, position_lines, table_lines
from tag.cli.screens.layout import cut, lines_left, rows_around
from tag.errors import ContractError
from tag.table.game import EVERYTHING

_HINT: Final = "Enter agent's choice   number Enter play it   ← back   v view   ? help   q quit"
_HELP: Final = """\
Enter, →, space   play the choice of the first agent
12 Enter          play action 12
←, u, Backspace   take the last action back
Home              take all actions back
v                 change the view: of the player to move, everything, or of one player
?                 this help
q                 quit"""


class InspectionScreen:
    """An inspection in a terminal, where keys play actions and take them back."""

    def __init__(self, title: str, inspection: Inspection) -> None:
        """Start in the present position of ``inspection``; the title names the game."""
        self._title = title
        self._inspection = inspection
        self._digits = ""
        self._note = ""
        self._helps = False

    def press(self, key: str) -> bool:
        """Run the command of a key of `tag.cli.screens.keys.keys_in`, and return whether to go on."""
        inspection = self._inspection
        self._helps = key == "help"
        self._note = ""
        digits, self._digits = self._digits, ""
        if key.isdigit():
            self._digits = (digits + key)[:9]
        elif key == "rub out" and digits:
            self._digits = digits[:-1]
        elif key in ("back", "rub out"):
            inspection.undo()
        elif key == "first":
            inspection.undo(len(inspection.line))
        elif key == "view":
            inspection.viewer = self._next_view()
        elif key in ("enter", "next"):
            self._note = self._play(digits)
        return key != "quit"

    def _next_view(self) -> int | None:
        viewer = self._inspection.viewer
        if viewer is None:
            return EVERYTHING
        return viewer + 1 if viewer + 1 < self._inspection.state.n_players else None

    def _play(self, digits: str) -> str:
        """Play an action by its number, or the first agent's choice; return what prevents that."""
        inspection = self._inspection
        n = len(inspection.actions)
        if n == 0:
            return "the game is over"
        if digits and not inspection.shows_actions:
            return hidden_line(inspection)
        if digits and int(digits) >= n:
            return f"there is no action {digits}; they are 0 to {n - 1}"
        try:
            if digits:
                inspection.play(int(digits))
            else:
                inspection.play(inspection.agents[0].choice(inspection.line))
        except ContractError as error:
            return str(error)
        return ""

    def screen(self, columns: int, lines: int) -> str:
        """Return the text of a screen of so many columns and lines."""
        inspection = self._inspection
        if inspection.shows_actions and inspection.is_undecided():
            click.echo("… the agents decide\r", nl=False)  # the first line of the screen overwrites it
        view = {None: "of the player to move", EVERYTHING: "of everything"}.get(
            inspection.viewer, f"of player {inspection.viewer}"
        )
        head = click.style(f"{self._title}   {headline(inspection)}   (view {view})", bold=True)
        top = [head, *position_lines(inspection)]
        bottom = ["", *(_HELP.splitlines() if self._helps else []), self._prompt()]
        if inspection.state.is_terminal:
            return "\n".join([*top, *end_lines(inspection), *bottom])
        if not inspection.shows_actions:
            return "\n".join([*top, hidden_line(inspection), *bottom])
        heading, *rows = table_lines(inspection)
        bottom = ["", *agent_lines(inspection), *bottom]
        choice = inspection.decisions()[0][1].choice
        rows = [click.style(row, bold=True) if number == choice else row for number, row in enumerate(rows)]
        left = lines_left(lines, columns, [*top, heading, *bottom])
        shown = rows_around(choice or 0, rows, left)
        return "\n".join([*top, *(cut(row, columns) for row in (heading, *shown)), *bottom])

    def _prompt(self) -> str:
        return f"play action {self._digits}" if self._digits else self._note or _HINT
