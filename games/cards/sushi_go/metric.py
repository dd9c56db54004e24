"""The metric of Sushi Go!."""

from __future__ import annotations

from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, GameState
from tag.games.cards.sushi_go.actions import ChooseTwo
from tag.games.cards.sushi_go.data import can_take_two
from tag.games.cards.sushi_go.state import SushiGoState
from tag.playing.metrics import Metric, share

#: The events whose values are points.
_POINTS: Final = ("tempura", "sashimi", "dumplings", "nigiri", "maki rolls", "puddings")


class SushiGoMetric(Metric):
    """Counts what players get their points for, and the cards that are of no use."""

    measures: ClassVar[dict[str, str]] = {
        "tempura_points": "points for tempura in a game, per player",
        "sashimi_points": "points for sashimi in a game, per player",
        "dumplings_points": "points for dumplings in a game, per player",
        "nigiri_points": "points for nigiri in a game, per player",
        "maki_rolls_points": "points for maki rolls in a game, per player",
        "puddings_points": "points for puddings in a game, per player",
        "lone": "share of a game's tempura and sashimi that are in no complete set",
        "dipped": "share of a game's wasabi with a nigiri on it",
        "doubles": "share of the choices with chopsticks on the table that were of two cards",
        "margin": "points that the player with the most has more than the next one, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the choices of two cards, where there were such."""
        before = cast("SushiGoState", state)
        if can_take_two(before.hands[player], before.tables[player]):
            self.counts["chances"] += 1
            self.counts["doubles"] += 1 if isinstance(action, ChooseTwo) else 0

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts[event.name] += int(event.value)

    def on_end(self, state: GameState) -> None:
        points = sorted([state.score(player) for player in range(state.n_players)])
        self.counts["margin"] = int(points[-1] - points[-2])
        self.counts["players"] = int(state.n_players)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        found = {f"{name.replace(' ', '_')}_points": share(counts[name], counts["players"]) for name in _POINTS}
        return {
            **found,
            "lone": share(counts["lone set cards"], counts["set cards"]),
            "dipped": share(counts["dipped"], counts["wasabi"]),
            "doubles": share(counts["doubles"], counts["chances"]),
            "margin": [float(counts["margin"])],
        }
