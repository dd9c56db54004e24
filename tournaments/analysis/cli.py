"""``tag analyse``."""

from __future__ import annotations

from pathlib import Path

import click

from tag.cli._output import print_json
from tournaments.analysis.definition import analysis
from tournaments.analysis.report import REPORT
from tournaments.analysis.run import run_analysis
from tournaments.analysis.tables import tables_text
from tournaments.cli import players_of, stopped, table_width
from tournaments.progress import AUTO, PROGRESS_KINDS, make_progress
from tournaments.settings import Settings


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--players", metavar="N,N,...", default="", help="Numbers of players; all that the game seats by default."
)
@click.option("--games", "n_games", default=1000, show_default=True, help="Games per number of players.")
@click.option("--agent", default="random", show_default=True, metavar="SPEC", help="Who plays, in all seats.")
@click.option("--skill", "skill_agent", default="", metavar="SPEC", help="Measure skill depth: with this agent.")
@click.option("--skill-games", default=100, show_default=True, help="Games for that, per number of players.")
@click.option("--seed", default=1, show_default=True, help="Decides everything but the speed.")
@click.option("--out", metavar="DIR", default="", help="The folder.  [default: runs/analysis]")
@click.option("--workers", type=int, help="Processes that play; as many as there are cores by default.")
@click.option("--ray/--no-ray", default=True, help="--no-ray plays in the process itself, as one worker does.")
@click.option(
    "--address", default="", help="The address of a Ray cluster; by default a Ray of its own on this machine."
)
@click.option(
    "--progress", type=click.Choice(PROGRESS_KINDS), default=AUTO, help="On a terminal live, else plain lines."
)
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def analyse(
    games: tuple[str, ...],
    players: str,
    n_games: int,
    agent: str,
    skill_agent: str,
    skill_games: int,
    seed: int,
    out: str,
    workers: int | None,
    ray: bool,
    address: str,
    progress: str,
    quiet: bool,
    as_json: bool,
) -> int:
    """Measure game types: action space, branching, hidden information, speed, length, rewards, drama, skill depth.

    GAME is the spec of a game; all stands for every game. The same command goes on with what it finds in the folder.

    Example: tag analyse love_letter --players 2,4 --games 200
    """
    definition = analysis(
        games,
        players_of(players),
        agent=agent,
        n_games=n_games,
        seed=seed,
        skill_agent=skill_agent,
        skill_games=skill_games,
    )
    where = Settings(workers=workers, ray=ray, address=address)
    folder = Path(out or "runs/analysis")
    results = run_analysis(
        definition,
        folder,
        workers=where.worker_count(),
        uses_ray=where.uses_ray(),
        address=address,
        progress=make_progress(quiet, progress),
    )
    if not results.complete:
        return stopped(results.games, f"{results.total:,}")
    if as_json:
        print_json(results.to_json(), indent=None)
        return 0
    click.echo(tables_text(results, table_width()))
    click.echo(f"\n{results.games:,} games; figures and ledgers are in {folder}, the report is {folder / REPORT}")
    return 0
