"""``tag check``: what it prints, its exit codes, its JSON, and mistakes in one sentence."""

import json
from pathlib import Path

import pytest
from commands import run_tag

from tag.catalogue.registry import game_class, game_names
from tag.check import AGENT_CHECKS, GAME_CHECKS
from tag.check.evidence.traces import HASH_SEEDS
from tag.check.games import with_check_parameters

pytestmark = pytest.mark.flow

EXAMPLES = Path(__file__).parents[3] / "examples"
KUHN = f"{EXAMPLES / 'kuhn_poker.py'}"
FLAT = f"{EXAMPLES / 'flat_monte_carlo.py'}"


@pytest.fixture(autouse=True)
def _one_other_process(monkeypatch):
    """Compare with one process; tests of mutants do so with one of each hash seed."""
    monkeypatch.setattr("tag.check.rules.seeds.HASH_SEEDS", HASH_SEEDS[-1:])


def run(*arguments):
    return run_tag("check", *arguments)


@pytest.fixture
def leaking(tmp_path):
    file = tmp_path / "leaking.py"
    file.write_text(Path(KUHN).read_text(encoding="utf-8").replace("self.paid[:]", "self.paid"), encoding="utf-8")
    return f"{file}:KuhnPoker"


OPEN = [
    "cards_kept",
    "observation_varies",
    "observation_blind",
    "observation_fair",
    "observation_fair_in_play",
    "observation_possible",
    "marks_kept",
    "secrets_kept",
    "observation_remembers",
    "outcomes_possible",
    "afterstates_equal",
    "chance_from_sources",
    "learned_values_fit",
]
BY_PATH = [
    "rollouts_equal",
    "cards_kept",
    "secrets_kept",
    "events_complete",
    "events_blind",
    "pickle_other_process",
    "information_declared",
    "chance_declared",
    "outcomes_possible",
    "afterstates_equal",
    "chance_from_sources",
    "cells_in_range",
    "symmetries_kept",
    "learned_values_fit",
    "parameters_playable",
    "parameters_swept",
]


@pytest.mark.parametrize(("spec", "left_out"), [("tic_tac_toe", OPEN), (f"{KUHN}:KuhnPoker", BY_PATH), (KUHN, BY_PATH)])
def test_a_game_gets_a_line_per_check_and_a_reason_for_what_is_not_tested(spec, left_out):
    done = run(spec, "--games", "1", "--players", "2")
    assert done.exit_code == 0
    lines = [line for line in done.stdout.splitlines()[:-1] if not line.startswith(" ")]
    assert [line[11:].split()[0] for line in lines] == [check.name for check in GAME_CHECKS]
    assert [line[11:].split()[0] for line in lines if line.startswith("not tested")] == left_out
    assert done.stdout.count("           reason: ") == len(left_out)
    named = ", ".join(left_out)
    last = f"{spec}: {len(GAME_CHECKS) - len(left_out)} checks ok, {len(left_out)} not tested: {named} (1 games)"
    assert done.stdout.splitlines()[-1] == last


def test_json_carries_the_three_states(tmp_path):
    file = tmp_path / "crashing.py"
    text = Path(KUHN).read_text(encoding="utf-8").replace("rng.shuffle(state.cards)", "raise OSError('no cards')")
    file.write_text(text, encoding="utf-8")
    done = run(f"{file}:KuhnPoker", "--players", "2", "--json")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    states = {finding["check"]: finding["status"] for finding in report["findings"]}
    assert states["plays"] == "failed"
    assert states["copy_equal"] == "not tested"
    assert states["parameters_declared"] == "ok"
    assert "copy_equal" in report["not_tested"]


def test_a_game_is_checked_with_the_parameters_that_it_names(tmp_path):
    report = json.loads(run("uno", "--players", "2", "--only", "plays", "--json").stdout)
    assert report["subject"] == "uno:max_rounds=2,max_turns=40,hand_size=3"
    report = json.loads(run("uno:hand_size=2", "--players", "2", "--only", "plays", "--json").stdout)
    assert report["subject"] == "uno:max_rounds=2,max_turns=40,hand_size=2"


@pytest.mark.parametrize("game", game_names())
def test_all_parameters_for_checks_fit_together(game):
    assert with_check_parameters(game).partition(":")[2] == (game_class(game).game_type.check_parameters or "")


def test_parameters_for_checks_that_do_not_fit_are_left_out():
    assert with_check_parameters("stratego:scouts=8,miners=5") == "stratego:max_moves=160,scouts=8,miners=5"


def test_an_agent_that_is_never_asked_is_not_tested(tmp_path):
    file = tmp_path / "single.py"
    text = Path(KUHN).read_text(encoding="utf-8").replace("return ACTIONS[:]", "return ACTIONS[:1]")
    file.write_text(text, encoding="utf-8")
    done = run("random", "--game", f"{file}:KuhnPoker", "--players", "2")
    assert done.exit_code == 0
    assert "not tested agent_budget" in done.stdout
    assert "reason: the agent was never asked" in done.stdout


@pytest.mark.parametrize("spec", ["random", f"{FLAT}:FlatMonteCarlo:rollout=3", FLAT])
def test_an_agent_gets_a_line_per_check(spec):
    done = run(spec, "--game", "tic_tac_toe", "--players", "2")
    assert done.exit_code == 0
    lines = [line for line in done.stdout.splitlines()[:-1] if not line.startswith(" ")]
    assert [line[11:].split()[0] for line in lines] == [check.name for check in AGENT_CHECKS]
    assert all(line.startswith("ok") or "parameters_playable" in line for line in lines)


def test_a_failure_says_what_where_and_how_to_see_it_again(leaking):
    done = run(leaking, "--players", "3", "--seed", "5", "--only", "copy_independent")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1:] == [
        "FAILED     copy_independent           copies and observations share nothing mutable with their origin",
        "           found:  a copy shares paid with its origin",
        f"           where:  {leaking}, 3 players, seed 5, after 0 actions",
        f"           again:  tag play {leaking} --players 3 --agent random --seed 5",
        f"{leaking}: 1 of 2 checks FAILED; begin with the first (5 games)",
    ]


def test_json_has_the_same(leaking):
    done = run(leaking, "--players", "3", "--json")
    assert done.exit_code == 1
    report = json.loads(done.stdout)
    assert report["subject"] == leaking
    assert not report["ok"]
    failed = {finding["check"]: finding for finding in report["findings"] if finding["status"] == "failed"}
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
        (["tic_tac_toe", "--games", "0"], "tag: --games cannot be 0; the least is 1"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(arguments, sentence):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
