"""n-tuple networks: the value of a position as a sum of weights, one for what each tuple of cells holds.

Lucas: Learning to play Othello with n-tuple systems (2008). Weights are in typed arrays (`librt.vecs`), which compiled code
reads as fast as numba reads NumPy's: 70 and 80 thousand values of 140 tuples of 8 cells per second in one run.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import exp, tanh
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from tag.agents.learners._vectors import floats_in, integers_in
from tag.engine.encoding import Cells
from tag.engine.snapshot import Copyable
from tag.errors import DataError, ParameterError

#: Rates of the weights: the same for all; or by temporal coherence, from the sum of the steps of a weight and that of their
#: sizes: their ratio, or an exponential function of it.
CONSTANT: Final = "constant"
COHERENCE: Final = "tc"
EXPONENTIAL_COHERENCE: Final = "tc_exp"

#: The most weights of a network, which take 1.6 GB, and with rates of their own three times as much.
_MOST_WEIGHTS: Final = 200_000_000

#: The steepness of exponential coherence (Bagheri, Thill, Koch and Konen 2016).
_BETA: Final = 2.7


@final
class Network(Copyable):
    """Values of positions for each player, or of actions: ``tanh`` of a sum of weights, or the sum itself.

    Each tuple of cells has a table with a weight for all that these cells can hold. Symmetric positions, and the images of
    an action in them, use the same weights: each tuple is looked up once for every symmetry.

    Attributes:
        tuples: the cells of each tuple.
        n_weights: the weights of all outputs together.
    """

    def __init__(
        self,
        cells: Cells,
        tuples: Sequence[Sequence[int]],
        n_players: i64,
        rates: str = EXPONENTIAL_COHERENCE,
        squashes: bool = True,
        n_values: int = 0,
        actions: Sequence[Sequence[int]] = (),
    ) -> None:
        """Start with weights of 0.

        The outputs are numbered by player, or by player and action: ``player * n_actions + action``.

        Args:
            cells: the cells of the game.
            tuples: the cells of each tuple, distinct.
            n_players: the number of players, each with weights of their own.
            rates: `CONSTANT`, `COHERENCE` or `EXPONENTIAL_COHERENCE`.
            squashes: whether values are between -1 and 1, by ``tanh``.
            n_values: the number of values of a cell that are told apart, the greatest being one for all beyond; 0 for all.
            actions: for each symmetry the number that every action goes to; empty for values of positions.

        Raises:
            ParameterError: a tuple has cells that are not distinct, or the tables are too large.
        """
        base = min(n_values or cells.n_values, cells.n_values)
        self._n_cells: i64 = cells.number
        self._largest: i64 = base - 1
        self._squashes = squashes
        self._learns_rates = rates != CONSTANT
        self._is_exponential = rates == EXPONENTIAL_COHERENCE
        self._cells = bytes(cells.number)
        #: The output whose value of ``_cells`` is known, -1 for none, and this value.
        self._valued: i64 = -1
        self._value = 0.0
        self._n_symmetries: i64 = len(cells.symmetries)
        self._index = vec[i64]()
        self.tuples: list[tuple[int, ...]] = [tuple(chosen) for chosen in tuples]
        n_actions = len(actions[0]) if actions else 1
        n_outputs = int(n_players) * n_actions
        self._has_actions = n_actions > 1
        self._first_user = vec[i64]([0])
        self._user = vec[i64]()
        self._factor = vec[i64]()
        size = self._add_look_ups(cells, base, n_outputs)
        self.n_weights: i64 = size * n_outputs
        #: Where the table begins that an output has for each symmetry. A look-up reads at the place that a cell goes to, so
        #: what the cell held before the symmetry; the action, too, is the one that the symmetry moves to this one.
        self._start = vec[i64]()
        origins = [_inverse(moved) for moved in actions]
        for output in range(n_outputs):
            player, action = divmod(output, n_actions)
            for number in range(len(cells.symmetries)):
                origin = player * n_actions + (origins[number][action] if actions else 0)
                self._start = append(self._start, origin * size)
        self._weights = vec[float]([0.0] * int(self.n_weights))
        #: Sums of the steps of each weight, and of their sizes; empty before anything is learned.
        self._steps = vec[float]()
        self._sizes = vec[float]()

    def _add_look_ups(self, cells: Cells, base: int, n_outputs: int) -> int:
        """Add a look-up for each symmetry of each tuple, and return the number of weights of an output.

        For each cell, the look-ups that it is part of are noted, and how much one more in the cell moves their index.
        """
        users: list[list[tuple[int, int]]] = [[] for _cell in range(cells.number)]
        start = 0
        for chosen in self.tuples:
            if len(set(chosen)) < len(chosen) or not all([0 <= cell < cells.number for cell in chosen]):
                raise ParameterError(f"the tuple {chosen} has cells that are not distinct ones below {cells.number}")
            for symmetry in cells.symmetries:
                number = len(self._index)
                self._index = append(self._index, start)
                for position, cell in enumerate(chosen):
                    users[symmetry[cell]].append((number, base**position))
            start += base ** len(chosen)
            if start * n_outputs > _MOST_WEIGHTS:
                raise ParameterError(
                    f"tuples as long as {len(chosen)} cells of {base} values need tables of more than {_MOST_WEIGHTS:,} "
                    "weights; take fewer or shorter ones, or a smaller n_values"
                )
        for found in users:
            for number, factor in found:
                self._user = append(self._user, number)
                self._factor = append(self._factor, factor)
            self._first_user = append(self._first_user, len(self._user))
        return start

    def value(self, output: i64, cells: bytes) -> float:
        """Return the value of a position that holds ``cells``, for a player or an action of a player."""
        if output == self._valued and cells is self._cells:
            return self._value
        self._go_to(cells)
        index = self._index
        weights = self._weights
        starts = self._start
        total = 0.0
        n_symmetries = self._n_symmetries
        first_start = output * n_symmetries
        if not self._has_actions:  # one table for all symmetries
            start = starts[first_start]
            for look_up in range(len(index)):
                total += weights[start + index[look_up]]
        else:
            first: i64 = 0
            while first < len(index):  # in a range with steps, mypyc counts in Python's integers
                for symmetry in range(n_symmetries):
                    total += weights[starts[first_start + symmetry] + index[first + symmetry]]
                first += n_symmetries
        self._valued = output
        self._value = tanh(total) if self._squashes else total
        return self._value

    def _go_to(self, cells: bytes) -> None:
        """Set the index of each look-up to what ``cells`` hold; only those of cells that changed are moved."""
        before = self._cells
        if cells is before:
            return
        first_user = self._first_user
        user = self._user
        factor = self._factor
        index = self._index
        largest = self._largest
        for cell in range(self._n_cells):
            new: i64 = cells[cell]
            old: i64 = before[cell]
            if new != old:
                change = min(new, largest) - min(old, largest)
                for position in range(first_user[cell], first_user[cell + 1]):
                    index[user[position]] += change * factor[position]
        self._cells = cells
        self._valued = -1

    def learn(self, output: i64, cells: bytes, error: float, rate: float) -> None:
        """Move the value of ``cells`` for a player or action by about ``rate * error``, each weight by its own rate.

        The step of a weight is that of gradient descent, divided by the number of look-ups. A weight that several symmetries
        look up moves once.
        """
        if self._learns_rates and len(self._steps) == 0:
            self._steps = vec[float]([0.0] * int(self.n_weights))
            self._sizes = vec[float]([0.0] * int(self.n_weights))
        slope = 1.0
        if self._squashes:
            value = self.value(output, cells)
            slope = 1.0 - value * value
        else:
            self._go_to(cells)
        self._valued = -1
        index = self._index
        weights, steps, sizes = self._weights, self._steps, self._sizes
        learns_rates, is_exponential, has_actions = self._learns_rates, self._is_exponential, self._has_actions
        n_look_ups: i64 = len(index)
        step = rate * error * slope / float(n_look_ups)
        starts = self._start
        n_symmetries = self._n_symmetries
        first_start = output * n_symmetries
        first: i64 = 0
        while first < n_look_ups:  # in a range with steps, mypyc counts in Python's integers
            for symmetry in range(n_symmetries):
                at = index[first + symmetry]
                start = starts[first_start + symmetry]
                is_new = True
                for earlier in range(symmetry):
                    if index[first + earlier] == at and (not has_actions or starts[first_start + earlier] == start):
                        is_new = False
                        break
                if not is_new:
                    continue
                place = start + at
                factor = 1.0
                if learns_rates:
                    total = steps[place]
                    size = sizes[place]
                    if size > 0.0:
                        factor = _coherence(abs(total) / size, is_exponential)
                    steps[place] = total + step
                    sizes[place] = size + abs(step)
                weights[place] += factor * step
            first += n_symmetries

    def arrays(self, to_go_on: bool) -> dict[str, array[Any]]:
        """Return the weights that are not 0 with their places; `to_go_on` also the sums that their rates follow from."""
        with_rates = to_go_on and len(self._steps) > 0
        places = array("q")
        weights = array("d")
        steps = array("d")
        sizes = array("d")
        for place in range(self.n_weights):
            weight = self._weights[place]
            if weight != 0.0 or (with_rates and self._sizes[place] != 0.0):
                places.append(int(place))
                weights.append(weight)
                if with_rates:
                    steps.append(self._steps[place])
                    sizes.append(self._sizes[place])
        found: dict[str, array[Any]] = {"places": places, "weights": weights}
        return found | {"steps": steps, "sizes": sizes} if with_rates else found

    def take(self, arrays: Mapping[str, array[Any]]) -> None:
        """Take over the weights, and the sums, of another network's `arrays`; all others are 0.

        Raises:
            DataError: they do not fit.
        """
        names = {"places", "weights", "steps", "sizes"} if "steps" in arrays else {"places", "weights"}
        if set(arrays) != names or len({len(values) for values in arrays.values()}) > 1:
            raise DataError(f"the model has arrays {', '.join(sorted(arrays))}, which an n-tuple network does not have")
        n_weights = int(self.n_weights)
        places = integers_in(arrays, "places", n_weights)
        with_rates = "steps" in arrays
        self._valued = -1
        self._weights = _spread(floats_in(arrays, "weights"), places, n_weights)
        self._steps = _spread(floats_in(arrays, "steps"), places, n_weights) if with_rates else vec[float]()
        self._sizes = _spread(floats_in(arrays, "sizes"), places, n_weights) if with_rates else vec[float]()


def _inverse(permutation: Sequence[int]) -> list[int]:
    """Return for each number which one the permutation takes to it."""
    found = [0] * len(permutation)
    for number, to in enumerate(permutation):
        found[to] = number
    return found


def _coherence(ratio: float, is_exponential: bool) -> float:
    """Return the rate of a weight whose steps add up to this ratio of their sizes."""
    return exp(_BETA * (ratio - 1.0)) if is_exponential else ratio


def _spread(values: vec[float], places: vec[i64], size: int) -> vec[float]:
    """Return so many numbers: ``values`` at their places, and 0 elsewhere."""
    found = vec[float]([0.0] * size)
    for number in range(len(places)):
        found[places[number]] = values[number]
    return found
