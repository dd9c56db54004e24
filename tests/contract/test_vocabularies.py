"""Every game's vocabulary has all actions that occur in it, each under one number and one path."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.random_play import players_for

from tag import Rng, make_game
from tag.catalogue.registry import game_class, game_names
from tag.check.agents import with_budget
from tag.engine.parameters import Spec
from tag.orders import GameOrder, new_game


def unknown_actions(model, n_players, positions, seed):
    """Return the actions outside the vocabulary that random play meets in so many positions."""
    vocabulary, rng, found = model.vocabulary(n_players), Rng(seed), set()
    while positions > 0:
        state = model.setup(n_players, rng)
        while not state.is_terminal and positions > 0:
            actions = model.available_actions(state)
            found.update(action for action in actions if not _has(vocabulary, action))
            model.next(state, rng.choice(actions), rng)
            positions -= 1
    return found


def _has(vocabulary, action):
    return vocabulary.action(vocabulary.index(action)) is action


def player_counts(game):
    kind = game_class(game).game_type
    return range(kind.min_players, kind.max_players + 1)


@pytest.mark.parametrize("game", game_names())
def test_numbers_and_paths_are_one_to_one(game):
    for n_players in player_counts(game):
        vocabulary = make_game(game).vocabulary(n_players)
        actions = [vocabulary.action(index) for index in range(len(vocabulary))]
        assert vocabulary.is_declared
        assert len(set(actions)) == len(actions)
        assert [vocabulary.index(action) for action in actions] == list(range(len(actions)))
        assert all(vocabulary.at(vocabulary.path(action)) is action for action in actions)


@pytest.mark.parametrize("game", game_names())
def test_random_play_stays_in_the_vocabulary(game):
    for n_players in player_counts(game):
        assert not unknown_actions(make_game(game), n_players, 500, n_players)


@pytest.mark.parametrize("game", [name for name in game_names() if game_class(name).game_type.parameters.dimensions()])
@settings(derandomize=True, deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_so_it_does_with_random_parameters(game, seed):
    kind = game_class(game).game_type
    rng = Rng(seed)
    model = make_game(Spec(game, dict(kind.parameters.sample(rng).changes())))
    n_players = players_for(model, rng)
    assert not unknown_actions(model, n_players, 250, seed)


@pytest.mark.parametrize("game", game_names())
def test_search_finds_no_other_actions(game):
    for n_players in player_counts(game):
        agents = tuple(with_budget(agent, 20) for agent in ("mcts", "rhea", *["random"] * n_players)[:n_players])
        played = new_game(GameOrder("search", game, agents, 5))
        vocabulary = played.model.vocabulary(n_players)
        while not played.state.is_terminal:
            assert all(_has(vocabulary, action) for action in played.model.available_actions(played.state))
            played.step()


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_a_hundred_thousand_positions_have_no_other_actions(game):
    counts = player_counts(game)
    for n_players in counts:
        assert not unknown_actions(make_game(game), n_players, 100_000 // len(counts), 10 + n_players)
