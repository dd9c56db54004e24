"""Tests that take too much CPU time fail, by their tier."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import cpu_caps
import pytest

BURN = """
import subprocess, sys, time
import pytest

def burn(seconds):
    begin = time.process_time()
    while time.process_time() < begin + seconds:
        pass

@pytest.fixture
def made_for_one():
    burn({burnt})

@pytest.fixture(scope="module")
def made_for_all():
    burn({burnt})

{mark}
def test_itself():
    burn({burnt})

{mark}
def test_with_a_fixture_of_its_own(made_for_one):
    pass

{mark}
def test_a_program():
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < {burnt}: pass"], check=True)

{mark}
def test_with_a_shared_fixture(made_for_all):
    pass

{mark}
def test_that_waits():
    time.sleep({burnt})
"""


@pytest.mark.flow
def test_what_takes_more_than_its_tier_may_fails(tmp_path: Path) -> None:
    """The caps are a tenth of those of the other tests, so that this takes little."""
    for name, mark in {"unit": "", "flow": "@pytest.mark.flow", "slow": "@pytest.mark.slow"}.items():
        (tmp_path / f"test_{name}.py").write_text(BURN.format(mark=mark, burnt=0.2))
    (tmp_path / "conftest.py").write_text("from cpu_caps import *\n\nCAPS.update(unit=0.03, flow=0.3)\n")
    environment = {**os.environ, "COLUMNS": "200", "PYTHONPATH": str(Path(__file__).parent / "helpers")}
    words = ["-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", "-W", "ignore"]
    done = subprocess.run(
        [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    failed = re.findall(r"FAILED (\w+).* s of CPU time, where unit tests may take 0.03$", done.stdout, re.MULTILINE)
    assert failed == ["test_unit"] * 3, done.stdout
    assert "3 failed, 12 passed" in done.stdout
    assert "most CPU time" in done.stdout


def test_on_a_processor_that_is_slower_a_test_may_take_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_caps, "fixed_work", lambda: 4 * cpu_caps.REFERENCE)
    assert cpu_caps.slowness() == 4
    monkeypatch.setattr(cpu_caps, "fixed_work", lambda: cpu_caps.REFERENCE / 4)
    assert cpu_caps.slowness() == 1
