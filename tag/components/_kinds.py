"""Kinds: components that never change and are shared by all states, such as cards and tokens."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.components._component import Component
from tag.components._visibility import VISIBLE_TO_ALL
from tag.engine.rules.tricks import CARD_NAMES, N_RANKS, SUIT_NAMES
from tag.engine.snapshot import guard

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
        >>> from tag.components import VISIBLE_TO_OWNER, Deck
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


#: The French cards.
_FRENCH: Final[list[Card]] = [
    shared(Card(name, (("suit", SUIT_NAMES[at // N_RANKS]),))) for at, name in enumerate(CARD_NAMES)
]


def french_cards(numbers: list[int]) -> list[Card]:
    """Return the cards with these numbers (`tag.engine.rules.tricks`).

    Examples:
        >>> [card.name for card in french_cards([0, 51])]
        ['2c', 'As']
    """
    return [_FRENCH[number] for number in numbers]
