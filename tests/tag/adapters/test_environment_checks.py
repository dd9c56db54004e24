"""The checks of environments find planted faults that PettingZoo's tests let pass."""

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper

from tag.adapters.checks import check_aec
from tag.adapters.episode import Episode
from tag.adapters.parallel import parallel_env
from tag.adapters.pettingzoo import TagAECEnv, aec_env
from tag.adapters.rewards import Rewards
from tag.catalogue.registry import game_names, make_game
from tag.engine.snapshot import state_hash
from tag.errors import TagError
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.flow

MASKS, SPACES, HIDDEN, REWARDS, SEEDS = range(5)


class MaskOfOnes(TagAECEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        return {**seen, "action_mask": np.ones_like(seen["action_mask"])}


class WholePosition(TagAECEnv):
    def observe(self, agent):
        rival = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
        return {**super().observe(agent), "observation": self.episode.vector.values(self.episode.state, rival)}


class RewardsOfTheNext(TagAECEnv):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.episode.rewards = Rotated("win")


class Rotated(Rewards):
    def after(self, state):
        gained = super().after(state)
        return [*gained[1:], *gained[:1]]


class DeafToSeeds(TagAECEnv):
    def reset(self, seed=None, options=None):
        super().reset(seed=1)


def love_letter(kind):
    return lambda: kind(Episode("love_letter", 2, "features", "win"), "love_letter")


@pytest.mark.parametrize("name", ["love_letter", "pandemic", "sushi_go", "blackjack", "hex", "twenty_forty_eight"])
def test_our_environments_pass(name):
    checks = check_aec(lambda: OrderEnforcingWrapper(aec_env(name)), games=1)
    assert [check.failure for check in checks] == [""] * 5
    hides = name not in ("hex", "twenty_forty_eight")
    assert [check.cases > 0 for check in checks] == [True, True, hides, True, True]
    assert ("not tested (0 cases)" in str(checks[HIDDEN])) != hides


@pytest.mark.parametrize(
    ("kind", "failing", "said"),
    [
        (MaskOfOnes, {MASKS}, "instead of"),
        (WholePosition, {HIDDEN}, "depends on hidden information: "),
        (RewardsOfTheNext, {REWARDS}, "instead of"),
        (DeafToSeeds, {SEEDS}, "seed 0 is not the one"),
    ],
)
def test_planted_faults_are_found(kind, failing, said):
    checks = check_aec(love_letter(kind))
    assert {number for number, check in enumerate(checks) if check.failure} == failing
    assert all(said in str(checks[number]) for number in failing)


@pytest.mark.filterwarnings("ignore:Obs")
@pytest.mark.filterwarnings("ignore:Action mask")
@pytest.mark.parametrize("kind", [WholePosition, RewardsOfTheNext, DeafToSeeds])
def test_pettingzoos_tests_let_them_pass(kind):
    api_test(love_letter(kind)(), num_cycles=30)
    seed_test(love_letter(kind), num_cycles=30)


def test_faults_of_wrappers_are_found_too():
    class Leaking(BaseWrapper):
        def observe(self, agent):
            hidden = self.env.observe(self.possible_agents[0])["observation"]
            return {**super().observe(agent), "observation": hidden}

    assert check_aec(lambda: Leaking(aec_env("love_letter")))[HIDDEN].failure


# --- actions by the tree --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
def test_the_tree_plays_the_same_game(name):
    flat, tree = aec_env(name), aec_env(name, actions="tree")
    flat.reset(seed=2)
    tree.reset(seed=2)
    vocabulary = flat.episode.vocabulary
    levels = tree.action_space("player_0").nvec.tolist()
    for ply in range(25):
        if flat.terminations[flat.agent_selection]:
            break
        choices = sorted(flat.episode.choices)
        number = choices[ply % len(choices)]
        path = vocabulary.path(vocabulary.action(number))
        mask = tree.observe(tree.agent_selection)["action_mask"]
        assert mask[path[0]] == 1
        groups = vocabulary.options(flat.episode.choices.values())
        assert mask[: levels[0]].tolist() == [int(one) for one in groups]
        flat.step(number)
        tree.step(np.array([*path, *[0] * (len(levels) - len(path))]))
        assert state_hash(flat.episode.state) == state_hash(tree.episode.state)


def test_wrong_places_in_the_tree_are_refused():
    env = aec_env("love_letter", actions="tree")
    env.reset(seed=1)
    levels = env.action_space("player_0").nvec.tolist()
    for action in ([levels[0]] + [0] * (len(levels) - 1), [0], [0, *levels[1:]], [0] * len(levels) + [1]):
        with pytest.raises(TagError, match="action"):
            env.step(action)
    with pytest.raises(TagError, match="did you mean 'tree'"):
        aec_env("love_letter", actions="trees")


# --- choices at the same time ---------------------------------------------------------------------------------------------

SIMULTANEOUS = [
    (name, n) for name, most in (("sushi_go", 5), ("diamant", 8), ("goofspiel", 10)) for n in range(2, most + 1)
]


@pytest.mark.parametrize(("name", "players"), SIMULTANEOUS)
def test_pettingzoos_parallel_test_passes(name, players):
    players = min(players, make_game(name).game_type.max_players)
    players = max(players, make_game(name).game_type.min_players)
    parallel_api_test(parallel_env(name, players), num_cycles=60)


@pytest.mark.parametrize("name", ["sushi_go", "diamant", "goofspiel"])
def test_choices_at_once_are_those_of_the_ledger(name):
    players = 4
    record = play_order(GameOrder("one", name, ("random",) * players, 3, record_actions=True))
    single, env = aec_env(name, players), parallel_env(name, players)
    single.reset(seed=3)
    seen, _infos = env.reset(seed=3)
    assert all(one["action_mask"][:-1].any() and not one["action_mask"][-1] for one in seen.values())
    choices = iter(record.choices)
    while env.agents:
        deciding = [agent for agent in env.agents if seen[agent]["action_mask"][:-1].any()]
        actions = dict.fromkeys(env.agents, env.wait)
        for _agent in deciding:
            available = single.episode.model.available_actions(single.episode.state)
            number = single.episode.vocabulary.index(available[next(choices)])
            agent = single.agent_selection
            assert seen[agent]["action_mask"][number]
            assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == sorted(single.episode.choices)
            actions[agent] = number
            single.step(number)
        seen, rewards, _is_over, _is_cut, _infos = env.step(actions)
        while state_hash(single.episode.state) != state_hash(env.episode.state):
            single.step(next(iter(single.episode.choices)))  # what is no choice
            next(choices)
    assert state_hash(env.episode.state) == record.state_hash
    assert rewards == single.rewards


def test_what_cannot_be_chosen_at_once_is_refused():
    with pytest.raises(TagError, match="choose one after another; the nearest environment is aec_env"):
        parallel_env("love_letter")
    env = parallel_env("sushi_go", 2)
    with pytest.raises(TagError, match="call reset"):
        env.step({})
    seen, _infos = env.reset(seed=1)
    before = state_hash(env.episode.state)
    first = int(seen["player_0"]["action_mask"].argmax())
    for actions in ({"player_0": first}, {"player_0": first, "player_1": env.wait}):
        with pytest.raises(TagError, match="not available to player_1"):
            env.step(actions)
    assert state_hash(env.episode.state) == before
