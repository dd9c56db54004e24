"""A user's own games, agents and heuristics, by path: ``./my_game.py:MyGame``.

The text of a file is what counts: it can be collected on one machine (`source_of`) and provided on another
(`provide_source`), which is how it reaches workers. The same file with the same text is a module of the same name in
every process, so that what it defines can cross in pickles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from tag.errors import UnknownNameError, UserCodeError

T = TypeVar("T")

_sources: dict[str, str] = {}
_modules: dict[str, ModuleType] = {}
_imported: dict[str, str] = {}


def is_path(name: str) -> bool:
    """Say whether a spec's name is a path to a user's file."""
    return name.endswith(".py") or ".py:" in name


def split_path(name: str) -> tuple[str, str]:
    """Return the file and the class of ``file.py:Class``; the class is empty where none is named."""
    path, _, class_name = name.partition(".py")
    return f"{path}.py", class_name.removeprefix(":")


def source_of(name: str) -> tuple[str, str]:
    """Return the file of ``name`` and its text, for `provide_source` elsewhere.

    Raises:
        UserCodeError: the file cannot be read.
    """
    file, _class_name = split_path(name)
    if file in _sources:
        return file, _sources[file]
    try:
        return file, Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserCodeError(f"cannot read {file!r}: {reason}") from None


def provide_source(file: str, text: str) -> None:
    """Let ``file`` mean ``text`` from now on, whatever is on this machine's disk."""
    if _sources.get(file) != text:
        _sources[file] = text
        _modules.pop(file, None)


def sources_in_use() -> dict[str, str]:
    """Return the text of every file that has been imported or provided here, for `provide_source` elsewhere."""
    return {**_imported, **_sources}


def load_class(name: str, base: type[T]) -> type[T]:
    """Return the class that ``file.py:Class`` names, or the only subclass of ``base`` in ``file.py``.

    Raises:
        UserCodeError: the file does not import, or has no such class.
    """
    file, class_name = split_path(name)
    own = classes_in(file, base)
    if not class_name:
        if len(own) == 1:
            return next(iter(own.values()))
        raise UserCodeError(f"{file!r} has {len(own)} classes of kind {base.__name__}; name one as {file}:Class")
    if class_name not in own and class_name in vars(_module(file)):
        raise UserCodeError(f"{class_name} in {file!r} is no subclass of {base.__name__}")
    if class_name not in own:
        raise UnknownNameError.of(f"{base.__name__} in {file}", class_name, own)
    return own[class_name]


def load_function(name: str) -> Callable[..., Any]:
    """Return the function that ``file.py:function`` names.

    Raises:
        UserCodeError: the file does not import, or has no such function.
    """
    file, function_name = split_path(name)
    module = _module(file)
    own = {
        key: value
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    if function_name not in own:
        raise UnknownNameError.of(f"function in {file}", function_name, own)
    found: Callable[..., Any] = own[function_name]
    return found


def classes_in(file: str, base: type[T]) -> dict[str, type[T]]:
    """Return the subclasses of ``base`` that ``file`` defines, by name.

    Raises:
        UserCodeError: the file does not import.
    """
    module = _module(file)
    return {name: value for name, value in vars(module).items() if _is_own(value, base, module)}


def _module(file: str) -> ModuleType:
    if file not in _modules:
        _modules[file] = _import(file)
    return _modules[file]


def _is_own(value: Any, base: type, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__


def _import(file: str) -> ModuleType:
    _file, text = source_of(file)
    digest = blake2b(f"{file}\0{text}".encode(), digest_size=8).hexdigest()
    module = ModuleType(f"tag_user_{Path(file).stem}_{digest}")
    module.__file__ = file
    sys.modules[module.__name__] = module
    _imported[file] = text
    try:
        exec(compile(text, file, "exec"), vars(module))  # noqa: S102  running the user's own code is the purpose
    except Exception as error:
        del sys.modules[module.__name__]
        raise UserCodeError(f"cannot import {file!r}: {type(error).__name__}: {error}") from error
    return module
