"""`tag compile`: a user's file as native code plays the same games, and is used only for the text it was made of."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tag.catalogue.version import is_compiled

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
