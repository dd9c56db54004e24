"""Checks of a game's parameters: their declaration, and the rules at the ends of their ranges."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tag.catalogue.registry import make_game
from tag.check import information, learning, rules
from tag.check.evidence.traces import trace
from tag.check.report import Where
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Integer, Parameters, Real, Spec, Value, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.errors import ContractError, ParameterError
from tag.orders import GameOrder

#: Random parameters read back, and played with.
_SAMPLES: Final = 20
_PLAYED: Final = 6

#: Games with parameters at the ends of their ranges: positions examined of each, one of so many after the first few, and
#: the actions after which a game is left.
_EXAMINED: Final = 10
_DENSE: Final = 4
_RARELY: Final = 6
_LONGEST: Final = 1500

#: The checks made there: of vocabulary and masks, of results, and of what players see.
_SWEPT: Final[tuple[type[GameCheck], ...]] = (
    rules.ActionsWhileItLasts,
    rules.ActionsDistinct,
    rules.ActionsNumbered,
    rules.ActionsRandom,
    rules.CopyEqual,
    rules.ResultsFinal,
    rules.ResultsOrdered,
    rules.HeuristicInRange,
    information.ObservationKnowledge,
    information.ObservationActions,
    information.ObservationEnd,
    information.ViewsBlind,
    information.ViewsSteady,
    learning.CellsInRange,
)


class ParametersDeclared(GameCheck):
    """Declared parameters can be searched by a tuner, kept in JSON and typed by people."""

    text = "parameters have valid defaults and a meaning, and survive JSON, specs and pickles"

    def finish(self, subject: GameSubject) -> None:
        check_declaration(type(subject.model.parameters), subject.seed)
        self.cases += 1


class ParametersPlayable(GameCheck):
    """Every value in range can be played, or is refused with a sentence."""

    text = "games with random parameters in their ranges can be played, and rules and their copies keep these"
    untested = "the game has no parameters"

    def finish(self, subject: GameSubject) -> None:
        cls = type(subject.model.parameters)
        name = parse_spec(subject.spec).name
        short = short_parameters(subject)
        for number in range(_PLAYED if cls.dimensions() else 0):
            seed = derive_seed(subject.seed, "parameters", number)
            drawn = with_ends(cls, number, subject.seed).changes()
            spec = str(Spec(name, {**drawn, **short}))
            players = ("random",) * subject.counts[number % len(subject.counts)]
            self.where = Where(spec, players, seed)
            self.cases += 1
            try:
                wanted = cls.from_values(parse_spec(spec).values).values()
                model = make_game(spec)
                copy = model.copy()
                _check_parameters(model, wanted, "rules")
                _check_parameters(copy, wanted, "a copy of rules")
                if copy.parameters is model.parameters:
                    raise ContractError(
                        "a copy of the rules shares the parameters with them; search may change its own"
                    )
                trace(GameOrder("check", spec, players, seed))
            except ParameterError as error:
                check_sentence(error)


class ParametersSwept(GameCheck):
    """A game with other parameters is another game: its vocabulary, masks and results must be right, too."""

    text = "at both ends of each parameter's range, actions have numbers, and views and results are correct"
    untested = "the game has no parameters"

    def finish(self, subject: GameSubject) -> None:
        cls = type(subject.model.parameters)
        name = parse_spec(subject.spec).name
        for number in range(_PLAYED if cls.dimensions() else 0):
            seed = derive_seed(subject.seed, "sweep", number)
            spec = str(Spec(name, extreme(cls, number, seed, short_parameters(subject))))
            n_players = subject.counts[number % len(subject.counts)]
            checks = [check() for check in _SWEPT]
            for position in _positions(spec, n_players, seed):
                self.where = position.where
                self.cases += 1
                for check in checks:
                    check.at(position)


def _positions(spec: str, n_players: int, seed: int) -> Iterator[Position]:
    """Play a random game, unless its parameters are refused, and return some of its positions and the last one."""
    try:
        model = make_game(spec)
        rng = Rng(seed)
        state = model.setup(n_players, rng)
    except ParameterError as error:
        check_sentence(error)
        return
    examined = 0
    while state.tick < _LONGEST:
        is_due = state.tick < _DENSE or rng.below(_RARELY) == 0
        if state.is_terminal or (is_due and examined < _EXAMINED):
            examined += 1
            yield Position(model, state, Where(spec, ("random",) * n_players, seed, int(state.tick)))
        if state.is_terminal:
            return
        model.next(state, model.random_action(state, rng), rng)


def short_parameters(subject: GameSubject) -> dict[str, object]:
    """Return the parameters that the game type declares for checks, as values."""
    text = subject.model.game_type.check_parameters
    return dict(parse_spec(f"game:{text}").values) if text else {}


def extreme(cls: type[Parameters], number: int, seed: int, short: Mapping[str, object]) -> dict[str, object]:
    """Return the ``number``-th of `_PLAYED` samples, with the values of ``short`` except where one is at an end.

    A sample that breaks a constraint has all values of ``short``.
    """
    drawn = with_ends(cls, number, seed)
    ends = {
        dimension.name
        for dimension in cls.dimensions()
        if isinstance(dimension, (Integer, Real)) and getattr(drawn, dimension.name) in (dimension.low, dimension.high)
    }
    values: dict[str, object] = {
        **drawn.changes(),
        **{name: value for name, value in short.items() if name not in ends},
    }
    try:
        cls.from_values(values)
    except ParameterError:
        return {**drawn.changes(), **short}
    return values


def _check_parameters(model: ForwardModel[Any], wanted: dict[str, Value], what: str) -> None:
    """Raise `ContractError` where rules have other parameters than those ``wanted``."""
    values = model.parameters.values()
    for name, value in wanted.items():
        if values[name] != value:
            raise ContractError(f"{what} made with {name}={value}: the parameter {name} is {values[name]}")


def with_ends(cls: type[Parameters], number: int, seed: int) -> Parameters:
    """Return the ``number``-th of `_PLAYED` random parameters, among which each has both ends of its range.

    The ends of all parameters come in different samples. A value that breaks a constraint with the others is left out, an
    end last.
    """
    drawn: dict[str, Value] = {}
    ends: dict[str, Value] = {}
    rng = Rng(derive_seed(seed, "ends", number))
    for dimension in cls.dimensions():
        order = list(range(_PLAYED))
        Rng(derive_seed(seed, dimension.name)).shuffle(order)
        drawn[dimension.name] = dimension.sample(rng)
        if order[number] == 0 and isinstance(dimension, (Integer, Real)):
            ends[dimension.name] = dimension.low
        elif order[number] == 1 and isinstance(dimension, Integer):
            ends[dimension.name] = dimension.high - (dimension.high - dimension.low) % dimension.step
        elif order[number] == 1 and isinstance(dimension, Real):
            ends[dimension.name] = dimension.high
    try:
        return cls(**{**drawn, **ends})
    except ParameterError:
        found = cls()
    for name, value in [*ends.items(), *[pair for pair in drawn.items() if pair[0] not in ends]]:
        try:
            found = cls(**{**found.values(), name: value})
        except ParameterError:
            continue
    return found


def check_declaration(cls: type[Parameters], seed: int) -> None:
    """Raise `ContractError` where a declaration of parameters is not usable."""
    defaults = cls()
    for dimension in cls.dimensions():
        if not dimension.text:
            raise ContractError(f"the parameter {dimension.name} does not say what it means")
        if dimension.check(dimension.default) != getattr(defaults, dimension.name):
            raise ContractError(f"the default of {dimension.name} is changed by its own check")
    rng = Rng(derive_seed(seed, "declaration"))
    check_read_back(defaults)
    for _sample in range(_SAMPLES if cls.dimensions() else 0):
        check_read_back(cls.sample(rng))


def check_read_back(parameters: Parameters) -> None:
    """Raise `ContractError` where parameters change on their way through JSON, a spec or a pickle."""
    cls = type(parameters)
    spec = parse_spec(str(Spec("name", dict(parameters.values()))))
    ways = {
        "JSON": cls.from_values(json.loads(json.dumps(parameters.values()))),
        "a spec": cls.from_values(spec.values),
        "a pickle": pickle.loads(pickle.dumps(parameters)),  # noqa: S301  written here
    }
    for way, other in ways.items():
        if other.values() != parameters.values():
            raise ContractError(f"through {way} {parameters.values()} become {other.values()}")


def check_sentence(error: ParameterError) -> None:
    """Raise `ContractError` where a refusal is not a sentence."""
    if len(str(error).split()) < 3:
        raise ContractError(f"parameters are refused without a sentence: {str(error)!r}")
