"""Turn orders: rules for the next player to decide.

* Alternating: the default of `ForwardModel`, seat by seat; `next_in_game` skips players who are out of the game.
* Reversing: a `ReversibleState` holds the direction:

      def _next_player(self, state: MyState) -> i64:
          return next_in_game(state, state.turn_player, state.direction)

* Reactive: a `ReactionSequence` asks players out of turn.
* Simultaneous: a `SimultaneousSequence` asks one player after another, hides each choice until all have chosen, and
  then lets the choices happen in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from tag.engine.results import ONGOING
from tag.engine.rng import Rng
from tag.engine.snapshot import snapshot
from tag.engine.state import DO_NOTHING, Action, AnyAction, ExtendedSequence, GameState, interned
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable


def is_in_game(state: GameState, player: i64) -> bool:
    """Say whether the game still goes on for ``player``."""
    return state.result(player) == ONGOING


def next_in_game(state: GameState, player: i64, direction: i64 = 1) -> i64:
    """Return the next seat after ``player`` whose game goes on; ``direction`` is 1, or -1 for the other way round.

    If the game goes on for no other player, it is ``player`` again.
    """
    n = state.n_players
    seat = player
    for _step in range(n):
        seat = (seat + direction + n) % n
        if is_in_game(state, seat):
            return seat
    return player


def players_in_game(state: GameState, first: i64, direction: i64 = 1) -> tuple[int, ...]:
    """Return all players whose game goes on, in the order of play from ``first`` (who need not be one of them)."""
    n = state.n_players
    seats = [(first + direction * step + n) % n for step in range(n)]
    return tuple([int(seat) for seat in seats if is_in_game(state, seat)])


@mypyc_attr(allow_interpreted_subclasses=True)
class ReversibleState(GameState):
    """A state with a direction of play.

    Attributes:
        direction: 1 for seat by seat, -1 for the other way round.
    """

    __slots__ = ("direction",)
    direction: i64

    def __init__(self, n_players: i64) -> None:
        """Start seat by seat."""
        super().__init__(n_players)
        self.direction = 1

    def copy_to(self, other: GameState) -> None:
        """Copy the common fields and the direction to ``other``."""
        super().copy_to(other)
        if isinstance(other, ReversibleState):
            other.direction = self.direction

    def reverse(self) -> None:
        """Turn the direction of play round."""
        self.direction = -self.direction


@mypyc_attr(allow_interpreted_subclasses=True)
class QueueSequence(ExtendedSequence[GameState]):
    """Asks a queue of players, each once, and skips those who are out of the game by then.

    Attributes:
        players: the queue.
        asked: the number of players asked or skipped.
    """

    __slots__ = ("asked", "players")
    players: tuple[int, ...]
    asked: i64

    def __init__(self, players: tuple[int, ...]) -> None:
        """Take the queue."""
        self.players = players
        self.asked = 0

    def copy_to(self, other: QueueSequence) -> None:
        """Copy the position in the queue to ``other``; for use in `copy`."""
        other.players = self.players
        other.asked = self.asked

    def turn_of(self, state: GameState) -> i64:
        """Return the index in the queue of the next player, the queue's length if there is none."""
        index = self.asked
        while index < len(self.players) and not is_in_game(state, self.players[index]):
            index += 1
        return index

    def index_of(self, player: i64, start: i64) -> i64:
        """Return the index from ``start`` on of ``player``, who has just acted and may thereby be out of the game."""
        return self.players.index(int(player), int(start))

    def current_player(self, state: GameState) -> i64:
        """Return the first in the queue who has not been asked and is in the game."""
        return self.players[self.turn_of(state)]

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next in the queue."""
        self.asked = self.index_of(state.current_player, self.asked) + 1

    def is_complete(self, state: GameState) -> bool:
        """Say whether all players have been asked."""
        return self.turn_of(state) >= len(self.players)


@mypyc_attr(allow_interpreted_subclasses=True)
class ReactionSequence(QueueSequence):
    """Asks players out of turn for reactions.

    A subclass defines each player's actions in `reactions` and implements `copy`. A player who can only decline should still
    be in the queue: this costs nothing, and skipping the player would tell the others.
    """

    __slots__ = ()

    def reactions(self, state: GameState, player: i64) -> list[AnyAction]:
        """Return the actions of ``player`` beside declining."""
        raise NotImplementedError

    def closes(self, state: GameState, action: AnyAction) -> bool:
        """Say whether ``action``, which has just been executed, ends the asking; by default never."""
        return False

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return the reactions, and declining."""
        return [DO_NOTHING, *self.reactions(state, self.current_player(state))]

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next in the queue, or close."""
        if self.closes(state, action):
            self.asked = len(self.players)
        else:
            super().after_action(state, action, rng)


@mypyc_attr(allow_interpreted_subclasses=True)
class Commit(Action[GameState]):
    """Choose an action in secret, to be executed when all have chosen.

    Attributes:
        player: the player who chooses.
        action: the chosen action.
    """

    __slots__ = ("action", "player")
    player: i64
    action: AnyAction

    def __init__(self, player: i64, action: AnyAction) -> None:
        """Let ``player`` choose ``action``, an interned one."""
        self.player = player
        self.action = action

    def key(self) -> tuple[object, ...]:
        """Return player and action."""
        return (self.player, self.action)

    def execute(self, state: GameState, rng: Rng) -> None:
        """Change nothing yet: the sequence stores the choice."""

    def text(self, state: GameState, viewer: i64) -> str:
        """Name the choice only to the player who makes it."""
        if viewer < 0 or viewer == self.player:
            return f"choose to {self.action.text(state, viewer)}"
        return "choose in secret"

    def __str__(self) -> str:
        """Name the choice."""
        return f"choose to {self.action}"


@mypyc_attr(allow_interpreted_subclasses=True)
class SimultaneousSequence(QueueSequence):
    """Asks players one after another, hides every choice until all have chosen, and then lets them happen in order.

    A subclass defines the actions of each player in `options` and implements `copy`. While players choose, the state stays
    as it is (except for the tick). Then each choice is executed as the only available action of its player. So it can start
    sequences of its own and appears in the history as the chosen action.

    Attributes:
        chosen: the choices, in the order of the queue; None for players who are out of the game.
        resolved: how many choices have been executed.
    """

    __slots__ = ("chosen", "resolved")
    chosen: tuple[AnyAction | None, ...]
    resolved: i64

    def __init__(self, players: tuple[int, ...]) -> None:
        """Take the players in the order in which their choices happen."""
        super().__init__(players)
        self.chosen = ()
        self.resolved = 0

    def copy_to(self, other: QueueSequence) -> None:
        """Copy the choices to ``other``; for use in `copy`."""
        super().copy_to(other)
        if isinstance(other, SimultaneousSequence):
            other.chosen = self.chosen
            other.resolved = self.resolved

    # --- for a game to implement ---------------------------------------------------------------------------------------

    def options(self, state: GameState, player: i64) -> list[AnyAction]:
        """Return the actions of ``player``, at least one, independently of the choices of others.

        It is also called for other players when their choices are drawn again for an observation.
        """
        raise NotImplementedError

    def resolution(self, state: GameState, player: i64, action: AnyAction) -> AnyAction:
        """Return the action to execute for a choice: ``DO_NOTHING`` if it has become impossible."""
        return action

    # --- the sequence --------------------------------------------------------------------------------------------------

    def is_choosing(self, state: GameState) -> bool:
        """Say whether a player still has to choose."""
        return self.turn_of(state) < len(self.players)

    def current_player(self, state: GameState) -> i64:
        """Return the player who chooses, or whose choice is executed."""
        if self.is_choosing(state):
            return self.players[self.turn_of(state)]
        return self.players[self._due(state)]

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return the secret choices, or the choice that happens now."""
        if self.is_choosing(state):
            player = self.current_player(state)
            return [interned(Commit(player, action)) for action in self.options(state, player)]
        due = self._due(state)
        action = self.chosen[due]
        if action is None:
            raise ContractError(f"player {self.players[due]} has not chosen")
        return [self.resolution(state, self.players[due], action)]

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Store the choice, or count it as executed."""
        if isinstance(action, Commit):
            self.asked = self.index_of(action.player, self.asked) + 1
            skipped = (None,) * (int(self.asked) - len(self.chosen) - 1)
            self.chosen = (*self.chosen, *skipped, action.action)
            if not self.is_choosing(state):
                self.asked = len(self.players)
        else:
            self.resolved = self.index_of(state.current_player, self.resolved) + 1

    def is_complete(self, state: GameState) -> bool:
        """Say whether all choices have happened."""
        return not self.is_choosing(state) and self._due(state) >= len(self.chosen)

    def is_unresolved(self, state: GameState) -> bool:
        """Say whether a player has chosen: once all choices have happened, the sequence is complete."""
        return len(self.chosen) > 0

    def _due(self, state: GameState) -> i64:
        """Return the index of the next choice to happen, skipping players who are out of the game by now."""
        index = self.resolved
        while index < len(self.chosen):
            if self.chosen[index] is not None and is_in_game(state, self.players[index]):
                break
            index += 1
        return index

    # --- hidden choices ------------------------------------------------------------------------------------------------

    def redeterminise(self, state: GameState, player: i64, rng: Rng) -> None:
        """Draw the choices of the others again while they are secret."""
        if not self.is_choosing(state):
            return
        drawn: list[AnyAction | None] = []
        for index in range(len(self.chosen)):
            action = self.chosen[index]
            chooser = self.players[index]
            if action is not None and chooser != player:
                drawn.append(rng.choice(self.options(state, chooser)))
            else:
                drawn.append(action)
        self.chosen = tuple(drawn)

    def knowledge(self, player: i64) -> Hashable:
        """Return the own choice and the players who have chosen, and all choices once all have chosen."""
        everything = snapshot(self)
        if self.asked == len(self.players):
            return everything
        own = [action if self.players[index] == player else None for index, action in enumerate(self.chosen)]
        public = [part for part in everything if not (isinstance(part, tuple) and part[0] == "chosen")]
        return (*public, tuple(own))
