"""The page on playing shows what its commands print."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

PAGE = Path(__file__).parents[2] / "docs" / "play.md"


def test_the_commands_print_what_is_shown(environment):
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        command, _, output = block.removeprefix("$ ").replace("\\\n", "").partition("\n")
        done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=True)  # noqa: S602
        pattern = ".*".join(re.escape(without_ends(part)) for part in output.split("..."))
        assert re.fullmatch(pattern, without_ends(done.stdout), re.DOTALL), f"{command}\n{done.stdout}"


def without_ends(text):
    """Return lines without blanks at their ends."""
    return re.sub(r" +$", "", text, flags=re.MULTILINE)
