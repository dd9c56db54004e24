"""Dice."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from tag.components._component import Component
from tag.components._visibility import VISIBLE_TO_ALL
from tag.engine.rng import Rng
from tag.errors import ContractError


@mypyc_attr(allow_interpreted_subclasses=True)
class Die(Component):
    """A die: fair or loaded, with any numbers on its faces.

    Examples:
        >>> die = Die.sided("die", 6)
        >>> rng = Rng(2)
        >>> [die.roll(rng) for _throw in range(6)]
        [4, 6, 6, 4, 6, 4]
        >>> Die("loaded", (1, 6), weights=(1, 3)).roll(rng)
        6

    Attributes:
        faces: the number on each face.
        weights: how likely each face is in proportion, empty for a fair die.
        value: the number that lies on top.
    """

    __slots__ = ("faces", "value", "weights")
    faces: tuple[int, ...]
    weights: tuple[int, ...]
    value: i64

    def __init__(
        self,
        name: str,
        faces: tuple[int, ...],
        weights: tuple[int, ...] = (),
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Show the first face.

        Raises:
            ContractError: there is no face, or the weights do not fit the faces.
        """
        super().__init__(name, owner, visibility)
        if not faces:
            raise ContractError(f"die {name!r} needs a face")
        if weights and (len(weights) != len(faces) or min(weights) < 0 or sum(weights) == 0):
            raise ContractError(
                f"die {name!r} needs {len(faces)} weights of 0 or more, not all 0, instead of {weights}"
            )
        self.faces = faces
        self.weights = weights
        self.value = faces[0]

    @classmethod
    def sided(cls, name: str, sides: i64) -> Die:
        """Return a fair die with the numbers from 1 to ``sides``."""
        return Die(name, tuple(range(1, int(sides) + 1)))

    def copy(self) -> Die:
        """Copy the number on top."""
        other = Die(self.name, self.faces, self.weights, self.owner, self.visibility)
        other.value = self.value
        return other

    def roll(self, rng: Rng) -> i64:
        """Roll the die and return the number on top."""
        self.value = self.faces[self._drawn_face(rng)]
        return self.value

    def _drawn_face(self, rng: Rng) -> i64:
        weights = self.weights
        if not weights:
            return rng.below(len(self.faces))
        left = rng.below(sum(weights))
        for face in range(len(weights)):
            left -= weights[face]
            if left < 0:
                return face
        return len(weights) - 1

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Roll a hidden die again."""
        if not self.is_visible_to(player):
            self.roll(rng)

    def text(self, viewer: i64) -> str:
        """Return the number on top."""
        return str(self.value) if self.is_visible_to(viewer) else "?"
