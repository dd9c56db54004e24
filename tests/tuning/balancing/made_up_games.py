"""Games of which the truth is known, as frames like those of a ledger."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from stores.frames import ledger_frames

from tag.engine.results import DRAW, LOSE, ONGOING, WIN
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
    results = np.where(won, WIN, np.where(shares > 0.0, DRAW, LOSE))
    places = 1 + (shares[:, None, :] > shares[:, :, None]).sum(axis=2)
    columns = {
        "block": block,
        "matchup": matchup,
        "seating": seating,
        "game": np.full(n, game),
        "ticks": np.full(n, 10) if ticks is None else np.asarray(ticks),
        "turns": np.full(n, 5),
        "rounds": np.full(n, 2),
        "void": is_void,
        "results": np.where(is_void[:, None], ONGOING, results),
        "ordinals": places,
        "decisions": np.full((n, seats), 3),
    }
    frames = ledger_frames(labels, who[order], **{name: column[order].tolist() for name, column in columns.items()})
    return CandidateGames(frames[0], frames[1].assign(points=shares[order].ravel(), win=won[order].ravel()))


def winners(rng: np.random.Generator, chances: Sequence[float], games: int) -> npt.NDArray[np.float64]:
    """Return the points of games that a seat wins with these chances."""
    return np.eye(len(chances))[rng.choice(len(chances), games, p=chances)]
