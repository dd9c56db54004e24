"""Games with simultaneous choices as PettingZoo's parallel environments: ``parallel_env("sushi_go", n_players=3)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from tag.adapters.episode import Episode, game_seed
from tag.engine.forward_model import SIMULTANEOUS
from tag.engine.rng import Rng
from tag.errors import ContractError, ParameterError


def parallel_env(
    game: str, n_players: int | None = None, *, observation: str = "features", reward: str = "win", events: bool = False
) -> TagParallelEnv:
    """Return an environment in which all seats that choose at the same time act in one step.

    Args:
        game: the spec of the game type, also a path to a user's own file.
        n_players: the number of seats; the fewest that the game can seat if omitted.
        observation: ``features`` or ``cells`` (`tag.adapters.observing`).
        reward: ``win``, ``points``, ``score`` or ``lead`` (`tag.adapters.rewards`).
        events: whether an agent's ``info`` has ``events``: all that its seat has been told since the last step, as
            `tag.table.events.event_views` has it.

    Raises:
        TagError: one of the arguments is wrong, or players of this game choose one after another.
    """
    return TagParallelEnv(Episode(game, n_players, observation, reward, events=events), game)


class TagParallelEnv(ParallelEnv):  # type: ignore[misc]  # mypy does not follow PettingZoo, which need not be there
    """A game whose seats choose at the same time.

    The action spaces have one number more than the vocabulary: the last one, `wait`, is all that those can do who have
    nothing to choose.

    Attributes:
        episode: the game that is being played.
        names: the meaning of each entry of an observation's vector.
        wait: the action of agents who have nothing to choose.
    """

    def __init__(self, episode: Episode, name: str) -> None:
        """Take a game type that is prepared, and its spec.

        Raises:
            ContractError: its players choose one after another.
        """
        kind = episode.model.game_type
        if SIMULTANEOUS not in kind.mechanics:
            raise ContractError(f"players of {kind.title} choose one after another; the nearest environment is aec_env")
        self.metadata = {"name": name, "render_modes": []}
        self.render_mode = None
        self.episode = episode
        self.names = episode.vector.names
        self.wait = len(episode.vocabulary)
        self.possible_agents = [f"player_{seat}" for seat in range(episode.n_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: episode.seen_space(self.wait + 1) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self._choices: dict[int, list[int]] = {}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the numbers of the vocabulary and `wait`."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Set up the game that ``tag play GAME --seed`` plays; without a seed, that of a drawn one."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.episode.start(game_seed(seed, self._seeds))
        self.agents = self.possible_agents[:]
        self._go_on([0.0] * len(self.agents))
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the choices of all agents but those who wait.

        Raises:
            ParameterError: an action is not available, or one is missing; nothing has been played.
        """
        if not self.agents:
            raise ParameterError("no game is in progress; call reset")
        for seat, agent in enumerate(self.possible_agents):
            self._check(seat, agent, actions.get(agent))
        gains = [0.0] * len(self.agents)
        for seat in list(self._choices):
            self._play(int(actions[self.possible_agents[seat]]), gains)
        self._go_on(gains)
        is_over = bool(self.episode.state.is_terminal)
        agents = self.agents
        observations = self._observations()
        if is_over:
            self.agents = []
        return (
            observations,
            dict(zip(agents, gains, strict=True)),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, False),
            self._infos(),
        )

    def _infos(self) -> dict[str, dict[str, Any]]:
        """Return the news of each agent since the last step, if it is told of events."""
        return {agent: self.episode.news(seat) for seat, agent in enumerate(self.possible_agents)}

    def _check(self, seat: int, agent: str, action: int | None) -> None:
        """Refuse an action that is not available."""
        choices = self._choices.get(seat, [self.wait])
        if action is None or int(action) not in choices:
            raise ParameterError(f"action {action!r} is not available to {agent}; there are: {choices}")

    def _play(self, number: int, gains: list[float]) -> None:
        """Play an action and add the rewards for it."""
        self.episode.play(number)
        for seat, gain in enumerate(self.episode.rewards.after(self.episode.state)):
            gains[seat] += gain

    def _go_on(self, gains: list[float]) -> None:
        """Play forced actions up to the next choice, and find who makes it."""
        self._choices = self._found()
        while len(self._choices) == 1 and len(self.episode.choices) == 1:
            self._play(next(iter(self.episode.choices)), gains)
            self._choices = self._found()

    def _found(self) -> dict[int, list[int]]:
        """Return the choices of each seat before it learns of those of others, in the order of the game.

        A choice is secret if its text is the same for others whatever is chosen. Then those of later seats do not depend on
        it, and any action stands for it in a trial.
        """
        model, index = self.episode.model, self.episode.vocabulary.index
        found: dict[int, list[int]] = {}
        trial, draws = self.episode.state.copy(), Rng(0)
        begin = trial.round
        while not trial.is_terminal and trial.round == begin and trial.current_player not in found:
            seat = int(trial.current_player)
            available = model.available_actions(trial)
            found[seat] = [index(action) for action in available]
            other = (seat + 1) % self.episode.n_players
            if len({action.text(trial, other) for action in available}) > 1:
                break
            model.next(trial, available[0], draws)
        return found

    def _observations(self) -> dict[str, dict[str, NDArray[Any]]]:
        found = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.zeros(self.wait + 1, np.int8)
            mask[self._choices.get(seat, [self.wait])] = 1
            values = self.episode.vector.values(self.episode.state, seat)
            found[agent] = {"observation": values, "action_mask": mask}
        return found

    def render(self) -> None:
        """Show nothing; ``env.episode.state.text(seat)`` is the position as a seat sees it."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
