"""Sequential halving at the root, with and without common random numbers."""

from math import ceil, log2, sqrt
from statistics import fmean, stdev

import pytest
from mypy_extensions import i64
from play.tree_games import Given, HiddenCard, PathState, decide, figures, go, searcher

from tag import AnyAction, GameType, Rng, make_game
from tag.agents.search.mcts.root_policies import Gain


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


# --- with an adviser ----------------------------------------------------------------------------------------------------


def advised_by_hand(values: list[float], advice: int, budget: int) -> list[int]:
    """Return the visits of actions with certain values, where the advice is in all rounds and the last has one other."""
    visits = [0] * len(values)
    others = [one for one in range(len(values)) if one != advice]
    rounds = ceil(log2(len(others))) + 1
    for done in range(rounds):
        left = [advice, *others]
        each = max(budget // (rounds - done) // len(left), 1)
        for one in left:
            visits[one] += each
        budget -= each * len(left)
        others = sorted(others, key=lambda one: -values[one])[: (len(others) + 1) // 2]
    visits[advice] += budget
    return visits


@pytest.mark.parametrize("n", [2, 3, 5, 9])
@pytest.mark.parametrize("errors", [0, 2])
def test_the_advice_is_compared_in_all_rounds_and_replaced_by_what_is_surely_better(n: int, errors: int) -> None:
    names = "abcdefghi"[:n]
    values = [float(place * 7 % 13) for place in range(n)]
    model = Given((0, {name: (value,) for name, value in zip(names, values, strict=True)}))
    state = model.setup(1, Rng(1))
    for advice, name in enumerate(names):
        adviser = "random"
        for other in names.replace(name, ""):
            adviser = f"restricted:agent=({adviser}),without={other}"
        spec = f"mcts:root_policy=halving,budget=120,budget_type=iterations,selection=agent,selection_errors={errors}"
        agent = searcher(f"{spec},selection_agent=({adviser})", model, state)
        best = decide(agent, state)
        found = figures(agent)
        assert [found[one][0] for one in names] == advised_by_hand(values, advice, 120)
        assert str(best) == names[values.index(max(values))]


def test_a_gain_is_compared_with_its_standard_error() -> None:
    rng = Rng(1)
    for _sample in range(50):
        differences = [rng.uniform() - 0.3 for _one in range(30)]
        gain = Gain()
        for one in differences:
            gain.add(one)
        errors = fmean(differences) / (stdev(differences) / sqrt(len(differences)))
        assert gain.exceeds(errors - 1e-6) == (errors > 0.0)
        assert not gain.exceeds(errors + 1e-6)
    few = Gain()
    for _one in range(4):
        few.add(1.0)
    assert not few.exceeds(0.0)
    few.add(1.0)
    assert few.exceeds(100.0)


@pytest.mark.parametrize(
    ("common", "errors", "chosen"), [("true", 2, {"d"}), ("false", 100, {"a"}), ("false", 0, None)]
)
def test_a_small_gain_replaces_the_advice_where_luck_is_the_same(
    common: str, errors: float, chosen: set[str] | None
) -> None:
    """The advice is the worst action of four; what the others gain is far less than their luck."""
    model, found = Dice(), set()
    adviser = "restricted:agent=(restricted:agent=(restricted:agent=random,without=b),without=c),without=d"
    for seed in range(10):
        state = model.setup(1, Rng(seed))
        spec = (
            f"mcts:root_policy=halving,budget=80,budget_type=iterations,common_random_numbers={common},"
            f"selection=agent,selection_agent=({adviser}),selection_errors={errors}"
        )
        agent = searcher(spec, model, state, seed)
        found.add(str(decide(agent, state, seed)))
    assert found == chosen if chosen is not None else len(found) > 1
