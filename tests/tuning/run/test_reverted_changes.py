"""Studies of agents with parameters without effect: the recommendation leaves these at their defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp
from pathlib import Path
from typing import Any

import pytest
from studies.interruptions import interrupt_after
from studies.invented import Invented

from tag.catalogue.registry import make_agent
from tag.engine.parameters import parse_spec
from tag.engine.results import LOSE, WIN
from tag.engine.rng import derive_seed
from tag.orders import GameOrder, GameRecord
from tag.tournaments.ledger.games import content_hash, read_ledger
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.reports.results import StudyResults
from tag.tuning.run import run_study

pytestmark = pytest.mark.flow

# --- parameters that change no game --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_changes_no_game_stays_at_its_default(seed: int, tmp_path: Path) -> None:
    definition = define_study(
        "mcts:budget=20", "tic_tac_toe", games=300, versus=("random",), search=("k=0.1..9", "max_tree_depth=10..1000"),
        sampler="random", games_per_trial=10, validation=20, seed=seed, equal_time_games=0,
    )  # fmt: skip
    assert definition.reversion_games == 3 * 5 * 2
    results = run_study(definition, tmp_path, tracking=False)
    assert results.recommendation is not None
    candidate = results.recommendation["candidate"]["spec"]
    assert "max_tree_depth" not in parse_spec(candidate).values
    assert results.incumbents["spec"].iloc[-1] == candidate
    games, _seats = read_ledger(tmp_path / "reversion")
    assert games["game_id"].is_unique
    assert len(games) <= definition.reversion_games


def test_the_games_of_all_stages_are_said_before_the_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    definition = define_study(
        "mcts:budget=5", "tic_tac_toe", games=120, versus=("random",), search=("k",), validation=20, seed=1,
    )  # fmt: skip
    run_study(definition, tmp_path, tracking=False)
    assert "beside the 120 games of the search there are at most 20 to take back" in capsys.readouterr().err
    assert definition.games_at_most == 120 + 20 + 2 * 20 + definition.games_at_equal_time
    alone = define_study("mcts:budget=5", "tic_tac_toe", games=120, validation=0)
    assert not alone.budget_text


@pytest.mark.parametrize(
    "changes", [{"validation": 0}, {"objective": "decision_ms", "validation": 200}, {"decision_ms_limit": 5.0}]
)
def test_where_times_count_or_nothing_is_validated_no_games_are_compared(changes: dict[str, object]) -> None:
    said = {"games": 300, "versus": ("random",), "search": ("k",), **changes}
    assert define_study("mcts:budget=20", "tic_tac_toe", **said).reversion_games == 0


# --- parameters without effect, though every change has luck of its own -------------------------------------------------


Values = Mapping[str, Any]

IDLE = ("population_size", "elite_count", "shift_buffer")


def one_effect(values: Values) -> float:
    return 0.45 + 0.25 * exp(-abs(int(values["horizon"]) - 20) / 8)


def two_effects(values: Values) -> float:
    return 0.45 + 0.2 * exp(-abs(int(values["horizon"]) - 20) / 8) + 0.1 * float(values["crossover"] == "n_point")


#: The win rate, the parameters that have an effect on it, and the greatest there is.
PLANTED = {"one": (one_effect, ("horizon",), 0.7), "two": (two_effects, ("horizon", "crossover"), 0.75)}


def record_by(win_rate: Callable[[Values], float]) -> Callable[[GameOrder], GameRecord]:
    """Return how games go in which an agent tosses a coin of its own, which also depends on what has no effect."""

    def record(order: GameOrder) -> GameRecord:
        (seat,) = (number for number, spec in enumerate(order.agents) if spec != "random")
        toss = derive_seed(order.seed, *order.agents) % 10**9 / 10**9
        is_won = toss < win_rate(make_agent(order.agents[seat]).parameters.values())
        places = (1, 2) if is_won == (seat == 0) else (2, 1)
        results = tuple(WIN if place == 1 else LOSE for place in places)
        scores = tuple(float(2 - place) for place in places)
        state = f"{derive_seed(order.seed, *order.agents):016x}"
        return GameRecord(order.game_id, results, places, (0, 1), scores, (1, 1), (0.001, 0.001), 9, 3, 1, state)

    return record


def definition_of(effects: tuple[str, ...], seed: int, **changes: Any) -> StudyDefinition:
    options = {"games": 2_000, "games_per_trial": 20, "validation": 1_000, "equal_time_games": 0}
    return define_study(
        "rhea", "tic_tac_toe", versus=("random",), search=(*effects, *IDLE), sampler="bgp", seed=seed,
        **{**options, **changes},
    )  # fmt: skip


def tuned(name: str, seed: int, folder: Path, interrupted_after: int = 0, **changes: Any) -> StudyResults:
    win_rate, effects, _best = PLANTED[name]
    pool = Invented(record=record_by(win_rate))
    if interrupted_after:
        pool.before_each = interrupt_after(interrupted_after)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tag.tuning.run.write_report", lambda results: None)
        return run_study(definition_of(effects, seed, **changes), folder, workers=pool, tracking=False)


def judged(name: str, seeds: range, folder: Path) -> tuple[float, float]:
    """Return the share of idle parameters at their defaults, and the mean regret in points."""
    win_rate, _effects, best = PLANTED[name]
    default = make_agent("rhea").parameters.values()
    kept, regret = [], []
    for seed in seeds:
        recommendation = tuned(name, seed, folder / f"{name}_{seed}").recommendation
        assert recommendation is not None
        values = make_agent(recommendation["candidate"]["spec"]).parameters.values()
        kept += [values[one] == default[one] for one in IDLE]
        regret.append(100.0 * (best - win_rate(values)))
    return sum(kept) / len(kept), sum(regret) / len(regret)


@pytest.mark.parametrize("name", PLANTED)
def test_what_has_no_effect_stays_at_its_default(name: str, tmp_path: Path) -> None:
    kept, regret = judged(name, range(1), tmp_path)
    assert kept == 1.0
    assert regret <= 8.0


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_fifty_planted_studies(name: str, tmp_path: Path) -> None:
    kept, regret = judged(name, range(50), tmp_path)
    assert kept >= 0.95
    assert regret <= 6.0


def test_games_of_comparisons_are_planned_and_only_where_they_can_show_a_gain(tmp_path: Path) -> None:
    """They are a function of the search's games and of the validation's, and in proportion to both."""
    few, many = (definition_of(("horizon",), 1, validation=validation) for validation in (398, 400))
    assert many.reversion_games - few.reversion_games == 5 * 200
    for budget, validation in (
        (400, 1_000),
        (800, 1_000),
        (1_600, 1_000),
        (6_400, 1_000),
        (6_400, 300),
        (20_000, 4_000),
    ):
        definition = definition_of(("horizon",), 1, games=budget, validation=validation)
        compared = definition.reversion_games - 5 * 5 * 2
        assert compared <= 1.25 * budget
        assert compared <= 2.5 * validation
        assert (compared > 0) == (min(budget // 4, validation // 2) >= 200)
    results = tuned("one", 2, tmp_path / "study", games=800, validation=800)
    assert results.recommendation is not None
    games, _seats = read_ledger(tmp_path / "study" / "reversion")
    assert games["game_id"].is_unique
    assert len(games) <= results.manifest.definition.reversion_games
    candidate = parse_spec(results.recommendation["candidate"]["spec"]).values
    taken_back = results.recommendation["taken_back"]
    assert taken_back
    assert not set(taken_back) & set(candidate)


@pytest.mark.system
def test_a_study_that_is_interrupted_in_its_comparisons_ends_the_same(tmp_path: Path) -> None:
    options = {"games": 800, "validation": 800}
    whole = tuned("one", 2, tmp_path / "whole", **options)
    assert whole.recommendation is not None
    for games in (900, 1_230):
        folder = tmp_path / str(games)
        assert not tuned("one", 2, folder, interrupted_after=games, **options).complete
        assert (folder / "reversion").is_dir()
        assert not (folder / "validation").is_dir()
        again = tuned("one", 2, folder, **options)
        assert again.recommendation is not None
        assert content_hash(folder / "reversion") == content_hash(tmp_path / "whole" / "reversion")
        for part in ("candidate", "validation", "taken_back"):
            assert again.recommendation[part] == whole.recommendation[part]
