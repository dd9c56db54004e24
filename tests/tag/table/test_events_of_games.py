"""Events of games: from the log of one seat a reader rebuilds what the seat sees, and the log tells nothing else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tag import Rng
from tag.catalogue.registry import game_class, game_names
from tag.playing.agent import Agent
from tag.playing.inspection import InspectedGame
from tag.table.game import Start, TableGame
from tag.table.log import LogReader, SeatLog, log_entry, seat_log
from tag.table.view import position_view, view

pytestmark = pytest.mark.flow

TOLD = game_names()
GAMES = 50
#: Actions of a game that are compared for one seat; long games have more.
LONGEST = 150


def random_start(name, number):
    kind = game_class(name).game_type
    seats = list(range(kind.min_players, kind.max_players + 1))
    return Start(name, seats[number % len(seats)], number + 1)


def seen_by_view(state, viewer):
    found = position_view(state, viewer)
    del found["text"]
    components = {component["name"]: component for component in found["components"]}
    assert len(components) == len(found["components"])
    return {**found, "components": components}


@pytest.mark.parametrize("name", TOLD)
def test_a_reader_of_one_seats_log_rebuilds_every_position_that_the_seat_sees(name):
    changes = 0
    for number in range(GAMES):
        start, rng = random_start(name, number), Rng(number)
        game = TableGame(start)
        viewer = rng.below(start.players)
        reader = LogReader()
        reader.read(next(seat_log(start, [], viewer)))
        assert reader.seen == seen_by_view(game.state, viewer)
        while game.actions and len(game.line) < LONGEST:
            before = reader.seen["components"]
            game.play(rng.below(len(game.actions)))
            entry = json.loads(json.dumps(log_entry(game.taken[-1], game.state, viewer)))
            reader.read(entry)
            assert reader.seen == seen_by_view(game.state, viewer), (start, game.line, viewer)
            changes += before != reader.seen["components"]
    assert changes > GAMES


@pytest.mark.parametrize("name", TOLD)
def test_each_game_says_something_in_words(name):
    start, rng = random_start(name, 0), Rng(0)
    game, texts = TableGame(start), []
    while game.actions and len(game.line) < LONGEST:
        game.play(rng.below(len(game.actions)))
        texts += [event["text"] for event in view(game, 0)["log"][-1]["events"]]
    spoken = [text for text in texts if text]
    assert len(spoken) > (5 if game_class(name).game_type.chance else 2)
    assert not [text for text in spoken if "{" in text or "None" in text]


#: Games whose rounds begin with a new deal or a new roll; before it, tables in the browser pause.
IN_ROUNDS = (
    *("blackjack", "colt_express", "diamant", "hearts", "liars_dice", "love_letter", "poker", "seven_wonders"),
    *("spades", "sushi_go", "uno"),
)


@pytest.mark.parametrize("name", IN_ROUNDS)
def test_an_event_is_told_between_two_rounds(name):
    kind = game_class(name).game_type
    spec = f"{name}:{kind.check_parameters}" if name == "uno" else name
    game, rng, ends = TableGame(Start(spec, max(3, kind.min_players), 3)), Rng(3), 0
    while game.actions and ends < 2 and len(game.line) < 2000:
        before = game.state.round
        game.play(rng.below(len(game.actions)))
        if game.actions and game.state.round > before:
            ends += 1
            assert {"round over", "round begun"} & {event.name for event in game.taken[-1].events}
    assert ends


def test_a_log_is_the_same_as_entry_by_entry():
    start = Start("love_letter", 3, 4)
    game = TableGame(start, [0] * 9)
    log = list(seat_log(start, game.line, 1))
    assert len(log) == 10
    assert log[-1] == log_entry(game.taken[-1], game.state, 1)


def test_a_listener_tells_the_same_log():
    start, told = Start("poker", 3, 4), []
    line = [0, 1, 1, 0, 1, 0, 1]
    game = InspectedGame(start.model(), [Agent() for _seat in range(3)], start.seed, None, [SeatLog(2, told.append)])
    for number in line:
        game.take(number)
    game.end()
    assert told == list(seat_log(start, line, 2))


def test_a_silent_change_is_a_difference():
    """A reader is left behind by a change that no event names."""
    start = Start("tic_tac_toe", 2)
    game, reader = TableGame(start, [4]), LogReader()
    reader.read(next(seat_log(start, [], 0)))
    reader.read(log_entry(replace(game.taken[-1], events=()), game.state, 0))
    assert reader.seen != seen_by_view(game.state, 0)
