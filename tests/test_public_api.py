"""The public surface is deliberate, and files and functions stay short."""

import ast
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

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


@pytest.mark.parametrize("name", SURFACES)
def test_no_module_has_the_name_of_what_is_public_beside_it(name):
    """Imported, such a module would be found in place of the function."""
    module = import_module(name)
    beside = {found.name for found in iter_modules(module.__path__)}
    assert beside
    assert beside.isdisjoint(module.__all__)


_FRESH = """
import json, sys
from importlib import import_module
module = import_module(sys.argv[1])
print(json.dumps([dir(module), module.__all__, sorted(sys.modules)]))
"""


@pytest.mark.parametrize("name", ["tag.tournaments", "tag.tuning", "tag.tuning.balancing"])
def test_a_surface_that_loads_its_names_late_has_them_for_completion(name):
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FRESH, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found, public, loaded = json.loads(done.stdout)
    assert set(public) <= set(found)
    large = {"numpy", "scipy", "pandas", "pyarrow", "optuna", "mlflow", "ray", "matplotlib", "rich"}
    assert large.isdisjoint(loaded)
    own = [one for one in loaded if one.startswith(f"{name}.")]
    assert own == []


def test_files_and_functions_are_short():
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in SOURCES}
    assert [path for path, text in texts.items() if text.count("\n") > 750] == []
    long = [
        (path, node.name)
        for path, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno > 60
    ]
    assert long == []


def test_a_folder_has_twelve_entries_at_most():
    """Beside its docstring and the links to other packages, so that it is read at a glance."""
    for folder in {path.parent for path in SOURCES}:
        entries = {entry.name for entry in folder.iterdir() if not entry.is_symlink()}
        assert len(entries - {"__init__.py", "__pycache__", "py.typed"}) <= 12, folder


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
