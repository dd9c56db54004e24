"""Training from beginning to end: steps of learners and their evaluations, on the same workers."""

from __future__ import annotations

from collections import deque
from dataclasses import astuple, dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from tag.catalogue.models import from_bytes
from tag.catalogue.models.training import TrainingStep
from tag.cluster import Workers
from tag.cluster.batches import DEPTH, Task
from tag.tournaments.ledger.storage import GO_ON, write_whole
from tag.tournaments.reports.progress import Progress
from tag.tuning.study.engine import StudyEngine
from tag.tuning.study.problem import Output, Problem
from tag.tuning.study.queue import StudyInterruptedError
from tag.tuning.training.definition import CHECKPOINT_SECONDS, TrainingDefinition
from tag.tuning.training.evaluations import Evaluations, OpenEvaluation, TrainingNote
from tag.tuning.training.files import (
    Checkpoints,
    LearnerHistory,
    digest_of_bytes,
    model_path,
    read_courses,
    write_courses,
)
from tag.tuning.training.report import training_page, write_training_report
from tag.tuning.training.results import TrainingResults, read_training, training_json, training_text
from tag.tuning.training.stopping import decisions
from tag.tuning.training.tracking import TRAININGS

#: The functions of a step, for workers: in games of the learner against itself, and on recorded games.
_TRAIN: Final = "tag.catalogue.models.training:train"
_TRAIN_ON_RECORDED: Final = "tag.tuning.training.recorded:train_on_recorded"
#: More learners than this are not shown while they train.
_MOST_SHOWN: Final = 10


class Training(Problem[TrainingDefinition, TrainingResults]):
    """Trainings of learners."""

    definition = TrainingDefinition
    output = Output(read_training, training_text, training_json, write_training_report, training_page)
    run_type = TRAININGS

    def __init__(self, checkpoint_seconds: float = CHECKPOINT_SECONDS) -> None:
        """Set how long a learner trains between two checkpoints, unless these take long to make."""
        self._seconds = checkpoint_seconds

    def play(self, engine: StudyEngine[TrainingDefinition]) -> None:
        """Train and evaluate what is missing."""
        _TrainingStages(engine, self._seconds).run()


def run_training(
    definition: TrainingDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    tracking: bool | str = True,
    progress: Progress | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
) -> TrainingResults:
    """Train what is missing and return the results, complete unless it was interrupted.

    The files of the models are the same, byte for byte, for any workers, and interrupted or not. The arguments are those of
    `tag.tuning.run.run_study`, and ``checkpoint_seconds``: how long a learner trains between two checkpoints, unless these
    take long to make.

    Raises:
        TagError: the folder or a user's file does not fit, or a game breaks its contract.
    """
    training = Training(checkpoint_seconds)
    return training.run(definition, out, workers=workers, tracking=tracking, progress=progress)


@dataclass(eq=False)
class _Learning:
    """A learner in this run.

    Attributes:
        is_with_worker: whether a step of it is in flight.
        wants_file: whether the next step is given the checkpoint, as no worker may have kept the learner.
    """

    course: LearnerHistory
    is_with_worker: bool = False
    wants_file: bool = True

    @property
    def is_finished(self) -> bool:
        """True if the model is written."""
        return bool(self.course.model)


class _TrainingStages:
    """Trains and evaluates until all is done."""

    def __init__(self, engine: StudyEngine[TrainingDefinition], checkpoint_seconds: float) -> None:
        self._definition = engine.definition
        self._folder = engine.folder
        self._workers = engine.workers
        self._events = engine.events
        self._is_stopped = engine.is_stopped
        self._seconds = checkpoint_seconds
        self._tasks = engine.tasks()
        self._checkpoints = Checkpoints(engine.folder)
        self._evaluations = Evaluations(self._definition, engine.folder, engine.workers)
        self._evaluated = set(self._definition.checkpoints)
        self._learnings = {seed: _Learning(LearnerHistory(seed)) for seed in self._definition.all_seeds}
        self._steps = 0
        self._moves = 0
        self._cpu_seconds = 0.0

    def run(self) -> None:
        """Train; `StudyInterruptedError` if it was asked to stop."""
        self._find()
        total = self._definition.seeds * self._definition.episodes
        done = sum(self._done(one.course) for one in self._learnings.values())
        seeds, episodes = self._definition.seeds, self._definition.episodes
        self._events.start(total, done, f"{seeds:,} learners x {episodes:,} games" if seeds > 1 else "")
        while not self._is_stopped():
            self._fill()
            if not self._tasks:
                return
            self._collect()
        if self._steps:
            self._events.say("finishing the steps in play; Ctrl-C once more stops at once")
        while self._steps:
            self._collect()
        raise StudyInterruptedError

    def _done(self, course: LearnerHistory) -> int:
        return self._definition.episodes if course.model else course.episodes

    def _find(self) -> None:
        """Go on from the files in the folder."""
        known = read_courses(self._folder)
        for seed, learning in self._learnings.items():
            learning.course = known.get(seed, LearnerHistory(seed))
            self._find_one(learning.course)

    def _find_one(self, course: LearnerHistory) -> None:
        """Find the newest checkpoint from which all that is missing can be had."""
        seed = course.seed
        sound = self._checkpoints.sound(seed, self._events.say)
        there = {one.episode: one for one in sound}
        model = course.model and self._has_model(course)
        reached = course.episodes if model else max(there, default=0)
        missing = [one for one in sorted(self._evaluated) if one <= reached and self._evaluations.missing(seed, one)]
        lost = [one for one in missing if one not in there]
        if lost:
            model, reached = "", max((one for one in there if one <= lost[0]), default=0)
            for one in [one for one in there if one > reached]:
                there.pop(one).path.unlink(missing_ok=True)  # they are learned again
        if not model:
            course.go_back(reached)
        for episode in {*missing, reached}.intersection(there):
            if episode not in course.marks:  # it was killed before it wrote the courses
                moves = from_bytes(there[episode].read(), there[episode].path.name).moves
                course.marks[episode] = (moves, course.cpu_seconds)
        course.moves = course.marks[reached][0] if reached in course.marks else course.moves
        for episode in missing:
            if episode in there and episode <= reached:
                self._evaluations.ask(there[episode])
        self._tidy(course)

    def _has_model(self, course: LearnerHistory) -> bool:
        """Say whether the model of a learner is as it was written."""
        path = model_path(self._folder, course.seed)
        try:
            is_sound = digest_of_bytes(path.read_bytes()) == course.model
        except OSError:
            is_sound = False
        if not is_sound:
            self._events.say(f"the model {str(path)!r} is missing or damaged; it is learned again")
        return is_sound

    def _fill(self) -> None:
        """Give work to workers: first steps, one for each, and evaluations behind them; alone, evaluations first."""
        slots = self._workers.slots
        decided = decisions(self._definition, self._evaluations.values()) if self._definition.has_rule else {}
        waiting = deque(
            (one, goal)
            for one in self._most_urgent_first()
            if not one.is_finished and not one.is_with_worker and (goal := self._goal(one.course, decided)) is not None
        )
        while self._tasks.room > 0:
            evaluation = self._evaluations.next()
            may_step = bool(waiting) and self._steps < max(slots // DEPTH, 1)
            if evaluation is not None and (slots == 1 or not may_step):
                self._give_evaluation(evaluation)
            elif may_step:
                self._give_step(*waiting.popleft())
            else:
                return

    def _most_urgent_first(self) -> list[_Learning]:
        """Return the learners in order, but first those that would be the last to finish, or lack only their model.

        A learner has one worker at a time. So it must not wait once its games are as many as each worker has left.
        """
        left = {one: self._definition.episodes - self._done(one.course) for one in self._learnings.values()}
        share = sum(left.values()) / self._workers.count
        return sorted(left, key=lambda one: 0 < left[one] < share)

    def _goal(self, course: LearnerHistory, decided: dict[tuple[int, int], str]) -> int | None:
        """Return up to which episode a learner trains; where it is if it is finished, None if that is not known yet."""
        definition, at = self._definition, course.episodes
        if at == definition.episodes:
            return at
        if definition.has_rule and at in self._evaluated:
            reason = decided.get((course.seed, at))
            if reason:
                course.reason = reason
                return at
            if reason is None:
                return None
        return min((one for one in self._evaluated if one > at), default=definition.episodes)

    def _give_step(self, learning: _Learning, goal: int) -> None:
        course = learning.course
        begin, wants_model = course.episodes, goal == course.episodes
        content = b""
        if learning.wants_file and begin > 0:
            content = self._checkpoints.at(course.seed, begin).read()
        lesson = astuple(self._definition.lesson(course.seed))
        step = (lesson, begin, goal, self._seconds, wants_model, content)
        name = f"the training of learner {course.seed}"
        ledger = self._definition.ledger
        task = Task(name, _TRAIN, step)
        if ledger:
            task = Task(name, _TRAIN_ON_RECORDED, (*step, str(Path(ledger).resolve())))
        learning.is_with_worker = True
        self._steps += 1

        def take(value: Any) -> None:
            self._take_step(learning, TrainingStep(*value), wants_model)

        self._tasks.run(task, take)

    def _give_evaluation(self, one: OpenEvaluation) -> None:
        course = self._learnings[one.unit[0]].course
        if one.evaluator.is_of_positions:
            one.given = 1

            def take_positions(value: Any) -> None:
                self._evaluations.take_positions(one, value, course)
                self._tidy(course)

            task = one.evaluator.task(one.file, self._definition.game, self._definition.players)
            self._tasks.run(task, take_positions)
            return
        places = self._evaluations.batch_of(one)
        one.given = places.stop

        def take_games(records: Any) -> None:
            self._evaluations.take_games(one, places, records, course)
            self._tidy(course)

        self._tasks.play([one.orders[place] for place in places], take_games)

    def _collect(self) -> None:
        """Take what workers have done."""
        self._tasks.collect()
        self._show()

    def _take_step(self, learning: _Learning, step: TrainingStep, is_last: bool) -> None:
        """Take a step: store its checkpoint, or the model."""
        course = learning.course
        learning.is_with_worker = False
        learning.wants_file = not step.checkpoint
        self._steps -= 1
        if learning.wants_file:
            return
        if is_last:
            self._finish(course, step.model)
            return
        played = step.episodes - course.episodes
        self._moves += step.moves - course.moves
        self._cpu_seconds += step.cpu_seconds
        course.add(step.episodes, step.moves, step.cpu_seconds)
        if not self._is_stopped():
            self._fill()  # so that no worker waits for the file
        checkpoint = self._checkpoints.write(course.seed, step.episodes, step.checkpoint)
        course.forget_marks(self._evaluated)
        self._write_courses()
        if step.episodes in self._evaluated:
            self._evaluations.ask(checkpoint)
        self._tidy(course)
        self._events.advance(played, 0)

    def _finish(self, course: LearnerHistory, model: bytes) -> None:
        """Write the model of a learner that has stopped or played all games."""
        write_whole(model_path(self._folder, course.seed), model, GO_ON)
        course.model = digest_of_bytes(model)
        self._write_courses()
        self._tidy(course)
        if course.reason:
            self._events.say(f"learner {course.seed} stops after {course.episodes:,} games: {course.reason}")
            self._events.skip(self._definition.episodes - course.episodes)

    def _write_courses(self) -> None:
        write_courses(self._folder, {seed: one.course for seed, one in self._learnings.items()})

    def _tidy(self, course: LearnerHistory) -> None:
        """Remove the checkpoints that nothing needs any more."""
        self._checkpoints.tidy(
            course.seed,
            lambda episode: bool(self._evaluations.missing(course.seed, episode)),
            is_finished=bool(course.model),
        )

    def _show(self) -> None:
        evaluations = self._evaluations
        speed = self._moves / self._cpu_seconds if self._cpu_seconds else 0.0
        unfinished_first = sorted(self._learnings.values(), key=attrgetter("is_finished"))
        shown = sorted((one.course for one in unfinished_first[:_MOST_SHOWN]), key=attrgetter("seed"))
        rows = [(str(one.seed), f"{one.episodes:,}", *evaluations.shown(one.seed)) for one in shown]
        if len(self._learnings) > _MOST_SHOWN:
            rows.append((f"and {len(self._learnings) - _MOST_SHOWN:,} more",))
        note = TrainingNote(
            speed, len(evaluations), evaluations.games_to_come, evaluations.last, self._definition.evaluate, tuple(rows)
        )
        self._events.show_note("training", note)
