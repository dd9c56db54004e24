"""The curves of a study: the same points whoever works them out, whenever, and in how many pieces."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tag.tournaments.results.curves import grid
from tag.tuning.reports.curves import FEWEST_GAMES, MOST_CONFIGURATIONS, StudyPoint, points, tracked_configurations
from tag.tuning.search.history import incumbents_frame
from tag.tuning.search.incumbents import Incumbent
from tag.tuning.search.trials import COMPLETE, DROPPED, VOID, FinishedTrial, joined, trials_frame

pytestmark = pytest.mark.flow


def trial(number: int, spec: str = "a", games: int = 10, state: str = COMPLETE, **changes: Any) -> FinishedTrial:
    values = () if state == VOID else (0.5,)
    known = {"values": values, "error": 0.1, "spared": 0, **changes}
    return FinishedTrial(number, 1, spec, {}, 0 if state == VOID else games, state=state, **known)


def incumbent(games: int, value: float = 0.5) -> Incumbent:
    return Incumbent(games, "a", value, 0.05, value - 0.1, games)


TRIALS = trials_frame([trial(0), trial(1, state=VOID), trial(2, state=DROPPED, games=5), trial(3), trial(4)])
INCUMBENTS = incumbents_frame([incumbent(10), incumbent(15), incumbent(35, 0.6)])


class TestPoints:
    def test_a_point_is_what_the_model_said_and_the_trials_until_then(self) -> None:
        found = list(points(TRIALS, INCUMBENTS, complete=True))
        assert [point.games for point in found] == [10, 15, 35]
        assert [(point.values["trials"], point.values["dropped"]) for point in found] == [(1, 0), (3, 1), (5, 1)]
        assert found[2].values == {
            "incumbent/value": 0.6,
            "incumbent/deviation": 0.05,
            "incumbent/pessimistic": 0.5,
            "incumbent/shared": 0.0,
            "trials": 5.0,
            "dropped": 1.0,
        }

    def test_the_last_word_of_the_model_is_waited_for(self) -> None:
        assert [point.games for point in points(TRIALS, INCUMBENTS)] == [10, 15]

    def test_what_is_known_is_left_out(self) -> None:
        whole = list(points(TRIALS, INCUMBENTS, complete=True))
        assert list(points(TRIALS, INCUMBENTS, 10, complete=True)) == whole[1:]
        assert list(points(TRIALS, INCUMBENTS, 35, complete=True)) == []

    @pytest.mark.parametrize("ended", range(6))
    def test_tables_of_two_instants_give_no_wrong_point(self, ended: int) -> None:
        whole = list(points(TRIALS, INCUMBENTS, complete=True))
        found = list(points(TRIALS.iloc[:ended], INCUMBENTS, complete=True))
        assert found == whole[: [0, 1, 1, 2, 2, 3][ended]]

    def test_generations_follow_one_another(self) -> None:
        trials = joined([TRIALS, TRIALS])
        found = list(points(trials, joined([INCUMBENTS, INCUMBENTS]), complete=True))
        assert [point.games for point in found] == [10, 15, 35, 45, 50, 70]
        assert [point.values["trials"] for point in found] == [1, 3, 5, 6, 8, 10]

    def test_nothing_has_no_points(self) -> None:
        assert list(points(pd.DataFrame(), pd.DataFrame())) == []
        assert list(points(TRIALS, incumbents_frame([]), complete=True)) == []


class TestConfigurations:
    def test_values_and_errors_are_those_of_all_games(self) -> None:
        rows = [trial(0, games=10, values=(0.2,), error=0.1), trial(1, games=30, values=(0.6,), error=0.2)]
        (one,) = tracked_configurations(trials_frame(rows), 40, complete=True)
        assert list(one.points(complete=True)) == [
            StudyPoint(10, {"value": 0.2, "error": 0.1}),
            StudyPoint(40, {"value": pytest.approx(0.5), "error": pytest.approx(sqrt(1.0 + 36.0) / 40)}),
        ]

    def test_single_games_have_the_error_of_a_mean(self) -> None:
        results = [1.0, 0.0, 0.0, 1.0, 1.0] * 8
        rows = trials_frame([trial(n, games=1, values=(won,), error=None) for n, won in enumerate(results)])
        (one,) = tracked_configurations(rows, 40, complete=True)
        last = list(one.points(complete=True))[-1]
        assert last.games == 40
        assert last.values["error"] == pytest.approx(np.std(results, ddof=1) / sqrt(40))

    def test_a_curve_goes_on_where_it_ended(self) -> None:
        rows = trials_frame([trial(n, values=(n / 100,)) for n in range(100)])
        (whole,) = tracked_configurations(rows, 1_000, complete=True)
        (part,) = tracked_configurations(rows.iloc[:57], 1_000, complete=False)
        before = list(part.points(complete=False))
        assert before == list(whole.points(complete=True))[: len(before)]
        assert len(before) == len(grid(57))

    def test_those_with_the_most_games_have_runs(self) -> None:
        rows = trials_frame([trial(n, f"agent:x={n % 70}", games=10 + n % 70) for n in range(140)])
        chosen = tracked_configurations(rows, 10_000, complete=True)
        assert [one.name for one in chosen] == [f"agent:x={x}" for x in range(69, 69 - MOST_CONFIGURATIONS, -1)]

    @pytest.mark.parametrize("seed", range(5))
    def test_whoever_has_a_run_early_is_among_those_in_the_end(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        rows = trials_frame([trial(n, f"a:x={x}", games=7) for n, x in enumerate(rng.geometric(0.05, 1_000).tolist())])
        last = {one.name for one in tracked_configurations(rows, 7_000, complete=True)}
        early: set[str] = set()
        for end in range(0, 1_000, 50):
            early |= {one.name for one in tracked_configurations(rows.iloc[:end], 7_000, complete=False)}
        assert early <= last
        assert early
        assert len(last) == MOST_CONFIGURATIONS

    def test_few_games_or_none_that_count_have_no_run(self) -> None:
        rows = trials_frame([trial(0, "few", games=FEWEST_GAMES - 1), trial(1, "void", state=VOID), trial(2, "many")])
        assert [one.name for one in tracked_configurations(rows, 30, complete=True)] == ["many"]
        assert tracked_configurations(trials_frame([]), 30, complete=True) == []

    def test_another_generation_is_another_run(self) -> None:
        rows = joined([trials_frame([trial(0)]), trials_frame([trial(0), trial(1)])])
        found = tracked_configurations(rows, 30, complete=True)
        assert [(one.name, one.spec, one.games) for one in found] == [
            ("generation 2: a", "a", 20),
            ("generation 1: a", "a", 10),
        ]
