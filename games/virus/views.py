"""Hands and bodies for people and learners."""

from __future__ import annotations

from mypy_extensions import i64

from games.virus.bodies import ABSENT, FREE, IMMUNISED, VACCINATED, cards_on, state_of
from games.virus.cards import COLOUR_NAMES, N_COLOURS, NAMES, ORGAN_NAMES


def hand_text(cards: list[int], is_open: bool) -> str:
    """Return the cards of a hand, as question marks unless it is open."""
    if not cards:
        return "empty"
    return ", ".join([NAMES[card] if is_open else "?" for card in cards])


def state_text(state: i64) -> str:
    """Return what has become of an organ: ``infected (red virus)``, or nothing while it is free."""
    cards = " + ".join([NAMES[card] for card in cards_on(state)])
    if state <= FREE:
        return ""
    if state < VACCINATED:
        return f"infected ({cards})"
    return f"{'vaccinated' if state < IMMUNISED else 'immunised'} ({cards})"


def body_text(body: i64) -> str:
    """Return the organs of a body, each with what lies on it."""
    organs: list[str] = []
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        if state != ABSENT:
            organs.append(f"{ORGAN_NAMES[organ]} {state_text(state)}".rstrip())
    return ", ".join(organs) if organs else "empty"


def features_of(found: dict[str, float], body: i64, offset: i64) -> None:
    """Add the features of the body of the player ``offset`` seats on."""
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        name = f"{COLOUR_NAMES[organ]}_{offset}"
        found[f"organ_{name}"] = float(state != ABSENT)
        found[f"infected_{name}"] = float(FREE < state < VACCINATED)
        found[f"medicines_{name}"] = 0.0 if state < VACCINATED else 1.0 if state < IMMUNISED else 2.0
