"""The metric of Diamant."""

from __future__ import annotations

from typing import ClassVar, cast

from tag import Event, GameState
from tag.games.cards.diamant.state import DiamantState
from tag.playing.metrics import Metric, share


class DiamantMetric(Metric):
    """Measures the ends of caves, and the rubies and relics brought home."""

    measures: ClassVar[dict[str, str]] = {
        "fatal_caves": "share of a game's caves that a hazard ended",
        "caught": "share of the players' visits to caves that a hazard ended",
        "relics": "relics taken in a game",
        "rubies": "rubies that a player brings home in a game, the mean of all players",
    }

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count relics, hazards, and the players whom a hazard finds in the cave."""
        if event.name == "relics":
            self.counts["relics"] += int(event.value)
        else:
            self.counts["fatal"] += 1
            self.counts["caught"] += int(event.value)

    def on_end(self, state: GameState) -> None:
        table = cast("DiamantState", state)
        self.counts["caves"] = int(table.round)
        self.counts["players"] = int(table.n_players)
        self.counts["rubies"] = sum(table.chests)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "fatal_caves": share(counts["fatal"], counts["caves"]),
            "caught": share(counts["caught"], counts["caves"] * counts["players"]),
            "relics": [float(counts["relics"])],
            "rubies": share(counts["rubies"], counts["players"]),
        }
