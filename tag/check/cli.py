"""``tag check``: the contract suite for any game or agent."""

from __future__ import annotations

import click

from tag.catalogue.registry import agent_class, agent_names, game_class, game_names
from tag.catalogue.user_code import is_path
from tag.check.agents import check_agent
from tag.check.games import check_game
from tag.cli.numbers import PLAYERS, SEED, Number
from tag.cli.process import print_json
from tag.engine.parameters import OPEN_SPIEL, parse_spec
from tag.errors import SpecError, TagError, UnknownNameError


@click.command()
@click.argument("spec")
@click.option("--players", type=PLAYERS, help="Number of players to check; all if omitted.")
@click.option(
    "--games",
    type=Number(int, 1),
    help="Random games with the fewest and the most players.  [default: 5; agents: 1]",
)
@click.option(
    "--game", "game_specs", multiple=True, metavar="SPEC", help="For an agent: the game to check it in; all if omitted."
)
@click.option("--only", multiple=True, metavar="CHECK", help="Run this check only.")
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=SEED,
    help="Random seed; runs with the same seed are identical.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check(
    spec: str,
    players: int | None,
    games: int | None,
    game_specs: tuple[str, ...],
    only: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> int:
    """Check a game or an agent against the engine's contract.

    The exit code is 1 if a check fails. A check without cases prints "not tested" and the reason; that is no failure.

    Example: tag check examples/kuhn_poker.py:KuhnPoker
    """
    if is_agent(parse_spec(spec).name):
        report = check_agent(spec, game_specs, players, games or 1, seed, only)
    elif game_specs:
        raise SpecError(f"--game {game_specs[0]} is for checking agents, and {spec!r} is a game; leave it out")
    else:
        report = check_game(spec, players, games or 5, seed, only)
    if as_json:
        print_json(report.values(), indent=None)
    else:
        click.echo(str(report))
    return 0 if report.ok else 1


def is_agent(name: str) -> bool:
    """Say whether ``name`` is that of an agent, not of a game.

    Raises:
        TagError: it is neither.
    """
    if name.startswith(OPEN_SPIEL):
        return False
    if not is_path(name):
        if ":" in name:
            agent_class(name)  # a game's bot, or an error with the nearest one
            return True
        if name not in [*game_names(), *agent_names()]:
            raise UnknownNameError.of("game or agent", name, [*game_names(), *agent_names()])
        return name not in game_names()
    try:
        game_class(name)
    except TagError as no_game:
        try:
            agent_class(name)
        except TagError:
            raise no_game from None
        return True
    return False
