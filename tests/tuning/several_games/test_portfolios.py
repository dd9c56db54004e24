"""Portfolios: configurations that are best together, each in its games, and the presets that are made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from studies.invented import Invented, first, shuffled

from tag.catalogue.presets import read_presets
from tag.catalogue.registry import make_agent
from tag.engine.parameters import parse_spec
from tag.engine.results import LOSE, WIN
from tag.engine.rng import derive_seed
from tag.orders import GameOrder, GameRecord
from tag.tournaments.ledger.games import read_ledger
from tag.tuning.agent.defining import define_study
from tag.tuning.reports.results import StudyResults
from tag.tuning.run import run_study
from tag.tuning.search.portfolio import assigned, best_together

pytestmark = [pytest.mark.flow, pytest.mark.usefixtures("empty_pages")]

#: Points against the default by the length of rollouts, which is 10 by default: each is good in one game.
LANDSCAPE = {"tic_tac_toe": {0: 0.8, 50: 0.35}, "nim": {0: 0.3, 50: 0.8}, "hex": {0: 0.5, 50: 0.5}}


def worth(means: np.ndarray, chosen: list[int]) -> float:
    return float(means[chosen].max(axis=0).mean())


@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 4), st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_each_configuration_is_the_one_that_adds_most(rows: int, games: int, size: int, seed: int) -> None:
    means = np.random.default_rng(seed).normal(size=(rows, games)).round(1)
    chosen = best_together(means, [1.0 / games] * games, size)
    assert 1 <= len(chosen) <= min(size, rows)
    assert len(set(chosen)) == len(chosen)
    for number in range(len(chosen)):
        before = chosen[:number]
        assert worth(means, chosen[: number + 1]) == pytest.approx(
            max(worth(means, [*before, row]) for row in range(rows))
        )
    if len(chosen) < min(size, rows):  # nothing more would add anything
        assert max(worth(means, [*chosen, row]) for row in range(rows)) == pytest.approx(worth(means, chosen))
    places = assigned(means, chosen)
    assert [means[chosen[place], game] for game, place in enumerate(places)] == means[chosen].max(axis=0).tolist()


def record_of(order: GameOrder) -> GameRecord:
    """Return a game drawn by the landscape, of an agent against the default."""
    lengths = [int(str(parse_spec(agent).values.get("rollout_length", 10))) for agent in order.agents]
    own = next((seat for seat, length in enumerate(lengths) if length != 10), 0)
    luck = derive_seed(order.seed, *order.agents, str(own)) % 10**6 / 10**6
    winner = own if luck < LANDSCAPE[order.game].get(lengths[own], 0.5) else 1 - own
    results = tuple(WIN if seat == winner else LOSE for seat in range(2))
    places = tuple(1 + (seat != winner) for seat in range(2))
    return GameRecord(order.game_id, results, places, (0, 1), (0.0, 0.0), (1, 1), (0.001,) * 2, 9, 3, 1, "0" * 16)


def played(folder: Path, pool: Invented, **changes: Any) -> StudyResults:
    said = {"search": ("rollout_length=0,10,50",), "games": 2_400, "validation": 600, "portfolio": 3} | changes
    definition = define_study("mcts:budget=20", tuple(LANDSCAPE), **said)
    return run_study(definition, folder, tracking=False, workers=pool)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    return played(tmp_path_factory.mktemp("portfolio"), Invented(1, first, record_of))


def length_in(row: dict[str, Any]) -> int:
    return int(make_agent(row["spec"]).parameters.values()["rollout_length"])


def test_each_game_gets_the_configuration_that_is_best_there(study: StudyResults) -> None:
    found = study.recommendation
    assert found is not None
    alone, two, *more = found["portfolios"]
    lengths = {row["event"]: length_in(row) for row in two["games"]}
    assert lengths["tic_tac_toe-2p"] == 0
    assert lengths["nim-2p"] == 50
    assert two["gain"] > alone["gain"] + 0.1
    assert two["low"] > 0.0
    assert len({row["spec"] for row in alone["games"]}) == 1
    assert two["gain"] == pytest.approx(sum(row["gain"] for row in two["games"]) / 3)
    truth = {row["event"]: LANDSCAPE[row["game"]].get(length_in(row), 0.5) - 0.5 for row in two["games"]}
    assert all(row["low"] <= truth[row["event"]] <= row["high"] for row in two["games"])
    assert all(len(one["specs"]) == size for size, one in enumerate((alone, two, *more), 1))


def test_the_default_may_be_the_best_in_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gains exactly nothing over itself, and is no preset."""
    monkeypatch.setitem(LANDSCAPE, "hex", {0: 0.2, 50: 0.2})
    monkeypatch.setitem(LANDSCAPE, "nim", {0: 0.2, 50: 0.2})
    found = played(tmp_path, Invented(2, record=record_of)).recommendation
    assert found is not None
    rows = {row["game"]: row for row in found["portfolios"][-1]["games"]}
    assert length_in(rows["tic_tac_toe"]) == 0
    for game in ("nim", "hex"):
        assert rows[game]["spec"] == found["default"]
        assert [rows[game][end] for end in ("gain", "low", "high")] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert [file.stem for file in (tmp_path / "presets").iterdir()] == ["tic_tac_toe"]


def test_it_is_the_same_on_any_pool(study: StudyResults, tmp_path: Path) -> None:
    other = played(tmp_path, Invented(4, shuffled(3), record_of))
    assert other.recommendation is not None
    assert study.recommendation is not None
    assert other.recommendation["portfolios"] == study.recommendation["portfolios"]


def test_it_plays_on_seeds_of_its_own(study: StudyResults) -> None:
    seeds = {
        stage: set(read_ledger(study.folder / stage)[0]["seed"]) for stage in ("search", "validation", "portfolio")
    }
    assert not seeds["portfolio"] & (seeds["search"] | seeds["validation"])


def test_presets_are_written_where_a_gain_is_shown(study: StudyResults) -> None:
    assert study.recommendation is not None
    rows = {row["game"]: row for row in study.recommendation["portfolios"][-1]["games"]}
    files = {file.stem: file for file in (study.folder / "presets").iterdir()}
    assert set(files) == {game for game, row in rows.items() if row["low"] > 0.0} == {"tic_tac_toe", "nim"}
    for game, file in files.items():
        preset = read_presets(file)["mcts"]
        agent = make_agent(f"{preset.spec[:5]}budget=20,{preset.spec[5:]}").parameters.values()
        assert agent == {**make_agent(rows[game]["spec"]).parameters.values(), "preset": agent["preset"]}
        assert preset.gain == tuple(round(rows[game][name], 3) for name in ("gain", "low", "high"))


def test_a_study_without_portfolios_plays_the_same_else(study: StudyResults, tmp_path: Path) -> None:
    other = played(tmp_path, Invented(2, record=record_of), portfolio=0)
    assert other.recommendation is not None
    assert "portfolios" not in other.recommendation
    assert other.trials.to_json() == study.trials.to_json()
    assert study.recommendation is not None
    assert other.recommendation["games"] == study.recommendation["games"]
    assert not (tmp_path / "portfolio").exists()
    assert not (tmp_path / "presets").exists()
