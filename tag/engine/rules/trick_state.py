"""States of games of tricks: the hands, the trick, what all know of the hands, and the action of playing a card.

Hearts and Spades begin here, and another game of tricks can: it says in `TrickState.legal` what may be played, and in
`TrickState.lay` what a card shows of the hand. Sets of cards are numbers (`tag.engine.rules.tricks`).
"""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import i64, mypyc_attr

from tag.engine.bits import bit_count
from tag.engine.rng import Rng
from tag.engine.rules.tricks import (
    ALL_CARDS,
    BIT,
    CARD_NAMES,
    CLUBS,
    N_RANKS,
    N_SUITS,
    NO_SUIT,
    SUIT,
    SUIT_NAMES,
    card_of,
    cards_in,
)
from tag.engine.state import Action, AnyAction, Event, GameState


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickState(GameState):
    """A position of a game of tricks: the fields that all of them share.

    Attributes:
        deck: the cards of the game.
        hands: the cards in each player's hand.
        played: the cards that each player has played in this hand, those of the trick included.
        may_hold: the cards that each player may hold, as far as all can tell.
        trick: the cards of the trick.
        led: the suit that was led to it, `NO_SUIT` before.
        tricks: the tricks taken in this hand.
        broken: whether the suit that has to be broken may be led.
    """

    #: The suit that has to be broken, if one has.
    breaks: ClassVar[str] = ""

    def __init__(self, n_players: i64, hands: list[int], played: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(n_players)
        self.deck: i64 = 0
        self.hands = hands
        self.played = played
        self.may_hold: tuple[int, ...] = ()
        self.trick: i64 = 0
        self.led: i64 = NO_SUIT
        self.tricks: i64 = 0
        self.broken = False

    def copy_tricks_to(self, other: TrickState) -> None:
        """Copy all but both lists, which are given to the initialiser."""
        self.copy_to(other)
        other.deck = self.deck
        other.may_hold = self.may_hold
        other.trick = self.trick
        other.led = self.led
        other.tricks = self.tricks
        other.broken = self.broken

    def legal(self) -> i64:
        """Return the cards that the current player may play, as a set."""
        raise NotImplementedError

    def lay(self, bit: i64, suit: i64) -> None:
        """Have the current player play a card, and note what it shows of the hand (`put` and `narrow`)."""
        raise NotImplementedError

    def opening(self) -> i64:
        """Return the lowest club, as a set."""
        clubs = self.deck & SUIT[CLUBS]
        return clubs & -clubs

    def put(self, player: i64, bit: i64) -> None:
        """Move a card from a player's hand to the trick."""
        self.hands[player] = int(self.hands[player] ^ bit)
        self.played[player] = int(self.played[player] | bit)
        self.trick |= bit

    def narrow(self, player: i64, cards: i64) -> None:
        """Note that all can tell that a player holds none but ``cards``."""
        before: i64 = self.may_hold[player]
        if before & ~cards:
            may_hold = self.may_hold
            self.may_hold = (*may_hold[:player], int(before & cards), *may_hold[player + 1 :])

    def leave(self, limits: list[int], holder: i64, cards: i64) -> None:
        """Take ``cards`` out of what each may hold, ``limits``, but for their holder."""
        for seat in range(self.n_players):
            if seat != holder:
                limit: i64 = limits[seat]
                limits[seat] = int(limit & ~cards)

    def fits(self, limits: list[int], player: i64) -> bool:
        """Say whether the hands of all but ``player`` are among what they may hold."""
        return all([seat == player or self.hands[seat] & ~limits[seat] == 0 for seat in range(self.n_players)])

    def hand_sizes(self) -> tuple[int, ...]:
        """Return the number of cards in each hand."""
        return tuple([int(bit_count(hand)) for hand in self.hands])

    def begin_hand(self) -> None:
        """Forget the cards of the last hand, and begin with the first trick."""
        n = int(self.n_players)
        self.played = [0] * n
        self.may_hold = (ALL_CARDS,) * n
        self.tricks = 0
        self.broken = False

    def end_trick(self) -> None:
        """Count the trick, and begin another one."""
        self.trick = 0
        self.led = NO_SUIT
        self.tricks += 1

    def trick_cards(self) -> list[int]:
        """Return the cards of the trick in the order of play."""
        number = bit_count(self.trick)
        seats = [(self.current_player - number + offset) % self.n_players for offset in range(number)]
        return [cards_in(self.played[seat] & self.trick)[0] for seat in seats]

    def unseen(self, player: i64) -> i64:
        """Return the cards that a player has neither in hand nor seen played."""
        cards = self.deck & ~self.hands[player]
        for played in self.played:
            cards &= ~played
        return cards

    def voids(self, seat: i64) -> list[bool]:
        """Return for each suit whether all can tell that a player has none of it."""
        limit: i64 = self.may_hold[seat]
        return [limit & SUIT[suit] == 0 for suit in range(N_SUITS)]

    def flags(self, cards: i64) -> list[float]:
        """Return 1 or 0 for each card of the deck, in order: whether it is in a set."""
        return [float(cards >> card & 1) for card in cards_in(self.deck)]

    def voids_text(self, seat: i64) -> str:
        """Say which suits a player is known not to have."""
        voids = [name for name, is_void in zip(SUIT_NAMES, self.voids(seat), strict=True) if is_void]
        return f"  without {', '.join(voids)}" if voids and not self.is_terminal else ""


class PlayCard(Action[TrickState]):
    """Play a card to the trick."""

    def __init__(self, card: i64) -> None:
        """Name the card by its number."""
        self.card = card
        self.bit: i64 = BIT[card]
        self.suit = card // N_RANKS

    def execute(self, state: TrickState, rng: Rng) -> None:
        """Lay the card, and announce it."""
        player = state.current_player
        was_broken = state.broken
        state.lay(self.bit, self.suit)
        if state.recording:
            places = (f"hand of {player}", "trick")
            state.announce(Event("played", player, float(self.card), (CARD_NAMES[self.card],), places))
            if state.broken and not was_broken:
                name, number = state.breaks, float(state.tricks + 1)
                state.announce(Event(f"{name} broken", player, number, words=f"{name} are broken"))

    def __str__(self) -> str:
        return f"play {CARD_NAMES[self.card]}"


def actions_for(cards: i64, actions: list[AnyAction]) -> list[AnyAction]:
    """Return the actions for a set of cards, in order; ``actions`` has one for each card."""
    found: list[AnyAction] = []
    while cards:
        lowest = cards & -cards
        found.append(actions[card_of(lowest)])
        cards ^= lowest
    return found
