"""Large libraries that are loaded when they are first used, so that help and refusals need not wait for them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any, Final

#: They take from 0.05 to 0.5 s of CPU time each.
POSTPONED: Final = frozenset({"networkx", "optuna", "pandas", "pyarrow", "pyarrow.compute", "pyarrow.parquet"})

_lock: Final = RLock()
#: The loaders of modules that have been imported and not loaded, by name; and the modules that are being loaded.
_waiting: Final[dict[str, Loader]] = {}
_loading: Final[set[str]] = set()


class _Postponed(ModuleType):
    """A module that is loaded when something in it is asked for.

    `importlib.util.LazyLoader` loads a module when it is imported for the second time.
    """

    def __getattr__(self, name: str) -> Any:
        """Load the module, in the one thread that comes first, and return something in it."""
        with _lock:
            if name != "__path__" and self.__name__ not in _loading:  # modules that are no packages are asked for it
                _load(self)
        return ModuleType.__getattribute__(self, name)


def _load(module: ModuleType) -> None:
    name = module.__name__
    loader = _waiting.get(name)
    if loader is None:
        return
    package = name.rpartition(".")[0]
    if package in _waiting and package not in _loading:
        _load(sys.modules[package])
    _loading.add(name)
    try:
        loader.exec_module(module)
        del _waiting[name]
        module.__class__ = ModuleType
    finally:
        _loading.discard(name)


class _Loader(Loader):
    """Makes a module, and lets it wait."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Postponed(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        _waiting[module.__name__] = self._loader


class _Finder:
    """Finds these libraries as Python does."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how to make a module that waits; None for any other one."""
        spec = PathFinder.find_spec(name, path, target) if name in POSTPONED else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def postpone() -> None:
    """Have imports of large libraries wait from now on."""
    sys.meta_path.insert(0, _Finder)
