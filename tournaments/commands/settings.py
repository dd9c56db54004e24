"""All that can be said about a tournament, on the command line or in a TOML file with the same words.

    game = "love_letter"                # a spec; needed
    agents = ["random", "strong=mcts:budget=400"]  # specs, or NAME=SPEC for a name of its own; one if it is a team; needed
    budgets = "50..800"                 # each agent at budgets that double (10..1000x10: ten-fold; or a list, "50,80")
    draw = ["face_up=0,3"]              # what of the game is drawn anew for each block; from its range without values
    players = 4                         # seats of each game; the game's fewest by default
    design = "round_robin"              # who meets whom: round_robin, balanced, gauntlet, … (tag tournament --help)
    sprt = "0,10"                       # end when it is known whether the first of two agents is 0 or 10 Elo stronger
    precision = 0.02                    # end when the agents' mean points per game are known to ± 0.02
    compare = ["random", "osla"]        # … when the differences between these are; of one, to all others
    streams = "seat"                    # what agents draw from is keyed by seat, or by agent as well (tag noise)
    blocks = 50                         # chance seeds, each played in every seating of every match-up
    seed = 1                            # random seed; the same seed plays the same games; drawn at random by default
    out = "runs/first"                  # the folder; by default one that is named after all of the above
    workers = 2                         # processes that play; as many as there are cores by default
    ray = true                          # false: play in the process itself
    address = "10.0.0.1:6379"           # the address of a Ray cluster; by default a Ray of its own on this machine
    tracking = true                     # false: no MLflow run
    tracking_uri = "http://host:5000"   # any MLflow store; by default mlflow.db beside the folder
    on_illegal = "substitute"           # what becomes of an illegal action: substitute, forfeit, void
    on_exception = "forfeit"            # … of an agent's exception
    on_time_out = "substitute"          # … of a decision that took too long
    decision_seconds = 0.0              # the limit per decision, 0 for none
    clock_seconds = 0.0                 # each player's time for a whole game, 0 for no clock
    increment_seconds = 0.0             # what the clock gets back after each decision
    isolate = true                      # each agent plays in a process of its own, and ends only that; false by default
    memory_mb = 512                     # the memory that such a process may use; 0, the default, for no limit
    hang_seconds = 60.0                 # how long it may take for an answer before it is ended
    on_crash = "forfeit"                # what becomes of an isolated agent whose process ends
    on_hang = "forfeit"                 # … of one that does not answer
    calibrate = true                    # times are scaled by the speed of each machine; false by default
    metrics = ["lead"]                  # what measures each game for the ledger (tournaments.read_measures); none by default
    record_actions = true               # keep the actions of each game, to replay it without its agents; false by default

Files and folders are relative to where the command runs.
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
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import click

from cluster import Workers, make_workers
from tag.errors import DataError, ParameterError, PlayersError, SpecError, UnknownNameError
from tag.faults import FAULT_POLICIES
from tournaments.definition import STREAMS, Rules, TournamentDefinition, define, is_cooperative_game
from tournaments.designs import DEFAULT_DESIGN
from tournaments.designs.agents import at_budgets, read_budgets
from tournaments.ledger.folder import read_seed
from tournaments.reports.progress import AUTO, PROGRESS_KINDS
from tournaments.tracking.runs import without_password

# --- previews: what a tournament would play, and about how long it would take, before anything is written ---------------


# --- options that several commands have, said once, and help that lists options under headings --------------------------


F = TypeVar("F", bound=Callable[..., Any])

_POLICY: Final = click.Choice(FAULT_POLICIES)

_RULES: Final = (
    click.option("--on-illegal", type=_POLICY, help="What becomes of an illegal action; substitute by default."),
    click.option("--on-exception", type=_POLICY, help="What becomes of an agent's exception; forfeit by default."),
    click.option(
        "--on-time-out", type=_POLICY, help="What becomes of a decision over the limit; substitute by default."
    ),
    click.option("--decision-seconds", type=float, help="The limit per decision in seconds; none by default."),
    click.option("--clock-seconds", type=float, help="Each player's time for a whole game; none by default."),
    click.option("--increment-seconds", type=float, help="What the clock gets back after each decision."),
    click.option(
        "--isolate/--no-isolate", default=None, help="Each agent in a process of its own, which may crash or hang."
    ),
    click.option("--memory-mb", type=int, help="The memory that such a process may use; no limit by default."),
    click.option(
        "--hang-seconds", type=float, help="How long it may take for an answer before it is ended; 60 by default."
    ),
    click.option("--on-crash", type=_POLICY, help="What becomes of an agent whose process ends; forfeit by default."),
    click.option("--on-hang", type=_POLICY, help="What becomes of an agent that does not answer; forfeit by default."),
    click.option(
        "--calibrate/--no-calibrate",
        default=None,
        help="Scale times by the speed of each machine, for unequal machines.",
    ),
)
_WORKERS: Final = (
    click.option("--workers", type=int, help="Processes that play; as many as there are cores by default."),
    click.option("--ray/--no-ray", default=None, help="--no-ray plays in the process itself, as one worker does."),
    click.option("--address", help="The address of a Ray cluster; by default a Ray of its own on this machine."),
)
_TRACKING: Final = (
    click.option("--tracking-uri", metavar="URI", help="An MLflow store; by default mlflow.db beside the folder."),
    click.option("--tracking/--no-tracking", default=None, help="--no-tracking writes no MLflow run."),
)
_SHOWN: Final = (
    click.option(
        "--progress", type=click.Choice(PROGRESS_KINDS), default=AUTO, help="On a terminal live, else plain lines."
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
    click.option("--json", "as_json", is_flag=True, help="Print the results as JSON."),
)

#: The headings of the options above in the help of a command, and their parameters.
_SHARED_HEADINGS: Final = {
    "Faults and time limits": (
        "on_illegal", "on_exception", "on_time_out", "decision_seconds", "clock_seconds", "increment_seconds", "calibrate",
    ),
    "Isolated agents": ("isolate", "memory_mb", "hang_seconds", "on_crash", "on_hang"),
    "Workers": ("workers", "ray", "address"),
    "MLflow": ("tracking_uri", "tracking"),
    "Output": ("out", "progress", "quiet", "as_json", "help"),
}  # fmt: skip
#: Of options that no heading names.
_OTHER: Final = "Other options"


class GroupedCommand(click.Command):
    """A command whose help lists its options under headings."""

    def __init__(self, *args: Any, headings: Mapping[str, Sequence[str]], **attributes: Any) -> None:
        """Begin with the headings of the command's own options.

        Args:
            args: those of click's command.
            headings: the names of parameters by heading; shared options have headings already.
            attributes: those of click's command.
        """
        super().__init__(*args, **attributes)
        self._headings = {**headings, **_SHARED_HEADINGS}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each heading that has any."""
        heading_of = {name: heading for heading, names in self._headings.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*self._headings, _OTHER)}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                names = (option.name, option.opts[-1].removeprefix("--"))  # click's own --help has a private name
                heading = next((heading_of[name] for name in names if name in heading_of), _OTHER)
                sections[heading].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def rule_options(command: F) -> F:
    """Add what becomes of faults, and how much time there is: the fields of `tournaments.definition.Rules`."""
    return _with(_RULES, command)


def worker_options(command: F) -> F:
    """Add who plays."""
    return _with(_WORKERS, command)


def tracking_options(command: F) -> F:
    """Add where it is tracked."""
    return _with(_TRACKING, command)


def shown_options(command: F) -> F:
    """Add what is shown, meanwhile and in the end."""
    return _with(_SHOWN, command)


def _with(options: tuple[Callable[[F], F], ...], command: F) -> F:
    for option in reversed(options):
        command = option(command)
    return command


_INTERRUPTED: Final = 130


def players_of(text: str) -> tuple[int, ...]:
    """Read a list of numbers of players, such as ``2,3,4``.

    Raises:
        ParameterError: it is none.
    """
    try:
        return tuple(int(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise ParameterError(f"--players cannot be {text!r}; it is a list of numbers such as 2,3,4") from None


def table_width() -> int | None:
    """Return how many columns a table may have: those of the terminal; None where standard output is none."""
    return os.get_terminal_size().columns if sys.stdout.isatty() else None


def stopped(games: int, total: str) -> int:
    """Say after how many games a command was stopped and how to go on, without a password, and return its exit code."""
    command = shlex.join([program_name("tag"), *map(without_password, sys.argv[1:])])
    click.echo(f"tag: stopped after {games:,} of {total} games; go on with: {command}", err=True)
    return _INTERRUPTED


def said_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that somebody has given."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def program_name(name: str) -> str:
    """Return how the program ``name`` of this environment is called: by path where the shell would not find it."""
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


#: The largest number that a setting can be.
_LARGEST: Final = (1 << 63) - 1


@dataclass(frozen=True, kw_only=True)
class RunSettings(Rules):
    """What can be said about everything that plays: the rules, who plays, and where it is kept.

    Settings of a kind of its own add what they are about. Unset ones take their defaults.
    """

    out: str = ""
    workers: int | None = None
    ray: bool = True
    address: str = ""
    tracking: bool = True
    tracking_uri: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, object], where: str) -> Self:
        """Read settings by name; ``where`` they come from is for the errors.

        Raises:
            UnknownNameError: there is no such setting.
            DataError: a value is of the wrong type.
        """
        return cls(**typed(cls, values, where))

    @property
    def rules(self) -> Rules:
        """What becomes of faults, and how much time and memory there is."""
        return Rules(**{field.name: getattr(self, field.name) for field in fields(Rules)})

    def make_workers(self) -> Workers:
        """Return the processes that are to play, not started yet.

        Raises:
            ParameterError: their number is below 1.
        """
        return make_workers(self.workers, self.address, uses_ray=self.ray)

    @property
    def store(self) -> bool | str:
        """Where an MLflow run is written, as `tournaments.run_tournament` takes it."""
        return (self.tracking_uri or True) if self.tracking else False

    def folder_of(self, parent: str, name: str, players: int, plain: Mapping[str, Any]) -> Path:
        """Return where to work: ``out``, or else a folder of its own in ``parent``.

        Args:
            parent: where folders of this kind are.
            name: of what is played; what cannot be in the name of a folder is left out.
            players: the seats of each game.
            plain: all that decides which folder it is.
        """
        if self.out:
            return Path(self.out)
        digest = blake2b(json.dumps(plain).encode(), digest_size=3).hexdigest()
        words = re.sub(r"\W+", "_", name).strip("_")
        return Path(parent) / f"{words[:40]}-{players}p-{digest}"


@dataclass(frozen=True, kw_only=True)
class Settings(RunSettings):
    """What was said about a tournament; the module's docstring is the list. Unset ones take their defaults."""

    game: str = ""
    agents: tuple[str, ...] = ()
    budgets: str = ""
    players: int | None = None
    blocks: int = 10
    seed: int | None = None
    metrics: tuple[str, ...] = ()
    design: str = DEFAULT_DESIGN
    sprt: str = ""
    precision: float = 0.0
    compare: tuple[str, ...] = ()
    record_actions: bool = False
    draw: tuple[str, ...] = ()
    streams: str = STREAMS[0]

    def definition(self) -> TournamentDefinition:
        """Return the tournament, checked.

        Raises:
            TagError: something is wrong or missing; the message says what.
        """
        if not self.game:
            raise SpecError("a tournament needs a game")
        agents = at_budgets(self.agents, read_budgets(self.budgets)) if self.budgets else self.agents
        definition = define(
            self.game,
            agents,
            self.blocks,
            players=self.players,
            seed=1 if self.seed is None else self.seed,
            rules=self.rules,
            metrics=self.metrics,
            design=self.design,
            sprt=self.sprt,
            precision=self.precision,
            compare=self.compare,
            record_actions=self.record_actions,
            draw=self.draw,
            streams=self.streams,
        )
        if len(agents) < 2 and not is_cooperative_game(definition.game, definition.players, definition.seed):
            raise PlayersError(f"a tournament needs at least 2 agents, not {len(agents)}; name each with --agent")
        return definition

    def folder(self, definition: TournamentDefinition) -> Path:
        """Return where to play; by default a folder of its own for each definition, whatever its blocks."""
        plain = {**definition.to_json(), "blocks": 0, "seed": self.seed}
        return self.folder_of("runs", definition.game, definition.players, plain)

    def seeded(self, definition: TournamentDefinition, folder: Path) -> TournamentDefinition:
        """Return the tournament with its seed: the one given, that of the tournament in ``folder``, or a new one.

        A new one has 63 random bits, so that no agent can guess it and deal for itself.
        """
        if self.seed is not None:
            return definition
        known = read_seed(folder)
        return replace(definition, seed=secrets.randbits(63) if known is None else known)


def typed(cls: type[Any], values: Mapping[str, object], where: str) -> dict[str, Any]:
    """Return values for the fields of a dataclass of settings; ``where`` they come from is for the errors.

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


def read_toml(path: Path) -> dict[str, object]:
    """Return what a TOML file says.

    Raises:
        DataError: it cannot be read.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{str(path)!r} is not TOML: {error}") from None


def _typed(name: str, value: object, kind: str, where: str) -> object:
    """Return ``value`` as the type of its setting, or raise `DataError`."""
    cls, text = _TYPES[kind]
    if cls is tuple and isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if isinstance(value, int | float) and not -_LARGEST <= value <= _LARGEST:  # nan is neither
        raise DataError(f"{name} in {where} cannot be {value}; it is a finite number of at most 64 bits")
    if cls is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, cls) or (cls is int and isinstance(value, bool)):
        raise DataError(f"{name} in {where} cannot be {value!r}; it is {text}")
    return value
