"""Studies from beginning to end: the same on any pool, interrupted or not, grown or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import optuna
import pandas as pd
import pytest
from studies.interruptions import interrupt_after, ledgers
from studies.invented import Invented, first, shuffled, void_record_of

from tag.engine.rng import Rng
from tag.errors import ContractError, DataError
from tag.tournaments.ledger.games import read_labels, read_ledger, read_measures
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.reports.results import StudyResults, read_study
from tag.tuning.run import run_study

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]


def definition_of(**changes: Any) -> StudyDefinition:
    options: dict[str, Any] = {
        "games": 400,
        "versus": ("osla",),
        "held_out": ("rmhc:discount=0.7",),
        "search": ("horizon", "discount"),
        "sampler": "ntbea",
        "games_per_trial": 20,
        "live": 6,
        "validation": 200,
    }
    return define_study("rmhc", "tic_tac_toe", **(options | changes))


def outcome(results: StudyResults) -> tuple[Any, ...]:
    """Return all that a study comes to, but for its id and for what was timed."""
    assert results.complete
    others = ("study", "sentence", "decision_cpu_ms", "equal_time")
    recommended = {name: value for name, value in (results.recommendation or {}).items() if name not in others}
    trials, incumbents = (frame.to_json() for frame in (results.trials, results.incumbents))
    return json.dumps(recommended), trials, incumbents, ledgers(results.folder)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    return run_study(definition_of(), tmp_path_factory.mktemp("undisturbed"), tracking=False, workers=Invented(1))


def test_it_finds_the_best_and_says_so(undisturbed: StudyResults) -> None:
    found = undisturbed.recommendation
    assert found is not None
    assert found["verdict"] == "better than the default"
    assert 16 <= found["parameters"]["horizon"] <= 24
    assert found["validation"]["recommended"]["value"] > found["validation"]["default"]["value"]
    assert found["held_out"] is not None
    assert undisturbed.trials["games"].sum() <= 400


@pytest.mark.parametrize(
    "pool", [Invented(4, first), Invented(4, shuffled(1)), Invented(3)], ids=["first", "shuffled", "last"]
)
def test_it_is_the_same_on_any_pool(pool: Invented, undisturbed: StudyResults, tmp_path: Path) -> None:
    assert outcome(run_study(definition_of(), tmp_path, tracking=False, workers=pool)) == outcome(undisturbed)
    assert set(pool.games.values()) == {1}
    assert not pool.is_closed  # as it is the caller's


def test_it_is_the_same_interrupted_at_random(undisturbed: StudyResults, tmp_path: Path) -> None:
    rng = Rng(11)
    games: dict[tuple[str, tuple[str, ...]], int] = {}
    interruptions = 0
    while True:
        pool = Invented(1 + rng.below(4), shuffled(interruptions))
        pool.before_each = interrupt_after(rng.below(300))
        results = run_study(definition_of(), tmp_path, tracking=False, workers=pool)
        for game, times in pool.games.items():
            games[game] = games.get(game, 0) + times
        if results.complete:
            break
        interruptions += 1
        assert results.recommendation is None
        assert interruptions < 50
    assert interruptions >= 3
    assert outcome(results) == outcome(undisturbed)
    assert max(games.values()) < 3  # the stages' games have the same ids
    again = Invented()
    assert outcome(run_study(definition_of(), tmp_path, tracking=False, workers=again)) == outcome(undisturbed)
    assert again.games == {}


def test_it_keeps_the_versions_of_what_it_follows_from(undisturbed: StudyResults) -> None:
    assert undisturbed.manifest.versions["optuna"] == optuna.__version__


def test_ledgers_hold_what_was_counted(undisturbed: StudyResults) -> None:
    """And not what was played ahead of the end of a validation."""
    assert undisturbed.recommendation is not None
    games, _seats = read_ledger(undisturbed.folder / "search")
    assert len(games) == undisturbed.trials["games"].sum()
    for name in ("validation", "held_out"):
        found = undisturbed.recommendation[name]
        games, _seats = read_ledger(undisturbed.folder / name)
        assert len(games) == found["recommended"]["games"] + found["default"]["games"] <= 400
    assert len(read_ledger(undisturbed.folder / "validation")[0]) < 400  # decided before


class TestMoreGames:
    def test_what_was_played_is_not_played_again(self, tmp_path: Path) -> None:
        before = Invented()
        run_study(definition_of(), tmp_path, tracking=False, workers=before)
        pool = Invented()
        grown = definition_of(games=800)
        results = run_study(grown, tmp_path, tracking=False, workers=pool)
        assert results.complete
        assert 400 < results.trials["games"].sum() <= 800
        assert "rmhc" in {label.partition(":")[0] for label in read_labels(tmp_path / "search")}

    def test_it_goes_on_from_what_it_was(self, tmp_path: Path) -> None:
        """Also where a greater budget leads to another recommendation to validate."""
        shorter = None
        for games in (100, 250, 400):
            grown = run_study(definition_of(games=games), tmp_path, tracking=False, workers=Invented())
            assert grown.recommendation is not None
            if shorter is not None:
                pd.testing.assert_frame_equal(grown.trials.iloc[: len(shorter)][shorter.columns], shorter)
            shorter = grown.trials
        assert grown.manifest.definition.budgets == (100, 250, 400)

    def test_it_is_not_complete_before_these_are_played(self, tmp_path: Path) -> None:
        run_study(definition_of(), tmp_path, tracking=False, workers=Invented())
        pool = Invented()
        pool.before_each = interrupt_after(20)
        results = run_study(definition_of(games=800), tmp_path, tracking=False, workers=pool)
        assert not results.complete
        assert not read_study(tmp_path).complete
        assert run_study(definition_of(games=800), tmp_path, tracking=False, workers=Invented()).complete


def test_what_a_failing_game_leaves_is_gone_on_with(undisturbed: StudyResults, tmp_path: Path) -> None:
    def fail(played: int) -> None:
        if played > 100:
            raise ContractError("game b3-m1-s0 failed: ZeroDivisionError: division by zero")

    pool = Invented()
    pool.before_each = fail
    with pytest.raises(ContractError, match="division by zero"):
        run_study(definition_of(), tmp_path, tracking=False, workers=pool)
    assert not pool.is_closed  # as it is the caller's
    again = Invented()
    assert outcome(run_study(definition_of(), tmp_path, tracking=False, workers=again)) == outcome(undisturbed)
    assert len(pool.games.keys() | again.games.keys()) < len(pool.games) + len(again.games) < 1_000


def test_damaged_shards_are_played_again(undisturbed: StudyResults, tmp_path: Path) -> None:
    run_study(definition_of(), tmp_path, tracking=False, workers=Invented())
    for name in ("search", "validation"):
        (shard,) = (tmp_path / name / "ledger").glob("games-*.parquet")
        shard.write_bytes(shard.read_bytes()[:100])
    (tmp_path / "recommendation.json").unlink()
    assert outcome(run_study(definition_of(), tmp_path, tracking=False, workers=Invented())) == outcome(undisturbed)
    assert list((tmp_path / "search" / "ledger" / "_quarantine").iterdir())


class TestVoid:
    def test_a_study_in_which_no_game_counts(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="no game of the search counts: all are void"):
            run_study(definition_of(), tmp_path, tracking=False, workers=Invented(record=void_record_of))
        results = read_study(tmp_path)
        assert set(results.trials["state"]) == {"void"}
        assert not results.complete

    def test_a_validation_in_which_no_game_counts(self, tmp_path: Path) -> None:
        class VoidLater(Invented):
            def completed(self, timeout: float) -> list[Any]:
                if sum(self.games.values()) > 400:
                    self._record = void_record_of
                return super().completed(timeout)

        with pytest.raises(DataError, match="no game of the validation counts: all are void"):
            run_study(definition_of(), tmp_path, tracking=False, workers=VoidLater(1, first))
        assert len(read_study(tmp_path).trials) > 10


def test_metrics_are_in_the_ledger_and_seeds_of_the_stages_apart(tmp_path: Path) -> None:
    definition = define_study(
        "rmhc:budget=1",
        "tic_tac_toe",
        games=112,
        versus=("random",),
        search=("budget=500..600",),
        games_per_trial=16,
        validation=20,
        metrics=("lead",),
    )
    results = run_study(definition, tmp_path, tracking=False)
    assert results.complete
    assert read_measures(tmp_path / "search")["game_id"].nunique() == results.trials["games"].sum()
    stages = [path.name for path in tmp_path.iterdir() if (path / "ledger").is_dir()]
    assert sorted(stages) == ["reversion", "search", "validation"]
    seeds = [set(read_ledger(tmp_path / stage)[0]["seed"]) for stage in stages]
    assert sum(map(len, seeds)) == len(set().union(*seeds))


def test_games_of_its_own_and_an_objective_of_its_own(tmp_path: Path) -> None:
    game = Path(__file__).parents[3] / "games" / "abstract" / "tic_tac_toe.py"
    (tmp_path / "mine.py").write_text(game.read_text().replace("class TicTacToe(", "class Mine("))
    (tmp_path / "objective.py").write_text("def slow(games, seats):\n    return float(games['ticks'].mean())\n")
    definition = define_study(
        "rmhc:budget=20",
        f"{tmp_path / 'mine.py'}:Mine",
        games=16,
        versus=("random",),
        objective=f"{tmp_path / 'objective.py'}:slow",
        games_per_trial=4,
        validation=0,
    )
    results = run_study(definition, tmp_path / "study", tracking=False)
    assert results.complete
    assert {Path(name).name for name in results.manifest.sources} == {"mine.py", "objective.py"}
    assert results.trials["value"].between(5, 9).all()


def test_a_team_in_a_cooperative_game(tmp_path: Path) -> None:
    definition = define_study(
        "osla", "pandemic", players=2, games=6, search=("heuristic=game,score",), games_per_trial=2, validation=0
    )
    assert definition.versus == ()
    assert definition.objective == "score", "which tells teams apart long before one wins"
    results = run_study(definition, tmp_path, tracking=False)
    games, seats = read_ledger(tmp_path / "search")
    assert len(games) == 6
    assert (seats.groupby("game_id")["agent_index"].nunique() == 1).all()
    assert results.complete


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_two_workers_of_ray_come_to_the_same_as_one_process(tmp_path: Path) -> None:
    definition = definition_of(games=60, games_per_trial=6, validation=20, held_out=())
    alone = run_study(definition, tmp_path / "alone", tracking=False)
    workers = run_study(definition, tmp_path / "workers", tracking=False, workers=2)
    assert outcome(workers) == outcome(alone)


@pytest.mark.slow
@pytest.mark.system
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_workers_comes_to_the_same(workers: int, tmp_path: Path) -> None:
    definition = definition_of(held_out=("random",))
    alone = run_study(definition, tmp_path / "alone", tracking=False)
    assert outcome(run_study(definition, tmp_path / "workers", tracking=False, workers=workers)) == outcome(alone)
