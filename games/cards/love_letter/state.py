"""The state of Love Letter: cards, tokens, and who has seen which hand."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import permutations
from typing import Any, Final, cast, final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.games.cards.love_letter.data import ALL_CARDS, BITS, CARDS, COUNTESS, KING, NAMES, NO_CARD, PRINCE

#: Bits of a holder in a set of barred cards.
_BARS: Final = 10
#: Deals that are drawn before all possible ones are listed.
_TRIES: Final = 64
#: Bits of a holder in a set of pairs, and of a card in the discards.
_ROW: Final = 4
_CARD: Final = 15
#: Viewer 0 of each holder in a set of pairs.
_COLUMN: Final = 0x1111


@final
class Tie:
    """Public knowledge of two hands that were equal under the Baron; treated as immutable, and shared by copies of a state.

    A side is the card that one of the two players held. Its holder may have laid it down since: other players cannot tell
    a card from the hand from one just drawn.

    Attributes:
        holders: who holds each side's hand.
        laid: for each side, the set of cards that may be the tied one and were laid down since; 0 while it is held.
        held: for each side, the set of cards that the tied one may be if it is still held.
    """

    def __init__(self, holders: tuple[int, int], laid: tuple[int, int], held: tuple[int, int]) -> None:
        self.holders = holders
        self.laid = laid
        self.held = held

    def copy(self) -> Tie:
        """Return the same for an observation, which is its player's to change."""
        return Tie(self.holders, self.laid, self.held)

    @property
    def is_whole(self) -> bool:
        """Say whether both hands are still held, and so are equal."""
        return self.laid[0] == 0 and self.laid[1] == 0

    def side_of(self, player: i64) -> i64:
        """Return the side, 0 or 1, that ``player`` holds, or -1."""
        if self.holders[0] == player:
            return 0
        return 1 if self.holders[1] == player else -1

    def is_possible(self, hands: list[int]) -> bool:
        """Say whether ``hands`` may have come of it: one card may be the tied one of both sides."""
        one = self.laid[0] | (BITS[hands[self.holders[0]]] & self.held[0])
        other = self.laid[1] | (BITS[hands[self.holders[1]]] & self.held[1])
        return one & other != 0

    def after_play(self, side: i64, card: i64, barred: i64) -> Tie | None:
        """Return the tie after ``card`` was laid down from ``side``, which held none of the set ``barred``.

        None is left once both sides may have laid the tied card down.
        """
        held: i64 = self.held[side] & ~barred
        laid = self.laid[side] | (BITS[card] & held)
        other = 1 - side
        if laid & self.laid[other]:
            return None
        both_laid = (int(laid), self.laid[1]) if side == 0 else (self.laid[0], int(laid))
        both_held = (int(held), self.held[1]) if side == 0 else (self.held[0], int(held))
        return Tie(self.holders, both_laid, both_held)

    def after_trade(self, player: i64, other: i64) -> Tie:
        """Return the tie after two players have traded hands."""
        one, two = self.holders
        return Tie((_traded(one, player, other), _traded(two, player, other)), self.laid, self.held)

    def barred_by(self, side: i64, candidates: i64) -> i64:
        """Return the set of cards that the hand of ``side`` cannot be if the other side's tied card is in ``candidates``."""
        if self.laid[side] == 0:
            return ALL_CARDS & ~candidates
        return 0 if self.laid[side] & candidates else ALL_CARDS & ~(candidates & self.held[side])

    def key(self) -> tuple[object, ...]:
        return (self.holders, self.laid, self.held)

    def __reduce__(self) -> Any:
        return (Tie, (self.holders, self.laid, self.held))


def _traded(holder: int, player: i64, other: i64) -> int:
    """Return who holds the hand of ``holder`` after a trade."""
    if holder == player:
        return int(other)
    return int(player) if holder == other else holder


@mypyc_attr(allow_interpreted_subclasses=True)
class LoveLetterState(GameState):
    """One position of a round, and the tokens won so far.

    Each player has one card in hand; the player whose turn it is has a second one, just drawn. Who has seen a hand knows
    it until its holder plays a card of that value (which of two equal cards it was cannot be told) or discards it; a
    traded hand takes its knowers along. Sets of players are bit masks; in sets of pairs (holder, viewer) each holder has
    a row of four bits, one for each viewer.

    Attributes:
        goal: tokens that win the game.
        deck: the cards to draw, the top one last.
        removed: the card removed face down at the start of the round, 0 once a Prince has made a player take it.
        face_up: the cards removed face up.
        hands: each player's card, 0 when out of the round. One integer for all would save a search 5 % of its instructions,
            but `tag check` finds a card that is never dealt by exchanging single values.
        drawn: the second card of the player whose turn it is, 0 while none is.
        known: the hands known to other players: pairs (holder, viewer).
        public: those of them that are certain to all players.
        doubtful: those who have seen a hand from which a card was played since: only the holder and the viewer can tell
            whether they still know it.
        discards: the cards played and discarded, in order, each as ``16 * player + card`` (`discards_of`).
        alive: who is still in the round.
        protected: who is under the Handmaid's protection.
        tokens: each player's tokens of affection.
    """

    def __init__(self, n_players: i64, goal: i64, deck: list[int], hands: list[int], discards: list[int]) -> None:
        super().__init__(n_players)
        self.goal = goal
        self.deck = deck
        self.removed: i64 = NO_CARD
        self.face_up: tuple[int, ...] = ()
        self.hands = hands
        self.drawn: i64 = NO_CARD
        self.known: i64 = 0
        self.public: i64 = 0
        self.doubtful: i64 = 0
        self.barred: i64 = 0
        self.ties: tuple[Tie, ...] = ()
        self.discards = discards
        self.alive: i64 = (1 << n_players) - 1
        self.protected: i64 = 0
        self.tokens: tuple[int, ...] = ()

    def copy(self) -> LoveLetterState:
        """Copy the lists; their items and the rest are immutable."""
        other = LoveLetterState(self.n_players, self.goal, self.deck[:], self.hands[:], self.discards[:])
        self.copy_to(other)
        other.removed = self.removed
        other.face_up = self.face_up
        other.drawn = self.drawn
        other.known = self.known
        other.public = self.public
        other.doubtful = self.doubtful
        other.barred = self.barred
        other.ties = self.ties
        other.alive = self.alive
        other.protected = self.protected
        other.tokens = self.tokens
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the deck, the card removed, and the hands that ``player`` does not know.

        All arrangements of these cards that contradict no public fact are as likely. Of what others know of a third player's
        hand, what is certain to all stays, and each doubt is settled by the toss of a coin.
        """
        self._copy_ties()
        seen = self.known >> player & _COLUMN  # bit 4 * holder: whether the player knows that hand
        self.known = self._settled(player, rng)
        hands = self.hands
        pool = self.deck
        for holder in range(self.n_players):
            if holder != player and hands[holder] != NO_CARD and not seen >> _ROW * holder & 1:
                pool.append(hands[holder])
        hides_drawn = self.drawn != NO_CARD and self.current_player != player
        if hides_drawn:
            pool.append(int(self.drawn))
        if self.removed != NO_CARD:
            pool.append(int(self.removed))
        pool.sort()  # so that the deal follows from what the player knows, and not from the true one
        rng.shuffle(pool)
        for holder in range(self.n_players):
            if holder != player and hands[holder] != NO_CARD and not seen >> _ROW * holder & 1:
                hands[holder] = pool.pop()
        if (self.barred != 0 or self.ties) and not self._is_possible():
            self._deal_possible(player, seen, pool, rng)
        if hides_drawn:
            self.drawn = pool.pop()
        if self.removed != NO_CARD:
            self.removed = pool.pop()

    def match_chance(self, seen: GameState, player: i64) -> float:
        """Draw the card that ``player`` has drawn in ``seen`` from those that no one has seen."""
        other = cast("LoveLetterState", seen)
        wanted = other.drawn
        if other.current_player != player or self.current_player != player or NO_CARD in (self.drawn, wanted):
            return 1.0
        hidden = [*self.deck, int(self.removed), int(self.drawn)]
        count = hidden.count(int(wanted))
        if count == 0 or self.drawn == wanted:
            return float(count)
        if self.removed == wanted:
            self.removed = self.drawn
        else:
            self.deck[self.deck.index(int(wanted))] = int(self.drawn)
        self.drawn = wanted
        return float(count)

    def _deal_possible(self, player: i64, seen: i64, pool: list[int], rng: Rng) -> None:
        """Deal the hands that ``player`` does not know again, each possible deal with the ``pool`` being as likely.

        Cards are drawn until they are possible; after 64 refusals one of all possible deals is drawn, which is as likely. A
        position laid out by hand may have none: then any cards are dealt.
        """
        hands = self.hands
        hidden: list[int] = []
        for holder in range(self.n_players):
            if holder != player and hands[holder] != NO_CARD and not seen >> _ROW * holder & 1:
                hidden.append(int(holder))
                pool.append(hands[holder])
        size: i64 = len(pool)
        for _try in range(_TRIES):
            last = size
            for index in range(len(hidden)):
                chosen = rng.below(last)
                last -= 1
                card = pool[chosen]
                pool[chosen] = pool[last]
                pool[last] = card
                hands[hidden[index]] = card
            if self._is_possible():
                del pool[last:]
                rng.shuffle(pool)
                return
        places = list(range(int(size - len(hidden)), int(size)))
        deals = self._possible_places(hidden, pool)
        if deals:
            places = deals[rng.below(len(deals))]
        for index in range(len(hidden)):
            hands[hidden[index]] = pool[places[index]]
        for place in sorted(places, reverse=True):
            pool.pop(place)
        rng.shuffle(pool)

    def _copy_ties(self) -> None:
        """Share no tie with the origin of an observation, which is its player's to change."""
        if self.ties:
            self.ties = tuple([tie.copy() for tie in self.ties])

    def _possible_places(self, hidden: list[int], pool: list[int]) -> list[list[int]]:
        """Return all possible deals, each as the places in ``pool`` of the cards of ``hidden``."""
        found: list[list[int]] = []
        for places in permutations(range(len(pool)), len(hidden)):
            for index in range(len(hidden)):
                self.hands[hidden[index]] = pool[places[index]]
            if self._is_possible():
                found.append(list(places))
        return found

    def _is_possible(self) -> bool:
        hands = self.hands
        barred = self.barred
        holder: i64 = 0
        while barred:  # ends with the last hand of which anything is certain
            card: i64 = hands[holder]
            if barred >> card & 1:
                return False
            barred >>= _BARS
            holder += 1
        for tie in self.ties:  # noqa: SIM110  a generator is slow, and compiled calls of it more so
            if not tie.is_possible(hands):
                return False
        return True

    def _settled(self, player: i64, rng: Rng) -> i64:
        """Return the pairs of whom ``player`` is certain, and each of the uncertain ones if a coin says so."""
        certain = self._certain(player)
        return certain | self._uncertain(player) & rng.next32() if self.doubtful else certain

    def _certain(self, player: i64) -> i64:
        """Return the pairs (holder, viewer) of whom ``player`` is certain that the viewer knows the hand."""
        return (self.known & (_row(player) | _COLUMN << player)) | self.public

    def _uncertain(self, player: i64) -> i64:
        """Return the pairs (holder, viewer) of whom ``player`` cannot tell whether the viewer knows the hand."""
        return self.doubtful & ~(_row(player) | _COLUMN << player)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: public facts, the cards seen, and the sure knowledge of others."""
        return (
            self.basic_knowledge(player),
            len(self.deck),
            self.removed != NO_CARD,
            self.face_up,
            tuple([self.seen_hand(holder, player) for holder in range(self.n_players)]),
            int(self.drawn) if self.current_player == player else NO_CARD,
            int(self._certain(player)),
            int(self.doubtful),
            int(self.barred),
            tuple([tie.key() for tie in self.ties]),
            tuple([self.discards_of(holder) for holder in range(self.n_players)]),
            int(self.alive),
            int(self.protected),
            self.tokens,
        )

    def play_card(self, card: i64) -> None:
        """Lay one of the current player's two cards face up and keep the other."""
        player = self.current_player
        row = _row(player)
        if card == self.hands[player]:
            self.hands[player] = int(self.drawn)
            self.known &= ~row
        barred: i64 = 0
        if self.barred != 0 or self.ties:
            barred = self._barred(player)
        if not barred & BITS[card]:  # or else it was the card drawn, and all that is known of the hand stays so
            self.doubtful |= self.public & row
            self.public &= ~row
            if self.ties:
                self._loosen(player, card, barred)
            self.barred &= ~_bars(player, ALL_CARDS)
        if card == KING or card == PRINCE:
            self.bar(player, BITS[COUNTESS])
        self.drawn = NO_CARD
        self.discards.append(int(player << _ROW | card))
        if self.recording:
            places = (*self.all_hands(), f"discards of {player}")
            self.announce(Event("played", player, float(card), (NAMES[card],), places))

    def _barred(self, player: i64) -> i64:
        """Return the set of cards that all players know not to be in the hand of ``player``."""
        barred = self.barred >> _BARS * player & ALL_CARDS
        for tie in self.ties:
            side = tie.side_of(player)
            if side >= 0 and tie.laid[side] == 0:
                barred |= tie.barred_by(side, self._candidates(tie, 1 - side))
        return barred

    def _candidates(self, tie: Tie, side: i64) -> i64:
        """Return the set of cards that may be the tied one, as far as ``side`` tells."""
        return tie.laid[side] | (tie.held[side] & ~(self.barred >> _BARS * tie.holders[side]))

    def _loosen(self, player: i64, card: i64, barred: i64) -> None:
        """Keep of the ties of ``player`` what follows from them after ``card`` was played, which may be the tied one."""
        ties: list[Tie] = []
        for tie in self.ties:
            side = tie.side_of(player)
            left: Tie | None = tie if side < 0 else tie.after_play(side, card, barred)
            if left is not None:
                ties.append(left)
        self.ties = tuple(ties)

    def bar(self, holder: i64, cards: i64) -> None:
        """Make public that none of the set ``cards`` is in the hand of ``holder``."""
        self.barred |= _bars(holder, cards)

    def tie(self, player: i64, other: i64) -> None:
        """Make public that two hands are equal; who knows one of them knows both."""
        self.ties += (Tie((int(player), int(other)), (0, 0), (ALL_CARDS, ALL_CARDS)),)
        for viewer in range(self.n_players):
            if viewer != player and viewer != other:
                self._share(player, other, viewer)
                self._share(other, player, viewer)

    def _share(self, holder: i64, twin: i64, viewer: i64) -> None:
        """Let ``viewer`` know the hand of ``twin``, which is equal to that of ``holder``, as certainly as that one."""
        pair, other = _pair(holder, viewer), _pair(twin, viewer)
        if self.known & pair:
            self.known |= other
        if self.public & pair:
            self.public |= other
            self.doubtful &= ~other
        elif self.doubtful & pair and not self.public & other:
            self.doubtful |= other

    def discard(self, player: i64) -> i64:
        """Lay the hand of ``player`` face up, without effect, and return it."""
        card: i64 = self.hands[player]
        row = _row(player)
        self.hands[player] = NO_CARD
        self.known &= ~row
        self.public &= ~row
        self.doubtful &= ~row
        if self.ties:
            self._resolve(player, card)
        self.barred &= ~_bars(player, ALL_CARDS)
        self.discards.append(int(player << _ROW | card))
        return card

    def _resolve(self, player: i64, card: i64) -> None:
        """Turn the ties of ``player``, whose hand turns out to be ``card``, into cards barred from the other hands."""
        ties: list[Tie] = []
        for tie in self.ties:
            side = tie.side_of(player)
            if side < 0:
                ties.append(tie)
            else:
                candidates = tie.laid[side] | (BITS[card] & tie.held[side])
                self.bar(tie.holders[1 - side], tie.barred_by(1 - side, candidates))
        self.ties = tuple(ties)

    def eliminate(self, player: i64, reason: str) -> None:
        """Knock ``player`` out of the round, for a reason that listeners are told."""
        self.alive &= ~(1 << player)
        if self.recording:
            self.announce(Event("eliminated", player, reason=reason, words="{player} is out of the round"))
        if self.hands[player] != NO_CARD:
            card = self.discard(player)
            if self.recording:
                places = (*self.all_hands(), f"discards of {player}")
                self.announce(Event("discarded", player, float(card), (NAMES[card],), places))

    def all_hands(self) -> tuple[str, ...]:
        """Return the names of the hands: what is known of one may follow from what becomes of another."""
        return tuple([f"hand of {player}" for player in range(self.n_players)])

    def announce_hand(self, holder: i64, viewer: i64) -> None:
        """Announce that ``viewer`` is shown the hand of ``holder``."""
        card = self.hands[holder]
        words = f"{{player}} shows {{items}} to player {viewer}"
        seen_by = 1 << holder | 1 << viewer
        self.announce(
            Event("revealed", holder, float(card), (NAMES[card],), self.all_hands(), "", words, "card", seen_by)
        )

    def announce_drawn(self, player: i64, card: i64, source: str) -> None:
        """Announce that ``player`` has drawn a card from ``source``, a component."""
        places = (source, f"hand of {player}")
        self.announce(Event("drawn", player, float(card), (NAMES[card],), places, seen_by=1 << player))

    def show(self, holder: i64, viewer: i64) -> None:
        """Show the hand of ``holder``, and so one that is equal to it, to ``viewer``, which all players notice."""
        pair = _pair(holder, viewer)
        for tie in self.ties:
            side = tie.side_of(holder)
            if side >= 0 and tie.is_whole and tie.holders[1 - side] != viewer:
                pair |= _pair(tie.holders[1 - side], viewer)
        self.known |= pair
        self.public |= pair
        self.doubtful &= ~pair

    def draw(self, player: i64) -> None:
        """Give ``player`` the top card of the deck, or of an empty deck the card removed at the start."""
        if self.deck:
            self.hands[player] = self.deck.pop()
        else:
            self.hands[player] = int(self.removed)
            self.removed = NO_CARD

    def trade(self, player: i64, other: i64) -> None:
        """Swap two hands; who knew a card still knows it, and both players know both."""
        hands = self.hands
        hands[player], hands[other] = hands[other], hands[player]
        own = ~(_pair(player, player) | _pair(other, other))
        self.known = _swapped(self.known, player, other) & own
        self.public = _swapped(self.public, player, other) & own
        self.doubtful = _swapped(self.doubtful, player, other) & own
        if self.barred:
            one, two = self.barred >> _BARS * player & ALL_CARDS, self.barred >> _BARS * other & ALL_CARDS
            self.barred ^= _bars(player, one ^ two) ^ _bars(other, one ^ two)
        if self.ties:
            self.ties = tuple([tie.after_trade(player, other) for tie in self.ties])
        self.show(player, other)
        self.show(other, player)

    def knows(self, viewer: i64, holder: i64) -> bool:
        """Say whether ``viewer`` knows the hand of ``holder``."""
        return viewer == holder or self.known & _pair(holder, viewer) != 0

    def score(self, player: i64) -> float:
        return float(self.tokens[player])

    def discards_of(self, player: i64) -> tuple[int, ...]:
        """Return the cards played and discarded by ``player``, in order."""
        return tuple([discard & _CARD for discard in self.discards if discard >> _ROW == player])

    def seen_hand(self, holder: i64, viewer: i64) -> int:
        """Return the card in the hand of ``holder`` if ``viewer`` (-1: sees all) knows it, else 0."""
        return self.hands[holder] if viewer < 0 or self.knows(viewer, holder) else NO_CARD

    def components(self) -> list[Component]:
        removed = [int(self.removed)] if self.removed != NO_CARD else []
        found: list[Component] = [
            Deck("deck", _cards(self.deck), visibility=HIDDEN_TO_ALL),
            Deck("removed", _cards(removed), visibility=HIDDEN_TO_ALL),
            Deck("face up", _cards([*self.face_up])),
        ]
        for player in range(self.n_players):
            found.append(_hand(self, player))
            found.append(Deck(f"discards of {player}", _cards([*self.discards_of(player)]), player))
            found.append(Counter(f"tokens of {player}", self.tokens[player], owner=player))
        return found

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to play"
        lines = [f"Round {self.round + 1}, {shown}; {len(self.deck)} cards in the deck"]
        if self.face_up:
            lines[0] += f"; removed: {_names(self.face_up)}"
        for player in range(self.n_players):
            lines.append(_player_text(self, player, viewer))
        return "\n".join(lines)


def _row(holder: i64) -> i64:
    """Return all pairs of ``holder``."""
    return 15 << (_ROW * holder)


def _bars(holder: i64, cards: i64) -> i64:
    """Return the set ``cards`` in the place of ``holder``."""
    return cards << (_BARS * holder)


def _pair(holder: i64, viewer: i64) -> i64:
    """Return the pair of ``holder`` and ``viewer``."""
    return 1 << (_ROW * holder + viewer)


def _swapped(pairs: i64, one: i64, other: i64) -> i64:
    """Return ``pairs`` with the rows of two holders swapped."""
    change = ((pairs >> (_ROW * one)) ^ (pairs >> (_ROW * other))) & 15
    return pairs ^ (change << (_ROW * one)) ^ (change << (_ROW * other))


def _hand(state: LoveLetterState, player: i64) -> Component:
    cards = [state.hands[player]] if state.hands[player] != NO_CARD else []
    knowers = sum([1 << viewer for viewer in range(int(state.n_players)) if state.knows(viewer, player)])
    seen = [knowers] * len(cards)
    if state.drawn != NO_CARD and player == state.current_player:
        cards.append(int(state.drawn))
        seen.append(1 << int(player))
    return PartiallyObservableDeck(
        f"hand of {player}", _cards(cards), state.n_players, player, VISIBLE_TO_OWNER, seen=seen
    )


def _player_text(state: LoveLetterState, player: i64, viewer: i64) -> str:
    hand = "out"
    if state.hands[player] != NO_CARD:
        hand = _name(state.seen_hand(player, viewer))
        if player == state.current_player and state.drawn != NO_CARD:
            hand += f" + {_name(state.drawn if viewer < 0 or viewer == player else NO_CARD)}"
    text = f"player {player}  tokens {state.tokens[player]}/{state.goal}  hand {hand}"
    if state.protected >> player & 1 and state.alive >> player & 1:
        text += " (protected)"
    return f"{text}  discards {_names(state.discards_of(player))}"


def _name(card: i64) -> str:
    return "?" if card == NO_CARD else NAMES[card]


def _names(cards: tuple[int, ...]) -> str:
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"


def _cards(values: list[int]) -> list[Card]:
    return [CARDS[value] for value in values]
