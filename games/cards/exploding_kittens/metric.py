"""The metric of Exploding Kittens."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.games.cards.exploding_kittens.actions import Reinsert
from tag.games.cards.exploding_kittens.state import ExplodingKittensState
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
        self._nopes: i64 = -1

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Note how many Nopes lie on the play that can be noped, -1 without one."""
        table = cast("ExplodingKittensState", state)
        self._nopes = table.nopes if table.play is not None else -1

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count what was defused, and the Nopes for a play once all have passed."""
        if isinstance(action, Reinsert):
            self.counts["defused"] += 1
        if self._nopes >= 0 and cast("ExplodingKittensState", state).play is None:
            self.counts["plays"] += 1
            self.counts["plays noped"] += self._nopes % 2
            self.counts["nopes"] += self._nopes
            self.counts["nopes noped"] += max(self._nopes - 1, 0)

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
