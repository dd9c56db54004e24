"""A report is of one state of its folder, also during play, and of any words in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag

from tag.orders import play_order
from tag.playing.faults import Fault
from tag.tournaments import PlayedGame, define
from tag.tournaments.ledger.folder import Folder, read_manifest
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.reports.sections import data as reading
from tag.tournaments.reports.sections.data import read_tournament
from tag.tournaments.results.tournament import CountedGames

pytestmark = pytest.mark.flow

DEFINITION = define("tic_tac_toe", ("random", "osla"), 6, seed=1, metrics=("lead",))


def faulty(definition=DEFINITION) -> list[PlayedGame]:
    """Return all games of a tournament, each with a fault."""
    games = []
    for pairing in definition.schedule():
        record = play_order(definition.order(pairing))
        record.faults = [Fault("exception", pairing.block % 2, 1, f"in {pairing.game_id}")]
        games.append(PlayedGame(pairing, record))
    return games


@pytest.mark.parametrize("n_games", range(0, 12, 3))
def test_games_that_arrive_while_a_report_reads_are_left_out(
    n_games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = faulty()
    with Folder.locked(tmp_path, DEFINITION):
        ledger = Ledger(tmp_path, DEFINITION)
        ledger.append(games[: n_games + 1])

        class Growing(CountedGames):
            def __init__(self, *args: Any) -> None:
                super().__init__(*args)
                ledger.append(games[n_games + 1 :])

        monkeypatch.setattr(reading, "CountedGames", Growing)
        found = read_tournament(tmp_path)
        assert len(Folder.open(tmp_path).games()) == len(games)
    there = [game.pairing.game_id for game in games[: n_games + 1]]
    assert len(found.games) == found.results.games == len(there)
    assert found.faults["game_id"].tolist() == there
    assert found.faults["message"].tolist() == [f"in {game_id}" for game_id in there]
    assert len(found.machines.tests) == 0
    assert found.measures
    assert all(set(measure.game.tolist()) <= set(range(len(there))) for measure in found.measures)


ODD = [
    "$x_{",
    "50 % of $1",
    "a\\b^c",
    "<b>&amp;",
    "_hidden",
    "  ",
    "ärger",
    "名前",
    "'\"`",
    "$\\frac{1}{2}$",
    "#1",
    "{0}",
]


@pytest.mark.parametrize("command", ["report", "results", "ratings", "status"])
def test_odd_names_and_dates_are_shown(command: str, tmp_path: Path) -> None:
    definition = define("tic_tac_toe", ("random",) * 3, 2, seed=1, metrics=("lead",))
    for begin in range(0, len(ODD), 3):
        names = ODD[begin : begin + 3]
        folder = tmp_path / str(begin)
        with Folder.locked(folder, definition):
            path = folder / "tournament.json"
            content = json.loads(path.read_text())
            content["created"] = ["yesterday", "", "9999-99-99", "$2026$"][begin // 3]
            content["definition"]["agents"] = names
            path.write_text(json.dumps(content))
            named = read_manifest(folder).definition
            ledger = Ledger(folder, named)
            ledger.append(faulty(definition))
        done = run_tag(command, folder)
        assert done.exit_code == 0, done.output
        text = (folder / "report.html").read_text() if command == "report" else done.output
        assert content["created"] in text or command != "report"
