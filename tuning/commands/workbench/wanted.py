"""Forms of the workbench as checked values, and the command and the Python call that do the same.

Values come from the pages of this server alone, and are checked as if they did not: no value becomes an option, or leads out
of the folder that is served. Specs name files and programs only where the host has said ``tag serve --trust``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.catalogue.options import Option, name_of
from tag.catalogue.registry import agent_class, game_class, learner_class, parameters_of, spec_of
from tag.catalogue.user_code import code_in
from tag.engine.parameters import names_program
from tag.errors import DataError, ParameterError, TagError, TrustError
from tag.tournaments.commands.experiment import asked
from tag.tournaments.commands.settings import flag_of, players_of
from tag.tournaments.designs.games import split_name
from tag.tournaments.web.live.folders import PASSED
from tag.tuning.commands.workbench.kinds import KINDS, RunKind, Values

#: Texts that name files: of rules or agents to import, of parameters, of models or of openings.
_FILES: Final = re.compile(r"[/\\]|\.[A-Za-z]|^~|^\.(?!\d)")
#: The only texts that may begin like an option: numbers, as in ``--sprt=-10,10``.
_NUMBERS: Final = re.compile(r"-[\d.]+(?:,-?[\d.]+)*")
_RANDOM_OPENING: Final = re.compile(r"random:\d{1,6}")
_LONGEST: Final = 2_000
_MOST_ITEMS: Final = 100
#: The part of a run's name between two slashes.
_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.=+-]{0,59}")
_MOST_PARTS: Final = 4
#: Options whose values are specs of agents, and the words that they take besides.
_AGENT_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "agents": (),
    "versus": ("incumbent",),
    "held_out": (),
    "enqueue": (),
    "retune": (),
    "evaluate": ("score", "agreement", "value_error"),
}
#: Options whose values are specs; of these no other text may name files, trusted or not.
_SPECS: Final = frozenset({"game", "learner", *_AGENT_OPTIONS})


class RefusedError(TagError):
    """A value that is refused.

    Attributes:
        field: the option that it was given for; empty where it concerns several.
    """

    def __init__(self, field: str, sentence: str) -> None:
        """Take the field and the sentence."""
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True)
class WantedRun:
    """A run that is asked for.

    Attributes:
        kind: of runs.
        out: its folder, as it stands in the command.
        values: those of the options, by name, in the order of the form; only what was said.
    """

    kind: RunKind
    out: str
    values: Values

    @property
    def words(self) -> list[str]:
        """The words of the command after ``tag``."""
        subjects = self.kind.subjects(self.values)
        return [*self.kind.command, *subjects, *words_of(self.kind, self.values), "--out", self.out]

    def check(self) -> None:
        """Refuse a tournament that cannot be.

        Studies and trainings are checked by their estimate, as that may take long, and so is what would import users' files.

        Raises:
            RefusedError: a value does not fit to the others; it tells the field.
        """
        if self.kind.name == "tournament" and not any(map(_names_code, self._specs())):
            options = {**self.values, "players": self.values.get("players", "")}
            try:
                asked(options.pop("game", ("",)), options, extend=False)
            except TagError as error:
                raise RefusedError(field_in(self, str(error)), str(error)) from error

    def check_needed(self) -> None:
        """Refuse a form in which something needed is left out; `RefusedError` tells the field."""
        for name in self.kind.needed:
            if not self.values.get(name):
                raise RefusedError(name, f"a {self.kind.name} needs {name}")

    def _specs(self) -> Iterator[str]:
        for name in _SPECS & self.values.keys():
            yield from _texts_in(self.values[name])

    @property
    def command(self) -> str:
        """The command for a shell."""
        return shlex.join(["tag", *self.words])

    @property
    def call(self) -> str:
        """The call of Python that does the same, as a text of a program."""
        call = self.kind.call(self.values)
        said = {name: _plain(value) for name, value in self.values.items() if name not in _placed(self.kind)}
        named = {**call.named, **said, "out": self.out}
        lines = [f"    {value!r}," for value in call.positional]
        lines += [f"    {name}={value!r}," for name, value in named.items()]
        return "\n".join(
            [f"from tag import {call.package}", "", f"{call.package}.{call.function}(", *lines, ")"],
        )


def _placed(kind: RunKind) -> tuple[str, ...]:
    """Return the options that a call takes by position, or in another form."""
    first = {"tournament": ("game", "agents", "players"), "study": ("agents", "game"), "training": ("learner", "game")}
    return first.get(kind.name, ("game",))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _flags(flag: str, value: Any) -> list[str]:
    """Return the words of an option with its value; one that begins with a minus stands in the same word as the flag."""
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag.removeprefix('--')}"]
    words: list[str] = []
    for one in value if isinstance(value, tuple) else (value,):
        words += [f"{flag}={one}"] if str(one).startswith("-") else [flag, str(one)]
    return words


def words_of(kind: RunKind, values: Values) -> list[str]:
    """Return the options with these values as words of a command, in the order of the form."""
    words = []
    for one, about in kind.options():
        if one.name in values and one.name != kind.subject:
            words += _flags(flag_of(one.name, about), values[one.name])
    return words


def read_values(kind: RunKind, values: Any, offered: Collection[str] = (), *, trusts: bool = False) -> dict[str, Any]:
    """Read the values of a form, which are plain and may be anything.

    Args:
        kind: of runs.
        values: by option.
        offered: the options of the form; if empty, all of the kind.
        trusts: whether specs may name users' files and programs.

    Raises:
        RefusedError: a value cannot be; it tells the field.
        DataError: the form has no such field.
    """
    if not isinstance(values, dict):
        raise DataError("the values of a form are an object of options")
    known = {one.name: (one, about) for one, about in kind.options() if not offered or one.name in offered}
    for name in values:
        if name not in known:
            raise DataError(f"the form has no field {str(name)[:40]!r}")
    read = {}
    for name, (one, about) in known.items():
        if name in values:
            with _told_of(name):
                read[name] = _read(kind, name, str(one.type).removesuffix(" | None"), about, values[name])
                for text in () if trusts and name in _SPECS else _texts_in(read[name]):
                    _check_harmless(name, text)
    _check_names(kind, read)
    return read


def _texts_in(value: object) -> Iterator[str]:
    """Yield a text, or those in a list."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, str):
            yield one


@contextmanager
def _told_of(field: str) -> Iterator[None]:
    """Add the name of a field to errors."""
    try:
        yield
    except RefusedError:
        raise
    except TagError as error:
        raise RefusedError(field, str(error)) from error


def _read(kind: RunKind, name: str, type_name: str, about: Option, value: Any) -> Any:
    """Return a checked value of an option."""
    if kind.name == "tournament" and name == "players":
        numbers = _text(name, value)
        players_of(numbers)
        return numbers
    if type_name == "tuple[str, ...]" or (kind.name == "tournament" and name == "game"):
        return _texts(name, value)
    if type_name == "bool":
        if type(value) is not bool:
            raise ParameterError(f"{name} cannot be {str(value)[:40]!r}; it is true or false")
        return value
    if type_name in ("int", "float"):
        return _number(name, type_name, about, value)
    text = _text(name, value)
    if about.choices and text not in about.choices:
        raise ParameterError(f"{name} cannot be {text[:40]!r}; it is one of {', '.join(about.choices)}")
    if name == "opening" and not _RANDOM_OPENING.fullmatch(text):
        raise TrustError("a form takes openings such as random:4; for a file, use the command line")
    return text


def _number(name: str, type_name: str, about: Option, value: Any) -> int | float:
    if type(value) is not int and not (type(value) is float and type_name == "float"):
        kind = "a whole number" if type_name == "int" else "a number"
        raise ParameterError(f"{name} cannot be {str(value)[:40]!r}; it is {kind}")
    assert about.range is not None  # noqa: S101  every number has one
    about.range.check(name_of(name, about), value)
    return float(value) if type_name == "float" else value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_ITEMS:
        raise ParameterError(f"{name} is a list of 1 to {_MOST_ITEMS} texts")
    return tuple([_text(name, one) for one in value])


def _text(name: str, value: Any) -> str:
    """Return a text that is no option of a command."""
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST or not value.isprintable():
        raise ParameterError(f"{name} is a text of 1 to {_LONGEST:,} characters in one line")
    if not _is_encodable(value):
        raise ParameterError(f"{name} has a character that no command can have")
    if value.startswith("-") and not _NUMBERS.fullmatch(value):
        raise ParameterError(f"{name} cannot be {value[:40]!r}; only numbers begin with a minus")
    return value


def _check_harmless(name: str, text: str) -> None:
    """Raise `TrustError` where a text names a file or a program."""
    if _FILES.search(text) or names_program(text):
        where = "the command line, or tag serve --trust," if name in _SPECS else "the command line"
        raise TrustError(f"{name} cannot be {text[:80]!r}, which names a file or a program; only {where} takes these")


def _names_code(spec: str) -> bool:
    """Say whether a spec, which may begin with an own name or a weight, names users' files or programs."""
    return any(code_in(split_name(spec)[1]))


def _is_encodable(text: str) -> bool:
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def _check_names(kind: RunKind, values: Mapping[str, Any]) -> None:
    """Refuse games, agents and learners that there are not; what they are together is checked by the estimate.

    Users' files are checked by the estimate as well: this process imports none.
    """
    with _told_of("game"):
        for game in _texts_in(values.get("game", ())):
            _check_game(game, is_alone=kind.name != "study")
    for name, words in _AGENT_OPTIONS.items():
        with _told_of(name):
            for agent in _texts_in(values.get(name, ())):
                if agent not in words:
                    _check_agent(split_name(agent)[1])
    with _told_of("learner"):
        if "learner" in values and not _names_code(values["learner"]):
            spec = spec_of(values["learner"])
            parameters_of(spec, learner_class(spec.name).parameters_class)


def _check_game(game: str, *, is_alone: bool) -> None:
    if _names_code(game):
        return
    spec = spec_of(game)
    kind = game_class(spec.name).game_type
    if is_alone:  # of several games, the specs also have players and weights
        parameters_of(spec, kind.parameters)


def _check_agent(agent: str) -> None:
    if _names_code(agent):
        return
    spec = spec_of(agent)
    parameters_of(spec, agent_class(spec.name).parameters_class)


def checked_name(name: Any, root: Path, shown: str) -> str:
    """Return the folder of a new run as it stands in a command.

    Args:
        name: of the run: words between slashes.
        root: the folder that is served.
        shown: the same, as it stands in commands.

    Raises:
        RefusedError: the name could lead elsewhere, or there is something in the folder.
    """
    parts = name.split("/") if isinstance(name, str) else [""]
    if len(parts) > _MOST_PARTS or not all(_PART.fullmatch(part) and part not in PASSED for part in parts):
        raise RefusedError(
            "name", "the name of a run has letters, digits and _ . = + - in 1 to 4 parts, such as love_letter/first"
        )
    folder = root.joinpath(*parts)
    if not folder.resolve().is_relative_to(root.resolve()):
        raise RefusedError("name", f"{name!r} leads out of the folder that is served; choose another name")
    for above in [root, *(root.joinpath(*parts[:n]) for n in range(1, len(parts)))]:
        if found := next(manifests_in(above), None):
            raise RefusedError("name", f"there is a run in the folder above already ({found}); choose another name")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise RefusedError("name", f"there is something called {name!r} already; choose another name")
    return "/".join((shown, *parts))


def manifests_in(folder: Path) -> Iterator[str]:
    """Yield the names of files in a folder that make it the folder of a run."""
    for kind in KINDS.values():
        yield from (name for name in kind.manifests if (folder / name).exists())


def typed_name(kind: str, text: str, *, trusts: bool) -> str:
    """Return the name in a spec that was typed.

    Raises:
        RefusedError: it names a file or program, and these are not trusted, or is no spec.
    """
    with _told_of(kind):
        spec = split_name(_text(kind, text))[1]
        if not trusts:
            _check_harmless(kind, spec)
        return spec_of(spec).name


def field_in(wanted: WantedRun, sentence: str) -> str:
    """Return the field that a sentence of ``tag`` is about: the option or the value that it names; empty if none."""
    for one, about in wanted.kind.options():
        names = {one.name, name_of(one.name, about), flag_of(one.name, about)}
        if any(
            re.search(rf"(?<![\w-]){re.escape(name)}(?: cannot be |$|[ ;,:])", sentence) for name in names - {"game"}
        ):
            return one.name
    for name, value in wanted.values.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str) and repr(text) in sentence:
                return name
    return ""
