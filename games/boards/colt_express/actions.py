"""The actions of Colt Express: what is chosen before, while planning, and while stealing."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.games.boards.colt_express import telling
from tag.games.boards.colt_express.data import (
    BANDIT_NAMES,
    BITS,
    CARD_NAMES,
    COVER,
    DOWN,
    N_ACTIONS,
    N_BANDITS,
    N_KINDS,
    PLAN,
    PLAYER_SHIFT,
    SHOOT,
    STANDARD,
    unit,
)
from tag.games.boards.colt_express.state import ColtExpressState, card_text, cards_text, loot_text

#: The piece of loot of a punch at a bandit without loot.
NO_LOOT: Final = -1

_MOST_CARS: Final = 8
_MOST_TOKENS: Final = 60


@mypyc_attr(allow_interpreted_subclasses=True)
class _Numbered(Action[ColtExpressState]):
    """An action with one number."""

    def __init__(self, number: i64) -> None:
        self.number = number


class ChooseBandits(_Numbered):
    """Choose a bandit, or a team: its first bandit, and eight times its second one."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        offer = int(self.number)
        first = state.current_player * state.per
        state.characters[first] = offer & 7
        if state.per == 2:
            state.characters[first + 1] = offer >> 3
        state.offers -= BITS[offer]

    def __str__(self) -> str:
        """Name the bandits; Belle is never the second one of a team."""
        first, second = BANDIT_NAMES[self.number & 7], self.number >> 3
        return f"choose {first} and {BANDIT_NAMES[second]}" if second else f"choose {first}"


class Place(_Numbered):
    """Put the first (0) or second (1) bandit of the team into the caboose and the other into the next car, in secret."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        first = state.current_player * 2
        state.spots[first] = int(2 * self.number)
        state.spots[first + 1] = int(2 - 2 * self.number)
        if state.recording:
            state.announce(telling.placed(state.current_player))

    def text(self, state: ColtExpressState, viewer: i64) -> str:
        return str(self) if viewer < 0 or viewer == state.current_player else "place both bandits in secret"

    def __str__(self) -> str:
        return f"put the {'second' if self.number else 'first'} bandit into the caboose"


class Reserve(_Numbered):
    """Take a card of choice from the deck into the hand."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        cards = state.cards[state.current_player]
        cards.hand += unit(self.number)
        cards.deck -= unit(self.number)
        if state.recording:
            state.announce(telling.reserved(state.current_player))

    def text(self, state: ColtExpressState, viewer: i64) -> str:
        return str(self) if viewer < 0 or viewer == state.current_player else "reserve a card"

    def __str__(self) -> str:
        return f"reserve {CARD_NAMES[self.number]}"


class Play(Action[ColtExpressState]):
    """Put a card on the pile, face up or face down."""

    def __init__(self, kind: i64, is_down: bool) -> None:
        self.kind = kind
        self.is_down = is_down

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        """Put the card down; a Fire face up on a standard turn can be covered by the other bandit of a team."""
        lay_down(state, self.kind, self.is_down)
        if state.covers and not self.is_down and self.kind % N_ACTIONS == SHOOT and state.turns[state.slot] == STANDARD:
            state.phase = COVER

    def text(self, state: ColtExpressState, viewer: i64) -> str:
        player = state.current_player
        if self.is_down and viewer >= 0 and viewer != player:
            return "play a card face down"
        return f"play {card_text(state, player, self.kind)}{' face down' if self.is_down else ''}"

    def __str__(self) -> str:
        return f"play {CARD_NAMES[self.kind]}{' face down' if self.is_down else ''}"


class Cover(_Numbered):
    """Put a card of the other bandit of the team on the pile, right after a Fire."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        lay_down(state, self.number, False)
        state.phase = PLAN

    def __str__(self) -> str:
        return f"cover with {CARD_NAMES[self.number]}"


class NoCover(Action[ColtExpressState]):
    """Leave a Fire alone."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        state.phase = PLAN

    def __str__(self) -> str:
        return "no cover"


class DrawCards(_Numbered):
    """Draw so many cards instead of playing one, or all that are left."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        cards = state.cards[state.current_player]
        held = cards.hand
        cards.draw(self.number, rng.source("cards"))
        if state.recording:
            drawn = cards_text(state, state.current_player, cards.hand - held)
            state.announce(telling.drawn(state.current_player, drawn))

    def __str__(self) -> str:
        return f"draw {self.number} cards"


def lay_down(state: ColtExpressState, kind: i64, is_down: bool) -> None:
    """Put a card of the current player on the pile."""
    player = state.current_player
    state.cards[player].hand -= unit(kind)
    state.pile.append(int(player << PLAYER_SHIFT | (DOWN if is_down else 0) | kind))
    if state.recording:
        state.announce(telling.played(player, card_text(state, player, kind), is_down))


class Move(_Numbered):
    """Go to another car on the same floor: the next one inside, up to three on the roofs."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        state.go_to(state.acting, self.number)

    def __str__(self) -> str:
        return f"move to car {self.number}"


class ChangeFloor(Action[ColtExpressState]):
    """Climb to the roof, or down into the car."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        state.put(state.acting, state.spots[state.acting] ^ 1, "")
        state.meet_marshal(state.acting)

    def __str__(self) -> str:
        return "change floor"


class Fire(_Numbered):
    """Give a Bullet card to a bandit in sight."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        state.shoot(state.acting, self.number)

    def __str__(self) -> str:
        return f"fire at bandit {self.number}"


class Rob(_Numbered):
    """Take a piece of loot at the bandit's spot."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        spot: i64 = state.spots[state.acting]
        state.floor[spot] &= ~BITS[self.number]
        state.open_purses(BITS[self.number], rng.source("train"))
        if state.recording:
            state.announce(telling.taken(state.current_player, state.acting, telling.floor_place(spot)))
        state.take(state.acting, self.number)

    def text(self, state: ColtExpressState, viewer: i64) -> str:
        return f"take {loot_text(state, self.number, viewer)}"

    def __str__(self) -> str:
        return f"take loot {self.number}"


class MoveMarshal(_Numbered):
    """Move the Marshal to the next car."""

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        if state.recording:
            state.announce(telling.marshal_moved(state.current_player))
        state.move_marshal(self.number)

    def __str__(self) -> str:
        return f"move the Marshal to car {self.number}"


class Punch(Action[ColtExpressState]):
    """Make a bandit at the same spot lose a piece of loot and go to the next car."""

    def __init__(self, victim: i64, token: i64, car: i64) -> None:
        """Take the victim, the piece of loot (`NO_LOOT` if there is none), and the car."""
        self.victim = victim
        self.token = token
        self.car = car

    def execute(self, state: ColtExpressState, rng: Rng) -> None:
        state.punch(state.acting, self.victim, self.token, self.car)

    def text(self, state: ColtExpressState, viewer: i64) -> str:
        loot = "" if self.token == NO_LOOT else f", who loses {loot_text(state, self.token, viewer)}"
        return f"punch bandit {self.victim} to car {self.car}{loot}"

    def __str__(self) -> str:
        loot = "" if self.token == NO_LOOT else f", who loses loot {self.token}"
        return f"punch bandit {self.victim} to car {self.car}{loot}"


# One object per action.
#: By the number of the offer.
CHOICES: Final[list[AnyAction]] = [interned(ChooseBandits(offer)) for offer in range(48)]
RESERVES: Final[list[AnyAction]] = [interned(Reserve(kind)) for kind in range(N_KINDS)]
PLAYS: Final[list[AnyAction]] = [interned(Play(kind, False)) for kind in range(N_KINDS)]
HIDES: Final[list[AnyAction]] = [interned(Play(kind, True)) for kind in range(N_KINDS)]
COVERS: Final[list[AnyAction]] = [interned(Cover(kind)) for kind in range(N_KINDS)]
NO_COVER: Final[AnyAction] = interned(NoCover())
PLACES: Final[list[AnyAction]] = [interned(Place(first)) for first in range(2)]
MOVES: Final[list[AnyAction]] = [interned(Move(car)) for car in range(_MOST_CARS)]
MARSHAL_MOVES: Final[list[AnyAction]] = [interned(MoveMarshal(car)) for car in range(_MOST_CARS)]
CHANGE_FLOOR: Final[AnyAction] = interned(ChangeFloor())
FIRES: Final[list[AnyAction]] = [interned(Fire(victim)) for victim in range(N_BANDITS)]
ROBS: Final[list[AnyAction]] = [interned(Rob(token)) for token in range(_MOST_TOKENS)]

#: By victim, car, and the loot's number plus one.
PUNCHES: Final[list[list[list[AnyAction]]]] = [
    [[interned(Punch(victim, token, car)) for token in range(NO_LOOT, _MOST_TOKENS)] for car in range(_MOST_CARS)]
    for victim in range(N_BANDITS)
]


def vocabulary(n_bandits: int, n_cars: int, drawn: int) -> Vocabulary:
    """Return all actions of a game in which ``drawn`` cards can be drawn; bandits, cars and loot have numbers."""
    cards, cars, bandits = range(N_KINDS), range(n_cars), range(n_bandits)
    return Vocabulary(
        Actions(ChooseBandits, number=range(len(CHOICES))),
        Actions(Place, number=range(len(PLACES))),
        Actions(Reserve, number=cards),
        Actions(Play, kind=cards, is_down=[False, True]),
        Actions(Cover, number=cards),
        Actions(NoCover),
        Actions(DrawCards, number=[drawn]),
        Actions(Move, number=cars),
        Actions(ChangeFloor),
        Actions(Fire, number=bandits),
        Actions(Rob, number=range(_MOST_TOKENS)),
        Actions(Punch, victim=bandits, token=range(NO_LOOT, _MOST_TOKENS), car=cars),
        Actions(MoveMarshal, number=cars),
    )
