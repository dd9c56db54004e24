"""The bot of Pandemic."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.boards.pandemic.actions import (
    BuildStation,
    CharterFlight,
    Choose,
    DirectFlight,
    Discard,
    DiscoverCure,
    ExpertFlight,
    Move,
    PlayEvent,
    ShareKnowledge,
    TakeEvent,
    TreatDisease,
)
from tag.games.boards.pandemic.data import (
    BIT,
    COLOURS,
    FIRST_EVENT,
    N_CITIES,
    N_COLOURS,
    ONE_QUIET_NIGHT,
    RESILIENT_POPULATION,
    WITHIN,
)
from tag.games.boards.pandemic.state import PandemicState

_CURE: Final = 100.0
#: What treating a city of so many cubes of a colour is worth.
_TREAT: Final[list[float]] = [0.0, 3.0, 12.0, 40.0]
_TO_CURE: Final = 60.0
_TO_TREAT: Final = 20.0
_SHARE: Final = 30.0
_BUILD: Final = 15.0
_EVENT: Final = 45.0
_NEVER: Final = -1.0
#: Drives from a research station from which on another one is built.
_REMOTE: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class CureFirst(RuleBot[PandemicState]):
    """Cures as soon as it can, else treats cities that are about to break out, and gathers the cards of one colour.

    Who has the cards for a cure goes to the nearest research station, others to the city with the most cubes. Cards are
    given to those with more of the colour. One Quiet Night and Resilient Population are played at once, others never.

    Source: our own, after the advice of the rules to look for cures before cubes.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        #: The cities to go to, as a set, and what a step to them is worth; the colour gathered, -1 for none.
        self.targets: i64 = 0
        self.urgency = 0.0
        self.colour: i64 = -1

    def prepare(self, state: PandemicState) -> None:
        """Choose the colour to gather and the cities to go to."""
        seat = state.turn_player
        self.colour = _best_colour(state, seat)
        is_ready = self.colour >= 0 and len(state.cities_of(seat, self.colour)) >= state.cards_needed(seat)
        if is_ready and state.stations:
            self.targets, self.urgency = state.stations, _TO_CURE
        else:
            self.targets, self.urgency = _worst_cities(state), _TO_TREAT

    def worth(self, state: PandemicState, action: AnyAction) -> float:
        """Weigh an action of a turn, or a choice."""
        if isinstance(action, DiscoverCure):
            return _CURE
        if isinstance(action, TreatDisease):
            cubes = state.count(state.pawns[state.turn_player], action.what)
            return _TREAT[min(cubes, 3)]
        if isinstance(action, Move):
            return self._move(state, action)
        if isinstance(action, ShareKnowledge):
            return self._share(state, action)
        if isinstance(action, BuildStation):
            return self._build(state)
        return self._choice(state, action)

    def _move(self, state: PandemicState, move: Move) -> float:
        """Return the worth of the drives saved; flights cost a card of a colour that is not gathered."""
        if move.pawn != state.turn_player or isinstance(move, CharterFlight) or not self.targets:
            return _NEVER
        saved = _drives(state.pawns[move.pawn], self.targets) - _drives(move.city, self.targets)
        if isinstance(move, DirectFlight):
            is_spare = COLOURS[move.city] != self.colour and saved > 2
            return self.urgency + 0.1 * float(saved) - 1.0 if is_spare else _NEVER
        return self.urgency + 0.1 * float(saved) if saved > 0 else _NEVER

    def _share(self, state: PandemicState, action: ShareKnowledge) -> float:
        """Give cards to those with more of the colour."""
        colour = COLOURS[action.card]
        gives, takes = len(state.cities_of(action.giver, colour)), len(state.cities_of(action.taker, colour))
        fits = len(state.hands[action.taker]) < state.rules.hand_limit
        return _SHARE if fits and takes >= gives and takes > 0 and not state.cured >> colour & 1 else _NEVER

    def _build(self, state: PandemicState) -> float:
        """Build far from other stations, with a card of a colour that is not gathered; at once if a cure waits."""
        here: i64 = state.pawns[state.turn_player]
        if state.stations_left == 0 or COLOURS[here] == self.colour:
            return _NEVER
        distance = _drives(here, state.stations) if state.stations else _REMOTE
        if self.urgency == _TO_CURE and distance > 1:
            return _TO_CURE + 5.0
        return _BUILD if distance >= _REMOTE else _NEVER

    def _choice(self, state: PandemicState, action: AnyAction) -> float:
        """Weigh events, and the choice of a card; 0 for anything else, such as to pass."""
        if isinstance(action, PlayEvent):
            return _EVENT if action.event in {ONE_QUIET_NIGHT, RESILIENT_POPULATION} else _NEVER
        if isinstance(action, (TakeEvent, ExpertFlight)):
            return _NEVER
        if isinstance(action, (Discard, Choose)) and action.card < FIRST_EVENT:
            colour = COLOURS[action.card]
            held = len(state.cities_of(state.current_player, colour))
            return 5.0 if state.cured >> colour & 1 else 4.0 - float(held)
        return 0.0


def _best_colour(state: PandemicState, seat: i64) -> i64:
    """Return the uncured colour of which a player has the most cards, -1 for none."""
    best: i64 = -1
    most: i64 = 0
    for colour in range(N_COLOURS):
        held: i64 = len(state.cities_of(seat, colour))
        if held > most and not state.cured >> colour & 1:
            best, most = colour, held
    return best


def _worst_cities(state: PandemicState) -> i64:
    """Return the cities with the most cubes of a colour, as a set; empty if there are none."""
    found: i64 = 0
    most: i64 = 1
    for city in range(N_CITIES):
        for colour in range(N_COLOURS):
            cubes = state.count(city, colour)
            if cubes > most:
                found, most = 0, cubes
            if cubes == most:
                found |= BIT[city]
    return found


def _drives(city: i64, targets: i64) -> i64:
    """Return how many drives the nearest of some cities, at least one, is away."""
    within = WITHIN[city]
    drives: i64 = 0
    while not within[drives] & targets:
        drives += 1
    return drives
