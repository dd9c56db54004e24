"""Games for one player: agents play alone, and are compared by their scores on the same chance seeds."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import open_tournament
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.definition import define
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.sections.data import read_tournament
from tag.tournaments.reports.sections.games import courses
from tag.tournaments.results.analysis.definition import analysis
from tag.tournaments.results.tournament import rate, read_results
from tag.tournaments.run import run_tournament
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tuning.agent.defining import define_study

pytestmark = pytest.mark.flow

#: Games of a few dozen actions; what agents score differs all the same.
SHORT = "twenty_forty_eight:target=64,play_on=false"
AGENTS = ("random", "osla", "rmhc:budget=8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "alone"
    run_tournament(define(SHORT, AGENTS, 6, draw=("fours=2,10",)), folder, tracking=False)
    return folder


def test_each_agent_plays_alone_on_the_same_chance_seeds(folder: Path) -> None:
    games, seats = read_ledger(folder)
    assert len(games) == len(seats) == 6 * len(AGENTS)
    of_blocks = games.groupby("block")["seed"].nunique()
    assert (of_blocks == 1).all()
    assert (seats.groupby("block")["agent"].nunique() == len(AGENTS)).all()


def test_standings_are_by_mean_score(folder: Path) -> None:
    results = read_results(folder)
    assert results.by_score
    assert not results.teams
    means = read_ledger(folder)[1].groupby("agent", observed=False)["score"].mean()
    assert [one.score for one in results.standings] == pytest.approx(sorted(means, reverse=True))
    for one in results.standings:
        assert one.score == pytest.approx(means[one.agent])
        assert one.score_interval.low < one.score < one.score_interval.high


def test_tables_show_scores_with_intervals(folder: Path) -> None:
    shown = run_tag("results", folder).stdout
    assert "score" in shown.splitlines()[0]
    assert "points" not in shown
    best = read_results(folder).standings[0]
    assert f"{best.score:,.2f} ± " in shown
    assert "score by fours" in shown


def test_pairs_tell_who_scored_more_in_how_many_blocks(folder: Path) -> None:
    summary = rate(folder)
    table = read_ledger(folder)[1].pivot(index="block", columns="agent", values="score")
    pairs = summary.pairs
    for i, one in enumerate(pairs.labels):
        for j, other in enumerate(pairs.labels):
            if i != j:
                won = (table[one] > table[other]) + 0.5 * (table[one] == table[other])
                assert pairs.score[i, j] == pytest.approx(won.mean())
                assert pairs.games[i, j] == 6
    assert summary.seats == {}
    assert np.isclose(sum(agent.rating for agent in summary.agents), 0.0)
    shown = run_tag("ratings", folder)
    assert shown.exit_code == 0, shown.output
    assert "seats" not in shown.stdout
    json.loads(run_tag("ratings", folder, "--json").stdout)


def test_exports_have_the_same_pairs(folder: Path) -> None:
    pairs = rate(folder).pairs
    exported = pd.read_csv(StringIO(run_tag("export", folder, "pairs").stdout))
    assert len(exported) == len(AGENTS) * (len(AGENTS) - 1)
    for row in exported.itertuples():
        cell = pairs.labels.index(row.agent), pairs.labels.index(row.opponent)
        assert (row.games, row.score) == (pairs.games[cell], pytest.approx(pairs.score[cell]))
    table = pd.read_csv(StringIO(run_tag("export", folder, "crosstable").stdout))
    assert (table["games"] == 6 * (len(AGENTS) - 1)).all()


def test_the_report_draws_scores(folder: Path) -> None:
    reading = read_tournament(folder)
    assert reading.ratings is not None
    course = courses(reading.counted, by_score=True)
    last = course.groupby("agent_index").last()["mean"]
    scores = {one.agent: one.score for one in reading.results.standings}
    assert [scores[reading.definition.labels[agent]] for agent in last.index] == pytest.approx(list(last))
    page = Path(run_tag("report", folder).stdout.strip()).read_text(encoding="utf-8")
    assert "placed by their scores" in page
    assert "Score over games" in page
    assert "Points per seat" not in page


def test_notebooks_show_scores(folder: Path) -> None:
    run = open_tournament(folder)
    assert "score_low" in run._repr_html_()
    assert run.figure().axes[0].get_xlabel() == "score, with 95 % intervals"


def test_faults_are_below_all_scores(folder: Path) -> None:
    seats = read_ledger(folder)[1]
    out = seats["agent"] == seats["agent"].iloc[0]
    seats.loc[out & (seats["block"] == 0), "result"] = "disqualified"
    ranked = RankedGames.by_score([seats])
    of_block = ranked.places[(ranked.blocks == 0) & (ranked.agents == seats["agent_index"].iloc[0]).any(axis=1)]
    assert of_block.tolist() == [[2, 1]] * (len(AGENTS) - 1)


def test_absent_agents_are_compared_with_no_others(folder: Path) -> None:
    seats = read_ledger(folder)[1]
    ranked = RankedGames.by_score([seats[(seats["block"] > 3) | (seats["agent_index"] == 0)]])
    assert len(ranked) == 2 * len(AGENTS)
    assert set(ranked.blocks.tolist()) == {4, 5}


def test_one_agent_has_a_mean_score_and_no_rating(tmp_path: Path) -> None:
    run_tournament(define(SHORT, ("random",), 3), tmp_path, tracking=False)
    assert read_results(tmp_path).standings[0].games == 3
    with pytest.raises(DataError, match="has nothing to rate: one agent plays alone"):
        rate(tmp_path)
    assert run_tag("report", tmp_path).exit_code == 0


def test_studies_maximise_the_score_unless_they_say_otherwise() -> None:
    assert define_study("osla", SHORT, games=50, search=("budget",)).objective == "score"
    assert define_study("osla", SHORT, games=50, search=("budget",), objective="success").objective == "success"


def test_an_analysis_measures_scores_and_skill(tmp_path: Path) -> None:
    definition = analysis((SHORT,), (1,), n_games=3, skill_agent="rmhc:budget=8", skill_games=6)
    summary = run_analysis(definition, tmp_path).summary.set_index("measure")
    seats = read_ledger(next(tmp_path.glob("games/*")))[1]
    assert summary.loc["score", "mean"] == pytest.approx(seats["score"].mean())
    assert 0.0 <= summary.loc["skill", "low"] <= summary.loc["skill", "mean"] <= summary.loc["skill", "high"] <= 1.0
    assert "team_skill" not in summary.index


@pytest.mark.parametrize(
    "words",
    [
        "tournament --sprt 0,20 --no-ray",
        *[f"tournament --design {name} --no-ray" for name in ("swiss", "knockout", "gauntlet", "grid", "best_agent")],
        "noise --blocks 20 --workers 1",
    ],
)
def test_what_needs_several_seats_is_refused(words: str, tmp_path: Path) -> None:
    command, *options = words.split()
    refused = run_tag(command, SHORT, "--agent", "random", "--agent", "osla", *options, "--out", tmp_path)
    assert refused.exit_code == 2
    assert "win or lose together" not in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


def test_copies_of_an_agent_do_not_meet_in_games_for_one() -> None:
    refused = run_tag("noise", SHORT, "--agent", "random", "--no-ray")
    assert refused.exit_code == 2
    assert "for one player, where copies do not meet" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
