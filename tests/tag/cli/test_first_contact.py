"""What people meet first: the version, help by subject, completion in a shell, and answers without waiting for libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tag.catalogue import native
from tag.catalogue.registry import agent_names, game_names
from tag.catalogue.version import version_text
from tag.cli import _COMMANDS, _GROUPS, main
from tag.cli import compile as compiling

ROOT = Path(__file__).parents[3]
#: Libraries that no help and no refusal may load. Those of studies still load Optuna.
HEAVY = (
    "pandas",
    "pyarrow.compute",
    "scipy.special",
    "scipy.stats",
    "networkx",
    "mlflow",
    "ray",
    "matplotlib",
    "torch",
)
REFUSALS = (
    *("tournament nope", "results nowhere", "replay nowhere b0-m0-s0", "report nowhere", "noise nope", "analyse nope"),
    *("exploit nope --agent random", "table nope", "tune nope", "serve nowhere"),
)
#: A command of each module.
OF_EACH_MODULE = sorted({where.partition(":")[0]: name for name, (where, _about) in _COMMANDS.items()}.values())


def test_the_version_is_an_option_too():
    assert CliRunner().invoke(main, ["--version"]).output == f"{version_text()}\n"


@pytest.mark.parametrize("words", [[], ["cluster"]])
def test_without_a_command_there_is_the_help(words):
    bare, asked = (CliRunner().invoke(main, [*words, *more]) for more in ([], ["--help"]))
    assert bare.exit_code == asked.exit_code == 0
    assert bare.stdout == asked.stdout
    assert bare.stderr == ""


def test_commands_are_listed_by_subject_once_each():
    output = CliRunner().invoke(main, ["--help"]).output
    assert [line[:-1] for line in output.splitlines() if line.endswith(":")][-len(_GROUPS) :] == list(_GROUPS)
    listed = [line.split()[0] for line in output.splitlines() if line.startswith("  ") and line[2:3].islower()]
    assert sorted(set(listed) & _COMMANDS.keys()) == sorted(_COMMANDS)
    assert all(len(group) <= 8 for group in _GROUPS.values())


def test_compiling_without_a_compiler_of_python_names_the_extra(tmp_path, monkeypatch):
    build = native.NativeBuild((), "", "")
    monkeypatch.setattr(native.NativeBuild, "installed", classmethod(lambda cls: build))
    monkeypatch.setattr(compiling, "find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["compile", str(tmp_path / "mine.py")])
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

    def complete(line: str) -> list[str]:
        script = f"""
        eval "$(_TAG_COMPLETE=bash_source tag)"
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


def test_bash_completes_commands_and_options(typed):
    assert typed("tag tourn") == ["tournament"]
    assert "--blocks" in typed("tag tournament tic_tac_toe --bl")
    assert "join" in typed("tag cluster j")
    assert "--trust" in typed("tag replay --tr")


def test_bash_completes_games_agents_and_folders(typed):
    assert [word for word in typed("tag play tic") if not word.startswith("option")] == ["tic_tac_toe"]
    assert set(game_names()) <= set(typed("tag tournament "))
    assert set(agent_names()) <= set(typed("tag play tic_tac_toe --agent "))
    assert "osla" in typed("tag tune rhea --versus os")
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
import atexit, json, sys
from types import ModuleType
def tell():
    loaded = [name for name in %r if type(sys.modules.get(name)) is ModuleType]
    print(json.dumps(loaded), file=sys.stderr)
atexit.register(tell)
sys.argv = ["tag", *sys.argv[1:]]
from tag.cli import main
main(prog_name="tag")
"""


@pytest.mark.parametrize("line", [*(f"{name} --help" for name in OF_EACH_MODULE), *REFUSALS])
def test_help_and_refusals_load_no_large_library(tmp_path, line):
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PROBE % (HEAVY,), *line.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (0 if line.endswith("--help") else 2), done.stderr
    assert done.stderr.splitlines()[-1] == "[]"
