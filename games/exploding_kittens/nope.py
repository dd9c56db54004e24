"""Plays that can be stopped, and the Nopes that stop them."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.cards import NOPE
from games.exploding_kittens.state import ExplodingKittensState
from tag.action import DO_NOTHING, Action, AnyAction, interned
from tag.rng import Rng
from tag.sequence import ExtendedSequence
from tag.state import GameState


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
class NopeWindow(ExtendedSequence):
    """Asks everybody in turn whether they nope, beginning on the left of who has acted last.

    Everybody is asked: skipping players without a Nope would tell the others. After a Nope everybody is asked again,
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

    def current_player(self, state: GameState) -> i64:
        """Return who is asked."""
        return self.asked

    def available_actions(self, state: GameState) -> list[AnyAction]:
        """Return passing and, for who holds one, the Nope."""
        can = cast("ExplodingKittensState", state).count(self.asked, NOPE) > 0
        return [DO_NOTHING, NOPE_IT] if can else [DO_NOTHING]

    def after_action(self, state: GameState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next player; when all have passed, let the play take effect unless it is noped."""
        table = cast("ExplodingKittensState", state)
        following = table.next_alive(self.asked)
        if action is NOPE_IT:
            self.nopes += 1
            self.last = self.asked
            self.asked = following
        elif self.asked == self.last or (following == self.last and not table.nope_own):
            self.closed = True
            if self.nopes % 2 == 0:
                self.play.resolve(table, self.player, rng)
        else:
            self.asked = following

    def is_complete(self, state: GameState) -> bool:
        """Say whether all have passed."""
        return self.closed


def open_window(state: ExplodingKittensState, player: i64, play: Play) -> None:
    """Let the others react to ``play`` of ``player``, beginning on the left."""
    state.start_sequence(NopeWindow(player, play, state.next_alive(player)))
