"""``tag inspect``: a position, what agents think of each action there, and steps from it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Final

import click

from tag.catalogue.registry import check_game, game_class
from tag.cli.inspection.inspection import Inspection
from tag.cli.inspection.screen import InspectionScreen
from tag.cli.inspection.text import inspection_text
from tag.cli.numbers import PLAYERS, SEED, VIEWER, Number, check_viewer
from tag.cli.process import print_json
from tag.cli.screens.keys import step_through
from tag.engine.parameters import parse_spec
from tag.errors import ParameterError, nearest
from tag.table.game import EVERYTHING, Adviser, Start, cells_of

_DEEPEST: Final = 100

#: An action by its number, and the next comma or the end.
_NUMBER: Final = re.compile(r"\s*(\d{1,9})\s*(?:,|$)")


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
