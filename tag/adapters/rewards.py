"""Rewards by name, for all players after each action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tag.engine.state import GameState
from tag.errors import UnknownNameError

#: ``win``: at the end 1 for the winner and in all 0 for the teams; if all are one team, 1, 0 or -1 for its result.
#: ``points``: at the end 1 for a win, shared by the teams that are first together; for one team, 1 for a win.
#: ``score``: what the player's own score has changed by. ``lead``: the same, less that of the best rival.
REWARDS: Final = ("win", "points", "score", "lead")


class Rewards:
    """Finds the rewards of one game.

    Attributes:
        name: one of `REWARDS`.
    """

    def __init__(self, name: str) -> None:
        """Choose the rewards.

        Raises:
            UnknownNameError: there are none of this name.
        """
        if name not in REWARDS:
            raise UnknownNameError.of("reward", name, REWARDS)
        self.name = name
        self._is_final = name in ("win", "points")
        self._before: list[float] = []

    def start(self, state: GameState) -> None:
        """Begin with the set-up of a game."""
        if not self._is_final:
            self._before = self._values(state)

    def after(self, state: GameState) -> Sequence[float]:
        """Return the reward of each player for the last action; nothing if all are 0."""
        if self._is_final:
            return final_rewards(state, self.name == "win") if state.is_terminal else ()
        now = self._values(state)
        gained = [new - old for new, old in zip(now, self._before, strict=True)]
        self._before = now
        return gained if any(gained) else ()

    def _values(self, state: GameState) -> list[float]:
        players = range(int(state.n_players))
        scores = [state.score(player) for player in players]
        if self.name == "score":
            return scores
        teams = [state.team(player) for player in players]
        rivals = [[scores[other] for other in players if teams[other] != teams[player]] for player in players]
        return [scores[player] - max(rivals[player], default=0.0) for player in players]


def final_rewards(state: GameState, is_zero_sum: bool) -> list[float]:
    """Return the value of a game's end for each player: points, or their zero-sum form."""
    players = range(int(state.n_players))
    teams = [int(state.team(player)) for player in players]
    n_teams = len(set(teams))
    if n_teams == 1:
        values = [state.result_value(player) for player in players]
        return values if is_zero_sum else [max(value, 0.0) for value in values]
    first = {teams[player] for player in players if state.ordinal(player) == 1}
    points = [1.0 / len(first) if team in first else 0.0 for team in teams]
    return [(value * n_teams - 1.0) / (n_teams - 1) for value in points] if is_zero_sum else points
