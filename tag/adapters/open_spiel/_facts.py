"""Games of OpenSpiel, loaded and judged: what the wrapper needs to know of them, and why it cannot play others."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NamedTuple

from tag.adapters.open_spiel._trial import PYTHON_GAMES
from tag.engine.parameters import OPEN_SPIEL
from tag.errors import InstallationError, ParameterError, UnknownNameError, one_line

try:
    import pyspiel
except ImportError:
    raise InstallationError(
        'games of OpenSpiel need the package open_spiel, which is missing; run: pip install "tag-games[open-spiel]"'
    ) from None

#: Wrong parameters can abort the process or take all memory, so games are first tried in another one, for so many seconds.
_TRIAL: Final = Path(__file__).with_name("_trial.py")
_TRIAL_SECONDS: Final = 60
#: The place in OpenSpiel's sources with which its messages begin.
_PLACE: Final = re.compile(r"^\S+\.(?:cc|h):\d+ ")


class Facts(NamedTuple):
    """A game of OpenSpiel, and what the wrapper needs to know of it.

    Attributes:
        text: OpenSpiel's game string.
        game: the game.
        hides: whether a player may not know everything.
        determinises: whether OpenSpiel can deal hidden information again.
        has_information_state: whether information sets are named by ``information_state_string``; else by
            ``observation_string``.
        is_team: whether all players have the same returns.
        has_chance: whether chance decides anything.
    """

    text: str
    game: Any
    hides: bool
    determinises: bool
    has_information_state: bool
    is_team: bool
    has_chance: bool


@cache
def facts_of(text: str) -> Facts:
    """Load a game of OpenSpiel, one with simultaneous choices turn by turn; errors are those of ``game_class_of``.

    Games are judged by what was loaded: the registered type of ``misere`` and other games of games fits none of them.
    """
    game = _loaded(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    kind = game.get_type()
    reason = _refusal(kind)
    determinises = True
    if not reason and _hides(kind):
        determinises = not _tried(text, True)
        if not determinises:
            reason = _tried(text, False)
    if reason:
        raise ParameterError(f"cannot play {OPEN_SPIEL}{text}: {reason}")
    is_team = kind.utility == pyspiel.GameType.Utility.IDENTICAL and game.num_players() > 1
    has_chance = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
    return Facts(text, game, _hides(kind), determinises, kind.provides_information_state_string, is_team, has_chance)


def _loaded(text: str) -> Any:
    """Return the game, after a trial in another process if it has parameters, as wrong ones can abort the process."""
    known = _registered(PYTHON_GAMES in text)
    short = text.partition("(")[0]
    if short not in known:
        raise UnknownNameError.of("game of OpenSpiel", short, known)
    reason = _tried(text, False) if "(" in text else ""
    try:
        if not reason:
            return pyspiel.load_game(text)
    except (RuntimeError, IndexError) as error:  # a parameter without a default is missing
        reason = _sentence_of(str(error))
    raise ParameterError(f"cannot play {OPEN_SPIEL}{text}: {reason}")


def _registered(with_python: bool) -> list[str]:
    """Return the names of all games; those that are written in Python register when they are imported."""
    if with_python:
        importlib.import_module("open_spiel.python.games")
    return list(pyspiel.registered_names())


def _hides(kind: Any) -> bool:
    return bool(kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def _refusal(kind: Any) -> str:
    """Return why a game of this type cannot be played, or nothing."""
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "it is a mean-field game, which has a distribution of players instead of seats"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "its chance is not explicit, so that no seed can repeat a game"
    return ""


@cache
def _tried(text: str, hides: bool) -> str:
    """Play the game in a process of its own, and return what goes wrong there, or nothing."""
    folder = str(Path(pyspiel.__file__).parent)
    command = [sys.executable, "-P", str(_TRIAL), folder, text, "resample" if hides else ""]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TRIAL_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return f"a first game takes longer than {_TRIAL_SECONDS} s"
    if done.returncode == 0:
        return ""
    return _sentence_of(done.stdout.strip()) or f"OpenSpiel ends the process with code {done.returncode}"


def _sentence_of(message: str) -> str:
    """Return a message of OpenSpiel on one line; a failed check of its sources names no reason, and is said to be one."""
    text = one_line(_PLACE.sub("", message))
    if text.startswith(("CHECK_", "map::at")):
        return f"a parameter, or a file that it names, is missing or wrong; OpenSpiel says no more than {text!r}"
    return text


def installed_version() -> int:
    """Return the version of OpenSpiel's wheel as a number: 2.0.2 is 20002; 0 if it was built by hand."""
    try:
        numbers = re.findall(r"\d+", version("open_spiel"))
    except PackageNotFoundError:
        return 0
    major, minor, patch = (int(part) for part in [*numbers, "0", "0"][:3])
    return (major * 100 + minor) * 100 + patch
