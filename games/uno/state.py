"""The state of Uno: who holds what, what lies on top, and who has seen whose hand."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from games.uno.card_set import CardSet
from games.uno.cards import N_COLOURS, N_SYMBOLS, NO_CARD, NO_SYMBOL, WILD, WILD_DRAW_FOUR
from games.uno.dealing import deal_again
from games.uno.sightings import Sighting, with_card_played, with_sighting
from games.uno.values import weighted
from games.uno.views import components_of, features_of, text_of
from games.uno.weights import DEFAULT_WEIGHTS
from tag.rng import Rng
from tag.turn_order import ReversibleState

if TYPE_CHECKING:
    from tag.components import Component
    from tag.state import GameState

#: Phases: a turn begins; a card has been drawn, to play or keep; the colour of a wild turned up has to be named.
TURN: Final = 0
DRAWN: Final = 1
NAMING: Final = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoState(ReversibleState):
    """One position of a round, and the points so far.

    The cards of the draw pile have no order: nobody knows it, so that a card is picked at random when it is drawn. Who has
    challenged a wild draw four has seen a hand, and knows what is left of it: see `games.uno.sightings`. So do two players
    once the discards have become the draw pile, as all other cards are known to lie there.

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
        sightings: the hands seen in challenges, or counted when the discards became the draw pile.
        points: each player's points.
        fallen: the round in which each player fell out of the game, 0 for who has not; empty where nobody can.
        goal: points that end it.
        hand_size: cards dealt to each player.
        action_points: points of a skip, reverse or draw two.
        wild_points: points of a wild card.
        low_wins: whether points are for cards caught with, and few are good.
        partners: whether seats 0 and 2 play against 1 and 3.
    """

    __slots__ = (
        "action_points",
        "active",
        "claim",
        "colour",
        "dealer",
        "deck",
        "discards",
        "drawn",
        "end_turn",
        "fallen",
        "goal",
        "hand_size",
        "hands",
        "laid",
        "low_wins",
        "partners",
        "passes",
        "points",
        "sightings",
        "step",
        "symbol",
        "top",
        "wild_points",
    )
    deck: CardSet
    discards: CardSet
    hands: list[CardSet]
    top: i64
    colour: i64
    symbol: i64
    drawn: i64
    step: i64
    laid: bool
    claim: i64
    end_turn: i64
    passes: i64
    active: i64
    dealer: i64
    sightings: tuple[Sighting, ...]
    points: tuple[int, ...]
    fallen: tuple[int, ...]
    goal: i64
    hand_size: i64
    action_points: i64
    wild_points: i64
    low_wins: bool
    partners: bool

    def __init__(self, n_players: i64, deck: CardSet, discards: CardSet, hands: list[CardSet]) -> None:
        """Take the cards over; a round is dealt by the forward model."""
        super().__init__(n_players)
        self.deck = deck
        self.discards = discards
        self.hands = hands
        self.top = NO_CARD
        self.colour = 0
        self.symbol = NO_SYMBOL
        self.drawn = NO_CARD
        self.step = 1
        self.laid = False
        self.claim = -1
        self.end_turn = 0
        self.passes = 0
        self.active = n_players
        self.dealer = 0
        self.sightings = ()
        self.points = ()
        self.fallen = ()
        self.goal = 0
        self.hand_size = 0
        self.action_points = 0
        self.wild_points = 0
        self.low_wins = False
        self.partners = False

    # --- copies and observations -----------------------------------------------------------------------------------

    def copy(self) -> UnoState:
        """Copy the sets of cards; the rest is immutable."""
        hands = [hand.copy() for hand in self.hands]
        other = UnoState(self.n_players, self.deck.copy(), self.discards.copy(), hands)
        self.copy_to(other)
        return other

    def copy_to(self, other: GameState) -> None:
        """Copy all fields but the sets of cards to ``other``."""
        super().copy_to(other)
        if isinstance(other, UnoState):
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
            other.sightings = self.sightings
            other.points = self.points
            other.fallen = self.fallen
            other.goal = self.goal
            other.hand_size = self.hand_size
            other.action_points = self.action_points
            other.wild_points = self.wild_points
            other.low_wins = self.low_wins
            other.partners = self.partners

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the draw pile and the other hands again, but for cards that ``player`` has seen and are still held.

        All arrangements of these cards are as likely. In the end all hands are shown.
        """
        if not self.is_terminal:
            deal_again(self, player, rng)
        elif self.sightings:
            self.sightings = tuple([seen.copy() for seen in self.sightings])

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own cards, and the cards seen in challenges."""
        shows_drawn = self.drawn != NO_CARD and self.current_player == player
        return (
            int(player),
            int(self.current_player),
            int(self.turn_player),
            int(self.first_player),
            int(self.round),
            int(self.turn),
            int(self.phase),
            self.is_terminal,
            self.results,
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
            tuple([sequence.knowledge(player) for sequence in self.sequences]),
        )

    # --- cards on the move -----------------------------------------------------------------------------------------

    def draw(self, player: i64, rng: Rng) -> i64:
        """Draw a card for ``player`` and return it; where no card is left anywhere, `NO_CARD`."""
        if self.deck.size == 0 and not self.reshuffle():
            return NO_CARD
        card = self.deck.take(rng)
        self.hands[player].add(card)
        return card

    def draw_cards(self, player: i64, count: i64, rng: Rng) -> None:
        """Draw ``count`` cards for ``player``, or as many as there are."""
        for _card in range(count):
            if self.draw(player, rng) == NO_CARD:
                return

    def reshuffle(self) -> bool:
        """Make the discards but for the one on top the draw pile, which is empty; return whether there were any."""
        if self.discards.size < 2:
            return False
        self.deck.include(self.discards)
        self.deck.remove(self.top)
        self.discards.clear()
        self.discards.add(self.top)
        self._count_hands()
        return True

    def _count_hands(self) -> None:
        """Show the hands of two players to each other, if all cards but theirs are known to lie in the new draw pile."""
        holders = [holder for holder in range(self.n_players) if self.hands[holder].size]
        if len(holders) == 2:
            self.show_hand(holders[0], holders[1])
            self.show_hand(holders[1], holders[0])

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
            self.sightings = with_card_played(self.sightings, player, card, hand.size)
        if card == WILD_DRAW_FOUR:
            self.claim = self.colour
        self.turn_up(card, colour)
        self.drawn = NO_CARD
        self.phase = TURN
        self.passes = 0
        self.laid = True

    def show_hand(self, holder: i64, viewer: i64) -> None:
        """Show the hand of ``holder`` to ``viewer``, which everybody notices."""
        self.sightings = with_sighting(self.sightings, viewer, holder, self.hands[holder])

    # --- seats -----------------------------------------------------------------------------------------------------

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

    # --- values ----------------------------------------------------------------------------------------------------

    def points_in_hand(self, player: i64) -> i64:
        """Return what the cards in a hand count."""
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
        """Return two where players fall out of the game."""
        return 2 if self.fallen else 0

    def heuristic(self, player: i64) -> float:
        """Return TAG's heuristic with its own weights."""
        return weighted(self, player, DEFAULT_WEIGHTS)

    # --- for people and analysis -----------------------------------------------------------------------------------

    def features(self, player: i64) -> dict[str, float]:
        """Return the own cards, the discards, what has to be matched, and what can be seen of each player."""
        return features_of(self, player)

    def components(self) -> list[Component]:
        """Return the cards in their places, and the points."""
        return components_of(self)

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it, unknown cards as question marks."""
        return text_of(self, viewer)

    def __str__(self) -> str:
        """Return the table with everything open."""
        return self.text(-1)
