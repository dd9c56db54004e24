"""``tag series``: one tournament per game type and number of players, between the same agents, on the same workers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click

from tag.catalogue.registry import game_class
from tag.cli.process import print_json
from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.engine.parameters import parse_spec
from tag.errors import DataError, PlayersError
from tag.tournaments import run as running
from tag.tournaments.commands.settings import (
    ResumableCommand,
    Settings,
    declared_options,
    definition_in,
    given_options,
    players_of,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import storage
from tag.tournaments.reports import displays
from tag.tournaments.reports import text as texts
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results import series as outcomes
from tag.tournaments.results.series import SeriesResults


def run_series(
    events: Sequence[TournamentDefinition],
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
) -> SeriesResults:
    """Play the missing games of the ``events``, one after the other, and return the results.

    Each agent has the same place in all events, and may have another spec in each. The other arguments are those of
    `tournaments.run_tournament`.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    named = {folders.event_name(event.game, event.players): event.to_json() for event in events}
    parts = {out / folders.event_name(event.game, event.players): event for event in events}
    _check(parts, out)
    parts = {folder: outcomes.as_played(folder, event) for folder, event in parts.items()}
    with at_work(workers) as processes:
        running.check_all(parts, out, processes)
        out.mkdir(parents=True, exist_ok=True)
        storage.write_whole(out / folders.SERIES, json.dumps({"events": named}, indent=2))
        running.run_all(parts, processes, tracking=tracking, progress=progress or Progress())
    return outcomes.read_series(out)


def _check(events: Mapping[Path, TournamentDefinition], out: Path) -> None:
    """Raise unless ``events``, by folder, make a series, and ``out`` is new, empty, or has no other events in it."""
    storage.check_is_ours(out, folders.SERIES, "series")
    if len({len(event.agents) for event in events.values()}) != 1:
        raise PlayersError("all events of a series are between the same number of agents")
    for name in folders.read_events(out) if (out / folders.SERIES).exists() else ():
        if out / name not in events:
            raise DataError(f"{str(out)!r} holds a series with {name}; name that as well, or a new folder with --out")


#: Settings that an event of a TOML file may have of its own; the others are common to all.
_OF_AN_EVENT: Final = ("game", "players", "agents", "blocks", "design", "draw", "opening")


@click.command(cls=ResumableCommand)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--players", metavar="N,N,...", default="", help="Numbers of seats; each game's fewest by default.")
@click.option("--out", metavar="DIR", default="runs/series", show_default=True, help="The folder.")
@declared_options(
    Settings,
    "agents",
    "budgets",
    "blocks",
    "design",
    "opening",
    "seed",
    "workers",
    "ray",
    "address",
    "tracking_uri",
    "tracking",
)
@shown_options
def series(
    games: tuple[str, ...], players: str, out: str, progress: str, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Play a tournament of each GAME at each number of players, between the same agents; one table over all.

    A game that cannot seat some number of players is left out there. A TOML file in place of the games says the same. It
    has the keys of a tournament's file, and [[events]] with game, players, agents, blocks, design, draw and opening: an
    event may have agents of its own.

    Example: tag series love_letter uno --players 2,4 --agent random --agent osla --blocks 20
    """
    given = given_options(options)
    values = definition_in(games[0], given) if len(games) == 1 else None
    if values is not None:
        events = _events_of_file(values.pop("events", None), games[0])
        out = str(values.pop("out", out))
    else:
        values = {}
        events = list(_events(games, players_of(players)))
    settings = [Settings.from_values({**values, **event, **given}, "the events") for event in events]
    definitions = [one.definition() for one in settings]
    with settings[0].make_workers() as workers:
        shown = displays.make_progress(quiet, progress)
        found = run_series(definitions, Path(out), workers=workers, tracking=settings[0].store, progress=shown)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(texts.series_text(found, table_width()))
    if not found.complete:
        return stopped(found.games, found.total_text)
    return 0


def _events(games: tuple[str, ...], players: tuple[int, ...]) -> Iterator[Mapping[str, object]]:
    """Yield the events of games at numbers of players."""
    for game in games:
        kind = game_class(parse_spec(game).name).game_type
        seats = [n for n in players or (kind.min_players,) if kind.min_players <= n <= kind.max_players]
        if not seats:
            raise PlayersError(f"{kind.title} is not for {', '.join(map(str, players))} players; leave it out")
        for n in seats:
            yield {"game": game, "players": n}


def _events_of_file(events: object, file: str) -> list[Mapping[str, object]]:
    """Return the events of a TOML file, or raise the first error in them."""
    if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
        raise DataError(f"{file!r} has no events; add [[events]] with a game each")
    known = {one.name for one in fields(Settings)}
    for event in events:
        for name in event:
            if name in known and name not in _OF_AN_EVENT:
                raise DataError(f"{name} in {file!r} is the same for all events; move it above [[events]]")
    return events
