"""Balancing from beginning to end, on a made-up game of which the truth is known."""

from __future__ import annotations

import json
import math
import os
import signal

import pytest
from commands import run_tag
from studies.komi_studies import KOMI, komi, untracked

from tag import make_game
from tag.cluster.workers import InProcess
from tag.errors import DataError, TagError
from tag.tournaments.ledger.games import content_hash
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.balancing.options import define_balance
from tag.tuning.balancing.results.results import read_balance
from tag.tuning.balancing.results.text import balance_json, balance_text
from tag.tuning.commands.settings import BalanceSettings
from tag.tuning.reports.results import read_study

pytestmark = pytest.mark.flow


def test_a_study_finds_what_was_planted_and_measures_it_again(small):
    verdict = small.verdict
    assert verdict["feasible"]
    assert "meets all targets, on " in verdict["sentence"]
    assert verdict["parameters"]["turns"] == 6
    assert verdict["changes"]["turns"] == [3, 6]
    measured = verdict["choice"]["targets"]["first_seat"]
    assert -0.15 <= measured["low"] < measured["value"] < measured["high"] <= 0.15
    assert verdict["printed"]["targets"]["first_seat"]["state"] == "missed"
    assert verdict["printed"]["targets"]["length"]["value"] == 6


def test_agents_held_out_play_the_printed_rules_and_the_choice(small):
    check = small.verdict["held_out"]
    assert check["agents"] == ["osla"]
    assert check["choice"]["spec"] == small.verdict["spec"]
    assert check["printed"]["targets"]["first_seat"]["low"] > 0.2
    assert check["choice"]["seed"] != small.verdict["choice"]["seed"]


def test_the_file_can_be_named_where_a_game_is_wanted(small):
    game = make_game(str(small.folder / "balance.json"))
    assert game.parameters == make_game(small.verdict["spec"]).parameters
    assert run_tag("play", small.folder / "balance.json", "--quiet", "--trust").exit_code == 0


def test_trials_tell_what_was_estimated(small):
    trials = small.trials
    assert trials["games"].sum() == 800
    assert (trials["measure.length"] == 2 * trials["parameter.turns"]).all()
    assert trials["spec"].iloc[0] == small.manifest.definition.game
    assert {"value", "error.first_seat", "parameter.komi"} <= set(trials.columns)


def test_text_and_json_tell_the_verdict(small):
    text = balance_text(small, 160)
    assert "first_seat=-0.15..0.15" in text
    assert "with agents held out: osla" in text
    assert "turns: 3 → 6" in text
    assert "✗" in text
    content = json.loads(json.dumps(balance_json(small)))
    assert content["verdict"] == json.loads(json.dumps(small.verdict))
    assert len(content["trials"]) == len(small.trials)


class _Impatient(InProcess):
    """Asks for an end after some batches."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def submit(self, number, orders) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)
        super().submit(number, orders)


def test_a_study_goes_on_where_it_was_interrupted(small, tmp_path):
    definition, out = small.manifest.definition, tmp_path / "study"
    for batches in (2, 5, 8, 1_000):
        results = untracked(definition, out, workers=_Impatient(batches))
        assert results.complete == (batches == 1_000)
        assert results.complete or "not complete" in balance_text(results) or results.trials.empty
    for stage in ("search", "validation", "held_out"):
        assert content_hash(out / stage) == content_hash(small.folder / stage)
    assert results.verdict == {**small.verdict, "study": {**small.verdict["study"], "id": results.manifest.id}}


class _Reversing(InProcess):
    """Many batches in flight, the last is the first to return."""

    slots = 6

    def __init__(self):
        super().__init__()
        self.queue = {}

    def submit(self, number, orders):
        self.queue[number] = orders

    def completed(self, timeout):
        number = max(self.queue)
        super().submit(number, self.queue.pop(number))
        return super().completed(math.inf)


def test_a_study_is_the_same_in_whatever_order_games_come(small, tmp_path):
    results = untracked(small.manifest.definition, tmp_path, workers=_Reversing())
    for stage in ("search", "validation", "held_out"):
        assert content_hash(tmp_path / stage) == content_hash(small.folder / stage)
    assert results.verdict == {**small.verdict, "study": {**small.verdict["study"], "id": results.manifest.id}}


def test_nothing_feasible_is_said_plainly_and_is_no_error(tmp_path):
    options = [KOMI, "--search", "komi=8..12", "--target", "first_seat=0±0.1", "--agent", "random", "--games", "200"]
    options += ["--validation", "200", "--no-ray", "--no-tracking", "--out", str(tmp_path / "study"), "--quiet"]
    done = run_tag("balance", *options)
    assert done.exit_code == 0, done.output
    assert "no candidate was shown to meet all targets; the nearest is" in done.stdout
    assert "misses first_seat=-0.1..0.1 with" in done.stdout
    shown = run_tag("balance", "show", tmp_path / "study", "--json")
    assert json.loads(shown.stdout)["verdict"]["feasible"] is False
    again = run_tag("balance", tmp_path / "study", "--no-ray", "--no-tracking", "--quiet", "--trust")
    assert again.stdout == done.stdout


def test_what_is_open_says_how_many_games_would_tell(tmp_path):
    search = ("komi=3,5",)
    results = untracked(
        komi(targets=("first_seat=0±0.06",), search=search, games=200, validation=60, enqueue=(f"{KOMI}:komi=5",)),
        tmp_path / "study",
    )
    state = results.verdict["choice"]["targets"]["first_seat"]["state"]
    assert (state == "open") == ("may be in the band or not" in results.verdict["sentence"])


def test_the_printed_rules_stay_where_they_are_as_they_should_be(tmp_path):
    results = untracked(komi(targets=("length=6±1",), search=("komi", "turns"), games=200), tmp_path / "study")
    assert results.verdict["changes"] == {}
    assert "meets all targets as it is, on " in results.verdict["sentence"]


def test_several_targets_side_by_side_give_a_front(tmp_path):
    results = untracked(komi(pareto=True, games=600), tmp_path / "study")
    front = results.front
    assert results.manifest.definition.sampler == "bands"
    assert front["spec"].iloc[0] == results.manifest.definition.game  # nobody is nearer to the default rules
    assert front["distance"].is_monotonic_increasing
    columns = ["distance", "excess.first_seat", "excess.length"]
    for one in front[columns].to_numpy():
        assert not ((front[columns].to_numpy() <= one - 1e-2).all(axis=1)).any()
    assert "none: as printed" in balance_text(results, 160)


def test_an_agent_is_tuned_to_the_choice_and_measures_it_again(tmp_path):
    definition = komi(targets=("length=12±1",), search=("turns",), games=200, retune="rhea:budget=5", retune_games=40)
    results = untracked(definition, tmp_path / "study")
    tuning = read_study(results.folder / "retune")
    assert tuning.complete
    assert tuning.manifest.definition.game == results.verdict["spec"]
    tuned = results.verdict["retuned_agent"]
    assert tuned == tuning.recommendation["spec"]
    assert (results.verdict["retuned"] is None) == (tuned == "rhea:budget=5")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"targets": ()}, "a balancing study needs a target; say what the game should be with --target"),
        ({"targets": ("seat_sprad=0±0.1",)}, "no measure named 'seat_sprad'; did you mean 'seat_spread'?"),
        ({"targets": ("length=70..50",)}, "the band of 'length=70..50' is upside down; write length=50..70"),
        ({"targets": ("success=0.5±0.1",)}, "has no success: it is about teams"),
        ({"targets": ("length=12±1", "length=13±1")}, "there are two targets for length; write one band"),
        ({"agents": ("random", "osla", "random")}, "agents cannot name 'random' twice"),
        ({"held_out": ("osla", "osla")}, "held_out cannot name 'osla' twice"),
        ({"agents": ()}, "a balancing study needs agents that play; name each with --agent"),
        ({"targets": ("win_rate(osla)=0.5±0.1",)}, "2 agents that meet"),
        (
            {"agents": ("random", "rhea"), "targets": ("win_rate(osla)=0.5±0.1",)},
            "no agent in these games named 'osla'",
        ),
        ({"search": ("komy",)}, "no parameter of"),
        ({"search": ("komi=5..2",)}, "inverted"),
        ({"weights": ("lengt=2",)}, "no target named 'lengt'; did you mean 'length'?"),
        ({"weights": ("length=0",)}, "'length=0' is no weight"),
        ({"games": 5}, "games cannot be 5; the least is 20"),
        ({"games_per_trial": 3}, "games_per_trial cannot be 3; the least is 10"),
        ({"validation": 9}, "validation cannot be 9; the least is 10"),
        ({"retune": "rhea", "retune_games": 0}, "games cannot be 0"),
        ({"retune": "random"}, "nothing of random is left to search"),
        ({"near_printed": -1.0}, "near_printed cannot be -1; the least is 0"),
        ({"sampler": "bnds"}, "no sampler named 'bnds'; did you mean 'bands'?"),
        ({"sampler": "grid", "games": 20}, "the sampler 'grid' has more configurations to try than the 20 games"),
        ({"pareto": True, "sampler": "bgp"}, "no sampler of several objectives named 'bgp'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(changed, sentence):
    with pytest.raises(TagError) as error:
        komi(**changed)
    assert sentence in str(error.value)


def test_refusals_come_before_anything_is_written(tmp_path):
    options = [KOMI, "--target", "seat_sprad=0±0.1", "--agent", "random", "--games", "200"]
    done = run_tag("balance", *options, "--out", tmp_path / "study")
    assert (done.exit_code, done.stdout, (tmp_path / "study").exists()) == (2, "", False)


def test_folders_of_other_studies_are_refused(small, tmp_path):
    with pytest.raises(DataError, match="targets is first_seat"):
        untracked(komi(games=800, search=("komi", "turns"), held_out=("osla",), targets=("length=12±1",)), small.folder)
    with pytest.raises(DataError, match="komi is 0..12 there, not 0..6"):
        untracked(komi(games=800, search=("komi=0..6", "turns"), held_out=("osla",)), small.folder)
    with pytest.raises(DataError, match="holds a study of `tag balance`, not of `tag tune`"):
        read_study(small.folder)
    with pytest.raises(DataError, match="holds no study"):
        read_balance(tmp_path)
    done = run_tag("balance", small.folder, "--seed", "2")
    assert done.exit_code == 2
    assert "holds a study already; its seed cannot be changed" in done.stderr


def test_toml_says_the_same_as_options(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(
        f'game = "{KOMI}"\nsearch = ["komi"]\ntargets = ["length=12±1"]\nagents = ["random"]\ngames = 200\nseed = 3\n',
        encoding="utf-8",
    )
    from tag.tournaments.commands.settings import read_toml

    read = BalanceSettings.from_values(read_toml(file), "x").definition()
    assert read == define_balance(
        KOMI, search=("komi",), targets=("length=12±1",), agents=("random",), games=200, seed=3
    )
    assert BalanceDefinition.from_json(json.loads(json.dumps(read.to_json()))) == read


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_planted_optimum_is_found_in_5000_games(seed, tmp_path):
    definition = define_balance(
        KOMI,
        targets=("first_seat=0±0.02", "length=12±0.5"),
        agents=("random",),
        games=5_000,
        seed=seed,
        validation=10_000,
    )
    results = untracked(definition, tmp_path / "study")
    assert results.trials["games"].sum() <= 5_000
    assert results.verdict["parameters"]["komi"] == 4
    assert results.verdict["parameters"]["turns"] == 6
    assert results.verdict["feasible"]


@pytest.mark.slow
def test_a_handicap_of_the_first_player_is_tuned_away_and_agents_held_out_confirm_it(tmp_path):
    definition = define_balance(
        KOMI,
        search=("komi",),
        targets=("first_seat=0±0.015",),
        agents=("random",),
        held_out=("osla",),
        games=3_000,
        validation=16_000,
    )
    verdict = untracked(definition, tmp_path / "study").verdict
    assert verdict["printed"]["targets"]["first_seat"]["low"] > 0.2
    for found in (verdict["choice"], verdict["held_out"]["choice"]):
        share = found["targets"]["first_seat"]
        assert 0.48 <= 0.5 + share["low"] < 0.5 + share["high"] <= 0.52
