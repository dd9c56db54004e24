"""``tag ratings``: from a tournament's folder to one scale."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.results.tournament import rate, rate_games
from tag.tournaments.statistics.ratings.pairwise import pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import rate_agents

pytestmark = pytest.mark.flow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "t"
    definition = define("connect_four:width=5,height=4", ("random", "osla", "rmhc:budget=10"), 8)
    run_tournament(definition, folder, tracking=False)
    return folder


def test_the_summary_is_what_the_functions_say(folder: Path) -> None:
    summary = rate(folder)
    ranked = RankedGames.of(read_ledger(folder)[1])
    fit, pairs = rate_agents(ranked), pairwise(ranked)
    by_label = {agent.agent: agent for agent in summary.agents}
    for number, label in enumerate(fit.fit.labels):
        assert by_label[label].rating == fit.fit.ratings[number]
        assert by_label[label].p_best == fit.best()[number]
    assert np.array_equal(summary.pairs.score, pairs.score, equal_nan=True)
    assert [agent.rating for agent in summary.agents] == sorted(fit.fit.ratings, reverse=True)
    assert summary.games == 48
    assert sum(agent.nash for agent in summary.agents) == pytest.approx(1.0)
    assert sum(agent.alpha_rank for agent in summary.agents) == pytest.approx(1.0)


def test_agents_share_a_letter_just_if_they_cannot_be_told_apart(folder: Path) -> None:
    summary = rate(folder)
    letters = {agent.agent: set(agent.groups) for agent in summary.agents}
    different = summary.differences.is_different()
    for i, one in enumerate(summary.pairs.labels):
        for j, other in enumerate(summary.pairs.labels):
            assert bool(letters[one] & letters[other]) == (i == j or not different[i, j])


def test_the_tables_and_the_json(folder: Path) -> None:
    shown = run_tag("ratings", folder, "--anchor", "random=1000")
    assert shown.exit_code == 0, shown.output
    assert "fixed" in next(line for line in shown.stdout.splitlines() if line.startswith("random ") and "+1000" in line)
    assert "alpha-rank" in shown.stdout
    assert "seats of 2 in rating points: 0: +" in shown.stdout
    plain = json.loads(run_tag("ratings", folder, "--json").stdout)
    assert "NaN" not in json.dumps(plain)
    assert {agent["agent"] for agent in plain["agents"]} == {"random", "osla", "rmhc:budget=10"}


def test_agents_that_never_met_are_rated_all_the_same(tmp_path: Path) -> None:
    run_tournament(define("tic_tac_toe", ("random", "osla") * 2, 2, design="knockout"), tmp_path, tracking=False)
    summary = rate(tmp_path)
    assert summary.intransitivity is None
    assert run_tag("ratings", tmp_path).exit_code == 0
    plain = json.loads(run_tag("ratings", tmp_path, "--json").stdout)
    assert {agent["component"] for agent in plain["agents"]} == {1}
    assert plain["differences"]["labels"] == plain["pairs"]["labels"]


def test_the_ends_of_a_ladder_share_no_letter(tmp_path: Path) -> None:
    agents = ("random", "osla", "mcts:budget=200")
    run_tournament(define("tic_tac_toe", agents, 60, design="ladder", seed=2), tmp_path, tracking=False)
    letters = {agent.agent: set(agent.groups) for agent in rate(tmp_path).agents}
    assert not letters["random"] & letters["mcts:budget=200"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--anchor", "random"], "--anchor cannot be 'random'; it is an agent of the tournament and a number"),
        (["--anchor", "random=nan"], "--anchor cannot be 'random=nan'; the rating is a finite number, such as 0"),
        (["--anchor", "random=-inf"], "--anchor cannot be 'random=-inf'; the rating is a finite number, such as 0"),
        (
            ["--anchor", "random=0", "--anchor", "osla=9", "--anchor", "random=5"],
            "--anchor cannot be 'random=5' after 'random=0'; give it once",
        ),
        (["--anchor", "random=0", "--anchor", "osla=1e9"], "anchors cannot be 0 and 1e+09; they are at most 20,000"),
        (["--anchor", "rendom=0"], "no agent named 'rendom'; did you mean 'random'?"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str, folder: Path) -> None:
    result = run_tag("ratings", folder, *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_without_a_whole_match_up_there_are_no_ratings(tmp_path: Path) -> None:
    from tag.tournaments.ledger.folder import Folder
    from tag.tournaments.ledger.writing import Ledger

    definition = define("tic_tac_toe", ("random", "osla"), 1)
    with Folder.locked(tmp_path, definition):
        Ledger(tmp_path, definition)
    with pytest.raises(DataError, match="has no whole match-up yet"):
        rate(tmp_path)


def test_who_has_no_games_that_count_is_not_the_best() -> None:
    rng = np.random.default_rng(1)
    places = rng.permuted(np.tile([1, 2], (40, 1)), axis=1)
    ranked = RankedGames(("first", "second", "absent"), np.tile([[0, 1], [1, 0]], (20, 1)), places, np.arange(40) // 2)
    by_label = {agent.agent: agent for agent in rate_games(ranked).agents}
    assert np.isnan(by_label["absent"].p_best)
    assert by_label["first"].p_best + by_label["second"].p_best == pytest.approx(1.0)
