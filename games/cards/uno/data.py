"""The 54 kinds of cards, as integers, and sets of them.

A card is ``13 * colour + symbol``: symbols 0 to 9 are the numbers, then skip, reverse and draw two; 52 is the wild and
53 the wild draw four. In a `CardSet` only the number of each kind counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from mypy_extensions import i64

from tag import MoreThan, ParameterError, Parameters, Rng, choice, flag, integer, real
from tag.components import Card, shared

NO_CARD: Final = -1
N_KINDS: Final = 54
N_COLOURS: Final = 4
N_SYMBOLS: Final = 13

SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
#: The symbol of wild cards on top of the discard pile, which no card matches.
NO_SYMBOL: Final = 13

WILD: Final = 52
WILD_DRAW_FOUR: Final = 53

COLOURS: Final[list[str]] = ["red", "yellow", "green", "blue"]
SYMBOLS: Final[list[str]] = [*[str(number) for number in range(10)], "skip", "reverse", "draw two"]

NAMES: Final[list[str]] = [
    *[f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS],
    "wild",
    "wild draw four",
]

CARDS: Final[list[Card]] = [shared(Card(name, (("number", number),))) for number, name in enumerate(NAMES)]


# Sets of cards.
#: Bits for the count of a symbol, and the mask for one count.
_BITS: Final = 4
_COUNT: Final = 15

#: Where the count of all cards of a word starts, and the mask for the counts of its symbols.
_TOTAL: Final = _BITS * N_SYMBOLS
_SYMBOLS: Final = (1 << _TOTAL) - 1

#: What any card adds to the count of all.
_ONE: Final = 1 << _TOTAL

#: The lowest bit of each count.
_FLAGS: Final = _SYMBOLS // _COUNT


@final
class CardSet:
    """The number of cards of each kind, packed into five words: one per colour, and one for the wild cards.

    In a word four bits count the cards of each symbol, and the bits above count them all. So adding sets is adding
    words, and a word of 0 says that no card of the colour is there.
    """

    def __init__(self, red: i64 = 0, yellow: i64 = 0, green: i64 = 0, blue: i64 = 0, wild: i64 = 0) -> None:
        """Take the words; without any the set is empty."""
        self._red = red
        self._yellow = yellow
        self._green = green
        self._blue = blue
        self._wild = wild

    def copy(self) -> CardSet:
        return CardSet(self._red, self._yellow, self._green, self._blue, self._wild)

    @property
    def size(self) -> i64:
        """Return how many cards there are."""
        return (
            (self._red >> _TOTAL)
            + (self._yellow >> _TOTAL)
            + (self._green >> _TOTAL)
            + (self._blue >> _TOTAL)
            + (self._wild >> _TOTAL)
        )

    @property
    def n_of_both_wilds(self) -> i64:
        """Return how many wilds and wild draw fours there are."""
        return self._wild >> _TOTAL

    @property
    def n_wilds(self) -> i64:
        """Return how many wilds there are."""
        return self._wild & _COUNT

    @property
    def n_wild_draw_fours(self) -> i64:
        """Return how many wild draw fours there are."""
        return self._wild >> _BITS & _COUNT

    def has_colour(self, colour: i64) -> bool:
        """Say whether there is a card of ``colour``."""
        return self._word(colour) != 0

    def symbols(self, colour: i64) -> i64:
        """Return the symbols that there are of ``colour``, each as the lowest of its four bits."""
        word = self._word(colour)
        return (word | word >> 1 | word >> 2 | word >> 3) & _FLAGS

    def colours(self, symbol: i64) -> i64:
        """Return the colours that there are of ``symbol``, as a mask."""
        shift = _BITS * symbol
        found: i64 = 0
        if self._red >> shift & _COUNT:
            found |= 1
        if self._yellow >> shift & _COUNT:
            found |= 2
        if self._green >> shift & _COUNT:
            found |= 4
        if self._blue >> shift & _COUNT:
            found |= 8
        return found

    def counts(self, colour: i64) -> i64:
        """Return how many cards of ``colour`` there are of each symbol, four bits for each."""
        return self._word(colour) & _SYMBOLS

    def count(self, card: i64) -> i64:
        """Return how many copies of ``card`` there are."""
        return self._word(card // N_SYMBOLS) >> _BITS * (card % N_SYMBOLS) & _COUNT

    def cards(self) -> list[int]:
        """Return all cards, in order."""
        return [card for card in range(WILD_DRAW_FOUR + 1) for _copy in range(self.count(card))]

    def words(self) -> tuple[int, ...]:
        """Return the five words: equal for equal sets."""
        return (self._red, self._yellow, self._green, self._blue, self._wild)

    def add(self, card: i64) -> None:
        """Add ``card``."""
        self._change(card // N_SYMBOLS, _unit(card % N_SYMBOLS))

    def remove(self, card: i64) -> None:
        """Take ``card``, which is there, away."""
        self._change(card // N_SYMBOLS, -_unit(card % N_SYMBOLS))

    def take(self, rng: Rng) -> i64:
        """Take one of the cards away, each as likely, and return it; there must be one."""
        return self.deal(CardSet(), 1, rng)

    def include(self, other: CardSet) -> None:
        """Add all cards of ``other``."""
        self._red += other._red
        self._yellow += other._yellow
        self._green += other._green
        self._blue += other._blue
        self._wild += other._wild

    def exclude(self, other: CardSet) -> None:
        """Take all cards of ``other``, which are there, away."""
        self._red -= other._red
        self._yellow -= other._yellow
        self._green -= other._green
        self._blue -= other._blue
        self._wild -= other._wild

    def clear(self) -> None:
        """Take all cards away."""
        self._red = 0
        self._yellow = 0
        self._green = 0
        self._blue = 0
        self._wild = 0

    def deal(self, hand: CardSet, count: i64, rng: Rng) -> i64:
        """Move ``count`` cards at random to ``hand`` and return the last one, `NO_CARD` where there is none."""
        card: i64 = NO_CARD
        size = self.size
        for left in range(size, size - count, -1):
            index = rng.below(left)
            word: i64 = 0
            rest = self._red
            while index >= rest >> _TOTAL:
                index -= rest >> _TOTAL
                word += 1
                rest = self._word(word)
            symbol = _symbol_at(rest, index)
            unit = _unit(symbol)
            self._change(word, -unit)
            hand._change(word, unit)
            card = N_SYMBOLS * word + symbol
        return card

    def _word(self, index: i64) -> i64:
        if index < 2:
            return self._red if index == 0 else self._yellow
        if index == 2:
            return self._green
        return self._blue if index == 3 else self._wild

    def _change(self, index: i64, amount: i64) -> None:
        if index == 0:
            self._red += amount
        elif index == 1:
            self._yellow += amount
        elif index == 2:
            self._green += amount
        elif index == 3:
            self._blue += amount
        else:
            self._wild += amount

    def __reduce__(self) -> Any:
        return (CardSet, self.words())


def _symbol_at(word: i64, index: i64) -> i64:
    """Return the symbol of the card number ``index`` of a word, in order."""
    symbol: i64 = 0
    count = word & _COUNT
    while index >= count:
        index -= count
        word >>= _BITS
        symbol += 1
        count = word & _COUNT
    return symbol


def _unit(symbol: i64) -> i64:
    """Return the unit of a card of ``symbol`` in its word (from above: compiled shifts of 1 to the left have 32 bits)."""
    return _ONE + (_ONE >> _TOTAL - _BITS * symbol)


def card_set(cards: list[int]) -> CardSet:
    """Return the set of ``cards``."""
    found = CardSet()
    for card in cards:
        found.add(card)
    return found


#: The ways of scoring: points to the winner of each round; fewest points caught with; who has too many is out; one round.
WINNER: Final = "winner"
LOWEST: Final = "lowest"
ELIMINATION: Final = "elimination"
SINGLE: Final = "single"

_MOST_PLAYERS: Final = 10
_TO_A_GOAL: Final = (WINNER, LOWEST, ELIMINATION)


@dataclass
class UnoParameters(Parameters):
    """The deck, the scoring and the rules that are varied; the defaults are the printed game."""

    hand_size: int = integer(7, 1, 10, "cards dealt to each player")
    zeros: int = integer(1, 0, 4, "cards 0 of each colour")
    numbers: int = integer(2, 1, 4, "cards of each other number in each colour")
    skips: int = integer(2, 0, 10, "skips of each colour")
    reverses: int = integer(2, 0, 10, "reverses of each colour")
    draw_twos: int = integer(2, 0, 10, "draw twos of each colour")
    wilds: int = integer(4, 0, 10, "wilds")
    wild_draw_fours: int = integer(4, 0, 10, "wild draw fours")
    scoring: str = choice(
        WINNER,
        (WINNER, LOWEST, ELIMINATION, SINGLE),
        "points to the winner of each round / fewest points caught with / out who has too many / one round",
    )
    goal: int = integer(
        500, 50, 500, "points that win, end the game or put a player out", active_if=("scoring", _TO_A_GOAL)
    )
    action_points: int = integer(20, 0, 50, "points of a skip, reverse or draw two caught in hand")
    wild_points: int = integer(50, 0, 100, "points of a wild or wild draw four caught in hand")
    partners: bool = flag(
        False, "four players are two teams, seats 0 and 2 against 1 and 3", active_if=("scoring", (WINNER,))
    )
    bluffing: bool = flag(
        True,
        "whether a wild draw four can be played with a card of the colour in hand",
        active_if=("wild_draw_fours", MoreThan(0)),
    )
    challenges: bool = flag(
        True, "whether a wild draw four can be challenged; it cannot without bluffing", active_if=("bluffing", (True,))
    )
    voluntary_draw: bool = flag(True, "whether a player who can play may draw a card instead")
    draw_two: int = integer(
        2, 1, 6, "cards that a draw two makes the next player draw", active_if=("draw_twos", MoreThan(0))
    )
    draw_four: int = integer(
        4, 1, 8, "cards that a wild draw four makes the next player draw", active_if=("wild_draw_fours", MoreThan(0))
    )
    challenge_extra: int = integer(
        2, 0, 8, "cards that a failed challenge costs on top", active_if=("challenges", (True,))
    )
    uno_slip: float = real(0.0, 0.0, 1.0, "chance that a player with one card left forgets to call uno and is caught")
    uno_penalty: int = integer(2, 0, 6, "cards to draw for being caught", active_if=("uno_slip", MoreThan(0)))
    max_turns: int = integer(
        0,
        0,
        500,
        "turns after which a round is won by the fewest points in hand, as if no player could draw; 0 plays on",
    )
    max_rounds: int = integer(0, 0, 1000, "rounds after which the score decides; 0 plays on to the goal")

    def check(self) -> None:
        """Refuse decks that ten players cannot play with, and partners who score for themselves."""
        size = sum(self.deck()) - self.wild_draw_fours
        fits = (size - 1) // _MOST_PLAYERS
        if self.hand_size > fits:
            raise ParameterError(
                f"hand_size cannot be {self.hand_size}: ten hands and a first card have to come from the {size} cards "
                f"that are no wild draw fours; the nearest value is {fits}"
            )
        if self.partners and self.scoring != WINNER:
            raise ParameterError(
                f"scoring cannot be {self.scoring!r} with partners, who win points together; the nearest value is "
                f"{WINNER!r}"
            )

    def deck(self) -> list[int]:
        """Return how many cards of each kind there are."""
        colour = [self.zeros, *[self.numbers] * 9, self.skips, self.reverses, self.draw_twos]
        return [*colour * N_COLOURS, self.wilds, self.wild_draw_fours]
