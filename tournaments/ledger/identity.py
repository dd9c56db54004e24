"""The identity of a ledger's games: what each shard says of its tournament, and what each row must be by its schedule.

A shard of another tournament, or a row that has been edited, is foreign: it is never counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tag.engine.results import DISQUALIFIED, WIN
from tag.tournaments.designs.games import PLACE, Pairing, PlannedGames, game_id_of
from tag.tournaments.ledger.parquet import UnfitFileError
from tag.tournaments.ledger.rows import (
    ACTIONS,
    GAMES,
    MEASURES,
    TIMED,
    TIMINGS,
    entries_of,
    flat,
    identity_of,
    lengths,
    one_piece,
    seat_index,
)
from tag.tournaments.statistics.intervals import Bools, Ints

#: Among the versions: the version of the derivation of random streams from the seed.
STREAMS: Final = "streams"
#: The same of the rules by which designs that learn set their tables; other designs do not name it.
TABLES: Final = "tables"
#: The versions that decide what is played. Those of Python and of packages do not.
DECISIVE: Final = ("tag", "game", STREAMS, TABLES)

#: What text that is no identity of a tournament raises.
_NO_IDENTITY: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
_DEFINITION: Final = "definition"
_VERSIONS: Final = "versions"
_SOURCES: Final = "sources"


class LedgerAgents(Protocol):
    """The agents and game types of a ledger's games, such as `tournaments.TournamentDefinition`."""

    @property
    def entries(self) -> Sequence[str]:
        """The agents by number: a label each, or ``NAME=LABEL``; there may be more later, but none changes."""

    def game_of(self, pairing: Pairing) -> str:
        """Return the spec of the game type that is played in a game."""


class LedgerPlan(LedgerAgents, Protocol):
    """The plan of a ledger: which games may be in it, and what is kept of them."""

    @property
    def record_actions(self) -> bool:
        """True if the ledger keeps the actions of each game."""

    @property
    def metrics(self) -> Sequence[str]:
        """The names of the metrics that measure each game."""

    @property
    def players(self) -> int:
        """The seats of each game, or the most seats where the plan says those of each (`PlannedGames.seats`)."""

    @property
    def is_open(self) -> bool:
        """True if the ledger may name agents that the plan does not know yet."""

    @property
    def most_games(self) -> int | None:
        """The most games that a shard can have; None where that is not known."""

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The facts that decide the games and never change, as plain values; without agents, which may become more."""

    def planned(self, places: Ints, entries: Sequence[str], thorough: bool) -> PlannedGames:
        """Return the planned games at some places.

        Args:
            places: block, match-up and seating of each game, of shape (games, 3).
            entries: the agents as the ledger has them.
            thorough: whether to compare also what takes as long as to plan the games.
        """


class ForeignShardError(UnfitFileError):
    """A shard with games that are not those of its tournament."""


@dataclass(frozen=True, eq=False)
class Binding:
    """The identity of a tournament or of a stage of a study, to compare shards with.

    Attributes:
        plan: of its games.
        versions: of what decides the games; none are compared if empty.
        sources: the text or digest of each user's file, by name.
        known: the names of files that were found to be of the tournament; they have a digest of the content.
    """

    plan: LedgerPlan
    versions: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    @cached_property
    def text(self) -> str:
        """The identity as shards have it: a JSON object with plain values, and a digest for each file."""
        return json.dumps(self._values(), sort_keys=True)

    def difference(self, schema: Any) -> str:
        """Return the first reason why a shard is of another tournament, by its metadata; empty if there is none."""
        try:
            mine, theirs = list(self.plan.entries), entries_of(schema)
            shared = min(len(mine), len(theirs)) if self.plan.is_open else len(theirs)
            if theirs[:shared] != mine[:shared]:
                return f"its agents are {', '.join(theirs)}"
            return next(self._differences(json.loads(identity_of(schema))), "")
        except _NO_IDENTITY:
            return "its metadata are damaged"

    def misfit(self, kind: str, table: Any, *, thorough: bool = False) -> str:
        """Return the first reason why rows are not those of the plan; empty if there is none.

        Args:
            kind: of the rows.
            table: with the columns `checked_columns` at least.
            thorough: whether to compare also the tables of designs that take long to plan.
        """
        places = np.stack([table[name].to_numpy().astype(np.int64) for name in PLACE], axis=1)
        for are_bad, reason in self._reasons(kind, table, places, thorough):
            if are_bad.any():
                return f"its game {game_id_of(*places[int(np.argmax(are_bad))].tolist())} {reason}"
        return ""

    def _reasons(self, kind: str, table: Any, places: Ints, thorough: bool) -> Iterator[tuple[Bools, str]]:
        """Yield which rows are not as planned, and in what; what follows holds only of rows that pass."""
        plan = self.plan.planned(places, entries_of(table.schema), thorough)
        yield ~plan.exist, "is not in the schedule"
        yield pc.not_equal(one_piece(table["game_id"]), _ids(places)).to_numpy(zero_copy_only=False), "has another id"
        if kind == GAMES:
            yield from self._of_games(table, plan)
        elif kind == TIMINGS:
            for name in TIMED:
                yield lengths(table[name]) != self._seats(plan), f"has {name} of another number of players"
        elif kind == MEASURES:
            yield _are_uneven(table), "has other numbers of measures than it names"

    def _of_games(self, table: Any, plan: PlannedGames) -> Iterator[tuple[Bools, str]]:
        """Yield the same for columns that only tables of games have."""
        if plan.seeds is not None:
            yield table["seed"].to_numpy() != plan.seeds, "has another seed"
        if plan.games is not None:
            yield _differ(table["game"], plan.games), "is of another game type"
        seats = self._seats(plan)
        for name in _SEATED:
            yield lengths(table[name]) != seats, "has another number of players"
        agents, n_agents = flat(table["agents"]), len(entries_of(table.schema))
        game, seat, _longest = seat_index(table["agents"])
        yield _any_of(game, (agents < 0) | (agents >= n_agents), table), "has agents that it does not name"
        if plan.agents is not None:
            yield _any_of(game, agents != plan.agents[game, seat], table), "has other agents"
        elif plan.turn:
            seated = agents.reshape(-1, self.plan.players)
            yield _are_not_turned(table, seated), "has other agents than its match-up in other seatings"
        results = flat(table["results"])
        yield _any_of(game, (results < DISQUALIFIED) | (results > WIN), table), "has results that there are not"
        yield _have_odd_seats(table["faults"], seats), "has faults of players that there are not"

    def _seats(self, plan: PlannedGames) -> Any:
        """Return the seats of each game, or of all."""
        return self.plan.players if plan.seats is None else plan.seats

    def _values(self) -> dict[str, Any]:
        return {
            _DEFINITION: dict(self.plan.fixed),
            _VERSIONS: {name: self.versions[name] for name in DECISIVE if name in self.versions},
            _SOURCES: {file: digest_of(text) for file, text in self.sources.items()},
        }

    def _differences(self, theirs: Mapping[str, Any]) -> Iterator[str]:
        mine = self._values()
        for group in (_DEFINITION, _VERSIONS):
            for name in sorted({**mine[group], **theirs[group]}):
                here, there = (json.dumps(values[group].get(name)) for values in (mine, theirs))
                if here != there and (group == _DEFINITION or self.versions):
                    what = f"version of {name}" if group == _VERSIONS else name
                    yield f"its {what} is {there}, not {here}"
        for file, digest in theirs[_SOURCES].items():
            if self.versions and mine[_SOURCES].get(file) != digest:
                yield f"it was played with another {file!r}"


def digest_of(text: str) -> str:
    """Return 32 hexadecimal digits for the text of a file."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def checked_columns(kind: str) -> list[str]:
    """Return the columns of a kind of shards that `Binding.misfit` needs."""
    return ["game_id", *PLACE, *_CHECKED[kind]]


#: Lists with one entry per seat.
_SEATED: Final = ("agents", "results", "ordinals", "teams", "scores", "decisions")
_CHECKED: Final[dict[str, tuple[str, ...]]] = {
    GAMES: ("game", "seed", "faults", *_SEATED),
    TIMINGS: TIMED,
    MEASURES: ("names", "counts", "values"),
    ACTIONS: (),
}


def are_of_one(schemas: Iterable[Any]) -> bool:
    """Say whether shards are of the same tournament."""
    sources: dict[str, str] = {}
    try:
        known = [json.loads(text) for text in dict.fromkeys(map(identity_of, schemas))]
        return all(
            values[_DEFINITION] == known[0][_DEFINITION]
            and values[_VERSIONS] == known[0][_VERSIONS]
            and all(sources.setdefault(file, digest) == digest for file, digest in values[_SOURCES].items())
            for values in known
        )
    except _NO_IDENTITY:
        return False


def _ids(places: Ints) -> Any:
    """Return the ids of games as an Arrow array (`tag.tournaments.designs.games.game_id_of`)."""
    block, matchup, seating = (pa.array(column).cast(pa.string()) for column in places.T)
    return pc.binary_join_element_wise("b", block, "-m", matchup, "-s", seating, "")


def _differ(column: Any, games: Sequence[str]) -> Bools:
    """Return which texts of a column are others than those given for each row, or for all if there is one."""
    encoded = one_piece(column).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    codes = encoded.indices.to_numpy()
    if len(games) == 1:
        differs: Bools = np.array([name != games[0] for name in names], dtype=bool)[codes]
        return differs
    number = {name: code for code, name in enumerate(names)}
    wanted = np.array([number.get(game, -1) for game in games], dtype=np.int64)
    found: Bools = codes != wanted
    return found


def _are_not_turned(table: Any, agents: Ints) -> Bools:
    """Return which games have agents that are no rotation of those in the game before of the same match-up and block."""
    block, matchup, seating = (table[name].to_numpy().astype(np.int64) for name in PLACE)
    seats = np.arange(agents.shape[1])
    first = np.take_along_axis(agents, (seats - seating[:, None]) % len(seats), axis=1)
    order = np.lexsort((matchup, block))
    is_same = (block[order][1:] == block[order][:-1]) & (matchup[order][1:] == matchup[order][:-1])
    found = np.zeros(len(agents), dtype=bool)
    found[order[1:]] = is_same & (first[order][1:] != first[order][:-1]).any(axis=1)
    return found


def _are_uneven(table: Any) -> Bools:
    """Return in which rows of measures the numbers of names, counts and values do not fit together."""
    game, _position, _longest = seat_index(table["counts"])
    counts = flat(table["counts"]).astype(np.int64)
    sums = np.bincount(game, counts, len(table)).astype(np.int64)
    is_negative = np.bincount(game, counts < 0, len(table)) > 0
    uneven: Bools = (
        (lengths(table["names"]) != lengths(table["counts"])) | (lengths(table["values"]) != sums) | is_negative
    )
    return uneven


def _any_of(game: Ints, are_bad: Bools, table: Any) -> Bools:
    """Return which rows have a bad seat, from the number of the row of each seat."""
    found: Bools = np.bincount(game, are_bad, len(table)) > 0
    return found


def _have_odd_seats(column: Any, players: Any) -> Bools:
    """Return which rows have faults of seats that there are not; there are as many players in all, or so many in each."""
    game, _position, _longest = seat_index(column)
    faults = one_piece(column).flatten()
    seats = faults.field("seat").to_numpy().astype(np.int64)
    most = np.broadcast_to(players, len(column))[game]
    odd: Bools = np.bincount(game, (seats < 0) | (seats >= most), len(column)) > 0
    return odd
