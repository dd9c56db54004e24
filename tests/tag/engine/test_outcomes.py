"""Chance gone through draw by draw: scripts of random draws, and the outcomes of actions."""

from collections import Counter
from itertools import permutations
from math import factorial, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import Action, Budget, ForwardModel, GameState, GameType, Rng, Simulator, interned, make_game
from tag.engine.rng import Draws
from tag.playing.agent import DRAWN_OUTCOMES, MOST_OUTCOMES


def all_outcomes(play):
    """Return the probability of each result of ``play(rng)``."""
    draws, found = Draws(), Counter()
    while True:
        result = play(draws.rng())
        found[result] += draws.probability()
        if not draws.advance():
            return found


@given(st.lists(st.integers(1, 5), max_size=4))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_draws_below_some_numbers_give_all_combinations_as_likely(sizes):
    found = all_outcomes(lambda rng: tuple(rng.below(size) for size in sizes))
    expected = 1
    for size in sizes:
        expected *= size
    assert len(found) == expected
    assert all(abs(probability - 1 / expected) < 1e-12 for probability in found.values())


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_shuffle_gives_all_permutations_as_likely(n):
    def shuffled(rng):
        items = list(range(n))
        rng.shuffle(items)
        return tuple(items)

    found = all_outcomes(shuffled)
    assert set(found) == set(permutations(range(n)))
    assert all(abs(probability - 1 / factorial(n)) < 1e-12 for probability in found.values())


@pytest.mark.parametrize("n", [1, 2, 10])
def test_one_in_n_is_a_draw_between_yes_and_no(n):
    found = all_outcomes(lambda rng: rng.one_in(n))
    assert abs(found[True] - 1 / n) < 1e-12
    assert abs(sum(found.values()) - 1) < 1e-12


def test_one_in_n_takes_the_numbers_of_below():
    one, other = Rng(7), Rng(7)
    assert [one.one_in(5) for _ in range(200)] == [other.below(5) == 0 for _ in range(200)]


def test_later_draws_may_depend_on_earlier_ones():
    found = all_outcomes(lambda rng: sum(rng.choice([1, 2, 3]) for _ in range(1 + rng.below(2))))
    expected = Counter()
    for first in (1, 2, 3):
        expected[first] += 1 / 6
        for second in (1, 2, 3):
            expected[first + second] += 1 / 18
    assert found.keys() == expected.keys()
    assert all(abs(found[total] - expected[total]) < 1e-12 for total in found)


@pytest.mark.parametrize("draw", [Rng.next32, Rng.uniform, Rng.split])
def test_draws_of_32_bits_are_not_gone_through(draw):
    draws = Draws()
    draw(draws.rng())
    assert not draws.is_exact


@given(st.lists(st.integers(1, 9), max_size=40), st.integers(1, 10_000))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_too_many_sequences_are_noticed_after_the_first(sizes, most):
    draws = Draws()
    rng = draws.rng()
    for size in sizes:
        rng.below(size)
    assert draws.exceed(most) == (prod(sizes) > most)


class Dice(GameState):
    """The sum so far, and whether the last die was odd."""

    def __init__(self, n_players):
        super().__init__(n_players)
        self.total = 0

    def copy(self):
        other = Dice(self.n_players)
        self.copy_to(other)
        other.total = self.total
        return other


class Roll(Action):
    """Roll so many dice, keep the greatest."""

    def __init__(self, dice):
        self.dice = dice

    def execute(self, state, rng):
        state.total += max([1 + rng.below(6) for _die in range(self.dice)])


class Shake(Action):
    """Draw 32 bits."""

    def execute(self, state, rng):
        state.total += rng.next32()


class Rolling(ForwardModel):
    """Each turn one to three dice."""

    game_type = GameType("Rolling", 1, 4)

    def _setup(self, n_players, rng):
        return Dice(n_players)

    def _available_actions(self, state):
        return [interned(Roll(dice)) for dice in (1, 2, 3)]


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_outcomes_of_any_game_are_merged_and_have_their_probabilities(dice):
    model = Rolling()
    state = model.setup(2, Rng(0))
    outcomes = model.outcomes(state, interned(Roll(dice))).all()
    assert sorted(after.total for _, after in outcomes) == [1, 2, 3, 4, 5, 6]
    for probability, after in outcomes:
        assert probability == pytest.approx((after.total**dice - (after.total - 1) ** dice) / 6**dice)
        assert after.current_player == 1
    assert state.total == 0


def test_too_many_or_endless_outcomes_are_left_out():
    model = Rolling()
    state = model.setup(2, Rng(0))
    assert len(model.outcomes(state, interned(Roll(3)), limit=216).all()) == 6
    assert model.outcomes(state, interned(Roll(3)), limit=216).calls == 216
    assert model.outcomes(state, interned(Roll(3)), limit=215).all() == []
    assert model.outcomes(state, interned(Roll(3)), limit=215).calls == 1
    assert model.outcomes(state, interned(Shake())).all() == []


def test_without_chance_there_is_one_outcome():
    model = make_game("tic_tac_toe")
    state = model.setup(2, Rng(0))
    [(probability, after)] = model.outcomes(state, model.available_actions(state)[4]).all()
    assert probability == 1.0
    assert after.cells()[4] == 0
    assert state.cells()[4] == -1


def test_agents_pay_for_afterstates_and_outcomes():
    model = make_game("twenty_forty_eight")
    state = model.setup(1, Rng(3))
    action = model.available_actions(state)[0]
    sim = Simulator(model, Rng(1), Budget(1000))
    after = sim.afterstate(state, action)
    assert (sim.budget.forward_model_calls, sim.budget.copies) == (1, 1)
    outcomes = sim.outcomes(state, action)
    assert sum(probability for probability, _outcome in outcomes) == pytest.approx(1.0)
    assert len(outcomes) == 2 * after.cell_values().count(0)
    assert sim.calls == sim.copies == 1 + len(outcomes)


def test_an_afterstate_that_the_game_cannot_tell_costs_nothing():
    model = make_game("love_letter")
    state = model.setup(2, Rng(3))
    sim = Simulator(model, Rng(1), Budget(1000))
    assert sim.afterstate(state, model.available_actions(state)[0]) is None
    assert (sim.calls, sim.copies, sim.budget.left) == (0, 0, 1000)


def test_where_chance_has_too_many_outcomes_some_are_drawn():
    model = Rolling()
    state = model.setup(2, Rng(0))
    sim = Simulator(model, Rng(1), Budget(1000))
    drawn = sim.outcomes(state, interned(Roll(3)))  # 216 sequences
    assert [probability for probability, _outcome in drawn] == [1 / DRAWN_OUTCOMES] * DRAWN_OUTCOMES
    assert sim.calls == 1 + DRAWN_OUTCOMES
    assert sim.has_sampled
    poor = Simulator(model, Rng(1), Budget(100))
    assert poor.outcomes(state, interned(Roll(3))) == []
    assert poor.budget.is_spent()
    assert poor.budget.forward_model_calls == 100


@given(st.lists(st.integers(1, 3), min_size=1, max_size=8))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_the_simulator_says_whether_it_drew_the_outcomes_told_last(dice):
    model = Rolling()
    state = model.setup(2, Rng(0))
    sim = Simulator(model, Rng(1), Budget(1000))
    assert not sim.has_sampled
    for n in dice:
        sim.outcomes(state, interned(Roll(n)))
        assert sim.has_sampled == (6**n > MOST_OUTCOMES)
