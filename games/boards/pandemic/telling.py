"""Events of Pandemic: cards, cubes, outbreaks, cures. Made only while somebody listens.

Each function returns an event; its places are those of `PandemicState.components`.
"""

from __future__ import annotations

from mypy_extensions import i64

from tag import Event
from tag.games.boards.pandemic.data import (
    ALL_CURED,
    CARD_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    ENDINGS,
    EPIDEMIC,
    NONE,
    OUT_OF_CARDS,
    OUT_OF_CUBES,
    OUTBREAKS,
    ROLE_NAMES,
)

_ENDINGS = {
    ALL_CURED: "all four diseases are cured",
    OUTBREAKS: "there are too many outbreaks",
    OUT_OF_CUBES: "a cube is needed and there is none",
    OUT_OF_CARDS: "there are too few player cards to draw",
}


def ended(ending: i64) -> Event:
    """Return why the game has ended."""
    return Event(ENDINGS[ending], words=_ENDINGS[ending])


def role(seat: i64, number: i64) -> Event:
    """Return the role of a player."""
    return Event("role", seat, float(number), words=f"{{player}} is the {ROLE_NAMES[number]}")


def dealt(seat: i64, hand: tuple[int, ...]) -> Event:
    """Return the hand of the set-up."""
    return Event("dealt", seat, items=_names(hand), places=(f"hand of {seat}", "player deck"))


def begins(seat: i64) -> Event:
    """Return who has the first turn."""
    return Event("begins", seat, words="{player} begins: the most populous of the cities in all hands")


def drawn(seat: i64, cards: tuple[int, ...]) -> Event:
    """Return the player cards that a player draws; epidemics go out of the game."""
    places = ("player deck", f"hand of {seat}", *(("removed",) if EPIDEMIC in cards else ()))
    return Event("drawn", seat, float(len(cards)), _names(cards), places)


def discarded(seat: i64, card: i64, name: str) -> Event:
    """Return that a card has gone from a hand to the discards; ``name`` is "played" where the action says it."""
    return Event(name, seat, items=(CARD_NAMES[card],), places=(f"hand of {seat}", "player discards"))


def shared(giver: i64, taker: i64, card: i64) -> Event:
    """Return that a card has gone from hand to hand, as the action says."""
    return Event("played", giver, items=(CARD_NAMES[card],), places=(f"hand of {giver}", f"hand of {taker}"))


def stored_event(seat: i64, event: i64, other: str) -> Event:
    """Return that an event has come from, or gone to, the component ``other``, as the action says."""
    return Event("played", seat, items=(CARD_NAMES[event],), places=("stored", other))


def moved(seat: i64) -> Event:
    """Return that a pawn has moved, as the action says."""
    return Event("placed", seat, places=(f"pawn of {seat}",))


def built(city: i64, old: i64) -> Event:
    """Return where a research station is now, and the city ``old`` that has given it up, `NONE` for a new one."""
    station = f"station in {CITY_NAMES[city]}"
    if old == NONE:
        words = f"a research station is built in {CITY_NAMES[city]}"
        return Event("built", items=(CITY_NAMES[city],), places=(station, "stations left"), words=words)
    words = f"the research station of {CITY_NAMES[old]} moves to {CITY_NAMES[city]}"
    return Event("built", items=(CITY_NAMES[city],), places=(station, f"station in {CITY_NAMES[old]}"), words=words)


def infection_drawn(city: i64) -> Event:
    """Return the infection card that is drawn from the top."""
    words = "the infection card {items} is drawn"
    return Event(
        "infection card", items=(CITY_NAMES[city],), places=("infection deck", "infection discards"), words=words
    )


def infected(city: i64, colour: i64, cubes: i64) -> Event:
    """Return the cubes that a city gets."""
    words = f"{CITY_NAMES[city]} gets {_cubes(colour, cubes)}"
    return Event("infected", -1, float(cubes), (CITY_NAMES[city],), _cube_places(city, colour), words=words)


def prevented(city: i64, colour: i64, is_eradicated: bool) -> Event:
    """Return why a city gets no cube."""
    reason = "the disease is eradicated" if is_eradicated else "a role protects it"
    words = f"{CITY_NAMES[city]} gets no {COLOUR_NAMES[colour]} cube"
    return Event("prevented", items=(CITY_NAMES[city],), reason=reason, words=words)


def treated(city: i64, colour: i64, cubes: i64) -> Event:
    """Return the cubes that a city loses."""
    words = f"{_cubes(colour, cubes)} {'leaves' if cubes == 1 else 'leave'} {CITY_NAMES[city]}"
    return Event("treated", -1, float(cubes), (CITY_NAMES[city],), _cube_places(city, colour), words=words)


def outbreak(city: i64, colour: i64, is_chain: bool) -> Event:
    """Return the city that breaks out, perhaps because a city beside it has."""
    words = f"the {COLOUR_NAMES[colour]} disease breaks out in {CITY_NAMES[city]}"
    reason = "a chain reaction" if is_chain else ""
    return Event("outbreak", -1, float(city), (CITY_NAMES[city],), ("outbreaks",), reason, words)


def epidemic(city: i64, rate: i64) -> Event:
    """Return the city of an epidemic, whose card was at the bottom of the infection deck, and the new infection rate."""
    words = f"epidemic in {CITY_NAMES[city]}, the infection rate is {rate}"
    places = ("epidemics", "infection deck", "infection discards")
    return Event("epidemic", -1, float(city), (CITY_NAMES[city],), places, words=words)


def shuffled() -> Event:
    """Return that the infection discards are on top of the infection deck."""
    words = "the infection discards are shuffled and put on top of the infection deck"
    return Event("shuffled", places=("infection deck", "infection discards"), words=words)


def cured(colour: i64) -> Event:
    """Return which disease is cured."""
    return Event("cure", -1, float(colour), words=f"the {COLOUR_NAMES[colour]} disease is cured")


def eradicated(colour: i64) -> Event:
    """Return which disease is eradicated."""
    return Event("eradicated", -1, float(colour), words=f"the {COLOUR_NAMES[colour]} disease is eradicated")


def forecast(seat: i64, cards: tuple[int, ...]) -> Event:
    """Return the top infection cards, the next one first."""
    words = "the next infection cards are {items}"
    return Event("revealed", seat, items=_names(cards), places=("infection deck",), words=words)


def put_in_order(seat: i64) -> Event:
    """Return that an infection card has its place, as the action says."""
    return Event("placed", seat, places=("infection deck",))


def infection_removed(seat: i64, city: i64) -> Event:
    """Return the infection card that leaves the game."""
    words = "the infection card {items} leaves the game"
    return Event("removed", seat, items=(CITY_NAMES[city],), places=("infection discards", "removed"), words=words)


def quiet_night() -> Event:
    """Return why no infection card is drawn."""
    return Event("quiet night", words="no city is infected in this quiet night")


def _names(cards: tuple[int, ...]) -> tuple[str, ...]:
    return tuple([CARD_NAMES[card] for card in cards])


def _cubes(colour: i64, cubes: i64) -> str:
    return f"{cubes} {COLOUR_NAMES[colour]} cube{'' if cubes == 1 else 's'}"


def _cube_places(city: i64, colour: i64) -> tuple[str, ...]:
    return (f"{COLOUR_NAMES[colour]} in {CITY_NAMES[city]}", f"{COLOUR_NAMES[colour]} supply")
