"""The features, the heuristic and the metric of Uno."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from mypy_extensions import i64

from tag import (
    Agent,
    AnyAction,
    Event,
    Features,
    ForwardModel,
    GameState,
    Parameters,
    PlayerHeuristic,
    Rng,
    real,
)
from tag.games.cards.uno.actions import Accept, Challenge, Draw
from tag.games.cards.uno.data import COLOURS, N_COLOURS, N_KINDS, N_SYMBOLS, NAMES, NO_CARD, SKIP, SYMBOLS, CardSet
from tag.games.cards.uno.state import TURN, UnoState
from tag.playing.metrics import Metric, share


class UnoFeatures(Features):
    """The card to match, the own hand, the discards, and each player's cards and points."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["my_turn", "phase", "challenge", "direction", "deck", "drawn"]
        found += [f"match_{name.replace(' ', '_')}" for name in (*COLOURS, *SYMBOLS)]
        for name in NAMES:
            key = name.replace(" ", "_")
            found += [f"hand_{key}", f"gone_{key}"]
        for offset in range(n_players):
            found += [f"cards_{offset}", f"points_{offset}", f"turn_{offset}", f"out_{offset}", f"share_{offset}"]
            if offset:
                found.append(f"seen_{offset}")
        return (*found, "hand_colours", "hand_actions", "playable", "hand_points")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        A player's share is n / (n + cards dealt) for n cards in hand; playable cards are those of the own hand that match
        what lies on top, wild cards included.
        """
        table = cast("UnoState", state)
        n = table.n_players
        hand = table.hands[player]
        found = [
            1.0 if table.current_player == player else 0.0,
            float(table.phase),
            float(len(table.sequences)),
            float(table.direction),
            float(table.deck.size),
            1.0 if table.drawn != NO_CARD and table.current_player == player else 0.0,
        ]
        for colour in range(N_COLOURS):
            found.append(1.0 if table.colour == colour else 0.0)
        for symbol in range(N_SYMBOLS):
            found.append(1.0 if table.symbol == symbol else 0.0)
        _add_cards(found, table, player)
        goal = float(table.goal)
        for offset in range(n):
            seat = (player + offset) % n
            cards = table.hands[seat].size
            found.append(float(cards))
            found.append(float(table.points[seat]) / goal)
            found.append(1.0 if table.turn_player == seat else 0.0)
            found.append(1.0 if table.fallen and table.fallen[seat] != 0 else 0.0)
            found.append(float(cards) / float(cards + table.hand_size))
            if offset:
                seen = table.hands[seat] if table.is_terminal else table.cards_seen(player, seat)
                found.append(0.0 if seen is None else float(seen.size))
        _add_hand(found, table, hand)
        found.append(float(table.points_in_hand(player)))
        return found


def _add_cards(found: list[float], state: UnoState, player: i64) -> None:
    """Add how often each card is in the own hand and among the discards."""
    hand = state.hands[player]
    discards = state.discards
    for card in range(N_KINDS):
        found.append(float(hand.count(card)))
        found.append(float(discards.count(card)))


def _add_hand(found: list[float], state: UnoState, hand: CardSet) -> None:
    """Add the colours, actions and playable cards in a hand."""
    colours: i64 = 0
    actions: i64 = 0
    playable = hand.n_wilds + hand.n_wild_draw_fours
    for colour in range(N_COLOURS):
        left = hand.counts(colour)
        if left:
            colours += 1
        symbol: i64 = 0
        while left:
            held = left & 15
            if colour == state.colour or symbol == state.symbol:
                playable += held
            if symbol >= SKIP:
                actions += held
            left >>= 4
            symbol += 1
    found.append(float(colours))
    found.append(float(actions))
    found.append(float(playable))


#: Of a player whose turn it is and who holds one card.
_LEAST_CARDS: Final = 0.25


#: Points of a card of the printed deck on average: 1,240 of 108 cards.
_MEAN_POINTS: Final = 1240.0 / 108.0
#: More cards than there are in the largest deck.
_MOST_CARDS: Final = 304


@dataclass
class UnoHeuristicParameters(Parameters):
    """The weights of `UnoHeuristic`; those of points are TAG's, the others are tuned."""

    player: float = real(0.5, -1.0, 1.0, "weight of the own points, as a share of the goal")
    opponent: float = real(-0.2, -1.0, 1.0, "weight of the opponents' points, on average, as a share of the goal")
    prospects: float = real(
        0.5333, 0.0, 1.0, "share of the points expected from the round that counts as if they were won"
    )
    power: float = real(2.675, 0.0, 4.0, "power of the number of cards to which the chance to go out first is inverse")
    turn: float = real(0.0, 0.0, 1.0, "cards that the turn is worth in that chance")
    wild_cards: float = real(1.0, 0.0, 1.0, "cards that each own wild card is worth in that chance")
    matching: float = real(
        0.1, 0.0, 1.0, "cards that each own card that matches what lies on top is worth in that chance"
    )
    colours: float = real(0.1, 0.0, 1.0, "cards that each colour in the own hand is worth in that chance")
    hand_points: float = real(0.2083, 0.0, 1.0, "share of the points in the own hand that others are expected to win")
    cards: float = real(0.0, -1.0, 1.0, "weight of the cards in hand, n / (n + cards dealt)")
    rivals_cards: float = real(0.0, -1.0, 1.0, "weight of the fewest cards of an opponent, n / (n + cards dealt)")


class UnoHeuristic(PlayerHeuristic):
    """Points of the player and the opponents, won and expected, and the cards in hand; 1 for a win and -1 for a loss.

    The points expected from a round are those of all other hands times the chance to go out first, which is inverse to a
    power of the number of cards, less some for those that are easy to play. Cards of others count their mean. Where low
    points win, they are costs: those of the own hand, unless the player goes out. Cards in hand count as
    n / (n + cards dealt), so that the last ones count most.

    The defaults are tuned (``examples/heuristics/uno.toml``). TAG's weights, of points and own cards only, are
    ``uno:prospects=0,cards=-0.3``: one-step look-ahead wins 0.995 ± 0.010 of 200 games of two against them. For MCTS of
    10 ms 60 games to 100 points show no difference, 0.500 ± 0.133, but they could not show one of 0.1.
    """

    parameters_class = UnoHeuristicParameters

    def __init__(self, parameters: UnoHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        self.weights = cast("UnoHeuristicParameters", self.parameters)
        #: The chances to go out of hands of others by their number of cards, and of the one whose turn it is.
        self.chances = [self._chance(float(cards)) for cards in range(_MOST_CARDS)]
        self.turn_chances = [self._chance(float(cards) - self.weights.turn) for cards in range(_MOST_CARDS)]

    def _chance(self, left: float) -> float:
        """Return the chance to go out first with so many cards, which others' chances are compared with."""
        chance: float = max(left, _LEAST_CARDS) ** -self.weights.power
        return chance

    def _value_player(self, state: GameState, player: i64) -> float:
        table = cast("UnoState", state)
        weights = self.weights
        hands = table.hands
        team = table.team(player)
        points = self._expected(table, player)
        rivals = 0.0
        theirs = 0.0
        fewest: i64 = 1000
        for rival in range(table.n_players):
            if table.team(rival) == team:
                continue
            if not (table.fallen and table.fallen[rival]):
                rivals += 1.0
                theirs += points[rival]
                fewest = min(fewest, hands[rival].size)
        sign = -1.0 if table.low_wins else 1.0
        goal = float(table.goal)
        value = sign * weights.player * points[player] / goal
        value += sign * weights.opponent * theirs / (goal * max(rivals, 1.0))
        value += weights.cards * _share_of(hands[player].size, table.hand_size)
        value += weights.rivals_cards * _share_of(fewest, table.hand_size)
        return value

    def _expected(self, table: UnoState, player: i64) -> list[float]:
        """Return the points of all after the round, as far as ``player`` can tell; partners share those of their team."""
        weights = self.weights
        points = [float(min(held, table.goal)) for held in table.points]
        if weights.prospects == 0.0:
            return points
        # Who has drawn and may still play has spent the turn.
        mover = table.turn_player if table.phase == TURN else table.seat_after(table.turn_player, 1)
        hands = table.hands
        left = float(hands[player].size) - (weights.turn if player == mover else 0.0)
        own_chance = self._chance(left - self._ease(table, player))
        own_worth = weights.hand_points * float(table.points_in_hand(player))
        total = 0.0
        all_caught = 0.0
        for seat in range(table.n_players):
            cards = hands[seat].size
            if cards > 0:  # else out of the game
                total += own_chance if seat == player else self._chance_of(seat == mover, cards)
                all_caught += own_worth if seat == player else _MEAN_POINTS * float(cards)
        for seat in range(table.n_players):
            cards = hands[seat].size
            if cards == 0:
                continue
            part = (own_chance if seat == player else self._chance_of(seat == mover, cards)) / total
            caught = own_worth if seat == player else _MEAN_POINTS * float(cards)
            if table.low_wins:
                points[seat] = points[seat] + weights.prospects * (1.0 - part) * caught
                continue
            gain = weights.prospects * part * (all_caught - caught)
            points[seat] = points[seat] + gain  # `+=` would add objects in compiled code
            if table.partners and table.n_players == 4:
                points[(seat + 2) % 4] += gain
        return points

    def _chance_of(self, is_mover: bool, cards: i64) -> float:
        """Return the chance of another player's hand."""
        return self.turn_chances[cards] if is_mover else self.chances[cards]

    def _ease(self, state: UnoState, player: i64) -> float:
        """Return how many cards the hand of ``player`` is worth less than its number, as it is easy to play."""
        weights = self.weights
        hand = state.hands[player]
        wilds = float(hand.n_wilds + hand.n_wild_draw_fours)
        colours = 0.0
        matching = 0.0
        for colour in range(N_COLOURS):
            left = hand.counts(colour)
            if left == 0:
                continue
            colours += 1.0
            symbol: i64 = 0
            while left:
                if left & 15 and (colour == state.colour or symbol == state.symbol):
                    matching += float(left & 15)
                left >>= 4
                symbol += 1
        return weights.wild_cards * wilds + weights.matching * matching + weights.colours * colours


def _share_of(cards: i64, dealt: i64) -> float:
    return float(cards) / float(cards + dealt)


class UnoMetric(Metric):
    """Measures length and worth of rounds, draws, and challenges of the wild draw four."""

    measures: ClassVar[dict[str, str]] = {
        "round_turns": "turns taken in each round, those that were lost left out",
        "round_points": "points of the cards in all hands at the end of each round",
        "blocked": "share of a game's rounds that nobody won",
        "draws": "share of a game's turns in which no card was played from the hand, but one drawn",
        "challenged": "share of the wild draw fours that could be challenged and were",
        "challenges_won": "share of the challenges that found a card of the colour",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._round_turns: list[float] = []
        self._round_points: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the turns, by the first decision in each, and those in which a card is drawn."""
        if not state.sequences and state.phase == TURN:
            self.counts["turns"] += 1
        if isinstance(action, Draw):
            self.counts["draws"] += 1

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count answers to wild draw fours: whose challenge is right has the next turn, unless the round is cut short."""
        if state.round != len(self._round_turns):
            return
        if isinstance(action, (Accept, Challenge)):
            self.counts["answers"] += 1
        if isinstance(action, Challenge):
            self.counts["challenges"] += 1
            if state.turn_player == player:
                self.counts["challenges won"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name in ("round won", "round blocked"):
            self.counts[event.name] += 1
            self._round_points.append(event.value)

    def on_round_over(self, state: GameState) -> None:
        self._round_turns.append(float(self.counts["turns"]) - sum(self._round_turns))

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "round_turns": self._round_turns,
            "round_points": self._round_points,
            "blocked": share(counts["round blocked"], len(self._round_turns)),
            "draws": share(counts["draws"], counts["turns"]),
            "challenged": share(counts["challenges"], counts["answers"]),
            "challenges_won": share(counts["challenges won"], counts["challenges"]),
        }
