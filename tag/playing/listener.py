"""Listeners: receivers of the events of a game; metrics are listeners."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, Event, GameState
from tag.playing.agent import Agent


@mypyc_attr(allow_interpreted_subclasses=True)
class Listener(Copyable):
    """Receives the events of a game. Override the methods you need; the states are the game's own: do not change them.

    Examples:
        >>> from tag import Game, make_agent, make_game
        >>> class Moves(Listener):
        ...     def on_action_taken(self, state, player, action):
        ...         print(player, action)
        >>> agents = [make_agent("random"), make_agent("random")]
        >>> state = Game(make_game("nim:heaps=2,size=3"), agents, seed=1, listeners=[Moves()]).play()
        0 take 1 from heap 1
        1 take 2 from heap 2
        0 take 1 from heap 1
        1 take 1 from heap 1
        0 take 1 from heap 2
    """

    def hears_openings(self) -> bool:
        """Say whether the listener is told of the opening's actions, in which no agent decides; by default it is.

        For another one the game starts after its opening: `on_start` gets the position there.
        """
        return True

    def hears_events(self) -> bool:
        """Say whether the listener needs the game's own events and the history; by default it does.

        If none does, the game makes no events, which takes up to a third of the time of a game of random agents.
        """
        return True

    def on_start(self, state: GameState) -> None:
        """Called once set up, before the first decision."""

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Called before ``action`` of ``player`` is executed.

        ``actions`` are those that were available; ``agent`` made the choice; it is None if no agent was asked (a single
        action, one of the opening, or a substitute after a fault). ``agent.statistics()`` describes the search.
        """

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Called after ``action`` of ``player`` has been executed."""

    def on_turn_over(self, state: GameState) -> None:
        """Called when a turn has ended."""

    def on_round_over(self, state: GameState) -> None:
        """Called when a round has ended."""

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Called for each event that the game itself announced: after `on_start` those of the set-up, else after the action.

        It is the whole event, hidden parts included; a player may know what `Event.known_to` returns.
        """

    def on_end(self, state: GameState) -> None:
        """Called once, with the final state."""
