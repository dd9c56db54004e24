"""Positions of played games as training data: what a player saw, what it could do and did, and how the game ended for it."""

from __future__ import annotations

import json
from collections.abc import Collection
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tag.catalogue.registry import make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.ledger.replay import replays_of
from tag.tournaments.ledger.storage import whole_file

#: Rows are written in groups of so many, so that memory does not grow with the games.
_AT_ONCE: Final = 20_000
_NAMES: Final = pa.dictionary(pa.int32(), pa.string())


class _Seen(Listener):
    """Keeps the row of each decision between actions, until `table` takes it.

    Attributes:
        schema: of the table.
        rows: the decisions kept.
    """

    def __init__(self, model: ForwardModel[Any], n_players: int) -> None:
        """Find out which columns the game has."""
        self.rows = 0
        vocabulary = model.vocabulary(n_players)
        self._vocabulary = vocabulary if vocabulary.is_declared else None
        self._features = model.features()
        self._names = [] if self._features is None else list(self._features.names(n_players))
        cells = model.cells(n_players)
        kinds = {"game_id": _NAMES, "agent": _NAMES, "tick": pa.int32(), "player": pa.int8()}
        if self._names:
            kinds["features"] = pa.list_(pa.float32(), len(self._names))
        if cells is not None:
            kinds["cells"] = pa.list_(pa.uint8(), cells.number)
        if not self._names and cells is None:
            kinds["text"] = pa.string()
        action = pa.string() if self._vocabulary is None else pa.int32()
        kinds |= {"available": pa.list_(action), "choice": action, "points": pa.float64(), "score": pa.float64()}
        self.schema = pa.schema(kinds)
        self._columns: dict[str, list[Any]] = {name: [] for name in kinds}
        self._seen: list[int] = []

    def described(self, game: str, n_players: int) -> dict[str, str]:
        """Return the meaning of the numbers: the game, its players, the names of the features and the actions in words."""
        known = self._vocabulary
        actions = None if known is None else [str(known.action(index)) for index in range(len(known))]
        about = {"game": game, "players": n_players, "features": self._names, "actions": actions}
        return {"tag": json.dumps(about)}

    def hears_openings(self) -> bool:
        """Return False: no agent has decided there."""
        return False

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep a decision between actions."""
        if len(actions) == 1:
            return
        columns = self._columns
        columns["tick"].append(int(state.tick))
        columns["player"].append(int(player))
        if self._features is not None:
            columns["features"].append(self._features.values(state, player))
        if "cells" in columns:
            columns["cells"].append(state.cell_values())
        if "text" in columns:
            columns["text"].append(state.text(player))
        columns["available"].append([self._named(one, state, player) for one in actions])
        columns["choice"].append(self._named(action, state, player))
        self._seen.append(int(player))

    def end_game(self, game_id: str, agents: list[str], points: list[float | None], scores: list[float]) -> None:
        """Add to the decisions of a game what is known of it at its end, by seat."""
        columns, seen = self._columns, self._seen
        columns["game_id"] += [game_id] * len(seen)
        for name, by_seat in (("agent", agents), ("points", points), ("score", scores)):
            columns[name] += [by_seat[player] for player in seen]
        self.rows += len(seen)
        self._seen = []

    def table(self) -> pa.Table:
        """Return the decisions kept, and keep them no longer."""
        arrays = [self._array(field, self._columns[field.name]) for field in self.schema]
        for values in self._columns.values():
            values.clear()
        self.rows = 0
        return pa.table(arrays, schema=self.schema)

    def _named(self, action: AnyAction, state: GameState, player: int) -> int | str:
        return action.text(state, player) if self._vocabulary is None else int(self._vocabulary.index(action))

    @staticmethod
    def _array(field: pa.Field, values: list[Any]) -> pa.Array:
        if field.name == "cells":
            return pa.FixedSizeListArray.from_arrays(np.frombuffer(b"".join(values), np.uint8), field.type.list_size)
        if field.name == "features":
            flat = np.array(values, np.float32).reshape(-1)
            return pa.FixedSizeListArray.from_arrays(flat, field.type.list_size)
        return pa.array(values, field.type)


def write_positions(folder: Path, file: Path, game_ids: Collection[str] | None = None) -> tuple[int, int]:
    """Write the positions of games of the tournament in ``folder`` to a Parquet file; return their number and that of games.

    There is a row for each decision between several actions. The file holds only what the player to move could know, except
    for the end of the game (``points``, which are null if a fault voided it, and ``score``). Games are played again from
    their recorded actions, or by their agents.

    Args:
        folder: the tournament's.
        file: gets all rows, or stays as it was.
        game_ids: the games; by default all that have been played.

    Raises:
        TagError: there is no such tournament or game, or it cannot be played again.
    """
    opened = Folder.of(folder)
    definition = opened.definition
    replays = replays_of(opened, game_ids)
    first = next(replays, None)
    if first is None:
        raise DataError(f"no game of {str(opened.path)!r} has been played yet")
    seen = _Seen(make_game(definition.game), definition.players)
    ends = _ends(opened)
    games = rows = 0
    schema = seen.schema.with_metadata(seen.described(definition.game, definition.players))
    with (
        whole_file(file, "name another file with --out") as out,
        pq.ParquetWriter(out, schema, compression="zstd") as writer,
    ):
        for replay in chain((first,), replays):
            replay.follow([seen])
            agents, points, scores = ends.pop(replay.order.game_id)
            is_void = bool(replay.expected["void"])
            seen.end_game(replay.order.game_id, agents, [None] * len(points) if is_void else points, scores)
            games += 1
            if seen.rows >= _AT_ONCE:
                rows += seen.rows
                writer.write_table(seen.table())
        rows += seen.rows
        writer.write_table(seen.table())
    return rows, games


def _ends(folder: Folder) -> dict[str, tuple[list[str], list[float | None], list[float]]]:
    """Return agents, points and scores by seat, of each game by its id."""
    _games, seats = read_ledger(folder)
    columns = [seats[name].tolist() for name in ("game_id", "agent", "points", "score")]
    found: dict[str, tuple[list[str], list[float | None], list[float]]] = {}
    for game_id, agent, points, score in zip(*columns, strict=True):
        agents, all_points, scores = found.setdefault(game_id, ([], [], []))
        agents.append(agent)
        all_points.append(points)
        scores.append(score)
    return found
