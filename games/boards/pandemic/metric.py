"""The metric of Pandemic."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import AnyAction, GameState, Metric
from tag.games.boards.pandemic.actions import ShareKnowledge
from tag.games.boards.pandemic.data import OUT_OF_CARDS, OUT_OF_CUBES, OUTBREAKS
from tag.games.boards.pandemic.state import PandemicState


class PandemicMetric(Metric):
    """Counts cures, outbreaks and shared cards, and the ways to lose; wins are in every ledger."""

    measures: ClassVar[dict[str, str]] = {
        "cures": "diseases cured in a game, of four",
        "outbreaks": "outbreaks in a game",
        "cards_shared": "cards given by one player to another in a game",
        "lost_by_outbreaks": "share of games lost by too many outbreaks",
        "lost_by_cubes": "share of games lost because a cube was needed that was not there",
        "lost_by_cards": "share of games lost because there were too few cards to draw",
    }

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        if isinstance(action, ShareKnowledge):
            self.counts["cards_shared"] += 1

    def on_end(self, state: GameState) -> None:
        table = cast("PandemicState", state)
        self.counts["cures"] = table.n_cured()
        self.counts["outbreaks"] = table.outbreaks
        self.counts["lost_by_outbreaks"] = table.ending == OUTBREAKS
        self.counts["lost_by_cubes"] = table.ending == OUT_OF_CUBES
        self.counts["lost_by_cards"] = table.ending == OUT_OF_CARDS

    def values(self) -> dict[str, list[float]]:
        return {name: [float(self.counts[name])] for name in self.measures}
