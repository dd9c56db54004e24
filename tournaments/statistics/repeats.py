"""Games that repeat earlier ones, as games without chance between agents with little chance do, and what they count for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import scipy

from tag.engine.rng import derive_seed
from tag.tournaments.statistics.intervals import Bools, Floats, Ints, independent_clusters

if TYPE_CHECKING:
    from tag.orders import GameRecord

# Two games repeat each other if the game type has no chance, the same agents sit in the same seats, the actions are the
# same from the first to the last, and so is the final position. Positions alone do not tell: random games of tic-tac-toe
# end in one of 958, by ever other ways.
#
# Agents that choose at random meet the same game twice by chance, too: in one of 70,000 pairs of random games of
# tic-tac-toe, and then both are draws from all that may happen. So repeats count only among agents of which more pairs of
# games are the same than one in a thousand explains, by Poisson's law at 1 %.
#
# A design may play a game twice in a block, so that all match-ups count alike: where copies of an agent sit so that
# rotations repeat. The second repeats the seconds of other blocks, not the first: the block is the unit of statistics, and
# games beside each other in it change no error.
#
# Of games that repeat each other the first is *independent*. One rule holds for all that claims an error: the share of the
# blocks of a statistic that count is the share of independent ones among its games. Its mean stays that of all blocks. If
# all games of a tournament are played again, no interval, p value or decision changes.


#: The column of games and of their seats, there where games repeat, that says which count as independent.
INDEPENDENT: Final = "independent"
#: The share of pairs of games that may be the same by chance.
_BY_CHANCE: Final = 1e-3
_LEVEL: Final = 0.01
#: Numbers that are equal just where two games are the same; 0 for a game that repeats none.
Keys = npt.NDArray[np.uint64]
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)


@dataclass(frozen=True, slots=True)
class RepeatedGames:
    """Number of games of a tournament that repeat others.

    Attributes:
        games: those that can be compared.
        different: how many of them are left if each is counted once.
        shares: for each agent, the share of its games that is left; 1 without repeats.
    """

    games: int
    different: int
    shares: tuple[float, ...]

    @property
    def text(self) -> str:
        """The number of games that repeat others, and what follows from it, in a sentence; empty if none does."""
        if self.different == self.games:
            return ""
        return (
            f"games repeat: of {self.games:,}, {self.different:,} are different, as neither the game nor its agents have "
            "enough chance for more; intervals, tests and P(best) count each different game once; with "
            f"--opening random:{self._decisions} games begin differently"
        )

    @property
    def _decisions(self) -> int:
        """The number of random decisions that makes 95 % of the openings different also where few actions are available.

        In Othello six decisions lead to 8,200 sequences, and eight to 390,216.
        """
        return 6 if self.games < 1_000 else 8


def keys_of(specs: Sequence[str], hashes: Sequence[str], digests: Ints, agents: Ints, seatings: Ints) -> Keys:
    """Return the key of each game, of shape (games,): equal just where two games are the same, 0 where that is not known.

    Args:
        specs: the game type of each.
        hashes: of the final positions, in hexadecimal digits.
        digests: of the actions; 0 where they are not known, or chance has a part in the game.
        agents: the number of the agent in each seat, of shape (games, players).
        seatings: by how many seats the match-up of each is rotated.
    """
    of_specs = {spec: derive_seed(0, spec) for spec in set(specs)}
    keys = np.fromiter((of_specs[spec] for spec in specs), np.uint64, len(specs))
    keys = _mixed(keys, np.fromiter((int(text, 16) for text in hashes), np.uint64, len(hashes)))
    keys = _mixed(keys, digests.astype(np.uint64))
    for by_seat in agents.T:
        keys = _mixed(keys, by_seat.astype(np.uint64))
    copies = _copies(agents, seatings)
    keys = np.where(copies > 0, _mixed(keys, copies.astype(np.uint64)), keys)
    return np.where(digests == 0, np.uint64(0), keys)


def _copies(agents: Ints, seatings: Ints) -> Ints:
    """Return how many games of the same block and match-up a design plays before each that are the same as it."""
    n_players = agents.shape[1]
    period = np.full(len(agents), n_players)
    for turn in reversed(range(1, n_players)):
        period[(np.roll(agents, -turn, axis=1) == agents).all(axis=1)] = turn
    copies: Ints = np.where(period < n_players, seatings // period, 0)
    return copies


def key_of(spec: str, record: GameRecord, agents: Sequence[int], seating: int) -> int:
    """Return the key of one game of the game type ``spec``, of ``agents`` by seat in a ``seating`` of their match-up.

    It is 0 where the game is void or not known.
    """
    if record.void or not record.actions_digest:
        return 0
    digests = np.array([record.actions_digest])
    (key,) = (
        keys_of([spec], [record.state_hash], digests, np.array([agents]), np.array([seating])).view(np.int64).tolist()
    )
    return int(key)


def are_independent(keys: Keys, agents: Ints) -> Bools:
    """Return which games repeat no earlier one, of shape (games,).

    Args:
        keys: from `keys_of`, in the order of the games.
        agents: the number of the agent in each seat, of shape (games, players).
    """
    found = np.ones(len(keys), dtype=np.bool_)
    (known,) = np.nonzero(keys)
    if len(known):
        found[known] = _are_first(keys[known], agents[known])
    return found


def _are_first(keys: Keys, agents: Ints) -> Bools:
    """Return `are_independent` of games whose keys are known.

    The pairs that can be the same are those of games with the same agents in the same seats.
    """
    _different, first, copies = np.unique(keys, return_index=True, return_counts=True)
    seatings, seating = np.unique(agents, axis=0, return_inverse=True)
    _match_ups, match_up = np.unique(np.sort(seatings, axis=1), axis=0, return_inverse=True)
    match_up = match_up.ravel()
    n = int(match_up.max()) + 1
    pairs = np.bincount(match_up, _pairs(np.bincount(seating.ravel())), n)
    of_game = match_up[seating.ravel()]
    same = np.bincount(of_game[first], _pairs(copies), n)
    are_first: Bools = ~_is_more(same, pairs)[of_game]
    are_first[first] = True
    return are_first


def _is_more(same: Any, pairs: Any) -> Any:
    """Say whether more pairs of games are the same than chance explains, of so many pairs; of numbers or arrays."""
    return (same > 0) & (scipy.special.pdtrc(np.maximum(same - 1, 0), _BY_CHANCE * pairs) < _LEVEL)


def _pairs(numbers: Ints) -> Floats:
    """Return the pairs of each number of things."""
    found: Floats = numbers * (numbers - 1.0) / 2.0
    return found


def _mixed(keys: Keys, values: Keys) -> Keys:
    """Return keys that depend on former ones and further values, in order."""
    mixed: Keys = (keys ^ values) * _ODD
    return mixed ^ (mixed >> _SHIFT)


def repeated_games(keys: Keys, agents: Ints, n_agents: int) -> RepeatedGames:
    """Return how many games repeat others, with the arguments of `are_independent`; those without a key are left out."""
    is_known = keys != 0
    known = agents[is_known]
    is_left = are_independent(keys, agents)[is_known]
    seated, left = (np.bincount(some.ravel(), minlength=n_agents) for some in (known, known[is_left]))
    shares = np.divide(left, seated, out=np.ones(n_agents), where=seated > 0)
    return RepeatedGames(len(known), int(is_left.sum()), tuple(shares.tolist()))


class Repeats:
    """Collects the keys of games in any parts and order."""

    def __init__(self, n_agents: int) -> None:
        """Start without games."""
        self._n_agents = n_agents
        self._parts: list[tuple[Keys, Ints]] = []

    def add(self, keys: Keys, agents: Ints) -> None:
        """Add games, by their keys and their agents as in `are_independent`; those without a key are left out."""
        self._parts.append((keys[keys != 0], agents[keys != 0]))

    def games(self) -> tuple[Keys, Ints]:
        """Return the games so far, for `add`."""
        if self._parts:
            keys, agents = (np.concatenate(arrays) for arrays in zip(*self._parts, strict=True))
            self._parts = [(keys, agents)]
        return self._parts[0] if self._parts else (np.zeros(0, np.uint64), np.zeros((0, 1), np.int16))

    def result(self) -> RepeatedGames:
        """Return how many games repeat others so far."""
        keys, agents = self.games()
        return (
            repeated_games(keys, agents, self._n_agents) if len(keys) else RepeatedGames(0, 0, (1.0,) * self._n_agents)
        )


# A rule looks only after blocks with a game that is new, so that the same games played again decide nothing. If the blocks
# of the latter half, at least ten, have had none, few others would: less than 26 % of all blocks (95 %).


#: So many blocks without a new game end a tournament that waits for one, and as many as half of all.
_PATIENCE: Final = 10


class _MatchUp:
    """The games of the same agents in any seats."""

    def __init__(self) -> None:
        self.games = 0
        self.different = 0
        self.pairs = 0
        self.same = 0

    @property
    def independent(self) -> int:
        """The number of games that count as independent."""
        return self.different if _is_more(float(self.same), float(self.pairs)) else self.games


class IndependentBlocks:
    """Counts which of the blocks that come one after the other are independent.

    Attributes:
        blocks: all so far.
        has_grown: whether the last block had a game that repeats none.
    """

    def __init__(self) -> None:
        """Start without blocks."""
        self.blocks = 0
        self.has_grown = True
        self._last = 0
        self._seen: Counter[int] = Counter()
        self._seated: Counter[tuple[int, ...]] = Counter()
        self._match_ups: dict[tuple[int, ...], _MatchUp] = {}

    def add(self, games: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        """Add the next block: the key of each game, and the agents in its seats."""
        self.blocks += 1
        new = [self._add_game(key, agents) for key, agents in games]
        self.has_grown = any(new)
        if self.has_grown:
            self._last = self.blocks

    def _add_game(self, key: int, agents: tuple[int, ...]) -> bool:
        """Count a game, and return whether it is new."""
        of = self._match_ups.setdefault(tuple(sorted(agents)), _MatchUp())
        before = self._seen[key] if key else 0
        of.games += 1
        of.different += not before
        of.same += before
        if key:
            of.pairs += self._seated[agents]
            self._seen[key] += 1
            self._seated[agents] += 1
        return not before

    def share(self, agents: Iterable[int] = ()) -> float:
        """Return the share of games that are independent, of all or of those in which some of the ``agents`` sit."""
        some = frozenset(agents)
        counted = [of for key, of in self._match_ups.items() if not some or some.intersection(key)]
        games = sum(of.games for of in counted)
        return sum(of.independent for of in counted) / games if games else 1.0

    def share_between(self, agents: Iterable[int]) -> float:
        """Return the share of games that are independent, of those between just these agents in any seats."""
        of = self._match_ups.get(tuple(sorted(agents)))
        return of.independent / of.games if of else 1.0

    @property
    def independent(self) -> int:
        """The blocks that count as independent."""
        return independent_clusters(self.blocks, self.share())

    @property
    def are_exhausted(self) -> bool:
        """True if no new game can be expected: the last blocks, half of all and ten at least, have had none."""
        return self.blocks - self._last >= max(_PATIENCE, self.blocks / 2.0)

    @property
    def text(self) -> str:
        """How many blocks are independent, in words; empty if all are."""
        if self.independent == self.blocks:
            return ""
        return f"as games repeat, {self.independent:,} of {self.blocks:,} blocks count"
