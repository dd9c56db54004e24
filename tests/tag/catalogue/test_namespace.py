"""There is one package: users may have their own `agents`, `games` and `cluster`, and no class of ours is loaded twice."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
LINKED = ("agents", "cluster", "games", "tournaments", "tuning")

#: What users have in their own folders, and what others install: packages of these names, with classes of their own.
AGENT = """
from tag import Agent
from games.helper import ANSWER


class Last(Agent):
    def act(self, observation, actions):
        return actions[ANSWER]
"""
SCRIPT = """
import agents.last, cluster, games.helper
from tag import make_agent, make_game
from tag.agents.random import Random
from tag.games.abstract.nim import Nim

assert type(make_agent("random")) is Random and type(make_game("nim")) is Nim
assert cluster.WHOSE == "the user's" and "site" not in agents.last.__file__
print(games.helper.ANSWER)
"""


def python(arguments: Sequence[str], folder: Path, *path: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with others on its path behind it."""
    found = os.pathsep.join([*map(str, path), *[entry for entry in sys.path if entry and entry != str(ROOT)]])
    environment = {**os.environ, "PYTHONPATH": found, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name in ("agents", "cluster", "games"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text('WHOSE = "the user\'s"\n')
    (folder / "games" / "helper.py").write_text("ANSWER = -1\n")
    (folder / "agents" / "last.py").write_text(AGENT)
    (folder / "script.py").write_text(SCRIPT)
    return folder


def test_users_have_folders_of_these_names(project: Path) -> None:
    done = python(["script.py"], project, ROOT)
    assert (done.returncode, done.stdout) == (0, "-1\n"), done.stderr


def test_commands_play_agents_in_such_folders(project: Path) -> None:
    play = ["-m", "tag", "play", "nim", "--agent", "agents/last.py:Last", "--agent", "random", "--seed", "1", "--json"]
    done = python(play, project, ROOT)
    assert done.returncode == 0, done.stderr
    tournament = [
        *("-m", "tag", "tournament", "nim", "--agent", "agents/last.py:Last", "--agent", "random"),
        "--blocks=2",
    ]
    done = python([*tournament, "--workers=2", "--no-tracking", "--out=out"], project, ROOT)
    assert done.returncode == 0, done.stderr


def test_others_may_install_packages_of_these_names(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "agents").mkdir(parents=True)
    (site / "agents" / "__init__.py").write_text("class Agent:\n    pass\n")
    code = "import agents, tag; print(agents.__file__, tag.make_agent('osla') is None)"
    done = python(["-P", "-c", code], tmp_path, site, ROOT)
    assert done.stdout == f"{site / 'agents' / '__init__.py'} False\n", done.stderr
    done = python(["-P", "-m", "tag", "agents"], tmp_path, site, ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", LINKED)
def test_no_class_is_loaded_twice(name: str) -> None:
    done = python(["-c", f"import {name}"], ROOT)
    assert done.stderr.endswith(f"ImportError: {name} is imported as tag.{name}: of each class there must be one\n")


@pytest.fixture
def without_links(tmp_path: Path) -> Path:
    """Return a copy of the sources as Git makes it without symbolic links: it has text files in their places."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("tag", *LINKED):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=ignored)
    for name in ("setup.py", "pyproject.toml", "README.md", "Makefile"):
        shutil.copy(ROOT / name, copy)
    for name in LINKED:
        assert (copy / "tag" / name).is_symlink()
        (copy / "tag" / name).unlink()
        (copy / "tag" / name).write_text(f"../{name}")
    return copy


def test_a_copy_without_links_says_so(without_links: Path) -> None:
    for command in (["-c", "import tag"], ["-m", "tag", "games"], ["setup.py", "bdist_wheel"]):
        done = python(command, without_links)
        assert done.returncode != 0
        last = done.stderr.strip().splitlines()[-1]
        assert "this copy of the sources was made without symbolic links; 'make links' mends that" in last, done.stderr
    assert not list(without_links.rglob("*.whl"))


def test_make_links_mends_it(without_links: Path) -> None:
    subprocess.run(["make", "links"], cwd=without_links, check=True, capture_output=True)
    done = python(["-m", "tag", "games"], without_links)
    assert done.returncode == 0, done.stderr
    assert "nim" in done.stdout
