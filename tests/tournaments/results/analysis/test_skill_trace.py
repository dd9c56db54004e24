"""The skill trace: known gains are found again, with intervals that hold, in simulations and in played games."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag

from tag.errors import TagError
from tag.tournaments import define, read_results, run_tournament
from tag.tournaments.results.analysis.definition import analysis
from tag.tournaments.results.analysis.skill import BudgetDoublings, read_doublings

pytestmark = pytest.mark.flow


def trace(gains: np.ndarray, error: float = 0.0) -> BudgetDoublings:
    number = len(gains)
    return BudgetDoublings([2**step for step in range(number)], [100] * number, gains, np.full(number, error))


@pytest.mark.parametrize(
    ("gains", "value"),
    [
        ([0.0, 0.0, 0.0], 0.0),  # budgets do not matter
        ([1.0, 1.0, 1.0], 1.0),  # the greater budget always wins
        ([0.5, 0.5, 0.5], 0.5 + 0.5 * 0.25),  # the same gain again, and the mean of squares for the rest
        ([0.6, 0.4, 0.2], (0.36 + 0.16 + 0.04) / 3),  # the line ends at 0
        ([0.3, 0.2, 0.1, 0.0], (0.09 + 0.04 + 0.01) / 4),  # it would go below 0
    ],
)
def test_the_trace_is_what_its_definition_says(gains: list[float], value: float) -> None:
    assert dict(trace(np.array(gains)).measures())["skill_trace"].value == pytest.approx(value)


def test_the_decay_of_an_exponential_is_found() -> None:
    found = dict(trace(0.8 * 0.5 ** np.arange(6)).measures())
    assert found["skill_kept"].value == pytest.approx(0.5)
    area = np.mean((0.8 * 0.5 ** np.arange(6)) ** 2)
    following = 0.8 * 0.5**6
    assert found["skill_trace_decay"].value == pytest.approx(following + (1 - following) * area)


@pytest.mark.parametrize(
    ("gains", "error"),
    [
        ([0.0] * 7, 0.1),
        ([0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02], 0.03),
        ([0.6] * 5, 0.1),
        ([0.8, 0.5, 0.3, 0.2], 0.03),
        ([-0.1, 0.1, 0.0], 0.1),
    ],
)
def test_intervals_hold_the_true_trace(gains: list[float], error: float) -> None:
    truth = np.array(gains)
    expected = {name: found.value for name, found in trace(truth).measures()}
    rng = np.random.default_rng(3)
    held = []
    for _run in range(60):
        found = dict(trace(rng.normal(truth, error), error).measures())
        for one in found.values():
            assert 0.0 <= one.interval.low <= one.value <= one.interval.high <= 1.0
        interval = found["skill_trace"].interval
        held.append(interval.low <= expected["skill_trace"] + 1e-12 <= interval.high + 2e-12)
    assert np.mean(held) >= 0.9


def test_each_doubling_is_one_player_with_a_budget_against_others_with_half_of_it() -> None:
    definition = analysis(("love_letter",), (3,), trace_agent="mcts:budget=64", doublings=3, skill_games=20)
    parts = dict(definition.trace(definition.events[0]))
    assert list(parts) == [16, 32, 64]
    assert [part.agents for part in parts.values()] == [
        (f"mcts:budget={budget}", f"mcts:budget={budget // 2}") for budget in parts
    ]
    for part in parts.values():
        seats = [pairing.agents for pairing in part.schedule()]
        assert len(seats) == 21
        assert all(sorted(agents) == [0, 1, 1] for agents in seats)
        assert {agents.index(0) for agents in seats} == {0, 1, 2}


def test_gains_are_points_beyond_an_equal_share(tmp_path: Path) -> None:
    part = define("love_letter", ("osla", "random"), 20, players=4, seed=3, design="gauntlet")
    run_tournament(part, tmp_path, tracking=False)
    (stronger,) = (one for one in read_results(tmp_path).standings if one.agent == "osla")
    found = read_doublings({8: tmp_path})
    assert found.gains[0] == pytest.approx((stronger.points - 0.25) / 0.75)
    assert found.errors[0] == pytest.approx(stronger.points_error / 0.75)
    assert found.gain(0).interval.low < found.gains[0] < found.gain(0).interval.high


def test_co_operative_games_and_games_for_one_have_no_trace() -> None:
    definition = analysis(("pandemic", "twenty_forty_eight"), trace_agent="mcts:budget=64", doublings=3)
    assert [list(definition.trace(event)) for event in definition.events] == [[]] * len(definition.events)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"doublings": 2, "trace_agent": "mcts"}, "doublings cannot be 2; the least is 3"),
        ({"trace_agent": "mcts:budget=100"}, "budget cannot be 0"),
        ({"trace_agent": "random"}, "skill depth needs an agent with a budget, and random has none"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TagError, match=sentence):
        analysis(("tic_tac_toe",), **options)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.system
def test_the_command_finds_that_budgets_matter_in_connect_four_and_not_in_a_game_of_luck(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "coin.py").write_text(COIN, encoding="utf-8")
    coin = f"{tmp_path / 'coin.py'}:Coin"
    arguments = ["analyse", "connect_four:width=5,height=4", coin, "--games", "5", "--skill-trace", "mcts:budget=64"]
    arguments += ["--doublings", "3", "--skill-games", "40", "--no-ray", "--no-tracking", "--quiet", "--out", str(out)]
    done = run_tag(*arguments, "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["summary"]
    found = {(row["game"].partition(":")[0], row["measure"]): row for row in rows}
    assert found["connect_four", "skill_trace"]["low"] > 0.0
    luck = next(row for row in rows if row["game"] == coin and row["measure"] == "skill_trace")
    assert luck["low"] == 0.0
    assert luck["high"] < 1.0
    again = run_tag(*arguments)
    assert "Skill trace" in again.stdout
    assert "Gain from half of each budget" in again.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "3 doublings of the budget up to mcts:budget=64" in page
    budgets = sorted(int(path.name.rpartition("-")[2]) for path in (out / "trace").glob("*oin*"))
    assert budgets == [16, 32, 64]
    assert all(2 * less == more for less, more in pairwise(budgets))


#: The winner is drawn whatever players choose.
COIN = """
from dataclasses import dataclass
from tag import Action, ForwardModel, GameState, GameType, interned


class CoinState(GameState):
    def copy(self):
        other = CoinState(self.n_players)
        self.copy_to(other)
        return other


@dataclass(frozen=True)
class Call(Action[CoinState]):
    side: int

    def execute(self, state, rng):
        pass


class Coin(ForwardModel[CoinState]):
    game_type = GameType("Coin", 2, 2, hidden_information=False)

    def _setup(self, n_players, rng):
        return CoinState(n_players)

    def _available_actions(self, state):
        return [interned(Call(side)) for side in range(2)]

    def _after_action(self, state, action, rng):
        state.end_with_winner(rng.below(2))
"""
