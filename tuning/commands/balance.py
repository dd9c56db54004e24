"""``tag balance``, ``tag balance show`` and ``tag balance report``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, Final

import click

from tag.cli._output import print_json
from tournaments.commands.settings import (
    rule_options,
    said_options,
    shown_options,
    stopped,
    table_width,
    tracking_options,
    worker_options,
)
from tournaments.commands.tournament import look_at_run
from tournaments.reports.progress import make_progress
from tuning.balance.definition import BANDS, PARETO_SAMPLERS
from tuning.balance.report import write_report
from tuning.balance.results import BALANCE, BalanceResults, balance_json, balance_text, read_balance
from tuning.balance.run import balance
from tuning.balance.tracking import BALANCES
from tuning.commands.balance_settings import BalanceSettings
from tuning.commands.tune import StudyGroup, UnnamedCommand
from tuning.samplers import SAMPLERS

_HEADINGS: Final = {
    "What is balanced": ("players", "search", "targets", "weights", "near_printed", "agents"),
    "Search": ("games", "sampler", "games_per_trial", "live", "pareto", "enqueue", "seed"),
    "Validation": ("finalists", "validation", "held_out", "retune", "retune_games"),
}
_SAMPLERS: Final = ", ".join((SAMPLERS[0], BANDS, *SAMPLERS[1:]))


@click.group(cls=StudyGroup)
def main() -> None:
    """Find the parameters with which a game is as it should be, or show a study that did."""


@main.command(cls=UnnamedCommand, headings=_HEADINGS)
@click.argument("game")
@click.option("--players", type=int, help="Seats of each game; the game's fewest by default.")
@click.option(
    "--search",
    multiple=True,
    metavar="NAME[=VALUES],...",
    help="What may be changed, guards=3..6 for less of it; by default all that GAME does not fix.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="MEASURE=BAND",
    help="What the game should be: seat_spread=0±0.02, length=50..70, draws<=0.05 (docs/balancing.md lists them); needed.",
)
@click.option("--weight", "weights", multiple=True, metavar="MEASURE=NUMBER", help="What a miss costs; 1 by default.")
@click.option("--agent", "agents", multiple=True, metavar="SPEC", help="An agent of the panel that plays; needed.")
@click.option(
    "--held-out", multiple=True, metavar="SPEC", help="An agent that only the choice meets, beside the printed rules."
)
@click.option("--games", type=int, help="The budget of the search; needed.")
@click.option(
    "--sampler",
    metavar="NAME",
    help=f"Who proposes candidates: {_SAMPLERS}; with --pareto {', '.join(PARETO_SAMPLERS)}; file.py:Class: your own.",
)
@click.option("--games-per-trial", type=int, help="How many games a candidate plays each time it is asked for.")
@click.option("--live", type=int, help="Candidates in play at once; 16 by default.")
@click.option(
    "--near-printed",
    type=float,
    help="What it costs to be far from the printed rules, for all that can be; 0.1 by default.",
)
@click.option(
    "--pareto/--no-pareto", default=None, help="Search targets side by side: what each candidate changes and gains."
)
@click.option("--finalists", type=int, help="So many of the best are measured again on unseen seeds; 3 by default.")
@click.option("--validation", type=int, help="Games that this may take for each of them; 2000 by default.")
@click.option("--retune", metavar="SPEC", help="An agent to tune to the chosen rules, to measure them again with.")
@click.option("--retune-games", type=int, help="The budget of that; 2000 by default.")
@click.option("--enqueue", multiple=True, metavar="SPEC", help="A candidate to try first.")
@click.option("--seed", type=int, help="Decides everything; 1 by default.")
@click.option("--out", metavar="DIR", help="The folder; by default one in studies/ named after all of the above.")
@worker_options
@tracking_options
@rule_options
@shown_options
def run(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Find the parameters with which GAME is as it should be, or go on with that.

    GAME is the spec of a game, with the parameters that are not to be changed. It may also be a TOML file with the same
    words as the options, which options override, or the folder of a study, to go on with that. `tag balance show DIR`
    shows what a study has come to.

    Example: tag balance love_letter --players 4 --search guards,princes --target seat_spread=0±0.02 --target length=60±10
    --agent osla --games 5000
    """
    settings = BalanceSettings.of(game, said_options(options), {"game": game})
    definition = settings.definition()
    folder, shown = settings.folder(definition), make_progress(quiet, progress)
    with settings.make_workers() as workers:
        results = balance(definition, folder, workers=workers, tracking=settings.store, progress=shown)
    _print(results, as_json)
    if not results.complete:
        return stopped(int(results.trials["games"].sum()) if len(results.trials) else 0, f"{definition.games:,}")
    if not as_json and (where := look_at_run(settings, results.folder, BALANCES)):
        click.echo("\n  ".join(["look at its run:", *where]))
    return 0


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(folder: Path, as_json: bool) -> None:
    """Show what the study in FOLDER has come to."""
    _print(read_balance(folder), as_json)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; FOLDER/report.html by default.")
def report(folder: Path, out: Path | None) -> None:
    """Write what the study in FOLDER has come to as one HTML file, which needs no other; also while it runs.

    A study writes it by itself in the end, and when it is interrupted.
    """
    click.echo(write_report(read_balance(folder), out))


def _print(results: BalanceResults, as_json: bool) -> None:
    if as_json:
        print_json(balance_json(results))
    else:
        click.echo(balance_text(results, table_width()))
    if results.complete and not as_json:
        click.echo(f"\nplay it: tag play {shlex.quote(str(results.folder / BALANCE))}")
