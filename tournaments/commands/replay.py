"""``tag replay``: play a game of a tournament or of a log again, and compare."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from tag.cli import play as playing
from tag.cli.numbers import COUNT, VIEWER, check_viewer
from tag.cli.process import print_json
from tag.cli.screens import keys, stepping
from tag.errors import DataError, ParameterError
from tag.playing.listener import Listener
from tag.table.game import is_human
from tag.table.log import SeatLog
from tag.table.openings import opening_line
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
@click.option(
    "--json", "as_json", is_flag=True, help="Print the log of --view: JSON lines, the set-up and each action."
)
@click.option(
    "--opening",
    "book",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Add the first actions of the game to a file of openings, and do not show it.",
)
@click.option("--moves", type=COUNT, help="With --opening, how many actions.")
def replay(
    source: Path,
    game_id: str,
    viewer: int,
    steps: bool | None,
    with_agents: bool,
    quiet: bool,
    as_json: bool,
    book: Path | None,
    moves: int | None,
) -> int:
    """Play the game GAME_ID again, step by step in a terminal, and confirm that it is the same.

    SOURCE is the folder of a tournament, or a log of actions (tag export). Recorded actions need no agents; where there
    are none, the agents play the game again.

    Example: tag replay runs/mine b0-m0-s0 --view 1

    From the log of --json a program rebuilds each position that the viewer sees.

    With --moves, its first actions become an opening, from which tag tournament --opening FILE begins.

    Example: tag replay runs/mine b0-m0-s0 --moves 4 --opening book.jsonl
    """
    if (book is None) != (moves is None):
        raise ParameterError("--opening FILE and --moves N belong together; give both")
    if book is not None and moves is not None:
        click.echo(_add_opening(source, game_id, moves, book))
        return 0
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if steps and not is_terminal:
        raise ParameterError("--step needs a terminal; leave it out to print the game")
    agents, state_hash, play = _game(source, game_id, with_agents)
    check_viewer(viewer, len(agents))
    if as_json:
        if quiet or steps:
            raise ParameterError(f"--{'quiet' if quiet else 'step'} cannot be given with --json; leave it out")
        different = play([SeatLog(viewer, lambda entry: print_json(entry, indent=None))])
    elif is_terminal and steps is not False and not quiet:
        frames = stepping.StateFrames()
        different = play([frames])
        if frames.positions:  # empty if an agent voided the game before its start
            keys.step_through(stepping.Stepper(game_id, agents, frames, viewer))
    else:
        different = play([] if quiet else [playing.GamePrinter(viewer, agents)])
    for difference in different:
        click.echo(f"{game_id} differs: {difference}", err=as_json)
    if not different:
        click.echo(f"{game_id} is the same: results, places, scores and final state {state_hash}", err=as_json)
    return 1 if different else 0


def _add_opening(source: Path, game_id: str, moves: int, book: Path) -> str:
    """Add the first actions of a game to a file of openings, and return what was done in a sentence."""
    logged = replays.read_logged(source, game_id) if source.is_file() else None
    recording = replays.replay_of(source, game_id).recorded() if logged is None else logged.recording
    if len(recording.choices) < moves:
        raise ParameterError(f"--moves cannot be {moves}; {game_id} has {len(recording.choices)} actions")
    if recording.opening_seed >= 0 and moves > recording.opening:
        raise ParameterError(
            f"--moves cannot be {moves}; {game_id} has a listed opening, after which chance is another one: the most is "
            f"{recording.opening}"
        )
    if recording.chance_seeds:
        raise ParameterError(f"{game_id} shares only some chance with its block (--hold), and cannot become an opening")
    seed = recording.seed if recording.opening_seed < 0 else recording.opening_seed
    line = opening_line(recording.game, recording.players, seed, recording.choices[:moves])
    try:
        with book.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        raise DataError(f"cannot write {str(book)!r}: {error.strerror}") from None
    return f"the first {moves} actions of {game_id} are an opening in {book}"


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
