"""The parameters of Blackjack and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import MoreThan, Parameters, choice, flag, integer, real
from tag.games.cards.blackjack.data import MOST_DECKS, MOST_HANDS


@dataclass
class BlackjackParameters(Parameters):
    """The rules of the house, and the length of a game."""

    rounds: int = integer(10, 1, 1000, "rounds in a game", log=True)
    decks: int = integer(6, 1, MOST_DECKS, "decks of 52 cards in the shoe")
    penetration: int = integer(
        75, 0, 95, "percentage of the shoe after which it is shuffled before the next round; 0: before each round"
    )
    hits_soft_17: bool = flag(False, "the dealer takes a card at 17 with an ace that counts 11")
    hole_card: bool = flag(
        True, "the dealer has a face-down card from the start and looks for a blackjack, or takes the second card last"
    )
    blackjack: str = choice(
        "3to2", ("3to2", "6to5", "even", "none"), "what a blackjack pays; none: it is a 21 like any other"
    )
    double: str = choice("any", ("any", "9-11", "10-11", "none"), "first two cards that may be doubled: hard totals")
    double_after_split: bool = flag(
        True, "hands from a split may be doubled", active_if=("double", ("any", "9-11", "10-11"))
    )
    hands: int = integer(4, 1, MOST_HANDS, "hands that a player may make by splitting; 1: no splitting")
    hit_split_aces: bool = flag(
        False, "split aces may be played on, instead of one card for each", active_if=("hands", MoreThan(1))
    )
    resplit_aces: bool = flag(False, "split aces may be split again", active_if=("hands", MoreThan(2)))
    insurance: bool = flag(True, "players may insure against an ace", active_if=("blackjack", ("3to2", "6to5", "even")))
    surrender: bool = flag(False, "players may give up their first two cards for half of the bet")
    largest_bet: int = integer(1, 1, 10, "largest bet, in units, which players choose; 1: all bets are one unit")
    goal: str = choice(
        "most", ("most", "dealer"), "the player with the most money wins, or all who win from the dealer"
    )


@dataclass
class BlackjackHeuristicParameters(Parameters):
    """The weights of `BlackjackHeuristic`."""

    hands: float = real(1.0, 0.0, 1.5, "weight of what the hands on the table are expected to win")
    rivals: float = real(0.5, 0.0, 1.0, "weight of the best rival's money, subtracted where the most money wins")
    scale: float = real(20.0, 2.0, 200.0, "units of money that are worth one half", log=True)
