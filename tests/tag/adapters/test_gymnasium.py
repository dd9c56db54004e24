"""Gymnasium environments of one seat: Gymnasium's own test, and what it lets pass."""

import warnings

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from tag import Rng
from tag.adapters.gymnasium import SeatEnv, environment_id
from tag.catalogue.registry import game_names, make_game
from tag.engine.snapshot import state_hash
from tag.errors import ParameterError, TagError
from tag.orders import GameOrder, play_order
from tag.playing.listener import Listener


class Taken(Listener):
    """Collects the choices of seat 0."""

    def __init__(self):
        self.choices = []

    def on_action_chosen(self, state, player, action, actions, agent):
        if player == 0 and len(actions) > 1:
            self.choices.append(action)


def play_at_random(env, seed, steps=10_000):
    """Play a game with random choices and return the sum of its rewards, None if it is not over."""
    env.reset(seed=seed)
    draws, total = Rng(seed), 0.0
    for _step in range(steps):
        action = draws.choice(np.flatnonzero(env.unwrapped.action_masks()).tolist())
        observation, reward, is_over, _is_cut, _info = env.step(action)
        assert env.observation_space.contains(observation)
        total += reward
        if is_over:
            return total
    return None


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_an_id_and_plays(name):
    env = gymnasium.make(environment_id(name), disable_env_checker=True)
    play_at_random(env, 1, 10)


@pytest.mark.parametrize("name", game_names())
def test_gymnasiums_own_test_passes_without_warnings(name):
    """`check_env` plays any action of the space, which environments refuse unless told otherwise."""
    kind = make_game(name).game_type
    for players in range(kind.min_players, kind.max_players + 1):
        opponents = ["random"] * (players - 1)
        env = gymnasium.make(environment_id(name), opponents=opponents, illegal="random", disable_env_checker=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env.unwrapped)


def test_illegal_actions_can_be_replaced():
    def played(seed):
        env = SeatEnv("tic_tac_toe", seat=0, illegal="random")
        env.reset(seed=seed)
        while not env.step(4)[2]:
            pass
        return state_hash(env.episode.state)

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(5)}) > 1


def test_events_since_the_last_decision_are_told_as_far_as_the_seat_may_know():
    env = SeatEnv("love_letter", ["random", "random"], seat=1, events=True)
    plain = SeatEnv("love_letter", ["random", "random"], seat=1)
    _observation, info = env.reset(seed=4)
    plain.reset(seed=4)
    rng, told, over = Rng(1), list(info["events"]), False
    assert [event["player"] for event in told if event["name"] == "dealt"] == [0, 1, 2]
    while not over:
        action = list(env.episode.choices)[rng.below(len(env.episode.choices))]
        _observation, _reward, over, _cut, info = env.step(action)
        plain.step(action)
        told += info["events"]
    assert state_hash(env.episode.state) == state_hash(plain.episode.state)
    drawn = [event for event in told if event["name"] in ("dealt", "drawn")]
    assert {event["items"][0] is None for event in drawn if event["player"] == 1} == {False}
    assert {event["items"][0] is None for event in drawn if event["player"] != 1} == {True}
    assert told[-1]["name"] == "result"


def test_the_game_is_the_ledgers():
    """The learner repeats the choices of its seat in a ledger's game; opponents and chance then do what they did there."""
    opponents = ("osla", "random", "random")
    order = GameOrder("one", "love_letter", ("random", *opponents), 5)
    taken = Taken()
    record = play_order(order, [taken])
    env = SeatEnv("love_letter", opponents, seat=0)
    env.reset(seed=5)
    for action in taken.choices:
        env.step(env.episode.vocabulary.index(action))
    assert env.episode.state.is_terminal
    assert state_hash(env.episode.state) == record.state_hash


def test_wins_of_the_learner_are_rewarded_by_its_seat():
    for seed in range(8):
        env = SeatEnv("tic_tac_toe", ["random"])
        total = play_at_random(env, seed)
        assert env.seat == seed % 2
        assert total == env.episode.state.result_value(env.seat)


def test_illegal_actions_and_wrong_arguments_are_refused_in_a_sentence():
    env = SeatEnv("tic_tac_toe", seat=0)
    with pytest.raises(ParameterError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="action 99 is not available to player 0"):
        env.step(99)
    for arguments, said in (
        ({"opponents": ["rando"]}, "did you mean 'random'"),
        ({"opponents": "random"}, "give a list"),
        ({"opponents": ["random"] * 2}, "the nearest number is 2"),
        ({"seat": 2}, "the seats are 0 to 1"),
        ({"illegal": "rando"}, "did you mean 'random'"),
    ):
        with pytest.raises(TagError, match=said):
            SeatEnv("tic_tac_toe", **arguments)
