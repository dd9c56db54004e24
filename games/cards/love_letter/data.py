"""The eight characters, as integers: a card is its value. Sets of cards are bit masks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, integer
from tag.components import Card, shared

NO_CARD: Final = 0
GUARD: Final = 1
PRIEST: Final = 2
BARON: Final = 3
HANDMAID: Final = 4
PRINCE: Final = 5
KING: Final = 6
COUNTESS: Final = 7
PRINCESS: Final = 8

N_KINDS: Final = 8

#: The names by value; index 0 is no card.
NAMES: Final[list[str]] = ["-", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess"]

#: The cards as components, by value; index 0 is a blank.
CARDS: Final[list[Card]] = [shared(Card(name, (("value", value),))) for value, name in enumerate(NAMES)]

#: The set that holds one card, by card; sets of cards have bit ``card`` set for each card.
BITS: Final[list[int]] = [1 << card for card in range(N_KINDS + 1)]
ALL_CARDS: Final = (1 << (N_KINDS + 1)) - 2


def up_to(card: i64) -> i64:
    """Return the set of all cards as low as ``card`` or lower."""
    return 2 * BITS[card] - 2


#: What a four-player round needs: a card removed, a card per player, and one to draw.
_FEWEST_CARDS = 6
#: What a two-player round needs beside the cards face up.
_FEWEST_CARDS_OF_TWO = 4


@dataclass
class LoveLetterParameters(Parameters):
    """The deck, the length of the game and the two-player rule; the defaults are the printed game."""

    tokens_2: int = integer(7, 1, 20, "tokens of affection that win a game of two")
    tokens_3: int = integer(5, 1, 20, "tokens of affection that win a game of three")
    tokens_4: int = integer(4, 1, 20, "tokens of affection that win a game of four")
    face_up: int = integer(3, 0, 8, "cards removed face up in a game of two")
    guards: int = integer(5, 0, 10, "Guards (1) in the deck")
    priests: int = integer(2, 0, 5, "Priests (2) in the deck")
    barons: int = integer(2, 0, 5, "Barons (3) in the deck")
    handmaids: int = integer(2, 0, 5, "Handmaids (4) in the deck")
    princes: int = integer(2, 0, 5, "Princes (5) in the deck")
    kings: int = integer(1, 0, 5, "Kings (6) in the deck")
    countesses: int = integer(1, 0, 5, "Countesses (7) in the deck")
    princesses: int = integer(1, 0, 5, "Princesses (8) in the deck")
    max_rounds: int = integer(0, 0, 1000, "rounds after which most tokens win; 0 plays on to the tokens")

    def check(self) -> None:
        """Refuse decks that are too small to play a round with."""
        size = sum(self.counts())
        if size < _FEWEST_CARDS:
            raise ParameterError(f"a deck of {size} cards cannot be played; four players need at least {_FEWEST_CARDS}")
        if size < self.face_up + _FEWEST_CARDS_OF_TWO:
            near = size - _FEWEST_CARDS_OF_TWO
            raise ParameterError(
                f"face_up cannot be {self.face_up} with a deck of {size} cards; the nearest value is {near}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each kind there are, by value from 1."""
        return [
            self.guards,
            self.priests,
            self.barons,
            self.handmaids,
            self.princes,
            self.kings,
            self.countesses,
            self.princesses,
        ]

    def deck(self) -> list[int]:
        """Return the cards of a round, in order of value."""
        counts = self.counts()
        return [value + 1 for value in range(N_KINDS) for _copy in range(counts[value])]

    def tokens_to_win(self, n_players: int) -> int:
        """Return how many tokens win a game of ``n_players``."""
        return self.tokens_2 if n_players == 2 else self.tokens_3 if n_players == 3 else self.tokens_4
