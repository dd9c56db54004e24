"""Objectives and panels: what a validation says of planted agents, against what is true of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from tag.engine.results import LOSE, WIN
from tag.orders import GameRecord
from tag.tournaments import PlayedGame
from tag.tournaments.designs.games import Pairing
from tag.tuning.agent.comparisons import panels
from tag.tuning.agent.comparisons.comparison import Comparison, compare
from tag.tuning.agent.comparisons.panels import PanelEstimate, PanelValidation
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import VALIDATION, StudyDefinition
from tag.tuning.agent.objectives import PANELS, Objective
from tag.tuning.agent.schedule import schedule_of

pytestmark = pytest.mark.flow

OPPONENTS = ("random", "osla")
#: Chances to win against each of these: the recommendation's worst is better by 5 points, its mean is no better.
RECOMMENDED, DEFAULT = (0.6, 0.55), (0.5, 0.7)
#: The share of the variance of a game's luck that all games of its chance seed have.
LUCK = {"shared": 0.6, "not shared": 0.0}


class PlantedGames:
    """A queue whose games are won with a known chance, and whose scores and times have known means.

    The luck of a game is normal; the agent wins where it is below a limit, and scores and times are smooth functions of it.
    """

    def __init__(self, chances: dict[tuple[int, int], float], shared: float, seed: int) -> None:
        self.chances = chances
        self.shared = shared
        self.rng = np.random.default_rng(seed)
        self.deals: dict[int, float] = {}
        self.waiting: dict[str, PlayedGame] = {}

    def ask(self, games: Sequence[Pairing]) -> None:
        self.waiting |= {game.game_id: PlayedGame(game, self.record(game)) for game in games}

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        return [self.waiting.pop(game.game_id) for game in games]

    def record(self, game: Pairing) -> GameRecord:
        (opponent,) = set(game.agents) - {game.matchup}
        chance = self.chances[game.matchup, opponent]
        deal = self.deals.setdefault(game.seed, float(self.rng.normal()))
        luck = self.shared**0.5 * deal + (1.0 - self.shared) ** 0.5 * float(self.rng.normal())
        has_won = luck < ndtri(chance)
        own = game.seating
        results, ordinals, scores = [LOSE, LOSE], [2, 2], [0.0, 0.0]
        winner = own if has_won else 1 - own
        results[winner], ordinals[winner] = WIN, 1
        scores[own] = 10.0 * chance + float(np.exp(-luck) - np.exp(0.5))  # skewed, of mean 10 times the chance
        seconds = [0.0, 0.0]
        seconds[own] = 0.001 * (2.0 - chance + float(ndtr(luck)) - 0.5)
        return GameRecord(
            game.game_id, tuple(results), tuple(ordinals), (0, 1), tuple(scores), (1, 1), tuple(seconds), 9, 3, 1, "0" * 16,
            cpu_seconds=tuple(seconds),
        )  # fmt: skip


#: The mean of each objective, by the chance to win.
TRUTH = {
    "win_rate": lambda chance: chance,
    "points": lambda chance: chance,
    "ordinal": lambda chance: 2.0 - chance,
    "score": lambda chance: 10.0 * chance,
    "decision_ms": lambda chance: 2.0 - chance,
}


@cache
def defined(objective: str, panel: str, games: int) -> StudyDefinition:
    return define_study(
        "rmhc:budget=10", "sushi_go" if objective == "score" else "tic_tac_toe", players=2, games=200,
        versus=OPPONENTS, objective=objective, panel=panel, validation=games, search=("horizon",),
    )  # fmt: skip


def validated(objective: str, panel: str, luck: str, seed: int) -> Comparison:
    games = 160 if objective in ("win_rate", "points", "ordinal") else 400  # of scores it takes a hundred blocks
    definition = defined(objective, panel, games)
    schedule = schedule_of(definition, VALIDATION, definition.measuring)
    sides = "rmhc:budget=10,horizon=3", definition.default
    numbers = [schedule.enter(spec) for spec in sides]
    chances = {
        (number, opponent): chance
        for number, of_side in zip(numbers, (RECOMMENDED, DEFAULT), strict=True)
        for opponent, chance in enumerate(of_side)
    }
    queue: Any = PlantedGames(chances, LUCK[luck], seed)
    return compare(definition, VALIDATION, schedule, queue, *sides, games)


def truth(objective: str, panel: str) -> tuple[float, float]:
    """Return the true value of both sides: the panel's function of the means against the opponents."""
    definition = defined("win_rate", panel, 160)
    one = Objective(objective, schedule_of(definition, VALIDATION, OPPONENTS), panel, 2)
    ours, theirs = (one.combined([TRUTH[objective](chance) for chance in side]) for side in (RECOMMENDED, DEFAULT))
    return ours, theirs


#: Planted studies of each kind.
_STUDIES = 8


@pytest.mark.parametrize("luck", LUCK)
@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("objective", TRUTH)
def test_a_validation_measures_what_was_searched(
    objective: str, panel: str, luck: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values are near the truth, intervals hold it and the value, and the difference has the right sign on average."""
    monkeypatch.setattr(panels, "_RESAMPLES", 400)
    ours, theirs = truth(objective, panel)
    sign = 1.0 if objective in ("win_rate", "points", "score") else -1.0
    misses, differences = np.zeros(3), []
    for seed in range(_STUDIES):
        found = validated(objective, panel, luck, seed)
        for number, (side, true) in enumerate(((found.recommended, ours), (found.default, theirs))):
            assert side.low <= side.value <= side.high
            misses[number] += not side.low <= true <= side.high
        result = found.result
        assert result.low <= result.difference <= result.high
        misses[2] += not result.low <= sign * (ours - theirs) <= result.high
        differences.append(result.difference)
    assert misses.max() <= 3  # of 8; more than that has a chance of 0.04 % where 95 % hold
    error = np.std(differences, ddof=1) / _STUDIES**0.5
    assert np.mean(differences) == pytest.approx(sign * (ours - theirs), abs=4.0 * error)


def blocks_of(rng: np.random.Generator, ours: Sequence[float], theirs: Sequence[float], n: int) -> np.ndarray:
    """Return blocks of two games against each opponent, with shared luck, of shape (blocks, sides, opponents)."""
    luck = 0.3**0.5 * rng.normal(size=(n, 1, 1, 2)) + 0.7**0.5 * rng.normal(size=(n, 2, len(ours), 2))
    return (luck < ndtri(np.array([ours, theirs]))[None, :, :, None]).mean(axis=3)


#: Chances against each opponent: equals, gaps that luck hides, and worst opponents that are level on one side only.
PANELS_OF_CHANCES = [
    ((0.5, 0.5), (0.5, 0.5)),
    ((0.5, 0.9), (0.5, 0.5)),
    ((0.5, 0.52), (0.5, 0.55)),
    ((0.6, 0.6, 0.6, 0.6), (0.6, 0.95, 0.95, 0.95)),
    ((0.6, 0.95, 0.95, 0.95), (0.6, 0.6, 0.6, 0.6)),
    ((0.1, 0.8), (0.1, 0.3)),
]


@pytest.mark.parametrize(("ours", "theirs"), PANELS_OF_CHANCES)
def test_intervals_of_minima_hold(
    ours: Sequence[float], theirs: Sequence[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panels, "_RESAMPLES", 400)
    rng, true, wrong = np.random.default_rng(4), min(ours) - min(theirs), 0
    for _study in range(40):
        low, high = PanelEstimate(blocks_of(rng, ours, theirs, 60), min).interval(0.95)
        wrong += not low - 1e-9 <= true <= high + 1e-9
    assert wrong <= 6  # of 40; more has a chance of 0.3 % where 95 % hold


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 125, 500])
@pytest.mark.parametrize(("ours", "theirs"), PANELS_OF_CHANCES)
def test_intervals_of_a_thousand_minima_hold(ours: Sequence[float], theirs: Sequence[float], n: int) -> None:
    rng, true, wrong = np.random.default_rng(5), min(ours) - min(theirs), 0
    for _study in range(1_000):
        low, high = PanelEstimate(blocks_of(rng, ours, theirs, n), min).interval(0.95)
        wrong += not low - 1e-9 <= true <= high + 1e-9
    assert wrong / 1_000 <= 0.07


def test_interval_p_value_and_decision_agree() -> None:
    rng = np.random.default_rng(6)
    for gain in np.linspace(-0.3, 0.3, 13):
        test = PanelValidation(40, 4, min, most=1.0)
        for ours, theirs in blocks_of(rng, (0.5 + gain, 0.7), (0.5, 0.6), 40).tolist():
            decision = test.add(ours, theirs)
        result = test.result()
        assert decision == result.decision == ("better" if result.low > 0.0 else "not better")
        assert (result.p_value <= 0.05) == (not result.low <= 0.0 <= result.high)


def test_equal_sides_make_no_difference() -> None:
    test = PanelValidation(30, 4, min, most=1.0)
    for _block in range(30):
        test.add([0.5, 1.0], [0.5, 1.0])
    result = test.result()
    assert (result.decision, result.difference, result.p_value) == ("not better", 0.0, 1.0)
    assert 0.0 < -result.low == result.high < 0.15
