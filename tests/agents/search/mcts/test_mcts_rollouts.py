"""How far rollouts go: every unit and end, against the first moment that fits in what was played."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp

import pytest
from play.tree_games import Given, PathState, decide, searcher

from tag import GameState, Rng, Simulator, make_game
from tag.agents.search.mcts.parameters import MctsParameters
from tag.agents.search.mcts.rollouts import BoltzmannPolicy, RolloutLength, RolloutPolicy
from tag.agents.search.mcts.tree import Scale
from tag.playing.agent import Budget

#: Games with turns of several actions, several rounds, decisions of others within a turn, and simultaneous ones.
GAMES = (
    ("dominion", 2),
    ("love_letter", 4),
    ("colt_express", 3),
    ("cant_stop", 2),
    ("sushi_go", 3),
    ("connect_four", 2),
)
UNITS = ("actions", "turns", "rounds")
ENDS = ("exact", "turn_end", "round_end", "own_start", "own_end")

#: Who decides, the turn and the round.
Moment = tuple[int, int, int]


def moment(state: GameState) -> Moment:
    return int(state.current_player), int(state.turn), int(state.round)


class Watched(RolloutPolicy):
    """Plays at random, and notes the moment after each action."""

    def __init__(self, sim: Simulator, length: RolloutLength) -> None:
        super().__init__(sim, length)
        self.moments: list[Moment] = []

    def step(self, state: GameState) -> None:
        super().step(state)
        self.moments.append(moment(state))


def may_end(before: Moment, now: Moment, actor: int, end: str, searcher: int) -> bool:
    """Say whether a rollout of enough length may end: ``actor`` has acted at ``before``, which led to ``now``."""
    return {
        "exact": True,
        "turn_end": now[1] != before[1],
        "round_end": now[2] != before[2],
        "own_start": actor != searcher and now[0] == searcher,
        "own_end": actor == searcher and now[0] != searcher,
    }[end]


def expected(moments: list[Moment], actor: int, length: int, unit: str, end: str, searcher: int) -> int | None:
    """Return after how many actions a rollout through ``moments`` should end, None if only with the game."""
    first = moments[0]
    for played, now in enumerate(moments):
        done = {"actions": played, "turns": now[1] - first[1], "rounds": now[2] - first[2]}[unit]
        before = moments[max(played - 1, 0)]
        who = before[0] if played else actor
        if done >= length and may_end(before, now, who, end, searcher):
            return played
    return None


@pytest.mark.flow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_rollout_ends_at_the_first_moment_that_fits(name: str, players: int) -> None:
    model, ends, seen = make_game(name), 0, set()
    for seed, (unit, end, length, per_player) in enumerate(product(UNITS, ENDS, (0, 1, 3), (False, True))):
        rng = Rng(seed)
        state = model.setup(players, rng)
        for _action in range(seed % 7):
            if not state.is_terminal:
                model.next(state, model.random_action(state, rng), rng)
        if state.is_terminal:
            continue
        parameters = MctsParameters(
            rollout_length=length, rollout_unit=unit, rollout_end=end, rollout_per_player=per_player
        )
        searcher = seed % players
        policy = Watched(Simulator(model, Rng(seed, 1), Budget(1 << 40)), RolloutLength(parameters, searcher, players))
        policy.moments.append(moment(state))
        policy.play_steps(state, 0)
        wanted = expected(policy.moments, 0, length * (players if per_player else 1), unit, end, searcher)
        played = len(policy.moments) - 1
        assert wanted == played or (wanted is None and state.is_terminal), (unit, end, length, per_player)
        ends += wanted is not None
        seen.add((unit, end))
    assert len(seen) == len(UNITS) * len(ENDS)
    assert ends >= 20


def test_by_actions_alone_both_ways_to_play_are_one() -> None:
    model = make_game("love_letter")
    for length, per_player in product((0, 1, 5, 40), (False, True)):
        ends = []
        for stepwise in (False, True):
            parameters = MctsParameters(rollout_length=length, rollout_per_player=per_player)
            sim = Simulator(model, Rng(5), Budget(1 << 40))
            policy = RolloutPolicy(sim, RolloutLength(parameters, 0, 3))
            state = model.setup(3, Rng(4))
            (policy.play_steps if stepwise else policy.play)(state, 0)
            ends.append((state.snapshot(), int(sim.calls)))
        assert ends[0] == ends[1]


def test_a_budget_of_calls_ends_a_rollout_that_waits_for_the_end_of_a_round() -> None:
    model = make_game("dominion")
    parameters = MctsParameters(rollout_length=0, rollout_end="round_end")
    sim = Simulator(model, Rng(5), Budget(1))
    sim.budget.start()
    RolloutPolicy(sim, RolloutLength(parameters, 0, 2)).play(model.setup(2, Rng(4)), 0)
    assert sim.budget.forward_model_calls == 1


@pytest.mark.parametrize("temperature", [0.2, 1.0, 5.0])
def test_boltzmann_rollouts_draw_by_powers_of_e(temperature: float) -> None:
    values = {"a": 0.0, "b": 0.5, "c": 1.0}
    model = Given((0, {name: (value,) for name, value in values.items()}))
    parameters = MctsParameters(rollout_policy="boltzmann", rollout_length=1, rollout_temperature=temperature)
    scale = Scale(1, True)
    scale.see([-1.0])
    scale.see([1.0])
    sim = Simulator(model, Rng(3), Budget(1 << 40))
    policy = BoltzmannPolicy(sim, RolloutLength(parameters, 0, 1), parameters, scale)
    found: Counter[str] = Counter()
    for _play in range(1200):
        state = model.setup(1, Rng(1))
        assert isinstance(state, PathState)
        policy.play(state, 0)
        found.update(state.path)
    weights = {name: exp(value / 2 / temperature) for name, value in values.items()}
    for name, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(found[name] / 1200 - share) < 4 * (share * (1 - share) / 1200) ** 0.5
    assert sim.calls == 1200 * 4


@pytest.mark.parametrize("kind", ["forward_model_calls", "copies"])
def test_boltzmann_rollouts_keep_to_their_budget(kind: str) -> None:
    model = make_game("love_letter")
    for budget in (1, 3, 8, 60):
        state = model.setup(2, Rng(budget))
        agent = searcher(f"mcts:rollout_policy=boltzmann,budget={budget},budget_type={kind}", model, state)
        decide(agent, state)
        spent = agent.sim.budget
        assert (spent.copies if kind == "copies" else spent.forward_model_calls) <= budget
