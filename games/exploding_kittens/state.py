"""The state of Exploding Kittens: who holds what, and who knows it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.cards import EXPLODING_KITTEN
from games.exploding_kittens.hands import HandsState
from games.exploding_kittens.sets import counts, listed, size, unit
from games.exploding_kittens.views import components_of, features_of, text_of
from games.exploding_kittens.weights import DEFAULT_WEIGHTS, Weights
from tag.components import Component
from tag.results import LOSE
from tag.rng import Rng

#: Phases: what the last action did to the turn.
TURN_GOES_ON: Final = 0
TURN_ENDS: Final = 1
ATTACKED: Final = 2
EXPLODED: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class ExplodingKittensState(HandsState):
    """One position.

    Attributes:
        alive: who has not exploded, as a mask.
        out: who has, in order.
        due: the turns that the current player has still to take, this one included.
        attacked: whether these come from an Attack.
        exploding: who has drawn a kitten and must deal with it, -1 for nobody.
        future_cards: how many cards See the Future shows.
        nope_own: whether a player can Nope a card of their own.
    """

    def __init__(self, n_players: i64, deck: list[int], known: list[int], secrets: list[int]) -> None:
        """Take the lists; the first turn is due."""
        super().__init__(n_players, deck, known, secrets)
        self.alive: i64 = 0
        self.out: tuple[int, ...] = ()
        self.due: i64 = 1
        self.attacked: bool = False
        self.exploding: i64 = -1
        self.future_cards: i64 = 0
        self.nope_own: bool = False

    # --- copies and observations -----------------------------------------------------------------------------------

    def copy(self) -> ExplodingKittensState:
        """Copy the lists; their items and the rest are immutable."""
        other = ExplodingKittensState(self.n_players, self.deck[:], self.known[:], self.secrets[:])
        self.copy_to(other)
        self.copy_hands_to(other)
        other.inserters = self.inserters
        other.places = self.places
        other.look_level = self.look_level
        other.look_time = self.look_time
        other.discards = self.discards
        other.alive = self.alive
        other.out = self.out
        other.due = self.due
        other.attacked = self.attacked
        other.exploding = self.exploding
        other.future_cards = self.future_cards
        other.nope_own = self.nope_own
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the cards in the pile and in the others' hands that ``player`` does not know.

        All arrangements of the cards are as likely, and all places of a kitten that somebody else has put back. What
        the others know of each other's hands is public, or drawn: any cards of the hand, up to the number that can be
        known.
        """
        if self.places:
            self.float_kittens(player, rng)
            deck = self.deck
            places = self.hidden_places(player)
            pool = [deck[place] for place in places]
            self._deal_again(player, pool, rng)
            for index in range(len(places)):
                deck[places[index]] = pool[index]
            return
        deck = self.deck  # as no kitten was put back, the hidden cards lie under those seen
        lowest = self.look_level[player]
        if lowest >= len(deck):
            self._deal_again(player, deck, rng)
            return
        seen = deck[lowest:]
        del deck[lowest:]
        self._deal_again(player, deck, rng)
        deck.extend(seen)

    def _deal_again(self, player: i64, pool: list[int], rng: Rng) -> None:
        """Deal the ``pool`` of hidden cards of the pile again, together with those in the others' hands."""
        # Without kittens first: no hand has any.
        kittens: i64 = 0
        for place in range(len(pool) - 1, -1, -1):
            if pool[place] == EXPLODING_KITTEN:
                pool.pop(place)
                kittens += 1
        self.deal_hands(player, pool, rng)
        for _kitten in range(kittens):
            pool.append(EXPLODING_KITTEN)
            other = rng.below(len(pool))
            pool[-1] = pool[other]
            pool[other] = EXPLODING_KITTEN

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own hand, the cards known, and who knows of the own."""
        n = self.n_players
        return (
            int(player),
            int(self.tick),
            int(self.turn),
            int(self.turn_player),
            int(self.current_player),
            int(self.phase),
            self.results,
            self.deck_knowledge(player),
            int(self.hand(player)),
            tuple([int(self.size(holder)) for holder in range(n)]),
            tuple([self.known[player * n + holder] for holder in range(n)]),
            tuple([self.known[viewer * n + player] for viewer in range(n)]),
            tuple([self.known[holder * n + holder] for holder in range(n)]),
            tuple(self.secrets),
            int(self.discards),
            self.out,
            int(self.due),
            self.attacked,
            int(self.exploding),
            tuple([sequence.knowledge(player) for sequence in self.sequences]),
        )

    # --- what happens to cards --------------------------------------------------------------------------------------

    def draw_card(self, player: i64) -> None:
        """Draw the top card; a kitten is shown to all and lies before the player."""
        kind: i64 = self.deck[-1]
        knowers = self.take_top()
        if kind == EXPLODING_KITTEN:
            self.exploding = player
            return
        self.add(player, kind)
        if knowers:
            for viewer in range(self.n_players):
                if viewer != player and knowers >> viewer & 1:
                    self.learn(viewer, player, kind)

    def explode(self, player: i64) -> None:
        """Put ``player``, and the kitten, out of the game."""
        self.exploding = -1
        self.discards += unit(EXPLODING_KITTEN)
        self.alive &= ~(1 << int(player))
        self.out = (*self.out, int(player))
        self.set_result(player, LOSE)
        self.phase = EXPLODED

    def next_alive(self, player: i64) -> i64:
        """Return the next player clockwise who has not exploded."""
        while True:
            player += 1
            if player == self.n_players:
                player = 0
            if self.alive >> player & 1:
                return player

    # --- values ----------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return how many players exploded before ``player``."""
        return float(self.out.index(int(player)) if int(player) in self.out else len(self.out))

    def heuristic(self, player: i64) -> float:
        """Return TAG's heuristic with its own weights."""
        return self.weighted(player, DEFAULT_WEIGHTS)

    def weighted(self, player: i64, weights: Weights) -> float:
        """Weigh the hand of ``player``, in [-1, 1]."""
        if self.is_terminal or not self.alive >> player & 1:
            return self.result_value(player)
        value = weights.values[EXPLODING_KITTEN] if self.exploding == player else 0.0
        hand = self.hand(player)
        left = counts(hand)
        kind: i64 = 0
        while left:
            if left & 15:
                value += weights.values[kind] * float(left & 15)
            left >>= 4
            kind += 1
        value /= float(size(hand) + 1)
        value += weights.survival * float(len(self.out)) / float(self.n_players - 1)
        return max(-1.0, min(1.0, value))

    # --- for people and analysis -----------------------------------------------------------------------------------

    def known_cards(self, holder: i64, viewer: i64) -> list[int]:
        """Return the cards of ``holder`` that ``viewer`` (-1: anybody) knows, in order."""
        if viewer < 0 or viewer == holder:
            return listed(self.hand(holder))
        return listed(self.known[viewer * self.n_players + holder])

    def features(self, player: i64) -> dict[str, float]:
        """Return own cards, discards, the pile, and for each player (0: oneself, 1: the next …) what can be seen."""
        return features_of(self, player)

    def components(self) -> list[Component]:
        """Return the cards in their places."""
        return components_of(self)

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it, unknown cards as question marks."""
        return text_of(self, viewer)

    def __str__(self) -> str:
        return self.text(-1)
