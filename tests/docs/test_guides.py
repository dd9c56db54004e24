"""The guides begin with a command that works, and all of their commands print what they show."""

import re
import shlex
from pathlib import Path

import pytest
from commands import run_tag

pytestmark = pytest.mark.flow

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = [
    "tournaments.md",
    "tuning.md",
    "balancing.md",
    "learning.md",
    "paper.md",
    "agent_in_your_language.md",
    "coming_from_openspiel.md",
    "coming_from_gymnasium.md",
]
#: Packages without which the commands of a guide cannot run.
NEEDED = {"coming_from_openspiel.md": "pyspiel", "coming_from_gymnasium.md": "pettingzoo"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Commands that play; the tests have them play in the process itself, without a run and without progress.
PLAYS = re.compile(r"^tag (tournament|series|noise|tune|balance|train|analyse) (?!show|report|export|deviations)")
ALONE = " --no-ray --no-tracking --quiet"
#: No line of code is wider: pages do not scroll sideways.
WIDEST = 100


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", GUIDES)
def test_a_guide_begins_with_a_command_and_its_output(page: str) -> None:
    kind, block = blocks(DOCS / page)[0]
    assert kind == "console"
    command, _, output = block.replace("\\\n", "").partition("\n")
    assert command.startswith("$ tag ")
    assert len(output.splitlines()) >= 4
    assert (DOCS / page).read_text(encoding="utf-8").index("```") < 600


@pytest.mark.heavy
@pytest.mark.parametrize("page", [*GUIDES, "cluster.md"])
@pytest.mark.usefixtures("environment")
def test_the_commands_print_what_is_shown(page: str) -> None:
    if page in NEEDED:
        pytest.importorskip(NEEDED[page])
    for kind, block in blocks(DOCS / page):
        if kind == "console":
            for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                follow(command + (ALONE if PLAYS.match(command) else ""), output.strip())
        elif kind == "python":
            exec(block, {})  # noqa: S102  our own page


def follow(command: str, output: str) -> None:
    """Run a command and compare; ``...`` stands for anything, also at the end of a line."""
    done = run_tag(*shlex.split(command)[1:])  # in this process: imports take longer than the games
    assert done.exit_code == 0, f"{command}\n{done.output}"
    pattern = ".*".join(re.escape(part.strip(" ")) for part in output.split("..."))
    assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), f"{command}\n{done.stdout}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_no_code_scrolls_sideways(page: Path) -> None:
    for _kind, block in BLOCK.findall(re.sub(r"(?m)^ +```", "```", page.read_text(encoding="utf-8"))):
        assert [line for line in block.splitlines() if len(line) > WIDEST] == []
