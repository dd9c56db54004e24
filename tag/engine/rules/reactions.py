"""Queues of players who are asked out of turn, such as for reactions."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.engine.rng import Rng
from tag.engine.rules.turn_order import is_in_game
from tag.engine.state import DO_NOTHING, AnyAction, ExtendedSequence, GameState


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
