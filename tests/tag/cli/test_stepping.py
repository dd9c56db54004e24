"""Stepping through a game: what each key does, what the screen shows, and what it does not show to a player."""

import re

import pytest

from tag.cli.numbers import check_viewer
from tag.cli.screens.keys import keys_in
from tag.cli.screens.stepping import Move, StateFrames, Stepper
from tag.errors import ParameterError
from tag.orders import GameOrder, play_order

AGENTS = ("random", "random")


def stepper(game="tic_tac_toe", agents=AGENTS, seed=7, viewer=-1):
    frames = StateFrames()
    play_order(GameOrder("b0-m0-s0", game, agents, seed), [frames])
    return Stepper("b0-m0-s0", agents, frames, viewer), frames


def press(one, text):
    keys, rest = keys_in(text)
    assert rest == ""
    return all([one.press(key) for key in keys])


def screen(one, columns=100, lines=40):
    return one.screen(columns, lines).replace("\x1b[1m", "").replace("\x1b[0m", "")


def test_an_album_has_every_position_and_what_was_done_in_it():
    _stepper, frames = stepper()
    assert [position.tick for position in frames.positions] == list(range(len(frames.moves) + 1))
    assert frames.positions[-1].is_terminal
    for position, move in zip(frames.positions, frames.moves, strict=False):
        assert move.player == position.current_player
        assert move.action in move.actions


@pytest.mark.parametrize(
    ("sent", "tick"),
    [
        ("\r", 1),
        ("\n \x1b[C\x1bOC", 4),
        ("\x1b[C\x1b[C\x1b[D", 1),
        ("\x1b[D", 0),
        ("5\r", 5),
        ("5\r\x1b[H", 0),
        ("5\r\x1bOH", 0),
        ("51\x7f\r", 5),
        ("5x\r", 1),
        ("999\r", 8),
        ("\x1b[F", 8),
        ("\x1b[4~\x1b[1~", 0),
        ("0\r", 0),
        ("\x7f", 0),
        ("?\x1bzw", 0),
    ],
)
def test_keys_lead_to_actions(sent, tick):
    one, frames = stepper(seed=6)
    assert len(frames.moves) == 8
    assert press(one, sent)
    assert one.tick == tick


def test_turns_forth_and_back():
    one, frames = stepper("exploding_kittens", seed=6)
    turns = [int(position.turn) for position in frames.positions]
    begins = [tick for tick, turn in enumerate(turns) if tick == 0 or turns[tick - 1] != turn]
    assert len(begins) < len(turns)
    for tick in begins[1:]:
        press(one, "n")
        assert one.tick == tick
    press(one, "n")
    assert one.tick == len(turns) - 1
    for tick in reversed([tick for tick in begins if tick < len(turns) - 1]):
        press(one, "p")
        assert one.tick == tick
    press(one, "p")
    assert one.tick == 0


@pytest.mark.parametrize("key", ["q", "\x03", "\x04"])
def test_quit(key):
    assert not press(stepper()[0], key)


def test_unfinished_keys_wait_for_their_end():
    assert keys_in("\x1b") == ([], "\x1b")
    assert keys_in("q\x1b[") == (["quit"], "\x1b[")
    assert keys_in("\x1b[1;5") == ([], "\x1b[1;5")
    assert keys_in("\x1b[1;5C") == (["unknown"], "")


def test_the_screen_shows_the_position_the_choice_and_who_plays():
    one, frames = stepper(seed=6)
    press(one, "2\r")
    text = screen(one)
    assert text.startswith("b0-m0-s0   2 of 8 actions, turn 3, round 1\n")
    assert "→ player 0: random   score 0\n" in text
    assert frames.positions[2].text(-1) in text
    assert "player 0 chooses 1 of 7:" in text
    taken = str(frames.moves[2].action)
    assert [line for line in text.splitlines() if "►" in line] == [f"  ► {taken}"]
    for action in frames.moves[2].actions:
        assert f" {action}\n" in text
    assert text.splitlines()[-1].startswith("Enter next")
    press(one, "4")
    assert screen(one).splitlines()[-1] == "go to action 4"
    press(one, "?")
    assert "the next turn, the previous turn" in screen(one)


def test_the_end_has_the_results():
    one, _album = stepper(seed=6)
    press(one, "\x1b[F")
    text = screen(one)
    assert "→ player" not in text
    assert "player 0 (random): " in text
    assert ", place 1, score 1" in text


def test_a_game_that_was_voided_stops_where_it_was():
    _one, frames = stepper()
    frames.positions, frames.moves = frames.positions[:3], frames.moves[:2]
    one = Stepper("b0-m0-s0", AGENTS, frames)
    press(one, "\x1b[F")
    assert "the game stops here" in screen(one)


def test_many_actions_are_cut_around_the_one_taken_and_the_screen_is_not_overrun():
    one, frames = stepper("pandemic", seed=2)
    longest = max(range(len(frames.moves)), key=lambda tick: len(frames.moves[tick].actions))
    assert len(frames.moves[longest].actions) > 15
    press(one, f"{longest}\r")
    text = screen(one, 120, 40)
    assert sum(max(1, -(-len(line) // 120)) for line in text.split("\n")) <= 40
    assert "more" in text
    assert f"  ► {frames.moves[longest].action}" in text
    assert f"  ► {frames.moves[longest].action}"[:39] in screen(one, 40, 10)


@pytest.mark.parametrize("number", [0, 1, 11, 22, 23])
def test_what_is_left_out_is_counted(number):
    _one, frames = stepper("connect_four")
    move = frames.moves[0]
    many = tuple(move.actions[:1]) * number + (move.actions[1],) + tuple(move.actions[:1]) * (23 - number)
    frames.moves[0] = Move(move.player, move.actions[1], many)
    rows = [
        line
        for line in screen(Stepper("g", AGENTS, frames), 80, 25).splitlines()
        if line.startswith("    ") or "►" in line
    ]
    left_out = sum(int(row.split()[1]) for row in rows if row.endswith("more"))
    assert left_out > 0
    assert len([row for row in rows if not row.endswith("more")]) + left_out == 24
    assert any("►" in row for row in rows)


def test_a_player_sees_neither_the_others_hands_nor_what_they_could_have_done():
    one, frames = stepper("love_letter", viewer=1)
    text = screen(one)
    assert "(your view)" in text
    assert frames.positions[0].text(1) in text
    assert frames.positions[0].text(-1) not in text
    assert "player 0 chooses:" in text
    assert text.count("score") == 1
    press(one, "v")
    assert one.viewer == -1
    assert frames.positions[0].text(-1) in screen(one)
    press(one, "v")
    assert "player 0 chooses 1 of" in screen(one)


def test_the_only_thing_possible():
    one, frames = stepper("exploding_kittens", seed=6)
    forced = next(tick for tick, move in enumerate(frames.moves) if len(move.actions) == 1)
    press(one, f"{forced}\r")
    assert "can do one thing only:" in screen(one)


def test_a_view_that_there_is_not():
    check_viewer(-1, 2)
    check_viewer(1, 2)
    for viewer in (-2, 2):
        with pytest.raises(ParameterError, match="the players are 0 to 1, and -1 sees everything"):
            check_viewer(viewer, 2)


def test_what_followed_from_the_last_action_is_shown():
    one, frames = stepper("love_letter", seed=3)
    for viewer, drawn in ((-1, "player 0 draws [A-Z]"), (0, "player 0 draws [A-Z]"), (1, "player 0 draws a card")):
        one.viewer = viewer
        tick = next(
            tick
            for tick, events in enumerate(frames.events)
            if tick and any((event.name, event.player) == ("drawn", 0) for event in events)
        )
        press(one, f"{tick}\r")
        assert re.search(f"^{drawn}", screen(one), re.MULTILINE), viewer
