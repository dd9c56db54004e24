"""The state of Love Letter: who holds what, and who knows it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.love_letter.cards import CARDS, COUNTESS, KING, N_KINDS, NAMES, NO_CARD, PRINCE, PRINCESS
from games.love_letter.dealing import BARS, deal_possible, is_possible
from games.love_letter.ties import ALL_CARDS, BITS, Tie
from games.love_letter.weights import DEFAULT_WEIGHTS, Weights
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.rng import Rng
from tag.state import GameState

_TOP_VALUE: Final = float(PRINCESS)

#: Bits of a holder in a set of pairs.
_ROW: Final = 4
#: Viewer 0 of each holder in a set of pairs.
_COLUMN: Final = 0x1111


@mypyc_attr(allow_interpreted_subclasses=True)
class LoveLetterState(GameState):
    """One position of a round, and the tokens won so far.

    Everybody has one card in hand; the player whose turn it is has a second one, just drawn. Who has seen a hand knows
    it until its holder plays a card of that value (which of two equal cards it was cannot be told) or discards it; a
    traded hand takes its knowers along. Sets of players are bit masks; in sets of pairs (holder, viewer) each holder has
    a row of four bits, one for each viewer.

    Attributes:
        goal: tokens that win the game.
        deck: the cards to draw, the top one last.
        removed: the card removed face down at the start of the round, 0 once a Prince has made somebody take it.
        face_up: the cards removed face up.
        hands: each player's card, 0 when out of the round.
        drawn: the second card of the player whose turn it is, 0 while none is.
        known: who knows whose hand, beside its holder: pairs (holder, viewer).
        public: those of them of whom everybody can be certain.
        doubtful: those who have seen a hand from which a card was played since: only the holder and the viewer can tell
            whether they still know it.
        discards: for each player, the cards played and discarded, in order.
        alive: who is still in the round.
        protected: who is under the Handmaid's protection.
        tokens: each player's tokens of affection.
    """

    def __init__(
        self, n_players: i64, goal: i64, deck: list[int], hands: list[int], discards: list[tuple[int, ...]]
    ) -> None:
        """Take the lists over; a round is dealt by the forward model."""
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

    # --- copies and observations -----------------------------------------------------------------------------------

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
        self.known = self._certain(player) | (self._uncertain(player) & rng.next32() if self.doubtful else 0)
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
        rng.shuffle(pool)
        for holder in range(self.n_players):
            if holder != player and hands[holder] != NO_CARD and not seen >> _ROW * holder & 1:
                hands[holder] = pool.pop()
        if (self.barred or self.ties) and not is_possible(self):
            deal_possible(self, player, seen, pool, rng)
        if hides_drawn:
            self.drawn = pool.pop()
        if self.removed != NO_CARD:
            self.removed = pool.pop()

    def _copy_ties(self) -> None:
        """Share no tie with the origin of an observation, which is its player's to change."""
        if self.ties:
            self.ties = tuple([tie.copy() for tie in self.ties])

    def _certain(self, player: i64) -> i64:
        """Return the pairs (holder, viewer) of whom ``player`` is certain that the viewer knows the hand."""
        return (self.known & (_row(player) | _COLUMN << player)) | self.public

    def _uncertain(self, player: i64) -> i64:
        """Return the pairs (holder, viewer) of whom ``player`` cannot tell whether the viewer knows the hand."""
        return self.doubtful & ~(_row(player) | _COLUMN << player)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the cards seen, and who is sure to have seen what."""
        return (
            int(player),
            int(self.current_player),
            int(self.first_player),
            int(self.round),
            int(self.turn),
            self.is_terminal,
            self.results,
            len(self.deck),
            self.removed != NO_CARD,
            self.face_up,
            tuple([self.seen_hand(holder, player) for holder in range(self.n_players)]),
            int(self.drawn) if self.current_player == player else NO_CARD,
            int(self._certain(player)),
            int(self.doubtful),
            int(self.barred),
            tuple([tie.key() for tie in self.ties]),
            tuple(self.discards),
            int(self.alive),
            int(self.protected),
            self.tokens,
        )

    # --- what cards do ---------------------------------------------------------------------------------------------

    def play_card(self, card: i64) -> None:
        """Lay one of the current player's two cards face up and keep the other."""
        player = self.current_player
        row = _row(player)
        if card == self.hands[player]:
            self.hands[player] = int(self.drawn)
            self.known &= ~row
        barred = self._barred(player) if self.barred or self.ties else 0
        if not barred & BITS[card]:  # or else it was the card drawn, and all that is known of the hand stays so
            self.doubtful |= self.public & row
            self.public &= ~row
            if self.ties:
                self._loosen(player, card, barred)
            self.barred &= ~_bars(player, ALL_CARDS)
        if card == KING or card == PRINCE:
            self.bar(player, BITS[COUNTESS])
        self.drawn = NO_CARD
        self.discards[player] += (int(card),)

    def _barred(self, player: i64) -> i64:
        """Return the set of cards that everybody is certain not to be in the hand of ``player``."""
        barred = self.barred >> BARS * player & ALL_CARDS
        for tie in self.ties:
            side = tie.side_of(player)
            if side >= 0 and tie.laid[side] == 0:
                barred |= tie.barred_by(side, self._candidates(tie, 1 - side))
        return barred

    def _candidates(self, tie: Tie, side: i64) -> i64:
        """Return the set of cards that may be the tied one, as far as ``side`` tells."""
        return tie.laid[side] | (tie.held[side] & ~(self.barred >> BARS * tie.holders[side]))

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
        """Let everybody know that none of the set ``cards`` is in the hand of ``holder``."""
        self.barred |= _bars(holder, cards)

    def tie(self, player: i64, other: i64) -> None:
        """Let everybody know that two hands are equal; who knows one of them knows both."""
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

    def discard(self, player: i64) -> int:
        """Lay the hand of ``player`` face up, without effect, and return it."""
        card = self.hands[player]
        self.hands[player] = NO_CARD
        row = _row(player)
        self.known &= ~row
        self.public &= ~row
        self.doubtful &= ~row
        if self.ties:
            self._resolve(player, card)
        self.barred &= ~_bars(player, ALL_CARDS)
        self.discards[player] += (card,)
        return card

    def _resolve(self, player: i64, card: int) -> None:
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

    def eliminate(self, player: i64) -> None:
        """Knock ``player`` out of the round."""
        self.alive &= ~(1 << player)
        if self.hands[player] != NO_CARD:
            self.discard(player)

    def show(self, holder: i64, viewer: i64) -> None:
        """Show the hand of ``holder``, and so one that is equal to it, to ``viewer``, which everybody notices."""
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
            one, two = self.barred >> BARS * player & ALL_CARDS, self.barred >> BARS * other & ALL_CARDS
            self.barred ^= _bars(player, one ^ two) ^ _bars(other, one ^ two)
        if self.ties:
            self.ties = tuple([tie.after_trade(player, other) for tie in self.ties])
        self.show(player, other)
        self.show(other, player)

    def knows(self, viewer: i64, holder: i64) -> bool:
        """Say whether ``viewer`` knows the hand of ``holder``."""
        return viewer == holder or self.known & _pair(holder, viewer) != 0

    # --- values ----------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return the tokens of affection."""
        return float(self.tokens[player])

    def heuristic(self, player: i64) -> float:
        """Return the TAG report's heuristic with its own weights."""
        return self.weighted(player, DEFAULT_WEIGHTS)

    def weighted(self, player: i64, weights: Weights) -> float:
        """Weigh hand and tokens of ``player``, in [-1, 1]; what is hidden from the player does not count."""
        if self.is_terminal:
            return self.result_value(player)
        card = self.hands[player]
        value = weights.holding[card]
        in_hand = weights.values[card]
        highest = 1.0 if card == NO_CARD else 1.0 + _TOP_VALUE
        if self.drawn != NO_CARD and self.current_player == player:
            value += weights.holding[self.drawn]
            in_hand += weights.values[self.drawn]
            highest += _TOP_VALUE
        value += weights.cards * in_hand / highest
        value += weights.affection * float(self.tokens[player]) / float(self.goal)
        if weights.hidden != 0.0 or weights.advantage != 0.0:
            value += self._weighted_rivals(player, weights)
        return max(-1.0, min(1.0, value))

    def _weighted_rivals(self, player: i64, weights: Weights) -> float:
        """Weigh how ``player`` stands beside the others."""
        best: i64 = 0
        unaware: i64 = 0
        for rival in range(self.n_players):
            if rival != player:
                best = max(best, self.tokens[rival])
                if not self.knows(rival, player):
                    unaware += 1
        hidden = float(unaware) / float(self.n_players - 1) if self.hands[player] != NO_CARD else 0.0
        lead = float(self.tokens[player] - best) / float(self.goal)
        return weights.hidden * hidden + weights.advantage * lead

    # --- for people and analysis -----------------------------------------------------------------------------------

    def seen_hand(self, holder: i64, viewer: i64) -> int:
        """Return the card in the hand of ``holder`` if ``viewer`` (-1: anybody) knows it, else 0."""
        return self.hands[holder] if viewer < 0 or self.knows(viewer, holder) else NO_CARD

    def features(self, player: i64) -> dict[str, float]:
        """Return own cards, cards out of play, and for each player (0: oneself, 1: the next …) what can be seen."""
        mine = [self.hands[player], int(self.drawn) if self.current_player == player else NO_CARD]
        gone = [*self.face_up]
        for pile in self.discards:
            gone.extend(pile)
        found = {"deck": float(len(self.deck)), "my_turn": float(self.current_player == player)}
        for card in range(1, N_KINDS + 1):
            found[f"hand_{NAMES[card].lower()}"] = float(mine.count(card))
            found[f"gone_{NAMES[card].lower()}"] = float(gone.count(card))
        for offset in range(self.n_players):
            seat = (player + offset) % self.n_players
            found[f"tokens_{offset}"] = float(self.tokens[seat]) / float(self.goal)
            found[f"alive_{offset}"] = float(self.alive >> seat & 1)
            found[f"protected_{offset}"] = float(self.protected >> seat & 1)
            found[f"discarded_{offset}"] = float(sum(self.discards[seat]))
            if offset:
                found[f"known_{offset}"] = float(self.seen_hand(seat, player))
                found[f"knows_me_{offset}"] = float(self.knows(seat, player))
        return found

    def components(self) -> list[Component]:
        """Return the cards in their places, and the tokens."""
        removed = [int(self.removed)] if self.removed != NO_CARD else []
        found: list[Component] = [
            Deck("deck", _cards(self.deck), visibility=HIDDEN_TO_ALL),
            Deck("removed", _cards(removed), visibility=HIDDEN_TO_ALL),
            Deck("face up", _cards([*self.face_up])),
        ]
        for player in range(self.n_players):
            found.append(self._hand(player))
            found.append(Deck(f"discards of {player}", _cards([*self.discards[player]]), player))
            found.append(Counter(f"tokens of {player}", self.tokens[player], owner=player))
        return found

    def _hand(self, player: i64) -> Component:
        """Return the cards in hand, each with who knows it."""
        cards = [self.hands[player]] if self.hands[player] != NO_CARD else []
        knowers = sum([1 << viewer for viewer in range(int(self.n_players)) if self.knows(viewer, player)])
        seen = [knowers] * len(cards)
        if self.drawn != NO_CARD and player == self.current_player:
            cards.append(int(self.drawn))
            seen.append(1 << int(player))
        hand = PartiallyObservableDeck(f"hand of {player}", _cards(cards), self.n_players, player, VISIBLE_TO_OWNER)
        hand.seen = seen
        return hand

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it, unknown cards as question marks."""
        shown = "over" if self.is_terminal else f"player {self.current_player} to play"
        lines = [f"Round {self.round + 1}, {shown}; {len(self.deck)} cards in the deck"]
        if self.face_up:
            lines[0] += f"; removed: {_names(self.face_up)}"
        for player in range(self.n_players):
            lines.append(self._player_text(player, viewer))
        return "\n".join(lines)

    def _player_text(self, player: i64, viewer: i64) -> str:
        hand = "out"
        if self.hands[player] != NO_CARD:
            hand = _name(self.seen_hand(player, viewer))
            if player == self.current_player and self.drawn != NO_CARD:
                hand += f" + {_name(self.drawn if viewer < 0 or viewer == player else NO_CARD)}"
        text = f"player {player}  tokens {self.tokens[player]}/{self.goal}  hand {hand}"
        if self.protected >> player & 1 and self.alive >> player & 1:
            text += " (protected)"
        return f"{text}  discards {_names(self.discards[player])}"

    def __str__(self) -> str:
        return self.text(-1)


def _row(holder: i64) -> i64:
    """Return all pairs of ``holder``."""
    return 15 << (_ROW * holder)


def _bars(holder: i64, cards: i64) -> i64:
    """Return the set ``cards`` in the place of ``holder``."""
    return cards << (BARS * holder)


def _pair(holder: i64, viewer: i64) -> i64:
    """Return the pair of ``holder`` and ``viewer``."""
    return 1 << (_ROW * holder + viewer)


def _swapped(pairs: i64, one: i64, other: i64) -> i64:
    """Return ``pairs`` with the rows of two holders swapped."""
    change = ((pairs >> (_ROW * one)) ^ (pairs >> (_ROW * other))) & 15
    return pairs ^ (change << (_ROW * one)) ^ (change << (_ROW * other))


def _name(card: i64) -> str:
    return "?" if card == NO_CARD else NAMES[card]


def _names(cards: tuple[int, ...]) -> str:
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"


def _cards(values: list[int]) -> list[Card]:
    return [CARDS[value] for value in values]
