"""What a user's agent consists of: where any file of it is edited, a tournament does not go on with two versions of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tag.catalogue.registry import file_sources, sources_in
from tag.catalogue.user_code import forget_changed_files
from tag.errors import DataError, TagError
from tag.orders import forget_user_code
from tag.tournaments import define, run_tournament
from tag.tournaments.definition import user_sources
from tag.tournaments.ledger.folder import Folder, read_manifest

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]

BOT = """
import sys
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
{imports}
from tag.playing.agent import Agent

class Bot(Agent):
    def act(self, observation, actions):
        return actions[place % len(actions)]
"""
PLACE = "place = 0\n"

#: Ways in which an agent's file uses others: its imports, and the other files.
WAYS: dict[str, tuple[str, dict[str, str]]] = {
    "import": ("import helper_a\nplace = helper_a.place", {"helper_a.py": PLACE}),
    "from": ("from helper_b import place", {"helper_b.py": PLACE}),
    "package": ("from parts_c.inner import place", {"parts_c/__init__.py": "", "parts_c/inner.py": PLACE}),
    "through another": ("from one_d import place", {"one_d.py": "from two_d import place\n", "two_d.py": PLACE}),
    "relative": (
        "from parts_e import place",
        {
            "parts_e/__init__.py": "from .inner import place\n",
            "parts_e/inner.py": "from . import deep\nplace = deep.place\n",
            "parts_e/deep.py": PLACE,
        },
    ),
    "by name": ('import importlib\nplace = importlib.import_module("helper_f").place', {"helper_f.py": PLACE}),
    "later": (
        "def _place():\n    from helper_g import place\n    return place\nplace = _place()",
        {"helper_g.py": PLACE},
    ),
    "declared": (
        'FILES = ["numbers.txt"]\nplace = int((Path(__file__).parent / "numbers.txt").read_text())',
        {"numbers.txt": "0"},
    ),
    "declared in another folder": (
        'FILES = ["lib/helper_h.py"]\nsys.path.insert(0, str(Path(__file__).parent / "lib"))\nfrom helper_h import place',
        {"lib/helper_h.py": PLACE},
    ),
}


def written(folder: Path, way: str) -> Path:
    """Write an agent's files, and return its own."""
    imports, files = WAYS[way]
    for name, text in {**files, "bot.py": BOT.format(imports=imports)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "bot.py"


@pytest.mark.parametrize("change", ["edit", "delete"])
@pytest.mark.parametrize("way", WAYS)
def test_an_edited_part_is_refused_as_the_file_itself(way: str, change: str, tmp_path: Path) -> None:
    bot = written(tmp_path / "bots", way)
    folder = tmp_path / "t"
    definition = define("tic_tac_toe", (str(bot), "random"), 1, seed=1)
    run_tournament(definition, folder, tracking=False)
    assert run_tournament(definition, folder, tracking=False).complete
    cases = 0
    for name in WAYS[way][1]:
        path = bot.parent / name
        text = path.read_text()
        assert str(path) in read_manifest(folder).sources
        if change == "edit":
            path.write_text(f"{text}1")
        else:
            path.unlink()
        longer = define("tic_tac_toe", (str(bot), "random"), 2, seed=1)
        with pytest.raises(TagError, match=r"has changed since .* was begun|cannot read") as refusal:
            run_tournament(longer, folder, tracking=False)
        assert str(path) in str(refusal.value)
        path.write_text(text)
        cases += 1
    assert cases == len(WAYS[way][1])
    longer = define("tic_tac_toe", (str(bot), "random"), 2, seed=1)
    assert run_tournament(longer, folder, tracking=False).complete


def test_reading_what_it_consists_of_runs_nothing(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import helper\nraise SystemExit(3)\n")
    (tmp_path / "helper.py").write_text("raise SystemExit(4)\n")
    assert list(file_sources(str(bot))) == [str(bot), str(tmp_path / "helper.py")]


@pytest.mark.parametrize(
    "text", ["import tag\nimport json\nimport tag.agents.random\n", "def broken(:\n", "from . import x\n", ""]
)
def test_what_is_no_part(text: str, tmp_path: Path) -> None:
    """Neither the packages of this distribution nor the standard library, though files of these names lie beside."""
    bot = tmp_path / "bot.py"
    bot.write_text(text)
    for name in ("tag.py", "json.py", "agents.py", "other.py"):
        (tmp_path / name).write_text("")
    assert list(file_sources(str(bot))) == [str(bot)]


def test_modules_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    for name, other in (("bot", "one"), ("one", "two"), ("two", "one"), ("three", "bot")):
        (tmp_path / f"{name}.py").write_text(f"import {other}\n")
    assert sorted(file_sources(str(tmp_path / "bot.py"))) == [
        str(tmp_path / f"{name}.py") for name in ("bot", "one", "two")
    ]


def test_an_edited_module_is_imported_anew_in_the_same_process(tmp_path: Path) -> None:
    bot = written(tmp_path, "import")
    for place in (0, 1, 0):
        (tmp_path / "helper_a.py").write_text(f"place = {place}\n#{'x' * place}\n")
        if forget_changed_files():
            forget_user_code()
        found = run_tournament(
            define("tic_tac_toe", (str(bot), "random"), 1, seed=1), tmp_path / f"t{place}", tracking=False
        )
        assert found.complete
    assert sys.modules["helper_a"].place == 0


def test_another_module_on_a_workers_disk_is_refused(tmp_path: Path) -> None:
    """A process that is told what the files are does not play with others."""
    bot = written(tmp_path, "import")
    code = (
        "import sys, json\n"
        "from tag.catalogue.user_code import provide_source\n"
        "from tag.catalogue.registry import make_agent\n"
        "for file, text in json.loads(sys.stdin.read()).items(): provide_source(file, text)\n"
        f"make_agent({str(bot)!r})\n"
    )
    told = json.dumps(user_sources(define("tic_tac_toe", (str(bot), "random"), 1)))
    for is_edited in (False, True):
        if is_edited:
            (tmp_path / "helper_a.py").write_text("place = 1\n")
        done = subprocess.run(
            [sys.executable, "-c", code], input=told, capture_output=True, text=True, cwd=ROOT, check=False
        )
        assert (done.returncode != 0) == is_edited, done.stderr
    assert "helper_a.py' is not here as it was when the tournament began; restore it" in done.stderr


# --- programs -----------------------------------------------------------------------------------------------------------

PROGRAMS: dict[str, Callable[[Path], str]] = {
    "an argument": lambda script: f"process:command=sh {script}",
    "a value": lambda script: f"process:command=env BOT={script} sh",
    "the program": lambda script: f"process:command={script}",
    "declared": lambda script: f"process:command=sh -c true,parts={script}",
}


@pytest.mark.parametrize("way", PROGRAMS)
def test_an_edited_program_is_refused(way: str, tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    spec = PROGRAMS[way](script)
    assert list(sources_in("agent", spec)) == [str(script)]
    definition = define("tic_tac_toe", (spec, "random"), 1, seed=1)
    folder = tmp_path / "t"
    with Folder.locked(folder, definition):
        pass
    script.write_text("#!/bin/sh\n# another\n")
    with (
        pytest.raises(DataError, match="has changed since") as refusal,
        Folder.locked(folder, define("tic_tac_toe", (spec, "random"), 2, seed=1)),
    ):
        pass
    assert str(script) in str(refusal.value)


def test_programs_of_the_machine_are_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sources_in("agent", "process:command=sh -c true") == {}
    (tmp_path / "sub").mkdir()
    assert sources_in("agent", f"process:command=sh sub {os.devnull}") == {}
