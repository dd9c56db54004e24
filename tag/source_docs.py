"""Docstrings read from source: compiled modules keep none at run time, but their sources are installed beside them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def module_doc(cls: type) -> str:
    """Return the docstring of the module that defines ``cls`` where the class is all there is to it, else the class's.

    A module named like an agent or a game is about one thing, so its docstring explains it; a heuristic among others
    has its own.
    """
    tree = ast.parse(_source(cls.__module__))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    own = next((ast.get_docstring(node) for node in classes if node.name == cls.__name__), None)
    whole = ast.get_docstring(tree)
    is_one_of_many = len([node for node in classes if node.name.endswith("Heuristic")]) > 1
    return (own if is_one_of_many else whole) or own or whole or "no description"


def _source(module_name: str) -> str:
    module = sys.modules[module_name]
    file = Path(module.__file__ or "")
    if file.suffix != ".py":
        file = file.with_name(f"{file.name.partition('.')[0]}.py")
    return file.read_text(encoding="utf-8")
