"""Ranked games as sums of choices.

In Plackett and Luce's model the places of a game result from choices: the first is chosen among all seats, the second
among the rest, and so on, each with a chance in proportion to its strength. The log likelihood is then

    Σ_i c_i η_i - Σ_S w_S log Σ_(i in S) exp(η_i)

where η_i is the log strength of a *cell*, an agent in a seat or a team of such, c_i counts how often a cell has played,
and w_S how often a choice was made among the cells S. Both are linear in the games, so that games are counted once, and
any weighting of blocks is a product with sparse matrices.

The weight of a game is the share of independent ones among the games of its agents, so that a game that is there many
times tells no more than once (`tag.tournaments.statistics.repeats`).

Those who share a place are taken in all orders, each counting the same share of a game. If k share a place, the j-th
last choice among them is among all sets U of j of them plus all seats behind, each with weight 1/C(k, j).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np

from tag.tournaments.statistics.intervals import Bools, Floats, Ints
from tag.tournaments.statistics.ratings.ranked_games import NOBODY, RankedGames

#: The rows of a table are told apart by one number each while it cannot exceed this.
_LARGEST: Final = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """The sufficient statistics of ranked games. Matrices are sparse.

    Attributes:
        n_agents: parameters 0 to n_agents - 1 are the agents' log strengths; those of seats follow.
        seat_terms: the parameters of the seats 0, 1, ... by number of players.
        parameters: of shape (cells, n): those of each cell; n is 2, for the agent and the seat, where there are no teams.
        weights: of shape (cells, n): the weight of each parameter.
        sets: of shape (sets, seats): the cells of each choice, `NOBODY` in other seats.
        appearances: of shape (cells, blocks): how often each cell has played.
        choices: of shape (sets, blocks): how often each choice was made.
    """

    n_agents: int
    seat_terms: dict[int, slice]
    parameters: Ints
    weights: Floats
    sets: Ints
    appearances: Any
    choices: Any
    n_blocks: int

    @classmethod
    def of(cls, games: RankedGames, weights: Floats) -> Choices:
        """Count the choices of games, each with a weight; their order makes no difference."""
        n_agents, seat_terms = len(games.labels), _seat_terms(games)
        block, n_blocks = games.block_numbers()
        members, cells, places = _sides(games, _cells(games, seat_terms), n_agents * sum(seat_terms))
        results, result = _results(cells, places)
        counts = sparse_matrix(weights, result, block, (len(results), n_blocks))
        cells, places = np.hsplit(results, 2)
        row, column = np.nonzero(cells >= 0)
        playing = sparse_matrix(np.ones(len(row)), cells[row, column], row, (len(members), len(results)))
        sets, choosing = _choices(cells, places)
        parameters, weights = _parameters(members, n_agents)
        return cls(n_agents, seat_terms, parameters, weights, sets, playing @ counts, choosing @ counts, n_blocks)

    @property
    def n_parameters(self) -> int:
        """Agents and seat terms."""
        return self.n_agents + sum(self.seat_terms)


#: The number of games whose rows are together in one table, which takes ten times the memory of the games.
_GAMES_AT_ONCE: Final = 100_000


def _results(cells: Ints, places: Ints) -> tuple[Ints, Ints]:
    """Return the different rows of cells with their places from 0 without gaps, and which of them each game has."""
    found, which, n_found = [], [], 0
    for begin in range(0, max(len(cells), 1), _GAMES_AT_ONCE):
        some = cells[begin : begin + _GAMES_AT_ONCE]
        dense = _dense(places[begin : begin + _GAMES_AT_ONCE], some != NOBODY)
        distinct, number = _unique_rows(np.hstack([some, dense]))
        found.append(distinct)
        which.append(number + n_found)
        n_found += len(distinct)
    results, number = _unique_rows(np.concatenate(found))
    return results, number[np.concatenate(which)]


def _seat_terms(games: RankedGames) -> dict[int, slice]:
    """Return which parameters are the terms of the seats, by number of players."""
    terms, begin = {}, len(games.labels)
    for players in np.unique(games.is_seat.sum(axis=1)).tolist():
        terms[players] = slice(begin, begin + players)
        begin += players
    return terms


def _cells(games: RankedGames, seat_terms: dict[int, slice]) -> Ints:
    """Return the cell in every seat: the agent's number, and as many more as there are agents for every seat term before."""
    n_agents, seats = len(games.labels), np.arange(games.agents.shape[1]) * games.has_seats
    first = np.zeros(len(seats) + 1, dtype=np.int64)
    for players, terms in seat_terms.items():
        first[players] = terms.start - n_agents
    term = first[games.is_seat.sum(axis=1)][:, None] + seats
    return np.where(games.is_seat, term * n_agents + games.agents, NOBODY)


def _sides(games: RankedGames, cells: Ints, n_cells: int) -> tuple[Ints, Ints, Ints]:
    """Return each team's cells as one side; without teams, each cell is a side.

    Returns:
        Of shape (sides, seats): the cells of every side, `NOBODY` where it has fewer. Of shape (games, sides of a
        game): the number of each side that plays, `NOBODY` where there are fewer. Of the same shape: the place of each
        side, which is that of its best player.
    """
    if games.teams is None:
        return np.arange(n_cells)[:, None], cells, games.places
    team = _dense(games.teams, games.is_seat)
    is_member = team[:, None, :] == np.arange(team.max(initial=-1) + 1)[:, None]  # (games, sides of a game, seats)
    members = np.sort(np.where(is_member, cells[:, None, :], NOBODY), axis=2)[:, :, ::-1]
    distinct, which = _unique_rows(members.reshape(-1, members.shape[2]))
    n_empty = int((distinct == NOBODY).all(axis=1).sum())  # at most the first of all
    places = np.where(is_member, games.places[:, None, :], np.iinfo(np.int64).max).min(axis=2, initial=_LARGEST)
    return distinct[n_empty:], (which - n_empty).reshape(members.shape[:2]), places


def _parameters(members: Ints, n_agents: int) -> tuple[Ints, Floats]:
    """Return the parameters of sides, with weights: the log strength of a side is the mean of its players'.

    So 400 points are odds of 10 to 1 between whole teams of two agents, however many play in each.
    """
    is_there = members != NOBODY
    agent, term = np.where(is_there, members % n_agents, 0), np.where(is_there, n_agents + members // n_agents, 0)
    weights = is_there / is_there.sum(axis=1, keepdims=True)
    return np.hstack([agent, term]), np.hstack([weights, weights])


def _dense(values: Ints, is_there: Bools) -> Ints:
    """Return the values of each row counted from 0 without gaps, in their order; -1 for those that are not there."""
    known = np.where(is_there, values, np.iinfo(np.int64).max)
    order = np.argsort(known, axis=1)
    steps = np.diff(np.take_along_axis(known, order, axis=1), axis=1) != 0
    dense = np.zeros_like(known)
    np.put_along_axis(dense, order[:, 1:], np.cumsum(steps, axis=1), axis=1)
    return np.where(is_there, dense, -1)


def _choices(cells: Ints, places: Ints) -> tuple[Ints, Any]:
    """Return the sets of all results, and how often a result chooses among each: a matrix of shape (sets, results).

    Args:
        cells: of shape (results, seats).
        places: of shape (results, seats), from `_dense`.
    """
    patterns, pattern = _unique_rows(places)
    sets, results, weights = [cells[:0]], [pattern[:0]], [np.zeros(0)]
    for number, rows in enumerate(_groups(pattern, len(patterns))):
        members, weight = _sets_of(patterns[number].tolist())
        sets.append(np.where(members, cells[rows][:, None], NOBODY).reshape(-1, cells.shape[1]))
        results.append(np.repeat(rows, len(weight)))
        weights.append(np.tile(weight, len(rows)))
    distinct, which = _unique_rows(np.concatenate(sets))
    shape = (len(distinct), len(cells))
    return distinct, sparse_matrix(np.concatenate(weights), which, np.concatenate(results), shape)


def _sets_of(places: list[int]) -> tuple[Bools, Floats]:
    """Return the sets of seats among which the choices of a game with these places are made, and their weights.

    >>> _sets_of([0, 1, 1])[0].astype(int).tolist()
    [[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 1, 1]]
    >>> _sets_of([0, 1, 1])[1].tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    sets, weights = [], []
    for place in range(max(places, default=-1) + 1):
        level = [seat for seat, at in enumerate(places) if at == place]
        behind = [at > place for at in places]
        for size in range(1, len(level) + 1):
            for chosen in combinations(level, size):
                sets.append([is_behind or seat in chosen for seat, is_behind in enumerate(behind)])
                weights.append(1.0 / comb(len(level), size))
    return np.array(sets, dtype=np.bool_).reshape(-1, len(places)), np.array(weights)


def _groups(label: Ints, n_labels: int) -> list[Ints]:
    """Return the indices at which each label stands."""
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label, minlength=n_labels))
    return np.split(order, ends)[:n_labels]


def _unique_rows(table: Ints) -> tuple[Ints, Ints]:
    """Return the different rows of a table of numbers from -1, sorted, and which of them each row is."""
    code, n_codes = np.zeros(len(table), dtype=np.int64), 1
    for column in table.T:
        n_values = int(column.max(initial=0)) + 2
        if n_codes > _LARGEST // n_values:
            _, code = np.unique(code, return_inverse=True)
            n_codes = len(table)
        code = code * n_values + column + 1
        n_codes *= n_values
    distinct, which = np.unique(code, return_inverse=True)
    some = np.zeros(len(distinct), dtype=np.int64)
    some[which] = np.arange(len(table))
    return table[some], which


def sparse_matrix(values: Floats, row: Ints, column: Ints, shape: tuple[int, int]) -> Any:
    """Return a sparse matrix; values at the same place are added."""
    from scipy.sparse import coo_array  # noqa: PLC0415  0.1 s, and tables of results do without

    return coo_array((values, (row, column)), shape=shape).tocsr()
