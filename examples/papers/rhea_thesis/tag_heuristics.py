"""How the framework in Java valued positions of two games when the thesis was written, for what does not reproduce.

The weights are those of the framework; where it divides whole numbers, so that a term stays 0 until it is complete, that is
kept.
"""

from __future__ import annotations

from typing import cast

from tag.engine.state import GameState
from tag.engine.values import StateHeuristic
from tag.games.abstract.tic_tac_toe import TicTacToeState
from tag.games.boards.pandemic.data import COLOURS, FIRST_EVENT
from tag.games.boards.pandemic.state import PandemicState


class Pandemic(StateHeuristic):
    """Diseases cured, cubes in supply, and of whoever is to move the cards for diseases uncured and a research station.

    All stations built, and a hand of nine, count as well; outbreaks and the deck are too far from their ends ever to count.
    Standing at a station is worth more than a cure.
    """

    def value(self, state: GameState, player: int) -> float:
        """Weigh the table; 10 for a win and -10 for a loss."""
        if state.is_terminal:
            return 10.0 * state.result_value(player)
        table = cast("PandemicState", state)
        mover = table.current_player
        hand = table.hands[mover]
        useful = sum(1 for card in hand if card < FIRST_EVENT and not table.cured >> COLOURS[card] & 1)
        value = 0.6 * float(table.n_cured()) / 4
        value += 0.1 * sum(max(left, 0) for left in table.supply) / table.rules.cubes
        value += 0.3 * float(table.stations >> table.pawns[mover] & 1)
        value += 0.3 * useful / 7
        value += 0.2 * (len(hand) // 9)
        value += 0.2 * float(table.stations_left == 0)
        return value


class TicTacToe(StateHeuristic):
    """The lines that have marks of one player only, more with each mark; those of the opponent are added, not subtracted."""

    def value(self, state: GameState, player: int) -> float:
        """Add the lines up; 1 for a win and -1 for a loss."""
        if state.is_terminal:
            return state.result_value(player)
        grid = cast("TicTacToeState", state)
        mine, theirs = (grid.first, grid.second) if player == 0 else (grid.second, grid.first)
        total = 0.0
        for line in grid.lines:
            own, other = (mine & line).bit_count(), (theirs & line).bit_count()
            if own and not other:
                total += 0.8 * 0.5 ** float(4 - own)
            elif other and not own:
                total += 0.5 * 0.3 ** float(4 - other)
        return total / len(grid.lines)
