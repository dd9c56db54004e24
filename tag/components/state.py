"""States made of components, for games that are being designed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from tag.components._areas import Area
from tag.components._component import Component
from tag.engine.rng import Rng
from tag.engine.snapshot import freeze
from tag.engine.state import GameState

if TYPE_CHECKING:
    from collections.abc import Hashable


@mypyc_attr(allow_interpreted_subclasses=True)
class ComponentState(GameState):
    """A state whose table is an area of components, which actions find by name (`tag.components.actions`).

    Copies, observations, knowledge, text and analysis follow from the components. A subclass with fields of its
    own overrides `copy`, and `knowledge` where they hold something hidden. Search is several times faster on flat
    fields: change to those when the rules stand.

    Attributes:
        area: the table.
    """

    __slots__ = ("area",)
    area: Area

    def __init__(self, n_players: i64) -> None:
        """Start with an empty table."""
        super().__init__(n_players)
        self.area = Area("table")

    def copy(self) -> ComponentState:
        """Copy the table."""
        other = ComponentState(self.n_players)
        self.copy_to(other)
        return other

    def copy_to(self, other: GameState) -> None:
        """Copy the common fields and the table to ``other``."""
        super().copy_to(other)
        if isinstance(other, ComponentState):
            other.area = self.area.copy()

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Draw the parts of the components that ``player`` cannot see again."""
        self.area.redeterminise(player, rng)

    def knowledge(self, player: i64) -> Hashable:
        """Return the visible parts of the components and sequences for ``player``, and all other fields."""
        fields = [part for part in self.snapshot() if not (isinstance(part, tuple) and part[0] in _OWN_PARTS)]
        sequences = [sequence.knowledge(player) for sequence in self.sequences]
        return (*fields, freeze(sequences), self.area.known_to(player))

    def components(self) -> list[Component]:
        """Return the components on the table."""
        return self.area.parts()

    def text(self, viewer: i64) -> str:
        """Return a line per component."""
        return self.area.text(viewer)


#: Fields of which each player knows a part of its own.
_OWN_PARTS = ("area", "sequences")
