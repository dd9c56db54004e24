"""What the run of a tournament says beside its curves: parameters, tags, tables and files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tournaments.folder import MANIFEST, Manifest
from tournaments.html.page import page_html
from tournaments.ledger import ledger_files
from tournaments.ratings.pairwise import PairwiseTable
from tournaments.reports.estimates import seat_points
from tournaments.reports.reading import Reading
from tournaments.reports.recipe import command
from tournaments.reports.tournament import page_of
from tournaments.tables import standings_csv, standings_markdown
from tournaments.tracking.tags import origin_tags

#: A larger ledger, in bytes, is not copied to the store; a tag says where it is.
LARGEST_LEDGER: Final = 64 << 20


def parameters(manifest: Manifest) -> dict[str, object]:
    """Return what decides the tournament, but for its blocks, which can grow; the agents by number, from 1."""
    plain = manifest.definition.to_json()
    plain.pop("blocks")
    agents = plain.pop("agents")
    return {**plain, **{f"agent_{number}": spec for number, spec in enumerate(agents, start=1)}}


def tags(folder: Path, manifest: Manifest, execution: Mapping[str, object]) -> dict[str, str]:
    """Return where and with what exactly it is played, and how to go on with it.

    Args:
        folder: the tournament's.
        manifest: likewise.
        execution: how it is played where that decides nothing: workers, the address of a cluster.
    """
    return {
        **origin_tags(folder, "tag tournament", manifest.versions, manifest.sources, execution),
        "command.again": command(manifest.definition),
    }


def tables(reading: Reading) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of a tournament by name, those for which it has anything to say."""
    yield "standings", pd.DataFrame([asdict(standing) for standing in reading.results.standings])
    if reading.ratings is not None:
        yield "ratings", pd.DataFrame([asdict(agent) for agent in reading.ratings.agents])
        yield "pairwise", _pairs(reading.ratings.pairs)
    if len(reading.counted):
        yield "seats", _seats(reading.counted)
    if reading.results.faults:
        yield "faults", pd.DataFrame([asdict(count) for count in reading.results.faults])


def write_files(reading: Reading, folder: Path) -> str:
    """Write the tables and the report to ``folder``, and return why there is no report, nothing if there is one.

    A report that cannot be drawn costs nothing else: the games and the tables are worth more.
    """
    results = reading.results
    (folder / "results.md").write_text(standings_markdown(results.standings), encoding="utf-8")
    (folder / "results.csv").write_text(standings_csv(results.standings), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(results.to_json(), indent=2), encoding="utf-8")
    shutil.copy(results.folder / MANIFEST, folder)
    (folder / "tables").mkdir()
    for name, table in tables(reading):
        table.to_parquet(folder / "tables" / f"{name}.parquet", index=False)
    try:
        (folder / "report.html").write_text(page_html(page_of(reading)), encoding="utf-8")
    except Exception as error:  # noqa: BLE001  see above
        return f"{type(error).__name__}: {error}"
    return ""


def ledger_to_copy(folder: Path) -> tuple[list[Path], str]:
    """Return the files of the ledger in ``folder`` if they are small enough, and otherwise none and where they are."""
    files = ledger_files(folder)
    size = sum(file.stat().st_size for file in files)
    if size <= LARGEST_LEDGER:
        return files, ""
    return [], f"{size / 1e6:,.0f} MB, in {str(folder.resolve())!r} only"


def _pairs(pairs: PairwiseTable) -> pd.DataFrame:
    """Return a row for each ordered pair of agents that have met."""
    names = ("games", "above", "score", "low", "high", "p_value", "corrected")
    first, second = np.nonzero(pairs.games)
    columns: dict[str, Any] = {
        "agent": [pairs.labels[number] for number in first],
        "opponent": [pairs.labels[number] for number in second],
    }
    return pd.DataFrame({**columns, **{name: getattr(pairs, name)[first, second] for name in names}})


def _seats(counted: pd.DataFrame) -> pd.DataFrame:
    """Return the points of each seat, whoever sits there (no agent), and of each agent there."""
    frames = [seat_points(counted).assign(agent=None)]
    for label, seats in counted.groupby("agent", observed=True):
        frames.append(seat_points(seats).assign(agent=str(label)))
    found = pd.concat([frame.astype({"agent": "object"}) for frame in frames], ignore_index=True)
    return found[["agent", "seat", "games", "mean", "low", "high"]].rename(
        columns={"mean": "points", "low": "points_low", "high": "points_high"}
    )
