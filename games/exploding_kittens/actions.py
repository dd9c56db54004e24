"""The actions of a turn: draw, or play a card, a pair, three of a kind or five different cards."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.data import (
    ATTACK,
    DEFUSE,
    FAVOR,
    MAX_PLAYERS,
    N_KINDS,
    NAMES,
    SEE_THE_FUTURE,
    SHUFFLE,
    SKIP,
)
from games.exploding_kittens.sequences import (
    Defusing,
    Demand,
    Explode,
    Give,
    Giving,
    Lay,
    Laying,
    Naming,
    Nope,
    Play,
    Reinsert,
    Retrieve,
    Retrieving,
)
from games.exploding_kittens.state import ATTACKED, TURN_ENDS, ExplodingKittensState
from tag import Action, Actions, AnyAction, Rng, Vocabulary, interned
from tag.engine.action import DoNothing


class Draw(Action[ExplodingKittensState]):
    """Draw the top card, which ends the turn."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Draw; a kitten must be defused at once, or explodes."""
        player = state.current_player
        state.draw_card(player)
        if state.exploding < 0:
            state.phase = TURN_ENDS
        elif state.count(player, DEFUSE):
            state.start_sequence(Defusing(player))
        else:
            state.explode(player)

    def __str__(self) -> str:
        return "draw"


@mypyc_attr(allow_interpreted_subclasses=True)
class Single(Play):
    """A card with instructions, played for them."""

    def __init__(self, kind: i64) -> None:
        self.kind = kind

    def lay(self, state: ExplodingKittensState, player: i64) -> None:
        """Lay the card down."""
        state.lay_down(player, self.kind)

    def __str__(self) -> str:
        return NAMES[self.kind]


class Attack(Single):
    """End the turn and all others that are due, without drawing; the next player takes two."""

    def __init__(self) -> None:
        super().__init__(ATTACK)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Have the next player attacked."""
        state.phase = ATTACKED


class Skip(Single):
    """End this turn, without drawing; of an Attack's two turns that is one."""

    def __init__(self) -> None:
        super().__init__(SKIP)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """End the turn."""
        state.phase = TURN_ENDS


class Shuffle(Single):
    """Shuffle the draw pile."""

    def __init__(self) -> None:
        super().__init__(SHUFFLE)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Shuffle."""
        state.shuffle_deck(rng)


class SeeTheFuture(Single):
    """Look at the top cards of the draw pile."""

    def __init__(self) -> None:
        super().__init__(SEE_THE_FUTURE)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Look."""
        state.look(player, state.future_cards)


class Favor(Single):
    """Make another player give a card of that player's choice.

    Attributes:
        victim: who gives.
    """

    def __init__(self, victim: i64) -> None:
        super().__init__(FAVOR)
        self.victim = victim

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Ask the victim, unless the last card went for a Nope."""
        if state.hand(self.victim):
            state.start_sequence(Giving(self.victim, player))

    def __str__(self) -> str:
        return f"Favor of player {self.victim}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _OfAKind(Play):
    """Equal cards, played together against another player; their instructions do not count.

    Attributes:
        kind: the cards.
        victim: the other player.
    """

    def __init__(self, kind: i64, victim: i64) -> None:
        self.kind = kind
        self.victim = victim


class Pair(_OfAKind):
    """Two equal cards: take a random card of another player."""

    def lay(self, state: ExplodingKittensState, player: i64) -> None:
        """Lay both down."""
        state.lay_down(player, self.kind)
        state.lay_down(player, self.kind)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Take the card, which only the two players see, unless the last one went for a Nope."""
        if state.hand(self.victim):
            state.take_secretly(player, self.victim, state.random_card(self.victim, rng))

    def __str__(self) -> str:
        return f"pair of {NAMES[self.kind]} against player {self.victim}"


class Three(_OfAKind):
    """Three equal cards: name a card, and take it if the other player has it."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay all three down; once the card is named, the others can react."""
        player = state.current_player
        for _card in range(3):
            state.lay_down(player, self.kind)
        state.start_sequence(Naming(player, self.victim))

    def __str__(self) -> str:
        return f"three {NAMES[self.kind]} against player {self.victim}"


class FiveDifferent(Play):
    """Five different cards: take any card from the discard pile."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Choose the cards; once they lie there, the others can react."""
        state.start_sequence(Laying(state.current_player, self))

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Choose from the discards, these five included."""
        state.start_sequence(Retrieving(player))

    def __str__(self) -> str:
        return "five different cards"


DRAW: Final[AnyAction] = interned(Draw())
FIVE_DIFFERENT: Final[AnyAction] = interned(FiveDifferent())

#: The kinds of which one card can be played, as a mask.
ALONE: Final = 1 << ATTACK | 1 << SKIP | 1 << FAVOR | 1 << SHUFFLE | 1 << SEE_THE_FUTURE

#: The cards played without a victim, by kind.
_SINGLES: Final[dict[int, AnyAction]] = {
    ATTACK: interned(Attack()),
    SKIP: interned(Skip()),
    SHUFFLE: interned(Shuffle()),
    SEE_THE_FUTURE: interned(SeeTheFuture()),
}


def _plays(kind: int, copies: int, victims: list[int]) -> list[AnyAction]:
    """Return what can be played with ``copies`` equal cards: alone, as a pair, as three, against each of ``victims``."""
    found: list[AnyAction] = []
    if kind in _SINGLES:
        found.append(_SINGLES[kind])
    if kind == FAVOR:
        found.extend([interned(Favor(victim)) for victim in victims])
    if copies >= 2:
        found.extend([interned(Pair(kind, victim)) for victim in victims])
    if copies >= 3:
        found.extend([interned(Three(kind, victim)) for victim in victims])
    return found


#: The largest number of equal cards that are played together, and one.
_N_COPIES: Final = 4

#: What can be played with cards of one kind, see `append_plays`.
_PLAYS: Final[list[list[AnyAction]]] = [
    _plays(kind, copies, [player for player in range(MAX_PLAYERS) if mask >> player & 1])
    for kind in range(N_KINDS)
    for copies in range(_N_COPIES)
    for mask in range(1 << MAX_PLAYERS)
]


def append_plays(found: list[AnyAction], kind: i64, copies: i64, victims: i64) -> None:
    """Append to ``found`` what can be played with 1 to 3 ``copies`` of a card against a mask of ``victims``."""
    for play in _PLAYS[((kind * _N_COPIES + copies) << MAX_PLAYERS) + victims]:
        found.append(play)  # noqa: PERF402  compiled, `extend` is slower: most of these lists have one item or none


def vocabulary(n_players: int, n_cards: int) -> Vocabulary:
    """Return all actions of a game; a kitten goes back under some of the ``n_cards`` that can be in the pile."""
    players, kinds = range(n_players), range(DEFUSE, N_KINDS)
    return Vocabulary(
        Actions(Draw),
        *[Actions(single) for single in (Attack, Skip, Shuffle, SeeTheFuture)],
        Actions(Favor, victim=players),
        Actions(Pair, kind=kinds, victim=players),
        Actions(Three, kind=kinds, victim=players),
        Actions(FiveDifferent),
        Actions(Nope),
        Actions(DoNothing),
        Actions(Give, giver=players, taker=players, kind=kinds),
        Actions(Demand, victim=players, kind=kinds),
        Actions(Lay, kind=kinds),
        Actions(Retrieve, kind=kinds),
        Actions(Reinsert, player=players, depth=range(n_cards + 1)),
        Actions(Explode),
    )
