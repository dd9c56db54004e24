"""The cards and wonders of the first edition, the parameters, and sets and hands of cards, which are integers.

Four bits of a number count each of the seven resources, in the order of `RESOURCES`; two bits of a hand count each kind of
card of the age. Kinds are numbered by age, so that a city's structures are two sets: ``early`` (Ages I and II) and ``late``.
Loom, Glassworks and Press are the same kind in Ages I and II.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from mypy_extensions import i64

from tag import ParameterError, Parameters, Rng, bit_count, choice, flag, integer
from tag.components import Card, shared

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 7
AGES: Final = 3
ROMAN: Final = ("I", "II", "III")
HAND: Final = 7

# Colours of cards.
BROWN: Final = 0
GREY: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
RED: Final = 4
GREEN: Final = 5
PURPLE: Final = 6
COLOURS: Final = ("brown", "grey", "blue", "yellow", "red", "green", "purple")

# Resources: four raw materials, then three manufactured goods.
RESOURCES: Final = ("wood", "stone", "clay", "ore", "glass", "papyrus", "loom")
_LETTERS: Final = "WSCOGPL"
BITS: Final = 4
RAW_BITS: Final = 16
#: The highest bit of each resource's four.
HIGH: Final = 0x8888888
#: How many subsets of the raw materials there are, the empty one left out; four bits count the cards that can make one of
#: each.
SUBSETS: Final = 15
#: One card that makes any of the materials.
ANY: Final = sum([1 << (BITS * place) for place in range(SUBSETS)])

#: By age, cards but guilds: name, colour, cost (coins or letters of resources), gift, parents of the chain, and for each
#: copy the number of players from which it is used. The gift is a product, points, shields, or a symbol of science.
_AGE_1: Final = (
    ("Lumber Yard", BROWN, "", "W", "", "34"),
    ("Stone Pit", BROWN, "", "S", "", "35"),
    ("Clay Pool", BROWN, "", "C", "", "35"),
    ("Ore Vein", BROWN, "", "O", "", "34"),
    ("Tree Farm", BROWN, "1", "W/C", "", "6"),
    ("Excavation", BROWN, "1", "S/C", "", "4"),
    ("Clay Pit", BROWN, "1", "C/O", "", "3"),
    ("Timber Yard", BROWN, "1", "W/S", "", "3"),
    ("Forest Cave", BROWN, "1", "W/O", "", "5"),
    ("Mine", BROWN, "1", "S/O", "", "6"),
    ("Pawnshop", BLUE, "", "3", "", "47"),
    ("Baths", BLUE, "S", "3", "", "37"),
    ("Altar", BLUE, "", "2", "", "35"),
    ("Theater", BLUE, "", "2", "", "36"),
    ("Tavern", YELLOW, "", "", "", "457"),
    ("East Trading Post", YELLOW, "", "", "", "37"),
    ("West Trading Post", YELLOW, "", "", "", "37"),
    ("Marketplace", YELLOW, "", "", "", "36"),
    ("Stockade", RED, "W", "1", "", "37"),
    ("Barracks", RED, "O", "1", "", "35"),
    ("Guard Tower", RED, "C", "1", "", "34"),
    ("Apothecary", GREEN, "L", "compass", "", "35"),
    ("Workshop", GREEN, "G", "gear", "", "37"),
    ("Scriptorium", GREEN, "P", "tablet", "", "34"),
)
#: Grey cards are in two ages: here the copies of the second are those of Age II.
_GREY: Final = (
    ("Loom", GREY, "", "L", "", "36", "35"),
    ("Glassworks", GREY, "", "G", "", "36", "35"),
    ("Press", GREY, "", "P", "", "36", "35"),
)
_AGE_2: Final = (
    ("Sawmill", BROWN, "1", "WW", "", "34"),
    ("Quarry", BROWN, "1", "SS", "", "34"),
    ("Brickyard", BROWN, "1", "CC", "", "34"),
    ("Foundry", BROWN, "1", "OO", "", "34"),
    ("Aqueduct", BLUE, "SSS", "5", "Baths", "37"),
    ("Temple", BLUE, "WCG", "3", "Altar", "36"),
    ("Statue", BLUE, "OOW", "4", "Theater", "37"),
    ("Courthouse", BLUE, "CCL", "4", "Scriptorium", "35"),
    ("Forum", YELLOW, "CC", "", "East Trading Post/West Trading Post", "367"),
    ("Caravansery", YELLOW, "WW", "", "Marketplace", "356"),
    ("Vineyard", YELLOW, "", "", "", "36"),
    ("Bazar", YELLOW, "", "", "", "47"),
    ("Walls", RED, "SSS", "2", "", "37"),
    ("Training Ground", RED, "OOW", "2", "", "467"),
    ("Stables", RED, "WCO", "2", "Apothecary", "35"),
    ("Archery Range", RED, "WWO", "2", "Workshop", "36"),
    ("Dispensary", GREEN, "OOG", "compass", "Apothecary", "34"),
    ("Laboratory", GREEN, "CCP", "gear", "Workshop", "35"),
    ("Library", GREEN, "SSL", "tablet", "Scriptorium", "36"),
    ("School", GREEN, "WP", "tablet", "", "37"),
)
_AGE_3: Final = (
    ("Pantheon", BLUE, "CCOPLG", "7", "Temple", "36"),
    ("Gardens", BLUE, "CCW", "5", "Statue", "34"),
    ("Town Hall", BLUE, "SSOG", "6", "", "356"),
    ("Palace", BLUE, "WSCOGPL", "8", "", "37"),
    ("Senate", BLUE, "WWSO", "6", "Library", "35"),
    ("Haven", YELLOW, "WOL", "", "Forum", "34"),
    ("Lighthouse", YELLOW, "SG", "", "Caravansery", "36"),
    ("Chamber of Commerce", YELLOW, "CCP", "", "", "46"),
    ("Arena", YELLOW, "SSO", "", "Dispensary", "357"),
    ("Fortifications", RED, "OOOS", "3", "Walls", "37"),
    ("Circus", RED, "SSSO", "3", "Training Ground", "456"),
    ("Arsenal", RED, "WWOL", "3", "", "347"),
    ("Siege Workshop", RED, "CCCW", "3", "Laboratory", "35"),
    ("Lodge", GREEN, "CCPL", "compass", "Dispensary", "36"),
    ("Observatory", GREEN, "OOGL", "gear", "Laboratory", "37"),
    ("University", GREEN, "WWPG", "tablet", "Library", "34"),
    ("Academy", GREEN, "SSSG", "compass", "School", "37"),
    ("Study", GREEN, "WPL", "gear", "School", "35"),
)
_GUILDS: Final = (
    ("Workers Guild", PURPLE, "OOCSW", "", "", ""),
    ("Craftsmens Guild", PURPLE, "OOSS", "", "", ""),
    ("Traders Guild", PURPLE, "LPG", "", "", ""),
    ("Philosophers Guild", PURPLE, "CCCLP", "", "", ""),
    ("Spies Guild", PURPLE, "CCCG", "", "", ""),
    ("Strategists Guild", PURPLE, "OOSL", "", "", ""),
    ("Shipowners Guild", PURPLE, "WWWPG", "", "", ""),
    ("Scientists Guild", PURPLE, "WWOOP", "", "", ""),
    ("Magistrates Guild", PURPLE, "WWWSL", "", "", ""),
    ("Builders Guild", PURPLE, "SSCCG", "", "", ""),
)
N_GUILDS: Final = len(_GUILDS)
_ROWS: Final = [*_AGE_1, *[row[:6] for row in _GREY], *_AGE_2, *_AGE_3, *_GUILDS]

NAMES: Final[list[str]] = [row[0] for row in _ROWS]
N_KINDS: Final = len(NAMES)
CARDS: Final[list[Card]] = [shared(Card(name)) for name in NAMES]
COLOUR_OF: Final[list[int]] = [row[1] for row in _ROWS]

#: By age, from 0: its first kind, and how many kinds it has. The first kind of Age III is the first late one.
BASE: Final[list[int]] = [0, len(_AGE_1), len(_AGE_1) + len(_GREY) + len(_AGE_2)]
SIZES: Final[list[int]] = [BASE[1] + len(_GREY), BASE[2] - BASE[1], N_KINDS - BASE[2]]
LATE: Final = BASE[2]
FIRST_GUILD: Final = N_KINDS - N_GUILDS

#: Kinds with an effect of their own.
TAVERN: Final = NAMES.index("Tavern")
EAST: Final = NAMES.index("East Trading Post")
WEST: Final = NAMES.index("West Trading Post")
MARKETPLACE: Final = NAMES.index("Marketplace")
FORUM: Final = NAMES.index("Forum")
CARAVANSERY: Final = NAMES.index("Caravansery")
VINEYARD: Final = NAMES.index("Vineyard")
BAZAR: Final = NAMES.index("Bazar")
HAVEN: Final = NAMES.index("Haven")
LIGHTHOUSE: Final = NAMES.index("Lighthouse")
CHAMBER: Final = NAMES.index("Chamber of Commerce")
ARENA: Final = NAMES.index("Arena")
WORKERS: Final = FIRST_GUILD
CRAFTSMENS: Final = FIRST_GUILD + 1
TRADERS: Final = FIRST_GUILD + 2
PHILOSOPHERS: Final = FIRST_GUILD + 3
SPIES: Final = FIRST_GUILD + 4
STRATEGISTS: Final = FIRST_GUILD + 5
SHIPOWNERS: Final = FIRST_GUILD + 6
SCIENTISTS: Final = FIRST_GUILD + 7
MAGISTRATES: Final = FIRST_GUILD + 8
BUILDERS: Final = FIRST_GUILD + 9
#: By guild: the colour of the neighbours' structures that it counts, -1 where it counts something else.
GUILD_COLOUR: Final[list[int]] = [BROWN, GREY, YELLOW, GREEN, RED, -1, -1, -1, BLUE, -1]


def packed_resources(letters: str) -> int:
    """Return resources as a number.

    Examples:
        >>> hex(packed_resources("WSSL"))
        '0x1000021'
    """
    return sum([1 << (BITS * _LETTERS.index(letter)) for letter in letters])


def _touched(letters: str) -> int:
    """Return one card that makes one of some raw materials, counted in each subset that has one of them."""
    made = sum([1 << _LETTERS.index(letter) for letter in letters.split("/")])
    return sum([1 << (BITS * (subset - 1)) for subset in range(1, SUBSETS + 1) if subset & made])


#: By kind: the coins of the cost, its resources, what is produced each turn, and cards that produce one of two materials.
COIN_COST: Final[list[int]] = [int(row[2]) if row[2].isdigit() else 0 for row in _ROWS]
COST: Final[list[int]] = [0 if row[2].isdigit() else packed_resources(row[2]) for row in _ROWS]
MADE: Final[list[int]] = [
    packed_resources(row[3]) if row[1] in (BROWN, GREY) and "/" not in row[3] else 0 for row in _ROWS
]
TOUCHED: Final[list[int]] = [_touched(row[3]) if "/" in row[3] else 0 for row in _ROWS]
#: By kind, the cards of the first two ages of which each makes it free.
PARENTS: Final[list[int]] = [sum([1 << NAMES.index(name) for name in row[4].split("/") if name]) for row in _ROWS]


def _sets(colour: int, gift: str = "") -> tuple[int, int]:
    """Return the early and the late structures of a colour, or those of them with one gift."""
    kinds = [kind for kind, row in enumerate(_ROWS) if row[1] == colour and (not gift or row[3] == gift)]
    return sum([1 << kind for kind in kinds if kind < LATE]), sum(
        [1 << (kind - LATE) for kind in kinds if kind >= LATE]
    )


#: By colour, and by symbol of science: the early structures and the late ones.
EARLY_OF: Final[list[int]] = [_sets(colour)[0] for colour in range(len(COLOURS))]
LATE_OF: Final[list[int]] = [_sets(colour)[1] for colour in range(len(COLOURS))]
SYMBOLS: Final = ("compass", "gear", "tablet")
EARLY_SYMBOLS: Final[list[int]] = [_sets(GREEN, symbol)[0] for symbol in SYMBOLS]
LATE_SYMBOLS: Final[list[int]] = [_sets(GREEN, symbol)[1] for symbol in SYMBOLS]
#: By number: the blue structures that are worth so many points, and the red ones with so many shields.
MOST_POINTS: Final = 8
EARLY_POINTS: Final[list[int]] = [_sets(BLUE, str(points))[0] if points else 0 for points in range(MOST_POINTS + 1)]
LATE_POINTS: Final[list[int]] = [_sets(BLUE, str(points))[1] if points else 0 for points in range(MOST_POINTS + 1)]
EARLY_SHIELDS: Final[list[int]] = [_sets(RED, str(shields))[0] if shields else 0 for shields in range(3)]
LATE_SHIELDS: Final = _sets(RED, "3")[1]
GIFT: Final[list[str]] = [row[3] for row in _ROWS]

#: A set of one structure, by its place in ``early`` or ``late``.
UNIT_BITS: Final[list[int]] = [1 << place for place in range(LATE)]
#: The categories of the score sheet.
CATEGORIES: Final = ("conflicts", "treasury", "wonder", "civilian", "commerce", "guilds", "science")

# Wonders.
#: Powers of stages, as bits.
RAW: Final = 1
GOODS: Final = 2
SCIENCE: Final = 4
FREE: Final = 8
LAST: Final = 16
DIG: Final = 32
CHEAP: Final = 64
COPY: Final = 128
#: Each wonder: the resource it makes, and for each stage the cost, points, shields, coins and powers.
_WONDERS: Final = (
    ("Giza A", "S", (("SS", 3, 0, 0, 0), ("WWW", 5, 0, 0, 0), ("SSSS", 7, 0, 0, 0))),
    ("Giza B", "S", (("WW", 3, 0, 0, 0), ("SSS", 5, 0, 0, 0), ("CCC", 5, 0, 0, 0), ("SSSSP", 7, 0, 0, 0))),
    ("Rhodes A", "O", (("WW", 3, 0, 0, 0), ("CCC", 0, 2, 0, 0), ("OOOO", 7, 0, 0, 0))),
    ("Rhodes B", "O", (("SSS", 3, 1, 3, 0), ("OOOO", 4, 1, 4, 0))),
    ("Alexandria A", "G", (("SS", 3, 0, 0, 0), ("OO", 0, 0, 0, RAW), ("GG", 7, 0, 0, 0))),
    ("Alexandria B", "G", (("CC", 0, 0, 0, RAW), ("WW", 0, 0, 0, GOODS), ("SSS", 7, 0, 0, 0))),
    ("Ephesus A", "P", (("SS", 3, 0, 0, 0), ("WW", 0, 0, 9, 0), ("PP", 7, 0, 0, 0))),
    ("Ephesus B", "P", (("SS", 2, 0, 4, 0), ("WW", 3, 0, 4, 0), ("GPL", 5, 0, 4, 0))),
    ("Babylon A", "C", (("CC", 3, 0, 0, 0), ("WWW", 0, 0, 0, SCIENCE), ("CCCC", 7, 0, 0, 0))),
    ("Babylon B", "C", (("CL", 3, 0, 0, 0), ("WWG", 0, 0, 0, LAST), ("CCCP", 0, 0, 0, SCIENCE))),
    ("Olympia A", "W", (("WW", 3, 0, 0, 0), ("SS", 0, 0, 0, FREE), ("OO", 7, 0, 0, 0))),
    ("Olympia B", "W", (("WW", 0, 0, 0, CHEAP), ("SS", 5, 0, 0, 0), ("OOL", 0, 0, 0, COPY))),
    ("Halicarnassus A", "L", (("CC", 3, 0, 0, 0), ("OOO", 0, 0, 0, DIG), ("LL", 7, 0, 0, 0))),
    ("Halicarnassus B", "L", (("OO", 2, 0, 0, DIG), ("CCC", 1, 0, 0, DIG), ("GPL", 0, 0, 0, DIG))),
)
WONDER_NAMES: Final = tuple([row[0] for row in _WONDERS])
N_WONDERS: Final = len(_WONDERS) // 2
PLACES: Final[list[str]] = [name.split()[0] for name in WONDER_NAMES[::2]]
MOST_STAGES: Final = 4
_ROW: Final = MOST_STAGES + 1
HOME_MADE: Final[list[int]] = [packed_resources(row[1]) for row in _WONDERS]
N_STAGES: Final[list[int]] = [len(row[2]) for row in _WONDERS]
#: By ``wonder * 5 + stages``: cost, coins and powers of the next stage; then points, shields and powers of those built.
STAGE_COST: Final[list[int]] = [
    packed_resources(row[2][place][0]) if place < len(row[2]) else 0 for row, place in product(_WONDERS, range(_ROW))
]
STAGE_COINS: Final[list[int]] = [
    row[2][place][3] if place < len(row[2]) else 0 for row, place in product(_WONDERS, range(_ROW))
]
STAGE_POWER: Final[list[int]] = [
    row[2][place][4] if place < len(row[2]) else 0 for row, place in product(_WONDERS, range(_ROW))
]
BUILT_POINTS: Final[list[int]] = [
    sum([stage[1] for stage in row[2][:place]]) for row, place in product(_WONDERS, range(_ROW))
]
BUILT_SHIELDS: Final[list[int]] = [
    sum([stage[2] for stage in row[2][:place]]) for row, place in product(_WONDERS, range(_ROW))
]
BUILT_POWERS: Final[list[int]] = [
    sum({stage[4] for stage in row[2][:place]}) for row, place in product(_WONDERS, range(_ROW))
]


def stage_of(wonder: i64, stages: i64) -> i64:
    """Return the place of a wonder with so many stages in the lists about stages."""
    return wonder * (MOST_STAGES + 1) + stages


# Hands: multisets of the kinds of an age, and choices.
COUNT_BITS: Final = 2
COUNT_MASK: Final = 3
#: One card of each kind, by its number within the age.
UNITS: Final[list[int]] = [1 << (COUNT_BITS * place) for place in range(max(SIZES))]
#: The lower bit of each kind's two.
_LOW: Final = sum(UNITS)
#: All guilds, in Age III.
GUILD_CARDS: Final = sum(UNITS[FIRST_GUILD - LATE : N_KINDS - LATE])


def age_deck(age: int, n_players: int) -> int:
    """Return the cards of an age for so many players, as a hand; Age III with all guilds."""
    deck: i64 = 0
    for place in range(SIZES[age]):
        kind = BASE[age] + place
        copies = _GREY[kind - BASE[1]][6] if age == 1 and place < len(_GREY) else _ROWS[kind][5]
        number = 1 if kind >= FIRST_GUILD else sum([int(least) <= n_players for least in copies])
        unit: i64 = UNITS[place]
        deck += number * unit
    return int(deck)


def hand_size(hand: i64) -> i64:
    """Return how many cards a hand has."""
    ones = hand & _LOW
    twos = hand >> 1 & _LOW
    size: i64 = 0
    while ones:
        ones &= ones - 1
        size += 1
    while twos:
        twos &= twos - 1
        size += 2
    return size


def kinds_in(age: i64, hand: i64) -> list[int]:
    """Return the kinds of all cards of a hand, in order."""
    base = BASE[age]
    return [base + place for place in range(SIZES[age]) for _copy in range(hand >> COUNT_BITS * place & COUNT_MASK)]


def drawn_card(cards: i64, size: i64, rng: Rng) -> i64:
    """Return the place, within the age, of one of ``size`` cards, each as likely."""
    left = rng.below(size)
    place: i64 = 0
    while True:
        number = cards & COUNT_MASK
        if left < number:
            return place
        left -= number
        cards >>= COUNT_BITS
        place += 1


def draw_cards(pool: i64, size: i64, number: i64, rng: Rng) -> i64:
    """Draw so many of ``size`` cards, each as likely."""
    drawn: i64 = 0
    for _card in range(number):
        one: i64 = UNITS[drawn_card(pool, size, rng)]
        pool -= one
        drawn += one
        size -= 1
    return drawn


def names_text(kinds: list[int]) -> str:
    """Return the names of cards in words."""
    return ", ".join([NAMES[kind] for kind in kinds]) if kinds else "none"


# Choices: a card with its use, and what is paid to the left and to the right.
NO_CHOICE: Final = -1
BUILD: Final = 0
WITH_POWER: Final = 3
STAGE: Final = 4
SELL: Final = 7
USE_BITS: Final = 3
NUMBER_MASK: Final = 1023
LEFT_SHIFT: Final = 10
RIGHT_SHIFT: Final = 18
PAY_MASK: Final = 255


def choice_of(kind: i64, use: i64, left: i64, right: i64) -> i64:
    """Return a choice; its lowest ten bits are the number of the action."""
    return use | kind << USE_BITS | left << LEFT_SHIFT | right << RIGHT_SHIFT


def choice_text(choice: i64) -> str:
    """Return a choice in words, with what is paid where that is known.

    Examples:
        >>> choice_text(choice_of(EAST, STAGE, 2, 0))
        'lay East Trading Post under the wonder, paying 2 to the left'
    """
    use = choice & (1 << USE_BITS) - 1
    name = NAMES[(choice & NUMBER_MASK) >> USE_BITS]
    left, right = choice >> LEFT_SHIFT & PAY_MASK, choice >> RIGHT_SHIFT & PAY_MASK
    paid = [f"{coins} to the {side}" for coins, side in ((left, "left"), (right, "right")) if coins]
    words = f"build {name}"
    if use == SELL:
        words = f"discard {name}"
    elif use >= STAGE:
        words = f"lay {name} under the wonder"
    elif use == WITH_POWER:
        words += " free of cost by Olympia"
    return f"{words}, paying {' and '.join(paid)}" if paid else words


@dataclass
class SevenWondersParameters(Parameters):
    """The printed numbers, and how wonders are dealt."""

    sides: str = choice("random", ("random", "a", "b"), "sides of the wonders")
    splits: bool = flag(True, "whether players choose which neighbour they pay; otherwise the cheapest payment is made")
    ages: int = integer(3, 1, AGES, "ages of a game")
    hand: int = integer(HAND, 2, HAND, "cards that each player is dealt in an age")
    guilds: int = integer(2, 2, 7, "guilds in the game beyond one for each player, up to ten in all")
    coins: int = integer(3, 0, 15, "coins of each player at the start")
    sale: int = integer(3, 0, 10, "coins for a card that is discarded")
    price: int = integer(2, 1, 6, "coins for a resource of a neighbour")
    low_price: int = integer(
        1, 0, 6, "coins for a resource of a neighbour with a trading post, a marketplace or Olympia"
    )
    tavern: int = integer(5, 0, 15, "coins of the Tavern")
    victory_1: int = integer(1, 0, 10, "points of a victory in Age I")
    victory_2: int = integer(3, 0, 15, "points of a victory in Age II")
    victory_3: int = integer(5, 0, 20, "points of a victory in Age III")
    defeat: int = integer(1, 0, 5, "points that each defeat costs")
    science_set: int = integer(7, 0, 20, "points of three different symbols of science")
    treasury: int = integer(3, 1, 10, "coins that are worth a point at the end")

    def check(self) -> None:
        """Reject reduced prices above the usual one."""
        if self.low_price > self.price:
            raise ParameterError(f"low_price cannot be {self.low_price} above price; the nearest value is {self.price}")

    def n_guilds(self, n_players: int) -> int:
        """Return how many guilds are in the game."""
        return min(N_GUILDS, n_players + self.guilds)

    def victories(self) -> tuple[int, ...]:
        """Return the points of a victory by age."""
        return (self.victory_1, self.victory_2, self.victory_3)


def best_science(first: i64, second: i64, third: i64, free: i64, per_set: i64) -> i64:
    """Return the most points of symbols of science, ``free`` of them chosen: squares, and points for each set of three.

    Examples:
        >>> best_science(2, 2, 1, 0, 7), best_science(2, 2, 1, 1, 7), best_science(4, 0, 0, 1, 7)
        (16, 26, 25)
    """
    if free > 0:
        most = best_science(first + 1, second, third, free - 1, per_set)
        most = max(most, best_science(first, second + 1, third, free - 1, per_set))
        return max(most, best_science(first, second, third + 1, free - 1, per_set))
    fewer = min(first, second)
    return first * first + second * second + third * third + per_set * min(fewer, third)


def blue_points(early: i64, late: i64) -> i64:
    """Return the points of the civilian structures in two sets."""
    found: i64 = 0
    for points in range(2, MOST_POINTS + 1):
        number = bit_count(early & EARLY_POINTS[points]) + bit_count(late & LATE_POINTS[points])
        found += points * number
    return found
