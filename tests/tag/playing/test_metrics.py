"""Metrics: what they measure, on games that are counted by hand."""

from __future__ import annotations

import statistics
from itertools import pairwise
from typing import ClassVar, cast

import pytest

from tag import LOSE, WIN, Action, ForwardModel, Game, GameState, GameType, Rng, StateHeuristic, make_agent, make_game
from tag.catalogue.registry import metric_class, metrics_for
from tag.errors import UnknownNameError
from tag.orders import GameOrder, play_order
from tag.playing.metrics import (
    METRICS,
    STRIDE,
    ActionSpaceMetric,
    BranchingMetric,
    LeadMetric,
    Metric,
    RewardMetric,
    Stride,
    TableMetric,
    TurnsMetric,
)


class Total(GameState):
    """Somebody's total, and what the players think of their chances at the end of each turn."""

    def __init__(self, n_players: int, script: list[list[float]] | None = None) -> None:
        super().__init__(n_players)
        self.total = 0
        self.script = script or []

    def copy(self) -> Total:
        other = Total(self.n_players, self.script)
        self.copy_to(other)
        other.total = self.total
        return other


class Chances(StateHeuristic):
    """What the script says of this turn."""

    def value(self, state: GameState, player: int) -> float:
        total = cast("Total", state)
        if total.is_terminal:
            return total.result_value(player)
        return total.script[total.turn - 1][player] if total.script else total.total / 100.0


class Add(Action[Total]):
    """Adds half the number, rounded down, so that 2k and 2k + 1 lead to the same."""

    def __init__(self, number: int) -> None:
        self.number = number

    def key(self) -> tuple[int, ...]:
        return (self.number,)

    def execute(self, state: Total, rng: Rng) -> None:
        state.total += self.number // 2


class Adding(ForwardModel[Total]):
    """Turns alternate; there are as many actions as the turn says; player 0 wins when the script ends."""

    game_type = GameType("Adding", 2, 4, heuristic=Chances)
    sizes = (4, 1, 3, 1)
    script: ClassVar[list[list[float]]] = []
    winners = (0,)

    def _setup(self, n_players: int, rng: Rng) -> Total:
        return Total(n_players, self.script)

    def _available_actions(self, state: Total) -> list[Add]:
        return [Add(number) for number in range(self.sizes[state.turn])]

    def _after_action(self, state: Total, action: Add, rng: Rng) -> None:
        self.end_player_turn(state)
        if state.turn == len(self.sizes):
            state._end([WIN if player in self.winners else LOSE for player in range(state.n_players)])


def measured(cls: type[Metric], model: ForwardModel, seed: int = 1) -> dict[str, list[float]]:
    metric = cls(model, Rng(seed))
    Game(model, [make_agent("random"), make_agent("random")], seed, listeners=[metric]).play()
    return metric.values()


def scripted(script: list[list[float]], winners: tuple[int, ...] = (0,)) -> dict[str, list[float]]:
    model = Adding()
    model.sizes = (2,) * (len(script) + 1)
    model.script = script
    model.winners = winners
    return measured(LeadMetric, model)


def test_action_space_counts_every_action() -> None:
    assert measured(ActionSpaceMetric, Adding()) == {"actions": [4.0, 1.0, 3.0, 1.0], "single_actions": [0.5]}


def test_branching_counts_different_states() -> None:
    found = [measured(BranchingMetric, Adding(), seed)["branching"] for seed in range(60)]
    assert {tuple(values) for values in found} == {(2.0,), (1.0,), ()}  # four or three actions lead to two states
    model = Adding()
    model.sizes = (6,) * 40
    assert measured(BranchingMetric, model) == {"branching": [3.0] * 5}


def test_branching_compares_actions_under_the_same_luck() -> None:
    class Drawing(Adding):
        sizes = (2,) * 40

        def _after_action(self, state: Total, action: Add, rng: Rng) -> None:
            state.total += 100 * rng.below(1_000_000)
            super()._after_action(state, action, rng)

    assert measured(BranchingMetric, Drawing()) == {"branching": [1.0] * 5}  # 0 and 1 both add 0


def test_a_stride_picks_one_of_eight_wherever_it_begins() -> None:
    firsts = set()
    for seed in range(100):
        stride = Stride(Rng(seed))
        picked = [number for number in range(5 * STRIDE) if stride.picks()]
        assert [later - earlier for earlier, later in pairwise(picked)] == [STRIDE] * 4
        firsts.add(picked[0])
    assert firsts == set(range(STRIDE))


def test_the_table_is_counted_for_who_acts() -> None:
    model = make_game("love_letter")
    found = measured(TableMetric, model)
    assert set(found["components"]) == {18.0}  # 16 cards and two counters of tokens
    assert 0.0 < min(found["hidden"]) <= max(found["hidden"]) < 1.0
    assert set(measured(TableMetric, make_game("tic_tac_toe"))["hidden"]) <= {0.0}


def test_rewards_are_those_of_who_acts_and_of_all_at_the_end() -> None:
    model = Adding()
    model.sizes = (3, 3, 3)
    found = measured(RewardMetric, model)
    assert len(found["heuristic"]) == 3
    assert found["heuristic"][0] == 0.0
    assert found["final_heuristic"] == [1.0, -1.0]


def test_turns_are_closed_by_the_game_and_by_its_end() -> None:
    assert measured(TurnsMetric, Adding()) == {"actions_per_turn": [1.0] * 4}
    model = make_game("exploding_kittens")
    metric = TurnsMetric(model, Rng(1))
    game = Game(model, [make_agent("random")] * 2, 3, listeners=[metric])
    state = game.play()
    turns = metric.values()["actions_per_turn"]
    assert sum(turns) == state.tick
    assert len(turns) in (state.turn, state.turn + 1)


class TestLead:
    def test_a_winner_who_always_led(self) -> None:
        found = scripted([[0.5, 0.0], [0.2, 0.1], [0.3, -1.0]])
        assert {name: found[name] for name in ("lead_changes", "decided_at", "drama")} == {
            "lead_changes": [0.0],
            "decided_at": [0.0],
            "drama": [0.0],
        }

    def test_a_comeback_at_the_end(self) -> None:
        found = scripted([[0.0, 0.5], [0.2, 0.3], [0.0, 0.1], [0.4, 0.1]])
        assert found["lead_changes"] == [1.0]
        assert found["decided_at"] == [0.75]
        assert found["drama"] == pytest.approx([(0.5 + 0.1 + 0.1) / 4])

    def test_a_winner_who_never_led(self) -> None:
        assert scripted([[0.0, 0.5], [0.0, 0.5]])["decided_at"] == [1.0]

    def test_a_tie_is_no_lead_and_ends_none(self) -> None:
        found = scripted([[0.5, 0.0], [0.5, 0.5], [0.6, 0.5], [0.0, 0.5], [0.6, 0.5]])
        assert found["lead_changes"] == [2.0]
        assert found["decided_at"] == [0.8]

    def test_without_one_winner_there_is_no_drama(self) -> None:
        found = scripted([[0.5, 0.0], [0.0, 0.5]], winners=())
        assert found == {"lead_changes": [1.0], "stability": [0.0625]}

    def test_stability_is_the_variance_over_turns_of_each_side(self) -> None:
        found = scripted([[0.5, 0.1], [0.1, 0.1], [0.3, 0.4]])
        variances = (statistics.pvariance([0.5, 0.1, 0.3]), statistics.pvariance([0.1, 0.1, 0.4]))
        assert found["stability"] == pytest.approx([sum(variances) / 2])
        assert scripted([[0.2, -0.2], [0.2, -0.2]])["stability"] == [0.0]

    def test_a_team_leads_and_wins_as_one(self) -> None:
        class TwoTeams(Total):
            def copy(self) -> TwoTeams:
                other = TwoTeams(self.n_players, self.script)
                self.copy_to(other)
                return other

            def team(self, player: int) -> int:
                return player % 2

        class Doubles(Adding):
            sizes = (2, 2, 2)
            script: ClassVar[list[list[float]]] = [[0.9, 0.4, -0.5, 0.2], [0.5, 0.1, 0.3, 0.1]]
            winners = (0, 2)

            def _setup(self, n_players: int, rng: Rng) -> TwoTeams:
                return TwoTeams(n_players, self.script)

        model = Doubles()
        metric = LeadMetric(model, Rng(1))
        Game(model, [make_agent("random")] * 4, 1, listeners=[metric]).play()
        found = metric.values()  # means of the teams: 0.2 against 0.3, then 0.4 against 0.1
        assert found["lead_changes"] == [1.0]
        assert found["decided_at"] == [0.5]
        assert found["drama"] == pytest.approx([0.05])

    def test_players_of_one_team_do_not_lead(self) -> None:
        assert measured(LeadMetric, make_game("pandemic")) == {}


@pytest.mark.parametrize("game", ["tic_tac_toe", "love_letter", "pandemic"])
def test_the_same_order_gives_the_same_measures(game: str) -> None:
    order = GameOrder("g", game, ("random", "random"), 5, metrics=tuple(metrics_for(game)))
    first, second = play_order(order), play_order(order)
    assert first.measures == second.measures
    declared = {name for metric in order.metrics for name in metric_class(metric).measures}
    assert {name for name, _values in first.measures} <= declared


def test_measuring_changes_nothing() -> None:
    plain = GameOrder("g", "love_letter", ("random", "osla"), 5)
    watched = GameOrder("g", "love_letter", ("random", "osla"), 5, metrics=tuple(METRICS))
    assert play_order(plain).state_hash == play_order(watched).state_hash
    assert play_order(plain).measures == ()


def test_each_metric_counts_for_itself_and_from_zero() -> None:
    first, second = (Metric(make_game("tic_tac_toe"), Rng(1)) for _metric in range(2))
    first.counts["lines"] += 2
    assert (first.counts["lines"], first.counts["other"], second.counts["lines"]) == (2, 0, 0)


def test_a_metric_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError, match="no metric named 'leed'; did you mean 'lead'?"):
        metric_class("leed")
