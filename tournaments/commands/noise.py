"""``tag noise``, an A/A test: tournaments between copies of each agent, their tables and report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import click
import pandas as pd

from tag.catalogue.registry import make_game
from tag.cli.numbers import SEED, Number
from tag.cli.process import print_json
from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tournaments import run as running
from tag.tournaments.commands.settings import (
    ResumableCommand,
    Settings,
    declared_options,
    given_options,
    read_toml,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition, canonical_agent
from tag.tournaments.ledger.folder import MANIFEST, event_name, read_manifest
from tag.tournaments.ledger.folder import MANIFEST as TOURNAMENT
from tag.tournaments.ledger.storage import check_is_ours, read_json, write_whole
from tag.tournaments.reports import displays
from tag.tournaments.reports import terminal as texts
from tag.tournaments.reports.figures import ranges_figure, styles
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections.section import (
    Block,
    Cell,
    Column,
    Figures,
    Page,
    Paragraph,
    Section,
    TableData,
    number,
    sentence,
    table,
)
from tag.tournaments.results import tournament as outcomes
from tag.tournaments.results.copies.agents import AgentNoise, check_same, read_copies
from tag.tournaments.results.copies.bias_tests import LEAST_BLOCKS, CopyTest, corrected
from tag.tournaments.results.copies.noise_floor import round_below
from tag.tournaments.statistics.intervals import half_width_text
from tag.tournaments.statistics.plain_records import plain, plain_record

NOISE_MANIFEST: Final = "noise.json"
_SAME_BLOCKS: Final = 5


@dataclass(frozen=True)
class NoiseDefinition:
    """An A/A test. Make one with `noise_of`."""

    tournament: TournamentDefinition
    agents: tuple[str, ...]

    def own(self, agent: str) -> TournamentDefinition:
        """Return the tournament that measures the noise: its copies draw different random numbers."""
        return self._copies(agent, "agent", self.tournament.blocks)

    def same(self, agent: str) -> TournamentDefinition | None:
        """Return the tournament of copies that draw the same numbers in the same seat: their games must be identical.

        None if the design does not have all rotations of a match-up in a block, so that copies need not score the same.
        """
        design = self.tournament.schedule().design
        if self.tournament.players % design.n_seatings or design.n_seatings == 1:
            return None
        return self._copies(agent, "seat", min(self.tournament.blocks, _SAME_BLOCKS))

    def folders(self, out: Path) -> Iterator[tuple[Path, TournamentDefinition]]:
        """Yield all tournaments by folder."""
        for agent in self.agents:
            yield own_folder(out, self, agent), self.own(agent)
            same = self.same(agent)
            if same is not None:
                yield same_folder(out, self, agent), same

    def _copies(self, agent: str, streams: str, blocks: int) -> TournamentDefinition:
        copies = (agent,) * len(self.tournament.agents)
        endless = replace(self.tournament, sprt="", precision=0.0, compare=())
        return replace(endless, agents=copies, names=(), streams=streams, blocks=blocks, metrics=())

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values."""
        return {"tournament": self.tournament.to_json(), "agents": list(self.agents)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read the values that `to_json` returned."""
        return cls(TournamentDefinition.from_json(values["tournament"]), tuple(values["agents"]))


def noise_of(tournament: TournamentDefinition, agents: Sequence[str] = ()) -> NoiseDefinition:
    """Return the A/A test of a tournament.

    The agents to copy are specs in canonical form; by default all of the tournament, each once.

    Raises:
        ParameterError: the design learns, or there are no opponents.
        UnknownNameError: an agent does not take part in the tournament.
    """
    if tournament.schedule().design.learns:
        raise ParameterError(
            f"design cannot be {tournament.design!r}, where who meets follows from the games before; try 'round_robin'"
        )
    state = make_game(tournament.game).setup(tournament.players, Rng(1))
    if tournament.players == 1:
        raise ParameterError(
            f"game cannot be {tournament.game!r} for one player, where copies do not meet; tag results gives the intervals "
            "of mean scores"
        )
    if len({state.team(player) for player in range(tournament.players)}) < 2:
        raise ParameterError(
            f"game cannot be {tournament.game!r}, where all win or lose together: copies cannot differ"
        )
    known = tuple(dict.fromkeys(tournament.agents))
    for agent in agents:
        if agent not in known:
            raise UnknownNameError.of("agent of the tournament", agent, known)
    return NoiseDefinition(tournament, tuple(dict.fromkeys(agents)) or known)


def read_definition(folder: Path) -> NoiseDefinition:
    """Return the definition of the A/A test in ``folder``."""
    return read_json(folder, NOISE_MANIFEST, "A/A test", NoiseDefinition.from_json)


def own_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of the tournament between copies of ``agent`` that draw different numbers."""
    number = definition.agents.index(agent)
    return out / f"{number}-{event_name(agent, definition.tournament.players)}"


def same_folder(out: Path, definition: NoiseDefinition, agent: str) -> Path:
    """Return the folder of the tournament between copies that draw the same numbers."""
    own = own_folder(out, definition, agent)
    return own.with_name(f"{own.name}-same")


# --- results ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NoiseResults:
    """The results of an A/A test so far.

    Attributes:
        agents: one entry per agent that has a whole match-up.
        paused: copies that are paused.
    """

    folder: Path
    definition: NoiseDefinition
    agents: list[AgentNoise]
    paused: list[outcomes.PausedAgent]
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """True if all games of the test have been played."""
        return self.games == self.total

    @property
    def alarms(self) -> list[str]:
        """The alarms of the set-up, a sentence each."""
        return [check.finding for agent in self.agents for check in agent.checks if check.is_alarm]

    @property
    def verdict(self) -> str:
        """The verdict on the set-up's fairness, and the differences that it can show, in a sentence."""
        if self.alarms:
            return f"something is off with this set-up: {'; '.join(self.alarms)}"
        if self.paused:
            return f"no verdict: {self.paused[0].agent} is paused because of what it has done; mend it first"
        blocks = min((agent.blocks for agent in self.agents), default=0)
        if blocks < LEAST_BLOCKS:
            return f"{blocks} blocks are too few for a verdict; {LEAST_BLOCKS} are the least"
        if all(agent.is_exact for agent in self.agents):
            return "the set-up favours nobody: all copies score the same, to the last point, in every block"
        noisy = [agent for agent in self.agents if not agent.is_exact]
        noisiest = max(noisy, key=lambda agent: agent.points.noise(blocks))
        noise = noisiest.points.noise(blocks)
        wished = round_below(noise)
        return (
            f"the set-up favours nobody: differences of up to ±{noise:.3f} points ({noisiest.ratings.noise(blocks):.0f} in "
            f"rating) are noise at {blocks:,} blocks; to show one of {wished:g} points with a power of 80 % takes about "
            f"{noisiest.points.blocks_to_detect(wished):,}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the folder as plain values."""
        values = {
            "agents": [agent.to_json() for agent in self.agents],
            "alarms": self.alarms,
            "verdict": self.verdict,
            "games": self.games,
            "total": self.total,
            "complete": self.complete,
        }
        return dict(plain(values))


def read_noise(folder: Path) -> NoiseResults:
    """Return the results of the A/A test in ``folder`` so far."""
    definition = read_definition(folder)
    begun = {path: part for path, part in definition.folders(folder) if (path / MANIFEST).exists()}
    results = {path: outcomes.read_results(path) for path in begun}
    agents = []
    for agent in definition.agents:
        own, same = own_folder(folder, definition, agent), same_folder(folder, definition, agent)
        found = read_copies(results[own], begun[own]) if own in begun else None
        if found:
            checks = [check_same(same, begun[same])] if same in begun else []
            agents.append(replace(found, checks=found.checks + checks))
    return NoiseResults(
        folder,
        definition,
        _corrected(agents),
        [paused for found in results.values() for paused in found.paused],
        sum(found.games for found in results.values()),
        sum(
            results[path].total if path in results else len(part.schedule())
            for path, part in definition.folders(folder)
        ),
    )


def _corrected(agents: Sequence[AgentNoise]) -> list[AgentNoise]:
    """Return the agents with p values corrected for all checks of all agents."""
    checks: list[CopyTest] = corrected([check for agent in agents for check in agent.checks])
    found = []
    for agent in agents:
        mine, checks = checks[: len(agent.checks)], checks[len(agent.checks) :]
        found.append(replace(agent, checks=mine))
    return found


def run_noise(
    definition: NoiseDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> NoiseResults:
    """Play the missing games of an A/A test and return the results.

    The arguments are those of `tournaments.run_tournament`.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    parts = dict(definition.folders(out))
    _check(definition, out)
    with at_work(workers) as processes:
        running.check_all(parts, out, processes)
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / NOISE_MANIFEST, json.dumps(definition.to_json(), indent=2))
        running.run_all(parts, processes, progress=progress or Progress())
    return read_noise(out)


def _check(definition: NoiseDefinition, out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or holds this test, perhaps with fewer blocks."""
    check_is_ours(out, NOISE_MANIFEST, "A/A test")
    if not (out / NOISE_MANIFEST).exists():
        return
    old = read_definition(out)
    reason = old.tournament.difference(definition.tournament)
    if old.agents != definition.agents:
        reason = f"agents is {', '.join(old.agents)} there, not {', '.join(definition.agents)}"
    if reason:
        raise DataError(f"{str(out)!r} holds another A/A test: {reason}; name a new folder with --out")


# --- tables for a terminal --------------------------------------------------------------------------------------------


def noise_text(results: NoiseResults, width: int | None = None) -> str:
    """Return the copies, the noise by blocks, the checks and the verdict as plain text."""
    parts = []
    for agent in results.agents:
        parts.append(
            texts.records_text([plain_record(copy) for copy in agent.copies], {"agent": "copy"}, _COPIES, width)
        )
        if agent.is_exact:
            parts.append(
                f"{agent.agent} draws nothing: its copies play identical games, which tells nothing about noise"
            )
        elif agent.blocks > 1:
            parts += [_precisions_text(agent, width), _correlation(agent), _seats(agent)]
    parts.append(
        texts.records_text(_check_records(results, "ALARM"), {"agent": "agent", "check": "check"}, _CHECKS, width)
    )
    parts += [paused.text for paused in results.paused]
    return "\n\n".join([*parts, results.verdict])


_COPIES: Final = {
    "points": Column("points", form=".3f"),
    "difference": Column("to the others", "", "+.3f", "ends"),
    "rating": Column("rating", "", "+z.0f", "ends"),
    "decision_ms": Column("ms/decision", form=",.2f"),
    "faults": Column("faults", form=","),
}
_CHECKS: Final = {
    "p_value": Column("p", form=".3f"),
    "corrected": Column("corrected", form=".3f"),
    "finding": Column("finding"),
}


def _precisions_text(agent: AgentNoise, width: int | None) -> str:
    rows = [
        (
            f"{one.blocks:,}",
            f"±{half_width_text(one.noise, '.3f')}",
            f"{one.detectable:.3f}",
            f"±{texts.number_text(one.rating_noise, '.0f')}",
            texts.number_text(one.rating_detectable, ".0f"),
        )
        for one in agent.precisions()
    ]
    return texts.rows_text(
        ("blocks", "noise", "found in 80 %", "noise in rating", "found in 80 %"), rows, width, left=0
    )


def _check_records(results: NoiseResults, alarm: str) -> list[dict[str, Any]]:
    """Return a record of each check, its finding marked with the word ``alarm`` if it is one."""
    return [
        {
            **plain_record(check),
            "agent": agent.agent,
            "check": check.name,
            "finding": f"{alarm}: {check.finding}" if check.is_alarm else check.finding,
        }
        for agent in results.agents
        for check in agent.checks
    ]


def _correlation(agent: AgentNoise) -> str:
    return (
        f"{agent.games:,} games of {agent.blocks:,} blocks; correlation within blocks "
        f"{texts.number_text(agent.rho, '+.3f')}, "
        f"design effect {texts.number_text(agent.design_effect, '.2f')}"
    )


def _seats(agent: AgentNoise) -> str:
    """Return the effect of each seat, which is the game's and not a fault of the set-up."""
    points = ", ".join(
        f"{seat}: {mean:.3f} ± {half_width_text(interval.half, '.3f')}"
        for seat, (mean, interval) in enumerate(agent.seats)
    )
    return f"points by seat: {points}"


# --- report as a page -------------------------------------------------------------------------------------------------


def noise_page(folder: Path) -> Page:
    """Return the report of the A/A test in ``folder``, complete or not."""
    from tag.tournaments.reports.sections.tournament import title_of  # noqa: PLC0415  only who draws waits for it

    results = read_noise(folder)
    tournament = results.definition.tournament
    played = f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total:,}"
    facts = [
        ("Game", tournament.game),
        ("Players", str(tournament.players)),
        ("Design", tournament.design.replace("_", " ")),
        ("Copies", str(len(tournament.agents))),
        ("Games", played),
    ]
    agents = [_agent(agent, f"agent-{at}") for at, agent in enumerate(results.agents)]
    return Page(
        f"Noise of {title_of(tournament.game)}",
        f"{sentence(results.verdict)}.",
        facts,
        [_checks_section(results), *agents],
    )


def _checks_section(results: NoiseResults) -> Section:
    about = (
        "Agents are played against copies of themselves that draw numbers of their own. An alarm is a p value below 0.01, "
        "corrected for all checks."
    )
    records = _check_records(results, "alarm")
    if not records:
        return Section("checks", "Checks", [Paragraph("Not begun yet.")], about)
    checks = TableData(records, "What was tested", ("agent", "check"), _CHECKS)
    return Section("checks", "Checks", [checks], about)


def _agent(agent: AgentNoise, name: str) -> Section:
    labels = [copy.agent for copy in agent.copies]
    rows = pd.DataFrame([
        {"name": style.name, "colour": style.colour, "mean": copy.difference, **copy.interval._asdict()}
        for copy, style in zip(agent.copies, styles(labels, labels), strict=True)
    ])  # fmt: skip
    title = "Points of a copy less the mean of the others"
    blocks: list[Block] = [Figures([ranges_figure(f"{name}-copies", title, "", rows, reference=0.0)], "own")]
    if agent.precisions() and not agent.is_exact:
        blocks.append(_precisions_block(agent))
    about = f"{agent.games:,} games of {agent.blocks:,} blocks; design effect {number(agent.design_effect)}."
    return Section(name, agent.agent, blocks, about)


def _precisions_block(agent: AgentNoise) -> Block:
    rows = [
        {
            "blocks": f"{one.blocks:,}",
            "noise": Cell(f"±{one.noise:.3f}", f"±{number(one.rating_noise)} in rating"),
            "detectable": Cell(f"{one.detectable:.3f}", f"{number(one.rating_detectable)} in rating"),
        }
        for one in agent.precisions()
    ]
    columns = {"noise": Column("noise", "points"), "detectable": Column("found in 80 %", "points")}
    return table(pd.DataFrame(rows), "How large a difference has to be", ("blocks",), columns)


_BLOCKS: Final = 100


@click.command(cls=ResumableCommand)
@click.argument("game")
@click.option("--agent", "agents", multiple=True, metavar="SPEC", help="An agent; of a folder, only these are copied.")
@click.option("--blocks", type=Number(int, 1), help="Chance seeds; 100, or the folder's, by default.")
@click.option("--seed", type=SEED, help="Random seed; 1, or that of the folder, by default.")
@click.option("--out", metavar="DIR", help="The folder.  [default: runs/noise]")
@declared_options(Settings, "players", "design", "workers", "ray", "address")
@shown_options
def noise(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Measure what differences a set-up shows between identical agents, and whether it favours one (an A/A test).

    GAME is the spec of a game or a TOML file, as for ``tag tournament``, or the folder of a tournament. For each agent, the
    same tournament is played between copies of it that draw numbers of their own. GAME may also be the folder of such a
    test, to go on with it or to show it again; --blocks makes it longer. The exit code is 1 if something is off.

    Example: tag noise love_letter --players 4 --agent osla --blocks 100
    """
    definition, where = _definition(game, given_options(options))
    folder = Path(where.out or "runs/noise")
    with where.make_workers() as workers:
        found = run_noise(definition, folder, workers=workers, progress=displays.make_progress(quiet, progress))
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(noise_text(found, table_width()))
    if not found.complete:
        return stopped(found.games, f"{found.total:,}")
    return 1 if found.alarms else 0


def _definition(game: str, given: dict[str, Any]) -> tuple[NoiseDefinition, Settings]:
    """Return the requested test, and the settings of its run."""
    folder = Path(game)
    if (folder / NOISE_MANIFEST).is_file():
        test = read_definition(folder)
        longer = replace(test, tournament=_changed(test.tournament, given, ("blocks",)))
        return longer, Settings.from_values({**given, "out": game}, game)
    if (folder / TOURNAMENT).is_file():
        agents = [canonical_agent(agent) for agent in given.pop("agents", ())]
        tournament = _changed(read_manifest(folder).definition, given, ("blocks", "seed"))
        return noise_of(tournament, agents), Settings.from_values(given, game)
    described = read_toml(folder) if folder.suffix == ".toml" else {"game": game}
    settings = Settings.from_values({"blocks": _BLOCKS, **described, **given}, repr(game))
    alone = len(settings.agents) == 1
    return noise_of(replace(settings, agents=settings.agents * 2 if alone else settings.agents).definition()), settings


def _changed(
    tournament: TournamentDefinition, given: dict[str, Any], changeable: Sequence[str]
) -> TournamentDefinition:
    """Return a folder's tournament with the changes of the options, which are removed from ``given``."""
    fixed = sorted(set(given).intersection(tournament.to_json()).difference(changeable))
    if fixed:
        raise ParameterError(f"the folder holds a tournament already; its {fixed[0]} cannot be changed")
    new = {name: given.pop(name) for name in changeable if name in given}
    return replace(tournament, **new)
