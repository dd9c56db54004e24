"""Options that several commands have, said once, and help that lists options under headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import click

from tag.faults import FAULT_POLICIES
from tournaments.progress import AUTO, PROGRESS_KINDS

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
_HEADINGS: Final = {
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
        self._headings = {**headings, **_HEADINGS}

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
