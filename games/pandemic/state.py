"""A position of Pandemic: the table with what is known of it, what it is worth, and how it looks."""

from __future__ import annotations

from collections.abc import Hashable

from mypy_extensions import i64, mypyc_attr

from games.pandemic.board import CARD_NAMES, CARDS, CITY_NAMES, names
from games.pandemic.cards import (
    COLOUR_NAMES,
    EPIDEMIC,
    N_CITIES,
    N_COLOURS,
    N_ROLES,
    NONE,
    ROLE_NAMES,
)
from games.pandemic.diseases import PandemicDiseases
from games.pandemic.table import ENDINGS
from games.pandemic.weights import DEFAULT_WEIGHTS, Weights
from games.pandemic.worth import worth
from tag.components import HIDDEN_TO_ALL, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class PandemicState(PandemicDiseases):
    """The table, for players: hands are open, only the order of the two decks is hidden."""

    __slots__ = ()

    # --- copies and observations -------------------------------------------------------------------------------------

    def copy(self) -> PandemicState:
        """Copy the lists; their items and the rest are immutable."""
        other = PandemicState(self.rules, self.roles)
        self.fill(other)
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Shuffle the player deck, each epidemic staying in its pile, and each layer of the infection deck."""
        self._shuffle_piles(rng)
        layers = self.layers
        deck = self.infection_deck
        high: i64 = len(deck)
        for index in range(len(layers) - 1, -1, -1):
            low: i64 = layers[index]
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
        cards = [card for card in deck if card != EPIDEMIC]
        rng.shuffle(cards)
        epidemics = size - len(cards)
        taken: i64 = 0
        pile: i64 = 0
        place: i64 = 0
        while place < size:
            end: i64 = self.piles[pile + 1] if pile + 1 < len(self.piles) else size
            end = min(end, size)
            epidemic = place + rng.below(end - place) if pile < epidemics else -1
            for here in range(place, end):
                if here == epidemic:
                    deck[here] = EPIDEMIC
                else:
                    deck[here] = cards[taken]
                    taken += 1
            place = end
            pile += 1

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: everything but the order of the decks."""
        layers = self.layers
        deck = self.infection_deck
        ends = [*layers[1:], len(deck)]
        return (
            int(player),
            int(self.current_player),
            int(self.turn_player),
            int(self.first_player),
            int(self.tick),
            int(self.turn),
            int(self.round),
            int(self.phase),
            self.results,
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
            tuple([sequence.knowledge(player) for sequence in self.sequences]),
        )

    # --- values ------------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return the diseases cured."""
        return float(self.n_cured())

    def team(self, player: i64) -> i64:
        """Put everybody into one team."""
        return 0

    def heuristic(self, player: i64) -> float:
        """Weigh the table with the default weights."""
        return self.weighted(player, DEFAULT_WEIGHTS)

    def weighted(self, player: i64, weights: Weights) -> float:
        """Weigh the table, in [-1, 1]."""
        if self.is_terminal:
            return self.result_value(player)
        return max(-1.0, min(1.0, worth(self, weights)))

    # --- for people and analysis -------------------------------------------------------------------------------------

    def features(self, player: i64) -> dict[str, float]:
        """Return tracks, diseases, cities and, for each player (0: oneself, 1: the next …), role, place and cards."""
        rules = self.rules
        found = {
            "deck": float(len(self.player_deck)),
            "epidemics": float(self.epidemics),
            "infection_rate": float(self.infection_rate()),
            "outbreaks": float(self.outbreaks) / float(rules.outbreaks),
            "stations_left": float(self.stations_left),
            "actions_left": float(self.actions_left),
            "quiet": float(self.quiet),
            "stored": float(self.stored != NONE),
            "my_turn": float(self.turn_player == player),
        }
        for colour, name in enumerate(COLOUR_NAMES):
            found[f"cured_{name}"] = float(self.cured >> colour & 1)
            found[f"eradicated_{name}"] = float(self.eradicated >> colour & 1)
            found[f"supply_{name}"] = float(self.supply[colour]) / float(rules.cubes)
        for city, name in enumerate(CITY_NAMES):
            cubes = [int(self.count(city, colour)) for colour in range(N_COLOURS)]
            found[f"cubes_{name}"] = float(sum(cubes)) / float(rules.cubes_per_city)
            found[f"station_{name}"] = float(self.stations >> city & 1)
            found[f"discarded_{name}"] = float(city in self.infection_discards)
        for offset in range(self.n_players):
            self._add_player(found, offset, (player + offset) % self.n_players)
        return found

    def _add_player(self, found: dict[str, float], offset: i64, seat: i64) -> None:
        """Add the features of a player."""
        for role in range(N_ROLES):
            found[f"role_{offset}_{role}"] = float(self.roles[seat] == role)
        found[f"treatable_{offset}"] = float(self.cubes[self.pawns[seat]] > 0)
        found[f"at_station_{offset}"] = float(self.stations >> self.pawns[seat] & 1)
        for card, name in enumerate(CARD_NAMES[:EPIDEMIC]):
            found[f"holds_{offset}_{name}"] = float(card in self.hands[seat])
        for city, name in enumerate(CITY_NAMES):
            found[f"pawn_{offset}_{name}"] = float(self.pawns[seat] == city)

    def components(self) -> list[Component]:
        """Return decks, hands, cubes, stations and tracks."""
        infection: PartiallyObservableDeck[Card] = PartiallyObservableDeck(
            "infection deck", _cards(tuple(self.infection_deck)), self.n_players, -1, HIDDEN_TO_ALL
        )
        ends = [*self.layers[1:], len(self.infection_deck)]
        known = [start for index, start in enumerate(self.layers) if ends[index] == start + 1]
        infection.seen = [(1 << int(self.n_players)) - 1 if i in known else 0 for i in range(len(self.infection_deck))]
        stored = () if self.stored == NONE else (int(self.stored),)
        found: list[Component] = [
            Deck("player deck", _cards(tuple(self.player_deck)), visibility=HIDDEN_TO_ALL),
            infection,
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
            found.append(Counter(f"{name} supply", self.supply[colour]))
            for city in range(N_CITIES):
                if self.count(city, colour):
                    found.append(Counter(f"{name} in {CITY_NAMES[city]}", self.count(city, colour)))
        for city in range(N_CITIES):
            if self.stations >> city & 1:
                found.append(Counter(f"station in {CITY_NAMES[city]}", 1))
        return found

    def text(self, viewer: i64) -> str:
        """Return the table; the decks are face down for everybody."""
        return "\n".join([*self._track_lines(), *self._map_lines(), *self._player_lines()])

    def _track_lines(self) -> list[str]:
        """Return the lines of tracks, diseases and decks."""
        if self.is_terminal:
            head = f"Over: {ENDINGS[self.ending]}"
        else:
            head = f"Turn {self.turn + 1} of player {self.turn_player}, {self.actions_left} actions left"
            if self.current_player != self.turn_player:
                head += f", player {self.current_player} to decide"
        tracks = f"outbreaks {self.outbreaks}/{self.rules.outbreaks}  infection rate {self.infection_rate()}"
        tracks += f"  epidemics {self.epidemics}/{self.rules.epidemics}  player cards {len(self.player_deck)}"
        lines = [head, tracks + ("  quiet night" if self.quiet else "")]
        parts = []
        for colour, name in enumerate(COLOUR_NAMES):
            note = " eradicated" if self.eradicated >> colour & 1 else " cured" if self.cured >> colour & 1 else ""
            parts.append(f"{name} {self.supply[colour]}{note}")
        lines.append(f"cubes left: {', '.join(parts)}")
        return lines

    def _map_lines(self) -> list[str]:
        """Return the lines of what is in the cities, and of the infection cards that are known."""
        infected = []
        for city, name in enumerate(CITY_NAMES):
            cubes = [(self.count(city, colour), COLOUR_NAMES[colour]) for colour in range(N_COLOURS)]
            shown = [f"{count} {colour}" for count, colour in cubes if count]
            if shown:
                infected.append(f"{name} {' + '.join(shown)}")
        stations = [name for city, name in enumerate(CITY_NAMES) if self.stations >> city & 1]
        lines = [f"infected: {', '.join(infected) or 'none'}", f"stations: {', '.join(stations)}"]
        ends = [*self.layers[1:], len(self.infection_deck)]
        known = []
        for index in range(len(self.layers) - 1, 0, -1):
            known.append("{" + names(tuple(sorted(self.infection_deck[self.layers[index] : ends[index]]))) + "}")
        lines.append(f"infection cards on top: {' '.join(known) or 'unknown'}")
        lines.append(f"infection discards: {names(self.infection_discards)}")
        return lines

    def _player_lines(self) -> list[str]:
        """Return a line for each player."""
        lines = []
        for seat in range(self.n_players):
            role = ROLE_NAMES[self.roles[seat]]
            line = f"player {seat}  {role} in {CITY_NAMES[self.pawns[seat]]}  cards {names(self.hands[seat])}"
            if self.stored != NONE and self.is_planner(seat):
                line += f"  stored {CARD_NAMES[self.stored]}"
            lines.append(line)
        return lines

    def __str__(self) -> str:
        """Return the table."""
        return self.text(-1)


def _cards(cards: tuple[int, ...]) -> list[Card]:
    return [CARDS[card] for card in cards]
