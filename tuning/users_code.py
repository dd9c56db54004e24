"""Code of users' that a study calls: objectives and samplers, by file or as objects of Optuna's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter, signature
from traceback import extract_tb
from typing import Final

import optuna
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler
from optuna.trial import FrozenTrial

from tag.errors import ParameterError, TagError, UserCodeError
from tag.user_code import load_class, split_path

#: Called after each trial with the study and the trial, as Optuna calls them; ``study.stop()`` ends the search.
Callback = Callable[[optuna.Study, FrozenTrial], None]

#: What a study calls an object by: its class and this, which no name of a sampler has.
_OBJECT: Final = "()"
#: Arguments that may be left out.
_OPEN: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
#: Optuna's samplers take seeds of 32 bits.
_SEEDS: Final = 1 << 32


@dataclass(frozen=True)
class UsersObjects:
    """What `tuning.tune.tune` was given beside the study.

    Attributes:
        sampler: proposes configurations; None for the one that the study names.
        pruner: drops trials; None for racing.
        callbacks: are called after each trial.
    """

    sampler: BaseSampler | None = None
    pruner: BasePruner | None = None
    callbacks: Sequence[Callback] = ()


def object_name(thing: object) -> str:
    """Return what a study calls an object by.

    >>> object_name(optuna.samplers.TPESampler())
    'TPESampler()'
    """
    return f"{type(thing).__qualname__}{_OBJECT}"


def check_no_object(kind: str, name: str) -> None:
    """Raise `ParameterError` where a name stands for an object, which only Python has."""
    if name.endswith(_OBJECT):
        raise ParameterError(
            f"the {kind} {name!r} is an object, which only Python has; go on with tuning.tune(…, {kind}=…)"
        )


def users_sampler(name: str, seed: int) -> BaseSampler:
    """Return a sampler of the class that ``file.py:Class`` names, with the ``seed`` if it takes one.

    Raises:
        UserCodeError: there is no such class, or it cannot be made like that.
    """
    made: Callable[..., BaseSampler] = load_class(name, BaseSampler)  # type: ignore[type-abstract]
    arguments = signature(made).parameters
    needed = [one.name for one in arguments.values() if one.default is one.empty and one.kind not in _OPEN]
    if set(needed) - {"seed"}:
        raise UserCodeError(f"the sampler {name!r} needs {', '.join(needed)}; only seed is given, others need defaults")
    with told_in_a_sentence("sampler", name):
        return made(seed=seed % _SEEDS) if "seed" in arguments else made()


@contextmanager
def told_in_a_sentence(kind: str, name: str) -> Iterator[None]:
    """Turn what the code of a user's file raises into a sentence with the line; other exceptions pass.

    Args:
        kind: what the code is: ``objective``, ``sampler``.
        name: of it, ``file.py:name``.

    Raises:
        UserCodeError: something in the file has raised.
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
