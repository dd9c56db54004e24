"""``tag series``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import click

from tag.cli._output import print_json
from tag.errors import DataError, PlayersError
from tag.registry import game_class
from tag.spec import parse_spec
from tournaments.cli import players_of, said_options, stopped, table_width
from tournaments.options import shown_options, worker_options
from tournaments.progress import make_progress
from tournaments.series import run_series
from tournaments.series_tables import series_text
from tournaments.settings import Settings, read_toml

#: What an event of a TOML file may say of its own; the rest is said once for all.
_OF_AN_EVENT: Final = ("game", "players", "agents", "blocks", "design", "draw")


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--players", metavar="N,N,...", default="", help="Numbers of seats; each game's fewest by default.")
@click.option("--agent", "agents", multiple=True, metavar="SPEC", help="An agent that takes part; at least two.")
@click.option("--budgets", metavar="LOW..HIGH", help="Each agent at budgets that double, or grow by K: LOW..HIGHxK.")
@click.option("--blocks", type=int, help="Chance seeds of each event; 10 by default.")
@click.option("--design", metavar="SPEC", help="Who meets whom; round_robin by default.")
@click.option("--seed", type=int, help="Decides everything; 1 by default.")
@click.option("--out", metavar="DIR", default="runs/series", show_default=True, help="The folder.")
@worker_options
@click.option("--tracking-uri", metavar="URI", help="An MLflow store; by default mlflow.db in the folder.")
@click.option("--tracking/--no-tracking", default=None, help="--no-tracking writes no MLflow runs.")
@shown_options
def series(
    games: tuple[str, ...], players: str, out: str, progress: str, quiet: bool, as_json: bool, **options: Any
) -> int:
    """Play a tournament of each GAME at each number of players, between the same agents; one table over all.

    Each game is played at those of the numbers that it can seat. A single TOML file says the same, and may give an event
    agents of its own: the words of a tournament's file, and [[events]] with game, players, agents, blocks, design
    and draw.

    Example: tag series love_letter uno --players 2,4 --agent random --agent osla --blocks 20
    """
    said = said_options(options)
    if len(games) == 1 and games[0].endswith(".toml"):
        values = read_toml(Path(games[0]))
        events = _events_of_file(values.pop("events", None), games[0])
        out = str(values.pop("out", out))
    else:
        values = {}
        events = list(_events(games, players_of(players)))
    settings = [Settings.from_values({**values, **event, **said}, "the events") for event in events]
    found = run_series(
        [one.definition() for one in settings],
        Path(out),
        workers=settings[0].worker_count(),
        uses_ray=settings[0].uses_ray(),
        address=settings[0].address,
        tracking=settings[0].tracking,
        tracking_uri=settings[0].tracking_uri,
        progress=make_progress(quiet, progress),
    )
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(series_text(found, table_width()))
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
    """Return the events of a TOML file, or say what is wrong with them."""
    if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
        raise DataError(f"{file!r} has no events; add [[events]] with a game each")
    known = {field.name for field in fields(Settings)}
    for event in events:
        for name in event:
            if name in known and name not in _OF_AN_EVENT:
                raise DataError(f"{name} in {file!r} is the same for all events; move it above [[events]]")
    return events
