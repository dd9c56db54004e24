"""The actions of Poker: fold, check, call, raises by share of the pot, all-in.

A first bet in a round of betting is a raise of nothing.
"""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag import Action, Actions, Rng, Vocabulary
from tag.games.cards.poker.data import SIZES
from tag.games.cards.poker.state import PokerState


class Fold(Action[PokerState]):
    """Give the hand up."""

    def execute(self, state: PokerState, rng: Rng) -> None:
        state.fold(state.current_player)

    def __str__(self) -> str:
        return "fold"


class Check(Action[PokerState]):
    """Put no chip in where none is owed."""

    def execute(self, state: PokerState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        return "check"


class Call(Action[PokerState]):
    """Put in the chips owed, or all that are left."""

    def execute(self, state: PokerState, rng: Rng) -> None:
        player = state.current_player
        state.pay(player, state.owed(player))
        if state.recording:
            state.announce_payment(player, "")

    def text(self, state: PokerState, viewer: i64) -> str:
        player = state.current_player
        return f"call {min(state.owed(player), state.stacks[player])}"

    def __str__(self) -> str:
        return "call"


@mypyc_attr(allow_interpreted_subclasses=True)
class _Wager(Action[PokerState]):
    """Put in more than is owed."""

    def total(self, state: PokerState) -> i64:
        """Return the chips that the player will have put in in this hand."""
        raise NotImplementedError

    def execute(self, state: PokerState, rng: Rng) -> None:
        state.raise_to(state.current_player, self.total(state))
        if state.recording:
            state.announce_payment(state.current_player, "")

    def text(self, state: PokerState, viewer: i64) -> str:
        """Name the chips put in in this round of betting."""
        chips = self.total(state) - state.matched
        return f"raise to {chips} ({self})" if state.to_match > state.matched else f"bet {chips} ({self})"


class Raise(_Wager):
    """Raise by so many percent of the pot, as it is after a call; 0 is the smallest raise."""

    def __init__(self, percent: i64) -> None:
        self.percent = percent

    def total(self, state: PokerState) -> i64:
        return state.raised(state.current_player, self.percent)

    def __str__(self) -> str:
        return f"raise by {self.percent} % of the pot" if self.percent else "smallest raise"


class AllIn(_Wager):
    """Raise by all chips, or by the most that another player can still call."""

    def total(self, state: PokerState) -> i64:
        return state.most(state.current_player)

    def __str__(self) -> str:
        return "all-in"


def vocabulary(raises: str) -> Vocabulary:
    """Return all actions of a game with these sizes of raises."""
    simple = [Actions(Fold), Actions(Check), Actions(Call), Actions(AllIn)]
    sizes = SIZES[raises]
    return Vocabulary(*simple, Actions(Raise, percent=sizes)) if sizes else Vocabulary(*simple)
