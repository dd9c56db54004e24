"""Decks: piles, hands, discards, supplies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.components._containers import Container, T
from tag.components._visibility import (
    BOTTOM_VISIBLE_TO_ALL,
    MIXED_VISIBILITY,
    TOP_VISIBLE_TO_ALL,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    sees,
)
from tag.engine.rng import Rng
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

U = TypeVar("U")

#: All players, as a set of bits.
EVERYBODY: Final = -1


@mypyc_attr(allow_interpreted_subclasses=True)
class Deck(Container[T]):
    """A pile in order over one list, from the bottom (index 0) to the top (the end of the list).

    Examples:
        >>> from tag.components import HIDDEN_TO_ALL
        >>> deck = Deck("pile", ["ace", "king", "queen"], visibility=HIDDEN_TO_ALL)
        >>> deck.draw(), deck.draw_bottom()
        ('queen', 'ace')
        >>> deck.add("jack")
        >>> len(deck), deck.text(0), deck.text(-1)
        (2, '?, ?', 'king, jack')

    Attributes:
        items: the list.
    """

    __slots__ = ("items",)
    items: list[T]

    def __init__(
        self,
        name: str,
        items: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
        back: str = "card",
    ) -> None:
        """Take the list of ``items``, bottom first."""
        super().__init__(name, back, owner, visibility)
        self.items = items

    def copy(self) -> Deck[T]:
        """Copy the list; the items are shared."""
        return Deck(self.name, self.items[:], self.owner, self.visibility, self.back)

    def contents(self) -> list[T]:
        """Return the list itself."""
        return self.items

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def is_item_visible(self, index: i64, player: i64) -> bool:
        """Say whether ``player`` sees the item at ``index``, by the deck's visibility."""
        if self.visibility == TOP_VISIBLE_TO_ALL and index == len(self.items) - 1:
            return True
        if self.visibility == BOTTOM_VISIBLE_TO_ALL and index == 0:
            return True
        return self.is_visible_to(player)

    def seen_by(self, index: i64) -> int:
        """Return the players who see the item at ``index``, as a set of bits (all ones for all players)."""
        if self.visibility == VISIBLE_TO_OWNER:
            return 1 << int(self.owner) if self.owner >= 0 else 0
        return EVERYBODY if self.is_item_visible(index, 0) else 0

    def draw(self) -> T:
        """Take the top item.

        Raises:
            ContractError: the deck is empty.
        """
        return self.take(len(self.items) - 1)

    def draw_bottom(self) -> T:
        """Take the bottom item.

        Raises:
            ContractError: the deck is empty.
        """
        return self.take(0)

    def add(self, item: T) -> None:
        """Put ``item`` on top."""
        self.insert(len(self.items), item)

    def add_bottom(self, item: T) -> None:
        """Put ``item`` under the deck."""
        self.insert(0, item)

    def take(self, index: i64) -> T:
        """Take the item at ``index``.

        Raises:
            ContractError: there is no such item.
        """
        self.check_index(index)
        return self.items.pop(int(index))

    def insert(self, index: i64, item: T, seen: int = 0) -> None:
        """Put ``item`` at ``index``; ``seen`` are the players who know it as bits, which a plain deck does not keep."""
        self.items.insert(int(index), item)

    def check_index(self, index: i64) -> None:
        """Raise `ContractError` where there is no item at ``index``."""
        if not 0 <= index < len(self.items):
            raise ContractError(f"deck {self.name!r} has no item {index}; it holds {len(self.items)}")

    def shuffle(self, rng: Rng) -> None:
        """Bring the items into random order."""
        rng.shuffle(self.items)

    def permute_top(self, order: Sequence[int], player: i64) -> None:
        """Let ``player`` rearrange the top items: place i from the top gets what was at ``order[i]`` from the top.

        Examples:
            >>> deck = Deck("pile", ["low", "middle", "top"])
            >>> deck.permute_top([1, 0], 0)
            >>> deck.contents()
            ['low', 'top', 'middle']
        """
        self.check_index(len(self.items) - len(order))
        permute(self.items, order)


@mypyc_attr(allow_interpreted_subclasses=True)
class PartiallyObservableDeck(Deck[T]):
    """A deck in which each item has its own set of players who know it.

    Its visibility is mixed. ``shows`` decides who gets to know an added item (all, none or the owner); players who knew it
    before go on knowing it. After a shuffle, each item is known only to the players whom ``shows`` names.

    Examples:
        >>> from tag.components import HIDDEN_TO_ALL
        >>> deck = PartiallyObservableDeck("pile", ["ace", "king"], n_players=2, visibility=HIDDEN_TO_ALL)
        >>> deck.show(1, 0)
        >>> deck.text(0), deck.text(1)
        ('?, king', '?, ?')

    Attributes:
        n_players: the number of players.
        shows: the visibility of items that are added.
        seen: for each item the players who know it, as bits.
    """

    __slots__ = ("n_players", "seen", "shows")
    n_players: i64
    shows: i64
    seen: list[int]

    def __init__(
        self,
        name: str,
        items: list[T],
        n_players: i64,
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
        back: str = "card",
        seen: list[int] | None = None,
    ) -> None:
        """Take the list of ``items``, bottom first; ``visibility`` holds for them and for items added later.

        Where ``seen`` is given, it says who knows each of the items, and ``visibility`` is for those added later.

        Raises:
            ContractError: the visibility is not to all, to none or to the owner.
        """
        super().__init__(name, items, owner, MIXED_VISIBILITY, back)
        if visibility > VISIBLE_TO_OWNER:
            raise ContractError(f"deck {name!r} can show items to all, to none or to its owner")
        self.n_players = n_players
        self.shows = visibility
        self.seen = [self.shown() for _item in items] if seen is None else seen

    def shown(self) -> int:
        """Return the players who see added items, as bits."""
        if self.shows == VISIBLE_TO_ALL:
            return (1 << int(self.n_players)) - 1
        return 1 << int(self.owner) if self.shows == VISIBLE_TO_OWNER and self.owner >= 0 else 0

    def copy(self) -> PartiallyObservableDeck[T]:
        """Copy both lists; the items are shared."""
        items, seen = self.items[:], self.seen[:]
        return PartiallyObservableDeck(self.name, items, self.n_players, self.owner, self.shows, self.back, seen)

    def is_item_visible(self, index: i64, player: i64) -> bool:
        """Say whether ``player`` knows the item at ``index``."""
        return sees(self.seen[index], player)

    def seen_by(self, index: i64) -> int:
        """Return the players who know the item at ``index``, as bits."""
        return self.seen[index]

    def show(self, index: i64, player: i64) -> None:
        """Let ``player`` (-1 for all) see the item at ``index``."""
        self.seen[index] |= (1 << int(self.n_players)) - 1 if player < 0 else 1 << int(player)

    def show_items(self, items: list[T], player: i64) -> None:
        """Let ``player`` see all of ``items``, of equal ones as many as there are in the list."""
        for item in items:
            for index in range(len(self.items)):
                if self.items[index] == item and not self.is_item_visible(index, player):
                    self.show(index, player)
                    break

    def hide(self, index: i64, player: i64) -> None:
        """Let ``player`` (-1 for all) forget the item at ``index``."""
        self.seen[index] &= 0 if player < 0 else ~(1 << int(player))

    def take(self, index: i64) -> T:
        """Take the item at ``index``.

        Raises:
            ContractError: there is no such item.
        """
        self.check_index(index)
        self.seen.pop(int(index))
        return self.items.pop(int(index))

    def insert(self, index: i64, item: T, seen: int = 0) -> None:
        """Put ``item`` at ``index``, known to ``seen`` and to the players to whom the deck shows it."""
        self.items.insert(int(index), item)
        self.seen.insert(int(index), (seen & ((1 << int(self.n_players)) - 1)) | self.shown())

    def shuffle(self, rng: Rng) -> None:
        """Bring the items into random order, which no player can follow."""
        rng.shuffle(self.items)
        self.seen = [self.shown() for _item in self.items]

    def permute_top(self, order: Sequence[int], player: i64) -> None:
        """Let ``player`` rearrange the top items; then the players to whom the deck shows items know them.

        So does ``player``, if all of them were known before. Others lose their knowledge of single items.
        """
        first = len(self.items) - len(order)
        self.check_index(first)
        permute(self.items, order)
        known = 1 << int(player)
        for mask in self.seen[first:]:
            known &= mask
        self.seen[first:] = [known | self.shown() for _moved in order]

    def known_to(self, player: i64) -> Hashable:
        """Return the items known to ``player``, and the players who know each item, which is public."""
        return (super().known_to(player), tuple(self.seen))


def permute(items: list[U], order: Sequence[int]) -> None:
    """Rearrange the end of ``items``: place i from the end gets what was at ``order[i]`` from the end."""
    moved = [items[-1 - old] for old in order]
    for place in range(len(moved)):
        items[-1 - place] = moved[place]


def move_item(source: Deck[Any], index: i64, target: Deck[Any]) -> None:
    """Move the item at ``index`` of ``source`` onto ``target``; players who saw it go on knowing it.

    Examples:
        >>> hand, pile = Deck("hand", ["ace", "king"], owner=0), Deck("discards", ["queen"])
        >>> move_item(hand, 0, pile)
        >>> hand.contents(), pile.contents()
        (['king'], ['queen', 'ace'])

    Raises:
        ContractError: there is no such item.
    """
    source.check_index(index)
    seen = source.seen_by(index)
    target.insert(len(target.items), source.take(index), seen)
