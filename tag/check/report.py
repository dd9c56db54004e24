"""Checks, and reports of their findings: each check holds, failed, or was not tested."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from traceback import extract_tb
from typing import ClassVar, Final

from tag.errors import ContractError, UnknownNameError

#: The outcomes of a check.
OK: Final = "ok"
FAILED: Final = "failed"
WARNING: Final = "warning"
NOT_TESTED: Final = "not tested"

_SHOWN: Final = {OK: "ok", FAILED: "FAILED", WARNING: "warning", NOT_TESTED: "not tested"}


@dataclass
class Where:
    """A position: that of the game with this seed and these agents after ``tick`` actions.

    Attributes:
        game: the spec of the game type.
        agents: the spec of the agent in each seat.
        seed: the random seed of the game.
        tick: actions before the position.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    tick: int = 0

    def again(self) -> str:
        """Return the command that plays the game again."""
        seats = self.agents[:1] if len(set(self.agents)) == 1 else self.agents
        agents = " ".join([f"--agent {shlex.quote(agent)}" for agent in seats])
        return f"tag play {shlex.quote(self.game)} --players {len(self.agents)} {agents} --seed {self.seed}"

    def __str__(self) -> str:
        """Return the position for people."""
        return f"{self.game}, {len(self.agents)} players, seed {self.seed}, after {self.tick} actions"


class Check:
    """One demand of the contract. A breach raises `ContractError`; exceptions of the user's code pass through.

    Attributes:
        name: the name in reports: that of the class in small letters, ``actions_distinct`` for `ActionsDistinct`.
        text: the demand, in one sentence.
        untested: the reason, if there were no cases.
        only_warns: whether a breach is a warning, which may be what the author wants, and no failure.
        cases: how many cases were examined; a check without any reports *not tested*.
        where: the position that is being examined.
    """

    name: ClassVar[str]
    text: ClassVar[str]
    untested: str = "no position was reached"
    only_warns: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self) -> None:
        self.cases = 0
        self.where: Where | None = None


@dataclass
class Finding:
    """The outcome of one check.

    Attributes:
        check: its name.
        text: its demand.
        status: `OK`, `FAILED`, `WARNING` or `NOT_TESTED`.
        message: the finding, or the reason why nothing was tested; empty if the check holds.
        where: the position of a failure, if it is about one.
    """

    check: str
    text: str
    status: str = NOT_TESTED
    message: str = ""
    where: Where | None = None

    @property
    def failed(self) -> bool:
        """Say whether the check failed."""
        return self.status == FAILED

    def fail(self, error: Exception, where: Where | None) -> None:
        """Note the first failure; later ones often follow from it."""
        if not self.failed:
            self.status = FAILED
            self.message = describe(error)
            self.where = where

    def attempt(self, check: Check, part: Callable[[], None]) -> None:
        """Run ``part`` of ``check``, unless the check has found something before, and note the outcome."""
        if self.status in (FAILED, WARNING):
            return
        try:
            part()
        except Exception as error:  # noqa: BLE001  any error of the user's code is a failure of the check
            self.fail(error, check.where)
            if check.only_warns and isinstance(error, ContractError):
                self.status = WARNING
        else:
            self.status = OK if check.cases else NOT_TESTED
            self.message = "" if check.cases else check.untested

    def lines(self) -> list[str]:
        """Return the finding for people: a line, and the details of a failure."""
        lines = [f"{_SHOWN[self.status]:<10} {self.check:<26} {self.text}"]
        if self.message:
            lines.append(f"           {'reason:' if self.status == NOT_TESTED else 'found:':<7} {self.message}")
        if self.where is not None:
            lines += [f"           where:  {self.where}", f"           again:  {self.where.again()}"]
        return lines


@dataclass
class Report:
    """The outcome of all checks of one game or agent.

    Attributes:
        subject: its spec, with the parameters for checks.
        games: how many games were played in this process.
        findings: one per check, in order; a failure often causes those after it.
    """

    subject: str
    games: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Say whether no check failed; some may not have been tested."""
        return not self.failures()

    def failures(self) -> list[Finding]:
        """Return the checks that failed."""
        return [finding for finding in self.findings if finding.failed]

    def not_tested(self) -> list[str]:
        """Return the names of the checks without cases."""
        return self._with(NOT_TESTED)

    def warnings(self) -> list[str]:
        """Return the names of the checks that warn."""
        return self._with(WARNING)

    def _with(self, status: str) -> list[str]:
        return [finding.check for finding in self.findings if finding.status == status]

    def values(self) -> dict[str, object]:
        """Return the report as plain values, for JSON."""
        return {**asdict(self), "ok": self.ok, "not_tested": self.not_tested()}

    def __str__(self) -> str:
        """Return the report for people."""
        lines = [line for finding in self.findings for line in finding.lines()]
        return "\n".join([*lines, f"{self.subject}: {self._verdict()} ({self.games} games)"])

    def _verdict(self) -> str:
        failed, warned, left_out = len(self.failures()), self.warnings(), self.not_tested()
        if failed:
            return f"{failed} of {len(self.findings)} checks FAILED; begin with the first"
        parts = [f"{len(self.findings) - len(warned) - len(left_out)} checks ok"]
        if warned:
            parts.append(f"{len(warned)} with a warning: {', '.join(warned)}")
        if left_out:
            parts.append(f"{len(left_out)} not tested: {', '.join(left_out)}")
        return ", ".join(parts) if len(parts) > 1 else "all checks ok"


def chosen(only: Sequence[str], names: list[str]) -> list[str]:
    """Return the checks to make: ``only`` some of the ``names``, or all.

    Raises:
        UnknownNameError: there is no such check.
    """
    for name in only:
        if name not in names:
            raise UnknownNameError.of("check", name, names)
    return list(only) or names


def describe(error: Exception) -> str:
    """Return the error in one line; with the place in the code, unless it is a check's own."""
    if isinstance(error, ContractError):
        return str(error)
    frames = extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def shorten(value: object, length: int = 160) -> str:
    """Return ``value`` as text of at most ``length`` letters."""
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"
