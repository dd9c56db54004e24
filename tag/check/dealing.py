"""Checks of how hidden information is dealt again: from nothing hidden, and everything that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tag.check.game_check import GameCheck, GameSubject, Position
from tag.check.leaves import leaves
from tag.check.report import Where
from tag.errors import ContractError
from tag.rng import Rng, derive_seed
from tag.state import GameState

#: Blindness: observations drawn at each position, then for the most suspicious positions.
_FIRST_SAMPLE: Final = 16
_SAMPLE: Final = 1000
_SUSPECTS: Final = 4

#: Two samples differ for certain beyond so many standard deviations: by chance that has a probability below 1e-8.
_SUSPICIOUS: Final = 2.0
_CERTAIN: Final = 6.2

#: Variation: set-ups compared, pairs of positions examined, observations drawn until a value has to appear.
_SETUPS: Final = 60
_PAIRS: Final = 12
_PATIENCE: Final = 2000


@dataclass
class Suspect:
    """A position and an observation of it, which should have the same observations; ``deviation`` says how doubtful."""

    deviation: float
    state: GameState
    seen: GameState
    player: int
    where: Where


class ObservationBlind(GameCheck):
    """What is dealt must not depend on what is hidden, or search would learn the truth by looking often.

    A position and an observation of it look the same to the player, so observations drawn from the one and from the
    other have the same distribution. Whole positions and single values are compared, first in small samples, then, for
    the positions in which those differ most, in large and fresh ones.
    """

    name = "observation_blind"
    text = "what is dealt in an observation depends on nothing hidden"

    def __init__(self) -> None:
        super().__init__()
        self.suspects: list[Suspect] = []

    def at(self, position: Position) -> None:
        """Compare small samples for one player, and keep the position if they differ most so far."""
        state = position.state
        rng = position.rng("blind")
        player = rng.below(state.n_players)
        seen = state.observation(player, rng)
        deviation, _path = _deviation(state, seen, player, rng, _FIRST_SAMPLE)
        if deviation > _SUSPICIOUS:
            self.suspects.append(Suspect(deviation, state.copy(), seen, player, position.where))
            self.suspects.sort(key=lambda suspect: -suspect.deviation)
            del self.suspects[_SUSPECTS:]

    def finish(self, subject: GameSubject) -> None:
        """Compare large samples where small ones differed."""
        for number, suspect in enumerate(self.suspects):
            rng = Rng(derive_seed(subject.seed, "blind", number))
            deviation, path = _deviation(suspect.state, suspect.seen, suspect.player, rng, _SAMPLE)
            if deviation > _CERTAIN:
                self.where = suspect.where
                raise ContractError(
                    f"observations of player {suspect.player} from two positions that this player cannot tell apart "
                    f"differ in how often they have {path} ({deviation:.1f} standard deviations)"
                )


def _deviation(one: GameState, other: GameState, player: int, rng: Rng, size: int) -> tuple[float, str]:
    """Return how far apart samples of observations are, in standard deviations, and in which value.

    Of c + d appearances of a value, half should come from each sample: |c - d| / sqrt(c + d) exceeds z with
    probability below 2 exp(-z²/2) (Hoeffding).
    """
    mine = _appearances(one, player, rng, size)
    theirs = _appearances(other, player, rng, size)
    farthest = (0.0, "")
    for value in [*mine, *theirs]:
        count, rival = mine[value], theirs[value]
        apart = abs(count - rival) / sqrt(count + rival)
        if apart > farthest[0]:
            farthest = (apart, f"{value[0]} = {value[1]}")
    return farthest


def _appearances(state: GameState, player: int, rng: Rng, size: int) -> Counter[tuple[str, str]]:
    """Count how often each value, and each whole position, appears in observations."""
    found: Counter[tuple[str, str]] = Counter()
    for _drawn in range(size):
        values = [(path, repr(value)) for path, value in leaves(state.observation(player, rng)).items()]
        found.update(values)
        found["position", str(values)] += 1
    return found


@dataclass
class Twin:
    """A position to observe, and values of another one that the player cannot tell from it."""

    state: GameState
    player: int
    values: dict[str, object]
    where: Where
    other: Where


class ObservationVaries(GameCheck):
    """What a player cannot know has to be dealt, in every way that fits what the player knows.

    Positions of the random games, and many set-ups, that are equal in what a player knows are compared: each value that
    one of them has must appear in observations of the other.
    """

    name = "observation_varies"
    text = "observations deal all that is hidden, in every way that is possible"

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[Hashable, tuple[GameState, dict[str, object], Where]] = {}
        self.twins: list[Twin] = []
        self.hides = False
        self.varies = False

    def at(self, position: Position) -> None:
        """Look for positions that a player cannot tell apart."""
        state = position.state
        self.hides = self.hides or type(state).redeterminise is not GameState.redeterminise
        if not self.varies and not state.is_terminal:
            seen = state.observation(state.current_player, position.rng("varies"))
            self.varies = seen.snapshot() != state.snapshot()
        self._compare(state, position.where)

    def finish(self, subject: GameSubject) -> None:
        """Compare set-ups as well, then look for each twin's values."""
        for n_players in subject.counts:
            for number in range(_SETUPS):
                seed = derive_seed(subject.seed, "setup", number)
                self._compare(
                    subject.model.setup(n_players, Rng(derive_seed(seed, "chance"))), subject.where(n_players, seed)
                )
        for number, twin in enumerate(self.twins):
            self.where = twin.where
            self._seek(twin, Rng(derive_seed(subject.seed, "varies", number)))
        self.where = None
        if self.hides and not self.varies:
            raise ContractError("redeterminise deals nothing again: every observation is the true position")

    def _compare(self, state: GameState, where: Where) -> None:
        """Keep the first position of each kind, and pair the next ones that differ with it."""
        if len(self.twins) == _PAIRS:
            return
        values = leaves(state)
        for player in range(state.n_players):
            kind = (player, _public(state), state.knowledge(player))
            if kind not in self.first:
                self.first[kind] = (state.copy(), values, where)
                continue
            origin, others, first_where = self.first[kind]
            if values != others and len(self.twins) < _PAIRS:
                hidden = {path: value for path, value in values.items() if others.get(path) != value}
                self.twins.append(Twin(origin, player, hidden, first_where, where))

    def _seek(self, twin: Twin, rng: Rng) -> None:
        """Draw observations until every value of the twin has appeared."""
        wanted = dict(twin.values)
        for _drawn in range(_PATIENCE):
            seen = leaves(twin.state.observation(twin.player, rng))
            wanted = {path: value for path, value in wanted.items() if seen.get(path) != value}
            if not wanted:
                return
        path, value = next(iter(wanted.items()))
        raise ContractError(
            f"player {twin.player} knows the same here and in ({twin.other}), where {path} is {value!r}, but no observation "
            "deals that; redeterminise must be able to, or knowledge tell the positions apart"
        )


def _public(state: GameState) -> tuple[object, ...]:
    """Return the engine's own fields, which everybody knows whether or not a game's knowledge repeats them."""
    return (
        state.n_players,
        state.current_player,
        state.turn_player,
        state.first_player,
        state.tick,
        state.turn,
        state.round,
        state.phase,
        state.results,
    )
