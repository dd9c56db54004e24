"""Results by side, where each game deals who is on which."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run_tag

from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.results.live import GrowingResults

pytestmark = pytest.mark.flow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found: Path = tmp_path_factory.mktemp("sides") / "games"
    definition = define("resistance:goal=2", ("resistance:logical", "random"), 12, players=6, design="gauntlet", seed=3)
    run_tournament(definition, found, tracking=False)
    return found


def test_wins_by_side_are_those_of_the_ledger(folder: Path) -> None:
    _games, seats = read_ledger(folder)
    results = read_results(folder)
    assert [side.value for side in results.sides] == ["resistance", "spy"]
    for number, side in enumerate(results.sides):
        for standing in side.standings:
            own = seats[(seats["agent"] == standing.agent) & (seats["team"] == number)]
            assert standing.games == len(own) > 0
            assert standing.win_rate == pytest.approx(own["win"].mean())
            low, high = standing.win_rate_interval
            assert low <= standing.win_rate <= high
    by_agent = {standing.agent: standing.games for standing in results.standings}
    assert by_agent == {
        agent: sum(standing.games for side in results.sides for standing in side.standings if standing.agent == agent)
        for agent in by_agent
    }


def test_tables_of_all_media_have_them(folder: Path) -> None:
    text = run_tag("results", folder).stdout
    table = text[text.index("share of games won by side") :].splitlines()
    assert [row.split()[0] for row in table[2:6]] == ["resistance", "resistance", "spy", "spy"]
    read = json.loads(run_tag("results", folder, "--json").stdout)
    assert [side["value"] for side in read["sides"]] == ["resistance", "spy"]
    run_tag("report", folder)
    assert "Wins by side" in (folder / "report.html").read_text(encoding="utf-8")


def test_growing_results_have_them_too(folder: Path) -> None:
    growing = GrowingResults(folder)
    while growing.read():
        pass
    assert [side.to_json() for side in growing.results().sides] == [
        side.to_json() for side in read_results(folder).sides
    ]


def test_other_games_have_none(tmp_path: Path) -> None:
    results = run_tournament(define("spades:hands=1", ("random", "osla"), 1, players=4), tmp_path / "s", tracking=False)
    assert results.sides == []
    assert "sides" not in results.to_json()
