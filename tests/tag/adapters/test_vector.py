"""Many games in one process."""

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from tag.adapters.pettingzoo import aec_env
from tag.adapters.vector import SelfPlayVectorEnv
from tag.engine.snapshot import state_hash
from tag.errors import ParameterError


def first_available(info):
    return info["action_mask"].argmax(axis=1)


def test_games_are_those_of_the_environments_of_one_game():
    env = SelfPlayVectorEnv("love_letter", 3, 4, reward="score")
    seen, info = env.reset(seed=7)
    singles = [aec_env("love_letter", 4, reward="score") for _game in range(3)]
    for number, single in enumerate(singles):
        single.reset(seed=7 + number)
    for _step in range(12):
        actions = first_available(info)
        for number, single in enumerate(singles):
            observation, *_others = single.last()
            assert single.agent_selection == f"player_{info['player'][number]}"
            assert np.array_equal(seen[number], observation["observation"])
            assert np.array_equal(info["action_mask"][number], observation["action_mask"])
            single.step(int(actions[number]))
        seen, _rewards, is_over, _is_cut, info = env.step(actions)
        assert env.observation_space.contains(seen)
        assert not is_over.any()
        for number, single in enumerate(singles):
            assert info["rewards"][number].tolist() == list(single.rewards.values())


def test_the_step_after_the_end_sets_up_the_next_game():
    def ends():
        env = SelfPlayVectorEnv("tic_tac_toe", 2)
        seen, info = env.reset(seed=1)
        begin = seen.copy()
        while True:
            seen, rewards, is_over, _is_cut, info = env.step(first_available(info))
            if is_over.any():
                break
        assert is_over.all()
        assert rewards.tolist() == [1.0, 1.0]
        assert info["rewards"].tolist() == [[1.0, -1.0]] * 2
        assert not info["action_mask"].any()
        seen, rewards, is_over, _is_cut, info = env.step(first_available(info))
        assert np.array_equal(seen, begin)
        assert not is_over.any()
        assert not rewards.any()
        return [state_hash(episode.state) for episode in env._episodes]

    assert ends() == ends()


def test_wrong_arguments_are_refused_in_a_sentence():
    with pytest.raises(ParameterError, match="the nearest value is 1"):
        SelfPlayVectorEnv("tic_tac_toe", 0)
    env = SelfPlayVectorEnv("tic_tac_toe", 2)
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="give one for each"):
        env.step(np.array([0]))
    with pytest.raises(ParameterError, match="action 9 is not available"):
        env.step(np.array([0, 9]))
