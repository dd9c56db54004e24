"""The cards, as integers, and sets of them as one number each.

Equal cards are the same number. In a set the low eight bits are the size; four bits for each kind follow, in order of
kind. So adding a card is adding its `unit`, taking a set out of another one is a subtraction, and 0 is the empty set. No
kind has more than 15 cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import MoreThan, ParameterError, Parameters, Rng, flag, integer, packed_size
from tag.components import Card, shared

EXPLODING_KITTEN: Final = 0
DEFUSE: Final = 1
ATTACK: Final = 2
SKIP: Final = 3
FAVOR: Final = 4
SHUFFLE: Final = 5
SEE_THE_FUTURE: Final = 6
NOPE: Final = 7
#: The first of the five kinds of cats, which do nothing alone.
TACOCAT: Final = 8

N_KINDS: Final = 13
MAX_PLAYERS: Final = 5

NAMES: Final[list[str]] = [
    "Exploding Kitten",
    "Defuse",
    "Attack",
    "Skip",
    "Favor",
    "Shuffle",
    "See the Future",
    "Nope",
    "Tacocat",
    "Cattermelon",
    "Hairy Potato Cat",
    "Beard Cat",
    "Rainbow-Ralphing Cat",
]

CARDS: Final[list[Card]] = [shared(Card(name, (("kind", kind),))) for kind, name in enumerate(NAMES)]


def changed(numbers: tuple[int, ...], index: i64, number: i64) -> tuple[int, ...]:
    """Return ``numbers`` with another one at ``index``."""
    found = list(numbers)
    found[index] = int(number)
    return tuple(found)


# Sets of cards.
#: The bits of the size.
_SIZE: Final = 8


def unit(kind: i64) -> i64:
    """Return the set of one card of ``kind``."""
    return shifted(1, _SIZE + 4 * kind) + 1


def shifted(bits: i64, places: i64) -> i64:
    """Return ``bits << places``; compiled, a literal 1 would be shifted in 32 bits, and an `int` at eight times the cost."""
    return bits << places


def count(cards: i64, kind: i64) -> i64:
    """Return how many of ``cards`` are of ``kind``."""
    return cards >> (_SIZE + 4 * kind) & 15


def size(cards: i64) -> i64:
    """Return how many ``cards`` there are."""
    return cards & 255


def n_cats(cards: i64) -> i64:
    """Return how many of ``cards`` are cats."""
    return packed_size(counts(cards) >> 4 * TACOCAT)


def counts(cards: i64) -> i64:
    """Return the numbers of ``cards`` of each kind, four bits each, to be looked at one after the other."""
    return cards >> _SIZE


def above(cards: i64, kind: i64) -> i64:
    """Return `counts` of the ``cards`` of the kinds after ``kind``."""
    places = 4 * (kind + 1)
    return counts(cards) >> places << places


def different(numbers: i64) -> i64:
    """Return how many of ``numbers``, as `counts` returns them, are not zero."""
    found: i64 = 0
    while numbers:
        if numbers & 15:
            found += 1
        numbers >>= 4
    return found


def kind_at(numbers: i64, index: i64) -> i64:
    """Return the kind at ``index`` of those of which ``numbers``, as `counts` returns them, are not zero."""
    kind: i64 = 0
    while True:
        if numbers & 15:
            if index == 0:
                return kind
            index -= 1
        numbers >>= 4
        kind += 1


def packed(kinds: list[int] | tuple[int, ...]) -> i64:
    """Return the set of the cards ``kinds``."""
    cards: i64 = 0
    for kind in kinds:
        cards += unit(kind)
    return cards


def listed(cards: i64) -> list[int]:
    """Return the kinds of ``cards``, in order."""
    return [kind for kind in range(N_KINDS) for _copy in range(count(cards, kind))]


def without_one_of_each(cards: i64) -> i64:
    """Return the cards left for sure of ``cards`` when any one of them may be gone: one less of each kind."""
    found = cards
    left = counts(cards)
    kind: i64 = 0
    while left:
        if left & 15:
            found -= unit(kind)
        left >>= 4
        kind += 1
    return found


def card_at(cards: i64, place: i64) -> i64:
    """Return the kind of the card at ``place`` of ``cards``, in order of kind."""
    return (_shift_at(cards, place) - _SIZE) >> 2


def drawn(cards: i64, number: i64, rng: Rng) -> i64:
    """Return ``number`` of ``cards``, drawn at random."""
    found: i64 = 0
    for left in range(size(cards), size(cards) - number, -1):
        card = shifted(1, _shift_at(cards, rng.below(left))) + 1
        cards -= card
        found += card
    return found


def _shift_at(cards: i64, place: i64) -> i64:
    """Return where the bits are of the kind of the card at ``place``."""
    shift: i64 = _SIZE
    place -= cards >> shift & 15
    while place >= 0:
        shift += 4
        place -= cards >> shift & 15
    return shift


@dataclass
class ExplodingKittensParameters(Parameters):
    """The deck, the deal and the rules that differ between printings; the defaults are the 2015 game."""

    hand_cards: int = integer(7, 1, 20, "cards dealt to each player beside a Defuse; first printed leaflets said 4")
    attack_turns: int = integer(2, 1, 5, "turns that the victim of an Attack takes", active_if=("attacks", MoreThan(0)))
    attacks_stack: bool = flag(
        False,
        "whether an attacked player's Attack adds the turns still to take (later printings)",
        active_if=("attacks", MoreThan(0)),
    )
    special_combos: bool = flag(True, "whether any equal cards are pairs, and threes and five different can be played")
    five_different: bool = flag(
        True,
        "whether that goes for five different cards (no longer in the rules of 2024)",
        active_if=("special_combos", (True,)),
    )
    nope_own: bool = flag(False, "whether a player can Nope a card of their own")
    future_cards: int = integer(3, 1, 10, "cards that See the Future shows", active_if=("see_the_futures", MoreThan(0)))
    keep_dead_hands: bool = flag(
        False, "whether who explodes keeps the cards, face down, and does not discard them (rules of 2024)"
    )
    two_player_defuses: int = integer(2, 0, 8, "Defuses in the draw pile with two players, the rest being removed")
    spare_defuses: int = integer(8, 0, 8, "most Defuses in the draw pile, the rest being removed; 2 in 2024")
    early_defuses: bool = flag(False, "whether these are shuffled in before the deal (rules of 2024)")
    defuses: int = integer(6, MAX_PLAYERS, 10, "Defuses in the box")
    attacks: int = integer(4, 0, 10, "Attacks in the deck")
    skips: int = integer(4, 0, 10, "Skips in the deck")
    favors: int = integer(4, 0, 10, "Favors in the deck")
    shuffles: int = integer(4, 0, 10, "Shuffles in the deck")
    see_the_futures: int = integer(5, 0, 10, "See the Futures in the deck")
    nopes: int = integer(5, 0, 10, "Nopes in the deck")
    cats: int = integer(4, 0, 10, "cats of each of the five kinds in the deck")

    def check(self) -> None:
        """Refuse decks from which five players cannot be dealt their cards, and Defuses that there are not."""
        size = sum(self.counts())
        if size < MAX_PLAYERS:
            raise ParameterError(f"a deck of {size} cards cannot be dealt; five players need at least {MAX_PLAYERS}")
        if self.hand_cards * MAX_PLAYERS > size:
            raise ParameterError(
                f"hand_cards cannot be {self.hand_cards}: a deck of {size} cards has {size // MAX_PLAYERS} "
                f"for each of five players; the nearest value is {size // MAX_PLAYERS}"
            )
        if self.two_player_defuses > self.defuses - 2:
            raise ParameterError(
                f"two_player_defuses cannot be {self.two_player_defuses} with {self.defuses} Defuses of which two are "
                f"dealt; the nearest value is {self.defuses - 2}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each kind are shuffled before the deal: no kittens, no Defuses."""
        cats = [self.cats] * (N_KINDS - TACOCAT)
        counts = [0, 0, self.attacks, self.skips, self.favors, self.shuffles, self.see_the_futures, self.nopes]
        return counts + cats

    def deck(self) -> list[int]:
        """Return the cards that are shuffled before the deal, in order of kind."""
        counts = self.counts()
        return [kind for kind in range(N_KINDS) for _copy in range(counts[kind])]

    def defuses_left(self, n_players: int) -> int:
        """Return how many of the Defuses that are not dealt to each player go into the deck."""
        most = self.two_player_defuses if n_players == 2 else self.defuses - n_players
        return min(most, self.spare_defuses)
