"""Finding the best agent with few games: the next blocks go to those who may yet be it.

Blocks are played in batches. What is known of the strengths (`tournaments.stopping.strengths`) after each batch
decides whether to stop and who plays next (`tournaments.stopping.contenders`). It stops when the probability that an
agent is the best, or at most ``indifference`` below it, reaches the confidence asked for. The best is who comes before
the others most often: strength is about places, not about points.

So that no worker waits, one batch is allotted while the one before it is being played: batch k is decided on after
batch k - 2. What is allotted depends on released blocks and the seed alone, never on who played faster; a resumed
tournament allots the same.

Measured in a world of Plackett and Luce's model with four seats, half of the variance in the deal, agents 0.1 logit
(17 Elo) apart, and 95 % asked for, in 200 searches (`tests/tournaments/stopping/test_best_agent.py`): of 16 agents
the best is found after 1,328 games in the median, where allotting them evenly takes 4,800, and the winner is wrong in
0.5 %; of 32 after 1,392 in place of 13,952 (of 60 even ones), wrong in 1 %. Of 16 whose strengths are normal with a
spread of 87 Elo, one within 10 Elo of the best is found after 416 games, and 5.5 % are weaker: with ``indifference``
a search ends as soon as it may, and errs as often as it was allowed to.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tag.errors import ParameterError, PlayersError
from tag.rng import derive_seed
from tournaments.stopping.contenders import contenders, newcomers
from tournaments.stopping.distribution import Floats
from tournaments.stopping.elo import ELO_PER_LOGIT
from tournaments.stopping.strengths import Ints, Strengths, fit_strengths, pair_shares

#: How many batches are in play when the next is decided on: it knows nothing of them.
_IN_PLAY: Final = 1
#: Draws from which probabilities are counted; their error is 0.4 % where the probability is 95 %.
_DRAWS: Final = 4_000


class BestAgent:
    """Allots match-ups in batches and says when the best agent is known.

    Take `allot` whenever `can_allot`; give every block back to `add`, in schedule order
    (`tournaments.stopping.release`).

    Attributes:
        n_agents: those among whom the best is sought.
        n_players: the seats of a table; each agent takes at most one.
        batch: the blocks of a batch; two batches of games should keep all workers busy.
        seed: decides what is drawn.
        confidence: the probability at which it is known.
        indifference: how much weaker than the best is good enough, in Elo.
        best: the agent found; None until then. Once found it stands.
    """

    def __init__(
        self,
        n_agents: int,
        n_players: int,
        seed: int,
        batch: int = 8,
        confidence: float = 0.95,
        indifference: float = 0.0,
    ) -> None:
        """Begin with nothing known.

        Raises:
            PlayersError: there are fewer agents than seats, or fewer than two of either.
            ParameterError: a batch, confidence or indifference that cannot be.
        """
        if not 2 <= n_players <= n_agents:
            raise PlayersError(
                f"the best of {n_agents} agents cannot be found at {n_players} seats; it takes 2 seats or more, and as "
                "many agents"
            )
        if batch < 1:
            raise ParameterError(f"batch cannot be {batch}; the least is 1")
        if not 0.0 < confidence < 1.0:
            raise ParameterError(f"confidence cannot be {confidence:g}; it lies between 0 and 1")
        if not indifference >= 0.0:
            raise ParameterError(f"indifference cannot be {indifference:g}; the least is 0")
        self.n_agents = n_agents
        self.n_players = n_players
        self.seed = seed
        self.batch = batch
        self.confidence = confidence
        self.indifference = indifference
        self.best: int | None = None
        self._match_ups: list[Ints] = []
        self._shares: list[Floats | None] = []
        self._known: list[Strengths] = []
        self._p_best = np.full(n_agents, 1.0 / n_agents)

    @property
    def can_allot(self) -> bool:
        """Whether enough blocks are back for the next batch to be decided on."""
        return self.best is None and len(self._match_ups) <= len(self._known) + _IN_PLAY

    @property
    def p_best(self) -> Floats:
        """The probability of each agent to be the best, or good enough, after the last whole batch."""
        return self._p_best.copy()

    @property
    def strengths(self) -> Strengths | None:
        """What is known after the last whole batch."""
        return self._known[-1] if self._known else None

    def allot(self) -> Ints:
        """Return the match-ups of the next batch in schedule order, shape (batch, n_players).

        Each is to be played in all rotations of its seats, on a seed of its own.

        Raises:
            ParameterError: it cannot be decided on yet, or the best is known.
        """
        number = len(self._match_ups)
        if not self.can_allot:
            raise ParameterError(f"batch {number} cannot be allotted; it waits for batch {number - _IN_PLAY - 1}")
        rng = np.random.default_rng(derive_seed(self.seed, "allot", number))
        if number <= _IN_PLAY:
            found = newcomers(self._seated(), self.n_players, self.batch, rng)
        else:
            found = contenders(self._known[number - _IN_PLAY - 1], self.n_players, self.batch, rng)
        self._match_ups.append(found)
        return found

    def add(self, places: npt.ArrayLike | None) -> int | None:
        """Take the next block in schedule order and return the best agent, if it is known.

        Args:
            places: 1 for the first, ties sharing a place, shape (games, n_players) with players in the order of the
                match-up; None if the block is void.

        Raises:
            ParameterError: more blocks come back than were allotted.
        """
        if len(self._shares) == self.batch * len(self._match_ups):
            raise ParameterError(f"block {len(self._shares)} has not been allotted")
        self._shares.append(None if places is None else pair_shares(places))
        if len(self._shares) % self.batch == 0:
            self._look()
        return self.best

    def _look(self) -> None:
        """Fit the strengths to all whole batches and decide."""
        match_ups = np.concatenate(self._match_ups)[: len(self._shares)]
        counts = [number for number, shares in enumerate(self._shares) if shares is not None]
        played = [shares for shares in self._shares if shares is not None]
        shape = (-1, self.n_players, self.n_players)
        known = fit_strengths(self.n_agents, match_ups[counts], np.array(played, dtype=np.float64).reshape(shape))
        self._known.append(known)
        if self.best is None:
            rng = np.random.default_rng(derive_seed(self.seed, "look", len(self._known)))
            draws = known.draw(_DRAWS, rng)
            good = draws >= draws.max(axis=1, keepdims=True) - self.indifference / ELO_PER_LOGIT
            self._p_best = good.mean(axis=0)
            leader = int(self._p_best.argmax())
            self.best = leader if self._p_best[leader] >= self.confidence else None

    def _seated(self) -> Ints:
        """Return how many blocks each agent has been seated in."""
        allotted = np.concatenate([np.empty(0, dtype=np.int64), *(table.ravel() for table in self._match_ups)])
        return np.bincount(allotted, minlength=self.n_agents)
