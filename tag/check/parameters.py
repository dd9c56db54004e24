"""Checks of declared parameters, of games and agents alike."""

from __future__ import annotations

import json
import pickle

from tag.check.game_check import GameCheck, GameSubject
from tag.check.report import Where
from tag.check.traces import trace
from tag.errors import ContractError, ParameterError
from tag.parameters import Parameters
from tag.playing import GameOrder
from tag.rng import Rng, derive_seed
from tag.spec import Spec, parse_spec

#: How many random parameters are read back, and how many are played with.
_SAMPLES = 20
_PLAYED = 3


class ParametersDeclared(GameCheck):
    """A tuner searches, JSON keeps and people type what is declared."""

    name = "parameters_declared"
    text = "parameters have valid defaults and a meaning, and survive JSON, specs and pickles"

    def finish(self, subject: GameSubject) -> None:
        """Look at the declaration, the defaults and random values."""
        check_declaration(type(subject.model.parameters), subject.seed)


class ParametersPlayable(GameCheck):
    """Whatever is in range can be played, or is refused with a sentence."""

    name = "parameters_playable"
    text = "games with random parameters in their ranges can be played"

    def finish(self, subject: GameSubject) -> None:
        """Play games with random parameters."""
        cls = type(subject.model.parameters)
        name = parse_spec(subject.spec).name
        for number in range(_PLAYED if cls.dimensions() else 0):
            seed = derive_seed(subject.seed, "parameters", number)
            spec = str(Spec(name, dict(cls.sample(Rng(seed)).changes())))
            players = ("random",) * subject.counts[number % len(subject.counts)]
            self.where = Where(spec, players, seed)
            try:
                trace(GameOrder("check", spec, players, seed))
            except ParameterError as error:
                check_sentence(error)


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
