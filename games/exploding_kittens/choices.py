"""The decisions that follow from a play or from a kitten: what to give, name, lay down, take, and where the kitten goes."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.cards import DEFUSE, MAX_PLAYERS, N_KINDS, NAMES
from games.exploding_kittens.nope import Play, open_window
from games.exploding_kittens.sets import count, counts, different, unit
from games.exploding_kittens.state import TURN_ENDS, ExplodingKittensState
from tag.action import Action, AnyAction, interned
from tag.rng import Rng
from tag.sequence import ExtendedSequence
from tag.state import GameState

#: The number of different cards in the largest combination.
FIVE: Final = 5

#: The most cards that there can be above a kitten, with any parameters.
_DEEPEST: Final = 130


class Give(Action[ExplodingKittensState]):
    """Give a card away as a favor; only the two players see which."""

    def __init__(self, giver: i64, taker: i64, kind: i64) -> None:
        self.giver = giver
        self.taker = taker
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Hand the card over."""
        state.take_secretly(self.taker, self.giver, self.kind)

    def text(self, state: ExplodingKittensState, viewer: i64) -> str:
        """Name the card to the two players only."""
        if viewer < 0 or viewer == self.giver or viewer == self.taker:
            return str(self)
        return f"give player {self.taker} a card"

    def __str__(self) -> str:
        return f"give player {self.taker} {NAMES[self.kind]}"


class Demand(Play):
    """Name the card that three of a kind are to take; everybody hears it."""

    def __init__(self, victim: i64, kind: i64) -> None:
        self.victim = victim
        self.kind = kind

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Take the card, openly, if the victim has one."""
        if state.count(self.victim, self.kind):
            state.take_openly(player, self.victim, self.kind)

    def __str__(self) -> str:
        return f"demand {NAMES[self.kind]} of player {self.victim}"


class Lay(Action[ExplodingKittensState]):
    """Lay down one of five different cards."""

    def __init__(self, kind: i64) -> None:
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay it down."""
        state.lay_down(state.current_player, self.kind)

    def __str__(self) -> str:
        return f"lay down {NAMES[self.kind]}"


class Retrieve(Action[ExplodingKittensState]):
    """Take a card from the discard pile."""

    def __init__(self, kind: i64) -> None:
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Take it, which everybody sees."""
        state.discards -= unit(self.kind)
        state.gain_openly(state.current_player, self.kind)

    def __str__(self) -> str:
        return f"take {NAMES[self.kind]} from the discards"


class Reinsert(Action[ExplodingKittensState]):
    """Play a Defuse and put the kitten back, in secret."""

    def __init__(self, player: i64, depth: i64) -> None:
        self.player = player
        self.depth = depth

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay down the Defuse, put the kitten back, and end the turn."""
        state.lay_down(self.player, DEFUSE)
        state.exploding = -1
        state.put_back(self.player, self.depth)
        state.phase = TURN_ENDS

    def text(self, state: ExplodingKittensState, viewer: i64) -> str:
        """Tell the place to its player only."""
        return str(self) if viewer < 0 or viewer == self.player else "defuse, and put the kitten back in secret"

    def __str__(self) -> str:
        return f"defuse, and put the kitten back under {self.depth} cards"


class Explode(Action[ExplodingKittensState]):
    """Keep the Defuse, and explode."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Be out of the game."""
        state.explode(state.current_player)

    def __str__(self) -> str:
        return "explode"


def _key(giver: i64, taker: i64, kind: i64) -> i64:
    return (giver * MAX_PLAYERS + taker) * N_KINDS + kind


GIVES: Final[list[AnyAction]] = [
    interned(Give(giver, taker, kind))
    for giver in range(MAX_PLAYERS)
    for taker in range(MAX_PLAYERS)
    for kind in range(N_KINDS)
]
DEMANDS: Final[list[list[AnyAction]]] = [
    [interned(Demand(victim, kind)) for kind in range(DEFUSE, N_KINDS)] for victim in range(MAX_PLAYERS)
]
LAYS: Final[list[AnyAction]] = [interned(Lay(kind)) for kind in range(N_KINDS)]
RETRIEVES: Final[list[AnyAction]] = [interned(Retrieve(kind)) for kind in range(N_KINDS)]
REINSERTS: Final[list[list[AnyAction]]] = [
    [interned(Reinsert(player, depth)) for depth in range(_DEEPEST)] for player in range(MAX_PLAYERS)
]
EXPLODE: Final = interned(Explode())


@mypyc_attr(allow_interpreted_subclasses=True)
class Choice(ExtendedSequence):
    """One decision of one player.

    Attributes:
        player: who decides.
        decided: whether that has been done.
    """

    def __init__(self, player: i64) -> None:
        """Ask ``player``."""
        self.player = player
        self.decided: bool = False

    def current_player(self, state: GameState) -> i64:
        """Return who decides."""
        return self.player

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return what there is to choose from."""
        return self.options(cast("ExplodingKittensState", state))

    def options(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return what there is to choose from."""
        raise NotImplementedError

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Take note that it is done."""
        self.decided = True

    def is_complete(self, state: GameState) -> bool:
        """Say whether it is done."""
        return self.decided


@mypyc_attr(allow_interpreted_subclasses=True)
class Giving(Choice):
    """A favor: the giver chooses a card.

    Attributes:
        taker: who gets it.
    """

    def __init__(self, giver: i64, taker: i64) -> None:
        """Ask ``giver``."""
        super().__init__(giver)
        self.taker = taker

    def copy(self) -> Giving:
        """Copy everything."""
        other = Giving(self.player, self.taker)
        other.decided = self.decided
        return other

    def options(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return the giver's cards."""
        first = _key(self.player, self.taker, 0)
        return [GIVES[first + kind] for kind in range(DEFUSE, N_KINDS) if state.count(self.player, kind)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Naming(Choice):
    """Three of a kind: their player names a card.

    Attributes:
        victim: who is to give it.
    """

    def __init__(self, player: i64, victim: i64) -> None:
        """Ask ``player``."""
        super().__init__(player)
        self.victim = victim

    def copy(self) -> Naming:
        """Copy everything."""
        other = Naming(self.player, self.victim)
        other.decided = self.decided
        return other

    def options(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return all cards that can be in a hand."""
        return DEMANDS[self.victim][:]


@mypyc_attr(allow_interpreted_subclasses=True)
class Retrieving(Choice):
    """Five different cards: their player takes a card from the discards."""

    def copy(self) -> Retrieving:
        """Copy everything."""
        other = Retrieving(self.player)
        other.decided = self.decided
        return other

    def options(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return the cards in the discards, except kittens."""
        return [RETRIEVES[kind] for kind in range(DEFUSE, N_KINDS) if count(state.discards, kind)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Defusing(Choice):
    """A kitten drawn by a player with a Defuse."""

    def copy(self) -> Defusing:
        """Copy everything."""
        other = Defusing(self.player)
        other.decided = self.decided
        return other

    def options(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return all places in the pile, and exploding."""
        return [*REINSERTS[self.player][: len(state.deck) + 1], EXPLODE]


@mypyc_attr(allow_interpreted_subclasses=True)
class Laying(ExtendedSequence):
    """Five different cards: their player lays them down one by one, in the order of their kinds.

    Attributes:
        player: who lays them down.
        play: what they do together.
        laid: how many lie there.
        highest: the kind of the last one.
    """

    def __init__(self, player: i64, play: Play) -> None:
        self.player = player
        self.play = play
        self.laid: i64 = 0
        self.highest: i64 = 0

    def copy(self) -> Laying:
        """Copy everything."""
        other = Laying(self.player, self.play)
        other.laid = self.laid
        other.highest = self.highest
        return other

    def current_player(self, state: GameState) -> i64:
        """Return who lays them down."""
        return self.player

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return the cards after the last one that leave enough others to go on with."""
        kind = self.highest + 1
        left = counts(cast("ExplodingKittensState", state).hand(self.player)) >> (4 * kind)
        choices = different(left) - (FIVE - self.laid) + 1
        found: list[AnyAction] = []
        while choices > 0:
            if left & 15:
                found.append(LAYS[kind])
                choices -= 1
            left >>= 4
            kind += 1
        return found

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Count the card; after the fifth the others can react."""
        self.laid += 1
        self.highest = cast("Lay", action).kind
        if self.laid == FIVE:
            open_window(cast("ExplodingKittensState", state), self.player, self.play)

    def is_complete(self, state: GameState) -> bool:
        """Say whether all five lie there."""
        return self.laid == FIVE
