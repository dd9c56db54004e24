"""What people meet first: the version, help by subject, completion in a shell, and answers without waiting for libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from commands import run_tag

from tag.catalogue import native
from tag.catalogue.registry import agent_names, game_names
from tag.catalogue.version import version_text
from tag.cli import _COMMANDS, _GROUPS, main
from tag.cli import compile as compiling
from tag.cli.postponed import POSTPONED, RUN

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
#: Libraries that no help and no refusal may load.
HEAVY = (
    *("pandas", "pyarrow.compute", "pyarrow.parquet", "scipy.special", "scipy.stats", "networkx", "mlflow", "ray"),
    *("optuna", "optuna.samplers", "optuna.storages", "optuna.study", "sqlalchemy", "matplotlib", "torch", "jinja2"),
    *("sqlite3", "tqdm", "tag.tournaments.run"),
)
#: What is refused: in each command an option that is not there, and names and folders.
REFUSALS = (
    *(f"{name} --nope" for name in _COMMANDS),
    *("tournament nope", "tournament tic_tac_toe --agent nope --agent osla", "series nope --agent osla", "noise nope"),
    *(
        "results nowhere",
        "ratings nowhere",
        "status nowhere",
        "status .",
        "report nowhere",
        "pause nowhere",
        "verify .",
    ),
    *("replay nowhere b0-m0-s0", "export standings nowhere", "analyse nope", "exploit nope --agent random"),
    *("table nope", "play nope", "inspect nope", "check nope", "agents nope", "serve nowhere"),
    *(
        "tune nope",
        "tune osla --game nope --games 9",
        "tune nope --game nim --games 9",
        "tune show nowhere",
        "tune shw",
    ),
    *("balance nope --games 9", "balance nim --games 9", "balance report .", "tune export . --storage x"),
    *("train nope", "train td --game nope --episodes 9", "train show nowhere", "train report ."),
)


def test_the_version_is_an_option_too():
    assert run_tag("--version").output == f"{version_text()}\n"


@pytest.mark.parametrize("words", [[], ["cluster"]])
def test_without_a_command_there_is_the_help(words):
    bare, asked = (run_tag(*words, *more) for more in ([], ["--help"]))
    assert bare.exit_code == asked.exit_code == 0
    assert bare.stdout == asked.stdout
    assert bare.stderr == ""


def test_commands_are_listed_by_subject_once_each():
    output = run_tag("--help").output
    assert [line[:-1] for line in output.splitlines() if line.endswith(":")][-len(_GROUPS) :] == list(_GROUPS)
    listed = [line.split()[0] for line in output.splitlines() if line.startswith("  ") and line[2:3].islower()]
    assert sorted(set(listed) & _COMMANDS.keys()) == sorted(_COMMANDS)
    assert all(len(group) <= 8 for group in _GROUPS.values())


def test_compiling_without_a_compiler_of_python_names_the_extra(tmp_path, monkeypatch):
    build = native.NativeBuild((), "", "")
    monkeypatch.setattr(native.NativeBuild, "installed", classmethod(lambda cls: build))
    monkeypatch.setattr(compiling, "find_spec", lambda name: None)
    result = run_tag("compile", tmp_path / "mine.py")
    assert result.exit_code == 2
    assert result.output == "tag: tag compile needs mypy, which is not installed: pip install 'tag-games[compile]'\n"


# --- completion -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory):
    """What a real bash offers when TAB is pressed after a line, in a folder with some files."""
    home = tmp_path_factory.mktemp("shell")
    (home / "runs" / "first").mkdir(parents=True)
    (home / "my_game.py").touch()
    (home / "tag").write_text(f'#!/bin/sh\nexec {sys.executable} -P -m tag "$@"\n')
    (home / "tag").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{home}:{os.environ['PATH']}", "HOME": str(home)}
    asked = {**environment, "_TAG_COMPLETE": "bash_source"}
    source = subprocess.run(["tag"], env=asked, capture_output=True, text=True, check=True).stdout
    (home / "completion").write_text(source)

    def complete(line: str) -> list[str]:
        script = f"""
        . ./completion
        read -ra COMP_WORDS <<< {line!r}
        [[ {line!r} == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        compopt() {{ echo option "$@"; }}
        _tag_completion tag
        printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(
            ["bash", "--norc", "-c", script], cwd=home, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return [word.strip() for word in done.stdout.splitlines() if word.strip()]

    return complete


def offered(line: str) -> list[str]:
    """Return what bash is told that can follow a line, without a process for it."""
    words = line.split()
    begun = "" if line.endswith(" ") else words.pop()
    return [item.value for item in BashComplete(main, {}, "tag", "_TAG_COMPLETE").get_completions(words[1:], begun)]


def test_commands_options_games_and_agents_are_completed():
    assert "--blocks" in offered("tag tournament tic_tac_toe --bl")
    assert "join" in offered("tag cluster j")
    assert "--trust" in offered("tag replay --tr")
    assert set(game_names()) <= set(offered("tag tournament "))
    assert set(agent_names()) <= set(offered("tag play tic_tac_toe --agent "))
    assert "osla" in offered("tag tune rhea --versus os")


@pytest.mark.system
def test_bash_completes_commands_games_and_folders(typed):
    assert typed("tag tourn") == ["tournament"]
    assert [word for word in typed("tag play tic") if not word.startswith("option")] == ["tic_tac_toe"]
    assert typed("tag results ru") == ["option -o dirnames"]
    assert typed("tag tournament my_g") == ["option -o default"]


@pytest.mark.parametrize("line", ["tag nope --", "tag play 'tic", "tag tournament nope --agent nope --bl"])
def test_lines_with_mistakes_are_completed_without_errors(typed, line):
    typed(line)


def test_a_shell_that_is_not_known_is_refused():
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tag"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "_TAG_COMPLETE": "nushell_source"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "bash_source" in done.stderr
    assert "Traceback" not in done.stderr


# --- no waiting -------------------------------------------------------------------------------------------------------


_PROBE = """
import json, sys
from types import ModuleType
from tag.cli import main
from tag.cli.postponed import postpone
postpone()
found = []
for line in json.loads(sys.argv[1]):
    code = 0
    try:
        main(line.split(), prog_name="tag")
    except SystemExit as end:
        code = end.code
    found.append([line, code, [name for name in json.loads(sys.argv[2]) if type(sys.modules.get(name)) is ModuleType]])
print(json.dumps(found))
"""


def _lines(command: click.Command, name: str) -> Iterator[str]:
    """Yield the command lines that ask for help, of a command and of those in it."""
    yield f"{name} --help"
    for inner in command.commands if isinstance(command, click.Group) else ():
        yield f"{name} {inner} --help"


def test_no_help_and_no_refusal_loads_a_large_library(tmp_path: Path) -> None:
    """All of them in one process: what one of them loads would stay."""
    context = click.Context(main)
    helps = [line for name in _COMMANDS for line in _lines(main.get_command(context, name), name)]
    assert len(helps) > len(_COMMANDS) + 10
    lines = [*helps, *REFUSALS]
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PROBE, json.dumps(lines), json.dumps(HEAVY)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert [line for line, _code, _loaded in found] == lines
    assert [(line, loaded) for line, _code, loaded in found if loaded][:1] == []
    assert [(line, code) for line, code, _loaded in found if code != (0 if line in helps else 2)] == []


def test_all_that_waits_is_there() -> None:
    """A name that is no module would wait for nothing."""
    assert [name for name in POSTPONED if find_spec(name) is None] == []


#: Pandas and Arrow are loaded before, which fail in no order: each child would load them, for most of its time.
_FIRST = """
import json, os, sys
import pandas, pyarrow.parquet
from importlib import import_module
from tag.cli.postponed import postpone
postpone()
failed = []
for name in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        try:
            getattr(import_module(name), "anything", None)
            os._exit(0)
        except BaseException as error:
            print(name, repr(error), file=sys.stderr, flush=True)
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        failed.append(name)
print(json.dumps(failed))
"""


@pytest.mark.system
def test_each_module_that_waits_can_be_the_first_to_load() -> None:
    """Optuna's modules failed on circular imports where one of them was loaded before Optuna itself."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FIRST, json.dumps(RUN)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout) == [], done.stderr
