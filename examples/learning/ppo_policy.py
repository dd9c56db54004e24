"""An agent that plays by a policy of ``ppo.py``: ``examples/learning/ppo_policy.py:PpoPolicy:file=policy.safetensors``.

It needs NumPy, and nothing of what trained the policy.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tag import (
    Agent,
    AnyAction,
    ForwardModel,
    GameState,
    Knowledge,
    ParameterError,
    Parameters,
    file_name,
    flag,
)
from tag.catalogue.models import check_fits, read_model

Floats = NDArray[np.float64]


class Network:
    """Layers of neurons with tanh between them: from the features of a position to a number for each action.

    Attributes:
        mean, scale: of the features in training.
        layers: the weights (from, to) and biases of each layer.
    """

    def __init__(self, mean: Floats, scale: Floats, layers: Sequence[tuple[Floats, Floats]]) -> None:
        """Take the numbers."""
        self.mean = mean
        self.scale = scale
        self.layers = list(layers)

    def logits(self, features: Sequence[float]) -> Floats:
        """Return the logarithm of the probability of each action, but for a constant."""
        values: Floats = np.clip((np.array(features) - self.mean) / self.scale, -5.0, 5.0)
        for weights, biases in self.layers[:-1]:
            values = np.tanh(values @ weights + biases)
        weights, biases = self.layers[-1]
        found: Floats = values @ weights + biases
        return found

    def knowledge(self) -> Knowledge:
        """Return the numbers as they are stored."""
        arrays = {"mean": self.mean, "scale": self.scale}
        for number, (weights, biases) in enumerate(self.layers):
            arrays |= {f"weights_{number}": weights, f"biases_{number}": biases}
        return Knowledge(
            {"layers": len(self.layers)}, {name: array("d", one.ravel().tolist()) for name, one in arrays.items()}
        )

    @classmethod
    def restored(cls, knowledge: Knowledge) -> Network:
        """Return the network that was stored."""
        arrays = {name: np.array(values, np.float64) for name, values in knowledge.arrays.items()}
        layers = []
        for number in range(knowledge.facts["layers"]):
            biases = arrays[f"biases_{number}"]
            layers.append((arrays[f"weights_{number}"].reshape(-1, len(biases)), biases))
        return cls(arrays["mean"], arrays["scale"], layers)


@dataclass
class PpoPolicyParameters(Parameters):
    """The policy, and how to play by it."""

    file: str = file_name("file of ppo.py with the policy")
    greedy: bool = flag(False, "whether it plays the most probable action; if not, it draws one")


class PpoPolicy(Agent):
    """Plays by a policy that was trained in games against itself; it does not search."""

    parameters_class = PpoPolicyParameters
    parameters: PpoPolicyParameters

    def __init__(self, parameters: PpoPolicyParameters | None = None) -> None:
        """Take the parameters."""
        super().__init__(parameters)
        self._choices: list[tuple[str, float]] = []

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Refuse games that the policy was not trained in."""
        if not self.parameters.file:
            raise ParameterError("PpoPolicy has no policy; name one: file=policy.safetensors")
        check_fits(self.parameters.file, read_model(self.parameters.file), model, n_players)

    def start_game(self, observation: GameState) -> None:
        """Read the policy."""
        network = Network.restored(read_model(self.parameters.file).knowledge)
        model = self.sim.model
        features = model.features()
        if features is None:
            raise ParameterError(f"{model.game_type.title} declares no features, which the policy was trained on")
        self._known = network, features, model.vocabulary(observation.n_players)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Choose by the probabilities of the available actions."""
        network, features, vocabulary = self._known
        logits = network.logits(features.values(observation, self.player))
        available = logits[[vocabulary.index(action) for action in actions]]
        weights = np.exp(available - available.max())
        shares = weights / weights.sum()
        self._choices = [(str(action), float(share)) for action, share in zip(actions, shares, strict=True)]
        if self.parameters.greedy:
            return actions[int(shares.argmax())]
        return actions[min(int(np.searchsorted(shares.cumsum(), self.sim.rng.uniform(), "right")), len(actions) - 1)]

    def statistics(self) -> Mapping[str, object]:
        """Return the probability of each action."""
        return {"actions": [{"action": action, "probability": share} for action, share in self._choices]}
