"""The actions of a turn, and the decisions within them."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.pandemic.data import (
    CARD_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    COLOURS,
    DRIVES,
    EPIDEMIC,
    FIRST_EVENT,
    N_CITIES,
    N_COLOURS,
    NONE,
    OPERATIONS_EXPERT,
)
from games.pandemic.events import CHOOSE, MAX_PLAYERS, Chain, Choose, ChoosePlayer, Discard, PlayEvent, check_hand
from games.pandemic.state import PandemicState
from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.engine.action import DoNothing


@mypyc_attr(allow_interpreted_subclasses=True)
class TurnAction(Action[PandemicState]):
    """Something that takes one of the actions of a turn."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Spend an action."""
        state.actions_left -= 1
        self.do(state, state.turn_player)

    def do(self, state: PandemicState, player: i64) -> None:
        """Do it."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Move(TurnAction):
    """Move a pawn for no card: drive, take a ferry or a shuttle flight, or be sent to another pawn by the Dispatcher.

    Attributes:
        pawn: whose pawn.
        city: where to.
    """

    def __init__(self, pawn: i64, city: i64) -> None:
        self.pawn = pawn
        self.city = city

    def do(self, state: PandemicState, player: i64) -> None:
        """Move the pawn."""
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        """Name pawn and city: ``move pawn 0 to Delhi``."""
        return f"move pawn {self.pawn} to {CITY_NAMES[self.city]}"


class DirectFlight(Move):
    """Discard the card of a city and move a pawn there."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Discard the card and move the pawn."""
        state.discard(player, self.city)
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        """Name pawn and city: ``fly pawn 0 directly to Delhi``."""
        return f"fly pawn {self.pawn} directly to {CITY_NAMES[self.city]}"


class CharterFlight(Move):
    """Discard the card of the city where a pawn is and move it anywhere."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Discard the card and move the pawn."""
        state.discard(player, state.pawns[self.pawn])
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        """Name pawn and city: ``charter a flight for pawn 0 to Delhi``."""
        return f"charter a flight for pawn {self.pawn} to {CITY_NAMES[self.city]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _Single(TurnAction):
    """Something about one city, card or colour.

    Attributes:
        what: its number.
    """

    def __init__(self, what: i64) -> None:
        self.what = what


class ExpertFlight(_Single):
    """The Operations Expert's flight, once a turn: from a research station anywhere, for any city card."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Move, and discard the card, which is chosen next if there are several."""
        state.flown = True
        state.move_pawn(player, self.what)
        cards = [card for card in state.hands[player] if card < FIRST_EVENT]
        if len(cards) == 1:
            state.discard(player, cards[0])
        else:
            state.start_sequence(PayFlight(player))

    def __str__(self) -> str:
        """Name the city: ``fly as the expert to Delhi``."""
        return f"fly as the expert to {CITY_NAMES[self.what]}"


class BuildStation(_Single):
    """Build a research station: from the supply (`NONE`), or by moving the one of a city there."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Build it, for the city's card unless the player is the Operations Expert."""
        city = state.pawns[player]
        if state.roles[player] != OPERATIONS_EXPERT:
            state.discard(player, city)
        state.build(city, self.what)

    def __str__(self) -> str:
        """Name the city that gives its station up, if any."""
        return "build a station" if self.what == NONE else f"move the station of {CITY_NAMES[self.what]} here"


class TreatDisease(_Single):
    """Remove a cube of a colour; all of them if the disease is cured, or as the Medic."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Remove the cubes."""
        state.treat(player, self.what)

    def __str__(self) -> str:
        """Name the colour: ``treat blue``."""
        return f"treat {COLOUR_NAMES[self.what]}"


class DiscoverCure(_Single):
    """Cure a disease for cards of its colour; which are kept is chosen next if there are more than are needed."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Discard the cards and mark the cure, or let the player choose."""
        spare = len(state.cities_of(player, self.what, COLOURS)) - state.cards_needed(player)
        if spare:
            state.start_sequence(KeepCards(player, self.what, spare))
        else:
            discover(state, player, self.what, ())

    def __str__(self) -> str:
        """Name the colour: ``cure blue``."""
        return f"cure {COLOUR_NAMES[self.what]}"


class TakeEvent(_Single):
    """The Contingency Planner's action: store an event from the discards."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Take the card."""
        state.discards = tuple([card for card in state.discards if card != self.what])
        state.stored = self.what

    def __str__(self) -> str:
        """Name the event: ``store Airlift``."""
        return f"store {CARD_NAMES[self.what]}"


class ShareKnowledge(TurnAction):
    """Give or take a city card.

    Attributes:
        giver: whose card.
        taker: who gets it.
        card: the card.
    """

    def __init__(self, giver: i64, taker: i64, card: i64) -> None:
        self.giver = giver
        self.taker = taker
        self.card = card

    def do(self, state: PandemicState, player: i64) -> None:
        """Hand the card over; the taker may have to discard at once."""
        state.lose(self.giver, self.card)
        state.gain(self.taker, self.card)
        check_hand(state, self.taker)

    def __str__(self) -> str:
        """Name all: ``give Delhi from player 0 to player 1``."""
        return f"give {CARD_NAMES[self.card]} from player {self.giver} to player {self.taker}"


class EndActions(Action[PandemicState]):
    """Do without the actions that are left."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Give them up."""
        state.actions_left = 0

    def __str__(self) -> str:
        return "end the actions"


# --- decisions within actions ----------------------------------------------------------------------------------------


def discover(state: PandemicState, player: i64, colour: i64, kept: tuple[int, ...]) -> None:
    """Cure a disease for all cards of its colour but those ``kept``."""
    for card in state.cities_of(player, colour, COLOURS):
        if card not in kept:
            state.discard(player, card)
    state.cure(colour)


@mypyc_attr(allow_interpreted_subclasses=True)
class PayFlight(Chain):
    """Asks the Operations Expert for the city card to discard."""

    def copy(self) -> PayFlight:
        """Copy the player."""
        return PayFlight(self.player)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the city cards."""
        return [CHOOSE[card] for card in state.hands[self.player] if card < FIRST_EVENT]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Discard the card."""
        if isinstance(action, Choose):
            state.discard(self.player, action.card)
            self.done = True


@mypyc_attr(allow_interpreted_subclasses=True)
class KeepCards(Chain):
    """Asks which cards of a colour are kept when a disease is cured, in the order of their numbers.

    Attributes:
        colour: the disease.
        left: how many cards are still to be chosen.
        kept: the cards chosen.
    """

    def __init__(self, player: i64, colour: i64, left: i64, kept: tuple[int, ...] = ()) -> None:
        super().__init__(player)
        self.colour = colour
        self.left = left
        self.kept = kept

    def copy(self) -> KeepCards:
        """Copy the choices."""
        return KeepCards(self.player, self.colour, self.left, self.kept)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the cards after the last one kept, as far as enough remain."""
        cards = state.cities_of(self.player, self.colour, COLOURS)
        last = self.kept[-1] if self.kept else NONE
        rest = [card for card in cards if card > last]
        return [CHOOSE[card] for card in rest[: len(rest) - self.left + 1]]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Keep the card; after the last one cure the disease."""
        if isinstance(action, Choose):
            self.kept += (int(action.card),)
            self.left -= 1
            if self.left == 0:
                self.done = True
                discover(state, self.player, self.colour, self.kept)


# --- tables ----------------------------------------------------------------------------------------------------------

#: Moving each pawn (first index) to each city for no card.
MOVES: Final[list[list[AnyAction]]] = [
    [interned(Move(pawn, city)) for city in range(N_CITIES)] for pawn in range(MAX_PLAYERS)
]
#: Driving each pawn (first index) out of each city.
DRIVING: Final[list[list[list[AnyAction]]]] = [
    [[MOVES[pawn][near] for near in range(N_CITIES) if DRIVES[city] >> near & 1] for city in range(N_CITIES)]
    for pawn in range(MAX_PLAYERS)
]
#: Flying each pawn (first index) to each city for its card.
DIRECT: Final[list[list[AnyAction]]] = [
    [interned(DirectFlight(pawn, city)) for city in range(N_CITIES)] for pawn in range(MAX_PLAYERS)
]
#: Flying each pawn (first index) out of each city (second index) for that city's card.
CHARTERED: Final[list[list[list[AnyAction]]]] = [
    [[interned(CharterFlight(pawn, other)) for other in range(N_CITIES) if other != city] for city in range(N_CITIES)]
    for pawn in range(MAX_PLAYERS)
]
#: The Operations Expert's flights out of each city.
EXPERT: Final[list[list[AnyAction]]] = [
    [interned(ExpertFlight(other)) for other in range(N_CITIES) if other != city] for city in range(N_CITIES)
]
BUILD: Final[AnyAction] = interned(BuildStation(NONE))
#: Moving the research station of each city.
REBUILD: Final[list[AnyAction]] = [interned(BuildStation(city)) for city in range(N_CITIES)]
TREAT: Final[list[AnyAction]] = [interned(TreatDisease(colour)) for colour in range(N_COLOURS)]
CURE: Final[list[AnyAction]] = [interned(DiscoverCure(colour)) for colour in range(N_COLOURS)]
#: Storing each event, from `FIRST_EVENT` on.
TAKE_EVENT: Final[list[AnyAction]] = [interned(TakeEvent(event)) for event in range(FIRST_EVENT, EPIDEMIC)]
#: A card (third index) going from one player to another.
SHARE: Final[list[list[list[AnyAction]]]] = [
    [[interned(ShareKnowledge(giver, taker, card)) for card in range(N_CITIES)] for taker in range(MAX_PLAYERS)]
    for giver in range(MAX_PLAYERS)
]
END_ACTIONS: Final[AnyAction] = interned(EndActions())


def vocabulary(n_players: int) -> Vocabulary:
    """Return all actions of a game; the cards of cities have the cities' numbers, and those of events follow."""
    players, cities, events, colours = range(n_players), range(N_CITIES), range(FIRST_EVENT, EPIDEMIC), range(N_COLOURS)
    return Vocabulary(
        Actions(Move, pawn=players, city=cities),
        Actions(DirectFlight, pawn=players, city=cities),
        Actions(CharterFlight, pawn=players, city=cities),
        Actions(ExpertFlight, what=cities),
        Actions(BuildStation, what=[NONE, *cities]),
        Actions(TreatDisease, what=colours),
        Actions(DiscoverCure, what=colours),
        Actions(ShareKnowledge, giver=players, taker=players, card=cities),
        Actions(TakeEvent, what=events),
        Actions(PlayEvent, event=events),
        Actions(Choose, card=range(EPIDEMIC)),
        Actions(ChoosePlayer, player=players),
        Actions(Discard, card=range(EPIDEMIC)),
        Actions(DoNothing),
        Actions(EndActions),
    )
