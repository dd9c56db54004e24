"""The newcomer's pages are true: their code is the example files, and their commands print what they show."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"add_a_game.md": "kuhn_poker.py", "add_an_agent.md": "flat_monte_carlo.py"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [block for kind, block in BLOCK.findall(text) if kind == language]


def without_blanks(text):
    return [line for line in text.splitlines() if line.strip()]


def commands(page):
    """Return each command with what the page shows of its output; ``...`` stands for anything."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip()))
    return found


@pytest.mark.parametrize(("page", "example"), PAGES.items())
def test_the_pieces_are_the_example(page, example):
    pieces = "\n".join(blocks(page, "python"))
    assert without_blanks(pieces) == without_blanks((ROOT / "examples" / example).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_print_what_is_shown(page, environment):
    shown = [(command, output) for command, output in commands(page) if "--workers" not in command]
    assert len(shown) >= 6
    for command, output in shown:
        follow(command, output, environment)


@pytest.mark.ray
def test_workers_play_the_same_tournament(environment):
    shown = [(command, output) for command, output in commands("add_a_game.md") if "tag tournament" in command][:2]
    assert ["--workers" in command for command, _output in shown] == [False, True]
    for command, output in shown:
        follow(command, output, environment)
    alone, together = (standings(run, environment) for run in ("runs/kuhn", "runs/kuhn_on_workers"))
    assert alone == together


def follow(command, output, environment):
    """Run a command as the page says, and compare."""
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.returncode == (1 if "FAILED" in output or "found:" in output else 0), done.stdout + done.stderr
    pattern = ".*".join(re.escape(part) for part in output.split("..."))
    assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), f"{command}\n{done.stdout}"


def standings(run, environment):
    """Return the table of a tournament, without the times."""
    done = subprocess.run(["tag", "results", run], env=environment, capture_output=True, text=True, check=True)
    return [line.split()[:-2] for line in done.stdout.splitlines()]
