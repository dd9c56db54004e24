"""OpenSpiel is loaded only for its own games, and asked for in a sentence where it is missing."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.flow

RUN = """
import sys
from click.testing import CliRunner
from tag.cli import main
{before}
done = CliRunner().invoke(main, {arguments!r})
print(done.exit_code, done.output)
print("loaded:", [name for name in ("pyspiel", "tag.adapters.open_spiel") if sys.modules.get(name)])
"""


def run(arguments: list[str], before: str = "") -> str:
    code = RUN.format(before=before, arguments=arguments)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("arguments", [["games"], ["play", "tic_tac_toe", "--agent", "random", "--seed", "1"]])
def test_other_commands_do_not_load_it(arguments: list[str]) -> None:
    told = run(arguments)
    assert told.startswith("0 ")
    assert told.endswith("loaded: []\n")
    assert "open_spiel" not in told.replace("tag.adapters.open_spiel", "")


def test_a_missing_wheel_is_one_sentence() -> None:
    told = run(["play", "open_spiel:kuhn_poker", "--agent", "random"], 'sys.modules["pyspiel"] = None')
    assert told.startswith("2 ")
    assert 'pip install "tag-games[open-spiel]"' in told
    assert "Traceback" not in told
