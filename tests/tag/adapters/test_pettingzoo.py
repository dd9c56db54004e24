"""PettingZoo environments of all games: its own tests, and what these let pass."""

import warnings
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, seed_test

from tag import Rng
from tag.adapters import episode as episode_module
from tag.adapters.parallel import parallel_env
from tag.adapters.pettingzoo import aec_env
from tag.adapters.rewards import REWARDS, final_rewards
from tag.catalogue.registry import game_names, make_game
from tag.engine.snapshot import state_hash
from tag.errors import ParameterError, TagError
from tag.orders import GameOrder, play_order
from tag.table.events import event_views

ROOT = Path(__file__).parents[3]
KINDS = {name: make_game(name).game_type for name in game_names()}
SEATINGS = [
    (name, players) for name, kind in KINDS.items() for players in range(kind.min_players, kind.max_players + 1)
]
#: PettingZoo gives these for its own environments with masks, too, other than those that it lists by name; and for an empty
#: board, or for the mask of an agent whose game is over.
EXPECTED = (
    "Observation space for each agent probably",
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros",
    "Action mask numpy array is all zeros",
)


def play_at_random(env, seed, steps):
    """Yield the environment before each of so many random actions of one game."""
    env.reset(seed=seed)
    draws = Rng(seed)
    for _step in range(steps):
        observation, _reward, is_over, is_cut, _info = env.last()
        if is_over or is_cut:
            return
        yield env
        env.step(draws.choice(np.flatnonzero(observation["action_mask"]).tolist()))


@pytest.mark.parametrize(("name", "players"), SEATINGS)
def test_pettingzoos_own_tests_pass(name, players):
    with warnings.catch_warnings():
        for message in EXPECTED:
            warnings.filterwarnings("ignore", message)
        api_test(aec_env(name, players), num_cycles=3)
        seed_test(lambda: aec_env(name, players), num_cycles=3)


@pytest.mark.parametrize("name", KINDS)
def test_masks_are_the_available_actions_and_observations_are_in_bounds(name):
    env = aec_env(name, KINDS[name].max_players)
    for seed in range(6):
        for played in play_at_random(env, seed, 50):
            episode = played.episode
            available = episode.model.available_actions(episode.state)
            mask = played.observe(played.agent_selection)["action_mask"]
            assert [episode.vocabulary.action(int(number)) for number in np.flatnonzero(mask)] == sorted(
                available, key=episode.vocabulary.index
            )
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_masks_are_the_available_actions_in_many_positions(name):
    env = aec_env(name, KINDS[name].max_players)
    n_positions = seed = 0
    while n_positions < 100_000:
        seed += 1
        for played in play_at_random(env, seed, 100_000):
            episode = played.episode
            expected = sorted(map(episode.vocabulary.index, episode.model.available_actions(episode.state)))
            assert np.flatnonzero(played.observe(played.agent_selection)["action_mask"]).tolist() == expected
            n_positions += 1


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.hidden_information])
def test_nothing_hidden_is_in_an_observation(name):
    env = aec_env(name)
    rng = Rng(7)
    n_hidden = 0
    for played in play_at_random(env, 5, 40):
        state, seats = played.episode.state, range(played.episode.n_players)
        for seat in seats:
            agent = played.possible_agents[seat]
            twin = state.observation(seat, rng)
            seen = played.observe(agent)
            mask = played.infos[agent]["action_mask"].copy()
            scores = [state.score(player) for player in seats]
            n_hidden += state_hash(twin) != state_hash(state)
            assert np.array_equal(seen["observation"], played.episode.vector.values(twin, seat)), agent
            assert scores == [twin.score(player) for player in seats]
            if seat == state.current_player:
                available = played.episode.model.available_actions(twin)
                assert np.array_equal(np.flatnonzero(mask), sorted(map(played.episode.vocabulary.index, available)))
            else:
                assert not mask.any()
    assert n_hidden or name == "blackjack"


@pytest.mark.parametrize("name", ["love_letter", "sushi_go", "exploding_kittens", "twenty_forty_eight"])
def test_a_seed_is_that_of_the_ledgers_game(name):
    players = KINDS[name].min_players
    record = play_order(GameOrder("one", name, ("random",) * players, 3, record_actions=True))
    env = aec_env(name, players)
    env.reset(seed=3)
    episode = env.episode
    choices = iter(record.choices)
    while not episode.state.is_terminal:
        available = episode.model.available_actions(episode.state)
        env.step(episode.vocabulary.index(available[next(choices)]))
    assert state_hash(episode.state) == record.state_hash
    env.reset(seed=4)
    assert state_hash(episode.state) != record.state_hash


def test_drawn_seeds_follow_from_the_last_one_given():
    env = aec_env("love_letter", 4)

    def drawn():
        env.reset(seed=1)
        env.reset()
        return state_hash(env.episode.state)

    first = drawn()
    assert drawn() == first
    env.reset()
    assert state_hash(env.episode.state) != first


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = aec_env("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    before = state_hash(env.episode.state)
    with pytest.raises(ParameterError, match="is not available to player 1; there are: 0, 1, 2, 3, 5, 6, 7, 8$"):
        env.step(4)
    with pytest.raises(ParameterError, match="action 99 is not available"):
        env.step(99)
    assert state_hash(env.episode.state) == before


def test_the_winner_is_rewarded():
    env = aec_env("tic_tac_toe")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("name", ["love_letter", "pandemic", "twenty_forty_eight", "connect_four"])
def test_returns_add_up(name, reward):
    env = aec_env(name, KINDS[name].max_players, reward=reward)
    env.reset(seed=2)
    episode = env.episode
    begin = [episode.state.score(seat) for seat in range(episode.n_players)]
    returns = [0.0] * episode.n_players
    for _played in play_at_random(env, 2, 5000):
        returns = [one + env.rewards[agent] for one, agent in zip(returns, env.possible_agents, strict=True)]
    returns = [one + env.rewards[agent] for one, agent in zip(returns, env.possible_agents, strict=True)]
    state = episode.state
    assert state.is_terminal
    if reward in ("win", "points"):
        assert returns == final_rewards(state, reward == "win")
        teams = {int(state.team(seat)) for seat in range(episode.n_players)}
        if len(teams) > 1:
            assert sum(returns) == pytest.approx(0.0 if reward == "win" else 1.0)
    elif reward == "score":
        assert returns == pytest.approx([state.score(seat) - one for seat, one in enumerate(begin)])


def test_long_games_are_cut():
    env = aec_env("love_letter", 2, max_steps=5)
    assert sum(1 for _played in play_at_random(env, 1, 100)) == 5
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_cells_are_observations_too():
    env = aec_env("connect_four", observation="cells")
    env.reset(seed=1)
    assert env.names[:2] == ("seat", "cell_0")
    assert env.observation_space("player_1").contains(env.observe("player_1"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "love_leter"}, "did you mean 'love_letter'"),
        ({"game": "love_letter", "n_players": 7}, "the nearest number is 4"),
        ({"game": "love_letter", "observation": "cells"}, "declares no cells"),
        ({"game": "love_letter", "observation": "cell"}, "did you mean 'cells'"),
        ({"game": "love_letter", "reward": "wins"}, "did you mean 'win'"),
        ({"game": "love_letter", "max_steps": -1}, "the nearest value is 0"),
        ({"game": "love_letter", "render_mode": "rgb"}, "it is ansi, human or None"),
        ({"game": str(ROOT / "examples/kuhn_poker.py:KuhnPoker")}, "declares no"),
    ],
)
def test_wrong_arguments_are_refused_in_a_sentence(arguments, said):
    with pytest.raises(TagError, match=said):
        aec_env(**arguments)


def test_the_text_is_the_position(capsys):
    env = aec_env("tic_tac_toe", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.episode.state.text(-1)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.max_players > 1])
def test_events_are_told_to_each_agent_once_and_change_no_game(name):
    players = KINDS[name].min_players
    env, plain = aec_env(name, players, events=True), aec_env(name, players)
    told = {agent: [] for agent in env.possible_agents}
    with pytest.MonkeyPatch.context() as patched:
        every = []
        patched.setattr(
            episode_module,
            "event_views",
            lambda events, seat: every.append((seat, events)) or event_views(events, seat),
        )
        for _env, _plain in zip(play_at_random(env, 3, 60), play_at_random(plain, 3, 60), strict=True):
            agent = env.agent_selection
            told[agent] += env.infos[agent]["events"]
            said = [view for seat, events in every for view in event_views(events, seat) if f"player_{seat}" == agent]
            assert told[agent] == said
            assert "events" not in plain.infos[agent]
    assert state_hash(env.episode.state) == state_hash(plain.episode.state)
    assert any(told.values())


def test_events_hide_what_a_seat_does_not_see_and_end_with_results():
    env = aec_env("love_letter", 3, events=True)
    told = {agent: [] for agent in env.possible_agents}
    for _env in play_at_random(env, 4, 1000):
        told[env.agent_selection] += env.infos[env.agent_selection]["events"]
    for seat, agent in enumerate(told):
        events = told[agent] + env.infos[agent]["events"]
        cards = [event for event in events if event["name"] in ("dealt", "drawn")]
        assert {event["items"][0] is None for event in cards if event["player"] == seat} == {False}
        assert {event["items"][0] is None for event in cards if event["player"] != seat} == {True}
        assert events[-1]["name"] == "result"


def test_who_choose_at_the_same_time_are_told_after_each_step():
    env = parallel_env("sushi_go", 3, events=True)
    observations, infos = env.reset(seed=2)
    told, draws = {agent: list(info["events"]) for agent, info in infos.items()}, Rng(1)
    while env.agents:
        actions = {
            agent: draws.choice(np.flatnonzero(seen["action_mask"]).tolist()) for agent, seen in observations.items()
        }
        observations, _rewards, _over, _cut, infos = env.step(actions)
        for agent, info in infos.items():
            told[agent] += info["events"]
    for seat, events in enumerate(told.values()):
        dealt = [event for event in events if event["name"] == "dealt"]
        assert {None in event["items"] for event in dealt if event["player"] == seat} == {False}
        assert {None in event["items"] for event in dealt if event["player"] != seat} == {True}
        assert events[-1]["name"] == "result"
    assert parallel_env("sushi_go", 3).reset(seed=2)[1] == {agent: {} for agent in told}
