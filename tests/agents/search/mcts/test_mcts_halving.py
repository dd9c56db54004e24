"""Sequential halving at the root, with and without common random numbers."""

from math import ceil, log2

import pytest
from mypy_extensions import i64
from play.tree_games import Given, HiddenCard, PathState, decide, figures, go, searcher

from tag import AnyAction, GameType, Rng, make_game


def by_hand(values: list[float], budget: int) -> list[int]:
    """Return the visits of actions with certain values, by the algorithm of Karnin, Koren and Somekh (2013)."""
    visits = [0] * len(values)
    left = list(range(len(values)))
    rounds = ceil(log2(len(values)))
    for done in range(rounds):
        each = max(budget // (rounds - done) // len(left), 1)
        for one in left:
            visits[one] += each
        budget -= each * len(left)
        left = sorted(left, key=lambda one: -values[one])[: (len(left) + 1) // 2]
    visits[left[0]] += budget
    return visits


@pytest.mark.parametrize("n", [2, 3, 5, 8, 13])
@pytest.mark.parametrize("budget", [100, 240])
@pytest.mark.parametrize("information", ["open_loop", "closed_loop", "information_set"])
def test_visits_are_those_of_the_source(n: int, budget: int, information: str) -> None:
    names = "abcdefghijklm"[:n]
    values = [float(place * 7 % 13) for place in range(n)]
    model = Given((0, {name: (value,) for name, value in zip(names, values, strict=True)}))
    state = model.setup(1, Rng(1))
    spec = f"mcts:root_policy=halving,budget={budget},budget_type=iterations,information={information}"
    agent = searcher(spec, model, state)
    best = decide(agent, state)
    found = figures(agent)
    assert [found[name][0] for name in names] == by_hand(values, budget)
    assert str(best) == names[values.index(max(values))]


@pytest.mark.parametrize("kind", ["forward_model_calls", "iterations", "copies"])
@pytest.mark.parametrize(
    "options", ["", "tree_policy=puct,priors=game", "trees=by_player", "information=open_loop,deals=3"]
)
def test_it_searches_all_kinds_of_trees_within_every_budget(kind: str, options: str) -> None:
    for name in ("love_letter", "connect_four", "cant_stop"):
        model = make_game(name)
        state = model.setup(2, Rng(3))
        chosen = set()
        for budget in (1, 7, 150):
            spec = f"mcts:root_policy=halving,common_random_numbers=true,budget={budget},budget_type={kind},{options}"
            agent = searcher(spec.rstrip(","), model, state)
            chosen.add(str(decide(agent, state)))
            spent = agent.sim.budget
            assert {"forward_model_calls": spent.forward_model_calls, "copies": spent.copies}.get(kind, 0) <= budget
        assert chosen


def test_a_budget_of_time_is_halved_too() -> None:
    model = make_game("connect_four")
    state = model.setup(2, Rng(3))
    agent = searcher("mcts:root_policy=halving,budget=100,budget_type=cpu_ms,rollout_length=0", model, state)
    decide(agent, state)
    visits = [count for count, _value in figures(agent).values()]
    assert len(visits) == 7
    assert max(visits) > min(visits) + 1


class Dice(HiddenCard):
    """Each of four actions is worth little, and a die: the luck is much, and the same for all that draw alike."""

    game_type = GameType("Dice", 1, 1, heuristic=HiddenCard.game_type.heuristic)

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        state = super()._setup(n_players, rng)
        state.cards = 1000
        return state

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go(name) for name in "abcd"]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        own = "abcd".index(str(action)) / 100
        state.finish((own + rng.uniform() + state.card / 1000,))


def spread(options: str) -> float:
    """Return the mean squared error of the difference between the values of two actions, over seeds."""
    model, errors = Dice(), []
    for seed in range(20):
        state = model.setup(1, Rng(seed))
        spec = f"mcts:root_policy=halving,budget=80,budget_type=iterations,information=information_set,{options}"
        agent = searcher(spec, model, state, seed)
        decide(agent, state, seed)
        found = figures(agent)
        counts = {name: visits for name, (visits, _value) in found.items()}
        first, second = sorted(counts, key=lambda name: (-counts[name], name))[:2]
        true = ("abcd".index(first) - "abcd".index(second)) / 100
        errors.append((found[first][1] - found[second][1] - true) ** 2)
    return sum(errors) / len(errors)


def test_common_random_numbers_compare_actions_under_the_same_luck() -> None:
    assert spread("common_random_numbers=true") < 1e-20
    assert spread("common_random_numbers=false") > 1e-4
