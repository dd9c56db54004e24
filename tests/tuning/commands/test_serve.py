"""`tag serve`: the pages of studies, and the command."""

from __future__ import annotations

import csv
import io
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from browsers.web_visits import Visitor, visited
from commands import run_tag

from tag.tournaments.ledger import storage
from tag.tournaments.ledger.storage import locked
from tag.tournaments.reports.sections.section import number
from tag.tournaments.web.live.pages import live_pages
from tag.tournaments.web.server import new_token
from tag.tuning.balancing import BalanceResults
from tag.tuning.commands.live import KINDS
from tag.tuning.reports.results import StudyResults

pytestmark = pytest.mark.flow

TOKEN = new_token()


def sections(folder: Path, *wanted: str) -> dict[str, str]:
    """The words of the sections of the study in a folder, once these are there."""
    found: dict[str, str] = {}
    with visited(live_pages([folder], KINDS, TOKEN), TOKEN) as visitor:
        (row,) = csv.DictReader(io.StringIO(visitor.get("/list/list-folders.csv").text))
        path = f"/folder/{row['key']}"
        with visitor.events(f"{path}/events") as events:
            for _name, data in events:
                for one in data["changed"]:
                    found[one["name"]] = unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", one["html"])))
                if found.keys() >= set(wanted):
                    check_tables(visitor, path, data["changed"])
                    return found
    raise AssertionError("the stream has ended")


def check_tables(visitor: Visitor, path: str, changed: list[dict[str, str]]) -> None:
    """Every link to a table in these sections leads to one."""
    for link in re.findall(r'href="([^"]*\.csv)"', "".join(one["html"] for one in changed)):
        assert link.startswith(path)
        assert visitor.get(link).status == 200


def contents(folder: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in [folder, *folder.rglob("*")]}


def test_a_study(made_up: Callable[[str], StudyResults]) -> None:
    results = made_up("complete")
    before = contents(results.folder)
    found = sections(results.folder, "progress", "incumbents", "latest", "recommendation", "parameters", "cost")
    assert "State complete" in found["progress"]
    assert f"{len(results.trials)}, " in found["progress"]
    assert str(results.incumbents["spec"].iloc[-1]) in found["progress"]
    for section in ("incumbents", "latest"):  # values first, then a column for each parameter
        heads = [found[section].index(f" {name} ") for name in ("value", *results.definition.space.ranges)]
        assert heads == sorted(heads)
    last = results.trials.iloc[-1]
    values = results.definition.space.values(results.definition.space.configuration(last["spec"]))
    shown = [number(value) if isinstance(value, float) else str(value) for value in values.values()]
    assert re.search(rf"{last['number']} {last['games']} .*".replace(" ", r"\s"), found["latest"])
    assert " ".join(shown) in found["latest"]
    assert "horizon" in found["parameters"]  # the importance of parameters
    assert contents(results.folder) == before


def test_an_interrupted_study_and_one_at_work(made_up: Callable[[str], StudyResults]) -> None:
    folder = made_up("interrupted").folder
    assert "stopped: it was paused, interrupted or killed" in sections(folder, "progress")["progress"]
    with locked(folder / ".lock"):
        assert "State running" in sections(folder, "progress")["progress"]


def test_a_study_that_has_just_begun(made_up: Callable[[str], StudyResults]) -> None:
    assert "0 of at most" in sections(made_up("begun").folder, "progress")["progress"]


def test_several_objectives_have_a_front(made_up: Callable[[str], StudyResults]) -> None:
    found = sections(made_up("two objectives").folder, "progress", "cost")
    assert any("front" in text.lower() for text in found.values())


def test_a_balancing_study(small: BalanceResults) -> None:
    before = contents(small.folder)
    found = sections(small.folder, "progress", "verdict", "cost")
    assert "State complete" in found["progress"]
    played = sum(storage.n_rows(path) for path in small.folder.glob("*/ledger/games-*"))  # also of agents held out
    assert f"Games {played:,} of at most {small.manifest.definition.games_at_most:,}" in found["progress"]
    assert contents(small.folder) == before


def test_the_command(made_up: Callable[[str], StudyResults]) -> None:
    command = [sys.executable, "-m", "tag", "serve", str(made_up("begun").folder.parent), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            address = process.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}", address)
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(address, timeout=30) as answer:
                assert "token" not in answer.url
                assert "Tournaments, studies and trainings" in answer.read().decode()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Missing argument 'RUN_OR_FOLDER...'."),
        (("nowhere",), "'nowhere' is no folder; name one with tournaments, studies or trainings in it"),
        (("--port", "70000", "."), "--port cannot be 70000; the most is 65535"),
    ],
)
def test_mistakes_are_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = run_tag("serve", *arguments)
    assert result.exit_code == 2
    assert result.stderr == f"tag: {sentence}\n"
