"""Decorators: the same rules with fewer actions, for one player or for all.

    RestrictedForwardModel(make_game("love_letter"), [ExcludeActions((PlayPrincess,))], player=0)

is a forward model in which player 0 never plays that action unless nothing else is left. By default agents look ahead with
the restricted rules too; with ``decision_only`` they search the whole game and only real decisions are restricted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.encoding import Cells, Vocabulary
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.rng import Rng, derive_seed
from tag.engine.rules import Commit
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState
from tag.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence


#: The units that `FirstMovesRandom` can count.
TICK: Final = "tick"
TURN: Final = "turn"
ROUND: Final = "round"

_UNIFORM_STEPS: Final = 1 << 53


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionFilter(Copyable):
    """Filter of the available actions. A filter is stateless: it depends on the position alone."""

    def keep(self, state: GameState, action: AnyAction) -> bool:
        """Say whether ``action`` of the current player stays."""
        raise NotImplementedError

    def kept(self, state: GameState, actions: list[AnyAction]) -> list[AnyAction]:
        """Return the ``actions`` that stay, in their order; override this method where actions depend on one another."""
        return [action for action in actions if self.keep(state, action)]


@mypyc_attr(allow_interpreted_subclasses=True)
class ExcludeActions(ActionFilter):
    """Drops all actions of some classes; a secret choice counts as the chosen action."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        """Name the classes; their subclasses are dropped as well."""
        self.classes = classes

    def keep(self, state: GameState, action: AnyAction) -> bool:
        """Look at the class."""
        return not isinstance(meant(action), self.classes)


@mypyc_attr(allow_interpreted_subclasses=True)
class OnlyActions(ActionFilter):
    """Drops all actions but those of some classes; a secret choice counts as the chosen action."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        """Name the classes; their subclasses stay as well."""
        self.classes = classes

    def keep(self, state: GameState, action: AnyAction) -> bool:
        """Look at the class."""
        return isinstance(meant(action), self.classes)


@mypyc_attr(allow_interpreted_subclasses=True)
class FirstMovesRandom(ActionFilter):
    """Leaves one action, drawn at random, in the first ticks, turns or rounds of a game: openings of all kinds.

    The draw follows from the seed and the tick, so take the seed of the game, and one filter per game.
    """

    def __init__(self, count: i64, seed: int, unit: str = TICK) -> None:
        """Say how many of which ``unit`` (tick, turn or round) are random.

        Raises:
            UnknownNameError: there is no such unit.
        """
        if unit not in (TICK, TURN, ROUND):
            raise UnknownNameError.of("unit", unit, (TICK, TURN, ROUND))
        self.count = int(count)
        self.seed = seed
        self.unit = unit

    def kept(self, state: GameState, actions: list[AnyAction]) -> list[AnyAction]:
        """Leave one action for as long as it is early."""
        done = state.tick if self.unit == TICK else state.turn if self.unit == TURN else state.round
        return _drawn(self.seed, state, actions) if done < self.count else actions


@mypyc_attr(allow_interpreted_subclasses=True)
class EpsilonRandom(ActionFilter):
    """Leaves, with a small probability, one action that is drawn at random.

    The draw follows from the seed and the tick, so take the seed of the game, and one filter per game.
    """

    def __init__(self, epsilon: float, seed: int) -> None:
        """Give the probability."""
        self.epsilon = epsilon
        self.seed = seed

    def kept(self, state: GameState, actions: list[AnyAction]) -> list[AnyAction]:
        """Leave one action now and then."""
        share = (derive_seed(self.seed, "epsilon", int(state.tick)) % _UNIFORM_STEPS) / _UNIFORM_STEPS
        return _drawn(self.seed, state, actions) if share < self.epsilon else actions


def _drawn(seed: int, state: GameState, actions: list[AnyAction]) -> list[AnyAction]:
    return [actions[derive_seed(seed, "move", int(state.tick)) % len(actions)]]


def meant(action: AnyAction) -> AnyAction:
    """Return the action chosen by a secret choice; any other action as it is."""
    return action.action if isinstance(action, Commit) else action


class RestrictedForwardModel(ForwardModel[Any]):
    """Any rules, with filters on the actions of one player or of all, also within extended sequences.

    Where a filter would leave nothing, all actions stay. The game type is that of ``model``.

    Examples:
        >>> from tag import Rng, make_game
        >>> from tag.games.cards.love_letter.actions import Guard
        >>> model = RestrictedForwardModel(make_game("love_letter"), [ExcludeActions(Guard)])
        >>> state = model.setup(2, Rng(3))
        >>> [str(action) for action in model.available_actions(state)]
        ['Prince on player 0', 'Prince on player 1']

    Attributes:
        model: the rules.
        filters: applied one after another.
        player: the player whom they restrict, -1 for all.
        decision_only: whether they apply to the game's own decisions only, and not in the search of the agents.
    """

    def __init__(
        self,
        model: ForwardModel[Any],
        filters: Sequence[ActionFilter],
        player: i64 = -1,
        decision_only: bool = False,
    ) -> None:
        """Wrap ``model``; to restrict players differently wrap it once for each."""
        super().__init__(model.parameters)
        self.model = model
        self.filters = list(filters)
        self.player = player
        self.decision_only = decision_only
        self.max_rounds = model.max_rounds

    @property
    def game_type(self) -> GameType:  # type: ignore[override]  # classes have one for good
        """The game type of the wrapped rules."""
        return self.model.game_type

    def check_players(self, n_players: i64) -> None:
        """Ask the wrapped rules."""
        self.model.check_players(n_players)

    def copy(self) -> ForwardModel[Any]:
        """Return the same restrictions of a copy of the wrapped rules."""
        return RestrictedForwardModel(self.model.copy(), self.filters, self.player, self.decision_only)

    def setup(self, n_players: i64, rng: Rng) -> Any:
        """Set up by the rules."""
        return self.model.setup(n_players, rng)

    def announce_setup(self, state: Any) -> None:
        """Announce the deal by the rules."""
        self.model.announce_setup(state)

    def position(self, n_players: i64, cells: bytes, player: i64) -> Any:
        """Return the position by the rules."""
        return self.model.position(n_players, cells, player)

    def available_actions(self, state: Any) -> list[AnyAction]:
        """Return the actions that the rules allow and the filters keep."""
        actions = self.model.available_actions(state)
        if self.player >= 0 and state.current_player != self.player:
            return actions
        for action_filter in self.filters:
            if len(actions) <= 1:
                break
            kept = action_filter.kept(state, actions)
            if kept:
                actions = kept
        return actions

    def random_action(self, state: Any, rng: Rng) -> AnyAction:
        """Return ``rng.choice`` of the actions that the filters keep."""
        return rng.choice(self.available_actions(state))

    def next(self, state: Any, action: AnyAction, rng: Rng) -> None:
        """Apply the action by the rules."""
        self.model.next(state, action, rng)

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return the vocabulary of the rules."""
        return self.model.vocabulary(n_players)

    def cells(self, n_players: i64) -> Cells | None:
        """Return the cells of the rules."""
        return self.model.cells(n_players)

    def afterstate(self, state: Any, action: AnyAction) -> Any:
        """Return the position before chance by the rules."""
        return self.model.afterstate(state, action)

    def resolve_chance(self, afterstate: Any, rng: Rng) -> None:
        """Apply the chance of the rules."""
        self.model.resolve_chance(afterstate, rng)

    def undecorated(self) -> ForwardModel[Any]:
        """Return the rules without restrictions."""
        return self.model.undecorated()

    def search_model(self) -> ForwardModel[Any]:
        """Return the rules that agents look ahead with: these, or with ``decision_only`` the wrapped ones."""
        if self.decision_only:
            return self.model.search_model()
        inner = self.model.search_model()
        return self if inner is self.model else RestrictedForwardModel(inner, self.filters, self.player)


class PositionForwardModel(RestrictedForwardModel):
    """Any rules, with games that begin in a position that was set up by hand. Agents look ahead with the rules themselves.

    Attributes:
        start_cells: the values of the cells in which a game begins.
        start_player: the player who decides first.
    """

    def __init__(self, model: ForwardModel[Any], cells: bytes, player: i64) -> None:
        """Take the rules, and the arguments of `tag.engine.forward_model.ForwardModel.position`."""
        super().__init__(model, [], -1, True)
        self.start_cells = cells
        self.start_player = player

    def copy(self) -> ForwardModel[Any]:
        """Return the same with a copy of the wrapped rules."""
        return PositionForwardModel(self.model.copy(), self.start_cells, self.start_player)

    def setup(self, n_players: i64, rng: Rng) -> Any:
        """Return the position; nothing is drawn.

        Raises:
            ParameterError: there is no such position.
        """
        return self.model.position(n_players, self.start_cells, self.start_player)

    def announce_setup(self, state: Any) -> None:
        """Announce nothing: nothing was dealt."""
