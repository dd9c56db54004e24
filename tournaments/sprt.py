"""The sequential test of a tournament between two agents: it ends when the first is known to be stronger, or not to be.

The score of a block is the first agent's share of the points in all games of the block. Blocks are looked at one by one
in schedule order, whatever the order in which games come in, so that long games cannot sway the decision (see
`tournaments.stopping`), and a resumption, or another number of workers, comes to the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

import pandas as pd

from tag.errors import ParameterError, PlayersError
from tag.playing import GameRecord
from tag.results import DRAW, WIN
from tournaments.schedule import Pairing, Schedule
from tournaments.stopping import Decision, Gsprt, InOrderRelease, LogisticElo

_AGENTS = 2


@dataclass(frozen=True)
class SprtBounds:
    """What a test decides between; written ``elo0,elo1`` or ``elo0,elo1,alpha,beta``.

    Attributes:
        elo0: the difference under H0, in Elo.
        elo1: the difference under H1.
        alpha: the chance to accept H1 where H0 is true.
        beta: the chance to accept H0 where H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @classmethod
    def read(cls, text: str) -> Self:
        """Read ``0,10`` or ``0,10,0.05,0.1``.

        Raises:
            ParameterError: it is neither, or the values do not fit together.
        """
        try:
            bounds = cls(*(float(part) for part in text.split(",")))
        except (ValueError, TypeError):
            raise ParameterError(f"sprt cannot be {text!r}; it is elo0,elo1 or elo0,elo1,alpha,beta") from None
        Gsprt(LogisticElo(), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
        return bounds


@dataclass(frozen=True)
class SprtResult:
    """How a test stands.

    Attributes:
        bounds: what it decides between.
        decision: accept H0, accept H1, or go on.
        blocks: those that count, in schedule order.
        llr: the log-likelihood ratio of H1 to H0.
        lower: the bound below which H0 is accepted.
        upper: the bound above which H1 is accepted.
        elo: the difference, median-unbiased although the test stops where it does; None without blocks.
        elo_low: the lower end of its 95 % interval.
        elo_high: the upper end.
    """

    bounds: SprtBounds
    decision: str
    blocks: int
    llr: float
    lower: float
    upper: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None

    @property
    def text(self) -> str:
        """The result in a line."""
        test = f"SPRT [{self.bounds.elo0:g}, {self.bounds.elo1:g}] Elo: {self.decision} after {self.blocks:,} blocks"
        llr = f"LLR {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f})"
        if self.elo is None:
            return f"{test}, {llr}"
        return f"{test}, {llr}, Elo {self.elo:+.1f} ({self.elo_low:+.1f} … {self.elo_high:+.1f})"


class Sprt:
    """The test of one tournament, fed with games in any order."""

    def __init__(self, bounds: SprtBounds, schedule: Schedule) -> None:
        """Begin a test.

        Raises:
            PlayersError: there are not two agents, or the design has rounds.
        """
        design = schedule.design
        if design.n_agents != _AGENTS or design.in_rounds:
            raise PlayersError(f"an SPRT is between 2 agents in the same match-ups throughout, not {design.n_agents}")
        first_block = [pairing.agents for pairing in schedule.games(range(1))]
        seats = Counter(agent for agents in first_block for agent in agents)
        self._bounds = bounds
        self._n_seatings = design.n_seatings
        self._release = InOrderRelease[float](len(first_block))
        par = seats[0] / sum(seats.values())
        self._test = Gsprt(LogisticElo(par), bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta)
        self._looked_at = 0

    @property
    def is_decided(self) -> bool:
        """Whether the test has ended."""
        return self._test.decision is not Decision.GO_ON

    @property
    def blocks(self) -> int:
        """How many blocks of the schedule have been looked at, void ones included."""
        return self._looked_at

    def add(self, pairing: Pairing, record: GameRecord) -> None:
        """Take a game."""
        self._take(pairing.block, pairing.matchup, pairing.seating, None if record.void else _share(pairing, record))

    def add_ledger(self, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        """Take the games of a ledger, by the frames of `tournaments.read_ledger`."""
        shares = seats[seats["agent_index"] == 0].groupby("game_id")["points"].sum()
        columns = zip(games["game_id"], games["block"], games["matchup"], games["seating"], games["void"], strict=True)
        for game_id, block, matchup, seating, void in columns:
            self._take(int(block), int(matchup), int(seating), None if void else float(shares.get(game_id, 0.0)))

    def result(self) -> SprtResult:
        """Return how the test stands."""
        test = self._test
        lower, upper = test.corrected_bounds
        estimate = test.estimate() if test.blocks else None
        return SprtResult(
            bounds=self._bounds,
            decision=test.decision.value,
            blocks=test.blocks,
            llr=test.llr,
            lower=lower,
            upper=upper,
            elo=estimate.elo if estimate else None,
            elo_low=estimate.low if estimate else None,
            elo_high=estimate.high if estimate else None,
        )

    def _take(self, block: int, matchup: int, seating: int, share: float | None) -> None:
        """Release what a game completes, and look at each block until the test is decided."""
        for shares in self._release.add(block, matchup * self._n_seatings + seating, share):
            if self.is_decided:
                return
            self._looked_at += 1
            if shares:
                self._test.add([sum(shares) / len(shares)])


def _share(pairing: Pairing, record: GameRecord) -> float:
    """Return the first agent's points in a game (see `docs/ledger.md`)."""
    seats = [seat for seat, result in enumerate(record.results) if result == WIN]
    seats = seats or [seat for seat, result in enumerate(record.results) if result == DRAW]
    return sum(pairing.agents[seat] == 0 for seat in seats) / len(seats) if seats else 0.0
