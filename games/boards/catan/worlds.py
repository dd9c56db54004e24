"""All hands that are possible by what every player has seen, with how likely each is: a stolen card is all that is hidden.

A *world* has the hands of all players, each as the difference of two sets of cards: from a hand that stands for all. What
all see changes that hand only, and rules worlds out; a theft leads from each world to one for each kind of card. The
probabilities follow from Bayes' rule. Few worlds are possible at a time, as costs and trades show cards.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag.games.boards.catan.data import MASK, N_KINDS, ONE, ROW, has, size_of

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
