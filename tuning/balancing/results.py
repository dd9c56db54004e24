"""The results of a balancing study, from its folder: while it runs, when it was interrupted, and in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, inf, isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from tag.catalogue.registry import make_game
from tag.engine.parameters import parse_spec
from tag.engine.results import DRAW, WIN
from tag.tournaments.ledger.games import read_records
from tag.tournaments.ledger.rows import PlayedGame
from tag.tournaments.reports.terminal import table_text
from tag.tournaments.statistics.intervals import CONFIDENCE, HALF_WIDTH, ends_text, student
from tag.tournaments.statistics.plain_records import plain
from tag.tuning.balancing.definition import VALIDATION, BalanceDefinition
from tag.tuning.balancing.estimation import CandidateGames, Estimate
from tag.tuning.balancing.plan import Group
from tag.tuning.balancing.problem import CandidateSchedule
from tag.tuning.balancing.targets import Goal, Target, measures_of
from tag.tuning.reports.results import empty_table, rows_of
from tag.tuning.space.ranges import shown, value_text
from tag.tuning.study.definition import FEWEST_BLOCKS
from tag.tuning.study.files import read_frame
from tag.tuning.study.folder import Manifest, ResultsSoFar
from tag.tuning.study.queue import GameQueue

# --- measuring ----------------------------------------------------------------------------------------------------------
#
# Measurement of a game on seeds that the search has not seen, and the precision of the measurement.


MET: Final = "met"
MISSED: Final = "missed"
OPEN: Final = "open"

#: So many standard errors more than half its width from the ends of a band, and nine of ten intervals lie inside.
_POWER: Final = 1.28

#: The greatest chance that a study certifies a candidate although none meets the targets.
_FAMILY: Final = 0.05


def confidence_of(finalists: int) -> float:
    """Return the confidence of the intervals of a study with so many finalists, and the printed rules.

    Each of these is certified falsely with the probability of one tail, at the end of a band. All tails together have a
    probability of 5 % (Bonferroni), although the first candidate that fits is taken.

    >>> confidence_of(1), confidence_of(3)
    (0.95, 0.975)
    """
    return 1.0 - 2.0 * _FAMILY / (finalists + 1)


@dataclass(frozen=True)
class Measurement:
    """Estimates of the targets from the games of one candidate.

    Attributes:
        spec: the candidate.
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
        """Return the results as plain values."""
        rows = zip(self.targets, self.estimates, self.states, strict=True)
        return {
            "spec": self.spec,
            "games": self.games,
            "seed": self.seed,
            "feasible": self.is_feasible,
            "degenerate": self.degenerate,
            "targets": {one.name: {"target": str(one), **plain(asdict(got)), "state": what} for one, got, what in rows},
        }


def measure(
    schedule: CandidateSchedule, queue: GameQueue, spec: str, n_games: int, seed: int, confidence: float
) -> Measurement:
    """Play ``n_games`` of a candidate, rounded up to whole blocks, on the stream of ``seed``, and return the estimates.

    Intervals have the ``confidence``, of 95 % or more.

    Raises:
        StudyInterruptedError: the study was asked to stop.
    """
    plan = schedule.plan
    blocks = ceil(n_games / plan.block_games)
    asked = schedule.games(schedule.enter(spec), range(blocks))
    queue.ask(asked)
    played: list[PlayedGame] = queue.take(asked)
    factor = student(blocks, confidence) / student(blocks) if blocks > 1 else 1.0
    known = measures_of(spec)
    estimates = tuple(
        one.widened(factor, known[target.measure].least, known[target.measure].greatest)
        for target, one in zip(plan.targets, plan.estimates(spec, played), strict=True)
    )
    return Measurement(spec, plan.targets, estimates, len(played), seed, degenerate_text(played))


def chosen(candidates: Sequence[Measurement], goals: Sequence[Goal]) -> Measurement:
    """Return the choice among measured candidates: the first that meets all targets, otherwise the nearest.

    A target that one of them surely meets is not surely missed for a gain elsewhere, which may be luck. Where this leaves
    several, or where each misses what another meets, the least cost decides among those that miss the fewest such targets.
    """
    feasible = [one for one in candidates if one.is_feasible]
    if feasible:
        return feasible[0]
    within_reach = [MET in states for states in zip(*(one.states for one in candidates), strict=True)]

    def order(one: Measurement) -> tuple[int, float]:
        needless = sum(can and state == MISSED for can, state in zip(within_reach, one.states, strict=True))
        return needless, one.cost(goals)

    return min(candidates, key=order)


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
    goals: Sequence[Goal],
    means: npt.NDArray[np.float64],
    variances: npt.NDArray[np.float64],
    fewest: int,
    most: int,
    confidence: float = CONFIDENCE,
) -> int:
    """Return the number of games after which intervals lie in their bands nine times of ten, within ``fewest`` and ``most``.

    Args:
        goals: the targets with their weights.
        means: the posterior means of the measures, of shape (goals,).
        variances: of each measure from one game, of shape (goals,).
        fewest: the least number of games to return.
        most: the greatest.
        confidence: of the intervals.
    """
    wanted, half = float(fewest), float(scipy.special.ndtri(0.5 * (1.0 + confidence)))
    for goal, mean, variance in zip(goals, means.tolist(), variances.tolist(), strict=True):
        room = min(mean - goal.target.low, goal.target.high - mean)
        wanted = max(wanted, variance * ((half + _POWER) / room) ** 2 if room > 0.0 else inf)
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


@dataclass(frozen=True)
class PanelCheck:
    """The printed rules and the choice, with other agents on other seeds."""

    agents: tuple[str, ...]
    printed: Measurement
    choice: Measurement

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain values."""
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
        "confidence": confidence_of(definition.finalists),
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


def _rounded(number: float) -> int:
    return int(float(f"{number:.1e}"))


# --- results ------------------------------------------------------------------------------------------------------------
#
# Results of a balancing study from its folder: while it runs, after an interruption, and in the end.


FRONT: Final = "front.parquet"


@dataclass(frozen=True)
class BalanceResults(ResultsSoFar[BalanceDefinition]):
    """Results of a balancing study so far, with the Pareto front (`front.parquet`) once the search is over."""

    front: pd.DataFrame


def read_balance(folder: Path) -> BalanceResults:
    """Return the results of the balancing study in ``folder``; `DataError` where there is none, or a file is damaged."""
    return BalanceResults.read(BalanceDefinition, folder, front=read_frame(folder / FRONT))


# --- validated ----------------------------------------------------------------------------------------------------------
#
# The games that measured the printed rules and the choice, from the ledger of the validation.


def validated_games(
    results: BalanceResults, measured: Mapping[str, Mapping[str, Any]]
) -> dict[str, list[tuple[Group, CandidateGames]]]:
    """Return the games of measured candidates on the seeds of the validation, by label and by group.

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
    others = passed_over(found)
    if others:
        parts += ["", _others_text(definition, others, width)]
    parts += ["", games_text(definition, found)]
    for name, title in (("held_out", "with agents held out"), ("retuned", "with the agent tuned to the choice")):
        check = found[name]
        if check:
            agents = ", ".join(check["agents"])
            parts += ["", f"{title}: {agents}", _comparison_text(check["printed"], check["choice"], width)]
    if found["retuned_agent"] and not found["retuned"]:
        parts += ["", f"tuning {definition.retune} to the choice found nothing better: nothing to measure again"]
    warning = [f"warning: {found['choice']['degenerate']}"] if found["choice"].get("degenerate") else []
    return "\n".join([*parts, "", *_changes_text(found["changes"]), str(found["sentence"]), *warning])


def passed_over(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the measured candidates that are neither the printed rules nor the choice, from ``balance.json``."""
    return [one for one in found["measured"] if one["spec"] not in (found["printed"]["spec"], found["choice"]["spec"])]


def confidence_text(found: Mapping[str, Any]) -> str:
    """Return the confidence of the intervals in ``balance.json``; older files have 95 %."""
    return f"{100.0 * found.get('confidence', CONFIDENCE):.4g} %"


def games_text(definition: BalanceDefinition, found: Mapping[str, Any]) -> str:
    """Return how many games were asked for and played on unseen seeds, and why."""
    n = len(found["measured"])
    each = sorted({one["games"] for one in found["measured"]})
    played = " to ".join(f"{games:,}" for games in dict.fromkeys((each[0], each[-1])))
    least = FEWEST_BLOCKS * definition.plan.block_games
    return (
        f"on unseen seeds: {'1 finalist' if n == 1 else f'{n} finalists'} of at most {definition.finalists}, one after "
        f"another until one meets all targets, {played} games each. A finalist has as many games as by the model bring its "
        f"{confidence_text(found)} intervals into the bands nine times of ten, {least:,} at least and "
        f"{definition.validation:,} at most (--validation); the printed rules as many as the longest. If neither a finalist "
        f"nor the printed rules meet the targets, one of them is called so in at most {100.0 * _FAMILY:.0f} % of studies"
    )


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
    players = "1 player" if definition.players == 1 else f"{definition.players} players"
    return (
        f"{definition.game}, {players}, by {', '.join(definition.agents)}: "
        f"{', '.join(definition.targets)}; {definition.games_per_trial:,} games per candidate"
    )


def _comparison_text(printed: Mapping[str, Any], choice: Mapping[str, Any], width: int | None) -> str:
    is_same = printed["spec"] == choice["spec"]
    sides = {"printed rules": printed} if is_same else {"printed rules": printed, "choice": choice}
    table = empty_table("target", *(f"{title}, {one['games']:,} games" for title, one in sides.items()))
    for name, cell in printed["targets"].items():
        table.add_row(cell["target"], *(_cell(one["targets"][name]) for one in sides.values()))
    return table_text(table, width)


def _others_text(definition: BalanceDefinition, others: Sequence[Mapping[str, Any]], width: int | None) -> str:
    names = [goal.target.name for goal in definition.goals]
    table = empty_table("passed over", "games", *(str(goal.target) for goal in definition.goals))
    for one in others:
        cells = (_cell(one["targets"][name]) for name in names)
        table.add_row(changes_words(definition.space.base, one["spec"]), f"{one['games']:,}", *cells)
    return table_text(table, width)


def _cell(measured: Mapping[str, Any]) -> str:
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None:
        return f"unknown {_MARKS[measured['state']]}"
    ends = (-inf if low is None else low, inf if high is None else high)
    interval = "" if low == high else f" ({ends_text(*ends, '.4g')})"  # an exact value has none
    return f"{value:.4g}{interval} {_MARKS[measured['state']]}"


def _changes_text(changed: Mapping[str, Sequence[Any]]) -> list[str]:
    return [f"{name}: {before} → {after}" for name, before, after in changed_texts(changed)]


def _front_text(definition: BalanceDefinition, front: pd.DataFrame, width: int | None) -> str:
    table = empty_table("changes", "distance", *(str(goal.target) for goal in definition.goals))
    for row in front.head(_MOST_ROWS).to_dict("records"):
        text = changes_words(definition.space.base, str(row["spec"]))
        cells = [
            f"{row[f'mean.{name}']:.4g} ± {HALF_WIDTH * row[f'deviation.{name}']:.2g}"
            for name in (goal.target.name for goal in definition.goals)
        ]
        table.add_row(text, f"{row['distance']:.3f}", *cells)
    more = len(front) - _MOST_ROWS
    return table_text(table, width) + (f"\nand {more:,} more (--json has all)" if more > 0 else "")
