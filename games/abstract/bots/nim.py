"""The bot of Nim."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, RuleBot
from tag.games.abstract.nim import NimState, Take


@mypyc_attr(allow_interpreted_subclasses=True)
class Optimal(RuleBot[NimState]):
    """Plays perfectly with two players: it leaves heaps whose sizes have the nim-sum 0.

    Sizes are taken modulo the most objects that may be taken at once and one. In misère play one is left instead of none,
    once no heap has more than one. With three players it plays by the same rule, which proves nothing there.

    Source: C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3, 1901.
    """

    def worth(self, state: NimState, action: AnyAction) -> float:
        """Prefer moves that win; else take as little as possible."""
        take = cast("Take", action)
        total: i64 = 0
        largest: i64 = 0
        for heap in range(state.n_heaps):
            left = (state.left(heap) - (take.number if heap == take.heap else 0)) % (state.at_once + 1)
            total ^= left
            largest = max(largest, left)
        wins = total == (1 if state.misere and largest < 2 else 0)
        return 1.0 if wins else -float(take.number)
