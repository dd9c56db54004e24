"""Tables and figures for papers of studies and trainings, as of tournaments."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import run_tag

from tag.tuning.reports.report import report_html
from tag.tuning.reports.results import StudyResults

pytestmark = pytest.mark.flow


def test_a_study_has_the_tables_and_figures_of_its_report(
    made_up: Callable[[str], StudyResults], tmp_path: Path
) -> None:
    results = made_up("complete")
    latex = run_tag("export", results.folder, "latex")
    assert latex.exit_code == 0, latex.output
    labels = re.findall(r"\\label\{tab:(.*)\}", latex.stdout)
    assert {"recommendation", "validation"} <= set(labels)
    assert len(labels) == len(set(labels))
    listed = run_tag("figure", results.folder)
    names = [line.split()[0] for line in listed.stdout.splitlines()]
    assert len(names) == len(set(re.findall(r'<svg role="img"[^>]*aria-label="([^"]*)"', report_html(results)))) > 3
    for name in names:
        drawn = run_tag("figure", results.folder, name, tmp_path / f"{name}.svg")
        assert drawn.exit_code == 0, drawn.output
        assert "#0103" not in (tmp_path / f"{name}.svg").read_text(), "a colour of pages"


def test_what_is_of_tournaments_alone_is_refused_in_a_sentence(made_up: Callable[[str], StudyResults]) -> None:
    folder = made_up("complete").folder
    for what in ("method", "pairs"):
        refused = run_tag("export", folder, what)
        assert refused.exit_code == 2
        assert "holds no tournament" in refused.stderr
        assert refused.stderr.count("\n") == 1
