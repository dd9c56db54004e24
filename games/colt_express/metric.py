"""The metric of Colt Express."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from games.colt_express.actions import Cover, Fire, Play, Punch
from games.colt_express.data import BITS, STEAL
from games.colt_express.state import ColtExpressState
from tag import WIN, Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.playing.metrics import Metric, share


class ColtExpressMetric(Metric):
    """Counts plans without effect, bullets, punches and the loot taken."""

    measures: ClassVar[dict[str, str]] = {
        "idle_cards": "share of the cards planned that could do nothing when they were due",
        "shots": "Bullet cards fired by bandits in a game",
        "punches": "punches in a game",
        "neutral_bullets": "neutral Bullet cards given to bandits in a game, by the Marshal and by events",
        "loot_taken": "share of the value of all loot that bandits have at the end; the rest is left on the train",
        "gunslinger_wins": "share of games that a Gunslinger won",
    }

    def __init__(self, model: ForwardModel[Any], rng: Rng) -> None:
        super().__init__(model, rng)
        self._planned: i64 = 0
        self._done: i64 = 0
        self._shots: i64 = 0
        self._punches: i64 = 0
        self._neutral: i64 = 0
        self._taken: i64 = 0
        self._loot: i64 = 0
        self._gunslingers: list[i64] = []
        self._has_won = False

    def on_start(self, state: GameState) -> None:
        """Count the neutral bullets."""
        self._neutral = cast("ColtExpressState", state).neutral

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count cards planned, and cards that do something, by what they do."""
        if isinstance(action, (Play, Cover)):
            self._planned += 1
        elif state.phase == STEAL:
            self._done += 1
            if isinstance(action, Fire):
                self._shots += 1
            elif isinstance(action, Punch):
                self._punches += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Note who has fired most."""
        if event.name == "gunslinger":
            self._gunslingers.append(event.player)

    def on_end(self, state: GameState) -> None:
        """Count what is left, and see who has won."""
        table = cast("ColtExpressState", state)
        self._neutral -= table.neutral
        self._taken = _value(table, table.held)
        self._loot = self._taken + _value(table, table.floor)
        self._has_won = any([state.result(player) == WIN for player in self._gunslingers])

    def values(self) -> dict[str, list[float]]:
        """Return the counts and shares in the whole game."""
        return {
            "idle_cards": share(self._planned - self._done, self._planned),
            "shots": [float(self._shots)],
            "punches": [float(self._punches)],
            "neutral_bullets": [float(self._neutral)],
            "loot_taken": share(self._taken, self._loot),
            "gunslinger_wins": [float(self._has_won)],
        }


def _value(table: ColtExpressState, places: list[int]) -> i64:
    """Return what the loot at all ``places`` is worth."""
    total: i64 = 0
    for loot in places:
        for token in range(len(table.values)):
            if loot & BITS[token]:
                total += table.values[token]
    return total
