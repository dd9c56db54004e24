"""Learners: programs that play against themselves and learn values of positions, which agents search with."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.errors import ParameterError
from tag.playing.listener import Listener


@dataclass
class Knowledge:
    """The knowledge of a learner, as plain data: it can be stored, sent, and given to `Learner.restore`.

    Examples:
        >>> from tag.catalogue.registry import make_game, make_learner
        >>> model = make_game("tic_tac_toe")
        >>> learner = make_learner("td", model, 2, n_episodes=3)
        >>> learner.play_episode()
        >>> other = make_learner("td", model, 2, n_episodes=3)
        >>> other.restore(learner.knowledge(to_go_on=True))
        >>> other.episodes
        1

    Attributes:
        facts: numbers, texts, and lists and dictionaries of these.
        arrays: numbers of one type (``d``, ``q`` or ``B``), by name.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, array[Any]] = field(default_factory=dict)


@mypyc_attr(allow_interpreted_subclasses=True)
class LearnedValues(StateHeuristic):
    """The values that a learner has learned, for every search to use as a heuristic."""

    def is_of_actions(self) -> bool:
        """Say whether actions are valued (`action_value`), and positions by their best action only."""
        return False

    def after(self, state: GameState, player: i64) -> float:
        """Return how good ``state`` is for ``player``, who has just moved; by default as at any other time."""
        return self.value(state, player)

    def action_value(self, state: GameState, player: i64, action: AnyAction) -> float:
        """Return how good ``action`` is for ``player``, who is to move in ``state``."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Learner(Copyable):
    """Learns a game by playing it against itself.

    Everything follows from the arguments: a learner that goes on from the `Knowledge` of another one does what that one
    would have done, bit for bit.

    Examples:
        >>> from tag import Rng
        >>> from tag.catalogue.registry import make_game, make_learner
        >>> model = make_game("tic_tac_toe")
        >>> learner = make_learner("td", model, 2, n_episodes=20)
        >>> for _game in range(20):
        ...     learner.play_episode()
        >>> values = learner.values()
        >>> state = model.setup(2, Rng(1))
        >>> -1.0 <= values.value(state, 0) <= 1.0
        True

    Attributes:
        parameters_class: the class of the learner's parameters.
        model: the rules.
        n_players: the number of players.
        parameters: how to learn; a learner with parameters re-declares the type.
        n_episodes: the games to be played in all, over which rates may change.
        seed: decides everything.
        episodes: the games played so far.
        moves: the moves of these games.
    """

    parameters_class: ClassVar[type[Parameters]] = Parameters

    def __init__(
        self, model: ForwardModel[Any], n_players: i64, parameters: Parameters, n_episodes: i64, seed: i64
    ) -> None:
        """Start untrained.

        Raises:
            ParameterError: the game cannot be learned in this way, or the parameters do not fit it.
        """
        self.model = model
        self.n_players: i64 = n_players
        self.parameters: Parameters = parameters
        self.n_episodes: i64 = n_episodes
        self.seed: i64 = seed
        self.episodes: i64 = 0
        self.moves: i64 = 0

    def play_episode(self) -> None:
        """Play one game and learn from it; count it and its moves."""
        raise NotImplementedError

    def listener(self) -> Listener:
        """Return a listener that learns from the one game that it hears, as from an episode.

        Raises:
            ParameterError: it learns only from games that it plays; so by default.
        """
        raise ParameterError(
            f"{type(self).__name__} learns only from games that it plays itself; regression learns from recorded ones"
        )

    def values(self) -> LearnedValues:
        """Return the values as they are now; they may change when the learner learns more."""
        raise NotImplementedError

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the knowledge that `values` needs in another process, or all that learning needs `to_go_on`."""
        raise NotImplementedError

    def restore(self, knowledge: Knowledge) -> None:
        """Take over the `knowledge` of a learner made from the same arguments.

        Raises:
            DataError: it does not fit.
        """
        raise NotImplementedError
