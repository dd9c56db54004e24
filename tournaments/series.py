"""Series: one tournament per game type and number of players, between the same agents, and one table over all.

Each event is a tournament in a folder of its own, with a ledger like any other. All are played over one pool, and in the
overall table every event weighs the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, isnan, nan, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from scipy.special import stdtrit

from tag.errors import DataError, PlayersError
from tournaments.definition import TournamentDefinition
from tournaments.folder import event_name
from tournaments.intervals import CONFIDENCE
from tournaments.plain import plain
from tournaments.progress import Progress
from tournaments.results import TournamentResults, read_results
from tournaments.sharing import check_all, run_all
from tournaments.storage import check_is_ours, write_whole

MANIFEST: Final = "series.json"


@dataclass(frozen=True, slots=True)
class OverallStanding:
    """How one agent did in all events.

    Attributes:
        agent: its label in the first event.
        strength: the mean over the events of its points per seat, in shares of an equal part: 1 is average, 0 means that it
            never wins, and at a table of four 4 that it always does.
        low: the lower end of its 95 % interval.
        high: the upper end.
        by_event: its strength in each event, in their order; nan where it has no whole match-up yet.
    """

    agent: str
    strength: float
    low: float
    high: float
    by_event: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, what is not a number as None."""
        return dict(plain(asdict(self)))


class _Strength(NamedTuple):
    """An agent's strength in one event, its standard error, and the blocks that it is from."""

    mean: float
    error: float
    blocks: int
    agent: str


@dataclass(frozen=True)
class SeriesResults:
    """What a series came to so far.

    Attributes:
        folder: where it is.
        events: the results of each event, by name.
        overall: one standing per agent, best first.
        total: the games of the whole series.
    """

    folder: Path
    events: dict[str, TournamentResults]
    overall: list[OverallStanding]
    total: int

    @property
    def games(self) -> int:
        """The games in all ledgers."""
        return sum(results.games for results in self.events.values())

    @property
    def complete(self) -> bool:
        """Whether every game has been played."""
        return self.games == self.total

    @property
    def total_text(self) -> str:
        """The total in words."""
        return f"{'at most ' if any(results.at_most for results in self.events.values()) else ''}{self.total:,}"

    def to_json(self) -> dict[str, Any]:
        """Return everything but the folder as plain values."""
        return {
            "overall": [standing.to_json() for standing in self.overall],
            "events": {name: results.to_json() for name, results in self.events.items()},
            "games": self.games,
            "total": self.total,
            "complete": self.complete,
        }


def run_series(
    events: Sequence[TournamentDefinition],
    out: Path,
    *,
    workers: int = 1,
    uses_ray: bool = False,
    address: str = "",
    tracking: bool = True,
    tracking_uri: str = "",
    progress: Progress | None = None,
) -> SeriesResults:
    """Play what is missing of the ``events``, one after the other, and return the results.

    Args:
        events: tournaments between the same number of agents; each agent has the same place in all of them, and may have
            another spec in each.
        out: the folder, new or with the same series in it.
        workers: how many processes play, on Ray.
        uses_ray: whether to use Ray at all; without it the process plays itself.
        address: of a Ray cluster; empty for a Ray of its own on this machine.
        tracking: whether to write an MLflow run for each event that is complete.
        tracking_uri: where; by default beside each event.
        progress: what shows how it comes along.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    parts = {out / event_name(event.game, event.players): event for event in events}
    _check(parts, out)
    check_all(parts, out, address)
    out.mkdir(parents=True, exist_ok=True)
    named = {folder.name: event.to_json() for folder, event in parts.items()}
    write_whole(out / MANIFEST, json.dumps({"events": named}, indent=2))
    run_all(
        parts,
        workers=workers,
        uses_ray=uses_ray,
        address=address,
        tracking=tracking,
        tracking_uri=tracking_uri,
        progress=progress or Progress(),
    )
    return read_series(out)


def read_series(folder: Path) -> SeriesResults:
    """Return the results of the series in ``folder``.

    Raises:
        DataError: there is none.
    """
    events = read_events(folder)
    begun = {name: read_results(folder / name) for name in events if (folder / name / "tournament.json").exists()}
    tables = [_table(results, events[name]) for name, results in begun.items()]
    total = sum(begun[name].total if name in begun else len(event.schedule()) for name, event in events.items())
    return SeriesResults(folder, begun, _overall(tables) if tables else [], total)


def read_events(folder: Path) -> dict[str, TournamentDefinition]:
    """Return the events of the series in ``folder``, by the names of their folders.

    Raises:
        DataError: there is no series, or its file is damaged.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {name: TournamentDefinition.from_json(values) for name, values in content["events"].items()}
    except OSError:
        raise DataError(f"{str(folder)!r} holds no series: it has no {MANIFEST}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{str(path)!r} is damaged: {error}") from None


def _check(events: Mapping[Path, TournamentDefinition], out: Path) -> None:
    """Raise unless ``events``, by folder, make a series, and ``out`` is new, empty, or has no other events in it."""
    check_is_ours(out, MANIFEST, "series")
    if len({len(event.agents) for event in events.values()}) != 1:
        raise PlayersError("all events of a series are between the same number of agents")
    for name in read_events(out) if (out / MANIFEST).exists() else ():
        if out / name not in events:
            raise DataError(f"{str(out)!r} holds a series with {name}; name that as well, or a new folder with --out")


def _table(results: TournamentResults, event: TournamentDefinition) -> list[_Strength]:
    """Return the strength of each agent in one event, by the agent's number."""
    by_label = {standing.agent: standing for standing in results.standings}
    found = [by_label.get(label) for label in event.labels]
    return [
        _Strength(event.players * standing.points, event.players * standing.points_error, standing.blocks, label)
        if standing
        else _Strength(nan, nan, 0, label)
        for label, standing in zip(event.labels, found, strict=True)
    ]


def _overall(tables: list[list[_Strength]]) -> list[OverallStanding]:
    """Return the means over the events, each weighing the same; the events are independent of one another."""
    standings = []
    for strengths in zip(*tables, strict=True):
        mean = sum(one.mean for one in strengths) / len(strengths)
        error = sqrt(sum(one.error**2 for one in strengths)) / len(strengths)
        blocks = min(one.blocks for one in strengths)
        half = float(stdtrit(blocks - 1, (1.0 + CONFIDENCE) / 2.0)) * error if blocks > 1 else inf
        by_event = tuple(one.mean for one in strengths)
        standings.append(OverallStanding(strengths[0].agent, mean, max(0.0, mean - half), mean + half, by_event))
    return sorted(standings, key=lambda standing: (isnan(standing.strength), -standing.strength, standing.agent))
