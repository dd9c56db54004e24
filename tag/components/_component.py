"""Components: the things on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mypy_extensions import i64, mypyc_attr

from tag.components._visibility import VISIBLE_TO_ALL, VISIBLE_TO_OWNER
from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, freeze, restored

if TYPE_CHECKING:
    from collections.abc import Hashable


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

    def parts(self) -> list[Component]:
        """Return the components directly within it."""
        return []

    def count(self) -> int:
        """Return the number of components that this one counts for: one, or for a container the number of its items."""
        return 1

    def hidden_count(self, player: i64) -> int:
        """Return how many of the components counted ``player`` cannot see."""
        return 0 if self.is_visible_to(player) else self.count()

    def text(self, viewer: i64) -> str:
        """Return the component in words, with question marks for parts hidden from ``viewer``."""
        return self.name if self.is_visible_to(viewer) else "?"

    def __str__(self) -> str:
        """Return the component in words."""
        return self.text(-1)

    def __reduce__(self) -> Any:
        """Pickle by fields (mypyc's own pickling loses those of interpreted subclasses)."""
        return (restored, (type(self), field_values(self)))
