"""The metric of Uno."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.games.cards.uno.actions import Accept, Challenge, Draw
from tag.games.cards.uno.state import TURN
from tag.playing.metrics import Metric, share


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
        self.counts[event.name] += 1
        if event.name in ("round won", "round blocked"):
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
