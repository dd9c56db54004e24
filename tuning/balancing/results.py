"""The results of a balancing study, from its folder: while it runs, when it was interrupted, and in the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, inf, isfinite
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from rich.table import Table

from tag.catalogue.registry import make_game
from tag.engine.parameters import parse_spec
from tag.engine.results import DRAW, WIN
from tournaments.ledger.games import read_records
from tournaments.ledger.rows import PlayedGame
from tournaments.reports.progress import Progress
from tournaments.reports.text import table_text
from tournaments.statistics.intervals import HALF_WIDTH, ends_text, plain
from tournaments.tracking.tournaments import next_in_grid
from tuning.balancing.definition import VALIDATION, BalanceDefinition, Group
from tuning.balancing.estimates import CandidateGames, Estimate
from tuning.balancing.problem import BalanceProblem, CandidateSchedule
from tuning.balancing.targets import Goal, Target, misses
from tuning.folder import (
    INCUMBENTS,
    TRIALS,
    KeptFrames,
    Manifest,
    of_now,
    read_frame,
    read_json,
    read_manifest_of,
    write_json,
)
from tuning.reports.findings import rows_of
from tuning.search.games import GameQueue
from tuning.search.trials import Search
from tuning.space.ranges import shown, value_text

# --- measuring ----------------------------------------------------------------------------------------------------------
#
# Measurement of a game on seeds that the search has not seen, and the precision of the measurement.


MET: Final = "met"
MISSED: Final = "missed"
OPEN: Final = "open"

#: So many standard errors more than half its width from the ends of a band, and nine of ten intervals lie inside.
_POWER: Final = 1.28


@dataclass(frozen=True)
class Measurement:
    """Estimates of the targets from the games of one candidate.

    Attributes:
        spec: the candidate.
        targets: the targets that were measured.
        estimates: of each target.
        games: how many were played.
        seed: of the stream of their chance seeds.
        degenerate: a sentence on the common end of all games; empty where games ended differently.
    """

    spec: str
    targets: tuple[Target, ...]
    estimates: tuple[Estimate, ...]
    games: int
    seed: int
    degenerate: str = ""

    @property
    def states(self) -> tuple[str, ...]:
        """The state of each target: met or missed by its whole interval, or still open."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return tuple(MET if one.is_met(got) else MISSED if one.is_missed(got) else OPEN for one, got in pairs)

    @property
    def is_feasible(self) -> bool:
        """True if all targets are met: every interval lies in its band."""
        return all(state == MET for state in self.states)

    def games_to_know(self) -> float:
        """Return the approximate number of games until all intervals lie in their bands; infinite if a value does not."""
        pairs = zip(self.targets, self.estimates, strict=True)
        return self.games * max((_growth(target, estimate) for target, estimate in pairs), default=1.0)

    def cost(self, goals: Sequence[Goal]) -> float:
        """Return the cost of this measurement."""
        return sum(goal.observed(estimate) for goal, estimate in zip(goals, self.estimates, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        rows = zip(self.targets, self.estimates, self.states, strict=True)
        return {
            "spec": self.spec,
            "games": self.games,
            "seed": self.seed,
            "feasible": self.is_feasible,
            "degenerate": self.degenerate,
            "targets": {one.name: {"target": str(one), **plain(asdict(got)), "state": what} for one, got, what in rows},
        }


def measure(schedule: CandidateSchedule, queue: GameQueue, spec: str, n_games: int, seed: int) -> Measurement:
    """Play ``n_games`` of a candidate, rounded up to whole blocks, and return the estimates.

    Args:
        schedule: of a stream of chance seeds.
        queue: plays the games.
        spec: the candidate.
        n_games: the number of games.
        seed: of the stream, for the record.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    plan = schedule.plan
    asked = schedule.games(schedule.enter(spec), range(ceil(n_games / plan.block_games)))
    queue.ask(asked)
    played: list[PlayedGame] = queue.take(asked)
    return Measurement(spec, plan.targets, plan.estimates(spec, played), len(played), seed, degenerate_text(played))


def degenerate_text(played: Sequence[PlayedGame]) -> str:
    """Return a sentence if all games that count ended alike, so that agents make no difference; otherwise nothing."""
    ends = [game.record.results for game in played if not game.record.void]
    if len(ends) < 2 or len(set(ends)) > 1:
        return ""
    winners = [seat for seat, result in enumerate(ends[0]) if result == WIN]
    all_games = f"all {len(ends):,} games"
    if not winners:
        end, target = ("drawn", "draws<=0.5") if DRAW in ends[0] else ("lost", "success>=0.1")
        said = f"{all_games} are {end}"
    elif len(winners) == len(ends[0]):
        said, target = f"{all_games} are won by the team", "success<=0.9"
    else:
        said, target = f"seat {' and '.join(map(str, winners))} wins {all_games}", "seat_spread<=0.5"
    return f"{said}, so that play decides nothing; add a target such as {target}"


def games_wanted(
    goals: Sequence[Goal], means: npt.NDArray[np.float64], variances: npt.NDArray[np.float64], fewest: int, most: int
) -> int:
    """Return the number of games after which intervals lie in their bands nine times of ten.

    Args:
        goals: the targets with their weights.
        means: the posterior means of the measures, of shape (goals,).
        variances: of each measure from one game, of shape (goals,).
        fewest: the least number of games to return.
        most: the greatest.
    """
    wanted = float(fewest)
    for goal, mean, variance in zip(goals, means.tolist(), variances.tolist(), strict=True):
        room = min(mean - goal.target.low, goal.target.high - mean)
        wanted = max(wanted, variance * ((HALF_WIDTH + _POWER) / room) ** 2 if room > 0.0 else inf)
    return most if wanted >= most else ceil(wanted)


def _growth(target: Target, estimate: Estimate) -> float:
    """Return the factor of games that shrinks an interval, by its square root, into the band."""
    value = estimate.value
    if not target.low < value < target.high:
        return inf
    sides = ((value - estimate.low, value - target.low), (estimate.high - value, target.high - value))
    shrink = max(half / room if isfinite(room) else 0.0 for half, room in sides)
    return max(shrink, 1.0) ** 2


# --- verdict of a balancing study: ``balance.json``, a game file with its evidence --------------------------------------


BALANCE: Final = "balance.json"


@dataclass(frozen=True)
class PanelCheck:
    """The printed rules and the choice, with other agents on other seeds.

    Attributes:
        agents: the specs of the agents that played.
        printed: the measurement of the printed rules.
        choice: the measurement of the choice.
    """

    agents: tuple[str, ...]
    printed: Measurement
    choice: Measurement

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {"agents": list(self.agents), "printed": self.printed.to_json(), "choice": self.choice.to_json()}


def verdict(
    manifest: Manifest[BalanceDefinition],
    printed: Measurement,
    choice: Measurement,
    measured: Sequence[Measurement],
    held_out: PanelCheck | None,
    tuned: str,
    retuned: PanelCheck | None,
) -> dict[str, Any]:
    """Return the content of ``balance.json``.

    Its ``name`` and ``parameters`` are those of the chosen game, so that commands accept the file as a game.

    Args:
        manifest: of the study.
        printed: the measurement of the printed rules.
        choice: the measurement of the choice.
        measured: all candidates that were measured on unseen seeds.
        held_out: the same two with held-out agents, if there are any.
        tuned: the agent that was tuned to the choice; empty for none.
        retuned: the same two with that agent; None where tuning did not change it.
    """
    definition = manifest.definition
    return {
        "name": parse_spec(choice.spec).name,
        "parameters": make_game(choice.spec).parameters.values(),
        "spec": choice.spec,
        "feasible": choice.is_feasible,
        "sentence": sentence(printed, choice),
        "changes": changes(printed.spec, choice.spec),
        "printed": printed.to_json(),
        "choice": choice.to_json(),
        "measured": [one.to_json() for one in measured],
        "held_out": held_out.to_json() if held_out else None,
        "retuned_agent": tuned or None,
        "retuned": retuned.to_json() if retuned else None,
        "study": {"id": manifest.id, "definition": definition.to_json(), "versions": manifest.versions},
    }


def changes(printed: str, choice: str) -> dict[str, list[Any]]:
    """Return the parameters in which the choice differs, with both values."""
    before, after = (make_game(spec).parameters.values() for spec in (printed, choice))
    return {name: [value, after[name]] for name, value in before.items() if value != after[name]}


def sentence(printed: Measurement, choice: Measurement) -> str:
    """Return the verdict for people."""
    if choice.is_feasible and choice.spec == printed.spec:
        return f"{shown(choice.spec)} meets all targets as it is, on {choice.games:,} games with unseen seeds"
    if choice.is_feasible:
        return f"{shown(choice.spec)} meets all targets, on {choice.games:,} games with unseen seeds"
    pairs = list(zip(choice.targets, choice.estimates, choice.states, strict=True))
    missed = [f"it misses {one} with {got.value:.3g}" for one, got, state in pairs if state == MISSED]
    open_ = [one.name for one, _got, state in pairs if state == OPEN]
    text = f"no candidate was shown to meet all targets; the nearest is {shown(choice.spec)}"
    text += f", and {' and '.join(missed)}" if missed else ""
    if open_ and not missed:
        text += f", for which {' and '.join(open_)} may be in the band or not after {choice.games:,} games"
        wanted = choice.games_to_know()
        text += f"; about {_rounded(wanted):,} would tell (--validation)" if isfinite(wanted) else ""
    return text


def write_verdict(folder: Path, content: Mapping[str, Any]) -> None:
    """Write it to the folder of a study, all or nothing."""
    write_json(folder / BALANCE, content)


def read_verdict(folder: Path) -> dict[str, Any] | None:
    """Return the verdict; None as long as the study is not complete.

    Raises:
        DataError: the file is damaged.
    """
    return read_json(folder / BALANCE)


def _rounded(number: float) -> int:
    """Return a number rounded to two significant digits."""
    return int(float(f"{number:.1e}"))


# --- course -------------------------------------------------------------------------------------------------------------
#
# The course of a balancing search: reported while it runs, and kept in the study's folder for reports during the search.


@dataclass(frozen=True)
class BalanceIncumbent:
    """The best candidate by the model at some time.

    Attributes:
        games: those of the search that counted.
        spec: of the candidate.
        miss: the believed miss of all targets together (`tuning.balancing.targets.misses`).
        means: the posterior means of its measures, by target.
        deviations: the standard deviations of these.
    """

    games: int
    spec: str
    miss: float
    means: dict[str, float]
    deviations: dict[str, float]

    def row(self) -> dict[str, Any]:
        """Return the row of ``incumbents.parquet``: the columns of each target are named like ``mean.length``."""
        return {
            "games": self.games,
            "spec": self.spec,
            "miss": self.miss,
            **{f"mean.{name}": mean for name, mean in self.means.items()},
            **{f"deviation.{name}": deviation for name, deviation in self.deviations.items()},
        }


@dataclass(frozen=True)
class BalanceState:
    """Progress of a search.

    Attributes:
        incumbent: the best candidate when the model was last asked; None before any estimate.
        trials: how many have ended.
        live: how many are in play.
    """

    incumbent: BalanceIncumbent | None
    trials: int
    live: int

    @property
    def text(self) -> str:
        """Progress in a line."""
        counts = f"{self.trials:,} trials, {self.live:,} in play"
        if self.incumbent is None:
            return counts
        one = self.incumbent
        found = ", ".join(
            f"{name} {mean:.4g} ± {HALF_WIDTH * one.deviations[name]:.2g}" for name, mean in one.means.items()
        )
        return f"{counts}; best by the model {found}: {shown(one.spec)}"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return dict(plain(asdict(self)))


class BalanceCourse:
    """Follows a search: `follow` after every step, `end` once it is over.

    The model is asked after fixed numbers of trials, independently of the budget. So a study with more games has the same
    course up to its earlier end.

    Attributes:
        incumbents: the best candidates by the model, in the course of the search.
    """

    def __init__(
        self,
        folder: Path,
        progress: Progress,
        search: Search,
        problem: BalanceProblem,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """Follow the search of the study in ``folder``, by a clock in seconds."""
        self.incumbents: list[BalanceIncumbent] = []
        self._progress = progress
        self._search = search
        self._problem = problem
        self._kept = KeptFrames(folder, self._frames, now)
        self._next_look = 1

    def follow(self) -> None:
        """Report the progress of the search, and write the files if they are old.

        Raises:
            DataError: the files cannot be written.
        """
        trials = len(self._search.trials)
        if trials >= self._next_look:
            self._next_look = next_in_grid(trials)
            self._look()
        incumbent = self.incumbents[-1] if self.incumbents else None
        self._progress.show_note("search", BalanceState(incumbent, trials, self._search.live))
        self._kept.keep()

    def end(self) -> None:
        """Write the files of the complete search.

        Raises:
            DataError: the files cannot be written.
        """
        self._look()
        self._kept.write()

    def _look(self) -> None:
        """Ask the model for the best candidate, if it has new estimates."""
        model = self._problem.model
        games = sum(trial.games for trial in self._search.trials)
        if not model.seen or (self.incumbents and self.incumbents[-1].games == games):
            return
        best = model.ranked()[0]
        means, deviations = model.posterior([best])
        names = [goal.target.name for goal in model.goals]
        self.incumbents.append(
            BalanceIncumbent(
                games,
                self._problem.spec(best),
                float(misses(model.goals, means)[0]),
                dict(zip(names, means[:, 0].tolist(), strict=True)),
                dict(zip(names, deviations[:, 0].tolist(), strict=True)),
            )
        )

    def _frames(self) -> dict[str, pd.DataFrame]:
        return {
            TRIALS: self._problem.frame(self._search.trials),
            INCUMBENTS: pd.DataFrame([one.row() for one in self.incumbents]),
        }


# --- results ------------------------------------------------------------------------------------------------------------
#
# Results of a balancing study from its folder: while it runs, after an interruption, and in the end.


FRONT: Final = "front.parquet"


@dataclass(frozen=True)
class BalanceResults:
    """Results of a balancing study so far.

    Attributes:
        folder: the study's.
        manifest: its definition and versions.
        trials: one row per trial that has ended, with its estimates.
        incumbents: the best candidates by the model in the course of the search (`tuning.balancing.results`).
        front: the Pareto front of the candidates (`tuning.balancing.model`), once the search is over.
        verdict: the content of ``balance.json``; None as long as the study is not complete.
    """

    folder: Path
    manifest: Manifest[BalanceDefinition]
    trials: pd.DataFrame
    incumbents: pd.DataFrame
    front: pd.DataFrame
    verdict: dict[str, Any] | None

    @property
    def complete(self) -> bool:
        """True if the study is complete."""
        return self.verdict is not None


def read_balance(folder: Path) -> BalanceResults:
    """Return the results of the balancing study in ``folder``.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_manifest_of(BalanceDefinition, folder)
    return BalanceResults(
        folder,
        manifest,
        read_frame(folder / TRIALS),
        read_frame(folder / INCUMBENTS),
        read_frame(folder / FRONT),
        of_now(manifest, read_verdict(folder)),
    )


# --- validated ----------------------------------------------------------------------------------------------------------
#
# The games that measured the printed rules and the choice, from the ledger of the validation.


def validated_games(
    results: BalanceResults, measured: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[Group, CandidateGames]]]:
    """Return the games of candidates on the seeds of the validation, by label and by group.

    Args:
        results: of a complete study.
        measured: measurements as they are in ``balance.json``.

    Raises:
        DataError: the ledger is damaged.
    """
    definition, folder = results.manifest.definition, results.folder / VALIDATION
    plan = definition.plan
    schedule = CandidateSchedule(plan, definition.stream(VALIDATION), definition.rules.conditions())
    schedule.keep(folder)
    records = dict(read_records(folder))
    found = {}
    for name, one in measured.items():
        games = schedule.games(schedule.enter(one["spec"]), range(one["games"] // plan.block_games))
        places = [(game.block, game.matchup, game.seating) for game in games]
        played = [PlayedGame(game, records[at]) for game, at in zip(games, places, strict=True) if at in records]
        found[name] = list(plan.views(one["spec"], played))
    return found


# --- output of a balancing study: text for people, JSON for programs ----------------------------------------------------


_MOST_ROWS: Final = 20
_MARKS: Final = {"met": "✓", "missed": "✗", "open": "?"}


def balance_text(results: BalanceResults, width: int | None = None) -> str:
    """Return the targets beside the printed rules and the choice, the checks, and the Pareto front where one was wanted."""
    definition = results.manifest.definition
    parts = [_head(definition)]
    trials = results.trials
    if trials.empty:
        return "\n".join([*parts, "nothing has been played yet"])
    parts.append(f"{trials['spec'].nunique():,} candidates, {int(trials['games'].sum()):,} games")
    if definition.pareto and len(results.front):
        parts += ["", _front_text(definition, results.front, width)]
    found = results.verdict
    if found is None:
        return "\n".join([*parts, "not complete"])
    parts += ["", _comparison_text(found["printed"], found["choice"], width)]
    for name, title in (("held_out", "with agents held out"), ("retuned", "with the agent tuned to the choice")):
        check = found[name]
        if check:
            agents = ", ".join(check["agents"])
            parts += ["", f"{title}: {agents}", _comparison_text(check["printed"], check["choice"], width)]
    if found["retuned_agent"] and not found["retuned"]:
        parts += ["", f"tuning {definition.retune} to the choice found nothing better: nothing to measure again"]
    warning = [f"warning: {found['choice']['degenerate']}"] if found["choice"].get("degenerate") else []
    return "\n".join([*parts, "", *_changes_text(found["changes"]), str(found["sentence"]), *warning])


def balance_json(results: BalanceResults) -> dict[str, Any]:
    """Return the same and all trials as plain values."""
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": results.manifest.definition.to_json(),
        "verdict": results.verdict,
        "front": rows_of(results.front),
        "trials": rows_of(results.trials),
    }


def changed_texts(changed: Mapping[str, Sequence[Any]]) -> list[tuple[str, str, str]]:
    """Return the parameters that differ, with both values as people read them."""
    return [(name, shown(value_text(before)), shown(value_text(after))) for name, (before, after) in changed.items()]


def changes_words(printed: str, spec: str) -> str:
    """Return the changes of a candidate to the printed rules, in a line."""
    changed = [f"{name} {after}" for name, _before, after in changed_texts(changes(printed, spec))]
    return ", ".join(changed) or "none: as printed"


def _head(definition: BalanceDefinition) -> str:
    return (
        f"{definition.game}, {definition.players} players, by {', '.join(definition.agents)}: "
        f"{', '.join(definition.targets)}; {definition.games_per_trial:,} games per candidate"
    )


def _comparison_text(printed: Mapping[str, Any], choice: Mapping[str, Any], width: int | None) -> str:
    """Return a table of the targets: the printed rules beside the choice."""
    is_same = printed["spec"] == choice["spec"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("target", overflow="fold")
    for one in (printed,) if is_same else (printed, choice):
        title = "printed rules" if one is printed else "choice"
        table.add_column(f"{title}, {one['games']:,} games", justify="right", overflow="fold")
    for name, cell in printed["targets"].items():
        both = (cell,) if is_same else (cell, choice["targets"][name])
        table.add_row(cell["target"], *map(_cell, both))
    return table_text(table, width)


def _cell(measured: Mapping[str, Any]) -> str:
    """Return an estimate with its interval, and whether it is in the band."""
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None:
        return f"unknown {_MARKS[measured['state']]}"
    ends = (-inf if low is None else low, inf if high is None else high)
    interval = "" if low == high else f" ({ends_text(*ends, '.4g')})"  # an exact value has none
    return f"{value:.4g}{interval} {_MARKS[measured['state']]}"


def _changes_text(changed: Mapping[str, Sequence[Any]]) -> list[str]:
    return [f"{name}: {before} → {after}" for name, before, after in changed_texts(changed)]


def _front_text(definition: BalanceDefinition, front: pd.DataFrame, width: int | None) -> str:
    """Return a table of the changes and gains of each candidate on the front, by the model."""
    table = Table(box=None, pad_edge=False, header_style="bold", title=None)
    table.add_column("changes", overflow="fold")
    table.add_column("distance", justify="right")
    for goal in definition.goals:
        table.add_column(str(goal.target), justify="right", overflow="fold")
    for row in front.head(_MOST_ROWS).to_dict("records"):
        text = changes_words(definition.space.base, str(row["spec"]))
        cells = [
            f"{row[f'mean.{name}']:.4g} ± {HALF_WIDTH * row[f'deviation.{name}']:.2g}"
            for name in (goal.target.name for goal in definition.goals)
        ]
        table.add_row(text, f"{row['distance']:.3f}", *cells)
    more = len(front) - _MOST_ROWS
    return table_text(table, width) + (f"\nand {more:,} more (--json has all)" if more > 0 else "")
