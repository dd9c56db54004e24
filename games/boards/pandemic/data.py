"""Colours, roles, events, cards, and the board of ``world.json``: cities with colours, populations and connections.

A city card is its city's number; then come events and Epidemics.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, choice, flag, integer
from tag.components import Area, BoardNode, Card, GraphBoard, GridBoard, shared
from tag.components.data import load_components
from tag.engine.snapshot import field_values
from tag.errors import DataError, UnknownNameError, nearest

N_CITIES: Final = 48
N_COLOURS: Final = 4
N_ROLES: Final = 7
N_EVENTS: Final = 5

COLOUR_NAMES: Final[list[str]] = ["blue", "yellow", "black", "red"]

CONTINGENCY_PLANNER: Final = 0
DISPATCHER: Final = 1
MEDIC: Final = 2
OPERATIONS_EXPERT: Final = 3
QUARANTINE_SPECIALIST: Final = 4
RESEARCHER: Final = 5
SCIENTIST: Final = 6

ROLE_NAMES: Final[list[str]] = [
    "Contingency Planner",
    "Dispatcher",
    "Medic",
    "Operations Expert",
    "Quarantine Specialist",
    "Researcher",
    "Scientist",
]

#: The first card that is no city.
FIRST_EVENT: Final = 48
AIRLIFT: Final = 48
FORECAST: Final = 49
GOVERNMENT_GRANT: Final = 50
ONE_QUIET_NIGHT: Final = 51
RESILIENT_POPULATION: Final = 52
EPIDEMIC: Final = 53

#: The names of the events, from `FIRST_EVENT` on.
EVENT_NAMES: Final[list[str]] = [
    "Airlift",
    "Forecast",
    "Government Grant",
    "One Quiet Night",
    "Resilient Population",
]

#: No card, no city or no player, where there can be one.
NONE: Final = -1

#: How a game ended.
GOES_ON: Final = 0
ALL_CURED: Final = 1
OUTBREAKS: Final = 2
OUT_OF_CUBES: Final = 3
OUT_OF_CARDS: Final = 4

ENDINGS: Final[list[str]] = ["ongoing", "all cured", "outbreaks", "out of cubes", "out of cards"]

#: Bits for the cubes of each colour in a city.
BITS: Final = 4
#: The bits of one colour.
FULL: Final = 15

# The board.
#: As many steps as there can be epidemics, and the first one.
_RATES: Final = 7
_PROPERTIES: Final = ("colour", "population")


class World:
    """The board as tables.

    Attributes:
        names: the cities' names.
        colours: each city's colour.
        populations: each city's population.
        neighbours: the cities connected to each city, in the order of their numbers.
        drives: the same as sets of bits.
        near: the same with the city itself.
        within: for each city the sets of cities at most 0, 1, 2 … drives away; the last one has all.
        rates: the infection cards drawn, by the number of epidemics so far.
        start: the city with the first research station, where the pawns start.
    """

    def __init__(self, area: Area, source: str) -> None:
        """Take the tables from the components of the file ``source``.

        Raises:
            DataError: something is missing or wrong; the message names file and field.
        """
        board = _board(area, source)
        nodes = board.graph.nodes
        if len(nodes) != N_CITIES:
            raise DataError(f"{source}: graph_boards[0].nodes: the map has {N_CITIES} cities, not {len(nodes)}")
        self.names = [node.name for node in nodes]
        self.colours: list[int] = []
        self.populations: list[int] = []
        for number, node in enumerate(nodes):
            where = f"{source}: graph_boards[0].nodes[{number}].properties"
            _check_properties(node, where)
            self.colours.append(_colour(node.property("colour", ""), where))
            self.populations.append(_population(node.property("population", 0), where))
        for colour, name in enumerate(COLOUR_NAMES):
            if self.colours.count(colour) * N_COLOURS != N_CITIES:
                raise DataError(f"{source}: graph_boards[0].nodes: {N_CITIES // N_COLOURS} cities have to be {name}")
        self.neighbours = [sorted([int(other) for other in board.graph.neighbours(city)]) for city in range(N_CITIES)]
        self.drives = [sum([1 << other for other in others]) for others in self.neighbours]
        self.near = [drives | (1 << city) for city, drives in enumerate(self.drives)]
        self.within = [_rings(board.graph.distances(city)) for city in range(N_CITIES)]
        self.rates = _rates(area, source)
        if "Atlanta" not in self.names:
            raise DataError(f"{source}: graph_boards[0].nodes: no city is named 'Atlanta', where the game starts")
        self.start = self.names.index("Atlanta")
        _check_names(area, source, "roles", "role", ROLE_NAMES)
        _check_names(area, source, "events", "event", EVENT_NAMES)


def load_world(path: Path) -> World:
    """Read the board from a file.

    Raises:
        DataError: the file cannot be read, or something is missing or wrong; the message names file and field.
    """
    return World(load_components(path), path.name)


def _board(area: Area, source: str) -> GraphBoard[int]:
    for component in area.components.values():
        if isinstance(component, GraphBoard):
            return component
    raise DataError(f"{source}: graph_boards: the map is missing")


def _rings(distances: list[int]) -> list[int]:
    """Return the sets of cities at most 0, 1, 2 … drives away; a city that no road leads to is in the last one."""
    found = [
        sum([1 << city for city, far in enumerate(distances) if 0 <= far <= most]) for most in range(max(distances))
    ]
    return [*found, (1 << N_CITIES) - 1]


def _check_properties(node: BoardNode, where: str) -> None:
    for name, _value in node.properties:
        if name not in _PROPERTIES:
            raise DataError(f"{where}: no property is named {name!r}{nearest(name, _PROPERTIES)}")


def _colour(value: object, where: str) -> int:
    if value not in COLOUR_NAMES:
        raise DataError(f"{where}.colour: no colour is named {value!r}{nearest(str(value), COLOUR_NAMES)}")
    return COLOUR_NAMES.index(str(value))


def _population(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise DataError(f"{where}.population: it has to be a whole number, not {value!r}")
    if value < 1:
        raise DataError(f"{where}.population: it cannot be {value}; the nearest value is 1")
    return value


def _rates(area: Area, source: str) -> list[int]:
    for component in area.components.values():
        if isinstance(component, GridBoard):
            rates = [int(rate) for rate in component.cells]
            where = f"{source}: grid_boards[0].cells"
            if len(rates) != _RATES:
                raise DataError(f"{where}: the infection rate has {_RATES} steps, not {len(rates)}")
            for rate in rates:
                if not 0 <= rate <= N_CITIES:
                    near = min(max(rate, 0), N_CITIES)
                    raise DataError(f"{where}: an infection rate cannot be {rate}; the nearest value is {near}")
            return rates
    raise DataError(f"{source}: grid_boards: the infection rate is missing")


def _check_names(area: Area, source: str, deck: str, kind: str, known: list[str]) -> None:
    """Check that the deck of roles or events holds each one once, in the order of their numbers."""
    try:
        found = [card.name for card in area.deck(deck).items]
    except UnknownNameError:
        raise DataError(f"{source}: decks: there is no deck {deck!r}") from None
    for number, name in enumerate(found):
        if name not in known:
            raise DataError(f"{source}: {deck}.cards[{number}].name: no {kind} is named {name!r}{nearest(name, known)}")
    if found != known:
        raise DataError(f"{source}: {deck}.cards: each of these has to be there once: {', '.join(known)}")


WORLD: Final = load_world(Path(__file__).with_name("world.json"))

CITY_NAMES: Final[list[str]] = WORLD.names
COLOURS: Final[list[int]] = WORLD.colours
POPULATIONS: Final[list[int]] = WORLD.populations
NEIGHBOURS: Final[list[list[int]]] = WORLD.neighbours
DRIVES: Final[list[int]] = WORLD.drives
NEAR: Final[list[int]] = WORLD.near
WITHIN: Final[list[list[int]]] = WORLD.within
RATES: Final[list[int]] = WORLD.rates
START: Final[int] = WORLD.start
#: A set of one city, by city.
BIT: Final[list[int]] = [1 << city for city in range(N_CITIES)]
#: The set of all cities, or of their cards.
ALL_CITIES: Final = (1 << N_CITIES) - 1

#: One card of its colour by player card, packed as cubes are; events have none.
_UNITS: Final[list[int]] = [1 << BITS * colour for colour in COLOURS] + [0] * N_EVENTS

CARD_NAMES: Final[list[str]] = [*CITY_NAMES, *EVENT_NAMES, "Epidemic"]
CARDS: Final[list[Card]] = [shared(Card(name)) for name in CARD_NAMES]


def card_set(cards: tuple[int, ...]) -> i64:
    """Return player or infection cards as a set of bits."""
    found: i64 = 0
    for card in cards:
        found |= _shifted(1, card)
    return found


def _shifted(bits: i64, places: i64) -> i64:
    """Return ``bits << places``; compiled, a literal 1 would be shifted in 32 bits."""
    return bits << places


def packed_cards(cards: tuple[int, ...]) -> i64:
    """Return the number of city cards of each colour, packed as cubes are."""
    packed: i64 = 0
    for card in cards:
        packed += _UNITS[card]
    return packed


def names(cards: tuple[int, ...]) -> str:
    """Return the names of player or infection cards for people."""
    return ", ".join([CARD_NAMES[card] for card in cards]) if cards else "none"


#: Leaves a seat's role to chance.
ANY: Final = "any"

_SPECS: Final[list[str]] = [name.lower().replace(" ", "_") for name in ROLE_NAMES]
_CHOICES: Final[tuple[str, ...]] = (ANY, *_SPECS)
#: Variants that are younger than recorded games: as long as they are off, positions have the hashes that they had.
_YOUNGER: Final = ("outbreaks_to_pawns", "cure_takes_all", "endless_cubes", "empty_deck_loses")


@dataclass
class PandemicParameters(Parameters):
    """The difficulty, every number of the rules, and the roles; the defaults are the printed introductory game."""

    epidemics: int = integer(4, 0, 6, "Epidemic cards: 4 introductory, 5 standard, 6 heroic")
    outbreaks: int = integer(8, 1, 15, "outbreaks at which the game is lost")
    cubes: int = integer(24, 10, 50, "cubes of each colour")
    cubes_per_city: int = integer(3, 1, 10, "cubes of a colour in a city, beyond which it breaks out")
    epidemic_cubes: int = integer(3, 1, 5, "cubes placed by an epidemic")
    infection_cubes: int = integer(1, 1, 3, "cubes placed by an infection card")
    setup_levels: int = integer(3, 1, 5, "groups of infection cards at the start; the first gets as many cubes each")
    setup_cards: int = integer(3, 1, 5, "infection cards in each of these groups")
    cards_for_cure: int = integer(5, 2, 7, "city cards of a colour that cure a disease")
    scientist_saves: int = integer(1, 0, 3, "how many cards fewer the Scientist needs")
    forecast_cards: int = integer(6, 3, 8, "infection cards that Forecast rearranges")
    hand_limit: int = integer(7, 5, 15, "cards that a player may keep")
    cards_drawn: int = integer(2, 1, 5, "player cards drawn in a turn")
    actions: int = integer(4, 1, 8, "actions in a turn")
    stations: int = integer(6, 1, 8, "research stations")
    hand_2: int = integer(4, 0, 8, "cards dealt to each of two players")
    hand_3: int = integer(3, 0, 8, "cards dealt to each of three players")
    hand_4: int = integer(2, 0, 8, "cards dealt to each of four players")
    role_0: str = choice(ANY, _CHOICES, "role of player 0")
    role_1: str = choice(ANY, _CHOICES, "role of player 1")
    role_2: str = choice(ANY, _CHOICES, "role of player 2")
    role_3: str = choice(ANY, _CHOICES, "role of player 3")
    ask_always: bool = flag(False, "ask holders of events before every action and every infection card too")
    outbreaks_to_pawns: bool = flag(False, "an outbreak reaches only those neighbouring cities where a pawn is")
    cure_takes_all: bool = flag(False, "a cure takes all cards of its colour in the hand")
    endless_cubes: bool = flag(False, "cubes never run out: the supply is counted below zero")
    empty_deck_loses: bool = flag(False, "the players lose by drawing the last player card")

    def check(self) -> None:
        """Refuse values that contradict the rules, and games that can never be won."""
        for name, most, why in (
            ("epidemic_cubes", self.cubes_per_city, "a city takes"),
            ("infection_cubes", self.cubes_per_city, "a city takes"),
            ("setup_levels", self.cubes_per_city, "a city takes"),
            ("cards_for_cure", self.hand_limit, "a hand holds"),
            ("hand_2", self.hand_limit, "a hand holds"),
            ("hand_3", self.hand_limit, "a hand holds"),
            ("hand_4", self.hand_limit, "a hand holds"),
        ):
            value: int = getattr(self, name)
            if value > most:
                raise ParameterError(f"{name} cannot be {value}, more than {why}; the nearest value is {most}")
        if self.scientist_saves >= self.cards_for_cure:
            raise ParameterError(
                f"scientist_saves cannot be {self.scientist_saves} where {self.cards_for_cure} cards cure; "
                f"the nearest value is {self.cards_for_cure - 1}"
            )
        self._check_roles()

    def _check_roles(self) -> None:
        """Refuse a role that two players would have."""
        roles = [self.role_0, self.role_1, self.role_2, self.role_3]
        for seat, role in enumerate(roles):
            if role != ANY and role in roles[:seat]:
                other = roles.index(role)
                raise ParameterError(
                    f"role_{seat} cannot be {role}, which role_{other} is already; the nearest value is {ANY}"
                )

    def key(self) -> tuple[tuple[str, object], ...]:
        """Return the parameters that count in snapshots and hashes of positions."""
        return tuple([(name, value) for name, value in field_values(self).items() if value or name not in _YOUNGER])

    def roles(self) -> list[int]:
        """Return the role of each seat, `NONE` for any."""
        return [
            NONE if role == ANY else _SPECS.index(role) for role in (self.role_0, self.role_1, self.role_2, self.role_3)
        ]

    def hand(self, n_players: int) -> int:
        """Return how many cards each of ``n_players`` is dealt."""
        return self.hand_2 if n_players == 2 else self.hand_3 if n_players == 3 else self.hand_4
