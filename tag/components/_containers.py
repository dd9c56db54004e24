"""Containers: components that hold a list of items, each visible or not; and new deals of hidden items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.components._component import Component
from tag.components._visibility import VISIBLE_TO_ALL
from tag.engine.rng import Rng
from tag.engine.snapshot import freeze

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

T = TypeVar("T")


@mypyc_attr(allow_interpreted_subclasses=True)
class Container(Component, Generic[T]):
    """A component over one list of items: plain numbers, or kinds.

    Attributes:
        back: the look of the items from behind. Hidden items of containers with the same back are dealt among each
            other when a state is redeterminised.
    """

    __slots__ = ("back",)
    back: str

    def __init__(self, name: str, back: str, owner: i64 = -1, visibility: i64 = VISIBLE_TO_ALL) -> None:
        """Name the container and the back of its items."""
        super().__init__(name, owner, visibility)
        self.back = back

    def contents(self) -> list[T]:
        """Return the list itself."""
        raise NotImplementedError

    def is_item_visible(self, index: i64, player: i64) -> bool:
        """Say whether ``player`` sees the item at ``index``."""
        return self.is_visible_to(player)

    def known_to(self, player: i64) -> Hashable:
        """Return the items that ``player`` sees, at their places."""
        items = self.contents()
        known: list[object] = []
        for index in range(len(items)):
            known.append((freeze(items[index]),) if self.is_item_visible(index, player) else None)
        return (type(self).__name__, self.name, tuple(known))

    def parts(self) -> list[Component]:
        """Return the items that are components themselves."""
        return [item for item in self.contents() if isinstance(item, Component)]

    def count(self) -> int:
        """Return the number of items."""
        return len(self.contents())

    def hidden_count(self, player: i64) -> int:
        """Return how many items ``player`` cannot see."""
        hidden = 0
        for index in range(len(self.contents())):
            if not self.is_item_visible(index, player):
                hidden += 1
        return hidden

    def item_text(self, index: i64, viewer: i64) -> str:
        """Return the item at ``index`` in words, a question mark where ``viewer`` does not see it."""
        return str(self.contents()[index]) if self.is_item_visible(index, viewer) else "?"

    def text(self, viewer: i64) -> str:
        """Return the items in words."""
        return ", ".join([self.item_text(index, viewer) for index in range(self.count())])

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the items that ``player`` cannot see among their places."""
        redeal([self], player, rng)


def redeal(containers: Sequence[Container[Any]], player: i64, rng: Rng) -> None:
    """Deal the items that ``player`` cannot see again among their places in all ``containers`` together.

    Each deal is as likely. The result depends on the set of unseen items, not on their true places: the items are sorted
    before they are shuffled.

    Examples:
        >>> from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Deck
        >>> mine = Deck("my hand", [1, 2], owner=0, visibility=VISIBLE_TO_OWNER)
        >>> others = Deck("other hand", [3, 4], owner=1, visibility=VISIBLE_TO_OWNER)
        >>> pile = Deck("pile", [5, 6], visibility=HIDDEN_TO_ALL)
        >>> redeal([mine, others, pile], 0, Rng(3))
        >>> mine.contents(), others.contents(), pile.contents()
        ([1, 2], [6, 4], [3, 5])
    """
    pool: list[Any] = []
    for container in containers:
        items = container.contents()
        for index in range(len(items)):
            if not container.is_item_visible(index, player):
                pool.append(items[index])
    pool.sort(key=repr)
    rng.shuffle(pool)
    for container in containers:
        items = container.contents()
        for index in range(len(items)):
            if not container.is_item_visible(index, player):
                items[index] = pool.pop()
