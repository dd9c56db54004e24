"""The study of the thesis plays through, goes on after an interruption, and writes its tables."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path("examples") / "rhea_thesis"


def shrink(plan: Path) -> None:
    """Make the small size tiny: the interpreted engine is slow, and only the way is tested here."""
    text = plan.read_text(encoding="utf-8")
    for name, value in (("budget", 20), ("search_games", 24), ("validation", 40), ("blocks", 2), ("team_games", 1)):
        before, small, after = text.partition("[sizes.small]")
        text = before + small + re.sub(rf"^{name} = \d+", f"{name} = {value}", after, count=1, flags=re.MULTILINE)
    plan.write_text(text, encoding="utf-8")


def test_the_small_study_plays_through(environment):
    shrink(EXAMPLE / "thesis.toml")
    command = [sys.executable, str(EXAMPLE / "run.py"), "small", "--out", "studies/thesis", "--workers", "1"]
    first = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    tables = json.loads(Path("studies/thesis/tables.json").read_text(encoding="utf-8"))
    assert list(tables["table_3"]) == ["love_letter", "tic_tac_toe"]
    for row in tables["table_3"].values():
        assert list(row) == ["rhea", "mcts", "osla", "rmhc"]
        assert all(rate["low"] <= rate["value"] <= rate["high"] for rate in row.values())
    assert sum(rate["value"] for rate in tables["table_3"]["love_letter"].values()) <= 100.0 + 1e-9
    assert list(tables["table_4"]) == ["2"]
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert again.stdout.splitlines()[-8:] == first.stdout.splitlines()[-8:]
    assert (Path("studies/thesis/tables.md").read_text(encoding="utf-8")).count("| love_letter |") == 1
