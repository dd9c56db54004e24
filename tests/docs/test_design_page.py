"""The page on the design names files that exist, and its glossary has one line for each term."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


def rows(part: str) -> list[list[str]]:
    """The cells of the tables in a part of the page, without their heads."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines if not line[0].startswith("---") and line[1].strip()]


CHANGES = dict(rows(PAGE.partition("## Layout")[2].partition("\n## ")[0])[1:])


def paths(place: str) -> Iterator[Path]:
    """The files and folders that a row names, those without a folder in that of the one before."""
    folder = ROOT
    for name in re.findall("`([^` ]+)`", place):
        path = ROOT / name if "/" in name else folder / name
        yield path
        folder = path.parent


def test_what_is_changed_where_is_there() -> None:
    assert len(CHANGES) >= 14
    for place in CHANGES.values():
        for path in paths(place):
            assert path.exists(), path


def texts(file: Path) -> Iterator[str]:
    """The texts in a file that it does something with: all but docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


@pytest.mark.flow
def test_all_that_names_the_tracker_is_in_the_row_of_trackers() -> None:
    files = (
        path for folder in ("tournaments", "tuning", "cluster", "tag/cli") for path in (ROOT / folder).rglob("*.py")
    )
    found = {file for file in files if any("mlflow" in text.lower() for text in texts(file))}
    assert len(found) >= 4
    assert found <= set(paths(CHANGES["another tracker than MLflow"]))


@pytest.mark.parametrize(
    ("package", "where"),
    [
        (
            "pyarrow.parquet",
            {"tournaments/ledger/storage.py", "tournaments/ledger/parquet.py", "tournaments/results/positions.py"},
        ),
        ("mlflow", {"tournaments/tracking/runs.py"}),
    ],
)
def test_files_of_a_format_and_of_a_tracker_are_behind_those_that_are_named(package: str, where: set[str]) -> None:
    """Who wants another one need not look elsewhere; `positions.py` writes an export, which is no part of the ledger."""
    imports = re.compile(rf"^ *(import|from) {re.escape(package)}\b", re.MULTILINE)
    files = (path for folder in ("tournaments", "tuning", "cluster") for path in (ROOT / folder).rglob("*.py"))
    found = {path for path in files if imports.search(path.read_text(encoding="utf-8"))}
    assert {path.relative_to(ROOT).as_posix() for path in found} == where


def test_one_games_result_has_five_shapes_where_they_are_said_to_be() -> None:
    page = (ROOT / "docs" / "ledger.md").read_text(encoding="utf-8")
    shapes = rows(page.partition("## One game's result")[2].partition("\n## ")[0])[1:]
    assert len(shapes) == 5
    for shape, place, _contains in shapes:
        text = (ROOT / place.strip("`")).read_text(encoding="utf-8")
        assert not shape.startswith("`") or f"class {shape.strip('`')}" in text


def test_the_layout_names_every_package() -> None:
    told = set(re.findall(r"^(\w+)/  +\w", PAGE, re.MULTILINE))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert told == packages


def test_each_term_is_explained_once_in_a_line() -> None:
    glossary = [row for row in rows(PAGE.partition("## Glossary")[2]) if row != ["term", "meaning"]]
    terms = [term for term, _meaning in glossary]
    assert len(terms) == len(set(terms)) >= 30
    assert all(len(meaning.split()) <= 25 for _term, meaning in glossary)


def test_it_is_about_two_pages() -> None:
    words = re.sub(r"[`|*#\-]|\]\([^)]*\)", " ", PAGE).split()
    assert len(words) <= 1_650
