"""The compiled build: mypyc turns the hot packages into one native library, or they are installed as they are.

``TAG_COMPILE=auto`` (the default) compiles where there is a C compiler and installs the same program uncompiled where
there is none; ``1`` insists, ``0`` forbids. Editable installs stay interpreted: a stale library beside an edited
source would win.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from hashlib import blake2b
from pathlib import Path
from runpy import run_path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

MODE = os.environ.get("TAG_COMPILE", "auto")

#: Cold or dynamic modules of the compiled packages, which gain nothing or rely on introspection.
INTERPRETED = {
    "tag/__main__.py",
    "tag/catalogue/describe.py",
    "tag/catalogue/native.py",
    "tag/catalogue/options.py",
    "tag/catalogue/registry.py",
    "tag/catalogue/user_code.py",
    "tag/catalogue/version.py",
}
INTERPRETED_FOLDERS = (
    *("tag/adapters/", "tag/cli/", "tag/check/", "tag/isolation/", "tag/table/"),
    *("tag/cluster/", "tag/tournaments/", "tag/tuning/"),
)

#: Folders beside tag/ that it has links to, so that they are imported as `tag.games` and so on. In an sdist they are in it.
LINKED = ("agents", "cluster", "games", "tournaments", "tuning")

#: Commands in which setuptools asks only what there is; pip runs two of them before it builds.
ASKING = {"dist_info", "egg_info", "sdist"}
#: Commands that build something that must stay interpreted.
EDITABLE = {"editable_wheel", "develop"}


class OptionalBuildExt(build_ext):
    """Build all extensions or none, as they share one library.

    Attributes:
        native_build: the description of what is built, for `tag compile`; None where nothing is.
    """

    native_build: Any = None

    def run(self) -> None:
        """Build, or go on uncompiled."""
        try:
            super().run()
            if self.native_build is not None:
                self.native_build.write(Path(self.build_lib))
        except Exception as error:  # whatever goes wrong in compiling, the sources install as well
            if MODE == "1":
                raise
            print(f"tag: not compiled, installing the same program interpreted: {error}", file=sys.stderr)
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []

    def build_extensions(self) -> None:
        """Compile on all cores, and only what has changed: setuptools compiles all files, one after the other."""
        one_by_one = self.compiler
        self.parallel = os.cpu_count()
        ingredients = compiler_and_headers()

        def compile_file(
            obj: str, src: str, ext: str, cc_args: list[str], flags: list[str], pp_opts: list[str]
        ) -> None:
            contents = repr((one_by_one.compiler_so, flags)).encode() + Path(src).read_bytes()
            key, made_of = blake2b(ingredients + contents).hexdigest(), Path(f"{obj}.key")
            if not (Path(obj).exists() and made_of.exists() and made_of.read_text() == key):
                made_of.unlink(missing_ok=True)
                one_by_one._compile(obj, src, ext, cc_args, flags, pp_opts)
                made_of.write_text(key)

        def compile_files(*arguments: Any, **options: Any) -> list[str]:
            compiler, jobs = copy(one_by_one), []
            compiler._compile = lambda *file: jobs.append(pool.submit(compile_file, *file))
            objects = compiler.compile(*arguments, **options)
            for job in jobs:
                job.result()
            return objects

        self.compiler = copy(one_by_one)
        self.compiler.compile = compile_files
        with ThreadPoolExecutor(self.parallel) as pool:
            super().build_extensions()


def compiler_and_headers() -> bytes:
    """Return what decides an object file beside its source and flags: Python, mypyc's runtime, and the made headers."""
    from mypy.version import __version__

    headers = [path.read_bytes() for path in sorted(Path("build").glob("*.h"))]
    return b"".join([sys.version.encode(), __version__.encode(), *headers])


def check_links() -> None:
    """Exit where a checkout has text files for links to folders: a wheel would be built, and hold no game."""
    missing = [name for name in LINKED if not Path(__file__).with_name("tag").joinpath(name).is_dir()]
    if missing:
        sys.exit(
            f"tag/{missing[0]} is no folder, as this copy of the sources was made without symbolic links; 'make links' mends"
            " that, as does 'git clone -c core.symlinks=true'"
        )


def sources() -> list[str]:
    """Return the modules to compile."""
    folders = [Path("tag"), *(Path("tag", name) for name in LINKED)]  # rglob does not follow links
    found = sorted({path.as_posix() for folder in folders for path in folder.rglob("*.py")})
    return [name for name in found if name not in INTERPRETED and not name.startswith(INTERPRETED_FOLDERS)]


def document(c_file: Path) -> None:
    """Put the docstrings of a module into the C file that mypyc made of it, which has signatures only.

    mypyc names a C function ``CPyPy_module___Class___method`` in the table of methods, and a class in ``tp_name``.
    """
    module = c_file.stem.removeprefix("__native_").replace("___", "/")
    source = next((path for path in (Path(f"{module}.py"), Path(module, "__init__.py")) if path.exists()), None)
    if source is None:  # what all modules share
        return
    docs: dict[str, str] = {}
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            docs[node.name] = ast.get_docstring(node) or ""
        for method in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(method, ast.FunctionDef):
                docs[f"{node.name}___{method.name}"] = ast.get_docstring(method) or ""

    def with_doc(found: re.Match[str]) -> str:
        names = found["name"].split("___")
        owned = "___".join(names[-2:])
        doc = docs.get(owned, "" if names[-2:-1] and names[-2] in docs else docs.get(names[-1], ""))
        return f"{found[1]}{_c_string(doc)}{found[3]}"

    text = c_file.read_text(encoding="utf-8")
    for start in (r"\(PyCFunction\)CPyPy_(?P<name>\w+),[^{}]*?", r'\.tp_name = "(?P<name>\w+)",[^{}]*?\.tp_doc = '):
        text = re.sub(rf"({start}PyDoc_STR\()NULL\)", r'\1"")', text)  # a signature that Python cannot show
        text = re.sub(rf'({start}PyDoc_STR\("(?:[^"\\]|\\.)*)("\))', with_doc, text)
    c_file.write_text(text, encoding="utf-8")


def _c_string(text: str) -> str:
    """Return the inside of a string literal of C."""
    return "".join(chr(byte) if 31 < byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in text.encode())


def extensions() -> list[object]:
    """Return the extensions to build, none where the build stays interpreted."""
    interpreted = MODE == "0" or sys.implementation.name != "cpython"
    if interpreted or (ASKING if MODE == "1" else ASKING | EDITABLE).intersection(sys.argv):
        return []
    native = run_path("tag/catalogue/native.py")
    c_code, modules = Path("build"), sources()
    try:
        found: list[Any] = native["extensions"]([(modules, native["GROUP"])], ["--config-file=pyproject.toml"], c_code)
    except ImportError:
        if MODE == "1":
            raise
        return []
    OptionalBuildExt.native_build = native["NativeBuild"].made(modules, c_code)
    for c_file in {Path(name) for extension in found for name in extension.sources}:
        document(c_file)
    for extension in found:
        extension.sources.sort(key=lambda name: -Path(name).stat().st_size)  # no core compiles a long file at the end
    return found


check_links()
setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuildExt})
