"""Exploitability of the example pokers equals the published figures and OpenSpiel's."""

from pathlib import Path

import numpy as np
import pytest

from tag import make_game
from tag.tournaments.statistics.exploitability.game_tree import TooLargeError, grow
from tag.tournaments.statistics.exploitability.measure import exploitability
from tag.tournaments.statistics.exploitability.policies import ask, exact_policy
from tag.tournaments.statistics.exploitability.sequence_form import solved

FOLDER = Path(__file__).parents[2] / "examples"
KUHN, LEDUC = f"{FOLDER / 'kuhn_poker.py'}:KuhnPoker", f"{FOLDER / 'leduc_poker.py'}:LeducPoker"


def of(game, policy):
    return exploitability(game, "", exact_policy(game, policy)).value


@pytest.mark.parametrize(
    ("spec", "players", "expected"), [(KUHN, 2, 11 / 24), (KUHN, 3, 0.6875), (LEDUC, 2, 2.373611111111111)]
)
def test_uniform_random_has_the_published_exploitability(spec, players, expected):
    tree = grow(make_game(spec), players)
    assert of(tree, tree.form.uniform()) == pytest.approx(expected, abs=1e-12)
    assert exploitability(tree, "random", ask(tree, "random", questions=100, seed=1)).value == pytest.approx(expected)


@pytest.mark.parametrize(("spec", "value"), [(KUHN, -1 / 18), (LEDUC, -0.0856)])
def test_the_solver_nears_the_known_value(spec, value):
    tree = grow(make_game(spec), 2)
    policy = solved(tree.form, 300)
    assert of(tree, policy) < 0.003
    assert tree.form.expected(policy)[0] == pytest.approx(value, abs=5e-4)


def test_gains_of_information_sets_add_up():
    tree = grow(make_game(LEDUC), 2)
    found = exploitability(tree, "", exact_policy(tree, tree.form.uniform()))
    for seat in found.seats:
        assert sum(one.gain for one in found.decisions if one.seat == seat.seat) == pytest.approx(seat.gain)


def test_intervals_cover_a_policy_that_is_sampled():
    tree = grow(make_game(KUHN), 2)
    rng = np.random.default_rng(1)
    covered = 0
    for _trial in range(40):
        policy = np.concatenate([rng.dirichlet(np.ones(size)) for size in tree.form.sizes])
        rows = np.split(policy, tree.form.starts[1:])
        answers = [rng.multinomial(1, row, size=60).astype(float) for row in rows]
        means = [np.concatenate([one[part].mean(axis=0) for one in answers])
                 for part in (slice(None), slice(0, None, 2), slice(1, None, 2))]  # fmt: skip
        asked = type(exact_policy(tree, policy))(means[0], (means[1], means[2]), answers, 0)
        low, high = exploitability(tree, "", asked).interval
        covered += low <= of(tree, policy) <= high
    assert covered >= 36


def test_large_games_are_refused():
    with pytest.raises(TooLargeError, match="positions"):
        grow(make_game(LEDUC), 2, most_positions=100)
