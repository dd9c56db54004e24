"""The README's commands and its Python run, in the order in which they stand there."""

import os
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from commands import run_line

pytestmark = pytest.mark.flow

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: Commands that play, of which one writes a run here: MLflow takes as long as all games.
PLAYS = re.compile(r"^tag (tournament|tune|analyse) (?!show)")
#: How much the commands play here, by option.
FEW = {"blocks": 1, "games": 40, "validation": 20}


def lines(language):
    found = [block.replace("\\\n", " ") for kind, block in BLOCK.findall(README) if kind == language]
    return [line for block in found for line in block.splitlines()]


@pytest.mark.heavy
@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_the_commands_run(environment):
    commands = [line.partition("  #")[0].strip() for line in lines("sh") if line.startswith("tag ")]
    assert len(commands) >= 8
    tracked = next(command for command in commands if PLAYS.match(command))
    for command in commands:
        short = command + (" --no-tracking" if PLAYS.match(command) and command != tracked else "")
        for option, few in FEW.items():
            short = re.sub(rf"--{option} \d+", f"--{option} {few}", short)
        done = run_line(short, environment)
        assert done.returncode == 0, f"{short}\n{done.stdout}{done.stderr}"
    with redirect_stdout(StringIO()) as printed:
        exec("\n".join(lines("python")), {})  # noqa: S102  our own page
    assert "mcts:budget=400" in printed.getvalue()


def test_every_target_of_make_that_is_named_exists():
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    named = {line.split()[1] for line in lines("sh") if line.startswith("make ")}
    assert named == {"tournament", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (Path(__file__).parents[2] / target).exists(), target
    assert os.pardir not in README
