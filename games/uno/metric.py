"""The metric of Uno."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from games.uno.actions import Accept, Challenge, Draw
from games.uno.state import TURN
from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
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
        self._turns: i64 = 0
        self._turns_before: i64 = 0
        self._draws: i64 = 0
        self._blocked: i64 = 0
        self._answers: i64 = 0
        self._challenges: i64 = 0
        self._challenges_won: i64 = 0
        self._round_turns: list[float] = []
        self._round_points: list[float] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the turns, by the first decision in each, and those in which a card is drawn."""
        if not state.sequences and state.phase == TURN:
            self._turns += 1
        if isinstance(action, Draw):
            self._draws += 1

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count answers to wild draw fours: whose challenge is right has the next turn, unless the round is cut short."""
        if state.round != len(self._round_turns):
            return
        if isinstance(action, (Accept, Challenge)):
            self._answers += 1
        if isinstance(action, Challenge):
            self._challenges += 1
            if state.turn_player == player:
                self._challenges_won += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Note how a round ended."""
        if event.name == "round blocked":
            self._blocked += 1
        if event.name in ("round won", "round blocked"):
            self._round_points.append(event.value)

    def on_round_over(self, state: GameState) -> None:
        """Note how long the round was."""
        self._round_turns.append(float(self._turns - self._turns_before))
        self._turns_before = self._turns

    def values(self) -> dict[str, list[float]]:
        """Return a value for each round, and the shares in the whole game."""
        return {
            "round_turns": self._round_turns,
            "round_points": self._round_points,
            "blocked": share(self._blocked, len(self._round_turns)),
            "draws": share(self._draws, self._turns),
            "challenged": share(self._challenges, self._answers),
            "challenges_won": share(self._challenges_won, self._challenges),
        }
