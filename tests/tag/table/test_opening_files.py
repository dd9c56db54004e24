"""Files of openings: what they say, what is refused in one sentence, and what comes from records and saved games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tag.catalogue.registry import make_agent, make_game
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError
from tag.orders import GameOrder, Opening, new_game
from tag.playing.game import Game
from tag.table.game import Start
from tag.table.openings import canonical_openings, opening_line, read_openings
from tag.table.tree import SavedGame

CONNECT = {"game": "connect_four", "actions": ["d", "d"]}


def book(tmp_path: Path, *lines: object) -> Path:
    file = tmp_path / "book.jsonl"
    file.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))
    return file


def test_actions_in_words_or_numbers(tmp_path: Path) -> None:
    both = {"game": "connect_four", "seats": 2, "choices": [2, 4, 4], "actions": ["c", "e", "e"]}
    file = book(tmp_path, CONNECT, "", both)
    assert canonical_openings(str(file), "connect_four", 2) == "moves:3,3;2,4,4"
    other = book(tmp_path, {**CONNECT, "game": "connect_four:width=7"})
    assert canonical_openings(str(other), "connect_four", 2) == "moves:3,3"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({**CONNECT, "actions": ["d", "h"]}, "line 1 of .*: action 2 cannot be 'h'; there are: a, b, c, d, e, f, g"),
        ({**CONNECT, "actions": ["d"] * 7}, "action 7 cannot be 'd'"),
        ({**CONNECT, "actions": ["a", "b", "a", "b", "a", "b", "a"]}, "leaves no decision: the game ends; shorten it"),
        ({**CONNECT, "actions": list("abababac")}, "action 7 ends the game; an opening leaves a decision"),
        ({**CONNECT, "actions": []}, "line 1 of .* has no actions"),
        ({**CONNECT, "actions": "dd"}, "actions are a list of texts"),
        ({"game": "connect_four", "choices": [7]}, "action 1 cannot be number 7; there are 0 to 6"),
        ({"game": "connect_four", "choices": [1.5]}, "choices are a list of whole numbers"),
        ({**CONNECT, "choices": [3, 2]}, "action 2 is 'd', and number 2 is 'c'"),
        ({**CONNECT, "choices": [3]}, "has 2 actions and 1 choices"),
        ({**CONNECT, "game": "othello"}, "is an opening of othello, and the games are of connect_four"),
        (
            {**CONNECT, "game": "connect_four:width=8"},
            "is an opening of connect_four:width=8, and the games",
        ),
        ({**CONNECT, "game": "conect_four"}, "no game named 'conect_four'; did you mean 'connect_four'"),
        ({**CONNECT, "seats": 3}, "is an opening for 3 players, and the games have 2"),
        ({**CONNECT, "action": []}, "no key named 'action'; did you mean 'actions'"),
        ({**CONNECT, "seed": -5}, "seed cannot be -5; it is a number from 0 to"),
        ([], "is no JSON object with the keys game and actions"),
        ("{", "line 1 of .* is no JSON"),
    ],
)
def test_wrong_lines_are_refused_in_one_sentence(line: object, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=sentence) as refused:
        canonical_openings(str(book(tmp_path, line)), "connect_four", 2)
    assert "\n" not in str(refused.value)


def test_files_without_openings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no openings"):
        canonical_openings(str(book(tmp_path, "")), "connect_four", 2)
    with pytest.raises(DataError, match="cannot read the file of openings"):
        canonical_openings(str(tmp_path / "none"), "connect_four", 2)


def test_games_with_chance_need_the_seed_of_the_deal(tmp_path: Path) -> None:
    line = {"game": "love_letter", "choices": [0, 1]}
    with pytest.raises(
        DataError, match='needs the random seed of its deal, such as "seed": 1, as Love Letter has chance'
    ):
        read_openings(book(tmp_path, line), "love_letter", 2)
    assert str(read_openings(book(tmp_path, {**line, "seed": 5}), "love_letter", 2)) == "moves:5@0,1"


def test_too_many_random_decisions_are_refused() -> None:
    with pytest.raises(ParameterError, match="cannot be 'random:8' in .*: games are over before; the most is random:7"):
        canonical_openings("random:8", "tic_tac_toe", 2)
    assert canonical_openings("random:7", "tic_tac_toe", 2) == "random:7"


def test_a_game_saved_at_a_table_is_an_opening(tmp_path: Path) -> None:
    saved = SavedGame(Start("connect_four", 2, 1), ("human", "osla"))
    for choice in (3, 3, 2):
        saved.position = saved.tree.play(saved.position, choice)
    saved.position = saved.tree.undo(saved.position)
    saved.save(tmp_path / "saved.json")
    assert canonical_openings(str(tmp_path / "saved.json"), "connect_four", 2) == "moves:3,3"


@pytest.mark.parametrize("game", ["connect_four", "love_letter", "uno", "dominion"])
def test_what_is_written_is_read(game: str, tmp_path: Path) -> None:
    played = Game(make_game(game), [make_agent("random")] * 2, 8)
    line = opening_line(game, 2, 8, [0, 0, 0])
    (opening,) = read_openings(book(tmp_path, line.strip()), game, 2).listed
    assert opening.choices == (0, 0, 0)
    played = Game(make_game(game), [make_agent("random")] * 2, 1, opening=opening.choices, opening_seed=opening.seed)
    played.start()
    texts = [str(played.state)]
    for _action in range(3):
        played.step()
        texts.append(str(played.state))
    direct = Game(make_game(game), [make_agent("random")] * 2, 8, opening=[0, 0, 0])
    direct.start()
    for _action in range(3):
        direct.step()
    assert texts[-1] == str(direct.state)


def test_a_player_sees_after_an_opening_what_it_sees_in_ordinary_play() -> None:
    """Hands stay hidden: what a player knows of a position does not depend on how it came about."""
    opened = new_game(GameOrder("g", "love_letter", ("random",) * 4, 8, opening=Opening(0, 8, (0, 0, 0))))
    opened.start()
    ordinary = new_game(GameOrder("g", "love_letter", ("random",) * 4, 8))
    ordinary.start()
    for _action in range(3):
        opened.step()
        actions = ordinary.model.available_actions(ordinary.state)
        ordinary._take(ordinary.state.current_player, actions[0], actions, None)
    hidden = set()
    for player in range(4):
        assert opened.state.knowledge(player) == ordinary.state.knowledge(player)
        hidden |= {str(opened.state.observation(player, Rng(seed)).snapshot()) for seed in range(20)}
    assert len(hidden) > 20  # the hands of others are dealt anew in each observation
