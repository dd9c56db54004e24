"""The state of Spades: hands, bids, cards played, and what all know of the hands."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Rng, bit_count
from tag.components import VISIBLE_TO_OWNER, Component, Counter, Deck, french_cards
from tag.engine.rules.hidden_deals import deal_others
from tag.engine.rules.trick_state import TrickState
from tag.engine.rules.tricks import ALL_CARDS, CARD_NAMES, SPADES, SUIT, card_names, cards_in, following
from tag.games.tricks.spades.data import (
    BEHIND,
    BIDDING,
    BLIND,
    N_PLAYERS,
    N_SIDES,
    NO_BID,
    PLAYING,
    SpadesParameters,
)

#: A bound for counters of points.
_MANY: Final = 10_000


@mypyc_attr(allow_interpreted_subclasses=True)
class SpadesState(TrickState):
    """One position of a hand, and the points so far.

    `GameState.phase` says what is due, `GameState.round` is the number of hands played. Hands are empty before the deal.

    Attributes:
        rules: the parameters.
        bids: the tricks that each player has bid, `NO_BID` before; 0 is nil.
        blind: the players who have bid nil before the deal, as bits.
        won: the tricks that each player has taken in this hand.
        points: the points of each side, without those of this hand.
        bags: the bags of each side.
    """

    breaks = "spades"

    def __init__(self, rules: SpadesParameters, hands: list[int], played: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(N_PLAYERS, hands, played)
        self.rules = rules
        self.bids: tuple[int, ...] = (NO_BID,) * N_PLAYERS
        self.blind: i64 = 0
        self.won: tuple[int, ...] = (0,) * N_PLAYERS
        self.points: tuple[int, ...] = (0,) * N_SIDES
        self.bags: tuple[int, ...] = (0,) * N_SIDES

    def copy(self) -> SpadesState:
        """Copy both lists; the rest is immutable."""
        other = SpadesState(self.rules, self.hands[:], self.played[:])
        self.copy_tricks_to(other)
        other.bids = self.bids
        other.blind = self.blind
        other.won = self.won
        other.points = self.points
        other.bags = self.bags
        return other

    def team(self, player: i64) -> i64:
        """Return the side: partners sit across the table."""
        return player % N_SIDES

    def score(self, player: i64) -> float:
        """Return the points of the side."""
        return float(self.points[player % N_SIDES])

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
        self.put(player, bit)
        if self.led < 0:
            self.led = suit
            if suit == SPADES and not self.broken:
                self.narrow(player, SUIT[SPADES])
        elif suit != self.led:
            others: i64 = SUIT[self.led]
            self.narrow(player, ~others)
        self.broken = self.broken or suit == SPADES

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the hands of others again, each deal that fits as likely."""
        if self.is_terminal or self.phase == BLIND:
            return
        self.hands = deal_others(self.hands, player, self._limits(), rng)

    def _limits(self) -> list[int]:
        """Return which cards each player may hold."""
        limits = list(self.may_hold)
        if self.is_opening():
            self.leave(limits, self.current_player, self.opening())
        return limits

    def knowledge(self, player: i64) -> Hashable:
        """Return the own hand, all that is open, and whether the hands of others fit what is certain."""
        return (
            self.basic_knowledge(player),
            (self.hands[player], self.hand_sizes(), self.fits(self._limits(), player)),
            (tuple(self.played), self.may_hold, self.bids, self.won, self.points, self.bags),
            (int(self.deck), int(self.blind), int(self.trick), int(self.led), int(self.tricks), self.broken),
        )

    def components(self) -> list[Component]:
        """Return the hands, the trick in the order of play, the cards gone, and tricks, points and bags."""
        gone = self.deck & ~self.trick
        for hand in self.hands:
            gone &= ~hand
        found: list[Component] = [
            Deck("trick", french_cards(self.trick_cards())),
            Deck("gone", french_cards(cards_in(gone))),
            Deck("left out", french_cards(cards_in(ALL_CARDS ^ self.deck))),
        ]
        for seat in range(N_PLAYERS):
            found.append(Deck(f"hand of {seat}", french_cards(cards_in(self.hands[seat])), seat, VISIBLE_TO_OWNER))
            found.append(Counter(f"bid of {seat}", self.bids[seat], NO_BID, 13, owner=seat))
            found.append(Counter(f"tricks of {seat}", self.won[seat], 0, 13, owner=seat))
        for side in range(N_SIDES):
            found.append(Counter(f"points of side {side}", self.points[side], -_MANY, _MANY))
            found.append(Counter(f"bags of side {side}", self.bags[side], 0, _MANY))
        return found

    def text(self, viewer: i64) -> str:
        """Show the trick, bids, tricks and points, and the cards that the viewer (-1: sees all) knows."""
        what = {BLIND: "may bid blind", BIDDING: "to bid", PLAYING: "to play"}[int(self.phase)]
        shown = f"Hand {self.round + 1}, player {self.current_player} {what}"
        if self.is_terminal:
            shown = f"Over after {self.round} hands"
        trick = " ".join([CARD_NAMES[card] for card in self.trick_cards()])
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
            lines.append(f"player {seat}  bid {bid}  tricks {self.won[seat]}  hand {cards}{self.voids_text(seat)}")
        return "\n".join(lines)
