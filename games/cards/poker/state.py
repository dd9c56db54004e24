"""The state of Poker: stacks, what each player has put in, and the cards of the hand."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_ALL, VISIBLE_TO_OWNER, Component, Counter, Deck
from tag.games.cards.poker.data import BIT, CARDS, DECK, HOLE_CARDS, ON_BOARD, STREETS, deal, names


@mypyc_attr(allow_interpreted_subclasses=True)
class PokerState(GameState):
    """One position.

    Chips are counted over the whole hand, not for each round of betting: a player owes what ``to_match`` is above the chips
    put in so far. Sets of seats are bit masks. `GameState.phase` is the round of betting, `GameState.round` the number of
    hands played.

    Attributes:
        stacks: the chips in front of each player.
        paid: the chips that each player has put into the pot in this hand.
        cards: two for each seat, those without a player included, then the five of the board.
        busts: for each player out of chips, a number that is greater for the one who stands above; 0 for others.
        hands: the hands of a game.
        button: the seat of the dealer button.
        big_blind_seat: the seat of the big blind in this hand.
        small_blind: the small blind of this hand.
        big_blind: the big blind of this hand, also the smallest bet.
        dealt: the seats with a hand.
        live: those of them that have not folded.
        able: those of them that have chips left.
        acted: the seats that have acted in this round of betting.
        shown: the seats whose cards were shown, once the last hand is over.
        pot: the chips that all have put in in this hand.
        to_match: the chips that a player must have put in in this hand to stay in it.
        matched: the same at the start of the round of betting.
        step: by how much the next raise must go above ``to_match``: the greatest bet or raise of the round.
    """

    def __init__(self, n_players: i64, stacks: list[int], paid: list[int], cards: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(n_players)
        self.stacks = stacks
        self.paid = paid
        self.cards = cards
        self.busts: tuple[int, ...] = ()
        self.hands: i64 = 0
        self.button: i64 = 0
        self.big_blind_seat: i64 = -1
        self.small_blind: i64 = 0
        self.big_blind: i64 = 0
        self.dealt: i64 = 0
        self.live: i64 = 0
        self.able: i64 = 0
        self.acted: i64 = 0
        self.shown: i64 = 0
        self.pot: i64 = 0
        self.to_match: i64 = 0
        self.matched: i64 = 0
        self.step: i64 = 0

    def copy(self) -> PokerState:
        other = PokerState(self.n_players, self.stacks[:], self.paid[:], self.cards[:])
        self.copy_to(other)
        other.busts = self.busts
        other.hands = self.hands
        other.button = self.button
        other.big_blind_seat = self.big_blind_seat
        other.small_blind = self.small_blind
        other.big_blind = self.big_blind
        other.dealt = self.dealt
        other.live = self.live
        other.able = self.able
        other.acted = self.acted
        other.shown = self.shown
        other.pot = self.pot
        other.to_match = self.to_match
        other.matched = self.matched
        other.step = self.step
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal all cards again but those that ``player`` sees, each deal as likely."""
        deal(self.cards, self._seen_places(player), rng)

    def match_chance(self, seen: GameState, player: i64) -> float:
        """Turn up the board of ``seen``, which is impossible if one of its cards is in a hand."""
        other = cast("PokerState", seen)
        if self.round != other.round or self.phase != other.phase:
            return 1.0
        cards = self.cards
        first = HOLE_CARDS * self.n_players
        for place in range(first, first + ON_BOARD[self.phase]):
            wanted = other.cards[place]
            if wanted in cards:
                at = cards.index(wanted)
                if at < first:
                    return 0.0
                cards[at] = cards[place]
            cards[place] = wanted
        return 1.0

    def _seen_places(self, player: i64) -> list[int]:
        """Return the places in `cards` of the cards that ``player`` (-1: sees all) knows."""
        found: list[int] = []
        for seat in range(self.n_players):
            if self.sees(player, seat):
                found.append(int(HOLE_CARDS * seat))
                found.append(int(HOLE_CARDS * seat + 1))
        first = HOLE_CARDS * self.n_players
        for place in range(first, first + ON_BOARD[self.phase]):
            found.append(int(place))
        return found

    def sees(self, viewer: i64, seat: i64) -> bool:
        """Say whether ``viewer`` (-1: sees all) knows the cards of ``seat``; there is nothing to know without a hand."""
        if self.dealt >> seat & 1 == 0:
            return False
        return viewer < 0 or viewer == seat or self.shown >> seat & 1 != 0

    def knowledge(self, player: i64) -> Hashable:
        """Return the cards that ``player`` sees, and all chips."""
        return (
            self.basic_knowledge(player),
            tuple([(place, self.cards[place]) for place in self._seen_places(player)]),
            tuple(self.stacks),
            tuple(self.paid),
            self.busts,
            (int(self.button), int(self.big_blind_seat), int(self.small_blind), int(self.big_blind)),
            (int(self.dealt), int(self.live), int(self.able), int(self.acted), int(self.shown)),
            (int(self.pot), int(self.to_match), int(self.matched), int(self.step)),
        )

    def hole(self, seat: i64) -> i64:
        """Return the set of a player's two cards."""
        return BIT[self.cards[HOLE_CARDS * seat]] | BIT[self.cards[HOLE_CARDS * seat + 1]]

    def board(self) -> list[int]:
        """Return the cards on the board in their order."""
        first = HOLE_CARDS * self.n_players
        return self.cards[first : first + ON_BOARD[self.phase]]

    def board_set(self) -> i64:
        """Return the set of the cards on the board."""
        found: i64 = 0
        for card in self.board():
            found |= BIT[card]
        return found

    def owed(self, player: i64) -> i64:
        """Return how many chips ``player`` must put in to stay in the hand; all-in, fewer will do."""
        return self.to_match - self.paid[player]

    def raised(self, player: i64, percent: i64) -> i64:
        """Return the chips put in by ``player`` after raising by ``percent`` of the pot, or by as little as allowed if 0."""
        if percent == 0:
            return self.to_match + self.step
        return self.to_match + (self.pot + self.owed(player)) * percent // 100

    def most(self, player: i64) -> i64:
        """Return the most that ``player`` can have put in and another player who has chips left can call."""
        paid, stacks = self.paid, self.stacks
        able = self.able
        callable_chips: i64 = 0
        for seat in range(self.n_players):
            if seat != player and able >> seat & 1:
                chips: i64 = paid[seat] + stacks[seat]
                if chips > callable_chips:
                    callable_chips = chips
        own: i64 = paid[player] + stacks[player]
        return min(own, callable_chips)

    def pay(self, player: i64, chips: i64) -> None:
        """Move chips of ``player`` into the pot: so many, or all that are left."""
        stack: i64 = self.stacks[player]
        if chips >= stack:
            chips = stack
            self.able &= ~BIT[player]
        self.stacks[player] = stack - chips
        paid: i64 = self.paid[player]
        self.paid[player] = paid + chips
        self.pot += chips

    def announce_payment(self, player: i64, words: str) -> None:
        """Announce the chips that ``player`` has put in in this hand; without ``words`` the action has said it."""
        places = (f"stack of {player}", f"chips put in by {player}")
        name = "paid" if words else "placed"
        self.announce(Event(name, player, float(self.paid[player]), (), places, "", words))

    def raise_to(self, player: i64, total: i64) -> None:
        """Let ``player`` put in chips up to ``total`` in this hand; if it is a full raise, the next is at least as large."""
        step = total - self.to_match
        if step > self.step:
            self.step = step
        self.pay(player, total - self.paid[player])
        self.to_match = total

    def fold(self, player: i64) -> None:
        """Take ``player`` out of the hand."""
        self.live &= ~BIT[player]
        self.able &= ~BIT[player]

    def score(self, player: i64) -> float:
        """Return the chips in front of ``player``, without those in the pot."""
        return float(self.stacks[player])

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return a greater value for players out of chips later, or in the same hand with more at its start."""
        return float(self.busts[player])

    def tiebreak_tiers(self) -> i64:
        return 1

    def components(self) -> list[Component]:
        """Return hands, board and the rest of the deck, folded hands with their players, and all chips."""
        found: list[Component] = [Deck("board", [CARDS[card] for card in self.board()])]
        on_table = self.board_set()
        for seat in range(self.n_players):
            if self.dealt >> seat & 1:
                on_table |= self.hole(seat)
                mode = VISIBLE_TO_ALL if self.shown >> seat & 1 else VISIBLE_TO_OWNER
                found.append(Deck(f"hand of {seat}", [CARDS[card] for card in self._hole_cards(seat)], seat, mode))
            found.append(Counter(f"stack of {seat}", self.stacks[seat], owner=seat))
            found.append(Counter(f"chips put in by {seat}", self.paid[seat], owner=seat))
        rest = [CARDS[card] for card in DECK if on_table & BIT[card] == 0]
        found.append(Deck("deck", rest, visibility=HIDDEN_TO_ALL))
        return found

    def _hole_cards(self, seat: i64) -> list[int]:
        return self.cards[HOLE_CARDS * seat : HOLE_CARDS * seat + HOLE_CARDS]

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to act"
        board = names(self.board()) or "no cards"
        lines = [
            f"Hand {self.round + (not self.is_terminal)} of {self.hands}, {STREETS[self.phase]}, {shown}; board {board}, "
            f"pot {self.pot}, blinds {self.small_blind} and {self.big_blind}"
        ]
        for seat in range(self.n_players):
            line = f"player {seat}  stack {self.stacks[seat]}  put in {self.paid[seat]}"
            if self.dealt >> seat & 1 == 0:
                line += "  out"
            else:
                hand = names(self._hole_cards(seat)) if self.sees(viewer, seat) else "? ?"
                line += f"  cards {hand}"
                if self.live >> seat & 1 == 0:
                    line += " (folded)"
            lines.append(line + "  button" if seat == self.button else line)
        return "\n".join(lines)
