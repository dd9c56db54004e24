"""Tuning from beginning to end: search, recommendation, validation on unseen seeds."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import optuna
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler
from tag.tuning.agent.comparison import SIDES, Comparison, compare, decision_cpu_ms
from tag.tuning.agent.definition import (
    CALIBRATION,
    CALIBRATION_BLOCKS,
    EQUAL_TIME,
    HELD_OUT,
    RECOMMENDATION,
    REVERSION,
    SEARCH,
    VALIDATION,
    StudyDefinition,
    StudyManifest,
    why_not_scaled,
)
from tag.tuning.agent.equal_time import Scaling, Times, budget_of, first_scaling, read_scaling, scaled, write_scaling
from tag.tuning.agent.objectives import Objective
from tag.tuning.agent.problem import TuningSearch, why_none_is_pruned
from tag.tuning.agent.reversion import Games, differences
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.agent.warm_start import known_trials, read_known_trials, write_known_trials

from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.errors import DataError, ParameterError
from tag.tournaments.reports.progress import Progress
from tag.tuning.reports.report import write_report
from tag.tuning.reports.results import EqualTime, StudyResults, read_study, recommendation
from tag.tuning.reports.tracking import STUDIES, write_journal
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.users_code import Callback, UsersObjects, check_no_object, object_name, told_in_a_sentence
from tag.tuning.search.gains import SHOWN, Gains, changes, pairs_of, reverted
from tag.tuning.search.history import SearchHistory
from tag.tuning.search.incumbents import IncumbentModel
from tag.tuning.search.search import Search
from tag.tuning.space.configurations import Configuration
from tag.tuning.study.engine import Stages, play_study
from tag.tuning.study.files import write_json
from tag.tuning.study.folder import is_complete, is_reported, opened_study
from tag.tuning.study.queue import Origin


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
    with at_work(workers) as processes:
        processes.check()
        given = UsersObjects(sampler, pruner, callbacks)
        definition = with_objects(definition, given)
        known = known_trials(out, definition)
        shown = progress or Progress()
        with opened_study(out, definition) as manifest:
            write_known_trials(out, known)
            return play_study(
                out,
                manifest.sources,
                lambda stages: _TuningStages(manifest, stages, given).run(),
                lambda: _report(manifest, out, shown),
                workers=processes,
                tracking=tracking,
                progress=shown,
                kind=STUDIES,
                is_complete=is_complete(manifest, out) and not given.callbacks,
                origin=Origin(manifest.versions, manifest.played_sources),
            )


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


def _report(manifest: StudyManifest, out: Path, progress: Progress) -> StudyResults:
    """Write what is made of a study once it has ended, unless that was done before, and return its results."""
    results = read_study(out)
    if is_reported(manifest, out):
        return results
    if results.complete:
        try:
            write_journal(out)
        except DataError as error:
            progress.say(str(error))  # it is for other programs only
    write_report(results)
    return results


class _TuningStages:
    """The stages of a study, each of which resumes after an interruption."""

    def __init__(self, manifest: StudyManifest, stages: Stages, given: UsersObjects) -> None:
        self._given = given
        self._out = stages.folder
        self._manifest = manifest
        self._definition = manifest.definition
        self._stages = stages
        self._progress = stages.progress
        self._known = read_known_trials(self._out)
        self._course = SearchHistory(self._out, self._progress)

    def run(self) -> None:
        definition = self._definition
        self._progress.start(definition.games_at_most, 0)
        for sentence in filter(None, (definition.growth, definition.budget_text)):
            self._progress.say(sentence)
        model = self._search()
        doubt = model.doubt(definition.generations)
        taken_back = self._take_back(model) if definition.reversion_games and not doubt else []
        incumbent = model.incumbents[-1]
        validation = held_out = equal_time = None
        if definition.validation and incumbent.spec != definition.default and not doubt:
            sides = incumbent.spec, definition.default
            validation = self._compare(VALIDATION, sides, definition.measuring)
            if definition.held_out:
                held_out = self._compare(HELD_OUT, sides, definition.held_out)
            equal_time = self._at_equal_time(incumbent.spec, validation)
        write_json(
            self._out / RECOMMENDATION,
            recommendation(self._manifest, incumbent, validation, held_out, equal_time, doubt, taken_back),
        )

    def _search(self) -> IncumbentModel:
        """Spend the budget, in self-play against one incumbent after the other, and return the last model."""
        definition = self._definition
        if not definition.generations:
            return self._search_against(definition.versus, 0)
        found = self._search_against((definition.default,), 0)
        for generation in range(1, definition.generations):
            found = self._search_against((found.incumbents[-1].spec,), generation)
        return found

    def _search_against(self, opponents: Sequence[str], generation: int) -> IncumbentModel:
        """Spend the budget of a generation and return its model."""
        definition = self._definition
        stream = f"{SEARCH}-{generation}" if generation else SEARCH
        budgets = [one // max(definition.generations, 1) for one in definition.budgets]
        problem = TuningSearch(definition, schedule_of(definition, stream, opponents))
        study = self._study(problem, budgets[0], definition.stream(f"sampler of {stream}"))
        self._enqueue(study, opponents if generation else ())
        problem.model = IncumbentModel(definition.space, study, budgets, problem.bounds)
        queue = self._stages.queue(stream, problem.schedule)
        search = Search(problem, study, queue, budgets, definition.live, self._given.callbacks)
        self._course.begin(search, problem.model.incumbents)
        try:
            with queue, told_in_a_sentence("sampler", definition.sampler):
                search.run(self._course.follow)
                if not problem.model.incumbents:
                    raise DataError("no game of the search counts: all are void; see what went wrong in its ledger")
                if queue.unasked:
                    self._progress.say(
                        f"{queue.unasked:,} games are of configurations that {definition.sampler} has not asked for again; "
                        "they stay in the ledger, and count once it does"
                    )
                return problem.model
        finally:
            self._course.end()

    def _study(self, problem: TuningSearch, budget: int, seed: int) -> optuna.Study:
        """Return an Optuna study in memory, with the trials of earlier studies."""
        definition = self._definition
        sampler = deepcopy(self._given.sampler) or self._made_sampler(budget, seed)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        study = optuna.create_study(
            study_name=self._out.name,
            sampler=sampler,
            pruner=deepcopy(self._given.pruner) or optuna.pruners.NopPruner(),  # some learn as they go
            directions=problem.directions,
        )
        for trial in self._known:
            study.add_trial(trial.of_optuna(definition.space))
            problem.skip(trial.spec, trial.games)
        return study

    def _made_sampler(self, budget: int, seed: int) -> BaseSampler:
        definition = self._definition
        configurations, per_trial = definition.space.configurations, definition.games_per_trial
        return make_sampler(definition.sampler, configurations, budget, seed, per_trial).sampler

    def _enqueue(self, study: optuna.Study, incumbents: Sequence[str]) -> None:
        """Enqueue the default first, then the incumbent in self-play, then the specs of ``enqueue``."""
        space = self._definition.space
        specs = [space.spec(space.default), *incumbents, *self._definition.enqueue]
        for spec in dict.fromkeys(specs):
            study.enqueue_trial(space.configuration(spec))

    def _compare(
        self, stream: str, sides: tuple[str, str], opponents: Sequence[str], games: int | None = None
    ) -> Comparison:
        """Compare two agents in so many ``games`` of either side at most; if omitted, in those of a validation."""
        definition = self._definition
        schedule = schedule_of(definition, stream, opponents)
        with self._stages.queue(stream.replace(" ", "_"), schedule) as queue:
            most = definition.validation if games is None else games
            return compare(definition, stream, schedule, queue, *sides, most)

    def _take_back(self, model: IncumbentModel) -> list[str]:
        """Take back changes of the recommendation that change no game or show no gain, and return their names."""
        space = self._definition.space

        def changed() -> list[str]:
            return changes(space.configurations, space.configuration(model.incumbents[-1].spec), space.nearest)

        before = changed()
        self._without_changes_in_vain(model)
        if self._definition.games_to_compare:
            self._without_changes_in_doubt(model)
        self._course.end()
        after = changed()
        return [name for name in before if name not in after]

    def _without_changes_in_vain(self, model: IncumbentModel) -> None:
        """Take back each change of the recommendation that changes no game."""
        definition, space = self._definition, self._definition.space
        schedule = schedule_of(definition, REVERSION, definition.measuring)
        found = space.configuration(model.incumbents[-1].spec)
        with self._stages.queue(REVERSION, schedule) as queue:
            games = Games(queue, schedule)
            for name in changes(space.configurations, found, space.nearest):
                other = reverted(space.configurations, found, space.nearest, [name])
                is_open = found.get(name) != other.get(name) and space.configurations.is_valid(other)
                if is_open and games.are_alike(space.spec(found), space.spec(other)):
                    found = other
        model.replace(found)

    def _without_changes_in_doubt(self, model: IncumbentModel) -> None:
        """Take back the changes whose gain is not shown, or those that do harm where games show a loss."""
        definition, space = self._definition, self._definition.space
        spec = model.incumbents[-1].spec
        best = space.configuration(spec)
        if not changes(space.configurations, best, space.nearest):
            return
        gains = self._gains_in_pairs(best, model.gains())
        unshown, found_again = gains.below(SHOWN), 0
        for names in (unshown, unshown[:-1]):
            other = reverted(space.configurations, best, space.nearest, names)
            if not names or not space.configurations.is_valid(other):
                continue
            sides = spec, space.spec(other)
            self._progress.expect(found_again)
            comparison = self._compare(REVERSION, sides, definition.measuring, definition.games_to_compare)
            if comparison.result.decision != "better":
                model.replace(other)
                return
            found_again = comparison.recommended.games  # by the next comparison, in the ledger
        other = reverted(space.configurations, best, space.nearest, gains.below(0.0))
        if space.configurations.is_valid(other):
            model.replace(other)

    def _gains_in_pairs(self, best: Configuration, gains: Gains) -> Gains:
        """Return what is believed of the changes of a configuration after games of pairs with random halves of them."""
        definition, space = self._definition, self._definition.space
        schedule = schedule_of(definition, REVERSION, definition.measuring)
        number = definition.games_in_pairs // definition.round_games
        pairs = pairs_of(space.configurations, best, space.nearest, number, definition.stream(f"{REVERSION} in pairs"))
        if not pairs:
            return gains
        with self._stages.queue(REVERSION, schedule) as queue:
            sides = [(space.spec(pair.first), space.spec(pair.second)) for pair in pairs]
            objective = Objective(definition.objectives[0], schedule, definition.panel, max(schedule.opponents, 1))
            found = differences(queue, schedule, objective, sides, definition.validation)
        counts = np.isfinite(found)
        return gains.after(np.array([pair.signs for pair in pairs])[counts], found[counts])

    def _at_equal_time(self, spec: str, validation: Comparison) -> EqualTime:
        """Compare the recommendation with the default at equal CPU time per decision."""
        definition = self._definition
        if not definition.validation_at_equal_time:
            return EqualTime(Scaling(remark=why_not_scaled(definition.default) or "it was not asked for"))
        scaling = read_scaling(self._out, spec)
        if scaling is None:
            is_better = validation.result.decision == "better"
            scaling = first_scaling(definition.default, validation.times, is_better)
            if scaling.default:
                scaling = scaled(scaling.default, self._times(spec, scaling.default), scaling.factor or 1.0)
            write_scaling(self._out, spec, scaling)
        if not scaling.default:
            return EqualTime(scaling)
        schedule = schedule_of(definition, EQUAL_TIME, self._measuring(scaling.default))
        with self._stages.queue(f"equal_time/{budget_of(scaling.default)}", schedule) as queue:
            games = definition.validation_at_equal_time
            return EqualTime(scaling, compare(definition, EQUAL_TIME, schedule, queue, spec, scaling.default, games))

    def _times(self, spec: str, default: str) -> Times:
        """Return the CPU milliseconds per decision of the recommendation and of a default in a few games."""
        schedule = schedule_of(self._definition, CALIBRATION, self._measuring(default))
        agents = [schedule.enter(one) for one in (spec, default)]
        blocks = range(CALIBRATION_BLOCKS * max(schedule.opponents, 1))
        with self._stages.queue(f"calibration/{budget_of(default)}", schedule) as queue:
            # The sides take turns, so that other load on the machine slows both alike.
            turns = [[schedule.games(agent, range(block, block + 1)) for agent in agents] for block in blocks]
            for turn in turns:
                for games in turn:
                    queue.ask(games)
            played = [[queue.take(games) for games in turn] for turn in turns]
        by_side = [[game for turn in played for game in turn[side]] for side in range(len(SIDES))]
        return {name: decision_cpu_ms(games, agent) for name, games, agent in zip(SIDES, by_side, agents, strict=True)}

    def _measuring(self, default: str) -> list[str]:
        """Return the opponents of a validation in which ``default`` stands for the default, also among them."""
        return [default if one == self._definition.default else one for one in self._definition.measuring]
