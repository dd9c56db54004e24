"""The metric of BattleLore."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, GameState
from tag.games.boards.battlelore.actions import OrderAnyUnit, PlayCard
from tag.games.boards.battlelore.data import ORDERS
from tag.games.boards.battlelore.state import BattleloreState
from tag.playing.metrics import Metric, share


class BattleloreMetric(Metric):
    """Counts what cards order, what attacks do, and where points come from."""

    measures: ClassVar[dict[str, str]] = {
        "attacks": "attacks in a game, counters not included",
        "damage": "figures that an attack removes, counters not included, the mean of a game",
        "retreats": "share of a game's attacks that make the target retreat",
        "counters": "share of a game's attacks that are countered",
        "counter_damage": "figures that a counter removes, the mean of a game",
        "advances": "share of a game's attacks after which the attacker advances",
        "units_lost": "units eliminated in a game, of both players",
        "unit_points": "victory points for units in a game, of both players",
        "banner_points": "victory points for banners in a game, of both players",
        "left_cards": "share of a game's turns with a card for the left section",
        "centre_cards": "share of a game's turns with a card for the centre section",
        "right_cards": "share of a game's turns with a card for the right section",
        "wide_cards": "share of a game's turns with a card for several sections",
        "any_unit": "share of a game's turns in which a card orders any one unit",
        "margin": "victory points that the player with more has more than the other, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the cards by what they order."""
        if isinstance(action, OrderAnyUnit):
            self.counts["any_unit"] += 1
            self.counts["cards"] += 1
        elif isinstance(action, PlayCard):
            self.counts["cards"] += 1
            sections = ORDERS[action.card]
            alone = [place for place in range(3) if sections[place] == sum(sections)]
            name = ("left", "centre", "right")[alone[0]] if alone else "wide"
            self.counts[name] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        self.counts[event.name] += 1
        self.counts[f"{event.name}, in all"] += int(event.value)

    def on_end(self, state: GameState) -> None:
        points = cast("BattleloreState", state).points
        self.counts["margin"] = abs(points[0] - points[1])

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        attacks, turns = counts["attack"], counts["cards"]
        return {
            "attacks": [float(attacks)],
            "damage": share(counts["attack, in all"], attacks),
            "retreats": share(counts["retreat"], attacks),
            "counters": share(counts["counter"], attacks),
            "counter_damage": share(counts["counter, in all"], counts["counter"]),
            "advances": share(counts["advance"], attacks),
            "units_lost": [float(counts["eliminated"])],
            "unit_points": [float(counts["eliminated, in all"])],
            "banner_points": [float(counts["banners, in all"])],
            **{f"{name}_cards": share(counts[name], turns) for name in ("left", "centre", "right", "wide")},
            "any_unit": share(counts["any_unit"], turns),
            "margin": [float(counts["margin"])],
        }
