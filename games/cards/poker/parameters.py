"""The parameters of Poker and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag import ParameterError, Parameters, choice, integer, real

#: The sizes of raises beside all-in, in percent of the pot after a call; 0 is the smallest raise.
SIZES: Final[dict[str, tuple[int, ...]]] = {
    "minimum": (0,),
    "all_in": (),
    "pot": (100,),
    "half_pot": (50, 100),
    "standard": (0, 50, 100),
    "many": (0, 33, 50, 75, 100, 150, 200),
}


@dataclass
class PokerParameters(Parameters):
    """The length of the game, chips, blinds and the sizes of raises."""

    hands: int = integer(10, 1, 1000, "hands; with one player left the game ends before")
    stack: int = integer(1000, 2, 1_000_000, "chips of each player at the start")
    small_blind: int = integer(5, 1, 100_000, "small blind")
    big_blind: int = integer(10, 1, 100_000, "big blind, also the smallest bet")
    blinds_up_every: int = integer(0, 0, 1000, "hands after which the blinds double, and again; 0 is never")
    target: int = integer(
        0, 0, 9_000_000, "chips that end the game for the player who has them after a hand; 0 is none"
    )
    raises: str = choice(
        "standard",
        tuple(SIZES),
        "sizes of raises: only the smallest; only all-in; or all-in and the pot, half and all of it, "
        "these and the smallest, or seven sizes up to two pots",
    )

    def check(self) -> None:
        """Refuse blinds that are out of order or leave no chips, and a target that is reached at the start."""
        if self.small_blind > self.big_blind:
            raise ParameterError(
                f"small_blind cannot be {self.small_blind} with a big blind of {self.big_blind}; "
                f"the nearest value is {self.big_blind}"
            )
        if self.big_blind >= self.stack:
            raise ParameterError(
                f"big_blind cannot be {self.big_blind} with stacks of {self.stack}; the nearest value is {self.stack - 1}"
            )
        if 0 < self.target <= self.stack:
            raise ParameterError(
                f"target cannot be {self.target} with stacks of {self.stack}; the nearest value is {self.stack + 1}"
            )


@dataclass
class PokerHeuristicParameters(Parameters):
    """The weights of `PokerHeuristic`."""

    respect: float = real(
        1.0, 0.0, 1.0, "share of the hands without the price to call with that rivals are taken to fold"
    )
    caution: float = real(0.3, 0.0, 0.9, "share of hands that rivals have folded before they put in very many chips")
    scale: float = real(
        0.5, 0.05, 10.0, "lead, in mean stacks, that is worth half a win with ten hands to go", log=True
    )
