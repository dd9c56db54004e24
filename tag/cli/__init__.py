"""The ``tag`` command. Sub-commands are imported when they are run, so that ``tag --help`` answers at once."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from math import isfinite
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import Any, Final, TextIO

import click
from click.core import ParameterSource

from tag.adapters.java import TranslationWarning
from tag.catalogue.trust import asking, trust_all
from tag.catalogue.user_code import failure_of, place_of
from tag.cli.completion import COMPLETE, complete, completing
from tag.cli.postponed import postpone
from tag.cli.process import diverted
from tag.errors import ParameterError, TagError, UnknownNameError, one_line, sentence_of

#: The module and the purpose of each sub-command, by subject. Listing them must not import them.
_GROUPS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "Games and agents": {
        "play": ("tag.cli.play:play", "Play one game and print it, or play it yourself."),
        "inspect": (
            "tag.cli.inspection.command:inspect",
            "Show what agents think of each action in a position, and step on.",
        ),
        "table": ("tag.tournaments.commands.table:table", "Play, watch and examine games in the browser."),
        "games": ("tag.cli.catalogue:games", "List the games, or explain one."),
        "agents": ("tag.cli.catalogue:agents", "List the agents, or explain one."),
        "heuristics": ("tag.cli.catalogue:heuristics", "List the state heuristics, or explain one."),
        "learners": ("tag.cli.catalogue:learners", "List the learners, or explain one."),
    },
    "Tournaments": {
        "tournament": (
            "tag.tournaments.commands.tournament:tournament",
            "Play a tournament of one game or several, or resume one.",
        ),
        "series": (
            "tag.tournaments.commands.tournament:series",
            "The former name of tournament with several games.",
        ),
        "merge": (
            "tag.tournaments.commands.merge:merge",
            "Join the parts of a tournament that were played on machines that cannot talk.",
        ),
        "pause": (
            "tag.tuning.commands.folders:pause",
            "Ask a running tournament, study or training to stop in good order.",
        ),
        "status": (
            "tag.tuning.commands.folders:status",
            "Show the state of a tournament, study or training, also during play.",
        ),
        "results": ("tag.tournaments.commands.tournament:results", "Show the table of a tournament."),
        "ratings": (
            "tag.tournaments.commands.tournament:ratings",
            "Rate the agents of a tournament on one scale, with intervals.",
        ),
        "replay": ("tag.tournaments.commands.replay:replay", "Play a game again, step by step, and compare."),
    },
    "Tuning and training": {
        "tune": ("tag.tuning.commands.cli:tune", "Find the parameters that make an agent strong, or show a study."),
        "balance": ("tag.tuning.commands.cli:balance", "Find the parameters that balance a game, or show a study."),
        "train": (
            "tag.tuning.commands.cli:train",
            "Have learners learn a game by self-play, or show what they have learned.",
        ),
    },
    "Measurements": {
        "analyse": (
            "tag.tournaments.commands.analysis:analyse",
            "Measure games: choices, hidden information, length, speed, drama, skill, luck, heuristics.",
        ),
        "exploit": (
            "tag.tournaments.commands.exploit:exploit",
            "Measure how much a best response gains against agents, in small games.",
        ),
        "noise": (
            "tag.tournaments.commands.noise:noise",
            "Measure the noise of a set-up: differences between identical agents.",
        ),
    },
    "Reports and exports": {
        "report": (
            "tag.tuning.commands.folders:report",
            "Write the tables and figures of a tournament, study or training as one HTML file.",
        ),
        "serve": (
            "tag.tuning.commands.workbench.serve:serve",
            "Show tournaments, studies and trainings in the browser, also while they run, and start them.",
        ),
        "export": (
            "tag.tuning.commands.export:export",
            "Write tables and games: LaTeX, CSV, JSON, PGN, action logs, a bundle for an appendix.",
        ),
        "figure": ("tag.tuning.commands.export:figure", "Draw a figure of a report as pdf, svg or png for a paper."),
        "verify": (
            "tag.tuning.commands.verify:verify",
            "Check that the games in a folder are those of its tournament, experiment or study.",
        ),
    },
    "Games and agents of your own": {
        "check": ("tag.check.cli:check", "Check a game or an agent against the engine's contract."),
        "compile": ("tag.cli.compile:compile_file", "Compile a file of your own to native code."),
    },
    "Installation": {
        "cluster": ("tag.cluster.cli:cluster", "Start, join, show or stop a cluster of machines."),
        "version": ("tag.cli.version:version", "Print the version, and whether it runs compiled."),
    },
}
_COMMANDS: Final = {name: about for group in _GROUPS.values() for name, about in group.items()}

#: The commands in which no file can have anything run.
_HARMLESS: Final = ("pause", "cluster", "version")
_MISTAKE: Final = 2
_INTERRUPTED: Final = 130
_LARGEST: Final = (1 << 63) - 1
#: The longest sentence that is printed, in characters; lists of names take a few hundred.
_LONGEST: Final = 4_000
_JSON: Final = "--json"
#: The variable that, set to 1, has the traceback of every failure printed.
_TRACEBACK: Final = "TAG_TRACEBACK"


class _Commands(click.Group):
    """A group that imports sub-commands when they are run, and reports errors in one sentence with exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command = completing(cmd_name, _checked(getattr(import_module(module), name)))
        return command if cmd_name in _HARMLESS else _with_trust(command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for word in args:
            if "\0" in word or not _is_encodable(word):
                raise ParameterError(f"{word!r} has a character that cannot be in the name of a file")
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            raise UnknownNameError.of("command", args[0], _COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        for subject, group in _GROUPS.items():
            with formatter.section(subject):
                formatter.write_dl([(name.ljust(width), text) for name, (_where, text) in group.items()])

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _quiet_when_unread():  # help is printed here
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _quiet_when_unread():
            return super().invoke(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if COMPLETE in os.environ:
            complete(self)
        said = kwargs.get("args") or (args[0] if args else None)
        if said is None:  # a process of its own
            postpone()
        is_json = _JSON in (sys.argv[1:] if said is None else said)
        with diverted(for_good=said is None) if is_json else nullcontext():
            sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        """Return the exit code; the one place where errors, also of users' code, become a sentence."""
        kwargs["standalone_mode"] = False
        said = kwargs.get("args") or (args[0] if args else None)
        try:
            with asking(sys.argv[1:] if said is None else said), _telling_of_translations():
                code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help())
            return 0
        except (KeyboardInterrupt, click.Abort):
            return _INTERRUPTED
        except BaseException as error:  # noqa: BLE001  SystemExit, and what libraries derive from BaseException
            click.echo(f"tag: {one_line(_sentence(error), _LONGEST)}", err=True)
            return _MISTAKE
        return code if isinstance(code, int) else 0


@contextmanager
def _telling_of_translations() -> Iterator[None]:
    """Show a warning about a file of TAG's as a sentence, once for each file."""
    usual, told = warnings.showwarning, set[str]()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if not issubclass(category, TranslationWarning):
            usual(message, category, filename, lineno, file, line)
        elif str(message) not in told:
            told.add(str(message))
            click.echo(f"tag: {message}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", TranslationWarning)
        warnings.showwarning = show
        yield


@contextmanager
def _quiet_when_unread() -> Iterator[None]:
    """End without an error where the reader of standard output has seen enough, as ``head`` does.

    Click would raise ``SystemExit(1)``, as Rich does, which looks like an exit of a user's file.
    """
    try:
        yield
    except (BrokenPipeError, SystemExit) as error:
        if not isinstance(error.__context__ if isinstance(error, SystemExit) else error, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes it once more as it ends
        raise click.exceptions.Exit(0) from None


def _checked(command: click.Command) -> click.Command:
    """Have a command, and those in it, refuse values that no option can use, and options that are given twice."""
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _checked(inner)
    for parameter in command.params:
        if not isinstance(parameter.callback, _Check):
            parameter.callback = _Check(parameter.callback)
    if "make_parser" not in vars(command):
        command.make_parser = partial(_parser, command.make_parser)  # type: ignore[method-assign]  # click has no hook
    return command


def _with_trust(command: click.Command) -> click.Command:
    """Give a command, and those in it, the option with which more may run than the user has typed."""
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _with_trust(inner)
    if not isinstance(command, click.Group) and all(one.name != "trust" for one in command.params):
        command.params.append(
            click.Option(
                ["--trust"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_trust,
                help="Also run the code and programs that folders and files name, not only what you type.",
            )
        )
    return command


def _trust(_ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        trust_all()


def _parser(make: Callable[[click.Context], Any], ctx: click.Context) -> Any:
    """Return click's parser of a command, which takes the last value of an option, made to refuse the others."""
    parser = make(ctx)
    parse = parser.parse_args

    def parse_args(args: list[str]) -> Any:
        words = set(args)  # the parser takes them out of the list
        options, rest, order = parse(args=args)
        for one in order:
            if order.count(one) > 1 and isinstance(one, click.Option) and not (one.multiple or one.count):
                if one.is_flag and not (words.intersection(one.opts) and words.intersection(one.secondary_opts)):
                    continue  # it is the same twice
                times = order.count(one)
                raise ParameterError(f"{one.opts[0]} is given {times} times and takes one value; leave all but one out")
        return options, rest, order

    parser.parse_args = parse_args
    return parser


class _Check:
    """The callback of a parameter that refuses numbers beyond 64 bits, infinities, nan, and empty text."""

    def __init__(self, following: Callable[[click.Context, click.Parameter, Any], Any] | None) -> None:
        """Check before the callback that the parameter had, if it had one."""
        self._following = following

    def __call__(self, ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        """Check the value, or each of several, if it was given and is not the default."""
        if parameter.name and ctx.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            for one in value if isinstance(value, tuple) else (value,):
                if reason := _unusable(one):
                    name = parameter.opts[0] if parameter.param_type_name == "option" else parameter.make_metavar(ctx)
                    raise ParameterError(f"{name} cannot be {one!r}; {reason}")
        return value if self._following is None else self._following(ctx, parameter, value)


def _is_encodable(word: str) -> bool:
    try:
        return bool(os.fsencode(word)) or not word
    except UnicodeEncodeError:
        return False


def _unusable(value: object) -> str:
    """Return why no option can use a value; empty if one can."""
    if isinstance(value, int) and not -_LARGEST - 1 <= value <= _LARGEST:
        return f"the nearest number of 64 bits is {_LARGEST if value > 0 else -_LARGEST - 1}"
    if isinstance(value, float) and not isfinite(value):
        return "it is a finite number"
    return "leave it out for the default" if value == "" else ""


def _sentence(error: BaseException) -> str:
    """Return the error in one sentence; print or store the traceback of unforeseen ones."""
    shows = os.environ.get(_TRACEBACK, "0") not in ("", "0")
    if shows:
        click.echo("".join(format_exception(error)), err=True, nl=False)
    if isinstance(error, TagError):
        return str(error)
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.strerror:  # a file or disk that a sub-command has not foreseen
        return f"{error.strerror}{f': {error.filename!r}' if error.filename else ''}"
    if place_of(error) or isinstance(error, SystemExit):
        return f"a user's file failed: {failure_of(error)}; {_TRACEBACK}=1 shows the traceback"
    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # of Path.resolve
        return f"{str(error).removeprefix('Symlink loop from ')} is a symbolic link to itself"
    if isinstance(error, RecursionError):
        return "what was given is nested too deeply; no spec or file needs more than a few levels"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    where = "shown above" if shows else _kept(error)
    return f"this is a fault of tag's own: {sentence_of(error)}; please report it with the traceback {where}"


def _kept(error: BaseException) -> str:
    """Store the traceback and return its place."""
    try:
        with NamedTemporaryFile("w", prefix="tag-", suffix=".txt", delete=False, encoding="utf-8") as file:
            file.write("".join(format_exception(error)))
    except OSError:
        return f"that {_TRACEBACK}=1 shows"
    return f"in {file.name!r}"


def _version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from tag.catalogue.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def main() -> None:
    """TAG for Python: tournaments and parameter tuning for tabletop games."""
