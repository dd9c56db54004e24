"""Studies and trainings on live pages, also while they run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.errors import DataError
from tag.tournaments.ledger.experiment import EXPERIMENT
from tag.tournaments.ledger.folder import FOLDER, MANIFEST
from tag.tournaments.reports.sections.section import (
    Cell,
    Column,
    Definitions,
    Paragraph,
    ProgressBar,
    Section,
    TableData,
    number,
)
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.statistics.intervals import HALF_WIDTH
from tag.tournaments.web.live.experiment import LiveExperiment
from tag.tournaments.web.live.feed import FolderRow, LiveBlock, LiveSection
from tag.tournaments.web.live.folders import STOPPED, LiveFolder, games_in
from tag.tournaments.web.live.tournament import LiveTournament
from tag.tuning.agent.definition import RECOMMENDATION
from tag.tuning.balancing.definition import BALANCE, BalanceDefinition
from tag.tuning.balancing.report.report import balance_sections
from tag.tuning.balancing.report.report import report_html as balance_html
from tag.tuning.balancing.report.report import search_sections as balance_search_sections
from tag.tuning.balancing.results.results import read_balance
from tag.tuning.reports.report import report_html, search_sections, study_sections
from tag.tuning.reports.results import read_study
from tag.tuning.reports.sections.coordinates import fixed_parameters
from tag.tuning.search.trials import DROPPED
from tag.tuning.space import SearchSpace
from tag.tuning.space.ranges import shown, value_text
from tag.tuning.study.definition import Study
from tag.tuning.study.files import INCUMBENTS, TRIALS
from tag.tuning.study.folder import STUDY, ResultsSoFar, study_kind
from tag.tuning.training.definition import TRAINING
from tag.tuning.training.files import COURSES, CURVES
from tag.tuning.training.report import cost_section, curves_section, learners_section, result_section, training_html
from tag.tuning.training.results import read_training, recorded_where

#: The files with the verdicts of both kinds of studies.
_VERDICTS: Final = (RECOMMENDATION, BALANCE)
#: Folders of a study with games that its budget does not count.
_NOT_COUNTED: Final = frozenset({"calibration", "deviations", "retune"})
#: So many of the last incumbents and trials are listed during play; the report lists more.
_LATEST_INCUMBENTS: Final = 25
_LATEST: Final = 100
_STOPPED: Final = f"{STOPPED}: it was paused, interrupted or killed"
_VALUE: Final = "the objective of the study, for incumbents by the model"
_INCUMBENTS: Final = {
    "value": Column("value", form=".3f", spread="half", meaning=_VALUE),
}
_TRIALS: Final = {
    "games": Column("games", form=","),
    "value": Column("value", form=".3f", meaning=_VALUE),
    "error": Column("error", form=".3f", meaning="the standard error of the value"),
    "state": Column("state"),
}


class LiveStudy(LiveFolder):
    """A study that tunes an agent, also while it runs."""

    kind = "study"

    def __init__(self, folder: Path, name: str) -> None:
        """Read nothing yet."""
        super().__init__(folder, name)
        self._games_of: defaultdict[Path, dict[str, int]] = defaultdict(dict)

    def read(self) -> ResultsSoFar[Any]:
        """Return the results so far."""
        return read_study(self.folder)

    def report(self) -> str:
        """Return the report of the study."""
        return report_html(read_study(self.folder))

    def search(self) -> Iterator[Section]:
        """Yield the sections of the report on the course of the search, which need no model."""
        yield from search_sections(read_study(self.folder))

    def sections(self) -> Iterator[Section]:
        """Yield the sections of the report, which fit a model to all trials."""
        yield from study_sections(read_study(self.folder))

    def changing(self) -> Sequence[Path]:
        """Return the files and folders that a study rewrites."""
        files = [self.folder / name for name in (STUDY, TRIALS, INCUMBENTS, *_VERDICTS)]
        return [*files, *(stage / FOLDER for stage in self._stages())]

    def row(self) -> FolderRow:
        """Return the entry in the list; the total is the most games that the study may take."""
        results = self.read()
        definition = results.manifest.definition
        game = definition.where
        created = results.manifest.created
        return self.own_row(game, self.state(results.complete), self._games(), definition.games_at_most, created)

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the state of the search, its course in figures, the last trials, and the report, which takes longest."""
        return [self._state, self._search, self._lists, self._report]

    def _games(self) -> int:
        return sum(games_in(stage, self._games_of[stage]) for stage in self._stages())

    def _stages(self) -> list[Path]:
        """Return the folders of stages that have played, some of which are within others."""
        ledgers = [*self.folder.glob(f"*/{FOLDER}"), *self.folder.glob(f"*/*/{FOLDER}")]
        return sorted(path.parent for path in ledgers if path.relative_to(self.folder).parts[0] not in _NOT_COUNTED)

    def _state(self) -> Iterator[LiveSection]:
        results = self.read()
        definition, trials, incumbents = results.manifest.definition, results.trials, results.incumbents
        games, most = self._games(), definition.games_at_most
        state = self.state(results.complete)
        pruned = int((trials["state"] == DROPPED).sum()) if len(trials) else 0
        entries = [
            ("State", self.state_text(state, _STOPPED)),
            ("Game", _titled(definition)),
            ("Games", f"{games:,} of at most {most:,}"),
            ("Trials", f"{len(trials):,}, {pruned:,} of them pruned"),
            *([("Incumbent", str(incumbents["spec"].iloc[-1]))] if len(incumbents) else []),
        ]
        share = 1.0 if results.complete else min(1.0, games / most)
        yield LiveSection("progress", "Progress", [_gauge(share, f"at most {most:,}"), Definitions(entries)])

    def _search(self) -> Iterator[LiveSection]:
        yield from map(_live, self.search())

    def _lists(self) -> Iterator[LiveSection]:
        results = self.read()
        space, trials, incumbents = results.manifest.definition.space, results.trials, results.incumbents
        lists = [_Listed("incumbents", "Incumbents", "games", incumbents, _INCUMBENTS), _Listed.of_trials(trials)]
        fixed = fixed_parameters(space, trials)
        yield from (one.section(space, fixed) for one in lists if len(one.frame))

    def _report(self) -> Iterator[LiveSection]:
        known = {section.name for section in self.search()}
        yield from (_live(section) for section in self.sections() if section.name not in known)


def _titled(definition: Study) -> str:
    """Return the title of the game and its players, or the names of several."""
    is_one = definition.everywhere == (definition.game,)
    return f"{title_of(definition.game)}, {definition.players} players" if is_one else definition.where


class LiveBalance(LiveStudy):
    """A study that balances a game, also while it runs."""

    kind = "balancing study"

    def read(self) -> ResultsSoFar[Any]:
        """Return the results so far."""
        return read_balance(self.folder)

    def report(self) -> str:
        """Return the report of the study."""
        return balance_html(read_balance(self.folder))

    def search(self) -> Iterator[Section]:
        """Yield the sections of the report on the course of the search."""
        yield from balance_search_sections(read_balance(self.folder))

    def sections(self) -> Iterator[Section]:
        """Yield the sections of the report, with the Pareto front where there is one."""
        yield from balance_sections(read_balance(self.folder))


class LiveTraining(LiveFolder):
    """A training of learners, also while it runs."""

    kind = "training"

    def report(self) -> str:
        """Return the report of the training."""
        return training_html(read_training(self.folder))

    def changing(self) -> Sequence[Path]:
        """Return the files that a training rewrites."""
        return [self.folder / name for name in (TRAINING, COURSES, CURVES)]

    def row(self) -> FolderRow:
        """Return the entry in the list; the total is of all learners."""
        results = read_training(self.folder)
        manifest, definition = results.manifest, results.manifest.definition
        game, total = f"{definition.game}, {definition.players} players", definition.episodes * definition.seeds
        return self.own_row(game, self.state(results.complete), results.episodes, total, manifest.created)

    def parts(self) -> Sequence[Callable[[], Iterator[LiveSection]]]:
        """Return the progress with the last evaluations, the curves, which take longer to draw, and the settings."""
        return [self._course, self._curves, self._settings]

    def _course(self) -> Iterator[LiveSection]:
        results = read_training(self.folder)
        definition, games, state = results.manifest.definition, results.episodes, self.state(results.complete)
        total, finished = definition.episodes * definition.seeds, len(results.models)
        entries = [
            ("State", self.state_text(state, _STOPPED)),
            ("Game", f"{title_of(definition.game)}, {definition.players} players"),
            ("Learner", definition.learner),
            ("Learners", f"{definition.seeds:,}, {finished:,} of them finished"),
            ("Games", f"{games:,} of {total:,}{recorded_where(definition)}"),
        ]
        share = 1.0 if results.complete else games / total
        yield LiveSection("progress", "Progress", [_gauge(share, f"{total:,}"), Definitions(entries)])
        sections = [result_section(results)] if len(results.curves) else []
        yield from map(_live, [*sections, learners_section(results)])

    def _curves(self) -> Iterator[LiveSection]:
        results = read_training(self.folder)
        if len(results.curves):
            yield _live(curves_section(results))

    def _settings(self) -> Iterator[LiveSection]:
        results = read_training(self.folder)
        entries = [(name, _said(value)) for name, value in results.manifest.definition.said().items()]
        yield LiveSection("settings", "Settings", [Definitions(entries)])
        yield _live(cost_section(results))


def _said(value: Any) -> str:
    """Return the value of an option as a text."""
    return (", ".join(map(str, value)) if isinstance(value, list) else str(value)) or "none"


def _live(section: Section) -> LiveSection:
    """Return a section of a report for a live page."""
    return LiveSection(section.name, section.title, section.blocks, section.about)


def _gauge(share: float, total: str) -> ProgressBar:
    """Return the share of games that have been played."""
    return ProgressBar("Games", share, "0", total, f"{share:.0%}".replace("%", " %"))


@dataclass(frozen=True)
class _Listed:
    """The last rows of a data frame of a study as a section of its page, the latest first."""

    name: str
    title: str
    label: str
    frame: pd.DataFrame
    columns: Mapping[str, Column]
    about: str = "What the model recommended in the course of the search, the latest first."
    most: int = _LATEST_INCUMBENTS

    @classmethod
    def of_trials(cls, trials: pd.DataFrame) -> _Listed:
        """Return the last trials."""
        about = f"The last {min(len(trials), _LATEST)} trials that have ended, the latest first."
        return cls("latest", "Latest trials", "number", trials, _TRIALS, about, _LATEST)

    def section(self, space: SearchSpace, fixed: Sequence[str]) -> LiveSection:
        """Return values with their intervals, then parameters, empty where one has no effect; ``fixed`` ones are named."""
        rows = self.frame.iloc[::-1].head(self.most).copy()
        if "deviation" in rows and "value" in rows:
            rows["value_low"] = rows["value"] - HALF_WIDTH * rows["deviation"]
            rows["value_high"] = rows["value"] + HALF_WIDTH * rows["deviation"]
        names = [name for name in space.ranges if name not in fixed]
        records, values = [], {}
        for row in rows.to_dict("records"):
            values = space.values(space.configuration(str(row["spec"])))
            texts = {f"parameter {name}": _cell(values[name]) if name in values else "" for name in names}
            label = {self.label: f"{row[self.label]:,}"}
            records.append({**{str(name): value for name, value in row.items()}, **label, **texts})
        columns = {name: column for name, column in self.columns.items() if name in rows}
        parameters = {f"parameter {name}": Column(name) for name in names}
        table = TableData(records, self.title, (self.label,), {**columns, **parameters}, is_dense=True)
        same = [f"{name} = {shown(value_text(values[name]))}" for name in fixed if name in values]
        blocks: list[LiveBlock] = [table, *([Paragraph(f"The same in all trials: {', '.join(same)}.")] if same else [])]
        return LiveSection(self.name, self.title, blocks, self.about)


def _cell(value: Any) -> Cell:
    """Return the value of a parameter: real numbers to three digits, as there are many columns."""
    text = number(value) if isinstance(value, float) else shown(value_text(value))
    return Cell(text, value=text if isinstance(value, bool) or not isinstance(value, int | float) else value)


def _live_study(folder: Path, name: str) -> LiveFolder:
    """Return a study of the kind that its file names; one with a damaged file is shown as that."""
    kind = ""
    with suppress(DataError):
        kind = study_kind(folder)
    return LiveBalance(folder, name) if kind == BalanceDefinition.kind else LiveStudy(folder, name)


#: What `tag serve` finds, by the file that such folders have.
KINDS: Final = {EXPERIMENT: LiveExperiment, MANIFEST: LiveTournament, STUDY: _live_study, TRAINING: LiveTraining}
