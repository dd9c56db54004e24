"""The cards, as bits of a number, and deals of bids that were not shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, Rng, choice, flag, integer
from tag.components import Card, shared

MOST_CARDS: Final = 20
#: The bit of each card; a set of cards is a number.
BIT: Final[list[int]] = [1 << card for card in range(MOST_CARDS + 1)]
BID_CARDS: Final[list[Card]] = [shared(Card(f"{card}")) for card in range(MOST_CARDS + 1)]
PRIZE_CARDS: Final[list[Card]] = [shared(Card(f"prize {card}", (("points", card),))) for card in range(MOST_CARDS + 1)]

#: How a bid that was not shown is to one that is known: equal, lower or higher.
EQUAL: Final = 0
LOWER: Final = 1
HIGHER: Final = 2


@dataclass
class GoofspielParameters(Parameters):
    """The cards, the order of the prizes, and what is shown."""

    cards: int = integer(13, 2, MOST_CARDS, "cards of each player, and prizes")
    prizes: str = choice("random", ("random", "ascending", "descending"), "the order of the prizes")
    ties: str = choice("carry", ("carry", "discard"), "equal highest bids: the prize stays on offer, or is thrown away")
    hidden: bool = flag(False, "bids are not shown, only whose were the highest")
    rounds: int = integer(0, 0, MOST_CARDS, "rounds, 0 for as many as cards")


def card_of(cards: i64, place: i64) -> i64:
    """Return the card at ``place`` of a set in ascending order, from 0."""
    card: i64 = 0
    while True:
        if cards >> card & 1:
            if place == 0:
                return card
            place -= 1
        card += 1


def sum_of(cards: i64) -> i64:
    """Return the sum of a set of cards."""
    total: i64 = 0
    card: i64 = 0
    while cards >> card:
        if cards >> card & 1:
            total += card
        card += 1
    return total


def listed(cards: i64) -> list[int]:
    """Return a set of cards in ascending order."""
    return [card for card in range(MOST_CARDS + 1) if cards >> card & 1]


def highest(bids: tuple[int, ...]) -> tuple[int, int]:
    """Return the highest of the bids, and the set of players who have made it."""
    best = max(bids)
    return best, sum([BIT[player] for player, bid in enumerate(bids) if bid == best])


def deal_bids(n_cards: i64, kinds: list[int], known: list[int], rng: Rng) -> list[int]:
    """Return one bid for each round, all of them different cards from 1 to ``n_cards``: each possible choice is as likely.

    The cards are gone through in ascending order. A card stays in the hand, goes to a round that wants a higher bid than one
    that has been passed, or is kept for rounds that want a lower bid than one to come: each of these when their bid is
    reached takes one of those kept. So the ways to go on depend only on how many are kept and how many rounds are open.

    Args:
        n_cards: the number of cards.
        kinds: how the bid of each round is to the one known (``EQUAL``, ``LOWER``, ``HIGHER``).
        known: the bid that is known of each round.
        rng: the chance.
    """
    dealt = known[:]
    ways = _ways(n_cards, kinds, known)
    side = len(kinds) + 2
    kept: list[int] = []
    open_rounds: list[int] = []
    for card in range(1, int(n_cards) + 1):
        is_fixed = False
        opened: list[int] = []
        for place, bid in enumerate(known):
            if bid == card and kinds[place] == LOWER:
                dealt[place] = kept.pop(rng.below(len(kept)))
            elif bid == card and kinds[place] == HIGHER:
                opened.append(place)
            elif bid == card:
                is_fixed = True
        if not is_fixed:
            n_kept, n_open, more = len(kept), len(open_rounds), len(opened)
            row = (card + 1) * side
            stays = ways[(row + n_kept) * side + n_open + more]
            keeps = ways[(row + n_kept + 1) * side + n_open + more]
            fills = float(n_open) * ways[(row + n_kept) * side + n_open + more - 1] if n_open else 0.0
            drawn = rng.uniform() * (stays + keeps + fills)
            if drawn < keeps:
                kept.append(card)
            elif drawn < keeps + fills:
                dealt[open_rounds.pop(rng.below(n_open))] = card
        open_rounds += opened
    return dealt


def _ways(n_cards: i64, kinds: list[int], known: list[int]) -> list[float]:
    """Return in how many ways the cards from each on can be dealt, with so many cards kept and so many rounds open."""
    side = len(kinds) + 2
    last = int(n_cards) + 1
    ways = [0.0] * ((last + 1) * side * side)
    ways[last * side * side] = 1.0
    for card in range(last - 1, 0, -1):
        wanted = opened = 0
        is_fixed = False
        for kind, bid in zip(kinds, known, strict=True):
            if bid == card:
                wanted += kind == LOWER
                opened += kind == HIGHER
                is_fixed = is_fixed or kind == EQUAL
        for n_kept in range(wanted, side - 1):
            choices = 1.0
            for taken in range(wanted):
                choices *= float(n_kept - taken)
            for n_open in range(side - 1 - opened):
                below = ((card + 1) * side + n_kept - wanted) * side + n_open + opened
                found = ways[below]
                if not is_fixed:
                    found += ways[below + side] + (float(n_open) * ways[below - 1] if n_open else 0.0)
                ways[(card * side + n_kept) * side + n_open] = choices * found
    return ways
