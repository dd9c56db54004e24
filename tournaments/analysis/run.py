"""Running an analysis: its tournaments one after the other over one pool, then the figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.errors import DataError
from tag.version import version_text
from tournaments.analysis.definition import AnalysisDefinition, Event
from tournaments.analysis.measures import read_event
from tournaments.analysis.skill import skill_row
from tournaments.analysis.speed import measure_speed
from tournaments.definition import TournamentDefinition, user_sources
from tournaments.pool import check_address, open_pool
from tournaments.progress import Progress
from tournaments.runner import run_tournament
from tournaments.sharing import PartProgress, SharedPool

_MANIFEST: Final = "analysis.json"
#: The measures that are drawn over the course of a game: they have a value at each action, or each eighth.
COURSES: Final = ("actions", "heuristic")


@dataclass(frozen=True)
class AnalysisResults:
    """What an analysis came to; `docs/analysis.md` describes the columns.

    Attributes:
        folder: where it is.
        summary: one row per event and measure.
        courses: one row per event, measure of `COURSES` and stretch of the game.
        speed: one row per event, function and sampled game.
        games: the games played so far.
        total: the games of the whole analysis; the frames are empty until all are played.
    """

    folder: Path
    summary: pd.DataFrame
    courses: pd.DataFrame
    speed: pd.DataFrame
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether every game has been played."""
        return self.games == self.total

    def to_json(self) -> dict[str, Any]:
        """Return the summary and the speed as plain values, what is not a number as None."""
        frames = {"summary": self.summary, "speed": self.speed}
        return {name: json.loads(frame.to_json(orient="records")) for name, frame in frames.items()}


def run_analysis(
    definition: AnalysisDefinition,
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    progress: Progress | None = None,
) -> AnalysisResults:
    """Play what is missing of an analysis and return the figures, written to ``out`` as well.

    Each event is a tournament in a folder of its own, with a ledger like any other; the analysis goes on where it was
    interrupted, and a larger one uses what is there.

    Args:
        definition: the analysis.
        out: its folder, new or with an analysis in it.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        progress: what shows how it comes along.

    Raises:
        TagError: the folder does not fit, or a game breaks its contract.
    """
    check_address(address)
    shown = progress or Progress()
    parts = dict(_parts(definition, out))
    total = sum(len(part.schedule()) for part in parts.values())
    _begin(definition, out)
    sources = {file: text for part in parts.values() for file, text in user_sources(part).items()}
    pool = SharedPool(partial(open_pool, workers, address, uses_ray), sources)
    games = 0
    shown.start(total, 0)
    try:
        for folder, part in parts.items():
            results = run_tournament(
                part, folder, tracking=False, progress=PartProgress(shown), pool_factory=pool.opened
            )
            games += results.games
            if not results.complete:
                return AnalysisResults(out, pd.DataFrame(), pd.DataFrame(), pd.DataFrame(), games, total)
    finally:
        shown.close()
        pool.let_go()
    return _figures(definition, out, total)


def _parts(definition: AnalysisDefinition, out: Path) -> Iterator[tuple[Path, TournamentDefinition]]:
    """Yield all tournaments of an analysis by folder."""
    for event in definition.events:
        yield _folder(out, event), definition.play(event)
    for event in definition.events:
        for name, tournament in definition.skill(event):
            yield _skill_folder(out, event, name), tournament


def _folder(out: Path, event: Event) -> Path:
    return out / "games" / event.name


def _skill_folder(out: Path, event: Event, name: str) -> Path:
    return out / "skill" / f"{event.name}-{name}"


def _begin(definition: AnalysisDefinition, out: Path) -> None:
    """Write down what the analysis is, in a folder that is new, empty, or an analysis's."""
    if out.is_file():
        raise DataError(f"{str(out)!r} is a file; name a new folder with --out")
    if out.exists() and any(out.iterdir()) and not (out / _MANIFEST).exists():
        raise DataError(f"{str(out)!r} is not empty and holds no analysis; name a new folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    (out / _MANIFEST).write_text(json.dumps({"version": version_text(), **asdict(definition)}, indent=2), "utf-8")


def _figures(definition: AnalysisDefinition, out: Path, total: int) -> AnalysisResults:
    """Work out all figures from the ledgers and write them down."""
    rows: list[dict[str, Any]] = []
    courses: list[pd.DataFrame] = []
    for event in definition.events:
        key: dict[str, Any] = {"game": event.game, "players": event.players}
        measures = read_event(_folder(out, event))
        rows += [{**key, **measure.summary()} for measure in measures.values()]
        courses += [measures[name].course().assign(**key, measure=name) for name in COURSES if name in measures]
        skill = {name: _skill_folder(out, event, name) for name, _tournament in definition.skill(event)}
        if skill:
            rows.append({**key, **skill_row(skill, definition.skill_agent)})
    speed = pd.concat([measure_speed(event, definition.seed) for event in definition.events], ignore_index=True)
    results = AnalysisResults(out, pd.DataFrame(rows), pd.concat(courses, ignore_index=True), speed, total, total)
    for name in ("summary", "courses", "speed"):
        getattr(results, name).to_parquet(out / f"{name}.parquet")
    return results
