"""``tag table``: play and watch games in the browser."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

import click

from tag.catalogue.registry import game_class
from tag.catalogue.trust import typed
from tag.catalogue.user_code import is_path
from tag.cli.numbers import PLAYERS, SEED, Number
from tag.engine.parameters import parse_spec
from tag.engine.text_files import read_text
from tag.errors import DataError, PlayersError
from tag.table.game import HUMAN
from tag.table.tree import SavedGame
from tag.tournaments.web import server
from tag.tournaments.web.tables import host, pages
from tag.tournaments.web.tables import pool as pools
from tag.tournaments.web.tables import recorded as recordings
from tag.tournaments.web.tables import tables as table_list

#: The agent of the other seats, if none is named.
_OPPONENT: Final = "mcts"


@click.command()
@click.argument("game", required=False)
@click.option(
    "--agent", "agents", multiple=True, metavar="SPEC", help="The agent of a seat, or human; once per seat, in order."
)
@click.option("--players", type=PLAYERS, help="Number of players; a single agent sits in every seat.")
@click.option("--position", default="", metavar="CELLS", help="Position set up by hand, in games that declare cells.")
@click.option(
    "--to-move", type=Number(int, 0), default=0, show_default=True, help="The player who decides first in it."
)
@click.option("--seed", type=SEED, help="Random seed of the game; random if omitted.")
@click.option("--port", type=Number(int, 0, 65535), default=8130, show_default=True, help="Port of the server; 0: any.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs/tables"),
    show_default=True,
    help="Folder of the tables.",
)
@click.option(
    "--open/--closed",
    "is_open",
    default=None,
    help="Whether everyone may see everything.  [default: open without people]",
)
@click.option(
    "--free/--strict",
    "is_free",
    default=None,
    help="Whether players may undo, branch and replace agents.  [default: free for one person at most]",
)
@click.option("--browser/--no-browser", "opens", default=True, show_default=True, help="Open the page in a browser.")
def table(
    game: str | None,
    agents: tuple[str, ...],
    players: int | None,
    position: str,
    to_move: int,
    seed: int | None,
    port: int,
    out: Path,
    is_open: bool | None,
    is_free: bool | None,
    opens: bool,
) -> None:
    """Play, watch and examine games in the browser, at http://127.0.0.1.

    GAME is a game's spec, the JSON file of a saved game, or the folder of a tournament, whose games are listed and can be
    opened. Without it, the list of tables is shown.

    Example: tag table love_letter --players 4 --agent human --agent mcts --agent osla --agent random
    """
    path = "/tables"
    recorded = recordings.GameList(Path(game)) if game is not None and Path(game).is_dir() else None
    if recorded is not None:
        path = "/games"
    elif game is not None:
        if _is_saved(game):
            wanted = _saved(game, agents)
        else:
            _check_there(game)
            seats = _seats(game, agents, players)
            wanted = pages.saved_game(game, seats, seed, position, to_move)
        path = asyncio.run(_path_of_new_table(out, wanted, is_open, is_free))
    token = host.host_token(out)
    sources = [str(recorded.folder.absolute())] if recorded is not None and recorded.has_sources else []
    tables = table_list.Tables(out, pools.EnginePool((*pools.ENGINE, *sources)), recorded)
    server.serve(pages.table_application(tables, token), token, port, path=path, opens=opens)


async def _path_of_new_table(out: Path, saved: SavedGame, is_open: bool | None, is_free: bool | None) -> str:
    """Make a table in the folder of tables, from which the server loads it, and return the path of its page."""
    pool = pools.EnginePool()
    try:
        return table_list.first_path(await table_list.Tables(out, pool).create(saved, is_open=is_open, is_free=is_free))
    finally:
        await pool.close()


def _check_there(game: str) -> None:
    """Refuse the path of a folder or file that does not exist, and is no game's name."""
    name = parse_spec(game).name
    if os.sep in name and not is_path(name) and not Path(name).exists():
        raise DataError(f"{name!r} does not exist; name the folder of a tournament, a saved game, or a game")


def _is_saved(game: str) -> bool:
    """Say whether ``game`` is the file of a saved game, and no spec in a file."""
    path = Path(game)
    return path.suffix == ".json" and path.is_file() and '"tag_game"' in read_text(path)


def _saved(file: str, agents: tuple[str, ...]) -> SavedGame:
    """Return a saved game, with other agents if there are any."""
    saved = SavedGame.load(Path(file))
    if typed() is not None:
        pages.check_harmless(saved)
    if agents:
        if len(agents) != len(saved.seats):
            raise PlayersError(f"the saved game has {len(saved.seats)} seats; name as many agents, not {len(agents)}")
        saved.seats = agents
    return saved


def _seats(game: str, agents: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """Return the spec of each seat; a person against agents if none is named."""
    if players is None and len(agents) < 2:
        kind = game_class(parse_spec(game).name).game_type
        players = min(max(kind.min_players, 2), kind.max_players)
    if len(agents) < 2 and players is not None:
        return agents * players if agents else (HUMAN, *[_OPPONENT] * (players - 1))
    if players not in (None, len(agents)):
        raise PlayersError(f"there are {len(agents)} agents for {players} players; name one, or as many as players")
    return agents
