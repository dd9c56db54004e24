"""``tag compile``: builds a user's file as native code against the installed, compiled package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

import click

from tag.catalogue import native
from tag.catalogue.native import NativeBuild
from tag.catalogue.user_code import check_parents, classes_in, is_path, module_name, source_of, split_path
from tag.cli.process import print_json
from tag.engine.forward_model import ForwardModel
from tag.errors import UserCodeError
from tag.orders import GameOrder, play_order

#: Random games that are played both ways, at most, and the CPU time after which no more are, in seconds.
_GAMES: Final = 5_000
_ENOUGH: Final = 1.0
#: Packages of the extra, each with a module in it.
_NEEDED: Final = {"mypy": "mypyc", "setuptools": "setuptools"}


@click.command("compile")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compile_file(file: str, as_json: bool) -> int:
    """Compile a file with a game or agents of your own to native code.

    It needs a C compiler and mypy, which pip install 'tag-games[compile]' brings. All specs that begin with FILE use the
    native code, in all processes on this machine, until the file or tag changes. Random games of the games in it are
    played both ways and compared. TAG_COMPILED=0 runs the text again.

    Example: tag compile my_game.py
    """
    if not is_path(file) or split_path(file)[1]:
        raise UserCodeError(f"tag compile takes a Python file, not {file!r}; leave the class out")
    build = NativeBuild.installed()
    if build is None:
        raise UserCodeError(
            f"tag runs interpreted here, so that {file!r} cannot be compiled; install it with a C compiler"
        )
    for package, module in _NEEDED.items():
        if find_spec(module) is None:
            raise UserCodeError(
                f"tag compile needs {package}, which is not installed: pip install 'tag-games[compile]'"
            )
    os.environ[native.SWITCH] = "0"  # this process reads the text
    games = _games_in(file)
    begin = perf_counter()
    folder = _compiled(file, build)
    facts: dict[str, Any] = {
        "file": file,
        "folder": str(folder),
        "seconds": round(perf_counter() - begin, 1),
        "games": [],
    }
    for name, game in games.items():
        facts["games"].append(_compare(f"{file}:{name}", int(game.game_type.min_players)))
    if different := [one["spec"] for one in facts["games"] if not one["same"]]:
        shutil.rmtree(folder)
        raise UserCodeError(
            f"compiled, {different[0]} plays other games than its text, so {file} stays as it is: does it keep "
            "integers beyond 64 bits in an i64, or replace methods while it runs?"
        )
    if as_json:
        print_json(facts, indent=None)
        return 0
    click.echo(f"compiled {file} in {facts['seconds']:.0f} s; all specs that begin with it use the native code")
    for one in facts["games"]:
        factor = one["interpreted"] / one["compiled"]
        click.echo(f"{one['spec']}: {one['played']} random games are the same both ways, {factor:.1f} times as fast")
    if not facts["games"]:
        click.echo("there is no game in it to compare; tag check compares an agent's decisions in two processes")
    return 0


def _games_in(file: str) -> dict[str, type[ForwardModel[Any]]]:
    """Return the games of a file; `UserCodeError` where one cannot be compiled for its parents."""
    games = classes_in(file, ForwardModel)
    for game in games.values():
        check_parents(game, file)
    return games


def _compiled(file: str, build: NativeBuild) -> Path:
    """Compile the file and return the folder of its module.

    Raises:
        UserCodeError: it cannot be compiled.
    """
    file, text = source_of(file)
    module = module_name(file, text)
    folder = native.folder_of(module, build)
    with TemporaryDirectory(prefix="tag-compile-") as work:
        root = Path(__file__).parents[2]
        for package in ("tag",):
            shutil.copytree(
                root / package, Path(work, package), ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
            )
        Path(work, f"{module}.py").write_text(text, encoding="utf-8")
        command = [sys.executable, "-P", "-m", __name__, "build", module, file, build.interface]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)  # noqa: S603  our own
        if done.returncode:
            raise UserCodeError(f"cannot compile {file!r}: {_reason(done, module)}")
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
        shutil.copytree(Path(work, "native"), fresh)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    return folder


def _reason(done: subprocess.CompletedProcess[str], module: str) -> str:
    """Return the first fault that mypy found, or the last line of another failure."""
    faults = re.findall(rf"^{module}\.py:(\d+):.*?error: (.*)$", done.stdout, re.MULTILINE)
    if faults:
        line, fault = faults[0]
        advice = "; annotate it with i64 of mypy_extensions, as tag does" if 'type "i64"' in fault else ""
        return f"line {line}: {fault}{advice} ({len(faults)} in all)"
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"the compiler ended with exit code {done.returncode}"


def _compare(spec: str, players: int) -> dict[str, Any]:
    """Play random games of a spec both ways and return whether they are the same, and the CPU seconds of both."""
    hashes, seconds = _played(spec, players, _GAMES)
    command = [sys.executable, "-P", "-m", __name__, "play", spec, str(players), str(len(hashes))]
    environment = {**os.environ, native.SWITCH: "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  our own
    other, faster = json.loads(done.stdout) if done.returncode == 0 else ([], 1.0)
    return {
        "spec": spec,
        "played": len(hashes),
        "same": hashes == other,
        "interpreted": seconds,
        "compiled": faster,
    }


def _played(spec: str, players: int, games: int) -> tuple[list[str], float]:
    """Return the hashes of the ends of random games, and the CPU seconds that they took."""
    hashes: list[str] = []
    play_order(GameOrder("", spec, ("random",) * players, 0))  # imports what it needs
    begin = process_time()
    while len(hashes) < games and process_time() - begin < _ENOUGH:
        hashes.append(play_order(GameOrder("", spec, ("random",) * players, len(hashes))).state_hash)
    return hashes, process_time() - begin


def _build(module: str, file: str, interface: str) -> None:
    """Build ``native/`` from the sources in the current folder."""
    distribution = import_module("setuptools").Distribution  # only where something is compiled
    build_ext = import_module("setuptools.command.build_ext").build_ext
    build = NativeBuild.installed()
    modules = [] if build is None else [*build.modules]
    groups = [(modules, native.GROUP), ([f"{module}.py"], f"{module}_native")]
    c_code = Path("c")
    found = native.extensions(groups, ["--ignore-missing-imports"], c_code)
    if NativeBuild.made(modules, c_code).interface != interface:
        raise UserCodeError("the installed sources of tag are not those that were compiled; install tag again")
    own = [extension for extension in found if extension.name.startswith(module)]
    for path in c_code.glob(f"__native_{module}*.c"):  # so that tracebacks and messages name the user's file
        path.write_text(path.read_text(encoding="utf-8").replace(f'"{module}.py"', json.dumps(file)), encoding="utf-8")
    command = build_ext(distribution({"ext_modules": own}))
    command.build_lib, command.build_temp = "native", "objects"
    command.ensure_finalized()
    command.run()


def _main(arguments: list[str]) -> None:
    if arguments[0] == "build":
        _build(*arguments[1:])
    else:
        click.echo(json.dumps(_played(arguments[1], int(arguments[2]), int(arguments[3]))))


if __name__ == "__main__":
    _main(sys.argv[1:])
