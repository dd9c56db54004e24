"""The table of Colt Express: where everybody and everything is, and what can happen to it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

from games.colt_express.cards import ACTION_CARDS, UNITS, draw, draw_set, size
from tag.rng import Rng
from tag.state import GameState

#: What kind of decision is due.
CHOOSE: Final = 0
PLACE: Final = 1
RESERVE: Final = 2
PLAN: Final = 3
COVER: Final = 4
STEAL: Final = 5
PICK_POCKET: Final = 6

#: Where a bandit is who has not boarded the train.
NOWHERE: Final = -1

#: One token or seat as a mask; a table, since a compiled shift by a variable is computed in 32 bits.
BITS: Final[list[int]] = [1 << number for number in range(62)]

#: A card of the pile: the kind, a bit for face down, and the player.
DOWN: Final = 16
KIND_BITS: Final = 15
PLAYER_SHIFT: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class ColtExpressTable(GameState):
    """One position.

    Cars are numbered from the caboose, 0, to the locomotive; a spot is twice the car, plus one for its roof. Bandits have
    numbers; with teams, player p has the bandits 2p and 2p + 1. Pieces of loot have numbers: first the purses (one per
    bandit to begin with, then those on the train, then those left in the box), then jewels, then strongboxes; sets of them
    are bit masks. Sets of cards are single integers (`games.colt_express.cards`). No deck has an order: nobody knows it, and
    cards are drawn at random from the set.

    Attributes:
        cars: the cars, the locomotive included.
        per: bandits of each player.
        marshal: the Marshal's car.
        neutral: the neutral Bullet cards left.
        slot: which turn of the round card is planned.
        step: how many plays of it are done.
        done: which card of the pile is due in stealing, -1 while planning; in pickpocketing, which bandit's turn it is.
        acting: the bandit who acts in stealing and pickpocketing.
        event: the event at the end of the round.
        left: the regular round cards that can still come, as a mask.
        purses: all purses, as a mask.
        jewels: all jewels, as a mask.
        boxed: the strongboxes still in the box, as a mask.
        covers: whether a Fire may be covered.
        reserves: whether every hand had a card of choice.
        purse_mean: what a purse of unknown value counts.
        title: the name of the round card.
        turns: its turns.
        offers: the teams, or bandits, that can be chosen: a bandit, and eight times the second one of a team.
        characters: which ability each bandit has.
        values: the value of each piece of loot.
        known: for each player, the loot whose value the player knows.
        bullets: for each bandit, the Bullet cards not fired.
        wounds: for each player, the Bullet cards received.
        shots: for each player, the Bullet cards that count for the Gunslinger.
        money: for each player, what was won beside loot.
        pile: the cards planned.
        spots: for each bandit, where it is.
        floor: for each spot, the loot there.
        held: for each bandit, the loot it has.
        hands: for each player, the cards in hand.
        decks: for each player, the cards in the deck.
    """

    def __init__(
        self,
        n_players: i64,
        spots: list[int],
        floor: list[int],
        held: list[int],
        hands: list[int],
        decks: list[int],
        values: list[int],
    ) -> None:
        """Take the lists; the rest is set by the set-up."""
        super().__init__(n_players)
        self.cars: i64 = 0
        self.per: i64 = 1
        self.marshal: i64 = 0
        self.neutral: i64 = 0
        self.slot: i64 = 0
        self.step: i64 = 0
        self.done: i64 = -1
        self.acting: i64 = -1
        self.event: i64 = 0
        self.left: i64 = 0
        self.purses: i64 = 0
        self.jewels: i64 = 0
        self.boxed: i64 = 0
        self.covers: bool = False
        self.reserves: bool = False
        self.purse_mean: float = 0.0
        self.title: str = ""
        self.turns: tuple[int, ...] = ()
        self.offers: tuple[int, ...] = ()
        self.characters: tuple[int, ...] = ()
        self.values = values
        self.known: tuple[int, ...] = ()
        self.bullets: tuple[int, ...] = ()
        self.wounds: tuple[int, ...] = ()
        self.shots: tuple[int, ...] = ()
        self.money: tuple[int, ...] = ()
        self.pile: tuple[int, ...] = ()
        self.spots = spots
        self.floor = floor
        self.held = held
        self.hands = hands
        self.decks = decks

    # --- copies and observations -----------------------------------------------------------------------------------

    def copy_table(self, other: ColtExpressTable) -> None:
        """Copy everything but the lists to ``other``."""
        self.copy_to(other)
        other.cars = self.cars
        other.per = self.per
        other.marshal = self.marshal
        other.neutral = self.neutral
        other.slot = self.slot
        other.step = self.step
        other.done = self.done
        other.acting = self.acting
        other.event = self.event
        other.left = self.left
        other.purses = self.purses
        other.jewels = self.jewels
        other.boxed = self.boxed
        other.covers = self.covers
        other.reserves = self.reserves
        other.purse_mean = self.purse_mean
        other.title = self.title
        other.turns = self.turns
        other.offers = self.offers
        other.characters = self.characters
        other.known = self.known
        other.bullets = self.bullets
        other.wounds = self.wounds
        other.shots = self.shots
        other.money = self.money
        other.pile = self.pile

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the hands and face-down cards of others, and the values of purses that ``player`` never held."""
        if self.is_terminal:
            return
        self._redeal_purses(player, rng)
        pile = self.pile
        hidden: list[int] = []
        for index in range(len(pile)):
            card = pile[index]
            if card & DOWN and index > self.done and card >> PLAYER_SHIFT != player:
                hidden.append(index)
        if hidden:
            self._redeal_pile(hidden, rng)
        for other in range(self.n_players):
            if other != player and self.hands[other]:
                self._redeal_hand(other, rng)
        if self.phase == PLACE and self.per == 2:
            self._replace_team(1 - player, rng)

    def _redeal_purses(self, player: i64, rng: Rng) -> None:
        """Deal the values of purses unknown to ``player`` again, those left in the box among them."""
        unknown = self.purses & ~self.known[player]
        places: list[int] = []
        token: i64 = 0
        while unknown:
            if unknown & 1:
                places.append(int(token))
            unknown >>= 1
            token += 1
        values: list[Any] = self.values  # swapped as they are, without a look at the numbers
        last: i64 = len(places) - 1
        while last > 0:
            one: i64 = places[last]
            other: i64 = places[rng.below(last + 1)]
            value = values[one]
            values[one] = values[other]
            values[other] = value
            last -= 1

    def _redeal_pile(self, hidden: list[int], rng: Rng) -> None:
        """Deal the cards at the indices ``hidden`` of the pile again, out of hand and deck together.

        A deck may be short of a card then that is still in the hand; dealing the hand again settles that.
        """
        dealt = list(self.pile)
        decks = self.decks
        for index in hidden:
            decks[dealt[index] >> PLAYER_SHIFT] += UNITS[dealt[index] & KIND_BITS]
        for index in hidden:
            owner = dealt[index] >> PLAYER_SHIFT
            kind = draw((decks[owner] + self.hands[owner]) & ACTION_CARDS, rng)
            decks[owner] -= UNITS[kind]
            dealt[index] = owner << PLAYER_SHIFT | DOWN | int(kind)
        self.pile = tuple(dealt)

    def _redeal_hand(self, other: i64, rng: Rng) -> None:
        """Deal the hand of ``other`` again; one of a team that has not played yet holds the action card reserved."""
        cards: i64 = self.decks[other]
        cards += self.hands[other]
        number = size(self.hands[other])
        hand: i64 = 0
        if self.reserves and not self.has_played(other):
            hand = UNITS[draw(cards & ACTION_CARDS, rng)]
            number -= 1
        hand += draw_set(cards - hand, number, rng)
        self.hands[other] = int(hand)
        self.decks[other] = int(cards - hand)

    def has_played(self, player: i64) -> bool:
        """Say whether ``player`` has a card in the pile."""
        return any([card >> PLAYER_SHIFT == player for card in self.pile])

    def _replace_team(self, other: i64, rng: Rng) -> None:
        """Toss a coin for where the bandits of a team have been placed in secret."""
        first = 2 * other
        if self.spots[first] != NOWHERE and rng.below(2):
            self.spots[first], self.spots[first + 1] = self.spots[first + 1], self.spots[first]

    def is_hidden(self, index: i64) -> bool:
        """Say whether a card of the pile lies face down and has not been turned up."""
        return index > self.done and self.pile[index] & DOWN != 0

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own cards, and the value of purses held once."""
        known = self.known[player]
        pile = self.pile
        return (
            (int(player), int(self.current_player), int(self.turn_player), int(self.first_player), int(self.phase)),
            (int(self.round), int(self.turn), self.is_terminal, self.results, int(self.slot), int(self.step)),
            (int(self.cars), int(self.marshal), int(self.neutral), int(self.done), int(self.acting), int(self.event)),
            (int(self.left), int(self.boxed), self.title, self.turns, self.offers, self.characters),
            (self.known, self.bullets, self.wounds, self.shots, self.money, tuple(self.floor), tuple(self.held)),
            tuple([self.values[token] if known & BITS[token] else 0 for token in range(len(self.values))]),
            tuple([self.seen_card(index, player) for index in range(len(pile))]),
            tuple([self.seen_spot(bandit, player) for bandit in range(len(self.spots))]),
            (self.hands[player], self.decks[player]),
            tuple([self.unseen_cards(other) for other in range(self.n_players)]),
            tuple([int(size(self.hands[other])) for other in range(self.n_players)]),
        )

    def seen_card(self, index: i64, viewer: i64) -> int:
        """Return a card of the pile, without its kind if ``viewer`` (-1: anybody) cannot see it."""
        card = self.pile[index]
        if viewer < 0 or card >> PLAYER_SHIFT == viewer or not self.is_hidden(index):
            return card
        return card | KIND_BITS

    def seen_spot(self, bandit: i64, viewer: i64) -> int:
        """Return where a bandit is, `NOWHERE` while that is secret."""
        is_secret = self.phase == PLACE and viewer >= 0 and bandit // self.per != viewer
        return NOWHERE if is_secret else self.spots[bandit]

    def unseen_cards(self, player: i64) -> int:
        """Return the cards of ``player`` of which others know only that they are somewhere: hand, deck, face down."""
        cards = self.decks[player] + self.hands[player]
        for index in range(len(self.pile)):
            if self.is_hidden(index) and self.pile[index] >> PLAYER_SHIFT == player:
                cards += UNITS[self.pile[index] & KIND_BITS]
        return cards


def plus(numbers: tuple[int, ...], index: i64, change: i64) -> tuple[int, ...]:
    """Return ``numbers`` with ``change`` added to one of them."""
    found = list(numbers)
    found[index] += int(change)
    return tuple(found)
