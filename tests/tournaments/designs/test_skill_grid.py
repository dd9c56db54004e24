"""The same agents at growing budgets: how they are asked for, and every budget against every other."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run_tag

from tag.errors import ParameterError
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.designs.agents import at_budgets, budgets_of, read_budgets
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

GRID = ("--agent", "mcts", "--budgets", "2..32x4", "--design", "grid", "--blocks", "6", "--seed", "3")
LOCAL = ("--workers", "1", "--no-tracking")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "grid"
    result = run_tag("tournament", "tic_tac_toe", *GRID, "--out", folder, *LOCAL)
    assert result.exit_code == 0, result.output
    return folder


class TestBudgets:
    def test_they_grow_by_a_factor_or_are_a_list(self) -> None:
        assert read_budgets("50..400") == (50, 100, 200, 400)
        assert read_budgets("10..1000x10") == (10, 100, 1000)
        assert read_budgets("7,9,200") == (7, 9, 200)
        assert read_budgets("50") == (50,)

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("50,", "it is a range such as 50..800 or 10..1000x10, or a list"),
            ("much", "it is a range such as 50..800 or 10..1000x10, or a list"),
            ("9,7,9", "they grow: 7,9"),
            ("400..50", "they grow, such as 50..800 or 10..1000x10"),
            ("0..8", "they grow, such as 50..800 or 10..1000x10"),
            ("50..400x1", "they grow, such as 50..800 or 10..1000x10"),
        ],
    )
    def test_a_mistake_is_one_sentence(self, text: str, reason: str) -> None:
        with pytest.raises(ParameterError) as error:
            read_budgets(text)
        assert str(error.value) == f"budgets cannot be {text!r}; {reason}"

    def test_the_nearest_end_is_named(self) -> None:
        with pytest.raises(ParameterError, match="2-fold steps from 50 do not meet 390; the nearest end is 400"):
            read_budgets("50..390")
        with pytest.raises(ParameterError, match="the nearest end is 200"):
            read_budgets("50..210")

    def test_who_has_a_budget_or_none_takes_part_once(self) -> None:
        agents = at_budgets(("mcts:k=2", "random", "rhea:budget=9"), (5, 10))
        assert agents == ("mcts:k=2,budget=5", "mcts:k=2,budget=10", "random", "rhea:budget=9")

    def test_budgets_that_nobody_takes_are_refused(self) -> None:
        with pytest.raises(ParameterError, match="none of random, mcts:budget=5 takes one"):
            at_budgets(("random", "mcts:budget=5"), (5, 10))
        assert at_budgets(("random", "a=mcts"), (5,)) == ("random", "a 5=mcts:budget=5")

    def test_columns_are_called_by_their_budgets_where_nothing_else_differs(self) -> None:
        assert budgets_of(("mcts:budget=5,k=2", "mcts:budget=9,k=2")) == ["5", "9"]
        assert budgets_of(("mcts:budget=5,k=2", "mcts:budget=9")) == []
        assert budgets_of(("mcts:budget=5", "mcts")) == []  # the default is not said


class TestGrid:
    def test_every_budget_meets_every_other_in_both_seats(self, folder: Path) -> None:
        labels = ["mcts:budget=2", "mcts:budget=8", "mcts:budget=32"]
        _games, seats = read_ledger(folder)
        met = seats.groupby("game_id", sort=False)["agent"].agg(tuple)
        assert sorted(met[:6]) == sorted([*combinations(labels, 2), *((b, a) for a, b in combinations(labels, 2))])

    def test_the_results_are_those_of_the_ledger(self, folder: Path) -> None:
        grid = read_results(folder).grid
        assert grid is not None
        _games, seats = read_ledger(folder)
        wide = seats.assign(side=seats["agent_index"]).pivot(index="game_id", columns="side", values="ordinal")
        for row, column in combinations(range(3), 2):
            of_two = wide[[row, column]].dropna()
            score = (of_two[row] < of_two[column]).mean() + 0.5 * (of_two[row] == of_two[column]).mean()
            assert grid.score[row, column] == pytest.approx(score)
        assert np.all(grid.games + 12 * np.eye(3) == 12)
        assert np.nanmax(grid.score[2, :2]) > 0.6  # a search of 32 is better than one of 2

    def test_the_matrix_is_in_the_order_of_the_budgets(self, folder: Path) -> None:
        text = run_tag("results", folder).stdout
        _about, heading, *rows = text.split("\n\n")[1].splitlines()
        assert heading.split() == ["2", "8", "32"]
        assert [row.split()[0] for row in rows] == ["mcts:budget=2", "mcts:budget=8", "mcts:budget=32"]
        grid = json.loads(run_tag("results", folder, "--json").stdout)["grid"]
        assert grid["score"][0][0] is None
        assert f"{grid['score'][0][2]:.2f} ± {(grid['high'][0][2] - grid['low'][0][2]) / 2:.2f}" in rows[0]

    def test_the_report_has_it_as_a_heat_map(self, folder: Path, reading_of: Any) -> None:
        page = reading_of(report_html(folder))
        page.check()
        assert "Skill grid" in page.words["h2"]
        assert page.words["text"].count("32") == 2  # drawn for wide and for narrow windows

    def test_toml_says_the_same(self, folder: Path, tmp_path: Path) -> None:
        file = tmp_path / "grid.toml"
        file.write_text(
            'game = "tic_tac_toe"\nagents = ["mcts"]\nbudgets = "2..32x4"\ndesign = "grid"\nblocks = 6\nseed = 3\n'
        )
        result = run_tag("tournament", file, "--out", tmp_path / "t", *LOCAL, "--json")
        assert json.loads(result.stdout)["content_hash"] == read_results(folder).content_hash

    def test_several_agents_at_several_budgets(self, tmp_path: Path) -> None:
        arguments = ("--agent", "mcts", "--agent", "osla", "--budgets", "2,4", "--design", "grid", "--blocks", 1)
        result = run_tag("tournament", "tic_tac_toe", *arguments, "--out", tmp_path / "t", *LOCAL)
        assert result.exit_code == 0, result.output
        assert len(read_results(tmp_path / "t").standings) == len(at_budgets(("mcts", "osla"), (2, 4)))

    def test_another_budget_is_added_later(self, folder: Path, tmp_path: Path) -> None:
        longer = ("tournament", tmp_path / "t", "--extend", "--agent", "osla", "--agent", "mcts", "--budgets", "64,128")
        assert run_tag("tournament", "tic_tac_toe", *GRID, "--out", tmp_path / "t", *LOCAL).exit_code == 0
        result = run_tag(*longer, *LOCAL, "--json")
        labels = {agent["agent"] for agent in json.loads(result.stdout)["agents"]}
        assert {"mcts:budget=32", "mcts:budget=64", "mcts:budget=128"} < labels
        refused = run_tag("tournament", folder, "--budgets", "4,8")
        assert refused.exit_code == 2
        assert "holds a tournament already; for more budgets, add --extend" in refused.stderr

    def test_other_designs_have_no_matrix(self, tmp_path: Path) -> None:
        run_tag("tournament", "tic_tac_toe", "--agent", "osla", "--agent", "random", "--out", tmp_path / "t", *LOCAL)
        assert read_results(tmp_path / "t").grid is None
        assert json.loads(run_tag("results", tmp_path / "t", "--json").stdout)["grid"] is None
