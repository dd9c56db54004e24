"""The newcomer's pages are true: their code is the example files, and their commands print what they show."""

import ast
import re
from pathlib import Path

import pytest
from commands import run_line

from tag import LOSE, WIN, Rng, make_game
from tag.engine.results import result_name

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[2]
PAGES = {"add_a_game.md": "kuhn_poker.py", "add_an_agent.md": "flat_monte_carlo.py"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text, language):
    return [block for kind, block in BLOCK.findall(text) if kind == language]


def read(page):
    """Return the part of a page that builds the first example, and the part on the second one."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    first, _, second = text.partition("## 10. ")
    return first, second


def without_blanks(text):
    return [line for line in text.splitlines() if line.strip()]


def commands(page):
    """Return each command with what the page shows of its output; ``...`` stands for anything."""
    found = []
    for block in blocks("".join(read(page)), "console"):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip()))
    return found


@pytest.mark.parametrize(("page", "example"), PAGES.items())
def test_the_pieces_are_the_example(page, example):
    """Classes may be explained in another order than they stand in the file."""
    pieces = "\n".join(blocks(read(page)[0], "python"))
    text = (ROOT / "examples" / example).read_text(encoding="utf-8")
    assert sorted(without_blanks(pieces)) == sorted(without_blanks(text))
    ours, theirs = (sorted(map(ast.unparse, ast.parse(source).body)) for source in (pieces, text))
    assert ours == theirs


def test_the_pieces_on_hints_and_teams_are_of_the_second_example():
    pieces = blocks(read("add_a_game.md")[1], "python")
    assert len(pieces) >= 6
    example = (ROOT / "examples" / "staircase.py").read_text(encoding="utf-8")
    for piece in pieces:
        assert piece in example


def test_games_end_as_the_table_says():
    rows = [row.split("|")[1:3] for row in read("add_a_game.md")[1].splitlines() if row.startswith("| `state.")]
    assert len(rows) >= 6
    for calls, told in rows:
        state = make_game(f"{ROOT}/examples/kuhn_poker.py:KuhnPoker").setup(3, Rng(1))
        scores = re.search(r"scores (\d), (\d), (\d)", calls)
        state.paid = [-int(score) for score in scores.groups()] if scores else [0, 0, 0]
        for method, words in re.findall(r"`state\.(\w+)\(([^)]*)\)`", calls):
            getattr(state, method)(
                *[{"WIN": WIN, "LOSE": LOSE}.get(word) or int(word) for word in words.split(", ") if word]
            )
        assert ", ".join(map(result_name, state.results)) == told.strip(), calls
        assert state.is_terminal == ("ongoing" not in told)


@pytest.mark.heavy
@pytest.mark.usefixtures("local_ray")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_print_what_is_shown(page, environment):
    shown = [(command, output) for command, output in commands(page) if "--workers" not in command]
    assert len(shown) >= 6
    for command, output in shown:
        follow(command, output, environment)


@pytest.mark.heavy
@pytest.mark.usefixtures("local_ray")
def test_workers_play_the_same_tournament(environment):
    shown = [(command, output) for command, output in commands("add_a_game.md") if "tag tournament" in command][:2]
    assert ["--workers" in command for command, _output in shown] == [False, True]
    for command, output in shown:
        follow(command, output, environment)
    alone, together = (standings(run, environment) for run in ("runs/kuhn", "runs/kuhn_on_workers"))
    assert alone == together


def follow(command, output, environment):
    """Run a command as the page says, without a run in MLflow, which takes longer than the games, and compare."""
    command += " --no-tracking" if command.startswith("tag tournament") else ""
    done = run_line(command, environment)
    assert done.returncode == (1 if "FAILED" in output or "found:" in output else 0), done.stdout + done.stderr
    pattern = ".*".join(re.escape(part) for part in output.split("..."))
    assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), f"{command}\n{done.stdout}"


def standings(run, environment):
    """Return the table of a tournament, without the times."""
    done = run_line(f"tag results {run}", environment)
    return [line.split()[:-2] for line in done.stdout.splitlines()]
