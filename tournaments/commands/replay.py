"""``tag replay``: play a game of a tournament or of a log again, and compare."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from tag.cli import play as playing
from tag.cli.numbers import VIEWER, check_viewer
from tag.cli.screens import keys, stepping
from tag.errors import ParameterError
from tag.playing.listener import Listener
from tag.table.game import is_human
from tag.tournaments.ledger import replay as replays


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("game_id")
@click.option(
    "--view", "viewer", type=VIEWER, default=-1, show_default=True, help="Show what this player sees; -1: everything."
)
@click.option("--step/--no-step", "steps", default=None, help="Step through it with keys; so by default on a terminal.")
@click.option("--with-agents", is_flag=True, help="Have the agents play it, although its actions were recorded.")
@click.option("--quiet", is_flag=True, help="Print only whether it is the same.")
def replay(source: Path, game_id: str, viewer: int, steps: bool | None, with_agents: bool, quiet: bool) -> int:
    """Play the game GAME_ID again, step by step in a terminal, and confirm that it is the same.

    SOURCE is the folder of a tournament, or a log of actions (tag export). Recorded actions need no agents; where there
    are none, the agents play the game again.

    Example: tag replay runs/mine b0-m0-s0 --view 1
    """
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if steps and not is_terminal:
        raise ParameterError("--step needs a terminal; leave it out to print the game")
    agents, state_hash, play = _game(source, game_id, with_agents)
    check_viewer(viewer, len(agents))
    if is_terminal and steps is not False and not quiet:
        frames = stepping.StateFrames()
        different = play([frames])
        if frames.positions:  # empty if an agent voided the game before its start
            keys.step_through(stepping.Stepper(game_id, agents, frames, viewer))
    else:
        different = play([] if quiet else [playing.GamePrinter(viewer, agents)])
    for difference in different:
        click.echo(f"{game_id} differs: {difference}")
    if not different:
        click.echo(f"{game_id} is the same: results, places, scores and final state {state_hash}")
    return 1 if different else 0


def _game(
    source: Path, game_id: str, with_agents: bool
) -> tuple[tuple[str, ...], object, Callable[[Sequence[Listener]], list[str]]]:
    """Return the agents of a game, the hash of its final position, and the function that plays and compares it."""
    if source.is_file():
        if with_agents:
            raise ParameterError(
                f"--with-agents needs the folder of a tournament, and {str(source)!r} is a log of actions"
            )
        logged = replays.read_logged(source, game_id)
        return logged.agents, logged.expected["state_hash"], logged.play_recorded
    replaying = replays.replay_of(source, game_id)
    agents, state_hash = replaying.order.agents, replaying.expected["state_hash"]
    if replaying.recording is not None and not with_agents:
        return agents, state_hash, replaying.play_recorded
    people = [str(seat) for seat, agent in enumerate(agents) if is_human(agent)]
    if people:
        raise ParameterError(
            f"--with-agents cannot play {game_id}, in which people decided for player {' and '.join(people)}; leave it out "
            "to replay the recorded actions"
        )
    if sys.stderr.isatty():
        click.echo(f"tag: the agents of {game_id} play it again …", err=True)
    return agents, state_hash, replaying.play
