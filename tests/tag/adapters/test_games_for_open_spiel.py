"""Our games within OpenSpiel: its own tests pass, and the games are those of the engine."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.flow

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import mcts, minimax  # noqa: E402

from tag.adapters.open_spiel import games as registered  # noqa: E402
from tag.adapters.open_spiel.games import openspiel_name  # noqa: E402
from tag.adapters.rewards import final_rewards  # noqa: E402
from tag.catalogue.registry import game_class, game_names, make_game  # noqa: E402
from tag.engine.rng import Rng  # noqa: E402
from tag.engine.snapshot import state_hash  # noqa: E402
from tag.errors import TagError  # noqa: E402


def loaded(name, players=None, parameters=None, seed=3):
    kind = game_class(name).game_type
    short = kind.check_parameters if parameters is None else parameters
    said = {"players": players or kind.min_players, "parameters": short, "seed": seed}
    return pyspiel.load_game(openspiel_name(name), said)


@pytest.mark.parametrize("name", game_names())
def test_the_tests_of_open_spiel_pass(name):
    pyspiel.random_sim_test(loaded(name), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", game_names())
def test_games_are_those_of_the_engine(name):
    kind = game_class(name).game_type
    for players in {kind.min_players, kind.max_players}:
        game = loaded(name, players, seed=7)
        model, chance = make_game(":".join(filter(None, (name, kind.check_parameters)))), Rng(7)
        vocabulary = model.vocabulary(players)
        state, ours, features = game.new_initial_state(), None, model.features()
        if state.is_chance_node():
            state.apply_action(0)
            ours = model.setup(players, chance)
        else:
            ours = model.setup(players, Rng(0))
        draws = Rng(1)
        for _ply in range(300):
            assert state_hash(state.position.state) == state_hash(ours)
            assert state.is_terminal() == ours.is_terminal
            if ours.is_terminal:
                assert state.returns() == final_rewards(ours, True)
                break
            player = int(ours.current_player)
            actions = model.available_actions(ours)
            assert state.current_player() == player
            assert state.legal_actions() == sorted(map(vocabulary.index, actions))
            assert state.observation_tensor(player) == np.array(features.values(ours, player), np.float32).tolist()
            assert state.observation_string(player) == ours.text(player)
            assert state.returns() == [0.0] * players
            action = draws.choice(state.legal_actions())
            state.apply_action(action)
            if state.is_chance_node():
                state.apply_action(0)
            model.next(ours, vocabulary.action(action), chance)


def test_clones_are_apart_and_draw_other_cards():
    state = loaded("love_letter", 2).new_initial_state()
    state.apply_action(0)
    text = str(state)
    ends = set()
    for _clone in range(20):
        clone = state.clone()
        while not clone.is_terminal():
            clone.apply_action(clone.legal_actions()[0])  # of chance as well
        ends.add(str(clone))
    assert str(state) == text
    assert len(ends) > 1


def test_a_seed_plays_the_same_games_and_none_plays_others():
    def deals(seed):
        game = loaded("love_letter", 4, seed=seed)
        found = []
        for _deal in range(3):
            state = game.new_initial_state()
            state.apply_action(0)
            found.append(str(state))
        return found

    assert deals(5) == deals(5)
    assert len(set(deals(5))) == 3
    assert deals(-1) != deals(-1)


def test_facts():
    facts = {name: pyspiel.load_game(openspiel_name(name)).get_type() for name in ("hex", "love_letter", "pandemic")}
    assert facts["hex"].chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert facts["hex"].information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert facts["love_letter"].chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    assert facts["love_letter"].utility == pyspiel.GameType.Utility.ZERO_SUM
    assert facts["pandemic"].utility == pyspiel.GameType.Utility.IDENTICAL
    assert registered.openspiel_name("hex") in pyspiel.registered_names()
    assert pyspiel.load_game("tag_love_letter(players=4)").num_players() == 4


def test_algorithms_of_open_spiel_play_them():
    game = loaded("tic_tac_toe")
    value, _action = minimax.alpha_beta_search(game, maximum_depth=9, maximizing_player_id=0)
    assert value == 0.0
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):  # a row of two each; the first player wins at 2
        state.apply_action(action)
    bot = mcts.MCTSBot(game, 1.4, 100, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    assert bot.step(state) == 2


@pytest.mark.parametrize(("name", "said"), [("tag_love_letter", {"players": 9}), ("tag_hex", {"parameters": "syze=3"})])
def test_wrong_parameters_are_refused(name, said):
    with pytest.raises(TagError):
        pyspiel.load_game(name, said)
