"""What a run of the checks found."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from traceback import extract_tb

from tag.errors import ContractError, UnknownNameError


@dataclass
class Where:
    """A position: that of the game with this seed and these agents after ``tick`` actions.

    Attributes:
        game: the spec of the game type.
        agents: the spec of the agent in each seat.
        seed: decides the game.
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


@dataclass
class Finding:
    """What came of one check.

    Attributes:
        check: its name.
        text: what it asks.
        ok: whether that holds.
        message: what was found instead, empty if it holds.
        where: the position, if it is about one.
    """

    check: str
    text: str
    ok: bool = True
    message: str = ""
    where: Where | None = None

    def fail(self, error: Exception, where: Where | None) -> None:
        """Note the first thing that was wrong; later ones often follow from it."""
        if self.ok:
            self.ok = False
            self.message = describe(error)
            self.where = where

    def lines(self) -> list[str]:
        """Return the finding for people: one line, and what to know about a failure."""
        lines = [f"{'ok' if self.ok else 'FAILED':<7} {self.check:<26} {self.text}"]
        if not self.ok:
            lines.append(f"        found:  {self.message}")
        if self.where is not None:
            lines += [f"        where:  {self.where}", f"        again:  {self.where.again()}"]
        return lines


@dataclass
class Report:
    """What came of all checks of one game or agent.

    Attributes:
        subject: its spec.
        games: how many games were played in this process.
        findings: one per check, in order; a failure often causes those after it.
    """

    subject: str
    games: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Say whether everything holds."""
        return not self.failures()

    def failures(self) -> list[Finding]:
        """Return the checks that failed."""
        return [finding for finding in self.findings if not finding.ok]

    def values(self) -> dict[str, object]:
        """Return the report as plain values, for JSON."""
        return {**asdict(self), "ok": self.ok}

    def __str__(self) -> str:
        """Return the report for people."""
        lines = [line for finding in self.findings for line in finding.lines()]
        failed = len(self.failures())
        verdict = f"{failed} of {len(self.findings)} checks FAILED; begin with the first" if failed else "all checks ok"
        return "\n".join([*lines, f"{self.subject}: {verdict} ({self.games} games)"])


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
    """Return what went wrong in one line; for an exception that is not a check's own, with the place in the code."""
    if isinstance(error, ContractError):
        return str(error)
    frames = extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def shorten(value: object, length: int = 160) -> str:
    """Return ``value`` as text of at most ``length`` letters."""
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 1]}…"
