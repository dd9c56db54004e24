"""Colours, roles, events and the numbers of cards: a city card is its city's number, then come events and epidemics."""

from __future__ import annotations

from typing import Final

N_CITIES: Final = 48
N_COLOURS: Final = 4
N_ROLES: Final = 7
N_EVENTS: Final = 5

#: The colours of the diseases, by number.
COLOUR_NAMES: Final[list[str]] = ["blue", "yellow", "black", "red"]

CONTINGENCY_PLANNER: Final = 0
DISPATCHER: Final = 1
MEDIC: Final = 2
OPERATIONS_EXPERT: Final = 3
QUARANTINE_SPECIALIST: Final = 4
RESEARCHER: Final = 5
SCIENTIST: Final = 6

#: The names of the roles, by number.
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

#: Cubes in a city are packed: so many bits for each colour.
BITS: Final = 4
#: The bits of one colour.
FULL: Final = 15
