"""Plackett-Luce ratings: one joint fit of all agents' strengths to all games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, isfinite, log
from typing import Any, Final

import numpy as np

from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.statistics.intervals import Bools, Floats, Ints, independent_clusters
from tag.tournaments.statistics.numerics import maximise
from tag.tournaments.statistics.ranked_games import NOBODY, RankedGames

# --- ranked games as sums of choices ----------------------------------------------------------------------------------
#
# In Plackett and Luce's model the places of a game result from choices: the first is chosen among all seats, the second
# among the rest, and so on, each with a chance in proportion to its strength. The log likelihood is then
#
#     Σ_i c_i η_i - Σ_S w_S log Σ_(i in S) exp(η_i)
#
# where η_i is the log strength of a *cell*, an agent in a seat or a team of such, c_i counts how often a cell has played,
# and w_S how often a choice was made among the cells S. Both are linear in the games, so that games are counted once, and
# any weighting of blocks is a product with sparse matrices.
#
# The weight of a game is the share of independent ones among the games of its agents, so that a game that is there many
# times tells no more than once (`tag.tournaments.statistics.repeats`).
#
# Those who share a place are taken in all orders, each counting the same share of a game. If k share a place, the j-th
# last choice among them is among all sets U of j of them plus all seats behind, each with weight 1/C(k, j).


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
        counts = _matrix(weights, result, block, (len(results), n_blocks))
        cells, places = np.hsplit(results, 2)
        row, column = np.nonzero(cells >= 0)
        playing = _matrix(np.ones(len(row)), cells[row, column], row, (len(members), len(results)))
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
    return distinct, _matrix(np.concatenate(weights), which, np.concatenate(results), shape)


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


def _matrix(values: Floats, row: Ints, column: Ints, shape: tuple[int, int]) -> Any:
    """Return a sparse matrix; values at the same place are added."""
    from scipy.sparse import coo_array  # noqa: PLC0415  0.1 s, and tables of results do without

    return coo_array((values, (row, column)), shape=shape).tocsr()


# --- log likelihood and its derivatives, for many weightings of the same games at once --------------------------------
#
# Arrays have shape (n, batch): one column per weighting. With strengths e_i = exp(η_i) and D_S = Σ_(i in S) e_i,
#
#     l     = Σ_i c_i η_i - Σ_S w_S log D_S
#     l_i   = c_i - e_i Σ_(S with i) w_S / D_S
#     -l_ij = [i = j] e_i Σ_(S with i) w_S / D_S - e_i e_j Σ_(S with i and j) w_S / D_S²
#
# in the notation above, and η = X β for parameters β.


#: Numbers held at once in one array for gradients of blocks.
_NUMBERS: Final = 500_000


class Likelihood:
    """The likelihood of ranked games.

    Attributes:
        n_parameters: the length of β.
        work: about how many numbers an evaluation holds per weighting.
    """

    def __init__(self, choices: Choices) -> None:
        self.n_parameters = choices.n_parameters
        self._appearances, self._choices = choices.appearances, choices.choices
        n_cells, n = len(choices.parameters), choices.n_parameters
        cell = np.arange(n_cells)
        width = choices.parameters.shape[1]
        self._design = _matrix(
            choices.weights.ravel(), np.repeat(cell, width), choices.parameters.ravel(), (n_cells, n)
        )
        row, column = np.nonzero(choices.sets >= 0)
        self._members = _indicator(row, choices.sets[row, column], (len(choices.sets), n_cells))
        self._sets_of_cell = self._members.T.tocsr()
        pair, which, self._left, self._right = _pairs(choices.sets, n_cells)
        self._sets_of_pair = _indicator(pair, which, (len(self._left), len(choices.sets)))
        self._blocks_of_cell = _outer(choices, cell, cell)
        self._blocks_of_pair = _outer(choices, self._left, self._right)
        self.work = len(choices.sets) + len(self._left) + n * n

    def statistics(self, block_weights: Floats) -> tuple[Floats, Floats]:
        """Return c of shape (cells, batch) and w of shape (sets, batch) for weights of shape (blocks, batch)."""
        return self._appearances @ block_weights, self._choices @ block_weights

    def value(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return l, of shape (batch,), for β of shape (parameters, batch)."""
        c, w = statistics
        eta = self._design @ beta
        value: Floats = (c * eta).sum(axis=0) - (w * np.log(self._members @ np.exp(eta))).sum(axis=0)
        return value

    def gradient(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return the gradient, of shape (parameters, batch)."""
        c, w = statistics
        e = np.exp(self._design @ beta)
        gradient: Floats = self._design.T @ (c - e * (self._sets_of_cell @ (w / (self._members @ e))))
        return gradient

    def derivatives(self, beta: Floats, statistics: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Return the gradient, of shape (parameters, batch), and minus the Hessian, (batch, parameters, parameters)."""
        c, w = statistics
        e = np.exp(self._design @ beta)
        d = self._members @ e
        rate = w / d
        expected = e * (self._sets_of_cell @ rate)
        joint = e[self._left] * e[self._right] * (self._sets_of_pair @ (rate / d))
        information = self._blocks_of_cell @ expected - self._blocks_of_pair @ joint
        n = self.n_parameters
        return self._design.T @ (c - expected), information.T.reshape(-1, n, n)

    def spread(self, beta: Floats) -> Floats:
        """Return Σ (g - ḡ)(g - ḡ)ᵀ over the gradients g of single blocks, of shape (parameters, parameters).

        β is of shape (parameters, 1).
        """
        n_blocks = self._appearances.shape[1]
        squares, total = np.zeros((self.n_parameters, self.n_parameters)), np.zeros(self.n_parameters)
        appearances, choices = self._appearances.tocsc(), self._choices.tocsc()
        size = max(1, _NUMBERS // self.work)
        for begin in range(0, n_blocks, size):
            some = slice(begin, begin + size)
            statistics = (appearances[:, some].toarray(), choices[:, some].toarray())
            gradients = self.gradient(beta, statistics)
            squares += gradients @ gradients.T
            total += gradients.sum(axis=1)
        spread: Floats = squares - np.outer(total, total) / max(n_blocks, 1)
        return spread


def _pairs(sets: Ints, n_cells: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return every pair of cells that is in a set, a cell with itself too.

    Returns:
        The pair's number and the set of every occurrence, and the two cells of every pair.
    """
    codes, wheres = [], []
    for left, right in product(range(sets.shape[1]), repeat=2):
        if left <= right:
            (where,) = np.nonzero((sets[:, left] >= 0) & (sets[:, right] >= 0))
            codes.append(sets[where, left] * n_cells + sets[where, right])
            wheres.append(where)
    empty = np.zeros(0, dtype=np.int64)
    code, which = np.concatenate([empty, *codes]), np.concatenate([empty, *wheres])
    is_pair = np.zeros(n_cells**2, dtype=np.bool_)
    is_pair[code] = True
    left_cell, right_cell = np.divmod(np.flatnonzero(is_pair), max(n_cells, 1))
    return (np.cumsum(is_pair) - 1)[code], which, left_cell, right_cell


def _outer(choices: Choices, left: Ints, right: Ints) -> Any:
    """Return the matrix, of shape (n², pairs), that adds up x_i x_jᵀ + x_j x_iᵀ, or x_i x_iᵀ where i = j.

    Here x_i of length n has their weights at the parameters of cell i.
    """
    parameters, weights, n = choices.parameters, choices.weights, choices.n_parameters
    number = np.arange(len(left))
    is_two = left != right
    rows, columns, values = [], [], []
    for one, other in product(range(parameters.shape[1]), repeat=2):
        p, q, weight = parameters[left, one], parameters[right, other], weights[left, one] * weights[right, other]
        rows += [p * n + q, (q * n + p)[is_two]]
        columns += [number, number[is_two]]
        values += [weight, weight[is_two]]
    return _matrix(np.concatenate(values), np.concatenate(rows), np.concatenate(columns), (n * n, len(left)))


def _indicator(row: Ints, column: Ints, shape: tuple[int, int]) -> Any:
    """Return the sparse matrix that counts how often each row and column occur together."""
    return _matrix(np.ones(len(row)), row, column, shape)


# --- posterior density of log strengths: likelihood and a weak normal prior -------------------------------------------


#: Rating points per unit of log strength: 400 points are odds of ten to one.
POINTS: Final = 400.0 / log(10.0)


class Posterior:
    """The posterior of β: log strengths of the agents, then seat terms.

    The prior of each is normal and independent. The strengths of anchored agents are fixed. The others are normal
    around the mean of all, so that a shift of all anchors is a shift of all ratings.

    Attributes:
        n_blocks: of the games.
        n_independent: the blocks that count as independent.
        components: see `RankedGames.components`.
        seat_terms: see `Choices.seat_terms`.
        prior: minus the Hessian of the log density of the prior, of shape (parameters, parameters).
        floating: the parameters of each group to which a number can be added without changing the likelihood of the
            games: the seats of a number of players, and the agents of a component without an anchor. Their mean is 0.
        free: the parameters that are not anchored.
    """

    def __init__(self, games: RankedGames, anchors: Mapping[str, float], prior_sd: float) -> None:
        """Count the choices of ``games``.

        Args:
            games: the results.
            anchors: agents with the ratings they have by definition.
            prior_sd: the standard deviation of the prior, in rating points.

        Raises:
            UnknownNameError: an anchor is not among the agents.
            ParameterError: the standard deviation is not positive, or an anchor is no rating.
        """
        if not prior_sd > 0.0:
            raise ParameterError(f"the prior's standard deviation cannot be {prior_sd}; it is positive, such as 500")
        _check_anchors(anchors)
        weights = games.weights()
        choices = Choices.of(games, weights)
        self.n_blocks = choices.n_blocks
        self.n_independent = independent_clusters(choices.n_blocks, games.share)
        self.components = games.components()
        self.seat_terms = choices.seat_terms
        self._n_agents = choices.n_agents
        self._likelihood = self._spreading = Likelihood(choices)
        if games.independent is not None:
            self._spreading = Likelihood(Choices.of(games, np.sqrt(weights)))
        self._origin = sum(anchors.values()) / max(len(anchors), 1)
        self._fixed = np.array([_number(label, games.labels) for label in anchors], dtype=np.int64)
        self._values = (np.array(list(anchors.values()), dtype=np.float64) - self._origin) / POINTS
        self.free = np.setdiff1d(np.arange(choices.n_parameters), self._fixed)
        self.floating = [np.arange(terms.start, terms.stop) for terms in choices.seat_terms.values()]
        for number in np.setdiff1d(self.components, self.components[self._fixed]).tolist():
            self.floating.append(np.flatnonzero(self.components == number))
        self.prior = self._prior(choices.n_parameters, prior_sd / POINTS)
        self._precision = self.prior.copy()  # with the means fixed; they are subtracted in the end
        for group in self.floating:
            self._precision[np.ix_(group, group)] += 1.0 / len(group)

    def mode(self) -> Floats:
        """Return the most probable β, of shape (parameters, 1)."""
        statistics = self._likelihood.statistics(np.ones((self.n_blocks, 1)))
        beta = np.zeros((len(self._precision), 1))
        beta[self._fixed] = self._values[:, None]
        return self.centred(self._climb(beta, statistics))

    def curvature(self, beta: Floats) -> tuple[Floats, Floats]:
        """Return minus the Hessians of the log likelihood, and of the log posterior with its means fixed.

        Both are of shape (parameters, parameters); β is of shape (parameters, 1).
        """
        statistics = self._likelihood.statistics(np.ones((self.n_blocks, 1)))
        _gradient, information = self._likelihood.derivatives(beta, statistics)
        return information[0], information[0] + self._precision

    def spread(self, beta: Floats) -> Floats:
        """Return `Likelihood.spread`, as if of equal games only one were there."""
        return self._spreading.spread(beta)

    def _climb(self, beta: Floats, statistics: tuple[Floats, Floats]) -> Floats:
        """Return the modes for each weighting by Newton's method from β."""
        free = self.free

        def value(x: Floats) -> Floats:
            y = self._whole(beta, x)
            value: Floats = self._likelihood.value(y, statistics) - 0.5 * (y * (self._precision @ y)).sum(axis=0)
            return value

        def derivatives(x: Floats) -> tuple[Floats, Floats]:
            y = self._whole(beta, x)
            gradient, information = self._likelihood.derivatives(y, statistics)
            gradient -= self._precision @ y
            return gradient[free], (information + self._precision)[:, free[:, None], free]

        return self._whole(beta, maximise(value, derivatives, beta[free]))

    def _whole(self, beta: Floats, free: Floats) -> Floats:
        """Return β with other values of the parameters that are not anchored."""
        whole = beta.copy()
        whole[self.free] = free
        return whole

    def ratings(self, beta: Floats) -> tuple[Floats, dict[int, Floats]]:
        """Return the agents' ratings, and the seats' terms by number of players, in rating points; parameters are axis 0."""
        agents = beta[: self._n_agents] * POINTS + self._origin
        return agents, {players: beta[terms] * POINTS for players, terms in self.seat_terms.items()}

    def centred(self, values: Floats) -> Floats:
        """Subtract from values of the parameters, along axis 0, the mean of each group that floats; return them."""
        for group in self.floating:
            values[group] -= values[group].mean(axis=0)
        return values

    def _prior(self, n: int, sd: float) -> Floats:
        prior = np.eye(n)
        if len(self._fixed):
            prior[: self._n_agents, : self._n_agents] -= 1.0 / self._n_agents
        return prior / sd**2


#: Anchors are at most so many rating points apart: odds of 10^50 to 1.
_FARTHEST: Final = 20_000.0


def _check_anchors(anchors: Mapping[str, float]) -> None:
    """Reject anchors that are no ratings.

    Raises:
        ParameterError: one is not finite, or two are too far apart.
    """
    for label, rating in anchors.items():
        if not isfinite(rating):
            raise ParameterError(f"the anchor of {label!r} cannot be {rating}; a rating is a finite number, such as 0")
    if anchors and max(anchors.values()) - min(anchors.values()) > _FARTHEST:
        low, high = min(anchors.values()), max(anchors.values())
        raise ParameterError(f"anchors cannot be {low:g} and {high:g}; they are at most {_FARTHEST:,.0f} points apart")


def _number(label: str, labels: tuple[str, ...]) -> int:
    if label not in labels:
        raise UnknownNameError.of("agent", label, labels)
    return labels.index(label)


# --- ratings: one joint fit of all agents' strengths to all games -----------------------------------------------------
#
# **Model** (Bradley and Terry 1952; Luce 1959; Plackett 1975). The agent in seat s of a game with n players has the
# strength exp(θ_agent + τ_ns). The first place goes to one of all seats with a chance in proportion to its strength, the
# second place to one of those who are left, and so on. With two players this is Bradley and Terry's model. The terms τ of
# the seats of one number of players add up to 0.
#
# **Teams.** Those who win and lose together are one side with one place, and its log strength is the mean of its
# players'. Two who share a place as a team give no information about each other, and a rival never stands between them.
# With one place for each player, the differences between agents would be too great.
#
# **Ties.** The order of those who share a place is unknown: the log likelihood is the mean over all their orders. So a
# draw of two is half a win and half a loss, as in chess ratings, and 400 points are always an expected score of 10/11
# between two. After a single game the ratings are in the order of its places, and equal where a place is shared: a
# player in a better place is chosen earlier in every order, from larger sets. Each alternative loses one of these
# properties. Davidson's model takes the geometric mean of those who tie as their strength (Davidson 1970; Turner, van
# Etten, Firth and Kosmidis, Computational Statistics 35, 2020). There, sharing a place k ways is worth 1/k of a choice.
# Under a strong prior a fourth place is rated above a first that three share, and the meaning of a point depends on how
# common draws are. Breslow's approximation counts a draw of two twice. The likelihood of any of the orders (exact ties
# in survival analysis) learns nothing from a draw.
#
# **Prior.** θ and τ are normal with mean 0 and a standard deviation of 500 points, so that perfect scores stay finite.
# The prior tells as much as half an even game between two. The ratings are those of the greatest posterior density,
# found by Newton's method. The log posterior is strictly concave: it has one maximum, independent of the order of the
# games.
#
# **Scale.** 400/ln 10 points per unit of θ, as Elo's. The mean of all agents is 0, or anchored agents keep their given
# ratings.


#: The prior's standard deviation in rating points.
PRIOR_SD: Final = 500.0


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """The strengths of agents and the advantages of seats, in rating points.

    Attributes:
        ratings: of shape (agents,).
        seats: the advantage of each seat, by number of players, of shape (players,), sum 0.
    """

    labels: tuple[str, ...]
    ratings: Floats
    seats: dict[int, Floats]


def plackett_luce(
    games: RankedGames, anchors: Mapping[str, float] | None = None, prior_sd: float = PRIOR_SD
) -> Ratings:
    """Return the ratings of greatest posterior density.

    An agent in several seats of a game counts once per seat. Where k share a place, time and memory grow with 2^k.

    >>> import numpy as np
    >>> agents = np.tile([[0, 1], [1, 0]], (10, 1))
    >>> places = np.array([[1, 2], [2, 1]] * 7 + [[2, 1], [1, 2]] * 3)
    >>> found = plackett_luce(RankedGames(("a", "b"), agents, places, np.repeat(np.arange(10), 2)))
    >>> [round(float(rating)) for rating in found.ratings]
    [73, -73]

    Args:
        games: those that count, in any order.
        anchors: agents with fixed ratings; without any, the mean is 0.
        prior_sd: of the prior, in rating points.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: the standard deviation is not positive.
    """
    posterior = Posterior(games, anchors or {}, prior_sd)
    return Ratings(games.labels, *posterior.ratings(posterior.mode()[:, 0]))
