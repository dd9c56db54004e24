"""The state of Virus!: bodies, hands, and what is left of the deck."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.virus.data import EMPTY, MEDICINES, N_KINDS, NO_CARD, ORGANS, TREATMENTS, VIRUSES, healthy_in, organs_in
from games.virus.heuristic import DEFAULT_HEURISTIC
from games.virus.view import components_of, features_of, text_of
from tag import GameState, Rng
from tag.components import Component

#: What one card of each kind adds to a set of ``counted`` cards: three bits count the cards of each kind.
_UNITS: Final[list[int]] = [1 << (3 * card) for card in range(N_KINDS)]


@mypyc_attr(allow_interpreted_subclasses=True)
class VirusState(GameState):
    """One position.

    No player knows the order of the deck or remembers that of the discard pile, so both are kept as numbers of cards of
    each kind, and a card is picked at random when it is drawn. Hands lie one after the other in one list, each sorted,
    with the empty places last; bodies are packed (`games.virus.data`).

    Attributes:
        goal: healthy organs that win.
        hand_size: cards of a full hand.
        bodies: each player's body.
        hands: the cards of all hands, ``hand_size`` places for each player.
        deck: how many cards of each kind the deck holds.
        deck_size: how many cards the deck holds.
        deck_organs: how many of them are organs; this and the next two make drawing quicker.
        deck_viruses: how many of them are viruses.
        deck_medicines: how many of them are medicines.
        discards: how many cards of each kind the discard pile holds.
        counted: with two players, the cards of each hand that the other player knows, three bits for each kind: all of it
            when the discard pile becomes the deck, less what is laid down later. Empty before, and with more players.
    """

    def __init__(
        self,
        n_players: i64,
        goal: i64,
        hand_size: i64,
        bodies: list[int],
        hands: list[int],
        deck: list[int],
        discards: list[int],
    ) -> None:
        """Take the lists as they are; the deck is to be counted."""
        super().__init__(n_players)
        self.goal = goal
        self.hand_size = hand_size
        self.bodies = bodies
        self.hands = hands
        self.deck = deck
        self.discards = discards
        self.deck_size: i64 = 0
        self.deck_organs: i64 = 0
        self.deck_viruses: i64 = 0
        self.deck_medicines: i64 = 0
        self.counted: tuple[int, ...] = ()

    # --- copies and observations -------------------------------------------------------------------------------------

    def copy(self) -> VirusState:
        """Copy the lists of numbers."""
        other = VirusState(
            self.n_players,
            self.goal,
            self.hand_size,
            self.bodies[:],
            self.hands[:],
            self.deck[:],
            self.discards[:],
        )
        self.copy_to(other)
        other.deck_size = self.deck_size
        other.deck_organs = self.deck_organs
        other.deck_viruses = self.deck_viruses
        other.deck_medicines = self.deck_medicines
        other.counted = self.counted
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the hands of all others again, from what ``player`` has not seen; the rest is the deck."""
        if self.counted:
            self._deal_uncounted(1 - player, rng)
            return
        for holder in range(self.n_players):
            if holder != player:
                self._put_back(holder)
        for holder in range(self.n_players):
            if holder != player:
                self._deal_again(holder, rng)

    def _put_back(self, holder: i64) -> None:
        """Add the cards of ``holder`` to the deck, without taking them from the hand."""
        hands = self.hands
        deck = self.deck
        place = holder * self.hand_size
        last = place + self.hand_size
        while place < last:
            card: i64 = hands[place]
            if card == NO_CARD:
                return
            deck[card] += 1
            self.deck_size += 1
            if card < VIRUSES:
                self.deck_organs += 1
            elif card < MEDICINES:
                self.deck_viruses += 1
            elif card < TREATMENTS:
                self.deck_medicines += 1
            place += 1

    def _deal_again(self, holder: i64, rng: Rng) -> None:
        """Replace the cards of ``holder``, all of which are back in the deck."""
        hands = self.hands
        first = holder * self.hand_size
        place = first
        while place < first + self.hand_size and hands[place] != NO_CARD:
            card = self._take(rng)
            gap = place
            while gap > first and hands[gap - 1] > card:
                hands[gap] = hands[gap - 1]
                gap -= 1
            hands[gap] = int(card)
            place += 1

    def _deal_uncounted(self, holder: i64, rng: Rng) -> None:
        """Replace the cards of ``holder`` but for those that the other player knows."""
        counted: i64 = self.counted[holder]
        self._put_back(holder)
        hidden: i64 = 0
        kept: list[int] = []
        for card in self.hand(holder):
            unit: i64 = _UNITS[card]
            if counted & (7 * unit):
                counted -= unit
                self._take_kind(card)
                kept.append(card)
            else:
                hidden += 1
        for _card in range(hidden):
            kept.append(int(self._take(rng)))
        kept.sort()
        first = holder * self.hand_size
        for index in range(len(kept)):
            self.hands[first + index] = kept[index]

    def _take_kind(self, card: i64) -> None:
        """Take a certain card from the deck, which holds one."""
        self.deck[card] -= 1
        self.deck_size -= 1
        if card < VIRUSES:
            self.deck_organs -= 1
        elif card < MEDICINES:
            self.deck_viruses -= 1
        elif card < TREATMENTS:
            self.deck_medicines -= 1

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: the own hand, how many cards the others hold, and what lies open."""
        return (
            int(player),
            int(self.current_player),
            int(self.turn_player),
            int(self.round),
            int(self.turn),
            int(self.tick),
            self.is_terminal,
            self.results,
            tuple(self.bodies),
            tuple([self._seen_card(place, player) for place in range(len(self.hands))]),
            int(self.deck_size),
            tuple(self.discards),
            self.counted,
            tuple([sequence.knowledge(player) for sequence in self.sequences]),
        )

    def _seen_card(self, place: i64, player: i64) -> int:
        """Return the card at a place of the hands if ``player`` holds it, else -1 for a card and `NO_CARD` for none."""
        card = self.hands[place]
        return card if card == NO_CARD or place // self.hand_size == player else -1

    # --- cards -------------------------------------------------------------------------------------------------------

    def _take(self, rng: Rng) -> i64:
        """Take any card from the deck, which is not empty."""
        left = rng.below(self.deck_size)
        self.deck_size -= 1
        card: i64 = ORGANS
        if left < self.deck_organs:
            self.deck_organs -= 1
        else:
            left -= self.deck_organs
            if left < self.deck_viruses:
                self.deck_viruses -= 1
                card = VIRUSES
            else:
                left -= self.deck_viruses
                if left < self.deck_medicines:
                    self.deck_medicines -= 1
                    card = MEDICINES
                else:
                    left -= self.deck_medicines
                    card = TREATMENTS
        deck = self.deck
        count: i64 = deck[card]
        while left >= count:
            left -= count
            card += 1
            count = deck[card]
        deck[card] = int(count - 1)
        return card

    def draw_up(self, player: i64, rng: Rng) -> None:
        """Fill the hand of ``player``; an exhausted deck is replaced by the discard pile, if there is one."""
        hands = self.hands
        first = player * self.hand_size
        last = first + self.hand_size - 1
        while hands[last] == NO_CARD:
            if self.deck_size == 0:
                self._recycle()
                if self.deck_size == 0:
                    return
            card = self._take(rng)
            gap = last
            while gap > first and hands[gap - 1] > card:
                hands[gap] = hands[gap - 1]
                gap -= 1
            hands[gap] = int(card)

    def _recycle(self) -> None:
        """Make the discard pile the deck, both without order; of two players each can count what the other one holds."""
        self.deck, self.discards = self.discards, self.deck
        self.count_deck()
        if self.n_players == 2:
            self.counted = tuple([sum([_UNITS[card] for card in self.hand(player)]) for player in range(2)])

    def count_deck(self) -> None:
        """Count the cards of the deck, after it has been changed as a whole."""
        deck = self.deck
        self.deck_organs = sum(deck[:VIRUSES])
        self.deck_viruses = sum(deck[VIRUSES:MEDICINES])
        self.deck_medicines = sum(deck[MEDICINES:TREATMENTS])
        self.deck_size = sum(deck)

    def discard(self, player: i64, card: i64) -> None:
        """Lay a card of ``player`` on the discard pile."""
        self.lose(player, card)
        self.discards[card] += 1

    def lose(self, player: i64, card: i64) -> None:
        """Take ``card`` from the hand of ``player``, who holds it."""
        if self.counted:
            self._uncount(player, card)
        hands = self.hands
        place = player * self.hand_size
        last = place + self.hand_size - 1
        while hands[place] != card:
            place += 1
        while place < last:
            hands[place] = hands[place + 1]
            place += 1
        hands[last] = NO_CARD

    def _uncount(self, player: i64, card: i64) -> None:
        """Let it be known that ``player`` has laid ``card`` down: if it is one of those known, that one."""
        unit: i64 = _UNITS[card]
        counted = list(self.counted)
        if counted[player] & (7 * unit):
            counted[player] -= int(unit)
            self.counted = tuple(counted)

    def discard_hand(self, player: i64) -> None:
        """Lay all cards of ``player`` on the discard pile."""
        hands = self.hands
        first = player * self.hand_size
        for place in range(first, first + self.hand_size):
            card = hands[place]
            if card != NO_CARD:
                self.discards[card] += 1
                hands[place] = NO_CARD
        if self.counted:
            counted = list(self.counted)
            counted[player] = 0
            self.counted = tuple(counted)

    def hand(self, player: i64) -> list[int]:
        """Return the cards of ``player``, sorted."""
        first = player * self.hand_size
        return [card for card in self.hands[first : first + self.hand_size] if card != NO_CARD]

    # --- values ------------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return the number of healthy organs."""
        return float(healthy_in(self.bodies[player]))

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the number of organs, healthy or not."""
        return float(organs_in(self.bodies[player]))

    def tiebreak_tiers(self) -> i64:
        """Return that there is one tier."""
        return 1

    def heuristic(self, player: i64) -> float:
        """Return the game's own heuristic with its own weights."""
        return DEFAULT_HEURISTIC.value(self, player)

    # --- for people and analysis -------------------------------------------------------------------------------------

    def features(self, player: i64) -> dict[str, float]:
        """Return the own hand, what lies open, and each player's body (0: oneself, 1: the next …)."""
        return features_of(self, player)

    def components(self) -> list[Component]:
        """Return the cards in their places."""
        return components_of(self)

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it, the cards of other hands as question marks."""
        return text_of(self, viewer)

    def __str__(self) -> str:
        return self.text(-1)


def new_state(n_players: i64, goal: i64, hand_size: i64, deck: list[int]) -> VirusState:
    """Return a position with empty hands and bodies, and the ``deck`` given as numbers of each kind."""
    places = int(n_players * hand_size)
    state = VirusState(n_players, goal, hand_size, [EMPTY] * n_players, [NO_CARD] * places, deck[:], [0] * N_KINDS)
    state.count_deck()
    return state
