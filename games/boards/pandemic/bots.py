"""Bots of Pandemic: cures first, and turns planned as a team."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot
from tag.games.boards.pandemic.actions import (
    Airlift,
    BuildStation,
    CharterFlight,
    Choose,
    ChoosePlayer,
    DirectFlight,
    Discard,
    DiscoverCure,
    EndActions,
    ExpertFlight,
    Forecast,
    GovernmentGrant,
    Move,
    PlayEvent,
    ResilientPopulation,
    ShareKnowledge,
    TakeEvent,
    TreatDisease,
)
from tag.games.boards.pandemic.data import (
    AIRLIFT,
    BIT,
    COLOURS,
    FIRST_EVENT,
    GOVERNMENT_GRANT,
    MEDIC,
    N_CITIES,
    N_COLOURS,
    NEIGHBOURS,
    NONE,
    ONE_QUIET_NIGHT,
    OPERATIONS_EXPERT,
    RESEARCHER,
    RESILIENT_POPULATION,
)
from tag.games.boards.pandemic.state import PandemicState
from tag.games.boards.pandemic.values import drives_to

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
        saved = drives_to(state.pawns[move.pawn], self.targets) - drives_to(move.city, self.targets)
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
        distance = drives_to(here, state.stations) if state.stations else _REMOTE
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


#: The drives from any city to any other.
_ROADS: Final[list[list[int]]] = [
    [int(drives_to(one, BIT[other])) for other in range(N_CITIES)] for one in range(N_CITIES)
]
#: More drives than lie between any two cities.
_FAR: Final = 20
#: What actions gain: an outbreak that is prevented, and each that would follow; a cube of a third, a second and any one;
#: each cube less than nine in the supply; a station; a card given, and the last card of a cure.
_OUTBREAK: Final = 12.0
_CHAINED: Final = 4.0
_THIRD: Final = 1.0
_SECOND: Final = 2.0
_CUBE: Final = 0.6
_SCARCE: Final = 0.7
_ENOUGH: Final = 9
_STATION: Final = 3.0
_GIFT: Final = 6.0
#: What is gained in the next turn counts half. Waiting for another with a card, and going to where one may come.
_LATER: Final = 0.5
_WAIT: Final = 0.5
_COME: Final = 0.3
#: Trips to a meeting that are worth it.
_REACH: Final = 4
#: What is gained where another player is nearer by so many trips counts less.
_NEARER: Final = 2
_ELSEWHERE: Final = 0.6
#: How much more a card counts that an Epidemic would put back on top than one drawn in the same turns.
_PUT_BACK: Final = 3.0
#: What cards are worth: of a colour that is gathered, of others, of cured ones and those too many, and of events.
_GATHERED: Final = 6.0
_OTHER: Final = 1.75
_SPARE: Final = 0.5
_CURED: Final = 0.2
_OWN_EVENT: Final = 3.0
#: The expected outbreaks from which on events against them are played, and the worth of playing an event now or later.
_DANGER: Final = 0.8
_NOW: Final = 5.0 * _CURE
_NOT_YET: Final = -2.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Planner(RuleBot[PandemicState]):
    """Plans the rest of a turn: goes where the remaining actions do most, and meets others to hand cards over.

    Each disease has one player who gathers its cards. Cubes are worth more where the city's card is likely to be drawn:
    those that an Epidemic put back lie on top, those discarded since are safe until the next. Cards that could not be
    kept are spent on flights and stations. Events wait for danger, or for a cure that they make possible.

    Source: our own, after what guides for people advise: share knowledge, know the infection deck, waste no card.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        #: By city: draws of its card in the next two turns, flights to a station, and what 0, 1, 2 … actions there gain.
        self.risks: list[float] = []
        self.to_station: list[int] = []
        self.sums: list[list[float]] = []
        #: The cities in which an action gains something, and by colour the seat that gathers its cards.
        self.cities: list[int] = []
        self.gatherers: list[int] = []

    def prepare(self, state: PandemicState) -> None:
        """Weigh all cities for the player whose turn it is."""
        self.risks = _risks(state)
        self.gatherers = _gatherers(state)
        stations = state.stations
        self.to_station = [int(drives_to(city, stations)) if stations else _FAR for city in range(N_CITIES)]
        self.sums, self.cities = [], []
        for city in range(N_CITIES):
            sums = [0.0]
            gains = self._gains(state, state.turn_player, city)
            if gains:
                if self._is_elsewhere(state, city):
                    gains = [gain if gain >= _CURE else _ELSEWHERE * gain for gain in gains]
                gains.sort(reverse=True)
                self.cities.append(city)
                for number in range(state.rules.actions):
                    sums.append(sums[number] + (gains[number] if number < len(gains) else 0.0))
            self.sums.append(sums)

    def worth(self, state: PandemicState, action: AnyAction) -> float:
        """Return the gain of the action, and the best that can follow."""
        seat = state.turn_player
        here: i64 = state.pawns[seat]
        left = state.actions_left - 1
        if isinstance(action, DiscoverCure):
            return 2.0 * _NOW
        if isinstance(action, TreatDisease):
            gain = self._of_treating(state, seat, here, action.what)
            return max(
                gain + self._best_from(state, here, left, here),
                self.sums[here][left + 1] - 0.001 if gain >= self.sums[here][1] else 0.0,
            )
        if isinstance(action, Move):
            return self._move(state, action, seat, here, left)
        if isinstance(action, ExpertFlight):
            cheapest = min([self._cost(state, seat, card) for card in state.hands[seat] if card < FIRST_EVENT])
            return self._best_from(state, action.what, left) - cheapest
        if isinstance(action, ShareKnowledge):
            gift = self._gift(state, action.giver, action.taker, action.card)
            return gift + self._best_from(state, here, left) if gift > 0.0 else _NEVER
        if isinstance(action, BuildStation):
            return self._station(state, action, seat, here, left)
        if isinstance(action, EndActions):
            return self._meeting(state, seat, here) + 0.02
        return self._choose(state, action)

    def _move(self, state: PandemicState, move: Move, seat: i64, here: i64, left: i64) -> float:
        """Return the best that can follow in other cities; flights cost their card."""
        if move.pawn != seat:
            return _NEVER
        found = self._best_from(state, move.city, left)
        if isinstance(move, DirectFlight):
            found -= self._cost(state, seat, move.city)
        elif isinstance(move, CharterFlight):
            found -= self._cost(state, seat, here)
        return found

    def _station(self, state: PandemicState, action: BuildStation, seat: i64, here: i64, left: i64) -> float:
        """Build where a cure waits, and far from other stations with a card that is no loss."""
        if action.what != NONE:
            return _NEVER
        cost = 0.0 if state.roles[seat] == OPERATIONS_EXPERT else self._cost(state, seat, here)
        if self._waiting(state, seat) and cost < _CURE:
            return _NOW
        gain = _STATION if self.to_station[here] >= _REMOTE else 0.0
        return gain - cost + self._best_from(state, here, left) if gain > cost else _NEVER

    def _best_from(self, state: PandemicState, start: i64, left: i64, without: i64 = NONE) -> float:
        """Return the most that so many actions gain in one city, the way there included; later gains count less."""
        best = 0.0
        actions = state.rules.actions
        for city in self.cities:
            if city == without:
                continue
            sums = self.sums[city]
            trip = self._trip(start, city)
            after = left - trip
            if after > 0:
                gain = sums[after]
            elif after > -actions:
                gain = _LATER * sums[actions + after]
            else:
                gain = _LATER * _LATER * sums[1]
            best = max(best, gain - 0.01 * float(trip))
        return best

    def _gains(self, state: PandemicState, seat: i64, city: i64) -> list[float]:
        """Return the gain of each action in a city, in any order."""
        found = self._treatments(state, seat, city) if state.cubes[city] else []
        if state.stations >> city & 1:
            for colour in range(N_COLOURS):
                if _can_cure(state, seat, colour):
                    found.append(_CURE)
        for gain in (self._best_gift(state, seat, city), self._meeting(state, seat, city)):
            if gain > 0.0:
                found.append(gain)
        return found

    def _trip(self, start: i64, city: i64) -> i64:
        """Return the moves from one city to another, by road or between stations."""
        return min(_ROADS[start][city], self.to_station[start] + 1 + self.to_station[city])

    def _is_elsewhere(self, state: PandemicState, city: i64) -> bool:
        """Say whether a city is another player's affair, who is much nearer."""
        seat = state.turn_player
        trip = self._trip(state.pawns[seat], city)
        for other in range(state.n_players):
            if other != seat and self._trip(state.pawns[other], city) + _NEARER <= trip:
                return True
        return False

    def _treatments(self, state: PandemicState, seat: i64, city: i64) -> list[float]:
        """Return the gain of each treatment in a city: of one cube, or of all."""
        found: list[float] = []
        for colour in range(N_COLOURS):
            cubes = state.count(city, colour)
            if cubes and (state.cured >> colour & 1 or state.roles[seat] == MEDIC):
                found.append(self._of_treating(state, seat, city, colour))
            else:
                found.extend([self._of_cube(state, city, colour, number) for number in range(1, cubes + 1)])
        return found

    def _of_treating(self, state: PandemicState, seat: i64, city: i64, colour: i64) -> float:
        """Return the gain of treating: a cube, or all of a cured disease or for the Medic."""
        cubes = state.count(city, colour)
        found = self._of_cube(state, city, colour, cubes)
        if state.cured >> colour & 1 or state.roles[seat] == MEDIC:
            for number in range(1, cubes):
                found += self._of_cube(state, city, colour, number)
        return found

    def _of_cube(self, state: PandemicState, city: i64, colour: i64, number: i64) -> float:
        """Return the gain of taking a city's cube of that number."""
        risk = self.risks[city]
        scarce: i64 = _ENOUGH - state.supply[colour]
        found = _CUBE + (_SCARCE * float(scarce) if scarce > 0 else 0.0)
        if number >= 3:
            outbreak = _OUTBREAK
            for near in NEIGHBOURS[city]:
                if state.count(near, colour) >= 3:
                    outbreak += _CHAINED
            return found + _THIRD + min(risk, 1.0) * outbreak
        return found + 0.3 + risk * _SECOND if number == 2 else found + 0.5 * risk

    def _best_gift(self, state: PandemicState, seat: i64, city: i64) -> float:
        """Return the gain of the best card to give or take in a city."""
        best = 0.0
        for other in range(state.n_players):
            if other != seat and state.pawns[other] == city:
                for card in state.hands[seat]:
                    if card == city or (card < FIRST_EVENT and state.roles[seat] == RESEARCHER):
                        best = max(best, self._gift(state, seat, other, card))
                for card in state.hands[other]:
                    if card == city or (card < FIRST_EVENT and state.roles[other] == RESEARCHER):
                        best = max(best, self._gift(state, other, seat, card))
        return best

    def _gift(self, state: PandemicState, giver: i64, taker: i64, card: i64) -> float:
        """Return the gain of handing a card over: nothing unless the taker gathers the colour."""
        colour: i64 = COLOURS[card]
        if self.gatherers[colour] != taker:
            return 0.0
        held: i64 = len(state.cities_of(taker, colour))
        lacking = state.cards_needed(taker) - held
        if lacking <= 0:
            return 0.0
        found = _GIFT + float(held) + (_GIFT if lacking == 1 else 0.0)
        if len(state.hands[taker]) >= state.rules.hand_limit:
            found -= min([self._keep(state, taker, own) for own in state.hands[taker]])
        return found

    def _meeting(self, state: PandemicState, seat: i64, city: i64) -> float:
        """Return the gain of a place where a card can be handed over once the other is there."""
        gatherer = self.gatherers[COLOURS[city]]
        if gatherer < 0:
            return 0.0
        for holder in range(state.n_players):
            if city in state.hands[holder] and holder != gatherer and seat in (holder, gatherer):
                other = gatherer if seat == holder else holder
                away: i64 = state.pawns[other]
                if away != city and self._trip(away, city) <= _REACH:
                    return (_WAIT if seat == holder else _COME) * max(self._gift(state, holder, gatherer, city), 0.0)
        return 0.0

    def _cost(self, state: PandemicState, seat: i64, card: i64) -> float:
        """Return the loss of a card that is spent: little if the hand would soon be too large for it."""
        keep = self._keep(state, seat, card)
        surplus: i64 = len(state.hands[seat]) + 1 - state.rules.hand_limit
        if keep >= _CURE or surplus <= 0:
            return keep
        worse: i64 = 0
        for other in state.hands[seat]:
            if other < FIRST_EVENT and other != card and self._keep(state, seat, other) < keep:
                worse += 1
        return min(keep, _SPARE) if worse < surplus else keep

    def _keep(self, state: PandemicState, seat: i64, card: i64) -> float:
        """Return how much a card is worth in a hand."""
        if card >= FIRST_EVENT:
            return _OWN_EVENT
        colour: i64 = COLOURS[card]
        if state.cured >> colour & 1:
            return _CURED
        held: i64 = len(state.cities_of(seat, colour))
        needed = state.cards_needed(seat)
        if held >= needed:
            return _CURE if held == needed else _SPARE
        return _GATHERED + float(held) if self.gatherers[colour] == seat else _OTHER + 0.1 * float(held)

    def _waiting(self, state: PandemicState, seat: i64) -> bool:
        """Say whether a player has the cards of a cure, but is not at a station or beside one."""
        if self.to_station[state.pawns[seat]] < 2:
            return False
        return len([colour for colour in range(N_COLOURS) if _can_cure(state, seat, colour)]) > 0

    def _choose(self, state: PandemicState, action: AnyAction) -> float:
        """Weigh events and the choices in them, and cards to discard."""
        seat = state.current_player
        if isinstance(action, PlayEvent):
            return self._event(state, action.event, seat)
        if isinstance(action, Discard):
            return -self._keep(state, seat, action.card)
        if isinstance(action, ChoosePlayer):
            return float(self._waiting(state, action.player))
        if isinstance(action, TakeEvent):
            return 2.0
        if not isinstance(action, Choose):
            return 0.05
        card = action.card
        sequence = state.sequences[len(state.sequences) - 1]
        if isinstance(sequence, Forecast):
            return -float(_most_cubes(state, card))
        if isinstance(sequence, ResilientPopulation):
            return float(_most_cubes(state, card))
        if isinstance(sequence, Airlift):
            return -float(self.to_station[card])
        if isinstance(sequence, GovernmentGrant):
            waits = [
                other for other in range(state.n_players) if state.pawns[other] == card and self._waiting(state, other)
            ]
            return 2.0 * _FAR if waits else float(self.to_station[card])
        return -self._keep(state, seat, card)

    def _event(self, state: PandemicState, event: i64, seat: i64) -> float:
        """Play events against outbreaks in danger, and events for cures where one waits; all others if the hand is full."""
        is_full = len(state.hands[seat]) > state.rules.hand_limit
        if event == AIRLIFT or event == GOVERNMENT_GRANT:
            for other in range(state.n_players):
                if self._waiting(state, other):
                    return _NOW
            return _NOW if is_full and event == GOVERNMENT_GRANT else _NOT_YET
        if event == RESILIENT_POPULATION:
            found = max([_most_cubes(state, city) for city in state.infection_discards]) > 1
        else:
            danger = 0.0
            for city in range(N_CITIES):
                if _most_cubes(state, city) > 2:
                    danger += min(self.risks[city], 1.0)
            found = danger >= _DANGER or (event == ONE_QUIET_NIGHT and len(state.player_deck) < 4)
        return _NOW if found or is_full else _NOT_YET


def _can_cure(state: PandemicState, seat: i64, colour: i64) -> bool:
    """Say whether a player has the cards for a cure that has not been found."""
    return not state.cured >> colour & 1 and len(state.cities_of(seat, colour)) >= state.cards_needed(seat)


def _most_cubes(state: PandemicState, city: i64) -> i64:
    """Return the cubes of a city, those of the commonest colour."""
    return max([state.count(city, colour) for colour in range(N_COLOURS)])


def _gatherers(state: PandemicState) -> list[int]:
    """Return the seat that lacks the fewest cards for each cure, the first of several; -1 for cures that are found."""
    found = []
    for colour in range(N_COLOURS):
        best: i64 = -1
        least: i64 = _FAR
        for seat in range(state.n_players):
            lacking = state.cards_needed(seat) - len(state.cities_of(seat, colour))
            if lacking < least:
                best, least = seat, lacking
        found.append(-1 if state.cured >> colour & 1 else int(best))
    return found


def _risks(state: PandemicState) -> list[float]:
    """Return how often each city's card is expected in the infections of two turns, from the layers that all know."""
    found = [0.0] * N_CITIES
    deck, layers = state.infection_deck, state.layers
    rate = float(state.infection_rate())
    due = float(state.rules.epidemics - state.epidemics)
    epidemic = min(1.0, due * float(state.rules.cards_drawn) / float(max(len(state.player_deck), 1)))
    draws = 2.0 * rate
    high = len(deck)
    for index in range(len(layers) - 1, -1, -1):
        low = layers[index]
        if high > low:
            share = min(1.0, draws / float(high - low))
            for place in range(low, high):
                found[deck[place]] += share * (1.0 - 0.5 * epidemic)
            draws = max(0.0, draws - float(high - low))
        high = low
    discards = state.infection_discards
    for city in discards:
        found[city] += _PUT_BACK * epidemic * min(1.0, rate / float(len(discards) + 1))
    return found
