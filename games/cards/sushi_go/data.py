"""The twelve kinds of cards, sets of cards, tables and choices: all are integers.

Four bits of a set count the cards of each kind. A table is the set of what lies in front of a player; there a nigiri on
wasabi is a kind of its own, ``nigiri + DIPPED``, and counts for both cards. A choice is one card, or two with chopsticks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import MoreThan, ParameterError, Parameters, Rng, bit_count, bit_place, flag, integer
from tag.components import Card, shared

TEMPURA: Final = 0
SASHIMI: Final = 1
DUMPLING: Final = 2
MAKI_1: Final = 3
MAKI_2: Final = 4
MAKI_3: Final = 5
EGG: Final = 6
SALMON: Final = 7
SQUID: Final = 8
PUDDING: Final = 9
WASABI: Final = 10
CHOPSTICKS: Final = 11

N_KINDS: Final = 12
NO_CARD: Final = -1

#: What the kind of a nigiri on wasabi is more than that of the nigiri alone.
DIPPED: Final = 6
N_PLACES: Final = SQUID + DIPPED + 1
NIGIRI: Final = (EGG, SALMON, SQUID, EGG + DIPPED, SALMON + DIPPED, SQUID + DIPPED)

MOST_PLAYERS: Final = 5
LARGEST_HAND: Final = 12

NAMES: Final[list[str]] = [
    "tempura",
    "sashimi",
    "dumpling",
    "single maki",
    "double maki",
    "triple maki",
    "egg nigiri",
    "salmon nigiri",
    "squid nigiri",
    "pudding",
    "wasabi",
    "chopsticks",
    "egg nigiri on wasabi",
    "salmon nigiri on wasabi",
    "squid nigiri on wasabi",
]

#: The cards as components, by kind.
CARDS: Final[list[Card]] = [shared(Card(name)) for name in NAMES[:N_KINDS]]

# Sets of cards.
BITS: Final = 4
MASK: Final = 15
#: The most cards of one kind.
MOST_OF_A_KIND: Final = MASK

#: One card of each kind, on the table.
UNITS: Final[list[int]] = [1 << (BITS * kind) for kind in range(N_PLACES)]


def unit(kind: i64) -> i64:
    """Return a set of one card."""
    one: i64 = UNITS[kind]
    return one


def count(cards: i64, kind: i64) -> i64:
    """Return how many cards of ``kind`` there are."""
    return cards >> (BITS * kind) & MASK


def listed(cards: i64) -> list[int]:
    """Return the kinds of all cards, in order."""
    return [kind for kind in range(N_PLACES) for _copy in range(count(cards, kind))]


def packed(counts: list[int]) -> i64:
    """Return the set with so many cards of each kind."""
    cards: i64 = 0
    for kind in range(len(counts)):
        number: i64 = counts[kind]
        cards += number * unit(kind)
    return cards


# Tables: what a card scores.
#: Places in the prices (`SushiGoParameters.prices`): tempura, sashimi, nigiri from the egg on, factor of wasabi, dumplings.
_TEMPURA: Final = 0
_SASHIMI: Final = 1
_NIGIRI: Final = 2
_FACTOR: Final = 5
_DUMPLINGS: Final = 6
_LAST_DUMPLING: Final = 5

#: The counts of the kinds of cards, those of nigiri on wasabi left out.
_KINDS: Final = (1 << (BITS * N_KINDS)) - 1


def place_of(table: i64, card: i64) -> i64:
    """Return the kind as which ``card`` comes to lie on a table: a nigiri goes on wasabi if there is any."""
    return card + DIPPED if EGG <= card <= SQUID and count(table, WASABI) else card


def with_card(table: i64, place: i64) -> i64:
    """Return a table with another card, which lies as ``place_of`` says."""
    return table + unit(place) - (unit(WASABI) if place >= N_KINDS else 0)


def points_for(prices: tuple[int, ...], table: i64, place: i64) -> i64:
    """Return the points that another card adds to a table; maki rolls, which are compared, add none."""
    before = count(table, place)
    if place == TEMPURA:
        return prices[_TEMPURA] if before % 2 == 1 else 0
    if place == SASHIMI:
        return prices[_SASHIMI] if before % 3 == 2 else 0
    if place == DUMPLING:
        return prices[_DUMPLINGS + min(before, _LAST_DUMPLING)]
    if EGG <= place <= SQUID:
        return prices[_NIGIRI + place - EGG]
    if place >= N_KINDS:
        return prices[_NIGIRI + place - EGG - DIPPED] * prices[_FACTOR]
    return 0


def points_of(prices: tuple[int, ...], table: i64, place: i64) -> i64:
    """Return the points of all cards of one kind on a table."""
    cards: i64 = 0
    points: i64 = 0
    for _card in range(count(table, place)):
        points += points_for(prices, cards, place)
        cards += unit(place)
    return points


def points_text(points: i64) -> str:
    """Return points in words."""
    return "1 point" if points == 1 else f"{points} points"


def maki_in(table: i64) -> i64:
    """Return how many maki rolls are on a table."""
    return count(table, MAKI_1) + 2 * count(table, MAKI_2) + 3 * count(table, MAKI_3)


def undipped(table: i64) -> i64:
    """Return the cards on a table, dipped nigiri as two cards."""
    dipped = table >> (BITS * N_KINDS)
    cards = (table & _KINDS) + (dipped << (BITS * EGG))
    return cards + ((dipped & MASK) + (dipped >> BITS & MASK) + (dipped >> 2 * BITS)) * unit(WASABI)


# Choices.
NO_CHOICE: Final = 0

#: The lowest bit of the count of each kind.
_FLAGS: Final = sum([1 << (BITS * kind) for kind in range(N_KINDS)])


def choice_of(first: i64, second: i64) -> i64:
    """Return the choice of two cards, played in this order; a ``second`` of -1 is none."""
    return (first + 1) | (second + 1) << BITS


def first_of(choice: i64) -> i64:
    """Return the card that is played first."""
    return (choice & MASK) - 1


def second_of(choice: i64) -> i64:
    """Return the card that is played second, -1 for none."""
    return (choice >> BITS) - 1


def choice_text(choice: i64) -> str:
    """Return the cards in words."""
    second = second_of(choice)
    return NAMES[first_of(choice)] + (f", then {NAMES[second]}" if second >= 0 else "")


def can_take_two(hand: i64, table: i64) -> bool:
    """Say whether a player has chopsticks on the table, and two cards in hand."""
    if count(table, CHOPSTICKS) == 0:
        return False
    kinds = _kinds(hand)
    return kinds & (kinds - 1) != 0 or hand & ~kinds != 0


def double_choices(hand: i64, table: i64) -> list[int]:
    """Return the choices of two cards, in both orders where that matters.

    The order matters for a wasabi and a nigiri while no other wasabi is free, and for two nigiri and one free wasabi.
    """
    free = count(table, WASABI)
    found: list[int] = []
    for first in range(N_KINDS):
        number = count(hand, first)
        if number:
            if number > 1:
                found.append(int(choice_of(first, first)))
            is_nigiri = EGG <= first <= SQUID
            for second in range(first + 1, N_KINDS):
                if count(hand, second):
                    found.append(int(choice_of(first, second)))
                    if is_nigiri and ((second == WASABI and free == 0) or (second <= SQUID and free == 1)):
                        found.append(int(choice_of(second, first)))
    return found


def random_choice(hand: i64, table: i64, rng: Rng) -> i64:
    """Return one of all choices, each as likely: first those of one card, then those of two."""
    kinds = _kinds(hand)
    number = bit_count(kinds)
    if can_take_two(hand, table):
        doubles = double_choices(hand, table)
        place = rng.below(number + len(doubles))
        if place >= number:
            return doubles[place - number]
    else:
        place = rng.below(number)
    return 1 + bit_place(kinds, place, BITS)


def _kinds(hand: i64) -> i64:
    """Return the kinds in a hand, each as the lowest of its four bits."""
    return (hand | hand >> 1 | hand >> 2 | hand >> 3) & _FLAGS


_SMALLEST_HAND = 2


@dataclass
class SushiGoParameters(Parameters):
    """The deck, hands, points and rounds; the defaults are the printed game."""

    rounds: int = integer(3, 1, 10, "rounds of a game")
    hand_2: int = integer(10, _SMALLEST_HAND, LARGEST_HAND, "cards in a hand of two players")
    hand_3: int = integer(9, _SMALLEST_HAND, LARGEST_HAND, "cards in a hand of three players")
    hand_4: int = integer(8, _SMALLEST_HAND, LARGEST_HAND, "cards in a hand of four players")
    hand_5: int = integer(7, _SMALLEST_HAND, LARGEST_HAND, "cards in a hand of five players")
    both_ways: bool = flag(False, "whether hands are passed to the right in every second round")
    tempura: int = integer(14, 0, MOST_OF_A_KIND, "tempura in the deck")
    sashimi: int = integer(14, 0, MOST_OF_A_KIND, "sashimi in the deck")
    dumplings: int = integer(14, 0, MOST_OF_A_KIND, "dumplings in the deck")
    maki_1: int = integer(6, 0, MOST_OF_A_KIND, "single maki in the deck")
    maki_2: int = integer(12, 0, MOST_OF_A_KIND, "double maki in the deck")
    maki_3: int = integer(8, 0, MOST_OF_A_KIND, "triple maki in the deck")
    eggs: int = integer(5, 0, MOST_OF_A_KIND, "egg nigiri in the deck")
    salmon: int = integer(10, 0, MOST_OF_A_KIND, "salmon nigiri in the deck")
    squid: int = integer(5, 0, MOST_OF_A_KIND, "squid nigiri in the deck")
    puddings: int = integer(10, 0, MOST_OF_A_KIND, "puddings in the deck")
    wasabi: int = integer(6, 0, MOST_OF_A_KIND, "wasabi in the deck")
    chopsticks: int = integer(4, 0, MOST_OF_A_KIND, "chopsticks in the deck")
    tempura_points: int = integer(5, 0, 20, "points of two tempura", active_if=("tempura", MoreThan(1)))
    sashimi_points: int = integer(10, 0, 40, "points of three sashimi", active_if=("sashimi", MoreThan(2)))
    dumpling_1: int = integer(1, 0, 20, "points of the first dumpling", active_if=("dumplings", MoreThan(0)))
    dumpling_2: int = integer(2, 0, 20, "points that the second dumpling adds", active_if=("dumplings", MoreThan(1)))
    dumpling_3: int = integer(3, 0, 20, "points that the third dumpling adds", active_if=("dumplings", MoreThan(2)))
    dumpling_4: int = integer(4, 0, 20, "points that the fourth dumpling adds", active_if=("dumplings", MoreThan(3)))
    dumpling_5: int = integer(5, 0, 20, "points that the fifth dumpling adds", active_if=("dumplings", MoreThan(4)))
    dumpling_6: int = integer(0, 0, 20, "points that each further dumpling adds", active_if=("dumplings", MoreThan(5)))
    egg_points: int = integer(1, 0, 10, "points of an egg nigiri", active_if=("eggs", MoreThan(0)))
    salmon_points: int = integer(2, 0, 10, "points of a salmon nigiri", active_if=("salmon", MoreThan(0)))
    squid_points: int = integer(3, 0, 10, "points of a squid nigiri", active_if=("squid", MoreThan(0)))
    wasabi_factor: int = integer(
        3, 1, 6, "what the points of a nigiri on wasabi are multiplied by", active_if=("wasabi", MoreThan(0))
    )
    maki_most: int = integer(6, 0, 20, "points for the most maki rolls in a round")
    maki_second: int = integer(3, 0, 20, "points for the second most maki rolls in a round")
    pudding_most: int = integer(
        6, 0, 20, "points for the most puddings in the game", active_if=("puddings", MoreThan(0))
    )
    pudding_fewest: int = integer(
        6,
        0,
        20,
        "points that the fewest puddings cost, with three players or more",
        active_if=("puddings", MoreThan(0)),
    )

    def check(self) -> None:
        """Refuse decks that cannot be dealt in every round, as players keep all the puddings."""
        size = sum(self.deck()) - self.puddings
        for n_players in range(2, MOST_PLAYERS + 1):
            hand = self.hand_size(n_players)
            if n_players * hand > size:
                fitting = size // n_players
                right = (
                    f"the nearest value is {fitting}"
                    if fitting >= _SMALLEST_HAND
                    else f"a deck has at least {_SMALLEST_HAND * MOST_PLAYERS}"
                )
                raise ParameterError(
                    f"hand_{n_players} cannot be {hand} with a deck of {size} cards beside the puddings; {right}"
                )

    def deck(self) -> list[int]:
        """Return how many cards of each kind there are."""
        return [
            self.tempura,
            self.sashimi,
            self.dumplings,
            self.maki_1,
            self.maki_2,
            self.maki_3,
            self.eggs,
            self.salmon,
            self.squid,
            self.puddings,
            self.wasabi,
            self.chopsticks,
        ]

    def hand_size(self, n_players: int) -> int:
        """Return how many cards each of ``n_players`` is dealt in a round."""
        return [self.hand_2, self.hand_3, self.hand_4, self.hand_5][n_players - 2]

    def prices(self) -> tuple[int, ...]:
        """Return the points of cards, in the order that `tag.games.cards.sushi_go.data` reads."""
        return (
            self.tempura_points,
            self.sashimi_points,
            self.egg_points,
            self.salmon_points,
            self.squid_points,
            self.wasabi_factor,
            self.dumpling_1,
            self.dumpling_2,
            self.dumpling_3,
            self.dumpling_4,
            self.dumpling_5,
            self.dumpling_6,
        )
