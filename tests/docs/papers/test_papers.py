"""Papers played again: each script plays through, goes on after an interruption, and judges the paper's claims."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from commands import run_script

pytestmark = pytest.mark.flow

PAPERS = Path("examples") / "papers"
#: By paper: the plan, its games that are played here, and sizes so small that only the way is tested.
TINY: dict[str, tuple[str, str, dict[str, object]]] = {
    "following_the_leader": ("leader.toml", "diamant", {"players": [2, 3], "budget": 8, "games_each": 2}),
    "seeding_for_success": ("seeding.toml", "diamant", {"seeds": 4, "games_per_seed": 2, "budget": 2}),
    "skill_depth": ("skill.toml", "diamant,tic_tac_toe", {"budget": 8, "games_each": 4}),
}


@pytest.mark.heavy
@pytest.mark.parametrize(
    "paper", [pytest.param(paper, marks=[] if paper == "seeding_for_success" else [pytest.mark.slow]) for paper in TINY]
)
@pytest.mark.system
@pytest.mark.usefixtures("environment")
def test_a_paper_plays_through(paper: str) -> None:
    first = play(paper)
    assert first.returncode == 0, first.stderr
    tables = Path("out/tables.md").read_text(encoding="utf-8")
    assert tables in first.stdout
    assert "*printed*" in tables
    assert "| median iterations |" in tables
    assert re.findall(r"\*(agrees|refuted|undecided|not judged)\* \|$", tables, re.MULTILINE)


@pytest.mark.heavy
@pytest.mark.usefixtures("environment", "undrawn")
def test_the_same_command_goes_on_with_what_there_is() -> None:
    first = play("following_the_leader")
    before = {file: file.stat().st_mtime_ns for file in Path("out").rglob("games-*.parquet")}
    assert before
    again = play("following_the_leader")
    assert again.stdout.partition("## Table")[2] == first.stdout.partition("## Table")[2] != ""
    assert {file: file.stat().st_mtime_ns for file in Path("out").rglob("games-*.parquet")} == before


def play(paper: str) -> subprocess.CompletedProcess[str]:
    """Play the small size of a paper, made tiny."""
    plan, games, sizes = TINY[paper]
    file = PAPERS / paper / plan
    text = file.read_text(encoding="utf-8")
    for name, value in sizes.items():
        text = re.sub(rf"^{name} = [^#\n]+", f"{name} = {value} ", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    return run_script(PAPERS / paper / "run.py", "small", "--games", games, "--out", "out", "--workers", "1")


@pytest.mark.heavy
@pytest.mark.parametrize("paper", TINY)
@pytest.mark.usefixtures("environment")
def test_an_unknown_game_is_a_sentence(paper: str) -> None:
    done = run_script(PAPERS / paper / "run.py", "small", "--games", "diamnt", "--out", "out")
    assert done.returncode == 2
    assert "did you mean 'diamant'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("paper", TINY)
def test_a_plan_has_three_sizes_and_figures_of_the_paper(paper: str) -> None:
    root = Path(__file__).parents[3]
    plan = tomllib.loads((root / PAPERS / paper / TINY[paper][0]).read_text(encoding="utf-8"))
    assert list(plan["sizes"]) == ["small", "medium", "full"]
    budgets = [size["budget"] for size in plan["sizes"].values()]
    assert budgets == sorted(budgets)
    assert len(plan["games"]) >= 10
