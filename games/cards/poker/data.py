"""The cards, and how strong hands are.

A card is ``13 * suit + rank``, ranks from 0 (a two) to 12 (an ace). A set of cards is one number with a bit for each card,
and so is a set of ranks or of seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, Rng, choice, integer
from tag.components import Card, shared

N_CARDS: Final = 52
N_RANKS: Final = 13
MOST_PLAYERS: Final = 9
#: Cards of a player, and on the board in the end.
HOLE_CARDS: Final = 2
BOARD_CARDS: Final = 5
#: Cards that make a hand.
HAND_CARDS: Final = 5

#: The rounds of betting, as `GameState.phase`.
PREFLOP: Final = 0
FLOP: Final = 1
TURN: Final = 2
RIVER: Final = 3
STREETS: Final[list[str]] = ["preflop", "flop", "turn", "river"]
#: The cards on the board in each round of betting.
ON_BOARD: Final[list[int]] = [0, 3, 4, 5]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
NAMES: Final[list[str]] = [rank + suit for suit in SUITS for rank in RANKS]
CARDS: Final[list[Card]] = [shared(Card(name)) for name in NAMES]
DECK: Final[list[int]] = list(range(N_CARDS))
#: The bit of a card or of a seat.
BIT: Final[list[int]] = [1 << number for number in range(N_CARDS)]


def deal(cards: list[int], kept: list[int], rng: Rng) -> None:
    """Replace all of ``cards`` but those at the places ``kept`` by others of the deck, each deal as likely."""
    deck = DECK[:]
    objects: list[Any] = deck  # of `Any`, so that compiled code moves cards as they are
    places: list[Any] = cards
    left: i64 = N_CARDS
    for place in kept:
        card: i64 = cards[place]
        at = card
        while deck[at] != card:  # the deck is a permutation: its cycle leads to the card
            at = deck[at]
        left -= 1
        deck[at] = deck[left]
        deck[left] = card
    is_kept: i64 = 0
    for place in kept:
        is_kept |= BIT[place]
    for place in range(len(cards)):
        if is_kept >> place & 1 == 0:
            drawn = rng.below(left)
            left -= 1
            places[place] = objects[drawn]
            objects[drawn] = objects[left]


# Strength.
HIGH_CARD: Final = 0
PAIR: Final = 1
TWO_PAIR: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
CATEGORIES: Final[list[str]] = [
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
]

#: All ranks, or the cards of the first suit.
RANK_SET: Final = (1 << N_RANKS) - 1
#: Bits of a strength below its category, and below the ranks that are compared first.
CATEGORY_BIT: Final = 2 * N_RANKS
#: How many ranks a set of them has.
HOW_MANY: Final[list[int]] = [ranks.bit_count() for ranks in range(RANK_SET + 1)]


def strength(cards: i64) -> i64:
    """Return the strength of the best five of up to seven cards: equal for hands that tie, greater for better ones.

    It is the category, the set of ranks that are compared first (those of a pair, the top of a straight), and the set of
    ranks compared next; sets of as many ranks compare like numbers.
    """
    clubs = cards & RANK_SET
    diamonds = cards >> N_RANKS & RANK_SET
    hearts = cards >> 2 * N_RANKS & RANK_SET
    spades = cards >> 3 * N_RANKS & RANK_SET
    ranks = clubs | diamonds | hearts | spades
    suited = flush(cards)
    if suited:  # leaves two other cards: no full house, no four of a kind
        run = straight(suited)
        return _strength(STRAIGHT_FLUSH, run, 0) if run else _strength(FLUSH, top(suited, HAND_CARDS), 0)
    pairs = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    threes = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    if threes:
        fours = clubs & diamonds & hearts & spades
        if fours:
            return _strength(FOUR_OF_A_KIND, fours, highest(ranks & ~fours))
        three = highest(threes)
        if pairs != three:
            return _strength(FULL_HOUSE, three, highest(pairs & ~three))
    run = straight(ranks)
    if run:
        return _strength(STRAIGHT, run, 0)
    if threes:
        return _strength(THREE_OF_A_KIND, threes, top(ranks & ~threes, 2))
    number = HOW_MANY[pairs]
    if number > 1:
        two = top(pairs, 2)
        return _strength(TWO_PAIR, two, highest(ranks & ~two))
    return _strength(PAIR, pairs, top(ranks & ~pairs, 3)) if number else _strength(HIGH_CARD, 0, top(ranks, HAND_CARDS))


def _strength(category: i64, first: i64, then: i64) -> i64:
    return category << CATEGORY_BIT | first << N_RANKS | then


def category(cards: i64) -> i64:
    """Return the category of the best five of up to seven cards."""
    return strength(cards) >> CATEGORY_BIT


def ranks_of(cards: i64) -> i64:
    """Return the ranks of a set of cards."""
    return (cards | cards >> N_RANKS | cards >> 2 * N_RANKS | cards >> 3 * N_RANKS) & RANK_SET


def flush(cards: i64) -> i64:
    """Return the ranks of the suit with five cards or more, 0 if there is none."""
    for _suit in range(len(SUITS)):
        if HOW_MANY[cards & RANK_SET] >= HAND_CARDS:
            return cards & RANK_SET
        cards >>= N_RANKS
    return 0


def straight(ranks: i64) -> i64:
    """Return the bit of the top rank of the best straight, 0 if there is none; an ace is also below the two."""
    low = ranks << 1 | ranks >> (N_RANKS - 1)
    run = low & low >> 1 & low >> 2 & low >> 3 & low >> 4
    return highest(run) << 3 if run else 0


def highest(ranks: i64) -> i64:
    """Return the bit of the highest rank, 0 if there is none."""
    ranks |= ranks >> 1
    ranks |= ranks >> 2
    ranks |= ranks >> 4
    ranks |= ranks >> 8
    return ranks - (ranks >> 1)


def top(ranks: i64, number: i64) -> i64:
    """Return the ``number`` highest ranks, or all if there are fewer."""
    for _rank in range(HOW_MANY[ranks] - number):
        ranks &= ranks - 1
    return ranks


def names(cards: list[int]) -> str:
    """Return the cards in words: ``Ah Tc``."""
    return " ".join([NAMES[card] for card in cards])


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
