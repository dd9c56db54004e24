"""The figures of an event: against exact values, and against plain arithmetic."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.definition import Rules
from tag.tournaments.results.analysis.definition import AnalysedGame, analysis
from tag.tournaments.results.analysis.speed import measure_speed
from tag.tournaments.results.measures import GameMeasure, read_event

pytestmark = pytest.mark.flow

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def lengths_of_random_tic_tac_toe() -> dict[int, float]:
    """Return the chance of each length, by going through all games."""
    chances = dict.fromkeys(range(5, 10), 0.0)
    cells = [0] * 9

    def go_on(mark: int, chance: float, length: int) -> None:
        free = [cell for cell in range(9) if not cells[cell]]
        if not free or any(cells[a] == cells[b] == cells[c] != 0 for a, b, c in LINES):
            chances[length] += chance
            return
        for cell in free:
            cells[cell] = mark
            go_on(3 - mark, chance / len(free), length + 1)
            cells[cell] = 0

    go_on(1, 1.0, 0)
    return chances


@pytest.fixture(scope="module")
def tic_tac_toe(tmp_path_factory: pytest.TempPathFactory) -> dict[str, GameMeasure]:
    folder = tmp_path_factory.mktemp("analysis") / "t"
    definition = analysis(("tic_tac_toe",), n_games=2000)
    run_tournament(definition.play(definition.events[0]), folder, tracking=False)
    return read_event(folder)


def test_tic_tac_toe_is_as_enumeration_says(tic_tac_toe: dict[str, GameMeasure]) -> None:
    """The report has 5.69 actions, 7.24 decisions and 7.61 ticks; exact are 5.687, 7.274 and 7.626."""
    chances = lengths_of_random_tic_tac_toe()
    assert sum(chances.values()) == pytest.approx(1.0)
    exact = {
        "actions": {length: np.mean(range(10 - length, 10)) for length in chances},
        "decisions": {length: min(length, 8) for length in chances},
        "ticks": {length: length for length in chances},
        "single_actions": {length: (length == 9) / 9 for length in chances},
    }
    for name, values in exact.items():
        mean = sum(chances[length] * value for length, value in values.items())
        variance = sum(chances[length] * (value - mean) ** 2 for length, value in values.items())
        found = tic_tac_toe[name].summary()
        assert found["mean"] == pytest.approx(mean, abs=4 * sqrt(variance / 2000)), name
        assert found["high"] - found["mean"] == pytest.approx(1.96 * sqrt(variance / 2000), rel=0.1), name


def test_in_tic_tac_toe_every_action_leads_elsewhere(tic_tac_toe: dict[str, GameMeasure]) -> None:
    assert tic_tac_toe["branching"].values.max() == 9
    assert tic_tac_toe["branching"].summary()["mean"] == pytest.approx(
        tic_tac_toe["actions"].summary()["mean"], abs=0.3
    )


def test_the_first_seat_of_tic_tac_toe_is_good(tic_tac_toe: dict[str, GameMeasure]) -> None:
    """Random play wins .585, draws .127 and loses .288 (exact), so the first seat has .1485 beyond an equal share."""
    found = tic_tac_toe["first_seat"].summary()
    assert found["mean"] == pytest.approx(0.1485, abs=4 * 0.45 / sqrt(2000))
    assert tic_tac_toe["decided"].summary()["mean"] == pytest.approx(0.873, abs=4 * 0.333 / sqrt(2000))


def test_a_summary_counts_each_game_once() -> None:
    values = np.array([1.0, 1.0, 1.0, 1.0, 5.0])
    measure = GameMeasure("x", "", values, np.array([0, 0, 0, 0, 2]), np.array([0, 1, 2, 3, 0]))
    found = measure.summary()
    assert (found["games"], found["values"]) == (2, 5)
    assert found["mean"] == 3.0
    assert found["sd"] == pytest.approx(1.6)
    assert (found["min"], found["median"], found["max"]) == (1.0, 1.0, 5.0)
    assert found["low"] == pytest.approx(3.0 - 12.706 * 2.0, abs=0.01)  # Student's t with one degree of freedom


def test_a_course_is_cut_into_stretches_that_enough_games_reach() -> None:
    lengths = [300] * 6 + [400] * 2
    game = np.repeat(np.arange(8), lengths)
    number = np.concatenate([np.arange(length) for length in lengths])
    course = GameMeasure("x", "", number.astype(float), game, number).course()
    assert course["at"].tolist() == list(range(0, 300, 4))
    assert course["mean"].tolist() == [at + 1.5 for at in range(0, 300, 4)]
    assert course["games"].tolist() == [8] * 75


def test_void_games_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "from tag import Agent\n\nclass Bad(Agent):\n"
        "    def act(self, observation, actions):\n        raise ValueError('no')\n"
    )
    definition = define("tic_tac_toe", (f"{file}:Bad",), 3, rules=Rules(on_exception="void"), metrics=("action_space",))
    run_tournament(definition, tmp_path / "t", tracking=False)
    assert read_ledger(tmp_path / "t")[0]["void"].all()
    assert read_event(tmp_path / "t") == {}


def test_speed_is_measured_for_every_function() -> None:
    frame = measure_speed(AnalysedGame("love_letter", 2), 1)
    assert set(frame["function"]) == {"setup", "next", "actions", "copy", "observation"}
    assert frame.groupby("function").size().unique().tolist() == [15]
    assert (frame["per_second"] > 100).all()


def distribution(values: list[float]) -> list[tuple[float, float, float]]:
    numbers = np.arange(len(values))
    frame = GameMeasure("x", "", np.array(values), numbers, numbers).distribution()
    return list(frame.itertuples(index=False, name=None))


def test_whole_numbers_have_bins_around_them() -> None:
    assert distribution([1.0, 1.0, 3.0, 2.0]) == [(0.5, 1.5, 0.5), (1.5, 2.5, 0.25), (2.5, 3.5, 0.25)]


def test_what_is_always_the_same_has_one_bin() -> None:
    assert distribution([7.0] * 5) == [(6.5, 7.5, 1.0)]
    assert distribution([0.25] * 5) == [(0.25, 0.25, 1.0)]


def test_many_values_have_at_most_forty_bins_and_lose_the_outermost() -> None:
    for values in (np.arange(100_000.0), np.linspace(0.0, 1.0, 100_000)):
        found = distribution([*values, 1e9])
        assert 35 <= len(found) <= 40
        assert found[-1][1] < 1.1 * values.max()
        assert sum(share for _low, _high, share in found) == pytest.approx(0.99, abs=0.02)


def test_shares_keep_their_intervals_between_0_and_1() -> None:
    values, games = np.array([0.0, 1.0, 0.0]), np.arange(3)
    plain = GameMeasure("x", "what it is", values, games, games * 0).summary()
    shares = GameMeasure("x", "share of what it is", values, games, games * 0).summary()
    assert plain["low"] < 0.0 == shares["low"]
    assert plain["high"] > 1.0 == shares["high"]
    never = GameMeasure("x", "share of games that never are", values[::2], games[::2], games[::2] * 0).summary()
    assert 0.0 == never["low"] < never["high"] < 1.0


def test_nobody_is_first_where_there_are_no_sides(tmp_path: Path) -> None:
    definition = analysis(("pandemic",), (2,), n_games=2)
    run_tournament(definition.play(definition.events[0]), tmp_path / "t", tracking=False)
    assert not definition.events[0].is_contest
    assert "first_seat" not in read_event(tmp_path / "t")
