"""The writer of studies: from the tables and the recommendation in a study's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tag.spec import parse_spec
from tournaments.tracking._run import Identity, Run
from tournaments.tracking.tags import origin_tags
from tournaments.tracking.writing import RunWriter
from tuning.files import INCUMBENTS, TRIALS, read_frame
from tuning.folder import STUDY, StudyManifest, read_study_manifest
from tuning.recommendation import RECOMMENDATION, read_recommendation
from tuning.tracking import STUDIES
from tuning.tracking.curves import MOST_CONFIGURATIONS, points, tracked_configurations

_FILES: Final = (RECOMMENDATION, STUDY, TRIALS, INCUMBENTS, "report.html")
#: What may grow in a study; parameters of a run cannot.
_GROWING: Final = ("games", "validation")
_LONGEST_TAG: Final = 5_000


class StudyWriter(RunWriter):
    """Writes the run of the study in a folder, as far as its tables go."""

    kind = STUDIES

    def __init__(self, folder: Path, uri: str, execution: Mapping[str, object]) -> None:
        """Write to the store at ``uri``."""
        super().__init__(folder, uri, execution)
        self._seen = 0

    def read_manifest(self) -> StudyManifest:
        """Return the study's."""
        return read_study_manifest(self.folder)

    def identity(self, manifest: StudyManifest) -> Identity:
        """Return the study's id, among the studies of its game type."""
        game = parse_spec(manifest.definition.game).name
        return Identity(f"{game}-tuning", "study.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: StudyManifest) -> None:
        """Write what decides the study, and what it is played with."""
        plain = manifest.definition.to_json()
        run.set_tags(
            {
                **origin_tags(self.folder, "tag tune", manifest.versions, manifest.sources, self.execution),
                **{f"study.{name}": str(plain.pop(name)) for name in _GROWING},
            }
        )
        run.log({name: _text(value) for name, value in plain.items()})

    def log_news(self, run: Run, manifest: StudyManifest, news: Mapping[str, float]) -> None:
        """Write new points of curves if the tables were written since the last time."""
        written = self._written()
        if written != self._seen:
            for _part in self._log_points(run, manifest, complete=False):
                pass
            self._seen = written

    def log_all(self, run: Run, manifest: StudyManifest) -> Iterator[bool]:
        """Write the curves to their ends, the verdict, and the files."""
        yield from self._log_points(run, manifest, complete=True)
        recommendation = read_recommendation(self.folder)
        if recommendation is not None:
            yield True
            run.set_tags(_verdict(recommendation))
            run.log_results(run.last_step, _results(recommendation))
        for name in _FILES:
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "")

    def _log_points(self, run: Run, manifest: StudyManifest, *, complete: bool) -> Iterator[bool]:
        """Write new points of all curves; it yields as `end` does."""
        incumbents = read_frame(self.folder / INCUMBENTS)  # before the trials, which know more then
        trials = read_frame(self.folder / TRIALS)
        found = list(points(trials, incumbents, run.last_step, complete=complete))
        yield True
        run.log({}, [(point.games, point.values) for point in found])
        chosen = tracked_configurations(trials, manifest.definition.games, complete=complete)
        if not chosen:
            return
        yield True
        parts, space = run.parts(), manifest.definition.space
        for one in chosen:
            if one.name not in parts and len(parts) >= MOST_CONFIGURATIONS:
                continue  # those of a smaller budget stay
            yield True
            if one.name not in parts:
                parts[one.name] = run.new_part(one.name)
            known = [(point.games, point.values) for point in one.points(complete=complete)]
            parts[one.name].log(space.values(space.configuration(one.spec)), known)

    def _written(self) -> int:
        """Return when the tables were written, in nanoseconds; 0 if they were not."""
        path = self.folder / INCUMBENTS
        return path.stat().st_mtime_ns if path.exists() else 0


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _verdict(recommendation: Mapping[str, Any]) -> dict[str, str]:
    """Return what is recommended in words."""
    texts = {name: str(recommendation[name]) for name in ("verdict", "sentence", "spec", "default")}
    return {f"recommendation.{name}": text[:_LONGEST_TAG] for name, text in texts.items()}


def _results(recommendation: Mapping[str, Any]) -> dict[str, float]:
    """Return what the games on unseen seeds say, by the names of metrics: ``validation/difference``."""
    found: dict[str, float | None] = {}
    for name in ("validation", "held_out"):
        comparison = recommendation[name]
        if comparison is None:
            continue
        for side in ("recommended", "default"):
            found |= {f"{name}/{side}/{key}": comparison[side][key] for key in ("games", "value", "low", "high")}
        result = comparison["result"]
        found |= {f"{name}/{key}": result[key] for key in ("difference", "low", "high", "p_value", "blocks")}
    return {name: float(value) for name, value in found.items() if value is not None}
