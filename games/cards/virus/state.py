"""The state of Virus!: bodies, hands, and what is left of the deck."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Component, Deck
from tag.games.cards.virus.data import (
    ABSENT,
    CARDS,
    COLOUR_NAMES,
    FREE,
    IMMUNISED,
    MEDICINES,
    N_COLOURS,
    N_KINDS,
    NAMES,
    NO_CARD,
    ORGAN_NAMES,
    ORGANS,
    TREATMENTS,
    VACCINATED,
    VIRUSES,
    cards_in,
    cards_on,
    healthy_in,
    organs_in,
    state_of,
)

#: What one card of each kind adds to a set of ``counted`` cards: three bits count the cards of each kind.
_UNITS: Final[list[int]] = [1 << (3 * card) for card in range(N_KINDS)]


@mypyc_attr(allow_interpreted_subclasses=True)
class VirusState(GameState):
    """One position.

    No player knows the order of the deck or remembers that of the discard pile, so both are kept as numbers of cards of
    each kind, and a card is picked at random when it is drawn. Hands lie one after the other in one list, each sorted,
    with the empty places last; bodies are packed (`tag.games.cards.virus.data`).

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
            deck[card] = deck[card] + 1
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
            _insert(hands, self._take(rng), first, place)
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
            self.basic_knowledge(player),
            int(self.tick),
            tuple(self.bodies),
            tuple([self._seen_card(place, player) for place in range(len(self.hands))]),
            int(self.deck_size),
            tuple(self.discards),
            self.counted,
        )

    def _seen_card(self, place: i64, player: i64) -> int:
        """Return the card at a place of the hands if ``player`` holds it, else -1 for a card and `NO_CARD` for none."""
        card = self.hands[place]
        return card if card == NO_CARD or place // self.hand_size == player else -1

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

    def draw_up_told(self, player: i64, rng: Rng) -> None:
        """Fill the hand of ``player`` as `draw_up` does, and announce the cards drawn."""
        before = self.hand(player)
        self.draw_up(player, rng)
        drawn = self.hand(player)
        for card in before:
            drawn.remove(card)
        if drawn:
            self.announce_cards("drawn", player, drawn)

    def announce_cards(self, name: str, player: i64, cards: list[int]) -> None:
        """Announce cards that ``player`` is dealt or draws."""
        names = tuple([NAMES[card] for card in cards])
        self.announce(Event(name, player, 0.0, names, ("deck", f"hand of {player}"), seen_by=1 << player))

    def announce_moved(self, *places: str) -> None:
        """Announce the places that look different after an action, which says itself what has been done."""
        self.announce(Event("placed", self.current_player, places=places))

    def draw_up(self, player: i64, rng: Rng) -> None:
        """Fill the hand of ``player``; an exhausted deck is replaced by the discard pile, if there is one."""
        hands = self.hands
        first = player * self.hand_size
        for gap in range(first, first + self.hand_size):
            if hands[gap] == NO_CARD:
                if self.deck_size == 0:
                    self._recycle()
                    if self.deck_size == 0:
                        return
                _insert(hands, self._take(rng), first, gap)

    def _recycle(self) -> None:
        """Make the discard pile the deck, both without order; of two players each can count what the other one holds."""
        self.deck, self.discards = self.discards, self.deck
        self.count_deck()
        if self.recording:
            words = "the discards are shuffled into the deck"
            self.announce(Event("reshuffled", places=("deck", "discards"), words=words))
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

    def discard_all(self, player: i64, cards: tuple[int, ...]) -> None:
        """Lay ``cards``, sorted, of ``player`` on the discard pile."""
        if self.counted:
            for card in cards:
                self._uncount(player, card)
        hands, discards = self.hands, self.discards
        gap = player * self.hand_size
        place = gap
        last = gap + self.hand_size
        for card in cards:
            discards[card] = discards[card] + 1
            while hands[place] != card:
                hands[gap] = hands[place]
                gap += 1
                place += 1
            place += 1
        while gap < last:
            hands[gap] = hands[place] if place < last else NO_CARD
            gap += 1
            place += 1
        if self.recording:
            self.announce_moved(f"hand of {player}", "discards")

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
        if self.recording:
            self.announce(Event("played", player, float(card), (NAMES[card],), (f"hand of {player}",)))

    def _uncount(self, player: i64, card: i64) -> None:
        """Note that ``player`` has laid ``card`` down: a known one, if there is one."""
        unit: i64 = _UNITS[card]
        counted = list(self.counted)
        if counted[player] & (7 * unit):
            counted[player] -= int(unit)
            self.counted = tuple(counted)

    def discard_hand(self, player: i64) -> None:
        """Lay all cards of ``player`` on the discard pile."""
        if self.recording and self.hand(player):
            names = tuple([NAMES[card] for card in self.hand(player)])
            self.announce(Event("discarded", player, 0.0, names, (f"hand of {player}", "discards")))
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

    def score(self, player: i64) -> float:
        return float(healthy_in(self.bodies[player]))

    def tiebreak(self, player: i64, tier: i64) -> float:
        return float(organs_in(self.bodies[player]))

    def tiebreak_tiers(self) -> i64:
        return 1

    def components(self) -> list[Component]:
        found: list[Component] = [
            Deck("deck", [CARDS[card] for card in _listed(self.deck)], visibility=HIDDEN_TO_ALL),
            Deck("discards", [CARDS[card] for card in _listed(self.discards)]),
        ]
        for player in range(self.n_players):
            hand = [CARDS[card] for card in self.hand(player)]
            found.append(Deck(f"hand of {player}", hand, player, VISIBLE_TO_OWNER))
            found.append(Deck(f"body of {player}", [CARDS[card] for card in cards_in(self.bodies[player])], player))
        return found

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to play"
        lines = [f"Round {self.round + 1}, {shown}; deck {self.deck_size}, discards {sum(self.discards)}"]
        for player in range(self.n_players):
            hand = _hand_text(self.hand(player), viewer < 0 or viewer == player)
            lines.append(f"player {player}  hand {hand}  body {_body_text(self.bodies[player])}")
        return "\n".join(lines)


def _insert(hands: list[int], card: i64, first: i64, gap: i64) -> None:
    """Put a card into the hand that is sorted from the place ``first`` to ``gap``, where it has a gap."""
    while gap > first:
        before = hands[gap - 1]
        if before <= card:
            break
        hands[gap] = before
        gap -= 1
    hands[gap] = int(card)


def _hand_text(cards: list[int], is_open: bool) -> str:
    if not cards:
        return "empty"
    return ", ".join([NAMES[card] if is_open else "?" for card in cards])


def _state_text(state: i64) -> str:
    """Return the state of an organ in words: ``infected (red virus)``, or nothing while it is free."""
    cards = " + ".join([NAMES[card] for card in cards_on(state)])
    if state <= FREE:
        return ""
    if state < VACCINATED:
        return f"infected ({cards})"
    return f"{'vaccinated' if state < IMMUNISED else 'immunised'} ({cards})"


def _body_text(body: i64) -> str:
    organs: list[str] = []
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        if state != ABSENT:
            organs.append(f"{ORGAN_NAMES[organ]} {_state_text(state)}".rstrip())
    return ", ".join(organs) if organs else "empty"


def _add_body(found: dict[str, float], body: i64, offset: i64) -> None:
    """Add the features of the body of the player ``offset`` seats on."""
    for organ in range(N_COLOURS):
        state = state_of(body, organ)
        name = f"{COLOUR_NAMES[organ]}_{offset}"
        found[f"organ_{name}"] = float(state != ABSENT)
        found[f"infected_{name}"] = float(FREE < state < VACCINATED)
        found[f"medicines_{name}"] = 0.0 if state < VACCINATED else 1.0 if state < IMMUNISED else 2.0


def _listed(counts: list[int]) -> list[int]:
    """Return the cards that ``counts`` counts, in order."""
    return [card for card in range(N_KINDS) for _copy in range(counts[card])]
