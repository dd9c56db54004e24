"""Many games in one process, arrays in and out: ``SelfPlayVectorEnv("love_letter", num_envs=256, n_players=4)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tag.adapters.episode import Episode, game_seed
from tag.engine.rng import derive_seed
from tag.errors import ParameterError


class SelfPlayVectorEnv(VectorEnv):  # type: ignore[misc]  # mypy does not follow Gymnasium, which need not be there
    """Games in which one learner has all seats: a step plays an action of the player to move in each game.

    Observations are those of the players to move; at the end of a game that of the player who moved last. The reward is that
    of the player who moved; a player's reward for a rival's action is in ``info["rewards"]`` only, a row of all players. The
    step after the end of a game ignores its action and sets up the next one (`AutoresetMode.NEXT_STEP`).

    ``info`` has ``action_mask`` (games by actions), ``player`` (who moves, by game) and ``rewards`` (games by players). All
    arrays are new in each step.

    Examples:
        >>> import numpy as np
        >>> env = SelfPlayVectorEnv("tic_tac_toe", 3)
        >>> observations, infos = env.reset(seed=1)
        >>> observations.shape
        (3, 9)
        >>> rewards = env.step(np.array([0, 1, 2]))[1]
        >>> rewards.shape
        (3,)

    Attributes:
        names: the meaning of each entry of an observation.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        n_players: int | None = None,
        *,
        observation: str = "features",
        reward: str = "win",
    ) -> None:
        """Prepare the games.

        Raises:
            TagError: one of the arguments is wrong; the message says how.
        """
        if num_envs < 1:
            raise ParameterError(f"num_envs cannot be {num_envs}; the nearest value is 1")
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self._episodes = [Episode(game, n_players, observation, reward) for _game in range(num_envs)]
        first = self._episodes[0]
        self.names = first.vector.names
        self.single_observation_space = first.vector.space
        self.single_action_space = spaces.Discrete(len(first.vocabulary))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._players = [0] * num_envs
        self._is_over = [False] * num_envs
        self._seed = 0
        self._n_started = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Set up the games ``seed``, ``seed + 1`` …; the seeds of later ones follow from ``seed``, or from a drawn one."""
        super().reset(seed=seed)
        self._seed = game_seed(seed, self.np_random)
        self._n_started = 0
        for number, episode in enumerate(self._episodes):
            episode.start(self._seed + number)
            self._players[number] = int(episode.state.current_player)
        self._is_over = [False] * self.num_envs
        return self._observations(), self._infos(self._no_rewards())

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action in each game, by their numbers in the vocabulary.

        Raises:
            ParameterError: there are not as many as games, or one is not available; the games before it have been played.
        """
        numbers = np.asarray(actions).tolist()
        if len(numbers) != self.num_envs:
            raise ParameterError(f"{len(numbers)} actions cannot be played in {self.num_envs} games; give one for each")
        gains = self._no_rewards()
        rewards = np.zeros(self.num_envs)
        players, is_over = self._players, self._is_over
        for number, episode in enumerate(self._episodes):
            if is_over[number]:
                self._n_started += 1
                episode.start(derive_seed(self._seed, "next", str(self._n_started)))
                is_over[number] = False
            else:
                episode.play(numbers[number])
                gained = episode.rewards.after(episode.state)
                if gained:
                    gains[number] = gained
                    rewards[number] = gained[players[number]]
                is_over[number] = bool(episode.state.is_terminal)
            if not is_over[number]:
                players[number] = int(episode.state.current_player)
        terminations = np.array(is_over)
        return self._observations(), rewards, terminations, np.zeros_like(terminations), self._infos(gains)

    def _no_rewards(self) -> NDArray[np.float64]:
        return np.zeros((self.num_envs, self._episodes[0].n_players))

    def _observations(self) -> NDArray[Any]:
        found = [episode.vector.values(episode.state, self._players[n]) for n, episode in enumerate(self._episodes)]
        return np.array(found)

    def _infos(self, rewards: NDArray[np.float64]) -> dict[str, Any]:
        mask = np.zeros((self.num_envs, len(self._episodes[0].vocabulary)), np.int8)
        for number, episode in enumerate(self._episodes):
            mask[number, list(episode.choices)] = 1
        return {"action_mask": mask, "player": np.array(self._players), "rewards": rewards}
