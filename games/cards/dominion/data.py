"""The 33 cards, and sets of cards as two integers.

A card has two numbers. Its *kind* is the same in all games. Its *slot* is its place among the 17 piles of one game: first
the seven basic cards, whose slot is their kind, then the ten kingdom cards in the order of their kinds.

A set of cards is a pair of integers with six bits for the number of cards in each slot: a basic word with seven slots, a
kingdom word with ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, Rng, bit_place, choice, flag, free_text, integer
from tag.components import Card, shared

# Cards.
COPPER: Final = 0
SILVER: Final = 1
GOLD: Final = 2
ESTATE: Final = 3
DUCHY: Final = 4
PROVINCE: Final = 5
CURSE: Final = 6
CELLAR: Final = 7
CHAPEL: Final = 8
MOAT: Final = 9
HARBINGER: Final = 10
MERCHANT: Final = 11
VASSAL: Final = 12
VILLAGE: Final = 13
WORKSHOP: Final = 14
BUREAUCRAT: Final = 15
GARDENS: Final = 16
MILITIA: Final = 17
MONEYLENDER: Final = 18
POACHER: Final = 19
REMODEL: Final = 20
SMITHY: Final = 21
THRONE_ROOM: Final = 22
BANDIT: Final = 23
COUNCIL_ROOM: Final = 24
FESTIVAL: Final = 25
LABORATORY: Final = 26
LIBRARY: Final = 27
MARKET: Final = 28
MINE: Final = 29
SENTRY: Final = 30
WITCH: Final = 31
ARTISAN: Final = 32

N_KINDS: Final = 33
N_BASIC: Final = 7
N_KINGDOM: Final = 10
N_SLOTS: Final = N_BASIC + N_KINGDOM

NAMES: Final = (
    *("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"),
    *("Cellar", "Chapel", "Moat", "Harbinger", "Merchant", "Vassal", "Village", "Workshop", "Bureaucrat", "Gardens"),
    *("Militia", "Moneylender", "Poacher", "Remodel", "Smithy", "Throne Room", "Bandit", "Council Room", "Festival"),
    *("Laboratory", "Library", "Market", "Mine", "Sentry", "Witch", "Artisan"),
)
# A list, as compiled code would make a tuple anew wherever it is read.
COSTS: Final[list[int]] = [
    *(0, 3, 6, 2, 5, 8, 0),
    *(2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6),
]
#: The cost from which on all cards can be bought.
HIGHEST_COST: Final = 8
#: The points of basic cards; Gardens are counted apart.
POINTS: Final[list[int]] = [0, 0, 0, 1, 3, 6, -1]
#: The coins of treasures.
TREASURES: Final = (1, 2, 3)
CARDS_PER_GARDENS_POINT: Final = 10

#: What playing an action gives first, by kind: +cards, +actions, +buys, +coins.
_BONUSES: Final[dict[int, tuple[int, int, int, int]]] = {
    CELLAR: (0, 1, 0, 0),
    MOAT: (2, 0, 0, 0),
    HARBINGER: (1, 1, 0, 0),
    MERCHANT: (1, 1, 0, 0),
    VASSAL: (0, 0, 0, 2),
    VILLAGE: (1, 2, 0, 0),
    MILITIA: (0, 0, 0, 2),
    POACHER: (1, 1, 0, 1),
    SMITHY: (3, 0, 0, 0),
    COUNCIL_ROOM: (4, 0, 1, 0),
    FESTIVAL: (0, 2, 1, 2),
    LABORATORY: (2, 1, 0, 0),
    MARKET: (1, 1, 1, 1),
    SENTRY: (1, 1, 0, 0),
    WITCH: (2, 0, 0, 0),
}
_NO_BONUS: Final = (0, 0, 0, 0)
PLUS_CARDS: Final[list[int]] = [_BONUSES.get(kind, _NO_BONUS)[0] for kind in range(N_KINDS)]
PLUS_ACTIONS: Final[list[int]] = [_BONUSES.get(kind, _NO_BONUS)[1] for kind in range(N_KINDS)]
PLUS_BUYS: Final[list[int]] = [_BONUSES.get(kind, _NO_BONUS)[2] for kind in range(N_KINDS)]
PLUS_COINS: Final[list[int]] = [_BONUSES.get(kind, _NO_BONUS)[3] for kind in range(N_KINDS)]
IS_ATTACK: Final[list[bool]] = [kind in (BUREAUCRAT, MILITIA, BANDIT, WITCH) for kind in range(N_KINDS)]

#: The sets of ten that the rule book recommends.
KINGDOMS: Final[dict[str, tuple[int, ...]]] = {
    "first_game": (CELLAR, MARKET, MERCHANT, MILITIA, MINE, MOAT, REMODEL, SMITHY, VILLAGE, WORKSHOP),
    "size_distortion": (
        *(ARTISAN, BANDIT, BUREAUCRAT, CHAPEL, FESTIVAL),
        *(GARDENS, SENTRY, THRONE_ROOM, WITCH, WORKSHOP),
    ),
    "deck_top": (
        *(ARTISAN, BUREAUCRAT, COUNCIL_ROOM, FESTIVAL, HARBINGER),
        *(LABORATORY, MONEYLENDER, SENTRY, VASSAL, VILLAGE),
    ),
    "sleight_of_hand": (
        *(CELLAR, COUNCIL_ROOM, FESTIVAL, GARDENS, LIBRARY),
        *(HARBINGER, MILITIA, POACHER, SMITHY, THRONE_ROOM),
    ),
    "improvements": (ARTISAN, CELLAR, MARKET, MERCHANT, MINE, MOAT, MONEYLENDER, POACHER, REMODEL, WITCH),
    "silver_and_gold": (
        *(BANDIT, BUREAUCRAT, CHAPEL, HARBINGER, LABORATORY),
        *(MERCHANT, MINE, MONEYLENDER, THRONE_ROOM, VASSAL),
    ),
}

#: The cards as components, by kind.
CARDS: Final[list[Card]] = [shared(Card(name)) for name in NAMES]


def key_of(kind: int) -> str:
    """Return the name of a card as parameters and features have it: ``throne_room``."""
    return NAMES[kind].lower().replace(" ", "_")


# Sets of cards.
BITS: Final = 6
MASK: Final = 63
#: The most cards of one kind.
MOST_OF_A_KIND: Final = MASK

#: For each slot its word in a set, its first bit there, and the set of one card.
WORD: Final[list[int]] = [int(slot >= N_BASIC) for slot in range(N_SLOTS)]
SHIFT: Final[list[int]] = [BITS * (slot - N_BASIC * WORD[slot]) for slot in range(N_SLOTS)]
UNIT: Final[list[int]] = [1 << shift for shift in SHIFT]
#: The set of one card by its place in a word.
ONE: Final = UNIT[N_BASIC:]
#: The lowest bit of each slot of a word.
FLAGS: Final = sum([1 << BITS * slot for slot in range(N_KINGDOM)])
#: The counts of every second slot.
_EVEN: Final = 0x3F03F03F03F03F
#: All bits of the slots from each one on, in the two words.
BASIC_FROM: Final[list[int]] = [
    sum([MASK << SHIFT[other] for other in range(slot, N_BASIC)]) for slot in range(N_SLOTS + 1)
]
KINGDOM_FROM: Final[list[int]] = [
    sum([MASK << SHIFT[other] for other in range(max(slot, N_BASIC), N_SLOTS)]) for slot in range(N_SLOTS + 1)
]
ALL_TREASURES: Final = sum([MASK << SHIFT[kind] for kind in (COPPER, SILVER, GOLD)])
ALL_VICTORY: Final = sum([MASK << SHIFT[kind] for kind in (ESTATE, DUCHY, PROVINCE)])
#: Flags of the basic cards that so many coins buy.
BASIC_AFFORDABLE: Final[list[int]] = [
    sum([UNIT[kind] for kind in range(N_BASIC) if COSTS[kind] <= coins]) for coins in range(HIGHEST_COST + 1)
]


def size(word: i64) -> i64:
    """Return how many cards a word has."""
    pairs = (word & _EVEN) + (word >> BITS & _EVEN)
    return (pairs + (pairs >> 12) + (pairs >> 24) + (pairs >> 36) + (pairs >> 48)) & 4095


def present(word: i64) -> i64:
    """Return the flags of the slots of a word that have a card."""
    word |= word >> 3
    return (word | word >> 1 | word >> 2) & FLAGS


def without(cards: i64, taken: i64) -> i64:
    """Return a word less the cards of another one, as far as it has them."""
    found: i64 = 0
    shift: i64 = 0
    while cards >> shift:
        rest = (cards >> shift & MASK) - (taken >> shift & MASK)
        if rest > 0:
            found |= rest << shift
        shift += BITS
    return found


def money_in(basic: i64) -> i64:
    """Return the coins of all treasures in a set."""
    return (basic >> BITS * COPPER & MASK) + 2 * (basic >> BITS * SILVER & MASK) + 3 * (basic >> BITS * GOLD & MASK)


def drawn_from(basic: i64, kingdom: i64, number: i64, rng: Rng) -> tuple[i64, i64]:
    """Return ``number`` cards from a set, each as likely; all of them if it has no more."""
    in_basic = size(basic)
    left = in_basic + size(kingdom)
    if number >= left:
        return basic, kingdom
    rest_basic, rest_kingdom = basic, kingdom
    for _card in range(number):
        place = rng.below(left)
        left -= 1
        if place < in_basic:
            in_basic -= 1
            rest_basic -= card_at(rest_basic, place)
        else:
            rest_kingdom -= card_at(rest_kingdom, place - in_basic)
    return basic - rest_basic, kingdom - rest_kingdom


def card_at(word: i64, number: i64) -> i64:
    """Return the card of a word with this number, from 0, as a set of one."""
    place: i64 = 0
    number -= word & MASK
    while number >= 0:
        word >>= BITS
        place += 1
        number -= word & MASK
    one: i64 = ONE[place]
    return one


def slot_in(basic: i64, kingdom: i64) -> i64:
    """Return the first slot of a set that is not empty."""
    return bit_place(present(basic), 0, BITS) if basic else N_BASIC + bit_place(present(kingdom), 0, BITS)


def listed(kinds: tuple[int, ...], basic: i64, kingdom: i64) -> list[int]:
    """Return the kinds of all cards of a set, in order."""
    words = (basic, kingdom)
    return [kinds[slot] for slot in range(N_SLOTS) for _copy in range(words[WORD[slot]] >> SHIFT[slot] & MASK)]


def named(kinds: tuple[int, ...], basic: i64, kingdom: i64) -> str:
    """Return the cards of a set in words: ``2 Copper, Village``."""
    words = (basic, kingdom)
    found: list[str] = []
    for slot in range(N_SLOTS):
        number = words[WORD[slot]] >> SHIFT[slot] & MASK
        if number:
            name = NAMES[kinds[slot]]
            found.append(name if number == 1 else f"{number} {name}")
    return ", ".join(found) if found else "none"


# Where cards lie.
#: Places in the cards of a state, from ``SPAN * player`` on: sets of two words each.
HAND: Final = 0
PILE: Final = 2
DISCARDS: Final = 4
KNOWN: Final = 6
OWNED: Final = 8
SPAN: Final = 10

#: Who knows a card on top of a deck, or looked at: all; or its owner alone, who had it in hand, or had not.
OPEN: Final = 0
FROM_HAND: Final = 1
FROM_PILE: Final = 2
WAY_BITS: Final = 2
WAY: Final = 3


def set_of(entries: tuple[int, ...], way: i64) -> tuple[i64, i64]:
    """Return the cards of entries, as in `DominionState.tops`, that are known in this ``way``, as a set."""
    basic: i64 = 0
    kingdom: i64 = 0
    for entry in entries:
        if entry & WAY == way:
            slot = entry >> WAY_BITS
            if WORD[slot]:
                kingdom += UNIT[slot]
            else:
                basic += UNIT[slot]
    return basic, kingdom


# Decisions.
#: What the current player decides: ``phase`` of the state. Each decision is for a card of those offered, or against all.
ACTION: Final = 0
BUY: Final = 1
#: … about a card of the hand, in the order of the cards that ask.
DISCARD_FOR_CELLAR: Final = 2
TRASH_FOR_CHAPEL: Final = 3
TRASH_FOR_MONEYLENDER: Final = 4
DISCARD_FOR_POACHER: Final = 5
TRASH_FOR_REMODEL: Final = 6
PLAY_TWICE: Final = 7
TRASH_FOR_MINE: Final = 8
PUT_FOR_ARTISAN: Final = 9
#: … about a card of the supply.
GAIN_FOR_WORKSHOP: Final = 10
GAIN_FOR_REMODEL: Final = 11
GAIN_FOR_MINE: Final = 12
GAIN_FOR_ARTISAN: Final = 13
#: … about cards of the discard pile, or from the top of the deck.
PUT_FOR_HARBINGER: Final = 14
PLAY_FOR_VASSAL: Final = 15
SET_ASIDE_FOR_LIBRARY: Final = 16
TRASH_FOR_SENTRY: Final = 17
DISCARD_FOR_SENTRY: Final = 18
PUT_FOR_SENTRY: Final = 19
#: … of those who are attacked.
REVEAL_MOAT: Final = 20
PUT_FOR_BUREAUCRAT: Final = 21
DISCARD_FOR_MILITIA: Final = 22
TRASH_FOR_BANDIT: Final = 23

N_PHASES: Final = 24
PHASE_NAMES: Final = (
    *("actions", "buys", "Cellar", "Chapel", "Moneylender", "Poacher", "Remodel", "Throne Room", "Mine"),
    *("Artisan, card to put back", "Workshop", "Remodel, card to gain", "Mine, treasure to gain", "Artisan"),
    *("Harbinger", "Vassal", "Library", "Sentry, cards to trash", "Sentry, cards to discard", "Sentry, order"),
    *("Moat", "Bureaucrat", "Militia", "Bandit"),
)


#: Values of ``kingdom`` beside the sets of the rule book.
RANDOM: Final = "random"
LISTED: Final = "listed"

_MOST_PLAYERS: Final = 4
_BY_NAME: Final[dict[str, int]] = {key_of(kind): kind for kind in range(N_BASIC, N_KINDS)}


@dataclass
class DominionParameters(Parameters):
    """The kingdom, the supply, and the end of the game; the defaults are the printed game."""

    kingdom: str = choice(
        "first_game",
        (*KINGDOMS, RANDOM, LISTED),
        "the kingdom cards: a set of the rule book, ten at random, or `cards`",
    )
    cards: str = free_text("", "with kingdom=listed, ten kingdom cards with + between: cellar+market+throne_room+…")
    hand_size: int = integer(5, 3, 10, "cards drawn for a hand")
    piles: int = integer(3, 1, 10, "empty piles that end the game")
    start_copper: int = integer(7, 3, 15, "Coppers that a player starts with")
    start_estates: int = integer(3, 0, 10, "Estates that a player starts with")
    copper: int = integer(60, 10, MOST_OF_A_KIND, "Coppers, those of the players included")
    silver: int = integer(40, 5, MOST_OF_A_KIND, "Silvers")
    gold: int = integer(30, 5, MOST_OF_A_KIND, "Golds")
    victory_2: int = integer(8, 1, 20, "cards in each victory pile with two players")
    victory_3: int = integer(12, 1, 20, "cards in each victory pile with three or four players")
    curses: int = integer(10, 0, 20, "Curses for each player but one; with 0 there is no pile of them")
    kingdom_cards: int = integer(10, 1, 20, "cards in each pile of kingdom cards that are no victory cards")
    turns_break_ties: bool = flag(True, "whether of equal players those with fewer turns win")
    max_rounds: int = integer(200, 0, 10_000, "rounds after which the points decide; 0 for no limit")

    def check(self) -> None:
        """Refuse too few Coppers, and lists that are not ten kingdom cards."""
        dealt = _MOST_PLAYERS * self.start_copper
        if self.copper <= dealt:
            most = (self.copper - 1) // _MOST_PLAYERS
            raise ParameterError(
                f"start_copper cannot be {self.start_copper} with {self.copper} Coppers; the nearest value is {most}"
            )
        if self.kingdom == LISTED:
            self._listed()
        elif self.cards:
            raise ParameterError(
                f"cards cannot be {self.cards!r} with kingdom={self.kingdom}; set kingdom={LISTED}, or leave cards out"
            )

    def kingdom_kinds(self) -> tuple[int, ...]:
        """Return the kinds of the kingdom cards in order, none if they are drawn at random."""
        if self.kingdom == RANDOM:
            return ()
        return tuple(sorted(self._listed() if self.kingdom == LISTED else KINGDOMS[self.kingdom]))

    def victory_cards(self, n_players: int) -> int:
        """Return how many cards each victory pile has."""
        return self.victory_2 if n_players == 2 else self.victory_3

    def _listed(self) -> list[int]:
        names = [name.strip() for name in self.cards.split("+") if name.strip()]
        for name in names:
            if name not in _BY_NAME:
                close = get_close_matches(name, _BY_NAME, n=1, cutoff=0)[0]
                raise ParameterError(f"cards cannot have {name!r}; did you mean {close!r}?")
            if names.count(name) > 1:
                raise ParameterError(f"cards cannot have {name!r} {names.count(name)} times; each card is there once")
        if len(names) != N_KINGDOM:
            raise ParameterError(f"cards cannot be {len(names)} kingdom cards; the nearest number is {N_KINGDOM}")
        return [_BY_NAME[name] for name in names]
