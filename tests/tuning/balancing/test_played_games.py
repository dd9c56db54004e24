"""Estimators on ledgers of real games, beside what standings, pairwise tables and frames say of the same games."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import pytest

from tag.tournaments import define, read_ledger, read_measures, run_tournament
from tag.tournaments.results.tournament import read_results
from tag.tournaments.statistics.ratings.pairwise import pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.standings import team_standings, whole_match_ups
from tag.tuning.balancing import (
    CandidateGames,
    Estimate,
    match_up_distance,
    measures_of,
    needed_metrics,
    read_target,
    restricted,
    skill_trace,
    unseen,
)
from tag.tuning.balancing.targets import estimates

pytestmark = pytest.mark.flow


def played(folder: Path, game: str, agents: tuple[str, ...], blocks: int, **rest: object) -> Path:
    run_tournament(define(game, agents, blocks, **rest), folder, tracking=False)  # type: ignore[arg-type]
    return folder


def games_of(folder: Path) -> CandidateGames:
    return CandidateGames(*read_ledger(folder), read_measures(folder))


def told(folder: Path, text: str, game: str, players: int) -> Estimate:
    (found,) = estimates([read_target(text, game, players)], games_of(folder), game)
    return found


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four players, two restrictions, with all that can be measured."""
    agents = ("osla", "random", restricted("osla", "Guard"), restricted("osla", "Handmaid"))
    metrics = ("action_space", "branching", "lead")
    folder = tmp_path_factory.mktemp("runs") / "letters"
    return played(folder, "love_letter", agents, 25, players=4, metrics=metrics)


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "together"
    game = "pandemic:cards_for_cure=3,epidemics=0"
    return played(folder, game, ("random", "osla"), 5, players=2, design="self_play")


def test_win_rates_are_those_of_the_standings(letters: Path) -> None:
    for standing in read_results(letters).standings:
        found = told(letters, f"win_rate({standing.agent})>=0", "love_letter", 4)
        assert (found.value, found.low, found.high, found.games) == pytest.approx(
            (standing.win_rate, standing.win_rate_interval.low, standing.win_rate_interval.high, standing.games)
        )


def test_what_metrics_measured_counts_each_game_once(letters: Path) -> None:
    for name in ("single_actions", "branching", "lead_changes", "drama", "decided_at", "stability", "actions"):
        rows = read_measures(letters)
        values = rows[rows["measure"] == name].groupby("game_id", observed=True)["value"].mean()
        found = told(letters, f"{name}>=0", "love_letter", 4)
        assert found.value == pytest.approx(values.mean())
        assert found.games == len(values) == 100
        assert 0.0 < found.low < found.value < found.high


def test_every_measure_can_be_estimated_and_lies_where_it_may(letters: Path, tmp_path: Path) -> None:
    file = tmp_path / "wanted.csv"
    file.write_text(",osla,random\nosla,,0.6\n")
    arguments = {"agent": "osla", "action": "Guard", "seconds": "20", "actions": "60", "file": str(file)}
    known = measures_of("love_letter")
    for name, measure in known.items():
        if name in ("success", "skill_slope") or measure.metric not in ("", "lead", "action_space", "branching"):
            continue
        argument = "" if measure.is_optional else arguments.get(measure.argument, "")
        if name == "skill_area":
            argument = "restricted"
        text = f"{name}({argument})>={max(measure.least, -1)}" if argument else f"{name}>={max(measure.least, -1)}"
        found = told(letters, text, "love_letter", 4)
        assert isfinite(found.value), name
        assert measure.least <= found.low <= found.high <= measure.greatest, name
        assert found.games == (0 if name == "rules_distance" else 100), name


def test_what_has_to_be_measured_is_said(letters: Path) -> None:
    targets = [read_target(text, "love_letter", 4) for text in ("drama>=0", "length>=0", "branching>=0")]
    assert needed_metrics(targets, "love_letter") == ("lead", "branching")
    rewards = told(letters, "final_heuristic>=0", "love_letter", 4)  # whose metric was not attached
    assert not isfinite(rewards.value)
    assert rewards.games == 0


def test_an_agent_without_a_card_is_weaker(letters: Path) -> None:
    found = told(letters, "restriction(Guard)=0±0.1", "love_letter", 4)
    _games, seats = read_ledger(letters)
    points = seats.groupby("agent", observed=True)["points"].mean()
    assert found.value == pytest.approx(points[restricted("osla", "Guard")] - points["osla"])
    assert found.low < found.value < found.high


def test_distances_are_those_of_the_pairwise_table(letters: Path) -> None:
    candidate = games_of(letters)
    table = pairwise(RankedGames.of(candidate.seats))
    one, other = candidate.agent("osla"), candidate.agent("random")
    score = float(table.score[one, other])
    far = match_up_distance(candidate, {("osla", "random"): score - 0.4})
    assert far.value == pytest.approx(0.4, abs=0.01)
    assert match_up_distance(candidate, {("osla", "random"): score}).value < 0.0
    both = match_up_distance(candidate, {("osla", "random"): score - 0.4, ("random", "osla"): 1.4 - score})
    assert both.value == pytest.approx(far.value, abs=0.01)


def test_success_is_that_of_the_teams_standing(together: Path) -> None:
    games, seats = read_ledger(together)
    game = "pandemic:cards_for_cure=3,epidemics=0"
    for standing in team_standings(whole_match_ups(games, seats, 1 + int(games["seating"].max())), 2):
        if len(set(standing.agents)) == 1:
            found = told(together, f"success({standing.agents[0]})>=0", game, 2)
            expected = (standing.success_rate, standing.success_rate_interval.low, standing.success_rate_interval.high)
            assert (found.value, found.low, found.high) == pytest.approx(expected)
            assert found.games == standing.games
    assert told(together, "rules_distance<=1", game, 2).value > 0.0


def test_random_against_random_has_no_skill(tmp_path: Path) -> None:
    """Four equal agents on a ladder, each drawing numbers of its own."""
    agents = ("random",) * 4
    folder = played(tmp_path / "t", "connect_four", agents, 100, design="ladder", streams="agent", seed=3)
    found = skill_trace(games_of(folder))
    for estimate in (*found.gains, found.area, found.slope):
        assert estimate.low < 0.0 < estimate.high
        assert 0.0 < estimate.error < 0.15
    assert found.agents == ("random", "random#2", "random#3", "random#4")


def test_twice_the_budget_wins_at_connect_four(tmp_path: Path) -> None:
    agents = tuple(f"mcts:budget={budget}" for budget in (8, 32, 128))
    folder = played(tmp_path / "t", "connect_four", agents, 12, design="ladder")
    found = skill_trace(games_of(folder))
    assert found.area.low > 0.0
    assert found.area.games == 48
    assert told(folder, "skill_area(mcts)>=0.3", "connect_four", 2) == found.area
    assert told(folder, "skill_slope(mcts)>=0.3", "connect_four", 2) == found.slope


def test_a_game_without_chance_has_no_luck(tmp_path: Path) -> None:
    folder = played(tmp_path / "t", "connect_four", ("mcts:budget=8", "random"), 100, streams="agent")
    found = told(folder, "luck<=0.1", "connect_four", 2)
    assert found.low < 0.0 < found.high
    assert 0.0 < found.error < 0.2


def test_words_that_nothing_is_called_are_doubted() -> None:
    assert unseen("love_letter", 2, ["Guard", "prince on player 1", "*Priest?"]) == []
    (sentence,) = unseen("love_letter", 2, ["Gaurd", "Guard"])
    assert sentence == "no action in 20 random games of love_letter is called 'Gaurd'; did you mean 'Guard'?"
