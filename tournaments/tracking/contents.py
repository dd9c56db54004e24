"""The contents of a run as data, which any tracker can write: what is known of a folder beforehand, curves, and results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from tag.tournaments.tracking.runs import Identity
    from tag.tournaments.tracking.tracker import RunType

#: The number of games after which some values are known, and these by the names of metrics.
Point = tuple[int, Mapping[str, float]]


@dataclass(frozen=True)
class RunPart:
    """A part with a run of its own within the run.

    Attributes:
        key: its name, the same each time.
        points: its curves so far.
        result: after all games, if it has one.
    """

    key: str
    parameters: Mapping[str, object]
    points: Sequence[Point] = ()
    result: Point | None = None


@dataclass(frozen=True)
class RunResults:
    """What is known in the end.

    Attributes:
        files: those to be copied, each with its folder among the artifacts, empty for the topmost.
    """

    tags: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    files: Sequence[tuple[Path, str]] = ()


class RunContents:
    """The contents of the run of a folder, as far as its files go; there is one class for each kind of folders."""

    kind: ClassVar[RunType]

    def __init__(self, folder: Path) -> None:
        """Read nothing yet."""
        self.folder = folder
        self.manifest: Any = None

    def read(self) -> bool:
        """Read the manifest, which may have been extended; return whether it has changed."""
        before, self.manifest = self.manifest, self.read_manifest()
        return bool(self.manifest != before)

    def read_manifest(self) -> Any:
        """Return the folder's manifest."""
        raise NotImplementedError

    def identity(self) -> Identity:
        """Return the key by which its run is found again."""
        raise NotImplementedError

    def parameters(self) -> Mapping[str, object]:
        """Return what is known beforehand and never changes."""
        return {}

    def tags(self, execution: Mapping[str, object]) -> Mapping[str, str]:
        """Return what is known beforehand and may change, with the conditions of its ``execution``."""
        raise NotImplementedError

    def has_points(self, news: Mapping[str, float], after: int) -> bool:
        """Say whether there may be points after so many games; reading a ledger is expensive."""
        return True

    def points(self, after: int, *, complete: bool) -> Iterable[Point]:
        """Return the points of the curves after so many games; to their ends if all is ``complete``."""
        return ()

    def parts(self, *, complete: bool) -> Iterable[RunPart]:
        """Return the parts with runs of their own, with all their points."""
        return ()

    @property
    def most_parts(self) -> int | None:
        """The greatest number of runs within the run; None for any."""
        return None

    def results(self, scratch: Path) -> RunResults:
        """Return what is known in the end; files may be made in the folder ``scratch``."""
        raise NotImplementedError

    def prepare_results(self) -> None:
        """Import what only `results` needs, while games are played."""


def existing(folder: Path, names: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files of a folder that are there, tables for a folder of their own."""
    for name in names:
        if (folder / name).is_file():
            yield folder / name, "tables" if name.endswith(".parquet") else ""
