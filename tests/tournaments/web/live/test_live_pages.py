"""The pages of `tag serve`: true to the ledger, up to date during play, without a trace in the folders."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from browsers.pages import started_browser
from browsers.web_visits import Visitor, visited
from play.simulated_games import made_up

from tag.tournaments import Ledger, define, read_results, run_tournament
from tag.tournaments.ledger.experiment import EXPERIMENT, Experiment, read_experiment_manifest
from tag.tournaments.ledger.folder import MANIFEST, Folder
from tag.tournaments.reports.sections.section import Paragraph, TableData
from tag.tournaments.run import run_experiment
from tag.tournaments.web.live import feed
from tag.tournaments.web.live.experiment import LiveExperiment
from tag.tournaments.web.live.feed import Feed, FolderList, LiveSection, LiveSubject, table_csv
from tag.tournaments.web.live.folders import LiveFolders
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.live.tournament import LiveTournament, TournamentComparison
from tag.tournaments.web.server import new_token

pytestmark = pytest.mark.flow

TOKEN = new_token()
KINDS = {MANIFEST: LiveTournament}
AGENTS = ("first=random", "second=random", "third=random")


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(feed, "_SHARE", 1e6)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete tournament, one that its rule ended, one that was killed, and one whose file is damaged."""
    runs = tmp_path_factory.mktemp("live") / "runs"
    run_tournament(define("tic_tac_toe", ("osla", "random"), 6, seed=1), runs / "complete", tracking=False)
    shutil.copytree(
        runs / "complete", runs / "mlflow" / "0f5c" / "artifacts"
    )  # as MLflow keeps copies, which are no folders of games
    test = define("tic_tac_toe", ("osla", "random"), 400, seed=1, sprt="0,200")
    run_tournament(test, runs / "by hand" / "decided", tracking=False)
    killed = define("love_letter", AGENTS, 20, players=2, seed=1)
    with Folder.locked(runs / "killed", killed):
        Ledger(runs / "killed", killed).append(made_up(killed, list(islice(killed.schedule(), 30))))
    (runs / "damaged").mkdir()
    (runs / "damaged" / MANIFEST).write_text("{")
    (runs / ".hidden").mkdir()
    return runs


@pytest.fixture
def visitor(runs: Path) -> Iterator[Visitor]:
    with visited(live_pages([runs], KINDS, TOKEN), TOKEN) as found:
        yield found


def contents(folder: Path) -> dict[str, tuple[int, int]]:
    found = {path: path.stat() for path in [folder, *folder.rglob("*")]}
    return {str(path): (stat.st_mtime_ns, stat.st_size) for path, stat in found.items()}


def address(visitor: Visitor, name: str) -> str:
    rows = csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text))  # waits until it has been computed
    return next(f"/folder/{row['key']}" for row in rows if row["name"] == name)


def settled(visitor: Visitor, path: str, *sections: str) -> dict[str, str]:
    """The HTML of the sections of a page, once these are there."""
    found: dict[str, str] = {}
    with visitor.events(f"{path}/events") as events:
        for _name, data in events:
            found |= {one["name"]: one["html"] for one in data["changed"]}
            if found.keys() >= set(sections):
                return found
    raise AssertionError(f"the stream of {path} has ended")


def words(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html)))


def test_the_list_has_all_with_their_states(visitor: Visitor) -> None:
    rows = list(csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text)))
    page = words(visitor.get("/").text)
    assert all(" ".join(f"{row['name']} tournament {row['game']} {row['state']}".split()) in page for row in rows)
    assert {row["name"]: row["state"] for row in rows} == {
        "complete": "complete",
        "by hand/decided": "complete",
        "killed": "stopped",
        "damaged": "damaged",
    }


def test_a_page_has_the_standings_and_more(visitor: Visitor, runs: Path) -> None:
    path = address(visitor, "complete")
    html = settled(visitor, path, "progress", "standings", "workers", "ratings", "pairs")
    assert "12 of 12" in words(html["progress"])
    first = read_results(runs / "complete").standings[0]
    assert f"{100 * first.win_rate:.1f}" in words(html["standings"])
    assert 'title="the share of games won; a draw is no win"' in html["standings"]
    assert "P(best)" in html["ratings"]
    assert list(html) == ["progress", "standings", "workers", "ratings", "pairs"]


def test_an_experiment_has_a_page_over_its_events(tmp_path: Path) -> None:
    events = [define(game, ("osla", "random"), 3, seed=1) for game in ("tic_tac_toe", "nim")]
    results = run_experiment(Experiment.of(events), tmp_path / "both", tracking=False)
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / EXPERIMENT).write_text("{")
    before = contents(tmp_path)
    with visited(live_pages([tmp_path], KINDS | {EXPERIMENT: LiveExperiment}, TOKEN), TOKEN) as visitor:
        rows = csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text))
        assert {row["name"]: (row["kind"], row["state"]) for row in rows} == {
            "both": ("experiment", "complete"),
            "both/tic_tac_toe-2p": ("tournament", "complete"),
            "both/nim-2p": ("tournament", "complete"),
            "damaged": ("experiment", "damaged"),
        }
        html = settled(
            visitor, address(visitor, "both"), "progress", "overall", "event-0-standings", "event-1-standings"
        )
        assert "12 of 12" in words(html["progress"])
        assert "Nim, 2 players 6 of 6 games" in words(html["progress"])
        assert f"{results.overall[0].strength:.3f}" in words(html["overall"])
        assert "osla" in words(html["event-1-standings"])
        assert "Ratings over all" in visitor.get(f"{address(visitor, 'both')}/report").text
    assert contents(tmp_path) == before


def test_any_name_of_a_folder_is_found(tmp_path: Path) -> None:
    """Also those that the folders within a study have."""
    for name in ("validation", "experiments/search", "ledger"):
        run_tournament(define("nim", ("osla", "random"), 1, seed=1), tmp_path / name, tracking=False)
    folders = LiveFolders([tmp_path], KINDS)
    folders.scan()
    rows = next(folders.parts()[0]()).blocks[0]
    assert isinstance(rows, FolderList)
    assert [row.name for row in rows.rows] == ["experiments/search", "ledger", "validation"]


def test_an_experiment_is_complete_once_its_events_are(tmp_path: Path) -> None:
    """Rules may end them early; one that is to have more blocks is not complete."""
    events = [define(game, ("osla", "random"), 400, seed=1, sprt="0,200") for game in ("tic_tac_toe", "nim")]
    experiment = Experiment.of(events)
    results = run_experiment(experiment, tmp_path, tracking=False)
    row = LiveExperiment(tmp_path, "both").row()
    assert (row.state, row.games) == ("complete", results.games)
    assert row.games < row.total == 1_600
    manifest = read_experiment_manifest(tmp_path)
    replace(manifest, experiment=experiment.extended(500, ())).write(tmp_path)
    assert LiveExperiment(tmp_path, "both").row().state == "stopped"


def test_no_name_of_a_run_is_a_formula(tmp_path: Path) -> None:
    run_tournament(define("nim", ("osla", "random"), 1, seed=1), tmp_path / "=1+1", tracking=False)
    with visited(live_pages([tmp_path], KINDS, TOKEN), TOKEN) as visitor:
        (row,) = csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text))
    assert (row["name"], row["state"], row["games"]) == ("'=1+1", "complete", "2")


def test_every_table_is_there_as_csv(visitor: Visitor, runs: Path) -> None:
    path = address(visitor, "complete")
    html = settled(visitor, path, "pairs")
    links = re.findall(r'href="([^"]*\.csv)"', "".join(html.values()))
    assert len(links) == sum(part.count("<table data-table") for part in html.values()) >= 4
    for link in links:
        answer = visitor.get(link)
        assert answer.headers["Content-Type"].startswith("text/csv")
        assert len(list(csv.reader(io.StringIO(answer.text)))) > 1
    (rows,) = [visitor.get(link).text for link in links if "standings-0" in link]
    for row, standing in zip(csv.DictReader(io.StringIO(rows)), read_results(runs / "complete").standings, strict=True):
        assert row["agent"] == standing.agent
        assert [float(row[name]) for name in ("win rate", "win rate low", "win rate high")] == [
            standing.win_rate,
            *standing.win_rate_interval,
        ]


def test_a_stopping_rule_is_a_gauge(visitor: Visitor) -> None:
    html = settled(visitor, address(visitor, "by hand/decided"), "stopping")["stopping"]
    assert 'role="meter"' in html
    assert "accept H1" in words(html)
    assert 'aria-valuenow="100"' in html


def test_killed_runs_are_shown_as_such(visitor: Visitor) -> None:
    html = settled(visitor, address(visitor, "killed"), "progress", "ratings")
    assert "stopped before its end" in words(html["progress"])
    assert "30 of 120" in words(html["progress"])


def test_damage_is_a_sentence(visitor: Visitor, runs: Path) -> None:
    problem = words(settled(visitor, address(visitor, "damaged"), "problem")["problem"])
    assert "is damaged" in problem
    assert str(runs) not in problem
    assert visitor.get(address(visitor, "damaged")).text.count("is damaged") == 1
    assert visitor.get(f"{address(visitor, 'damaged')}/report").status == 400


def test_the_whole_report(visitor: Visitor) -> None:
    assert "<h2" in visitor.get(f"{address(visitor, 'complete')}/report").text


def test_two_tournaments_are_compared(visitor: Visitor, runs: Path) -> None:
    keys = [address(visitor, name).rpartition("/")[2] for name in ("complete", "by hand/decided")]
    answer = visitor.get(f"/compare?folder={keys[0]}&folder={keys[1]}")
    assert answer.status == 303
    path = answer.headers["Location"]
    settled(visitor, path, "agents", "definitions")
    rows = {row["agent"]: row for row in csv.DictReader(io.StringIO(visitor.get(f"{path}/agents-0.csv").text))}
    both = [
        {one.agent: one.win_rate for one in read_results(runs / name).standings}
        for name in ("complete", "by hand/decided")
    ]
    for agent, row in rows.items():
        assert float(row["difference"]) == pytest.approx(both[1][agent] - both[0][agent])
        assert float(row["difference low"]) < float(row["difference"]) < float(row["difference high"])


def test_runs_of_one_name_are_compared(tmp_path: Path) -> None:
    """Their rates and games are their own, also where a name is that of another column."""
    for place, blocks in (("here", 2), ("there", 3)):
        definition = define("nim", ("osla", "random"), blocks, seed=blocks)
        run_tournament(definition, tmp_path / place / "runs" / "agent", tracking=False)
    folders = LiveFolders([tmp_path / "here" / "runs", tmp_path / "there" / "runs"], KINDS)
    folders.scan()
    (rows,) = next(folders.parts()[0]()).blocks
    assert isinstance(rows, FolderList)
    names = [f"{place}/runs/agent" for place in ("here", "there")]
    assert [row.name for row in rows.rows] == names
    both = [LiveTournament(tmp_path / place / "runs" / "agent", "agent") for place in ("here", "there")]
    agents, definitions = (section.blocks[0] for section in TournamentComparison(both).parts()[0]())
    assert isinstance(agents, TableData)
    assert isinstance(definitions, TableData)
    results = [one.results() for one in both]
    found = list(csv.reader(io.StringIO(table_csv(agents))))
    for number, one in enumerate(results):
        rates = {standing.agent: standing.win_rate for standing in one.standings}
        assert {line[0]: float(line[1 + 3 * number]) for line in found[1:]} == rates
    assert [row[6:] for row in csv.reader(io.StringIO(table_csv(definitions)))][1:] == [["4", "4"], ["6", "6"]]


def test_nothing_is_written(visitor: Visitor, runs: Path) -> None:
    before = contents(runs)
    for name in ("complete", "by hand/decided", "killed"):
        path = address(visitor, name)
        settled(visitor, path, "ratings")
        assert visitor.get(f"{path}/report").status == 200
    assert contents(runs) == before


@pytest.mark.parametrize(
    "path",
    [
        "/folder/nothing",
        "/folder/../../etc/passwd",
        "/folder/%2e%2e%2f",
        "/folder/",
        "/compare/a-b",
        "/compare/",
        "/list/nothing-0.csv",
        "/list/list-%2e%2e.csv",
        "/nowhere/events",
        "/folder/nothing/report",
        "/tournament.json",
    ],
)
def test_what_is_not_there(path: str, visitor: Visitor, runs: Path) -> None:
    answer = visitor.get(path, Accept="application/json")
    assert answer.status == 404
    assert str(runs).encode() not in answer.body


def test_too_few_to_compare(visitor: Visitor) -> None:
    assert visitor.get("/compare?folder=a").json()["error"].startswith("a comparison needs two tournaments")


def test_an_empty_folder_and_a_run_that_begins_later(tmp_path: Path) -> None:
    with visited(live_pages([tmp_path], KINDS, TOKEN), TOKEN) as visitor, visitor.events("/list/events") as events:
        assert "There is nothing" in next(one for _name, data in events for one in data["changed"])["html"]
        run_tournament(define("tic_tac_toe", ("random", "random"), 1, seed=1), tmp_path / "later", tracking=False)
        assert "later" in next(one for _name, data in events for one in data["changed"])["html"]


def test_a_page_follows_play(tmp_path: Path) -> None:
    definition = define("love_letter", AGENTS, 10, players=2, seed=1)
    pairings = iter(definition.schedule())
    with Folder.locked(tmp_path, definition):
        ledger = Ledger(tmp_path, definition)
        ledger.append(made_up(definition, list(islice(pairings, 6))))
        with visited(live_pages([tmp_path], KINDS, TOKEN), TOKEN) as visitor:
            path = address(visitor, tmp_path.name)
            with visitor.events(f"{path}/events") as events:
                until(events, "progress", "6 of 60")
                ledger.append(made_up(definition, list(islice(pairings, 30))))
                text = until(events, "progress", "36 of 60")
                assert "running" in text
                assert "games/s" in text or "no games in the last minute" in text
                ledger.append(made_up(definition, list(pairings)))
                ledger.compact(len(definition.schedule()))
                assert "complete" in until(events, "progress", "60 of 60")


def until(events: Iterator[tuple[str, Any]], name: str, text: str) -> str:
    """The words of a section as soon as they have a text."""
    for _event, data in events:
        for one in data["changed"]:
            if one["name"] == name and text in words(one["html"]):
                return words(one["html"])
    raise AssertionError(f"no {text}")


def test_nothing_is_computed_without_readers(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    stamp = LiveTournament.stamp
    monkeypatch.setattr(LiveTournament, "stamp", lambda self: (looks.append(time.monotonic()), stamp(self))[1])
    with visited(live_pages([runs], KINDS, TOKEN), TOKEN) as visitor:
        settled(visitor, address(visitor, "complete"), "pairs")
        deadline = time.monotonic() + 10
        while looks[-1] > time.monotonic() - 0.5:
            assert time.monotonic() < deadline
            time.sleep(0.05)


class Changing(LiveSubject):
    """A work in progress that has changed whenever it is looked at; its page takes 10 ms to compute."""

    title = "changing"
    is_at_work = True

    def __init__(self) -> None:
        self.begins: list[float] = []

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        return [self._compute]

    def stamp(self) -> object:
        return object()

    def _compute(self) -> Iterator[LiveSection]:
        self.begins.append(time.monotonic())
        begin = time.thread_time()
        while time.thread_time() < begin + 0.01:
            pass
        yield LiveSection("count", "Count", [Paragraph(f"{len(self.begins)} times")])


def test_what_is_computed_leaves_the_machine_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    share = 0.1
    monkeypatch.setattr(feed, "LOOK_EVERY", 0.001)
    monkeypatch.setattr(feed, "_SHARE", share)
    subject = Changing()

    async def watch() -> None:
        with ThreadPoolExecutor(1) as thread:
            async with Feed(subject, "/changing", thread).reader():
                while len(subject.begins) < 5:
                    await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(watch(), 60))
    assert min(after - before for before, after in pairwise(subject.begins)) >= 0.01 / (share * (os.cpu_count() or 1))


@pytest.mark.system
def test_a_browser_follows_play(tmp_path: Path, runs: Path) -> None:
    definition = define("love_letter", AGENTS, 10, players=2, seed=1)
    pairings = iter(definition.schedule())
    with (
        Folder.locked(tmp_path / "mine", definition),
        visited(live_pages([tmp_path, runs], KINDS, TOKEN), TOKEN) as visitor,
        started_browser() as browser,
    ):
        ledger = Ledger(tmp_path / "mine", definition)
        ledger.append(made_up(definition, list(islice(pairings, 12))))
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{visitor.origin}/?token={TOKEN}")
        assert "token" not in page.url
        page.get_by_label("Filter rows").fill("mine")
        assert page.locator("tbody tr:visible").count() == 1
        page.get_by_role("link", name=f"{tmp_path.name}/mine").click()
        page.get_by_text("12 of 60").wait_for()
        table = page.locator("#standings table")
        table.get_by_role("button", name="agent").click()
        table.get_by_role("button", name="agent").click()
        agents = [name.strip() for name in table.locator("tbody th:nth-child(2)").all_inner_texts()]
        assert agents == sorted(agents, reverse=True)
        ledger.append(made_up(definition, list(islice(pairings, 30))))
        page.get_by_text("42 of 60").wait_for()
        assert table.locator("th[aria-sort=descending]").inner_text().startswith("agent")
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert said == []
