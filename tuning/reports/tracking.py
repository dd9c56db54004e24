"""The contents of a study's run: its curves, the configurations that had the most games, and the verdict.

All of it is made from the files in the study's folder, which are rewritten every few seconds while the study runs
(`tag.tuning.study`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Final

from tag.engine.parameters import parse_spec
from tag.tournaments.tracking.contents import Point, RunContents, RunPart, RunResults, existing
from tag.tournaments.tracking.marks import Contents
from tag.tournaments.tracking.origin import origin_tags
from tag.tournaments.tracking.runs import Identity
from tag.tournaments.tracking.tracker import RunType, ledger_names
from tag.tuning.agent.comparisons.comparison import SIDES
from tag.tuning.agent.definition import RECOMMENDATION, StudyDefinition
from tag.tuning.reports import curves
from tag.tuning.reports.results import comparisons_of
from tag.tuning.study.definition import BUDGETS, Study
from tag.tuning.study.files import INCUMBENTS, TRIALS, read_frame, read_json
from tag.tuning.study.folder import STUDY, Manifest, of_now, read_manifest_of

_LONGEST_TAG: Final = 5_000


def contents_with(verdict: str) -> Contents:
    """Return a function that names the contents of a folder: its ledger files, and a hash of the file ``verdict``."""

    def contents(folder: Path) -> list[str]:
        ledgers = sorted(path.parent for path in folder.glob("*/ledger"))
        names = [f"{ledger.name}/{name}" for ledger in ledgers for name in ledger_names(ledger)]
        file = folder / verdict
        content = file.read_bytes() if file.is_file() else b""
        return [*names, blake2b(content, digest_size=16).hexdigest()]

    return contents


STUDIES: Final = RunType("tag.tuning.reports.tracking:TuningContents", contents_with(RECOMMENDATION))


class StudyContents(RunContents):
    """The contents of the run of the study in a folder, from its data frames and its verdict.

    Attributes:
        study: the class of its definition.
        topic: the subject of such studies; the experiment is named after the game type and this.
        tables: the other files that are derived from the ledgers.
    """

    study: ClassVar[type[Study]]
    topic: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = (TRIALS, INCUMBENTS)
    manifest: Manifest[Any]

    _seen = 0

    def read_manifest(self) -> Manifest[Any]:
        """Return the manifest of the study."""
        return read_manifest_of(self.study, self.folder)

    def identity(self) -> Identity:
        """Return the study's id, among the studies of its kind and game type."""
        game = parse_spec(self.manifest.definition.game).name
        return Identity(f"{game}-{self.topic}", "study.id", self.manifest.id, self.manifest.created)

    def parameters(self) -> dict[str, object]:
        """Return the definition of the study without its budgets, which can grow."""
        plain = self.manifest.definition.to_json()
        return {name: _text(value) for name, value in plain.items() if name not in BUDGETS}

    def tags(self, execution: Mapping[str, object]) -> dict[str, str]:
        """Return the budgets of the study, its versions and its sources."""
        plain, manifest = self.manifest.definition.to_json(), self.manifest
        command = f"tag {self.study.kind}"
        origin = origin_tags(self.folder, command, manifest.versions, manifest.sources, execution)
        return origin | {f"study.{name}": str(plain[name]) for name in BUDGETS if name in plain}

    def has_points(self, news: Mapping[str, float], after: int) -> bool:
        """Say whether the frames were written since the last time."""
        path = self.folder / INCUMBENTS
        before, self._seen = self._seen, path.stat().st_mtime_ns if path.exists() else 0
        return self._seen != before

    def points(self, after: int, *, complete: bool) -> Iterator[Point]:
        """Yield the recommendations of the model."""
        incumbents = read_frame(self.folder / INCUMBENTS)  # before the trials, which are newer then
        trials = read_frame(self.folder / TRIALS)
        for point in curves.points(trials, incumbents, after, complete=complete):
            yield point.games, self.named(point.values)

    def parts(self, *, complete: bool) -> Iterator[RunPart]:
        """Yield the configurations with the most games."""
        definition = self.manifest.definition
        trials = read_frame(self.folder / TRIALS)
        for one in curves.tracked_configurations(trials, definition.games, complete=complete):
            known = [(point.games, self.named(point.values)) for point in one.points(complete=complete)]
            yield RunPart(one.name, definition.space.values(definition.space.configuration(one.spec)), known)

    @property
    def most_parts(self) -> int:
        """The greatest number of configurations; those of a smaller budget stay."""
        return curves.MOST_CONFIGURATIONS

    def results(self, scratch: Path) -> RunResults:
        """Return the verdict, and the files."""
        found = of_now(self.manifest, read_json(self.folder / self.study.verdict))
        names = [*([self.study.verdict] if found else []), STUDY, *self.tables, "report.html"]
        files = list(existing(self.folder, names))
        if found is None:
            return RunResults(files=files)
        values = {name: float(value) for name, value in self.values(found).items() if value is not None}
        return RunResults({name: text[:_LONGEST_TAG] for name, text in self.verdict(found).items()}, values, files)

    def verdict(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the verdict of the study in words."""
        raise NotImplementedError

    def values(self, found: Mapping[str, Any]) -> dict[str, float | None]:
        """Return the results of the games on unseen seeds, by the names of metrics."""
        raise NotImplementedError

    def named(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the values of a point by the names of metrics."""
        return dict(values)


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


class TuningContents(StudyContents):
    """The contents of the run of a tuning study."""

    kind = STUDIES
    study = StudyDefinition
    topic = "tuning"

    def verdict(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return the recommendation in words."""
        return {f"recommendation.{name}": str(found[name]) for name in ("verdict", "sentence", "spec", "default")}

    def values(self, found: Mapping[str, Any]) -> dict[str, float | None]:
        """Return the comparisons with the default: ``validation/difference``."""
        values: dict[str, float | None] = {}
        for name, (comparison, times) in comparisons_of(found).items():
            for side in SIDES:
                values[f"{name}/{side}/decision_cpu_ms"] = times[side]
                values |= {f"{name}/{side}/{key}": comparison[side][key] for key in ("games", "value", "low", "high")}
            result = comparison["result"]
            values |= {f"{name}/{key}": result[key] for key in ("difference", "low", "high", "p_value", "blocks")}
        for portfolio in found.get("portfolios") or []:
            name = f"portfolio/{len(portfolio['specs'])}"
            values |= {f"{name}/{key}": portfolio[key] for key in ("gain", "low", "high")}
            for one in portfolio["games"]:
                values |= {f"{name}/{one['event']}/{key}": one[key] for key in ("gain", "low", "high")}
        for name, comparison in (found.get("games") or {}).items():
            values |= {f"{name}/{key}": comparison[key] for key in ("gain", "low", "high", "p_value")}
            for one in comparison["games"]:
                keys = ("gain", "low", "high", "recommended", "default", "blocks", "games")
                values |= {f"{name}/{one['event']}/{key}": one[key] for key in keys}
        return values
