"""The results by machine: what is said of a bad worker, in all places, and the table without it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import run_tag

from tag.orders import play_order
from tag.tournaments import PlayedGame, define, read_ledger, read_results, run_tournament
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results.machines.machines import read_machines

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

BAD = "10.0.0.3/7"
WORKERS = ("10.0.0.2/7", "10.0.0.2/8", BAD, "10.0.0.4/7")
ODD = "10.0.0.3"
DEFINITION = define("tic_tac_toe", ("osla", "random"), 160, seed=6)


class Heard(Progress):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def written(folder: Path, bad: str) -> Path:
    """Write a complete tournament whose blocks go round the workers; at the bad one, all agents play at random."""
    rows = []
    for pairing in DEFINITION.schedule():
        order = DEFINITION.order(pairing)
        worker = WORKERS[pairing.block % len(WORKERS)]
        played = replace(order, agents=("random", "random")) if worker == bad else order
        rows.append(PlayedGame(pairing, play_order(played), worker))
    with Folder.locked(folder, DEFINITION):
        ledger = Ledger(folder, DEFINITION)
        ledger.append(rows)
        assert ledger.compact(len(DEFINITION.schedule()))
    return folder


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("odd") / "t", BAD)


@pytest.fixture(scope="module")
def equal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("equal") / "t", "nobody")


def test_the_bad_machine_is_flagged_and_nobody_else(odd: Path, equal: Path) -> None:
    assert [test.place for test in read_machines(odd).flagged] == [ODD]
    assert read_machines(equal).flagged == []
    assert read_machines(equal).without == []


def test_the_table_without_it_is_that_of_the_other_games(odd: Path) -> None:
    (without,) = read_machines(odd).without
    assert without.places == (ODD,)
    osla = {standing.agent: standing for standing in without.standings}["osla"]
    games, seats = read_ledger(odd)
    others = games.loc[Folder.open(odd).games().workers() != BAD, "game_id"]
    wins = seats[seats["game_id"].isin(others) & (seats["agent"] == "osla")]["win"]
    assert (osla.games, osla.win_rate) == (len(wins), wins.mean())
    with_it = {standing.agent: standing for standing in read_results(odd).standings}["osla"]
    assert with_it.games == len(games) > osla.games
    assert with_it.win_rate < osla.win_rate


def test_the_command_shows_both_tables(odd: Path) -> None:
    plain, by_machine = (run_tag("results", odd, *options).output for options in ((), ("--by-machine",)))
    assert by_machine.startswith(plain)
    rest = by_machine.removeprefix(plain)
    assert [line.split()[0] for line in rest.splitlines() if line.rstrip().endswith("differs")] == [ODD]
    assert "machine 10.0.0.3 is not like the others: what its 80 games came to is more than chance" in rest
    assert "osla has 0." in rest
    assert "points per game less there than it should" in rest
    assert "without the match-ups in which 10.0.0.3 played:" in rest
    assert rest.count("win rate") == 1


def test_json_has_all_of_it(odd: Path) -> None:
    assert "machines" not in json.loads(run_tag("results", odd, "--json").output)
    found = json.loads(run_tag("results", odd, "--json", "--by-machine").output)["machines"]
    bad = next(place for place in found["places"] if place["place"] == ODD)
    assert bad["is_flagged"] is True
    assert bad["shifts"]["osla"] == pytest.approx(-bad["shifts"]["random"])
    assert bad["shifts"]["osla"] < 0.0
    assert found["without"][0]["places"] == [ODD]
    assert {agent["agent"] for agent in found["without"][0]["agents"]} == {"osla", "random"}


@pytest.mark.parametrize("named", ["odd", "equal"])
def test_a_run_that_ends_says_so(named: str, request: pytest.FixtureRequest) -> None:
    folder, heard = request.getfixturevalue(named), Heard()
    run_tournament(DEFINITION, folder, tracking=False, progress=heard)
    assert [sentence.split(" is not like")[0] for sentence in heard.said] == (
        ["machine 10.0.0.3"] if named == "odd" else []
    )
    assert all(s.endswith(f"; tag results {folder} --by-machine shows the table without it") for s in heard.said)


def test_the_report_has_a_section(odd: Path, equal: Path) -> None:
    page = report_html(odd)
    assert 'id="machines"' in page
    assert "Machine 10.0.0.3 is not like the others" in page
    assert "Without the match-ups in which 10.0.0.3 played" in page
    assert "is not like the others" not in report_html(equal)


def test_one_worker_is_compared_with_nobody(tmp_path: Path) -> None:
    alone = define("tic_tac_toe", ("random", "random"), 3)
    run_tournament(alone, tmp_path / "t", tracking=False)
    assert "there is nothing to compare" in run_tag("results", tmp_path / "t", "--by-machine").output
    assert 'id="machines"' not in report_html(tmp_path / "t")


def test_an_experiment_has_no_machines_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "experiment.json").write_text("{}")
    result = run_tag("results", tmp_path, "--by-machine")
    assert result.exit_code == 2
    assert "--by-machine is for one tournament" in result.output
