"""Fronts of balancing studies and incumbents of tuning studies, whose games follow a known law."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import optuna
from optuna.distributions import CategoricalDistribution
from scipy.special import ndtri

from benchmarks.coverage.table import Settings, Shares, Table
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import derive_seed
from tag.orders import GameRecord
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import SEARCH
from tag.tuning.agent.problem import TuningSearch
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.balancing.front import front
from tag.tuning.balancing.options import define_balance
from tag.tuning.balancing.problem import BalanceSearch
from tag.tuning.samplers import make_sampler
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.search import Search
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import to_unit

Floats = npt.NDArray[np.float64]
#: The share of the variance of a game's luck that its chance seed decides, whoever plays.
LUCK: Final[Mapping[str, float]] = {"own": 0.0, "shared": 0.8}
#: The deviations of the slopes of landscapes; steep ones are flat at the end, where a model goes on rising.
STEEP, GENTLE = 3.0, 1.0
#: The law of a game: its record, from who plays it and its luck, two independent standard normal numbers.
Law = Callable[[Pairing, Floats], GameRecord]


class PlantedGames:
    """A `tag.tuning.study.queue.GameQueue` that plays by a law."""

    unasked = 0

    def __init__(self, law: Law, shared: float, rng: np.random.Generator) -> None:
        self._law = law
        self._shared = shared
        self._own = rng

    def ask(self, games: Sequence[Pairing]) -> None:
        """Do nothing."""

    def check(self) -> None:
        """Go on."""

    def take(self, games: Sequence[Pairing]) -> list[PlayedGame]:
        """Return the games with their results."""
        return [PlayedGame(game, self._law(game, self._luck(game.seed))) for game in games]

    def _luck(self, seed: int) -> Floats:
        deal = np.random.default_rng(derive_seed(seed, "deal")).normal(size=2)
        luck: Floats = sqrt(self._shared) * deal + sqrt(1.0 - self._shared) * self._own.normal(size=2)
        return luck


@dataclass(frozen=True)
class Landscape:
    """Smooth functions of configurations, between 0 and 1: logistic in the places of the values, with random slopes."""

    space: SearchSpace
    slopes: Floats  # (functions, parameters)

    @classmethod
    def drawn(cls, space: SearchSpace, functions: int, rng: np.random.Generator, steepness: float = STEEP) -> Landscape:
        """Return random functions."""
        return cls(space, steepness * rng.normal(size=(functions, len(space.configurations.distributions))))

    def of(self, spec: str) -> Floats:
        """Return the functions of a configuration, of shape (functions,)."""
        found: Floats = 1.0 / (1.0 + np.exp(-self.slopes @ (self._places(spec) - 0.5)))
        return found

    def _places(self, spec: str) -> Floats:
        """Return the places of the values, from 0 to 1; 0.5 where a parameter has no effect."""
        configuration = self.space.configuration(spec)
        return np.array([
            0.5
            if name not in configuration
            else list(kind.choices).index(configuration[name]) / (len(kind.choices) - 1)
            if isinstance(kind, CategoricalDistribution)
            else to_unit(kind, configuration[name])
            for name, kind in self.space.configurations.distributions.items()
        ])  # fmt: skip


def record_of(game: Pairing, results: tuple[int, int], scores: tuple[float, float], ticks: int) -> GameRecord:
    """Return the record of a game of two."""
    ordinals = tuple(1 if result in (WIN, DRAW) else 2 for result in results)
    return GameRecord(game.game_id, results, ordinals, (0, 1), scores, (1, 1), (0.001, 0.001), ticks, 3, 1, "0" * 16)


# --- fronts -------------------------------------------------------------------------------------------------------------


#: A game of two with parameters, and what its candidates are wanted to have.
_BALANCED: Final = "dots_and_boxes"
_TARGETS: Final = ("length=1000±40", "draws=0.2±0.05", "first_seat=0±0.03")


def fronts(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often intervals of the candidates on the front, and of the last incumbent, hold the true measures."""
    luck, games = settings
    on_front: list[npt.NDArray[np.bool_]] = []
    incumbents: list[npt.NDArray[np.bool_]] = []
    for seed in range(simulations):
        definition = define_balance(
            _BALANCED, targets=_TARGETS, agents=("random",), games=games, games_per_trial=20, pareto=True, seed=seed + 1
        )
        landscape = Landscape.drawn(definition.space, 3, rng)
        problem = BalanceSearch(definition)

        def law(game: Pairing, luck: Floats, problem: BalanceSearch = problem, truth: Any = landscape.of) -> GameRecord:
            return _balanced(game, luck, truth(problem.schedule.game_of(game)))

        queue: Any = PlantedGames(law, LUCK[luck], rng)
        Search(problem, problem.study("planted"), queue, definition.budgets, definition.live).run()
        names = [goal.target.name for goal in definition.goals]
        rows = front(problem.model, problem.spec, problem.distance).to_dict("records")
        on_front += [_held([row[f"mean.{name}"] for name in names], [row[f"deviation.{name}"] for name in names],
                           _measures(landscape.of(row["spec"]))) for row in rows]  # fmt: skip
        last = problem.incumbents[-1]
        incumbents.append(_held(last.means.values(), last.deviations.values(), _measures(landscape.of(last.spec))))
    shares = np.mean(on_front, axis=0)
    names = [target.partition("=")[0] for target in _TARGETS]
    return {
        **dict(zip(names, shares.tolist(), strict=True)),
        "incumbents": float(np.mean(incumbents)),
    }


def _balanced(game: Pairing, luck: Floats, planted: Floats) -> GameRecord:
    """Return a game with the measures of a candidate: its length and its result have luck of their own."""
    length, draws, seat = _measures(planted)
    win = 0.5 + seat - 0.5 * draws
    first = WIN if luck[0] < ndtri(win) else DRAW if luck[0] < ndtri(win + draws) else LOSE
    results = {WIN: (WIN, LOSE), DRAW: (DRAW, DRAW), LOSE: (LOSE, WIN)}[first]
    return record_of(game, results, (0.0, 0.0), round(length + 100.0 * luck[1]))


def _measures(planted: Floats) -> tuple[float, float, float]:
    """Return the true length, share of draws, and advantage of the first seat."""
    return 800.0 + 400.0 * planted[0], 0.05 + 0.4 * planted[1], 0.4 * (planted[2] - 0.5)


def _held(means: Any, deviations: Any, truth: Sequence[float]) -> npt.NDArray[np.bool_]:
    off = np.abs(np.array(list(means)) - np.array(truth))
    held: npt.NDArray[np.bool_] = off <= HALF_WIDTH * np.array(list(deviations))
    return held


# --- incumbents ---------------------------------------------------------------------------------------------------------

#: The game of each objective, and a win's score.
_GAMES: Final[Mapping[str, str]] = {"win_rate": "tic_tac_toe", "score": "sushi_go"}
#: Enough for chance seeds that all configurations share.
_PER_TRIAL: Final = 24
_TUNED: Final = ("horizon", "mutation_count", "elite_count", "population_size")


def incumbents(settings: Settings, simulations: int, rng: np.random.Generator, steepness: float = STEEP) -> Shares:
    """Return how often the interval of the last incumbent holds its true value, where configurations share chance seeds."""
    objective, luck, games = settings
    held = 0
    for seed in range(simulations):
        definition = define_study(
            "rhea:budget=20", _GAMES[objective], players=2, games=games, versus=("osla",), objective=objective,
            search=_TUNED, seed=seed + 1, sampler="bgp", games_per_trial=_PER_TRIAL,
        )  # fmt: skip
        landscape = Landscape.drawn(definition.space, 1, rng, steepness)
        schedule = schedule_of(definition, SEARCH, definition.versus)

        def law(game: Pairing, luck: Floats, schedule: Any = schedule, truth: Any = landscape.of) -> GameRecord:
            return _won(game, luck, float(truth(schedule.entries[game.matchup])[0]))

        problem = TuningSearch(definition, schedule)
        configurations, per_trial = definition.space.configurations, definition.games_per_trial
        seed_of_sampler = definition.stream("sampler")
        made = make_sampler(definition.sampler, configurations, games, seed_of_sampler, per_trial)
        study = optuna.create_study(sampler=made.sampler, directions=problem.directions)
        study.enqueue_trial(definition.space.default)
        problem.model = IncumbentModel(definition.space, study, definition.budgets, problem.bounds)
        queue: Any = PlantedGames(law, LUCK[luck], rng)
        Search(problem, study, queue, definition.budgets, definition.live).run()
        last = problem.model.incumbents[-1]
        truth = _chance(float(landscape.of(last.spec)[0]))
        off = last.value - (truth if objective == "win_rate" else 10.0 * truth)
        held += abs(off) <= HALF_WIDTH * last.deviation
    return {"held": held / simulations}


def _won(game: Pairing, luck: Floats, planted: float) -> GameRecord:
    """Return a game that the tuned agent wins with its chance, and its score has ten times this mean."""
    chance = _chance(planted)
    own = game.seating
    results, scores = [LOSE, LOSE], [0.0, 0.0]
    results[own if luck[0] < ndtri(chance) else 1 - own] = WIN
    scores[own] = 10.0 * chance + float(luck[1])
    return record_of(game, (results[0], results[1]), (scores[0], scores[1]), 9)


def _chance(planted: float) -> float:
    return 0.2 + 0.6 * planted


_TOLD: Final = (
    "With shared luck, the chance seed of a game decides 80 % of the variance of its luck, whoever plays. Values are "
    "logistic in the parameters. Simulations are studies: of 30, a share of 95 % has a standard error of 4."
)
_INCUMBENT: Final = (
    "How often the interval of the last incumbent holds its true value, in studies of four parameters by `bgp` with trials "
    "of 24 games, which share chance seeds."
)
_OF_INCUMBENTS: Final = [(objective, luck, 480) for objective in _GAMES for luck in LUCK]

TABLES: Final = [
    Table(
        "Fronts",
        "How often the intervals of a target hold its true measure, over all candidates on the fronts of studies with "
        "`--pareto`, three targets and trials of 20 games, which have chance seeds of their own; and those of the last "
        f"incumbent, over all targets. {_TOLD}",
        ("luck", "games"),
        [((luck, 400), 30) for luck in LUCK],
        fronts,
    ),
    Table(
        "Incumbents on gentle slopes",
        f"{_INCUMBENT} {_TOLD} Effects are nearly linear.",
        ("objective", "luck", "games"),
        [(settings, 30) for settings in _OF_INCUMBENTS],
        partial(incumbents, steepness=GENTLE),
    ),
    Table(
        "Incumbents on steep slopes",
        f"{_INCUMBENT} {_TOLD} Effects are steep and end at the best value.",
        ("objective", "luck", "games"),
        [(settings, 40) for settings in _OF_INCUMBENTS],
        incumbents,
    ),
]
