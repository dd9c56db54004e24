"""The reference of balancing: its code runs, and it tells of every measure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tag.tuning.balancing import measures_of
from tag.tuning.commands.cli import run_balancing as run

pytestmark = pytest.mark.flow

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "balancing.md").read_text(encoding="utf-8")


def test_the_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102  our own page
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[-4:]] == [
        "seat_spread=-0.05..0.05",
        "rounds=8..12",
        "restriction(Guard)>=-0.2",
        "drama<=0.3",
    ]
    assert all(re.search(r": -?\d+\.\d\d \(-?\d+\.\d\d to -?\d+\.\d\d\) (True|False)$", line) for line in lines[-4:])


def test_the_worked_study_is_the_example() -> None:
    (told,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert told == (Path(__file__).parents[3] / "examples" / "balancing" / "pandemic.toml").read_text(encoding="utf-8")


def test_the_options_are_those_of_the_command() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", PAGE.partition("## Options")[2].partition("## A worked study")[0]))
    known = {name for parameter in run.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert "--no-tracking" in named
    assert named <= known


def test_it_tells_of_every_measure_and_of_no_other() -> None:
    table = PAGE.partition("## Measures")[2].partition("Every measure of a [metric]")[0]
    told = {
        name.partition("(")[0]
        for row in re.findall(r"^\| (`.*?) \|", table, re.M)
        for name in re.findall("`(.*?)`", row)
    }
    assert told == {name for name, one in measures_of("love_letter").items() if not one.metric}
    rest = PAGE.partition("Every measure of a [metric]")[2]
    for name in ("lead_changes", "drama", "decided_at", "stability", "single_actions", "actions", "branching"):
        assert f"`{name}`" in rest
        assert measures_of("love_letter")[name].metric
