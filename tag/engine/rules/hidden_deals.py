"""Deals of cards that a player does not see, uniformly over all deals that fit what is known.

Players need so many cards each, and may hold only some of those left: a suit that a player could not follow is out, and a
card that is certain to be in one hand is out of all others. Both are sets of cards for each player, as in
`tag.engine.rules.tricks`.

Cards that the same players may hold are a *class*. Card by card, smaller classes first, a place is drawn among all places of
the players who may hold the card, less those that cards before it have certainly taken; a draw of a place that is taken
otherwise begins anew. So each deal that fits has the same probability, one in the product of these numbers. Where one suit
is out for one player, no draw fails. After 256 failures deals are counted, class by class, and one is drawn by its number.
"""

from __future__ import annotations

from math import comb
from operator import mul
from typing import Final

from mypy_extensions import i64

from tag.engine.bits import bit_count
from tag.engine.rng import Rng
from tag.errors import ContractError

MOST_PLAYERS: Final = 6
#: Deals that are tried before one is drawn by counting all.
_TRIES: Final = 256
#: Bits for the number of cards that a player needs.
_ROW: Final = 6
_MASK: Final = 63
#: All sets of players, smaller ones first.
_GROUPS: Final[list[int]] = sorted(range(1 << MOST_PLAYERS), key=lambda players: (players.bit_count(), players))


def deal_hidden(pool: i64, needs: list[int], may_hold: list[int], rng: Rng) -> list[int]:
    """Deal all cards of ``pool``, each deal that fits as likely.

    Examples:
        >>> hands = deal_hidden(0b1111, [0, 2, 2], [0, 0b1111, 0b0111], Rng(1))
        >>> hands[0], hands[1] >> 3, hands[1] + hands[2]
        (0, 1, 15)

    Args:
        pool: the set of cards, as many as are needed.
        needs: the number of cards for each player, six players at most.
        may_hold: the set of cards that each player may hold.
        rng: the source of chance.

    Raises:
        ContractError: no deal fits.
    """
    hands = [0] * len(needs)
    free: i64 = 0
    common = pool
    for player in range(len(needs)):
        need: i64 = needs[player]
        if need:
            held: i64 = may_hold[player]
            common &= held
            free |= need << _ROW * player
    if common == pool and pool:
        every = _players(needs)
        if _deal_class(pool, every, free, bit_count(pool), hands, rng) == 0:
            return hands
    return _deal_classes(pool, needs, may_hold, free, rng)


def deal_others(hands: list[int], player: i64, may_hold: list[int], rng: Rng) -> list[int]:
    """Deal the cards of all players but one again, each deal that fits as likely.

    Args:
        hands: the set of cards in each player's hand, which is left as it is.
        player: who keeps the own hand.
        may_hold: the set of cards that each player may hold.
        rng: the source of chance.
    """
    pool: i64 = 0
    needs: list[int] = []
    for seat in range(len(hands)):
        hand: i64 = hands[seat]
        needs.append(0 if seat == player else int(bit_count(hand)))
        if seat != player:
            pool |= hand
    dealt = deal_hidden(pool, needs, may_hold, rng)
    dealt[player] = hands[player]
    return dealt


def draw_cards(cards: i64, number: i64, rng: Rng) -> i64:
    """Return ``number`` cards of a set, each choice as likely."""
    left = bit_count(cards)
    drawn: i64 = 0
    while number > 0:
        rest = cards
        skipped = rng.below(left)
        while skipped > 0:
            rest &= rest - 1
            skipped -= 1
        lowest = rest & -rest
        drawn |= lowest
        cards ^= lowest
        left -= 1
        number -= 1
    return drawn


def _deal_classes(pool: i64, needs: list[int], may_hold: list[int], places: i64, rng: Rng) -> list[int]:
    """Deal class by class, by draws or, where too many have failed, by counting."""
    groups, sets = _classes(pool, needs, may_hold)
    bounds: list[int] = []
    for index in range(len(groups)):
        bounds.append(int(_bound(places, index, groups, sets)))
    for _try in range(_TRIES):
        hands = [0] * len(needs)
        free = places
        for index in range(len(groups)):
            free = _deal_class(sets[index], groups[index], free, bounds[index], hands, rng)
            if free < 0:
                break
        if free == 0:
            return hands
    return deal_by_counting(pool, needs, may_hold, rng)


def _deal_class(cards: i64, group: i64, free: i64, bound: i64, hands: list[int], rng: Rng) -> i64:  # noqa: C901  six hands
    """Deal the cards of a class to the players of a ``group``, and return the places left free; -1 if a draw has failed.

    ``bound`` is how many places there may be for the first of the cards.
    """
    h0: i64 = 0  # machine integers, as a list would make an object with each card
    h1: i64 = 0
    h2: i64 = 0
    h3: i64 = 0
    h4: i64 = 0
    h5: i64 = 0
    one: i64 = 1
    while cards:
        lowest = cards & -cards
        cards ^= lowest
        drawn = rng.below(bound) if bound > 1 else 0
        bound -= 1
        seat: i64 = 0
        others = group
        while others:
            if others & 1:
                drawn -= free >> _ROW * seat & _MASK
                if drawn < 0:
                    break
            others >>= 1
            seat += 1
        if others == 0:
            return -1
        free -= one << _ROW * seat
        if seat == 0:
            h0 |= lowest
        elif seat == 1:
            h1 |= lowest
        elif seat == 2:
            h2 |= lowest
        elif seat == 3:
            h3 |= lowest
        elif seat == 4:
            h4 |= lowest
        else:
            h5 |= lowest
    found = [int(h0), int(h1), int(h2), int(h3), int(h4), int(h5)]
    for player in range(len(hands)):
        hands[player] |= found[player]
    return free


def _players(needs: list[int]) -> i64:
    """Return the players who need cards, as bits."""
    players: i64 = 0
    one: i64 = 1
    for player in range(len(needs)):
        if needs[player]:
            players |= one << player
    return players


def _classes(pool: i64, needs: list[int], may_hold: list[int]) -> tuple[list[int], list[int]]:
    """Return the groups of players who may hold the same cards, smaller ones first, and these cards.

    Cards that nobody may hold are the class of the group without players.
    """
    players = _players(needs)
    groups: list[int] = []
    sets: list[int] = []
    for number in _GROUPS:
        group: i64 = number
        if group & ~players:
            continue
        cards = pool
        for player in range(len(may_hold)):
            if players >> player & 1:
                held: i64 = may_hold[player]
                cards &= held if group >> player & 1 else ~held
        if cards:
            groups.append(number)
            sets.append(int(cards))
            pool ^= cards
            if pool == 0:
                break
    return groups, sets


def _size_of(free: i64, group: i64) -> i64:
    """Return the places of the players of a group."""
    size: i64 = 0
    while group:
        if group & 1:
            size += free & _MASK
        free >>= _ROW
        group >>= 1
    return size


def _bound(places: i64, index: i64, groups: list[int], sets: list[int]) -> i64:
    """Return how many places there may be for the first card of a class, after the cards of earlier ones."""
    group: i64 = groups[index]
    bound = _size_of(places, group)
    for before in range(index):
        earlier: i64 = groups[before]
        if earlier & ~group == 0:
            bound -= bit_count(sets[before])
    return bound


def count_deals(pool: i64, needs: list[int], may_hold: list[int]) -> int:
    """Return how many deals fit; arguments as for `deal_hidden`.

    Examples:
        >>> count_deals(0b1111, [2, 2], [0b1111, 0b0111])
        3
    """
    groups, sets = _classes(pool, needs, may_hold)
    return _ways(groups, sets, 0, tuple(needs), {})


def deal_by_counting(pool: i64, needs: list[int], may_hold: list[int], rng: Rng) -> list[int]:
    """Deal as `deal_hidden` does: by the number of each player's cards of each class, drawn by how many deals have them.

    Raises:
        ContractError: no deal fits.
    """
    groups, sets = _classes(pool, needs, may_hold)
    left = tuple(needs)
    known: dict[tuple[int, ...], int] = {}
    if _ways(groups, sets, 0, left, known) == 0:
        raise ContractError("no deal fits: there are other cards than the players need and may hold")
    hands = [0] * len(needs)
    for index in range(len(groups)):
        cards: i64 = sets[index]
        splits = _splits(groups[index], int(bit_count(cards)), left, 0)
        ways = [mul(number, _ways(groups, sets, index + 1, rest, known)) for rest, number in splits]
        drawn = _below(sum(ways), rng)
        chosen = 0
        while drawn >= ways[chosen]:
            drawn -= ways[chosen]
            chosen += 1
        rest = splits[chosen][0]
        for player in range(len(hands)):
            taken = draw_cards(cards, left[player] - rest[player], rng)
            hands[player] |= int(taken)
            cards ^= taken
        left = rest
    return hands


def _ways(
    groups: list[int], sets: list[int], index: int, needs: tuple[int, ...], known: dict[tuple[int, ...], int]
) -> int:
    """Return in how many ways the classes from ``index`` on can be dealt; ``known`` has results by their arguments."""
    if index == len(groups):
        return 0 if any(needs) else 1
    key = (index, *needs)
    if key not in known:
        splits = _splits(groups[index], int(bit_count(sets[index])), needs, 0)
        # compiled, a product of large numbers would abort the process at a signal; a function does not
        known[key] = sum([mul(number, _ways(groups, sets, index + 1, rest, known)) for rest, number in splits])
    return known[key]


def _splits(group: int, size: int, needs: tuple[int, ...], player: int) -> list[tuple[tuple[int, ...], int]]:
    """Return the needs of players from ``player`` on after ``size`` cards have gone to a group, each with its ways."""
    if player == len(needs):
        return [] if size else [((), 1)]
    most = min(size, needs[player]) if group >> player & 1 else 0
    found: list[tuple[tuple[int, ...], int]] = []
    for number in range(most + 1):
        for rest, ways in _splits(group, size - number, needs, player + 1):
            found.append(((needs[player] - number, *rest), mul(comb(size, number), ways)))
    return found


def _below(most: int, rng: Rng) -> int:
    """Return an integer in [0, ``most``), of any size."""
    bits = most.bit_length()
    while True:
        drawn = 0
        for _word in range((bits + 29) // 30):
            drawn = drawn << 30 | int(rng.below(1 << 30))
        drawn >>= (30 - bits) % 30
        if drawn < most:
            return drawn
