"""The actions of Uno: playing a card, drawing, keeping, naming a colour, and taking or challenging a wild draw four."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Event, ExtendedSequence, Rng, Vocabulary, interned
from tag.games.cards.uno.data import COLOURS, N_COLOURS, N_SYMBOLS, NAMES, NO_CARD, NO_SYMBOL, WILD, WILD_DRAW_FOUR
from tag.games.cards.uno.state import DRAWN, TURN, UnoState


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Action[UnoState]):
    """Play a card, a wild one with the colour that follows; its effect comes when the turn ends."""

    def __init__(self, card: i64, colour: i64) -> None:
        """Name the card and the colour to match from now on: its own, or the one chosen."""
        self.card = card
        self.colour = colour

    def execute(self, state: UnoState, rng: Rng) -> None:
        state.lay(self.card, self.colour)

    def __str__(self) -> str:
        name = NAMES[self.card]
        return f"{name} ({COLOURS[self.colour]})" if self.card >= WILD else name


class Draw(Action[UnoState]):
    """Draw a card; where no card is left to draw, pass."""

    def execute(self, state: UnoState, rng: Rng) -> None:
        player = state.current_player
        state.drawn = state.draw(player, rng)
        if state.drawn == NO_CARD:
            state.passes += 1
            if state.recording:
                state.announce(Event("passed", player, words="{player} cannot draw: no card is left"))
        else:
            state.passes = 0
            state.phase = DRAWN
            if state.recording:
                state.announce_drawn(player, [int(state.drawn)], "")

    def __str__(self) -> str:
        return "draw"


class Keep(Action[UnoState]):
    """Keep the card drawn."""

    def execute(self, state: UnoState, rng: Rng) -> None:
        state.drawn = NO_CARD
        state.phase = TURN

    def __str__(self) -> str:
        return "keep the card drawn"


class NameColour(Action[UnoState]):
    """Name the colour of a wild that was turned up at the beginning, and then play."""

    def __init__(self, colour: i64) -> None:
        self.colour = colour

    def execute(self, state: UnoState, rng: Rng) -> None:
        """Set the colour; the turn goes on."""
        state.colour = self.colour
        state.phase = TURN
        state.step = 0

    def __str__(self) -> str:
        return f"name {COLOURS[self.colour]}"


class Accept(Action[UnoState]):
    """Take the cards of a wild draw four without a challenge."""

    def execute(self, state: UnoState, rng: Rng) -> None:
        """Change nothing: `WildDrawFour` carries the answer out."""

    def __str__(self) -> str:
        return "accept"


class Challenge(Action[UnoState]):
    """Say that a wild draw four was played with a card of the colour in hand."""

    def execute(self, state: UnoState, rng: Rng) -> None:
        """Change nothing: `WildDrawFour` carries the answer out."""

    def __str__(self) -> str:
        return "challenge"


ACCEPT: Final = interned(Accept())
CHALLENGE: Final = interned(Challenge())
DRAW: Final = interned(Draw())
KEEP: Final = interned(Keep())


@mypyc_attr(allow_interpreted_subclasses=True)
class WildDrawFour(ExtendedSequence[UnoState]):
    """Asks the next player to take the cards of a wild draw four or to challenge it, and sees to the outcome.

    Attributes:
        victim: the next player.
        colour: the colour that was to be matched before.
        cards: the cards to draw.
        extra: the cards on top for a challenge that fails.
        is_answered: whether the victim has decided.
    """

    def __init__(self, victim: i64, colour: i64, cards: i64, extra: i64, is_answered: bool = False) -> None:
        self.victim = victim
        self.colour = colour
        self.cards = cards
        self.extra = extra
        self.is_answered = is_answered

    def copy(self) -> WildDrawFour:
        return WildDrawFour(self.victim, self.colour, self.cards, self.extra, self.is_answered)

    def current_player(self, state: UnoState) -> i64:
        return self.victim

    def available_actions(self, state: UnoState) -> list[AnyAction]:
        return [ACCEPT, CHALLENGE]

    def after_action(self, state: UnoState, action: AnyAction, rng: Rng) -> None:
        """Let the guilty draw; the victim who draws loses the turn."""
        self.is_answered = True
        player = state.turn_player
        if action is CHALLENGE:
            guilty = state.hands[player].has_colour(self.colour)
            state.show_hand(player, self.victim)
            if state.recording:
                found = f"there {'is a' if guilty else 'is no'} {COLOURS[self.colour]} card"
                words = f"{{player}} shows {{items}} to player {self.victim}"
                state.announce_hand(player, words, found, 1 << player | 1 << self.victim)
            if guilty:
                state.draw_for(player, self.cards, "the challenge is right", rng)
                return
            state.draw_for(self.victim, self.cards + self.extra, "the challenge is wrong", rng)
        else:
            state.draw_for(self.victim, self.cards, "wild draw four", rng)
        state.lose_turn(self.victim)

    def is_complete(self, state: UnoState) -> bool:
        return self.is_answered


PLAYS: Final[list[AnyAction]] = [interned(Play(card, card // N_SYMBOLS)) for card in range(WILD)]
WILD_PLAYS: Final[list[AnyAction]] = [interned(Play(WILD, colour)) for colour in range(N_COLOURS)]
FOUR_PLAYS: Final[list[AnyAction]] = [interned(Play(WILD_DRAW_FOUR, colour)) for colour in range(N_COLOURS)]
#: By symbol on top, what may be played or done beside cards of the colour: cards of the symbol by colour, a wild by the
#: colour named, a wild draw four by the colour named, and drawing.
OTHERS: Final[list[list[AnyAction]]] = [
    [*PLAYS[symbol % N_SYMBOLS :: N_SYMBOLS], *WILD_PLAYS, *FOUR_PLAYS, DRAW] for symbol in range(NO_SYMBOL + 1)
]
#: What can be done with a card just drawn that can be played, by card, and with one that cannot.
WITH_DRAWN: Final[list[list[AnyAction]]] = [
    [KEEP, *plays] for plays in [*[[play] for play in PLAYS], WILD_PLAYS, FOUR_PLAYS]
]
KEEP_ONLY: Final[list[AnyAction]] = [KEEP]
NAMINGS: Final[list[AnyAction]] = [interned(NameColour(colour)) for colour in range(N_COLOURS)]


def vocabulary() -> Vocabulary:
    """Return all actions of a game."""
    colours = range(N_COLOURS)
    return Vocabulary(
        *[
            Actions(Play, card=range(N_SYMBOLS * colour, N_SYMBOLS * (colour + 1)), colour=[colour])
            for colour in colours
        ],
        Actions(Play, card=[WILD, WILD_DRAW_FOUR], colour=colours),
        Actions(Draw),
        Actions(Keep),
        Actions(NameColour, colour=colours),
        Actions(Accept),
        Actions(Challenge),
    )
