"""What a position is worth, term by term; `games.pandemic.heuristic` says why."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.pandemic.board import BIT, COLOURS, WITHIN
from games.pandemic.cards import BITS, FIRST_EVENT, FULL, N_CITIES, N_COLOURS, N_EVENTS
from games.pandemic.table import PandemicTable
from games.pandemic.weights import Weights

#: One card of its colour by player card, packed as cubes are; events have none.
_UNITS: Final[list[int]] = [1 << BITS * colour for colour in COLOURS] + [0] * N_EVENTS


def worth(table: PandemicTable, weights: Weights) -> float:
    """Return the sum of the terms, weighed."""
    rules = table.rules
    free = 0.0
    for colour in range(N_COLOURS):
        free += float(table.supply[colour])
    value = weights.cures * 0.25 * float(table.n_cured())
    value += weights.cubes * 0.25 * free / float(rules.cubes)
    value += weights.outbreaks * float(table.outbreaks) / float(rules.outbreaks)
    value += weights.stations * (1.0 - float(table.stations_left) / float(rules.stations))
    value += weights.deck * float(len(table.player_deck)) / float(FIRST_EVENT + N_EVENTS + rules.epidemics)
    value += towards_cures(table, weights)
    value += weights.threat * threat(table, weights.reach)
    return value


def towards_cures(table: PandemicTable, weights: Weights) -> float:
    """Return the terms of hands and ways, weighed."""
    hands: list[int] = []
    for hand in table.hands:
        held: i64 = 0
        for card in hand:
            unit: i64 = _UNITS[card]
            held += unit
        hands.append(int(held))
    total = 0.0
    for colour in range(N_COLOURS):
        if table.cured >> colour & 1:
            total += weights.hands + weights.way
            continue
        best = 0.0
        way = 0.0
        for seat in range(table.n_players):
            packed: i64 = hands[seat]
            cards = packed >> (BITS * colour) & FULL
            if cards:
                needed = table.cards_needed(seat)
                if cards < needed:
                    best = max(best, float(cards) / float(needed))
                else:
                    best = 1.0
                    way = max(way, 1.0 / (1.0 + float(drives_to(table.pawns[seat], table.stations))))
        total += weights.hands * best + weights.way * way
    return 0.25 * total


def threat(table: PandemicTable, reach: float) -> float:
    """Return the cubes on the board, each counted with those below it, as a share of all cubes piled up to the limit."""
    total = 0.0
    pawns: i64 = 0
    for pawn in table.pawns:
        pawns |= BIT[pawn]
    for city in range(N_CITIES):
        packed: i64 = table.cubes[city]
        if packed:
            twice: i64 = 0  # 1 + … + n is n (n + 1) / 2
            while packed:
                count = packed & FULL
                twice += count * (count + 1)
                packed >>= BITS
            total += float(twice) * (1.0 + reach * float(drives_to(city, pawns)))
    rules = table.rules
    return total / float(N_COLOURS * rules.cubes * (rules.cubes_per_city + 1))


def drives_to(city: i64, places: i64) -> i64:
    """Return how many drives the nearest of the cities ``places``, a set that is not empty, is from ``city``."""
    within = WITHIN[city]
    drives: i64 = 0
    while True:
        there: i64 = within[drives]
        if there & places:
            return drives
        drives += 1
