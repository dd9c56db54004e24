"""The parameters of Love Letter and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import ParameterError, Parameters, integer, real
from tag.games.cards.love_letter.data import N_KINDS

#: What a four-player round needs: a card removed, a card per player, and one to draw.
_FEWEST_CARDS = 6
#: What a two-player round needs beside the cards face up.
_FEWEST_CARDS_OF_TWO = 4


@dataclass
class LoveLetterParameters(Parameters):
    """The deck, the length of the game and the two-player rule; the defaults are the printed game."""

    tokens_2: int = integer(7, 1, 20, "tokens of affection that win a game of two")
    tokens_3: int = integer(5, 1, 20, "tokens of affection that win a game of three")
    tokens_4: int = integer(4, 1, 20, "tokens of affection that win a game of four")
    face_up: int = integer(3, 0, 8, "cards removed face up in a game of two")
    guards: int = integer(5, 0, 10, "Guards (1) in the deck")
    priests: int = integer(2, 0, 5, "Priests (2) in the deck")
    barons: int = integer(2, 0, 5, "Barons (3) in the deck")
    handmaids: int = integer(2, 0, 5, "Handmaids (4) in the deck")
    princes: int = integer(2, 0, 5, "Princes (5) in the deck")
    kings: int = integer(1, 0, 5, "Kings (6) in the deck")
    countesses: int = integer(1, 0, 5, "Countesses (7) in the deck")
    princesses: int = integer(1, 0, 5, "Princesses (8) in the deck")
    max_rounds: int = integer(0, 0, 1000, "rounds after which most tokens win; 0 plays on to the tokens")

    def check(self) -> None:
        """Refuse decks that are too small to play a round with."""
        size = sum(self.counts())
        if size < _FEWEST_CARDS:
            raise ParameterError(f"a deck of {size} cards cannot be played; four players need at least {_FEWEST_CARDS}")
        if size < self.face_up + _FEWEST_CARDS_OF_TWO:
            near = size - _FEWEST_CARDS_OF_TWO
            raise ParameterError(
                f"face_up cannot be {self.face_up} with a deck of {size} cards; the nearest value is {near}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each kind there are, by value from 1."""
        return [
            self.guards,
            self.priests,
            self.barons,
            self.handmaids,
            self.princes,
            self.kings,
            self.countesses,
            self.princesses,
        ]

    def deck(self) -> list[int]:
        """Return the cards of a round, in order of value."""
        counts = self.counts()
        return [value + 1 for value in range(N_KINDS) for _copy in range(counts[value])]

    def tokens_to_win(self, n_players: int) -> int:
        """Return how many tokens win a game of ``n_players``."""
        return self.tokens_2 if n_players == 2 else self.tokens_3 if n_players == 3 else self.tokens_4


@dataclass
class LoveLetterHeuristicParameters(Parameters):
    """The weights of `LoveLetterHeuristic`; the defaults are the TAG report's, which uses the first three."""

    cards: float = real(0.3, -1.0, 1.0, "weight of the value in hand, as a share of the highest")
    affection: float = real(0.7, -1.0, 1.0, "weight of the tokens, as a share of those that win")
    countess_doubt: float = real(0.1, 0.0, 1.0, "share of the Countess's value that does not count")
    guard: float = real(0.0, -1.0, 1.0, "what a Guard in hand adds")
    priest: float = real(0.0, -1.0, 1.0, "what a Priest in hand adds")
    baron: float = real(0.0, -1.0, 1.0, "what a Baron in hand adds")
    handmaid: float = real(0.0, -1.0, 1.0, "what a Handmaid in hand adds")
    prince: float = real(0.0, -1.0, 1.0, "what a Prince in hand adds")
    king: float = real(0.0, -1.0, 1.0, "what a King in hand adds")
    countess: float = real(0.0, -1.0, 1.0, "what a Countess in hand adds")
    princess: float = real(0.0, -1.0, 1.0, "what a Princess in hand adds")
    hidden: float = real(0.0, -1.0, 1.0, "weight of the share of rivals who have not seen the hand")
    advantage: float = real(
        0.0, -1.0, 1.0, "weight of the lead in tokens over the best rival, as a share of those that win"
    )
