"""Tuning from beginning to end: search, recommendation, validation on unseen seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import optuna

from tag.errors import DataError
from tournaments.calibration import PoolFactory
from tournaments.pool import Pool, check_address, open_pool
from tournaments.progress import Progress
from tournaments.tracking import FINISHED, KILLED, default_tracking_uri, tracked
from tuning.comparison import Comparison, compare
from tuning.course import SearchCourse
from tuning.definition import HELD_OUT, SEARCH, VALIDATION, StudyDefinition
from tuning.folder import StudyManifest, opened_study
from tuning.judge import Incumbent, Judge, known_trial
from tuning.optuna_study import write_journal
from tuning.player import Player, is_played_to_end
from tuning.problem import TuningProblem, tables_of
from tuning.recommendation import recommendation, write_recommendation
from tuning.reports.report import write_report
from tuning.results import StudyResults, read_study
from tuning.samplers import make_sampler
from tuning.search import Search
from tuning.tables import Tables
from tuning.tracking import STUDIES
from tuning.warm_start import known_trials, read_known_trials, write_known_trials


def tune(
    definition: StudyDefinition,
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    tracking: bool = True,
    tracking_uri: str = "",
    progress: Progress | None = None,
    pool_factory: PoolFactory | None = None,
) -> StudyResults:
    """Play what is missing of a study and return the results, complete unless somebody interrupted it.

    Either way its report is written (`tuning.reports`).

    Args:
        definition: the study.
        out: its folder, new or with the same study in it.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        tracking: whether to write an MLflow run, while it is played and once it is complete.
        tracking_uri: where; by default `tournaments.tracking.default_tracking_uri`.
        progress: what shows how it comes along; by default next to nothing does.
        pool_factory: makes another pool than the above, from the text of users' files by name.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    check_address(address)
    known = known_trials(out, definition)
    shown = progress or Progress()
    factory = pool_factory or partial(open_pool, workers, address, uses_ray)
    uri = tracking_uri or default_tracking_uri(out)
    execution = {"workers": workers, "ray": uses_ray, "address": address} if pool_factory is None else {}
    with opened_study(out, definition) as manifest:
        write_known_trials(out, known)
        if tracking:
            with tracked(shown, out, uri, execution, STUDIES) as tracker:
                complete = _run(out, manifest, factory, tracker)
                tracker.end(FINISHED if complete else KILLED)
        else:
            _run(out, manifest, factory, shown)
    return read_study(out)


def _run(out: Path, manifest: StudyManifest, factory: PoolFactory, progress: Progress) -> bool:
    """Do what is missing of a study until somebody interrupts it, and say whether nothing is missing any more."""
    complete = is_played_to_end(
        lambda pool, is_stopped: _Study(out, manifest, pool, progress, is_stopped).run(),
        factory,
        manifest.sources,
        progress,
    )
    write_report(read_study(out))
    return complete


class _Study:
    """The stages of a study, each of which goes on where an interrupted one has stopped."""

    def __init__(
        self, out: Path, manifest: StudyManifest, pool: Pool, progress: Progress, is_stopped: Callable[[], bool]
    ) -> None:
        self._out = out
        self._manifest = manifest
        self._definition = manifest.definition
        self._pool = pool
        self._progress = progress
        self._is_stopped = is_stopped
        self._known = read_known_trials(out)
        self._course = SearchCourse(out, progress)

    def run(self) -> None:
        """Search, recommend and validate."""
        definition = self._definition
        self._progress.start(definition.games_at_most, 0)
        incumbent = self._search()
        validation = held_out = None
        if definition.validation and incumbent.spec != definition.default:
            validation = self._compare(VALIDATION, incumbent, definition.measuring)
            if definition.held_out:
                held_out = self._compare(HELD_OUT, incumbent, definition.held_out)
        write_recommendation(self._out, recommendation(self._manifest, incumbent, validation, held_out))
        try:
            write_journal(self._out)
        except DataError as error:
            self._progress.say(str(error))  # it is for other programs only

    def _search(self) -> Incumbent:
        """Spend the budget, in self-play against one incumbent after the other, and return what is recommended."""
        definition = self._definition
        if not definition.generations:
            return self._search_against(definition.versus, 0)
        found = self._search_against((definition.default,), 0)
        for generation in range(1, definition.generations):
            found = self._search_against((found.spec,), generation)
        return found

    def _search_against(self, opponents: Sequence[str], generation: int) -> Incumbent:
        """Spend the budget of a generation and return what is recommended."""
        definition = self._definition
        stream = f"{SEARCH}-{generation}" if generation else SEARCH
        budget = definition.games // max(definition.generations, 1)
        problem = TuningProblem(definition, tables_of(definition, stream, opponents))
        study = self._study(problem, budget, definition.stream(f"sampler of {stream}"))
        self._enqueue(study, opponents if generation else ())
        problem.judge = Judge(definition.space, study, budget)
        player = self._player(stream, problem.tables)
        search = Search(problem, study, player, budget, definition.live)
        self._course.begin(search, problem.judge)
        try:
            with player:
                search.run(self._course.follow)
                return problem.judge.look()
        finally:
            self._course.end()

    def _study(self, problem: TuningProblem, budget: int, seed: int) -> optuna.Study:
        """Return a study of Optuna's, in memory, that knows the trials of earlier studies."""
        definition = self._definition
        choice = make_sampler(definition.sampler, definition.space.configurations, budget, seed)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(
            study_name=self._out.name,
            sampler=choice.sampler,
            pruner=optuna.pruners.NopPruner(),
            directions=problem.directions,
        )
        for trial in self._known:
            configuration = definition.space.configuration(trial.spec)
            study.add_trial(known_trial(definition.space, configuration, trial.value, trial.games))
            problem.skip(trial.spec, trial.games)
        return study

    def _enqueue(self, study: optuna.Study, incumbents: Sequence[str]) -> None:
        """Have the default tried first, then the incumbent in self-play, then what somebody asked for."""
        space = self._definition.space
        specs = [space.spec(space.default), *incumbents, *self._definition.enqueue]
        for spec in dict.fromkeys(specs):
            study.enqueue_trial(space.configuration(spec))

    def _compare(self, stream: str, incumbent: Incumbent, opponents: Sequence[str]) -> Comparison:
        """Return how the recommendation does beside the default, on the seeds of a stream."""
        tables = tables_of(self._definition, stream, opponents)
        with self._player(stream.replace(" ", "_"), tables) as player:
            return compare(self._definition, stream, tables, player, incumbent.spec)

    def _player(self, name: str, tables: Tables) -> Player:
        return Player(self._out / name, tables, self._pool, self._progress, self._is_stopped)
