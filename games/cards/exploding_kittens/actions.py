"""The actions of Exploding Kittens, and the decisions that follow from a play or a kitten."""

from __future__ import annotations

from typing import Any, Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Event, ExtendedSequence, Rng, Vocabulary, interned
from tag.engine.state import DoNothing
from tag.games.cards.exploding_kittens.data import (
    ATTACK,
    DEFUSE,
    EXPLODING_KITTEN,
    FAVOR,
    MAX_PLAYERS,
    N_KINDS,
    NAMES,
    NOPE,
    SEE_THE_FUTURE,
    SHUFFLE,
    SKIP,
    TACOCAT,
    above,
    counts,
    different,
    kind_at,
    unit,
)
from tag.games.cards.exploding_kittens.state import ATTACKED, TURN_ENDS, ExplodingKittensState

#: The number of different cards in the largest combination.
FIVE: Final = 5

#: What is said of a victim whose last card went for a Nope.
_NO_CARD: Final = "{player} has no card left"

#: The most cards that there can be above a kitten, with any parameters.
_DEEPEST: Final = 130


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Action[ExplodingKittensState]):
    """Cards laid down, which take effect unless they are noped; they are lost either way."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay the cards down and let the others react."""
        self.lay(state, state.current_player)
        state.play = self

    def lay(self, state: ExplodingKittensState, player: i64) -> None:
        """Lay the cards of the play down."""

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Let the play of ``player``, which has not been noped, take effect."""
        raise NotImplementedError


class Nope(Action[ExplodingKittensState]):
    """Stop the play, or the Nope, that has just been laid down."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        state.lay_down(state.current_player, NOPE)
        state.nopes += 1

    def __str__(self) -> str:
        return "Nope"


NOPE_IT: Final = interned(Nope())


class Give(Action[ExplodingKittensState]):
    """Give a card away as a favor; only the two players see which."""

    def __init__(self, giver: i64, taker: i64, kind: i64) -> None:
        self.giver = giver
        self.taker = taker
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        state.take_secretly(self.taker, self.giver, self.kind)

    def text(self, state: ExplodingKittensState, viewer: i64) -> str:
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
        if state.count(self.victim, self.kind):
            state.take_openly(player, self.victim, self.kind)
            if state.recording:
                words = f"{{player}} gets {NAMES[self.kind]} from player {self.victim}"
                state.announce(Event("received", player, words=words))
        elif state.recording:
            words = f"{{player}} has no {NAMES[self.kind]}"
            state.announce(Event("missed", self.victim, words=words))

    def __str__(self) -> str:
        return f"demand {NAMES[self.kind]} of player {self.victim}"


class Lay(Action[ExplodingKittensState]):
    """Lay down one of five different cards."""

    def __init__(self, kind: i64) -> None:
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        state.lay_down(state.current_player, self.kind)

    def __str__(self) -> str:
        return f"lay down {NAMES[self.kind]}"


class Retrieve(Action[ExplodingKittensState]):
    """Take a card from the discard pile."""

    def __init__(self, kind: i64) -> None:
        self.kind = kind

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
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
        state.lay_down(self.player, DEFUSE)
        state.exploding = -1
        state.put_back(self.player, self.depth)
        state.phase = TURN_ENDS

    def text(self, state: ExplodingKittensState, viewer: i64) -> str:
        return str(self) if viewer < 0 or viewer == self.player else "defuse, and put the kitten back in secret"

    def __str__(self) -> str:
        return f"defuse, and put the kitten back under {self.depth} cards"


class Explode(Action[ExplodingKittensState]):
    """Keep the Defuse, and explode."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        state.explode(state.current_player)

    def __str__(self) -> str:
        return "explode"


GIVES: Final[list[list[list[AnyAction]]]] = [
    [[interned(Give(giver, taker, kind)) for kind in range(N_KINDS)] for taker in range(MAX_PLAYERS)]
    for giver in range(MAX_PLAYERS)
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
    """One decision of one player."""

    def __init__(self, player: i64, decided: bool = False) -> None:
        self.player = player
        self.decided = decided

    def current_player(self, state: ExplodingKittensState) -> i64:
        return self.player

    def after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        self.decided = True

    def is_complete(self, state: ExplodingKittensState) -> bool:
        return self.decided


@mypyc_attr(allow_interpreted_subclasses=True)
class CardChoice(Choice):
    """One decision for the kind of a card."""

    def actions(self) -> list[AnyAction]:
        """Return the actions by kind."""
        raise NotImplementedError

    def offered(self, state: ExplodingKittensState) -> i64:
        """Return the numbers of cards of each kind to choose from, as `counts` does."""
        raise NotImplementedError

    def n_options(self, offered: i64) -> i64:
        """Return how many of the kinds ``offered`` can be chosen, the lowest ones."""
        return different(offered)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        actions = self.actions()
        offered = self.offered(state)
        return [actions[kind_at(offered, index)] for index in range(self.n_options(offered))]

    def random_action(self, state: ExplodingKittensState, rng: Rng) -> AnyAction:
        """Choose without the list of all: 350 instructions instead of 900."""
        offered = self.offered(state)
        return self.actions()[kind_at(offered, rng.below(self.n_options(offered)))]


@mypyc_attr(allow_interpreted_subclasses=True)
class Giving(CardChoice):
    """A favor: the giver chooses a card for the player ``taker``."""

    def __init__(self, giver: i64, taker: i64, decided: bool = False) -> None:
        super().__init__(giver, decided)
        self.taker = taker

    def copy(self) -> Giving:
        return Giving(self.player, self.taker, self.decided)

    def actions(self) -> list[AnyAction]:
        return GIVES[self.player][self.taker]

    def offered(self, state: ExplodingKittensState) -> i64:
        return counts(state.hand(self.player))


@mypyc_attr(allow_interpreted_subclasses=True)
class Naming(Choice):
    """Three of a kind: their player names a card, which the player ``victim`` is to give."""

    def __init__(self, player: i64, victim: i64, decided: bool = False) -> None:
        super().__init__(player, decided)
        self.victim = victim

    def copy(self) -> Naming:
        return Naming(self.player, self.victim, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        return DEMANDS[self.victim][:]


@mypyc_attr(allow_interpreted_subclasses=True)
class Retrieving(CardChoice):
    """Five different cards: their player takes a card from the discards, but no kitten."""

    def copy(self) -> Retrieving:
        return Retrieving(self.player, self.decided)

    def actions(self) -> list[AnyAction]:
        return RETRIEVES

    def offered(self, state: ExplodingKittensState) -> i64:
        return above(state.discards, EXPLODING_KITTEN)


@mypyc_attr(allow_interpreted_subclasses=True)
class Defusing(Choice):
    """A kitten drawn by a player with a Defuse."""

    def copy(self) -> Defusing:
        return Defusing(self.player, self.decided)

    def available_actions(self, state: ExplodingKittensState) -> list[AnyAction]:
        return [*REINSERTS[self.player][: len(state.deck) + 1], EXPLODE]


@mypyc_attr(allow_interpreted_subclasses=True)
class Laying(CardChoice):
    """Five different cards: their player lays them down one by one, in the order of their kinds.

    Attributes:
        play: what they do together.
        laid: how many lie there.
        highest: the kind of the last one.
    """

    def __init__(self, player: i64, play: Play, laid: i64 = 0, highest: i64 = 0) -> None:
        super().__init__(player)
        self.play = play
        self.laid = laid
        self.highest = highest

    def copy(self) -> Laying:
        return Laying(self.player, self.play, self.laid, self.highest)

    def actions(self) -> list[AnyAction]:
        return LAYS

    def offered(self, state: ExplodingKittensState) -> i64:
        return above(state.hand(self.player), self.highest)

    def n_options(self, offered: i64) -> i64:
        """Return how many cards leave enough others to go on with."""
        return different(offered) - (FIVE - 1 - self.laid)

    def after_action(self, state: ExplodingKittensState, action: AnyAction, rng: Rng) -> None:
        """Count the card; after the fifth the others can react."""
        self.laid += 1
        self.highest = cast("Lay", action).kind
        if self.laid == FIVE:
            self.decided = True
            state.play = self.play


class Draw(Action[ExplodingKittensState]):
    """Draw the top card, which ends the turn."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Draw; a kitten must be defused at once, or explodes."""
        player = state.current_player
        state.draw_card(player, rng.source("deck"))
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
        state.lay_down(player, self.kind)

    def __str__(self) -> str:
        return NAMES[self.kind]


class Attack(Single):
    """End the turn and all others that are due, without drawing; the next player takes two."""

    def __init__(self) -> None:
        super().__init__(ATTACK)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        state.phase = ATTACKED


class Skip(Single):
    """End this turn, without drawing; of an Attack's two turns that is one."""

    def __init__(self) -> None:
        super().__init__(SKIP)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        state.phase = TURN_ENDS


class Shuffle(Single):
    """Shuffle the draw pile."""

    def __init__(self) -> None:
        super().__init__(SHUFFLE)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        state.shuffle_deck()


class SeeTheFuture(Single):
    """Look at the top cards of the draw pile."""

    def __init__(self) -> None:
        super().__init__(SEE_THE_FUTURE)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        state.look(player, state.future_cards, rng.source("deck"))


class Favor(Single):
    """Make another player give a card of that player's choice."""

    def __init__(self, victim: i64) -> None:
        super().__init__(FAVOR)
        self.victim = victim

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Ask the victim, unless the last card went for a Nope."""
        if state.hand(self.victim):
            state.start_sequence(Giving(self.victim, player))
        elif state.recording:
            state.announce(Event("missed", self.victim, words=_NO_CARD))

    def __str__(self) -> str:
        return f"Favor of player {self.victim}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _OfAKind(Play):
    """Equal cards, played together against another player; their instructions do not count."""

    def __init__(self, kind: i64, victim: i64) -> None:
        self.kind = kind
        self.victim = victim


class Pair(_OfAKind):
    """Two equal cards: take a random card of another player."""

    def lay(self, state: ExplodingKittensState, player: i64) -> None:
        state.lay_down(player, self.kind, 2)

    def resolve(self, state: ExplodingKittensState, player: i64, rng: Rng) -> None:
        """Take the card, which only the two players see, unless the last one went for a Nope."""
        if state.hand(self.victim):
            kind = state.random_card(self.victim, rng.source("thefts"))
            state.take_secretly(player, self.victim, kind)
            if state.recording:
                words = f"{{player}} gets {{items}} from player {self.victim}"
                seen_by = 1 << player | 1 << self.victim
                state.announce(Event("received", player, items=(NAMES[kind],), words=words, seen_by=seen_by))
        elif state.recording:
            state.announce(Event("missed", self.victim, words=_NO_CARD))

    def __str__(self) -> str:
        return f"pair of {NAMES[self.kind]} against player {self.victim}"


class Three(_OfAKind):
    """Three equal cards: name a card, and take it if the other player has it."""

    def execute(self, state: ExplodingKittensState, rng: Rng) -> None:
        """Lay all three down; once the card is named, the others can react."""
        player = state.current_player
        state.lay_down(player, self.kind, 3)
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

#: The cards played without a victim, by kind.
_SINGLES: Final[dict[int, AnyAction]] = {
    ATTACK: interned(Attack()),
    SKIP: interned(Skip()),
    SHUFFLE: interned(Shuffle()),
    SEE_THE_FUTURE: interned(SeeTheFuture()),
}


def _plays(kind: int, copies: int, victims: list[int]) -> list[AnyAction]:
    """Return the plays with ``copies`` equal cards: alone, as a pair, as three, against each of ``victims``."""
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


def _table(special_combos: bool) -> list[list[Any]]:
    return [
        _plays(kind, min(copies, 3 if special_combos else 1 if kind < TACOCAT else 2), _members(mask))
        for kind in range(N_KINDS)
        for copies in range(_N_COPIES)
        for mask in range(1 << MAX_PLAYERS)
    ]


def plays_index(kind: i64, copies: i64, victims: i64) -> i64:
    """Return the index in a table of plays of 1 or more ``copies`` of a card, against a mask of ``victims``."""
    if copies >= _N_COPIES:
        copies = _N_COPIES - 1
    return ((kind * _N_COPIES + copies) << MAX_PLAYERS) + victims


def _members(mask: int) -> list[int]:
    return [player for player in range(MAX_PLAYERS) if mask >> player & 1]


#: What can be played with cards of one kind, at the index that `plays_index` gives: without special combos, where only cats
#: are played together and not as three, and with them. No game holds a table, as agents reach what games hold. The plays
#: are of any type, as compiled code would check those of a list of actions one by one.
PLAYS: Final = [_table(special_combos=False), _table(special_combos=True)]


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
