"""The hands, and who knows what is in them."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.pile import PileState
from games.exploding_kittens.sets import (
    append_to,
    card_at,
    count,
    counts,
    different,
    listed,
    size,
    unit,
    without_one_of_each,
)
from tag.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class HandsState(PileState):
    """A state with the draw pile, the hands and the discard pile, the last two as sets (`games.exploding_kittens.sets`).

    The hands are five fields, and not a list, because numbers in a list are objects, which are slow to change.

    Of each hand a viewer knows some cards for certain: ``known``, at index ``viewer * n_players + holder``. At the
    index of a holder as the viewer of the own hand stand the cards that everybody knows. That somebody has learnt
    of a card in secret is public too: ``secrets`` holds the most cards beyond the public ones that each viewer can know.

    Attributes:
        known: which of them are known, see above.
        secrets: of each player, how many cards may be known in secret, see above: eight bits per viewer.
        discards: the discard pile.
    """

    def __init__(self, n_players: i64, deck: list[int], known: list[int], secrets: list[int]) -> None:
        """Take the lists; nobody holds any cards."""
        super().__init__(n_players, deck)
        self._hand_0: i64 = 0
        self._hand_1: i64 = 0
        self._hand_2: i64 = 0
        self._hand_3: i64 = 0
        self._hand_4: i64 = 0
        self.known = known
        self.secrets = secrets
        self.discards: i64 = 0

    def copy_hands_to(self, other: HandsState) -> None:
        """Copy the hands to ``other``."""
        other._hand_0 = self._hand_0
        other._hand_1 = self._hand_1
        other._hand_2 = self._hand_2
        other._hand_3 = self._hand_3
        other._hand_4 = self._hand_4

    def hand(self, player: i64) -> i64:
        """Return the cards of ``player``."""
        if player == 0:
            return self._hand_0
        if player == 1:
            return self._hand_1
        if player == 2:
            return self._hand_2
        return self._hand_3 if player == 3 else self._hand_4

    def set_hand(self, player: i64, cards: i64) -> None:
        """Give ``player`` just these ``cards``."""
        if player == 0:
            self._hand_0 = cards
        elif player == 1:
            self._hand_1 = cards
        elif player == 2:
            self._hand_2 = cards
        elif player == 3:
            self._hand_3 = cards
        else:
            self._hand_4 = cards

    # --- what happens to cards -------------------------------------------------------------------------------------

    def size(self, player: i64) -> i64:
        """Return how many cards ``player`` holds."""
        return size(self.hand(player))

    def count(self, player: i64, kind: i64) -> i64:
        """Return how many cards of ``kind`` are in the hand of ``player``."""
        return count(self.hand(player), kind)

    def lay_down(self, player: i64, kind: i64) -> None:
        """Put a card of ``player`` on the discard pile."""
        card = unit(kind)
        self.discards += card
        self._remove(player, card)
        index = player
        for _viewer in range(self.n_players):
            known: i64 = self.known[index]
            if count(known, kind):
                self.known[index] = int(known - card)
            index += self.n_players

    def lay_down_all(self, player: i64) -> None:
        """Put all cards of ``player`` on the discard pile."""
        self.discards += self.hand(player)
        self.set_hand(player, 0)
        self.secrets[player] = 0
        for viewer in range(self.n_players):
            self.known[viewer * self.n_players + player] = 0

    def gain_openly(self, player: i64, kind: i64) -> None:
        """Give ``player`` a card that everybody sees."""
        self.add(player, kind)
        index = player
        for _viewer in range(self.n_players):
            self.known[index] = int(self.known[index] + unit(kind))
            index += self.n_players

    def take_openly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Let everybody see how a card changes hands."""
        self.lay_down(victim, kind)
        self.discards -= unit(kind)
        self.gain_openly(taker, kind)

    def take_secretly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Let a card change hands that these two players see, and nobody else."""
        card = unit(kind)
        self._remove(victim, card)
        # The taker may go on knowing what the others are no longer certain of.
        public: i64 = self.known[victim * self.n_players + victim]
        doubtful = different(counts(public))
        if doubtful:
            self.secrets[victim] += int(doubtful << (8 * taker))
        index = victim
        for viewer in range(self.n_players):
            known: i64 = self.known[index]
            if viewer != taker:
                self.known[index] = int(without_one_of_each(known))
            elif count(known, kind):
                self.known[index] = int(known - card)
            index += self.n_players
        self.add(taker, kind)
        self.learn(victim, taker, kind)

    def random_card(self, player: i64, rng: Rng) -> i64:
        """Return the kind of a card of ``player``, each card being as likely."""
        hand = self.hand(player)
        return card_at(hand, rng.below(size(hand)))

    def add(self, player: i64, kind: i64) -> None:
        """Put a card into the hand of ``player``; who knows that is another matter."""
        self.set_hand(player, self.hand(player) + unit(kind))

    def _remove(self, player: i64, card: i64) -> None:
        """Take ``card``, a set of one, from the hand of ``player``; no more can be known of it than there is."""
        hand = self.hand(player) - card
        self.set_hand(player, hand)
        secrets: i64 = self.secrets[player]
        if secrets:
            self.secrets[player] = int(_limited(secrets, size(hand)))

    def learn(self, viewer: i64, holder: i64, kind: i64) -> None:
        """Let ``viewer`` know of a card in the hand of ``holder``; that it happens is public."""
        index = viewer * self.n_players + holder
        self.known[index] = int(self.known[index] + unit(kind))
        self.secrets[holder] += 1 << int(8 * viewer)

    # --- dealing them again -----------------------------------------------------------------------------------------

    def deal_hands(self, player: i64, pool: list[int], rng: Rng) -> None:
        """Shuffle the others' cards that ``player`` does not know into ``pool``, and deal their hands again from its end."""
        known = self.known
        mine = player * self.n_players
        for holder in range(self.n_players):
            if holder != player:
                append_to(pool, self.hand(holder) - known[mine + holder])
        rng.shuffle(pool)
        left: i64 = len(pool)
        for holder in range(self.n_players):
            hand = self.hand(holder)
            if holder == player or hand == 0:
                continue
            cards: i64 = known[mine + holder]
            for _card in range(size(hand) - size(cards)):
                left -= 1
                cards += unit(pool[left])
            self.set_hand(holder, cards)
            self._draw_secrets(holder, player, rng)
        del pool[left:]

    def _draw_secrets(self, holder: i64, player: i64, rng: Rng) -> None:
        """Draw what the others beside ``player`` know of the hand of ``holder``, who has just been dealt new cards."""
        n = self.n_players
        public: i64 = self.known[holder * n + holder]
        hidden = self.hand(holder) - public
        secrets: i64 = self.secrets[holder]
        for viewer in range(n):
            if viewer == holder or viewer == player:
                continue
            known = public
            most = secrets >> (8 * viewer) & 255
            if most:
                known += _drawn(hidden, rng.below(_smaller(most, size(hidden)) + 1), rng)
            index = viewer * n + holder
            if self.known[index] != known:
                self.known[index] = int(known)


def _drawn(cards: i64, number: i64, rng: Rng) -> i64:
    """Return ``number`` of ``cards``, drawn at random."""
    if number == 0:
        return 0
    order = listed(cards)
    rng.shuffle(order)
    found: i64 = 0
    for place in range(number):
        found += unit(order[place])
    return found


def _limited(secrets: i64, most: i64) -> i64:
    """Return ``secrets``, eight bits each, none of them larger than ``most``."""
    found: i64 = 0
    shift: i64 = 0
    while secrets >> shift:
        found |= _smaller(secrets >> shift & 255, most) << shift
        shift += 8
    return found


def _smaller(one: i64, other: i64) -> i64:
    return one if one < other else other
