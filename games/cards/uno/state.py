"""The state of Uno: hands, piles, the card to match, and the hands seen by other players."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.games.cards.uno.data import (
    CARDS,
    COLOURS,
    N_COLOURS,
    N_SYMBOLS,
    NAMES,
    NO_CARD,
    NO_SYMBOL,
    WILD,
    WILD_DRAW_FOUR,
    CardSet,
)

#: Phases: a turn begins; a card has been drawn, to play or keep; the colour of a wild turned up has to be named.
TURN: Final = 0
DRAWN: Final = 1
NAMING: Final = 2

_KEYS: Final[list[str]] = [name.replace(" ", "_") for name in NAMES]


@final
class Sighting:
    """The cards left of a hand that a player has seen; treated as immutable, and shared by copies of a state.

    Since equal cards look the same, a card played from the hand is taken to be the one seen if there was one. Third players
    cannot tell whether a card played was seen, or drawn since: hence the fewest and the most.

    Attributes:
        viewer: who has seen it.
        holder: whose hand it was.
        fewest: the fewest cards of it that are still held, as far as all players can tell.
        most: the most.
        cards: the cards of it that are still held.
    """

    def __init__(self, viewer: i64, holder: i64, fewest: i64, most: i64, cards: CardSet) -> None:
        self.viewer = viewer
        self.holder = holder
        self.fewest = fewest
        self.most = most
        self.cards = cards

    def copy(self) -> Sighting:
        """Return the same for an observation, which is its player's to change."""
        return Sighting(self.viewer, self.holder, self.fewest, self.most, self.cards.copy())

    def concerns(self, player: i64) -> bool:
        """Say whether ``player`` knows which cards these are: who has seen them, or holds them."""
        return player == self.viewer or player == self.holder

    def knowledge(self, player: i64) -> tuple[object, ...]:
        """Return the knowledge of ``player`` about the hand."""
        public = (int(self.viewer), int(self.holder), int(self.fewest), int(self.most))
        return (*public, self.cards.words()) if self.concerns(player) else public

    def after_play(self, card: i64, size: i64) -> Sighting:
        """Return the knowledge after the holder has played ``card``, and has ``size`` cards left."""
        cards = self.cards.copy()
        if cards.count(card):
            cards.remove(card)
        return Sighting(self.viewer, self.holder, max(0, self.fewest - 1), min(self.most, size), cards)

    def __reduce__(self) -> Any:
        return (Sighting, (int(self.viewer), int(self.holder), int(self.fewest), int(self.most), self.cards))


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoState(GameState):
    """One position of a round, and the points so far.

    The draw pile has no order: no player knows it, so a card is picked at random when it is drawn. A player who challenges
    a wild draw four sees a hand, and knows which cards of it are left (`Sighting`). When the discards become the draw
    pile, all other cards lie in hands: with two players, each then knows the other's hand.

    Attributes:
        deck: the draw pile.
        discards: the discards, the one on top included.
        hands: each player's hand.
        top: the card on top of the discards.
        colour: the colour to match.
        symbol: the symbol to match, `NO_SYMBOL` on a wild card.
        drawn: the card in the current player's hand that has just been drawn, else `NO_CARD`.
        step: seats by which the turn moves on when it ends; 0 while a player has named a colour and has still to play.
        laid: whether a card has been played in this turn.
        claim: the colour matched before a wild draw four that has still to have its effect, else -1.
        end_turn: the number of turns at which the round is cut short, 0 for never.
        passes: turns in a row in which no card was played or could be drawn.
        active: players still in the game.
        dealer: who has dealt this round.
        direction: 1 for seat by seat, -1 for the other way round.
        sightings: the hands seen in challenges, or counted when the discards became the draw pile.
        points: each player's points.
        fallen: the round in which each player fell out of the game, 0 while in the game; empty where players cannot fall.
        goal: points that end it.
        hand_size: cards dealt to each player.
        action_points: points of a skip, reverse or draw two.
        wild_points: points of a wild card.
        low_wins: whether points are for cards caught with, and few are good.
        partners: whether seats 0 and 2 play against 1 and 3.
    """

    def __init__(self, n_players: i64, deck: CardSet, discards: CardSet, hands: list[CardSet]) -> None:
        super().__init__(n_players)
        self.deck = deck
        self.discards = discards
        self.hands = hands
        self.top: i64 = NO_CARD
        self.colour: i64 = 0
        self.symbol: i64 = NO_SYMBOL
        self.drawn: i64 = NO_CARD
        self.step: i64 = 1
        self.laid = False
        self.claim: i64 = -1
        self.end_turn: i64 = 0
        self.passes: i64 = 0
        self.active = n_players
        self.dealer: i64 = 0
        self.direction: i64 = 1
        self.sightings: tuple[Sighting, ...] = ()
        self.points: tuple[int, ...] = ()
        self.fallen: tuple[int, ...] = ()
        self.goal: i64 = 0
        self.hand_size: i64 = 0
        self.action_points: i64 = 0
        self.wild_points: i64 = 0
        self.low_wins = False
        self.partners = False

    def copy(self) -> UnoState:
        """Copy the sets of cards; the rest is immutable."""
        hands = [hand.copy() for hand in self.hands]
        other = UnoState(self.n_players, self.deck.copy(), self.discards.copy(), hands)
        self.copy_to(other)
        other.top = self.top
        other.colour = self.colour
        other.symbol = self.symbol
        other.drawn = self.drawn
        other.step = self.step
        other.laid = self.laid
        other.claim = self.claim
        other.end_turn = self.end_turn
        other.passes = self.passes
        other.active = self.active
        other.dealer = self.dealer
        other.direction = self.direction
        other.sightings = self.sightings
        other.points = self.points
        other.fallen = self.fallen
        other.goal = self.goal
        other.hand_size = self.hand_size
        other.action_points = self.action_points
        other.wild_points = self.wild_points
        other.low_wins = self.low_wins
        other.partners = self.partners
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own cards, and the cards seen in challenges."""
        shows_drawn = self.drawn != NO_CARD and self.current_player == player
        return (
            self.basic_knowledge(player),
            self.hands[player].words(),
            tuple([hand.words() for hand in self.hands]) if self.is_terminal else (),
            self.discards.words(),
            tuple([int(hand.size) for hand in self.hands]),
            int(self.deck.size),
            int(self.top),
            int(self.colour),
            int(self.direction),
            int(self.drawn) if shows_drawn else NO_CARD,
            (int(self.step), self.laid, int(self.claim), int(self.passes), int(self.active)),
            (int(self.dealer), int(self.end_turn)),
            tuple([seen.knowledge(player) for seen in self.sightings]),
            self.points,
            self.fallen,
        )

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the draw pile and the other hands again, but for cards that ``player`` has seen and are still held.

        All arrangements of these cards are as likely. In the end all hands are shown.
        """
        if self.is_terminal:
            if self.sightings:
                self.sightings = tuple([seen.copy() for seen in self.sightings])
            return
        self._gather(player)
        for holder in range(self.n_players):
            if holder != player:
                last = self._redeal_hand(player, holder, rng)
                if self.drawn != NO_CARD and holder == self.current_player:
                    self.drawn = last
        if self.sightings:
            self.sightings = tuple([self._doubted(seen, player, rng) for seen in self.sightings])

    def _gather(self, player: i64) -> None:
        """Put all cards in hands that ``player`` does not know into the draw pile."""
        for holder in range(self.n_players):
            if holder != player:
                self.deck.include(self.hands[holder])
                known = self.cards_seen(player, holder)
                if known is not None:
                    self.deck.exclude(known)

    def _redeal_hand(self, player: i64, holder: i64, rng: Rng) -> i64:
        """Deal a hand again from the draw pile, but for the cards that ``player`` knows; return the last card dealt."""
        hand = self.hands[holder]
        size = hand.size
        hand.clear()
        known = self.cards_seen(player, holder)
        if known is not None:
            hand.include(known)
        return self.deck.deal(hand, size - hand.size, rng)

    def _doubted(self, seen: Sighting, player: i64, rng: Rng) -> Sighting:
        """Return ``seen`` with other cards of the hand, and any possible number of them, as far as ``player`` can tell.

        If ``player`` saw the same hand earlier, the viewer also saw the cards of it that ``player`` still knows.
        """
        if seen.concerns(player):
            return seen.copy()
        others = self.hands[seen.holder].copy()
        if self.drawn != NO_CARD and seen.holder == self.current_player:
            others.remove(self.drawn)
        cards = CardSet()
        certain = self._seen_earlier(seen, player)
        if certain is not None:
            others.exclude(certain)
            cards.include(certain)
        fewest = max(seen.fewest, cards.size)
        count = fewest + rng.below(seen.most - fewest + 1)
        others.deal(cards, count - cards.size, rng)
        return Sighting(seen.viewer, seen.holder, seen.fewest, seen.most, cards)

    def _seen_earlier(self, seen: Sighting, player: i64) -> CardSet | None:
        """Return the knowledge of ``player`` about the same hand, if it was seen before ``seen``."""
        for sighting in self.sightings:
            if sighting is seen:
                return None
            if sighting.viewer == player and sighting.holder == seen.holder:
                return sighting.cards
        return None

    def draw(self, player: i64, rng: Rng) -> i64:
        """Draw a card for ``player`` and return it; where no card is left anywhere, `NO_CARD`."""
        if self.deck.size == 0 and not self.reshuffle():
            return NO_CARD
        return self.deck.deal(self.hands[player], 1, rng)

    def draw_cards(self, player: i64, count: i64, rng: Rng) -> None:
        """Draw ``count`` cards for ``player``, or as many as there are."""
        while count > 0 and (self.deck.size > 0 or self.reshuffle()):
            drawn = min(count, self.deck.size)
            self.deck.deal(self.hands[player], drawn, rng)
            count -= drawn

    def draw_for(self, player: i64, count: i64, reason: str, rng: Rng) -> None:
        """Draw cards for ``player`` as `draw_cards` does, for a reason that listeners are told."""
        if not self.recording:
            self.draw_cards(player, count, rng)
            return
        before = self.hands[player].copy()
        self.draw_cards(player, count, rng)
        drawn = self.hands[player].copy()
        drawn.exclude(before)
        self.announce_drawn(player, drawn.cards(), reason)

    def announce_drawn(self, player: i64, cards: list[int], reason: str) -> None:
        """Announce the cards that ``player`` has drawn."""
        places = (f"hand of {player}", "draw pile")
        self.announce(Event("drawn", player, 0.0, _names(cards), places, reason, seen_by=1 << player))

    def announce_hand(self, player: i64, words: str, reason: str, seen_by: i64) -> None:
        """Announce the cards of ``player``, shown or dealt to the players of the set ``seen_by``."""
        cards = _names(self.hands[player].cards())
        name = "revealed" if words else "dealt"
        self.announce(Event(name, player, 0.0, cards, (f"hand of {player}",), reason, words, seen_by=seen_by))

    def lose_turn(self, victim: i64) -> None:
        """Let ``victim``, who is next, lose the turn."""
        self.step = 2
        if self.recording:
            self.announce(Event("turn lost", victim, words="{player} loses the turn"))

    def reshuffle(self) -> bool:
        """Make the discards but for the one on top the draw pile, which is empty; return whether there were any."""
        if self.discards.size < 2:
            return False
        self.deck.include(self.discards)
        self.deck.remove(self.top)
        self.discards.clear()
        self.discards.add(self.top)
        if self.recording:
            words = "the discards are shuffled into the draw pile"
            self.announce(Event("reshuffled", places=("draw pile", "discards"), words=words))
        self._count_hands()
        return True

    def _count_hands(self) -> None:
        """Show the hands of two players to each other, if all cards but theirs are known to lie in the new draw pile."""
        holders = [holder for holder in range(self.n_players) if self.hands[holder].size]
        if len(holders) == 2:
            self.show_hand(holders[0], holders[1])
            self.show_hand(holders[1], holders[0])
            if self.recording:
                places = tuple([f"hand of {holder}" for holder in holders])
                words = f"player {holders[0]} and player {holders[1]} know each other's cards"
                self.announce(Event("counted", places=places, reason="they have seen all others", words=words))

    def turn_up(self, card: i64, colour: i64) -> None:
        """Put ``card`` on top of the discards, with ``colour`` to match."""
        self.discards.add(card)
        self.top = card
        self.colour = colour
        self.symbol = NO_SYMBOL if card >= WILD else card % N_SYMBOLS

    def lay(self, card: i64, colour: i64) -> None:
        """Play ``card`` from the current player's hand; ``colour`` is its own or, for a wild card, the one named."""
        player = self.current_player
        hand = self.hands[player]
        hand.remove(card)
        if self.sightings and self.phase != DRAWN:
            self.sightings = tuple(
                [seen.after_play(card, hand.size) if seen.holder == player else seen for seen in self.sightings]
            )
        if card == WILD_DRAW_FOUR:
            self.claim = self.colour
        self.turn_up(card, colour)
        self.drawn = NO_CARD
        self.phase = TURN
        self.passes = 0
        self.laid = True
        if self.recording:
            self.announce(Event("played", player, 0.0, (NAMES[card],), (f"hand of {player}", "discards")))

    def show_hand(self, holder: i64, viewer: i64) -> None:
        """Show the hand of ``holder`` to ``viewer``, which all players notice; it replaces an earlier sighting."""
        hand = self.hands[holder]
        kept = [seen for seen in self.sightings if seen.viewer != viewer or seen.holder != holder]
        kept.append(Sighting(viewer, holder, hand.size, hand.size, hand.copy()))
        self.sightings = tuple(kept)

    def cards_seen(self, viewer: i64, holder: i64) -> CardSet | None:
        """Return the cards that ``viewer`` knows in the hand of ``holder``, None without a sighting."""
        for seen in self.sightings:
            if seen.viewer == viewer and seen.holder == holder:
                return seen.cards
        return None

    def seat_after(self, player: i64, steps: i64) -> i64:
        """Return the seat ``steps`` players still in the game on from ``player``, in the direction of play."""
        seat = player
        while steps:
            seat += self.direction
            if seat == self.n_players:
                seat = 0
            elif seat < 0:
                seat = self.n_players - 1
            if self.active == self.n_players or self.fallen[seat] == 0:
                steps -= 1
        return seat

    def team(self, player: i64) -> i64:
        """Return the team: seats 0 and 2 against 1 and 3 where four play as partners."""
        return player % 2 if self.partners and self.n_players == 4 else player

    def points_in_hand(self, player: i64) -> i64:
        """Return the points of the cards in a hand."""
        hand = self.hands[player]
        total = self.wild_points * (hand.n_wilds + hand.n_wild_draw_fours)
        for colour in range(N_COLOURS):
            rest = hand.counts(colour)
            symbol: i64 = 0
            while rest:
                total += (rest & 15) * (symbol if symbol < 10 else self.action_points)
                rest >>= 4
                symbol += 1
        return total

    def score(self, player: i64) -> float:
        """Return the points won; where points are for cards caught with, minus those that count (at most the goal)."""
        points: i64 = self.points[player]
        if not self.low_wins:
            return float(points)
        return -float(min(points, self.goal) if self.fallen else points)

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Prefer, of players out of the game, who fell later, and of those of one round who had fewer points."""
        if tier == 1:
            return -float(self.points[player])
        fell = self.fallen[player]
        return float(fell if fell else self.round + 1)

    def tiebreak_tiers(self) -> i64:
        return 2 if self.fallen else 0

    def components(self) -> list[Component]:
        discards = self.discards.cards()
        if self.top != NO_CARD:
            discards.remove(int(self.top))
            discards.append(int(self.top))
        found: list[Component] = [
            Deck("draw pile", _cards(self.deck.cards()), visibility=HIDDEN_TO_ALL),
            Deck("discards", _cards(discards)),
        ]
        for player in range(self.n_players):
            found.append(_hand(self, player))
            found.append(Counter(f"points of {player}", self.points[player], owner=player))
        return found

    def text(self, viewer: i64) -> str:
        shown = "over" if self.is_terminal else f"player {self.current_player} to decide"
        way = "" if self.direction == 1 else "; play goes the other way round"
        lines = [f"Round {self.round + 1}, {shown}; {self.deck.size} cards in the draw pile{way}", _top_text(self)]
        for player in range(self.n_players):
            lines.append(_player_text(self, player, viewer))
        return "\n".join(lines)


def known_hand(state: UnoState, holder: i64, viewer: i64) -> list[int]:
    """Return the cards in the hand of ``holder`` that ``viewer`` (-1: sees all) knows."""
    if viewer < 0 or viewer == holder or state.is_terminal:
        return state.hands[holder].cards()
    seen = state.cards_seen(viewer, holder)
    return [] if seen is None else seen.cards()


def _hand(state: UnoState, player: i64) -> Component:
    cards = _cards(known_hand(state, player, player))
    hand = PartiallyObservableDeck(f"hand of {player}", cards, state.n_players, player, VISIBLE_TO_OWNER)
    for viewer in range(state.n_players):
        hand.show_items(_cards(known_hand(state, player, viewer)), viewer)
    return hand


def _top_text(state: UnoState) -> str:
    if state.top == NO_CARD:
        return "no discards"
    name = NAMES[state.top]
    if state.top >= WILD:
        name += " (no colour yet)" if state.phase == NAMING else f" ({COLOURS[state.colour]})"
    return f"on top: {name}; {state.discards.size} discards"


def _player_text(state: UnoState, player: i64, viewer: i64) -> str:
    text = f"player {player}  points {state.points[player]}  {state.hands[player].size} cards"
    if state.fallen and state.fallen[player]:
        return f"{text}  out of the game"
    known = known_hand(state, player, viewer)
    unknown = state.hands[player].size - len(known)
    hand = ", ".join([NAMES[card] for card in known]) if known else "" if unknown else "none"
    text += f": {hand}{', ' if known and unknown else ''}{'? ' * unknown}".rstrip()
    if state.drawn != NO_CARD and player == state.current_player:
        text += f" (just drawn: {NAMES[state.drawn] if viewer < 0 or viewer == player else '?'})"
    return text


def _names(kinds: list[int]) -> tuple[str, ...]:
    return tuple([NAMES[kind] for kind in kinds])


def _cards(kinds: list[int]) -> list[Card]:
    return [CARDS[kind] for kind in kinds]
