"""Temporal-difference learning of n-tuple networks, after GBG's TD-Ntuple, Sarsa and Q agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64

from tag.agents.learners._network import COHERENCE, CONSTANT, EXPONENTIAL_COHERENCE, Network
from tag.agents.learners._td import (
    AFTERSTATES,
    FORMAT,
    RESULT,
    SARSA,
    STATES,
    Approximator,
    Q,
    TdLearner,
    TdParameters,
    has_afterstates,
    needs,
)
from tag.agents.learners._tuples import random_points, random_walks
from tag.engine.encoding import Cells, Vocabulary
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import choice, free_text, integer
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError, ParameterError
from tag.playing.learning import Knowledge

WALK: Final = "walk"
POINTS: Final = "points"


@dataclass
class TdNtupleParameters(TdParameters):
    """Parameters of learning n-tuple networks."""

    tuples: str = free_text(WALK, f"the n-tuples: {WALK}, {POINTS} (drawn), or the name of a set of the game's")
    n_tuples: int = integer(70, 1, 1000, "tuples that are drawn", log=True, active_if=("tuples", (WALK, POINTS)))
    length: int = integer(8, 1, 16, "cells of a tuple that is drawn", active_if=("tuples", (WALK, POINTS)))
    n_values: int = integer(0, 0, 255, "values of a cell that are told apart; 0 for all of them")
    symmetries: int = integer(
        0, 0, 10_000, "symmetries of the rules that are used, the first ones; 0 for all", log=True
    )
    rates: str = choice(
        EXPONENTIAL_COHERENCE,
        (CONSTANT, COHERENCE, EXPONENTIAL_COHERENCE),
        "rate of each weight: constant, or by temporal coherence",
    )
    learns: str = choice(
        AFTERSTATES,
        (AFTERSTATES, STATES, SARSA, Q),
        "what has a value: positions after a move and before its chance, or after both; or actions, learned by Sarsa or "
        "Q-learning",
    )

    def tuples_of(self, cells: Cells, rng: Rng) -> list[tuple[int, ...]]:
        """Return the tuples for a game with these ``cells``.

        Raises:
            ParameterError: the game has no such set of tuples.
        """
        length = min(self.length, cells.number)
        if self.tuples == WALK:
            return random_walks(cells, self.n_tuples, length, rng)
        if self.tuples == POINTS:
            return random_points(cells, self.n_tuples, length, rng)
        if self.tuples in cells.tuples:
            return list(cells.tuples[self.tuples])
        names = ", ".join([WALK, POINTS, *cells.tuples])
        raise ParameterError(f"tuples cannot be {self.tuples!r}; the game has {names}")


class TupleFunction(Approximator):
    """Values positions by an n-tuple network; with a vocabulary, actions."""

    def __init__(self, network: Network, vocabulary: Vocabulary | None, has_turns: bool = False) -> None:
        """Take the network, whose outputs are players, or players and actions.

        Args:
            network: the network.
            vocabulary: the actions, None for a network of positions.
            has_turns: whether some symmetry of the actions is not its own inverse.
        """
        self.network = network
        self._has_turns = has_turns
        self._vocabulary = vocabulary
        self._n_actions: i64 = 1 if vocabulary is None else len(vocabulary)

    def look(self, state: GameState, player: i64) -> Any:
        """Return the cells."""
        return state.cell_values()

    def look_at_actions(self, state: GameState, player: i64, actions: list[AnyAction]) -> Any:
        """Return the cells and the numbers of the actions."""
        vocabulary = self._vocabulary
        if vocabulary is None:
            raise AssertionError("this network values positions")
        return (state.cell_values(), *[vocabulary.index(action) for action in actions])

    def value(self, player: i64, seen: Any) -> float:
        """Add the weights; of several actions, return the greatest value."""
        if self._vocabulary is None:
            return self.network.value(player, seen)
        first = player * self._n_actions
        cells: bytes = seen[0]
        best = -1e300
        for place in range(1, len(seen)):
            action: i64 = seen[place]
            best = max(best, self.network.value(first + action, cells))
        return best

    def learn(self, player: i64, seen: Any, error: float, rate: float) -> None:
        """Move the weights, of one action or of a position."""
        if self._vocabulary is None:
            self.network.learn(player, seen, error, rate)
            return
        cells: bytes = seen[0]
        action: i64 = seen[1]
        self.network.learn(player * self._n_actions + action, cells, error, rate)

    def is_for_all_states(self) -> bool:
        """Return False: each player's weights are of the positions after their moves."""
        return False

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the tuples and weights; `to_go_on` also what their rates follow from."""
        return Knowledge({"tuples": [list(cells) for cells in self.network.tuples]}, self.network.arrays(to_go_on))

    def restore(self, knowledge: Knowledge) -> None:
        """Take over tuples and weights."""
        if knowledge.facts.get("tuples") != [list(cells) for cells in self.network.tuples]:
            raise DataError("the model has other n-tuples than this version of tag draws from its seed")
        if self._has_turns and knowledge.facts.get("format") != FORMAT:
            raise DataError(
                "the model was trained by an earlier version of tag, which took different actions for equal ones under "
                "symmetries; train it again"
            )
        self.network.take(knowledge.arrays)


class TdNtuple(TdLearner):
    """Learns an n-tuple network by temporal differences, for games that declare their cells."""

    parameters_class = TdNtupleParameters

    def __init__(
        self, model: ForwardModel[Any], n_players: i64, parameters: TdNtupleParameters, n_episodes: i64, seed: i64
    ) -> None:
        """Start untrained."""
        self._of_tuples = parameters
        super().__init__(model, n_players, parameters, n_episodes, seed)

    def variant(self) -> str:
        """Return the kind of values learned."""
        return self._of_tuples.learns

    def new_function(self, rng: Rng) -> Approximator:
        """Return a network with tuples for this game, and weights of 0.

        Raises:
            ParameterError: the game declares no cells, or the parameters do not fit them.
        """
        model = self.model
        title = model.game_type.title
        settings = self._of_tuples
        cells = model.cells(int(self.n_players))
        if cells is None:
            raise ParameterError(f"{title} declares no cells, so that n-tuples cannot learn it")
        if 0 < settings.symmetries < len(cells.symmetries):
            cells = _with_symmetries(cells, settings.symmetries)
        vocabulary: Vocabulary | None = None
        actions: list[tuple[int, ...]] = []
        if settings.learns in (SARSA, Q):
            vocabulary = self._actions(cells)
            actions = list(cells.actions) or [tuple(range(len(vocabulary)))]
        elif settings.learns == AFTERSTATES and not has_afterstates(model, self.n_players):
            raise ParameterError(
                f"{title} does not tell chance from the player's part of a move, so that learns cannot be {AFTERSTATES!r}; "
                f"the nearest is {STATES!r}"
            )
        elif settings.learns == STATES and not model.game_type.chance:
            raise ParameterError(
                f"learns cannot be {STATES!r} in {title}, where no chance follows a move; the nearest is {AFTERSTATES!r}"
            )
        network = Network(
            cells,
            settings.tuples_of(cells, rng),
            self.n_players,
            settings.rates,
            settings.reward == RESULT,
            settings.n_values,
            actions,
        )
        has_turns = any([moved[moved[action]] != action for moved in actions for action in moved])
        return TupleFunction(network, vocabulary, has_turns)

    def _actions(self, cells: Cells) -> Vocabulary:
        """Return the actions that get values; raise `ParameterError` where they cannot."""
        settings = self._of_tuples
        title = self.model.game_type.title
        found = self.model.vocabulary(int(self.n_players))
        if not found.is_declared:
            raise ParameterError(f"{title} does not declare its actions, so that learns cannot be {settings.learns!r}")
        if len(cells.symmetries) > 1 and not cells.actions:
            raise ParameterError(
                f"{title} does not say where its symmetries move actions, so that learns cannot be {settings.learns!r}"
            )
        if self.n_players == 1:
            needs(settings, "final_adaptation", False, "several players")
        return found


def _with_symmetries(cells: Cells, number: int) -> Cells:
    """Return ``cells`` with so many of their symmetries: Sim on six nodes has 720, which take too long."""
    return Cells(
        cells.number,
        cells.n_values,
        cells.symmetries[:number],
        cells.actions[:number],
        cells.neighbours,
        cells.tuples,
    )
