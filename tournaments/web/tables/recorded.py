"""The games of a ledger, as they are found by agent, result, length and faults, and opened at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from tag.engine.results import DISQUALIFIED, DRAW, LOSE, TIMEOUT, WIN, result_name
from tag.errors import DataError, UnknownNameError
from tag.tournaments.designs.agents import short_labels
from tag.tournaments.ledger import rows
from tag.tournaments.ledger.folder import Folder, shards_of
from tag.tournaments.ledger.rows import GAMES

#: So many games are on a page.
PAGE: Final = 50
#: The columns by which games are sorted, with a minus sign before them the largest first.
ORDERS: Final = ("schedule", "actions", "-actions", "turns", "-turns")
#: Games with and without faults; a void game has one.
FAULTS: Final = ("", "some", "none")
#: The results of a player, by name.
RESULTS: Final = {result_name(result): result for result in (WIN, DRAW, LOSE, TIMEOUT, DISQUALIFIED)}
_FORFEITS: Final = (TIMEOUT, DISQUALIFIED)
_COLUMNS: Final = ["game_id", "agents", "results", "scores", "ticks", "turns", "void", "faults"]


@dataclass(frozen=True)
class Wanted:
    """The games that are looked for.

    Attributes:
        agent: the label of an agent that plays in them; empty for any.
        result: its result in words, or that of any player; empty for any.
        least: the fewest actions.
        most: the most actions; 0 for no limit.
        faults: one of `FAULTS`.
        order: one of `ORDERS`.
        page: the number of the page, from 1.
    """

    agent: str = ""
    result: str = ""
    least: int = 0
    most: int = 0
    faults: str = ""
    order: str = ORDERS[0]
    page: int = 1


class GameList:
    """The games of a tournament, by agent, result, length and faults; the ledger is read again when there are more.

    Attributes:
        folder: the tournament's.
        labels: the agents' names in tables, by number.
        short: a short form of each label.
        has_sources: whether the tournament uses files of users, as they were when it began.
    """

    def __init__(self, folder: Path) -> None:
        """Read no game yet.

        Raises:
            DataError: there is no tournament in the folder, or it is damaged.
        """
        self.folder = folder
        self._lock = Lock()
        self._read(())

    def _look(self) -> None:
        """Read the ledger, if it has changed."""
        shards = tuple(path.name for path in shards_of(self.folder).of(GAMES))
        if shards != self._shards:
            self._read(shards)

    def _read(self, shards: Sequence[str]) -> None:
        opened = Folder.open(self.folder)
        self.game, self.players = opened.definition.game, opened.definition.players
        self.labels = opened.definition.labels
        self.has_sources = bool(opened.manifest.sources)
        self.short = short_labels(self.labels)
        self._shards = shards
        self._table = opened.games(_COLUMNS).table if shards else rows.SCHEMAS[GAMES].empty_table()
        self._agents, self._results = (self._by_seat(name) for name in ("agents", "results"))
        self._has_fault = (rows.lengths(rows.one_piece(self._table["faults"])) > 0) | self._column("void")

    def _by_seat(self, name: str) -> npt.NDArray[Any]:
        """Return the values of a column of shape (games, players)."""
        values: npt.NDArray[Any] = rows.one_piece(self._table[name]).flatten().to_numpy()
        return values.reshape(-1, self.players)

    def _column(self, name: str) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = self._table[name].to_numpy()
        return values

    def find(self, wanted: Wanted) -> tuple[int, list[dict[str, Any]]]:
        """Return how many games are as wanted, and those of the page, each as `_row` has it.

        Raises:
            TagError: a value is wrong, or a file of the ledger is damaged.
        """
        with self._lock:
            self._look()
            numbers = np.flatnonzero(self._are(wanted))
            if wanted.order not in ORDERS:
                raise UnknownNameError.of("order of games", wanted.order, ORDERS)
            if wanted.order != ORDERS[0]:
                keys = self._column({"actions": "ticks", "turns": "turns"}[wanted.order.removeprefix("-")])[numbers]
                numbers = numbers[np.argsort(-keys if wanted.order.startswith("-") else keys, kind="stable")]
            begin = (wanted.page - 1) * PAGE
            shown = self._table.take(numbers[begin : begin + PAGE])
            return len(numbers), [self._row(row) for row in shown.to_pylist()]

    def row(self, game_id: str) -> dict[str, Any]:
        """Return a game as in the list.

        Raises:
            DataError: it has not been played.
        """
        with self._lock:
            self._look()
            number = pc.index(self._table["game_id"], game_id).as_py()
            if number < 0:
                raise DataError(f"the ledger has no game {game_id[:40]!r}; the list has all")
            return self._row(self._table.slice(number, 1).to_pylist()[0])

    def _are(self, wanted: Wanted) -> npt.NDArray[np.bool_]:
        """Say of each game whether it is as wanted."""
        ticks = self._column("ticks")
        found = ticks >= wanted.least
        if wanted.most:
            found &= ticks <= wanted.most
        if wanted.faults not in FAULTS:
            raise UnknownNameError.of("faults", wanted.faults, FAULTS[1:])
        if wanted.faults:
            found &= self._has_fault == (wanted.faults == "some")
        seats = np.ones_like(self._results, dtype=bool)
        if wanted.agent:
            if wanted.agent not in self.labels:
                raise UnknownNameError.of("agent", wanted.agent, self.labels)
            seats &= self._agents == self.labels.index(wanted.agent)
        if wanted.result:
            if wanted.result not in RESULTS:
                raise UnknownNameError.of("result", wanted.result, RESULTS)
            seats &= self._results == RESULTS[wanted.result]
        return np.asarray(found & seats.any(axis=1))

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return a game in plain values: ``id``, ``seats``, ``actions``, ``turns``, ``faults`` and ``end``, all in words."""
        seats = [
            {"agent": self.short[self.labels[agent]], "result": result_name(result), "score": score}
            for agent, result, score in zip(row["agents"], row["results"], row["scores"], strict=True)
        ]
        named = [f"{one['agent']} in seat {number}" for number, one in enumerate(seats, 1)]
        faults = [f"{named[fault['seat']]}: {fault['kind'].replace('_', ' ')}" for fault in row["faults"]]
        ends = zip(named, seats, row["results"], strict=True)
        forfeits = [f"{who}: {seat['result']}" for who, seat, result in ends if result in _FORFEITS]
        return {
            "id": row["game_id"],
            "seats": seats,
            "actions": row["ticks"],
            "turns": row["turns"],
            "faults": faults,
            "end": "voided" if row["void"] else ", ".join(forfeits),
        }
