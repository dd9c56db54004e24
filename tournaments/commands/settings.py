"""Settings of a tournament, with the same names on the command line and in TOML files.

Every option is declared once, as a field of `Settings` or of one of its base classes. Its flag, its key in TOML files
and its row on the page of options follow from that. Files and folders are relative to the working directory of the
command.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import click

from tag.adapters.java import read_run_games, tell_differences, with_listeners
from tag.catalogue.options import LARGEST, Option, name_of, option, options_in
from tag.catalogue.trust import check_cluster
from tag.catalogue.user_code import forget_changed_files
from tag.cluster import Workers, make_workers
from tag.engine.text_files import read_text
from tag.errors import DataError, ParameterError, PlayersError, SpecError, UnknownNameError
from tag.orders import forget_user_code
from tag.orders.set_up import is_cooperative_game
from tag.tournaments.definition import Rules, TournamentDefinition, TournamentOptions, define
from tag.tournaments.designs.agents import at_budgets, read_budgets
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.reports.progress import AUTO, PROGRESS_KINDS
from tag.tournaments.tracking import stores

F = TypeVar("F", bound=Callable[..., Any])

_WORKERS: Final = "Workers"
_MLFLOW: Final = "MLflow"
_AGENTS: Final = "Who plays what"
_AMOUNT: Final = "How much is played"
_OUTPUT: Final = "Output"
_TRUST: Final = "What may run"
#: The headings of `--help` in order; a command has those under which it has options.
HEADINGS: Final = (
    "What is tuned",
    "What is balanced",
    "What is learned",
    "What is analysed",
    "Skill",
    "Luck",
    "Heuristics",
    _AGENTS,
    "Opponents",
    _AMOUNT,
    "Search",
    "Validation",
    "Evaluation",
    "Stopping rules",
    "What is recorded",
    "Faults and time limits",
    "Isolated agents",
    _WORKERS,
    _MLFLOW,
    _OUTPUT,
    _TRUST,
    "Other options",
)
_SHOWN: Final = (
    click.option(
        "--progress", type=click.Choice(PROGRESS_KINDS), default=AUTO, help="On a terminal live, else plain lines."
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
    click.option("--json", "as_json", is_flag=True, help="Print the results as JSON."),
)
#: The headings of undeclared options.
_HEADING_OF: Final = {
    **dict.fromkeys(("progress", "quiet", "as_json", "help"), _OUTPUT),
    **dict.fromkeys(("extend", "dry_run"), _AMOUNT),
    "players": _AGENTS,
    "trust": _TRUST,
}
#: Types of click by types of fields.
_CLICK_TYPES: Final = {"str": str, "int": int, "float": float}


class DeclaredOption(click.Option):
    """An option of a command, made from its declaration."""

    def __init__(self, *args: Any, heading: str, **attributes: Any) -> None:
        """Start with its heading, and the arguments of click's option."""
        super().__init__(*args, **attributes)
        self.heading = heading


class ResumableCommand(click.Command):
    """A command that goes on with what its folder holds, and says so if it is stopped at once."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, with a sentence before a `KeyboardInterrupt` is passed on."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo(f"tag: stopped at once; go on with: {_this_command()}", err=True)
            raise


class GroupedCommand(ResumableCommand):
    """A command whose help lists its options under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each heading with options."""
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in HEADINGS}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
            if record is not None:
                name = one.opts[-1].removeprefix("--")  # click's own --help has a private name
                usual = _HEADING_OF.get(one.name or "", _HEADING_OF.get(name, HEADINGS[-1]))
                sections[one.heading if isinstance(one, DeclaredOption) else usual].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def declared_options(cls: type[Any], *names: str, without: Sequence[str] = ()) -> Callable[[F], F]:
    """Return a decorator that adds the options of a dataclass to a command; unset ones are None, or an empty tuple.

    Args:
        cls: the dataclass (`tag.catalogue.options`).
        names: of the options; if omitted, all but those ``without``.
        without: the names of those that the command does not use, or takes as arguments.
    """
    wanted = [
        (one, about) for one, about in options_in(cls) if (one.name in names if names else one.name not in without)
    ]
    wanted.sort(key=lambda pair: pair[0].name not in cls.__annotations__)  # its own before inherited ones

    def add(command: F) -> F:
        for one, about in reversed(wanted):
            command = _click_option(one.name, str(one.type).removesuffix(" | None"), about)(command)
        return command

    return add


def flag_of(name: str, about: Option) -> str:
    """Return the flag of the option ``name`` on a command line."""
    return about.flag or f"--{name.replace('_', '-')}"


def _click_option(name: str, kind: str, about: Option) -> Callable[[F], F]:
    flag = flag_of(name, about)
    more: dict[str, Any] = {"cls": DeclaredOption, "heading": about.heading, "help": about.help}
    if kind == "bool":
        return click.option(f"{flag}/--no-{flag.removeprefix('--')}", name, default=None, **more)
    if kind == "tuple[str, ...]":
        return click.option(flag, name, multiple=True, metavar=about.metavar or None, **more)
    shown_type = click.Choice(about.choices) if about.choices else _CLICK_TYPES[kind]
    return click.option(flag, name, type=shown_type, metavar=about.metavar or None, **more)


def shown_options(command: F) -> F:
    """Add the options for output during play and at the end."""
    for one in reversed(_SHOWN):
        command = one(command)
    return command


_INTERRUPTED: Final = 130


def players_of(text: str) -> tuple[int, ...]:
    """Read a list of numbers of players, such as ``2,3,4``."""
    try:
        return tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise ParameterError(f"--players cannot be {text!r}; it is a list of numbers such as 2,3,4") from None


def table_width() -> int | None:
    """Return the greatest number of columns of a table: those of the terminal; None if standard output is none."""
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def stopped(games: int, total: str) -> int:
    """Print after how many games a command was stopped and how to go on, without a password, and return its exit code."""
    click.echo(f"tag: stopped after {games:,} of {total} games; go on with: {_this_command()}", err=True)
    return _INTERRUPTED


def _this_command() -> str:
    """Return the command line of this process, without a password."""
    return shlex.join([program_name("tag"), *map(stores.without_password, sys.argv[1:])])


def given_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the user has given."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def program_name(name: str) -> str:
    """Return the command for the program ``name`` of this environment: by path where the shell would not find it."""
    here = Path(sys.executable).with_name(name)
    found = shutil.which(name)
    if not here.exists() or (found is not None and Path(found).samefile(here)):
        return name
    return os.path.relpath(here)


_TYPES: Final = {
    "str": (str, "a text"),
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "bool": (bool, "true or false"),
    "tuple[str, ...]": (tuple, "a list of texts"),
}


#: Settings that Python replaces by `cluster.Workers` and the store.
_NOT_IN_PYTHON: Final = ("workers", "ray", "address", "tracking", "tracking_uri")


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of all commands that play: the workers, and the folders.

    Derived settings add the fields of their own kind. Unset ones take their defaults.
    """

    out: str = option(
        "",
        "The folder; if omitted, one that is named after what is played.",
        _OUTPUT,
        metavar="DIR",
        example='"runs/first"',
    )
    workers: int | None = option(None, "Processes that play; if omitted, one per core.", _WORKERS, example="2", least=1)
    ray: bool = option(True, "--no-ray plays in the process itself, as one worker does.", _WORKERS, example="true")
    address: str = option(
        "", "The address of a Ray cluster; if omitted, Ray starts on this machine.", _WORKERS, example='"10.0.0.1:6379"'
    )
    tracking_uri: str = option(
        "",
        "An MLflow store; if omitted, that of MLFLOW_TRACKING_URI, or mlflow.db beside the folder.",
        _MLFLOW,
        metavar="URI",
        example='"http://host:5000"',
    )
    tracking: bool = option(True, "--no-tracking writes no MLflow run.", _MLFLOW, example="true")

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str, known: Mapping[str, object] | None = None) -> Self:
        """Read settings by name.

        Args:
            values: what is said.
            where: its source, for errors.
            known: what a folder holds already, which ``values`` override; its numbers may be out of today's ranges.

        Raises:
            UnknownNameError: there is no such setting.
            DataError: a value is of the wrong type.
            ParameterError: a number in ``values`` is out of its range.
        """
        read = typed(cls, values, where)
        for one, about in options_in(cls):
            if about.range is not None and read.get(one.name) is not None:
                about.range.check(name_of(one.name, about), read[one.name])
        return cls(**{**typed(cls, known or {}, where), **read})

    @classmethod
    def from_call(cls, call: str, values: Mapping[str, object]) -> Self:
        """Read the arguments of a Python function, whose name is for the errors; users' files are read anew.

        Raises:
            UnknownNameError: there is no such argument.
            DataError: a value is of the wrong type.
        """
        arguments = [one.name for one in fields(cls) if one.name not in _NOT_IN_PYTHON]
        for name in values:
            if name not in arguments:
                raise UnknownNameError.of(f"argument of {call}", name, arguments)
        if forget_changed_files():
            forget_user_code()
        return cls.from_values(values, call)

    def make_workers(self) -> Workers:
        """Return the processes that play, not started yet."""
        if self.address:
            check_cluster(self.address)
        return make_workers(self.workers, self.address, uses_ray=self.ray)

    @property
    def store(self) -> bool | str:
        """The store of an MLflow run, as `tournaments.run_tournament` takes it."""
        return (self.tracking_uri or True) if self.tracking else False

    def folder_of(self, parent: str, name: str, players: int, plain: Mapping[str, Any]) -> Path:
        """Return the folder of the run: ``out``, or else a folder of its own in ``parent``."""
        words = re.sub(r"\W+", "_", name).strip("_")
        return self.named_folder(parent, f"{words[:40]}-{players}p", plain)

    def named_folder(self, parent: str, name: str, plain: Mapping[str, Any]) -> Path:
        """Return the folder of the run: ``out``, or else one in ``parent``, of this ``name`` and a digest of ``plain``."""
        digest = blake2b(json.dumps(plain).encode(), digest_size=3).hexdigest()
        return Path(self.out or Path(parent) / f"{name}-{digest}")


@dataclass(frozen=True, kw_only=True)
class RuledSettings(RunSettings, Rules):
    """Settings of games whose faults and times the user decides on, in tournaments and studies."""

    @property
    def rules(self) -> Rules:
        """The treatment of faults, and limits of time and memory."""
        return Rules(**{field.name: getattr(self, field.name) for field in fields(Rules)})


@dataclass(frozen=True, kw_only=True)
class Settings(RuledSettings, TournamentOptions):
    """The settings of a tournament from the command line or a TOML file; unset ones take their defaults."""

    game: str = option("", "The spec of the game.", _AGENTS, example='"love_letter"')
    agents: tuple[str, ...] = option(
        (),
        "An agent that takes part; at least two, or one as a co-operative team. NAME is for tables.",
        _AGENTS,
        flag="--agent",
        metavar="[NAME=]SPEC",
        example='["random", "strong=mcts:budget=400"]',
    )
    budgets: str = option(
        "",
        "Each agent at budgets that double, or grow by K: LOW..HIGHxK; or a list, 50,80.",
        _AGENTS,
        metavar="LOW..HIGH",
        example='"50..800"',
    )
    players: int | None = option(
        None, "Seats of each game; if omitted, the game's fewest.", _AGENTS, example="4", least=1
    )
    blocks: int = option(
        10,
        "Chance seeds, each played in every seating of every match-up; 10 by default.",
        _AMOUNT,
        example="50",
        least=1,
    )
    seed: int | None = option(
        None,
        "Random seed; runs with the same seed are identical. Drawn at random if omitted.",
        _AMOUNT,
        example="1",
        least=0,
    )
    part: str = option(
        "",
        "Play a share of the blocks, such as 3/8, in a folder of its own; tag merge joins the parts.",
        _AMOUNT,
        metavar="K/N",
        example='"3/8"',
    )

    def definition(self) -> TournamentDefinition:
        """Return the tournament, checked.

        Raises:
            TagError: a value is wrong or missing; the message names it.
        """
        if not self.game:
            raise SpecError("a tournament needs a game")
        agents = at_budgets(self.agents, read_budgets(self.budgets)) if self.budgets else self.agents
        seed = 1 if self.seed is None else self.seed
        options = {one.name: getattr(self, one.name) for one in fields(TournamentOptions)}
        options["metrics"], keeps_actions = with_listeners(self.metrics)
        options["record_actions"] = self.record_actions or keeps_actions
        definition = define(
            self.game, agents, self.blocks, players=self.players, seed=seed, rules=self.rules, part=self.part, **options
        )
        if len(agents) < 2 and not is_cooperative_game(definition.game, definition.players, definition.seed):
            raise PlayersError(f"a tournament needs at least 2 agents, not {len(agents)}; name each with --agent")
        return definition

    def folder(self, definition: TournamentDefinition) -> Path:
        """Return the folder of the tournament; by default one of its own for each definition, for any number of blocks."""
        plain = {**definition.to_json(), "blocks": 0, "seed": self.seed}
        return self.folder_of("runs", definition.game, definition.players, plain)

    def seed_or(self, known: int | None) -> int:
        """Return the seed: the one given, or the one ``known`` from a folder, or a new one.

        A new one has 63 random bits, so that no agent can guess it and predict the deal.

        Raises:
            ParameterError: a part of a tournament would get a seed that the others do not have.
        """
        given = known if self.seed is None else self.seed
        if self.part and given is None:
            raise ParameterError("part needs a seed, as all parts have the same; add --seed")
        return secrets.randbits(63) if given is None else given


def typed(cls: type[Any], values: Mapping[str, object], where: str) -> dict[str, Any]:
    """Return values for the fields of a dataclass of settings; ``where`` names their source in errors.

    Raises:
        UnknownNameError: there is no such field.
        DataError: a value is of the wrong type.
    """
    kinds = {field.name: str(field.type).removesuffix(" | None") for field in fields(cls)}
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name not in kinds:
            raise UnknownNameError.of(f"key in {where}", name, kinds)
        read[name] = _typed(name, value, kinds[name], where)
    return read


def definition_in(name: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the content of the TOML file ``name``, or of a RunGames file of TAG's as TOML; None where it is neither.

    Args:
        name: what the user has named, such as a file or a game.
        given: the options, of which agents and budgets take the place of those in a file of TAG's.

    Raises:
        TagError: the file cannot be read, or has no counterpart.

    Warns:
        TranslationWarning: entries of TAG's mean something else here.
    """
    if name.endswith(".toml"):
        return read_toml(Path(name))
    if not name.endswith(".json") or not Path(name).is_file():
        return None
    n_budgets = len(read_budgets(str(given["budgets"]))) if "budgets" in given else 0
    found = read_run_games(Path(name), _games_of_block, agents=given.get("agents", ()), n_budgets=n_budgets)
    if found is None:
        return None
    tell_differences(Path(name), found)
    return found.values


def _games_of_block(name: str, agents: int, players: int) -> int:
    """Return the games of a block of a design."""
    design = make_design(name, agents, players, seed=1)
    return design.n_matchups * design.n_seatings


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file."""
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise DataError(f"{str(path)!r} is not TOML: {error}") from None


def _typed(name: str, value: object, kind: str, where: str) -> object:
    """Return ``value`` as the type of its setting, or raise `DataError`."""
    cls, text = _TYPES[kind]
    if cls is tuple and isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:  # nan is neither
        raise DataError(f"{name} in {where} cannot be {value}; it is a finite number of at most 64 bits")
    if cls is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, cls) or (cls is int and isinstance(value, bool)):
        raise DataError(f"{name} in {where} cannot be {value!r}; it is {text}")
    return value
