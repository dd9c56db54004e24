"""``tag export`` and ``tag figure``: the results of a folder for papers and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from tag.cli.process import print_json
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tournaments.commands.export import EXPORTS, OF_TWO, action_lines, event_lines, experiment_export, write_pieces
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger import folder as folders
from tag.tournaments.reports.paper.bundle import write_bundle
from tag.tournaments.reports.paper.figures import figures_of, write_figure
from tag.tournaments.reports.paper.latex import latex_table, latex_text
from tag.tournaments.reports.paper.method import method_text
from tag.tournaments.reports.paper.tables import main_tables, read_tournaments, tables_of
from tag.tournaments.results import positions as positions_of
from tag.tuning.commands.folders import kind_of

_ACTIONS: Final = "actions"
_EVENTS: Final = "events"
_POSITIONS: Final = "positions"
_LATEX: Final = "latex"
_BUNDLE: Final = "bundle"
_METHOD: Final = "method"
#: Exports that are no text, and what a file of each is called.
_FILES: Final = {_POSITIONS: "positions.parquet", _BUNDLE: "appendix.zip"}
_NAMES: Final = (*EXPORTS, _ACTIONS, _EVENTS, _POSITIONS, _LATEX, _METHOD, _BUNDLE)
#: Exports of tournaments alone; experiments have the others as well.
_OF_TOURNAMENTS: Final = (_ACTIONS, _EVENTS, _POSITIONS, _BUNDLE)

_FOLDER: Final = click.argument("folder", type=click.Path(path_type=Path))


@click.command()
@_FOLDER
@click.argument("what")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="The file; standard output by default.")
@click.option(
    "--games",
    metavar="ID,ID,...",
    default="",
    help="With actions, events and positions: these games; all that have been played by default.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="NAME",
    help="With latex: this table, perhaps several times; a wrong name lists all.",
)
def export(folder: Path, what: str, out: Path | None, games: str, tables: tuple[str, ...]) -> None:
    """Write WHAT of the tournament or experiment in FOLDER for papers and other programs, also while it is played.

    \b
    latex       tables with booktabs: standings and cross-table, of an experiment strengths by event; of any report
    method      sentences for a paper: games, test, correction, time per decision, versions
    bundle      ZIP for an appendix: definition, versions, seed and hash, with the commands that play it again
    crosstable  CSV: the points of every agent against every other, best first
    standings   CSV: a row per agent, all that tag results shows
    pairs       CSV: a row per pair of agents: games, wins, draws, losses, score with interval
    games       CSV: a row per game, with the agent and result of each seat
    seats       CSV: a row per seat of each game
    json        all of this, the definition and the ratings as one JSON object
    pgn         PGN without moves of games of two players, for Ordo and BayesElo
    actions     a JSON object per line and game, from which tag replay plays the game again
    events      a JSON object per line and event: what followed from which action, why, and who could see it
    positions   Parquet: a row per decision, with what the player saw, could do and did, and the end

    Tables of an experiment have a column event. Its events have actions, events, positions and a bundle each.

    Example: tag export runs/mine latex --out tables.tex
    """  # noqa: D301  click's mark for text that is not wrapped
    _check(folder, what, out, games, tables)
    chosen = games.split(",") if games else None
    if what == _POSITIONS and out is not None:
        rows, n_games = positions_of.write_positions(folder, out, chosen)
        click.echo(f"tag: {rows:,} positions of {n_games:,} games", err=True)
    elif what == _BUNDLE and out is not None:
        write_bundle(folder, out)
    elif what == _LATEX:
        write_pieces(_latex(folder, tables), out)
    elif what == _METHOD:
        write_pieces([f"{method_text(read_tournaments(folder).values())}\n"], out)
    elif what == _ACTIONS:
        write_pieces(action_lines(folder, chosen), out)
    elif what == _EVENTS:
        write_pieces(event_lines(folder, chosen), out)
    elif (folder / experiments.EXPERIMENT).is_file():
        write_pieces(experiment_export(folder, what), out)
    else:
        write_pieces(EXPORTS[what](folder), out)


def _check(folder: Path, what: str, out: Path | None, games: str, tables: Sequence[str]) -> None:
    """Reject an export that there is not, or that other options or another kind of folder are needed for."""
    if what not in _NAMES:
        raise UnknownNameError.of("export", what, _NAMES)
    if games and what not in (_ACTIONS, _EVENTS, _POSITIONS):
        raise ParameterError(f"--games is for actions, events and positions, not for {what}; leave it out")
    if tables and what != _LATEX:
        raise ParameterError(f"--table is for latex, not for {what}; leave it out")
    if what in _FILES and out is None:
        raise ParameterError(f"{what} is no text; name a file with --out {_FILES[what]}")
    is_experiment = (folder / experiments.EXPERIMENT).is_file()
    if is_experiment and what in _OF_TOURNAMENTS:
        events = ", ".join(str(folder / name) for name in experiments.read_experiment(folder).events)
        raise DataError(f"{str(folder)!r} is an experiment; export its events: {events}")
    if what in OF_TWO and len(_first_definition(folder, is_experiment=is_experiment).agents) < 2:
        raise DataError(f"{str(folder)!r} has no {what}: one agent takes part, with copies of itself; see tag results")


def _first_definition(folder: Path, *, is_experiment: bool) -> TournamentDefinition:
    """Return the definition of a tournament, or of the first event of an experiment."""
    if is_experiment:
        return next(iter(experiments.read_experiment(folder).events.values()))
    return folders.read_manifest(folder).definition


def _latex(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield tables in LaTeX: those on strength, or of other folders all that their reports do not fold away."""
    has_strengths = any((folder / file).is_file() for file in (folders.MANIFEST, experiments.EXPERIMENT))
    data = read_tournaments(folder) if has_strengths else {}
    main = main_tables(folder, data) if has_strengths else {}
    found = main
    if not main or any(name not in main for name in names):
        found = tables_of(kind_of(folder).page(folder)) | main
    for name in names:
        if name not in found:
            raise UnknownNameError.of("table", name, tuple(found))
    chosen = [found[name] for name in names or main or found]
    yield "% \\usepackage{booktabs}\n"
    for table in chosen:
        yield f"\n{latex_table(table)}"
    if has_strengths and not names:
        yield f"\n{latex_text(method_text(data.values()))}\n"


@click.command()
@_FOLDER
@click.argument("name", required=False, default="")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--narrow", is_flag=True, help="For one of two columns, where the figure has a drawing for that.")
@click.option("--style", type=click.Path(path_type=Path), metavar="FILE", help="A style file of matplotlib, over ours.")
@click.option("--json", "as_json", is_flag=True, help="Without NAME: list the figures as JSON.")
def figure(folder: Path, name: str, file: Path | None, narrow: bool, style: Path | None, as_json: bool) -> None:
    """Draw the figure NAME of the report of FOLDER into FILE, a pdf, svg or png; without NAME, list the figures.

    FOLDER is of a tournament, experiment, A/A test, analysis, study or training.

    Example: tag figure runs/mine ratings ratings.pdf
    """
    found = figures_of(kind_of(folder).page(folder))
    if not name:
        _list_figures({known: one.title for known, one in found.items()}, folder, as_json)
        return
    if as_json:
        raise ParameterError("--json is for the list of figures; leave out NAME")
    if name not in found:
        raise UnknownNameError.of("figure", name, tuple(found))
    if file is None:
        raise ParameterError(f"no file is named to draw {name} into; add one, such as {name}.pdf")
    write_figure(found[name], file, style, narrow=narrow)
    click.echo(file)


def _list_figures(titles: dict[str, str], folder: Path, as_json: bool) -> None:
    if as_json:
        print_json(titles)
    elif not titles:
        click.echo(f"the report of {folder} has no figures yet")
    else:
        width = max(map(len, titles))
        click.echo("\n".join(f"{name:{width}}  {title}" for name, title in titles.items()))
