"""Modules that a user's file imports from its own folder, read from the text alone: nothing runs.

Whoever edits one of them has another agent, as if the file itself were edited. The text is the same for every process and
before anything is imported; what a process has imported depends on what ran in it before. Modules whose names are computed,
or that lie in other folders, cannot be known: a file can declare them, as anything else that it reads, in a list ``FILES``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

#: No modules of users, even where a folder of that name lies beside their file.
_OURS: Final = "tag"
#: Calls that import a module by its name.
_CALLS: Final = frozenset({"import_module", "__import__"})
_DECLARED: Final = "FILES"
_PACKAGE: Final = "__init__.py"
#: More modules than any agent has; a folder of a large project is not followed to its end.
_MOST: Final = 500


def imported_files(file: str, text: str, read: Callable[[str], str | None]) -> dict[str, str]:
    """Return the text of all modules in the folder of ``file`` that it imports, also through others, by their path.

    Args:
        file: the path of the file.
        text: its text.
        read: returns the text of a path, None where there is no such file.
    """
    folder = Path(file).parent
    found: dict[str, str] = {}
    waiting = [(text, "")]
    while waiting and len(found) < _MOST:
        source, package = waiting.pop()
        for name in _imports(source, package):
            for path, inside in _places(folder, name):
                if path == str(Path(file)) or path in found:
                    continue
                content = read(path)
                if content is not None:
                    found[path] = content
                    waiting.append((content, inside))
    return dict(sorted(found.items()))


def declared_files(file: str, text: str) -> list[str]:
    """Return the paths in the list ``FILES`` of a user's file, which are relative to its folder; [] without one."""
    tree = _tree(text)
    for node in tree.body if tree is not None else []:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if _DECLARED in names and isinstance(node.value, ast.List | ast.Tuple):
                values = [one.value for one in node.value.elts if isinstance(one, ast.Constant)]
                return [str(Path(file).parent / value) for value in values if isinstance(value, str)]
    return []


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None  # the import will say so


@lru_cache(maxsize=512)
def _imports(text: str, package: str) -> tuple[str, ...]:
    """Return the dotted names that a module imports; ``package`` is its own, for relative imports.

    They are kept: in a notebook each run asks whether a file or what it imports has been edited.
    """
    return tuple(_found_imports(text, package))


def _found_imports(text: str, package: str) -> Iterator[str]:
    tree = _tree(text)
    for node in ast.walk(tree) if tree is not None else []:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node.module or "", node.level, package)
            for alias in node.names:
                yield f"{base}.{alias.name}".removeprefix(".")
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _absolute(module: str, level: int, package: str) -> str:
    """Return the dotted name of a module that a module of ``package`` imports, relatively if ``level`` is positive."""
    if level == 0:
        return module
    parts = package.split(".") if package else []
    above = parts[: len(parts) - (level - 1)] if level > 1 else parts
    return ".".join([*above, *([module] if module else [])])


def _called(node: ast.Call) -> Iterator[str]:
    """Yield the name in a call such as ``import_module("helper")``."""
    function = node.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    if name in _CALLS and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def _places(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the paths at which a dotted name and the packages around it may lie, each with the package that it is in."""
    parts = name.split(".")
    if not parts[0] or parts[0] == _OURS or parts[0] in sys.stdlib_module_names:
        return
    for length in range(1, len(parts) + 1):
        inner = folder.joinpath(*parts[:length])
        yield f"{inner}.py", ".".join(parts[: length - 1])
        yield str(inner / _PACKAGE), ".".join(parts[:length])
