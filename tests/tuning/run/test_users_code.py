"""What users bring to a study: samplers, pruners and callbacks of Optuna's kind, and objectives that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import optuna
import pytest
from click.testing import Result
from commands import run_tag
from optuna.pruners import MedianPruner, SuccessiveHalvingPruner, ThresholdPruner
from optuna.samplers import RandomSampler, TPESampler
from optuna.study import MaxTrialsCallback
from optuna.trial import TrialState
from studies.invented import Invented, first

from tag.catalogue.user_code import provide_source
from tag.errors import DataError, ParameterError, TagError
from tag.tournaments.ledger.games import read_ledger
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.balancing import define_balance, run_balance
from tag.tuning.reports.results import KEEP, NEVER_PLAYED, StudyResults, read_study
from tag.tuning.reports.text import study_json, study_text
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

SAMPLERS = """
from optuna.samplers import BaseSampler, RandomSampler, TPESampler

class Seeded(TPESampler):
    def __init__(self, seed, n=10):
        super().__init__(seed=seed, n_startup_trials=n)

class Unseeded(RandomSampler):
    def __init__(self):
        super().__init__()

class Greedy(RandomSampler):
    def __init__(self, k):
        super().__init__()

class Broken(RandomSampler):
    def sample_independent(self, *arguments):
        return 1 // 0

class Leaving(RandomSampler):
    def __init__(self):
        raise SystemExit(0)
"""

OBJECTIVE = """
def mine(games, seats):
    if len(games) > 3:
        return {}
    return 0.0
"""


def definition_of(**changes: Any) -> StudyDefinition:
    options: dict[str, Any] = {"games": 400, "versus": ("osla",), "search": ("horizon", "discount"), "validation": 0}
    return define_study("rmhc", "tic_tac_toe", **(options | {"games_per_trial": 20, "live": 6} | changes))


def tuned(
    folder: Path, definition: StudyDefinition | None = None, reports: bool = False, **options: Any
) -> StudyResults:
    """Return what comes of a study with invented games, by default without its report, which takes a second."""
    given = {"tracking": False, "workers": Invented(2, first)} | options
    with pytest.MonkeyPatch.context() as patch:
        if not reports:
            patch.setattr(sys.modules[run_study.__module__], "write_report", lambda results: None)
        return run_study(definition or definition_of(), folder, **given)


def course(results: StudyResults) -> str:
    return str(results.trials.to_json()) + json.dumps((results.recommendation or {}).get("candidate"))


@pytest.fixture
def samplers(tmp_path: Path) -> str:
    file = tmp_path / "samplers.py"
    file.write_text(SAMPLERS)
    return str(file)


class TestSamplers:
    def test_an_object_is_used_and_named(self, tmp_path: Path) -> None:
        sampler = TPESampler(seed=3)
        one, same = (tuned(tmp_path / name, sampler=sampler) for name in "ab")
        assert one.manifest.definition.sampler == "TPESampler()"
        assert course(one) == course(same)

    def test_a_study_goes_on_with_the_same_class_alone(self, tmp_path: Path) -> None:
        half, whole = definition_of(games=200), definition_of(games=400)
        first_half = tuned(tmp_path / "s", half, sampler=TPESampler(seed=3)).trials
        grown = tuned(tmp_path / "s", whole, sampler=TPESampler(seed=3))
        assert len(grown.trials) > len(first_half)
        assert grown.trials.iloc[: len(first_half)].equals(first_half)
        with pytest.raises(DataError, match=r'sampler is "TPESampler\(\)" there, not "RandomSampler\(\)"'):
            tuned(tmp_path / "s", whole, sampler=RandomSampler(seed=3))
        with pytest.raises(DataError, match=r'sampler is "TPESampler\(\)" there, not "ntbea_bgp"'):
            tuned(tmp_path / "s", whole)
        again = run_tag("tune", tmp_path / "s", "--games", "800")
        assert again.exit_code == 2
        assert again.stderr == (
            "tag: the sampler 'TPESampler()' is an object, which only Python has; go on with tuning.tune(…, sampler=…)\n"
        )

    def test_a_class_in_a_file_gets_a_seed_that_it_takes(self, tmp_path: Path, samplers: str) -> None:
        definition = definition_of(sampler=f"{samplers}:Seeded")
        one, same = (tuned(tmp_path / name, definition) for name in ("a", "b"))
        assert course(one) == course(same)
        assert samplers in one.manifest.sources

    def test_nothing_is_lost_where_one_draws_without_a_seed(self, tmp_path: Path, samplers: str) -> None:
        definition = definition_of(sampler=f"{samplers}:Unseeded")
        tuned(tmp_path / "s", definition)
        before = len(_ledger(tmp_path / "s"))
        pool = Invented(2, first)
        again = tuned(tmp_path / "s", definition, workers=pool)
        assert again.complete
        assert pool.games == {}  # what is complete does not begin anew
        grown = tuned(tmp_path / "s", definition_of(sampler=f"{samplers}:Unseeded", games=600), workers=pool)
        assert grown.complete
        assert len(_ledger(tmp_path / "s")) == before + sum(pool.games.values())

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("Greedy", "the sampler '{file}:Greedy' needs k; only seed is given, others need defaults"),
            ("Broken", "the sampler '{file}:Broken' failed in line 18 of {file}: ZeroDivisionError: "),
            ("Leaving", "the sampler '{file}:Leaving' failed in line 22 of {file}: SystemExit: 0"),
            ("Seedd", "no BaseSampler in {file} named 'Seedd'; did you mean 'Seeded'?"),
        ],
    )
    def test_mistakes_are_sentences(self, name: str, sentence: str, tmp_path: Path, samplers: str) -> None:
        with pytest.raises(TagError) as refused:
            tuned(tmp_path / "s", definition_of(sampler=f"{samplers}:{name}"))
        assert str(refused.value).startswith(sentence.format(file=samplers))
        assert "\n" not in str(refused.value)

    def test_a_game_is_balanced_with_one(self, tmp_path: Path, samplers: str) -> None:
        options: dict[str, Any] = {"search": ("size=3..5",), "targets": ("length=9±8",), "agents": ("random",)}
        definition = define_balance(
            "tic_tac_toe", games=60, validation=20, games_per_trial=10, sampler=f"{samplers}:Seeded", **options
        )
        results = run_balance(definition, tmp_path / "b", tracking=False)
        assert results.complete
        assert samplers in results.manifest.sources


class TestPruners:
    @pytest.mark.parametrize("pruner", [MedianPruner(n_startup_trials=2), SuccessiveHalvingPruner()])
    def test_they_drop_trials_the_same_every_time(self, pruner: Any, tmp_path: Path) -> None:
        definition = definition_of(games_per_trial=80, games=1_200, sampler="random")
        one, same = (
            tuned(tmp_path / str(slots) / "study", definition, pruner=pruner, workers=Invented(slots))
            for slots in (1, 3)
        )
        assert course(one) == course(same)
        assert (one.trials["state"] == "dropped").any()
        assert one.manifest.definition.pruner == f"{type(pruner).__name__}()"

    def test_one_that_drops_everything_is_obeyed_after_the_first_rung(self, tmp_path: Path) -> None:
        results = tuned(tmp_path, definition_of(games_per_trial=80, games=800), pruner=ThresholdPruner(lower=2.0))
        assert set(results.trials["state"]) == {"dropped"}
        assert set(results.trials["games"]) == {10}

    def test_a_study_goes_on_with_the_same_class_alone(self, tmp_path: Path) -> None:
        tuned(tmp_path, pruner=MedianPruner())
        with pytest.raises(DataError, match=r'pruner is "MedianPruner\(\)" there, not none'):
            tuned(tmp_path)
        with pytest.raises(ParameterError, match=r"the pruner 'MedianPruner\(\)' is an object, which only Python has"):
            tuned(tmp_path, read_study(tmp_path).manifest.definition)

    def test_several_objectives_have_none(self, tmp_path: Path) -> None:
        with pytest.raises(ParameterError, match=r"pruner cannot be 'MedianPruner\(\)' .*: of several objectives"):
            tuned(tmp_path, definition_of(objective="win_rate,ordinal"), pruner=MedianPruner())


class TestCallbacks:
    def test_they_are_told_of_every_trial_as_optuna_tells_them(self, tmp_path: Path) -> None:
        seen: list[tuple[int, TrialState, int]] = []

        def note(study: optuna.Study, trial: optuna.trial.FrozenTrial) -> None:
            assert trial == study.trials[trial.number]
            seen.append((trial.number, trial.state, trial.user_attrs["games"]))

        results = tuned(tmp_path, callbacks=[note])
        assert [number for number, *_rest in seen] == list(results.trials["number"])
        assert [games for *_rest, games in seen] == list(results.trials["games"])

    def test_they_may_stop_the_search(self, tmp_path: Path) -> None:
        results = tuned(tmp_path, callbacks=[MaxTrialsCallback(7, states=None)])
        assert results.complete
        assert 7 <= len(results.trials) <= 7 + 6


class TestObjectives:
    def run(self, folder: Path, file: Path, out: str = "study") -> Result:
        words = ["rmhc", "--game", "tic_tac_toe", "--versus", "random", "--search", "horizon=2..6", "--games", "60"]
        words += ["--games-per-trial", "6", "--validation", "0", "--objective", f"{file}:mine", "--out", folder / out]
        return run_tag("tune", *words, "--no-ray", "--no-tracking", "--quiet")

    def test_one_that_raises_is_a_sentence_and_nothing_is_lost(self, tmp_path: Path) -> None:
        file = tmp_path / "judge.py"
        file.write_text(OBJECTIVE.replace("return {}", "return games['ticks'].mean() / (len(games) // 1000)"))
        failed = self.run(tmp_path, file)
        assert failed.exit_code == 2
        assert failed.stderr.startswith(f"tag: the objective '{file}:mine' failed in line 4 of {file}: ")
        assert failed.stderr.count("\n") == 1
        before = len(_ledger(tmp_path / "study"))
        assert before > 0
        file.write_text(OBJECTIVE.replace("return {}", "return float(games['ticks'].mean())"))
        provide_source(str(file), file.read_text())
        done = self.run(tmp_path, file)
        assert done.exit_code == 0, done.stderr
        assert read_study(tmp_path / "study").complete
        file.write_text(OBJECTIVE.replace("return {}", "return 1.0 if games['ticks'].mean() > 0 else 1.0"))
        provide_source(str(file), file.read_text())
        assert self.run(tmp_path, file).exit_code == 0


class TestSmallStudies:
    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({"games": 80}, "80 games are too few to recommend anything, as two configurations"),
            (
                {"games": 80, "objective": "decision_ms"},
                "80 games are too few to recommend anything; it takes 100 (--games)",  # win rates differ so, not these
            ),
            ({"games": 200, "games_per_trial": 100}, "2 configurations were played, too few to recommend anything"),
        ],
    )
    def test_they_decline_to_recommend(self, options: dict[str, Any], sentence: str, tmp_path: Path) -> None:
        results = tuned(tmp_path, definition_of(**({"validation": 200, "race": False} | options)))
        found = results.recommendation
        assert found is not None
        assert found["verdict"] == KEEP
        assert found["spec"] == found["default"] == "rmhc"
        assert found["validation"] is None
        assert sentence in found["sentence"]
        assert sentence in study_text(results)
        assert study_json(results)["recommendation"]["doubt"] == found["doubt"]

    def test_in_self_play_the_games_of_the_last_generation_count(self, tmp_path: Path) -> None:
        """The sentence names the games that were counted, and a budget with which it is not said again."""
        options: dict[str, Any] = {"versus": ("incumbent",), "generations": 3, "games_per_trial": 10, "race": False}
        few = tuned(tmp_path / "few", definition_of(games=240, **options))
        found, trials = few.recommendation, few.trials
        assert found is not None
        games = trials.loc[trials["generation"] == 2, "games"].sum()
        assert 0 < games <= 80
        assert found["doubt"].startswith(
            f"{games} games in the last of 3 generations are too few to recommend anything"
        )
        assert found["doubt"].endswith("; it takes 100 in each (--games 300 or more)")
        enough = tuned(tmp_path / "enough", definition_of(games=330, **options)).recommendation
        assert enough is not None
        assert not enough["doubt"]

    def test_values_that_are_all_the_same_tell_nothing(self, tmp_path: Path) -> None:
        file = tmp_path / "same.py"
        file.write_text("def mine(games, seats):\n    return 0.25\n")
        results = tuned(tmp_path / "s", definition_of(objective=f"{file}:mine", validation=200, games=120))
        assert results.recommendation is not None
        assert results.recommendation["verdict"] == KEEP
        assert "came to the same value, 0.25, so that nothing tells them apart" in results.recommendation["sentence"]


def test_a_recommendation_that_was_never_played_is_marked(tmp_path: Path) -> None:
    """What it has played follows from the trials; with a sampler that plays few, the model recommends another."""
    results = [
        tuned(tmp_path / str(seed), definition_of(sampler="random", seed=seed), reports=True) for seed in range(2)
    ]
    never = 0
    for one in results:
        found = one.recommendation
        assert found is not None
        candidate = found["candidate"]
        trials = one.trials
        played = int(trials["games"][trials["spec"] == candidate["spec"]].sum())
        assert candidate["played"] == study_json(one)["findings"]["candidate"]["played"] == played
        page = (one.folder / "report.html").read_text(encoding="utf-8")
        for text in (study_text(one), page):
            assert (NEVER_PLAYED in text) == (played == 0)
        if found["verdict"] == "not validated":
            assert ("nor ever played" in found["sentence"]) == (played == 0)
        never += played == 0
    assert never


def _ledger(folder: Path) -> Any:
    return read_ledger(folder / "search")[0]
