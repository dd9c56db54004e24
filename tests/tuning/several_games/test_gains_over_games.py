"""What is said of gains in several games, against what is true of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, variance

import numpy as np
import pytest

from tag.engine.results import LOSE, WIN
from tag.orders import GameRecord
from tag.tournaments.ledger.rows import PlayedGame
from tag.tuning.agent.across import GainOverGames
from tag.tuning.agent.comparisons.strata import MeanGain, at_once, gain_of, together, worst
from tag.tuning.agent.events import StudyEvent
from tag.tuning.agent.objectives import ACROSS
from tag.tuning.agent.schedule import EventsSchedule
from tag.tuning.search.race import Race, ValuePrior

pytestmark = pytest.mark.flow

STUDIES = 300
EVENTS = tuple(StudyEvent(game, 2) for game in ("nim", "hex", "othello", "uno", "love_letter", "tic_tac_toe"))
#: Points of the recommendation and of the default, by game: the blocks of some are seldom decided otherwise.
SHARES = ((0.62, 0.5), (0.45, 0.5), (0.98, 0.97), (0.5, 0.5), (0.3, 0.25), (0.03, 0.0))
GAINS = [ours - theirs for ours, theirs in SHARES]
WEIGHTS = (0.4, 0.2, 0.1, 0.1, 0.1, 0.1)


def drawn(blocks: int, rng: np.random.Generator) -> list[MeanGain]:
    """Return the gains in so many blocks of each game, of which both sides share a part of their luck."""
    found = []
    for ours, theirs in SHARES:
        luck, own = rng.random((blocks, 2)), rng.random((blocks, 2, 2))
        are_shared = rng.random((blocks, 2)) < 0.5
        sides = [np.where(are_shared, luck, own[:, :, side]) < share for side, share in enumerate((ours, theirs))]
        found.append(gain_of(sides[0].mean(axis=1) - sides[1].mean(axis=1)))
    return found


@pytest.mark.parametrize("blocks", [10, 30, 100])
def test_intervals_over_games_hold(blocks: int) -> None:
    rng = np.random.default_rng(1)
    studies = [drawn(blocks, rng) for _study in range(1_000)]
    joint = [together(gains, WEIGHTS).interval() for gains in studies]
    truth = float(np.dot(WEIGHTS, GAINS))
    assert np.mean([low <= truth <= high for low, high in joint]) >= 0.93
    studies = studies[:STUDIES]
    every = [
        all(low <= gain <= high for (low, high), gain in zip(at_once(gains), GAINS, strict=True)) for gains in studies
    ]
    assert np.mean(every) >= 0.93
    least = [worst(gains)[1] for gains in studies]
    assert np.mean([low <= min(GAINS) <= high for low, high in least]) >= 0.93


def test_what_differs_between_games_widens_no_interval() -> None:
    apart = [MeanGain(gain, 0.02, 50.0) for gain in (-0.4, 0.0, 0.4)]
    alike = [MeanGain(0.0, 0.02, 50.0) for _game in range(3)]
    shares = (1 / 3,) * 3
    assert together(apart, shares) == together(alike, shares)
    assert together(alike, shares).error == pytest.approx(0.02 / 3**0.5)


def test_equals_are_seldom_called_better() -> None:
    """By the mean over games, and by the worst of them."""
    rng = np.random.default_rng(2)
    better = {across: 0 for across in ACROSS}
    for _study in range(STUDIES):
        gains = [gain_of((rng.integers(0, 2, (30, 2)) - rng.integers(0, 2, (30, 2))).mean(axis=1)) for _game in EVENTS]
        better["mean"] += together(gains, WEIGHTS).interval().low > 0.0
        better["worst"] += worst(gains)[1].low > 0.0
    assert all(count <= 0.04 * STUDIES for count in better.values())


class Trials:
    """Trials of a configuration with known points in each game, on seeds of their own."""

    def __init__(self, shares: Sequence[float], across: str, seed: int) -> None:
        self.shares = shares
        self.rng = np.random.default_rng(seed)
        self.schedule = EventsSchedule(EVENTS, ("osla",), seed=3)
        self.agent = self.schedule.enter("random")
        self.objective = GainOverGames(self.schedule, EVENTS, across)

    def games(self, rounds: int) -> list[PlayedGame]:
        asked = self.schedule.games(self.agent, range(rounds * self.schedule.round_blocks))
        found = []
        for game in asked:
            share = self.shares[self.schedule.event_of(self.schedule.chance_of(game.block))]
            winner = game.seating if self.rng.random() < share else 1 - game.seating
            results = tuple(WIN if seat == winner else LOSE for seat in range(2))
            places = tuple(1 + (seat != winner) for seat in range(2))
            record = GameRecord(
                game.game_id, results, places, (0, 1), (0.0, 0.0), (1, 1), (0.0, 0.0), 9, 3, 1, "0" * 16
            )  # fmt: skip
            found.append(PlayedGame(game, record))
        return found


@pytest.mark.parametrize("across", ACROSS)
@pytest.mark.parametrize("rounds", [2, 4, 12])
def test_blocks_give_the_error_of_a_value(across: str, rounds: int) -> None:
    """The variance is the one within games, although these differ much; of the worst to first order only."""
    trials = Trials((0.2, 0.4, 0.6, 0.7, 0.8, 0.9), across, seed=1)
    values, errors = [], []
    for _trial in range(400):
        games = trials.games(rounds)
        by_block = trials.objective.by_block(games, trials.agent)
        value = trials.objective.value(games, trials.agent)
        assert value is not None
        assert len(by_block) == rounds * len(EVENTS)
        assert fmean(by_block) == pytest.approx(value)
        values.append(value)
        errors.append(variance(by_block) / len(by_block))
    assert fmean(errors) == pytest.approx(variance(values), rel=0.25 if across == "mean" else 0.5)


def test_one_seed_of_each_game_tells_no_error() -> None:
    trials = Trials((0.5,) * 6, "mean", seed=1)
    assert trials.objective.by_block(trials.games(1), trials.agent) == []


@pytest.mark.parametrize("shares", [(0.5,) * 6, (0.4, 0.55, 0.55, 0.6, 0.6, 0.6), (0.2, 0.4, 0.6, 0.7, 0.8, 0.9)])
def test_the_worst_game_has_less_bias_at_most_and_less_noise_than_the_least_mean(shares: tuple[float, ...]) -> None:
    trials = Trials(shares, "worst", seed=2)
    truth = min(shares) - 0.5
    found, least = [], []
    for _trial in range(300):
        games = trials.games(4)
        found.append(trials.objective.value(games, trials.agent) or 0.0)
        least.append(min(trials.objective.means(games, trials.agent).values()))
    assert abs(fmean(found) - truth) < 0.14
    assert variance(found) < variance(least)
    many = trials.games(400)
    value = trials.objective.value(many, trials.agent)
    assert value == pytest.approx(min(trials.objective.means(many, trials.agent).values()), abs=0.02)


def test_a_game_that_is_not_there_has_no_value() -> None:
    trials = Trials((0.5,) * 6, "mean", seed=1)
    games = [game for game in trials.games(2) if trials.schedule.game_of(game.pairing) != "hex"]
    assert trials.objective.value(games, trials.agent) is None
    assert "hex-2p" not in trials.objective.means(games, trials.agent)


@pytest.mark.parametrize("shares", [(0.5,) * 6, (0.2, 0.4, 0.6, 0.7, 0.8, 0.9)])
def test_trials_that_equal_the_reference_are_seldom_pruned(shares: tuple[float, ...]) -> None:
    """By two looks, as many as trials of eight rounds have."""
    trials = Trials(shares, "mean", seed=3)
    worth = fmean(shares) - 0.5
    pruned = 0
    for _trial in range(STUDIES):
        games = trials.games(8)
        for rounds in (2, 4):
            by_block = trials.objective.by_block(games[: rounds * 2 * len(EVENTS)], trials.agent)
            if Race().prunes(by_block, ValuePrior(worth, 0.01), 0.35, greatest=1.0):
                pruned += 1
                break
    assert pruned <= 0.08 * STUDIES
