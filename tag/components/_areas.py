"""Areas: components by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mypy_extensions import i64, mypyc_attr

from tag.components._boards import Board
from tag.components._component import Component
from tag.components._containers import Container, redeal
from tag.components._counters import Counter
from tag.components._decks import Deck
from tag.components._dice import Die
from tag.components._visibility import VISIBLE_TO_ALL
from tag.engine.rng import Rng
from tag.errors import ContractError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Hashable


@mypyc_attr(allow_interpreted_subclasses=True)
class Area(Component):
    """A part of the table: components by name, in the order in which they were put there.

    Examples:
        >>> table = Area("table")
        >>> table.put(Deck("pile", [1, 2, 3]))
        >>> table.deck("pile").draw(), table.count()
        (3, 2)
        >>> table.deck("piles")
        Traceback (most recent call last):
            ...
        tag.errors.UnknownNameError: no component named 'piles'; did you mean 'pile'?

    Attributes:
        components: the components by name.
    """

    __slots__ = ("components",)
    components: dict[str, Component]

    def __init__(self, name: str, owner: i64 = -1, visibility: i64 = VISIBLE_TO_ALL) -> None:
        """Make an empty area."""
        super().__init__(name, owner, visibility)
        self.components = {}

    def put(self, component: Component) -> None:
        """Add ``component`` under its name.

        Raises:
            ContractError: the area has one of that name already.
        """
        if component.name in self.components:
            raise ContractError(f"area {self.name!r} has a component named {component.name!r} already")
        self.components[component.name] = component

    def copy(self) -> Area:
        """Copy the area and all components in it."""
        other = Area(self.name, self.owner, self.visibility)
        other.components = {name: component.copy() for name, component in self.components.items()}
        return other

    def get(self, name: str) -> Component:
        """Return the component called ``name``.

        Raises:
            UnknownNameError: there is none.
        """
        found = self.components.get(name)
        if found is None:
            raise UnknownNameError.of("component", name, self.components)
        return found

    def deck(self, name: str) -> Deck[Any]:
        """Return the deck called ``name``, or raise `UnknownNameError`."""
        found = self.get(name)
        if not isinstance(found, Deck):
            raise UnknownNameError(f"{name!r} is no deck but a {_kind(found)}")
        return found

    def board(self, name: str) -> Board[Any]:
        """Return the board called ``name``, or raise `UnknownNameError`."""
        found = self.get(name)
        if not isinstance(found, Board):
            raise UnknownNameError(f"{name!r} is no board but a {_kind(found)}")
        return found

    def counter(self, name: str) -> Counter:
        """Return the counter called ``name``, or raise `UnknownNameError`."""
        found = self.get(name)
        if not isinstance(found, Counter):
            raise UnknownNameError(f"{name!r} is no counter but a {_kind(found)}")
        return found

    def die(self, name: str) -> Die:
        """Return the die called ``name``, or raise `UnknownNameError`."""
        found = self.get(name)
        if not isinstance(found, Die):
            raise UnknownNameError(f"{name!r} is no die but a {_kind(found)}")
        return found

    def parts(self) -> list[Component]:
        """Return the components in the area."""
        return list(self.components.values())

    def count(self) -> int:
        """Return how many components there are in all."""
        return sum([part.count() for part in self.components.values()])

    def hidden_count(self, player: i64) -> int:
        """Return how many components ``player`` cannot see; each part's own visibility counts."""
        return sum([part.hidden_count(player) for part in self.components.values()])

    def known_to(self, player: i64) -> Hashable:
        """Return the view of each part for ``player``."""
        return (self.name, *[part.known_to(player) for part in self.components.values()])

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Draw all that ``player`` cannot see again; hidden items are dealt among all containers with the same back."""
        by_back: dict[str, list[Container[Any]]] = {}
        self._draw_again(player, rng, by_back)
        for containers in by_back.values():
            redeal(containers, player, rng)

    def _draw_again(self, player: i64, rng: Rng, by_back: dict[str, list[Container[Any]]]) -> None:
        """Redeterminise all but the containers, which are sorted into ``by_back``."""
        for part in self.components.values():
            if isinstance(part, Area):
                part._draw_again(player, rng, by_back)  # noqa: SLF001  the same class
            elif isinstance(part, Container):
                by_back.setdefault(part.back, []).append(part)
            else:
                part.redeterminise(player, rng)

    def text(self, viewer: i64) -> str:
        """Return a line per component."""
        lines: list[str] = []
        for name, part in self.components.items():
            words = part.text(viewer)
            lines.append(f"{name}:\n{words}" if "\n" in words else f"{name}: {words}".rstrip())
        return "\n".join(lines)


def _kind(component: Component) -> str:
    return type(component).__name__
