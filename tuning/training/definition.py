"""The definition of a training with its evaluation, and its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Final, Self

from tag.catalogue.models.training import TrainingStep, TrainingTask, train
from tag.catalogue.options import Range, check_ranges, option
from tag.catalogue.registry import canonical, learner_class, make_game, make_learner, sources_in
from tag.engine.parameters import parse_spec
from tag.errors import DataError, ParameterError
from tag.tuning.study.definition import Definition
from tag.tuning.study.estimate import SECONDS, Sample, StudyEstimate, measure
from tag.tuning.study.folder import Manifest, read_manifest_of
from tag.tuning.training.evaluators import Evaluator, make_evaluator, usual_evaluators
from tag.tuning.training.recorded import find_recorded

TRAINING: Final = "training.json"
#: Training time of a learner between checkpoints, if omitted.
CHECKPOINT_SECONDS: Final = 5.0

EACH: Final = "each"
MEDIAN: Final = "median"

_LEARNED: Final = "What is learned"
_AMOUNT: Final = "How much is played"
_EVALUATION: Final = "Evaluation"
_STOPPING: Final = "Stopping rules"

_LARGEST: Final = 1_000_000_000
_MOST_SEEDS: Final = 10_000


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """Options of a training, with the names of the command line."""

    players: int | None = option(
        None, "Players of each game; if omitted, the game's fewest.", _LEARNED, example="2", least=1
    )
    ledger: str = option(
        "",
        "Learn from the recorded games of the tournament in this folder, in place of games against itself.",
        _LEARNED,
        metavar="DIR",
        example='"runs/first"',
    )
    episodes: int = option(
        0,
        "Games that each learner plays against itself; needed. With a ledger its first games; if omitted, all.",
        _AMOUNT,
        example="5000",
        least=1,
        most=_LARGEST,
    )
    seeds: int = option(
        1,
        "Learners, which differ in their seeds only; 1 by default.",
        _AMOUNT,
        example="5",
        least=1,
        most=_MOST_SEEDS,
    )
    seed: int = option(
        1,
        "Seed of the first learner; the others follow. 1 by default.",
        _AMOUNT,
        example="1",
        least=0,
        most=_LARGEST,
    )
    evaluate: tuple[str, ...] = option(
        (),
        "An opponent to play against in every seat, or: score, agreement, value_error. The first decides on stopping. If "
        "omitted, random and another agent; for one player, score.",
        _EVALUATION,
        metavar="SPEC",
        example='["random", "mcts:budget=200"]',
    )
    evaluations: int = option(
        10,
        "Evaluations of each learner, evenly spaced, the last at the end; 10 by default.",
        _EVALUATION,
        example="20",
        least=0,
        most=_LARGEST,
    )
    evaluation_games: int = option(
        100,
        "Games per seat of an evaluation against an opponent; 100 by default.",
        _EVALUATION,
        example="200",
        least=2,
        most=_LARGEST,
    )
    openings: int | None = option(
        None,
        "Random moves at the beginning of these games; if omitted, 2 in games without chance for several players.",
        _EVALUATION,
        example="4",
        least=0,
        most=1000,
    )
    target: float | None = option(
        None,
        "Stop at this value of the first evaluator, the mean over the seats.",
        _STOPPING,
        example="0.9",
        least=-_LARGEST,
        most=_LARGEST,
    )
    target_by: str = option(
        EACH,
        "Who has to reach the target: each learner, or the median of all.",
        _STOPPING,
        example='"median"',
        choices=(EACH, MEDIAN),
    )
    patience: int = option(
        0,
        "Stop a learner after so many evaluations without a better value; 0 for never.",
        _STOPPING,
        example="5",
        least=0,
        most=_LARGEST,
    )


@dataclass(frozen=True, kw_only=True)
class TrainingDefinition(TrainingOptions, Definition):
    """A training, with all specs in canonical form and no option left open; make one with `define_training`.

    Attributes:
        learner: the spec of the learner.
        game: the spec of the game type.
        recorded: the hash of the ledger; empty without one.
    """

    kind: ClassVar[str] = "train"
    word: ClassVar[str] = "training"
    manifest: ClassVar[str] = TRAINING
    unwritten: ClassVar[tuple[str, ...]] = ("kind", "sampler_reason")
    may_grow: ClassVar[tuple[str, ...]] = ("seeds", "ledger")

    learner: str
    game: str
    players: int
    openings: int
    recorded: str

    @property
    def all_seeds(self) -> range:
        """The seeds of the learners."""
        return range(self.seed, self.seed + self.seeds)

    @property
    def checkpoints(self) -> list[int]:
        """The episodes at which learners are evaluated, in order; empty without evaluations."""
        if not self.evaluate:
            return []
        number = min(self.evaluations, self.episodes)
        return [self.episodes * (place + 1) // number for place in range(number)]

    @property
    def evaluators(self) -> list[Evaluator]:
        """The evaluators, in order."""
        return [make_evaluator(text) for text in self.evaluate]

    @property
    def has_rule(self) -> bool:
        """True if a learner may stop before it has played all episodes."""
        return self.target is not None or self.patience > 0

    def lesson(self, seed: int) -> TrainingTask:
        """Return the task of the learner of a seed."""
        return TrainingTask(self.learner, self.game, self.players, self.episodes, seed, self.recorded)

    def estimate(self, workers: int) -> StudyEstimate:
        """Return games, time and room with so many workers, from a short training of the first learner.

        Raises:
            ParameterError: the learners learn from recorded games, whose time is not measured.
        """
        if self.recorded:
            raise ParameterError("the time of a training is not known with ledger; leave it out, or start the training")
        begin = perf_counter()
        step = TrainingStep(*train(astuple(self.lesson(self.seed)), 0, self.episodes, SECONDS, True, b""))
        learning = (perf_counter() - begin) / step.episodes * self.episodes
        against = [one.opponent for one in self.evaluators if one.opponent]
        found = measure([Sample(self.game, self.players, (one,)) for one in against], self.seed)
        evaluating = len(self.checkpoints) * len(against) * self.players * self.evaluation_games * found.seconds
        seconds = (learning + evaluating) * self.seeds / min(workers, self.seeds)
        room = self.seeds * (len(step.model) + len(step.checkpoint))
        return StudyEstimate(self.episodes * self.seeds, seconds, room, workers, step.episodes + found.played)

    def check_folder(self, folder: Path) -> None:
        """Raise `DataError` where models in ``folder`` could not be named in specs."""
        if set("()") & set(str(folder.resolve())):
            raise DataError(
                f"{str(folder)!r} cannot be named in specs, as it has parentheses; name another folder with --out"
            )

    def sources(self) -> dict[str, str]:
        """Return the text of users' files and the digests of models in all specs, by the file's name."""
        found = {**sources_in("learner", self.learner), **sources_in("game", self.game)}
        for evaluator in self.evaluators:
            if evaluator.opponent:
                found |= sources_in("agent", evaluator.opponent)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        options = {**asdict(self), "evaluate": list(self.evaluate)}
        return {"learner": options.pop("learner"), "game": options.pop("game"), **options}

    def said(self) -> dict[str, Any]:
        """Return the options that define the same training again, as plain values with the words of TOML files."""
        return {name: value for name, value in self.to_json().items() if name != "recorded" and value is not None}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the result of `to_json`; `DataError` where it is no definition."""
        missing = {one.name for one in fields(cls)} - values.keys()
        if missing:
            raise DataError(f"this is no definition of a training: it has no {', '.join(sorted(missing))}")
        try:
            return cls(**{**values, "evaluate": tuple(values["evaluate"])})
        except TypeError as error:
            raise DataError(f"this is no definition of a training: {error}") from None

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this training, perhaps with more seeds; empty if it is."""
        if other.episodes != self.episodes:
            return f"episodes is {self.episodes:,} there, and the rates of learning follow from it"
        if self.ledger and other.ledger and other.recorded != self.recorded:
            return f"the games in {other.ledger!r} are not those with which it began"
        mine, theirs = self.to_json(), other.to_json()
        may_differ = {"seeds", "ledger"} if other.recorded == self.recorded else {"seeds"}
        for name, value in mine.items():
            if name not in may_differ and value != theirs[name]:
                return f"{name} is {_text(value)} there, not {_text(theirs[name])}"
        if other.seeds < self.seeds:
            return f"seeds is {self.seeds} there and can only grow, not shrink to {other.seeds}"
        if other.seeds > self.seeds and self.target_by == MEDIAN:
            return f"seeds is {self.seeds} there and cannot grow, as the median of these decides when all stop"
        return ""


def define_training(learner: str, game: str = "", episodes: int = 0, **options: Any) -> TrainingDefinition:
    """Return a checked training.

    Args:
        learner: the spec of the learner.
        game: the spec of the game type; with a ledger, if omitted, that of its games.
        episodes: games that each learner plays; with a ledger, if omitted, all of its games.
        options: the other fields of `TrainingOptions`.

    Raises:
        TagError: a value is wrong, or the game cannot be learned in this way; the message names it.
    """
    said = TrainingOptions(episodes=episodes, **options)
    recorded = ""
    most = _LARGEST
    if said.ledger:
        games = find_recorded(said.ledger)
        games.check_game(said.ledger, game, said.players)
        said = replace(said, players=games.players, episodes=said.episodes or games.number)
        game, recorded, most = game or games.game, games.content, games.number
    check_ranges(said)
    Range(1, most).check("episodes", said.episodes)
    Range(0, _LARGEST - said.seeds + 1).check("seed", said.seed)
    learner = canonical(learner, learner_class(parse_spec(learner).name).parameters_class)
    model = make_game(game)
    kind = model.game_type
    players = kind.min_players if said.players is None else said.players
    learns = make_learner(learner, model, players, said.episodes, said.seed)
    if recorded:
        learns.listener()  # raises where it cannot learn from them
    chosen = (said.evaluate or usual_evaluators(model, players)) if said.evaluations else ()
    found = [make_evaluator(text) for text in chosen]
    for evaluator in found:
        evaluator.check(model, players)
    texts = tuple(evaluator.text for evaluator in found)
    twice = next((text for text in texts if texts.count(text) > 1), None)
    if twice is not None:
        raise ParameterError(f"evaluate cannot name {twice!r} twice")
    usual = 0 if kind.chance or players == 1 else 2
    openings = usual if said.openings is None else said.openings
    _check_effects(said, found, openings != usual)
    settled = {"players": players, "evaluate": texts, "openings": openings, "recorded": recorded}
    return TrainingDefinition(learner=learner, game=canonical(game, kind.parameters), **{**vars(said), **settled})


def _check_effects(said: TrainingOptions, evaluators: Sequence[Evaluator], has_openings: bool) -> None:
    """Refuse options that change nothing beside others."""
    if (said.target is not None or said.patience) and not evaluators:
        raise ParameterError("target and patience need evaluations, and there are none")
    if said.evaluate and not said.evaluations:
        raise ParameterError(
            "evaluate needs evaluations, and there are none; leave it out, or raise evaluations above 0"
        )
    if said.target_by != EACH and said.target is None:
        raise ParameterError(f"target_by cannot be {said.target_by!r} without a target; set one, or leave it out")
    if all(one.is_of_positions for one in evaluators):
        usual_games = TrainingOptions().evaluation_games
        for name, is_set in (("evaluation_games", said.evaluation_games != usual_games), ("openings", has_openings)):
            if is_set:
                raise ParameterError(f"{name} cannot be set where no evaluator plays games; leave it out")


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


TrainingManifest = Manifest[TrainingDefinition]


def read_training_manifest(folder: Path) -> TrainingManifest:
    """Return the manifest of the training in ``folder``; `DataError` where there is none, or it is damaged."""
    return read_manifest_of(TrainingDefinition, folder)
