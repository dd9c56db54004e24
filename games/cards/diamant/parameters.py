"""The parameters of Diamant and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import Parameters, choice, integer, real


@dataclass
class DiamantParameters(Parameters):
    """The caves and the deck; the defaults are the printed game."""

    caves: int = integer(5, 1, 10, "caves")
    hazards: int = integer(3, 1, 10, "cards of each of the five hazards")
    fatal: int = integer(2, 2, 5, "hazards of one kind that end a cave")
    treasures: str = choice("printed", ("printed", "tag"), "the treasures: as printed (124 rubies), or TAG's (139)")
    relics: str = choice(
        "shuffled",
        ("shuffled", "one_per_cave", "numbered", "none"),
        "relics: all in the deck, one more for each cave, the same with rubies on them, or none",
    )
    relic: int = integer(
        5, 0, 20, "rubies for each of the first three relics", active_if=("relics", ("shuffled", "one_per_cave"))
    )
    late_relic: int = integer(
        10, 0, 20, "rubies for each later relic", active_if=("relics", ("shuffled", "one_per_cave"))
    )
    sharing: str = choice("card", ("card", "path"), "players who leave share the rubies on each card, or all together")


@dataclass
class DiamantHeuristicParameters(Parameters):
    """The weights of `DiamantHeuristic`."""

    rivals: float = real(0.5, 0.0, 1.0, "weight of the best rival's rubies, subtracted")
    carried: float = real(1.0, 0.0, 1.0, "weight of what is carried in the cave, and may be found there")
    scale: float = real(60.0, 10.0, 200.0, "rubies that are worth 1", log=True)
