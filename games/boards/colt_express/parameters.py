"""The parameters of Colt Express and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import MoreThan, ParameterError, Parameters, choice, flag, integer, real
from tag.games.boards.colt_express.data import ROUNDS


@dataclass
class ColtExpressParameters(Parameters):
    """Length, cards, bullets and money, the bandits and the game of two; the defaults are the printed game."""

    rounds: int = integer(5, 1, 8, "rounds, the last of them at a station")
    hand: int = integer(6, 1, 10, "cards drawn at the start of a round")
    doc_extra: int = integer(1, 0, 4, "cards that Doc draws beyond them", active_if=("bandits", ("chosen", "dealt")))
    draw: int = integer(3, 1, 5, "cards drawn instead of playing one")
    roof_move: int = integer(3, 1, 6, "cars that a Move on the roofs can go", active_if=("moves", MoreThan(0)))
    bullets: int = integer(6, 0, 12, "Bullet cards of each bandit")
    neutral_bullets: int = integer(13, 0, 40, "neutral Bullet cards")
    gunslinger: int = integer(1000, 0, 5000, "prize of who has fired most", step=50)
    ransom: int = integer(250, 0, 2000, "what a hostage-taker in or on the locomotive gets", step=50)
    moves: int = integer(2, 0, 5, "Move cards of each bandit (one of each kind with two bandits)")
    floor_changes: int = integer(2, 0, 5, "Floor Change cards of each bandit")
    shots: int = integer(2, 0, 5, "Fire cards of each bandit")
    robberies: int = integer(2, 0, 5, "Robbery cards of each bandit")
    marshals: int = integer(1, 0, 5, "Marshal cards of each player")
    punches: int = integer(1, 0, 5, "Punch cards of each bandit")
    bandits: str = choice("chosen", ("chosen", "dealt", "none"), "who has which ability: chosen, dealt, or none at all")
    two_bandits: bool = flag(True, "with two players each has a team of two bandits")
    team_cars: int = integer(3, 2, 6, "cars beside the locomotive with two teams", active_if=("two_bandits", (True,)))
    reserve: bool = flag(True, "each team puts a card of its choice into its hand", active_if=("two_bandits", (True,)))
    cover: bool = flag(True, "after a Fire a team may add a card of the other", active_if=("two_bandits", (True,)))

    def check(self) -> None:
        """Refuse decks without cards, and more rounds than there are round cards."""
        if sum(self.counts()) == 0:
            raise ParameterError(
                "a deck of 0 action cards cannot be played; the nearest deck has 1 card, such as moves=1"
            )
        most = len(ROUNDS.small) + 1
        if self.rounds > most:
            raise ParameterError(
                f"rounds cannot be {self.rounds} with {most - 1} round cards and a station; nearest {most}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each action a bandit has."""
        return [self.moves, self.floor_changes, self.shots, self.robberies, self.marshals, self.punches]


@dataclass
class ColtExpressHeuristicParameters(Parameters):
    """The weights of `ColtExpressHeuristic`; the defaults are TAG's, and the lead over the richest rival."""

    loot: float = real(0.5, -1.0, 1.0, "weight of the loot, as a share of max_loot")
    max_loot: int = integer(5000, 500, 20_000, "loot that counts in full", step=100)
    bullet_cards: float = real(-0.3, -1.0, 1.0, "weight of the Bullet cards received, as a share of the own cards")
    bullets_left: float = real(-0.2, -1.0, 1.0, "weight of the own bullets not fired yet, as a share")
    bullets_enemy: float = real(0.1, -1.0, 1.0, "weight of the bullets that rivals have not fired yet, as a share")
    lead: float = real(0.2, -1.0, 1.0, "weight of the lead in loot over the richest rival, as a share of max_loot")
