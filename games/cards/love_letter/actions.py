"""The actions of Love Letter: playing each of the eight cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, AnyAction, Event, Rng, Vocabulary, interned
from tag.games.cards.love_letter.data import (
    BARON,
    BITS,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    N_KINDS,
    NAMES,
    NO_CARD,
    PRIEST,
    PRINCE,
    PRINCESS,
    up_to,
)
from tag.games.cards.love_letter.state import LoveLetterState

#: The target of cards that have none, or can have none because all others are protected.
NO_TARGET: Final = -1

MAX_PLAYERS: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(Action[LoveLetterState]):
    """Play a card; all players see card, target and guess."""

    def __init__(self, card: i64, target: i64) -> None:
        """Name the card and the target, `NO_TARGET` for none."""
        self.card = card
        self.target = target

    def execute(self, state: LoveLetterState, rng: Rng) -> None:
        state.play_card(self.card)
        self._apply(state, state.current_player)

    def _apply(self, state: LoveLetterState, player: i64) -> None:
        """Apply the effect of the card that ``player`` has just laid down."""
        raise NotImplementedError

    def __str__(self) -> str:
        return NAMES[self.card] if self.target == NO_TARGET else f"{NAMES[self.card]} on player {self.target}"


@mypyc_attr(allow_interpreted_subclasses=True)
class _Targeted(Play):
    """A card with a target, or without effect where all others are protected."""

    def _apply(self, state: LoveLetterState, player: i64) -> None:
        if self.target != NO_TARGET:
            self._strike(state, player, self.target)

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        raise NotImplementedError


class Guard(_Targeted):
    """Name a card other than the Guard: a target who holds it is out."""

    def __init__(self, target: i64, guess: i64) -> None:
        """Name target and guess; the guess is 0 where there is no target."""
        super().__init__(GUARD, target)
        self.guess = guess

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        if state.hands[target] == self.guess:
            state.eliminate(target, f"player {player} has named the {NAMES[self.guess]}" if state.recording else "")
        else:
            state.bar(target, BITS[self.guess])
            if state.recording:
                words = f"{{player}} does not hold the {NAMES[self.guess]}"
                state.announce(Event("missed", target, items=(NAMES[self.guess],), words=words))

    def __str__(self) -> str:
        return super().__str__() + (f" ({NAMES[self.guess]}?)" if self.guess else "")


class Priest(_Targeted):
    """Look at the target's hand."""

    def __init__(self, target: i64) -> None:
        super().__init__(PRIEST, target)

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        state.show(target, player)
        if state.recording:
            state.announce_hand(target, player)


class Baron(_Targeted):
    """Compare hands with the target in secret: the lower one is out, and nothing happens on a tie."""

    def __init__(self, target: i64) -> None:
        super().__init__(BARON, target)

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        mine, theirs = state.hands[player], state.hands[target]
        state.show(player, target)
        state.show(target, player)
        if state.recording:
            state.announce_hand(target, player)
            state.announce_hand(player, target)
        if mine == theirs:
            state.tie(player, target)
            if state.recording:
                words = f"{{player}} and player {target} hold the same card"
                state.announce(Event("tied", player, places=state.all_hands(), words=words))
            return
        winner, loser = (player, target) if mine > theirs else (target, player)
        state.eliminate(loser, f"player {winner} holds a higher card" if state.recording else "")
        state.bar(winner, up_to(min(mine, theirs)))


class Handmaid(Play):
    """Be protected from all others until the own next turn."""

    def __init__(self) -> None:
        super().__init__(HANDMAID, NO_TARGET)

    def _apply(self, state: LoveLetterState, player: i64) -> None:
        state.protected |= 1 << player
        if state.recording:
            state.announce(Event("protected", player, words="{player} is protected until the own next turn"))


class Prince(_Targeted):
    """Make the target (oneself allowed) discard the hand without effect and draw another; the Princess knocks out."""

    def __init__(self, target: i64) -> None:
        super().__init__(PRINCE, target)

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        card = state.discard(target)
        if state.recording:
            places = (*state.all_hands(), f"discards of {target}")
            state.announce(Event("discarded", target, float(card), (NAMES[card],), places))
        if card == PRINCESS:
            state.eliminate(target, "the Princess was discarded" if state.recording else "")
        else:
            state.draw(target)
            if state.recording:
                source = "removed" if state.removed == NO_CARD else "deck"
                state.announce_drawn(target, state.hands[target], source)


class King(_Targeted):
    """Trade hands with the target."""

    def __init__(self, target: i64) -> None:
        super().__init__(KING, target)

    def _strike(self, state: LoveLetterState, player: i64, target: i64) -> None:
        state.trade(player, target)
        if state.recording:
            words = f"{{player}} and player {target} trade hands"
            state.announce(Event("traded", player, places=state.all_hands(), words=words))


class Countess(Play):
    """Do nothing; she must be played by who holds her with the King or a Prince."""

    def __init__(self) -> None:
        super().__init__(COUNTESS, NO_TARGET)

    def _apply(self, state: LoveLetterState, player: i64) -> None:
        """Have no effect."""


class Princess(Play):
    """Be out of the round."""

    def __init__(self) -> None:
        super().__init__(PRINCESS, NO_TARGET)

    def _apply(self, state: LoveLetterState, player: i64) -> None:
        state.eliminate(player, "the Princess was played" if state.recording else "")


_ALONE: Final[dict[int, Play]] = {HANDMAID: Handmaid(), COUNTESS: Countess(), PRINCESS: Princess()}
_AGAINST: Final[dict[int, Callable[[int], Play]]] = {PRIEST: Priest, BARON: Baron, PRINCE: Prince, KING: King}


def _guards(target: int) -> list[AnyAction]:
    guesses = [0] if target == NO_TARGET else range(PRIEST, PRINCESS + 1)
    return [interned(Guard(target, guess)) for guess in guesses]


def _plays(card: int, targets: int) -> list[AnyAction]:
    """Return the ways to play ``card`` where it may be played against the players of the mask ``targets``."""
    if card in _ALONE:
        return [interned(_ALONE[card])]
    chosen = [target for target in range(MAX_PLAYERS) if targets >> target & 1] or [NO_TARGET]
    if card == GUARD:
        return [guard for target in chosen for guard in _guards(target)]
    return [interned(_AGAINST[card](target)) for target in chosen]


#: The ways to play a card against the players of a mask, at ``card << MAX_PLAYERS | mask``; no lists to be changed.
PLAYS: Final[list[list[AnyAction]]] = [
    _plays(card, targets) if card else [] for card in range(N_KINDS + 1) for targets in range(1 << MAX_PLAYERS)
]

NO_PLAYS: Final[list[AnyAction]] = []


def vocabulary(n_players: int) -> Vocabulary:
    """Return all actions of a game; where all others are protected, cards are played without a target."""
    players, targets = range(n_players), range(NO_TARGET, n_players)
    return Vocabulary(
        Actions(Guard, target=players, guess=range(PRIEST, PRINCESS + 1)),
        Actions(Guard, target=[NO_TARGET], guess=[0]),
        Actions(Priest, target=targets),
        Actions(Baron, target=targets),
        Actions(Handmaid),
        Actions(Prince, target=players),
        Actions(King, target=targets),
        Actions(Countess),
        Actions(Princess),
    )
