"""The metric of Pandemic."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from games.pandemic.actions import ShareKnowledge
from games.pandemic.data import OUT_OF_CARDS, OUT_OF_CUBES, OUTBREAKS
from games.pandemic.state import PandemicState
from tag import AnyAction, ForwardModel, GameState, Metric, Rng


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

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._cards: i64 = 0
        self._found: dict[str, list[float]] = {}

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count the cards that change hands."""
        if isinstance(action, ShareKnowledge):
            self._cards += 1

    def on_end(self, state: GameState) -> None:
        """Look at the table."""
        table = cast("PandemicState", state)
        ending = table.ending
        self._found = {
            "cures": [table.score(0)],
            "outbreaks": [float(table.outbreaks)],
            "cards_shared": [float(self._cards)],
            "lost_by_outbreaks": [float(ending == OUTBREAKS)],
            "lost_by_cubes": [float(ending == OUT_OF_CUBES)],
            "lost_by_cards": [float(ending == OUT_OF_CARDS)],
        }

    def values(self) -> dict[str, list[float]]:
        """Return one value each."""
        return self._found
