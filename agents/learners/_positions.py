"""Positions of games as training data: a listener that samples them, and random moves between an agent's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from mypy_extensions import i64, mypyc_attr

from tag.catalogue.heuristics import NullHeuristic
from tag.catalogue.registry import make_heuristic
from tag.engine.forward_model import ForwardModel
from tag.engine.results import ONGOING
from tag.engine.rng import Rng
from tag.engine.snapshot import reduced
from tag.engine.state import AnyAction, GameState
from tag.engine.values import Features, StateHeuristic
from tag.errors import ParameterError
from tag.playing.agent import Agent, Budget
from tag.playing.listener import Listener
from tag.playing.search_tree import SearchNode


def features_of(model: ForwardModel[Any], n_players: i64) -> Features:
    """Return the features that a game declares.

    Raises:
        ParameterError: it declares none.
    """
    features = model.features()
    if features is None:
        raise ParameterError(
            f"{model.game_type.title} has no features, so that functions of features cannot learn it; "
            "td_ntuple learns games that declare cells"
        )
    names, values = features.names(n_players), features.values(model.setup(n_players, Rng(0)), 0)
    if len(values) != len(names):
        raise ParameterError(f"{model.game_type.title} has {len(values)} values of its {len(names)} features")
    return features


@final
class _WithValue(Features):
    """Features of a game, and the value that a heuristic gives a position."""

    def __init__(self, features: Features, heuristic: StateHeuristic) -> None:
        """Take the features and the heuristic."""
        super().__init__(features.parameters)
        self._features = features
        self._heuristic = heuristic

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the game's features, and ``heuristic``."""
        return (*self._features.names(n_players), "heuristic")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the game's features, and the value."""
        found = self._features.values(state, player)
        found.append(self._heuristic.value(state, player))
        return found


def with_value_of(heuristic: str, features: Features, model: ForwardModel[Any]) -> Features:
    """Return ``features`` with the value of a heuristic, a spec, as one more; as they are for ``null``."""
    made = make_heuristic(heuristic)
    return features if type(made) is NullHeuristic else _WithValue(features, made.of(model))


@final
class Sample:
    """A position of a game.

    Attributes:
        features: those of each player for whom the game went on, by player.
        mover: the player to move.
        search_value: the value that the player's search found, None if none did.
    """

    def __init__(self, features: dict[int, list[float]], mover: i64, search_value: float | None) -> None:
        """Take the features and values."""
        self.features = features
        self.mover = mover
        self.search_value = search_value

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by fields."""
        return reduced(self, {}, 0, None)


@mypyc_attr(allow_interpreted_subclasses=True)
class PositionSampler(Listener):
    """Keeps positions of one game, each with the same probability (reservoir sampling), for `learn` at its end."""

    def __init__(self, number: i64, features: Features, rng: Rng, with_search_values: bool = False) -> None:
        """Keep the ``features`` of up to ``number`` positions."""
        self._features = features
        self._number: i64 = number
        self._rng = rng
        self._with_search_values = with_search_values
        self._met: i64 = 0
        self._samples: list[Sample] = []

    def hears_openings(self) -> bool:
        """Return False: positions of an opening are not learned from."""
        return False

    def learn(self, samples: list[Sample], state: GameState, moves: i64) -> None:
        """Learn from positions of a game that ended in ``state`` after so many ``moves``."""
        raise NotImplementedError

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Draw whether to keep the position."""
        self._met += 1
        place = self._met - 1
        if place >= self._number:
            place = self._rng.below(self._met)
            if place >= self._number:
                return
        features: dict[int, list[float]] = {}
        for viewer in range(state.n_players):
            if state.result(viewer) == ONGOING:
                features[int(viewer)] = self._features.values(state, viewer)
        value = _search_value(agent, action) if self._with_search_values and agent is not None else None
        sample = Sample(features, player, value)
        if place == len(self._samples):
            self._samples.append(sample)
        else:
            self._samples[place] = sample

    def on_end(self, state: GameState) -> None:
        """Learn from the positions."""
        self.learn(self._samples, state, self._met)


def _search_value(agent: Agent, action: AnyAction) -> float | None:
    """Return the value that the agent's search found for the action that it chose."""
    found: Any = agent.statistics().get("actions", ())
    text = str(action)
    for figures in found:
        if figures["action"] == text and figures["value"] is not None:
            return float(figures["value"])
    return None


class Explorer(Agent):
    """Plays random actions now and then, and those of another agent otherwise."""

    def __init__(self, agent: Agent, epsilon: float) -> None:
        """Take the other agent and the share of random actions."""
        super().__init__(agent.parameters)
        self._agent = agent
        self._epsilon = epsilon
        self._is_random = False

    def new_budget(self) -> Budget:
        """Return the budget of the other agent."""
        return self._agent.new_budget()

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Let the other agent value positions by ``heuristic`` from the next game on."""
        self._agent.use_heuristic(heuristic)

    def start_game(self, observation: GameState) -> None:
        """Seat the other agent."""
        self._agent.sim = self.sim
        self._agent.player = self.player
        self._agent.start_game(observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Draw who chooses."""
        rng = self.sim.rng
        self._is_random = self._epsilon > 0.0 and rng.uniform() < self._epsilon
        return rng.choice(actions) if self._is_random else self._agent.act(observation, actions)

    def end_game(self, state: GameState) -> None:
        """Let the other agent learn how the game ended."""
        self._agent.end_game(state)

    def statistics(self) -> Mapping[str, object]:
        """Return the other agent's figures, nothing after a random action."""
        return {} if self._is_random else self._agent.statistics()

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the other agent's tree, None after a random action."""
        return None if self._is_random else self._agent.search_tree(least_visits, most_nodes)
