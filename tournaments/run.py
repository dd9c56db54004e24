"""Tournaments from definition to results: play, displays, tracking and results meet here, and only here."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.driver.calibration import check_machines
from tag.tournaments.driver.events import Listeners, PlayListener
from tag.tournaments.driver.failures import failure_kept
from tag.tournaments.driver.interruption import Interruption
from tag.tournaments.driver.merging import merge_parts
from tag.tournaments.driver.slow_games import SlowGameHint
from tag.tournaments.driver.tournament import play_missing
from tag.tournaments.ledger.experiment import Experiment, continued, locked_experiment, taken_request
from tag.tournaments.ledger.folder import MANIFEST, Folder, check_fits, ledger_bytes
from tag.tournaments.ledger.rows import GAMES
from tag.tournaments.ledger.storage import check_storage, n_rows
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results.experiment import ExperimentResults, read_experiment_results
from tag.tournaments.results.kept import kept_sums
from tag.tournaments.results.live import KeptDuringPlay, LiveStandings, current_results
from tag.tournaments.results.machines.homogeneity import COMPARED
from tag.tournaments.results.machines.machines import machine_results
from tag.tournaments.results.machines.memory import memory_results
from tag.tournaments.results.tournament import CountedGames, TournamentResults
from tag.tournaments.tracking.tracker import EXPERIMENTS, FINISHED, KILLED, tracked

#: With so many games, a shift of 0.004 points per game is found on one of two machines.
_MOST_COMPARED: Final = 250_000


def run_tournament(
    definition: TournamentDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
    listeners: Sequence[PlayListener] = (),
) -> TournamentResults:
    """Play the missing games of a tournament and return the results, complete unless it was interrupted.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments.definition import define
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 2), Path(folder), tracking=False)
    >>> results.games, results.complete
    (4, True)

    Args:
        definition: the tournament.
        out: its folder, new or with the same tournament in it.
        workers: the processes that play (`cluster.make_workers`), or how many of them on this machine.
        tracking: the URI of the MLflow store to write a run to; True for `MLFLOW_TRACKING_URI`, or mlflow.db beside the
            folder, False for no run.
        progress: shows the progress of the games; by default only sentences.
        listeners: hear of the course of play as well.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract, or a time limit meets
            machines that are not equal.
    """
    shown = progress or Progress()
    events = Listeners(shown, *listeners)
    if shown.wants_standings:
        events.add(LiveStandings(out, shown.show_standings))
    return _run(definition, out, workers, tracking, events)


def merge_tournament(
    parts: Sequence[Path], out: Path, *, incomplete: bool = False, tracking: bool | str = True, events: Listeners
) -> TournamentResults:
    """Join the parts of a tournament to the whole in ``out``, and return its results.

    Args:
        parts: the folders of the parts, in any order; they are only read.
        out: the folder of the whole, new or empty.
        incomplete: whether games may be missing; playing the tournament in ``out`` then adds them.
        tracking: as in `run_tournament`; only what is complete is tracked.
        events: hear what is said.

    Raises:
        DataError: the folders do not hold all parts of one tournament, or ``out`` cannot be used; nothing is written then.
    """
    missing = merge_parts(parts, out, incomplete=incomplete)
    if missing:
        games = "1 game is missing" if missing == 1 else f"{missing:,} games are missing"
        events.say(f"{games}; tag tournament {shlex.quote(str(out))} plays what is missing")
    folder = Folder.open(out)
    with tracked(events, out, False if missing else tracking, {"parts": len(parts)}):
        _name_deviations(folder, events)
        results = current_results(folder, is_checked=True)
        events.start(results.total, results.games)
        events.end(KILLED if missing else FINISHED)
    return results


def _run(
    definition: TournamentDefinition, out: Path, workers: Workers | int, tracking: bool | str, events: Listeners
) -> TournamentResults:
    """Play the missing games of a tournament, whose ``events`` are heard, and return the results.

    A part is tracked only in a store that is named: the whole is, when the parts are merged.
    """
    tracking = False if definition.part and tracking is True else tracking
    events.add(SlowGameHint(definition, events.say))
    with at_work(workers) as processes:
        processes.check()
        for sentence in check_machines(definition, processes):
            events.say(sentence)
        with (
            Folder.locked(out, definition) as folder,
            failure_kept(out),
            tracked(events, out, tracking, processes.describe()),
        ):
            events.add(KeptDuringPlay(folder))
            complete = _play_and_extend(folder, processes, events)
            if complete:
                _name_deviations(folder, events)
            results = current_results(folder, is_checked=True)
            events.end(FINISHED if complete else KILLED)
    events.conclude(results.standings)
    return results


def _play_and_extend(folder: Folder, workers: Workers, events: PlayListener) -> bool:
    """Play the missing games, and extensions requested during play; return whether the tournament is complete then."""
    with Interruption(events.say) as interruption, interruption.as_the_reason():
        folder.asks_for_more()  # a pause that nobody heard is forgotten
        while True:
            folder.take_extension()
            kept_sums(folder)  # notes which shards were compared with the tournament
            complete = play_missing(folder, workers, events, lambda: interruption.requested or folder.has_request)
            if interruption.requested or not folder.asks_for_more():
                break
    return complete


def _name_deviations(folder: Folder, events: PlayListener) -> None:
    """Name the machines and workers that are not like the others, and the agents that remember deals.

    All are compared once, not again after each extension by so few games that they stay in a shard of their own; of a large
    ledger the games of evenly spaced blocks, which tell enough and take little memory.
    """
    shards = folder.shards.of(GAMES)
    if len(shards) > 1:
        return
    counted = CountedGames(folder, COMPARED, every=1 + sum(map(n_rows, shards)) // _MOST_COMPARED)
    workers = counted.games.workers()
    for sentence in machine_results(counted, workers).sentences():
        events.say(
            f"{sentence}; tag results {shlex.quote(str(counted.folder.path))} --by-machine shows the table without it"
        )
    for sentence in memory_results(counted, workers).sentences():
        events.say(sentence)


def run_experiment(
    experiment: Experiment,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
) -> ExperimentResults:
    """Play the missing games of an experiment, one event after the other, and return the results.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments.definition import define
    >>> events = [define(game, ("osla", "random"), 2) for game in ("nim", "tic_tac_toe")]
    >>> with TemporaryDirectory() as folder:
    ...     results = run_experiment(Experiment.of(events), Path(folder), tracking=False)
    >>> list(results.events), results.games
    (['nim-2p', 'tic_tac_toe-2p'], 8)

    Args:
        experiment: its events; those in the folder may have more agents and blocks, and keep them.
        out: its folder, new or with the same experiment in it, perhaps with fewer events.
        workers: as in `run_tournament`.
        tracking: the store of an MLflow run with a run within it for each event, as in `run_tournament`.
        progress: as in `run_tournament`.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract.
    """
    whole = continued(out, experiment)
    parts, events = whole.folders(out), Listeners(progress or Progress())
    with at_work(workers) as processes:
        check_all(parts, out, processes)
        with locked_experiment(out, whole), tracked(events, out, tracking, processes.describe(), EXPERIMENTS):
            run_all(parts, processes, progress=events, more=lambda: _further(out))
            results = read_experiment_results(out)
            events.end(FINISHED if results.complete else KILLED)
    return results


def _further(out: Path) -> Mapping[Path, TournamentDefinition]:
    """Return the events of an experiment, by folder, if another process has asked for more of them."""
    longer = taken_request(out)
    return longer.folders(out) if longer else {}


class _Again(Listeners):
    """Passes on the events of tournaments that are played further; their earlier games are known."""

    def skip(self, games: int) -> None:
        """Hear nothing."""


def run_all(
    parts: Mapping[Path, TournamentDefinition],
    workers: Workers,
    *,
    progress: PlayListener,
    more: Callable[[], Mapping[Path, TournamentDefinition]] = dict,
) -> list[TournamentResults]:
    """Play the missing games of tournaments, by folder, and return the results up to the first that is not complete.

    The ``progress`` is that of all of them. Once all are complete, those that ``more`` returns are played as well, which
    may be the same with more games.
    """
    found: dict[Path, TournamentResults] = {}
    whole = Listeners(progress)
    whole.start(sum(len(part.schedule()) for part in parts.values()), 0)
    try:
        while parts:
            for folder, part in parts.items():
                shared = _Again(whole) if folder in found else whole
                found[folder] = _run(part, folder, workers, False, Listeners(shared=shared))
                if not found[folder].complete:
                    return list(found.values())
            parts = more()
            known = sum(found[folder].total for folder in parts if folder in found)
            whole.expect(sum(len(part.schedule()) for part in parts.values()) - known)
    finally:
        whole.close()
    return list(found.values())


def check_all(parts: Mapping[Path, TournamentDefinition], out: Path, workers: Workers) -> None:
    """Raise any error that would stop one of the tournaments, before any is played and before anything is written.

    Raises:
        TagError: a folder does not fit or has no room, or the cluster is missing or unsuitable.
    """
    workers.check()
    for folder, part in parts.items():
        check_machines(part, workers)
        check_fits(folder, part)
    check_storage(out, sum(ledger_bytes(part) for folder, part in parts.items() if not (folder / MANIFEST).exists()))
