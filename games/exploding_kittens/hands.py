"""The hands, and who knows what is in them."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.cards import DEFUSE, N_KINDS, changed, with_card, without_card, without_one_of_each
from games.exploding_kittens.pile import PileState
from tag.rng import Rng


@mypyc_attr(allow_interpreted_subclasses=True)
class HandsState(PileState):
    """A state with the draw pile, the hands and the discard pile.

    Of each hand a viewer knows some cards for certain: ``known``, at index ``viewer * n_players + holder``, sorted. At
    the index of a holder as the viewer of the own hand stand the cards that everybody knows. That somebody has learnt
    of a card in secret is public too: ``secrets`` holds, at the same index, the most cards beyond the public ones that
    the viewer can know.

    Attributes:
        hands: how many cards of each kind each player holds, at index ``player * N_KINDS + kind``.
        sizes: how many cards each player holds.
        known: which of them are known, see above.
        secrets: how many of them may be known in secret, see above.
        discards: how many cards of each kind are in the discard pile.
    """

    __slots__ = ("discards", "hands", "known", "secrets", "sizes")
    hands: list[int]
    sizes: list[int]
    known: list[tuple[int, ...]]
    secrets: tuple[int, ...]
    discards: list[int]

    def __init__(
        self,
        n_players: i64,
        deck: list[int],
        born: list[int],
        hands: list[int],
        sizes: list[int],
        known: list[tuple[int, ...]],
        discards: list[int],
    ) -> None:
        """Take the lists."""
        super().__init__(n_players, deck, born)
        self.hands = hands
        self.sizes = sizes
        self.known = known
        self.secrets = ()
        self.discards = discards

    # --- what happens to cards -------------------------------------------------------------------------------------

    def count(self, player: i64, kind: i64) -> i64:
        """Return how many cards of ``kind`` are in the hand of ``player``."""
        return self.hands[player * N_KINDS + kind]

    def lay_down(self, player: i64, kind: i64) -> None:
        """Put a card of ``player`` on the discard pile."""
        self._remove(player, kind)
        self.discards[kind] += 1
        index = player
        for _viewer in range(self.n_players):
            known = self.known[index]
            if known:
                self.known[index] = without_card(known, int(kind))
            index += self.n_players
        self._limit_secrets(player)

    def gain_openly(self, player: i64, kind: i64) -> None:
        """Give ``player`` a card that everybody sees."""
        self.add(player, kind)
        for viewer in range(self.n_players):
            index = viewer * self.n_players + player
            self.known[index] = with_card(self.known[index], int(kind))

    def take_openly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Let everybody see how a card changes hands."""
        self.lay_down(victim, kind)
        self.discards[kind] -= 1
        self.gain_openly(taker, kind)

    def take_secretly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Let a card change hands that these two players see, and nobody else."""
        n = self.n_players
        self._remove(victim, kind)
        for viewer in range(n):
            index = viewer * n + victim
            known = self.known[index]
            self.known[index] = without_card(known, int(kind)) if viewer == taker else without_one_of_each(known)
        self._limit_secrets(victim)
        self.add(taker, kind)
        self.learn(victim, taker, kind)

    def random_card(self, player: i64, rng: Rng) -> i64:
        """Return the kind of a card of ``player``, each card being as likely."""
        left = rng.below(self.sizes[player])
        kind: i64 = DEFUSE
        while left >= self.count(player, kind):
            left -= self.count(player, kind)
            kind += 1
        return kind

    def add(self, player: i64, kind: i64) -> None:
        """Put a card into the hand of ``player``; who knows that is another matter."""
        self.hands[player * N_KINDS + kind] += 1
        self.sizes[player] += 1

    def _remove(self, player: i64, kind: i64) -> None:
        self.hands[player * N_KINDS + kind] -= 1
        self.sizes[player] -= 1

    def learn(self, viewer: i64, holder: i64, kind: i64) -> None:
        """Let ``viewer`` know of a card in the hand of ``holder``; that it happens is public."""
        index = viewer * self.n_players + holder
        self.known[index] = with_card(self.known[index], int(kind))
        self.secrets = changed(self.secrets, index, self.secrets[index] + 1)

    def _limit_secrets(self, holder: i64) -> None:
        """Forget that more cards of ``holder`` may be known than there are."""
        size: i64 = self.sizes[holder]
        index = holder
        for _viewer in range(self.n_players):
            secrets: i64 = self.secrets[index]
            if secrets > size:
                self.secrets = changed(self.secrets, index, size)
            index += self.n_players

    # --- dealing them again -----------------------------------------------------------------------------------------

    def collect(self, holder: i64, known: tuple[int, ...], pool: list[int]) -> None:
        """Take from ``holder`` all cards but the ``known`` ones."""
        hands = self.hands
        first = holder * N_KINDS
        for card in known:
            hands[first + card] -= 1
        for kind in range(DEFUSE, N_KINDS):
            count: i64 = hands[first + kind]
            if count:
                hands[first + kind] = 0
                for _copy in range(count):
                    pool.append(kind)

    def deal(self, holder: i64, known: tuple[int, ...], pool: list[int]) -> None:
        """Give ``holder`` the ``known`` cards back, and others for the rest."""
        hands = self.hands
        first = holder * N_KINDS
        for card in known:
            hands[first + card] += 1
        unknown: i64 = self.sizes[holder] - len(known)
        for _card in range(unknown):
            kind: i64 = pool.pop()
            count: i64 = hands[first + kind]
            hands[first + kind] = int(count + 1)

    def draw_secrets(self, holder: i64, player: i64, rng: Rng) -> None:
        """Draw what the others beside ``player`` know of the hand of ``holder``, who has just been dealt new cards."""
        n = self.n_players
        public = self.known[holder * n + holder]
        for viewer in range(n):
            if viewer == holder or viewer == player:
                continue
            index = viewer * n + holder
            most: i64 = self.secrets[index]
            if most:
                most = rng.below(min(most, self.sizes[holder] - len(public)) + 1)
            if most <= 0:
                self.known[index] = public
                continue
            rest = self.cards_of(holder, public)
            rng.shuffle(rest)
            self.known[index] = tuple(sorted([*public, *rest[: int(most)]]))

    def cards_of(self, holder: i64, without: tuple[int, ...]) -> list[int]:
        """Return the cards of ``holder`` in order, but for those ``without``."""
        cards: list[int] = []
        for kind in range(DEFUSE, N_KINDS):
            for _copy in range(self.hands[holder * N_KINDS + kind] - without.count(kind)):
                cards.append(kind)
        return cards
