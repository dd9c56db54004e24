"""The features of BattleLore: points, cards and units as a player sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from tag import packed_size
from tag.games.boards.battlelore.data import (
    ARMY,
    BIT,
    CARD_NAMES,
    N_CARDS,
    N_ROWS,
    OFF_MAP,
    UPPER,
    WIDTHS,
    column_of,
    count,
    row_of,
)

if TYPE_CHECKING:
    from tag.games.boards.battlelore.state import BattleloreState

_N_PHASES: Final = 7


def _names() -> tuple[str, ...]:
    found = ["round", "is_turn", "deck", "points_0", "points_1"]
    found += [f"phase_{phase}" for phase in range(_N_PHASES)]
    for card in CARD_NAMES:
        name = card.lower().replace(" ", "_")
        found += [f"{name}_0", f"known_{name}_1"]
    for offset in range(2):
        for unit in range(ARMY):
            parts = ("figures", "row", "column", "ordered")
            found += [f"{part}_of_{unit}_{offset}" for part in parts]
    return tuple(found)


_NAMES: Final = _names()


def feature_names() -> tuple[str, ...]:
    """Return the names of the features; 0 is oneself, 1 the opponent."""
    return _NAMES


def feature_values(state: BattleloreState, player: i64) -> list[float]:
    """Return the features; units that are eliminated have no figures, and row and column -1.

    Rows and columns are counted from the own left corner, so that both armies look alike to their players.
    """
    other = 1 - player
    found = [float(state.round), float(state.turn_player == player), float(packed_size(state.deck))]
    found += [float(state.points[player]), float(state.points[other])]
    for phase in range(_N_PHASES):
        found.append(float(state.phase == phase))
    for card in range(N_CARDS):
        found.append(float(count(state.hands[player], card)))
        found.append(float(count(state.known[other], card)))
    for offset in range(2):
        seat = player if offset == 0 else other
        for unit in range(seat * ARMY, seat * ARMY + ARMY):
            place = state.places[unit]
            row, column = -1, -1
            if place != OFF_MAP:
                row, column = row_of(place), column_of(place)
                if player == UPPER:
                    column = WIDTHS[row % 2] - 1 - column
                else:
                    row = N_ROWS - 1 - row
            found += [float(state.figures[unit]), float(row), float(column), float(state.ordered & BIT[unit] != 0)]
    return found
