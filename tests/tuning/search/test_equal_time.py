"""Validation at equal time: an agent that only takes longer is not better, and what was timed is decided once."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from studies.interruptions import interrupt_after, ledgers
from studies.invented import Invented, record_of

from tag.catalogue.registry import make_agent
from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng, derive_seed
from tag.errors import ParameterError
from tag.orders import GameOrder, GameRecord
from tag.playing.agent import BUDGET_TYPES
from tag.tournaments.ledger.games import content_hash
from tag.tuning.agent.comparisons.equal_time import (
    EQUAL_TIME_FILE,
    Scaling,
    budget_of,
    equal_calls,
    first_scaling,
    read_scaling,
    scaled,
)
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition, why_not_scaled
from tag.tuning.reports.results import StudyResults, comparisons_of, read_study, time_text
from tag.tuning.reports.text import study_json, study_text
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

#: Beyond the calls that it counts, a decision takes as much again for each of these.
SLOW = "horizon"


def work(spec: str) -> float:
    """Return how much an agent computes for a decision: more than its budget says, with a long horizon."""
    values = make_agent(spec).parameters.values()
    budget = int(str(values["budget"]))
    return budget * (2.0 if int(str(values[SLOW])) > 10 else 1.0)


def timed_record(order: GameOrder, jitter: int) -> GameRecord:
    """Return a game in which strength is all that was computed, and so is the time, nearly."""
    works = [work(spec) for spec in order.agents]
    draw = derive_seed(order.seed, *order.agents) % 10**9 / 10**9
    first_wins = draw < works[0] ** 2 / (works[0] ** 2 + works[1] ** 2)
    noise = Rng(derive_seed(jitter, order.game_id, *order.agents))
    return replace(
        record_of(order),
        results=(WIN, LOSE) if first_wins else (LOSE, WIN),
        ordinals=(1, 2) if first_wins else (2, 1),
        cpu_seconds=tuple(1e-5 * one * (0.9 + 0.2 * noise.uniform()) for one in works),
    )


def pool(jitter: int = 0, slots: int = 3) -> Invented:
    """A pool whose times differ from one to the next, and nothing else."""
    return Invented(slots, record=lambda order: timed_record(order, jitter))


def definition_of(**changes: Any) -> StudyDefinition:
    options: dict[str, Any] = {
        "games": 200,
        "search": (f"{SLOW}=2,3,20",),
        "sampler": "random",
        "games_per_trial": 20,
        "live": 4,
        "validation": 400,
    }
    return define_study("rmhc:budget=100,horizon=2", "tic_tac_toe", **(options | changes))


def run(folder: Path, definition: StudyDefinition, of: Invented) -> StudyResults:
    return run_study(definition, folder, tracking=False, workers=of)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    return run(tmp_path_factory.mktemp("study"), definition_of(), pool())


def found(results: StudyResults) -> dict[str, Any]:
    assert results.recommendation is not None
    return results.recommendation


def test_what_only_takes_longer_is_better_at_equal_calls_and_not_at_equal_time(study: StudyResults) -> None:
    recommendation = found(study)
    assert recommendation["candidate"]["spec"] == "rmhc:budget=100,horizon=20"
    assert recommendation["validation"]["result"]["decision"] == "better"
    at_equal_time = recommendation["equal_time"]
    assert at_equal_time["comparison"]["result"]["decision"] == "not better"
    assert at_equal_time["comparison"]["result"]["low"] < 0.0 < at_equal_time["comparison"]["result"]["high"]
    assert budget_of(at_equal_time["default"]) == pytest.approx(200, abs=10)
    times = recommendation["decision_cpu_ms"]
    assert times["validation"]["recommended"] == pytest.approx(2 * times["validation"]["default"], rel=0.05)
    assert times["equal_time"]["recommended"] == pytest.approx(times["equal_time"]["default"], rel=0.05)


def test_every_verdict_states_both_times(study: StudyResults) -> None:
    sentence = found(study)["sentence"]
    assert "better than the default by" in sentence
    ours, theirs = map(time_text, found(study)["decision_cpu_ms"]["validation"].values())
    assert "at equal forward-model calls: win rate" in sentence
    assert f". It takes {ours} ms of CPU per decision, the default {theirs}. " in sentence
    assert (
        f"At equal time, with a budget of {budget_of(found(study)['equal_time']['default'])} for the default"
        in sentence
    )
    assert "it is not shown to be better" in sentence
    text = study_text(study, 140)
    assert "CPU ms/decision" in text
    assert "validation at equal time" in text
    assert set(study_json(study)["recommendation"]["decision_cpu_ms"]) == {"validation", "equal_time"}
    report = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "validation at equal time" in report
    assert "per decision" in report


def test_a_default_that_is_the_recommendation_at_its_time_is_not_compared_with_it(tmp_path: Path) -> None:
    """Of a search for the budget, where time is exactly proportional to that; kept so by an earlier version, too."""

    def exact(order: GameOrder) -> GameRecord:
        return replace(timed_record(order, 0), cpu_seconds=tuple(1e-5 * work(spec) for spec in order.agents))

    definition = definition_of(search=("budget=50,80,400",))
    for _time in range(2):
        results = run(tmp_path, definition, Invented(3, record=exact))
        assert found(results)["candidate"]["spec"] == "rmhc:budget=400,horizon=2"
        assert found(results)["equal_time"]["comparison"] is None
        assert found(results)["equal_time"]["remark"] == "with as much time the default is what is recommended"
        (tmp_path / StudyDefinition.verdict).unlink()
        kept = json.loads((tmp_path / EQUAL_TIME_FILE).read_text())
        assert list(kept) == ["rmhc:budget=400,horizon=2"]
        kept = {spec: asdict(Scaling(default=spec, factor=4.0)) for spec in kept}
        (tmp_path / EQUAL_TIME_FILE).write_text(json.dumps(kept))


def at_equal_time(folder: Path) -> list[str]:
    return [content_hash(one) for one in sorted(folder.glob("equal_time/*"))]


def test_the_budget_is_decided_once(study: StudyResults, tmp_path: Path) -> None:
    """With other times, other workers and interruptions, the same games follow from the budget that was kept."""
    kept = (study.folder / EQUAL_TIME_FILE).read_text()
    assert not _interrupted(tmp_path, 100).complete
    (tmp_path / EQUAL_TIME_FILE).write_text(kept)
    games = 300
    while not (results := _interrupted(tmp_path, games)).complete:
        games += 300
    assert games > 300
    assert (tmp_path / EQUAL_TIME_FILE).read_text() == kept
    assert ledgers(tmp_path) == ledgers(study.folder)
    assert at_equal_time(tmp_path) == at_equal_time(study.folder)
    assert found(results)["equal_time"] == found(study)["equal_time"]


def _interrupted(folder: Path, games: int) -> StudyResults:
    of = pool(jitter=games, slots=1 + games // 300)
    of.before_each = interrupt_after(games)
    return run(folder, definition_of(), of)


def test_more_games_keep_the_budget(tmp_path: Path) -> None:
    run(tmp_path, definition_of(), pool())
    kept = json.loads((tmp_path / EQUAL_TIME_FILE).read_text())
    results = run(tmp_path, definition_of(games=400, equal_time_games=800), pool(jitter=1))
    assert json.loads((tmp_path / EQUAL_TIME_FILE).read_text()) == kept
    assert found(results)["equal_time"]["default"] == next(iter(kept.values()))["default"]


def test_it_can_be_left_out(tmp_path: Path) -> None:
    definition = definition_of(equal_time_games=0)
    results = run(tmp_path, definition, pool())
    assert definition.games_at_most == 200 + definition.reversion_games + 2 * 400
    assert "There was no validation at equal time: it was not asked for" in found(results)["sentence"]
    assert not list(tmp_path.glob("equal_time*"))


def test_a_search_with_a_budget_of_cpu_time_is_at_equal_time_already(tmp_path: Path) -> None:
    definition = define_study(
        "rmhc:budget_type=cpu_ms,budget=1", "tic_tac_toe", games=40, search=(SLOW,), games_per_trial=2, validation=40
    )
    assert definition.validation_at_equal_time == 0
    results = run_study(definition, tmp_path, tracking=False)
    assert results.complete
    sentence = found(results)["sentence"]
    if found(results)["validation"] is not None:
        assert "There was no validation at equal time: the budget is time already" in sentence
        assert "at equal CPU time" in sentence
        assert found(results)["decision_cpu_ms"]["validation"]["recommended"] > 0.5


def test_unknown_times_are_said_to_be_unknown(tmp_path: Path) -> None:
    def untimed(order: GameOrder) -> GameRecord:
        return replace(timed_record(order, 0), cpu_seconds=())

    results = run(tmp_path, definition_of(), Invented(record=untimed))
    assert "takes an unknown CPU time per decision" in found(results)["sentence"]
    assert found(results)["equal_time"]["remark"] == "the CPU time per decision is not known"


def test_folders_of_older_versions_are_read(study: StudyResults, tmp_path: Path) -> None:
    """They have neither times nor a validation at equal time."""
    for path in study.folder.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    content = json.loads((tmp_path / "recommendation.json").read_text())
    del content["equal_time"], content["decision_cpu_ms"]
    (tmp_path / "recommendation.json").write_text(json.dumps(content))
    old = read_study(tmp_path)
    assert old.complete
    assert set(comparisons_of(found(old))) == {"validation"}
    assert "CPU ms/decision" in study_text(old, 140)


TIMES = {"recommended": 3.0, "default": 2.0}


@pytest.mark.parametrize(
    ("times", "is_better", "scaling"),
    [
        (TIMES, True, Scaling("mcts:budget=600", factor=1.5)),
        (TIMES, False, Scaling("", "what is recommended takes more CPU time without being shown to be better", 1.5)),
        ({"recommended": 1.0, "default": 2.0}, False, Scaling("mcts:budget=200", factor=0.5)),
        ({"recommended": 2.1, "default": 2.0}, True, Scaling("", "both take the same CPU time, within 10 %", 1.05)),
        ({"recommended": None, "default": 2.0}, True, Scaling(remark="the CPU time per decision is not known")),
    ],
)
def test_when_the_default_is_scaled(times: dict[str, float | None], is_better: bool, scaling: Scaling) -> None:
    assert first_scaling("mcts:budget=400", times, is_better) == scaling


def test_a_budget_stays_in_its_range() -> None:
    assert scaled("mcts:budget=2", {"recommended": 1e-9, "default": 1.0}) == Scaling("mcts:budget=1", factor=1e-9)


@pytest.mark.parametrize("first", [0.2, 1.0, 7.0])
@pytest.mark.parametrize("correction", [0.5, 1.3])
def test_the_factor_is_that_of_both_measurements(first: float, correction: float) -> None:
    once = scaled("mcts:budget=400", {"recommended": first, "default": 1.0})
    twice = scaled(once.default, {"recommended": correction, "default": 1.0}, once.factor or 0.0)
    assert twice.factor == pytest.approx(first * correction)
    assert budget_of(twice.default) == pytest.approx(400 * first * correction, rel=0.01)


def test_the_measured_factor_is_kept_and_reported_as_no_function_of_the_definition(study: StudyResults) -> None:
    kept = json.loads((study.folder / EQUAL_TIME_FILE).read_text())
    (factor,) = {one["factor"] for one in kept.values()}
    assert factor == pytest.approx(2.0, rel=0.05)
    assert found(study)["equal_time"]["factor"] == factor
    report = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "not a function of the definition" in report
    assert f"took {factor:.3g} times as long" in report


def test_a_factor_that_older_studies_have_not_kept_is_unknown(tmp_path: Path) -> None:
    (tmp_path / EQUAL_TIME_FILE).write_text(json.dumps({"a": {"default": "mcts:budget=7", "remark": ""}}))
    assert read_scaling(tmp_path, "a") == Scaling("mcts:budget=7")


def test_agents_without_a_budget_in_calls_are_not_scaled() -> None:
    assert why_not_scaled("random") == "random has no budget to scale"
    assert why_not_scaled("mcts:budget_type=cpu_ms,budget=5") == "the budget is time already"
    assert why_not_scaled("mcts:budget_type=iterations") == ""
    assert equal_calls("mcts:budget=5", "rhea:budget=5") == "at equal forward-model calls"
    assert all(equal_calls(*[f"mcts:budget_type={kind}"] * 2) for kind in BUDGET_TYPES)
    assert equal_calls("mcts:budget=5", "mcts:budget=6") == equal_calls("random", "osla") == ""


def test_games_that_show_nothing_are_refused() -> None:
    with pytest.raises(ParameterError, match="equal_time_games cannot be 19; the least is 20, or 0 for none"):
        definition_of(equal_time_games=19)
    with pytest.raises(ParameterError, match="without a validation, which measures the time"):
        definition_of(equal_time_games=100, validation=0)
