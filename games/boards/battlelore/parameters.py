"""The parameters of BattleLore and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import Parameters, choice, flag, integer, real
from tag.errors import ParameterError
from tag.games.boards.battlelore.data import ARMY, GOALS, LONGEST_REACH, MASK

_LARGEST_HAND = 8


@dataclass
class BattleloreParameters(Parameters):
    """The scenario, the units and the command deck."""

    scenario: str = choice(
        "learning", tuple(GOALS), "the scenario: the learning one, or the same armies with two banners"
    )
    goal: int = integer(0, 0, 30, "victory points that win; 0: as many as the scenario says")
    max_rounds: int = integer(100, 1, 500, "rounds after which the most victory points win")
    figures: int = integer(3, 1, 4, "figures of each unit")
    melee_dice: int = integer(3, 1, 5, "dice of melee units")
    ranged_dice: int = integer(2, 1, 5, "dice of ranged units")
    reach: int = integer(5, 1, LONGEST_REACH, "hexes that ranged units attack over")
    abilities: bool = flag(True, "whether units have Double Shot, Pursue and Rage")
    hand_size: int = integer(4, 1, _LARGEST_HAND, "command cards in hand")
    flank_patrols: int = integer(3, 0, MASK, "copies of Patrol Left, and of Patrol Right")
    centre_patrols: int = integer(5, 0, MASK, "copies of Patrol Center")
    flank_attacks: int = integer(4, 0, MASK, "copies of Attack Left, and of Attack Right")
    centre_attacks: int = integer(5, 0, MASK, "copies of Attack Center")
    line_advances: int = integer(2, 0, MASK, "copies of Line Advance")
    wedges: int = integer(2, 0, MASK, "copies of Wedge")

    def check(self) -> None:
        """Reject hands of more cards than there are, and goals out of reach in a scenario without banners."""
        cards = sum(self.deck())
        if 2 * self.hand_size > cards:
            right = f"the nearest value is {cards // 2}" if cards > 1 else "the deck needs two cards at least"
            raise ParameterError(f"hand_size cannot be {self.hand_size} with a deck of {cards} cards; {right}")
        if self.scenario == "learning" and self.goal > ARMY:
            raise ParameterError(f"goal cannot be {self.goal} where only units count; the nearest value is {ARMY}")

    def deck(self) -> list[int]:
        """Return how many copies of each command card there are."""
        flank, centre = (self.flank_patrols, self.flank_attacks), (self.centre_patrols, self.centre_attacks)
        copies = [number for kind in range(2) for number in (flank[kind], centre[kind], flank[kind])]
        return [*copies, self.line_advances, self.wedges]


@dataclass
class BattleloreHeuristicParameters(Parameters):
    """The weights of `BattleloreHeuristic`, in victory points."""

    figure: float = real(0.3, 0.0, 2.0, "a figure")
    strong: float = real(0.15, 0.0, 2.0, "a unit of more than one figure")
    closeness: float = real(0.05, 0.0, 1.0, "each step nearer to the nearest enemy or banner, for each unit")
    banner: float = real(1.0, 0.0, 10.0, "a banner held")
    scale: float = real(3.0, 0.5, 50.0, "victory points ahead that are worth half as much as a win")
