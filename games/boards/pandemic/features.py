"""The features of Pandemic: tracks, diseases and cities, ways to cures, and each player's role, place and cards."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag import packed_size
from tag.games.boards.pandemic.data import (
    BIT,
    BITS,
    CARD_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    EPIDEMIC,
    FULL,
    N_CITIES,
    N_COLOURS,
    N_ROLES,
    NONE,
    card_set,
    packed_cards,
)
from tag.games.boards.pandemic.heuristic import drives_to

if TYPE_CHECKING:
    from tag.games.boards.pandemic.state import PandemicState


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
    found = [
        "deck",
        "epidemics",
        "infection_rate",
        "outbreaks",
        "stations_left",
        "actions_left",
        "quiet",
        "stored",
        "my_turn",
    ]
    for name in COLOUR_NAMES:
        found += [f"cured_{name}", f"eradicated_{name}", f"supply_{name}", f"best_hand_{name}", f"way_{name}"]
    found += [
        "cures",
        "best_hands",
        "ways",
        "cubes",
        "cities_of_2",
        "cities_of_3",
        "threat",
        "far_threat",
        "threat_at_hand",
    ]
    for name in CITY_NAMES:
        found += [f"cubes_{name}", f"station_{name}", f"discarded_{name}"]
    for offset in range(n_players):
        found += [f"role_{offset}_{role}" for role in range(N_ROLES)]
        found += [f"treatable_{offset}", f"at_station_{offset}"]
        found += [f"holds_{offset}_{name}" for name in CARD_NAMES[:EPIDEMIC]]
        found += [f"pawn_{offset}_{name}" for name in CITY_NAMES]
    return tuple(found)


def feature_values(state: PandemicState, player: i64) -> list[float]:
    """Return the features.

    - ``best_hand``: how far the best hand is towards the cure, as a share of the cards that it takes there; cured is 1.
    - ``way``: 1 divided by 1 and the drives to a research station, of the nearest player with all cards for the cure; 0
      without one, cured is 1.
    - ``threat``: the cubes on the board, a city's first one counted once, the second one twice, the third one three times;
      ``far_threat`` the same times the drives to the nearest pawn; ``threat_at_hand`` that of cities with a pawn.
    """
    rules = state.rules
    found = [
        float(len(state.player_deck)),
        float(state.epidemics),
        float(state.infection_rate()),
        float(state.outbreaks) / float(rules.outbreaks),
        float(state.stations_left),
        float(state.actions_left),
        1.0 if state.quiet else 0.0,
        1.0 if state.stored != NONE else 0.0,
        1.0 if state.turn_player == player else 0.0,
    ]
    _add_diseases(found, state)
    _add_threats(found, state)
    discarded = card_set(state.infection_discards)
    full = float(rules.cubes_per_city)
    for city in range(N_CITIES):
        cubes: i64 = state.cubes[city]
        found.append(float(packed_size(cubes)) / full)
        found.append(float(state.stations >> city & 1))
        found.append(float(discarded >> city & 1))
    for offset in range(state.n_players):
        _add_player(found, state, (player + offset) % state.n_players)
    return found


def _add_diseases(found: list[float], state: PandemicState) -> None:
    """Add each disease, with the best hand for its cure and the way from there, and what they add up to."""
    hands = [int(packed_cards(hand)) for hand in state.hands]
    supply = float(state.rules.cubes)
    best_hands = 0.0
    ways = 0.0
    for colour in range(N_COLOURS):
        is_cured = state.cured >> colour & 1
        best = float(is_cured)
        way = best
        if not is_cured:
            for seat in range(state.n_players):
                packed: i64 = hands[seat]
                cards = packed >> (BITS * colour) & FULL
                needed = state.cards_needed(seat)
                if cards >= needed:
                    best = 1.0
                    way = max(way, 1.0 / (1.0 + float(drives_to(state.pawns[seat], state.stations))))
                else:
                    best = max(best, float(cards) / float(needed))
        found.append(float(is_cured))
        found.append(float(state.eradicated >> colour & 1))
        found.append(float(state.supply[colour]) / supply)
        found.append(best)
        found.append(way)
        best_hands += best
        ways += way
    found.append(float(state.n_cured()))
    found.append(best_hands)
    found.append(ways)


def _add_threats(found: list[float], state: PandemicState) -> None:
    """Add the cubes on the board, and how near they are to outbreaks and to the players."""
    pawns: i64 = 0
    for pawn in state.pawns:
        pawns |= BIT[pawn]
    cubes: i64 = 0
    twos: i64 = 0
    threes: i64 = 0
    threat: i64 = 0
    far: i64 = 0
    near: i64 = 0
    for city in range(N_CITIES):
        packed: i64 = state.cubes[city]
        if packed:
            drives = drives_to(city, pawns)
            while packed:
                number = packed & FULL
                packed >>= BITS
                worth = number * (number + 1) // 2
                cubes += number
                twos += 1 if number == 2 else 0
                threes += 1 if number > 2 else 0
                threat += worth
                far += worth * drives
                near += worth if drives == 0 else 0
    for total in (cubes, twos, threes, threat, far, near):
        found.append(float(total))


def _add_player(found: list[float], state: PandemicState, seat: i64) -> None:
    pawn: i64 = state.pawns[seat]
    role: i64 = state.roles[seat]
    for number in range(N_ROLES):
        found.append(1.0 if number == role else 0.0)
    found.append(1.0 if state.cubes[pawn] > 0 else 0.0)
    found.append(float(state.stations >> pawn & 1))
    hand = card_set(state.hands[seat])
    for card in range(EPIDEMIC):
        found.append(float(hand >> card & 1))
    for city in range(N_CITIES):
        found.append(1.0 if city == pawn else 0.0)
