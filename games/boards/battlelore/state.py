"""The state of BattleLore: units on the map, command cards, and how far a turn has come."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng, packed_size
from tag.components import HIDDEN_TO_ALL, Component, Counter, Deck, HexBoard, PartiallyObservableDeck
from tag.games.boards.battlelore import telling
from tag.games.boards.battlelore.data import (
    ARMY,
    BIT,
    CARD_NAMES,
    CARDS,
    COPY,
    GRID,
    KIND_LETTERS,
    KIND_NAMES,
    KINDS,
    N_CARDS,
    N_HEXES,
    N_ROWS,
    N_UNITS,
    NO_CARD,
    NO_UNIT,
    OFF_MAP,
    WIDTHS,
    count,
    hex_at,
    hex_name,
    listed,
)

# Phases.
COMMAND: Final = 0
ORDER: Final = 1
MOVE: Final = 2
ATTACK: Final = 3
MAY_COUNTER: Final = 4
MAY_ADVANCE: Final = 5
MAY_PURSUE: Final = 6
#: While an action takes effect: an attack, a counter, and an advance are to be resolved, or the turn is over.
STRUCK: Final = 7
COUNTERED: Final = 8
ADVANCED: Final = 9
ENDED: Final = 10
PHASE_NAMES: Final = ("command", "order", "move", "attack", "counter", "advance", "pursue")


@mypyc_attr(allow_interpreted_subclasses=True)
class BattleloreState(GameState):
    """One position.

    Units are numbered, those of seat 0 first; what kinds they are is in `tag.games.boards.battlelore.data`. Sets of units
    have one bit for each, sets of cards four bits for each kind. The deck has no order: a card is drawn when it is taken.

    Attributes:
        places: the hex of each unit, `OFF_MAP` once it is eliminated.
        figures: the figures of each unit.
        board: the unit on each hex, or `NO_UNIT`.
        points: each player's victory points.
        hands: each player's command cards.
        known: of these, the cards that the opponent knows: those held when the discards were last shuffled.
        deck: the cards to draw.
        discards: the cards played since the last shuffle.
        card: the card played in this turn, `NO_CARD` before.
        is_single: whether it orders any one unit.
        ordered: the units ordered in this turn.
        moved: those of them that have moved.
        attacked: those that cannot attack again.
        shot: those that have made the first of two attacks.
        pursued: those that have pursued.
        attacker: the unit of the last attack.
        target: the unit attacked.
        vacated: where the target stood.
        figures_at_start: the figures of a full unit.
        banners: the hexes with banners.
    """

    def __init__(self, places: list[int], figures: list[int], board: list[int]) -> None:
        """Take the lists as they are."""
        super().__init__(2)
        self.places = places
        self.figures = figures
        self.board = board
        self.points: tuple[int, ...] = (0, 0)
        self.hands: tuple[int, ...] = (0, 0)
        self.known: tuple[int, ...] = (0, 0)
        self.deck: i64 = 0
        self.discards: i64 = 0
        self.card: i64 = NO_CARD
        self.is_single = False
        self.ordered: i64 = 0
        self.moved: i64 = 0
        self.attacked: i64 = 0
        self.shot: i64 = 0
        self.pursued: i64 = 0
        self.attacker: i64 = NO_UNIT
        self.target: i64 = NO_UNIT
        self.vacated: i64 = OFF_MAP
        self.figures_at_start: i64 = 0
        self.banners: tuple[int, ...] = ()

    def copy(self) -> BattleloreState:
        """Copy the lists of numbers."""
        other = BattleloreState(self.places[:], self.figures[:], self.board[:])
        self.copy_to(other)
        other.points = self.points
        other.hands = self.hands
        other.known = self.known
        other.deck = self.deck
        other.discards = self.discards
        other.card = self.card
        other.is_single = self.is_single
        other.ordered = self.ordered
        other.moved = self.moved
        other.attacked = self.attacked
        other.shot = self.shot
        other.pursued = self.pursued
        other.attacker = self.attacker
        other.target = self.target
        other.vacated = self.vacated
        other.figures_at_start = self.figures_at_start
        other.banners = self.banners
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the opponent's cards again that ``player`` does not know, each deal from the unseen cards as likely."""
        other = 1 - player
        certain: i64 = self.known[other]
        hidden: i64 = self.hands[other] - certain
        if hidden:
            self.deck += hidden
            self._set_hand(other, certain + self._taken(packed_size(hidden), rng))

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: the own hand, the opponent's cards that are certain, and what is public."""
        other = 1 - player
        has_certain = all([count(self.hands[other], card) >= count(self.known[other], card) for card in range(N_CARDS)])
        return (
            self.basic_knowledge(player),
            (tuple(self.places), tuple(self.figures), self.points, self.banners),
            (self.hands[player], self.known, has_certain, int(packed_size(self.hands[other]))),
            (int(packed_size(self.deck)), int(self.discards), int(self.card), self.is_single),
            (int(self.ordered), int(self.moved), int(self.attacked), int(self.shot), int(self.pursued)),
            (int(self.attacker), int(self.target), int(self.vacated), int(self.figures_at_start)),
        )

    def _taken(self, number: i64, rng: Rng) -> i64:
        """Take so many cards from the deck, each set as likely as it would be dealt."""
        deck = self.deck
        left = packed_size(deck)
        found: i64 = 0
        for _card in range(number):
            place = rng.below(left)
            left -= 1
            card: i64 = 0
            while place >= count(deck, card):
                place -= count(deck, card)
                card += 1
            deck -= COPY[card]
            found += COPY[card]
        self.deck = deck
        return found

    def _set_hand(self, player: i64, cards: i64) -> None:
        hands = self.hands
        self.hands = (int(cards), hands[1]) if player == 0 else (hands[0], int(cards))

    def draw(self, player: i64, number: i64, rng: Rng) -> None:
        """Draw cards; the discards are shuffled when one is drawn from an empty deck, which tells all hands."""
        for _card in range(number):
            if self.deck == 0:
                self.deck = self.discards
                self.discards = 0
                self.known = self.hands
                if self.recording:
                    self.announce(telling.shuffled())
            card = self._taken(1, rng)
            self._set_hand(player, self.hands[player] + card)
            if self.recording:
                self.announce(telling.drawn(player, card))

    def play(self, card: i64) -> None:
        """Discard a card of the hand and follow it."""
        player = self.current_player
        copy: i64 = COPY[card]
        self._set_hand(player, self.hands[player] - copy)
        known = self.known
        if count(known[player], card):
            self.known = (known[0] - int(copy), known[1]) if player == 0 else (known[0], known[1] - int(copy))
        self.discards += copy
        if self.recording:
            self.announce(telling.played(player, card))
        self.card = card
        self.is_single = False
        self.phase = ORDER

    def relocate(self, unit: i64, place: i64) -> None:
        """Put a unit on a free hex."""
        self.board[self.places[unit]] = NO_UNIT
        self.places[unit] = int(place)
        self.board[place] = int(unit)

    def damage(self, unit: i64, hits: i64) -> i64:
        """Remove figures, and the unit with the last one; return how many were removed."""
        left: i64 = self.figures[unit]
        removed = min(hits, left)
        self.figures[unit] = int(left - removed)
        if removed == left:
            self.board[self.places[unit]] = NO_UNIT
            self.places[unit] = OFF_MAP
            self.ordered &= ~BIT[unit]
        return removed

    def gain(self, player: i64, points: i64) -> None:
        """Add victory points."""
        had = self.points
        self.points = (had[0] + int(points), had[1]) if player == 0 else (had[0], had[1] + int(points))

    def n_figures(self, player: i64) -> i64:
        """Return the figures that a player has left."""
        found: i64 = 0
        for unit in range(player * ARMY, player * ARMY + ARMY):
            found += self.figures[unit]
        return found

    def is_weak(self, unit: i64) -> bool:
        """Say whether a unit is down to the last of several figures."""
        return self.figures[unit] == 1 and self.figures_at_start > 1

    def clear_turn(self) -> None:
        """Forget the orders and actions of the turn."""
        self.card = NO_CARD
        self.is_single = False
        self.ordered = 0
        self.moved = 0
        self.attacked = 0
        self.shot = 0
        self.pursued = 0
        self.attacker = NO_UNIT
        self.target = NO_UNIT
        self.vacated = OFF_MAP
        self.phase = COMMAND

    def score(self, player: i64) -> float:
        """Return the victory points."""
        return float(self.points[player])

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the figures left."""
        return float(self.n_figures(player))

    def tiebreak_tiers(self) -> i64:
        return 1

    def components(self) -> list[Component]:
        found: list[Component] = [
            HexBoard("map", GRID, self.board[:]),
            Deck("deck", [CARDS[card] for card in listed(self.deck)], visibility=HIDDEN_TO_ALL),
            Deck("discards", [CARDS[card] for card in listed(self.discards)]),
        ]
        for seat in range(2):
            known: i64 = self.known[seat]
            certain = min(packed_size(known), packed_size(self.hands[seat]))
            cards = [*listed(known), *listed(self.hands[seat] - known)]
            seen = [3 if place < certain else 1 << seat for place in range(len(cards))]
            kinds = [CARDS[card] for card in cards]
            found.append(PartiallyObservableDeck(f"hand of {seat}", kinds, 2, seat, seen=seen))
            found.append(Counter(f"points of {seat}", self.points[seat], owner=seat))
        for unit in range(N_UNITS):
            found.append(Counter(f"figures of unit {unit}", self.figures[unit], owner=unit // ARMY))
        if self.banners:
            marks = ["banner" if place in self.banners else "" for place in range(N_HEXES)]
            found.append(HexBoard("banners", GRID, marks))
        return found

    def unit_name(self, unit: i64) -> str:
        """Return the kind of a unit and where it stands."""
        return f"{KIND_NAMES[KINDS[unit]]} at {hex_name(self.places[unit])}"

    def text(self, viewer: i64) -> str:
        """Show the map with the kind and figures of each unit, and the cards that ``viewer`` may see."""
        step = "over" if self.is_terminal else f"player {self.current_player} to {PHASE_NAMES[self.phase]}"
        lines = [f"Round {self.round + 1}, {step}; {packed_size(self.deck)} cards in the deck"]
        if self.card != NO_CARD:
            orders = ", ".join([hex_name(self.places[unit]) for unit in range(N_UNITS) if self.ordered & BIT[unit]])
            lines[0] += f"; {CARD_NAMES[self.card]}, ordered: {orders or 'none'}"
        for row in range(N_ROWS):
            cells = [self._cell(hex_at(column, row)) for column in range(WIDTHS[row % 2])]
            lines.append(f"{row + 1} {' ' if row % 2 else ''}{' '.join(cells)}")
        for seat in range(2):
            is_open = viewer < 0 or viewer == seat
            hand = self.hands[seat] if is_open else self.known[seat]
            names = [CARD_NAMES[card] for card in listed(hand)]
            names += ["?"] * int(packed_size(self.hands[seat]) - len(names))
            lines.append(f"player {seat}  points {self.points[seat]}  hand {', '.join(names) or 'empty'}")
        return "\n".join(lines)

    def _cell(self, place: int) -> str:
        unit = self.board[place]
        if unit == NO_UNIT:
            return " *" if place in self.banners else " ."
        return f"{KIND_LETTERS[KINDS[unit]]}{self.figures[unit]}"
