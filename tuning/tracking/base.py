"""Writing the run of a study of any kind: from the tables and the verdict in its folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from tag.spec import parse_spec
from tournaments.tracking._run import Identity, Run
from tournaments.tracking.tags import origin_tags
from tournaments.tracking.writing import RunWriter
from tuning.files import INCUMBENTS, TRIALS, read_frame, read_json
from tuning.folder import STUDY, Manifest, of_now, read_manifest_of
from tuning.study import BUDGETS, Study
from tuning.tracking.curves import MOST_CONFIGURATIONS, points, tracked_configurations

_LONGEST_TAG: Final = 5_000


class BaseStudyWriter(RunWriter):
    """Writes the run of the study in a folder, as far as its tables go.

    Attributes:
        study: the class of its definition.
        topic: what such studies are of; the experiment is the game type and this.
        verdict: the file with what it came to.
        tables: the other files that are derived from the ledgers.
    """

    study: ClassVar[type[Study]]
    topic: ClassVar[str]
    verdict: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = (TRIALS, INCUMBENTS)

    _seen = 0

    def read_manifest(self) -> Manifest[Any]:
        """Return the study's."""
        return read_manifest_of(self.study, self.folder)

    def identity(self, manifest: Manifest[Any]) -> Identity:
        """Return the study's id, among the studies of its kind and game type."""
        game = parse_spec(manifest.definition.game).name
        return Identity(f"{game}-{self.topic}", "study.id", manifest.id, manifest.created)

    def describe(self, run: Run, manifest: Manifest[Any]) -> None:
        """Write what decides the study, and what it is played with."""
        plain = manifest.definition.to_json()
        command = f"tag {self.study.kind}"
        run.set_tags(
            {
                **origin_tags(self.folder, command, manifest.versions, manifest.sources, self.execution),
                **{
                    f"study.{name}": str(plain.pop(name)) for name in BUDGETS if name in plain
                },  # parameters of a run cannot grow
            }
        )
        run.log({name: _text(value) for name, value in plain.items()})

    def log_news(self, run: Run, manifest: Manifest[Any], news: Mapping[str, float]) -> None:
        """Write new points of curves if the tables were written since the last time."""
        written = self._written()
        if written != self._seen:
            for _part in self._log_points(run, manifest, complete=False):
                pass
            self._seen = written

    def log_all(self, run: Run, manifest: Manifest[Any]) -> Iterator[bool]:
        """Write the curves to their ends, the verdict, and the files."""
        yield from self._log_points(run, manifest, complete=True)
        found = of_now(manifest, read_json(self.folder / self.verdict))
        if found is not None:
            yield True
            run.set_tags({name: text[:_LONGEST_TAG] for name, text in self.tags(found).items()})
            run.log_results(run.last_step, self.results(found))
        for name in (*([self.verdict] if found else []), STUDY, *self.tables, "report.html"):
            if (self.folder / name).is_file():
                yield True
                run.log_file(self.folder / name, "")

    def tags(self, found: Mapping[str, Any]) -> dict[str, str]:
        """Return what the study came to, in words."""
        raise NotImplementedError

    def results(self, found: Mapping[str, Any]) -> dict[str, float]:
        """Return what the games on unseen seeds say, by the names of metrics."""
        raise NotImplementedError

    def named(self, values: Mapping[str, float], manifest: Manifest[Any]) -> dict[str, float]:
        """Return the values of a point by the names of metrics."""
        return dict(values)

    def _log_points(self, run: Run, manifest: Manifest[Any], *, complete: bool) -> Iterator[bool]:
        """Write new points of all curves; it yields as `end` does."""
        incumbents = read_frame(self.folder / INCUMBENTS)  # before the trials, which know more then
        trials = read_frame(self.folder / TRIALS)
        found = list(points(trials, incumbents, run.last_step, complete=complete))
        yield True
        run.log({}, [(point.games, self.named(point.values, manifest)) for point in found])
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
            known = [(point.games, self.named(point.values, manifest)) for point in one.points(complete=complete)]
            parts[one.name].log(space.values(space.configuration(one.spec)), known)

    def _written(self) -> int:
        """Return when the tables were written, in nanoseconds; 0 if they were not."""
        path = self.folder / INCUMBENTS
        return path.stat().st_mtime_ns if path.exists() else 0


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
