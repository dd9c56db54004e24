"""The state of Hanabi: cards, marks on the cards in hand, and exact deals of the own hand."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.engine.state import EVERYBODY
from tag.games.cards.hanabi.data import (
    CARDS,
    COLOURS,
    EMPTY,
    HIGHER,
    LETTERS,
    LOWEST,
    MOST_RANKS,
    NAMES,
    OF_COLOUR,
    OF_RANK,
    ONE,
    ONES,
    HanabiParameters,
    card_at,
    cards_in,
    kinds_of,
    size_of,
)

#: Bits of a player in sets of cards in hand.
ROW: Final = 8
ALL_PLACES: Final = 255
#: Deals that are tried before one is drawn by counting all.
_TRIES: Final = 16


@mypyc_attr(allow_interpreted_subclasses=True)
class HanabiState(GameState):
    """Hands, marks and the table. Sets of cards are numbers (`data`); the deck has no order, as cards are drawn by chance.

    Attributes:
        rules: the parameters.
        size: the places of a hand.
        full: all cards of the game.
        deck: the cards to draw.
        hands: the cards of each player, oldest first, in ``size`` places each; those without a card are last.
        marks: for each of these cards the set of what it may be by the hints given, those included that did not mark it.
        touched: the cards that a hint has marked, with a row of bits for each player.
        fresh: those that the last hint to their holder has marked, until the holder has had a turn.
        fireworks: the cards played well.
        discards: the cards discarded, and played in vain.
        hints: hints left.
        fuses: fuses left.
        last_turn: the number of the last turn, -1 while there are cards to draw.
    """

    def __init__(self, n_players: i64, rules: HanabiParameters, size: i64, hands: list[int], marks: list[int]) -> None:
        super().__init__(n_players)
        self.rules = rules
        self.size = size
        self.hands = hands
        self.marks = marks
        self.full: i64 = 0
        self.deck: i64 = 0
        self.touched: i64 = 0
        self.fresh: i64 = 0
        self.fireworks: i64 = 0
        self.discards: i64 = 0
        self.hints: i64 = 0
        self.fuses: i64 = 0
        self.last_turn: i64 = -1

    def copy(self) -> HanabiState:
        """Copy both lists; their items and the rest are immutable."""
        other = HanabiState(self.n_players, self.rules, self.size, self.hands[:], self.marks[:])
        self.copy_to(other)
        other.full = self.full
        other.deck = self.deck
        other.touched = self.touched
        other.fresh = self.fresh
        other.fireworks = self.fireworks
        other.discards = self.discards
        other.hints = self.hints
        other.fuses = self.fuses
        other.last_turn = self.last_turn
        return other

    def team(self, player: i64) -> i64:
        return 0

    def points(self) -> i64:
        """Return how many cards the fireworks have."""
        return size_of(self.fireworks)

    def score(self, player: i64) -> float:
        return 0.0 if self.fuses == 0 and self.rules.third_fuse == "zero" else float(self.points())

    def held(self, player: i64) -> i64:
        """Return how many cards ``player`` has."""
        held = self.size
        while held and self.hands[player * self.size + held - 1] == EMPTY:
            held -= 1
        return held

    def unseen(self, player: i64) -> i64:
        """Return the cards that ``player`` does not see: those in the own hand and in the deck."""
        cards = self.deck
        for place in range(player * self.size, (player + 1) * self.size):
            card: i64 = self.hands[place]
            if card != EMPTY:
                cards += ONE[card]
        return cards

    def public(self) -> i64:
        """Return the cards that are in a hand or in the deck."""
        return self.full - self.fireworks - self.discards

    def playable(self) -> i64:
        """Return the ones of the cards that fit a firework now."""
        return ((self.fireworks & ONES >> 2) << 2 & HIGHER | LOWEST) & ~self.fireworks & self.full_kinds()

    def full_kinds(self) -> i64:
        """Return the ones of all cards of the game."""
        return kinds_of(self.full)

    def useful(self) -> i64:
        """Return the ones of the cards that can still be played: not so far, and none below is lost."""
        kinds = self.full_kinds()
        lost = kinds & ~kinds_of(self.public()) & ~self.fireworks
        while True:
            above = lost | (lost & ONES >> 2) << 2 & HIGHER
            if above == lost:
                return kinds & ~self.fireworks & ~lost
            lost = above

    def critical(self) -> i64:
        """Return the ones of the useful cards of which one copy is left."""
        left = self.public()
        return self.useful() & left & ~(left >> 1)

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the own hand again by its marks, each deal of single cards as likely; the rest is the deck.

        Each place takes one of the cards left that fit it, by a draw among as many as there could be at most: a draw
        beyond those left begins anew. So each deal that fits has the same probability, the product of one in so many.
        """
        if self.is_terminal:
            return
        pool = self.unseen(player)
        first = player * self.size
        end = first + self.held(player)
        for _try in range(_TRIES):
            if self._deal(pool, first, end, rng):
                return
        self._deal_by_counting(pool, first, end, rng)

    def _deal(self, pool: i64, first: i64, end: i64, rng: Rng) -> bool:
        """Try to deal places from ``first`` to ``end``; say whether it was possible."""
        marks = self.marks
        left = pool
        for place in range(first, end):
            mark: i64 = marks[place]
            fits = pool & mark
            most = size_of(fits)
            for earlier in range(first, place):
                other: i64 = marks[earlier]
                if pool & other & ~mark == 0:  # it has taken one of those that fit
                    most -= 1
            fits = left & mark
            drawn = rng.below(most)
            if drawn >= size_of(fits):
                return False
            card = card_at(fits, drawn)
            self.hands[place] = int(card)
            left -= ONE[card]
        self.deck = left
        return True

    def _deal_by_counting(self, pool: i64, first: i64, end: i64, rng: Rng) -> None:
        """Deal card by card, each with the probability that it has among all deals that fit; there is one at least."""
        left = pool
        for place in range(first, end):
            rest = self.marks[place + 1 : end]
            cards = [card for card in range(len(NAMES)) if left & self.marks[place] & (ONE[card] | ONE[card] << 1)]
            ways = [int(left >> 2 * card & 3) * count_deals(left - ONE[card], rest) for card in cards]
            drawn = rng.below(sum(ways))
            chosen = 0
            while drawn >= ways[chosen]:
                drawn -= ways[chosen]
                chosen += 1
            self.hands[place] = cards[chosen]
            left -= ONE[cards[chosen]]
        self.deck = left

    def knowledge(self, player: i64) -> Hashable:
        """Return all but, until the end, the own cards: of these only whether they fit the marks."""
        hands = self.hands[:]
        fits = True
        if not self.is_terminal:
            for place in range(player * self.size, (player + 1) * self.size):
                card: i64 = hands[place]
                if card != EMPTY:
                    mark: i64 = self.marks[place]
                    fits = fits and mark & ONE[card] != 0
                    hands[place] = len(NAMES)
        return (
            self.basic_knowledge(player),
            (int(self.unseen(player)), tuple(hands), tuple(self.marks), fits),
            (int(self.touched), int(self.fresh), int(self.fireworks), int(self.discards)),
            (int(self.hints), int(self.fuses), int(self.last_turn)),
        )

    def take(self, player: i64, place: i64) -> i64:
        """Take a card out of a hand; later ones move up."""
        first, last = player * self.size + place, (player + 1) * self.size - 1
        card: i64 = self.hands[first]
        for index in range(first, last):
            self.hands[index] = self.hands[index + 1]
            self.marks[index] = self.marks[index + 1]
        self.hands[last] = EMPTY
        self.marks[last] = 0
        self.touched = without_place(self.touched, player, place)
        return card

    def draw(self, player: i64, rng: Rng) -> None:
        """Give ``player`` a card; after the last one each player has one more turn."""
        left = size_of(self.deck)
        if left == 0:
            return
        card = card_at(self.deck, rng.below(left))
        place = player * self.size + self.held(player)
        self.hands[place] = int(card)
        self.marks[place] = int(3 * self.full_kinds())
        self.deck -= ONE[card]
        if left == 1:
            self.last_turn = self.turn + self.n_players
        if self.recording:
            places = ("deck", f"hand of {player}")
            seen_by = EVERYBODY - (1 << player)
            self.announce(Event("drawn", player, float(card), (NAMES[card],), places, seen_by=seen_by))

    def possible(self, place: i64, pool: i64) -> i64:
        """Return the ones of what the card at a place of `hands` may be if it is one of ``pool``."""
        mark: i64 = self.marks[place]
        return kinds_of(pool & mark)

    def components(self) -> list[Component]:
        """Return the deck, the fireworks and discards, hints and fuses, and the hands, which all see but their holders."""
        found: list[Component] = [
            Deck("deck", _cards(cards_in(self.deck)), visibility=HIDDEN_TO_ALL),
            Deck("fireworks", _cards(cards_in(self.fireworks))),
            Deck("discards", _cards(cards_in(self.discards))),
            Counter("hints", self.hints, 0, self.rules.hints),
            Counter("fuses", self.fuses, 0, self.rules.fuses),
        ]
        for player in range(self.n_players):
            cards = [card for card in self.hands[player * self.size : (player + 1) * self.size] if card != EMPTY]
            everybody = (1 << int(self.n_players)) - 1
            seen = everybody if self.is_terminal else everybody - (1 << int(player))
            name, seers = f"hand of {player}", [seen] * len(cards)
            found.append(
                PartiallyObservableDeck(name, _cards(cards), self.n_players, player, HIDDEN_TO_ALL, seen=seers)
            )
        return found

    def text(self, viewer: i64) -> str:
        """Show the table, and each card with its marks; a star is for cards that a hint has marked."""
        shown = "Over" if self.is_terminal else f"Player {self.current_player} to play"
        left = size_of(self.deck)
        turns = f", {self.last_turn - self.turn + 1} turns left" if self.last_turn >= 0 and not self.is_terminal else ""
        heights = [
            f"{COLOURS[colour]} {size_of(self.fireworks & OF_COLOUR[colour])}" for colour in range(self.rules.colours)
        ]
        discards = ", ".join([NAMES[card] for card in cards_in(self.discards)])
        lines = [
            f"{shown}; {self.hints} hints, {self.fuses} fuses, {left} cards in the deck{turns}",
            f"fireworks {', '.join(heights)}; discards {discards or 'none'}",
        ]
        for player in range(self.n_players):
            cards = []
            for place in range(self.held(player)):
                index = player * self.size + place
                is_seen = viewer != player or self.is_terminal
                name = NAMES[self.hands[index]] if is_seen else "?"
                star = "*" if self.touched >> ROW * player + place & 1 else ""
                cards.append(f"{name} {star}{self.mark_text(index)}")
            lines.append("  ".join([f"player {player}", *cards]))
        return "\n".join(lines)

    def mark_text(self, place: i64) -> str:
        """Return the colours and ranks that a card may have by its marks."""
        mark: i64 = self.marks[place]
        colours = [LETTERS[colour] for colour in range(self.rules.colours) if mark & OF_COLOUR[colour]]
        return "".join(colours + [str(rank + 1) for rank in range(MOST_RANKS) if mark & OF_RANK[rank]])


def without_row(places: i64, player: i64) -> i64:
    """Return a set of cards in hand without those of a player."""
    row = places >> ROW * player & ALL_PLACES
    return places ^ row << ROW * player  # compiled, a constant shifted so far would be one of 32 bits


def without_place(places: i64, player: i64, place: i64) -> i64:
    """Return a set of cards in hand after the card at a place has been taken, and later ones have moved up."""
    row = places >> ROW * player & ALL_PLACES
    kept = row & (1 << place) - 1 | row >> place + 1 << place
    return places ^ (row ^ kept) << ROW * player


def count_deals(pool: i64, marks: list[int]) -> int:
    """Return in how many ways single cards of ``pool`` can be dealt to places with these marks.

    For each set of places, by the block of the lowest one: deals of equal cards to places are added and subtracted
    (Möbius inversion over partitions of the places).
    """
    ways = [1]
    common = [-1]
    for places in range(1, 1 << len(marks)):
        lowest = places & -places
        common.append(common[places ^ lowest] & marks[lowest.bit_length() - 1])
        found, block = 0, places
        while block:
            if block & lowest:
                same = int(size_of(pool & common[block]))
                for number in range(1, block.bit_count()):
                    same *= -number
                found += same * ways[places ^ block]
            block = block - 1 & places
        ways.append(found)
    return ways[-1]


def _cards(cards: list[int]) -> list[Card]:
    return [CARDS[card] for card in cards]
