"""The plays of backgammon beside those of GNU Backgammon, which runs in a process of its own where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tag import Rng, make_game
from tag.games.boards.backgammon.actions import Play

GNUBG = shutil.which("gnubg", path="/usr/games:/usr/local/games:/usr/bin:/usr/local/bin")
POSITIONS = 100
#: Reads positions, each with the other's men, the own men and the dice, and writes how many plays each has.
SCRIPT = """
import gnubg, json
from pathlib import Path
gnubg.command("new match 1")
for player in (0, 1):
    gnubg.command(f"set player {player} human")
found = []
for men, dice in json.loads(Path("positions.json").read_text()):
    gnubg.command("set turn 1")
    gnubg.command("set board " + gnubg.positionid(tuple(map(tuple, men))))
    gnubg.command("set turn 1")
    gnubg.command("set dice %d %d" % tuple(dice))
    found.append(len(gnubg.hint(10_000)["hint"]))
Path("plays.json").write_text(json.dumps(found))
"""


def board(state, player):
    """The men of the other and of the player, from the own 1-point to the bar."""
    return [[int(state.men(who)[point]) for point in range(1, 26)] for who in (1 - player, player)]


def after(state, action):
    copy = state.copy()
    action.execute(copy, Rng(0))
    return json.dumps(board(copy, int(state.turn_player)))


def random_positions():
    """Positions of random games with two different dice and two men to move, and how many boards the plays lead to."""
    model, found = make_game("backgammon"), []
    for seed in range(POSITIONS):
        rng = Rng(seed)
        state, least = model.setup(2, rng), 1 + rng.below(60)
        while True:
            actions = model.available_actions(state)
            is_asked = isinstance(actions[0], Play) and len(actions) > 1 and state.high != state.low
            if is_asked and state.turn >= least:
                break
            model.next(state, actions[rng.below(len(actions))], rng)
            if state.is_terminal:
                state, least = model.setup(2, rng), least // 2
        men = board(state, int(state.turn_player))
        found.append(([men, [int(state.high), int(state.low)]], len({after(state, action) for action in actions})))
    return found


@pytest.mark.slow
@pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")
def test_each_position_has_as_many_plays_as_in_gnubg(tmp_path: Path) -> None:
    positions = random_positions()
    (tmp_path / "positions.json").write_text(json.dumps([position for position, _plays in positions]))
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [str(GNUBG), "-t", "-q", "-p", "script.py"]
    subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=300)
    plays = json.loads((tmp_path / "plays.json").read_text())
    assert len(plays) == POSITIONS
    assert plays == [number for _position, number in positions]
