"""Checks of environments against the game that they play, for faults that PettingZoo's and Gymnasium's tests let pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tag.adapters.pettingzoo import TagAECEnv
from tag.adapters.rewards import Rewards
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import state_hash
from tag.orders import GameOrder, play_order


@dataclass
class EnvironmentCheck:
    """The result of a check.

    Attributes:
        name: what was checked.
        cases: how often; a check without cases says nothing.
        failure: what was wrong in the first case that failed; empty if none did.
    """

    name: str
    cases: int = 0
    failure: str = ""

    def expect(self, is_right: bool, failure: str) -> None:
        """Count a case."""
        self.cases += 1
        if not is_right and not self.failure:
            self.failure = failure

    def __str__(self) -> str:
        """Return a line for a report."""
        said = self.failure or ("ok" if self.cases else "not tested")
        return f"{self.name}: {said} ({self.cases} cases)"


def check_aec(make: Callable[[], Any], *, games: int = 3, seed: int = 0) -> list[EnvironmentCheck]:
    """Play games at random in an environment, and compare what agents are told with the game itself.

    Args:
        make: makes the environment: `aec_env`, also in wrappers of your own or as a subclass.
        games: the number of games.
        seed: the first game's seed.

    Returns:
        The checks of masks, observation spaces, hidden information, rewards and seeds.
    """
    checks = _Checks(make())
    for number in range(seed, seed + games):
        checks.play(number)
    return [checks.masks, checks.spaces, checks.hidden, checks.rewards, checks.seeds]


class _Checks:
    """The checks of one environment, while it plays."""

    def __init__(self, env: Any) -> None:
        self.masks = EnvironmentCheck("masks are the available actions")
        self.spaces = EnvironmentCheck("observations are in their spaces")
        self.hidden = EnvironmentCheck("observations hide what the seat cannot know")
        self.rewards = EnvironmentCheck("rewards are those of the game, for each seat")
        self.seeds = EnvironmentCheck("a seed plays the ledger's game")
        self._env = env
        self._core: TagAECEnv = env.unwrapped
        self._seats = dict(enumerate(self._core.possible_agents))

    def play(self, seed: int) -> None:
        """Repeat in the environment what random agents do in the ledger's game of this seed."""
        env, episode = self._env, self._core.episode
        order = GameOrder(
            "check", str(self._core.metadata["name"]), ("random",) * episode.n_players, seed, record_actions=True
        )
        record = play_order(order)
        choices = iter(record.choices)
        draws = Rng(derive_seed(seed, "check"))
        env.reset(seed=seed)
        rewards = Rewards(episode.rewards.name)
        rewards.start(episode.state)
        while not episode.state.is_terminal:
            self._look(draws)
            available = episode.model.available_actions(episode.state)
            choice = next(choices, len(available))
            if choice >= len(available):
                break
            env.step(episode.vocabulary.index(available[choice]))
            expected = list(rewards.after(episode.state)) or [0.0] * episode.n_players
            found = [env.rewards[agent] for agent in self._seats.values()]
            self.rewards.expect(
                np.allclose(found, expected), f"seed {seed}, action {episode.state.tick}: {found} instead of {expected}"
            )
        is_same = state_hash(episode.state) == record.state_hash
        self.seeds.expect(is_same, f"the game of seed {seed} is not the one that `tag play` plays")

    def _look(self, draws: Rng) -> None:
        """Check the observation of each agent in a position."""
        episode = self._core.episode
        truth = episode.state
        where = f"action {truth.tick}, "
        for seat, agent in self._seats.items():
            seen = self._env.observe(agent)
            actions = episode.model.available_actions(truth) if seat == truth.current_player else []
            expected = sorted(map(episode.vocabulary.index, actions))
            masked = np.flatnonzero(seen["action_mask"]).tolist()
            self.masks.expect(masked == expected, f"{where}{agent}: {masked} instead of {expected}")
            self.spaces.expect(
                self._env.observation_space(agent).contains(seen), f"{where}{agent}: not in the space: {seen}"
            )
            twin = truth.observation(seat, draws)
            if state_hash(twin) == state_hash(truth):
                continue
            episode.state = twin
            other = self._env.observe(agent)["observation"]
            episode.state = truth
            differ = np.flatnonzero(other != seen["observation"]).tolist()
            names = [self._core.names[entry] if entry < len(self._core.names) else str(entry) for entry in differ[:5]]
            self.hidden.expect(not differ, f"{where}{agent}: depends on hidden information: {', '.join(names)}")
