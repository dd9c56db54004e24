"""The metric of Virus!."""

from __future__ import annotations

from typing import ClassVar

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, GameState
from tag.games.cards.virus.actions import Discard, PlayLatexGlove, PlaySpreading, StealOrgan, SwapBodies, Transplant
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

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the turns, by the first decision in each, and what they are spent on."""
        if state.sequences:
            return
        self.counts["turns"] += 1
        if isinstance(action, Discard):
            self.counts["discarding"] += 1 if action.cards else 0
        elif isinstance(action, (Transplant, StealOrgan, PlaySpreading, PlayLatexGlove, SwapBodies)):
            self.counts["treatments"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts[event.name] += 1

    def on_end(self, state: GameState) -> None:
        healthy = sorted([state.score(player) for player in range(state.n_players)])
        self.counts["margin"] = int(healthy[-1] - healthy[-2])

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "destroyed": [float(counts["organ destroyed"])],
            "immunised": [float(counts["organ immunised"])],
            "discarding": share(counts["discarding"], counts["turns"]),
            "treatments": share(counts["treatments"], counts["turns"]),
            "margin": [float(counts["margin"])],
        }
