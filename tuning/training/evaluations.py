"""The evaluations of a training: those that are complete, as rows of the table, and those to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from tag.catalogue.models import model_source
from tag.cluster import Workers
from tag.orders import GameOrder, GameRecord
from tag.tuning.training.definition import TrainingDefinition
from tag.tuning.training.evaluators import EvaluatedSeat, Evaluator
from tag.tuning.training.files import Checkpoint, LearnerHistory, read_curves, write_curves
from tag.tuning.training.results import progress_table

#: A batch of evaluation games takes about so long, in seconds, so that a step behind it need not wait for long.
_BATCH_SECONDS: Final = 1.0
_MOST_GAMES: Final = 200
_FIRST_GAMES: Final = 4

#: Seed, episode and spec of the evaluator.
_Unit = tuple[int, int, str]


@dataclass(eq=False)
class OpenEvaluation:
    """An evaluation that is not complete.

    Attributes:
        orders: its games; none if it compares positions.
        given: how many games, or tasks, were given to workers.
        records: the games that were played, by place.
    """

    unit: _Unit
    evaluator: Evaluator
    file: str
    orders: list[GameOrder] = field(default_factory=list)
    given: int = 0
    records: dict[int, GameRecord] = field(default_factory=dict)

    @property
    def is_given(self) -> bool:
        """True if the whole evaluation is with workers."""
        return self.given >= max(len(self.orders), 1)


@dataclass(frozen=True)
class TrainingNote:
    """Figures that are shown beside the progress.

    Attributes:
        moves_per_second: of CPU time, of all learners in this run.
        evaluations: those to come.
        games: the games of these that are not played yet.
        last: the last evaluation.
        evaluators: their specs.
        learners: rows of texts: the seed of a learner, its games, and its last value by each evaluator.
    """

    moves_per_second: float
    evaluations: int
    games: int
    last: str
    evaluators: tuple[str, ...]
    learners: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The speed, the evaluations to come, and the last one."""
        return "; ".join(filter(None, [self._line, self.last]))

    @property
    def _line(self) -> str:
        parts = [f"{self.moves_per_second:,.0f} moves per CPU second"] if self.moves_per_second else []
        if self.evaluations:
            games = f" of {self.games:,} games" if self.games else ""
            parts.append(f"{self.evaluations:,} evaluation{'s' if self.evaluations > 1 else ''}{games} to come")
        return "; ".join(parts)

    def picture(self) -> RenderableType:
        """Return the same, and a table of learners."""
        return Group(Text(self._line), Text(""), progress_table(self.evaluators, self.learners))

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "moves_per_second": self.moves_per_second,
            "evaluations_to_come": self.evaluations,
            "evaluation_games_to_come": self.games,
            "last_evaluation": self.last,
        }


class Evaluations:
    """The evaluations of a training: those that are complete, as rows of the table, and those to come."""

    def __init__(self, definition: TrainingDefinition, folder: Path, workers: Workers) -> None:
        self._definition = definition
        self._folder = folder
        self._workers = workers
        self._open: dict[_Unit, OpenEvaluation] = {}
        self._games: dict[str, int] = {}
        self.rows: dict[_Unit, list[dict[str, Any]]] = {}
        self.last = ""
        #: The last value of each learner by each evaluator, with its episode.
        self._shown: dict[tuple[int, str], tuple[int, float]] = {}
        for row in read_curves(folder).to_dict("records"):
            unit = (int(row["seed"]), int(row["episode"]), str(row["evaluator"]))
            self.rows.setdefault(unit, []).append({str(name): value for name, value in row.items()})
        for unit, rows in self.rows.items():
            self._keep(unit, _mean(rows))

    def __len__(self) -> int:
        """Return the number of evaluations to come."""
        return len(self._open)

    def missing(self, seed: int, episode: int) -> list[str]:
        """Return the evaluators that have not evaluated a learner after so many episodes."""
        if episode not in self._definition.checkpoints:
            return []
        return [text for text in self._definition.evaluate if (seed, episode, text) not in self.rows]

    def values(self) -> dict[int, dict[int, float]]:
        """Return the mean over the seats by the first evaluator, by seed and episode."""
        found: dict[int, dict[int, float]] = {}
        for (seed, episode, text), rows in self.rows.items():
            if text == self._definition.evaluate[0]:
                found.setdefault(seed, {})[episode] = _mean(rows)
        return found

    def shown(self, seed: int) -> list[str]:
        """Return the last value of a learner by each evaluator, as texts."""
        known = [self._shown.get((seed, text)) for text in self._definition.evaluate]
        return ["" if one is None else f"{one[1]:.3f} at {one[0]:,}" for one in known]

    def _keep(self, unit: _Unit, value: float) -> None:
        seed, episode, text = unit
        self._shown[seed, text] = max((episode, value), self._shown.get((seed, text), (0, 0.0)), key=itemgetter(0))

    @property
    def games_to_come(self) -> int:
        """The games of open evaluations that are not played yet."""
        return sum(len(one.orders) - len(one.records) for one in self._open.values())

    def ask(self, checkpoint: Checkpoint) -> None:
        """Have a learner evaluated, as far as it was not."""
        definition = self._definition
        for text in self.missing(checkpoint.seed, checkpoint.episode):
            unit = (checkpoint.seed, checkpoint.episode, text)
            if unit in self._open:
                continue
            file = str(checkpoint.path.resolve())
            self._workers.start(dict([model_source(file)]))
            evaluator = definition.evaluators[definition.evaluate.index(text)]
            orders = []
            if not evaluator.is_of_positions:
                where = definition.game, definition.players, definition.evaluation_games, definition.openings
                orders = evaluator.orders(file, *where)
            self._open[unit] = OpenEvaluation(unit, evaluator, file, orders)

    def next(self) -> OpenEvaluation | None:
        """Return the first evaluation of which a worker can do something, those by the first evaluator first."""
        first = self._definition.evaluate[0] if self._definition.has_rule else ""
        waiting = [one for one in self._open.values() if not one.is_given]
        return min(waiting, key=lambda one: one.unit[2] != first, default=None)

    def batch_of(self, one: OpenEvaluation) -> range:
        """Return the places of the next games of an evaluation."""
        return range(one.given, min(one.given + self._games.get(one.unit[2], _FIRST_GAMES), len(one.orders)))

    def take_games(
        self, one: OpenEvaluation, places: range, records: Sequence[GameRecord], course: LearnerHistory
    ) -> None:
        """Take games of an evaluation, and their time."""
        seconds = sum(sum(record.seconds) for record in records) / len(records)
        self._games[one.unit[2]] = max(1, min(_MOST_GAMES, int(_BATCH_SECONDS / max(seconds, 1e-6))))
        one.records.update(zip(places, records, strict=True))
        if len(one.records) == len(one.orders):
            played = [one.records[place] for place in range(len(one.orders))]
            self._conclude(one, one.evaluator.of_games(played, self._definition.players), course)

    def take_positions(
        self, one: OpenEvaluation, measured: Sequence[tuple[float, float]], course: LearnerHistory
    ) -> None:
        """Take the positions of an evaluation."""
        self._conclude(one, one.evaluator.of_positions(measured), course)

    def _conclude(self, one: OpenEvaluation, seats: Sequence[EvaluatedSeat], course: LearnerHistory) -> None:
        seed, episode, text = one.unit
        moves, cpu_seconds = course.marks[episode]
        training = {"seed": seed, "episode": episode, "moves": moves, "evaluator": text}
        speed = {"cpu_seconds": cpu_seconds, "moves_per_second": moves / cpu_seconds if cpu_seconds else 0.0}
        self.rows[one.unit] = [{**training, **vars(seat), **speed} for seat in seats]
        del self._open[one.unit]
        if all(other.file != one.file for other in self._open.values()):
            self._workers.forget([one.file])
        write_curves(self._folder, self._definition, self.rows)
        mean = _mean(self.rows[one.unit])
        self._keep(one.unit, mean)
        self.last = f"learner {seed} at {episode:,}: {text} {mean:.3f}"
        if not sum(seat.games for seat in seats):
            self.last = f"learner {seed} at {episode:,}: {text} had no cases"


def _mean(rows: Sequence[Mapping[str, Any]]) -> float:
    """Return the mean over the seats."""
    return sum(float(row["points"]) for row in rows) / len(rows)
