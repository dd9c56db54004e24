"""Temporal-difference learning of a function of the game's features: linear, or with one hidden layer."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt, tanh
from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from tag.agents.learners._positions import features_of
from tag.agents.learners._td import (
    AFTERSTATES,
    RESULT,
    STATES,
    Approximator,
    TdLearner,
    TdParameters,
    has_afterstates,
    needs,
)
from tag.agents.learners._vectors import floats_in, floats_to_array
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import flag, integer, real
from tag.engine.rng import Rng
from tag.engine.state import GameState
from tag.engine.values import Features
from tag.errors import DataError
from tag.playing.learning import Knowledge

#: Standardised features are cut off here: what is rare at first has a small deviation.
_MOST_DEVIATIONS: Final = 5.0
_RESOLUTION: Final = 1 << 30


@dataclass
class TdFeatureParameters(TdParameters):
    """Parameters of learning functions of features."""

    alpha: float = real(
        0.02, 1e-6, 100.0, "learning rate at the start: share of an error that a step corrects", log=True
    )
    alpha_final: float = real(
        0.002, 1e-6, 100.0, "learning rate at the end; each game changes it by the same factor", log=True
    )
    trace: float = real(0.7, 0.0, 1.0, "lambda, the share of an error that the position before learns, too")
    hidden: int = integer(0, 0, 1000, "units of the hidden layer; 0 for a linear function")
    shared: bool = flag(True, "all players learn the same function, as features are from a player's view")


@final
class Perceptron(Approximator):
    """Values positions by their standardised features, linearly or with one hidden layer of ``tanh`` units.

    A step is that of gradient descent, divided by 1 and the squared norm of the gradient (normalised least mean squares), so
    that a rate means the same for any number of features and units.

    Attributes:
        names: the names of the features.
    """

    def __init__(
        self,
        features: Features,
        names: list[str],
        n_functions: i64,
        hidden: i64,
        squashes: bool,
        for_all_states: bool,
        rng: Rng,
    ) -> None:
        """Start with the value 0 for all positions.

        Args:
            features: those of the game.
            names: their names.
            n_functions: one for all players, or one for each.
            hidden: the units of the hidden layer, 0 for none.
            squashes: whether values are between -1 and 1, by ``tanh``.
            for_all_states: whether positions are valued at any time, by each player's own view.
            rng: draws the weights of the hidden units.
        """
        self.names = names
        self._features = features
        size: i64 = len(names)
        self._size: i64 = size
        self._hidden: i64 = hidden
        self._n_functions: i64 = n_functions
        self._squashes = squashes
        self._is_for_all_states = for_all_states
        #: Of each function: for each hidden unit a bias and the weights of features, then a bias and the weights of the
        #: units; without hidden units a bias and the weights of the features.
        self._inner: i64 = hidden * (size + 1)
        self._outer: i64 = (hidden if hidden > 0 else size) + 1
        self._weights = vec[float]([0.0] * int(n_functions * (self._inner + self._outer)))
        for function in range(n_functions):
            start = function * (self._inner + self._outer)
            for place in range(start, start + self._inner):
                share = float(rng.below(_RESOLUTION)) / float(_RESOLUTION)
                self._weights[place] = (2.0 * share - 1.0) / sqrt(float(size + 1))
        #: Running moments of each feature; while it has been constant its scale is 0, and so is the input.
        self._count = 0.0
        self._means = vec[float]([0.0] * int(size))
        self._squares = vec[float]([0.0] * int(size))
        self._scales = vec[float]([0.0] * int(size))
        self._inputs = vec[float]([0.0] * int(size))
        self._units = vec[float]([0.0] * int(hidden))

    def look(self, state: GameState, player: i64) -> Any:
        """Return the features from the player's view."""
        return self._features.values(state, player)

    def is_for_all_states(self) -> bool:
        """Say whether positions are valued by the player's own view at any time."""
        return self._is_for_all_states

    def value(self, player: i64, seen: Any) -> float:
        """Return the value of what was seen."""
        total = self._forward(player, seen)
        return tanh(total) if self._squashes else total

    def _start(self, player: i64) -> i64:
        return player % self._n_functions * (self._inner + self._outer)

    def _forward(self, player: i64, seen: list[float]) -> float:
        """Set inputs and units, and return the sum."""
        size = self._size
        inputs = self._inputs
        means = self._means
        scales = self._scales
        for feature in range(size):
            inputs[feature] = max(
                -_MOST_DEVIATIONS, min(_MOST_DEVIATIONS, (seen[feature] - means[feature]) * scales[feature])
            )
        weights = self._weights
        place = self._start(player)
        values = inputs
        if self._hidden > 0:
            values = self._units
            for unit in range(self._hidden):
                total = weights[place]
                place += 1
                for feature in range(size):
                    total += weights[place + feature] * inputs[feature]
                place += size
                values[unit] = tanh(total)
        total = weights[place]
        place += 1
        for number in range(self._outer - 1):
            total += weights[place + number] * values[number]
        return total

    def learn(self, player: i64, seen: Any, error: float, rate: float) -> None:
        """Move the value by about ``rate * error``, and count the features for their means and deviations."""
        self._count_features(seen)
        total = self._forward(player, seen)
        slope = 1.0
        if self._squashes:
            value = tanh(total)
            slope = 1.0 - value * value
        weights = self._weights
        inputs = self._inputs
        units = self._units
        size = self._size
        start = self._start(player)
        outer = start + self._inner
        length = 1.0
        for feature in range(size):
            length += inputs[feature] * inputs[feature]
        norm = length
        if self._hidden > 0:
            norm = 1.0
            for unit in range(self._hidden):
                back = weights[outer + 1 + unit] * (1.0 - units[unit] * units[unit])
                norm += units[unit] * units[unit] + back * back * length
        step = rate * error * slope / (1.0 + norm)
        values = inputs
        if self._hidden > 0:
            values = units
            place = start
            for unit in range(self._hidden):
                back = step * weights[outer + 1 + unit] * (1.0 - units[unit] * units[unit])
                weights[place] += back
                place += 1
                for feature in range(size):
                    weights[place + feature] += back * inputs[feature]
                place += size
        weights[outer] += step
        for number in range(self._outer - 1):
            weights[outer + 1 + number] += step * values[number]

    def _count_features(self, seen: list[float]) -> None:
        """Bring means and deviations up to date (Welford 1962)."""
        self._count += 1.0
        count = self._count
        means = self._means
        squares = self._squares
        scales = self._scales
        for feature in range(self._size):
            difference = seen[feature] - means[feature]
            means[feature] += difference / count
            squares[feature] += difference * (seen[feature] - means[feature])
            if squares[feature] > 0.0:
                scales[feature] = 1.0 / sqrt(squares[feature] / count)

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the weights, and what standardises features."""
        return Knowledge(
            {"features": self.names, "count": self._count},
            {
                "weights": floats_to_array(self._weights),
                "means": floats_to_array(self._means),
                "squares": floats_to_array(self._squares),
            },
        )

    def restore(self, knowledge: Knowledge) -> None:
        """Take over weights, and what standardises features."""
        arrays = knowledge.arrays
        if knowledge.facts.get("features") != self.names:
            raise DataError("the model has learned other features than the game has now")
        lengths = {name: len(values) for name, values in arrays.items()}
        size = int(self._size)
        if lengths != {"weights": len(self._weights), "means": size, "squares": size}:
            raise DataError(
                f"the model has {lengths}, and this learner {len(self._weights)} weights of {size} features"
            )
        count = knowledge.facts.get("count")
        if not isinstance(count, float) or not 0.0 <= count < inf:
            raise DataError(f"the model cannot have learned from {count} positions")
        self._count = count
        self._weights = floats_in(arrays, "weights")
        self._means = floats_in(arrays, "means")
        self._squares = floats_in(arrays, "squares")
        for feature in range(self._size):
            spread = self._squares[feature]
            self._scales[feature] = 1.0 / sqrt(spread / self._count) if spread > 0.0 and self._count > 0.0 else 0.0


class Td(TdLearner):
    """Learns a function of features by temporal differences, TD(lambda), in any game that has features."""

    parameters_class = TdFeatureParameters

    def __init__(
        self, model: ForwardModel[Any], n_players: i64, parameters: TdFeatureParameters, n_episodes: i64, seed: i64
    ) -> None:
        """Start untrained.

        Raises:
            ParameterError: the game has no features.
        """
        self._of_features = parameters
        self._has_afterstates = not model.game_type.hidden_information and has_afterstates(model, n_players)
        super().__init__(model, n_players, parameters, n_episodes, seed)

    def variant(self) -> str:
        """Return whether positions before chance are learned: those of open games that have them."""
        return AFTERSTATES if self._has_afterstates else STATES

    def new_function(self, rng: Rng) -> Approximator:
        """Return a function of this game's features, with the value 0 everywhere.

        Raises:
            ParameterError: the game has no features, or the parameters do not fit it.
        """
        settings = self._of_features
        needs(settings, "shared", self.n_players > 1, "several players")
        features = features_of(self.model, self.n_players)
        return Perceptron(
            features,
            list(features.names(self.n_players)),
            1 if settings.shared else self.n_players,
            settings.hidden,
            settings.reward == RESULT,
            self.model.game_type.hidden_information,
            rng,
        )
