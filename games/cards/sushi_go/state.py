"""The state of Sushi Go!: hands on their way round, tables, choices that are not shown yet, and points."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng, packed_size
from tag.components import HIDDEN_TO_ALL, Component, Counter, Deck, PartiallyObservableDeck
from tag.games.cards.sushi_go.data import (
    BITS,
    CARDS,
    CHOPSTICKS,
    MASK,
    NAMES,
    NO_CHOICE,
    PUDDING,
    choice_text,
    count,
    listed,
    place_of,
    points_for,
    points_text,
    random_choice,
    undipped,
    unit,
    with_card,
)

#: Puddings can cost points that a player does not have.
_MOST_LOST: Final = 20


@mypyc_attr(allow_interpreted_subclasses=True)
class SushiGoState(GameState):
    """One position.

    Sets of cards are packed (`tag.games.cards.sushi_go.data`). No player knows the order of the deck, so it is a set too,
    and a card is picked at random when it is dealt. A chosen card stays in the hand until all have chosen.

    A player who has held a hand knows it until the end of the round: all that leaves it or is put back into it is shown. So
    the number of passes tells which hands a player knows, and the state stores nothing for that.

    Attributes:
        dealt: the cards of a full hand.
        direction: 1 where hands go to the next seat in this round, -1 where they go to the one before.
        cards: the cards of each hand now.
        hands: the hand at each seat.
        chosen: the choice of each seat (`tag.games.cards.sushi_go.data`), `NO_CHOICE` before.
        tables: what lies in front of each seat, without the puddings.
        put_back: for each hand, the chopsticks certain to be in it as a player has put them back; 0 once all have held it.
        points: each player's points.
        puddings: each player's puddings.
        deck: the cards to deal.
        deck_size: how many these are.
        discards: the cards of earlier rounds.
        prices: the points of cards (`tag.games.cards.sushi_go.data`).
    """

    def __init__(
        self, n_players: i64, hands: list[int], chosen: list[int], tables: list[int], points: list[int]
    ) -> None:
        """Take the lists as they are."""
        super().__init__(n_players)
        self.dealt: i64 = 0
        self.direction: i64 = 1
        self.cards: i64 = 0
        self.hands = hands
        self.chosen = chosen
        self.tables = tables
        self.put_back: tuple[int, ...] = ()
        self.points = points
        self.puddings: tuple[int, ...] = ()
        self.deck: i64 = 0
        self.deck_size: i64 = 0
        self.discards: i64 = 0
        self.prices: tuple[int, ...] = ()

    def copy(self) -> SushiGoState:
        """Copy the lists of numbers."""
        other = SushiGoState(self.n_players, self.hands[:], self.chosen[:], self.tables[:], self.points[:])
        self.copy_to(other)
        other.dealt = self.dealt
        other.direction = self.direction
        other.cards = self.cards
        other.put_back = self.put_back
        other.puddings = self.puddings
        other.deck = self.deck
        other.deck_size = self.deck_size
        other.discards = self.discards
        other.prices = self.prices
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the hands that ``player`` has not held, then draw the choices of others again.

        Chopsticks put back into such a hand stay in it. All other deals from the cards not seen are as likely, and so are
        all choices of a player from a hand.
        """
        passed = self.dealt - self.cards
        if passed < self.n_players - 1:
            hands = self.hands
            for seat in range(self.n_players):
                if self._distance(player, seat) > passed:
                    hidden = hands[seat] - self.put_back[seat] * unit(CHOPSTICKS)
                    self.deck += hidden
                    self.deck_size += self.cards - self.put_back[seat]
            for seat in range(self.n_players):
                if self._distance(player, seat) > passed:
                    certain: i64 = self.put_back[seat]
                    hands[seat] = certain * unit(CHOPSTICKS) + self.draw_hand(self.cards - certain, rng)
        chosen = self.chosen
        for seat in range(self.n_players):
            if chosen[seat] != NO_CHOICE and seat != player:
                chosen[seat] = random_choice(self.hands[seat], self.tables[seat], rng)

    def _distance(self, player: i64, seat: i64) -> i64:
        """Return how many times a hand of ``player`` is passed until it reaches ``seat``."""
        distance = (seat - player) * self.direction
        return distance if distance >= 0 else distance + self.n_players

    def knows_hand(self, viewer: i64, seat: i64) -> bool:
        """Say whether ``viewer`` (-1: sees all) holds or has held the hand now at ``seat``; a guest has held none."""
        return viewer < 0 or (viewer < self.n_players and self._distance(viewer, seat) <= self.dealt - self.cards)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: the own choice, the hands held, and what is public."""
        have_chosen: i64 = 0
        for choice in self.chosen:
            have_chosen = 2 * have_chosen + (0 if choice == NO_CHOICE else 1)
        have_chopsticks: i64 = 0
        known: list[int] = [self.cards, self.dealt, self.direction, self.deck_size, self.discards, have_chosen]
        for seat in range(self.n_players):
            hand: i64 = self.hands[seat]
            has_chopsticks = count(hand, CHOPSTICKS) >= self.put_back[seat]  # those put back, as it must
            have_chopsticks = 2 * have_chopsticks + (1 if has_chopsticks else 0)
            known.append(hand if self.knows_hand(player, seat) else -1)
        known.append(have_chopsticks)
        known.append(self.chosen[player])
        known += self.tables
        known += self.points
        return (self.basic_knowledge(player), tuple(known), self.put_back, self.puddings)

    def is_unresolved(self) -> bool:
        """Say whether a choice is not shown yet."""
        for choice in self.chosen:  # noqa: SIM110  compiled code makes a generator for `any`
            if choice != NO_CHOICE:
                return True
        return False

    def deal(self, rng: Rng) -> None:
        """Deal a hand to each player; the cards of earlier rounds are shuffled into a deck that is too small."""
        if self.deck_size < self.n_players * self.dealt:
            self.deck += self.discards
            self.deck_size += packed_size(self.discards)
            self.discards = 0
            if self.recording:
                words = "the discards are shuffled into the deck"
                self.announce(Event("reshuffled", places=("deck", "discards"), words=words))
        self.cards = self.dealt
        for seat in range(self.n_players):
            self.hands[seat] = int(self.draw_hand(self.dealt, rng))
        self.put_back = (0,) * self.n_players

    def draw_hand(self, cards: i64, rng: Rng) -> i64:
        """Take so many cards from the deck."""
        deck = self.deck
        left = self.deck_size
        hand: i64 = 0
        for _card in range(cards):
            place = rng.below(left)
            left -= 1
            shift: i64 = 0
            number = deck & MASK
            while place >= number:
                place -= number
                shift += BITS
                number = deck >> shift & MASK
            one = unit(shift >> 2)
            deck -= one
            hand += one
        self.deck = deck
        self.deck_size = left
        return hand

    def lay(self, seat: i64, card: i64) -> None:
        """Lay a card on the table of ``seat``, and count its points."""
        if card == PUDDING:
            puddings = self.puddings
            self.puddings = (*puddings[:seat], puddings[seat] + 1, *puddings[seat + 1 :])
            if self.recording:
                self._announce_card(seat, card, 0, "puddings")
            return
        table: i64 = self.tables[seat]
        place = place_of(table, card)
        points = points_for(self.prices, table, place)
        if points:
            before: i64 = self.points[seat]
            self.points[seat] = before + points
        self.tables[seat] = with_card(table, place)
        if self.recording:
            self._announce_card(seat, place, points, "table")

    def _announce_card(self, seat: i64, kind: i64, points: i64, zone: str) -> None:
        """Announce a card that is shown and played, and its points."""
        places = (f"hand of {seat}", f"{zone} of {seat}", f"points of {seat}")
        reason = points_text(points) if points else ""
        words = "{player} plays {items}"
        self.announce(Event("shown", seat, float(points), (NAMES[kind],), places, reason, words))

    def pass_hands(self) -> None:
        """Pass all hands on, with what is known of them."""
        hands = self.hands
        put_back = self.put_back
        if self.direction > 0:
            hands.insert(0, hands.pop())
            put_back = put_back[-1:] + put_back[:-1] if self._has_put_back() else put_back
        else:
            hands.append(hands.pop(0))
            put_back = put_back[1:] + put_back[:1] if self._has_put_back() else put_back
        if self.dealt - self.cards >= self.n_players - 1 and self._has_put_back():
            put_back = (0,) * self.n_players
        self.put_back = put_back

    def _has_put_back(self) -> bool:
        """Say whether chopsticks are certain to be in a hand."""
        for certain in self.put_back:  # noqa: SIM110  compiled code makes a generator for `any`
            if certain > 0:
                return True
        return False

    def clear_tables(self) -> None:
        """Discard all that lies on the tables but the puddings."""
        for seat in range(self.n_players):
            self.discards += undipped(self.tables[seat])
            self.tables[seat] = 0

    def announce_hands(self) -> None:
        """Announce the hands that have been dealt, each to its player."""
        for seat in range(self.n_players):
            cards = tuple([NAMES[kind] for kind in listed(self.hands[seat])])
            self.announce(Event("dealt", seat, 0.0, cards, (f"hand of {seat}", "deck"), seen_by=1 << seat))

    def score(self, player: i64) -> float:
        """Return the points, with those of the cards on the table; maki rolls and puddings count once they are compared."""
        return float(self.points[player])

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the puddings."""
        return float(self.puddings[player])

    def tiebreak_tiers(self) -> i64:
        return 1

    def components(self) -> list[Component]:
        found: list[Component] = [
            Deck("deck", [CARDS[kind] for kind in listed(self.deck)], visibility=HIDDEN_TO_ALL),
            Deck("discards", [CARDS[kind] for kind in listed(self.discards)]),
        ]
        for seat in range(self.n_players):
            found.append(_hand(self, seat))
            table = [CARDS[kind] for kind in listed(undipped(self.tables[seat]))]
            found.append(Deck(f"table of {seat}", table, seat))
            found.append(Deck(f"puddings of {seat}", [CARDS[PUDDING]] * self.puddings[seat], seat))
            found.append(Counter(f"points of {seat}", self.points[seat], -_MOST_LOST, owner=seat))
        return found

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to choose"
        lines = [f"Round {self.round + 1}, {shown}; {self.cards} cards in each hand, {self.deck_size} in the deck"]
        for seat in range(self.n_players):
            hand = _names(self.hands[seat]) if self.knows_hand(viewer, seat) else "?"
            text = f"player {seat}  points {self.points[seat]}  puddings {self.puddings[seat]}  hand {hand}"
            if self.chosen[seat] != NO_CHOICE:
                is_open = viewer < 0 or viewer == seat
                text += f" (chosen: {choice_text(self.chosen[seat])})" if is_open else " (has chosen)"
            lines.append(f"{text}  table {_names(self.tables[seat])}")
        return "\n".join(lines)


def _hand(state: SushiGoState, seat: i64) -> Component:
    cards = [CARDS[kind] for kind in listed(state.hands[seat])]
    knowers = sum([1 << viewer for viewer in range(int(state.n_players)) if state.knows_hand(viewer, seat)])
    return PartiallyObservableDeck(f"hand of {seat}", cards, state.n_players, seat, seen=[knowers] * len(cards))


def _names(cards: i64) -> str:
    """Return the cards in words: ``2 tempura, wasabi``."""
    found: list[str] = []
    for kind, name in enumerate(NAMES):
        number = count(cards, kind)
        if number:
            found.append(name if number == 1 else f"{number} {name}")
    return ", ".join(found) if found else "empty"
