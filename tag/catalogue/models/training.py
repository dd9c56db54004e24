"""Training in steps: text, numbers and a checkpoint in, a checkpoint out, so that any process can take the next step.

A step is decided by its arguments: where a learner goes on from the checkpoint of another one, it does what that one would
have done (`tag.playing.learning.Learner`). So the steps into which a training falls do not change what is learned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

from tag.catalogue.models import Model, from_bytes, rules_of, to_bytes
from tag.catalogue.registry import make_game, make_learner
from tag.catalogue.version import tag_version
from tag.engine.forward_model import ForwardModel
from tag.errors import DataError
from tag.playing.learning import Learner

#: A step trains at least so many times as long as its checkpoint took to make.
_PER_CHECKPOINT: Final = 20.0


@dataclass(frozen=True)
class TrainingTask:
    """The task of one learner, in all of its steps.

    Attributes:
        learner: the spec of the learner.
        game: the spec of the game.
        players: the number of players.
        episodes: the games to be played in all.
        seed: the seed of the learner.
        recorded: the hash of the recorded games that it learns from; empty for games against itself.
    """

    learner: str
    game: str
    players: int
    episodes: int
    seed: int
    recorded: str = ""


class TrainingStep(NamedTuple):
    """The result of a step.

    Attributes:
        episodes: the games played by now, in all steps.
        moves: the moves of these games.
        cpu_seconds: the CPU time that the step took.
        checkpoint: the content of the file to go on from; empty if the step needs a checkpoint that it was not given.
        model: the content of the file to play with, if it was wanted.
    """

    episodes: int
    moves: int
    cpu_seconds: float
    checkpoint: bytes
    model: bytes


class _Kept:
    """The learner of the last step in this process.

    Attributes:
        learner: the learner; None before the first step.
        checkpoint_seconds: how long its last checkpoint took to make.
    """

    def __init__(self) -> None:
        self.lesson: tuple[Any, ...] = ()
        self.learner: Learner | None = None
        self.checkpoint_seconds = 0.0


_kept: Final = _Kept()


def play_episode(learner: Learner) -> None:
    """Have a learner play the next game of self-play."""
    learner.play_episode()


def train(
    lesson: tuple[str, str, int, int, int, str],
    begin: int,
    end: int,
    seconds: float,
    wants_model: bool,
    checkpoint: bytes,
    play: Callable[[Learner], None] = play_episode,
) -> tuple[int, int, float, bytes, bytes]:
    """Train a learner from episode ``begin`` to ``end``, and return the fields of a `TrainingStep`.

    Args:
        lesson: the fields of a `TrainingTask`.
        begin: the episodes played so far.
        end: the episodes to be played at the end of the step.
        seconds: the step ends after about so much time, or later if the checkpoint takes long to make.
        wants_model: whether to return the content of a file to play with.
        checkpoint: the content of the file of episode ``begin``. It may be empty if this process has taken the last step,
            and where ``begin`` is 0.
        play: has the learner learn from the game of its next episode.

    Raises:
        TagError: the learner cannot be made, or the checkpoint does not fit.
    """
    cpu = process_time()
    learner = _learner(TrainingTask(*lesson), begin, checkpoint)
    if learner is None:
        return begin, 0, 0.0, b"", b""
    _kept.learner = None  # until the step has come to its end
    stop = perf_counter() + max(seconds, _PER_CHECKPOINT * _kept.checkpoint_seconds)
    while learner.episodes < end:
        play(learner)
        if perf_counter() >= stop:
            break
    begin_of_checkpoint = perf_counter()
    content = to_bytes(_model(TrainingTask(*lesson), learner, True))
    _kept.checkpoint_seconds = perf_counter() - begin_of_checkpoint
    model = to_bytes(_model(TrainingTask(*lesson), learner, False)) if wants_model else b""
    _kept.lesson = lesson
    _kept.learner = learner
    return int(learner.episodes), int(learner.moves), process_time() - cpu, content, model


def _learner(lesson: TrainingTask, begin: int, checkpoint: bytes) -> Learner | None:
    """Return the learner at episode ``begin``; None if it takes a checkpoint that is not there."""
    kept = _kept.learner
    if begin > 0 and kept is not None and _kept.lesson == astuple(lesson) and kept.episodes == begin:
        return kept
    if begin > 0 and not checkpoint:
        return None
    _kept.learner = None  # there may be no room for two
    learner = make_learner(lesson.learner, make_game(lesson.game), lesson.players, lesson.episodes, lesson.seed)
    if begin > 0:
        learner.restore(from_bytes(checkpoint, f"checkpoint of episode {begin}").knowledge)
    if learner.episodes != begin:
        raise DataError(f"the checkpoint is of episode {learner.episodes}, not {begin}")
    return learner


def _model(lesson: TrainingTask, learner: Learner, to_go_on: bool) -> Model:
    rules: ForwardModel[Any] = learner.model
    return Model(
        lesson.learner,
        lesson.game,
        rules_of(rules),
        lesson.players,
        lesson.episodes,
        int(learner.episodes),
        int(learner.moves),
        lesson.seed,
        tag_version(),
        learner.knowledge(to_go_on),
    )
