"""The state of Hearts: hands, cards played and taken, passes, and what all know of the hands."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Rng, bit_count
from tag.components import VISIBLE_TO_OWNER, Component, Counter, Deck, french_cards
from tag.engine.rules.hidden_deals import deal_others, draw_cards
from tag.engine.rules.trick_state import TrickState
from tag.engine.rules.tricks import ALL_CARDS, CARD_NAMES, SUIT, card_names, cards_in
from tag.games.tricks.hearts.data import (
    ALL_HEARTS,
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
class HeartsState(TrickState):
    """One position of a hand, and the points so far.

    Cards that are chosen to be passed stay in the hand until all have chosen. `GameState.phase` says what is due,
    `GameState.round` is the number of hands played.

    Attributes:
        rules: the parameters.
        passed: the cards that each player has chosen to pass, or has passed, in this hand.
        shift: by how many seats cards are passed in this hand, 0 for a hand without passing.
        taken: the cards that each player has taken in this hand.
        points: the points of each player, without those of this hand.
    """

    breaks = "hearts"

    def __init__(self, n_players: i64, rules: HeartsParameters, hands: list[int], played: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(n_players, hands, played)
        self.rules = rules
        self.passed: tuple[int, ...] = ()
        self.shift: i64 = 0
        self.taken: tuple[int, ...] = ()
        self.points: tuple[int, ...] = ()

    def copy(self) -> HeartsState:
        """Copy both lists; the rest is immutable."""
        other = HeartsState(self.n_players, self.rules, self.hands[:], self.played[:])
        self.copy_tricks_to(other)
        other.passed = self.passed
        other.shift = self.shift
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
        self.put(player, bit)
        if self.led < 0:
            self.led = suit
            if bit & ALL_HEARTS and not self.broken and self.rules.must_break:
                self.narrow(player, ALL_HEARTS)
        elif suit != self.led:
            others: i64 = SUIT[self.led]
            is_first = self.tricks == 0 and not self.rules.first_points
            self.narrow(player, POINTS & ~others if is_first and bit & POINTS else ~others)
        if bit & ALL_HEARTS or (bit & QUEEN_OF_SPADES and self.rules.queen_breaks):
            self.broken = True

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
                self.leave(limits, self.target(player), certain)
            if self.tricks == 0 and self.trick == 0:
                self.leave(limits, self.current_player, self.opening())
        return limits

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
        fits = self.fits(self._limits(player), player)
        for seat in range(self.n_players):
            target = self.target(seat) if self.phase == PLAYING else seat
            fits = fits and self.passed[seat] & ~(self.hands[target] | self.played[target]) == 0
        return (
            self.basic_knowledge(player),
            (self.hands[player], self.hand_sizes(), fits),
            (self.passed[player], self.passed[source] if is_received else 0),
            tuple([int(bit_count(cards)) for cards in self.passed]),
            (tuple(self.played), self.taken, self.may_hold, self.points),
            (int(self.deck), int(self.shift), int(self.trick), int(self.led), int(self.tricks), self.broken),
        )

    def components(self) -> list[Component]:
        """Return hands, chosen cards, the trick in the order of play, the cards taken and left out, and the points."""
        found: list[Component] = [
            Deck("trick", french_cards(self.trick_cards())),
            Deck("left out", french_cards(cards_in(ALL_CARDS ^ self.deck))),
        ]
        for seat in range(self.n_players):
            chosen: i64 = self.passed[seat] if self.phase == PASSING and not self.is_terminal else 0
            hand: i64 = self.hands[seat]
            found.append(Deck(f"hand of {seat}", french_cards(cards_in(hand ^ chosen)), int(seat), VISIBLE_TO_OWNER))
            found.append(Deck(f"chosen by {seat}", french_cards(cards_in(chosen)), int(seat), VISIBLE_TO_OWNER))
            found.append(Deck(f"taken by {seat}", french_cards(cards_in(self.taken[seat])), int(seat)))
            found.append(Counter(f"points of {seat}", self.points[seat], -_MANY, _MANY, owner=int(seat)))
        return found

    def text(self, viewer: i64) -> str:
        """Show the trick, the points, and the cards that the viewer (-1: sees all) knows."""
        if self.is_terminal:
            shown = f"Over after {self.round} hands"
        elif self.phase == PASSING:
            player = self.current_player
            shown = f"Hand {self.round + 1}, player {player} chooses cards for player {self.target(player)}"
        else:
            shown = f"Hand {self.round + 1}, trick {self.tricks + 1}, player {self.current_player} to play"
        trick = " ".join([CARD_NAMES[card] for card in self.trick_cards()])
        lines = [f"{shown}; hearts {'broken' if self.broken else 'not broken'}; trick: {trick or 'none'}"]
        for seat in range(self.n_players):
            cards: i64 = self.taken[seat]
            now = points_of(cards, self.rules.queen, self.rules.jack)
            line = f"player {seat}  points {self.points[seat]} + {now}  hand {self._hand_text(seat, viewer)}"
            taken = " ".join(card_names(cards & POINTS))
            lines.append(f"{line}  taken {taken or 'no points'}{self.voids_text(seat)}")
        return "\n".join(lines)

    def _hand_text(self, seat: i64, viewer: i64) -> str:
        hand: i64 = self.hands[seat]
        if viewer >= 0 and viewer != seat:
            return f"{bit_count(hand)} cards"
        text = " ".join(card_names(hand)) or "empty"
        chosen: i64 = self.passed[seat] if self.phase == PASSING else 0
        return text + (f" (passes {' '.join(card_names(chosen))})" if chosen else "")
