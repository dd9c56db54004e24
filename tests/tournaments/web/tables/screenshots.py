"""Photograph the pages of tables for the documentation (``make screenshots``)."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browsers.pages import CHROMIUM
from browsers.served_tables import TableServer, table_server
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tag.catalogue.registry import game_class, game_names
from tag.engine.rng import Rng
from tag.table.game import Start, TableGame

WIDTH, HEIGHT = 1280, 800
#: So many random actions are played before, in short games half of a game's.
ACTIONS = 24
SEED = 3
#: A picture has so many colours, and some 35 kB.
COLOURS = 128


def half_game(game: str, players: int) -> tuple[int, ...]:
    """Return the numbers of the random actions that lead to the position to photograph."""
    rng, played = Rng(1), TableGame(Start(game, players, SEED))
    while played.actions and len(played.line) < 2 * ACTIONS:
        played.play(int(rng.below(len(played.actions))))
    return played.line[: len(played.line) // 2]


def photograph(server: TableServer, page: Page, game: str, file: Path) -> None:
    """Play random actions with a person in each seat, and photograph the page of the player to move."""
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(kind.max_players, 3)))
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=SEED)[:players]
    for number in half_game(game, players):
        shown = guests[0].position()
        guests[shown["view"]["player"]].done("play", at=shown["position"], number=number)
    player = guests[0].position()["view"]["player"]
    page.goto(f"{server.host.origin}{guests[player].path}")
    page.wait_for_selector("#board .board")
    page.wait_for_timeout(400)
    save(page, file)


def save(page: Page, file: Path) -> None:
    """Save what is in the window as a small picture."""
    image = Image.open(io.BytesIO(page.screenshot(full_page=False))).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def photograph_invitations(server: TableServer, page: Page, file: Path) -> None:
    """Photograph the page on which the host invites three people to play with two agents."""
    seats = ["human:name=Ann", "human:name=Bo", "human", "mcts", "osla"]
    server.create(game="diamant", players=5, seats=seats, seed=SEED)
    server.host.post(f"/lobby/{server.table}/watchers", {"label": "the publisher"})
    page.goto(f"{server.host.origin}/lobby/{server.table}?token={server.host.token}")
    page.wait_for_selector("#watchers li")
    save(page, file)


def main(folder: Path, games: list[str]) -> None:
    """Photograph the games."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as tables, table_server(Path(tables)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for game in games or game_names():
            photograph(server, page, game, folder / f"{game}.png")
        if not games:
            photograph_invitations(server, page, folder / "invitations.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
