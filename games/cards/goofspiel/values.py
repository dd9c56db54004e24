"""The features, the heuristic and the metric of Goofspiel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from mypy_extensions import i64

from tag import (
    Agent,
    AnyAction,
    Event,
    Features,
    GameState,
    JointHeuristic,
    Metric,
    Parameters,
    best_other,
    best_two,
    real,
)
from tag.games.cards.goofspiel.actions import Bid
from tag.games.cards.goofspiel.data import GoofspielParameters, sum_of
from tag.games.cards.goofspiel.state import GoofspielState
from tag.playing.metrics import share


class GoofspielFeatures(Features):
    """The prizes, each player's points, and which cards each player holds; hands that are hidden have no cards here."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        cards = range(1, cast("GoofspielParameters", self.parameters).cards + 1)
        found = ["round", "stake", "bid", *[f"on_offer_{card}" for card in cards]]
        found += [f"to_come_{card}" for card in cards]
        for offset in range(n_players):
            found += [f"points_{offset}", *[f"card_{card}_{offset}" for card in cards]]
        return (*found, "lead")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; a bid that is not shown yet is the player's own only."""
        table = cast("GoofspielState", state)
        cards = range(1, table.n_cards + 1)
        found = [float(table.round), float(table.stake()), float(table.bids[player])]
        for card in cards:
            found.append(float(table.offer >> card & 1))
        for card in cards:
            found.append(float(table.prizes >> card & 1))
        best: i64 = 0
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            found.append(float(table.points[seat]))
            hand: i64 = 0 if table.hides and offset else table.hands[seat]
            for card in cards:
                found.append(float(hand >> card & 1))
            if offset:
                best = max(best, table.points[seat])
        return [*found, float(table.points[player] - best)]


@dataclass
class GoofspielHeuristicParameters(Parameters):
    """The weights of `GoofspielHeuristic`."""

    hand: float = real(1.0, 0.0, 2.0, "weight of the prizes that the hand may win")
    rivals: float = real(1.0, 0.0, 1.0, "weight of the best rival, subtracted")


class GoofspielHeuristic(JointHeuristic):
    """The points and the part of the prizes to come that the hand may win, less those of the best rival.

    The prizes on offer and to come are divided among the players by the sums of their hands. All points of the game are
    worth 1.
    """

    parameters_class = GoofspielHeuristicParameters

    def __init__(self, parameters: GoofspielHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("GoofspielHeuristicParameters", self.parameters)
        self.hand = weights.hand
        self.rivals = weights.rivals

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("GoofspielState", state)
        hands = 0.0
        for player in range(table.n_players):
            values[player] = float(sum_of(table.hands[player]))
            hands += values[player]
        part = self.hand * float(sum_of(table.prizes | table.offer)) / hands if hands > 0.0 else 0.0
        for player in range(table.n_players):
            values[player] = float(table.points[player]) + part * values[player]
        two = best_two(values)
        total = float(table.n_cards * (table.n_cards + 1)) / 2.0
        for player in range(table.n_players):
            values[player] = (values[player] - self.rivals * best_other(values[player], two)) / total


class GoofspielMetric(Metric):
    """Measures equal bids, prizes that are not won, and bids above what is on offer."""

    measures: ClassVar[dict[str, str]] = {
        "ties": "share of rounds in which several players make the highest bid",
        "unwon": "share of a game's points that no player wins",
        "overbids": "share of bids that are higher than the points on offer",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Compare a bid with the points on offer."""
        self.counts["bids"] += 1
        self.counts["overbids"] += cast("Bid", action).card > cast("GoofspielState", state).stake()

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts["ties"] += event.name == "tied"

    def on_end(self, state: GameState) -> None:
        table = cast("GoofspielState", state)
        self.counts["rounds"] = int(table.round)
        self.counts["points"] = int(table.n_cards * (table.n_cards + 1)) // 2
        self.counts["won"] = sum(table.points)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "ties": share(counts["ties"], counts["rounds"]),
            "unwon": share(counts["points"] - counts["won"], counts["points"]),
            "overbids": share(counts["overbids"], counts["bids"]),
        }
