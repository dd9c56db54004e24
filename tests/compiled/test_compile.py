"""`tag compile`: a user's file as native code plays the same games, and is used only for the text it was made of."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tag.catalogue.registry import agent_class, agent_names, game_class, game_names, make_agent, make_game
from tag.catalogue.version import is_compiled
from tag.errors import TagError

pytestmark = pytest.mark.flow

CHECKOUT = Path(__file__).parents[2]

#: Prints the hash of a game of MCTS by a user's file, and how the file was loaded.
PLAY = """
import sys
from tag.engine.snapshot import state_hash
from tag.orders import GameOrder, new_game
game = new_game(GameOrder("", sys.argv[1], ("mcts:budget=200", "random"), 5))
game.play()
print(state_hash(game.state), type(type(game.model).__dict__["_setup"]).__name__)
"""


def tag(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", *arguments]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("kind", "name"), [*(("game", name) for name in game_names()), *(("agent", name) for name in agent_names())]
)
def test_a_class_that_inherits_from_a_built_in_one_is_made_or_refused_with_a_way_out(tmp_path, kind, name):
    parent = game_class(name) if kind == "game" else agent_class(name)
    file = tmp_path / "mine.py"
    file.write_text(f"from {parent.__module__} import {parent.__name__} as Theirs\nclass Mine(Theirs):\n    pass")
    sentence = ""
    try:
        make = make_game if kind == "game" else make_agent
        make(f"{file}:Mine")
    except TagError as error:
        sentence = str(error)
    assert "interpreted classes" not in sentence
    if not is_compiled():
        assert "compiled" not in sentence
    elif "compiled" in sentence:
        theirs = f"{parent.__module__}.{parent.__name__}"
        assert sentence.startswith(
            f"Mine in '{file}' inherits from {theirs}, which is compiled and cannot be inherited"
        )
        assert Path(sentence.partition("; copy '")[2].partition("'")[0]).exists()


@pytest.mark.skipif(not is_compiled(), reason="needs the compiled package")
def test_a_file_that_inherits_from_a_compiled_game_is_not_compiled(tmp_path):
    (tmp_path / "mine.py").write_text("from tag.games.cards.uno import Uno\nclass Mine(Uno):\n    pass")
    done = tag("-m", "tag", "compile", "mine.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("tag: Mine in 'mine.py' inherits from tag.games.cards.uno.")


@pytest.mark.slow
@pytest.mark.skipif(not is_compiled(), reason="needs the compiled package")
def test_a_compiled_file_plays_the_same_games_until_it_is_edited(tmp_path):
    pytest.importorskip("mypyc")
    file = tmp_path / "my_game.py"
    file.write_text((CHECKOUT / "games" / "abstract" / "tic_tac_toe.py").read_text())
    there = {"cwd": tmp_path, "XDG_CACHE_HOME": str(tmp_path / "caches")}

    def played(**more: str) -> tuple[str, str]:
        done = tag("-c", PLAY, "my_game.py:TicTacToe", **there, **more)
        assert done.returncode == 0, done.stderr
        game, how = done.stdout.split()
        return game, how

    before = played()
    done = tag("-m", "tag", "compile", "my_game.py", "--json", **there)
    assert done.returncode == 0, done.stderr
    (compared,) = json.loads(done.stdout)["games"]
    assert compared["same"]
    assert compared["played"] >= 100
    assert before == (before[0], "function")
    assert played() == (before[0], "method_descriptor")
    assert played(TAG_COMPILED="0") == before
    file.write_text(file.read_text() + "\n")
    assert played() == before
