"""Packages of the same names: another `agents` on the path, or in the same folder, is told in one sentence."""

import hashlib
import os
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OURS = ("tag", "agents", "games", "cluster", "tournaments", "tuning")


def tag(*path: Path, cwd: Path, module: str = "-m") -> subprocess.CompletedProcess[str]:
    """Run ``tag agents`` with folders at the front of the path, where Python finds packages and distributions."""
    found = os.pathsep.join([*map(str, path), *[entry for entry in sys.path if entry and entry != str(ROOT)]])
    return subprocess.run(
        [sys.executable, *(["-P"] if module == "-m" else []), "-m", "tag", "agents"],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": found, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def install(site: Path, name: str, files: dict[str, str]) -> None:
    """Install a distribution into a folder as pip does: its files over those that are there, and their record."""
    lines = []
    for file, text in files.items():
        path = site / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        digest = urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{len(text.encode())}")
    info = site / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/METADATA,,", f"{info.name}/RECORD,,"]) + "\n")


def install_tag(site: Path) -> None:
    files = [
        file for package in OURS for file in (ROOT / package).rglob("*") if file.suffix in (".py", ".json", ".toml")
    ]
    install(site, "tag-games", {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files})


SDK = {"agents/__init__.py": "from agents.tool import Tool\n", "agents/tool.py": "class Tool:\n    pass\n"}


def assert_told(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("tag: ")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


def test_another_package_in_front_is_named(tmp_path: Path) -> None:
    install(tmp_path / "site", "agents-sdk", SDK)
    done = tag(tmp_path / "site", ROOT, cwd=tmp_path)
    assert_told(done, "'agents' is the package of agents-sdk in", str(tmp_path), str(ROOT))


def test_a_folder_of_ones_own_in_front_is_named(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "__init__.py").touch()
    assert_told(tag(ROOT, cwd=tmp_path, module="here"), "'games' is the package in", "rename that folder")
    assert tag(ROOT, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("first", ["tag-games", "agents-sdk"])
def test_two_in_one_folder_are_named_whoever_came_first(tmp_path: Path, first: str) -> None:
    site = tmp_path / "site"
    if first == "tag-games":
        install_tag(site)
    install(site, "agents-sdk", SDK)
    if first != "tag-games":
        install_tag(site)
    assert_told(
        tag(site, cwd=tmp_path), "agents-sdk 1.2 has put files into the package 'agents'", "environment of its own"
    )


def test_ones_own_agent_beside_the_installed_ones_is_none_of_this(tmp_path: Path) -> None:
    install_tag(tmp_path / "site")
    shutil.copy(ROOT / "agents" / "random.py", tmp_path / "site" / "agents" / "mine.py")
    text = (ROOT / "agents" / "random.py").read_text().replace("class Random(", "class Mine(")
    (tmp_path / "site" / "agents" / "mine.py").write_text(text)
    done = tag(tmp_path / "site", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout
