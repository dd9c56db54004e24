"""Games may find random actions and play rollouts in their own ways, but must play the same: seeds depend on it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import ForwardModel, Rng, make_game
from tag.catalogue.registry import game_class, game_names
from tag.engine.parameters import Spec

pytestmark = pytest.mark.flow

#: Rules other than the default ones, under which other actions are possible.
_RULES = {
    "connect_four": ["connect_four:width=8,height=8"],
    "hex": ["hex:size=3,swap=true"],
    "sim": ["sim:nodes=8", "sim:coalition=true"],
    "exploding_kittens": ["exploding_kittens:special_combos=false,nope_own=true"],
    "colt_express": ["colt_express:bandits=dealt", "colt_express:two_bandits=false,rounds=3"],
    "pandemic": ["pandemic:ask_always=true,stations=2,role_0=operations_expert,role_1=dispatcher"],
}


@pytest.mark.parametrize("game", game_names())
def test_random_actions_are_uniform_choices(game):
    kind = game_class(game).game_type
    for spec in (game, *_RULES.get(game, [])):
        for n_players in range(kind.min_players, kind.max_players + 1):
            model, rng = make_game(spec), Rng(n_players)
            for _game in range(3):
                state = model.setup(n_players, rng)
                while not state.is_terminal:
                    before = rng.snapshot()
                    chosen = rng.choice(model.available_actions(state))
                    after = rng.snapshot()
                    rng.restore(before)
                    assert model.random_action(state, rng) is chosen
                    assert rng.snapshot() == after
                    model.next(state, chosen, rng)


@pytest.mark.parametrize(
    "game", [name for name in game_names() if game_class(name).rollout is not ForwardModel.rollout]
)
@settings(derandomize=True, deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32), depth=st.integers(0, 80), before=st.integers(0, 60))
def test_rollouts_of_games_of_all_sizes_are_random_play(game, seed, depth, before):
    """They start anywhere in a game, on grids that fit a machine integer and on larger ones."""
    rng = Rng(seed)
    kind = game_class(game).game_type
    model = make_game(Spec(game, dict(kind.parameters.sample(rng).changes())))
    state = model.setup(kind.min_players, rng)
    ForwardModel.rollout(model, state, before, rng)
    expected, other = state.copy(), Rng(seed, 1)
    played = ForwardModel.rollout(model, expected, depth, other)
    rng = Rng(seed, 1)
    assert model.rollout(state, depth, rng) == played
    assert state.snapshot() == expected.snapshot()
    assert rng.snapshot() == other.snapshot()
