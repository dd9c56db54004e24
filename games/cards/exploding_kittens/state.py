"""The state of Exploding Kittens: the pile and the hands, and what players know of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import LOSE, AnyAction, Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Component, Deck, PartiallyObservableDeck
from tag.games.cards.exploding_kittens.data import (
    CARDS,
    EXPLODING_KITTEN,
    N_KINDS,
    NAMES,
    card_at,
    changed,
    count,
    counts,
    different,
    drawn,
    listed,
    shifted,
    size,
    unit,
    without_one_of_each,
)

#: Phases: what the last action did to the turn.
TURN_GOES_ON: Final = 0
TURN_ENDS: Final = 1
ATTACKED: Final = 2
EXPLODED: Final = 3

#: A card in the pile that no player has seen.
UNSEEN: Final = -1

#: The place of a kitten that has been put back and drawn again.
DRAWN: Final = -1

#: The level of no look, or of a look whose cards are all drawn: above every card.
NO_LOOK: Final = 1000


#: The places under the top of the pile that the features tell of.
_TOP: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class ExplodingKittensState(GameState):
    """One position.

    **The pile.** A card gets its place when a player first sees it, and is drawn at random then. So a state holds no card
    that no player knows, and shuffling and dealing again touch few cards. Between two shuffles three things can happen to
    the pile, and all players notice each: the top card is drawn, a player looks at the top cards, and a player puts a
    kitten back in secret. So all knowledge of the pile follows from its order and three public facts: who has put back the
    first, second … kitten since the shuffle, how deep each player's last look went, and how many kittens had been put back
    by then. To another player a kitten put back *floats*: it can be anywhere, but not among cards that this player has
    looked at since. All other cards keep their order. A card's *level* at some time is the number of cards under it that
    were in the pile at that time: it does not change when cards are drawn.

    **The hands** and the discard pile are sets (`tag.games.cards.exploding_kittens.data`). The hands are five fields, and
    not a list, because numbers in a list are objects, which are slow to change. Of each hand a viewer knows some cards for
    certain: ``known``, at index ``viewer * n_players + holder``. At the index of a holder as the viewer of the own hand
    stand the cards that all players know. When a player learns of a card in secret, the others notice that: ``secrets``
    holds the most cards beyond the public ones that each viewer can know.

    Attributes:
        deck: the cards to draw, the top one last; `UNSEEN` for those that no player has seen since the shuffle.
        unseen: these cards, as a set.
        inserters: who has put back the first, second … kitten since the shuffle.
        places: where in the deck these kittens are now, `DRAWN` for those that have been drawn again.
        look_level: for each player, the lowest level, at the time of the last look, of the cards seen; else `NO_LOOK`.
        look_time: for each player, how many kittens had been put back before that look.
        known: the cards known of each hand, see above.
        secrets: for each player, how many cards may be known in secret, see above: eight bits per viewer.
        discards: the discard pile.
        alive: who has not exploded, as a mask.
        out: who has, in order.
        due: the turns that the current player has still to take, this one included.
        attacked: whether these come from an Attack.
        play: what the players are asked to nope; None while there is no such play.
        nopes: how many Nopes have been laid on it.
        last: who has laid down the play or the last Nope.
        exploding: who has drawn a kitten and must deal with it, -1 for no player.
        future_cards: how many cards See the Future shows.
        nope_own: whether a player can Nope a card of their own.
    """

    def __init__(self, n_players: i64, deck: list[int], known: list[int], secrets: list[int]) -> None:
        super().__init__(n_players)
        self.deck = deck
        self.unseen: i64 = 0
        self.inserters: tuple[int, ...] = ()
        self.places: tuple[int, ...] = ()
        self.look_level: tuple[int, ...] = ()
        self.look_time: tuple[int, ...] = ()
        self._hand_0: i64 = 0
        self._hand_1: i64 = 0
        self._hand_2: i64 = 0
        self._hand_3: i64 = 0
        self._hand_4: i64 = 0
        self.known = known
        self.secrets = secrets
        self.discards: i64 = 0
        self.alive: i64 = 0
        self.out: tuple[int, ...] = ()
        self.due: i64 = 1
        self.attacked = False
        self.play: AnyAction | None = None
        self.nopes: i64 = 0
        self.last: i64 = 0
        self.exploding: i64 = -1
        self.future_cards: i64 = 0
        self.nope_own = False

    def copy(self) -> ExplodingKittensState:
        """Copy the lists; their items and the rest are immutable."""
        other = ExplodingKittensState(self.n_players, self.deck[:], self.known[:], self.secrets[:])
        self.copy_to(other)
        other.unseen = self.unseen
        other.inserters = self.inserters
        other.places = self.places
        other.look_level = self.look_level
        other.look_time = self.look_time
        other._hand_0 = self._hand_0
        other._hand_1 = self._hand_1
        other._hand_2 = self._hand_2
        other._hand_3 = self._hand_3
        other._hand_4 = self._hand_4
        other.discards = self.discards
        other.alive = self.alive
        other.out = self.out
        other.due = self.due
        other.attacked = self.attacked
        other.play = self.play
        other.nopes = self.nopes
        other.last = self.last
        other.exploding = self.exploding
        other.future_cards = self.future_cards
        other.nope_own = self.nope_own
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the cards in the pile and in the others' hands that ``player`` does not know.

        All arrangements of the cards are as likely, and all places of a kitten that another player has put back. What
        the others know of each other's hands is public, or drawn: any cards of the hand, up to the number that can be
        known.
        """
        is_seen = size(self.unseen) < len(self.deck)  # else no player knows a card of the pile
        if is_seen:
            self._forget_cards(player)
            self.float_kittens(player, rng)
        self._deal_hands(player, rng)
        if is_seen:
            self._reveal_looks(rng)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own hand, the cards known, and who knows of the own."""
        n = self.n_players
        return (
            self.basic_knowledge(player),
            int(self.tick),
            self.deck_knowledge(player),
            int(self.hand(player)),
            tuple([int(self.size(holder)) for holder in range(n)]),
            tuple([self.known[player * n + holder] for holder in range(n)]),
            tuple([self.known[viewer * n + player] for viewer in range(n)]),
            tuple([self.known[holder * n + holder] for holder in range(n)]),
            tuple(self.secrets),
            int(self.discards),
            self.out,
            int(self.due),
            self.attacked,
            (self.play, int(self.nopes), int(self.last)),
            int(self.exploding),
        )

    def explode(self, player: i64) -> None:
        """Put ``player``, and the kitten, out of the game."""
        self.exploding = -1
        self.discards += unit(EXPLODING_KITTEN)
        self.alive &= ~(1 << int(player))
        self.out = (*self.out, int(player))
        self.set_result(player, LOSE)
        self.phase = EXPLODED

    def next_alive(self, player: i64) -> i64:
        """Return the next player clockwise who has not exploded."""
        while True:
            player += 1
            if player == self.n_players:
                player = 0
            if self.alive >> player & 1:
                return player

    def score(self, player: i64) -> float:
        """Return how many players exploded before ``player``."""
        return float(self.out.index(int(player)) if int(player) in self.out else len(self.out))

    def shuffle_deck(self) -> None:
        """Shuffle; all knowledge of the pile is lost."""
        self.inserters = ()
        self.places = ()
        self.forget_looks()
        if size(self.unseen) < len(self.deck):
            self._forget_cards(0)
        if self.recording:
            self.announce(Event("shuffled", places=("pile",), words="the pile is shuffled"))

    def forget_looks(self) -> None:
        """Forget all looks."""
        self.look_level = (NO_LOOK,) * self.n_players
        self.look_time = (0,) * self.n_players

    def reveal(self, place: i64, rng: Rng) -> i64:
        """Return the card at ``place``, which a player gets to see: one of the unseen ones if none has seen it."""
        kind: i64 = self.deck[place]
        if kind == UNSEEN:
            card = drawn(self.unseen, 1, rng)
            self.unseen -= card
            kind = card_at(card, 0)
            self.deck[place] = int(kind)
        return kind

    def look(self, player: i64, n_cards: i64, rng: Rng) -> None:
        """Let ``player`` look at the top ``n_cards``."""
        level = max(0, len(self.deck) - n_cards)
        for place in range(level, len(self.deck)):
            self.reveal(place, rng)
        self.look_level = changed(self.look_level, player, level)
        self.look_time = changed(self.look_time, player, len(self.inserters))
        if self.recording:
            cards = tuple([NAMES[kind] for kind in reversed(self.deck[level:])])
            words = "{player} sees {items} from the top of the pile"
            self.announce(Event("looked", player, 0.0, cards, ("pile",), "", words, seen_by=1 << player))

    def put_back(self, player: i64, depth: i64) -> None:
        """Put a kitten back in secret, under ``depth`` cards."""
        here: i64 = len(self.deck) - depth
        self.deck.insert(int(here), EXPLODING_KITTEN)
        self.places = (*[place if place < here else place + 1 for place in self.places], int(here))
        self.inserters = (*self.inserters, int(player))
        if self.recording:
            self.announce(Event("placed", player, places=("pile", "kitten drawn")))

    def take_top(self) -> i64:
        """Take the top card and return, as a mask, who knew it from a look (which is public)."""
        self.deck.pop()
        place: i64 = len(self.deck)
        number = self.number_at(place)
        if number:
            self.places = changed(self.places, number - 1, DRAWN)
        knowers: i64 = 0
        for player in range(self.n_players):
            lowest: i64 = self.look_level[player]
            if lowest == NO_LOOK:
                continue
            time: i64 = self.look_time[player]
            if number <= time:
                level = self.level(place, time)
                if level >= lowest:
                    knowers |= 1 << player
                if level <= lowest:
                    self.look_level = changed(self.look_level, player, NO_LOOK)
                    self.look_time = changed(self.look_time, player, 0)
        return knowers

    def number_at(self, place: i64) -> i64:
        """Return the number (from 1) of the kitten at ``place`` if it was put back since the shuffle, else 0."""
        places = self.places
        for index in range(len(places)):
            if places[index] == place:
                return index + 1
        return 0

    def level(self, place: i64, time: i64) -> i64:
        """Return how many of the cards under ``place`` were there before kitten number ``time`` + 1 was put back."""
        places = self.places
        level = place
        for index in range(time, len(places)):
            if DRAWN < places[index] < place:
                level -= 1
        return level

    def is_placed(self, place: i64, viewer: i64) -> bool:
        """Say whether ``viewer`` knows the card at ``place``, be it only between which others it is."""
        number = self.number_at(place)
        if number and self.inserters[number - 1] == viewer:
            return True
        return self.is_looked_at(place, viewer)

    def is_looked_at(self, place: i64, viewer: i64) -> bool:
        """Say whether the card at ``place`` is one that ``viewer`` saw in the last look."""
        lowest: i64 = self.look_level[viewer]
        if lowest == NO_LOOK:
            return False
        time: i64 = self.look_time[viewer]
        number = self.number_at(place)
        return number <= time and self.level(place, time) >= lowest

    def last_floating(self, viewer: i64) -> i64:
        """Return the number of the last kitten put back of which ``viewer`` does not know the place, 0 if there is none."""
        last: i64 = 0
        for index in range(len(self.places)):
            place: i64 = self.places[index]
            if place != DRAWN and not self.is_placed(place, viewer):
                last = index + 1
        return last

    def seen_card(self, place: i64, viewer: i64) -> int:
        """Return the card at ``place`` if ``viewer`` (-1: sees all) is certain that it is there, else -1."""
        if viewer < 0:
            return self.deck[place]
        floating = self.last_floating(viewer)
        number = self.number_at(place)
        if number > floating and self.inserters[number - 1] == viewer:
            return self.deck[place]
        if self.is_looked_at(place, viewer) and floating <= self.look_time[viewer]:
            return self.deck[place]
        return -1

    def deck_knowledge(self, viewer: i64) -> Hashable:
        """Return all that ``viewer`` knows of the pile.

        That is its size, the public facts, the cards looked at, and for each kitten put back its level when that
        happened, if it is known.
        """
        looked: list[tuple[int, int]] = []
        kittens: list[tuple[int, int]] = []
        for place in range(len(self.deck)):
            number = self.number_at(place)
            if self.is_looked_at(place, viewer):
                looked.append((self.deck[place], number))
            elif number:
                known = self.is_placed(place, viewer)
                kittens.append((number, int(self.level(place, number - 1)) if known else -1))
        return (
            len(self.deck),
            self.inserters,
            self.look_level,
            self.look_time,
            tuple(looked),
            tuple(sorted(kittens)),
        )

    def _forget_cards(self, viewer: i64) -> None:
        """Make the cards unseen that ``viewer`` has not seen; a kitten put back is known to be one."""
        deck = self.deck
        for place in range(len(deck)):
            kind = deck[place]
            if kind != UNSEEN and not self.number_at(place) and not self.is_looked_at(place, viewer):
                self.unseen += unit(kind)
                deck[place] = UNSEEN

    def _reveal_looks(self, rng: Rng) -> None:
        """Reveal the cards that any player has looked at."""
        for place in range(min(self.look_level), len(self.deck)):
            if any([self.is_looked_at(place, viewer) for viewer in range(self.n_players)]):
                self.reveal(place, rng)

    def float_kittens(self, viewer: i64, rng: Rng) -> None:
        """Put the kittens that float for ``viewer`` elsewhere, each place being as likely."""
        if not self.last_floating(viewer):
            return
        time: i64 = self.look_time[viewer]
        order: list[int] = []
        seen: list[int] = []
        lowest: i64 = self.look_level[viewer]
        level: i64 = 0
        for place in range(len(self.deck)):
            number = self.number_at(place)
            if number <= time:
                if level >= lowest:
                    seen.append(place)
                elif number == 0:
                    order.append(place)
                level += 1
        # In the order in which they were put back; what was there at the last look, under the cards then seen.
        self._insert_kittens(order, viewer, 1, time, rng)
        order.extend(seen)
        self._insert_kittens(order, viewer, time + 1, len(self.places), rng)
        deck = self.deck
        self.deck = [deck[place] for place in order]
        self.places = tuple([order.index(place) if place != DRAWN else DRAWN for place in self.places])

    def _insert_kittens(self, order: list[int], viewer: i64, first: i64, last: i64, rng: Rng) -> None:
        """Insert the kittens numbered ``first`` to ``last`` that ``viewer`` has not looked at into ``order``."""
        for number in range(first, last + 1):
            place: i64 = self.places[number - 1]
            if place == DRAWN or self.is_looked_at(place, viewer):
                continue
            level = self.level(place, number - 1)
            if self.inserters[number - 1] != viewer:
                level = rng.below(len(order) + 1)
            order.insert(int(level), int(place))

    def draw_card(self, player: i64, rng: Rng) -> None:
        """Draw the top card; a kitten is shown to all and lies before the player."""
        kind = self.reveal(len(self.deck) - 1, rng)
        knowers = self.take_top()
        if kind == EXPLODING_KITTEN:
            self.exploding = player
            if self.recording:
                words = "{player} draws an {items}"
                self.announce(Event("kitten", player, 0.0, (NAMES[kind],), ("pile", "kitten drawn"), "", words))
            return
        self.add(player, kind)
        if self.recording:
            places = ("pile", f"hand of {player}")
            self.announce(Event("drawn", player, 0.0, (NAMES[kind],), places, seen_by=knowers | 1 << player))
        if knowers:
            for viewer in range(self.n_players):
                if viewer != player and knowers >> viewer & 1:
                    self.learn(viewer, player, kind)

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

    def size(self, player: i64) -> i64:
        """Return how many cards ``player`` holds."""
        return size(self.hand(player))

    def count(self, player: i64, kind: i64) -> i64:
        """Return how many cards of ``kind`` are in the hand of ``player``."""
        return count(self.hand(player), kind)

    def lay_down(self, player: i64, kind: i64, copies: i64 = 1) -> None:
        """Put equal cards of ``player`` on the discard pile."""
        if self.recording:
            cards_laid = (NAMES[kind],) * int(copies)
            self.announce(Event("played", player, 0.0, cards_laid, (f"hand of {player}", "discards")))
        card = unit(kind)
        self.discards += copies * card
        self.set_hand(player, self.hand(player) - copies * card)
        known = self.known
        if self.secrets[player] or count(known[player * self.n_players + player], kind):  # else no viewer knows of it
            index = player
            for _viewer in range(self.n_players):
                cards: i64 = known[index]
                number = min(copies, count(cards, kind))
                if number:
                    known[index] = int(cards - number * card)
                index += self.n_players
            self._limit_secrets(player)

    def lay_down_all(self, player: i64) -> None:
        """Put all cards of ``player`` on the discard pile."""
        if self.recording and self.hand(player):
            cards = tuple([NAMES[kind] for kind in listed(self.hand(player))])
            self.announce(Event("discarded", player, 0.0, cards, (f"hand of {player}", "discards")))
        self.discards += self.hand(player)
        self.set_hand(player, 0)
        self.secrets[player] = 0
        for viewer in range(self.n_players):
            self.known[viewer * self.n_players + player] = 0

    def gain_openly(self, player: i64, kind: i64) -> None:
        """Give ``player`` a card that all players see."""
        if self.recording:
            self.announce(Event("placed", player, 0.0, (NAMES[kind],), (f"hand of {player}", "discards")))
        self.add(player, kind)
        index = player
        for _viewer in range(self.n_players):
            self.known[index] = int(self.known[index] + unit(kind))
            index += self.n_players

    def take_openly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Move a card from hand to hand in the open."""
        self.lay_down(victim, kind)
        self.discards -= unit(kind)
        self.gain_openly(taker, kind)

    def take_secretly(self, taker: i64, victim: i64, kind: i64) -> None:
        """Move a card from hand to hand that only these two players see."""
        card = unit(kind)
        self.set_hand(victim, self.hand(victim) - card)
        self._limit_secrets(victim)
        # The taker may go on knowing what the others are no longer certain of.
        public: i64 = self.known[victim * self.n_players + victim]
        doubtful = different(counts(public))
        if doubtful:
            self._add_secrets(victim, taker, doubtful)
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
        if self.recording:
            places = (f"hand of {taker}", f"hand of {victim}")
            self.announce(Event("placed", taker, 0.0, (NAMES[kind],), places, seen_by=1 << taker | 1 << victim))

    def random_card(self, player: i64, rng: Rng) -> i64:
        """Return the kind of a card of ``player``, each card being as likely."""
        hand = self.hand(player)
        return card_at(hand, rng.below(size(hand)))

    def add(self, player: i64, kind: i64) -> None:
        """Put a card into the hand of ``player``; knowledge of it is noted elsewhere."""
        self.set_hand(player, self.hand(player) + unit(kind))

    def _limit_secrets(self, player: i64) -> None:
        """Note that no more can be known of the hand of ``player`` than there is."""
        secrets: i64 = self.secrets[player]
        if secrets:
            self.secrets[player] = int(_limited(secrets, self.size(player)))

    def learn(self, viewer: i64, holder: i64, kind: i64) -> None:
        """Let ``viewer`` know of a card in the hand of ``holder``; that it happens is public."""
        index = viewer * self.n_players + holder
        self.known[index] = int(self.known[index] + unit(kind))
        self._add_secrets(holder, viewer, 1)

    def _add_secrets(self, holder: i64, viewer: i64, number: i64) -> None:
        """Note that ``viewer`` may know ``number`` more cards of ``holder`` than all players do."""
        secrets: i64 = self.secrets[holder]
        self.secrets[holder] = int(secrets + shifted(number, 8 * viewer))

    def _deal_hands(self, player: i64, rng: Rng) -> None:
        """Deal the others' cards that ``player`` does not know from these and the unseen ones; kittens stay in the pile."""
        known = self.known
        mine = player * self.n_players
        kittens = count(self.unseen, EXPLODING_KITTEN) * unit(EXPLODING_KITTEN)
        pool = self.unseen - kittens
        for holder in range(self.n_players):
            if holder != player:
                pool += self.hand(holder) - known[mine + holder]
        for holder in range(self.n_players):
            hand = self.hand(holder)
            if holder == player or hand == 0:
                continue
            certain: i64 = known[mine + holder]
            cards = drawn(pool, size(hand) - size(certain), rng)
            pool -= cards
            self.set_hand(holder, certain + cards)
            if self.secrets[holder]:  # else all players know the same of this hand
                self._draw_secrets(holder, player, rng)
        self.unseen = pool + kittens

    def _draw_secrets(self, holder: i64, player: i64, rng: Rng) -> None:
        """Draw the knowledge of others than ``player`` of the hand of ``holder``, who has just been dealt new cards."""
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
                known += drawn(hidden, rng.below(min(most, size(hidden)) + 1), rng)
            index = viewer * n + holder
            if self.known[index] != known:
                self.known[index] = int(known)

    def known_cards(self, holder: i64, viewer: i64) -> list[int]:
        """Return the cards of ``holder`` that ``viewer`` (-1: sees all) knows, in order."""
        if viewer < 0 or viewer == holder:
            return listed(self.hand(holder))
        return listed(self.known[viewer * self.n_players + holder])

    def components(self) -> list[Component]:
        n = int(self.n_players)
        seen = [
            sum([1 << viewer for viewer in range(n) if self.seen_card(place, viewer) >= 0])
            for place in range(len(self.deck))
        ]
        unseen = iter(listed(self.unseen))
        cards = [CARDS[next(unseen) if card == UNSEEN else card] for card in self.deck]
        pile = PartiallyObservableDeck("pile", cards, n, visibility=HIDDEN_TO_ALL, seen=seen)
        discards = [CARDS[kind] for kind in listed(self.discards)]
        found: list[Component] = [pile, Deck("discards", discards)]
        for player in range(n):
            found.append(_hand_of(self, player))
        if self.exploding >= 0:
            found.append(Deck("kitten drawn", [CARDS[EXPLODING_KITTEN]], self.exploding))
        return found

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to decide"
        if not self.is_terminal and self.due > 1:
            shown += f" (player {self.turn_player} takes {self.due} turns)"
        kittens = self.n_players - len(self.out) - 1 - (1 if self.exploding >= 0 else 0)
        lines = [f"{shown}; {len(self.deck)} cards in the pile, {kittens} of them kittens"]
        if self.exploding >= 0:
            lines[0] += f"; player {self.exploding} has drawn a kitten"
        pile = _pile_text(self, viewer)
        if pile:
            lines.append(f"pile from the top: {pile}")
        numbers = [int(count(self.discards, kind)) for kind in range(N_KINDS)]
        discards = [f"{numbers[kind]} {NAMES[kind]}" for kind in range(N_KINDS) if numbers[kind]]
        lines.append(f"discards: {', '.join(discards) if discards else 'none'}")
        for player in range(self.n_players):
            lines.append(_hand_text(self, player, viewer))
        return "\n".join(lines)


def _limited(secrets: i64, most: i64) -> i64:
    """Return ``secrets``, eight bits each, none of them larger than ``most``."""
    found: i64 = 0
    shift: i64 = 0
    while secrets >> shift:
        found |= min(secrets >> shift & 255, most) << shift
        shift += 8
    return found


def _pile_text(state: ExplodingKittensState, viewer: i64) -> str:
    """Return the pile down to the deepest card that ``viewer`` knows, nothing if there is none."""
    cards = [state.seen_card(place, viewer) for place in range(len(state.deck) - 1, -1, -1)]
    while cards and cards[-1] < 0:
        cards.pop()
    return ", ".join([NAMES[card] if card >= 0 else "?" for card in cards])


def _hand_text(state: ExplodingKittensState, player: i64, viewer: i64) -> str:
    if not state.alive >> player & 1:
        return f"player {player}  exploded as number {state.out.index(int(player)) + 1}"
    cards = state.known_cards(player, viewer)
    unknown = int(state.size(player)) - len(cards)
    hidden = f"{unknown} unknown" if unknown else ""
    seen = ", ".join([NAMES[card] for card in cards]) if cards else "" if unknown else "none"
    return f"player {player}  {', '.join([part for part in (seen, hidden) if part])}"


def _hand_of(state: ExplodingKittensState, player: int) -> Component:
    cards = [CARDS[card] for card in state.known_cards(player, player)]
    hand = PartiallyObservableDeck(f"hand of {player}", cards, state.n_players, player, VISIBLE_TO_OWNER)
    for viewer in range(state.n_players):
        hand.show_items([CARDS[card] for card in state.known_cards(player, viewer)], viewer)
    return hand
