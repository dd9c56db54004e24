"""The parameters of Exploding Kittens and of its heuristic."""

from __future__ import annotations

from dataclasses import dataclass

from tag import MoreThan, ParameterError, Parameters, flag, integer, real
from tag.games.cards.exploding_kittens.data import MAX_PLAYERS, N_KINDS, TACOCAT


@dataclass
class ExplodingKittensParameters(Parameters):
    """The deck, the deal and the rules that differ between printings; the defaults are the 2015 game."""

    hand_cards: int = integer(7, 1, 20, "cards dealt to each player beside a Defuse; first printed leaflets said 4")
    attack_turns: int = integer(2, 1, 5, "turns that the victim of an Attack takes", active_if=("attacks", MoreThan(0)))
    attacks_stack: bool = flag(
        False,
        "whether an attacked player's Attack adds the turns still to take (later printings)",
        active_if=("attacks", MoreThan(0)),
    )
    special_combos: bool = flag(True, "whether any equal cards are pairs, and threes and five different can be played")
    five_different: bool = flag(
        True,
        "whether that goes for five different cards (no longer in the rules of 2024)",
        active_if=("special_combos", (True,)),
    )
    nope_own: bool = flag(False, "whether a player can Nope a card of their own")
    future_cards: int = integer(3, 1, 10, "cards that See the Future shows", active_if=("see_the_futures", MoreThan(0)))
    keep_dead_hands: bool = flag(
        False, "whether who explodes keeps the cards, face down, and does not discard them (rules of 2024)"
    )
    two_player_defuses: int = integer(2, 0, 8, "Defuses in the draw pile with two players, the rest being removed")
    spare_defuses: int = integer(8, 0, 8, "most Defuses in the draw pile, the rest being removed; 2 in 2024")
    early_defuses: bool = flag(False, "whether these are shuffled in before the deal (rules of 2024)")
    defuses: int = integer(6, MAX_PLAYERS, 10, "Defuses in the box")
    attacks: int = integer(4, 0, 10, "Attacks in the deck")
    skips: int = integer(4, 0, 10, "Skips in the deck")
    favors: int = integer(4, 0, 10, "Favors in the deck")
    shuffles: int = integer(4, 0, 10, "Shuffles in the deck")
    see_the_futures: int = integer(5, 0, 10, "See the Futures in the deck")
    nopes: int = integer(5, 0, 10, "Nopes in the deck")
    cats: int = integer(4, 0, 10, "cats of each of the five kinds in the deck")

    def check(self) -> None:
        """Refuse decks from which five players cannot be dealt their cards, and Defuses that there are not."""
        size = sum(self.counts())
        if size < MAX_PLAYERS:
            raise ParameterError(f"a deck of {size} cards cannot be dealt; five players need at least {MAX_PLAYERS}")
        if self.hand_cards * MAX_PLAYERS > size:
            raise ParameterError(
                f"hand_cards cannot be {self.hand_cards}: a deck of {size} cards has {size // MAX_PLAYERS} "
                f"for each of five players; the nearest value is {size // MAX_PLAYERS}"
            )
        if self.two_player_defuses > self.defuses - 2:
            raise ParameterError(
                f"two_player_defuses cannot be {self.two_player_defuses} with {self.defuses} Defuses of which two are "
                f"dealt; the nearest value is {self.defuses - 2}"
            )

    def counts(self) -> list[int]:
        """Return how many cards of each kind are shuffled before the deal: no kittens, no Defuses."""
        cats = [self.cats] * (N_KINDS - TACOCAT)
        counts = [0, 0, self.attacks, self.skips, self.favors, self.shuffles, self.see_the_futures, self.nopes]
        return counts + cats

    def deck(self) -> list[int]:
        """Return the cards that are shuffled before the deal, in order of kind."""
        counts = self.counts()
        return [kind for kind in range(N_KINDS) for _copy in range(counts[kind])]

    def defuses_left(self, n_players: int) -> int:
        """Return how many of the Defuses that are not dealt to each player go into the deck."""
        most = self.two_player_defuses if n_players == 2 else self.defuses - n_players
        return min(most, self.spare_defuses)


@dataclass
class ExplodingKittensHeuristicParameters(Parameters):
    """The weights of `ExplodingKittensHeuristic`: what a card in hand is worth; the defaults are TAG's."""

    exploding: float = real(-1.0, -1.0, 1.0, "value of an Exploding Kitten drawn and not yet defused")
    defuse: float = real(1.0, -1.0, 1.0, "value of a Defuse")
    attack: float = real(-0.4, -1.0, 1.0, "value of an Attack")
    skip: float = real(0.2, -1.0, 1.0, "value of a Skip")
    favor: float = real(-0.1, -1.0, 1.0, "value of a Favor")
    shuffle: float = real(-0.2, -1.0, 1.0, "value of a Shuffle")
    see_the_future: float = real(-0.3, -1.0, 1.0, "value of a See the Future")
    nope: float = real(-0.5, -1.0, 1.0, "value of a Nope")
    regular: float = real(-0.01, -1.0, 1.0, "value of a cat")
    survival: float = real(0.0, -1.0, 1.0, "weight of the share of rivals who have exploded")
