"""Components: the base of all, containers of others, the kinds that JSON data names, and who can see what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, freeze, guard, restored
from tag.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


# --- visibility modes of components and of the items in them ------------------------------------------------------------


VISIBLE_TO_ALL: Final = 0
HIDDEN_TO_ALL: Final = 1
VISIBLE_TO_OWNER: Final = 2
#: Of a deck: all players see the top item and nothing else.
TOP_VISIBLE_TO_ALL: Final = 3
#: Of a deck: all players see the bottom item and nothing else.
BOTTOM_VISIBLE_TO_ALL: Final = 4
#: Each item has its own set of players who see it (the partially observable components).
MIXED_VISIBILITY: Final = 5

_NAMES: Final = (
    "visible to all",
    "hidden to all",
    "visible to owner",
    "top visible to all",
    "bottom visible to all",
    "mixed visibility",
)


def visibility_name(mode: i64) -> str:
    """Return ``mode`` in words, as data files write it: ``visible to owner``.

    Examples:
        >>> visibility_name(VISIBLE_TO_OWNER), visibility_of("visible to owner") == VISIBLE_TO_OWNER
        ('visible to owner', True)
    """
    return _NAMES[mode]


def visibility_of(name: str) -> int:
    """Return the mode that is called ``name``.

    Examples:
        >>> visibility_of("hidden to all") == HIDDEN_TO_ALL
        True
        >>> visibility_of("hidden")
        Traceback (most recent call last):
            ...
        tag.errors.UnknownNameError: no visibility named 'hidden'; did you mean 'hidden to all'?

    Raises:
        UnknownNameError: there is no such mode.
    """
    if name not in _NAMES:
        raise UnknownNameError.of("visibility", name, _NAMES)
    return _NAMES.index(name)


# --- components: the things on the table --------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Component:
    """Something on the table, with an owner and a visibility.

    A component is part of a state: it can be copied, and shares only immutable things with its copies. Games that are
    searched millions of times keep flat lists in their states and build components for analysis only
    (`GameState.components`); a game that is being designed can live wholly in components (`ComponentState`).

    As a viewer, -1 is one who may see everything.

    Examples:
        >>> from tag.components import Counter
        >>> gold = Counter("gold", value=7, owner=0, visibility=VISIBLE_TO_OWNER)
        >>> gold.is_visible_to(0), gold.is_visible_to(1), gold.text(1)
        (True, False, '?')

    Attributes:
        name: its name in actions and data files; unique within its area.
        owner: the player who owns it, -1 for none.
        visibility: one of the modes (``VISIBLE_TO_ALL`` …).
    """

    __slots__ = ("name", "owner", "visibility")
    name: str
    owner: i64
    visibility: i64

    def __init__(self, name: str, owner: i64 = -1, visibility: i64 = VISIBLE_TO_ALL) -> None:
        """Set the name, the owner and the visibility."""
        self.name = name
        self.owner = owner
        self.visibility = visibility

    def copy(self) -> Component:
        """Return an independent copy that shares only immutable things."""
        raise NotImplementedError

    def is_visible_to(self, player: i64) -> bool:
        """Say whether ``player`` sees the whole of the component."""
        if player < 0 or self.visibility == VISIBLE_TO_ALL:
            return True
        return self.visibility == VISIBLE_TO_OWNER and player == self.owner

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Draw parts that ``player`` cannot see again; by default nothing is drawn."""

    def known_to(self, player: i64) -> Hashable:
        """Return the view of the component for ``player`` as a hashable value, part of `GameState.knowledge`."""
        return (self.name, freeze(self) if self.is_visible_to(player) else None)

    # --- for analysis: how large a state is, and how much of it is hidden ----------------------------------------------

    def parts(self) -> list[Component]:
        """Return the components directly within it."""
        return []

    def count(self) -> int:
        """Return the number of components that this one counts for: one, or for a container the number of its items."""
        return 1

    def hidden_count(self, player: i64) -> int:
        """Return how many of the components counted ``player`` cannot see."""
        return 0 if self.is_visible_to(player) else self.count()

    # --- for people ------------------------------------------------------------------------------------------------

    def text(self, viewer: i64) -> str:
        """Return the component in words, with question marks for parts hidden from ``viewer``."""
        return self.name if self.is_visible_to(viewer) else "?"

    def __str__(self) -> str:
        """Return the component in words."""
        return self.text(-1)

    def __reduce__(self) -> Any:
        """Pickle by fields (mypyc's own pickling loses those of interpreted subclasses)."""
        return (restored, (type(self), field_values(self)))


# --- kinds: components that never change and are shared by all states, such as cards and tokens -------------------------


#: The types of a property.
Property = int | float | str | bool | tuple[str, ...]

_SHARED: Final[dict[tuple[type, tuple[object, ...]], Any]] = {}
#: By identity, like interned actions.
_NUMBERS: Final[set[int]] = set()


@mypyc_attr(allow_interpreted_subclasses=True)
class Kind(Component):
    """An immutable component with optional properties; copying it costs nothing, because it is shared.

    Each distinct kind is *one* object, made with `shared`. So equality and hash are those of the object's identity, and a
    pickled kind comes back as the same object. Five equal cards are five times the same object in a deck.

    Examples:
        >>> fire = Card("fire", properties=(("cost", 3), ("element", "heat")))
        >>> fire.property("cost"), fire.property("colour", "none")
        (3, 'none')

    Attributes:
        properties: pairs of name and value, sorted by name.
    """

    __slots__ = ("properties",)
    properties: tuple[tuple[str, Property], ...]

    def __init__(
        self,
        name: str,
        properties: tuple[tuple[str, Property], ...] = (),
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Name the kind and list its properties."""
        super().__init__(name, owner, visibility)
        self.properties = tuple(sorted(properties))

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor, which distinguish this kind from others of its class."""
        return (self.name, self.properties, self.owner, self.visibility)

    def copy(self) -> Kind:
        """Return the kind itself."""
        return self

    def property(self, name: str, default: Property = "") -> Property:
        """Return the value of the property ``name``, or ``default`` where the kind has none of it."""
        for own, value in self.properties:
            if own == name:
                return value
        return default

    def __reduce__(self) -> Any:
        """Pickle by class and key, so that loading finds the one object."""
        return (_rebuilt, (type(self), self.key()))

    def __repr__(self) -> str:
        """Return the class with its key."""
        return f"{type(self).__name__}({', '.join([repr(part) for part in self.key()])})"


def _is_shared(thing: Any) -> bool:
    return id(thing) in _NUMBERS


guard(Kind, _is_shared)

K = TypeVar("K", bound=Kind)


def shared(kind: K) -> K:
    """Return the one object that stands for ``kind``: the first equal one that was shared.

    Examples:
        >>> shared(Card("ace")) is shared(Card("ace")), Card("ace") is Card("ace")
        (True, False)
    """
    one: K = _SHARED.setdefault((type(kind), kind.key()), kind)
    if one is kind:
        _NUMBERS.add(id(one))
    return one


def _rebuilt(cls: type, key: tuple[object, ...]) -> Any:
    found = _SHARED.get((cls, key))
    return shared(cls(*key)) if found is None else found


@mypyc_attr(allow_interpreted_subclasses=True)
class Card(Kind):
    """A card, as printed.

    Examples:
        >>> from tag.components import Deck
        >>> queen = shared(Card("queen", properties=(("value", 12),)))
        >>> hand = Deck("hand", [queen], owner=0, visibility=VISIBLE_TO_OWNER)
        >>> hand.text(0), hand.text(1)
        ('queen', '?')
    """

    __slots__ = ()


@mypyc_attr(allow_interpreted_subclasses=True)
class Token(Kind):
    """A pawn, cube, stone, coin: a piece that lies in a supply or on a board.

    Examples:
        >>> from tag.components import GridBoard
        >>> board = GridBoard("board", 2, 1, [shared(Token("red")), shared(Token("blue"))])
        >>> board.text(-1)
        'red blue'
    """

    __slots__ = ()


# --- containers: components that hold a list of items, each visible or not; and new deals of hidden items ---------------


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
        >>> from tag.components import Deck
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


def sees(mask: int, player: i64) -> bool:
    """Say whether ``player`` is in ``mask``, a set of players as bits; -1 is in every one."""
    return player < 0 or (mask >> int(player)) & 1 == 1
