"""The ``tag`` command. Sub-commands are loaded by name, when asked for, so that ``tag --help`` answers at once."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from tag.errors import TagError, UnknownNameError

#: Where each sub-command lives, and what it is for. Listing them must not import them.
_COMMANDS = {
    "play": ("tag.cli.play:play", "Play one game and print it."),
    "tournament": ("tournaments.cli:tournament", "Play a round-robin tournament, or go on with one."),
    "series": ("tournaments.series_cli:series", "Play a tournament of each of several games, with one table over all."),
    "tune": ("tuning.cli:main", "Find the parameters that make an agent strong, or show a study that did."),
    "balance": (
        "tuning.balance.cli:main",
        "Find the parameters with which a game is as it should be, or show a study.",
    ),
    "results": ("tournaments.cli:results", "Show the table of a tournament, from its ledger alone."),
    "ratings": ("tournaments.ratings.cli:ratings", "Rate the agents of a tournament on one scale, with intervals."),
    "noise": ("tournaments.noise.cli:noise", "Measure what differences a set-up shows between identical agents."),
    "report": ("tournaments.reports.cli:report", "Write a tournament's tables and figures as one HTML file."),
    "status": ("tournaments.cli:status", "Show how a tournament stands while it is played."),
    "pause": ("tournaments.cli:pause", "Ask the process at work on a tournament to end in good order."),
    "replay": ("tournaments.replay_cli:replay", "Play a game again, step by step, and compare."),
    "export": (
        "tournaments.exports.cli:export",
        "Write a tournament's tables and games as CSV, JSON, PGN or action logs.",
    ),
    "simulate": (
        "tournaments.simulation.cli:simulate_command",
        "Say how long a tournament would take on many workers.",
    ),
    "analyse": ("tournaments.analysis.cli:analyse", "Measure game types: how large, long, fast, dramatic they are."),
    "cluster": ("cluster.cli:cluster", "Start, join, show or stop a cluster of machines."),
    "games": ("tag.cli.catalogue:games", "List the games, or explain one."),
    "agents": ("tag.cli.catalogue:agents", "List the agents, or explain one."),
    "heuristics": ("tag.cli.catalogue:heuristics", "List the state heuristics, or explain one."),
    "check": ("tag.check.cli:check", "Check a game or an agent against the engine's contract."),
    "version": ("tag.cli.version:version", "Say which version this is and whether it runs compiled."),
}

_INTERRUPTED = 130


class _Commands(click.Group):
    """A group that imports a sub-command when it is run, and turns mistakes into one sentence and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            raise UnknownNameError.of("command", args[0], _COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_where, text) in _COMMANDS.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except TagError as error:
            _fail(str(error), 2)
        except click.ClickException as error:
            _fail(error.format_message(), 2)
        except (KeyboardInterrupt, click.Abort):
            sys.exit(_INTERRUPTED)
        except BrokenPipeError:
            sys.exit(0)
        except OSError as error:  # a file or disk that a sub-command has not foreseen
            _fail(f"{error.strerror or error}{f': {error.filename!r}' if error.filename else ''}", 2)
        sys.exit(code if isinstance(code, int) else 0)


def _fail(sentence: str, code: int) -> None:
    click.echo(f"tag: {sentence}", err=True)
    sys.exit(code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def main() -> None:
    """TAG for Python: tournaments and parameter tuning for tabletop games."""
