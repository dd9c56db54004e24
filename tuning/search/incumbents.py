"""The incumbents of a search, trials of earlier studies, the problem of tuning, and the course of the search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil, hypot, inf, isfinite, sqrt
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np
import optuna
import pandas as pd
from optuna.study import StudyDirection
from optuna.trial import FrozenTrial

from tag.errors import DataError, TagError
from tag.tournaments.designs.games import Pairing
from tag.tournaments.driver.events import PlayListener
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.statistics.intervals import HALF_WIDTH, half_width_text, plain
from tag.tuning.definition import StudyDefinition, read_study_manifest
from tag.tuning.objectives import BlockMoments, Objective, bounds_of
from tag.tuning.samplers import NtbeaBgpSampler
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.gaussian_process import within
from tag.tuning.samplers.model_sampler import GAMES, ModelSampler
from tag.tuning.search.games import Search, StudySchedule
from tag.tuning.search.reversion import LOST_BEFORE_GAMES, LOST_WITHOUT_GAMES, Gains, without_idle_changes
from tag.tuning.search.trials import (
    FinishedTrial,
    KnownTrial,
    Race,
    Trial,
    ValuePrior,
    joined,
    known_rows,
    rungs,
    rungs_frame,
    together,
    trials_frame,
)
from tag.tuning.space import SearchSpace
from tag.tuning.space.configurations import Configuration
from tag.tuning.space.ranges import shown
from tag.tuning.study import INCUMBENTS, RUNGS, STUDY, TIMES, TRIALS, KeptFrames, read_frame, write_frame

# --- model --------------------------------------------------------------------------------------------------------------
#
# The model in the course of a study: the incumbent, and the trials that fall behind it.


#: Number of recommendations of the model in a study, for the curve and the next reference.
_LOOKS: Final = 50
#: The deviation between blocks counts as known from so many blocks on (`tag.tuning.search.trials`).
_FEWEST_FREE: Final = 32
#: After fewer games, two configurations with half of them each differ by more than 0.2 of a rate by luck (95 %).
FEWEST_GAMES: Final = 100
#: Least number of configurations for a recommendation.
FEWEST_CONFIGURATIONS: Final = 3


@dataclass(frozen=True)
class Incumbent:
    """Recommendation of the model after so many ``games`` of the search.

    Attributes:
        value: the model's estimate of the objective, without luck, with its standard ``deviation``.
        pessimistic: the greatest lower end of a 95 % interval among the tried configurations; the nearer to the value, the
            more the search has converged.
        played: how many games the study knows of the configuration; 0 if only the model supports it.
        shared: the part of the deviation that all configurations share, as they play the same chance seeds.
    """

    games: int
    spec: str
    value: float
    deviation: float
    pessimistic: float
    played: int
    shared: float = 0.0

    @property
    def text(self) -> str:
        """Its value with half the length of its 95 % interval, and its spec."""
        return f"{self.value:.3f} ± {half_width_text(HALF_WIDTH * self.deviation, '.3f')}: {shown(self.spec)}"

    def row(self) -> dict[str, Any]:
        """Return its row of ``incumbents.parquet``."""
        return vars(self)


class SharedLuck:
    """The luck of chance seeds that configurations have in common.

    A seed that suits all configurations raises the values of all, and the model, which compares them, cannot see it. Its
    variance V follows from the residuals of trials, the values of their blocks less their mean: the mean residual of a seed
    over c trials has the variance V + (W - V) / c, where W is that of single blocks.

    >>> luck = SharedLuck()
    >>> for _trial in range(50):
    ...     luck.add(range(4), [0.0, 1.0, 0.0, 1.0])
    >>> round(luck.deviation, 3)  # of a mean over these four seeds
    0.289
    """

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._trials: dict[int, int] = {}
        self._squares = 0.0
        self._freedom = 0

    def add(self, seeds: Iterable[int], by_block: Sequence[float]) -> None:
        """Count a trial by the values of its blocks and the numbers of their chance seeds."""
        if len(by_block) < 2:
            return
        mean = fmean(by_block)
        self._freedom += len(by_block) - 1
        for seed, value in zip(seeds, by_block, strict=True):
            self._sums[seed] = self._sums.get(seed, 0.0) + value - mean
            self._trials[seed] = self._trials.get(seed, 0) + 1
            self._squares += (value - mean) ** 2

    @property
    def deviation(self) -> float:
        """The standard deviation of what all values share; 0 where seeds do not repeat."""
        trials = np.array([self._trials[seed] for seed in self._sums if self._trials[seed] > 1], dtype=np.float64)
        if len(trials) < 2:
            return 0.0
        sums = np.array([self._sums[seed] for seed in self._sums if self._trials[seed] > 1])
        between = float(((sums / trials) ** 2).sum()) / (len(trials) - 1)
        rest = float((1.0 / trials).mean())
        variance = (between - self._squares / self._freedom * rest) / (1.0 - rest)
        every = np.array(list(self._trials.values()), dtype=np.float64)
        weights = every / every.sum()
        return sqrt(max(variance, 0.0) * float(weights @ weights))


class IncumbentModel:
    """Learns from every trial that ends, and keeps the recommendations in the course of the search as ``incumbents``."""

    def __init__(
        self,
        space: SearchSpace,
        study: optuna.Study,
        budgets: Sequence[int],
        bounds: tuple[float, float] = (-inf, inf),
    ) -> None:
        """Begin with the trials of ``study``; of several objectives, the first decides.

        Args:
            space: the search space.
            study: the Optuna study of the trials; a sampler with a model of its own recommends by that model.
            budgets: the games of the search, one budget after the other.
            bounds: the least and the greatest value that the objective can have.
        """
        self._bounds = bounds
        self.incumbents: list[Incumbent] = []
        direction, sampler = study.directions[0], study.sampler
        self._space = space
        self._sign = 1.0 if direction == StudyDirection.MAXIMIZE else -1.0
        self._is_own = len(study.directions) > 1  # models know a single objective
        self._study = optuna.create_study(direction=direction) if self._is_own else study
        own = sampler.process if isinstance(sampler, NtbeaBgpSampler) else sampler
        self._model = own if isinstance(own, BgpSampler) else BgpSampler(space.configurations)
        self._chooser = sampler if isinstance(sampler, ModelSampler) else self._model
        self._has_fitted = self._model in (self._chooser, own)  # the chooser fits it before it recommends
        self._race = Race()
        self._reference: ValuePrior | None = None
        self._blocks = BlockMoments()
        self._luck = SharedLuck()
        self._games = 0
        self._budgets = tuple(budgets)
        self._next_look = 0.0
        #: The configurations of which no game counts.
        self._void: set[str] = set()

    def learn(self, trial: FinishedTrial, by_block: Sequence[float], seeds: Sequence[int] = ()) -> None:
        """Learn from a trial that has ended, and from the values of its blocks and the numbers of their chance seeds."""
        self._games += trial.games
        self._blocks.add(by_block)
        if len(seeds) == len(by_block):
            self._luck.add(seeds, by_block)
        if trial.value is None:
            self._void.add(trial.spec)
            return
        if self._is_own:
            self._study.add_trial(
                KnownTrial(trial.spec, trial.games, trial.value, trial.blocks, trial.block_variance).of_optuna(
                    self._space
                )
            )
        if self._games >= self._next_look:
            budget = next((one for one in self._budgets if one >= self._games), self._budgets[-1])
            self._next_look = self._games + budget / _LOOKS
            self.look()

    def prunes(self, by_block: Sequence[float]) -> bool:
        """Say whether a trial with blocks of these values is behind the incumbent, with the race's confidence."""
        if self._reference is None or self._blocks.freedom < _FEWEST_FREE:
            return False
        values = [self._sign * one for one in by_block]
        greatest = max(self._sign * bound for bound in self._bounds)
        blocks = self._blocks
        return self._race.prunes(values, self._reference, blocks.deviation, self._sign * blocks.skewness, greatest)

    def look(self) -> None:
        """Note the incumbent, and make it the reference, if any trial has a value."""
        known = self._known()
        if not known:
            return
        found = self._chooser.recommend(self._study)
        if not self._has_fitted:
            self._model.recommend(self._study)
        self._note(found, known)

    def revert(self, lost: float) -> Incumbent:
        """Take back the least certain changes of the last incumbent, which are believed to gain nothing; return the rest.

        It is for the end of a search, after a look; ``lost`` is the share of the believed gain that may be lost.
        """
        space = self._space
        last = space.configuration(self.incumbents[-1].spec)
        return self.replace(without_idle_changes(self._model, space.configurations, last, space.nearest, lost))

    def gains(self) -> Gains:
        """Return what the model believes of each change of the last incumbent."""
        space = self._space
        last = space.configuration(self.incumbents[-1].spec)
        return Gains.by_the_model(self._model, space.configurations, last, space.nearest)

    def replace(self, found: Configuration) -> Incumbent:
        """Make a configuration the last incumbent, unless all of its games were void."""
        spec, last = self._space.spec(found), self.incumbents[-1]
        return last if spec == last.spec or spec in self._void else self._note(found, self._known())

    def _note(self, found: Configuration, known: Sequence[FrozenTrial]) -> Incumbent:
        """Make a configuration the incumbent and the reference, by what the model learnt from the ``known`` trials."""
        active = self._space.configurations.active
        means, deviations = self._model.posterior([found, *(active(trial.params) for trial in known)])
        self._reference = ValuePrior(float(means[0]), float(deviations[0]))
        shared = self._luck.deviation
        lower = float((means[1:] - HALF_WIDTH * np.hypot(deviations[1:], shared)).max())
        spec = self._space.spec(found)
        played = sum(trial.user_attrs[GAMES] for trial in known if trial.user_attrs["spec"] == spec)
        shown, spread = within(self._sign * means[:1], deviations[:1], self._bounds)
        pessimistic = float(np.clip(self._sign * lower, *self._bounds))
        deviation = hypot(float(spread[0]), shared)
        incumbent = Incumbent(self._games, spec, float(shown[0]), deviation, pessimistic, played, shared)
        if self.incumbents and self.incumbents[-1].games == self._games:
            self.incumbents.pop()
        self.incumbents.append(incumbent)
        return incumbent

    def doubt(self, generations: int = 0) -> str:
        """Return a sentence on why this search has no recommendation; empty if it has one.

        Args:
            generations: how many there are in self-play, of which this search is the last; 0 without self-play.
        """
        where = f" in the last of {generations} generations" if generations else ""
        known = self._known()
        games = sum(trial.user_attrs[GAMES] for trial in known)
        configurations = len({trial.user_attrs["spec"] for trial in known})
        if games < FEWEST_GAMES:
            luck = (
                f", as two configurations with half of them each differ by up to {HALF_WIDTH / sqrt(games):.2f} by luck"
            )
            return (
                f"{games:,} games{where} are too few to recommend anything{luck if isfinite(self._bounds[1]) else ''}; "
                f"it takes {FEWEST_GAMES}"
                + (f" in each (--games {FEWEST_GAMES * generations} or more)" if generations else " (--games)")
            )
        if configurations < FEWEST_CONFIGURATIONS:
            return (
                f"{configurations} configurations were played{where}, too few to recommend anything; it takes "
                f"{FEWEST_CONFIGURATIONS} (--games, --games-per-trial)"
            )
        if len({trial.value for trial in known}) == 1:
            return (
                f"all {configurations} configurations{where} came to the same value, {known[0].value:g}, so that nothing "
                "tells them apart; it takes other opponents (--versus) or another objective"
            )
        return ""

    def _known(self) -> list[FrozenTrial]:
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.value is not None]


# --- warm start: trials of earlier studies that a new one knows at the start --------------------------------------------
#
# They are copied into the folder of the new study at its start. So the study stays a function of its folder, even if the
# earlier ones change.


_KNOWN: Final = "warm_start.parquet"
#: Fields of the definition that must agree for values to compare.
_SAME: Final = ("game", "players", "versus", "objective", "panel")


def known_trials(out: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the results of the earlier studies that lie in the definition's space, each configuration once.

    A study that has been begun in ``out`` keeps the trials that it knew then.

    Raises:
        DataError: an earlier study does not exist or has another subject, or none of its trials lies in the space.
    """
    if (out / STUDY).exists():
        return read_known_trials(out)
    found: dict[str, list[KnownTrial]] = {}
    for folder in definition.warm_start:
        _check(Path(folder), definition)
        for trial in _trials_of(Path(folder), definition):
            found.setdefault(trial.spec, []).append(trial)
    return [together(trials) for trials in found.values()]


def write_known_trials(out: Path, trials: Sequence[KnownTrial]) -> None:
    """Keep them in the folder of a study; nothing where there are none."""
    if trials:
        write_frame(out / _KNOWN, pd.DataFrame([vars(trial) for trial in trials]))


def read_known_trials(out: Path) -> list[KnownTrial]:
    """Return those in the folder of a study."""
    return known_rows(read_frame(out / _KNOWN))


def _check(folder: Path, definition: StudyDefinition) -> None:
    earlier, mine = read_study_manifest(folder).definition.to_json(), definition.to_json()
    if earlier["generations"] or "," in definition.objective:
        raise DataError(
            f"warm_start cannot be {str(folder)!r}: values of self-play, or of several objectives, do not carry over"
        )
    for name in _SAME:
        if earlier[name] != mine[name]:
            raise DataError(
                f"warm_start cannot be {str(folder)!r}: its {name} is {earlier[name]!r}, not {mine[name]!r}"
            )


def _trials_of(folder: Path, definition: StudyDefinition) -> list[KnownTrial]:
    """Return the trials of an earlier study with a value that lie in the space, by their specs there."""
    frame = read_frame(folder / TRIALS)
    rows = [] if frame.empty else known_rows(frame.dropna(subset=["value"]))
    placed = [replace(row, spec=_in_space(definition, row.spec)) for row in rows if row.games]
    found = [trial for trial in placed if trial.spec]
    if not found:
        raise DataError(f"warm_start cannot be {str(folder)!r}: none of its trials lies in this search space")
    return found


def _in_space(definition: StudyDefinition, spec: str) -> str:
    """Return a spec as the study has it; empty where it lies outside."""
    try:
        return definition.space.spec(definition.space.configuration(spec))
    except TagError:
        return ""


# --- problem ------------------------------------------------------------------------------------------------------------
#
# Tuning as a problem for the search: opponents, values, and pruning of a configuration.


#: Trials of fewer rounds have chance seeds of their own: in a few deals, all configurations that these deals suit would
#: look strong.
_FEWEST_COMMON: Final = 10
#: The value of a rate (`tag.tuning.objectives.RATES`) where all games are lost.
_LOST: Final = 0.0


class TuningProblem:
    """The search of a tuning study against some opponents (`tag.tuning.search.games.Problem`).

    Attributes:
        schedule: the games of agents.
        model: the model of the configurations, once there is a study.
    """

    model: IncumbentModel

    def __init__(self, definition: StudyDefinition, schedule: StudySchedule) -> None:
        self.configurations = definition.space.configurations
        self.games_per_trial = definition.games_per_trial
        self.schedule = schedule
        self._definition = definition
        self._objectives = [
            Objective(name, schedule, definition.panel, max(schedule.opponents, 1)) for name in definition.objectives
        ]
        self.bounds = bounds_of(definition.objectives[0])
        self._speed = Objective("decision_ms", schedule)
        self._blocks: dict[int, int] = {}

    @property
    def directions(self) -> list[StudyDirection]:
        """Directions of the objectives."""
        return [StudyDirection[objective.direction.upper()] for objective in self._objectives]

    def begin(self, number: int, configuration: Configuration) -> tuple[int, list[list[Pairing]]]:
        """Return the agent's number in the ledger, and the games of trial ``number``, rung by rung.

        All configurations begin with the same blocks, unless these are few; one that is tried again goes on with new
        ones.
        """
        agent = self.schedule.enter(self.spec(configuration))
        per_trial, round_games = self._definition.games_per_trial, self._definition.round_games
        if per_trial < round_games:
            return agent, [self.schedule.some_games(agent, range(number * per_trial, (number + 1) * per_trial))]
        rounds = per_trial // round_games
        begin = max(self._blocks.get(agent, 0), 0 if rounds >= _FEWEST_COMMON else number * rounds)
        self._blocks[agent] = begin + rounds
        ends = rungs(per_trial, round_games) if self._definition.race else (rounds,)
        panel = max(self.schedule.opponents, 1)
        return agent, [
            self.schedule.games(agent, range((begin + low) * panel, (begin + high) * panel))
            for low, high in zip((0, *ends), ends, strict=False)
        ]

    def skip(self, spec: str, games: int) -> None:
        """Skip the first games of an agent, which it has played before."""
        self._blocks[self.schedule.enter(spec)] = ceil(games / self._definition.round_games)

    def spec(self, configuration: Configuration) -> str:
        """Return the spec that a configuration stands for."""
        return self._definition.space.spec(configuration)

    def values(self, agent: int, games: Sequence[PlayedGame]) -> Sequence[float] | None:
        """Return the value of each objective; None where no game counts."""
        values = [objective.value(games, agent) for objective in self._objectives]
        found = [value for value in values if value is not None]
        if len(found) < len(values):
            return None
        return [_LOST, *found[1:]] if self._is_too_slow(agent, games) else found

    def by_block(self, agent: int, games: Sequence[PlayedGame]) -> list[float]:
        """Return the value of the first objective in the games of each chance seed."""
        return self._objectives[0].by_block(games, agent)

    def prunes(self, trial: Trial) -> bool:
        """Say whether a trial falls behind, or the study's pruner drops it; of several objectives, none does."""
        if len(self._objectives) > 1:
            return False
        if self._definition.pruner:
            return self._is_pruned(trial)
        return self.model.prunes(self.by_block(trial.agent, trial.games))

    def finished(self, trial: Trial, found: FinishedTrial, by_block: Sequence[float]) -> None:
        """Pass the trial to the model."""
        panel = max(self.schedule.opponents, 1)
        seeds = sorted({game.pairing.block // panel for game in trial.games if not game.record.void})
        self.model.learn(found, by_block, seeds)

    def look(self) -> None:
        """Have the model note the incumbent at the end of a budget, without changes that are believed to gain nothing."""
        self.model.look()
        if self.model.incumbents:
            will_compare = self._definition.reversion_games and self._definition.games_to_compare
            self.model.revert(LOST_BEFORE_GAMES if will_compare else LOST_WITHOUT_GAMES)

    def _is_pruned(self, trial: Trial) -> bool:
        """Report the value after a rung, its step being the games so far, and ask the pruner of the study."""
        values = self.values(trial.agent, trial.games)
        if values is None:
            return False
        trial.optunas.report(values[0], step=len(trial.games))
        trial.is_reported = True
        return bool(trial.optunas.should_prune())

    def _is_too_slow(self, agent: int, games: Sequence[PlayedGame]) -> bool:
        limit = self._definition.decision_ms_limit
        return limit > 0.0 and (self._speed.value(games, agent) or 0.0) > limit


def why_none_is_pruned(definition: StudyDefinition) -> str:
    """Return why no trial of a study can be pruned, as a clause; empty if trials can be."""
    if not definition.race:
        return "every trial has all of its games, as was asked for"
    if len(definition.objectives) > 1:
        return "of several objectives, none shows that a trial is behind"
    block = definition.round_games
    least = next(games for games in count(block, block) if _is_judged_early(games, block))
    judged = _is_judged_early(definition.games_per_trial, block)
    return "" if judged else f"that takes trials of {least:,} games or more"


def _is_judged_early(games: int, block_games: int) -> bool:
    """Say whether a trial of so many games is judged before its end, after enough blocks."""
    return any(blocks >= Race().fewest_blocks for blocks in rungs(games, block_games)[:-1])


def schedule_of(definition: StudyDefinition, stream: str, opponents: Sequence[str]) -> StudySchedule:
    """Return the schedule of a study against the ``opponents``, with the seeds of a stream."""
    return StudySchedule(
        definition.game,
        definition.players,
        opponents,
        definition.stream(stream),
        definition.rules.conditions(),
        definition.metrics,
    )


# --- course of a search: reported while it runs, and kept in the study's folder -----------------------------------------

#: The kind of the columns of times.
_CLOCKS: Final = dict.fromkeys(("begun", "ended"), "datetime64[us, UTC]")
#: The counts of trials, and how people read them.
_COUNTS: Final = {"trials": "trials", "dropped": "pruned", "live": "in play"}


class FoundBest(Protocol):
    """The best configuration by the model at some time of a search."""

    @property
    def text(self) -> str:
        """Its values and its spec, for people."""

    def row(self) -> dict[str, Any]:
        """Return its row of ``incumbents.parquet``."""


@dataclass(frozen=True)
class SearchState:
    """Progress of a search: the incumbent, None before there is one, and counts of trials by `_COUNTS`."""

    incumbent: FoundBest | None
    counts: dict[str, int]

    @property
    def text(self) -> str:
        """Progress in a line."""
        counts = ", ".join(f"{count:,} {_COUNTS[name]}" for name, count in self.counts.items())
        return counts if self.incumbent is None else f"{counts}; best by the model {self.incumbent.text}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(plain({"incumbent": self.incumbent and vars(self.incumbent), **self.counts}))


class SearchHistory:
    """Follows the searches of a study, one after the other: `begin`, `follow` after every step, `end`."""

    def __init__(
        self,
        folder: Path,
        progress: PlayListener,
        now: Callable[[], float] = perf_counter,
        *,
        counts: Sequence[str] = tuple(_COUNTS),
        frame: Callable[[list[FinishedTrial]], pd.DataFrame] = trials_frame,
    ) -> None:
        """Follow the study in ``folder``, by a clock in seconds; ``frame`` makes the rows of trials."""
        self._progress = progress
        self._kept = KeptFrames(folder, self._frames, now)
        self._searches: list[tuple[Search, Sequence[FoundBest]]] = []
        self._counts = counts
        self._frame = frame
        self._earlier_times = read_frame(folder / TIMES)

    def begin(self, search: Search, incumbents: Sequence[FoundBest]) -> None:
        """Follow this search and its incumbents from now on."""
        self._searches.append((search, incumbents))

    def follow(self) -> None:
        """Report the progress of the search, and write the files if they are old."""
        search, incumbents = self._searches[-1]
        counts = {"trials": len(search.trials), "dropped": search.dropped, "live": search.live}
        state = SearchState(incumbents[-1] if incumbents else None, {name: counts[name] for name in self._counts})
        self._progress.show_note("search", state)
        self._kept.keep()

    def end(self) -> None:
        """Write the files of the complete search; `DataError` where they cannot be written."""
        self._kept.write()

    def _frames(self) -> dict[str, pd.DataFrame]:
        rungs = joined([rungs_frame(search.trials) for search, _incumbents in self._searches])
        return {
            **({} if rungs.empty else {RUNGS: rungs}),
            TIMES: self._times(),
            TRIALS: joined([self._frame(search.trials) for search, _incumbents in self._searches]),
            INCUMBENTS: joined([incumbents_frame(incumbents) for _search, incumbents in self._searches]),
        }

    def _times(self) -> pd.DataFrame:
        """Return when trials began and ended; not when a study that goes on reads them again from its ledger."""
        rows = [
            (generation, number, begun, search.ended.get(number))
            for generation, (search, _incumbents) in enumerate(self._searches)
            for number, begun in search.begun.items()
        ]
        place = ["generation", "number"]
        now = pd.DataFrame(rows, columns=[*place, "begun", "ended"]).astype(_CLOCKS).set_index(place)
        if self._earlier_times.empty:
            return now.reset_index()
        return self._earlier_times.astype(_CLOCKS).set_index(place).combine_first(now).reset_index()


def incumbents_frame(incumbents: Sequence[FoundBest]) -> pd.DataFrame:
    """Return one row per recommendation, in the order of games."""
    return pd.DataFrame([one.row() for one in incumbents])
