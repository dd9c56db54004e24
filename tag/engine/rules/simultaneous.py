"""Simultaneous choices: players choose one after another, in secret, and then the choices happen in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from tag.engine.rng import Rng
from tag.engine.rules.reactions import QueueSequence
from tag.engine.rules.turn_order import is_in_game
from tag.engine.snapshot import snapshot
from tag.engine.state import Action, AnyAction, GameState, interned
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable


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

    def options(self, state: GameState, player: i64) -> list[AnyAction]:
        """Return the actions of ``player``, at least one, independently of the choices of others.

        It is also called for other players when their choices are drawn again for an observation.
        """
        raise NotImplementedError

    def resolution(self, state: GameState, player: i64, action: AnyAction) -> AnyAction:
        """Return the action to execute for a choice: ``DO_NOTHING`` if it has become impossible."""
        return action

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
