"""Searching for the effect of a parameter: the same games with two values of it, until they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tag.engine.parameters import Choice, Dimension, Flag, Integer, Real, Spec, Value, parse_spec
from tag.engine.state import AnyAction, GameState
from tag.errors import ParameterError, PlayersError
from tag.orders import GameOrder, play_order
from tag.playing.agent import Agent
from tag.playing.listener import Listener

#: What a play shows; two plays differ where these do.
Trace = tuple[Any, ...]


@dataclass(frozen=True)
class Inert:
    """Values of a parameter that change nothing, and why.

    Attributes:
        reason: why they cannot.
        values: the values; empty for all.
    """

    reason: str
    values: tuple[Value, ...] = ()

    def covers(self, value: Value) -> bool:
        """Say whether it speaks of ``value``."""
        return not self.values or value in self.values


#: An effect that cannot be looked for.
IMPOSSIBLE = "impossible"
#: So many decisions of a game are compared; with some values of parameters, random players go on for ever.
_MOST_DECISIONS = 2000


class LongEnough(Exception):  # noqa: N818  no error
    """Ends a game of which enough has been seen."""


@dataclass
class Course(Listener):
    """Everything that players could see of a game's course: who chose, among which actions, and how it ended."""

    steps: list[Any] = field(default_factory=list)

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Note a decision."""
        self.steps.append((int(player), str(action), tuple([str(one) for one in actions])))
        if len(self.steps) >= _MOST_DECISIONS:
            raise LongEnough

    def on_end(self, state: GameState) -> None:
        """Note the result."""
        seats = range(state.n_players)
        self.steps.append([(int(state.result(seat)), int(state.ordinal(seat)), state.score(seat)) for seat in seats])


def played(game: str, agents: Sequence[str], seed: int) -> Trace:
    """Return the course of one game, or its beginning."""
    course = Course()
    with suppress(LongEnough):
        play_order(GameOrder("effect", game, tuple(agents), seed), [course])
    return tuple(course.steps)


def other_values(dimension: Dimension) -> list[Value]:
    """Return the values to compare with the default: all of a choice; of numbers the ends, the neighbours, and between."""
    default: Any = dimension.default
    if isinstance(dimension, Choice):
        return [option for option in dimension.options if option != default]
    if isinstance(dimension, Flag):
        return [not default]
    found: list[Any] = []
    if isinstance(dimension, Integer):
        step = dimension.step
        found = [dimension.low, default - step, default + step, dimension.high]
        found = [value for value in found if dimension.low <= value <= dimension.high]
    elif isinstance(dimension, Real):
        found = [dimension.low, (dimension.low + default) / 2.0, (default + dimension.high) / 2.0, dimension.high]
    return [value for value in dict.fromkeys(found) if value != default]


def _possible(dimension: Dimension) -> list[Value]:
    """Return some values of a number: those of `other_values`, those in the middle of the range first."""
    return sorted(other_values(dimension), key=lambda value: value == getattr(dimension, "high", None))


def with_activating(base: Spec, dimension: Dimension, known: Sequence[Dimension]) -> Iterator[Spec]:
    """Yield ``base`` with what the parameter needs to have an effect, as it declares: one for each possible value.

    A value that ``base`` has already is the only one.
    """
    if dimension.active_if is None:
        yield base
        return
    name, values = dimension.active_if
    outer = next(one for one in known if one.name == name)
    candidates = values if isinstance(values, tuple) else _possible(outer)
    for value in [outer.read(str(base.values[name]))] if name in base.values else candidates:
        if value in values:
            yield from with_activating(base.with_value(name, value), outer, known)


def first_effect(
    bases: Iterable[Spec],
    dimension: Dimension,
    value: Value,
    traces: Callable[[str], Iterable[Trace | None]],
) -> str:
    """Return where ``value`` of a parameter differs from its default, empty if nowhere, `IMPOSSIBLE` if it cannot be played.

    Args:
        bases: specs without the parameter.
        dimension: the parameter.
        value: its value.
        traces: what is to be compared for a spec, in a fixed order and lazily; None where the spec cannot be played.
    """
    is_possible = False
    for base in bases:
        one, other = str(base), str(base.with_value(dimension.name, value))
        try:
            pairs = zip(traces(one), traces(other), strict=True)
            for number, (mine, theirs) in enumerate(pairs):
                is_possible = is_possible or theirs is not None
                if mine is not None and theirs is not None and mine != theirs:
                    return f"{other}, game {number}"
        except (ParameterError, PlayersError):
            continue
    return "" if is_possible else IMPOSSIBLE


def has_effect(found: str) -> bool:
    """Say whether what `first_effect` found is a place where a value changes play."""
    return found not in ("", IMPOSSIBLE)


def assert_effects_are_as_listed(parameter: str, effects: Mapping[Value, str], inert: Inert | None) -> None:
    """Fail where a value has no effect and is not listed, has one that the list denies, or where none could be played.

    Args:
        parameter: its name, for the message.
        effects: what `first_effect` found for each value.
        inert: the values that are listed as without effect, if there are any.
    """
    listed = [value for value in effects if inert is not None and inert.covers(value)]
    missing = [value for value, found in effects.items() if not found and value not in listed]
    lively = [value for value in listed if has_effect(effects[value])]
    assert not effects or set(effects.values()) != {IMPOSSIBLE}, f"no value of {parameter} can be played"
    assert missing == [], f"{parameter} has no effect at {missing}"
    assert lively == [], f"{parameter} has an effect at {lively}, which INERT denies"


def spec_of(name: str, values: str = "") -> Spec:
    """Return a spec from a name and parameters as text."""
    return parse_spec(f"{name}:{values}" if values else name)
