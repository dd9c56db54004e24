"""The rules between decisions, as nodes of a rule graph."""

from __future__ import annotations

from mypy_extensions import i64

from games.pandemic.board import COLOURS
from games.pandemic.cards import EPIDEMIC
from games.pandemic.events import check_hand, open_window
from games.pandemic.options import turn_actions
from games.pandemic.state import PandemicState
from games.pandemic.table import OUT_OF_CARDS
from tag.action import AnyAction
from tag.event import Event
from tag.rng import Rng
from tag.rules import Condition, GameOverCondition, PlayerAction, Rule
from tag.state import GameState


class StartTurn(Rule[PandemicState]):
    """A turn has four actions."""

    __slots__ = ()

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Give the player the actions."""
        state.actions_left = state.rules.actions
        state.flown = False


class AskHolders(Rule[PandemicState]):
    """Holders of events can play them at any time.

    Attributes:
        first: 1 where the player whose turn it is is asked for an action next, which can be an event; else 0.
        in_epidemic: whether only Resilient Population can be played.
        always: whether to ask whatever the parameters say.
    """

    __slots__ = ("always", "first", "in_epidemic")
    first: i64
    in_epidemic: bool
    always: bool

    def __init__(
        self, name: str, following: str, first: i64 = 0, in_epidemic: bool = False, always: bool = True
    ) -> None:
        """Name the node and the one that follows."""
        super().__init__(name, following)
        self.first = first
        self.in_epidemic = in_epidemic
        self.always = always

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Ask them."""
        if self.always or state.rules.ask_always:
            open_window(state, self.first, self.in_epidemic)


class Act(PlayerAction[PandemicState]):
    """The player whose turn it is takes an action, or plays an event."""

    __slots__ = ()

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        """Return what can be done."""
        return turn_actions(state)


class ActionsLeft(Condition[PandemicState]):
    """A player may do less than four actions."""

    __slots__ = ()

    def holds(self, state: PandemicState) -> bool:
        """Count the actions left."""
        return state.actions_left > 0


class OutOfCards(GameOverCondition[PandemicState]):
    """The players lose when there are not enough cards to draw."""

    __slots__ = ()

    def holds(self, state: PandemicState) -> bool:
        """Count the cards."""
        return len(state.player_deck) < state.rules.cards_drawn

    def finish(self, state: PandemicState) -> None:
        """Lose."""
        state.end(OUT_OF_CARDS)


class DrawCards(Rule[PandemicState]):
    """The player draws two cards together; epidemics are resolved one after the other, and go out of the game."""

    __slots__ = ()

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Draw."""
        for _card in range(state.rules.cards_drawn):
            card = state.player_deck.pop()
            if card == EPIDEMIC:
                state.due += 1
            else:
                state.gain(state.turn_player, card)


class EpidemicDue(Condition[PandemicState]):
    """Each epidemic drawn happens."""

    __slots__ = ()

    def holds(self, state: PandemicState) -> bool:
        """Count those still to be resolved."""
        return state.due > 0


class IncreaseAndInfect(Rule[PandemicState]):
    """An epidemic raises the infection rate, then the bottom infection card's city gets three cubes."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one that follows."""
        super().__init__(name, following)
        self.ends_game = True

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Move the marker and infect the city."""
        state.due -= 1
        state.epidemics += 1
        city = state.draw_bottom(rng)
        if state.recording:
            state.announce(Event("epidemic", -1, float(city)))
        state.infect(city, COLOURS[city], state.rules.epidemic_cubes)


class Intensify(Rule[PandemicState]):
    """An epidemic ends with the infection discards shuffled and put on top of the infection deck."""

    __slots__ = ()

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Shuffle them."""
        state.intensify(rng)


class CheckHand(Rule[PandemicState]):
    """A player with more than seven cards discards, or plays events."""

    __slots__ = ()

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Look at the hand of the player whose turn it is."""
        check_hand(state, state.turn_player)


class StartInfections(Rule[PandemicState]):
    """As many infection cards are drawn as the infection rate says, none in a quiet night."""

    __slots__ = ()

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Note how many."""
        state.infections_left = 0 if state.quiet else state.infection_rate()
        state.quiet = False


class InfectionsLeft(Condition[PandemicState]):
    """Infection cards are drawn one after the other."""

    __slots__ = ()

    def holds(self, state: PandemicState) -> bool:
        """Count those still to be drawn."""
        return state.infections_left > 0


class Infect(Rule[PandemicState]):
    """The top infection card's city gets a cube."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one that follows."""
        super().__init__(name, following)
        self.ends_game = True

    def apply(self, state: PandemicState, rng: Rng) -> None:
        """Draw the card and infect the city."""
        state.infections_left -= 1
        city = state.draw_infection(rng)
        state.infect(city, COLOURS[city], state.rules.infection_cubes)


class IsLastPlayer(Condition[GameState]):
    """A round is over when everybody has had a turn."""

    __slots__ = ()

    def holds(self, state: GameState) -> bool:
        """Look who comes next."""
        return (state.turn_player + 1) % state.n_players == state.first_player
