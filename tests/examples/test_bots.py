"""The example programs play by the protocol, as they say, and the same on any number of workers."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from users_code import FAULTY_PROGRAM

from tag.catalogue.registry import game_class, game_names
from tag.engine.parameters import Spec
from tag.orders import GameOrder, GameRecord, play_order
from tag.playing.faults import EXCEPTION
from tag.tournaments import define, run_tournament
from tag.tournaments.ledger.games import content_hash

pytestmark = pytest.mark.flow

BOTS = Path(__file__).parents[2] / "examples" / "bots"
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")


def process(*command: object) -> str:
    return str(Spec("process", {"command": shlex.join(map(str, command))}))


SHELL = process("sh", BOTS / "bot.sh")
JAVA = process("java", BOTS / "Bot.java")


def play(game: str, *agents: str, seed: int = 1) -> GameRecord:
    return play_order(GameOrder("one", game, agents, seed))


@pytest.mark.parametrize("game", game_names())
def test_the_shell_plays_every_game_as_the_number_in_the_question_says(game: str) -> None:
    kind = game_class(game).game_type
    spec = ":".join(filter(None, (game, kind.check_parameters)))
    agents = [SHELL, *["random"] * (kind.min_players - 1)]
    fair = process(sys.executable, "-S", FAULTY_PROGRAM, "fair")
    records = [play(spec, first, *agents[1:]) for first in (SHELL, fair)]
    assert not records[0].faults
    assert records[0].state_hash == records[1].state_hash


@needs_java
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_java_completes_lines(game: str) -> None:
    """It wins 40 games against chance with a share beyond three standard errors of a half."""
    points = 0.0
    for seed in range(40):
        seat = seed % 2
        record = play(game, *((JAVA, "random") if seat == 0 else ("random", JAVA)), seed=seed)
        assert not record.faults
        points += (record.results[seat] + 2) / 4  # of a win 2, of a loss -2 or less
    assert points > 20 + 3 * 40**0.5 / 2


@needs_java
def test_java_reads_all_that_games_say() -> None:
    for game in ("love_letter", "pandemic", "dominion"):
        assert not play(game, JAVA, "random").faults


def test_a_model_is_asked(tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    model.write_text(
        "import sys\n"
        f"with open({str(tmp_path / 'prompts')!r}, 'a') as file:\n"
        "    print(prompt := sys.stdin.read(), file=file)\n"
        "lines = prompt.splitlines()\n"
        "print('Of', len(lines), 'I choose:', lines[lines.index('These actions are available:') + 2][0])\n"
    )
    agent = process(sys.executable, BOTS / "ask_a_model.py", "--command", shlex.join([sys.executable, str(model)]))
    record = play("tic_tac_toe", agent, "random")
    assert not record.faults
    prompts = (tmp_path / "prompts").read_text()
    assert prompts.count("You are player 0 of 2 in the game Tic-tac-toe.") == record.decisions[0]
    assert "\n. . .\n. . .\n. . .\n" in prompts
    assert "\n8: c3\n" in prompts


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("print('no idea, 12 perhaps')", "none of 9 actions: no idea, 12 perhaps"),
        ("raise SystemExit('no key')", "failed: no key"),
    ],
)
def test_a_model_that_does_not_choose_is_a_fault(model: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(model)
    command = shlex.join([sys.executable, str(tmp_path / "model.py")])
    record = play("tic_tac_toe", process(sys.executable, BOTS / "ask_a_model.py", "--command", command), "random")
    assert [(fault.kind, fault.player) for fault in record.faults] == [(EXCEPTION, 0)]
    assert message in record.faults[0].message


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_play_the_same_with_a_program(tmp_path: Path) -> None:
    """The program is named as from the folder of the command."""
    command = f"sh {os.path.relpath(BOTS / 'bot.sh')}"
    definition = define("love_letter", (f"process:command={command}", "random", "osla"), 5, players=2, seed=3)
    run_tournament(definition, tmp_path / "here", tracking=False)
    run_tournament(definition, tmp_path / "ray", workers=2, tracking=False)
    assert content_hash(tmp_path / "here") == content_hash(tmp_path / "ray")


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
@needs_java
def test_a_thousand_games_of_java_and_the_shell_are_the_same_with_one_worker_and_two(tmp_path: Path) -> None:
    definition = define("connect_four", (JAVA, SHELL, "random"), 167, players=2, seed=3)
    folders = [tmp_path / str(workers) for workers in (1, 2)]
    for workers, folder in enumerate(folders, 1):
        results = run_tournament(definition, folder, workers=workers, tracking=False)
        assert results.games >= 1000
    assert content_hash(folders[0]) == content_hash(folders[1])
