"""The cards, as numbers: card ``5 * colour + rank - 1``.

A set of cards is one number with two bits for how many there are of each card. So a mark on a card in hand, the set of what
it may be, has both bits of each card set, and ``deck & mark`` are the cards of the deck that fit. *Ones* have the lower bit
of each card only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, choice, flag, integer
from tag.components import Card, shared

MOST_COLOURS: Final = 6
MOST_RANKS: Final = 5
MOST_PLAYERS: Final = 5
N_CARDS: Final = MOST_COLOURS * MOST_RANKS
#: A place in hand without a card.
EMPTY: Final = -1

COLOURS: Final = ("red", "yellow", "green", "white", "blue", "multicolour")
LETTERS: Final = "RYGWBM"
NAMES: Final[list[str]] = [f"{colour} {rank}" for colour in COLOURS for rank in range(1, MOST_RANKS + 1)]
CARDS: Final[list[Card]] = [
    shared(Card(name, (("colour", name.split()[0]), ("rank", int(name[-1]))))) for name in NAMES
]

#: The ones of all cards, of the lowest and of all but the lowest ranks.
ONES: Final = (1 << 2 * N_CARDS) // 3
LOWEST: Final = ((1 << 2 * N_CARDS) - 1) // ((1 << 2 * MOST_RANKS) - 1)
HIGHER: Final = ONES - LOWEST
#: One card; the marks of a colour and of a rank, counted from 0.
ONE: Final[list[int]] = [1 << 2 * card for card in range(N_CARDS)]
OF_COLOUR: Final[list[int]] = [1023 << 10 * colour for colour in range(MOST_COLOURS)]
OF_RANK: Final[list[int]] = [3 * LOWEST << 2 * rank for rank in range(MOST_RANKS)]
MARKS: Final[list[int]] = OF_COLOUR + OF_RANK

_EVEN_PAIRS: Final = 0x3333333333333333
_EVEN_FOURS: Final = 0x0F0F0F0F0F0F0F0F
_EIGHTS: Final = 0x0101010101010101
#: What five players with a card each need, to have one to draw.
_FEWEST_CARDS: Final = MOST_PLAYERS + 1


def size_of(cards: i64) -> i64:
    """Return how many cards a set has."""
    fours = (cards & _EVEN_PAIRS) + (cards >> 2 & _EVEN_PAIRS)
    return ((fours + (fours >> 4) & _EVEN_FOURS) * _EIGHTS) >> 56 & 0xFF


def kinds_of(cards: i64) -> i64:
    """Return the ones of a set: each card that is in it, once."""
    return (cards | cards >> 1) & ONES


def card_at(cards: i64, place: i64) -> i64:
    """Return the card at a ``place``, from 0, of a set in order."""
    card: i64 = 0
    while True:
        place -= cards & 3
        if place < 0:
            return card
        cards >>= 2
        card += 1


def cards_in(cards: i64) -> list[int]:
    """Return the cards of a set in order, equal ones too."""
    return [int(card_at(cards, place)) for place in range(size_of(cards))]


@dataclass
class HanabiParameters(Parameters):
    """The deck, the hands, hints and fuses; the defaults are the printed game."""

    colours: int = integer(5, 1, MOST_COLOURS, "colours of fireworks; the sixth is multicolour")
    ranks: int = integer(5, 1, MOST_RANKS, "cards of a complete firework")
    lowest: int = integer(3, 1, 3, "copies of the 1 of each colour")
    middle: int = integer(2, 1, 3, "copies of each card between")
    highest: int = integer(1, 1, 3, "copies of the highest card of each colour")
    hand_2: int = integer(5, 1, 5, "cards in hand with two or three players")
    hand_4: int = integer(4, 1, 5, "cards in hand with four or five players")
    hints: int = integer(8, 1, 20, "hints at the start, and at most")
    fuses: int = integer(3, 1, 10, "cards played in vain that end the game")
    third_fuse: str = choice(
        "zero", ("zero", "points"), "the score when the last fuse burns: nothing, or the points so far"
    )
    empty_hints: bool = flag(False, "whether a hint may name what a hand does not have")
    hint_back: bool = flag(True, "whether the highest card of a colour gives a hint back")
    free_discards: bool = flag(False, "whether cards may be discarded while no hint is spent")
    multicolour: bool = flag(False, "whether cards of the last colour count as every other one in hints")

    def check(self) -> None:
        """Reject decks that are too small for five players."""
        size = int(size_of(self.deck()))
        if size < _FEWEST_CARDS:
            raise ParameterError(f"a deck of {size} cards cannot be played; five players need at least {_FEWEST_CARDS}")

    def deck(self) -> int:
        """Return all cards, as a set."""
        copies = [self.lowest, *[self.middle] * (self.ranks - 2), *[self.highest] * (self.ranks > 1)]
        cards = [MOST_RANKS * colour + rank for colour in range(self.colours) for rank in range(self.ranks)]
        # Python's product of so large integers handles signals, which aborts compiled code.
        return sum([copies[card % MOST_RANKS] << 2 * card for card in cards])

    def hand(self, n_players: int) -> int:
        """Return the cards in hand; fewer than the parameter if the deck could not deal them and one to draw."""
        wanted = self.hand_2 if n_players <= 3 else self.hand_4
        return min(wanted, (int(size_of(self.deck())) - 1) // n_players)

    def mark(self, what: i64) -> i64:
        """Return the cards that a hint marks: of a colour from 0, or of the rank ``what - MOST_COLOURS + 1``."""
        also = OF_COLOUR[self.colours - 1] if self.multicolour and what < MOST_COLOURS else 0
        return MARKS[what] | also

    def named(self) -> list[int]:
        """Return the colours and ranks that hints can name, as in `mark`."""
        colours = self.colours - 1 if self.multicolour else self.colours
        return [*range(colours), *[MOST_COLOURS + rank for rank in range(self.ranks)]]
