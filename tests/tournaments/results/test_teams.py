"""Teams: two against two is a contest of two sides; where all are one team, the score counts, or else success."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run_tag
from stores.frames import ledger_frames, ledger_table

from tag.check import check_game
from tag.engine.results import LOSE, WIN
from tag.errors import DataError, PlayersError
from tag.tournaments.commands.export import pairs_frame
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.definition import define
from tag.tournaments.ledger.games import read_ledger, read_measures
from tag.tournaments.ledger.rows import is_cooperative
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections.data import read_tournament
from tag.tournaments.results.tournament import rate, read_results
from tag.tournaments.run import run_tournament
from tag.tournaments.statistics.ratings.plackett_luce import plackett_luce
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.standings import team_standings

pytestmark = pytest.mark.flow

DOUBLES = f"{Path(__file__).parent / 'doubles.py'}:Doubles"
PANDEMIC = "pandemic:cards_for_cure=3,epidemics=0"


@pytest.fixture(scope="module")
def doubles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "doubles"
    definition = define(DOUBLES, ("random", "osla"), 60, metrics=("lead",))
    run_tournament(definition, folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "together"
    definition = define(PANDEMIC, ("random", "osla"), 4, players=3, design="self_play", draw=("actions=4,6",))
    run_tournament(definition, folder, tracking=False)
    return folder


@pytest.mark.parametrize(("game", "expected"), [(PANDEMIC, True), (DOUBLES, False)])
def test_who_shows_it_live_knows_whether_all_win_together(
    game: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Shown(Progress):
        wants_standings = True

        def show_standings(self, standings: Any, is_cooperative: bool) -> None:
            assert is_cooperative is expected
            shown.append(standings)

    shown: list[Any] = []
    monkeypatch.setattr("tag.tournaments.driver.driver._FLUSH_SECONDS", 0.0)
    monkeypatch.setattr("tag.tournaments.results.live._STANDINGS_SECONDS", 0.0)
    definition = define(game, ("random",) * 4, 1, players=4)
    run_tournament(definition, tmp_path / "t", tracking=False, progress=Shown())
    assert shown


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "alone"
    words = (
        PANDEMIC,
        "--players",
        2,
        "--agent",
        "random",
        "--blocks",
        5,
        "--seed",
        1,
        "--no-ray",
        "--no-tracking",
        "--quiet",
    )
    done = run_tag("tournament", *words, "--out", folder)
    assert done.exit_code == 0, done.output
    assert "2 x random" in done.stdout
    return folder


class TestOneTeam:
    """An agent that plays a co-operative game with copies of itself is measured, and compared with nobody."""

    def test_its_success_rate_has_an_interval(self, alone: Path) -> None:
        (team,) = json.loads(run_tag("results", alone, "--json").stdout)["teams"]
        assert (team["games"], team["blocks"]) == (5, 5)
        assert team["success_rate_low"] < team["success_rate_high"]

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["ratings"], "has nothing to rate: all players win or lose together; see tag results"),
            (["export", "pairs"], "has no pairs: one agent takes part, with copies of itself; see tag results"),
            (
                ["export", "crosstable"],
                "has no crosstable: one agent takes part, with copies of itself; see tag results",
            ),
        ],
    )
    def test_what_compares_agents_is_refused(self, alone: Path, words: list[str], sentence: str) -> None:
        refused = run_tag(words[0], alone, *words[1:])
        assert refused.exit_code == 2
        assert refused.stderr == f"tag: {str(alone)!r} {sentence}\n"

    def test_a_report_is_written(self, alone: Path) -> None:
        assert "Score of teams" in report_html(alone)


class TestTwoAgainstTwo:
    def test_the_game_keeps_the_contract(self) -> None:
        report = check_game(DOUBLES, games=2)
        assert report.ok, str(report)

    def test_a_team_wins_one_point_together(self, doubles: Path) -> None:
        _games, seats = read_ledger(doubles)
        assert (seats["team"] == seats["seat"] % 2).all()
        wins = seats[seats["win"]]
        assert set(wins["points"]) == {0.5}
        assert (wins.groupby("game_id")["team"].agg(["nunique", "size"]) == [1, 2]).all(axis=None)
        assert seats.groupby("game_id")["points"].sum().eq(1.0).all()

    def test_what_one_team_wins_the_other_loses(self, doubles: Path) -> None:
        results = read_results(doubles)
        best, worst = results.standings
        assert best.agent == "osla"
        drawn = read_ledger(doubles)[1]["result"].eq("draw").mean()
        assert best.win_rate + worst.win_rate + drawn == pytest.approx(1.0)
        assert best.points + worst.points == pytest.approx(0.5)  # an equal part of a point is one by four seats
        assert not results.is_cooperative
        assert not results.teams

    def test_a_rating_is_that_of_two_players(self, doubles: Path) -> None:
        _games, seats = read_ledger(doubles)
        captains = seats[seats["seat"] < 2]
        alone = plackett_luce(RankedGames.of(captains))
        found = {agent.agent: agent.rating for agent in rate(doubles).agents}
        assert found["osla"] > 50.0
        assert found["osla"] == pytest.approx(alone.ratings[1], rel=0.05)

    def test_its_lead_is_measured(self, doubles: Path) -> None:
        measures = read_measures(doubles)
        decided = measures[measures["measure"] == "decided_at"]["value"]
        assert len(decided) == read_ledger(doubles)[1].groupby("game_id")["win"].any().sum()

    def test_an_equal_share_is_half_of_the_games(self, doubles: Path) -> None:
        assert 0.4 < read_tournament(doubles).mean_rate <= 0.5  # less where games are drawn

    def test_a_sequential_test_can_be_had(self, tmp_path: Path) -> None:
        definition = define(DOUBLES, ("osla", "random"), 300, sprt="0,60")
        assert "accept H1" in str(run_tournament(definition, tmp_path / "t", tracking=False).stopping)

    def test_a_forfeit_loses_the_game_for_the_team(self, tmp_path: Path) -> None:
        file = tmp_path / "faulty.py"
        file.write_text(
            "from tag import Agent\n\n\nclass Faulty(Agent):\n    def act(self, observation, actions):\n"
            "        if observation.totals[1]:\n            raise ValueError\n        return actions[2]\n"
        )
        run_tournament(define(DOUBLES, (f"{file}:Faulty", "random"), 3), tmp_path / "t", tracking=False)
        _games, seats = read_ledger(tmp_path / "t")
        assert seats["result"].value_counts()["disqualified"] == 6
        faulty = seats["agent_index"] == 0
        assert seats[faulty]["points"].sum() == 0.0
        assert (seats[~faulty]["points"] == 0.5).all()


class TestCooperation:
    @pytest.mark.parametrize(
        ("teams", "expected"), [([[0, 0], [3, 3]], True), ([[0, 0], [0, 1]], False), ([[0]], True), ([], False)]
    )
    def test_it_is_when_all_are_one_team(self, teams: list[list[int]], expected: bool) -> None:
        table = ledger_table(["random"], [[0] * len(game) for game in teams], teams=teams)
        assert is_cooperative(table) == expected

    def test_the_success_of_every_team(self, together: Path) -> None:
        _games, seats = read_ledger(together)
        found = {team.team: team for team in read_results(together).teams}
        assert set(found) == {"3 x random", "2 x random + osla", "random + 2 x osla", "3 x osla"}
        n_osla = seats.groupby("game_id")["agent_index"].sum()
        success = seats.groupby("game_id")["win"].all()
        for number, name in enumerate(("3 x random", "2 x random + osla", "random + 2 x osla", "3 x osla")):
            team = found[name]
            assert team.games == 12
            assert team.blocks == 4
            assert team.successes == success[n_osla == number].sum()
            assert team.success_rate == team.successes / 12
            assert team.success_rate_interval.low < team.success_rate_interval.high
        rates = [team.success_rate for team in read_results(together).teams]
        assert rates == sorted(rates, reverse=True)
        assert found["3 x osla"].success_rate > found["3 x random"].success_rate

    def test_intervals_are_from_blocks(self) -> None:
        results = [[WIN if n < 6 else LOSE] * 2 for n in range(12)]
        _games, seats = ledger_frames(["a", "b"], [[0, 1]] * 12, block=[n // 3 for n in range(12)], results=results)
        (team,) = team_standings(seats, 2)
        assert (team.team, team.games, team.blocks, team.success_rate) == ("a + b", 12, 4, 0.5)
        assert (
            team.success_rate_interval.high - team.success_rate_interval.low > 0.8
        )  # four blocks, each all won or all lost

    def test_the_table_is_of_scores_and_success(self, together: Path) -> None:
        standings, teams, variants = run_tag("results", together).stdout.split("\n\n")
        assert "success rate" in standings
        assert not any(word in standings for word in ("points", "ordinal", "win rate"))
        assert teams.splitlines()[0].split()[:2] == ["team", "games"]
        assert all(word in standings.splitlines()[0] and word in teams.splitlines()[0] for word in ("score", "success"))
        assert len(teams.splitlines()) == 5
        assert variants.startswith("score by actions")

    def test_teams_are_placed_by_score(self, together: Path) -> None:
        results = read_results(together)
        assert results.by_score
        scores = [team.score for team in results.teams]
        assert scores == sorted(scores, reverse=True)
        assert [one.agent for one in results.standings] == ["osla", "random"]
        _games, seats = read_ledger(together)
        means = seats[seats["seat"] == 0].groupby("matchup")["score"].mean()
        assert sorted(means) == pytest.approx(sorted(scores))
        assert all(team.score_interval.low < team.score < team.score_interval.high for team in results.teams)

    def test_a_game_without_points_goes_by_success(self) -> None:
        results = [[WIN] * 2, [LOSE] * 2, [LOSE] * 2, [WIN] * 2]
        scores = [[float(one == WIN) for one in game] for game in results]
        _games, seats = ledger_frames(
            ["a", "b"], [[0, 0], [1, 1]] * 2, block=[0, 0, 1, 1], results=results, scores=scores
        )
        assert [(team.team, team.success_rate, team.score) for team in team_standings(seats, 2)] == [
            ("2 x a", 0.5, 0.5),
            ("2 x b", 0.5, 0.5),
        ]

    def test_json_has_the_teams(self, together: Path) -> None:
        read = json.loads(run_tag("results", together, "--json").stdout)
        assert read["cooperative"] is True
        assert [team["team"] for team in read["teams"]] == [team.team for team in read_results(together).teams]
        assert read["teams"][0]["agents"].count("osla") == 3

    def test_teams_of_one_agent_are_rated_by_score_in_each_block(self, together: Path) -> None:
        summary = rate(together)
        assert [one.agent for one in summary.agents] == ["osla", "random"]
        one, other = (summary.pairs.labels.index(name) for name in ("osla", "random"))
        _games, seats = read_ledger(together)
        first = seats[seats["seat"] == 0].set_index("game_id")
        alone = seats.groupby("game_id")["agent"].nunique() == 1
        blocks = first[alone[first.index]].groupby(["block", "agent"], observed=True)["score"].mean().unstack()
        wins = (blocks["osla"] > blocks["random"]) + 0.5 * (blocks["osla"] == blocks["random"])
        assert summary.pairs.games[one, other] == len(blocks) == 4
        assert summary.pairs.score[one, other] == pytest.approx(wins.mean())

    def test_exported_pairs_are_those_of_the_ratings(self, together: Path) -> None:
        pairs = pairs_frame(together).set_index(["agent", "opponent"])
        table = rate(together).pairs
        one, other = (table.labels.index(name) for name in ("osla", "random"))
        row = pairs.loc["osla", "random"]
        assert (len(pairs), row["games"]) == (2, table.games[one, other])
        assert row["score"] == table.score[one, other]
        assert (row["wins"] + 0.5 * row["draws"]) / row["games"] == pytest.approx(row["score"])

    def test_mixed_teams_alone_rate_no_agent(self, tmp_path: Path) -> None:
        definition = define(PANDEMIC, ("random", "osla"), 1, players=2)
        run_tournament(definition, tmp_path / "t", tracking=False)
        with pytest.raises(DataError, match="has nothing to rate: all players win or lose together; see tag results"):
            rate(tmp_path / "t")
        assert pairs_frame(tmp_path / "t").empty

    def test_the_report_shows_teams_and_ratings_but_no_seats(self, together: Path, reading_of: Any) -> None:
        page = reading_of(report_html(together))
        page.check()
        assert {"Teams", "Ratings", "Pairs"} <= set(page.words["h2"])
        assert "Seats" not in page.words["h2"]
        best = read_results(together).teams[0]
        label = next(label for label in page.labels if label.startswith("Score of teams"))
        assert f"{best.team}: {best.score:.3g}" in label
        assert any(label.startswith("Score by actions") for label in page.labels)

    @pytest.mark.parametrize(
        ("design", "sprt", "what"),
        [
            ("round_robin", "0,20", "sprt"),
            ("swiss", "", "design swiss"),
            ("knockout", "", "design knockout"),
            ("best_agent", "", "design best_agent"),
        ],
    )
    def test_what_needs_sides_is_refused(self, design: str, sprt: str, what: str) -> None:
        sentence = f"^{what} needs sides, and all players of pandemic win or lose together; see --design self_play$"
        with pytest.raises(PlayersError, match=sentence):
            define("pandemic", ("random", "osla"), 3, design=design, sprt=sprt)

    def test_a_grid_of_it_is_of_teams(self, tmp_path: Path) -> None:
        definition = define(PANDEMIC, ("random", "osla", "random"), 1, design="grid")
        results = run_tournament(definition, tmp_path / "t", tracking=False)
        assert results.grid is None
        assert {team.team for team in results.teams} == {"random + osla", "osla + random#2", "random + random#2"}


def test_a_contest_has_no_success_rates(tmp_path: Path) -> None:
    results = run_tournament(define("tic_tac_toe", ("random", "osla"), 2), tmp_path / "t", tracking=False)
    assert not results.is_cooperative
    assert results.teams == []
    assert results.to_json()["cooperative"] is False
    assert np.isfinite([standing.points for standing in results.standings]).all()
