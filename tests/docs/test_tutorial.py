"""The tutorial runs, and prints what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.flow

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial.ipynb"
#: The tag of cells whose output has times, which differ from run to run.
TIMES = "times"


@pytest.fixture(scope="module")
def shown() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def outputs(cell: Any) -> list[dict[str, Any]]:
    """What a cell shows, without warnings of libraries; pictures by their kind, and lines in one piece however they came."""
    found: list[dict[str, Any]] = []
    for output in cell.outputs:
        if output.get("name") == "stderr":
            continue
        data = {kind: "" if kind == "image/png" else value for kind, value in output.get("data", {}).items()}
        text = output.get("text", "")
        if text and found and found[-1].keys() == {"text"}:
            found[-1]["text"] += text
        else:
            found.append({"text": text, **data})
    return found


@pytest.mark.heavy
def test_it_prints_what_it_shows(shown: Any, tmp_path: Path, environment: dict[str, str]) -> None:
    played = nbformat.from_dict(shown)
    client = NotebookClient(played, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env=environment)
    for before, after in zip(nbformat.read(NOTEBOOK, as_version=4).cells, played.cells, strict=True):
        if before.cell_type == "code":
            assert len(outputs(after)) == len(outputs(before)), before.source
            if TIMES not in before.metadata.get("tags", []):
                assert outputs(after) == outputs(before), before.source


def test_it_has_pictures_and_no_empty_output(shown: Any) -> None:
    found = [output for cell in shown.cells if cell.cell_type == "code" for output in outputs(cell)]
    assert sum("image/png" in output for output in found) >= 4
    assert all(any(output.values()) or "image/png" in output for output in found)


def test_its_lines_are_short(shown: Any) -> None:
    for cell in shown.cells:
        if cell.cell_type == "code":
            assert all(len(line) <= 100 for line in cell.source.splitlines())
