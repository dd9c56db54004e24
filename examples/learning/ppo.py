"""PPO in self-play: one network has all seats, and sees in each position what the player to move may see.

    python examples/learning/ppo.py love_letter --players 2 --out policy.safetensors
    tag play love_letter --agent examples/learning/ppo_policy.py:PpoPolicy:file=policy.safetensors --agent osla

It needs ``tag-games[ppo]``. A million decisions take a minute or two. ``pytag_table.py``
trains in several games.

J. Schulman et al., "Proximal policy optimization algorithms", 2017; with masks as in S. Huang, S. Ontañón, "A closer look at
invalid action masking in policy gradient algorithms", 2020.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from ppo_policy import Network
from ppo_rollout import Floats, Rollout, Scale
from torch import nn

from tag import make_game
from tag.adapters.rewards import REWARDS
from tag.adapters.vector import SelfPlayVectorEnv
from tag.catalogue.models import Model, rules_of, to_bytes
from tag.catalogue.version import tag_version

#: Stands for the logarithm of 0.
_NEVER = -1e9


@dataclass(frozen=True)
class Settings:
    """The settings of PPO, chosen in tic-tac-toe.

    Small batches and many epochs matter most: with batches of 8,192 decisions and 4 epochs, a policy still lost every
    seventh game against chance after 400,000 decisions.
    """

    decisions: int = 1_000_000
    games: int = 64
    steps: int = 32
    hidden: int = 128
    learning_rate: float = 1e-3  # falls to 0
    epochs: int = 8
    minibatches: int = 8
    discount: float = 1.0  # all games end
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.05
    value: float = 0.5
    largest_gradient: float = 0.5


class Trainer:
    """Plays many games at once, and improves the network by them."""

    def __init__(self, game: str, players: int, reward: str, seed: int, settings: Settings) -> None:
        """Prepare the games and a network that knows nothing.

        Args:
            game: the spec of the game.
            players: the number of seats.
            reward: what is learned from (`tag.adapters.rewards`).
            seed: decides all.
            settings: those of PPO.
        """
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.game, self.players, self.seed, self.settings = game, players, seed, settings
        self._drawn = np.random.default_rng(seed)
        self._env = SelfPlayVectorEnv(game, settings.games, players, reward=reward)
        self._n_features = int(self._env.single_observation_space.shape[0])
        self._n_actions = int(self._env.single_action_space.n)
        self._policy = self._network(self._n_actions, 0.01)
        self._critic = self._network(1, 1.0)
        self._known = [*self._policy.parameters(), *self._critic.parameters()]
        self._optimiser = torch.optim.Adam(self._known, lr=settings.learning_rate, eps=1e-5)
        self._scale = Scale(self._n_features)
        self._seen, self._info = self._env.reset(seed=seed)
        self._was_over = np.zeros(settings.games, np.bool_)
        self._scale.learn(self._seen)

    def train(self) -> bytes:
        """Train the network, and return it as the content of a file."""
        settings = self.settings
        updates = max(settings.decisions // (settings.games * settings.steps), 1)
        for number in range(updates):
            self._optimiser.param_groups[0]["lr"] = settings.learning_rate * (1 - number / updates)
            rollout = self._played()
            advantages, is_known = rollout.advantages(
                self._info["player"], self._values(self._seen), settings.discount, settings.trace
            )
            rows = np.flatnonzero(is_known)
            for _epoch in range(settings.epochs):
                for part in np.array_split(self._drawn.permutation(rows), settings.minibatches):
                    self._update(rollout, advantages, part)
            self._scale.learn(rollout.seen.reshape(-1, self._n_features))
        return self._file(updates * settings.games * settings.steps)

    def _network(self, outputs: int, gain: float) -> Any:
        sizes = (self._n_features, self.settings.hidden, self.settings.hidden, outputs)
        layers: list[Any] = []
        for inward, outward in pairwise(sizes):
            layer = nn.Linear(inward, outward)
            nn.init.orthogonal_(layer.weight, math.sqrt(2))
            nn.init.zeros_(layer.bias)
            layers += [layer, nn.Tanh()]
        nn.init.orthogonal_(layers[-2].weight, gain)
        return nn.Sequential(*layers[:-1])

    def _chances(self, seen: Any, mask: Any) -> Any:
        """Return the logarithm of the probability of each action."""
        return torch.log_softmax(self._policy(seen).masked_fill(mask == 0, _NEVER), dim=1)

    def _values(self, seen: NDArray[Any]) -> NDArray[np.float32]:
        with torch.no_grad():
            found: NDArray[np.float32] = self._critic(torch.as_tensor(self._scale.scaled(seen)))[:, 0].numpy()
        return found

    def _played(self) -> Rollout:
        """Play on in all games."""
        settings, env = self.settings, self._env
        rollout = Rollout.empty(settings.steps, settings.games, self._n_features, self._n_actions, self.players)
        each = np.arange(settings.games)
        for step in range(settings.steps):
            seen, mask = self._seen, self._info["action_mask"]
            with torch.no_grad():
                logs = self._chances(torch.as_tensor(self._scale.scaled(seen)), torch.as_tensor(mask)).numpy()
            # The greatest sum of a logarithm and a Gumbel number is a draw by the probabilities.
            action = np.where(mask, logs + self._drawn.gumbel(size=logs.shape), -np.inf).argmax(axis=1)
            rollout.seen[step], rollout.mask[step], rollout.player[step] = seen, mask, self._info["player"]
            rollout.value[step], rollout.is_start[step] = self._values(seen), self._was_over
            rollout.action[step], rollout.chance[step] = action, logs[each, action]
            self._seen, _reward, self._was_over, _is_cut, self._info = env.step(action)
            rollout.rewards[step], rollout.is_over[step] = self._info["rewards"], self._was_over
        return rollout

    def _update(self, rollout: Rollout, advantages: Floats, rows: NDArray[np.int64]) -> None:
        """Learn from some of the choices."""
        settings = self.settings
        seen = torch.as_tensor(self._scale.scaled(rollout.seen.reshape(-1, self._n_features)[rows]))
        mask = torch.as_tensor(rollout.mask.reshape(-1, self._n_actions)[rows])
        action, chance, value = (
            torch.as_tensor(array.reshape(-1)[rows]) for array in (rollout.action, rollout.chance, rollout.value)
        )
        gain = torch.as_tensor(advantages.reshape(-1)[rows], dtype=torch.float32)
        error = (self._critic(seen)[:, 0] - (gain + value)).square().mean()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        logs = self._chances(seen, mask)
        ratio = (logs.gather(1, action[:, None])[:, 0] - chance).exp()
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        entropy = -(logs.exp() * logs).sum(dim=1).mean()
        loss = settings.value * error - torch.min(ratio * gain, clipped * gain).mean() - settings.entropy * entropy
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._known, settings.largest_gradient)
        self._optimiser.step()

    def _file(self, decisions: int) -> bytes:
        layers = [
            (layer.weight.detach().double().numpy().T, layer.bias.detach().double().numpy())
            for layer in self._policy
            if isinstance(layer, nn.Linear)
        ]
        known = Network(self._scale.mean, self._scale.deviation, layers).knowledge()
        rules = rules_of(make_game(self.game))
        return to_bytes(Model("ppo", self.game, rules, self.players, 0, 0, decisions, self.seed, tag_version(), known))


def main() -> None:
    """Train, and write the policy."""
    parser = argparse.ArgumentParser(description="Train a policy by PPO in self-play.")
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--reward", choices=REWARDS, default="win")
    parser.add_argument("--decisions", type=int, default=Settings.decisions)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", required=True)
    said = parser.parse_args()
    trainer = Trainer(said.game, said.players, said.reward, said.seed, Settings(said.decisions))
    Path(said.out).write_bytes(trainer.train())


if __name__ == "__main__":
    main()
