"""The decisions that follow from a play or a kitten: Nopes, and what to give, name, lay down, take and put back."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.data import DEFUSE, MAX_PLAYERS, N_KINDS, NAMES, NOPE, count, counts, different, unit
from games.exploding_kittens.state import TURN_ENDS, ExplodingKittensState
from tag import DO_NOTHING, Action, AnyAction, ExtendedSequence, Rng, interned

#: The number of different cards in the largest combination.
FIVE: Final = 5

#: The most cards that there can be above a kitten, with any parameters.
_DEEPEST: Final = 130


# --- plays, and Nopes ------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Action[ExplodingKittensState]):
    """Cards laid down, which take effect unless they are noped; they are lost either way."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay the cards down and let the others react."""
        player = state.current_player
        self.lay(state, player)
        open_window(state, player, self)

    def lay(self, state: ExplodingKittensState, player: i64) -> None:
        """Lay the cards of the play down."""

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Let the play of ``player``, which has not been noped, take effect."""
        raise NotImplementedError


class Nope(Action[ExplodingKittensState]):
    """Stop the play, or the Nope, that has just been laid down."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay the card down; the window keeps count."""
        state.lay_down(state.current_player, NOPE)

    def __str__(self) -> str:
        return "Nope"


NOPE_IT: Final = interned(Nope())


@mypyc_attr(allow_interpreted_subclasses=True)
class NopeWindow(ExtendedSequence[ExplodingKittensState]):
    """Asks every player in turn for a Nope, beginning on the left of the one who has acted last.

    Every player is asked: skipping players without a Nope would tell the others. After a Nope all are asked again,
    so that it can be noped too; when all have passed, the play takes effect after an even number of Nopes.

    Attributes:
        player: whose play it is.
        play: what takes effect.
        last: who laid down the play or the last Nope.
        asked: who is asked now.
        nopes: how many Nopes have been played.
        closed: whether all have passed.
    """

    def __init__(self, player: i64, play: Play, asked: i64) -> None:
        """Take the play of ``player``, and who is asked first."""
        self.player = player
        self.play = play
        self.last = player
        self.asked = asked
        self.nopes: i64 = 0
        self.closed: bool = False

    def copy(self) -> NopeWindow:
        """Copy everything."""
        other = NopeWindow(self.player, self.play, self.asked)
        other.last = self.last
        other.nopes = self.nopes
        other.closed = self.closed
        return other

    def current_player(self, state: ExplodingKittensState) -> i64:
        """Return who is asked."""
        return self.asked

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return passing and, for who holds one, the Nope."""
        can = state.count(self.asked, NOPE) > 0
        return [DO_NOTHING, NOPE_IT] if can else [DO_NOTHING]

    def after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next player; when all have passed, let the play take effect unless it is noped."""
        following = state.next_alive(self.asked)
        if action is NOPE_IT:
            self.nopes += 1
            self.last = self.asked
            self.asked = following
        elif self.asked == self.last or (following == self.last and not state.nope_own):
            self.closed = True
            if self.nopes % 2 == 0:
                self.play.resolve(state, self.player, rng)
        else:
            self.asked = following

    def is_complete(self, state: ExplodingKittensState) -> bool:
        """Say whether all have passed."""
        return self.closed


def open_window(state: ExplodingKittensState, player: i64, play: Play) -> None:
    """Let the others react to ``play`` of ``player``, beginning on the left."""
    state.start_sequence(NopeWindow(player, play, state.next_alive(player)))


# --- choices ---------------------------------------------------------------------------------------------------------


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
    """Name the card that three of a kind are to take; all players hear it."""

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
        """Take it, which all players see."""
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
class Choice(ExtendedSequence[ExplodingKittensState]):
    """One decision of one player.

    Attributes:
        player: who decides.
        decided: whether the choice is made.
    """

    def __init__(self, player: i64, decided: bool = False) -> None:
        self.player = player
        self.decided = decided

    def current_player(self, state: ExplodingKittensState) -> i64:
        """Return who decides."""
        return self.player

    def after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        """Take note of the choice."""
        self.decided = True

    def is_complete(self, state: ExplodingKittensState) -> bool:
        """Say whether the choice is made."""
        return self.decided


@mypyc_attr(allow_interpreted_subclasses=True)
class Giving(Choice):
    """A favor: the giver chooses a card for the player ``taker``."""

    def __init__(self, giver: i64, taker: i64, decided: bool = False) -> None:
        super().__init__(giver, decided)
        self.taker = taker

    def copy(self) -> Giving:
        """Copy everything."""
        return Giving(self.player, self.taker, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return the giver's cards."""
        first = _key(self.player, self.taker, 0)
        return [GIVES[first + kind] for kind in range(DEFUSE, N_KINDS) if state.count(self.player, kind)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Naming(Choice):
    """Three of a kind: their player names a card, which the player ``victim`` is to give."""

    def __init__(self, player: i64, victim: i64, decided: bool = False) -> None:
        super().__init__(player, decided)
        self.victim = victim

    def copy(self) -> Naming:
        """Copy everything."""
        return Naming(self.player, self.victim, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return all cards that can be in a hand."""
        return DEMANDS[self.victim][:]


@mypyc_attr(allow_interpreted_subclasses=True)
class Retrieving(Choice):
    """Five different cards: their player takes a card from the discards."""

    def copy(self) -> Retrieving:
        """Copy everything."""
        return Retrieving(self.player, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return the cards in the discards, except kittens."""
        return [RETRIEVES[kind] for kind in range(DEFUSE, N_KINDS) if count(state.discards, kind)]


@mypyc_attr(allow_interpreted_subclasses=True)
class Defusing(Choice):
    """A kitten drawn by a player with a Defuse."""

    def copy(self) -> Defusing:
        """Copy everything."""
        return Defusing(self.player, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return all places in the pile, and exploding."""
        return [*REINSERTS[self.player][: len(state.deck) + 1], EXPLODE]


@mypyc_attr(allow_interpreted_subclasses=True)
class Laying(ExtendedSequence[ExplodingKittensState]):
    """Five different cards: their player lays them down one by one, in the order of their kinds.

    Attributes:
        player: who lays them down.
        play: what they do together.
        laid: how many lie there.
        highest: the kind of the last one.
    """

    def __init__(self, player: i64, play: Play, laid: i64 = 0, highest: i64 = 0) -> None:
        self.player = player
        self.play = play
        self.laid = laid
        self.highest = highest

    def copy(self) -> Laying:
        """Copy everything."""
        return Laying(self.player, self.play, self.laid, self.highest)

    def current_player(self, state: ExplodingKittensState) -> i64:
        """Return who lays them down."""
        return self.player

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        """Return the cards after the last one that leave enough others to go on with."""
        kind = self.highest + 1
        left = counts(state.hand(self.player)) >> (4 * kind)
        choices = different(left) - (FIVE - self.laid) + 1
        found: list[AnyAction] = []
        while choices > 0:
            if left & 15:
                found.append(LAYS[kind])
                choices -= 1
            left >>= 4
            kind += 1
        return found

    def after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        """Count the card; after the fifth the others can react."""
        self.laid += 1
        self.highest = cast("Lay", action).kind
        if self.laid == FIVE:
            open_window(state, self.player, self.play)

    def is_complete(self, state: ExplodingKittensState) -> bool:
        """Say whether all five lie there."""
        return self.laid == FIVE
