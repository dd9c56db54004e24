"""``tag simulate``: what a study would take on workers that nobody has yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from tag.cli._output import print_json
from tournaments.designs import DEFAULT_DESIGN, DESIGNS
from tournaments.simulation.game_seconds import GameSeconds
from tournaments.simulation.simulate import definition_of, simulate
from tournaments.simulation.workers import Circumstances

_COUNT: Final = click.IntRange(min=1)
_RATE: Final = click.FloatRange(min=0.0, max=3600.0)
_SECONDS: Final = click.FloatRange(min=0.0, max=1e6)


def _circumstance(
    name: str, kind: click.ParamType[Any], text: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option for a field of `Circumstances`, with its default."""
    default = Circumstances.__dataclass_fields__[name].default
    return click.option(f"--{name.replace('_', '-')}", type=kind, default=default, show_default=True, help=text)


@click.command("simulate")
@click.option("--workers", type=_COUNT, required=True, help="How many workers there are.")
@click.option("--games", type=_COUNT, required=True, help="How many games to play, filled up to whole blocks.")
@click.option(
    "--game-seconds",
    required=True,
    metavar="SECONDS",
    help="How long games take: 0.05, lognormal:MEDIAN,DEVIATION, or measured:DIR to draw from a tournament's.",
)
@click.option("--agents", type=_COUNT, default=8, show_default=True, help="How many agents take part.")
@click.option("--players", type=_COUNT, default=4, show_default=True, help="Seats of each game.")
@click.option("--design", type=click.Choice(list(DESIGNS)), default=DEFAULT_DESIGN, help="Who meets whom.")
@_circumstance("latency", _SECONDS, "From the end of a batch to the driver's hearing of it, in seconds.")
@_circumstance("start", _SECONDS, "How long workers take to come in the beginning.")
@_circumstance("deaths_per_hour", _RATE, "How often a worker dies, per hour of its life.")
@_circumstance("restart", _SECONDS, "How long it takes for another worker to come.")
@_circumstance("node_losses_per_hour", _RATE, "How often a node is lost with its workers, per hour of its life.")
@_circumstance("node_restart", _SECONDS, "How long it takes for another node to come.")
@_circumstance("workers_per_node", _COUNT, "How many workers a node has.")
@_circumstance("detection", _SECONDS, "How long it takes until the driver knows of a loss.")
@_circumstance("call_cpu", _SECONDS, "CPU time that Ray takes in the driver per batch.")
@_circumstance("wait_cpu", _SECONDS, "… per batch in flight, whenever the driver looks for answers.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Decides lengths and losses.")
@click.option(
    "--scratch", type=click.Path(file_okay=False, path_type=Path), help="Where to write the ledger meanwhile."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def simulate_command(
    workers: int,
    games: int,
    game_seconds: str,
    agents: int,
    players: int,
    design: str,
    seed: int,
    scratch: Path | None,
    as_json: bool,
    **circumstances: Any,
) -> None:
    """Say how long a tournament would take on so many workers, and how the driver would bear it.

    Workers, games and time are simulated. The driver is the real one: schedule, batches, what is played again after a loss,
    and the ledger, which is written and removed again. It takes some 30 µs per game.

    Example: tag simulate --workers 200 --games 100000 --game-seconds lognormal:2,0.5 --deaths-per-hour 0.1
    """
    found = simulate(
        definition_of(games, agents, players, design),
        workers,
        Circumstances(GameSeconds.read(game_seconds), **circumstances),
        seed=seed,
        scratch=scratch,
    )
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(found.text)
