"""Games of which the truth is known, as frames like those of a ledger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from tag.tuning.balancing import CandidateGames


def made_up(
    points: npt.ArrayLike,
    *,
    blocks: npt.ArrayLike | None = None,
    agents: npt.ArrayLike | None = None,
    labels: Sequence[str] = ("random",),
    seatings: npt.ArrayLike | None = None,
    matchups: npt.ArrayLike | None = None,
    ticks: npt.ArrayLike | None = None,
    void: npt.ArrayLike | None = None,
    wins: npt.ArrayLike | None = None,
    game: str = "love_letter",
) -> CandidateGames:
    """Return games with the points of each seat, of shape (games, seats); other arrays are by game, agents by seat too."""
    shares = np.asarray(points, dtype=np.float64)
    n, seats = shares.shape
    block = np.arange(n) if blocks is None else np.asarray(blocks)
    seating = np.zeros(n, int) if seatings is None else np.asarray(seatings)
    matchup = np.zeros(n, int) if matchups is None else np.asarray(matchups)
    who = np.zeros((n, seats), int) if agents is None else np.asarray(agents)
    is_void = np.zeros(n, bool) if void is None else np.asarray(void)
    won = shares == 1.0 if wins is None else np.asarray(wins)
    order = np.lexsort((seating, matchup, block))
    ids = np.array([f"b{b}-m{m}-s{s}" for b, m, s in zip(block, matchup, seating, strict=True)])
    games = pd.DataFrame(
        {
            "game_id": ids,
            "block": block,
            "matchup": matchup,
            "seating": seating,
            "game": pd.Categorical([game] * n),
            "ticks": np.full(n, 10) if ticks is None else np.asarray(ticks),
            "turns": np.full(n, 5),
            "rounds": np.full(n, 2),
            "void": is_void,
        }
    ).iloc[order]
    each = np.repeat(order, seats)
    seat = np.tile(np.arange(seats), n)
    result = np.where(won, "win", np.where(shares > 0.0, "draw", "lose"))
    frame = pd.DataFrame(
        {
            "game_id": ids[each],
            "block": block[each],
            "matchup": matchup[each],
            "seating": seating[each],
            "seat": seat,
            "agent": pd.Categorical.from_codes(who[each, seat], categories=list(labels)),
            "agent_index": who[each, seat],
            "result": np.where(is_void[each], "ongoing", result[each, seat]),
            "win": won[each, seat],
            "points": shares[each, seat],
            "ordinal": (1 + (shares[each] > shares[each, seat][:, None]).sum(axis=1)),
            "team": seat,
            "decisions": np.full(n * seats, 3),
        }
    )
    return CandidateGames(games, frame)


def winners(rng: np.random.Generator, chances: Sequence[float], games: int) -> npt.NDArray[np.float64]:
    """Return the points of games that a seat wins with these chances."""
    return np.eye(len(chances))[rng.choice(len(chances), games, p=chances)]
