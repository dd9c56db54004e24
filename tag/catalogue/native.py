"""Native code: how mypyc builds this package, and users' files that have been built against it (`tag compile`).

A user's file is a group of C code of its own, which calls the package's through a table of functions. The table is laid
out as one header of the package's C code says, so that what was built against another header is never loaded. `setup.py`
runs this module by its path; it imports nothing of the package.
"""

from __future__ import annotations

import json
import os
import re
import sys
import sysconfig
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

#: The package's own group; its library is ``tag_native__mypyc``.
GROUP: Final = "tag_native"
#: The variable that, set to 0, has users' files run as they are although they have been compiled.
SWITCH: Final = "TAG_COMPILED"

#: What -O2 does without the passes of gcc that cost most and bring the engine least. Compiling takes 0.7 of the time that
#: -O3 takes, and a search at most 1 % more instructions; -O1 takes 0.55, but 5 to 8 % more instructions. With `hidden`,
#: calls within a library go straight to the function, or inline it. With `common`, the files of a group share its table of
#: the functions of other groups.
_FLAGS: Final = [
    *("-fvisibility=hidden", "-fcommon"),
    *("-fno-gcse", "-fno-expensive-optimizations", "-fno-schedule-insns2", "-fno-tree-slp-vectorize"),
]

_RECORD: Final = Path(__file__).parent / "native.json"
_SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX") or ".so"


@dataclass(frozen=True)
class NativeBuild:
    """The compiled build of this package.

    Attributes:
        modules: the files of its modules, relative to the folder of the package.
        interface: a digest of the header that other groups are compiled with.
        mypy: the version of mypy that compiled it.
    """

    modules: tuple[str, ...]
    interface: str
    mypy: str

    @classmethod
    def made(cls, modules: list[str], c_code: Path) -> NativeBuild:
        """Describe the build of ``modules`` whose C code is in a folder."""
        from mypy.version import __version__ as mypy  # noqa: PLC0415  only where something is compiled

        header = (c_code / f"__native_{GROUP}.h").read_bytes()
        return cls(tuple(modules), blake2b(header, digest_size=8).hexdigest(), mypy)

    @classmethod
    def installed(cls) -> NativeBuild | None:
        """Return the build that is installed; None where the package runs interpreted."""
        try:
            record = json.loads(_RECORD.read_text(encoding="utf-8"))
        except OSError:
            return None
        return cls(tuple(record["modules"]), record["interface"], record["mypy"])

    def write(self, library: Path) -> None:
        """Install the description beside this module in ``library``, the folder that has the packages."""
        target = library / "tag" / "catalogue" / _RECORD.name
        target.write_text(json.dumps(vars(self)), encoding="utf-8")


def extensions(groups: list[tuple[list[str], str]], options: list[str], c_code: Path) -> list[Any]:
    """Return the extensions of some groups of files, each a library of its name, after writing their C code.

    mypyc takes classes of separate groups for parents of unknown ones, and tests each field at each access: that is 7 % of
    the instructions of a search. Here only classes that are declared so (``allow_interpreted_subclasses``) have such
    children, hence ``global_opts``.
    """
    from mypyc.build import mypyc_build, mypycify  # noqa: PLC0415  only where something is compiled
    from mypyc.options import CompilerOptions  # noqa: PLC0415  as above

    target = str(c_code)
    paths = [*options, f"--cache-dir={os.devnull}", *[path for files, _name in groups for path in files]]
    how = CompilerOptions(multi_file=True, separate=True, target_dir=target)
    how.global_opts = True
    _groups, written, needed = mypyc_build(paths, how, separate=[*groups])
    for c_files, _headers in written:
        for path in c_files:
            _mend(Path(path))
    names = [[(os.path.relpath(path, target), "") for path in c_files] for c_files, _headers in written]
    runtime = [(one.path, one.include_dirs, one.internal) for one in needed]
    found: list[Any] = mypycify(
        paths,
        opt_level="2",
        debug_level="0",
        multi_file=True,
        separate=[*groups],
        target_dir=target,
        skip_cgen_input=(names, runtime),
    )
    for extension in found:
        extension.sources = [*dict.fromkeys(extension.sources)]
        if sys.platform != "win32":
            extension.extra_compile_args = [*extension.extra_compile_args, *_FLAGS]  # theirs is shared
    return found


def _mend(c_file: Path) -> None:
    """Mend the constructors that mypyc 2.4.1 writes for classes with ``__new__``: they took no notice of exceptions."""
    text = c_file.read_text(encoding="utf-8")
    mended = re.sub(r"!= NULL \? 0 : -1;(\s+if \(res == 2\))", r"!= NULL ? 0 : 2;\1", text)
    if mended != text:
        c_file.write_text(mended, encoding="utf-8")


def folder_of(module: str, build: NativeBuild) -> Path:
    """Return the folder, of this user and machine, for a compiled module of a user's file."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "tag-games" / f"{build.interface}{_SUFFIX}" / module


def load(name: str) -> ModuleType | None:
    """Import a compiled module of a user's file; None where it was not compiled against the installed package."""
    build = NativeBuild.installed()
    if build is None or os.environ.get(SWITCH) == "0":
        return None
    try:
        folder = folder_of(name, build)
        path = folder / f"{name}{_SUFFIX}"
        if not path.is_file():
            return None
    except (OSError, RuntimeError):  # no folder of caches, or an isolated process that may not read it
        return None
    sys.path.insert(0, str(folder))  # the module looks for its library, which is beside it
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(folder))
