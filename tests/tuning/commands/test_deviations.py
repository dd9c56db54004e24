"""One-step changes around an agent: which there are, what games show of them, and the command."""

from __future__ import annotations

import json
import shutil
import signal

import numpy as np
import pytest
from commands import run_tag

from tag.engine.parameters import parse_spec
from tag.tuning.agent.comparisons.strata import gain_of
from tag.tuning.search.deviations import Step, deviation, steps_from
from tag.tuning.space import agent_space
from tag.tuning.study.queue import GameQueue

STEP = Step("k", "2", "mcts:k=2")
FAST = ("--no-ray", "--quiet")


def steps(base, search, spec):
    space = agent_space([base], search)
    return [(one.parameter, one.value) for one in steps_from(space, space.configuration(spec))]


def test_steps_are_all_other_choices_and_the_next_numbers():
    search = ["horizon=3..12", "selection=rank,tournament", "mutation_count=1,2,4"]
    assert steps("rhea", search, "rhea:horizon=6,selection=rank,mutation_count=2") == [
        ("horizon", "5"),
        ("horizon", "7"),
        ("selection", "tournament"),
        ("mutation_count", "1"),
        ("mutation_count", "4"),
    ]


def test_a_number_at_an_end_has_one_neighbour_and_one_between_levels_two():
    """The levels of these lengths are 0, 1, 2, 4, 8, 15, 28, 50 and 90."""
    assert steps("rhea", ["horizon=3..12"], "rhea:horizon=3") == [("horizon", "4")]
    found = steps("mcts", ["rollout_length=0..90"], "mcts:rollout_length=40")
    assert found == [("rollout_length", "28"), ("rollout_length", "50")]


def test_parameters_without_effect_have_no_step_and_those_of_a_choice_appear_with_it():
    space = agent_space(["rhea"], ["selection=rank,tournament", "tournament_size=2..4"])
    found = list(steps_from(space, space.configuration("rhea:selection=rank")))
    assert [one.parameter for one in found] == ["selection"]
    other = list(steps_from(space, space.configuration("rhea:selection=tournament,tournament_size=3")))
    assert [one.parameter for one in other] == ["selection", "tournament_size", "tournament_size"]


def test_the_verdicts():
    luck = np.random.default_rng(1).normal(size=200)
    assert deviation(STEP, luck + 2.0, 5, np.inf).verdict == "better"
    assert deviation(STEP, luck - 2.0, 5, np.inf).verdict == "worse"
    assert deviation(STEP, luck - luck.mean(), 5, np.inf).verdict == "not shown"
    assert deviation(STEP, np.zeros(200), 5, 1.0).verdict == "no difference"


@pytest.mark.parametrize("blocks", [2, 3, 20])
def test_differences_that_differ_by_rounding_are_equal(blocks: int) -> None:
    """As sums of thirds in another order."""
    equal = np.full(blocks, 0.3)
    rounded = np.array([*equal[1:], np.nextafter(0.3, 0.0)])
    assert deviation(STEP, rounded, 3, 1.0).interval == pytest.approx(deviation(STEP, equal, 3, 1.0).interval)
    assert gain_of(rounded).interval() == pytest.approx(gain_of(equal).interval())


def test_intervals_grow_with_the_number_of_steps_and_stay_in_the_range():
    values = np.array([1.0, 0.0, -1.0, 0.5, 0.0, 1.0, 0.5, 0.0, 0.5, 1.0])
    for differences in (values, np.zeros(10), np.ones(10)):
        one, ten = (deviation(STEP, differences, number, 1.0).interval for number in (1, 10))
        assert -1.0 <= ten.low <= one.low <= one.high <= ten.high <= 1.0
        assert (ten.low, ten.high) != (one.low, one.high)


@pytest.mark.flow
def test_with_many_steps_that_make_no_difference_any_is_shown_in_at_most_five_percent_of_cases():
    """Bonferroni's bound: of 60 tables of 5 steps at most 3 on average show one, and 9 with a chance of 0.2 %."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _table in range(60):
        base = rng.choice((0.0, 0.5, 1.0), 60)
        found = [deviation(STEP, rng.choice((0.0, 0.5, 1.0), 60) - base, 5, 1.0).verdict for _step in range(5)]
        wrong += any(verdict in ("better", "worse") for verdict in found)
    assert wrong < 9


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A small study of an agent that sees one step ahead, whose budget matters much."""
    folder = tmp_path_factory.mktemp("study") / "it"
    words = (
        "flat_mc",
        "--search",
        "budget=1,60",
        "--game",
        "tic_tac_toe",
        "--versus",
        "random",
        "--games",
        60,
        "--validation",
        0,
    )
    result = run_tag("tune", *words, *FAST, "--no-tracking", "--out", folder)
    assert result.exit_code == 0, result.output
    return folder


@pytest.mark.flow
def test_a_harmful_change_is_found_and_the_games_are_played_once(study):
    words = ("tune", "deviations", study, "--of", "flat_mc:budget=60", "--games", 200, *FAST, "--json")
    result = run_tag(*words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    (change,) = found["changes"]
    assert parse_spec(change["step"]["spec"]).values["budget"] == "1"
    assert (change["verdict"], change["blocks"], found["games"]) == ("worse", 100, 200)
    shards = sorted((study / "deviations").rglob("*.parquet"))
    assert run_tag(*words).stdout == result.stdout
    assert sorted((study / "deviations").rglob("*.parquet")) == shards
    assert run_tag("verify", study).exit_code == 0


@pytest.mark.flow
def test_interrupted_it_goes_on_to_the_same_ledger(study, tmp_path, monkeypatch):
    copies = [shutil.copytree(study, tmp_path / name, ignore=lambda *_: ["deviations"]) for name in ("one", "other")]
    words = ("--of", "flat_mc:budget=60", "--games", 100, *FAST)
    keep, kept = GameQueue._keep, []

    def keep_and_press(queue, games):
        keep(queue, games)
        kept.extend(games)
        if len(kept) > 40 > len(kept) - len(games):
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(GameQueue, "_keep", keep_and_press)
        stopped = run_tag("tune", "deviations", copies[0], *words)
    assert stopped.exit_code == 130
    assert "go on with" in stopped.stderr
    assert not stopped.stdout
    resumed, straight = (run_tag("tune", "deviations", copy, *words) for copy in copies)
    assert (resumed.exit_code, resumed.stdout) == (0, straight.stdout)
    ledgers = [sorted((copy / "deviations/ledger").glob("games-*.parquet")) for copy in copies]
    assert [file.read_bytes() for file in ledgers[0]] == [file.read_bytes() for file in ledgers[1]]
    assert len(ledgers[0]) == 1


@pytest.mark.flow
def test_the_table_on_a_terminal(study):
    result = run_tag("tune", "deviations", study, "--of", "flat_mc:budget=1", "--games", 200, *FAST)
    assert result.exit_code == 0, result.output
    assert "one-step changes of flat_mc:budget=1, 200 games of each:" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("budget=60      +0.")
    assert result.stdout.endswith("better\n")


@pytest.mark.flow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", 10), "games cannot be 10; the least is 20"),
        (("--of", "flat_mc:budget=7"), "budget cannot be 7 in this search space"),
        (("--of", "osla"), "no agent in this search space named 'osla'"),
    ],
)
def test_what_does_not_fit_is_refused(study, words, message):
    result = run_tag("tune", "deviations", study, *words, *FAST)
    assert (result.exit_code, message in result.stderr) == (2, True), result.output


@pytest.mark.flow
def test_a_folder_without_a_study_is_refused(tmp_path):
    result = run_tag("tune", "deviations", tmp_path, *FAST)
    assert result.exit_code == 2
    assert "study" in result.stderr
