"""Decisions beside the actions of a turn: choices within sequences, the five events, and when events are offered."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.pandemic.data import (
    AIRLIFT,
    CARD_NAMES,
    EPIDEMIC,
    FIRST_EVENT,
    FORECAST,
    GOVERNMENT_GRANT,
    N_CITIES,
    NONE,
    ONE_QUIET_NIGHT,
    RESILIENT_POPULATION,
)
from games.pandemic.state import PandemicState
from tag import DO_NOTHING, Action, AnyAction, ExtendedSequence, Rng, interned

MAX_PLAYERS: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class Choose(Action[PandemicState]):
    """Name a city or a card (they share their numbers).

    Attributes:
        card: the city or card.
    """

    def __init__(self, card: i64) -> None:
        self.card = card

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        """Name it: ``choose Delhi``."""
        return f"choose {CARD_NAMES[self.card]}"


@mypyc_attr(allow_interpreted_subclasses=True)
class ChoosePlayer(Action[PandemicState]):
    """Name a player.

    Attributes:
        player: the player.
    """

    def __init__(self, player: i64) -> None:
        self.player = player

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Change nothing: the sequence takes note."""

    def __str__(self) -> str:
        """Name the player: ``choose player 2``."""
        return f"choose player {self.player}"


@mypyc_attr(allow_interpreted_subclasses=True)
class Discard(Choose):
    """Discard a card."""

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Discard it."""
        state.discard(state.current_player, self.card)

    def __str__(self) -> str:
        """Name it: ``discard Delhi``."""
        return f"discard {CARD_NAMES[self.card]}"


#: The choice of each city, or city or event card.
CHOOSE: Final[list[AnyAction]] = [interned(Choose(card)) for card in range(EPIDEMIC)]
#: The choice of each player.
CHOOSE_PLAYER: Final[list[AnyAction]] = [interned(ChoosePlayer(player)) for player in range(MAX_PLAYERS)]
#: Discarding each card.
DISCARD: Final[list[AnyAction]] = [interned(Discard(card)) for card in range(EPIDEMIC)]


# --- events ----------------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayEvent(Action[PandemicState]):
    """Play an event from the hand, or the one stored by the Contingency Planner; that takes no action.

    Attributes:
        event: the card.
    """

    def __init__(self, event: i64) -> None:
        self.event = event

    def execute(self, state: PandemicState, rng: Rng) -> None:
        """Lay the card down and begin with its effect."""
        player = state.current_player
        event = self.event
        if event == state.stored:
            state.stored = NONE
            state.removed += (int(event),)
        else:
            state.discard(player, event)
        if event == AIRLIFT:
            state.start_sequence(Airlift(player))
        elif event == FORECAST:
            state.start_sequence(Forecast(player, state.reveal(state.rules.forecast_cards)))
        elif event == GOVERNMENT_GRANT:
            state.start_sequence(GovernmentGrant(player))
        elif event == ONE_QUIET_NIGHT:
            state.quiet = True
        else:
            state.start_sequence(ResilientPopulation(player))

    def __str__(self) -> str:
        """Name the event: ``play Airlift``."""
        return f"play {CARD_NAMES[self.event]}"


#: Playing each event, from `FIRST_EVENT` on.
PLAY_EVENT: Final[list[AnyAction]] = [interned(PlayEvent(event)) for event in range(FIRST_EVENT, EPIDEMIC)]


def has_effect(state: PandemicState, event: i64) -> bool:
    """Say whether an event can do anything now."""
    if event == FORECAST:
        return len(state.infection_deck) > 0
    if event == RESILIENT_POPULATION:
        return len(state.infection_discards) > 0
    return event != ONE_QUIET_NIGHT or not state.quiet


def add_events(state: PandemicState, seat: i64, found: list[AnyAction]) -> None:
    """Add the events that a player can play to ``found``."""
    for card in state.hands[seat]:
        if card >= FIRST_EVENT and has_effect(state, card):
            found.append(PLAY_EVENT[card - FIRST_EVENT])
    if state.stored != NONE and state.is_planner(seat) and has_effect(state, state.stored):
        found.append(PLAY_EVENT[state.stored - FIRST_EVENT])


# --- what events ask -------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Chain(ExtendedSequence[PandemicState]):
    """Decisions of one player.

    A sequence leaves the stack when it is done, before the next copy: copies need not copy that.

    Attributes:
        player: who decides.
        done: whether all is decided.
    """

    def __init__(self, player: i64) -> None:
        self.player = player
        self.done: bool = False

    def current_player(self, state: PandemicState) -> i64:
        """Return the player."""
        return self.player

    def is_complete(self, state: PandemicState) -> bool:
        """Say whether all is decided."""
        return self.done


@mypyc_attr(allow_interpreted_subclasses=True)
class Airlift(Chain):
    """Move any pawn to any city: first the pawn is chosen, then the city.

    Attributes:
        pawn: the pawn, `NONE` before it is chosen.
    """

    def __init__(self, player: i64, pawn: i64 = NONE) -> None:
        super().__init__(player)
        self.pawn = pawn

    def copy(self) -> Airlift:
        """Copy the choice."""
        return Airlift(self.player, self.pawn)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the pawns, or the cities where the pawn is not."""
        if self.pawn == NONE:
            return CHOOSE_PLAYER[: state.n_players]
        here = state.pawns[self.pawn]
        return CHOOSE[:here] + CHOOSE[here + 1 : N_CITIES]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Keep the pawn in mind, or move it."""
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
        """Copy how far it is."""
        return Forecast(self.player, self.left, self.placed)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the cards that are not in order yet."""
        deck = state.infection_deck
        top = len(deck) - self.placed
        return [CHOOSE[city] for city in sorted(deck[top - self.left : top])]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Put the card next."""
        if isinstance(action, Choose):
            deck = state.infection_deck
            place = len(deck) - 1 - self.placed
            deck[deck.index(int(action.card))] = deck[place]
            deck[place] = int(action.card)
            self.placed += 1
            self.left -= 1
            self.done = self.left <= 1


@mypyc_attr(allow_interpreted_subclasses=True)
class GovernmentGrant(Chain):
    """Put a research station into any city; if all are built another city gives its own up.

    Attributes:
        city: the city, `NONE` before it is chosen.
    """

    def __init__(self, player: i64, city: i64 = NONE) -> None:
        super().__init__(player)
        self.city = city

    def copy(self) -> GovernmentGrant:
        """Copy the choice."""
        return GovernmentGrant(self.player, self.city)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the cities without a station, or those with one."""
        stations = state.stations
        wanted: i64 = 0 if self.city == NONE else 1
        return [CHOOSE[city] for city in range(N_CITIES) if stations >> city & 1 == wanted]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Build, once it is known from where."""
        if isinstance(action, Choose):
            table = state
            if self.city != NONE:
                table.build(self.city, action.card)
                self.done = True
            elif table.stations_left:
                table.build(action.card, NONE)
                self.done = True
            else:
                self.city = action.card


@mypyc_attr(allow_interpreted_subclasses=True)
class ResilientPopulation(Chain):
    """Remove a card from the infection discards from the game."""

    def copy(self) -> ResilientPopulation:
        """Copy the player."""
        return ResilientPopulation(self.player)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the discards."""
        return [CHOOSE[city] for city in sorted(state.infection_discards)]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Remove the card."""
        if isinstance(action, Choose):
            table = state
            table.infection_discards = tuple([city for city in table.infection_discards if city != action.card])
            table.removed_cities += (int(action.card),)
            self.done = True


# --- when events are offered -----------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Window(ExtendedSequence[PandemicState]):
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
        """Copy how far it is."""
        return Window(self.step, self.in_epidemic)

    def turn_of(self, state: PandemicState) -> i64:
        """Return the next step at which a player has an event to play, the number of players if none has."""
        step = self.step
        while step < state.n_players and not self._can_play(state, (state.turn_player + step) % state.n_players):
            step += 1
        return step

    def _can_play(self, state: PandemicState, seat: i64) -> bool:
        return state.holds_event(seat) and len(self._events(state, seat)) > 0

    def _events(self, state: PandemicState, seat: i64) -> list[AnyAction]:
        found: list[AnyAction] = []
        add_events(state, seat, found)
        if self.in_epidemic:
            resilient = PLAY_EVENT[RESILIENT_POPULATION - FIRST_EVENT]
            return [action for action in found if action is resilient]
        return found

    def current_player(self, state: PandemicState) -> i64:
        """Return the first who has something to play and has not passed."""
        return (state.turn_player + self.turn_of(state)) % state.n_players

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return the player's events, and passing."""
        return [DO_NOTHING, *self._events(state, self.current_player(state))]

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next player after a pass; else ask the same one again."""
        seat = (state.current_player - state.turn_player + state.n_players) % state.n_players
        self.step = seat + 1 if action is DO_NOTHING else seat

    def is_complete(self, state: PandemicState) -> bool:
        """Say whether no player has an event to play."""
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
        """Copy the player."""
        return HandLimit(self.player)

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return every card, and the events."""
        found = [DISCARD[card] for card in state.hands[self.player]]
        add_events(state, self.player, found)
        return found

    def after_action(self, state: PandemicState, action: AnyAction, rng: Rng) -> None:
        """Ask until the hand is small enough."""

    def is_complete(self, state: PandemicState) -> bool:
        """Say whether the hand is small enough."""
        return len(state.hands[self.player]) <= state.rules.hand_limit


def check_hand(state: PandemicState, seat: i64) -> None:
    """Start `HandLimit` where a player has too many cards."""
    if len(state.hands[seat]) > state.rules.hand_limit:
        state.start_sequence(HandLimit(seat))
