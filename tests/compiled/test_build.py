"""The installed package is compiled where that was insisted on, builds compile what has changed, wheels are complete."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import tag
from tag.catalogue.version import is_compiled, version_text

pytestmark = pytest.mark.flow

CHECKOUT = Path(__file__).parents[2]


def test_this_is_the_installed_package():
    assert CHECKOUT / "tag" not in Path(tag.__file__).parents


def test_it_is_compiled_where_that_was_insisted_on():
    if os.environ.get("TAG_COMPILE") == "1":
        assert is_compiled()
    assert ("compiled" in version_text()) == is_compiled()


def test_sources_are_installed_beside_the_libraries():
    folder = Path(tag.__file__).parent
    assert (folder / "playing" / "game.py").exists()
    assert (folder / "py.typed").exists()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Build a library of two C files as `setup.py` does; return the names of the files that were compiled."""
    setuptools = pytest.importorskip("setuptools")
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    monkeypatch.setenv("TAG_COMPILE", "0")
    monkeypatch.setattr(setuptools, "setup", lambda **_options: None)
    build_ext = runpy.run_path(str(CHECKOUT / "setup.py"))["OptionalBuildExt"]
    compiled = tmp_path / "compiled"
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *" -c "*) echo "$*" >> {compiled} ;; esac\nexec gcc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    for name in ("one", "two"):
        (tmp_path / "build" / f"{name}.c").write_text(f'#include "shared.h"\nint {name}(void) {{ return SHARED; }}\n')
    (tmp_path / "build" / "shared.h").write_text("#define SHARED 1\n")

    def run() -> list[str]:
        compiled.write_text("")
        library = setuptools.Extension("library", ["build/one.c", "build/two.c"])
        command = build_ext(setuptools.Distribution({"ext_modules": [library]}))
        command.force = True
        command.ensure_finalized()
        command.run()
        return sorted(re.findall(r"build/(\w+)\.c\b", compiled.read_text()))

    return run


def test_only_what_has_changed_is_compiled_again(build: Callable[[], list[str]]):
    assert build() == ["one", "two"]
    assert build() == []
    Path("build/one.c").write_text('#include "shared.h"\nint one(void) { return 2 * SHARED; }\n')
    assert build() == ["one"]
    Path("build/shared.h").write_text("#define SHARED 2\n")
    assert build() == ["one", "two"]
    assert build() == []


def test_a_file_that_failed_is_compiled_again(build: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch):
    build()
    good = Path("build/one.c").read_text()
    Path("build/one.c").write_text("this is not C\n")
    assert build() == ["one"]  # printed, and installed uncompiled
    Path("build/one.c").write_text(good)
    assert build() == ["one"]
    assert build() == []


@pytest.mark.slow  # compiles the package: minutes
def test_the_wheel_has_all_of_the_package(tmp_path: Path):
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    sources = [Path(name) for name in listed.split("\0") if name and (CHECKOUT / name).exists()]
    for source in sources:
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / source, tmp_path / source, follow_symlinks=False)
    subprocess.run(["make", "wheel", f"PYTHON={sys.executable}"], cwd=tmp_path, check=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    content = zipfile.ZipFile(wheel).namelist()
    linked = {"games", "agents", "tournaments", "tuning", "cluster"}
    kinds = {".py", ".typed", ".json", ".toml", ".css", ".jinja", ".safetensors"}
    ours = [path for path in sources if path.parts[0] in {"tag", *linked} and path.suffix in kinds]
    expected = {path.as_posix() if path.parts[0] == "tag" else f"tag/{path.as_posix()}" for path in ours}
    assert expected <= set(content), sorted(expected - set(content))
    assert "none-any" not in wheel.name
    libraries = {name.split(".")[0] for name in content if name.endswith((".so", ".pyd"))}
    assert {"tag/engine/state", "tag/agents/search/osla", "tag/games/abstract/tic_tac_toe"} <= libraries

    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True)
    tag_command = [sys.executable, "-P", "-m", "tag"]
    there = os.environ | {"PYTHONPATH": str(site)}
    for arguments in (["version"], ["play", "tic_tac_toe", "--agent", "osla", "--agent", "random", "--quiet"]):
        done = subprocess.run(
            [*tag_command, *arguments], cwd=tmp_path / "dist", env=there, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "compiled" in done.stdout or arguments[0] != "version"
