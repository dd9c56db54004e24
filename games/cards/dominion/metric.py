"""The metric of Dominion."""

from __future__ import annotations

from typing import ClassVar, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Event, GameState
from tag.games.cards.dominion.actions import Buy, Play
from tag.games.cards.dominion.data import ALL_TREASURES, BITS, MASK, N_BASIC, OWNED, PROVINCE, SPAN, size
from tag.games.cards.dominion.state import DominionState
from tag.playing.metrics import Metric, share


class DominionMetric(Metric):
    """Measures decks, what players buy and play, attacks, and the end of the game."""

    measures: ClassVar[dict[str, str]] = {
        "turns_each": "turns of a player in a game, the mean of all players",
        "provinces": "Provinces of a player at the end, the mean of all players",
        "deck": "cards of a player at the end, the mean of all players",
        "treasures": "share of treasures in all decks at the end",
        "kingdom_buys": "share of the cards bought in a game that were kingdom cards",
        "plays": "actions that a player chose to play in a turn, the mean of a game",
        "trashed": "cards trashed in a game, per player",
        "attacks": "attacks on a player in a game, the mean of all players",
        "blocked": "share of a game's attacks on players that a Moat blocked",
        "ends_by_piles": "share of games that end with Provinces left",
        "margin": "points that the player with the most has more than the next one, at the end",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the cards bought and played."""
        if isinstance(action, Buy):
            self.counts["buys"] += 1
            self.counts["kingdom buys"] += 1 if action.card >= N_BASIC else 0
        elif isinstance(action, Play):
            self.counts["plays"] += 1

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Count the attacks on players, and those blocked."""
        self.counts["attacks"] += 1
        self.counts["blocked"] += int(event.value)

    def on_end(self, state: GameState) -> None:
        table = cast("DominionState", state)
        counts = self.counts
        counts["players"] = int(table.n_players)
        counts["turns"] = int(table.turn)
        counts["trashed"] = int(size(table.trash_basic) + size(table.trash_kingdom))
        counts["provinces left"] = int(table.supply_basic >> BITS * PROVINCE & MASK)
        for player in range(table.n_players):
            basic: i64 = table.cards[SPAN * player + OWNED]
            counts["provinces"] += int(basic >> BITS * PROVINCE & MASK)
            counts["treasures"] += int(size(basic & ALL_TREASURES))
            counts["cards"] += int(table.owned(player))
        points = sorted([int(table.points(player)) for player in range(table.n_players)])
        counts["margin"] = points[-1] - points[-2]

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        players = counts["players"]
        return {
            "turns_each": share(counts["turns"], players),
            "provinces": share(counts["provinces"], players),
            "deck": share(counts["cards"], players),
            "treasures": share(counts["treasures"], counts["cards"]),
            "kingdom_buys": share(counts["kingdom buys"], counts["buys"]),
            "plays": share(counts["plays"], counts["turns"]),
            "trashed": share(counts["trashed"], players),
            "attacks": share(counts["attacks"], players),
            "blocked": share(counts["blocked"], counts["attacks"]),
            "ends_by_piles": [1.0 if counts["provinces left"] else 0.0],
            "margin": [float(counts["margin"])],
        }
