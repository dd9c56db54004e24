"""Photograph live pages of small tournaments, studies and trainings, and a list of games (``make screenshots``)."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from browsers.pages import CHROMIUM
from browsers.web_visits import visited
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import new_token
from tag.tournaments.web.tables.pages import table_application
from tag.tournaments.web.tables.pool import EnginePool
from tag.tournaments.web.tables.recorded import GameList
from tag.tournaments.web.tables.tables import Tables
from tag.tuning.commands.live import KINDS
from tag.tuning.commands.workbench.pages import WorkbenchPages

WIDTH, MOST_HEIGHT = 1000, 1250
COLOURS = 64
#: The tournament that is photographed during play has so many games then.
GAMES = 300
AGENTS = ("--agent", "osla", "--agent", "random", "--players", "2", "--seed", "1")
#: What is played before, by folder.
COMMANDS: dict[str, tuple[str, ...]] = {
    "runs/short": ("tournament", "love_letter", "--agent", "search=mcts:budget=8", "--blocks", "25", *AGENTS),
    "runs/long": ("tournament", "love_letter", "--agent", "search=mcts:budget=64", "--blocks", "25", *AGENTS),
    "studies/mcts": (
        *("tune", "mcts:budget=8", "--game", "love_letter", "--players", "2", "--versus", "osla"),
        *("--search", "k,rollout_length,tree_policy", "--games", "480", "--games-per-trial", "40"),
        *("--validation", "80", "--seed", "1"),
    ),
    "models/lines": (
        *("train", "td_ntuple:tuples=lines", "--game", "tic_tac_toe", "--episodes", "1000", "--seeds", "2"),
        *("--evaluate", "random", "--evaluations", "4", "--seed", "1"),
    ),
}
PLAYED_ON = (
    "tournament",
    "love_letter",
    "--agent",
    "mcts:budget=8",
    "--blocks",
    "5000",
    "--precision",
    "0.01",
    *AGENTS,
)


def command(folder: Path, out: str, words: tuple[str, ...]) -> list[str]:
    """Return a command of ``tag`` that writes to a folder below ``folder``."""
    return [sys.executable, "-m", "tag", *words, "--out", str(folder / out), "--no-tracking", "--no-ray"]


def photograph(page: Page, file: Path, first: str, last: str, most_height: int = MOST_HEIGHT) -> None:
    """Photograph a page from one section to another."""
    page.wait_for_timeout(500)
    ends = (page.locator(f"#{name}").bounding_box() for name in (first, last))
    top, end = (box["y"] + box["height"] * number for number, box in enumerate(ends) if box)
    room = {"x": 0.0, "y": top, "width": float(WIDTH), "height": min(end - top, most_height)}
    shot = page.screenshot(full_page=True, clip=room)  # type: ignore[arg-type]
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def photograph_all(page: Page, start: str, folder: Path) -> None:
    """Photograph the list, a tournament during play, a study and a comparison, from the address of the list on."""
    page.goto(start)
    page.get_by_role("link", name="runs/in_play").click()
    page.wait_for_function(
        "least => Number(/([\\d,]+) of at most/.exec(document.body.innerText)?.[1].replaceAll(',', '')) > least",
        arg=GAMES,
    )
    page.locator("#ratings table").wait_for()
    photograph(page, folder / "live_tournament.png", "progress", "stopping")
    page.goto(start)
    page.get_by_role("row").filter(has_text="running").wait_for()
    photograph(page, folder / "live_list.png", "list", "list")
    page.get_by_role("link", name="studies/mcts").click()
    page.locator("#coordinates svg:visible").first.wait_for()
    photograph(page, folder / "live_study.png", "course", "latest")
    page.goto(start)
    for name in ("runs/short", "runs/long"):
        page.get_by_label(f"Compare {name}").check()
    page.get_by_role("button", name="Compare the chosen").click()
    page.locator("#agents table").wait_for()
    photograph(page, folder / "live_comparison.png", "agents", "definitions")


def photograph_games(page: Page, run: Path, file: Path) -> None:
    """Photograph the list of a tournament's games at the tables."""
    token = new_token()
    tables = Tables(run.parent / "tables", EnginePool(), GameList(run))
    with visited(table_application(tables, token), token) as visitor:
        page.goto(f"{visitor.origin}/games?agent=osla&order=-actions&token={token}")
        photograph(page, file, "wanted", "games", 620)


def photograph_workbench(page: Page, served: list[Path], file: Path) -> None:
    """Photograph the workbench with an estimate."""
    token = new_token()
    pages = live_pages(served, KINDS, token, WorkbenchPages(served, KINDS).routes())
    with visited(pages, token) as visitor:
        page.goto(f"{visitor.origin}/workbench?token={token}")
        page.locator("#command").filter(has_text="tag").wait_for()
        page.get_by_label("seed").fill("1")
        page.get_by_role("button", name="Estimate").click()
        page.locator("#estimated").filter(has_text="games,").wait_for()
        page.evaluate("scrollTo(0, 0)")  # places are those in the window
        photograph(page, file, "runs-title", "same", 2200)


def main(folder: Path) -> None:
    """Play, and photograph the pages."""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    token = new_token()
    with TemporaryDirectory() as temporary:
        works = Path(temporary)
        for out, words in COMMANDS.items():
            subprocess.run(command(works, out, words), check=True, stdout=subprocess.DEVNULL)
        with (
            subprocess.Popen(command(works, "runs/in_play", PLAYED_ON), stdout=subprocess.DEVNULL) as play,
            visited(live_pages([works / one for one in ("runs", "studies", "models")], KINDS, token), token) as visitor,
            sync_playwright() as playwright,
        ):
            try:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
                page.set_default_timeout(300_000.0)
                photograph_all(page, f"{visitor.origin}/?token={token}", folder)
                photograph_games(page, works / "runs/short", folder / "games.png")
                os.chdir(works)  # commands name the folder as it is here
                photograph_workbench(page, [Path("runs")], folder / "workbench.png")
                browser.close()
            finally:
                os.kill(play.pid, signal.SIGINT)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
