"""``tag check``: what it prints, its exit codes, its JSON, and mistakes in one sentence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tag.check import AGENT_CHECKS, GAME_CHECKS
from tag.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
KUHN = f"{EXAMPLES / 'kuhn_poker.py'}"
FLAT = f"{EXAMPLES / 'flat_monte_carlo.py'}"


def run(*arguments):
    return CliRunner().invoke(main, ["check", *arguments])


@pytest.fixture
def leaking(tmp_path):
    file = tmp_path / "leaking.py"
    file.write_text(Path(KUHN).read_text(encoding="utf-8").replace("self.paid[:]", "self.paid"), encoding="utf-8")
    return f"{file}:KuhnPoker"


@pytest.mark.parametrize("spec", ["tic_tac_toe", f"{KUHN}:KuhnPoker", KUHN])
def test_a_game_gets_a_line_per_check(spec):
    done = run(spec, "--games", "1")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [["ok", check.name] for check in GAME_CHECKS]
    assert lines[-1].startswith(f"{spec}: all checks ok (")


@pytest.mark.parametrize("spec", ["random", f"{FLAT}:FlatMonteCarlo:rollout=3", FLAT])
def test_an_agent_gets_a_line_per_check(spec):
    done = run(spec, "--game", "tic_tac_toe", "--players", "2")
    assert done.exit_code == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()[:-1]] == [
        ["ok", check.name] for check in AGENT_CHECKS
    ]


def test_a_failure_says_what_where_and_how_to_see_it_again(leaking):
    done = run(leaking, "--players", "3", "--seed", "5", "--only", "copy_independent")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1:] == [
        "FAILED  copy_independent           copies and observations share nothing mutable with their origin",
        "        found:  a copy shares paid with its origin",
        f"        where:  {leaking}, 3 players, seed 5, after 0 actions",
        f"        again:  tag play {leaking} --players 3 --agent random --seed 5",
        f"{leaking}: 1 of 2 checks FAILED; begin with the first (5 games)",
    ]


def test_json_has_the_same(leaking):
    done = run(leaking, "--players", "3", "--json")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["subject"] == leaking
    assert not report["ok"]
    failed = {finding["check"]: finding for finding in report["findings"] if not finding["ok"]}
    assert failed["copy_independent"]["where"] == {
        "game": leaking,
        "agents": ["random"] * 3,
        "seed": 1,
        "tick": 0,
    }


def test_an_exception_is_shown_with_its_place(tmp_path):
    file = tmp_path / "crashing.py"
    text = Path(KUHN).read_text(encoding="utf-8").replace("most = max(state.paid)", "most = max(state.pad)")
    file.write_text(text, encoding="utf-8")
    done = run(f"{file}:KuhnPoker", "--players", "2", "--only", "plays")
    assert done.exit_code == 1
    assert "AttributeError: 'KuhnState' object has no attribute 'pad'" in done.stdout
    assert f"({file}, line " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tic_tac_to"], "tag: no game or agent named 'tic_tac_to'; did you mean 'tic_tac_toe'?"),
        (["tic_tac_toe", "--players", "3"], "tag: Tic-tac-toe is for 2 players, not 3; the nearest number is 2"),
        (["tic_tac_toe", "--only", "copy_eqal"], "tag: no check named 'copy_eqal'; did you mean 'copy_equal'?"),
        (["tic_tac_toe:sise=3"], "tag: tic_tac_toe: no parameter named 'sise'; did you mean 'size'?"),
        (["tic_tac_toe", "--game", "tic_tac_toe"], "tag: --game tic_tac_toe is for checking agents"),
        (["random", "--game", "tic_tac_toe", "--players", "9"], "tag: none of the games is for 9 players"),
        (["random", "--only", "agent_bugdet"], "tag: no check named 'agent_bugdet'; did you mean 'agent_budget'?"),
        ([f"{KUHN}:Kuhn"], "tag: no ForwardModel in"),
        (["nowhere.py:Game"], "tag: cannot read 'nowhere.py': No such file or directory"),
        (["tic_tac_toe", "--games", "0"], "tag: Invalid value for '--games'"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(arguments, sentence):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
