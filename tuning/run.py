"""Tuning from beginning to end: search, recommendation, validation on unseen seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler

from tag.cluster import Workers
from tag.errors import DataError, ParameterError
from tag.tournaments.reports.progress import Progress
from tag.tuning.agent.definition import RECOMMENDATION, StudyDefinition
from tag.tuning.agent.problem import why_none_is_pruned
from tag.tuning.agent.stages import TuningStages
from tag.tuning.agent.warm_start import known_trials, write_known_trials
from tag.tuning.reports.optuna_study import write_journal
from tag.tuning.reports.presets import write_presets
from tag.tuning.reports.report import report_page, write_report
from tag.tuning.reports.results import StudyResults, read_study, recommendation
from tag.tuning.reports.text import study_json, study_text
from tag.tuning.reports.tracking import STUDIES
from tag.tuning.samplers.users_code import Callback, UsersObjects, check_no_object, object_name
from tag.tuning.search.trials import KnownTrial
from tag.tuning.study.engine import StudyEngine
from tag.tuning.study.files import write_json
from tag.tuning.study.folder import Manifest
from tag.tuning.study.problem import Output, Problem


class Tuning(Problem[StudyDefinition, StudyResults]):
    """Studies that tune an agent."""

    definition = StudyDefinition
    output = Output(read_study, study_text, study_json, write_report, report_page)
    run_type = STUDIES

    def __init__(self, given: UsersObjects | None = None) -> None:
        """Take the user's objects beside the study."""
        self._given = given or UsersObjects()
        self._known: list[KnownTrial] = []

    def prepare(self, definition: StudyDefinition, folder: Path) -> StudyDefinition:
        """Return the definition with the names of the user's objects, and find the trials of earlier studies."""
        prepared = with_objects(definition, self._given)
        self._known = known_trials(folder, prepared)
        return prepared

    def begin(self, folder: Path) -> None:
        """Write the trials of earlier studies."""
        write_known_trials(folder, self._known)

    def is_done(self, manifest: Manifest[StudyDefinition], folder: Path) -> bool:
        """Say whether all has been played; never where callbacks are to hear of all trials."""
        return super().is_done(manifest, folder) and not self._given.callbacks

    def play(self, engine: StudyEngine[StudyDefinition]) -> None:
        """Search, compare the recommendation with the default, and write the recommendation."""
        found = TuningStages(engine, self._given).run()
        write_json(engine.folder / RECOMMENDATION, recommendation(engine.manifest, **vars(found)))

    def finish(self, results: StudyResults, say: Callable[[str], None]) -> None:
        """Write Optuna's journal and the presets of a complete study, and the report."""
        if results.complete:
            for file in write_presets(results):
                say(f"a preset, as games have them beside their rules: {str(file)!r}")
            try:
                write_journal(results.folder)
            except DataError as error:
                say(str(error))  # it is for other programs only
        write_report(results)


def run_study(
    definition: StudyDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
    sampler: BaseSampler | None = None,
    pruner: BasePruner | None = None,
    callbacks: Sequence[Callback] = (),
) -> StudyResults:
    """Play the missing games of a study and return the results, complete unless it was interrupted.

    Either way its report is written (`tag.tuning.reports`).

    Args:
        definition: the study.
        out: its folder, new or with the same study in it.
        workers: as in `tournaments.run_tournament`, and so are ``tracking`` and ``progress``.
        tracking: where an MLflow run is written.
        progress: shows the progress of the study.
        sampler: an Optuna sampler, or an object of the same kind, instead of the one that the study names. The study uses a
            copy; results are the same, interrupted or not, if the sampler has a seed.
        pruner: an Optuna pruner, which prunes trials instead of the race: after each rung it gets the value so far.
        callbacks: are called after each trial with Optuna's study and trial, also of a study that is complete already;
            ``study.stop()`` ends the search.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract.
    """
    tuning = Tuning(UsersObjects(sampler, pruner, callbacks))
    return tuning.run(definition, out, workers=workers, tracking=tracking, progress=progress)


def with_objects(definition: StudyDefinition, given: UsersObjects) -> StudyDefinition:
    """Return a study with the names of the objects given to `tune`, so that only these can continue it.

    Raises:
        ParameterError: it was begun with an object that is not given, or no trial can be pruned.
    """
    if given.sampler is not None:
        definition = replace(definition, sampler=object_name(given.sampler), sampler_reason="")
    if given.pruner is not None:
        definition = replace(definition, pruner=object_name(given.pruner))
    elif definition.pruner:
        check_no_object("pruner", definition.pruner)
    why = why_none_is_pruned(definition)
    if given.pruner is not None and why:
        raise ParameterError(
            f"pruner cannot be {definition.pruner!r} where no trial can be pruned: {why}; leave it out"
        )
    return definition
