"""Listeners: receivers of the events of a game; metrics are listeners."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, Event, GameState
from tag.playing.agent import Agent


@mypyc_attr(allow_interpreted_subclasses=True)
class Listener(Copyable):
    """Receives the events of a game. Override the methods you need; the states are the game's own: do not change them."""

    def on_start(self, state: GameState) -> None:
        """Called once set up, before the first decision."""

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Called before ``action`` of ``player`` is executed.

        ``actions`` are those that were available; ``agent`` made the choice; it is None if no agent was asked (a single
        action, or a substitute after a fault). ``agent.statistics()`` describes the search.
        """

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Called after ``action`` of ``player`` has been executed."""

    def on_turn_over(self, state: GameState) -> None:
        """Called when a turn has ended."""

    def on_round_over(self, state: GameState) -> None:
        """Called when a round has ended."""

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Called for each event that the game itself announced."""

    def on_end(self, state: GameState) -> None:
        """Called once, with the final state."""
