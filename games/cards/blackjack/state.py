"""The state of Blackjack: the shoe, the hands on the table, bets and money."""

from __future__ import annotations

from collections.abc import Hashable

from mypy_extensions import i64, mypyc_attr

from tag import DRAW, LOSE, WIN, Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, UNBOUNDED, Component, Counter, Deck
from tag.games.cards.blackjack.data import (
    ACE,
    ACES_SPLIT,
    BETTING,
    CARD,
    DECK,
    DONE,
    DOUBLED,
    NAMES,
    NO_CARD,
    ONE,
    OWNER,
    PLAYING,
    SPLIT,
    SURRENDERED,
    TEN,
    UNIT,
    as_shoe,
    card_at,
    cards_of,
    count_of,
    full_shoe,
    hand_text,
    is_21_on_two,
    is_soft,
    owner_of,
    pair_of,
    points_of,
    size_of,
    total_of,
    without,
)


@mypyc_attr(allow_interpreted_subclasses=True)
class BlackjackState(GameState):
    """The shoe, the hands on the table, bets and money.

    Shoes and hands are numbers, see `data`. The cards of a round lie on the table until the next one is dealt. Then they
    are discards: all cards that are neither in the shoe nor on the table.

    Attributes:
        decks: the decks in play.
        hits_soft_17: whether the dealer takes a card at 17 with an ace that counts 11.
        pays: what a blackjack pays for a bet of 10; 0 if it is a 21 like any other.
        is_race: whether the most money wins, rather than any.
        shoe: the cards in the shoe; they have no order, as each is drawn when it is dealt.
        left: the number of cards in it.
        dealer: the cards of the dealer that lie face up, as a hand.
        hole: the card that lies face down, or -1.
        is_hole_certain: whether it was the last card that had not been seen when the shoe ran out.
        hands: the hands of the players, in the order in which they are played.
        at: the number of the hand that is being played.
        bets: the bet of each player for one hand, in tenths of the unit.
        insured: the set of players with insurance, as bits.
        money: what each player has won, in tenths of the unit.
    """

    def __init__(self, n_players: i64) -> None:
        """Start with an empty table and shoe."""
        super().__init__(n_players)
        self.decks: i64 = 0
        self.hits_soft_17 = False
        self.pays: i64 = 0
        self.is_race = False
        self.shoe: i64 = 0
        self.left: i64 = 0
        self.dealer: i64 = 0
        self.hole: i64 = NO_CARD
        self.is_hole_certain = False
        self.hands: list[int] = []
        self.at: i64 = 0
        self.bets: tuple[int, ...] = ()
        self.insured: i64 = 0
        self.money: tuple[int, ...] = ()

    def copy(self) -> BlackjackState:
        other = BlackjackState(self.n_players)
        self.copy_to(other)
        other.decks = self.decks
        other.hits_soft_17 = self.hits_soft_17
        other.pays = self.pays
        other.is_race = self.is_race
        other.shoe = self.shoe
        other.left = self.left
        other.dealer = self.dealer
        other.hole = self.hole
        other.is_hole_certain = self.is_hole_certain
        other.hands = self.hands[:]
        other.at = self.at
        other.bets = self.bets
        other.insured = self.insured
        other.money = self.money
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the face-down card again, from all cards that have not been seen and that it can be."""
        if self.hole == NO_CARD or self.is_hole_certain:
            return
        unseen = self.shoe + ONE[self.hole]
        never = self.never_hole()
        size = self.left + 1
        possible = unseen
        if never != NO_CARD:
            size -= count_of(unseen, never)
            possible = without(unseen, never)
        self.hole = card_at(possible, rng.below(size))
        self.shoe = unseen - ONE[self.hole]

    def knowledge(self, player: i64) -> Hashable:
        """Return all that is open, the cards that have not been seen, and that the hole card makes no blackjack."""
        return (
            self.basic_knowledge(player),
            (
                int(self.unseen()),
                int(self.dealer),
                self.hole == NO_CARD,
                int(self.hole) if self.is_hole_certain else None,
            ),
            self.hole != NO_CARD and self.hole == self.never_hole(),
            (tuple(self.hands), int(self.at)),
            (self.bets, int(self.insured), self.money),
        )

    def up_card(self) -> i64:
        """Return the kind of the dealer's only open card."""
        return points_of(self.dealer) - 1

    def unseen(self) -> i64:
        """Return the cards that no player has seen since they were shuffled, as a shoe."""
        return self.shoe if self.hole == NO_CARD else self.shoe + ONE[self.hole]

    def never_hole(self) -> i64:
        """Return the kind that the face-down card cannot be, or -1: the dealer has looked, and has no blackjack."""
        if self.phase != PLAYING or self.pays == 0:
            return NO_CARD
        up = self.up_card()
        return TEN if up == ACE else ACE if up == TEN else NO_CARD

    def discards(self) -> i64:
        """Return the cards of earlier rounds that have not been shuffled again, as a shoe."""
        found = full_shoe(self.decks) - self.unseen() - as_shoe(self.dealer)
        for hand in self.hands:
            found -= as_shoe(hand)
        return found

    def hands_of(self, player: i64) -> i64:
        """Return how many hands a player has."""
        found: i64 = 0
        for hand in self.hands:
            if owner_of(hand) == player:
                found += 1
        return found

    def draw(self, rng: Rng) -> i64:
        """Take a card from the shoe, after shuffling the discards if there is none left."""
        if self.left == 0:
            self.shoe = self.discards()
            self.left = self.decks * DECK - size_of(self.dealer)
            for hand in self.hands:
                self.left -= size_of(hand)
            if self.hole != NO_CARD:
                self.left -= 1
                self.is_hole_certain = True
            if self.recording:
                places = ("shoe", "discards", "hole card")
                self.announce(Event("reshuffled", places=places, words="the discards are shuffled into the shoe"))
        kind = card_at(self.shoe, rng.source("shoe").below(self.left))
        self.shoe -= ONE[kind]
        self.left -= 1
        return kind

    def take_card(self, rng: Rng) -> None:
        """Add a card to the hand that is being played; with 21 points or more it is done."""
        hand: i64 = self.hands[self.at]
        kind = self.draw(rng)
        hand += CARD[kind]
        if total_of(hand) >= 21:
            hand |= DONE
        self.hands[self.at] = hand
        if self.recording:
            self.announce_card(self.at, kind)

    def announce_card(self, number: i64, kind: i64) -> None:
        """Announce the card that a hand has got, and what it is worth now."""
        hand: i64 = self.hands[number]
        worth = f"{'bust with ' if total_of(hand) > 21 else 'soft ' if is_soft(hand) else ''}{total_of(hand)}"
        if is_21_on_two(hand) and self.pays:
            worth = "blackjack"
        name = "drawn"
        if size_of(hand) == 1:
            name, worth = "dealt", ""
        self.announce(Event(name, owner_of(hand), float(kind), (NAMES[kind],), ("shoe", f"hand {number}"), worth))

    def announce_dealer(self, kind: i64, words: str, source: str) -> None:
        """Announce an open card of the dealer, and what the dealer's cards are worth now."""
        total = total_of(self.dealer)
        worth = f"{'bust with ' if total > 21 else 'soft ' if is_soft(self.dealer) else ''}{total}"
        self.announce(Event("dealer's card", -1, float(kind), (NAMES[kind],), (source, "dealer"), worth, words))

    def split_pair(self) -> None:
        """Make two hands of one card each of the pair that is being played."""
        hand: i64 = self.hands[self.at]
        kind = pair_of(hand)
        single = OWNER[owner_of(hand)] + CARD[kind] + SPLIT + (ACES_SPLIT if kind == ACE else 0)
        self.hands[self.at] = single
        self.hands.insert(self.at + 1, single)

    def end_by_money(self) -> None:
        """End the game: the most money wins, or if it is no race, all who have won money."""
        if self.is_race and self.n_players > 1:
            self.end_by_score()
            return
        found = [WIN if money > 0 else LOSE for money in self.money]
        if self.n_players == 1 and self.money[0] == 0:
            found[0] = DRAW
        self._end(found)

    def score(self, player: i64) -> float:
        """Return the money won, in units."""
        return float(self.money[player]) / UNIT

    def components(self) -> list[Component]:
        """Return the cards as decks without order, and the money of each player."""
        found: list[Component] = [
            Deck("shoe", cards_of(self.shoe), visibility=HIDDEN_TO_ALL),
            Deck("hole card", cards_of(self.unseen() - self.shoe), visibility=HIDDEN_TO_ALL),
            Deck("dealer", cards_of(as_shoe(self.dealer))),
            Deck("discards", cards_of(self.discards())),
        ]
        for number, hand in enumerate(self.hands):
            found.append(Deck(f"hand {number}", cards_of(as_shoe(hand)), owner=owner_of(hand)))
        for player in range(self.n_players):
            found.append(Counter(f"money of {player}", self.money[player], low=-UNBOUNDED, owner=player))
        return found

    def text(self, viewer: i64) -> str:
        """Show the table; the face-down card only to who may see everything, or if it is certain."""
        due = "to insure or not" if self.phase != PLAYING else "to play"
        if self.phase == BETTING:
            due = "to bet"
        head = (
            "All rounds are over" if self.is_terminal else f"Round {self.round + 1}, player {self.current_player} {due}"
        )
        dealer = hand_text(self.dealer) if self.dealer else "no cards"
        if self.hole != NO_CARD:
            dealer += f", face down {NAMES[self.hole] if viewer < 0 or self.is_hole_certain else '?'}"
        lines = [f"{head}; {self.left} cards in the shoe", f"dealer    {dealer}"]
        for player in range(self.n_players):
            parts = [f"money {self.score(player):g}"]
            if self.bets[player]:
                parts.append(f"bet {self.bets[player] / UNIT:g}{' insured' if self.insured >> player & 1 else ''}")
            for number, hand in enumerate(self.hands):
                if owner_of(hand) == player:
                    mark = " <" if self.phase == PLAYING and number == self.at else ""
                    parts.append(f"{hand_text(hand)}{_fate(hand)}{mark}")
            lines.append(f"player {player}  {'  '.join(parts)}")
        return "\n".join(lines)


def _fate(hand: i64) -> str:
    """Return the end of a hand in words."""
    if total_of(hand) > 21:
        return " bust"
    if hand & SURRENDERED:
        return " given up"
    return " doubled" if hand & DOUBLED else ""
