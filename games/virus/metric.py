"""The metric of Virus!."""

from __future__ import annotations

from typing import Any, ClassVar

from mypy_extensions import i64

from games.virus.actions import Discard, PlayLatexGlove, PlaySpreading, StealOrgan, SwapBodies, Transplant
from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.playing.metrics import Metric, share


class VirusMetric(Metric):
    """Counts organs destroyed and immunised, the use of turns, and the lead of the winner."""

    measures: ClassVar[dict[str, str]] = {
        "destroyed": "organs destroyed by viruses in a game",
        "immunised": "organs immunised by medicines in a game",
        "discarding": "share of a game's turns spent on discarding cards",
        "treatments": "share of a game's turns in which a treatment was played",
        "margin": "healthy organs that the player with the most has more than the next one, at the end",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._destroyed: i64 = 0
        self._immunised: i64 = 0
        self._turns: i64 = 0
        self._discarding: i64 = 0
        self._treatments: i64 = 0
        self._margin = 0.0

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the turns, by the first decision in each, and what they are spent on."""
        if state.sequences:
            return
        self._turns += 1
        if isinstance(action, Discard):
            self._discarding += 1 if action.cards else 0
        elif isinstance(action, (Transplant, StealOrgan, PlaySpreading, PlayLatexGlove, SwapBodies)):
            self._treatments += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count the organs."""
        if event.name == "organ destroyed":
            self._destroyed += 1
        elif event.name == "organ immunised":
            self._immunised += 1

    def on_end(self, state: GameState) -> None:
        """Compare the bodies."""
        healthy = sorted([state.score(player) for player in range(state.n_players)])
        self._margin = healthy[-1] - healthy[-2]

    def values(self) -> dict[str, list[float]]:
        """Return the counts and shares in the whole game."""
        return {
            "destroyed": [float(self._destroyed)],
            "immunised": [float(self._immunised)],
            "discarding": share(self._discarding, self._turns),
            "treatments": share(self._treatments, self._turns),
            "margin": [self._margin],
        }
