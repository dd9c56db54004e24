"""Positions of Pandemic for people, learners and analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.pandemic.data import (
    CARD_NAMES,
    CARDS,
    CITY_NAMES,
    COLOUR_NAMES,
    ENDINGS,
    EPIDEMIC,
    N_CITIES,
    N_COLOURS,
    N_ROLES,
    NONE,
    ROLE_NAMES,
    names,
)
from tag.components import HIDDEN_TO_ALL, Card, Component, Counter, Deck, PartiallyObservableDeck

if TYPE_CHECKING:
    from games.pandemic.state import PandemicState


def features_of(state: PandemicState, player: i64) -> dict[str, float]:
    """Return tracks, diseases, cities and, for each player (0: oneself, 1: the next …), role, place and cards."""
    rules = state.rules
    found = {
        "deck": float(len(state.player_deck)),
        "epidemics": float(state.epidemics),
        "infection_rate": float(state.infection_rate()),
        "outbreaks": float(state.outbreaks) / float(rules.outbreaks),
        "stations_left": float(state.stations_left),
        "actions_left": float(state.actions_left),
        "quiet": float(state.quiet),
        "stored": float(state.stored != NONE),
        "my_turn": float(state.turn_player == player),
    }
    for colour, name in enumerate(COLOUR_NAMES):
        found[f"cured_{name}"] = float(state.cured >> colour & 1)
        found[f"eradicated_{name}"] = float(state.eradicated >> colour & 1)
        found[f"supply_{name}"] = float(state.supply[colour]) / float(rules.cubes)
    for city, name in enumerate(CITY_NAMES):
        cubes = [int(state.count(city, colour)) for colour in range(N_COLOURS)]
        found[f"cubes_{name}"] = float(sum(cubes)) / float(rules.cubes_per_city)
        found[f"station_{name}"] = float(state.stations >> city & 1)
        found[f"discarded_{name}"] = float(city in state.infection_discards)
    for offset in range(state.n_players):
        _add_player(state, found, offset, (player + offset) % state.n_players)
    return found


def _add_player(state: PandemicState, found: dict[str, float], offset: i64, seat: i64) -> None:
    """Add the features of a player."""
    for role in range(N_ROLES):
        found[f"role_{offset}_{role}"] = float(state.roles[seat] == role)
    found[f"treatable_{offset}"] = float(state.cubes[state.pawns[seat]] > 0)
    found[f"at_station_{offset}"] = float(state.stations >> state.pawns[seat] & 1)
    for card, name in enumerate(CARD_NAMES[:EPIDEMIC]):
        found[f"holds_{offset}_{name}"] = float(card in state.hands[seat])
    for city, name in enumerate(CITY_NAMES):
        found[f"pawn_{offset}_{name}"] = float(state.pawns[seat] == city)


def components_of(state: PandemicState) -> list[Component]:
    """Return decks, hands, cubes, stations and tracks."""
    infection: PartiallyObservableDeck[Card] = PartiallyObservableDeck(
        "infection deck", _cards(tuple(state.infection_deck)), state.n_players, -1, HIDDEN_TO_ALL
    )
    ends = [*state.layers[1:], len(state.infection_deck)]
    known = [start for index, start in enumerate(state.layers) if ends[index] == start + 1]
    infection.seen = [(1 << int(state.n_players)) - 1 if i in known else 0 for i in range(len(state.infection_deck))]
    stored = () if state.stored == NONE else (int(state.stored),)
    found: list[Component] = [
        Deck("player deck", _cards(tuple(state.player_deck)), visibility=HIDDEN_TO_ALL),
        infection,
        Deck("player discards", _cards(state.discards)),
        Deck("infection discards", _cards(state.infection_discards)),
        Deck("removed", _cards(state.removed + state.removed_cities + (EPIDEMIC,) * int(state.epidemics + state.due))),
        Deck("stored", _cards(stored)),
        Counter("outbreaks", state.outbreaks),
        Counter("epidemics", state.epidemics),
        Counter("stations left", state.stations_left),
    ]
    for seat in range(state.n_players):
        found.append(Deck(f"hand of {seat}", _cards(state.hands[seat]), seat))
        found.append(Counter(f"pawn of {seat}", state.pawns[seat], owner=seat))
    for colour, name in enumerate(COLOUR_NAMES):
        found.append(Counter(f"{name} supply", state.supply[colour]))
        for city in range(N_CITIES):
            if state.count(city, colour):
                found.append(Counter(f"{name} in {CITY_NAMES[city]}", state.count(city, colour)))
    for city in range(N_CITIES):
        if state.stations >> city & 1:
            found.append(Counter(f"station in {CITY_NAMES[city]}", 1))
    return found


def text_of(state: PandemicState) -> str:
    """Return the table; the decks are face down for all players."""
    return "\n".join([*_track_lines(state), *_map_lines(state), *_player_lines(state)])


def _track_lines(state: PandemicState) -> list[str]:
    """Return the lines of tracks, diseases and decks."""
    if state.is_terminal:
        head = f"Over: {ENDINGS[state.ending]}"
    else:
        head = f"Turn {state.turn + 1} of player {state.turn_player}, {state.actions_left} actions left"
        if state.current_player != state.turn_player:
            head += f", player {state.current_player} to decide"
    tracks = f"outbreaks {state.outbreaks}/{state.rules.outbreaks}  infection rate {state.infection_rate()}"
    tracks += f"  epidemics {state.epidemics}/{state.rules.epidemics}  player cards {len(state.player_deck)}"
    lines = [head, tracks + ("  quiet night" if state.quiet else "")]
    parts = []
    for colour, name in enumerate(COLOUR_NAMES):
        note = " eradicated" if state.eradicated >> colour & 1 else " cured" if state.cured >> colour & 1 else ""
        parts.append(f"{name} {state.supply[colour]}{note}")
    lines.append(f"cubes left: {', '.join(parts)}")
    return lines


def _map_lines(state: PandemicState) -> list[str]:
    """Return the lines of what is in the cities, and of the infection cards that are known."""
    infected = []
    for city, name in enumerate(CITY_NAMES):
        cubes = [(state.count(city, colour), COLOUR_NAMES[colour]) for colour in range(N_COLOURS)]
        shown = [f"{count} {colour}" for count, colour in cubes if count]
        if shown:
            infected.append(f"{name} {' + '.join(shown)}")
    stations = [name for city, name in enumerate(CITY_NAMES) if state.stations >> city & 1]
    lines = [f"infected: {', '.join(infected) or 'none'}", f"stations: {', '.join(stations)}"]
    ends = [*state.layers[1:], len(state.infection_deck)]
    known = []
    for index in range(len(state.layers) - 1, 0, -1):
        known.append("{" + names(tuple(sorted(state.infection_deck[state.layers[index] : ends[index]]))) + "}")
    lines.append(f"infection cards on top: {' '.join(known) or 'unknown'}")
    lines.append(f"infection discards: {names(state.infection_discards)}")
    return lines


def _player_lines(state: PandemicState) -> list[str]:
    """Return a line for each player."""
    lines = []
    for seat in range(state.n_players):
        role = ROLE_NAMES[state.roles[seat]]
        line = f"player {seat}  {role} in {CITY_NAMES[state.pawns[seat]]}  cards {names(state.hands[seat])}"
        if state.stored != NONE and state.is_planner(seat):
            line += f"  stored {CARD_NAMES[state.stored]}"
        lines.append(line)
    return lines


def _cards(cards: tuple[int, ...]) -> list[Card]:
    return [CARDS[card] for card in cards]
