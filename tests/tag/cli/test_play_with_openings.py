"""Games that begin with an opening at a terminal: of agents alone, and of people, who may take it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run_tag

from tag.orders import GameOrder, Opening, opening_choices
from tag.table.tree import SavedGame

pytestmark = pytest.mark.flow


def test_agents_begin_with_the_first_opening_of_a_file(tmp_path: Path) -> None:
    book = tmp_path / "book.jsonl"
    book.write_text(
        '{"game": "connect_four", "actions": ["a", "g", "a"]}\n{"game": "connect_four", "actions": ["d"]}\n'
    )
    words = ("play", "connect_four", "--agent", "osla", "--agent", "random", "--opening", book)
    shown = run_tag(*words).stdout
    assert [line for line in shown.splitlines() if ". player" in line][:3] == [
        "   1. player 0: a",
        "   2. player 1: g",
        "   3. player 0: a",
    ]
    record = json.loads(run_tag(*words, "--json").stdout)
    assert sum(record["decisions"]) == record["ticks"] - 3


def test_people_go_on_after_an_opening(tmp_path: Path) -> None:
    saved = tmp_path / "mine.json"
    words = ("play", "love_letter", "--agent", "human", "--agent", "random", "--opening", "random:3", "--seed", "4")
    done = run_tag(*words, input=f"save {saved}\nquit\n")
    assert done.exit_code == 0, done.output
    game = SavedGame.load(saved)
    order = GameOrder("play", "love_letter", ("human", "random"), 4, opening=Opening(3, 4))
    assert game.line[: game.since] == opening_choices(order)


def test_a_saved_game_is_not_begun_again(tmp_path: Path) -> None:
    done = run_tag("play", "--continue", tmp_path / "mine.json", "--opening", "random:3")
    assert done.exit_code == 2
    assert "--opening cannot be given with --continue; leave it out" in done.output
