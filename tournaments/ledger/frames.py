"""Data frames of games and of seats, made of Arrow tables in flat arrays: there are millions of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN, result_name
from tournaments.ledger.rows import labels_of

_RESULTS: Final = (WIN, DRAW, LOSE, TIMEOUT, DISQUALIFIED, ONGOING)
_GAME_COLUMNS: Final = (
    "game_id",
    "block",
    "matchup",
    "seating",
    "game",
    "seed",
    "ticks",
    "turns",
    "rounds",
    "state_hash",
    "void",
)

#: Faults of a game: the number of the agent, and the kind of the fault.
Charges = Sequence[tuple[int, str]]

_Ints = npt.NDArray[np.int64]


def one_piece(column: Any) -> Any:
    """Return a column of a table as one array."""
    whole = column.combine_chunks()
    return whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)


def flat(column: Any) -> Any:
    """Return the elements of a column of lists one after the other."""
    return one_piece(column).flatten().to_numpy(zero_copy_only=False)


def lengths(column: Any) -> _Ints:
    """Return the length of every list in a column or an array of lists."""
    counts: _Ints = pc.list_value_length(column).to_numpy().astype(np.int64)
    return counts


def seat_index(column: Any) -> tuple[_Ints, _Ints, int]:
    """Return the game's number and the position of every element of a column of lists, and the longest list's length."""
    counts = lengths(column)
    game = np.repeat(np.arange(len(counts)), counts)
    position = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
    return game, position, int(counts.max(initial=0))


def seat_faults(column: Any, game: _Ints, seat: _Ints, n_seats: int) -> _Ints:
    """Return the number of faults of every seat of every game."""
    faulty, _number, _longest = seat_index(column)
    whose = _fault_fields(column)["seat"].to_numpy().astype(np.int64)
    faults: _Ints = np.bincount(faulty * n_seats + whose, minlength=len(column) * n_seats)[game * n_seats + seat]
    return faults


def games_frame(table: Any, faults: _Ints, game: _Ints) -> pd.DataFrame:
    """Return one row per game, with the number of its faults."""
    frame: pd.DataFrame = table.select(_GAME_COLUMNS).to_pandas(categories=["game"])
    frame = frame.astype({name: np.int64 for name in frame.select_dtypes("integer").columns})
    frame["faults"] = np.bincount(game, faults, len(frame)).astype(np.int64)
    return frame


def seats_frame(table: Any, faults: _Ints, game: _Ints, seat: _Ints) -> pd.DataFrame:
    """Return one row per seat of each game; all arrays are flat, as there are millions of rows."""
    results = flat(table["results"]).astype(np.int64)
    agents = flat(table["agents"]).astype(np.int64)
    key = {name: table[name].to_numpy()[game].astype(np.int64) for name in ("block", "matchup", "seating")}
    code = np.array([_RESULTS.index(value) for value in range(min(_RESULTS), max(_RESULTS) + 1)])
    return pd.DataFrame(
        {
            "game_id": game_ids(table, game),
            **key,
            "seat": seat,
            "agent": _labelled(agents, labels_of(table.schema)),
            "agent_index": agents,
            "result": pd.Categorical.from_codes(
                code[results - min(_RESULTS)],
                categories=pd.Index([result_name(value) for value in _RESULTS], dtype=str),
            ),
            "win": results == WIN,
            "points": _points(results, game, len(table)),
            "ordinal": flat(table["ordinals"]).astype(np.int64),
            "team": flat(table["teams"]).astype(np.int64),
            "score": flat(table["scores"]),
            "decisions": flat(table["decisions"]).astype(np.int64),
            "faults": faults,
        }
    )


def _labelled(agents: _Ints, labels: Sequence[str]) -> pd.Categorical:
    """Return the labels of agents given by number; in studies an opponent and the tuned agent may have the same one."""
    codes, names = pd.factorize(np.array(labels, dtype=object))
    return pd.Categorical.from_codes(codes[agents], categories=pd.Index(names, dtype=str))


def _points(results: _Ints, game: _Ints, n_games: int) -> npt.NDArray[np.float64]:
    """Return 1/k for each of the k winners of a game or, without a winner, for each of the k who drew."""
    winners = np.bincount(game, results == WIN, n_games)
    drawers = np.bincount(game, results == DRAW, n_games)
    shares = np.where(winners > 0, winners, drawers)[game]
    is_sharing = np.where(winners[game] > 0, results == WIN, results == DRAW)
    points: npt.NDArray[np.float64] = is_sharing / np.maximum(shares, 1)
    return points


def timings_frame(table: Any) -> pd.DataFrame:
    """Return one row per seat of each game, with the worker as a category."""
    game, seat, _longest = seat_index(table["seconds"])
    worker = one_piece(table["worker"]).dictionary_encode()
    return pd.DataFrame(
        {
            "game_id": game_ids(table, game),
            "seat": seat,
            "seconds": flat(table["seconds"]),
            "cpu_seconds": flat(table["cpu_seconds"]),
            "worker": pd.Categorical.from_codes(
                worker.indices.to_numpy()[game], categories=pd.Index(worker.dictionary.to_pylist(), dtype=str)
            ),
        }
    )


def faults_frame(games: Any, timings: Any) -> pd.DataFrame:
    """Return one row per fault, with its message from ``timings`` if it is there."""
    game, number, _longest = seat_index(games["faults"])
    fields = _fault_fields(games["faults"])
    frame = pd.DataFrame(
        {
            "game_id": game_ids(games, game),
            "number": number,
            "seat": fields["seat"].to_numpy().astype(np.int64),
            "tick": fields["tick"].to_numpy().astype(np.int64),
            "kind": fields["kind"].to_pandas(),
        }
    )
    game, number, _longest = seat_index(timings["messages"])
    message = one_piece(timings["messages"]).flatten().to_pandas()
    messages = pd.DataFrame({"game_id": game_ids(timings, game), "number": number, "message": message})
    merged = frame.merge(messages, how="left", on=["game_id", "number"]).drop(columns="number")
    merged["message"] = merged["message"].fillna("")
    return merged


def charges(tables: Iterable[Any]) -> dict[str, Charges]:
    """Return the faults of each faulty game of ``tables``, by game; the last table counts."""
    found: dict[str, Charges] = {}
    for table in tables:
        rows = table.filter(pc.greater(pc.list_value_length(table["faults"]), 0)).select(
            ["game_id", "agents", "faults"]
        )
        for row in rows.to_pylist():
            found[row["game_id"]] = [(row["agents"][fault["seat"]], fault["kind"]) for fault in row["faults"]]
    return found


def without(table: Any, game_ids: Collection[str]) -> Any:
    """Return ``table`` without the rows of some games."""
    if not game_ids:
        return table
    return table.filter(pc.invert(pc.is_in(table["game_id"], pa.array(sorted(game_ids), pa.string())))).combine_chunks()


def measures_frame(table: Any) -> pd.DataFrame:
    """Return one row per value, with game and measure as categories: there are thousands of values in a game."""
    game, _position, _longest = seat_index(table["names"])
    counts = flat(table["counts"]).astype(np.int64)
    names, measure = np.unique(flat(table["names"]).astype(str), return_inverse=True)
    ids = pd.Index(table["game_id"].to_numpy(), dtype=str)
    begins = np.cumsum(counts) - counts
    return pd.DataFrame(
        {
            "game_id": pd.Categorical.from_codes(np.repeat(game, counts), categories=ids),
            "measure": pd.Categorical.from_codes(np.repeat(measure, counts), categories=pd.Index(names, dtype=str)),
            "number": np.arange(counts.sum()) - np.repeat(begins, counts),
            "value": flat(table["values"]).astype(np.float64),
        }
    )


def actions_frame(table: Any) -> pd.DataFrame:
    """Return one row per action, with the game as a category: there are hundreds of actions in a game."""
    game, tick, _longest = seat_index(table["choices"])
    ids = pd.Index(table["game_id"].to_numpy(), dtype=str)
    choice = flat(table["choices"]).astype(np.int64)
    return pd.DataFrame({"game_id": pd.Categorical.from_codes(game, categories=ids), "tick": tick, "choice": choice})


def game_ids(table: Any, game: _Ints) -> Any:
    """Return the ids of the games in these rows of ``table``, as strings of pandas."""
    return table["game_id"].take(pa.array(game)).to_pandas()


def _fault_fields(column: Any) -> dict[str, Any]:
    """Return the fields of all faults in a column, each as one array."""
    faults = one_piece(column).flatten()
    names = [field.name for field in faults.type]
    return dict(zip(names, faults.flatten(), strict=True))
