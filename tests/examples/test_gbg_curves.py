"""The example with GBG's learning curves prints its curves."""

import argparse
import importlib.util
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

FILE = Path(__file__).parents[2] / "examples" / "learning" / "gbg_curves.py"


def test_every_evaluation_of_a_curve_is_printed(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("gbg_curves", FILE)
    example = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "gbg_curves", example)  # dataclasses look there
    spec.loader.exec_module(example)
    search = example.SEARCH.replace("budget=1000", "budget=5")
    curve = example.Curve("some", example.TIC_TAC_TOE, "tic_tac_toe", search, 40, 80, "0.00 in the end")
    arguments = argparse.Namespace(full=False, seeds=1, workers=1, out=str(tmp_path))
    lines = example.trained(curve, arguments).splitlines()
    assert [line.split(" games:")[0].strip() for line in lines[1:5]] == ["10", "20", "30", "40"]
    assert [line.split(" at the end")[0].strip() for line in lines[5:]] == ["in seat 1", "in seat 2"]
