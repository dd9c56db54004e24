"""What lies on the table, and what becomes of stations and cards; `games.pandemic.diseases` moves the cubes."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.pandemic.board import BIT, RATES, START
from games.pandemic.cards import (
    FIRST_EVENT,
    MEDIC,
    N_CITIES,
    N_COLOURS,
    NONE,
    QUARANTINE_SPECIALIST,
    SCIENTIST,
)
from games.pandemic.parameters import PandemicParameters
from tag.event import Event
from tag.results import LOSE, WIN
from tag.rng import Rng
from tag.state import GameState

#: How a game ended.
GOES_ON: Final = 0
ALL_CURED: Final = 1
OUTBREAKS: Final = 2
OUT_OF_CUBES: Final = 3
OUT_OF_CARDS: Final = 4

#: The names of the endings, by number.
ENDINGS: Final[list[str]] = ["ongoing", "all cured", "outbreaks", "out of cubes", "out of cards"]


@mypyc_attr(allow_interpreted_subclasses=True)
class PandemicTable(GameState):
    """The table; a deck's top is the end of its list.

    Attributes:
        rules: the parameters.
        roles: each player's role.
        medic: the Medic's seat, `NONE` if nobody is.
        specialist: the Quarantine Specialist's seat, likewise.
        pawns: the city where each pawn is.
        hands: each player's cards in order.
        cubes: the cubes in each city, four bits for each colour.
        supply: the cubes of each colour that are not on the board.
        stations: the cities with a research station, as a set of bits.
        stations_left: the research stations not built yet.
        cured: the diseases cured, as a set of bits.
        eradicated: the diseases eradicated, likewise.
        outbreaks: outbreaks so far.
        epidemics: epidemics so far.
        due: epidemics drawn that are still to be resolved.
        player_deck: the player deck.
        piles: where in that deck each of the piles begins that it was stacked from, from the bottom.
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

    __slots__ = (
        "actions_left",
        "cubes",
        "cured",
        "discards",
        "due",
        "ending",
        "epidemics",
        "eradicated",
        "flown",
        "hands",
        "infection_deck",
        "infection_discards",
        "infections_left",
        "layers",
        "medic",
        "outbreaks",
        "pawns",
        "piles",
        "player_deck",
        "quiet",
        "removed",
        "removed_cities",
        "roles",
        "rules",
        "specialist",
        "stations",
        "stations_left",
        "stored",
        "supply",
    )
    rules: PandemicParameters
    roles: tuple[int, ...]
    medic: i64
    specialist: i64
    pawns: list[int]
    hands: list[tuple[int, ...]]
    cubes: list[int]
    supply: list[int]
    stations: i64
    stations_left: i64
    cured: i64
    eradicated: i64
    outbreaks: i64
    epidemics: i64
    due: i64
    player_deck: list[int]
    piles: tuple[int, ...]
    discards: tuple[int, ...]
    removed: tuple[int, ...]
    infection_deck: list[int]
    layers: tuple[int, ...]
    infection_discards: tuple[int, ...]
    removed_cities: tuple[int, ...]
    stored: i64
    actions_left: i64
    infections_left: i64
    flown: bool
    quiet: bool
    ending: i64

    def __init__(self, rules: PandemicParameters, roles: tuple[int, ...]) -> None:
        """Set the board up, without cubes and cards."""
        super().__init__(len(roles))
        self.rules = rules
        self.roles = roles
        self.medic = roles.index(MEDIC) if MEDIC in roles else NONE
        self.specialist = roles.index(QUARANTINE_SPECIALIST) if QUARANTINE_SPECIALIST in roles else NONE
        self.pawns = [START] * len(roles)
        self.hands = [()] * len(roles)
        self.cubes = [0] * N_CITIES
        self.supply = [rules.cubes] * N_COLOURS
        self.stations = BIT[START]
        self.stations_left = rules.stations - 1
        self.cured = 0
        self.eradicated = 0
        self.outbreaks = 0
        self.epidemics = 0
        self.due = 0
        self.player_deck = []
        self.piles = (0,)
        self.discards = ()
        self.removed = ()
        self.infection_deck = []
        self.layers = (0,)
        self.infection_discards = ()
        self.removed_cities = ()
        self.stored = NONE
        self.actions_left = 0
        self.infections_left = 0
        self.flown = False
        self.quiet = False
        self.ending = GOES_ON

    def fill(self, other: PandemicTable) -> None:
        """Copy everything to ``other``."""
        self.copy_to(other)
        other.rules = self.rules
        other.roles = self.roles
        other.medic = self.medic
        other.specialist = self.specialist
        other.pawns = self.pawns[:]
        other.hands = self.hands[:]
        other.cubes = self.cubes[:]
        other.supply = self.supply[:]
        other.stations = self.stations
        other.stations_left = self.stations_left
        other.cured = self.cured
        other.eradicated = self.eradicated
        other.outbreaks = self.outbreaks
        other.epidemics = self.epidemics
        other.due = self.due
        other.player_deck = self.player_deck[:]
        other.piles = self.piles
        other.discards = self.discards
        other.removed = self.removed
        other.infection_deck = self.infection_deck[:]
        other.layers = self.layers
        other.infection_discards = self.infection_discards
        other.removed_cities = self.removed_cities
        other.stored = self.stored
        other.actions_left = self.actions_left
        other.infections_left = self.infections_left
        other.flown = self.flown
        other.quiet = self.quiet
        other.ending = self.ending

    def end(self, ending: i64) -> None:
        """End the game for all."""
        self.ending = ending
        self.announce(Event(ENDINGS[ending]))
        self.end_for_all(WIN if ending == ALL_CURED else LOSE)

    def end_by_score(self) -> None:
        """Lose together: a game that is broken off has not been won."""
        self.end_for_all(LOSE)

    # --- cures and stations ------------------------------------------------------------------------------------------

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

    # --- player cards ------------------------------------------------------------------------------------------------

    def gain(self, seat: i64, card: i64) -> None:
        """Put a card into a hand, in order."""
        hand = self.hands[seat]
        before = tuple([held for held in hand if held < card])
        self.hands[seat] = (*before, int(card), *hand[len(before) :])

    def lose(self, seat: i64, card: i64) -> None:
        """Take a card out of a hand."""
        self.hands[seat] = tuple([held for held in self.hands[seat] if held != card])

    def discard(self, seat: i64, card: i64) -> None:
        """Move a card from a hand to the discards."""
        self.lose(seat, card)
        self.discards += (int(card),)

    def holds_event(self, seat: i64) -> bool:
        """Say whether a player has an event in hand or stored."""
        hand = self.hands[seat]
        return (len(hand) > 0 and hand[len(hand) - 1] >= FIRST_EVENT) or (self.stored != NONE and self.is_planner(seat))

    def is_planner(self, seat: i64) -> bool:
        """Say whether a player is the Contingency Planner, whose number is 0."""
        return not self.roles[seat]

    def cities_of(self, seat: i64, colour: i64, colours: list[int]) -> list[int]:
        """Return the city cards of ``colour`` in a hand; ``colours`` are those of the cities."""
        return [card for card in self.hands[seat] if card < FIRST_EVENT and colours[card] == colour]

    def cards_needed(self, seat: i64) -> i64:
        """Return how many cards of a colour a player needs for a cure."""
        rules = self.rules
        return rules.cards_for_cure - (rules.scientist_saves if self.roles[seat] == SCIENTIST else 0)

    # --- infection cards ---------------------------------------------------------------------------------------------

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

    def reveal(self, cards: i64) -> i64:
        """Show everybody the top ``cards`` of the infection deck, and return how many there are."""
        base = max(len(self.infection_deck) - cards, 0)
        below = [start for start in self.layers if start < base]
        self.layers = (*below, *range(int(base), len(self.infection_deck)))
        return len(self.infection_deck) - base
