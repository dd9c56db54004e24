"""Chance of OpenSpiel's games, drawn from the streams of ours."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from typing import Any, Final

from tag.engine.rng import Rng

#: `pyspiel.State.current_player` at chance nodes.
CHANCE: Final = -1

#: Probabilities with a common denominator up to this are drawn as whole numbers, so that `ForwardModel.outcomes` is exact.
_LARGEST_DENOMINATOR: Final = 1 << 20


def settled(spiel: Any, rng: Rng) -> int:
    """Draw chance until a player decides, or the game is over; return the player, or a negative number at the end."""
    player = spiel.current_player()
    while player == CHANCE:
        outcomes = spiel.chance_outcomes()
        total, sums = _sums(tuple([probability for _outcome, probability in outcomes]))
        number = rng.below(total) if total else rng.uniform() * sums[-1]
        spiel.apply_action(outcomes[min(bisect_right(sums, number), len(outcomes) - 1)][0])
        player = spiel.current_player()
    return int(player)


@lru_cache(maxsize=4096)
def _sums(probabilities: tuple[float, ...]) -> tuple[int, list[float]]:
    """Return the common denominator and the sums of numerators; 0 and the sums of probabilities where there is none."""
    parts = [Fraction(probability).limit_denominator(10_000) for probability in probabilities]
    total = lcm(*[part.denominator for part in parts])
    is_exact = all(abs(float(part) - value) < 1e-12 for part, value in zip(parts, probabilities, strict=True))
    if total > _LARGEST_DENOMINATOR or not is_exact or sum(parts) != 1:
        return 0, list(accumulate(probabilities))
    return total, list(accumulate([int(part * total) for part in parts]))
