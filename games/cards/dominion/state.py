"""The state of Dominion: supply, trash, and each player's deck, whose order is open where no player knows it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng, bit_count
from tag.components import HIDDEN_TO_ALL, Card, Component, Deck, PartiallyObservableDeck
from tag.games.cards.dominion.data import (
    ALL_TREASURES,
    BITS,
    BUY,
    CARDS,
    CARDS_PER_GARDENS_POINT,
    CURSE,
    DISCARDS,
    DUCHY,
    ESTATE,
    FROM_HAND,
    FROM_PILE,
    HAND,
    KNOWN,
    MASK,
    N_BASIC,
    N_SLOTS,
    NAMES,
    OPEN,
    OWNED,
    PHASE_NAMES,
    PILE,
    PROVINCE,
    SHIFT,
    SPAN,
    UNIT,
    WAY,
    WAY_BITS,
    WORD,
    drawn_from,
    listed,
    money_in,
    named,
    present,
    set_of,
    size,
    slot_in,
    without,
)

#: The components that do not belong to a player for good.
_OF_ALL: Final = frozenset({"supply", "trash", "in play", "set aside", "looked at"})


@mypyc_attr(allow_interpreted_subclasses=True)
class DominionState(GameState):
    """One position.

    Sets of cards are two words (`tag.games.cards.dominion.data`). A deck that was shuffled is a set, too: no player knows
    its order, so a card is picked at random when it is drawn. Cards that were put on top are a list.
    Discards are open to all.

    Attributes:
        kinds: the kind of the card of each slot.
        slots: the slot of the card of each kind, -1 if it is not in the game.
        affordable: for 0 to 8 coins, flags of the kingdom cards that they buy.
        action_mask: all bits of the action cards in the kingdom word.
        gardens: the slot of Gardens, -1 if they are not in the game.
        moat: the slot of the Moat, -1 if it is not in the game.
        absent: piles that do not exist, and so are not empty ones.
        hand_size: the cards drawn for a hand.
        breaks_ties: whether fewer turns break ties.
        cards: for each player the hand, the shuffled part of the deck, the discards, the cards that others know to be in the
            hand (or among its cards put back), and all cards owned.
        tops: for each player the cards put on the deck, the top one last: slot and, in the last two bits, who knows it.
        shuffled: the players who have shuffled since the set-up, as bits.
        supply_basic: the supply, with `supply_kingdom`.
        trash_basic: the trash, with `trash_kingdom`.
        play_basic: the cards in play, with `play_kingdom`.
        aside: the actions set aside for a Library.
        looked: the cards looked at or revealed from the top of a deck, as in `tops`.
        stack: the slots of cards that a Throne Room plays once more, the next one last.
        card: the slot of the card that is being carried out.
        coins, actions, buys: what the player whose turn it is has left.
        merchants: the Merchants played before the first Silver.
        left: the cards to discard, or that may be trashed; for a Cellar those discarded.
        floor: the slot of the last card chosen, as several cards are chosen in the order of their slots; for a Vassal the
            slot of the card discarded.
        limit: the most that a card to gain costs.
        immune: the players who revealed a Moat, as bits.
        chosen: the slot of the action that is being carried out, -1 for a choice against all cards.
    """

    def __init__(self, n_players: i64, cards: list[int], kinds: tuple[int, ...], slots: tuple[int, ...]) -> None:
        """Take the cards of the players as they are."""
        super().__init__(n_players)
        self.kinds = kinds
        self.slots = slots
        self.affordable: tuple[int, ...] = ()
        self.action_mask: i64 = 0
        self.gardens: i64 = -1
        self.moat: i64 = -1
        self.absent: i64 = 0
        self.hand_size: i64 = 5
        self.breaks_ties = True
        self.cards = cards
        self.tops: tuple[tuple[int, ...], ...] = ()
        self.shuffled: i64 = 0
        self.supply_basic: i64 = 0
        self.supply_kingdom: i64 = 0
        self.trash_basic: i64 = 0
        self.trash_kingdom: i64 = 0
        self.play_basic: i64 = 0
        self.play_kingdom: i64 = 0
        self.aside: i64 = 0
        self.looked: tuple[int, ...] = ()
        self.stack: tuple[int, ...] = ()
        self.card: i64 = 0
        self.coins: i64 = 0
        self.actions: i64 = 1
        self.buys: i64 = 1
        self.merchants: i64 = 0
        self.left: i64 = 0
        self.floor: i64 = 0
        self.limit: i64 = 0
        self.immune: i64 = 0
        self.chosen: i64 = -1

    def copy(self) -> DominionState:
        other = DominionState(self.n_players, self.cards[:], self.kinds, self.slots)
        self.copy_to(other)
        other.affordable = self.affordable
        other.action_mask = self.action_mask
        other.gardens = self.gardens
        other.moat = self.moat
        other.absent = self.absent
        other.hand_size = self.hand_size
        other.breaks_ties = self.breaks_ties
        other.tops = self.tops
        other.shuffled = self.shuffled
        other.supply_basic = self.supply_basic
        other.supply_kingdom = self.supply_kingdom
        other.trash_basic = self.trash_basic
        other.trash_kingdom = self.trash_kingdom
        other.play_basic = self.play_basic
        other.play_kingdom = self.play_kingdom
        other.aside = self.aside
        other.looked = self.looked
        other.stack = self.stack
        other.card = self.card
        other.coins = self.coins
        other.actions = self.actions
        other.buys = self.buys
        other.merchants = self.merchants
        other.left = self.left
        other.floor = self.floor
        other.limit = self.limit
        other.immune = self.immune
        other.chosen = self.chosen
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the hidden cards of each other player again among hand, deck, and the cards that only the owner knows.

        What others know to be in a hand stays there, and in the buy phase it has no treasures: these have all been played.
        """
        for other in range(self.n_players):
            if other != player:
                if self.hides_entries(other):
                    self._deal_with_entries(other, rng)
                else:
                    self._deal_hand(other, rng)

    def hides_entries(self, player: i64) -> bool:
        """Say whether ``player`` alone knows a card on the own deck, or a card that is being looked at."""
        for entry in self._entries(player):  # noqa: SIM110  compiled code makes a list or a generator for `any`
            if entry & WAY != OPEN:
                return True
        return False

    def _entries(self, player: i64) -> tuple[int, ...]:
        """Return the cards on the deck of ``player``, and those that the player whose turn it is looks at."""
        return self.tops[player] + self.looked if player == self.turn_player and self.looked else self.tops[player]

    def has_played_treasures(self, player: i64) -> bool:
        """Say whether ``player`` has played all treasures of the hand."""
        return self.phase == BUY and player == self.turn_player and not self.is_terminal

    def _deal_hand(self, player: i64, rng: Rng) -> None:
        """Draw the unknown part of a hand again."""
        cards = self.cards
        at = SPAN * player
        known_basic: i64 = cards[at + KNOWN]
        known_kingdom: i64 = cards[at + KNOWN + 1]
        pool_basic: i64 = cards[at + HAND] - known_basic
        pool_kingdom: i64 = cards[at + HAND + 1] - known_kingdom
        unknown = size(pool_basic) + size(pool_kingdom)
        if unknown == 0:
            return
        pool_basic += cards[at + PILE]
        pool_kingdom += cards[at + PILE + 1]
        fitting = pool_basic & ~ALL_TREASURES if self.has_played_treasures(player) else pool_basic
        basic, kingdom = drawn_from(fitting, pool_kingdom, unknown, rng)
        cards[at + HAND] = known_basic + basic
        cards[at + HAND + 1] = known_kingdom + kingdom
        cards[at + PILE] = pool_basic - basic
        cards[at + PILE + 1] = pool_kingdom - kingdom

    def _deal_with_entries(self, player: i64, rng: Rng) -> None:
        """Draw again the hand, and the cards of the top of the deck that only ``player`` knows."""
        cards = self.cards
        at = SPAN * player
        entries = self._entries(player)
        back_basic, back_kingdom = set_of(entries, FROM_HAND)
        taken_basic, taken_kingdom = set_of(entries, FROM_PILE)
        total_basic = cards[at + HAND] + cards[at + PILE] + back_basic + taken_basic
        total_kingdom = cards[at + HAND + 1] + cards[at + PILE + 1] + back_kingdom + taken_kingdom
        back_basic, back_kingdom = self._deal_group(
            player,
            total_basic - cards[at + KNOWN],
            total_kingdom - cards[at + KNOWN + 1],
            size(back_basic) + size(back_kingdom),
            rng,
        )
        pool_basic = total_basic - cards[at + HAND] - back_basic
        pool_kingdom = total_kingdom - cards[at + HAND + 1] - back_kingdom
        dealt: list[int] = []
        for entry in entries:
            new: i64 = entry
            if entry & WAY == FROM_HAND:
                basic, kingdom = drawn_from(back_basic, back_kingdom, 1, rng)
                back_basic -= basic
                back_kingdom -= kingdom
                new = slot_in(basic, kingdom) << WAY_BITS | FROM_HAND
            elif entry & WAY == FROM_PILE:
                basic, kingdom = drawn_from(pool_basic, pool_kingdom, 1, rng)
                pool_basic -= basic
                pool_kingdom -= kingdom
                new = slot_in(basic, kingdom) << WAY_BITS | FROM_PILE
            dealt.append(int(new))
        cards[at + PILE] = int(pool_basic)
        cards[at + PILE + 1] = int(pool_kingdom)
        on_top = len(self.tops[player])
        self._set_tops(player, tuple(dealt[:on_top]))
        if player == self.turn_player:
            self.looked = tuple(dealt[on_top:])

    def _deal_group(self, player: i64, pool_basic: i64, pool_kingdom: i64, from_hand: i64, rng: Rng) -> tuple[i64, i64]:
        """Draw a hand and ``from_hand`` cards put back from it, and return these cards.

        Both together have the cards known to be in the hand; each other card is one of the pool. In the buy phase the hand
        has no treasures, and is drawn first; not all arrangements are as likely then, but no player has a choice meanwhile.
        """
        cards = self.cards
        at = SPAN * player
        known_basic: i64 = cards[at + KNOWN]
        known_kingdom: i64 = cards[at + KNOWN + 1]
        in_hand = size(cards[at + HAND]) + size(cards[at + HAND + 1])
        known = size(known_basic) + size(known_kingdom)
        if self.has_played_treasures(player):
            held_basic, held_kingdom = drawn_from(
                known_basic & ~ALL_TREASURES, known_kingdom, max(0, known - from_hand), rng
            )
            basic, kingdom = drawn_from(
                (known_basic + pool_basic & ~ALL_TREASURES) - held_basic,
                known_kingdom + pool_kingdom - held_kingdom,
                in_hand - size(held_basic) - size(held_kingdom),
                rng,
            )
            hand_basic, hand_kingdom = held_basic + basic, held_kingdom + kingdom
            back_basic, back_kingdom = without(known_basic, hand_basic), without(known_kingdom, hand_kingdom)
            basic, kingdom = drawn_from(
                pool_basic + known_basic - hand_basic - back_basic,
                pool_kingdom + known_kingdom - hand_kingdom - back_kingdom,
                from_hand - size(back_basic) - size(back_kingdom),
                rng,
            )
            back_basic += basic
            back_kingdom += kingdom
        else:
            basic, kingdom = drawn_from(pool_basic, pool_kingdom, in_hand + from_hand - known, rng)
            group_basic, group_kingdom = known_basic + basic, known_kingdom + kingdom
            back_basic, back_kingdom = drawn_from(group_basic, group_kingdom, from_hand, rng)
            hand_basic, hand_kingdom = group_basic - back_basic, group_kingdom - back_kingdom
        cards[at + HAND] = int(hand_basic)
        cards[at + HAND + 1] = int(hand_kingdom)
        return back_basic, back_kingdom

    def knowledge(self, player: i64) -> Hashable:
        """Return all that is open, and the player's own cards; of others only what they are together."""
        return (
            self.basic_knowledge(player),
            (self.kinds, int(self.supply_basic), int(self.supply_kingdom)),
            (int(self.trash_basic), int(self.trash_kingdom), int(self.play_basic), int(self.play_kingdom)),
            (int(self.coins), int(self.actions), int(self.buys), int(self.merchants), int(self.aside)),
            (self.stack, int(self.card), int(self.left), int(self.floor), int(self.limit), int(self.immune)),
            int(self.shuffled),
            self._shown(self.turn_player, self.looked, player),
            tuple([self._known_cards(player, seat) for seat in range(self.n_players)]),
        )

    def _known_cards(self, viewer: i64, seat: i64) -> tuple[object, ...]:
        """Return the cards at ``seat`` that ``viewer`` knows, and that hidden cards fit the knowledge of all."""
        cards = self.cards
        at = SPAN * seat
        found = (
            tuple(cards[at + DISCARDS : at + SPAN]),
            self._shown(seat, self.tops[seat], viewer),
            int(self.hand_count(seat)),
            int(self.pile_count(seat)),
        )
        if viewer == seat:
            return (*found, tuple(cards[at + HAND : at + DISCARDS]))
        bars = self.has_played_treasures(seat) and cards[at + HAND] & ALL_TREASURES
        back_basic, back_kingdom = set_of(self._entries(seat), FROM_HAND)
        lacks_basic = without(cards[at + KNOWN], cards[at + HAND] + back_basic)
        lacks_kingdom = without(cards[at + KNOWN + 1], cards[at + HAND + 1] + back_kingdom)
        return (*found, lacks_basic | lacks_kingdom == 0 and not bars)

    def _shown(self, owner: i64, entries: tuple[int, ...], viewer: i64) -> tuple[int, ...]:
        """Return entries as ``viewer`` knows them: of hidden ones only, with a minus, who knows them."""
        if viewer == owner:
            return entries
        return tuple([entry if entry & WAY == OPEN else -(entry & WAY) for entry in entries])

    def count(self, player: i64, zone: i64, slot: i64) -> i64:
        """Return how many cards of a slot are in a set of ``player``, such as `HAND`."""
        return self.cards[SPAN * player + zone + WORD[slot]] >> SHIFT[slot] & MASK

    def hand_count(self, player: i64) -> i64:
        """Return how many cards ``player`` has in hand."""
        return size(self.cards[SPAN * player + HAND]) + size(self.cards[SPAN * player + HAND + 1])

    def pile_count(self, player: i64) -> i64:
        """Return how many cards the shuffled part of the deck of ``player`` has."""
        return size(self.cards[SPAN * player + PILE]) + size(self.cards[SPAN * player + PILE + 1])

    def in_supply(self, slot: i64) -> i64:
        """Return how many cards a pile of the supply has."""
        word = self.supply_kingdom if WORD[slot] else self.supply_basic
        return word >> SHIFT[slot] & MASK

    def empty_piles(self) -> i64:
        """Return how many piles of the supply are empty."""
        piles = bit_count(present(self.supply_basic)) + bit_count(present(self.supply_kingdom))
        return N_SLOTS - self.absent - piles

    def add(self, player: i64, zone: i64, slot: i64) -> None:
        """Put a card into a set of ``player``."""
        at = SPAN * player + zone + WORD[slot]
        word: i64 = self.cards[at]
        self.cards[at] = word + UNIT[slot]

    def take(self, player: i64, zone: i64, slot: i64) -> None:
        """Take a card out of a set of ``player``."""
        at = SPAN * player + zone + WORD[slot]
        word: i64 = self.cards[at]
        self.cards[at] = word - UNIT[slot]

    def show(self, player: i64, slot: i64) -> None:
        """Take a card of the hand of ``player`` that others see off those known to be there."""
        if self.count(player, KNOWN, slot):
            self.take(player, KNOWN, slot)

    def show_hand(self, player: i64) -> None:
        """Let others know all cards in the hand of ``player``."""
        cards = self.cards
        at = SPAN * player
        for word in range(2):
            hand: i64 = cards[at + HAND + word]
            cards[at + KNOWN + word] = int(hand + without(cards[at + KNOWN + word], hand))

    def discard(self, player: i64, slot: i64) -> None:
        """Discard a card from the hand."""
        self.take(player, HAND, slot)
        self.show(player, slot)
        self.add(player, DISCARDS, slot)
        if self.recording:
            self.announce_moved(player, slot, "hand", "discards")

    def trash(self, player: i64, slot: i64) -> None:
        """Put a card of ``player`` that lies nowhere into the trash."""
        self.take(player, OWNED, slot)
        if WORD[slot]:
            self.trash_kingdom += UNIT[slot]
        else:
            self.trash_basic += UNIT[slot]
        if self.recording:
            self.announce_moved(player, slot, "trash")

    def trash_from_hand(self, player: i64, slot: i64) -> None:
        """Trash a card from the hand."""
        self.take(player, HAND, slot)
        self.show(player, slot)
        if self.recording:
            self.announce_moved(player, slot, "hand")
        self.trash(player, slot)

    def gain(self, player: i64, slot: i64) -> bool:
        """Take a card from the supply, to be put somewhere; return False if the pile is empty."""
        if self.in_supply(slot) == 0:
            return False
        if WORD[slot]:
            self.supply_kingdom -= UNIT[slot]
        else:
            self.supply_basic -= UNIT[slot]
        self.add(player, OWNED, slot)
        if self.recording:
            self.announce_moved(player, slot, "supply")
        return True

    def gain_to_discards(self, player: i64, slot: i64) -> None:
        """Gain a card to the discard pile, if there is one."""
        if self.gain(player, slot):
            self.add(player, DISCARDS, slot)
            if self.recording:
                self.announce_moved(player, slot, "discards")

    def put_on_deck(self, player: i64, slot: i64, way: i64) -> None:
        """Put a card on the deck of ``player``; ``way`` says who knows it."""
        self._set_tops(player, (*self.tops[player], int(slot << WAY_BITS | way)))
        if self.recording:
            self.announce(Event("placed", player, places=self.deck_places(player)))

    def _set_tops(self, player: i64, entries: tuple[int, ...]) -> None:
        tops = self.tops
        self.tops = (*tops[:player], entries, *tops[player + 1 :])

    def draw(self, player: i64, number: i64, rng: Rng) -> None:
        """Draw cards into the hand; the discards are shuffled when the deck is empty and another card is to be drawn."""
        if not self.recording:
            self._draw(player, number, rng)
            return
        at = SPAN * player + HAND
        basic: i64 = self.cards[at]
        kingdom: i64 = self.cards[at + 1]
        self._draw(player, number, rng)
        drawn = listed(self.kinds, self.cards[at] - basic, self.cards[at + 1] - kingdom)
        self.announce_cards("drawn", player, drawn)

    def _draw(self, player: i64, number: i64, rng: Rng) -> None:
        left = number
        while left > 0 and self.tops[player]:
            entry = self._take_top(player)
            self.add(player, HAND, entry >> WAY_BITS)
            if entry & WAY == OPEN:
                self.add(player, KNOWN, entry >> WAY_BITS)
            left -= 1
        cards = self.cards
        at = SPAN * player
        while left > 0:
            before_basic: i64 = cards[at + PILE]
            before_kingdom: i64 = cards[at + PILE + 1]
            if before_basic == 0 and before_kingdom == 0:
                if not self._shuffle(player):
                    return
                continue
            basic, kingdom = drawn_from(before_basic, before_kingdom, left, self.chance_of(player, rng))
            hand_basic: i64 = cards[at + HAND]
            hand_kingdom: i64 = cards[at + HAND + 1]
            cards[at + PILE] = before_basic - basic
            cards[at + PILE + 1] = before_kingdom - kingdom
            cards[at + HAND] = hand_basic + basic
            cards[at + HAND + 1] = hand_kingdom + kingdom
            left -= size(basic) + size(kingdom)

    def look(self, player: i64, rng: Rng) -> i64:
        """Take the top card of the deck, and return it with who knows it, as in `tops`; -1 if there is none."""
        if self.tops[player]:
            return self._take_top(player)
        cards = self.cards
        at = SPAN * player
        if cards[at + PILE] == 0 and cards[at + PILE + 1] == 0 and not self._shuffle(player):
            return -1
        basic, kingdom = drawn_from(cards[at + PILE], cards[at + PILE + 1], 1, self.chance_of(player, rng))
        cards[at + PILE] -= int(basic)
        cards[at + PILE + 1] -= int(kingdom)
        return slot_in(basic, kingdom) << WAY_BITS | FROM_PILE

    def _take_top(self, player: i64) -> i64:
        entries = self.tops[player]
        self._set_tops(player, entries[:-1])
        return entries[-1]

    def _shuffle(self, player: i64) -> bool:
        """Let the discards become the deck, which is empty, and return whether there are any.

        All cards that are not among them are in the hand: others know it now, but for cards that are being looked at.
        """
        cards = self.cards
        at = SPAN * player
        if cards[at + DISCARDS] == 0 and cards[at + DISCARDS + 1] == 0:
            return False
        for word in range(2):
            cards[at + PILE + word] = cards[at + DISCARDS + word]
            cards[at + DISCARDS + word] = 0
        if not self.hides_entries(player):
            cards[at + KNOWN] = cards[at + HAND]
            cards[at + KNOWN + 1] = cards[at + HAND + 1]
        self.shuffled |= 1 << int(player)
        if self.recording:
            places = (f"discards of {player}", *self.deck_places(player))
            words = "{player} shuffles the discards into a new deck"
            self.announce(Event("reshuffled", player, places=places, words=words))
        return True

    def announce_cards(self, name: str, player: i64, kinds: list[int]) -> None:
        """Announce cards that ``player`` is dealt or draws; others see how many."""
        if kinds:
            cards = tuple([NAMES[kind] for kind in kinds])
            self.announce(Event(name, player, 0.0, cards, self.deck_places(player), seen_by=1 << player))

    def announce_moved(self, player: i64, slot: i64, *zones: str) -> None:
        """Announce where a card of ``player`` has gone from and to, after an action that says so itself."""
        places = tuple([zone if zone in _OF_ALL else f"{zone} of {player}" for zone in zones])
        self.announce(Event("placed", player, 0.0, (NAMES[self.kinds[slot]],), places))

    def deck_places(self, player: i64) -> tuple[str, ...]:
        """Return the components of a deck, with the hand: what is known of it can depend on cards put on the deck."""
        return (f"deck of {player}", f"top of the deck of {player}", f"hand of {player}")

    def chance_of(self, player: i64, rng: Rng) -> Rng:
        """Return the source of chance for cards that ``player`` draws: the shuffle of the set-up, or later ones."""
        return rng.source("shuffles" if self.shuffled >> player & 1 else "first shuffle")

    def clean_up(self, player: i64) -> None:
        """Discard the hand and all cards in play."""
        cards = self.cards
        at = SPAN * player
        for word in range(2):
            hand: i64 = cards[at + HAND + word]
            discards: i64 = cards[at + DISCARDS + word]
            known: i64 = cards[at + KNOWN + word]
            cards[at + DISCARDS + word] = discards + hand + (self.play_kingdom if word else self.play_basic)
            if known:
                cards[at + KNOWN + word] = without(known, hand)
            cards[at + HAND + word] = 0
        self.play_basic = 0
        self.play_kingdom = 0
        if self.recording:
            places = (f"hand of {player}", f"discards of {player}", "in play", "set aside", "looked at")
            self.announce(Event("placed", player, places=places))

    def owned(self, player: i64) -> i64:
        """Return how many cards ``player`` has."""
        return size(self.cards[SPAN * player + OWNED]) + size(self.cards[SPAN * player + OWNED + 1])

    def points(self, player: i64) -> i64:
        """Return the victory points of all cards of ``player``."""
        basic: i64 = self.cards[SPAN * player + OWNED]
        found = (basic >> BITS * ESTATE & MASK) + 3 * (basic >> BITS * DUCHY & MASK)
        found += 6 * (basic >> BITS * PROVINCE & MASK) - (basic >> BITS * CURSE & MASK)
        if self.gardens >= 0:
            found += self.count(player, OWNED, self.gardens) * (self.owned(player) // CARDS_PER_GARDENS_POINT)
        return found

    def money(self, player: i64) -> i64:
        """Return the coins of all treasures of ``player``."""
        return money_in(self.cards[SPAN * player + OWNED])

    def turns(self, player: i64) -> i64:
        """Return how many turns ``player`` has had."""
        return (self.turn + self.n_players - 1 - player) // self.n_players

    def score(self, player: i64) -> float:
        """Return the victory points of all cards."""
        return float(self.points(player))

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Prefer the player with fewer turns."""
        return -float(self.turns(player))

    def tiebreak_tiers(self) -> i64:
        return 1 if self.breaks_ties else 0

    def components(self) -> list[Component]:
        everybody = (1 << int(self.n_players)) - 1
        found: list[Component] = [
            Deck("supply", self._cards(self.supply_basic, self.supply_kingdom)),
            Deck("trash", self._cards(self.trash_basic, self.trash_kingdom)),
            Deck("in play", self._cards(self.play_basic, self.play_kingdom), self.turn_player),
            Deck("set aside", self._cards(0, self.aside), self.turn_player),
            self._entries_deck("looked at", self.looked, self.turn_player),
        ]
        for player in range(self.n_players):
            at = SPAN * player
            cards = self.cards
            pile = self._cards(cards[at + PILE], cards[at + PILE + 1])
            found.append(Deck(f"deck of {player}", pile, player, HIDDEN_TO_ALL))
            found.append(self._entries_deck(f"top of the deck of {player}", self.tops[player], player))
            found.append(
                Deck(f"discards of {player}", self._cards(cards[at + DISCARDS], cards[at + DISCARDS + 1]), player)
            )
            known_basic, known_kingdom = self.known_in_hand(player)
            hand = self._cards(known_basic, known_kingdom)
            seen = [everybody] * len(hand)
            hand += self._cards(cards[at + HAND] - known_basic, cards[at + HAND + 1] - known_kingdom)
            seen += [1 << player] * (len(hand) - len(seen))
            found.append(PartiallyObservableDeck(f"hand of {player}", hand, self.n_players, player, seen=seen))
        return found

    def known_in_hand(self, player: i64) -> tuple[i64, i64]:
        """Return the cards that all know to be in a hand; none while its owner alone knows what was put back from it."""
        for entry in self._entries(player):
            if entry & WAY == FROM_HAND:
                return 0, 0
        return self.cards[SPAN * player + KNOWN], self.cards[SPAN * player + KNOWN + 1]

    def _cards(self, basic: i64, kingdom: i64) -> list[Card]:
        return [CARDS[kind] for kind in listed(self.kinds, basic, kingdom)]

    def _entries_deck(self, name: str, entries: tuple[int, ...], owner: i64) -> Component:
        everybody = (1 << int(self.n_players)) - 1
        cards = [CARDS[self.kinds[entry >> WAY_BITS]] for entry in entries]
        seen = [everybody if entry & WAY == OPEN else 1 << int(owner) for entry in entries]
        return PartiallyObservableDeck(name, cards, self.n_players, owner, seen=seen)

    def text(self, viewer: i64) -> str:
        """Show supply, turn and players; hands, and cards put back or looked at, to those who know them."""
        piles = [f"{NAMES[self.kinds[slot]]} {self.in_supply(slot)}" for slot in range(N_SLOTS)]
        lines = [
            f"Turn {self.turn + 1}, player {self.turn_player}: {self.actions} actions, {self.buys} buys, {self.coins} coins",
            f"supply: {', '.join(piles[: CURSE if self.absent else N_BASIC])}",
            f"kingdom: {', '.join(piles[N_BASIC:])}",
            f"trash: {named(self.kinds, self.trash_basic, self.trash_kingdom)}",
            f"in play: {named(self.kinds, self.play_basic, self.play_kingdom)}",
        ]
        if not self.is_terminal:
            lines.append(f"player {self.current_player} to decide: {PHASE_NAMES[self.phase]}")
        if self.looked:
            lines.append(f"looked at: {self._entries_text(self.looked, self.turn_player, viewer)}")
        if self.aside:
            lines.append(f"set aside: {named(self.kinds, 0, self.aside)}")
        for player in range(self.n_players):
            lines.append(self._player_text(player, viewer))
        return "\n".join(lines)

    def _player_text(self, player: i64, viewer: i64) -> str:
        cards = self.cards
        at = SPAN * player
        if viewer < 0 or viewer == player:
            hand = named(self.kinds, cards[at + HAND], cards[at + HAND + 1])
        else:
            basic, kingdom = self.known_in_hand(player)
            hand = f"{self.hand_count(player)} cards"
            if basic or kingdom:
                hand += f", of them {named(self.kinds, basic, kingdom)}"
        text = f"player {player}  points {self.points(player)}  hand {hand}  deck {self.pile_count(player)}"
        if self.tops[player]:
            text += f" and on top {self._entries_text(self.tops[player], player, viewer)}"
        return f"{text}  discards {named(self.kinds, cards[at + DISCARDS], cards[at + DISCARDS + 1])}"

    def _entries_text(self, entries: tuple[int, ...], owner: i64, viewer: i64) -> str:
        found: list[str] = []
        for entry in entries:
            is_seen = entry & WAY == OPEN or viewer < 0 or viewer == owner
            found.append(NAMES[self.kinds[entry >> WAY_BITS]] if is_seen else "?")
        return ", ".join(found)
