"""Scripts that documents and examples tell to run are where they say."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = re.compile(r"python (examples/[\w/]+\.py)")
FILES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.py")]
NAMED = [(file, script) for file in FILES for script in SCRIPT.findall(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("file", "script"), NAMED, ids=lambda part: Path(part).name)
def test_scripts_exist(file, script):
    assert (ROOT / script).is_file(), file


def test_each_paper_has_a_plan_and_a_script_that_says_how_to_run_it():
    for folder in (ROOT / "examples" / "papers").iterdir():
        assert len(list(folder.glob("*.toml"))) == 1
        assert (folder / "run.py", f"examples/papers/{folder.name}/run.py") in NAMED
