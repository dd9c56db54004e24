"""The actions of a turn, the events, and the decisions within and beside them."""

from __future__ import annotations

from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from tag import DO_NOTHING, Action, Actions, AnyAction, ExtendedSequence, Rng, Vocabulary, bit_count, interned
from tag.engine.state import DoNothing
from tag.games.boards.pandemic import telling
from tag.games.boards.pandemic.data import (
    AIRLIFT,
    ALL_CITIES,
    BIT,
    CARD_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    EPIDEMIC,
    FIRST_EVENT,
    FORECAST,
    GOVERNMENT_GRANT,
    N_CITIES,
    N_COLOURS,
    NONE,
    ONE_QUIET_NIGHT,
    OPERATIONS_EXPERT,
    RESILIENT_POPULATION,
    card_set,
)
from tag.games.boards.pandemic.state import PandemicState

MAX_PLAYERS: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class Choose(Action[PandemicState]):
    """Name a city or a card (they share their numbers)."""

    def __init__(self, card: i64) -> None:
        self.card = card

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        return f"choose {CARD_NAMES[self.card]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class ChoosePlayer(Action[PandemicState]):
    """Name a player."""

    def __init__(self, player: i64) -> None:
        self.player = player

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        return f"choose player {self.player}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Discard(Choose):
    """Discard a card."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        state.discard(state.current_player, self.card, "played")

    def __str__(self) -> str:
        return f"discard {CARD_NAMES[self.card]}"


CHOOSE: Final[list[AnyAction]] = [interned(Choose(card)) for card in range(EPIDEMIC)]
CHOOSE_PLAYER: Final[list[AnyAction]] = [interned(ChoosePlayer(player)) for player in range(MAX_PLAYERS)]
DISCARD: Final[list[AnyAction]] = [interned(Discard(card)) for card in range(EPIDEMIC)]


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayEvent(Action[PandemicState]):
    """Play an event from the hand, or the one stored by the Contingency Planner; that takes no action."""

    def __init__(self, event: i64) -> None:
        self.event = event

    def execute(self, state: PandemicState, rng: Rng) -> None:
        player = state.current_player
        event = self.event
        if event == state.stored:
            state.stored = NONE
            state.removed += (int(event),)
            if state.recording:
                state.announce(telling.stored_event(player, event, "removed"))
        else:
            state.discard(player, event, "played")
        if event == AIRLIFT:
            state.start_sequence(Airlift(player))
        elif event == FORECAST:
            cards = state.reveal(state.rules.forecast_cards)
            if state.recording:
                state.announce(telling.forecast(player, tuple(state.infection_deck[: -cards - 1 : -1])))
            state.start_sequence(Forecast(player, cards))
        elif event == GOVERNMENT_GRANT:
            state.start_sequence(GovernmentGrant(player))
        elif event == ONE_QUIET_NIGHT:
            state.quiet = True
        else:
            state.start_sequence(ResilientPopulation(player))

    def __str__(self) -> str:
        return f"play {CARD_NAMES[self.event]}"


#: Playing each event, from `FIRST_EVENT` on.
PLAY_EVENT: Final[list[AnyAction]] = [interned(PlayEvent(event)) for event in range(FIRST_EVENT, EPIDEMIC)]
PASS: Final[list[AnyAction]] = [DO_NOTHING]

_FORECAST: Final = 1 << FORECAST - FIRST_EVENT
_QUIET: Final = 1 << ONE_QUIET_NIGHT - FIRST_EVENT
_RESILIENT: Final = 1 << RESILIENT_POPULATION - FIRST_EVENT


@final
class Options:
    """Collects actions in a list; or, without one, counts them, and then finds the one with a number.

    So random play needs no list, and what is possible is said once. Tables of actions are taken as lists of anything, as
    compiled code would else look at the class of each action.

    Attributes:
        found: the list.
        number: how many actions were added.
        action: the one found.
    """

    found: list[AnyAction]
    action: AnyAction

    def __init__(self, found: list[AnyAction] | None = None) -> None:
        self._lists = found is not None
        if found is not None:
            self.found = found
        self.number: i64 = 0
        self._wanted: i64 = -1

    def draw(self, rng: Rng) -> None:
        """Choose one of the actions counted; it is found when all are added again."""
        self._wanted = rng.below(self.number)
        self.number = 0

    def has_found(self) -> bool:
        """Say whether the action drawn is found; adding more changes nothing then."""
        return 0 <= self._wanted < self.number

    def add(self, actions: list[Any], index: i64) -> None:
        """Add one of ``actions``."""
        if self._lists:
            self.found.append(actions[index])
        elif self.number == self._wanted:
            self.action = actions[index]
        self.number += 1

    def add_all(self, actions: list[Any]) -> None:
        """Add ``actions``, in their order."""
        number = self.number + len(actions)
        if self._lists:
            self.found.extend(actions)
        elif self.number <= self._wanted < number:
            self.action = actions[self._wanted - self.number]
        self.number = number

    def add_set(self, actions: list[Any], members: i64) -> None:
        """Add the ``actions`` at the indices in the set ``members``, in order."""
        number = self.number + bit_count(members)
        if self._lists or self.number <= self._wanted < number:
            index: i64 = 0
            while members:
                if members & 1:
                    self.add(actions, index)
                members >>= 1
                index += 1
        self.number = number


def playable_events(state: PandemicState, seat: i64, in_epidemic: bool = False) -> i64:
    """Return the events that a player has and that can do anything now, as a set, the first one being bit 0."""
    events = card_set(state.hands[seat]) >> FIRST_EVENT
    if state.stored != NONE and state.is_planner(seat):
        events |= BIT[state.stored - FIRST_EVENT]
    if in_epidemic:
        events &= _RESILIENT
    if not state.infection_deck:
        events &= ~_FORECAST
    if not state.infection_discards:
        events &= ~_RESILIENT
    return events & ~_QUIET if state.quiet else events


def add_events(state: PandemicState, seat: i64, options: Options, in_epidemic: bool = False) -> None:
    """Add the events that a player can play: those in hand, and the one stored."""
    events = playable_events(state, seat, in_epidemic)
    stored: i64 = 0 if state.stored == NONE else BIT[state.stored - FIRST_EVENT]
    options.add_set(PLAY_EVENT, events & ~stored)
    options.add_set(PLAY_EVENT, events & stored)


@mypyc_attr(allow_interpreted_subclasses=True)
class Decision(ExtendedSequence[PandemicState]):
    """Decisions between the options that `add_options` adds."""

    def add_options(self, state: PandemicState, options: Options) -> None:
        """Add the options of the player to decide."""
        raise NotImplementedError

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        options = Options([])
        self.add_options(state, options)
        return options.found

    def random_action(self, state: PandemicState, rng: Rng) -> AnyAction:
        options = Options()
        self.add_options(state, options)
        options.draw(rng)
        self.add_options(state, options)
        return options.action


@mypyc_attr(allow_interpreted_subclasses=True)
class Chain(Decision):
    """Decisions of one player.

    A sequence leaves the stack when it is done, before the next copy: copies need not copy that.
    """

    def __init__(self, player: i64) -> None:
        self.player = player
        self.done: bool = False

    def current_player(self, state: PandemicState) -> i64:
        return self.player

    def is_complete(self, state: PandemicState) -> bool:
        return self.done


@mypyc_attr(allow_interpreted_subclasses=True)
class Airlift(Chain):
    """Move any pawn to any city: first the pawn is chosen, then the city."""

    def __init__(self, player: i64, pawn: i64 = NONE) -> None:
        super().__init__(player)
        self.pawn = pawn

    def copy(self) -> Airlift:
        return Airlift(self.player, self.pawn)

    def add_options(self, state: PandemicState, options: Options) -> None:
        if self.pawn == NONE:
            options.add_all(CHOOSE_PLAYER[: state.n_players])
        else:
            options.add_set(CHOOSE, ALL_CITIES & ~BIT[state.pawns[self.pawn]])

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, ChoosePlayer):
            self.pawn = action.player
        elif isinstance(action, Choose):
            state.move_pawn(self.pawn, action.card)
            self.done = True


@mypyc_attr(allow_interpreted_subclasses=True)
class Forecast(Chain):
    """Rearrange the top of the infection deck: card by card, in the order in which they will be drawn.

    Attributes:
        left: the cards still to be put in order.
        placed: the cards in order.
    """

    def __init__(self, player: i64, left: i64, placed: i64 = 0) -> None:
        super().__init__(player)
        self.left = left
        self.placed = placed
        self.done = left <= 1

    def copy(self) -> Forecast:
        return Forecast(self.player, self.left, self.placed)

    def add_options(self, state: PandemicState, options: Options) -> None:
        deck = state.infection_deck
        top = len(deck) - self.placed
        options.add_set(CHOOSE, card_set(tuple(deck[top - self.left : top])))

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, Choose):
            deck = state.infection_deck
            place = len(deck) - 1 - self.placed
            deck[deck.index(int(action.card))] = deck[place]
            deck[place] = int(action.card)
            if state.recording:
                state.announce(telling.put_in_order(self.player))
            self.placed += 1
            self.left -= 1
            self.done = self.left <= 1


@mypyc_attr(allow_interpreted_subclasses=True)
class GovernmentGrant(Chain):
    """Put a research station into any city; if all are built another city gives its own up."""

    def __init__(self, player: i64, city: i64 = NONE) -> None:
        super().__init__(player)
        self.city = city

    def copy(self) -> GovernmentGrant:
        return GovernmentGrant(self.player, self.city)

    def add_options(self, state: PandemicState, options: Options) -> None:
        """Add the cities without a station, or those with one."""
        stations = state.stations
        options.add_set(CHOOSE, ALL_CITIES & ~stations if self.city == NONE else stations)

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, Choose):
            if self.city != NONE:
                state.build(self.city, action.card)
                self.done = True
            elif state.stations_left:
                state.build(action.card, NONE)
                self.done = True
            else:
                self.city = action.card


@mypyc_attr(allow_interpreted_subclasses=True)
class ResilientPopulation(Chain):
    """Remove a card from the infection discards from the game."""

    def copy(self) -> ResilientPopulation:
        return ResilientPopulation(self.player)

    def add_options(self, state: PandemicState, options: Options) -> None:
        options.add_set(CHOOSE, card_set(state.infection_discards))

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, Choose):
            state.infection_discards = tuple([city for city in state.infection_discards if city != action.card])
            state.removed_cities += (int(action.card),)
            if state.recording:
                state.announce(telling.infection_removed(self.player, action.card))
            self.done = True


@mypyc_attr(allow_interpreted_subclasses=True)
class Window(Decision):
    """Asks the holders of events, in turn order, each until the player passes or has none left.

    Attributes:
        step: how many seats after the turn player's have been passed over.
        in_epidemic: whether only Resilient Population can be played.
    """

    def __init__(self, step: i64, in_epidemic: bool) -> None:
        """Say which seat is asked first, from the turn player's on."""
        self.step = step
        self.in_epidemic = in_epidemic

    def copy(self) -> Window:
        return Window(self.step, self.in_epidemic)

    def turn_of(self, state: PandemicState) -> i64:
        """Return the next step at which a player has an event to play, the number of players if none has."""
        step = self.step
        while step < state.n_players and not self._can_play(state, (state.turn_player + step) % state.n_players):
            step += 1
        return step

    def _can_play(self, state: PandemicState, seat: i64) -> bool:
        return state.holds_event(seat) and playable_events(state, seat, self.in_epidemic) != 0

    def current_player(self, state: PandemicState) -> i64:
        """Return the first who has something to play and has not passed."""
        return (state.turn_player + self.turn_of(state)) % state.n_players

    def add_options(self, state: PandemicState, options: Options) -> None:
        options.add_all(PASS)
        add_events(state, self.current_player(state), options, self.in_epidemic)

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next player after a pass; else ask the same one again."""
        seat = (state.current_player - state.turn_player + state.n_players) % state.n_players
        self.step = seat + 1 if action is DO_NOTHING else seat

    def is_complete(self, state: PandemicState) -> bool:
        return self.turn_of(state) >= state.n_players


def open_window(state: PandemicState, first: i64, in_epidemic: bool) -> None:
    """Ask the holders of events, if there are any, from the seat ``first`` places after the turn player's on."""
    for step in range(first, state.n_players):
        if state.holds_event((state.turn_player + step) % state.n_players):
            state.start_sequence(Window(step, in_epidemic))
            return


@mypyc_attr(allow_interpreted_subclasses=True)
class HandLimit(Chain):
    """Makes a player with too many cards discard them, or play events."""

    def copy(self) -> HandLimit:
        return HandLimit(self.player)

    def add_options(self, state: PandemicState, options: Options) -> None:
        options.add_set(DISCARD, card_set(state.hands[self.player]))
        add_events(state, self.player, options)

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Ask until the hand is small enough."""

    def is_complete(self, state: PandemicState) -> bool:
        return len(state.hands[self.player]) <= state.rules.hand_limit


def check_hand(state: PandemicState, seat: i64) -> None:
    """Start `HandLimit` where a player has too many cards."""
    if len(state.hands[seat]) > state.rules.hand_limit:
        state.start_sequence(HandLimit(seat))


@mypyc_attr(allow_interpreted_subclasses=True)
class TurnAction(Action[PandemicState]):
    """Something that takes one of the actions of a turn."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        state.actions_left -= 1
        self.do(state, state.turn_player)

    def do(self, state: PandemicState, player: i64) -> None:
        """Take the effect for ``player``, whose turn it is."""
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)
class Move(TurnAction):
    """Move a pawn for no card: drive, take a ferry or a shuttle flight, or be sent to another pawn by the Dispatcher."""

    def __init__(self, pawn: i64, city: i64) -> None:
        self.pawn = pawn
        self.city = city

    def do(self, state: PandemicState, player: i64) -> None:
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        return f"move pawn {self.pawn} to {CITY_NAMES[self.city]}"


class DirectFlight(Move):
    """Discard the card of a city and move a pawn there."""

    def do(self, state: PandemicState, player: i64) -> None:
        state.discard(player, self.city)
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        return f"fly pawn {self.pawn} directly to {CITY_NAMES[self.city]}"


class CharterFlight(Move):
    """Discard the card of the city where a pawn is and move it anywhere."""

    def do(self, state: PandemicState, player: i64) -> None:
        state.discard(player, state.pawns[self.pawn])
        state.move_pawn(self.pawn, self.city)

    def __str__(self) -> str:
        return f"charter a flight for pawn {self.pawn} to {CITY_NAMES[self.city]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _Single(TurnAction):
    """Something about one city, card or colour, ``what`` by its number."""

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
        return f"fly as the expert to {CITY_NAMES[self.what]}"


class BuildStation(_Single):
    """Build a research station: from the supply (`NONE`), or by moving the one of a city there."""

    def do(self, state: PandemicState, player: i64) -> None:
        city = state.pawns[player]
        if state.roles[player] != OPERATIONS_EXPERT:
            state.discard(player, city)
        state.build(city, self.what)

    def __str__(self) -> str:
        return "build a station" if self.what == NONE else f"move the station of {CITY_NAMES[self.what]} here"


class TreatDisease(_Single):
    """Remove a cube of a colour; all of them if the disease is cured, or as the Medic."""

    def do(self, state: PandemicState, player: i64) -> None:
        state.treat(player, self.what)

    def __str__(self) -> str:
        return f"treat {COLOUR_NAMES[self.what]}"


class DiscoverCure(_Single):
    """Cure a disease for cards of its colour; which are kept is chosen next if there are more than are needed."""

    def do(self, state: PandemicState, player: i64) -> None:
        """Discard the cards and mark the cure, or let the player choose."""
        spare = len(state.cities_of(player, self.what)) - state.cards_needed(player)
        if spare and not state.rules.cure_takes_all:
            state.start_sequence(KeepCards(player, self.what, spare))
        else:
            discover(state, player, self.what, ())

    def __str__(self) -> str:
        return f"cure {COLOUR_NAMES[self.what]}"


class TakeEvent(_Single):
    """The Contingency Planner's action: store an event from the discards."""

    def do(self, state: PandemicState, player: i64) -> None:
        state.discards = tuple([card for card in state.discards if card != self.what])
        state.stored = self.what
        if state.recording:
            state.announce(telling.stored_event(player, self.what, "player discards"))

    def __str__(self) -> str:
        return f"store {CARD_NAMES[self.what]}"


class ShareKnowledge(TurnAction):
    """Give or take a city card."""

    def __init__(self, giver: i64, taker: i64, card: i64) -> None:
        self.giver = giver
        self.taker = taker
        self.card = card

    def do(self, state: PandemicState, player: i64) -> None:
        """Hand the card over; the taker may have to discard at once."""
        state.lose(self.giver, self.card)
        state.gain(self.taker, self.card)
        if state.recording:
            state.announce(telling.shared(self.giver, self.taker, self.card))
        check_hand(state, self.taker)

    def __str__(self) -> str:
        return f"give {CARD_NAMES[self.card]} from player {self.giver} to player {self.taker}"


class EndActions(Action[PandemicState]):
    """Do without the actions that are left."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        state.actions_left = 0

    def __str__(self) -> str:
        return "end the actions"


def discover(state: PandemicState, player: i64, colour: i64, kept: tuple[int, ...]) -> None:
    """Cure a disease for all cards of its colour but those ``kept``."""
    for card in state.cities_of(player, colour):
        if card not in kept:
            state.discard(player, card)
    state.cure(colour)


@mypyc_attr(allow_interpreted_subclasses=True)
class PayFlight(Chain):
    """Asks the Operations Expert for the city card to discard."""

    def copy(self) -> PayFlight:
        return PayFlight(self.player)

    def add_options(self, state: PandemicState, options: Options) -> None:
        options.add_set(CHOOSE, card_set(state.hands[self.player]) & ALL_CITIES)

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, Choose):
            state.discard(self.player, action.card)
            self.done = True


@mypyc_attr(allow_interpreted_subclasses=True)
class KeepCards(Chain):
    """Asks which cards of a colour are ``kept`` when a disease is cured, in the order of their numbers."""

    def __init__(self, player: i64, colour: i64, left: i64, kept: tuple[int, ...] = ()) -> None:
        super().__init__(player)
        self.colour = colour
        self.left = left
        self.kept = kept

    def copy(self) -> KeepCards:
        return KeepCards(self.player, self.colour, self.left, self.kept)

    def add_options(self, state: PandemicState, options: Options) -> None:
        """Add the cards after the last one kept, as far as enough remain."""
        cards = state.cities_of(self.player, self.colour)
        last = self.kept[-1] if self.kept else NONE
        rest = [card for card in cards if card > last]
        options.add_set(CHOOSE, card_set(tuple(rest[: len(rest) - self.left + 1])))

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, Choose):
            self.kept += (int(action.card),)
            self.left -= 1
            if self.left == 0:
                self.done = True
                discover(state, self.player, self.colour, self.kept)


# Tables.
#: Moving each pawn (first index) to each city for no card.
MOVES: Final[list[list[AnyAction]]] = [
    [interned(Move(pawn, city)) for city in range(N_CITIES)] for pawn in range(MAX_PLAYERS)
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
BUILD: Final[list[AnyAction]] = [interned(BuildStation(NONE))]
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
END_ACTIONS: Final[list[AnyAction]] = [interned(EndActions())]


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
