"""The study of the thesis plays through, goes on after an interruption, and writes its tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from itertools import permutations
from pathlib import Path

import pytest
from commands import run_script

from tag.catalogue.registry import make_agent, make_heuristic
from tag.engine.rng import Rng
from tag.engine.values import StateHeuristic
from tag.games.abstract.tic_tac_toe import Mark, TicTacToe
from tag.games.boards.pandemic import Pandemic
from tag.games.boards.pandemic.data import NEIGHBOURS
from tag.tournaments.results.analysis.claims import Verdict
from tag.tournaments.results.analysis.effort import SearchEffort
from tag.tournaments.statistics.intervals import Interval, IntervalEstimate

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
EXAMPLE = Path("examples") / "papers" / "rhea_thesis"
IN_JAVA = "as in Java"
AGENTS = ("rhea", "mcts", "osla", "rmhc")


@pytest.fixture
def thesis(monkeypatch):
    """Return the example's script as a module."""
    spec = spec_from_file_location("rhea_thesis", ROOT / EXAMPLE / "run.py")
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def shrink(plan: Path, **others: object) -> None:
    """Make the small size tiny: the interpreted engine is slow, and only the way is tested here."""
    text = plan.read_text(encoding="utf-8")
    sizes = {
        "budget": 20,
        "search_games": 8,
        "validation": 40,
        "blocks": 2,
        "team_games": 1,
        "table_3_team_games": 1,
    } | others
    for name, value in sizes.items():
        before, small, after = text.partition("[sizes.small]")
        text = before + small + re.sub(rf"^{name} = \S+", f"{name} = {value}", after, count=1, flags=re.MULTILINE)
    plan.write_text(text, encoding="utf-8")


@pytest.mark.heavy
@pytest.mark.usefixtures("environment", "undrawn")
def test_the_small_study_plays_through():
    shrink(EXAMPLE / "thesis.toml")
    command = [EXAMPLE / "run.py", "small", "--out", "studies/thesis", "--workers", "1"]
    first = run_script(*command)
    assert first.returncode == 0, first.stderr
    tables = json.loads(Path("studies/thesis/tables.json").read_text(encoding="utf-8"))
    valued = "with the heuristic in Java"
    rows = ["love_letter", f"love_letter {IN_JAVA}", "tic_tac_toe", f"tic_tac_toe {valued}", f"tic_tac_toe {IN_JAVA}"]
    assert list(tables["table_3"]) == rows
    for row in tables["table_3"].values():
        assert list(row) == list(AGENTS)
        assert all(rate["low"] <= rate["value"] <= rate["high"] for rate in row.values())
    assert sum(rate["value"] for rate in tables["table_3"]["love_letter"].values()) <= 100.0 + 1e-9
    assert list(tables["table_2"]["tic_tac_toe"]) == ["rhea", "mcts", "rmhc"]
    assert list(tables["table_4"]) == ["2", f"2 {valued}", f"2 {IN_JAVA}"]
    played_in_java = Path("studies/thesis/tournaments/pandemic_cards_for_cure=2-4p-rmhc-java/tournament.json")
    assert "endless_cubes=true" in played_in_java.read_text(encoding="utf-8")
    assert list(tables["table_4"]["2"]) == [*AGENTS, "rhea as in the thesis", "mcts as hinted"]
    assert "| *thesis* | 28.3 % | 31.3 % | 28.3 % | 12.1 % |" in first.stdout
    judged = {claim["text"]: claim["verdict"] for claim in tables["claims"]}
    assert judged["MCTS has most points in Love Letter"] in set(Verdict)
    assert judged[f"RMHC wins no game with two cards (less than 10 %), {IN_JAVA}"] == "not judged", (
        "two plans are too few"
    )
    section = first.stdout.partition("## Search")[2].partition("## Claims")[0]
    for row in (
        f"love_letter {IN_JAVA}, mcts",
        "tic_tac_toe, rhea",
        "pandemic:cards_for_cure=2, rhea as in the thesis",
    ):
        assert f"| {row} |" in section
    assert re.search(rf"\| tic_tac_toe {IN_JAVA}, rmhc \| \d+ \| 2 \| [\d.]+%, not judged \|", section)
    assert "OSLA wins no game with two cards (less than 10 %), as in Java" in judged
    assert not any("three" in text or "Virus" in text for text in judged), "not played"
    again = run_script(*command)
    assert again.returncode == 0, again.stderr
    written = Path("studies/thesis/tables.md").read_text(encoding="utf-8")
    assert first.stdout.endswith(written + "\n")
    assert again.stdout.endswith(written + "\n")


@pytest.mark.slow
def test_the_tables_are_played_with_what_earlier_searches_recommended(environment):
    """Without a search, all games; the total is the mean of the rows, with half of tic-tac-toe as in the thesis."""
    shrink(EXAMPLE / "thesis.toml", budget=10, blocks=1, cards=[3], precision=0.2)
    plan = tomllib.loads((EXAMPLE / "thesis.toml").read_text(encoding="utf-8"))
    command = [sys.executable, str(EXAMPLE / "run.py"), "small", "--no-search", "--out", "given", "--workers", "1"]
    command += ["--games", "pandemic,love_letter,tic_tac_toe,colt_express,virus"]
    played = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert not Path("given/studies").exists()
    for game, agents in plan["recommended"].items():
        assert game in plan["games"]
        folders = list(Path("given/tournaments").glob(f"{game.partition(':')[0]}*/tournament.json"))
        played_with = "".join(path.read_text(encoding="utf-8") for path in folders)
        for text in agents.values():
            assert all(parameter in played_with for parameter in text.split(","))
    precisions = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))["definition"]["precision"]
        for path in Path("given/tournaments").glob("pandemic*/tournament.json")
    }
    in_table_3 = {f"pandemic_cards_for_cure=3-4p-{agent}{row}" for agent in AGENTS for row in ("", "-java")}
    assert {name for name, precision in precisions.items() if precision} == in_table_3
    assert set(precisions.values()) == {0.0, 0.2}
    tables = json.loads(Path("given/tables.json").read_text(encoding="utf-8"))
    rows = tables["table_3"]
    assert set(plan["games"]) < set(rows)
    for suffix in ("", f" {IN_JAVA}"):
        for agent, total in rows[f"total{suffix}"].items():
            games = [(f"{game}{suffix}", 2 if game == "tic_tac_toe" else 1) for game in plan["games"]]
            values = [rows[game][agent]["value"] / shares for game, shares in games]
            assert total["value"] == pytest.approx(sum(values) / 5)
            assert total["low"] <= total["value"] <= total["high"]
    text = "RHEA has more points than OSLA in the total"
    (claim,) = (claim for claim in tables["claims"] if claim["text"] == text)
    difference = rows["total"]["rhea"]["value"] - rows["total"]["osla"]["value"]
    assert 100 * claim["measured"][0] == pytest.approx(difference)
    assert "| total |" in played.stdout
    assert "| *thesis* | 20.74 % | 42.26 % | 16.28 % | 5.2 % |" in played.stdout


@pytest.mark.usefixtures("environment")
def test_what_the_thesis_played_can_be_chosen_and_its_agents_exist():
    refused = run_script(EXAMPLE / "run.py", "small", "--games", "tic_tac_toe,virsu")
    assert refused.returncode == 2
    assert "no game of the paper named 'virsu'; did you mean 'virus'?" in refused.stderr
    plan = tomllib.loads((EXAMPLE / "thesis.toml").read_text(encoding="utf-8"))
    assert list(plan["thesis"]["parameters"]) == list(plan["games"])
    for parameters in plan["thesis"]["parameters"].values():
        make_agent(f"rhea:budget={plan['budget']},{parameters}")


def test_claims_are_about_rows_of_the_tables():
    plan = tomllib.loads((Path(__file__).parents[3] / EXAMPLE / "thesis.toml").read_text(encoding="utf-8"))
    rows = {*plan["thesis"]["table_3"], *plan["thesis"]["table_4"]}
    for claim in plan["thesis"]["claims"]:
        assert {claim["row"], claim.get("than", claim["row"])} <= rows
        assert {claim["first"], *claim.get("others", [])} <= set(AGENTS)


def test_sizes_are_those_of_the_tables(thesis):
    """The least difference printed, in shares; claims about bounds have none."""
    study = thesis.Thesis(tomllib.loads((ROOT / EXAMPLE / "thesis.toml").read_text(encoding="utf-8")), Path(), None)
    sizes = {claim["text"]: study.printed_size(claim) for claim in study.plan["thesis"]["claims"]}
    assert sizes["MCTS has most points in Love Letter"] == pytest.approx(0.03)
    assert sizes["RHEA has more points than OSLA in the total"] == pytest.approx(0.0446)
    assert sizes["RHEA wins more with two cards than with three"] == pytest.approx(0.78)
    assert sizes["RHEA is as good as OSLA in Virus! (within 10 points of 100)"] is None
    assert sizes["OSLA wins no game with two cards (less than 10 %)"] is None


def test_a_mean_of_rows_has_the_search_of_each(thesis):
    """So a claim about the total is not judged where an agent hardly searched in one of the games."""
    one, other = (
        thesis.Row(
            {agent: IntervalEstimate(0.5, Interval(0.4, 0.6)) for agent in AGENTS},
            {pair: IntervalEstimate(gain, Interval(gain, gain)) for pair in permutations(AGENTS, 2)},
            dict.fromkeys(AGENTS, 10),
            {agent: [SearchEffort(10, 9.0, share if agent == "rmhc" else 0.0)] for agent in AGENTS},
        )
        for gain, share in ((0.2, 0.0), (0.3, 0.5))
    )
    total = thesis.Row.mean([one, other], [1.0, 1.0])
    claims = [
        thesis._judged({"text": "", "published": "", "first": "mcts", "others": [rest]}, [total], "", None).verdict
        for rest in ("rhea", "rmhc")
    ]
    assert claims == [Verdict.AGREES, Verdict.NOT_JUDGED]


def heuristic_in_java(name: str) -> StateHeuristic:
    return make_heuristic(f"{Path(__file__).parents[3] / EXAMPLE / 'tag_heuristics.py'}:{name}")


def test_tic_tac_toe_in_java_adds_what_is_the_opponents():
    model = TicTacToe()
    state = model.setup(2, Rng(1))
    model.next(state, Mark(4, 3), Rng(1))  # the centre: on four of eight lines
    heuristic = heuristic_in_java("TicTacToe")
    assert heuristic.value(state, 0) == pytest.approx(0.8 * 0.125 / 2)
    assert heuristic.value(state, 1) == pytest.approx(0.5 * 0.027 / 2)


def test_pandemic_in_java_stays_at_the_research_station_rather_than_cure():
    state = Pandemic().setup(2, Rng(1))
    mover = state.current_player
    state.hands[mover] = (0, 1, 2, 3, 4)  # city cards of one colour
    heuristic = heuristic_in_java("Pandemic")
    before = heuristic.value(state, 0)
    assert before == pytest.approx(0.1 * sum(state.supply) / 24 + 0.3 + 0.3 * 5 / 7)
    state.hands[mover] = ()
    state.cured = 1
    cured = heuristic.value(state, 0)
    assert cured == pytest.approx(before + 0.6 / 4 - 0.3 * 5 / 7)
    assert cured < before
    state.pawns[mover] = NEIGHBOURS[state.pawns[mover]][0]
    assert heuristic.value(state, 0) == pytest.approx(cured - 0.3)
