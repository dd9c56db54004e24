"""The parameters of Dominion and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from tag import ParameterError, Parameters, choice, flag, free_text, integer, real
from tag.games.cards.dominion.data import KINGDOMS, MOST_OF_A_KIND, N_BASIC, N_KINDS, N_KINGDOM, key_of

#: Values of ``kingdom`` beside the sets of the rule book.
RANDOM: Final = "random"
LISTED: Final = "listed"

_MOST_PLAYERS: Final = 4
_BY_NAME: Final[dict[str, int]] = {key_of(kind): kind for kind in range(N_BASIC, N_KINDS)}


@dataclass
class DominionParameters(Parameters):
    """The kingdom, the supply, and the end of the game; the defaults are the printed game."""

    kingdom: str = choice(
        "first_game",
        (*KINGDOMS, RANDOM, LISTED),
        "the kingdom cards: a set of the rule book, ten at random, or `cards`",
    )
    cards: str = free_text("", "with kingdom=listed, ten kingdom cards with + between: cellar+market+throne_room+…")
    hand_size: int = integer(5, 3, 10, "cards drawn for a hand")
    piles: int = integer(3, 1, 10, "empty piles that end the game")
    start_copper: int = integer(7, 3, 15, "Coppers that a player starts with")
    start_estates: int = integer(3, 0, 10, "Estates that a player starts with")
    copper: int = integer(60, 10, MOST_OF_A_KIND, "Coppers, those of the players included")
    silver: int = integer(40, 5, MOST_OF_A_KIND, "Silvers")
    gold: int = integer(30, 5, MOST_OF_A_KIND, "Golds")
    victory_2: int = integer(8, 1, 20, "cards in each victory pile with two players")
    victory_3: int = integer(12, 1, 20, "cards in each victory pile with three or four players")
    curses: int = integer(10, 0, 20, "Curses for each player but one; with 0 there is no pile of them")
    kingdom_cards: int = integer(10, 1, 20, "cards in each pile of kingdom cards that are no victory cards")
    turns_break_ties: bool = flag(True, "whether of equal players those with fewer turns win")
    max_rounds: int = integer(200, 0, 10_000, "rounds after which the points decide; 0 for no limit")

    def check(self) -> None:
        """Refuse too few Coppers, and lists that are not ten kingdom cards."""
        dealt = _MOST_PLAYERS * self.start_copper
        if self.copper <= dealt:
            most = (self.copper - 1) // _MOST_PLAYERS
            raise ParameterError(
                f"start_copper cannot be {self.start_copper} with {self.copper} Coppers; the nearest value is {most}"
            )
        if self.kingdom == LISTED:
            self._listed()
        elif self.cards:
            raise ParameterError(
                f"cards cannot be {self.cards!r} with kingdom={self.kingdom}; set kingdom={LISTED}, or leave cards out"
            )

    def kingdom_kinds(self) -> tuple[int, ...]:
        """Return the kinds of the kingdom cards in order, none if they are drawn at random."""
        if self.kingdom == RANDOM:
            return ()
        return tuple(sorted(self._listed() if self.kingdom == LISTED else KINGDOMS[self.kingdom]))

    def victory_cards(self, n_players: int) -> int:
        """Return how many cards each victory pile has."""
        return self.victory_2 if n_players == 2 else self.victory_3

    def _listed(self) -> list[int]:
        names = [name.strip() for name in self.cards.split("+") if name.strip()]
        for name in names:
            if name not in _BY_NAME:
                close = get_close_matches(name, _BY_NAME, n=1, cutoff=0)[0]
                raise ParameterError(f"cards cannot have {name!r}; did you mean {close!r}?")
            if names.count(name) > 1:
                raise ParameterError(f"cards cannot have {name!r} {names.count(name)} times; each card is there once")
        if len(names) != N_KINGDOM:
            raise ParameterError(f"cards cannot be {len(names)} kingdom cards; the nearest number is {N_KINGDOM}")
        return [_BY_NAME[name] for name in names]


@dataclass
class DominionHeuristicParameters(Parameters):
    """The weights of `DominionHeuristic`."""

    province: float = real(5.0, 0.0, 12.0, "points that a Province left is worth to all players together")
    power: float = real(1.5, 0.0, 4.0, "power of a deck's coins by which the Provinces left are shared")
    effects: float = real(1.0, 0.0, 3.0, "weight of what actions do beside +cards, +actions, +buys and +coins")
    draws: float = real(0.7, 0.0, 1.0, "weight of the cards that actions draw")
    coins: float = real(0.02, 0.0, 1.0, "points that a coin of the current turn is worth")
    scale: float = real(15.0, 1.0, 100.0, "points ahead that are worth half as much as a win", log=True)
