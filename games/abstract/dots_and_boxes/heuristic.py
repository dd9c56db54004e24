"""The heuristic of Dots and Boxes: chains and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from mypy_extensions import i64

from tag import GameState, JointHeuristic, best_other, best_two
from tag.games.abstract.dots_and_boxes.data import by_free_sides, lines_at, pieces
from tag.games.abstract.dots_and_boxes.parameters import DotsAndBoxesHeuristicParameters

if TYPE_CHECKING:
    from tag.games.abstract.dots_and_boxes.state import DotsAndBoxesState

#: The boxes that the player in control leaves to the next one, to stay in control.
_LEFT_OF_CHAIN: Final = 2
_LEFT_OF_LOOP: Final = 4


class DotsAndBoxesHeuristic(JointHeuristic):
    """The lead in boxes at the end, as far as it can be foreseen; 1 for a win and -1 for a loss.

    The player to move takes all boxes that can be taken. Once every line is the third side of a box, each player has to open
    a chain or loop for the next one, the shortest first. The next player takes all of it and opens another; or leaves two
    boxes of a chain, four of a loop, to the player after, who then has to open another. In such positions of random games
    for two players the foreseen lead was exact in 99.5 % (2,173 positions, 3 by 3 boxes), and in all of 809 on 3 by 2 boxes.

    The lead over the best other player is divided by itself and the boxes that have no owner.
    """

    parameters_class = DotsAndBoxesHeuristicParameters

    def __init__(self, parameters: DotsAndBoxesHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("DotsAndBoxesHeuristicParameters", self.parameters)
        self.takeable = weights.takeable
        self.chains = weights.chains

    def _value_players(self, state: GameState, values: list[float]) -> None:
        grid = cast("DotsAndBoxesState", state)
        boxes = self.foreseen(grid)
        two = best_two(boxes)
        left = float(grid.open_boxes.bit_count())
        for player in range(len(values)):
            lead = boxes[player] - best_other(boxes[player], two)
            values[player] = lead / (abs(lead) + left)

    def foreseen(self, state: DotsAndBoxesState) -> list[float]:
        """Return how many boxes each player is expected to have, as far as that can be foreseen."""
        n_players = state.n_players
        boxes = [state.score(player) for player in range(n_players)]
        mover = state.current_player
        taken, rounds, across, down, left = state.takings()  # more than one round: boxes in a row, so some can be left
        stride = int(state.width) + 1
        _one, two, _three = by_free_sides(across, down, stride)
        two &= left
        third_across, third_down = lines_at(two, stride)
        has_other_line = across & ~third_across != 0 or down & ~third_down != 0
        weight = 0.0 if has_other_line or left == 0 else self.chains
        boxes[mover] += (1.0 - weight) * self.takeable * float(taken)
        if weight > 0.0:
            gains = _last_gains(n_players, sorted(pieces(across, down, stride, two), reverse=True))
            opener = mover
            if taken:
                gains = _gains_with(gains, float(taken), float(_LEFT_OF_CHAIN), rounds > 1)
                opener = mover + n_players - 1
            for seat in range(n_players):
                boxes[(opener + seat) % n_players] += weight * gains[seat]
        return boxes


def _last_gains(n_players: i64, found: list[int]) -> list[float]:
    """Return what the players get of chains and loops, the longest first, from the player who opens one on."""
    gains = [0.0] * n_players
    for piece in found:
        left = float(_LEFT_OF_LOOP if piece & 1 else _LEFT_OF_CHAIN)
        size = float(piece >> 1)
        gains = _gains_with(gains, size, left, size > _LEFT_OF_CHAIN)
    return gains


def _gains_with(gains: list[float], size: float, left: float, may_leave: bool) -> list[float]:
    """Return what the players get if seat 0 opens a piece of ``size`` before all others, which bring ``gains``.

    Seat 1 takes all and opens the next piece; or leaves some boxes to the next seat, which has to open it.
    """
    n_players: i64 = len(gains)
    opener: i64 = 1
    if may_leave and size - left + gains[n_players - 1] > size + gains[0]:
        opener = 2
    found = [0.0] * n_players
    for seat in range(n_players):
        found[(opener + seat) % n_players] = gains[seat]
    if opener == 1:
        found[1] += size
    else:
        found[1] += size - left
        found[2 % n_players] += left
    return found


DEFAULT_HEURISTIC: Final = DotsAndBoxesHeuristic()
