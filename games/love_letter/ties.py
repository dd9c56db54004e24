"""Ties under the Baron: two hands were equal, and everybody saw that, but only the two players saw the card."""

from __future__ import annotations

from typing import Any, Final, final

from mypy_extensions import i64

from games.love_letter.cards import N_KINDS

#: The set that holds one card, by card; sets of cards have bit ``card`` set for each card.
BITS: Final[list[int]] = [1 << card for card in range(N_KINDS + 1)]
#: The set of all cards.
ALL_CARDS: Final = (1 << (N_KINDS + 1)) - 2


@final
class Tie:
    """What everybody knows of two hands that were equal; treated as immutable, and shared by copies of a state.

    A side is the card that one of the two players held. Its holder may have laid it down since: nobody else can tell a card
    from the hand from one just drawn.

    Attributes:
        holders: who holds each side's hand.
        laid: for each side, the set of cards that may be the tied one and were laid down since; 0 while it is held.
        held: for each side, the set of cards that the tied one may be if it is still held.
    """

    def __init__(self, holders: tuple[int, int], laid: tuple[int, int], held: tuple[int, int]) -> None:
        self.holders = holders
        self.laid = laid
        self.held = held

    def copy(self) -> Tie:
        """Return the same for an observation, which is its player's to change."""
        return Tie(self.holders, self.laid, self.held)

    @property
    def is_whole(self) -> bool:
        """Say whether both hands are still held, and so are equal."""
        return self.laid[0] == 0 and self.laid[1] == 0

    def side_of(self, player: i64) -> i64:
        """Return the side, 0 or 1, that ``player`` holds, or -1."""
        if self.holders[0] == player:
            return 0
        return 1 if self.holders[1] == player else -1

    def is_possible(self, hands: list[int]) -> bool:
        """Say whether ``hands`` may have come of it: one card may be the tied one of both sides."""
        one = self.laid[0] | (BITS[hands[self.holders[0]]] & self.held[0])
        other = self.laid[1] | (BITS[hands[self.holders[1]]] & self.held[1])
        return one & other != 0

    def after_play(self, side: i64, card: i64, barred: i64) -> Tie | None:
        """Return what is left after ``card`` was laid down from ``side``, which held none of the set ``barred``.

        None is left once both sides may have laid the tied card down.
        """
        held: i64 = self.held[side] & ~barred
        laid = self.laid[side] | (BITS[card] & held)
        other = 1 - side
        if laid & self.laid[other]:
            return None
        both_laid = (int(laid), self.laid[1]) if side == 0 else (self.laid[0], int(laid))
        both_held = (int(held), self.held[1]) if side == 0 else (self.held[0], int(held))
        return Tie(self.holders, both_laid, both_held)

    def after_trade(self, player: i64, other: i64) -> Tie:
        """Return what is left after two players have traded hands."""
        one, two = self.holders
        return Tie((_traded(one, player, other), _traded(two, player, other)), self.laid, self.held)

    def barred_by(self, side: i64, candidates: i64) -> i64:
        """Return the set of cards that the hand of ``side`` cannot be if the other side's tied card is in ``candidates``."""
        if self.laid[side] == 0:
            return ALL_CARDS & ~candidates
        return 0 if self.laid[side] & candidates else ALL_CARDS & ~(candidates & self.held[side])

    def key(self) -> tuple[object, ...]:
        """Return all fields."""
        return (self.holders, self.laid, self.held)

    def __reduce__(self) -> Any:
        """Pickle by the fields."""
        return (Tie, (self.holders, self.laid, self.held))


def up_to(card: i64) -> i64:
    """Return the set of all cards as low as ``card`` or lower."""
    return 2 * BITS[card] - 2


def _traded(holder: int, player: i64, other: i64) -> int:
    """Return who holds the hand of ``holder`` after a trade."""
    if holder == player:
        return int(other)
    return int(player) if holder == other else holder
