"""The public surface is deliberate, and files and functions stay short."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[1]
PACKAGES = ["tag", "tournaments", "tuning", "cluster"]
SURFACES = ["tag", "tag.cluster", "tag.tournaments", "tag.tuning", "tag.tuning.balancing"]
SOURCES = sorted(p for package in [*PACKAGES, "games", "agents"] for p in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("name", SURFACES)
def test_all_names_what_is_public_sorted(name):
    module = import_module(name)
    tree = ast.parse(ROOT.joinpath(*name.split("."), "__init__.py").read_text())
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tag"
        for alias in node.names
    }
    assert set(module.__all__) >= {public for public in imported if not public.startswith("_")}
    constants = sorted(n for n in module.__all__ if n.isupper())
    classes = sorted(n for n in module.__all__ if n[0].isupper() and not n.isupper())
    functions = sorted(n for n in module.__all__ if n[0].islower())
    assert list(module.__all__) == [*constants, *classes, *functions]
    assert all(hasattr(module, public) for public in module.__all__)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_are_short(path):
    text = path.read_text()
    assert text.count("\n") <= 750, "look for the second idea in this file"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno <= 60, f"{node.name} is long"


def test_no_public_class_has_the_name_of_another():
    """One meaning per name; games and agents are apart, as users know them by their modules."""
    homes = {}
    for path in SOURCES:
        if path.relative_to(ROOT).parts[0] not in PACKAGES:
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}
