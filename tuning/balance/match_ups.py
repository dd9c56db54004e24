"""How far the results between agents are from those that are wanted."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from itertools import combinations
from math import isfinite
from pathlib import Path

import numpy as np

from tag.errors import DataError
from tournaments.ratings._pairs import Meetings
from tournaments.ratings.games import RankedGames
from tuning.balance.block_means import BlockMeans
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate
from tuning.balance.sizes import ROOT_MEAN_SQUARE, size_estimate

#: What the first agent of a pair is to score against the second, from 0 to 1, a shared place being a half.
WantedScores = Mapping[tuple[str, str], float]


def match_up_distance(candidate: CandidateGames, wanted: WantedScores) -> Estimate:
    """Return the root of the mean squared difference between the scores of pairs of agents and those that are wanted.

    Scores are those of the pairwise table (`tournaments.ratings.pairwise`): how often the one is placed above the other,
    half for a shared place. What noise adds is taken off (`tuning.balance.sizes`).

    Raises:
        UnknownNameError: an agent does not take part.
        DataError: two agents have not met, or nothing is wanted.
    """
    pairs = [(candidate.agent(one), candidate.agent(other)) for one, other in wanted]
    if not pairs:
        raise DataError("no scores between agents are wanted; name one at least")
    found = _scores(candidate, pairs)
    offset = found.means - np.array(list(wanted.values()))
    return size_estimate(BlockMeans(offset, found.covariance, found.blocks, found.games), ROOT_MEAN_SQUARE, 1.0)


def read_wanted(path: Path | str) -> dict[tuple[str, str], float]:
    """Read a matrix of scores from CSV: agents as the header and first column, the row's score in the cell, some empty.

    It is the form of `tag export … pairs` laid out as a table. Of two agents, one cell is enough; where both are there
    they sum to 1.

    Raises:
        DataError: it is no such file.
    """
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            header, *rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read the wanted scores in {str(path)!r}: {error}") from None
    cells = {
        (row[0].strip(), other.strip()): _score(text, path)
        for row in rows
        for other, text in zip(header[1:], row[1:], strict=False)
        if text.strip() and other.strip() != row[0].strip()
    }
    for (one, other), score in cells.items():
        if abs(score + cells.get((other, one), 1.0 - score) - 1.0) > 1e-9:
            raise DataError(f"the wanted scores of {one!r} and {other!r} in {str(path)!r} do not sum to 1")
    agents = list(dict.fromkeys(agent for pair in cells for agent in pair))
    found = {}
    for pair in combinations(agents, 2):
        if pair in cells:
            found[pair] = cells[pair]
        elif pair[::-1] in cells:
            found[pair] = 1.0 - cells[pair[::-1]]
    if not found:
        raise DataError(f"{str(path)!r} has no scores; its first row and column name agents")
    return found


def _score(text: str, path: Path | str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not isfinite(score) or not 0.0 <= score <= 1.0:
        raise DataError(f"a wanted score in {str(path)!r} cannot be {text.strip()!r}; it lies between 0 and 1")
    return score


def _scores(candidate: CandidateGames, pairs: list[tuple[int, int]]) -> BlockMeans:
    """Return the score of the first of each pair against the second."""
    meetings = Meetings.of(RankedGames.of(candidate.counted))
    scores, games = meetings.by_group(np.arange(meetings.n_blocks), meetings.n_blocks)
    rows, columns = np.array(pairs).T
    met = games[:, rows, columns]
    for (one, other), count in zip(pairs, met.sum(axis=0), strict=True):
        if not count:
            labels = candidate.labels
            raise DataError(f"{labels[one]!r} and {labels[other]!r} have not met in these games")
    return BlockMeans.of(scores[:, rows, columns], met, len(candidate.blocks))
