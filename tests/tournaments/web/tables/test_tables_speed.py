"""How fast tables answer, and how many one server bears; run on a machine that does nothing else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import CHROMIUM
from browsers.served_tables import SHOWN, TableServer, table_server, wait_for

from tag import Rng
from tag.catalogue.registry import game_class, game_names

pytestmark = pytest.mark.slow
#: So many clicks are timed in each game.
CLICKS = 40
#: Times each click on an action, from the event to the frame that shows the next board.
TIMER = """
window.waits = []
addEventListener("DOMContentLoaded", () => {
  let begin = null
  document.addEventListener("click", event => { if (event.target.closest("#actions button")) begin = event.timeStamp }, true)
  new MutationObserver(() => {
    if (begin === null) return
    const from = begin
    begin = null
    requestAnimationFrame(() => setTimeout(() => waits.push(performance.now() - from)))
  }).observe(document.getElementById("board"), { childList: true, subtree: true, attributes: true })
})
"""


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a measurement, also where the test passes."""

    def said(text: str) -> None:
        with capsys.disabled():
            sys.stderr.write(f"\n{text}")

    return said


def memory_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def test_an_action_is_seen_within_100_ms_in_every_game(tmp_path, say):
    waits: dict[str, list[float]] = {}
    with table_server(tmp_path) as server:
        for name in game_names():
            kind = game_class(name).game_type
            seats = ["human"] * max(kind.min_players, min(4, kind.max_players))
            guests, rng = server.create(game=name, seats=seats, seed=2), Rng(4)
            with ExitStack() as stack:
                streams = [stack.enter_context(guest.events()) for guest in guests]
                shown = [next(stream)[1] for stream in streams]
                for _action in range(60):
                    player = shown[0]["view"]["player"]
                    if player is None:
                        break
                    number = rng.below(len(shown[player]["view"]["actions"]))
                    begin = time.perf_counter()
                    guests[player].done("play", at=shown[player]["position"], number=number)
                    shown[player] = next(streams[player])[1]
                    waits.setdefault(name, []).append(time.perf_counter() - begin)
                    shown = [shown[seat] if seat == player else next(stream)[1] for seat, stream in enumerate(streams)]
    for name, values in waits.items():
        say(
            f"{name:20} {1000 * sorted(values)[len(values) // 2]:6.1f} {1000 * sorted(values)[int(0.95 * len(values))]:6.1f}"
        )
    every = sorted(wait for values in waits.values() for wait in values)
    say(f"{len(every)} actions, 95th percentile {1000 * every[int(0.95 * len(every))]:.1f} ms")
    assert every[int(0.95 * len(every))] < 0.1


def test_50_spectators_see_a_move_together(tmp_path, say):
    with table_server(tmp_path) as server:
        guests = server.create(game="pandemic", seats=["human"] * 4, seed=2, open=True)
        player = guests[4].position()["view"]["player"]
        seen: list[float] = []
        ready, done = threading.Barrier(51), threading.Barrier(51)

        def watch() -> None:
            with guests[4].events() as events:
                next(events)
                ready.wait()
                next(events)
                seen.append(time.perf_counter())
                done.wait()

        for _one in range(50):
            threading.Thread(target=watch, daemon=True).start()
        ready.wait()
        before, begin = memory_mb(server.process.pid), time.perf_counter()
        guests[player].done("play", at=0, number=0)
        done.wait()
        say(f"last of 50 spectators after {1000 * (max(seen) - begin):.0f} ms; server {before:.0f} MB")
        assert max(seen) - begin < 1.0


def test_500_idle_tables_are_in_one_process(tmp_path, say):
    with table_server(tmp_path) as server:
        server.create(game="nim", seats=["human", "human"])
        before = memory_mb(server.process.pid)
        for _table in range(499):
            guest = server.create(game="love_letter", seats=["human"] * 4)[0]
        guest.done("play", at=0, number=0)
        after = memory_mb(server.process.pid)
        server.kill()
        begin = time.perf_counter()
        server.start()
        assert server.again(guest).position()["present"] == 1
        took = time.perf_counter() - begin
        say(f"500 tables: {after:.0f} MB, of which {after - before:.1f} for 499; start in {took:.1f} s")
        assert after - before < 50


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    with table_server(tmp_path_factory.mktemp("clicked")) as found:
        yield found


def opened_page(browser: Any, address: str, stack: ExitStack) -> Any:
    context = browser.new_context()
    stack.callback(context.close)
    page = context.new_page()
    page.add_init_script(TIMER)
    page.goto(address)
    return page


def click_waits(browser: Any, server: TableServer, game: str, seed: int, rng: Rng) -> list[float]:
    """Return the milliseconds of up to `CLICKS` clicks of the first seat in a random game; others have no page here."""
    kind = game_class(game).game_type
    players = int(max(kind.min_players, min(3, kind.max_players)))
    guests = server.create(game=game, players=players, seats=["human"] * players, seed=seed, free=True)[:players]
    waits: list[float] = []
    with ExitStack() as stack:
        page = opened_page(browser, f"{server.host.origin}{guests[0].path}", stack)
        for action in count():
            wait_for(page, SHOWN, action)
            view = guests[0].position()["view"]
            if view["player"] is None or len(waits) == CLICKS:
                return waits
            if view["player"] == 0:
                choices = page.locator("#actions button:enabled")
                choices.nth(int(rng.below(choices.count()))).click()
                page.wait_for_function("() => waits.length", polling=20)
                waits.append(page.evaluate("() => waits.pop()"))
            else:
                guest = guests[view["player"]]
                number = rng.below(len(guest.position()["view"]["actions"]))
                guest.done("play", at=action, number=int(number))
    raise AssertionError


@pytest.mark.system
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize("game", game_names())
def test_a_click_is_painted_within_100_ms(browser, server, say, game):
    rng, waits, seed = Rng(4), [], 0
    while len(waits) < CLICKS:
        seed += 1
        waits += click_waits(browser, server, game, seed, rng)
    waits = sorted(waits[:CLICKS])
    worst = waits[int(0.95 * CLICKS)]
    say(f"{game:20} {waits[CLICKS // 2]:6.1f} {worst:6.1f}")
    assert worst < 100
