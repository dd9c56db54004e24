"""``tag inspect``: a position, what agents think of each action there, and steps from it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from numbers import Real
from typing import Any, Final

import click

from tag.catalogue.registry import check_game, game_class
from tag.cli.numbers import PLAYERS, SEED, VIEWER, Number
from tag.cli.process import print_json
from tag.cli.stepping import check_viewer, cut, lines_left, result_lines, rows_around, step_through
from tag.cli.trees import line_of_play, tree_lines
from tag.engine.parameters import parse_spec
from tag.engine.results import result_name
from tag.engine.state import AnyAction
from tag.errors import ContractError, ParameterError, nearest, one_line
from tag.playing.inspection import InspectedDecision
from tag.playing.search_tree import plain_line, plain_tree
from tag.table.game import EVERYTHING, Adviser, Start, TableGame, cells_of
from tag.table.view import plain_figures

_DEEPEST: Final = 100

#: An action by its number, and the next comma or the end.
_NUMBER: Final = re.compile(r"\s*(\d{1,9})\s*(?:,|$)")

_HINT: Final = "Enter agent's choice   number Enter play it   ← back   v view   ? help   q quit"
_HELP: Final = """\
Enter, →, space   play the choice of the first agent
12 Enter          play action 12
←, u, Backspace   take the last action back
Home              take all actions back
v                 change the view: of the player to move, everything, or of one player
?                 this help
q                 quit"""


# --- the game and its agents ----------------------------------------------------------------------------------------------


class Inspection(TableGame):
    """A game in which any action can be played and taken back, with the decisions of agents in each position.

    Attributes:
        viewer: the player whose view is shown, -1 for everything, None for that of the player to move.
        tree_depth: how deep search trees are shown; 0 for none.
        agents: the agents that decide; the first is the one that plays.
    """

    def __init__(self, start: Start, viewer: int | None = None, tree_depth: int = 0) -> None:
        """Start at the set-up of the game, without agents."""
        super().__init__(start)
        self.viewer = viewer
        self.tree_depth = tree_depth
        self.agents: Sequence[Adviser] = ()

    @property
    def looks_from(self) -> int:
        """The player whose view is shown, -1 for everything."""
        return int(self.state.current_player) if self.viewer is None else self.viewer

    @property
    def shows_actions(self) -> bool:
        """True if the viewer may know the actions of the player to move."""
        return self.looks_from in (EVERYTHING, self.state.current_player)

    def undo(self, count: int = 1) -> None:
        """Take so many actions back, or all: the game is played again up to there."""
        self.go(self.line[: max(len(self.line) - count, 0)])

    def is_undecided(self) -> bool:
        """Say whether an agent has to decide before this position can be shown."""
        return bool(self.actions) and not all(agent.has_decided(self.line) for agent in self.agents)

    def decisions(self) -> list[tuple[str, InspectedDecision]]:
        """Return each agent's spec and decision; none at the end, or where the viewer may not know them."""
        if not self.actions or not self.shows_actions:
            return []
        return [(agent.spec, agent.decision(self.line)) for agent in self.agents]

    def texts(self) -> list[str]:
        """Return the available actions in words; none where the viewer may not know them."""
        return [action.text(self.state, self.looks_from) for action in self.actions] if self.shows_actions else []

    def action_texts(self) -> dict[AnyAction, str]:
        """Return the available actions, each with its words."""
        return dict(zip(self.actions, self.texts(), strict=False))

    def played(self) -> list[tuple[int, str]]:
        """Return the actions that have been played: the player of each, and the words for the viewer."""
        return [(action.player, action.texts[self.looks_from]) for action in self.taken]

    def _cells(self) -> list[int]:
        """Return the values of the cells as ``--position`` takes them; none where the game declares no cells."""
        return [] if self.model.cells(self.start.players) is None else list(self.state.cell_values())

    def to_json(self) -> dict[str, Any]:
        """Return all that is shown as plain values."""
        state, viewer = self.state, self.looks_from
        seats = range(self.start.players)
        return {
            "players": self.start.players,
            "seed": self.start.seed,
            "played": [text for _player, text in self.played()],
            "view": viewer,
            "player": None if state.is_terminal else int(state.current_player),
            "position": state.text(viewer),
            "cells": self._cells(),
            "actions": self.texts(),
            "agents": [
                {**_decision_json(spec, decision), **self._tree_json(decision)} for spec, decision in self.decisions()
            ],
            "results": [result_name(state.result(seat)) for seat in seats] if state.is_terminal else [],
        }

    def _tree_json(self, decision: InspectedDecision) -> dict[str, Any]:
        """Return the expected line of play and the search tree, if they are shown and there is one."""
        if decision.tree is None:
            return {}
        texts = self.action_texts()
        return {
            "line": plain_figures(plain_line(decision.tree, texts)),
            "tree": plain_figures(plain_tree(decision.tree, texts, self.tree_depth)),
        }


def _decision_json(spec: str, decision: InspectedDecision) -> dict[str, Any]:
    return {
        "agent": spec,
        "choice": decision.choice,
        "seconds": decision.seconds,
        "fault": decision.fault,
        "figures": plain_figures(decision.figures),
        "actions": plain_figures(decision.by_action),
    }


# --- text -----------------------------------------------------------------------------------------------------------------


def headline(inspection: Inspection) -> str:
    """Return how far the game is, and who is to move."""
    state, n = inspection.state, len(inspection.line)
    where = f"after {n} action{'' if n == 1 else 's'}"
    return f"{where}, the game is over" if state.is_terminal else f"{where}, player {state.current_player} to move"


def position_lines(inspection: Inspection) -> list[str]:
    """Return the last action, if there is one, and the position."""
    played = inspection.played()[-1:]
    return [
        *(f"last: player {player}: {text}" for player, text in played),
        "",
        inspection.state.text(inspection.looks_from),
        "",
    ]


def table_lines(inspection: Inspection) -> list[str]:
    """Return a heading and a row for each action, with the figures of each agent; ► marks choices."""
    texts = inspection.texts()
    columns = [["", *(str(number) for number in range(len(texts)))], ["action", *texts]]
    for label, _spec, decision in _labelled(inspection):
        marks = ["►" if number == decision.choice else "" for number in range(len(texts))]
        columns += [[label, *marks], *_figure_columns(decision)]
    widths = [max(len(cell) for cell in column) for column in columns]
    return [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*columns, strict=True)
    ]


def _figure_columns(decision: InspectedDecision) -> list[list[str]]:
    """Return a column, headed by its name, for each figure that an action has; the value first."""
    names = dict.fromkeys(name for row in decision.by_action for name in ("value", *row) if row)
    return [
        [_words(name), *(_bound(row) * (name == "value") + _cell(row.get(name)) for row in decision.by_action)]
        for name in names
        if name != "is_bound"
    ]


def _bound(row: dict[str, object]) -> str:
    return "≤ " if row.get("is_bound") else ""


def _labelled(inspection: Inspection) -> list[tuple[str, str, InspectedDecision]]:
    """Return each agent's short name, numbered where several have the same, its spec, and its decision."""
    decisions = inspection.decisions()
    names = [re.split(r"[:/]", parse_spec(spec).name)[-1] for spec, _decision in decisions]
    labels = [
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
    return [(label, spec, decision) for label, (spec, decision) in zip(labels, decisions, strict=True)]


def agent_lines(inspection: Inspection) -> list[str]:
    """Return for each agent its choice and the figures of its whole decision."""
    texts = inspection.texts()
    lines = []
    for label, spec, decision in _labelled(inspection):
        name = spec if label == parse_spec(spec).name else f"{label}, {spec}"
        if decision.choice is None:
            lines.append(f"{name}: {decision.fault}")
            continue
        parts = [f"{_words(one)} {_cell(value)}" for one, value in decision.figures.items()]
        parts += [f"{1000.0 * decision.seconds:.1f} ms"] if decision.seconds else []
        parts += [decision.fault] if decision.fault else []
        lines.append(f"{name}: {texts[decision.choice]}" + (f" ({'; '.join(parts)})" if parts else ""))
    return lines


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(value: object) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_cell(one) for one in value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Real):
        number = float(value)
        return f"{number:.3f}" if abs(number) < 1000.0 else f"{number:.4g}"
    return one_line(str(value))


def hidden_line(inspection: Inspection) -> str:
    """Return why no actions are shown."""
    return f"player {inspection.looks_from} does not see the actions of player {inspection.state.current_player}"


def end_lines(inspection: Inspection) -> list[str]:
    """Return the results of a final position."""
    state = inspection.state
    return result_lines(state, [f"player {player}" for player in range(state.n_players)])


def search_lines(inspection: Inspection) -> list[str]:
    """Return the expected line of play and the search tree of each agent that has one."""
    texts = inspection.action_texts()
    lines: list[str] = []
    for label, _spec, decision in _labelled(inspection):
        if decision.tree is not None:
            lines += ["", f"{label} expects: {line_of_play(decision.tree, texts)}", ""]
            lines += tree_lines(decision.tree, texts, inspection.tree_depth)
        elif inspection.tree_depth:
            lines += ["", f"{label} has no search tree"]
    return lines


def inspection_text(inspection: Inspection) -> str:
    """Return the position with all actions and agents."""
    lines = [headline(inspection), *position_lines(inspection)]
    if inspection.state.is_terminal:
        lines += end_lines(inspection)
    elif inspection.shows_actions:
        lines += [*table_lines(inspection), "", *agent_lines(inspection), *search_lines(inspection)]
    else:
        lines.append(hidden_line(inspection))
    return "\n".join(lines)


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
        """Run the command of a key of `tag.cli.stepping.keys_in`, and return whether to go on."""
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


# --- the command ----------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("game")
@click.option(
    "--agent", "agents", multiple=True, metavar="SPEC", help="An agent to ask; several are compared.  [default: mcts]"
)
@click.option("--players", type=PLAYERS, help="Number of players; by default the fewest.")
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Random seed; runs with the same seed are identical."
)
@click.option(
    "--position",
    metavar="CELLS",
    help="Begin in a position of a board game, by the values of its cells, as --json prints them: a digit or letter each.",
)
@click.option(
    "--to-move",
    type=Number(int, 0),
    default=0,
    show_default=True,
    help="The player who decides first in such a position.",
)
@click.option(
    "--actions", help="Actions to play first, as text or as numbers among those available, from 0; with commas between."
)
@click.option(
    "--moves",
    type=Number(int, 0),
    default=0,
    show_default=True,
    help="So many more actions are played, by the first agent.",
)
@click.option("--by", metavar="SPEC", help="The agent that plays --moves instead, for instance random.")
@click.option(
    "--view", "viewer", type=VIEWER, help="Show what this player sees; -1: everything; by default the player to move."
)
@click.option(
    "--tree",
    "tree_depth",
    type=Number(int, 0, _DEEPEST),
    default=0,
    metavar="DEPTH",
    help="Show the line of play that each agent expects, and its search tree to this depth.",
)
@click.option("--step/--no-step", "steps", default=None, help="Step on with keys; so by default on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def inspect(
    game: str,
    agents: tuple[str, ...],
    players: int | None,
    seed: int,
    position: str | None,
    to_move: int,
    actions: str | None,
    moves: int,
    by: str | None,
    viewer: int | None,
    tree_depth: int,
    steps: bool | None,
    as_json: bool,
) -> None:
    """Show a position of GAME with the figures of agents for each action.

    On a terminal, keys play actions and take them back. Agents know what the player to move knows. After --moves alone, the
    first agent's choice is the next action of tag play with the same seed and this agent in every seat.

    Example: tag inspect connect_four --agent mcts --agent osla --actions 3,3,2
    """
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if steps and (as_json or tree_depth or not is_terminal):
        raise ParameterError("--step needs a terminal, and no --json or --tree; leave it out to print the position")
    if by is not None and moves == 0:
        raise ParameterError(f"--by cannot be {by!r} without --moves, which it plays")
    specs = list(dict.fromkeys(agents or ("mcts",)))
    kind = game_class(parse_spec(game).name).game_type
    n_players = kind.min_players if players is None else players
    inspection = Inspection(Start(game, n_players, seed, cells_of(position or ""), to_move), viewer, tree_depth)
    if viewer is not None:
        check_viewer(viewer, n_players)
    for spec in [*specs, *([] if by is None else [by])]:
        check_game(spec, inspection.model, inspection.start.players)
    _play_actions(inspection, actions or "")
    _play_moves(inspection, specs, moves, specs[0] if by is None else by)
    if as_json:
        print_json({"game": game, **inspection.to_json()})
    elif is_terminal and steps is not False and not tree_depth:
        step_through(InspectionScreen(game, inspection))
    else:
        click.echo(inspection_text(inspection))


def _play_actions(inspection: Inspection, actions: str) -> None:
    """Play the actions of ``--actions``."""
    rest = actions
    while rest.strip():
        number, end = _next_action(inspection, rest)
        inspection.play(number)
        rest = rest[end:]


def _next_action(inspection: Inspection, rest: str) -> tuple[int, int]:
    """Return the number of the action that begins ``rest``, and where its text ends; the longest, as texts have commas.

    Raises:
        ParameterError: no such action is available, or several are.
    """
    state, available = inspection.state, inspection.actions
    name = f"action {len(inspection.line) + 1}"
    said = rest.partition(",")[0].strip()
    if not available:
        raise ParameterError(f"{name} cannot be {said!r}; the game is over after {len(inspection.line)} actions")
    if match := _NUMBER.match(rest):
        if int(match[1]) >= len(available):
            raise ParameterError(f"{name} cannot be number {match[1]}; there are 0 to {len(available) - 1}")
        return int(match[1]), match.end()
    ends: dict[int, int] = {}
    for number, action in enumerate(available):
        for text in {action.text(state, state.current_player), action.text(state, EVERYTHING), str(action)}:
            if match := re.match(rf"\s*{re.escape(text)}\s*(?:,|$)", rest, re.IGNORECASE):
                ends[number] = max(match.end(), ends.get(number, 0))
    found = [number for number, end in ends.items() if end == max(ends.values())]
    if len(found) > 1:
        raise ParameterError(
            f"{name} cannot be {said!r}, which is the text of {len(found)} actions; name one by number"
        )
    if not found:
        raise ParameterError(
            f"{name} cannot be {said!r}, which is not available to player {state.current_player}"
            f"{nearest(said, inspection.texts())}"
        )
    return found[0], ends[found[0]]


def _play_moves(inspection: Inspection, specs: Sequence[str], moves: int, mover: str) -> None:
    """Play the actions of ``--moves``, and seat the agents."""

    def seated(spec: str, since: int) -> Adviser:
        return Adviser(inspection.start, spec, since, inspection.model, with_trees=inspection.tree_depth > 0)

    playing = seated(mover, len(inspection.line))
    for _move in range(moves):
        if not inspection.actions:
            break
        inspection.play(playing.choice(inspection.line))
    since = len(inspection.line)
    inspection.agents = [playing if spec == mover else seated(spec, since) for spec in specs]
