"""What mypyc asks of classes: a compiled class whose base may be subclassed interpreted must say the same of itself.

Without the line it works, until an object of it is unpickled in another process: its fields cannot be set any more.
"""

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[2]
LINE = "mypyc_attr(allow_interpreted_subclasses=True)"


def classes() -> dict[str, tuple[str, list[str], bool]]:
    """Return where each class of the compiled packages is, its bases' names, and whether it carries the line."""
    found = {}
    for package in ("tag", "games", "agents"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef):
                    bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
                    carries = any(ast.unparse(decorator) == LINE for decorator in node.decorator_list)
                    found[node.name] = (f"{path.relative_to(ROOT)}:{node.lineno}", bases, carries)
    return found


def pickled_roots() -> set[str]:
    """Return the classes that define their own pickling by fields; dataclasses have theirs in a ``__dict__``."""
    roots = set()
    for path in sorted((ROOT / "tag").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name != "Parameters":
                methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
                if any(method.name == "__reduce__" and "restored" in ast.unparse(method) for method in methods):
                    roots.add(node.name)
    return roots


def test_everything_that_is_pickled_by_fields_carries_the_line() -> None:
    found = classes()
    pickled = pickled_roots()
    assert {"GameState", "ExtendedSequence", "Component"} <= pickled
    grown = True
    while grown:
        heirs = {name for name, (_where, bases, _carries) in found.items() if pickled.intersection(bases)}
        grown = not heirs <= pickled
        pickled |= heirs
    places = [found[name][0] for name in sorted(pickled) if not found[name][2]]
    missing = [place for place in places if not place.startswith("tag/adapters/")]  # never compiled
    assert missing == []
