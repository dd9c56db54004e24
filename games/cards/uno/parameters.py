"""The parameters of Uno and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tag import MoreThan, ParameterError, Parameters, choice, flag, integer, real
from tag.games.cards.uno.data import N_COLOURS

#: The ways of scoring: points to the winner of each round; fewest points caught with; who has too many is out; one round.
WINNER: Final = "winner"
LOWEST: Final = "lowest"
ELIMINATION: Final = "elimination"
SINGLE: Final = "single"

_MOST_PLAYERS: Final = 10
_TO_A_GOAL: Final = (WINNER, LOWEST, ELIMINATION)


@dataclass
class UnoParameters(Parameters):
    """The deck, the scoring and the rules that are varied; the defaults are the printed game."""

    hand_size: int = integer(7, 1, 10, "cards dealt to each player")
    zeros: int = integer(1, 0, 4, "cards 0 of each colour")
    numbers: int = integer(2, 1, 4, "cards of each other number in each colour")
    skips: int = integer(2, 0, 10, "skips of each colour")
    reverses: int = integer(2, 0, 10, "reverses of each colour")
    draw_twos: int = integer(2, 0, 10, "draw twos of each colour")
    wilds: int = integer(4, 0, 10, "wilds")
    wild_draw_fours: int = integer(4, 0, 10, "wild draw fours")
    scoring: str = choice(
        WINNER,
        (WINNER, LOWEST, ELIMINATION, SINGLE),
        "points to the winner of each round / fewest points caught with / out who has too many / one round",
    )
    goal: int = integer(
        500, 50, 500, "points that win, end the game or put a player out", active_if=("scoring", _TO_A_GOAL)
    )
    action_points: int = integer(20, 0, 50, "points of a skip, reverse or draw two caught in hand")
    wild_points: int = integer(50, 0, 100, "points of a wild or wild draw four caught in hand")
    partners: bool = flag(
        False, "four players are two teams, seats 0 and 2 against 1 and 3", active_if=("scoring", (WINNER,))
    )
    bluffing: bool = flag(
        True,
        "whether a wild draw four can be played with a card of the colour in hand",
        active_if=("wild_draw_fours", MoreThan(0)),
    )
    challenges: bool = flag(
        True, "whether a wild draw four can be challenged; it cannot without bluffing", active_if=("bluffing", (True,))
    )
    voluntary_draw: bool = flag(True, "whether a player who can play may draw a card instead")
    draw_two: int = integer(
        2, 1, 6, "cards that a draw two makes the next player draw", active_if=("draw_twos", MoreThan(0))
    )
    draw_four: int = integer(
        4, 1, 8, "cards that a wild draw four makes the next player draw", active_if=("wild_draw_fours", MoreThan(0))
    )
    challenge_extra: int = integer(
        2, 0, 8, "cards that a failed challenge costs on top", active_if=("challenges", (True,))
    )
    uno_slip: float = real(0.0, 0.0, 1.0, "chance that a player with one card left forgets to call uno and is caught")
    uno_penalty: int = integer(2, 0, 6, "cards to draw for being caught", active_if=("uno_slip", MoreThan(0)))
    max_turns: int = integer(
        0,
        0,
        500,
        "turns after which a round is won by the fewest points in hand, as if no player could draw; 0 plays on",
    )
    max_rounds: int = integer(0, 0, 1000, "rounds after which the score decides; 0 plays on to the goal")

    def check(self) -> None:
        """Refuse decks that ten players cannot play with, and partners who score for themselves."""
        size = sum(self.deck()) - self.wild_draw_fours
        fits = (size - 1) // _MOST_PLAYERS
        if self.hand_size > fits:
            raise ParameterError(
                f"hand_size cannot be {self.hand_size}: ten hands and a first card have to come from the {size} cards "
                f"that are no wild draw fours; the nearest value is {fits}"
            )
        if self.partners and self.scoring != WINNER:
            raise ParameterError(
                f"scoring cannot be {self.scoring!r} with partners, who win points together; the nearest value is "
                f"{WINNER!r}"
            )

    def deck(self) -> list[int]:
        """Return how many cards of each kind there are."""
        colour = [self.zeros, *[self.numbers] * 9, self.skips, self.reverses, self.draw_twos]
        return [*colour * N_COLOURS, self.wilds, self.wild_draw_fours]


@dataclass
class UnoHeuristicParameters(Parameters):
    """The weights of `UnoHeuristic`; the defaults are those of TAG's, which uses the first three."""

    player: float = real(0.5, -1.0, 1.0, "weight of the own points, as a share of the goal")
    opponent: float = real(-0.2, -1.0, 1.0, "weight of the opponents' points, on average, as a share of the goal")
    cards: float = real(-0.3, -1.0, 1.0, "weight of the cards in hand, n / (n + cards dealt)")
    rivals_cards: float = real(0.0, -1.0, 1.0, "weight of the fewest cards of an opponent, n / (n + cards dealt)")
    hand_points: float = real(0.0, -1.0, 1.0, "weight of the points in hand, as a share of the goal")
    wild_cards: float = real(0.0, -1.0, 1.0, "what each wild card in hand adds")
    playable: float = real(0.0, -1.0, 1.0, "weight of the share of the four colours in hand")
