"""The state of Spades: hands, bids, cards played, and what all know of the hands."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng, bit_count
from tag.components import VISIBLE_TO_OWNER, Card, Component, Counter, Deck
from tag.engine.rules.hidden_deals import deal_others
from tag.engine.rules.tricks import ALL_CARDS, CLUBS, NO_SUIT, SPADES, SUIT, SUIT_NAMES, card_names, cards_in, following
from tag.games.tricks.spades.data import (
    BEHIND,
    BIDDING,
    BLIND,
    CARDS,
    N_PLAYERS,
    N_SIDES,
    NO_BID,
    PLAYING,
    SpadesParameters,
)

#: A bound for counters of points.
_MANY: Final = 10_000


@mypyc_attr(allow_interpreted_subclasses=True)
class SpadesState(GameState):
    """One position of a hand, and the points so far. Sets of cards are numbers (`tag.engine.rules.tricks`).

    `GameState.phase` says what is due, `GameState.round` is the number of hands played.

    Attributes:
        rules: the parameters.
        deck: the cards of the game.
        hands: the cards in each player's hand, none before the deal.
        played: the cards that each player has played in this hand, those of the trick included.
        may_hold: the cards that each player may hold, as far as all can tell.
        bids: the tricks that each player has bid, `NO_BID` before; 0 is nil.
        blind: the players who have bid nil before the deal, as bits.
        won: the tricks that each player has taken in this hand.
        trick: the cards of the trick.
        led: the suit that was led to it, `NO_SUIT` before.
        tricks: the tricks taken in this hand.
        broken: whether spades may be led.
        points: the points of each side, without those of this hand.
        bags: the bags of each side.
    """

    def __init__(self, rules: SpadesParameters, hands: list[int], played: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(N_PLAYERS)
        self.rules = rules
        self.deck: i64 = 0
        self.hands = hands
        self.played = played
        self.may_hold: tuple[int, ...] = (ALL_CARDS,) * N_PLAYERS
        self.bids: tuple[int, ...] = (NO_BID,) * N_PLAYERS
        self.blind: i64 = 0
        self.won: tuple[int, ...] = (0,) * N_PLAYERS
        self.trick: i64 = 0
        self.led: i64 = NO_SUIT
        self.tricks: i64 = 0
        self.broken = False
        self.points: tuple[int, ...] = (0,) * N_SIDES
        self.bags: tuple[int, ...] = (0,) * N_SIDES

    def copy(self) -> SpadesState:
        """Copy both lists; the rest is immutable."""
        other = SpadesState(self.rules, self.hands[:], self.played[:])
        self.copy_to(other)
        other.deck = self.deck
        other.may_hold = self.may_hold
        other.bids = self.bids
        other.blind = self.blind
        other.won = self.won
        other.trick = self.trick
        other.led = self.led
        other.tricks = self.tricks
        other.broken = self.broken
        other.points = self.points
        other.bags = self.bags
        return other

    def team(self, player: i64) -> i64:
        """Return the side: partners sit across the table."""
        return player % N_SIDES

    def score(self, player: i64) -> float:
        """Return the points of the side."""
        return float(self.points[player % N_SIDES])

    def opening(self) -> i64:
        """Return the lowest club, as a set."""
        clubs = self.deck & SUIT[CLUBS]
        return clubs & -clubs

    def is_opening(self) -> bool:
        """Say whether the lowest club has to be led."""
        is_first = self.phase == PLAYING and self.tricks == 0 and self.trick == 0
        return is_first and self.rules.first_lead == "club"

    def legal(self) -> i64:
        """Return the cards that the current player may play, as a set."""
        hand: i64 = self.hands[self.current_player]
        if self.led >= 0:
            return following(hand, self.led)
        if self.is_opening():
            return self.opening()
        rest = hand & ~SUIT[SPADES]
        return rest if rest and not self.broken else hand

    def most(self) -> i64:
        """Return the greatest bid of the current player."""
        most: i64 = self.rules.ranks
        if self.rules.team_limit:
            partner: i64 = self.bids[(self.current_player + 2) % N_PLAYERS]
            most -= max(partner, 0)
        return most

    def may_bid_blind(self, player: i64) -> bool:
        """Say whether a player may bid nil before the deal, as the side is far behind."""
        return self.points[(player + 1) % N_SIDES] - self.points[player % N_SIDES] >= BEHIND

    def bid(self, tricks: i64) -> None:
        """Note a bid of the current player."""
        player = self.current_player
        self.bids = (*self.bids[:player], int(tricks), *self.bids[player + 1 :])

    def lay(self, bit: i64, suit: i64) -> None:
        """Have the current player play a card, and note what it shows of the hand."""
        player = self.current_player
        self.hands[player] = int(self.hands[player] ^ bit)
        self.played[player] = int(self.played[player] | bit)
        if self.led < 0:
            self.led = suit
            if suit == SPADES and not self.broken:
                self.narrow(player, SUIT[SPADES])
        elif suit != self.led:
            others: i64 = SUIT[self.led]
            self.narrow(player, ~others)
        self.trick |= bit
        self.broken = self.broken or suit == SPADES

    def narrow(self, player: i64, cards: i64) -> None:
        """Note that a player holds none but ``cards``."""
        before: i64 = self.may_hold[player]
        if before & ~cards:
            may_hold = self.may_hold
            self.may_hold = (*may_hold[:player], int(before & cards), *may_hold[player + 1 :])

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the hands of others again, each deal that fits as likely."""
        if self.is_terminal or self.phase == BLIND:
            return
        self.hands = deal_others(self.hands, player, self._limits(), rng)

    def _limits(self) -> list[int]:
        """Return which cards each player may hold."""
        limits = list(self.may_hold)
        if self.is_opening():
            opening = self.opening()
            for seat in range(N_PLAYERS):
                if seat != self.current_player:
                    limit: i64 = limits[seat]
                    limits[seat] = int(limit & ~opening)
        return limits

    def knowledge(self, player: i64) -> Hashable:
        """Return the own hand, all that is open, and whether the hands of others fit what is certain."""
        limits = self._limits()
        fits = all([seat == player or self.hands[seat] & ~limits[seat] == 0 for seat in range(N_PLAYERS)])
        return (
            self.basic_knowledge(player),
            (self.hands[player], tuple([int(bit_count(hand)) for hand in self.hands]), fits),
            (tuple(self.played), self.may_hold, self.bids, self.won, self.points, self.bags),
            (int(self.deck), int(self.blind), int(self.trick), int(self.led), int(self.tricks), self.broken),
        )

    def components(self) -> list[Component]:
        """Return the hands, the trick in the order of play, the cards gone, and tricks, points and bags."""
        gone = self.deck & ~self.trick
        for hand in self.hands:
            gone &= ~hand
        found: list[Component] = [
            Deck("trick", _cards(self.trick_cards())),
            Deck("gone", _cards(cards_in(gone))),
            Deck("left out", _cards(cards_in(ALL_CARDS ^ self.deck))),
        ]
        for seat in range(N_PLAYERS):
            found.append(Deck(f"hand of {seat}", _cards(cards_in(self.hands[seat])), seat, VISIBLE_TO_OWNER))
            found.append(Counter(f"bid of {seat}", self.bids[seat], NO_BID, 13, owner=seat))
            found.append(Counter(f"tricks of {seat}", self.won[seat], 0, 13, owner=seat))
        for side in range(N_SIDES):
            found.append(Counter(f"points of side {side}", self.points[side], -_MANY, _MANY))
            found.append(Counter(f"bags of side {side}", self.bags[side], 0, _MANY))
        return found

    def trick_cards(self) -> list[int]:
        """Return the cards of the trick in the order of play."""
        number = bit_count(self.trick)
        seats = [(self.current_player - number + offset) % N_PLAYERS for offset in range(number)]
        return [cards_in(self.played[seat] & self.trick)[0] for seat in seats]

    def text(self, viewer: i64) -> str:
        """Show the trick, bids, tricks and points, and the cards that the viewer (-1: sees all) knows."""
        what = {BLIND: "may bid blind", BIDDING: "to bid", PLAYING: "to play"}[int(self.phase)]
        shown = f"Hand {self.round + 1}, player {self.current_player} {what}"
        if self.is_terminal:
            shown = f"Over after {self.round} hands"
        trick = " ".join([CARDS[card].name for card in self.trick_cards()])
        broken = "broken" if self.broken else "not broken"
        lines = [f"{shown}; spades {broken}; trick: {trick or 'none'}"]
        for side in range(N_SIDES):
            lines.append(f"player {side} and player {side + 2}  points {self.points[side]}  bags {self.bags[side]}")
        for seat in range(N_PLAYERS):
            hand = self.hands[seat]
            cards = " ".join(card_names(hand)) or "empty"
            if viewer >= 0 and viewer != seat:
                cards = f"{bit_count(hand)} cards"
            bid = {NO_BID: "none", 0: "nil"}.get(self.bids[seat], str(self.bids[seat]))
            if self.blind >> seat & 1:
                bid = "blind nil"
            lines.append(f"player {seat}  bid {bid}  tricks {self.won[seat]}  hand {cards}{self._voids_text(seat)}")
        return "\n".join(lines)

    def _voids_text(self, seat: i64) -> str:
        limit: i64 = self.may_hold[seat]
        voids = [SUIT_NAMES[suit] for suit in range(len(SUIT)) if limit & SUIT[suit] == 0]
        return f"  without {', '.join(voids)}" if voids and not self.is_terminal else ""


def _cards(cards: list[int]) -> list[Card]:
    return [CARDS[card] for card in cards]
