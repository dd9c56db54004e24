"""The metric of Colt Express."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from mypy_extensions import i64

from tag import WIN, Agent, AnyAction, Event, ForwardModel, GameState, Rng
from tag.games.boards.colt_express.actions import Cover, Fire, Play, Punch
from tag.games.boards.colt_express.data import BITS, STEAL
from tag.games.boards.colt_express.state import ColtExpressState
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
        self._gunslingers: list[i64] = []
        self._has_won = False

    def on_start(self, state: GameState) -> None:
        self.counts["neutral"] = cast("ColtExpressState", state).neutral

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count cards planned, and cards that do something, by what they do."""
        if isinstance(action, (Play, Cover)):
            self.counts["planned"] += 1
        elif state.phase == STEAL:
            self.counts["done"] += 1
            if isinstance(action, Fire):
                self.counts["shots"] += 1
            elif isinstance(action, Punch):
                self.counts["punches"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "gunslinger":
            self._gunslingers.append(event.player)

    def on_end(self, state: GameState) -> None:
        table = cast("ColtExpressState", state)
        self.counts["neutral"] -= table.neutral
        self.counts["taken"] = _value(table, table.held)
        self.counts["loot"] = self.counts["taken"] + _value(table, table.floor)
        self._has_won = any([state.result(player) == WIN for player in self._gunslingers])

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "idle_cards": share(counts["planned"] - counts["done"], counts["planned"]),
            "shots": [float(counts["shots"])],
            "punches": [float(counts["punches"])],
            "neutral_bullets": [float(counts["neutral"])],
            "loot_taken": share(counts["taken"], counts["loot"]),
            "gunslinger_wins": [float(self._has_won)],
        }


def _value(table: ColtExpressState, places: list[int]) -> i64:
    total: i64 = 0
    for loot in places:
        for token in range(len(table.values)):
            if loot & BITS[token]:
                total += table.values[token] or round(table.purse_mean)  # unopened in games that a fault has ended
    return total
