"""The parameters of Virus! and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import ParameterError, Parameters, flag, integer, real
from tag.games.cards.virus.data import LARGEST_HAND, MOST_PLAYERS

#: Different organs of one colour.
_COLOURS = 4


@dataclass
class VirusParameters(Parameters):
    """The deck, hands, the goal and the length of the game; the defaults are the printed game."""

    organs: int = integer(5, 1, 10, "organs of each of the four colours")
    wild_organs: int = integer(1, 0, 10, "multicoloured organs")
    viruses: int = integer(4, 0, 10, "viruses of each of the four colours")
    wild_viruses: int = integer(1, 0, 10, "multicoloured viruses")
    medicines: int = integer(4, 0, 10, "medicines of each of the four colours")
    wild_medicines: int = integer(4, 0, 10, "multicoloured medicines")
    transplants: int = integer(3, 0, 10, "transplants: two players' organs are swapped")
    organ_thieves: int = integer(3, 0, 10, "organ thieves: an organ is stolen")
    spreadings: int = integer(2, 0, 10, "spreadings: viruses move to other players' organs")
    latex_gloves: int = integer(1, 0, 10, "latex gloves: all others discard their hands")
    medical_errors: int = integer(1, 0, 10, "medical errors: two bodies are swapped")
    hand_size: int = integer(3, 1, LARGEST_HAND, "cards in hand at the end of a turn")
    max_discards: int = integer(3, 1, LARGEST_HAND, "cards that may be discarded in a turn; a hand has no more")
    organs_to_win: int = integer(4, 1, 5, "different healthy organs that win")
    own_viruses: bool = flag(False, "whether viruses may be played on one's own organs too")
    max_rounds: int = integer(100, 1, 1000, "rounds after which most healthy organs win")

    def check(self) -> None:
        """Refuse decks that six players cannot play with, and goals that cannot be reached."""
        size = sum(self.deck())
        needed = MOST_PLAYERS * self.hand_size + 1
        if size < needed:
            fitting = (size - 1) // MOST_PLAYERS
            right = f"the nearest value is {fitting}" if fitting else f"a deck has at least {MOST_PLAYERS + 1} cards"
            raise ParameterError(
                f"hand_size cannot be {self.hand_size} with six players and a deck of {size} cards; {right}"
            )
        if self.organs_to_win > _COLOURS and not self.wild_organs:
            raise ParameterError(
                f"organs_to_win cannot be {self.organs_to_win} with no multicoloured organ; the nearest value is {_COLOURS}"
            )

    def deck(self) -> list[int]:
        """Return how many cards of each kind there are."""
        return [
            *[self.organs] * _COLOURS,
            self.wild_organs,
            *[self.viruses] * _COLOURS,
            self.wild_viruses,
            *[self.medicines] * _COLOURS,
            self.wild_medicines,
            self.transplants,
            self.organ_thieves,
            self.spreadings,
            self.latex_gloves,
            self.medical_errors,
        ]


@dataclass
class VirusHeuristicParameters(Parameters):
    """The weights of `VirusHeuristic`."""

    free: float = real(0.6, -1.0, 1.0, "value of an organ on which nothing lies")
    infected: float = real(0.2, -1.0, 1.0, "value of an infected organ")
    vaccinated: float = real(0.8, -1.0, 1.0, "value of a vaccinated organ")
    immunised: float = real(1.0, -1.0, 1.0, "value of an immunised organ")
    body: float = real(1.0, -1.0, 1.0, "weight of the own body: its organs' values over the organs that win")
    rivals: float = real(-0.5, -1.0, 1.0, "weight of the best body among the rivals")
    others: float = real(0.0, -1.0, 1.0, "weight of the rivals' bodies on average")
