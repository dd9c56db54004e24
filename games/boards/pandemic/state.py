"""The state of Pandemic: what lies on the table, how diseases spread, and what becomes of cards."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from tag import LOSE, WIN, GameState, Rng
from tag.components import HIDDEN_TO_ALL, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.games.boards.pandemic import telling
from tag.games.boards.pandemic.data import (
    ALL_CITIES,
    ALL_CURED,
    BIT,
    BITS,
    CARD_NAMES,
    CARDS,
    CITY_NAMES,
    COLOUR_NAMES,
    COLOURS,
    CONTINGENCY_PLANNER,
    ENDINGS,
    EPIDEMIC,
    FIRST_EVENT,
    FULL,
    GOES_ON,
    N_CITIES,
    N_COLOURS,
    NEAR,
    NEIGHBOURS,
    NONE,
    OUT_OF_CUBES,
    OUTBREAKS,
    RATES,
    ROLE_NAMES,
    SCIENTIST,
    PandemicParameters,
    names,
)

ALL_COLOURS: Final = 15


@mypyc_attr(allow_interpreted_subclasses=True)
class PandemicState(GameState):
    """The table: hands are open, only the order of the two decks is hidden. A deck's top is the end of its list.

    Attributes:
        rules: the parameters.
        roles: each player's role.
        medic: the Medic's seat, `NONE` without one.
        specialist: the Quarantine Specialist's seat, `NONE` without one.
        pawns: the city where each pawn is.
        hands: each player's cards in order.
        cubes: the cubes in each city, four bits for each colour.
        supply: the cubes of each colour that are not on the board; with endless cubes perhaps fewer than none.
        stations: the cities with a research station, as a set of bits.
        stations_left: the research stations not built yet.
        cured: the diseases cured, as a set of bits.
        eradicated: the diseases eradicated, as a set of bits.
        outbreaks: outbreaks so far.
        epidemics: epidemics so far.
        due: epidemics drawn that are still to be resolved.
        player_deck: the player deck.
        piles: where each pile of the set-up begins in that deck, from the bottom.
        discards: the player cards discarded, in order.
        removed: the events out of the game.
        infection_deck: the infection deck.
        layers: where in that deck each layer begins, from the bottom; all know which cards a layer has.
        infection_discards: the infection cards discarded, in order.
        removed_cities: the infection cards out of the game.
        stored: the event on the Contingency Planner's card, `NONE` for none.
        actions_left: actions left in this turn.
        infections_left: infection cards left to draw in this turn.
        flown: whether the Operations Expert has flown by a card this turn.
        quiet: whether the next infections are skipped.
        ending: how the game ended.
    """

    def __init__(
        self,
        rules: PandemicParameters,
        roles: tuple[int, ...],
        pawns: list[int],
        hands: list[tuple[int, ...]],
        cubes: list[int],
        supply: list[int],
        player_deck: list[int],
        infection_deck: list[int],
    ) -> None:
        super().__init__(len(roles))
        self.rules = rules
        self.roles = roles
        self.medic: i64 = NONE
        self.specialist: i64 = NONE
        self.pawns = pawns
        self.hands = hands
        self.cubes = cubes
        self.supply = supply
        self.stations: i64 = 0
        self.stations_left: i64 = 0
        self.cured: i64 = 0
        self.eradicated: i64 = 0
        self.outbreaks: i64 = 0
        self.epidemics: i64 = 0
        self.due: i64 = 0
        self.player_deck = player_deck
        self.piles: tuple[int, ...] = (0,)
        self.discards: tuple[int, ...] = ()
        self.removed: tuple[int, ...] = ()
        self.infection_deck = infection_deck
        self.layers: tuple[int, ...] = (0,)
        self.infection_discards: tuple[int, ...] = ()
        self.removed_cities: tuple[int, ...] = ()
        self.stored: i64 = NONE
        self.actions_left: i64 = 0
        self.infections_left: i64 = 0
        self.flown = False
        self.quiet = False
        self.ending: i64 = GOES_ON

    def copy(self) -> PandemicState:
        """Copy the lists; their items and the rest are immutable."""
        other = PandemicState(
            self.rules,
            self.roles,
            self.pawns[:],
            self.hands[:],
            self.cubes[:],
            self.supply[:],
            self.player_deck[:],
            self.infection_deck[:],
        )
        self.copy_to(other)
        other.medic = self.medic
        other.specialist = self.specialist
        other.stations = self.stations
        other.stations_left = self.stations_left
        other.cured = self.cured
        other.eradicated = self.eradicated
        other.outbreaks = self.outbreaks
        other.epidemics = self.epidemics
        other.due = self.due
        other.piles = self.piles
        other.discards = self.discards
        other.removed = self.removed
        other.layers = self.layers
        other.infection_discards = self.infection_discards
        other.removed_cities = self.removed_cities
        other.stored = self.stored
        other.actions_left = self.actions_left
        other.infections_left = self.infections_left
        other.flown = self.flown
        other.quiet = self.quiet
        other.ending = self.ending
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Shuffle the player deck, each epidemic staying in its pile, and each layer of the infection deck.

        Cards are sorted before, so that the deal follows from what is known, and not from the true one.
        """
        self._shuffle_piles(rng)
        layers = self.layers
        deck: list[Any] = self.infection_deck  # swapped as they are, without a look at the numbers
        high: i64 = len(deck)
        for index in range(len(layers) - 1, -1, -1):
            low: i64 = layers[index]
            deck[low:high] = sorted(deck[low:high])
            for place in range(high - 1, low, -1):
                other = low + rng.below(place - low + 1)
                card = deck[place]
                deck[place] = deck[other]
                deck[other] = card
            high = low

    def _shuffle_piles(self, rng: Rng) -> None:
        """Deal the player deck again; each pile has its epidemic at any place, unless that has been drawn."""
        deck = self.player_deck
        size: i64 = len(deck)
        for place in range(size - 1, -1, -1):
            if deck[place] == EPIDEMIC:
                deck.pop(place)
        epidemics = size - len(deck)
        deck.sort()
        rng.shuffle(deck)
        piles = self.piles
        for pile in range(epidemics):
            start: i64 = piles[pile]
            end: i64 = piles[pile + 1] if pile + 1 < len(piles) else size
            deck.insert(int(start + rng.below(min(end, size) - start)), EPIDEMIC)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: everything but the order of the decks."""
        layers = self.layers
        deck = self.infection_deck
        ends = [*layers[1:], len(deck)]
        return (
            self.basic_knowledge(player),
            int(self.tick),
            int(self.ending),
            self.roles,
            tuple(self.pawns),
            tuple(self.hands),
            tuple(self.cubes),
            tuple(self.supply),
            (int(self.stations), int(self.stations_left), int(self.cured), int(self.eradicated)),
            (int(self.outbreaks), int(self.epidemics), int(self.due), int(self.stored)),
            (int(self.actions_left), int(self.infections_left), self.flown, self.quiet),
            len(self.player_deck),
            self.discards,
            self.removed,
            tuple([tuple(sorted(deck[start : ends[index]])) for index, start in enumerate(layers)]),
            self.infection_discards,
            self.removed_cities,
        )

    def score(self, player: i64) -> float:
        return float(self.n_cured())

    def team(self, player: i64) -> i64:
        return 0

    def end(self, ending: i64) -> None:
        """End the game for all."""
        self.ending = ending
        if self.recording:
            self.announce(telling.ended(ending))
        self.end_for_all(WIN if ending == ALL_CURED else LOSE)

    def end_by_score(self) -> None:
        """Lose together: a game that is broken off has not been won."""
        self.end_for_all(LOSE)

    def n_cured(self) -> i64:
        """Return how many diseases are cured."""
        cured = self.cured
        return (cured & 1) + (cured >> 1 & 1) + (cured >> 2 & 1) + (cured >> 3 & 1)

    def build(self, city: i64, moved: i64) -> None:
        """Put a research station into ``city``: a new one, or the one of the city ``moved``."""
        self.stations |= BIT[city]
        if moved == NONE:
            self.stations_left -= 1
        else:
            self.stations &= ~BIT[moved]
        if self.recording:
            self.announce(telling.built(city, moved))

    def gain(self, seat: i64, card: i64) -> None:
        """Put a card into a hand, in order."""
        hand = self.hands[seat]
        place: i64 = 0
        while place < len(hand) and hand[place] < card:
            place += 1
        self.hands[seat] = hand[:place] + (int(card),) + hand[place:]  # noqa: RUF005  stars take twice as long

    def lose(self, seat: i64, card: i64) -> None:
        """Take a card out of a hand."""
        hand = self.hands[seat]
        place = hand.index(int(card))
        self.hands[seat] = hand[:place] + hand[place + 1 :]

    def discard(self, seat: i64, card: i64, told: str = "discarded") -> None:
        """Move a card from a hand to the discards; listeners are ``told`` it by this name."""
        self.lose(seat, card)
        self.discards += (int(card),)
        if self.recording:
            self.announce(telling.discarded(seat, card, told))

    def holds_event(self, seat: i64) -> bool:
        """Say whether a player has an event in hand or stored."""
        hand = self.hands[seat]
        return (len(hand) > 0 and hand[-1] >= FIRST_EVENT) or (self.stored != NONE and self.is_planner(seat))

    def is_planner(self, seat: i64) -> bool:
        """Say whether a player is the Contingency Planner."""
        return self.roles[seat] == CONTINGENCY_PLANNER

    def cities_of(self, seat: i64, colour: i64) -> list[int]:
        """Return the city cards of ``colour`` in a hand."""
        return [card for card in self.hands[seat] if card < FIRST_EVENT and COLOURS[card] == colour]

    def cards_needed(self, seat: i64) -> i64:
        """Return how many cards of a colour a player needs for a cure."""
        rules = self.rules
        return rules.cards_for_cure - (rules.scientist_saves if self.roles[seat] == SCIENTIST else 0)

    def infection_rate(self) -> i64:
        """Return how many infection cards are drawn in a turn."""
        return RATES[self.epidemics]

    def draw_infection(self, rng: Rng) -> i64:
        """Move the top infection card to its discards and return it; an empty deck is made of the discards first."""
        if not self.infection_deck:
            self.intensify(rng)
        city = self.infection_deck.pop()
        layers = self.layers
        top = layers[len(layers) - 1]
        if top and top >= len(self.infection_deck):
            self.layers = layers[:-1]
        self.infection_discards += (city,)
        if self.recording:
            self.announce(telling.infection_drawn(city))
        return city

    def draw_bottom(self, rng: Rng) -> i64:
        """Move the bottom infection card to its discards and return it."""
        if not self.infection_deck:
            self.intensify(rng)
        city = self.infection_deck.pop(0)
        self.layers = (0, *[start - 1 for start in self.layers if start > 1])
        self.infection_discards += (city,)
        return city

    def intensify(self, rng: Rng) -> None:
        """Shuffle the discards and put them on top of the deck, as a layer of known cards."""
        cards = list(self.infection_discards)
        if cards:
            rng.shuffle(cards)
            if self.infection_deck:
                self.layers += (len(self.infection_deck),)
            self.infection_deck.extend(cards)
            self.infection_discards = ()
            if self.recording:
                self.announce(telling.shuffled())

    def reveal(self, cards: i64) -> i64:
        """Show all players the top ``cards`` of the infection deck, and return how many there are."""
        base = max(len(self.infection_deck) - cards, 0)
        below = [start for start in self.layers if start < base]
        self.layers = (*below, *range(int(base), len(self.infection_deck)))
        return len(self.infection_deck) - base

    def count(self, city: i64, colour: i64) -> i64:
        """Return how many cubes of ``colour`` are in ``city``."""
        packed: i64 = self.cubes[city]
        return packed >> (BITS * colour) & FULL

    def is_protected(self, city: i64, colour: i64) -> bool:
        """Say whether a player's role keeps cubes of ``colour`` out of ``city``."""
        if self.specialist != NONE:
            near: i64 = NEAR[self.pawns[self.specialist]]
            if near >> city & 1:
                return True
        return self.medic != NONE and self.cured >> colour & 1 != 0 and self.pawns[self.medic] == city

    def infect(self, city: i64, colour: i64, cubes: i64) -> None:
        """Place ``cubes`` of ``colour`` in ``city``, which breaks out where they are too many."""
        if self.eradicated >> colour & 1 or self.is_protected(city, colour):
            if self.recording:
                self.announce(telling.prevented(city, colour, self.eradicated >> colour & 1 == 1))
            return
        room = self.rules.cubes_per_city - self.count(city, colour)
        if cubes <= room:
            self.place(city, colour, cubes)
            return
        if room:
            self.place(city, colour, room)
        if not self.is_terminal:
            self._break_out(city, colour)

    def place(self, city: i64, colour: i64, cubes: i64) -> None:
        """Move cubes from the supply, which may run out, to ``city``."""
        left: i64 = self.supply[colour]
        if left < cubes and not self.rules.endless_cubes:
            self.end(OUT_OF_CUBES)
            return
        self.supply[colour] = int(left - cubes)
        packed: i64 = self.cubes[city]
        self.cubes[city] = int(packed + (cubes << (BITS * colour)))
        if self.recording:
            self.announce(telling.infected(city, colour, cubes))

    def _break_out(self, city: i64, colour: i64) -> None:
        """Resolve an outbreak and its chain reactions; no city breaks out twice."""
        waiting = [int(city)]
        broken: i64 = BIT[city]
        most: i64 = self.rules.cubes_per_city
        reached = self._pawn_cities() if self.rules.outbreaks_to_pawns else ALL_CITIES
        index: i64 = 0
        while index < len(waiting):
            self.outbreaks += 1
            if self.recording:
                self.announce(telling.outbreak(waiting[index], colour, index > 0))
            if self.outbreaks >= self.rules.outbreaks:
                self.end(OUTBREAKS)
                return
            for near in NEIGHBOURS[waiting[index]]:
                if broken >> near & 1 or not reached >> near & 1:
                    continue
                if self.is_protected(near, colour):
                    if self.recording:
                        self.announce(telling.prevented(near, colour, is_eradicated=False))
                    continue
                if self.count(near, colour) >= most:
                    broken |= BIT[near]
                    waiting.append(near)
                else:
                    self.place(near, colour, 1)
                    if self.is_terminal:
                        return
            index += 1

    def _pawn_cities(self) -> i64:
        """Return the cities with pawns, as a set of bits."""
        cities: i64 = 0
        for city in self.pawns:
            cities |= BIT[city]
        return cities

    def remove(self, city: i64, colour: i64, cubes: i64) -> None:
        """Move cubes from ``city`` to the supply; the last of a cured disease eradicates it."""
        packed: i64 = self.cubes[city]
        self.cubes[city] = int(packed - (cubes << (BITS * colour)))
        self.supply[colour] += int(cubes)
        if self.recording:
            self.announce(telling.treated(city, colour, cubes))
        self._check_eradicated(colour)

    def _check_eradicated(self, colour: i64) -> None:
        if self.cured >> colour & 1 and self.supply[colour] == self.rules.cubes:
            if self.recording and not self.eradicated >> colour & 1:
                self.announce(telling.eradicated(colour))
            self.eradicated |= BIT[colour]

    def clean(self, city: i64) -> None:
        """Let the Medic, who is in ``city``, remove all cubes of cured diseases."""
        if self.cured and self.cubes[city]:
            for colour in range(N_COLOURS):
                if self.cured >> colour & 1:
                    cubes = self.count(city, colour)
                    if cubes:
                        self.remove(city, colour, cubes)

    def treat(self, seat: i64, colour: i64) -> None:
        """Let the player of ``seat`` treat a disease where the pawn is."""
        city = self.pawns[seat]
        whole = self.cured >> colour & 1 or seat == self.medic
        self.remove(city, colour, self.count(city, colour) if whole else 1)

    def cure(self, colour: i64) -> None:
        """Mark a disease as cured; with the last one the game is won."""
        self.cured |= BIT[colour]
        if self.recording:
            self.announce(telling.cured(colour))
        if self.medic != NONE:
            self.clean(self.pawns[self.medic])
        self._check_eradicated(colour)
        if self.cured == ALL_COLOURS:
            self.end(ALL_CURED)

    def move_pawn(self, seat: i64, city: i64) -> None:
        """Put a pawn into ``city``."""
        self.pawns[seat] = int(city)
        if self.recording:
            self.announce(telling.moved(seat))
        if seat == self.medic:
            self.clean(city)

    def components(self) -> list[Component]:
        ends = [*self.layers[1:], len(self.infection_deck)]
        known = [start for index, start in enumerate(self.layers) if ends[index] == start + 1]
        infection = _cards(tuple(self.infection_deck))
        everyone = (1 << int(self.n_players)) - 1
        seen = [everyone if place in known else 0 for place in range(len(self.infection_deck))]
        stored = () if self.stored == NONE else (int(self.stored),)
        found: list[Component] = [
            Deck("player deck", _cards(tuple(self.player_deck)), visibility=HIDDEN_TO_ALL),
            PartiallyObservableDeck("infection deck", infection, self.n_players, visibility=HIDDEN_TO_ALL, seen=seen),
            Deck("player discards", _cards(self.discards)),
            Deck("infection discards", _cards(self.infection_discards)),
            Deck("removed", _cards(self.removed + self.removed_cities + (EPIDEMIC,) * int(self.epidemics + self.due))),
            Deck("stored", _cards(stored)),
            Counter("outbreaks", self.outbreaks),
            Counter("epidemics", self.epidemics),
            Counter("stations left", self.stations_left),
        ]
        for seat in range(self.n_players):
            found.append(Deck(f"hand of {seat}", _cards(self.hands[seat]), seat))
            found.append(Counter(f"pawn of {seat}", self.pawns[seat], owner=seat))
        for colour, name in enumerate(COLOUR_NAMES):
            found.append(Counter(f"{name} supply", self.supply[colour], low=min(self.supply[colour], 0)))
            for city in range(N_CITIES):
                if self.count(city, colour):
                    found.append(Counter(f"{name} in {CITY_NAMES[city]}", self.count(city, colour)))
        for city in range(N_CITIES):
            if self.stations >> city & 1:
                found.append(Counter(f"station in {CITY_NAMES[city]}", 1))
        return found

    def text(self, viewer: i64) -> str:
        return "\n".join([*_track_lines(self), *_map_lines(self), *_player_lines(self)])


def _track_lines(state: PandemicState) -> list[str]:
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
