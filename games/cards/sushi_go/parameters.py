"""The parameters of Sushi Go! and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import MoreThan, ParameterError, Parameters, flag, integer, real
from tag.games.cards.sushi_go.data import LARGEST_HAND, MOST_OF_A_KIND, MOST_PLAYERS

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


@dataclass
class SushiGoHeuristicParameters(Parameters):
    """The weights of `SushiGoHeuristic`, in points unless they say otherwise."""

    tempura: float = real(1.9, 0.0, 10.0, "a tempura that waits for a second one")
    sashimi: float = real(1.5, 0.0, 10.0, "a sashimi that waits for two more")
    sashimi_pair: float = real(5.0, 0.0, 10.0, "two sashimi that wait for a third one")
    dumpling: float = real(0.35, 0.0, 5.0, "each dumpling up to the fourth, for those to come")
    wasabi: float = real(1.1, 0.0, 10.0, "a wasabi without a nigiri")
    chopsticks: float = real(2.0, 0.0, 10.0, "chopsticks on the table")
    maki: float = real(0.35, 0.0, 3.0, "a maki roll")
    pudding: float = real(0.7, 0.0, 10.0, "a pudding")
    rivals: float = real(1.0, 0.0, 2.0, "weight of the best rival's points")
    scale: float = real(30.0, 1.0, 200.0, "points ahead that are worth half as much as a win")
