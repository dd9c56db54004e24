"""The island, cards, costs and parameters; sets of cards, which are numbers with six bits for each kind; and worlds.

A *world* has the hands of all players, each as the difference of two sets of cards: from a hand that stands for all. What
all see changes that hand only, and rules worlds out; a theft leads from each world to one for each kind of card. The
probabilities follow from Bayes' rule. Few worlds are possible at a time, as costs and trades show cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, choice, integer
from tag.components import BoardNode, Card, Edge, Graph, HexGrid, shared
from tag.engine.rules.hex_corners import HexCorners

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 4
NO_PLAYER: Final = -1

#: Resources; the desert is the terrain after them.
N_KINDS: Final = 5
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)
RESOURCES: Final = ("lumber", "brick", "wool", "grain", "ore")
DESERT: Final = 5
#: Terrain by hex as it is shuffled, discs in the printed order A to R, and harbours: a resource, or any for three.
TERRAIN: Final = (LUMBER,) * 4 + (BRICK,) * 3 + (WOOL,) * 4 + (GRAIN,) * 4 + (ORE,) * 3 + (DESERT,)
DISCS: Final = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
ANY: Final = 5
HARBOURS: Final = (LUMBER, BRICK, WOOL, GRAIN, ORE, ANY, ANY, ANY, ANY)
SEVEN: Final = 7
#: The ways of 36 to roll each sum.
PIPS: Final[list[int]] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]

#: Development cards.
KNIGHT, ROADS, PLENTY, MONOPOLY, VICTORY = range(5)
CARD_NAMES: Final = ("knight", "road building", "year of plenty", "monopoly", "victory point")
CARD_COUNTS: Final = (14, 2, 2, 2, 5)

N_ROADS: Final = 15
N_SETTLEMENTS: Final = 5
N_CITIES: Final = 4

#: The island. The bits are those of corners; compiled, a shifted 1 has but 32.
ISLAND: Final = HexCorners(2)
N_HEXES: Final = 19
N_CORNERS: Final = 54
N_PATHS: Final = 72
NO_HEX: Final = -1
BIT: Final[list[int]] = [1 << corner for corner in range(N_CORNERS)]
HEXES: Final[list[tuple[int, int]]] = ISLAND.hexes
HEX_SETS: Final[list[int]] = ISLAND.hex_sets
STARTS: Final[list[int]] = ISLAND.starts
ENDS: Final[list[int]] = ISLAND.ends
CORNER_PATHS: Final[list[list[int]]] = ISLAND.corner_paths
CORNER_HEXES: Final[list[list[int]]] = ISLAND.corner_hexes
NEIGHBOURS: Final[list[list[int]]] = ISLAND.neighbours
BESIDE: Final[list[int]] = ISLAND.beside
GRID: Final = HexGrid(tuple(HEXES))
CORNER_GRAPH: Final = Graph(
    [BoardNode(f"c{corner + 1}") for corner in range(N_CORNERS)], [Edge(start, end) for start, end in ISLAND.paths]
)
#: The harbours of the printed frame: a hex and its side to the sea, counter-clockwise from the east.
_PLACES: Final = (
    ((2, 0), 1),
    ((2, -1), 0),
    ((1, -2), 0),
    ((0, -2), 5),
    ((-1, -1), 4),
    ((-2, 1), 4),
    ((-2, 2), 3),
    ((-1, 2), 2),
    ((1, 1), 2),
)
#: The two corners of each harbour, as a set.
HARBOUR_SETS: Final[list[int]] = [
    sum([1 << corner for corner in ISLAND.side(HEXES.index(place), side)]) for place, side in _PLACES
]

#: Phases.
SETTLE: Final = 0
PAVE: Final = 1
BEFORE_ROLL: Final = 2
MAIN: Final = 3
DISCARD: Final = 4
ROBBER: Final = 5
FREE_ROADS: Final = 6
ANSWER: Final = 7
CHOOSE: Final = 8
OVER: Final = 9
PHASE_TEXTS: Final = (
    "to settle",
    "to build a road",
    "to roll or play a card",
    "to trade and build",
    "to discard",
    "to move the robber",
    "to build a free road",
    "to answer an offer",
    "to choose a partner",
    "",
)

NO_TRADE: Final = 0
BANK: Final = 1
OFFERS: Final = 2
TRADING: Final = ("none", "bank", "offers")
SPIRAL: Final = 0
APART: Final = 1
DISC_ORDERS: Final = ("spiral", "apart", "any")
PRINTED: Final = 0
FRIENDLY: Final = 1
ROBBERS: Final = ("printed", "friendly")
#: Points that the friendly robber spares.
FEW_POINTS: Final = 2

#: Bits for a kind in a set of cards, and what they can hold; the highest of them stays free, to compare sets.
ROW: Final = 6
MASK: Final = 63
_TOP: Final = 0x20820820
ONE: Final[list[int]] = [1 << ROW * kind for kind in range(N_KINDS)]


def pack(counts: tuple[int, ...] | list[int]) -> int:
    """Return the set with so many cards of each kind.

    Examples:
        >>> pack((1, 1, 0, 0, 0)), counts_of(pack((1, 2, 3, 4, 5)))
        (65, [1, 2, 3, 4, 5])
    """
    return sum([number << ROW * kind for kind, number in enumerate(counts)])


def counts_of(cards: i64) -> list[int]:
    """Return how many cards of each kind a set has."""
    return [int(cards >> ROW * kind & MASK) for kind in range(N_KINDS)]


def size_of(cards: i64) -> i64:
    """Return how many cards a set has."""
    return (cards & MASK) + (cards >> 6 & MASK) + (cards >> 12 & MASK) + (cards >> 18 & MASK) + (cards >> 24 & MASK)


def has(cards: i64, part: i64) -> bool:
    """Say whether a set has all cards of another."""
    return ((cards | _TOP) - part) & _TOP == _TOP


def kind_at(cards: i64, place: i64) -> i64:
    """Return the kind of the card with a number, from 0, if cards are in the order of kinds."""
    kind: i64 = 0
    while place >= cards & MASK:
        place -= cards & MASK
        cards >>= ROW
        kind += 1
    return kind


def cards_text(cards: i64, names: tuple[str, ...] = RESOURCES) -> str:
    """Return a set in words.

    Examples:
        >>> cards_text(pack((2, 0, 1, 0, 0))), cards_text(0)
        ('2 lumber, 1 wool', 'none')
    """
    return ", ".join([f"{n} {names[kind]}" for kind, n in enumerate(counts_of(cards)) if n]) or "none"


def names_of(cards: i64, names: tuple[str, ...] = RESOURCES) -> tuple[str, ...]:
    """Return the name of each card in a set."""
    return tuple([names[kind] for kind, n in enumerate(counts_of(cards)) for _card in range(n)])


ROAD_COST: Final = 0x00000041
SETTLEMENT_COST: Final = 0x00041041
CITY_COST: Final = 0x03080000
CARD_COST: Final = 0x01041000
KINDS: Final[dict[str, Card]] = {name: shared(Card(name)) for name in (*RESOURCES, *CARD_NAMES)}


#: By number of players: the one world in which all hands are known.
CERTAIN: Final[list[tuple[tuple[int, ...], ...]]] = [((0,) * players,) for players in range(5)]
ALONE: Final = (1.0,)
#: A theft that would make more worlds possible is seen by all.
MOST_WORLDS: Final = 500


def after_theft(
    hands: list[int], worlds: tuple[tuple[int, ...], ...], weights: tuple[float, ...], thief: i64, victim: i64
) -> dict[tuple[int, ...], float]:
    """Return all worlds that a theft can lead to, with their probabilities.

    Args:
        hands: the hands that stand for all.
        worlds: the worlds before.
        weights: their probabilities.
        thief: the player who gets a random card.
        victim: the player who loses it.
    """
    found: dict[tuple[int, ...], float] = {}
    hand: i64 = hands[victim]
    for place in range(len(worlds)):
        world = worlds[place]
        held = hand + world[victim]
        share = weights[place] / float(size_of(held))
        for kind in range(N_KINDS):
            number = held >> ROW * kind & MASK
            if number:
                after = moved(world, ONE[kind], thief, victim)
                found[after] = found.get(after, 0.0) + share * float(number)
    return found


def moved(world: tuple[int, ...], card: i64, thief: i64, victim: i64) -> tuple[int, ...]:
    """Return a world after a card has gone from one player to another."""
    parts = list(world)
    parts[thief] = int(parts[thief] + card)
    parts[victim] = int(parts[victim] - card)
    return tuple(parts)


def places_with(hand: i64, worlds: tuple[tuple[int, ...], ...], player: i64, cards: i64) -> list[int]:
    """Return the places of the worlds in which a player has these cards."""
    return [place for place in range(len(worlds)) if has(hand + worlds[place][player], cards)]


def extreme(hand: i64, worlds: tuple[tuple[int, ...], ...], player: i64, least: bool) -> i64:
    """Return the least, or the greatest, number of each kind that a player has in any world, as a set of cards."""
    found: i64 = 0
    for kind in range(N_KINDS):
        number: i64 = hand + worlds[0][player] >> ROW * kind & MASK
        for world in worlds:
            other = hand + world[player] >> ROW * kind & MASK
            if (other < number) == least:
                number = other
        found |= number << ROW * kind
    return found


@dataclass
class CatanParameters(Parameters):
    """The rules that are tuned, and the variants."""

    points: int = integer(10, 3, 15, "points with which a player wins in the own turn")
    trading: str = choice("offers", TRADING, "with whom players trade: none, the bank, or also each other")
    offers: int = integer(
        2, 1, 10, "offers to the other players that a player may make in a turn", active_if=("trading", ("offers",))
    )
    discs: str = choice(
        "spiral", DISC_ORDERS, "number discs in the printed spiral, or shuffled, with 6 and 8 apart or not"
    )
    robber: str = choice("printed", ROBBERS, "the friendly robber goes to no hex of a player with two points or fewer")
    hand_limit: int = integer(7, 3, 20, "resource cards that a player may hold when a seven is rolled")
    bank: int = integer(19, 12, 30, "resource cards of each kind")
    longest_road: int = integer(5, 3, 15, "length of the shortest road that counts as the longest")
    largest_army: int = integer(3, 1, 14, "knights that count as the largest army")
    max_rounds: int = integer(250, 1, 1000, "rounds after which the most points win")
