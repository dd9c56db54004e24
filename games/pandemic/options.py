"""What the player whose turn it is can choose between."""

from __future__ import annotations

from mypy_extensions import i64

from games.pandemic.actions import (
    BUILD,
    CHARTERED,
    CURE,
    DIRECT,
    DRIVING,
    END_ACTIONS,
    EXPERT,
    MOVES,
    REBUILD,
    SHARE,
    TAKE_EVENT,
    TREAT,
)
from games.pandemic.board import BIT, COLOURS, DRIVES
from games.pandemic.cards import (
    BITS,
    DISPATCHER,
    FIRST_EVENT,
    FULL,
    N_CITIES,
    N_COLOURS,
    NONE,
    OPERATIONS_EXPERT,
    RESEARCHER,
)
from games.pandemic.events import add_events
from games.pandemic.state import PandemicState
from tag.action import AnyAction


def turn_actions(state: PandemicState) -> list[AnyAction]:
    """Return the actions of the player whose turn it is, the own events, and ending the actions."""
    me = state.turn_player
    role: i64 = state.roles[me]
    found: list[AnyAction] = []
    if role == DISPATCHER:
        for pawn in range(state.n_players):
            _add_moves(state, pawn, me, True, found)
    else:
        _add_moves(state, me, me, False, found)
    _add_treatments(state.cubes[state.pawns[me]], found)
    if state.stations >> state.pawns[me] & 1:
        _add_station_actions(state, me, role, found)
    else:
        _add_building(state, me, role, found)
    _add_sharing(state, me, found)
    if state.is_planner(me) and state.stored == NONE:
        for card in state.discards:
            if card >= FIRST_EVENT:
                found.append(TAKE_EVENT[card - FIRST_EVENT])
    if state.holds_event(me):
        add_events(state, me, found)
    found.append(END_ACTIONS)
    return found


def _add_moves(state: PandemicState, pawn: i64, me: i64, dispatches: bool, found: list[AnyAction]) -> None:
    """Add the ways to move a pawn; the cards for it are those of the player whose turn it is."""
    city: i64 = state.pawns[pawn]
    drives: i64 = DRIVES[city]
    targets = drives
    stations = state.stations
    if stations >> city & 1:
        targets |= stations
    if dispatches:
        for other in state.pawns:
            targets |= BIT[other]
    here: i64 = BIT[city]
    targets &= ~here
    if targets == drives:
        found.extend(DRIVING[pawn][city])
    else:
        moves = MOVES[pawn]
        for target in range(N_CITIES):
            if targets >> target & 1:
                found.append(moves[target])
    direct = DIRECT[pawn]
    for card in state.hands[me]:
        if card == city:
            found.extend(CHARTERED[pawn][city])
        elif card < FIRST_EVENT:
            found.append(direct[card])


def _add_treatments(packed: i64, found: list[AnyAction]) -> None:
    """Add treating each disease that is there."""
    if packed:
        for colour in range(N_COLOURS):
            if packed >> (BITS * colour) & FULL:
                found.append(TREAT[colour])


def _add_station_actions(state: PandemicState, me: i64, role: i64, found: list[AnyAction]) -> None:
    """Add what needs a research station: cures, and the Operations Expert's flights."""
    hand = state.hands[me]
    counts = [0, 0, 0, 0]
    has_city = False
    for card in hand:
        if card < FIRST_EVENT:
            counts[COLOURS[card]] += 1
            has_city = True
    needed = state.cards_needed(me)
    for colour in range(N_COLOURS):
        if counts[colour] >= needed and not state.cured >> colour & 1:
            found.append(CURE[colour])
    if role == OPERATIONS_EXPERT and has_city and not state.flown:
        found.extend(EXPERT[state.pawns[me]])


def _add_building(state: PandemicState, me: i64, role: i64, found: list[AnyAction]) -> None:
    """Add building a research station; if all are built, moving each of them."""
    if role != OPERATIONS_EXPERT and state.pawns[me] not in state.hands[me]:
        return
    if state.stations_left:
        found.append(BUILD)
        return
    for city in range(N_CITIES):
        if state.stations >> city & 1:
            found.append(REBUILD[city])


def _add_sharing(state: PandemicState, me: i64, found: list[AnyAction]) -> None:
    """Add giving to and taking from everybody who is in the same city."""
    city = state.pawns[me]
    for other in range(state.n_players):
        if other != me and state.pawns[other] == city:
            _add_gifts(state, me, other, city, found)
            _add_gifts(state, other, me, city, found)


def _add_gifts(state: PandemicState, giver: i64, taker: i64, city: i64, found: list[AnyAction]) -> None:
    """Add giving the city's card, or as the Researcher any city card."""
    gifts = SHARE[giver][taker]
    if state.roles[giver] == RESEARCHER:
        for card in state.hands[giver]:
            if card < FIRST_EVENT:
                found.append(gifts[card])
    elif city in state.hands[giver]:
        found.append(gifts[city])
