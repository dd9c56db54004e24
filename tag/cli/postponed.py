"""Modules that are loaded when they are first used, so that help and refusals need not wait for them.

They are large libraries, and those of our own that commands run: the modules of commands only declare options, and import
what they run as ``from package import module``. In Python outside of commands all of them are ordinary imports.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any, Final

#: They take from 0.05 to 0.5 s of CPU time each.
LIBRARIES: Final = ("networkx", "optuna", "pandas", "pyarrow", "pyarrow.compute", "pyarrow.parquet")
#: The beginnings of names in them that need nothing of their library, and are loaded before it.
_ALONE: Final = ("optuna._", "optuna.distributions", "optuna.exceptions")
#: What commands run.
RUN: Final = (
    "tag.cli.play",
    "tag.cli.screens.keys",
    "tag.cli.screens.stepping",
    "tag.tournaments.commands.python",
    "tag.tournaments.commands.tournament",
    "tag.tournaments.ledger.folder",
    "tag.tournaments.ledger.experiment",
    "tag.tournaments.ledger.games",
    "tag.tournaments.ledger.replay",
    "tag.tournaments.ledger.storage",
    "tag.tournaments.driver.preview",
    "tag.tournaments.driver.tournament",
    "tag.tournaments.reports.analysis",
    "tag.tournaments.reports.displays",
    "tag.tournaments.reports.figures",
    "tag.tournaments.reports.html.page",
    "tag.tournaments.reports.sections.section",
    "tag.tournaments.reports.sections.tournament",
    "tag.tournaments.reports.status",
    "tag.tournaments.reports.terminal",
    "tag.tournaments.reports.text",
    "tag.tournaments.results.analysis.definition",
    "tag.tournaments.results.copies.noise",
    "tag.tournaments.results.experiment",
    "tag.tournaments.results.machines",
    "tag.tournaments.results.overall_ratings",
    "tag.tournaments.results.positions",
    "tag.tournaments.results.tournament",
    "tag.tournaments.run",
    "tag.tournaments.tracking.analyses",
    "tag.tournaments.tracking.experiments",
    "tag.tournaments.tracking.marks",
    "tag.tournaments.tracking.stores",
    "tag.tournaments.tracking.tracker",
    "tag.tournaments.web.live.pages",
    "tag.tournaments.web.server",
    "tag.tournaments.web.tables.host",
    "tag.tournaments.web.tables.pages",
    "tag.tournaments.web.tables.pool",
    "tag.tournaments.web.tables.recorded",
    "tag.tournaments.web.tables.tables",
    "tag.tuning.balancing.report",
    "tag.tuning.balancing.results",
    "tag.tuning.balancing.run",
    "tag.tuning.balancing.problem",
    "tag.tuning.commands.deviations",
    "tag.tuning.commands.live",
    "tag.tuning.commands.python",
    "tag.tuning.commands.verification",
    "tag.tuning.commands.workbench.pages",
    "tag.tuning.reports.optuna_study",
    "tag.tuning.reports.report",
    "tag.tuning.reports.results",
    "tag.tuning.run",
    "tag.tuning.samplers",
    "tag.tuning.training.report",
    "tag.tuning.training.results",
    "tag.tuning.training.run",
    "tag.tuning.training.tracking",
)
POSTPONED: Final = frozenset((*LIBRARIES, *RUN))

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


class _Part(ModuleType):
    """A module of a library that waits, which stands for the one that the library loads.

    Loaded before its library, it may fail on a circular import.
    """

    def __getattr__(self, name: str) -> Any:
        """Load the library, and return something in the module."""
        if name.startswith("__"):  # asked for while it is being imported
            raise AttributeError(name)
        with _lock:
            _load(sys.modules[self.__name__.partition(".")[0]])
            return getattr(import_module(self.__name__), name)


def _load(module: ModuleType) -> None:
    name = module.__name__
    loader = _waiting.get(name)
    if loader is None:
        return
    package = name.rpartition(".")[0]
    if package in _waiting and package not in _loading:
        _load(sys.modules[package])
    for part in [part for part, one in sys.modules.items() if isinstance(one, _Part) and part.startswith(f"{name}.")]:
        del sys.modules[part]  # so that the library loads its own, in its order
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


class _PartLoader(Loader):
    """Makes a module that stands for one of a library that waits."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Part(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


class _Finder:
    """Finds modules and libraries that wait, as Python does."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how to make a module that waits; None for any other one."""
        is_part = name not in POSTPONED and _is_of_waiting(name)
        spec = PathFinder.find_spec(name, path, target) if name in POSTPONED or is_part else None
        if spec is not None and spec.loader is not None:
            spec.loader = _PartLoader() if is_part else _Loader(spec.loader)
        return spec


def _is_of_waiting(name: str) -> bool:
    """Say whether a module is of a library that waits."""
    library = name.partition(".")[0]
    return library in LIBRARIES and library in _waiting and library not in _loading and not name.startswith(_ALONE)


def postpone() -> None:
    """Have imports of large libraries wait from now on."""
    sys.meta_path.insert(0, _Finder)
