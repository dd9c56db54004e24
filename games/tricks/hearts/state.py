"""The state of Hearts: hands, cards played and taken, passes, and what all know of the hands."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng, bit_count
from tag.components import VISIBLE_TO_OWNER, Card, Component, Counter, Deck
from tag.engine.rules.hidden_deals import deal_others, draw_cards
from tag.engine.rules.tricks import ALL_CARDS, CLUBS, NO_SUIT, SUIT, SUIT_NAMES, card_names, cards_in
from tag.games.tricks.hearts.data import (
    ALL_HEARTS,
    CARDS,
    PASSING,
    PLAYING,
    POINTS,
    QUEEN_OF_SPADES,
    HeartsParameters,
    points_of,
)

#: A bound for counters of points.
_MANY: Final = 10_000


@mypyc_attr(allow_interpreted_subclasses=True)
class HeartsState(GameState):
    """One position of a hand, and the points so far. Sets of cards are numbers (`tag.engine.rules.tricks`).

    Cards that are chosen to be passed stay in the hand until all have chosen. `GameState.phase` says what is due,
    `GameState.round` is the number of hands played.

    Attributes:
        rules: the parameters.
        deck: the cards of the game.
        hands: the cards in each player's hand.
        played: the cards that each player has played in this hand, those of the trick included.
        may_hold: the cards that each player may hold, as far as all can tell.
        passed: the cards that each player has chosen to pass, or has passed, in this hand.
        shift: by how many seats cards are passed in this hand, 0 for a hand without passing.
        trick: the cards of the trick.
        led: the suit that was led to it, `NO_SUIT` before.
        tricks: the tricks taken in this hand.
        broken: whether hearts may be led.
        taken: the cards that each player has taken in this hand.
        points: the points of each player, without those of this hand.
    """

    def __init__(self, n_players: i64, rules: HeartsParameters, hands: list[int], played: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(n_players)
        self.rules = rules
        self.deck: i64 = 0
        self.hands = hands
        self.played = played
        self.may_hold: tuple[int, ...] = ()
        self.passed: tuple[int, ...] = ()
        self.shift: i64 = 0
        self.trick: i64 = 0
        self.led: i64 = NO_SUIT
        self.tricks: i64 = 0
        self.broken = False
        self.taken: tuple[int, ...] = ()
        self.points: tuple[int, ...] = ()

    def copy(self) -> HeartsState:
        """Copy both lists; the rest is immutable."""
        other = HeartsState(self.n_players, self.rules, self.hands[:], self.played[:])
        self.copy_to(other)
        other.deck = self.deck
        other.may_hold = self.may_hold
        other.passed = self.passed
        other.shift = self.shift
        other.trick = self.trick
        other.led = self.led
        other.tricks = self.tricks
        other.broken = self.broken
        other.taken = self.taken
        other.points = self.points
        return other

    def score(self, player: i64) -> float:
        """Return the points below zero, as few are good."""
        return float(-self.points[player])  # a float below zero would show -0

    def target(self, seat: i64) -> i64:
        """Return to whom a player passes cards in this hand."""
        target = seat + self.shift
        return target if target < self.n_players else target - self.n_players

    def source(self, seat: i64) -> i64:
        """Return from whom a player gets cards in this hand."""
        source = seat - self.shift
        return source if source >= 0 else source + self.n_players

    def opening(self) -> i64:
        """Return the card that is led first, as a set: the lowest club."""
        clubs = self.deck & SUIT[CLUBS]
        return clubs & -clubs

    def is_unresolved(self) -> bool:
        """Say whether cards have been chosen that are not passed yet."""
        return self.phase == PASSING and any(self.passed)

    def legal(self) -> i64:
        """Return the cards that the current player may choose or play, as a set."""
        player = self.current_player
        hand: i64 = self.hands[player]
        if self.phase == PASSING:
            chosen: i64 = self.passed[player]
            return hand ^ chosen
        if self.led >= 0:
            of_suit = hand & SUIT[self.led]
            if of_suit:
                return of_suit
            rest = hand & ~POINTS
            return rest if rest and self.tricks == 0 and not self.rules.first_points else hand
        if self.tricks == 0:
            return self.opening()
        rest = hand & ~ALL_HEARTS
        return rest if rest and not self.broken and self.rules.must_break else hand

    def choose(self, bit: i64) -> None:
        """Have the current player choose a card to be passed."""
        player = self.current_player
        passed = self.passed
        self.passed = (*passed[:player], int(passed[player] | bit), *passed[player + 1 :])

    def lay(self, bit: i64, suit: i64) -> None:
        """Have the current player play a card, and note what it shows of the hand."""
        player = self.current_player
        self.hands[player] = int(self.hands[player] ^ bit)
        self.played[player] = int(self.played[player] | bit)
        if self.led < 0:
            self.led = suit
            if bit & ALL_HEARTS and not self.broken and self.rules.must_break:
                self.narrow(player, ALL_HEARTS)
        elif suit != self.led:
            others: i64 = SUIT[self.led]
            is_first = self.tricks == 0 and not self.rules.first_points
            self.narrow(player, POINTS & ~others if is_first and bit & POINTS else ~others)
        self.trick |= bit
        if bit & ALL_HEARTS or (bit & QUEEN_OF_SPADES and self.rules.queen_breaks):
            self.broken = True

    def narrow(self, player: i64, cards: i64) -> None:
        """Note that a player holds none but ``cards``."""
        before: i64 = self.may_hold[player]
        if before & ~cards:
            may_hold = self.may_hold
            self.may_hold = (*may_hold[:player], int(before & cards), *may_hold[player + 1 :])

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the hands of others again, each deal that fits as likely; then what they have passed.

        A player has passed any of the cards that the other one has held since: the chosen cards are as likely as all others.
        """
        if self.is_terminal:
            return
        self.hands = deal_others(self.hands, player, self._limits(player), rng)
        if self.shift:
            self._draw_passes(player, rng)

    def _limits(self, player: i64) -> list[int]:
        """Return which cards each player may hold, as far as ``player`` knows."""
        limits = list(self.may_hold)
        if self.phase == PLAYING:
            certain: i64 = self.passed[player]
            if certain:
                self._leave(limits, self.target(player), certain)
            if self.tricks == 0 and self.trick == 0:
                self._leave(limits, self.current_player, self.opening())
        return limits

    def _leave(self, limits: list[int], holder: i64, cards: i64) -> None:
        """Leave ``cards`` to one player only."""
        for seat in range(self.n_players):
            if seat != holder:
                limit: i64 = limits[seat]
                limits[seat] = int(limit & ~cards)

    def _draw_passes(self, player: i64, rng: Rng) -> None:
        """Draw again what others have chosen to pass, or have passed to others."""
        passed: list[int] = []
        for seat in range(self.n_players):
            target = seat if self.phase == PASSING else self.target(seat)
            cards: i64 = self.passed[seat]
            if cards and seat != player and target != player:
                cards = draw_cards(self.hands[target] | self.played[target], bit_count(cards), rng)
            passed.append(int(cards))
        self.passed = tuple(passed)

    def knowledge(self, player: i64) -> Hashable:
        """Return the own hand and passes, all that is played, and whether the hands of others fit what is certain."""
        source = self.source(player)
        is_received = self.shift != 0 and self.phase == PLAYING
        limits = self._limits(player)
        fits = all([seat == player or self.hands[seat] & ~limits[seat] == 0 for seat in range(self.n_players)])
        for seat in range(self.n_players):
            target = self.target(seat) if self.phase == PLAYING else seat
            fits = fits and self.passed[seat] & ~(self.hands[target] | self.played[target]) == 0
        return (
            self.basic_knowledge(player),
            (self.hands[player], tuple([int(bit_count(hand)) for hand in self.hands]), fits),
            (self.passed[player], self.passed[source] if is_received else 0),
            tuple([int(bit_count(cards)) for cards in self.passed]),
            (tuple(self.played), self.taken, self.may_hold, self.points),
            (int(self.deck), int(self.shift), int(self.trick), int(self.led), int(self.tricks), self.broken),
        )

    def components(self) -> list[Component]:
        """Return hands, chosen cards, the trick in the order of play, the cards taken and left out, and the points."""
        found: list[Component] = [
            Deck("trick", _cards(self.trick_cards())),
            Deck("left out", _cards(cards_in(ALL_CARDS ^ self.deck))),
        ]
        for seat in range(self.n_players):
            chosen: i64 = self.passed[seat] if self.phase == PASSING and not self.is_terminal else 0
            hand: i64 = self.hands[seat]
            found.append(Deck(f"hand of {seat}", _cards(cards_in(hand ^ chosen)), int(seat), VISIBLE_TO_OWNER))
            found.append(Deck(f"chosen by {seat}", _cards(cards_in(chosen)), int(seat), VISIBLE_TO_OWNER))
            found.append(Deck(f"taken by {seat}", _cards(cards_in(self.taken[seat])), int(seat)))
            found.append(Counter(f"points of {seat}", self.points[seat], -_MANY, _MANY, owner=int(seat)))
        return found

    def trick_cards(self) -> list[int]:
        """Return the cards of the trick in the order of play."""
        number = bit_count(self.trick)
        first = (self.current_player - number) % self.n_players
        seats = [(first + offset) % self.n_players for offset in range(number)]
        return [cards_in(self.played[seat] & self.trick)[0] for seat in seats]

    def text(self, viewer: i64) -> str:
        """Show the trick, the points, and the cards that the viewer (-1: sees all) knows."""
        if self.is_terminal:
            shown = f"Over after {self.round} hands"
        elif self.phase == PASSING:
            player = self.current_player
            shown = f"Hand {self.round + 1}, player {player} chooses cards for player {self.target(player)}"
        else:
            shown = f"Hand {self.round + 1}, trick {self.tricks + 1}, player {self.current_player} to play"
        trick = " ".join([CARDS[card].name for card in self.trick_cards()])
        lines = [f"{shown}; hearts {'broken' if self.broken else 'not broken'}; trick: {trick or 'none'}"]
        for seat in range(self.n_players):
            cards: i64 = self.taken[seat]
            now = points_of(cards, self.rules.queen, self.rules.jack)
            line = f"player {seat}  points {self.points[seat]} + {now}  hand {self._hand_text(seat, viewer)}"
            taken = " ".join(card_names(cards & POINTS))
            lines.append(f"{line}  taken {taken or 'no points'}{self._voids_text(seat)}")
        return "\n".join(lines)

    def _hand_text(self, seat: i64, viewer: i64) -> str:
        hand: i64 = self.hands[seat]
        if viewer >= 0 and viewer != seat:
            return f"{bit_count(hand)} cards"
        text = " ".join(card_names(hand)) or "empty"
        chosen: i64 = self.passed[seat] if self.phase == PASSING else 0
        return text + (f" (passes {' '.join(card_names(chosen))})" if chosen else "")

    def _voids_text(self, seat: i64) -> str:
        limit: i64 = self.may_hold[seat]
        voids = [SUIT_NAMES[suit] for suit in range(len(SUIT)) if limit & SUIT[suit] == 0]
        return f"  without {', '.join(voids)}" if voids and not self.is_terminal else ""


def _cards(cards: list[int]) -> list[Card]:
    return [CARDS[card] for card in cards]
