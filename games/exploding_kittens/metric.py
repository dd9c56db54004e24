"""The metric of Exploding Kittens."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from games.exploding_kittens.actions import NopeWindow, Reinsert
from games.exploding_kittens.state import ExplodingKittensState
from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.playing.metrics import Metric, share


class ExplodingKittensMetric(Metric):
    """Counts kittens, explosions, and the plays and Nopes that Nopes stop."""

    measures: ClassVar[dict[str, str]] = {
        "kittens": "Exploding Kittens drawn in a game",
        "defused": "share of them that were defused",
        "out_at": "share of a game's turns after which each player but the last one exploded",
        "pile_left": "cards in the draw pile at the end",
        "noped": "share of the plays that Nopes stopped",
        "nopes_noped": "share of the Nopes that were noped in turn",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._explosions: list[i64] = []
        self._window: NopeWindow | None = None

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep an eye on the window in which players are asked, which is gone once the last one has answered."""
        top = state.sequences[-1] if state.sequences else None
        self._window = top if isinstance(top, NopeWindow) else None

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count what was defused, and the Nopes for a play once all have passed."""
        if isinstance(action, Reinsert):
            self.counts["defused"] += 1
        window = self._window
        if window is not None and window.closed:
            self.counts["plays"] += 1
            self.counts["plays noped"] += window.nopes % 2
            self.counts["nopes"] += window.nopes
            self.counts["nopes noped"] += max(window.nopes - 1, 0)

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "explosion":
            self._explosions.append(state.turn)

    def on_end(self, state: GameState) -> None:
        self.counts["turns"] = state.turn
        self.counts["pile"] = len(cast("ExplodingKittensState", state).deck)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        kittens = counts["defused"] + len(self._explosions)
        return {
            "kittens": [float(kittens)],
            "defused": share(counts["defused"], kittens),
            "out_at": [float(turn) / float(counts["turns"]) for turn in self._explosions[:-1]],
            "pile_left": [float(counts["pile"])],
            "noped": share(counts["plays noped"], counts["plays"]),
            "nopes_noped": share(counts["nopes noped"], counts["nopes"]),
        }
