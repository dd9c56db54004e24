"""Agents that listen are told of the game's events: all that their player may know, in order, and to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tag.agents.restricted import Restricted, RestrictedParameters
from tag.catalogue.registry import game_names, make_agent, make_game
from tag.engine.state import AnyAction, Event, GameState
from tag.orders import Conditions, GameOrder, play_order
from tag.playing.agent import Agent
from tag.playing.game import Game
from tag.playing.listener import Listener
from tag.table.events import known_events

#: A few actions of each game show events; whole games of some take seconds interpreted.
ACTIONS = 60

COUNTING = '''
from tag import Agent

class Counts(Agent):
    """Chooses by the length of all that it has heard."""
    def listens(self):
        return {listens}
    def start_game(self, observation):
        self.all = []
    def act(self, observation, actions):
        self.all += [repr(event) for event in self.heard]
        return actions[len("".join(self.all)) % len(actions)]
    def end_game(self, state):
        assert not {listens} or len(self.heard) > 0
'''


class Hears(Agent):
    """Plays at random, and notes what it had heard before each decision, and in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[list[Event]] = []

    def listens(self) -> bool:
        return True

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        self.parts.append(self.heard)
        return self.sim.rng.choice(actions)

    def end_game(self, state: GameState) -> None:
        self.parts.append(self.heard)


class Events(Listener):
    """Collects the events of a game."""

    def __init__(self) -> None:
        self.all: list[Event] = []

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.all.append(event)


def told(events: list[Event], player: int) -> list[str]:
    """Return what a player is told of events."""
    return [repr(event) for event in known_events(events, player)]


def begun(game: str, agents: list[Agent], listeners: list[Listener]) -> Game:
    """Return a game that has been set up, with random agents in the other seats."""
    model = make_game(game)
    others = max(2, model.game_type.min_players) - len(agents)
    found = Game(model, [*agents, *[make_agent("random") for _seat in range(others)]], 5, listeners=listeners)
    found.start()
    return found


@pytest.mark.parametrize("game", [name for name in game_names() if make_game(name).game_type.max_players > 1])
def test_who_listens_hears_all_that_the_player_is_told_as_it_happens(game: str) -> None:
    hears, events = Hears(), Events()
    playing = begun(game, [hears], [events])
    before: list[str] = []
    for _action in range(ACTIONS):
        if playing.state.is_terminal:
            break
        known, decisions = told(events.all, 0), len(hears.parts)
        playing.step()
        if len(hears.parts) > decisions:
            before += [repr(event) for event in hears.parts[-1]]
            assert before == known
    playing.end()
    assert [repr(event) for part in hears.parts for event in part] == told(events.all, 0)


def test_events_that_others_do_not_see_are_hidden() -> None:
    first, second = Hears(), Hears()
    playing = begun("love_letter", [first, second], [])
    while not playing.state.is_terminal:
        playing.step()
    playing.end()
    drawn = [
        [event.items for part in agent.parts for event in part if event.name == "drawn" and event.player == 0]
        for agent in (first, second)
    ]
    assert len(drawn[0]) == len(drawn[1]) > 3
    assert all(None not in items for items in drawn[0])
    assert all(set(items) == {None} for items in drawn[1])


def test_changed_events_reach_no_other_agent() -> None:
    class Forges(Hears):
        def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
            for event in self.heard:
                event.items, event.told_to = ("forged",), 0
            return super().act(observation, actions)

    hears, events = Hears(), Events()
    playing = begun("cant_stop", [Forges(), hears], [events])
    while not playing.state.is_terminal:
        playing.step()
    playing.end()
    assert [repr(event) for part in hears.parts for event in part] == told(events.all, 1)
    assert not any(event.items == ("forged",) for event in events.all)


def test_an_agent_that_does_not_listen_hears_nothing() -> None:
    quiet = make_agent("random")
    playing = begun("love_letter", [quiet], [])
    assert not playing.state.recording
    for _action in range(10):
        playing.step()
        assert quiet.heard == []


def test_a_second_game_begins_in_silence() -> None:
    hears = Hears()
    playing = begun("cant_stop", [hears], [])
    for _action in range(5):
        playing.step()
    again = begun("cant_stop", [hears], [])
    before = len(hears.parts)
    again.step()  # to roll is the only action
    again.step()
    assert [event.name for event in hears.parts[before]] == ["rolled"]


def test_an_agent_within_another_hears_as_much() -> None:
    """After a decision that the outer agent makes by itself, the next one hears of both."""
    hears, events = Hears(), Events()
    outer = Restricted(RestrictedParameters(agent="random", without="stop"))
    outer._agent = hears
    playing = begun("cant_stop", [outer], [events])
    while not playing.state.is_terminal:
        playing.step()
    playing.end()
    assert outer.statistics()["withheld_in_game"]
    assert [repr(event) for part in hears.parts for event in part] == told(events.all, 0)


@pytest.mark.system
def test_a_process_of_its_own_hears_the_same(tmp_path: Path) -> None:
    games = {}
    for listens in (True, False):
        file = tmp_path / f"listens_{listens}.py"
        file.write_text(COUNTING.format(listens=listens))
        seats = (f"{file}:Counts", "random")
        games[listens] = [
            play_order(GameOrder("heard", "love_letter", seats, 7, Conditions(isolate=isolate)))
            for isolate in (False, True)
        ]
    for here, there in games.values():
        assert not here.faults
        assert not there.faults
        assert here.state_hash == there.state_hash
    assert games[True][0].state_hash != games[False][0].state_hash
