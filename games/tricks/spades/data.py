"""The cards of Spades, its parameters, and points; sets of cards are numbers (`tag.engine.rules.tricks`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag import Parameters, bit_count, choice, flag, integer
from tag.engine.rules.tricks import CLUBS, N_RANKS, N_SUITS, SPADES, SUIT, highest

N_PLAYERS: Final = 4
N_SIDES: Final = 2
#: Phases: players who may bid nil before they see their cards, bids, and tricks.
BLIND: Final = 0
BIDDING: Final = 1
PLAYING: Final = 2
#: The bid of a player who has not bid; nil is a bid of 0.
NO_BID: Final = -1
#: How far a side has to be behind to bid blind.
BEHIND: Final = 100

#: The chance that a card takes a trick, by the number of higher ones that others hold: of trumps, and of other suits.
_TRUMP_CHANCE: Final[list[float]] = [1.0, 0.85, 0.6, 0.35]
_CHANCE: Final[list[float]] = [0.9, 0.55, 0.2]
#: The cards of a suit beyond which each more takes a trick, as a rule.
_LENGTH: Final = 3
_LONG_CARD: Final = 0.75


@dataclass
class SpadesParameters(Parameters):
    """The length of the game, bids, and points."""

    goal: int = integer(500, 50, 1000, "points of a side that end the game")
    lowest: int = integer(500, 50, 1000, "points below zero of a side that end the game, too")
    hands: int = integer(0, 0, 6, "hands after which the game ends in any case, 0 for no such limit")
    ranks: int = integer(13, 3, 13, "cards of each suit, from the ace down")
    nil: int = integer(100, 0, 300, "points of a nil, won or lost")
    nil_tricks: str = choice(
        "count", ("count", "bags"), "the tricks of a failed nil: they count for the partner, or are bags"
    )
    blind_nil: bool = flag(
        False, "whether players of a side 100 points behind may bid nil before the deal, for twice the points"
    )
    bags: int = integer(10, 1, 20, "bags that cost points")
    bag_penalty: int = integer(100, 0, 200, "points that so many bags cost")
    team_limit: bool = flag(False, "whether partners may bid no more tricks together than there are")
    first_lead: str = choice(
        "left", ("left", "club"), "who leads first: the one who bid first, or who has the lowest club"
    )

    def deck(self) -> int:
        """Return the cards of the game, as a set."""
        lowest = N_RANKS - self.ranks
        ranks = SUIT[CLUBS] >> lowest << lowest
        return sum([ranks << N_RANKS * suit for suit in range(N_SUITS)])


def tricks_in(hand: i64, others: i64) -> float:
    """Return how many tricks a hand is likely to take if all players want them, with the cards that ``others`` hold."""
    found = 0.0
    for suit in range(N_SUITS):
        mine = hand & SUIT[suit]
        theirs = others & SUIT[suit]
        chances = _TRUMP_CHANCE if suit == SPADES else _CHANCE
        length = bit_count(mine)
        if suit == SPADES and length > _LENGTH:
            found += _LONG_CARD * float(length - _LENGTH)
        seen: i64 = 0
        while mine and seen < _LENGTH:
            top = highest(mine)
            above = bit_count(theirs & ~(top - 1))
            if above < len(chances) and above < length:
                found += chances[above]
            mine ^= top
            seen += 1
    return found


def side_points(rules: SpadesParameters, bids: list[int], won: list[int], blind: list[bool]) -> tuple[int, int]:
    """Return the points of a side for a hand without those that bags cost, and its bags.

    Args:
        rules: the parameters.
        bids: the bids of both partners.
        won: the tricks that each has taken.
        blind: whether each bid is a nil made before the deal.
    """
    contract = sum(bids)
    counted, bags, points = 0, 0, 0
    for bid, tricks, is_blind in zip(bids, won, blind, strict=True):
        if bid == 0:
            worth = 2 * rules.nil if is_blind else rules.nil
            points += -worth if tricks else worth
            if rules.nil_tricks == "bags":
                bags += tricks
                continue
        counted += tricks
    bags += max(counted - contract, 0)
    return points + bags + (10 * contract if counted >= contract else -10 * contract), bags
