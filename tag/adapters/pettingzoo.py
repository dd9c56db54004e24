"""Games as PettingZoo environments: ``aec_env("love_letter", n_players=4)``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from tag.adapters.choosing import make_actions
from tag.adapters.episode import Episode, game_seed
from tag.errors import ParameterError


def aec_env(
    game: str,
    n_players: int | None = None,
    *,
    observation: str = "features",
    reward: str = "win",
    actions: str = "flat",
    max_steps: int = 0,
    events: bool = False,
    render_mode: str | None = None,
) -> TagAECEnv:
    """Return an environment of a game in which every seat is an agent.

    Examples:
        >>> env = aec_env("tic_tac_toe")
        >>> env.reset(seed=1)
        >>> env.agents, env.action_space("player_0")
        (['player_0', 'player_1'], Discrete(9))
        >>> env.step(4)
        >>> env.agent_selection
        'player_1'

    Args:
        game: the spec of the game type, also a path to a user's own file.
        n_players: the number of seats; the fewest that the game can seat if omitted.
        observation: ``features`` or ``cells`` (`tag.adapters.observing`).
        reward: ``win``, ``points``, ``score`` or ``lead`` (`tag.adapters.rewards`).
        actions: ``flat`` for indices of the vocabulary, ``tree`` for a number for each level (`tag.adapters.choosing`).
        max_steps: truncate games after so many actions, 0 for never.
        events: whether the ``info`` of the selected agent has ``events``: all that its seat has been told since it was last
            selected, as `tag.table.events.event_views` has it; at the end that of all agents has.
        render_mode: ``ansi`` for a text as one sees it who may see everything, or ``human`` to print it.

    Raises:
        TagError: one of the arguments is wrong; the message says how.
    """
    episode = Episode(game, n_players, observation, reward, events=events)
    return TagAECEnv(episode, game, actions, max_steps, render_mode)


class TagAECEnv(AECEnv):  # type: ignore[misc]  # mypy does not follow PettingZoo, which need not be there
    """A game whose seats act in turn; agents are ``player_0``, ``player_1`` … in the order of the seats.

    An observation has ``observation``, the vector, and ``action_mask``, all 0 for agents who do not decide.

    Attributes:
        episode: the game that is being played.
        names: the meaning of each entry of the vector.
    """

    def __init__(
        self, episode: Episode, name: str, actions: str = "flat", max_steps: int = 0, render_mode: str | None = None
    ) -> None:
        """Take a game type that is prepared, and its spec."""
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise ParameterError(f"render_mode cannot be {render_mode!r}; it is ansi, human or None")
        if max_steps < 0:
            raise ParameterError(f"max_steps cannot be {max_steps}; the nearest value is 0")
        self.metadata = {"name": name, "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.episode = episode
        self.names = episode.vector.names
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(episode.n_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._max_steps = max_steps
        self._actions = make_actions(episode.vocabulary, actions)
        self._no_action = self._actions.no_action
        self.observation_spaces = {agent: episode.seen_space(self._actions.size) for agent in self.possible_agents}
        self.action_spaces = {agent: make_actions(episode.vocabulary, actions).space for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, the same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up the game that ``tag play GAME --seed`` plays; without a seed, that of a drawn one."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.episode.start(game_seed(seed, self._seeds))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_action} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Let the agent decide whose seat does."""
        seat = int(self.episode.state.current_player)
        agent = self.agent_selection = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": self._actions.mask(self.episode.choices), **self.episode.news(seat)}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the knowledge of the agent, and a mask of its actions."""
        info = self.infos.get(agent)
        mask = self._no_action if info is None else info["action_mask"]
        return {"observation": self.episode.vector.values(self.episode.state, self._seats[agent]), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action of the selected agent; None for one whose game is over.

        Raises:
            ParameterError: the action is not available.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ParameterError(f"{agent} must choose an action: its game is not over")
        episode = self.episode
        episode.play(self._actions.index(action))
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_action}
        gained = episode.rewards.after(episode.state)
        if gained:
            self.rewards = dict(zip(self.agents, gained, strict=True))
            self._accumulate_rewards()
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        state = episode.state
        if state.is_terminal:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {
                each: {"action_mask": self._no_action, **episode.news(self._seats[each])} for each in self.agents
            }
        else:
            self._select()
            if self._max_steps and state.tick >= self._max_steps:
                self.truncations = dict.fromkeys(self.agents, True)
        if state.is_terminal or self.truncations[agent]:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the position as text, or print it."""
        text = self.episode.state.text(-1)
        if self.render_mode == "human":
            print(text)  # noqa: T201  it is what the user asked for
            return None
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
