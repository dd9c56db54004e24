"""n-tuple networks: the value of a position as a sum of weights, one for what each tuple of cells holds.

Lucas: Learning to play Othello with n-tuple systems (2008). Weights are in typed arrays (`librt.vecs`), which compiled code
reads as fast as numba reads NumPy's: 70 and 80 thousand values of 140 tuples of 8 cells per second in one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, tanh
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from tag.engine.encoding import Cells
from tag.engine.rng import Rng
from tag.errors import ContractError

#: Rates of the weights: the same for all; or by temporal coherence, from the sum of the steps of a weight and that of their
#: sizes: their ratio, or an exponential function of it.
CONSTANT: Final = "constant"
COHERENCE: Final = "tc"
EXPONENTIAL_COHERENCE: Final = "tc_exp"

#: The steepness of exponential coherence (Bagheri, Thill, Koch and Konen 2016).
_BETA: Final = 2.7


@final
class Network:
    """Values of positions for each player: ``tanh`` of a sum of weights, or the sum itself.

    Each tuple of cells has a table with a weight for all that these cells can hold. Symmetric positions use the same
    weights: each tuple is looked up once for every symmetry.

    Attributes:
        n_weights: the weights of all players together.
    """

    def __init__(
        self,
        cells: Cells,
        tuples: Sequence[Sequence[int]],
        n_players: i64,
        rates: str = EXPONENTIAL_COHERENCE,
        squashes: bool = True,
        n_values: int = 0,
    ) -> None:
        """Start with weights of 0.

        Args:
            cells: the cells of the game.
            tuples: the cells of each tuple, distinct.
            n_players: the number of players, each with weights of their own.
            rates: `CONSTANT`, `COHERENCE` or `EXPONENTIAL_COHERENCE`.
            squashes: whether values are between -1 and 1, by ``tanh``.
            n_values: the number of values of a cell that are told apart, the greatest being one for all beyond; 0 for all.
        """
        base = min(n_values or cells.n_values, cells.n_values)
        self._n_cells: i64 = cells.number
        self._largest: i64 = base - 1
        self._squashes = squashes
        self._learns_rates = rates != CONSTANT
        self._is_exponential = rates == EXPONENTIAL_COHERENCE
        self._cells = bytes(cells.number)
        self._n_symmetries: i64 = len(cells.symmetries)
        self._index = vec[i64]()
        #: For each cell the look-ups that it is part of, and how much one more in the cell moves their index.
        users: list[list[tuple[int, int]]] = [[] for _cell in range(cells.number)]
        start = 0
        for chosen in tuples:
            if len(set(chosen)) < len(chosen) or not all([0 <= cell < cells.number for cell in chosen]):
                raise ContractError(
                    f"the tuple {tuple(chosen)} has cells that are not distinct ones below {cells.number}"
                )
            for symmetry in cells.symmetries:
                number = len(self._index)
                self._index = append(self._index, start)
                for position, cell in enumerate(chosen):
                    users[symmetry[cell]].append((number, base**position))
            start += base ** len(chosen)
        self._size: i64 = start
        self.n_weights: i64 = start * n_players
        self._first_user = vec[i64]([0])
        self._user = vec[i64]()
        self._factor = vec[i64]()
        for found in users:
            for number, factor in found:
                self._user = append(self._user, number)
                self._factor = append(self._factor, factor)
            self._first_user = append(self._first_user, len(self._user))
        self._weights = vec[float]([0.0] * int(self.n_weights))
        n_rates = int(self.n_weights) if self._learns_rates else 0
        self._steps = vec[float]([0.0] * n_rates)
        self._sizes = vec[float]([0.0] * n_rates)

    # --- values ------------------------------------------------------------------------------------------------------

    def value(self, player: i64, cells: bytes) -> float:
        """Return the value for ``player`` of a position that holds ``cells``."""
        self._go_to(cells)
        index = self._index
        weights = self._weights
        start = player * self._size
        total = 0.0
        for look_up in range(len(index)):
            total += weights[start + index[look_up]]
        return tanh(total) if self._squashes else total

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

    # --- learning ----------------------------------------------------------------------------------------------------

    def learn(self, player: i64, cells: bytes, error: float, rate: float) -> None:
        """Move the value of ``cells`` for ``player`` by about ``rate * error``, each weight by its own rate.

        The step of a weight is that of gradient descent, divided by the number of look-ups. A weight that several symmetries
        look up moves once.
        """
        slope = 1.0
        if self._squashes:
            value = self.value(player, cells)
            slope = 1.0 - value * value
        else:
            self._go_to(cells)
        index = self._index
        n_look_ups: i64 = len(index)
        step = rate * error * slope / float(n_look_ups)
        start = player * self._size
        n_symmetries = self._n_symmetries
        for first in range(0, n_look_ups, n_symmetries):
            for look_up in range(first, first + n_symmetries):
                place = index[look_up]
                is_new = True
                for earlier in range(first, look_up):
                    if index[earlier] == place:
                        is_new = False
                        break
                if is_new:
                    self._move(start + place, step)

    def _move(self, place: i64, step: float) -> None:
        if not self._learns_rates:
            self._weights[place] += step
            return
        size = self._sizes[place]
        factor = 1.0
        if size > 0.0:
            factor = abs(self._steps[place]) / size
            if self._is_exponential:
                factor = exp(_BETA * (factor - 1.0))
        self._weights[place] += factor * step
        self._steps[place] += step
        self._sizes[place] = size + abs(step)


# --- tuples --------------------------------------------------------------------------------------------------------------


def random_points(cells: Cells, number: int, length: int, rng: Rng) -> list[tuple[int, ...]]:
    """Return ``number`` tuples of ``length`` distinct cells, drawn anywhere."""
    found: list[tuple[int, ...]] = []
    for _tuple in range(number):
        places = list(range(cells.number))
        rng.shuffle(places)
        found.append(tuple(sorted(places[:length])))
    return found


def random_walks(cells: Cells, number: int, length: int, rng: Rng) -> list[tuple[int, ...]]:
    """Return ``number`` tuples of ``length`` distinct cells, each the places of a walk from neighbour to neighbour."""
    found: list[tuple[int, ...]] = []
    for _tuple in range(number):
        place = int(rng.below(cells.number))
        visited = {place}
        while len(visited) < length:
            place = rng.choice(list(cells.neighbours[place]))
            visited.add(place)
        found.append(tuple(sorted(visited)))
    return found
