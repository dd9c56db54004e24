"""The features, the heuristic and the metric of Hearts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, Features, GameState, Metric, Parameters, PlayerHeuristic, bit_count, real
from tag.engine.rules.trick_state import PlayCard
from tag.engine.rules.tricks import (
    CARD_NAMES,
    HEARTS,
    N_RANKS,
    N_SUITS,
    SPADES,
    SUIT,
    SUIT_NAMES,
    card_of,
    cards_in,
    taker,
)
from tag.games.tricks.hearts.data import (
    ABOVE_QUEEN,
    PASSING,
    PLAYING,
    POINTS,
    QUEEN_OF_SPADES,
    HeartsParameters,
    points_of,
)
from tag.games.tricks.hearts.state import HeartsState
from tag.playing.metrics import share

#: The value of the points that end the game.
_GOAL_VALUE: Final = 1.5
#: From so many points on a player who has all those taken may be after the moon.
_MANY_POINTS: Final = 15


class HeartsFeatures(Features):
    """The own hand, the cards that are out, the trick, and of each player the points and the suits that cannot be held."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        deck = cards_in(cast("HeartsParameters", self.parameters).deck(int(n_players)))
        found = ["passing", "shift", "chosen", "tricks", "broken", "best_rank", "trick_points", "to_follow"]
        found += [f"led_{suit}" for suit in SUIT_NAMES]
        for offset in range(n_players):
            found += [f"points_{offset}", f"taken_{offset}", *[f"no_{suit}_{offset}" for suit in SUIT_NAMES]]
        found += [f"hand_{CARD_NAMES[card]}" for card in deck]
        return (*found, *[f"out_{CARD_NAMES[card]}" for card in deck])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; cards are out that others hold. After the end no card is."""
        table = cast("HeartsState", state)
        rules, n = table.rules, table.n_players
        following = n - bit_count(table.trick)
        best = card_of(taker(table.trick, table.led)) % N_RANKS + 1 if table.trick else 0
        found = [float(table.phase == PASSING), float(table.shift), float(bit_count(table.passed[player]))]
        found += [float(table.tricks), float(table.broken), float(best)]
        found += [float(points_of(table.trick, rules.queen, rules.jack)), float(following)]
        for suit in range(N_SUITS):
            found.append(float(table.led == suit))
        for offset in range(n):
            seat = (player + offset) % n
            found.append(float(table.points[seat]))
            found.append(float(points_of(table.taken[seat], rules.queen, rules.jack)))
            found += [float(is_void) for is_void in table.voids(seat)]
        return found + table.flags(table.hands[player]) + table.flags(table.unseen(player))


@dataclass
class HeartsHeuristicParameters(Parameters):
    """The weights of `HeartsHeuristic`, in points of the game."""

    rival: float = real(0.3, 0.0, 1.0, "weight of the best rival, beside the mean of all")
    queen: float = real(6.0, 0.0, 13.0, "danger of the queen of spades in hand, shared with the lower spades beside it")
    guard: float = real(
        3.0, 0.0, 13.0, "danger of the king or ace of spades while the queen is out, shared in the same way"
    )
    high: float = real(0.15, 0.0, 1.0, "danger of a card for each rank above a six")
    hearts: float = real(2.0, 0.0, 5.0, "how many times as dangerous a heart is")
    void: float = real(1.0, 0.0, 5.0, "worth of a suit without a card in hand")
    moon: float = real(0.7, 0.0, 2.0, "part of the points that does not count for a player who has all of many")


class HeartsHeuristic(PlayerHeuristic):
    """The points that a player is ahead of the others, with those of the hand so far and the dangers in hand."""

    parameters_class = HeartsHeuristicParameters

    def __init__(self, parameters: HeartsHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("HeartsHeuristicParameters", self.parameters)
        self.rival = weights.rival
        self.queen = weights.queen
        self.guard = weights.guard
        self.high = weights.high
        self.hearts = weights.hearts
        self.void = weights.void
        self.moon = weights.moon

    def _value_player(self, state: GameState, player: i64) -> float:
        table = cast("HeartsState", state)
        rules = table.rules
        own, best, total = 0.0, 1e9, 0.0
        now: i64 = 0
        all_taken: i64 = 0
        for seat in range(table.n_players):
            cards: i64 = table.taken[seat]
            taken = points_of(cards, rules.queen, rules.jack)
            points = float(table.points[seat] + taken)
            all_taken += bit_count(cards & POINTS)
            if seat == player:
                own, now = points, taken
            else:
                total += points
                best = min(best, points)
        if now >= _MANY_POINTS and bit_count(table.taken[player] & POINTS) == all_taken and rules.moon != "none":
            own -= self.moon * float(now)
        ahead = (1.0 - self.rival) * total / float(table.n_players - 1) + self.rival * best - own
        return _GOAL_VALUE * (ahead - self.danger(table, player)) / float(rules.goal)

    def danger(self, table: HeartsState, player: i64) -> float:
        """Return how many points the hand of a player is likely to take, roughly."""
        hand: i64 = table.hands[player]
        if table.phase == PASSING:
            hand ^= table.passed[player]
        danger = 0.0
        spades = hand & SUIT[SPADES]
        lower = float(bit_count(spades & (QUEEN_OF_SPADES - 1)))
        if hand & QUEEN_OF_SPADES:
            danger += self.queen / (1.0 + lower)
        elif self._is_out(table):
            danger += self.guard * float(bit_count(hand & ABOVE_QUEEN)) / (1.0 + lower)
        for suit in range(N_SUITS):
            of_suit = hand & SUIT[suit]
            if of_suit == 0:
                danger -= self.void
            weight = self.high * self.hearts if suit == HEARTS else self.high
            ranks = of_suit >> N_RANKS * suit + 5
            while ranks:
                lowest = ranks & -ranks
                danger += weight * float(card_of(lowest) + 1)
                ranks ^= lowest
        return danger

    def _is_out(self, table: HeartsState) -> bool:
        """Say whether the queen of spades has not been played."""
        for cards in table.played:  # noqa: SIM110  compiled code makes a generator for `any`
            if cards & QUEEN_OF_SPADES:
                return False
        return True


class HeartsMetric(Metric):
    """Measures hands, moons, when hearts are broken, and what is discarded."""

    measures: ClassVar[dict[str, str]] = {
        "hands": "hands of a game",
        "moons": "share of hands in which a player shoots the moon",
        "broken_in": "number of the trick in which hearts are broken",
        "points_discarded": "share of cards of another suit than that led that are hearts or the queen of spades",
        "queen_to_leader": "share of hands in which who leads to the trick takes the queen of spades with it",
    }

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count moons, queens and the tricks in which hearts are broken."""
        self.counts["moons"] += event.name == "moon"
        if event.name == "hearts broken":
            self.counts["broken"] += 1
            self.counts["broken in"] += int(event.value)
        elif event.name == "trick taken" and CARD_NAMES[card_of(QUEEN_OF_SPADES)] in event.items:
            self.counts["queens"] += 1
            self.counts["queens to leader"] += event.player == self.counts["leader"]

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Compare a card with the suit that was led."""
        table = cast("HeartsState", state)
        if table.phase != PLAYING:
            return
        card = cast("PlayCard", action)
        if table.led < 0:
            self.counts["leader"] = int(player)
        elif card.suit != table.led:
            self.counts["discards"] += 1
            self.counts["point discards"] += card.bit & POINTS != 0

    def on_end(self, state: GameState) -> None:
        self.counts["hands"] = int(state.round)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "hands": [float(counts["hands"])],
            "moons": share(counts["moons"], counts["hands"]),
            "broken_in": share(counts["broken in"], counts["broken"]),
            "points_discarded": share(counts["point discards"], counts["discards"]),
            "queen_to_leader": share(counts["queens to leader"], counts["queens"]),
        }
