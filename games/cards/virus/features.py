"""The features of Virus!: the own hand, what it can do, what lies open, and the bodies."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from tag.games.cards.virus.data import (
    ABSENT,
    AFTER_MEDICINE,
    AFTER_VIRUS,
    BITS,
    CARDS,
    COLOUR_NAMES,
    FREE,
    IMMUNISED,
    IMPOSSIBLE,
    MASK,
    MEDICINES,
    N_COLOURS,
    N_KINDS,
    NO_CARD,
    TREATMENTS,
    VACCINATED,
    VIRUSES,
    outcome_index,
)

if TYPE_CHECKING:
    from tag.games.cards.virus.state import VirusState

#: What a card can be played on, as bits.
_HEALTHY: Final = 1
_INFECTED: Final = 2

_BIT: Final[list[int]] = [1 << colour for colour in range(N_COLOURS)]


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next, and so on."""
    found = ["deck", "my_turn", "spreading"]
    for card in CARDS:
        found += [f"hand_{card.name}", f"discards_{card.name}"]
    for offset in range(n_players):
        found.append(f"cards_{offset}")
        for colour in COLOUR_NAMES:
            name = f"{colour}_{offset}"
            found += [f"organ_{name}", f"infected_{name}", f"medicines_{name}"]
        found += [f"healthy_{offset}", f"immunised_{offset}"]
    return (
        *found,
        "organs_to_play",
        "medicines_that_cure",
        "medicines_that_protect",
        "viruses_that_infect",
        "viruses_that_kill",
    )


def feature_values(state: VirusState, player: i64) -> list[float]:
    """Return the features.

    The last ones are cards in hand, by what they can do now: organs of which the own body has none, medicines for an
    infected organ or for a healthy one, viruses for a rival's healthy organ or for an infected one.
    """
    n = state.n_players
    hands = state.hands
    first = player * state.hand_size
    hand: list[int] = hands[first : first + state.hand_size]
    held = [0] * N_KINDS
    for card in hand:
        if card != NO_CARD:
            held[card] += 1
    found = [float(state.deck_size), 1.0 if state.turn_player == player else 0.0, float(len(state.sequences))]
    for card in range(N_KINDS):
        found.append(float(held[card]))
        found.append(float(state.discards[card]))
    for offset in range(n):
        seat = (player + offset) % n
        start = seat * state.hand_size
        cards: i64 = 0
        for place in range(start, start + state.hand_size):
            if hands[place] != NO_CARD:
                cards += 1
        found.append(float(cards))
        body: i64 = state.bodies[seat]
        healthy: i64 = 0
        immunised: i64 = 0
        for organ in range(N_COLOURS):
            organ_state = body >> BITS * organ & MASK
            is_infected = FREE < organ_state < VACCINATED
            found.append(1.0 if organ_state != ABSENT else 0.0)
            found.append(1.0 if is_infected else 0.0)
            found.append(0.0 if organ_state < VACCINATED else 1.0 if organ_state < IMMUNISED else 2.0)
            healthy += 1 if organ_state != ABSENT and not is_infected else 0
            immunised += 1 if organ_state >= IMMUNISED else 0
        found.append(float(healthy))
        found.append(float(immunised))
    _add_uses(found, state, player, hand)
    return found


def _add_uses(found: list[float], state: VirusState, player: i64, hand: list[int]) -> None:
    """Add how many cards in hand can do what."""
    mine: i64 = state.bodies[player]
    organs: i64 = 0
    colours: i64 = 0
    to_sick: i64 = 0
    to_healthy: i64 = 0
    infects: i64 = 0
    kills: i64 = 0
    for held in hand:
        card: i64 = held
        if card < VIRUSES:
            if mine >> BITS * card & MASK == ABSENT and not colours & _BIT[card]:
                colours |= _BIT[card]
                organs += 1
        elif card < MEDICINES:
            targets: i64 = 0
            for rival in range(state.n_players):
                if rival != player:
                    targets |= _targets(AFTER_VIRUS, card - VIRUSES, state.bodies[rival])
            infects += targets & _HEALTHY
            kills += targets >> 1
        elif card < TREATMENTS:
            targets = _targets(AFTER_MEDICINE, card - MEDICINES, mine)
            to_healthy += targets & _HEALTHY
            to_sick += targets >> 1
    found.append(float(organs))
    found.append(float(to_sick))
    found.append(float(to_healthy))
    found.append(float(infects))
    found.append(float(kills))


def _targets(table: list[int], colour: i64, body: i64) -> i64:
    """Return whether a virus or medicine can be played on a healthy organ of a body, on an infected one, or on both."""
    found: i64 = 0
    organ: i64 = 0
    while body != 0:
        state = body & MASK
        if state != ABSENT and table[outcome_index(colour, organ, state)] != IMPOSSIBLE:
            found |= _INFECTED if FREE < state < VACCINATED else _HEALTHY
        body >>= BITS
        organ += 1
    return found
