"""Docstrings read from source: compiled modules keep none at run time, but their sources are installed beside them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def class_doc(cls: type) -> str:
    """Return the docstring of ``cls``, from its source; empty for none."""
    classes = [node for node in ast.walk(_source(cls.__module__)) if isinstance(node, ast.ClassDef)]
    docs = [ast.get_docstring(node) for node in classes if node.name == cls.__name__]
    return next((doc for doc in docs if doc), "")


def file_doc(cls: type) -> str:
    """Return the docstring of the file or package named after ``cls``; empty for none.

    A game that is a package is explained by its ``__init__``, not by the module of its rules.
    """
    package, _, rest = cls.__module__.partition(".")
    name = f"{package}.{rest.partition('.')[0]}" if package in ("games", "agents") else cls.__module__
    return ast.get_docstring(_source(name)) or ""


def _source(module_name: str) -> ast.Module:
    module = sys.modules[module_name]
    file = Path(module.__file__ or "")
    if file.suffix != ".py":
        file = file.with_name(f"{file.name.partition('.')[0]}.py")
    return ast.parse(file.read_text(encoding="utf-8"))
