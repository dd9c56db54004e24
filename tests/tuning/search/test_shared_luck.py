"""Luck of chance seeds that all configurations share: it is in the intervals of values, or there is none."""

from __future__ import annotations

from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import optuna
import pytest
from studies.komi_studies import komi

from tag.engine.results import LOSE, WIN
from tag.orders import GameRecord
from tag.tournaments import PlayedGame
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import SEARCH
from tag.tuning.agent.problem import TuningSearch
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.balancing.front import front
from tag.tuning.balancing.problem import BalanceSearch
from tag.tuning.samplers import make_sampler
from tag.tuning.search.incumbents import IncumbentModel, SharedLuck
from tag.tuning.search.trials import COMPLETE, FinishedTrial, KnownTrial

pytestmark = pytest.mark.flow


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_the_shared_deviation_is_that_of_the_means(share: float) -> None:
    """Of 40 trials of 30 blocks with the same seeds, a third of them pruned, in many studies."""
    rng, found, errors = np.random.default_rng(1), [], []
    for _study in range(60):
        luck, deals, means = SharedLuck(), rng.normal(size=30), []
        for trial in range(40):
            blocks = 10 if trial % 3 == 0 else 30
            values = sqrt(share) * deals[:blocks] + sqrt(1.0 - share) * rng.normal(size=blocks)
            luck.add(range(blocks), values.tolist())
            means.append(values)
        found.append(luck.deviation**2)
        errors.append(np.concatenate(means).mean())
    own = (1.0 - share) / (14 * 10 + 26 * 30)
    assert np.mean(found) == pytest.approx(max(np.var(errors) - own, 0.0), rel=0.5, abs=2e-3)
    assert share or np.sqrt(np.mean(found)) < 0.05


def test_seeds_that_do_not_repeat_share_nothing() -> None:
    luck = SharedLuck()
    for trial in range(20):
        luck.add(range(10 * trial, 10 * trial + 10), list(map(float, range(10))))
    assert luck.deviation == 0.0


@pytest.mark.parametrize("share", [0.0, 0.6])
def test_intervals_of_incumbents_hold(share: float) -> None:
    """Scores of 30 configurations in 12 common deals, of which the value is known: 0 everywhere."""
    definition = define_study("rmhc:budget=10", "tic_tac_toe", games=720, versus=("osla",), search=("horizon",))
    space, held = definition.space, 0
    for seed in range(16):
        rng = np.random.default_rng(seed)
        deals = rng.normal(size=12)
        study = optuna.create_study(
            direction="maximize", sampler=make_sampler("bgp", space.configurations, 720, 1).sampler
        )
        model = IncumbentModel(space, study, [10**9])  # one look, at the end
        for number in range(30):
            configuration = space.configurations.draw(rng)
            values = (sqrt(share) * deals + sqrt(1.0 - share) * rng.normal(size=12)).tolist()
            value, spec = float(np.mean(values)), space.spec(configuration)
            variance = float(np.var(values, ddof=1))
            study.add_trial(KnownTrial(spec, 24, value, 12, variance).of_optuna(space))
            one = FinishedTrial(number, number, spec, configuration, 24, (value,), None, COMPLETE, 0, 12, variance)
            model.learn(one, values, range(12))
        model.look()
        found = model.incumbents[-1]
        held += abs(found.value) <= HALF_WIDTH * found.deviation
        assert found.shared <= found.deviation
    assert held >= 12  # of 16; fewer has a chance of 0.1 % where 95 % hold


def test_trials_of_a_tuning_study_name_their_seeds() -> None:
    definition = define_study(
        "rmhc:budget=10", "tic_tac_toe", games=400, versus=("osla", "random"), search=("horizon",)
    )
    problem = TuningSearch(definition, schedule_of(definition, SEARCH, definition.versus))
    learnt: list[Any] = []
    problem.model = SimpleNamespace(learn=lambda found, by_block, seeds: learnt.append((by_block, seeds)))  # type: ignore[assignment]
    agent = problem.schedule.enter("rmhc:budget=10,horizon=3")
    games = [PlayedGame(one, SimpleNamespace(void=one.block > 5)) for one in problem.schedule.games(agent, range(8))]  # type: ignore[arg-type]
    problem.finished(SimpleNamespace(games=games), None, [0.5, 0.5, 0.5])  # type: ignore[arg-type]
    assert learnt == [([0.5, 0.5, 0.5], [0, 1, 2])]


def record_of(problem: BalanceSearch, pairing: Any, turns: int, rng: np.random.Generator) -> GameRecord:
    """Return a game of komi whose length is twice its turns, and luck of which the deal has nine tenths."""
    deal = np.random.default_rng(pairing.seed % 2**32).normal()
    ticks = round(1_000 + 100 * turns + 30 * (sqrt(0.9) * deal + sqrt(0.1) * rng.normal()))
    return GameRecord(
        pairing.game_id, (WIN, LOSE), (1, 2), (0, 1), (1.0, 0.0), (1, 1), (0.0, 0.0), ticks, 3, 1, "0" * 16
    )


@pytest.mark.system
def test_trials_of_a_balancing_study_have_their_own_seeds_and_the_front_holds() -> None:
    """Lengths of six candidates whose deals have nine tenths of the luck: 95 % intervals of the front."""
    held = 0
    total = 0
    for seed in range(6):
        definition = komi(
            targets=("length=1300..1700",), search=("turns",), games=800, games_per_trial=20, seed=seed + 1
        )
        problem, rng, seeds = BalanceSearch(definition), np.random.default_rng(seed), set[int]()
        for number in range(40):
            configuration = problem.configurations.draw(rng)
            agent, (pairings,) = problem.begin(number, configuration)
            assert not seeds & {one.seed for one in pairings}
            seeds |= {one.seed for one in pairings}
            games = [PlayedGame(one, record_of(problem, one, configuration["turns"], rng)) for one in pairings]
            found = FinishedTrial(
                number, agent, problem.spec(configuration), configuration, 20, (0.0,), None, COMPLETE, 0
            )
            problem.finished(SimpleNamespace(agent=agent, games=games), found, [])  # type: ignore[arg-type]
        rows = front(problem.model, problem.spec, problem.distance)
        turns = [definition.space.configuration(spec)["turns"] for spec in rows["spec"]]
        off = (rows["mean.length"] - 1_000 - 100 * np.array(turns)).abs()
        held += int((off <= HALF_WIDTH * rows["deviation.length"]).sum())
        total += len(rows)
    assert total >= 6
    assert held / total >= 0.8
