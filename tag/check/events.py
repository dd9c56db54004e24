"""Checks of the events that a game announces: whether they tell all that a player sees, and nothing else."""

from __future__ import annotations

from typing import Any

from tag.check.evidence.deals import same_to
from tag.check.report import Where, shorten
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, Event, GameState
from tag.errors import ContractError
from tag.table.events import event_views
from tag.table.log import named_places
from tag.table.view import position_view


class EventsComplete(GameCheck):
    """A reader of the log of one seat sees what the player sees. Asked of games of which an event names a place."""

    text = "events name each component in which a player sees a change after an action"
    untested = "the game announces no events that name places"

    def __init__(self) -> None:
        super().__init__()
        self.examined = 0
        self.has_places = False
        self.missing: tuple[str, Where] | None = None

    def at(self, position: Position) -> None:
        """Play an action, and look for changes that no event names."""
        model, state = position.model, position.state
        if state.is_terminal:
            return
        rng = position.rng("events")
        actions = model.available_actions(state)
        action = actions[rng.below(len(actions))]
        after, events = played(model, state, action, rng)
        self.has_places = self.has_places or any([event.places for event in events])
        for player in position.players:
            self.examined += 1
            silent = _changed(state, after, player) - named_places(events, player)
            if silent and self.missing is None:
                name = min(silent)
                text = f"after {action!r}, player {player} sees a change of {name!r} that no event names"
                self.missing = (text, position.where)

    def finish(self, subject: GameSubject) -> None:
        """Report a change without an event, if the game tells changes by events."""
        if not self.has_places:
            return
        self.cases = self.examined
        if self.missing is not None:
            text, self.where = self.missing
            raise ContractError(text)


class EventsBlind(GameCheck):
    """A player's log reveals nothing hidden.

    Two positions are compared that a player can tell apart neither before an action nor after it. Actions that end a round
    are left out: then hands may be shown that nobody needs to remember.
    """

    text = "the events that a player is told of depend on nothing hidden from that player"
    untested = "no event was announced"

    def at(self, position: Position) -> None:
        """Play an action from the position and from one that a player cannot tell apart, and compare what follows."""
        if position.state.is_terminal:
            return
        rng = position.rng("events of twins")
        for player in position.players:
            twin = position.drawn(player)[0]
            action = _common_action(position, twin, player, rng)
            if action is None:
                continue
            chance = rng.next32()
            one, events = played(position.model, position.state, action, Rng(chance))
            other, others = played(position.model, twin, action, Rng(chance))
            if events and one.round == position.state.round and same_to(player, one, other):
                self.cases += 1
                _compare(event_views(events, player), event_views(others, player), player, action)


def played(
    model: ForwardModel[Any], state: GameState, action: AnyAction, rng: Rng
) -> tuple[GameState, tuple[Event, ...]]:
    """Return the position after an action, and the events that followed from it."""
    after = state.copy()
    after.recording = True
    model.next(after, action, rng)
    events, after.announced = after.announced, ()
    return after, events


def _changed(before: GameState, after: GameState, player: int) -> set[str]:
    """Return the names of the components that look different to a player."""
    old, new = [
        {component["name"]: component for component in position_view(state, player)["components"]}
        for state in (before, after)
    ]
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _common_action(position: Position, twin: GameState, player: int, rng: Rng) -> AnyAction | None:
    """Return an action that is available in both positions and looks the same to a player."""
    model, state = position.model, position.state
    others = model.available_actions(twin)
    common = [
        action
        for action in model.available_actions(state)
        if action in others and action.text(state, player) == action.text(twin, player)
    ]
    return common[rng.below(len(common))] if common else None


def _compare(events: list[dict[str, Any]], others: list[dict[str, Any]], player: int, action: AnyAction) -> None:
    for number in range(max(len(events), len(others))):
        here, there = [told[number] if number < len(told) else None for told in (events, others)]
        if here != there:
            raise ContractError(
                f"after {action!r}, player {player} is told {shorten(here, 80)}, and {shorten(there, 80)} in a position "
                "that the player cannot tell apart"
            )
