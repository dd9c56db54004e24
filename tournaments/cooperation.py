"""Co-operative games: where all win or lose together, what counts is how often a team succeeds, and who is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from tournaments.intervals import ClusteredMean
from tournaments.plain import plain


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """How often a team succeeded, in whichever seats its agents sat.

    Attributes:
        team: its agents, those in several seats with how many.
        agents: their labels, one per seat, in the order of the tournament.
        games: the games that count.
        blocks: the blocks they are from.
        successes: games won.
        success_rate: the share of them.
        success_rate_low: the lower end of its 95 % interval, from block means.
        success_rate_high: the upper end.
    """

    team: str
    agents: tuple[str, ...]
    games: int
    blocks: int
    successes: int
    success_rate: float
    success_rate_low: float
    success_rate_high: float

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return dict(plain(asdict(self)))


def is_cooperative(seats: pd.DataFrame) -> bool:
    """Say whether all players of every game are one team, as in co-operative games and those for a single player.

    Args:
        seats: from `tournaments.read_ledger`, or all seats of some games of it.
    """
    team, is_first = seats["team"].to_numpy(), (seats["seat"] == 0).to_numpy()
    return len(seats) > 0 and bool((team == team[is_first][np.cumsum(is_first) - 1]).all())


def team_standings(counted: pd.DataFrame, n_players: int) -> list[TeamStanding]:
    """Return one standing per different team of co-operative games, the most successful first.

    Args:
        counted: the seats of whole match-ups, game by game (`tournaments.standings.whole_match_ups`).
        n_players: the seats of each game.
    """
    labels = [str(label) for label in counted["agent"].cat.categories]
    agents = np.sort(counted["agent_index"].to_numpy(dtype=np.int64).reshape(-1, n_players), axis=1)
    has_won = counted["win"].to_numpy(dtype=bool).reshape(-1, n_players).any(axis=1)
    blocks, block = np.unique(counted["block"].to_numpy().reshape(-1, n_players)[:, 0], return_inverse=True)
    teams, team = np.unique(agents, axis=0, return_inverse=True)
    shape = (len(teams), len(blocks))
    cell = team.ravel() * len(blocks) + block
    games, wins = (
        np.bincount(cell, weights, len(teams) * len(blocks)).astype(np.float64).reshape(shape)
        for weights in (None, has_won)
    )
    rows = zip(teams.tolist(), games, wins, strict=True)
    found = [_standing(tuple(labels[agent] for agent in members), *sums) for members, *sums in rows]
    return sorted(found, key=lambda standing: (-standing.success_rate, standing.team))


def _standing(agents: Sequence[str], games: Any, wins: Any) -> TeamStanding:
    rate = ClusteredMean.of(wins, games)
    low, high = rate.proportion_interval()
    members = Counter(agents)
    name = " + ".join(agent if times == 1 else f"{times} x {agent}" for agent, times in members.items())
    return TeamStanding(name, tuple(agents), int(games.sum()), rate.clusters, int(wins.sum()), rate.mean, low, high)
