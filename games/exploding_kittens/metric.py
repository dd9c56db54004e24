"""The metric of Exploding Kittens."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from games.exploding_kittens.sequences import NopeWindow, Reinsert
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
        self._defused: i64 = 0
        self._explosions: list[i64] = []
        self._turns: i64 = 0
        self._pile: i64 = 0
        self._window: NopeWindow | None = None
        self._plays: i64 = 0
        self._stopped: i64 = 0
        self._nopes: i64 = 0
        self._nopes_noped: i64 = 0

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Keep an eye on the window in which players are asked, which is gone once the last one has answered."""
        top = state.sequences[-1] if state.sequences else None
        self._window = top if isinstance(top, NopeWindow) else None

    def on_action_taken(self, state: GameState, player: i64, action: AnyAction) -> None:
        """Count what was defused, and the Nopes for a play once all have passed."""
        if isinstance(action, Reinsert):
            self._defused += 1
        window = self._window
        if window is not None and window.closed:
            self._plays += 1
            self._stopped += window.nopes % 2
            self._nopes += window.nopes
            self._nopes_noped += max(window.nopes - 1, 0)

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Note when a player exploded."""
        if event.name == "explosion":
            self._explosions.append(state.turn)

    def on_end(self, state: GameState) -> None:
        """Look at the pile."""
        self._turns = state.turn
        self._pile = len(cast("ExplodingKittensState", state).deck)

    def values(self) -> dict[str, list[float]]:
        """Return the counts and shares in the whole game."""
        kittens = self._defused + len(self._explosions)
        return {
            "kittens": [float(kittens)],
            "defused": share(self._defused, kittens),
            "out_at": [float(turn) / float(self._turns) for turn in self._explosions[:-1]],
            "pile_left": [float(self._pile)],
            "noped": share(self._stopped, self._plays),
            "nopes_noped": share(self._nopes_noped, self._nopes),
        }
