"""Users' code in a study: objectives and samplers, by file or as Optuna objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter, signature
from traceback import extract_tb
from typing import Final

import optuna

from tag.catalogue.user_code import load_class, split_path
from tag.errors import ParameterError, TagError, UserCodeError

#: Called after each trial with the study and the trial, as Optuna calls them; ``study.stop()`` ends the search.
Callback = Callable[["optuna.Study", "optuna.trial.FrozenTrial"], None]

#: Suffix of an object's name, after its class; no sampler's name ends like this.
_OBJECT: Final = "()"
#: Arguments that may be left out.
_OPEN: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
#: Optuna's samplers take seeds of 32 bits.
_SEEDS: Final = 1 << 32


@dataclass(frozen=True)
class UsersObjects:
    """Objects given to `tuning.tune` beside the study: None stands for the study's sampler, and for racing."""

    sampler: optuna.samplers.BaseSampler | None = None
    pruner: optuna.pruners.BasePruner | None = None
    callbacks: Sequence[Callback] = ()


def object_name(thing: object) -> str:
    """Return the name of an object in a study.

    >>> object_name(optuna.samplers.TPESampler())
    'TPESampler()'
    """
    return f"{type(thing).__qualname__}{_OBJECT}"


def is_object(name: str) -> bool:
    """Say whether a name stands for an object, which exist only in calls from Python."""
    return name.endswith(_OBJECT)


def check_no_object(kind: str, name: str) -> None:
    """Raise `ParameterError` where a name stands for an object."""
    if is_object(name):
        raise ParameterError(
            f"the {kind} {name!r} is an object, which only Python has; go on with tuning.tune(…, {kind}=…)"
        )


def users_sampler(name: str, seed: int) -> optuna.samplers.BaseSampler:
    """Return a sampler of the class that ``file.py:Class`` names, with the ``seed`` if it takes one.

    Raises:
        UserCodeError: there is no such class, or it cannot be made like that.
    """
    made: Callable[..., optuna.samplers.BaseSampler] = load_class(name, optuna.samplers.BaseSampler)  # type: ignore[type-abstract]
    arguments = signature(made).parameters
    needed = [one.name for one in arguments.values() if one.default is one.empty and one.kind not in _OPEN]
    if set(needed) - {"seed"}:
        raise UserCodeError(f"the sampler {name!r} needs {', '.join(needed)}; only seed is given, others need defaults")
    with told_in_a_sentence("sampler", name):
        return made(seed=seed % _SEEDS) if "seed" in arguments else made()


@contextmanager
def told_in_a_sentence(kind: str, name: str) -> Iterator[None]:
    """Turn an exception from a user's ``file.py:name`` into a `UserCodeError` with the line; other exceptions pass.

    The kind of the code is for the sentence: ``objective``, ``sampler``.
    """
    file, _name = split_path(name)
    try:
        yield
    except TagError:
        raise
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
        if not lines:
            raise
        said = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
        raise UserCodeError(f"the {kind} {name!r} failed in line {lines[-1]} of {file}: {said}") from error
