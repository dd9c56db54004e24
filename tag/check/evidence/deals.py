"""Twins: pairs of positions that a player cannot tell apart.

Observations of twins have the same distribution if nothing hidden leaks into them. Twins are

* set-ups and positions of random games in which a player knows the same,
* a position and an observation of it, for the same player or for another one,
* set-ups between which two values exchanged places (`Deals.exchanged`),
* positions after two actions of another player of which the player learns nothing, such as secret choices,
* all of these played on with the same actions, as long as the player knows the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Final

from tag.catalogue.registry import make_agent
from tag.check.evidence.places import Path, is_object, path_text, places, put, value_at
from tag.check.evidence.samples import Sampler, Samples
from tag.check.evidence.values import differences, leaves, public
from tag.check.report import Where
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.snapshot import freeze
from tag.engine.state import AnyAction, GameState
from tag.playing.game import Game

#: Set-ups dealt for each number of players.
SET_UPS: Final = 600

#: Twins of each kind, for each number of players; and how often a kind is tried for.
_OF_A_KIND: Final = 4
_TRIES: Final = 60

#: Twins compared for each number of players: positions alike, observations of others, exchanges, twins played on, and
#: observations for the player.
_ALIKE: Final = 8
_OF_OTHERS: Final = 3
_EXCHANGED: Final = 10
_PLAYED: Final = 6
_OBSERVED: Final = 8

#: Fewer twins if positions have many values: the values of that many twins in all, and the fewest twins.
_COMPARED_VALUES: Final = 3600
_FEWEST: Final = 16

#: Twins made by other actions; the random games in search of them, their actions, and other actions tried at each position.
_BY_ACTIONS: Final = 6
_WALKS: Final = 16
_WALKED: Final = 60
_OTHER_ACTIONS: Final = 2

#: Twins exchanged at later positions.
_LATER: Final = 6

#: Actions that twins are played on, and how often that is tried.
_PLAYED_ON: Final = 40
_ATTEMPTS: Final = 4

#: Exchanges tried; most values of the set-ups in which some are made; set-ups examined for conserved values; most fields
#: that share conserved values.
_EXCHANGES: Final = 300
_EXCHANGED_VALUES: Final = 10_000
_LOOKED_AT: Final = 60
_SHARING: Final = 5

#: A combination of two values that should have come up so many times in the set-ups, and has not, is impossible.
_EXPECTED: Final = 8.0

#: The share of set-ups that have a common value.
_COMMON: Final = 0.01

#: Set-ups that an exchange is examined with once more before a difference is reported.
_CONFIRMED_BY: Final = 4000


@dataclass
class Twin:
    """Two positions that ``player`` cannot tell apart.

    Attributes:
        state: the first position.
        other: the second position.
        player: cannot tell the two apart.
        how: the origin of the second position.
        where: the position that ``state`` is, or was played on from.
        exchanged: the places between which values were exchanged to make the second position; empty for none.
        made_from: the twin that was played on to reach this one; None if there is none.
        may_be_rare: whether observations need not deal the second position: it is one for ``player`` itself, which lacks
            what observations never deal, or an exchange at a later position, where no set-ups show what is possible.
        source: the deals of a move that it was made from; None if these are set-ups.
        is_by_action: whether another action led to the second position, so that its values are as common as the action.
    """

    state: GameState
    other: GameState
    player: int
    how: str
    where: Where
    exchanged: tuple[Path, ...] = ()
    made_from: Twin | None = None
    may_be_rare: bool = False
    is_by_action: bool = False
    source: Deals | None = None


@dataclass
class RandomMove:
    """An action of the player to move, at a position of a random game.

    Attributes:
        state: the position before it.
        action: the action.
        where: the set-up of the game.
        draws: whether chance had a part in it.
    """

    state: GameState
    action: AnyAction
    where: Where
    draws: bool


def same_to(player: int, one: GameState, other: GameState) -> bool:
    """Say whether ``player`` cannot tell two positions apart."""
    return public(one) == public(other) and bool(one.knowledge(player) == other.knowledge(player))


class Deals:
    """Set-ups of a game for a number of players, and twins made from them; or deals of a move, again and again.

    Attributes:
        states: the set-ups, or the positions after the move.
        wheres: the games that they are the set-ups of.
    """

    def __init__(
        self,
        model: ForwardModel[Any],
        n_players: int,
        where: Callable[[int], Where],
        seed: int,
        move: RandomMove | None = None,
    ) -> None:
        """Deal; ``where`` names the game with a seed; a ``move`` is played with other streams instead of set-ups."""
        self.model = model
        self.n_players = n_players
        self.seed = seed
        self.move = move
        self._agents = [make_agent("random") for _seat in range(n_players)]
        self.wheres = [where(derive_seed(seed, "setup", number)) for number in range(SET_UPS)]
        self.states = [self.deal(place.seed) for place in self.wheres]
        self._rows = Samples([])
        self._values: list[dict[str, object]] = []
        self._conserved: list[_Family] | None = None

    def deal(self, seed: int) -> GameState:
        """Return the set-up of the game with this seed; its agents are never asked and need no rules of their own."""
        if self.move is not None:
            return self._after(self.move.state, self.move.action, seed)
        return Game(self.model, self._agents, seed, search_models=[self.model] * self.n_players).state

    def twins(self, kept: list[tuple[GameState, Where]]) -> tuple[list[Twin], list[Twin]]:
        """Return twins of all kinds, from the set-ups and the positions ``kept`` of random games; and more exchanges."""
        rng = Rng(derive_seed(self.seed, "twins", self.n_players))
        setups = list(zip(self.states, self.wheres, strict=True))
        made = [
            *_some(self._alike([*setups, *kept], rng), _ALIKE),
            *_some(self._of_others(setups[:_TRIES], rng), _OF_OTHERS),
            *_some(self._observed(setups[:_TRIES], rng), _OF_OTHERS),
            *(exchanged := self.exchanged(rng))[:_EXCHANGED],
        ]
        rng.shuffle(made)
        compared = [
            *made,
            *_some((later for twin in made for later in self._played_on(twin, rng)), _PLAYED),
            *_some(self._of_others(kept, rng), _OF_OTHERS),
            *_some(self._observed(kept, rng), _OBSERVED),
        ]
        rng.shuffle(compared)
        later = self._exchanged_later(kept, rng)
        del compared[max(_FEWEST, _COMPARED_VALUES // len(leaves(self.states[0]))) :]
        return [*_some(self._by_actions(rng), _BY_ACTIONS), *later, *compared], exchanged[_EXCHANGED:]

    def of_move(self, rng: Rng) -> list[Twin]:
        """Return twins among the deals of a move: deals in which a player knows the same, and exchanges."""
        pairs = self._alike(list(zip(self.states, self.wheres, strict=True)), rng)
        return [*_some(pairs, _OF_A_KIND), *self.exchanged(rng)[:_OF_A_KIND]]

    def exchanged_at(self, state: GameState, rng: Rng) -> GameState | None:
        """Return a position with two values of the same kind exchanged, known or not; None if this cannot be done."""
        self._conserved = self._families() if self._conserved is None else self._conserved
        if not self._conserved:
            return None
        family = rng.choice(self._conserved)
        if not family.paths(places(state, split=family.split)):
            return None
        return _exchange(state, *self._candidate(state, family, rng))

    def _exchanged_later(self, positions: list[tuple[GameState, Where]], rng: Rng) -> list[Twin]:
        """Exchange values of each kind at positions of random games, so that a player cannot tell the positions apart.

        Of each kind the twin at the latest position is returned: some deals go wrong only after the first turns, and
        set-ups show what goes wrong before.
        """
        found: dict[str, Twin] = {}
        for _try in range(_EXCHANGES if positions else 0):
            (state, where), player = rng.choice(positions), rng.below(self.n_players)
            changed = self.exchanged_at(state, rng)
            if changed is not None and _is_twin(player, state, changed):
                kind = next(path for path, _here, _there in differences(state, changed)).partition("[")[0]
                if kind not in found or found[kind].state.tick < state.tick:
                    found[kind] = Twin(
                        state, changed, player, "the first with two values exchanged", where, may_be_rare=True
                    )
        return list(found.values())[:_LATER]

    def _alike(self, positions: list[tuple[GameState, Where]], rng: Rng) -> Iterator[Twin]:
        """Find positions in which a player knows the same."""
        first: dict[Hashable, tuple[GameState, Where]] = {}
        counts: Counter[tuple[bool, int]] = Counter()
        for state, where in positions:
            for player in range(state.n_players):
                if counts[state.tick == 0, -1] >= _OF_A_KIND:
                    break
                kind = (player, public(state), state.knowledge(player))
                origin, first_where = first.setdefault(kind, (state, where))
                mine, total = (state.tick == 0, player), (state.tick == 0, -1)
                full = counts[mine] >= 1 + _OF_A_KIND // state.n_players or counts[total] >= _OF_A_KIND
                if origin is state or full or state.snapshot() == origin.snapshot():
                    continue
                counts[mine] += 1
                counts[total] += 1
                yield Twin(origin, state, player, f"that of {where}", first_where)

    def _of_others(self, positions: list[tuple[GameState, Where]], rng: Rng) -> Iterator[Twin]:
        """Find observations of another player that a player cannot tell from the position."""
        found = 0
        for state, where in positions:
            player, other = rng.below(state.n_players), rng.below(state.n_players)
            if player == other or found == _OF_A_KIND:
                continue
            seen = state.observation(other, rng)
            if same_to(player, state, seen) and seen.snapshot() != state.snapshot():
                found += 1
                yield Twin(state, seen, player, f"an observation of player {other}", where)

    def _observed(self, positions: list[tuple[GameState, Where]], rng: Rng) -> Iterator[Twin]:
        """Yield each position with an observation of it as its twin."""
        for state, where in positions:
            player = rng.below(state.n_players)
            seen = state.observation(player, rng)
            if seen.snapshot() != state.snapshot():
                yield Twin(state, seen, player, "an observation of the first", where, may_be_rare=True)

    def _by_actions(self, rng: Rng) -> Iterator[Twin]:
        """Play random games, and find other actions at their positions that another player cannot tell from those taken."""
        counts: Counter[tuple[object, ...]] = Counter()
        for place in self.wheres[:_WALKS]:
            state = self.deal(place.seed)
            while state.tick < _WALKED and not state.is_terminal:
                actions, chance, mover = self.model.available_actions(state), rng.next32(), int(state.current_player)
                rng.shuffle(actions)
                after = self._after(state, actions[0], chance)
                for action in actions[1 : 1 + _OTHER_ACTIONS]:
                    other = self._after(state, action, chance)
                    player = (mover + 1 + rng.below(max(1, self.n_players - 1))) % self.n_players
                    kind = (type(actions[0]), type(action), mover, player)
                    is_new = counts[kind] <= min(counts.values(), default=0)
                    if (
                        player != mover
                        and is_new
                        and same_to(player, after, other)
                        and after.snapshot() != other.snapshot()
                    ):
                        counts[kind] += 1
                        how = f"that after {action!r} instead of {actions[0]!r} at tick {state.tick}"
                        yield Twin(after, other, player, how, place, is_by_action=True)
                state = after

    def _after(self, state: GameState, action: AnyAction, chance: int) -> GameState:
        """Return the position after ``action``, with this seed of its chance."""
        after = state.copy()
        self.model.next(after, action, Rng(chance))
        return after

    def _played_on(self, twin: Twin, rng: Rng) -> Iterator[Twin]:
        """Play both positions on with the same actions, as long as the player knows the same."""
        best: tuple[GameState, GameState] | None = None
        for _attempt in range(_ATTEMPTS):
            one, other = twin.state.copy(), twin.other.copy()
            last = None
            for _action in range(_PLAYED_ON):
                actions = self.model.available_actions(one)
                shared = set(self.model.available_actions(other))
                common = [action for action in actions if action in shared]
                if not common:
                    break
                action, chance = rng.choice(common), rng.next32()
                self.model.next(one, action, Rng(chance))
                self.model.next(other, action, Rng(chance))
                if one.is_terminal or not same_to(twin.player, one, other):
                    break
                last = (one.copy(), other.copy())
            if last is not None and (best is None or last[0].tick > best[0].tick):
                best = last
        if best is not None and best[0].snapshot() != best[1].snapshot():
            how = f"{twin.how}, both played on to tick {best[0].tick}"
            yield Twin(best[0], best[1], twin.player, how, twin.where, twin.exchanged, twin)

    def exchanged(self, rng: Rng) -> list[Twin]:
        """Make twins of set-ups by exchanging two values that the player does not know.

        The set-ups show which places hold the same kind of thing (`_families`). The result of an exchange must be possible,
        as far as all set-ups show (`_is_possible`).
        """
        found: list[Twin] = []
        kinds: set[tuple[str, str, int, str]] = set()
        most = _EXCHANGED_VALUES // len(leaves(self.states[0]))
        families = self._conserved = self._families()
        self._rows = Samples([row_of(state, split=True) for state in self.states] if families else [])
        for number in range(min(_EXCHANGES, len(self.states)) if families else 0):
            state, player = self.states[number], rng.below(self.n_players)
            one, other = self._candidate(state, families[rng.below(len(families))], rng)
            kind = (str(one[0]), str(other[0]), len(one), _text(value_at(state, other)))
            if kind in kinds or one == other or len(found) >= most:
                continue
            changed = _exchange(state, one, other)
            if changed is not None and _is_twin(player, state, changed) and self._is_possible(changed, (one, other)):
                kinds.add(kind)
                how = f"the first with {path_text(one)} and {path_text(other)} exchanged"
                source = None if self.move is None else self
                found.append(Twin(state, changed, player, how, self.wheres[number], (one, other), source=source))
        return _mixed(found)

    def _candidate(self, state: GameState, family: _Family, rng: Rng) -> tuple[Path, Path]:
        """Return two places of a family, from any two of its fields; equal ones if it has fewer."""
        beside: dict[Path, list[Path]] = {}
        for path in family.paths(places(state, split=family.split)):
            beside.setdefault(path[:-1], []).append(path)
        containers = list(beside.values())
        return rng.choice(rng.choice(containers)), rng.choice(rng.choice(containers))

    def _families(self) -> list[_Family]:
        """Return the families of places that hold the same kind of thing in all set-ups.

        Such are fields that vary, but together always hold the same values, such as hands and deck. If this is so for each
        player's part, the parts are families. Whole hands are families too, if they vary. Fields that are lists of the same
        shape are left out: two parts of one thing may lie in them at the same index. Tuples in lists are taken apart only
        where whole tuples, such as cards, are not conserved: they may be hands.
        """
        families = self._families_of(split=False)
        grouped = {name for family in families if not family.depth for name in family.fields}
        inside = self._families_of(split=True)
        return families + [family for family in inside if not family.depth and grouped.isdisjoint(family.fields)]

    def _families_of(self, *, split: bool) -> list[_Family]:
        rows = [row_of(state, split=split) for state in self.states[:_LOOKED_AT]]
        names = list(dict.fromkeys([str(path[0]) for row in rows for path in row]))
        shapes = {name: [[path[1:] for path in row if path[0] == name] for row in rows] for name in names}
        varying = [name for name in names if len({str(_Family((name,), split).held(row)) for row in rows}) > 1]
        lists = [name for name in varying if len(shapes[name][0]) > 1]
        parallel = {one for one in lists for other in lists if one != other and shapes[one] == shapes[other]}
        varying = [name for name in varying if name not in parallel]
        found: list[_Family] = []
        for size in range(1, _SHARING + 1):
            for group in combinations(varying, size):
                if not any(set(smaller.fields) <= set(group) for smaller in found) and _Family(
                    group, split
                ).is_conserved(rows):
                    found.append(_Family(group, split))
        found = [part for family in found for part in family.parts(rows)]
        divided = {name for family in found if family.index is not None for name in family.fields}
        nested = [name for name in varying if _holds_objects(self.states[0], name)]
        return found + [_Family((name,), split, depth=2) for name in nested if name not in divided]

    def _is_possible(self, state: GameState, moved_to: tuple[Path, ...]) -> bool:
        """Say whether values exchanged occur at their places in set-ups, and no pair with one is certain to be missing."""
        texts = row_of(state, split=True)
        held = {path: self._rows.column(path).count(text) for path, text in texts.items()}
        most = len(self._rows.rows)
        for path in [path for path in texts if any(path[: len(end)] == end for end in moved_to)]:
            rows = [row for row in self._rows.rows if row.get(path) == texts[path]]
            if not rows and len(set(self._rows.column(path))) < most // 4:
                return False
            for beside, text in texts.items():
                expected = len(rows) * held[beside] / most
                if expected > _EXPECTED and not any(row.get(beside) == text for row in rows):
                    return False
        return True

    def is_common(self, path: str, value: object) -> bool:
        """Say whether at least 1 % of the set-ups have ``value`` at ``path``."""
        if not self._values:
            self._values = [leaves(state) for state in self.states]
        return sum([values.get(path) == value for values in self._values]) >= len(self._values) * _COMMON

    def is_doubtful(self, twin: Twin) -> bool:
        """Say whether many more set-ups show the exchange behind ``twin`` to be impossible."""
        if not twin.exchanged:
            return False
        seeds = [derive_seed(self.seed, "confirm", number) for number in range(_CONFIRMED_BY - len(self._rows.rows))]
        self._rows += Samples([row_of(self.deal(seed), split=True) for seed in seeds])
        return not self._is_possible(twin.made_from.other if twin.made_from else twin.other, twin.exchanged)


def _some(twins: Iterator[Twin], count: int) -> list[Twin]:
    """Return the first ``count`` twins, and make no more."""
    return list(islice(twins, count))


def _mixed(twins: list[Twin]) -> list[Twin]:
    """Return exchanges in another order: one between each two fields first, then a second one between each, and so on."""
    counts: Counter[tuple[Hashable, ...]] = Counter()
    numbered = []
    for twin in twins:
        kind = tuple([path[0] for path in twin.exchanged])
        numbered.append((counts[kind], twin))
        counts[kind] += 1
    return [twin for _number, twin in sorted(numbered, key=lambda pair: pair[0])]


@dataclass
class _Family:
    """Family of places that hold the same kind of thing.

    Attributes:
        fields: the fields that they are in.
        split: whether tuples in lists are taken apart.
        index: the first step inside the fields, or None for all.
        depth: the number of steps to the exchanged part, or 0 for single items.
    """

    fields: tuple[str, ...]
    split: bool
    index: Any = None
    depth: int = 0

    def paths(self, values: Iterable[Path]) -> list[Path]:
        """Return the places that belong to the family."""
        own = [path for path in values if path[0] in self.fields and (self.index is None or path[1:2] == (self.index,))]
        return list(dict.fromkeys([path[: self.depth] for path in own])) if self.depth else own

    def held(self, row: dict[Path, str]) -> Counter[str]:
        """Return how often the family holds each value."""
        return Counter([row[path] for path in self.paths(row)])

    def is_conserved(self, rows: list[dict[Path, str]]) -> bool:
        """Say whether the family holds the same values in all set-ups."""
        first = self.held(rows[0])
        return sum(first.values()) > 1 and all(self.held(row) == first for row in rows)

    def parts(self, rows: list[dict[Path, str]]) -> list[_Family]:
        """Return the parts by index, if each is conserved, or else the family."""
        paths = self.paths(rows[0])
        if any(len(path) < 3 for path in paths):
            return [self]
        parts = [_Family(self.fields, self.split, index) for index in dict.fromkeys([path[1] for path in paths])]
        return parts if all(part.is_conserved(rows) for part in parts) else [self]


def _holds_objects(state: GameState, name: str) -> bool:
    """Say whether a field is a list, or the like, of containers or of objects of the game's own, such as hands."""
    values = {path: value for path, value in places(state).items() if path[0] == name}
    return any(len(path) > 2 or (len(path) == 2 and is_object(value)) for path, value in values.items())


def _exchange(state: GameState, one: Path, other: Path) -> GameState | None:
    """Return a copy of ``state`` with two values exchanged, or None where that is impossible or changes nothing."""
    changed = state.copy()
    try:
        first, second = value_at(changed, one), value_at(changed, other)
        put(changed, one, second)
        put(changed, other, first)
    except (TypeError, AttributeError, LookupError, RuntimeError):
        return None
    return changed


def _is_twin(player: int, state: GameState, other: GameState) -> bool:
    """Say whether an exchange made a twin; in some of the resulting positions the game's code fails."""
    try:
        return same_to(player, state, other) and other.snapshot() != state.snapshot()
    except Exception:  # noqa: BLE001  the exchange may have been nonsense
        return False


def row_of(state: GameState, *, split: bool) -> dict[Path, str]:
    """Return the values of all places as text."""
    return {path: _text(value) for path, value in places(state, split=split).items()}


def _text(value: object) -> str:
    return repr(freeze(value))


def observations(state: GameState, player: int) -> Sampler:
    """Return a function that draws observations of ``state`` for ``player``."""

    def draw(rng: Rng) -> dict[str, object]:
        return leaves(state.observation(player, rng))

    return draw
