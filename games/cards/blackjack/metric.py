"""The metric of Blackjack."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, GameState
from tag.games.cards.blackjack.actions import Insure
from tag.games.cards.blackjack.data import INSURING
from tag.games.cards.blackjack.state import BlackjackState
from tag.playing.metrics import Metric, share


class BlackjackMetric(Metric):
    """Measures what happens to hands, and what the players win from the dealer."""

    measures: ClassVar[dict[str, str]] = {
        "blackjacks": "share of the hands dealt that are an ace and a ten",
        "busts": "share of the hands played, after splits, that go over 21",
        "doubles": "share of the hands played that are doubled",
        "splits": "splits for each hand dealt",
        "surrenders": "share of the hands dealt that are given up",
        "insured": "share of the offers of insurance that are taken",
        "dealer_busts": "share of a game's rounds in which the dealer goes over 21",
        "won": "units that a hand dealt wins, all its splits and insurance together",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the offers of insurance, and those taken."""
        if cast("BlackjackState", state).phase == INSURING:
            self.counts["offers"] += 1
            self.counts["taken"] += 1 if isinstance(action, Insure) else 0

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "dealer":
            self.counts["dealer busts"] += 1 if event.value > 21 else 0
        else:
            self.counts[event.name] += 1

    def on_end(self, state: GameState) -> None:
        table = cast("BlackjackState", state)
        self.counts["rounds"] = int(table.round)
        self.counts["dealt"] = int(table.round * table.n_players)
        self.won = [table.score(player) for player in range(table.n_players)]

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        dealt = counts["dealt"]
        return {
            "blackjacks": share(counts["blackjack"], dealt),
            "busts": share(counts["bust"], counts["hand"]),
            "doubles": share(counts["double"], counts["hand"]),
            "splits": share(counts["split"], dealt),
            "surrenders": share(counts["surrender"], dealt),
            "insured": share(counts["taken"], counts["offers"]),
            "dealer_busts": share(counts["dealer busts"], counts["rounds"]),
            "won": [sum(self.won) / dealt] if dealt else [],
        }
