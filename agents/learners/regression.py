"""Value functions fitted by regression to positions of games and how these ended."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import isfinite
from typing import Any

from mypy_extensions import i64, mypyc_attr

from tag.agents.learners._positions import Explorer, PositionSampler, Sample, features_of, with_value_of
from tag.agents.learners._regression import AIC, BIC, EBIC, LINEAR, LOGISTIC, FitSettings, FittedModel, Rows, fit
from tag.agents.learners._td import RESULT, SCORE, needs
from tag.agents.learners._vectors import floats_in, floats_to_array, integers_in, integers_to_array
from tag.catalogue.registry import check_game, make_agent
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import MoreThan, Parameters, choice, integer, real, spec_of
from tag.engine.results import ONGOING
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.engine.values import Features
from tag.errors import DataError
from tag.playing.agent import Agent
from tag.playing.faults import VOID, FaultPolicy
from tag.playing.game import Game
from tag.playing.learning import Knowledge, LearnedValues, Learner
from tag.playing.listener import Listener


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class RegressionParameters(Parameters):
    """Parameters of value functions fitted to positions."""

    agent: str = spec_of("agent", "mcts:budget=100,preset=none", "who plays all seats of the games")
    epsilon: float = real(0.1, 0.0, 1.0, "share of random moves, so that positions after bad moves are known, too")
    positions: int = integer(10, 1, 1000, "positions of each game that are kept, drawn at random", log=True)
    heuristic: str = spec_of("heuristic", "null", "its value of a position is one more feature; null adds none")
    target: str = choice(RESULT, (RESULT, SCORE), "what is predicted: the result, or the points at the end")
    link: str = choice(LOGISTIC, (LINEAR, LOGISTIC), "regression: of the target, or of its log odds")
    ridge: float = real(
        0.001, 1e-9, 10.0, "penalty on half the squared weights of standardised features, per position", log=True
    )
    products: int = integer(0, 0, 1000, "products of two features (interactions, squares) that are added at most")
    criterion: str = choice(
        EBIC,
        (AIC, BIC, EBIC),
        "what a product must gain to be added: AIC, BIC, or BIC that allows for the number tried; needs products",
        active_if=("products", MoreThan(0)),
    )

    def check(self) -> None:
        """Refuse settings that change nothing beside others."""
        needs(self, "criterion", self.products > 0, "products above 0")

    def fit_settings(self) -> FitSettings:
        """Return how to fit."""
        return FitSettings(self.link, self.ridge, self.products, self.criterion)


class RegressionValues(LearnedValues):
    """Values of positions by a fitted model; those of players for whom the game is over by their result or points.

    Attributes:
        model: the model.
        low: the target whose value is -1; ``high`` the one whose value is 1.
    """

    def __init__(self, features: Features, model: FittedModel, is_score: bool, low: float, high: float) -> None:
        """Take the model of the game's features, and the targets whose values are -1 and 1."""
        super().__init__()
        self._features = features
        self.model = model
        self._is_score = is_score
        self.low = low
        self.high = high

    def value(self, state: GameState, player: i64) -> float:
        """Return the value of a position, in [-1, 1]."""
        if state.is_terminal or state.result(player) != ONGOING:
            if not self._is_score:
                return state.result_value(player)
            share = (state.score(player) - self.low) / (self.high - self.low)
            return max(-1.0, min(1.0, 2.0 * share - 1.0))
        return self.model.value(self._features.values(state, player))

    def write(self, knowledge: Knowledge, prefix: str) -> None:
        """Add the model to ``knowledge``, by names that begin with ``prefix``."""
        model = self.model
        knowledge.facts |= {f"{prefix}bias": model.bias, f"{prefix}low": self.low, f"{prefix}high": self.high}
        knowledge.arrays |= {
            f"{prefix}used": integers_to_array(model.used),
            f"{prefix}weights": floats_to_array(model.weights),
            f"{prefix}firsts": integers_to_array(model.firsts),
            f"{prefix}seconds": integers_to_array(model.seconds),
            f"{prefix}product_weights": floats_to_array(model.product_weights),
        }

    def target(self, value: float) -> float:
        """Return the target that has a ``value``."""
        return self.low + 0.5 * (max(-1.0, min(1.0, value)) + 1.0) * (self.high - self.low)


@mypyc_attr(allow_interpreted_subclasses=True)
class Regression(Learner):
    """Fits values of positions to the results, or points, of the games that an agent plays in all seats.

    The model is a linear or logistic function of the features that the game has for each player, and of products of these
    (`tag.agents.learners._regression.fit`). It is fitted when its values are asked for, to all positions that were kept.
    """

    parameters_class = RegressionParameters

    def __init__(
        self, model: ForwardModel[Any], n_players: i64, parameters: RegressionParameters, n_episodes: i64, seed: i64
    ) -> None:
        """Start untrained.

        Raises:
            ParameterError: the game has no features, or the agent cannot play it.
        """
        super().__init__(model, n_players, parameters, n_episodes, seed)
        self._settings = parameters
        self._features = with_value_of(parameters.heuristic, features_of(model, n_players), model)
        self._names = list(self._features.names(n_players))
        check_game(parameters.agent, model, int(n_players))
        self._is_score = parameters.target == SCORE
        self._low = -1.0
        self._high = 1.0
        self.rows = Rows(len(self._names))
        self._model = FittedModel(parameters.link)
        self._is_fitted = True

    def play_episode(self) -> None:
        """Play one game and keep positions of it."""
        agents: list[Agent] = []
        for _seat in range(self.n_players):
            agents.append(Explorer(self.new_player(), self._settings.epsilon))
        seed = derive_seed(self.seed, "episode", self.episodes)
        Game(self.model, agents, seed, policy=FaultPolicy(VOID, VOID), listeners=[self._sampler()]).play()

    def new_player(self) -> Agent:
        """Return an agent for one seat of the next game."""
        return make_agent(self._settings.agent)

    def mixing(self) -> float:
        """Return the share that the values of the players' searches have in the targets."""
        return 0.0

    def listener(self) -> Listener:
        """Return a listener that keeps positions of the one game that it hears, with any number of moves in each turn.

        Raises:
            ParameterError: the learner is told how its own games are played.
        """
        for name in ("agent", "epsilon"):
            needs(self._settings, name, False, "games that the learner plays itself")
        return self._sampler()

    def _sampler(self) -> Listener:
        rng = Rng(derive_seed(self.seed, "positions", self.episodes))
        return _Sampler(self, self._features, self._settings.positions, rng, self.mixing() > 0.0)

    def add_game(self, samples: list[Sample], state: GameState, moves: i64) -> None:
        """Keep positions of a game that ended in ``state``."""
        rows = self.rows
        rows.start_group()
        share = self.mixing()
        for sample in samples:
            for player, features in sample.features.items():
                target = state.score(player) if self._is_score else state.result_value(player)
                if share > 0.0 and sample.search_value is not None and player == sample.mover:
                    target += share * (self.target_of(sample.search_value) - target)
                rows.add(features, target)
        self._is_fitted = False
        self.episodes += 1
        self.moves += moves

    def target_of(self, value: float) -> float:
        """Return the target that a search's ``value`` stands for."""
        return value

    def fitted(self) -> RegressionValues:
        """Fit the model to the positions kept so far, unless it has been, and return its values."""
        if not self._is_fitted:
            rows = self.rows
            if self._is_score and len(rows.targets) > 0:
                low = high = rows.targets[0]
                for row in range(len(rows.targets)):
                    low = min(low, rows.targets[row])
                    high = max(high, rows.targets[row])
                self._low = low
                self._high = high if high > low else low + 1.0
            self._model = fit(rows, self._low, self._high, self._settings.fit_settings())
            self._is_fitted = True
        return RegressionValues(self._features, self._model, self._is_score, self._low, self._high)

    def values(self) -> LearnedValues:
        """Return the values fitted to all positions kept so far."""
        return self.fitted()

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the model; `to_go_on` also the positions."""
        found = Knowledge({"features": self._names})
        self.fitted().write(found, "")
        if to_go_on:
            found.facts["episodes"] = int(self.episodes)
            found.facts["moves"] = int(self.moves)
            found.arrays["rows"] = floats_to_array(self.rows.features)
            found.arrays["targets"] = floats_to_array(self.rows.targets)
            found.arrays["games"] = integers_to_array(self.rows.firsts)
        return found

    def restore(self, knowledge: Knowledge) -> None:
        """Take over a model, and the positions where there are some."""
        if knowledge.facts.get("features") != self._names:
            raise DataError(f"the model was fitted to other features than {self.model.game_type.title} has now")
        try:
            values = self.read_values(knowledge, "")
            self._model, self._low, self._high = values.model, values.low, values.high
            self._is_fitted = True
            if "rows" in knowledge.arrays:
                self.episodes = int(knowledge.facts["episodes"])
                self.moves = int(knowledge.facts["moves"])
                self.rows = _rows(knowledge.arrays, len(self._names))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"the model does not fit its learner: {error}") from None

    def read_values(self, knowledge: Knowledge, prefix: str) -> RegressionValues:
        """Return the values that `RegressionValues.write` has written.

        Raises:
            DataError: they do not fit the features.
        """
        arrays = knowledge.arrays
        n_features = len(self._names)
        model = FittedModel(self._settings.link)
        model.used = integers_in(arrays, f"{prefix}used", n_features)
        model.weights = floats_in(arrays, f"{prefix}weights")
        model.firsts = integers_in(arrays, f"{prefix}firsts", n_features)
        model.seconds = integers_in(arrays, f"{prefix}seconds", n_features)
        model.product_weights = floats_in(arrays, f"{prefix}product_weights")
        n_products = len(model.firsts)
        if len(model.used) != len(model.weights) or not n_products == len(model.seconds) == len(model.product_weights):
            raise DataError("the model does not fit its learner: it has not as many weights as features")
        try:
            low, high = float(knowledge.facts[f"{prefix}low"]), float(knowledge.facts[f"{prefix}high"])
            model.bias = float(knowledge.facts[f"{prefix}bias"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"the model does not fit its learner: {error}") from None
        if not (isfinite(model.bias) and isfinite(high - low) and low < high):
            raise DataError(
                f"the model does not fit its learner: its values are from {low} to {high} around {model.bias}"
            )
        return RegressionValues(self._features, model, self._is_score, low, high)


class _Sampler(PositionSampler):
    """Gives the positions of one game to a learner."""

    def __init__(
        self, learner: Regression, features: Features, number: i64, rng: Rng, with_search_values: bool
    ) -> None:
        super().__init__(number, features, rng, with_search_values)
        self._learner = learner

    def learn(self, samples: list[Sample], state: GameState, moves: i64) -> None:
        self._learner.add_game(samples, state, moves)


def _rows(arrays: dict[str, array[Any]], n_features: int) -> Rows:
    rows = Rows(n_features)
    rows.features = floats_in(arrays, "rows")
    rows.targets = floats_in(arrays, "targets")
    n_rows = len(rows.targets)
    rows.firsts = integers_in(arrays, "games", n_rows + 1)
    firsts = list(arrays["games"])
    if len(rows.features) != n_features * n_rows or sorted(firsts) != firsts or firsts[:1] not in ([], [0]):
        raise DataError("the checkpoint does not fit its learner: its positions are damaged")
    return rows
