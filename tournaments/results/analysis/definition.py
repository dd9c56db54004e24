"""The definition of an analysis, and its folder: ``analysis.json``, the games of its events, and its figures."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pandas as pd

from tag.catalogue.heuristics import HEURISTICS
from tag.catalogue.options import check_ranges, option
from tag.catalogue.registry import canonical, game_class, game_names, make_agent, make_game, metrics_for
from tag.catalogue.version import version_text
from tag.engine.parameters import parse_spec, split_list
from tag.errors import DataError, ParameterError, PlayersError, SpecError
from tag.orders.set_up import is_cooperative_game
from tag.tournaments.definition import TournamentDefinition, canonical_agent, define
from tag.tournaments.designs.by_name import DEFAULT_DESIGN, make_design
from tag.tournaments.designs.games import split_name, with_name
from tag.tournaments.ledger import parquet, storage
from tag.tournaments.ledger.folder import MANIFEST as TOURNAMENT
from tag.tournaments.ledger.folder import event_name
from tag.tournaments.results import tournament as outcomes

_GAMES: Final = "What is analysed"
_SKILL: Final = "Skill"
_LUCK: Final = "Luck"
_VALUES: Final = "Heuristics"

#: A trend over the doublings of a budget needs so many.
FEWEST_DOUBLINGS: Final = 3
#: Heuristics that are compared unless others are named: all generic ones that tell positions apart, and the game's own.
COMPARED: Final = tuple(name for name in HEURISTICS if name != "null")


@dataclass(frozen=True)
class AnalysedGame:
    """A game type at a number of players: an event of the analysis."""

    game: str
    players: int

    @property
    def name(self) -> str:
        """The name of the event's folder."""
        return event_name(self.game, self.players)

    @cached_property
    def is_contest(self) -> bool:
        """True if there are sides, unlike in a co-operative game or one for a single player."""
        return not is_cooperative_game(self.game, self.players)

    def __str__(self) -> str:
        """Return the event for people."""
        return f"{self.game}, {self.players} player{'s' if self.players > 1 else ''}"


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions:
    """The options of an analysis, the same for all events."""

    agent: str = option("random", "Who plays, in all seats; random by default.", _GAMES, metavar="SPEC")
    n_games: int = option(1000, "Games per number of players; 1,000 by default.", _GAMES, flag="--games", least=1)
    opening: str = option(
        "",
        "Begin games with the same actions in all seatings: random:4, or a file of openings; not those that measure luck.",
        _GAMES,
        metavar="random:N|FILE",
    )
    seed: int = option(1, "Decides everything but the speed; 1 by default.", _GAMES, least=0)
    skill_agent: str = option(
        "", "Measure skill depth: with this agent, against half its budget.", _SKILL, flag="--skill", metavar="SPEC"
    )
    trace_agent: str = option(
        "",
        "Measure the skill trace: with this agent, whose budget is the greatest.",
        _SKILL,
        flag="--skill-trace",
        metavar="SPEC",
    )
    doublings: int = option(
        7, "Doublings of the budget in the skill trace; 7 by default.", _SKILL, metavar="N", least=FEWEST_DOUBLINGS
    )
    skill_games: int = option(
        100,
        "Games for skill, and for each doubling of the trace, per number of players; 100 by default.",
        _SKILL,
        least=1,
    )
    seeds: int = option(
        0,
        "Measure how much chance decides: with so many chance seeds.",
        _LUCK,
        metavar="N",
        least=2,
        zero="to leave luck out",
    )
    games_per_seed: int = option(100, "Games for that with each chance seed; 100 by default.", _LUCK, least=1)
    by_source: bool = option(False, "Measure what each source of chance decides alone, too.", _LUCK, flag="--sources")
    heuristic_agent: str = option(
        "", "Compare heuristics: with this agent.", _VALUES, flag="--compare-heuristics", metavar="SPEC"
    )
    heuristics: str = option(
        ",".join(COMPARED),
        f"Heuristics to compare; {','.join(COMPARED)} by default. With parameters: plus=(score:win_factor=2).",
        _VALUES,
        metavar="NAME,NAME,...",
    )
    heuristic_games: int = option(
        200, "About how many games each heuristic plays, per number of players; 200 by default.", _VALUES, least=1
    )

    def check(self) -> None:
        """Raise `ParameterError` for a value that makes no sense."""
        check_ranges(self)
        if self.by_source and not self.seeds:
            raise ParameterError("sources of chance are measured with chance seeds; say how many with --seeds")
        given = split_list(self.heuristics, self.heuristics)
        if self.heuristic_agent and len(given) < 2:
            raise ParameterError(f"heuristics cannot be {self.heuristics!r}; a comparison needs two, such as score,win")
        if len(self.compared_heuristics) < len(given):
            raise ParameterError(
                f"heuristics cannot be {self.heuristics!r}: two have the same name; name one plus=(SPEC)"
            )

    @property
    def compared_heuristics(self) -> dict[str, str]:
        """The specs of the heuristics that are compared, by name: that in ``NAME=(SPEC)``, else the heuristic's own."""
        named = map(split_name, split_list(self.heuristics, self.heuristics))
        return {name or spec: spec.removeprefix("(").removesuffix(")") if name else spec for name, spec in named}


@dataclass(frozen=True, kw_only=True)
class AnalysisDefinition(AnalysisOptions):
    """An analysis. Make one with `analysis`."""

    events: tuple[AnalysedGame, ...]

    def play(self, event: AnalysedGame) -> TournamentDefinition:
        """Return the games of ``event`` whose measures are taken."""
        metrics = tuple(metrics_for(parse_spec(event.game).name))
        return self._tournament(event, (self.agent,), self.n_games, metrics=metrics)

    def skill(self, event: AnalysedGame) -> Iterator[tuple[str, TournamentDefinition]]:
        """Yield the tournaments of ``event`` on the cost of half a budget, by name: none without a skill agent.

        The agent meets itself in all seatings. Where there are no sides, its teams play one after the other.
        """
        if not self.skill_agent:
            return
        half = halved(self.skill_agent)
        tables: dict[str, tuple[str, ...]] = {"both": (self.skill_agent, half)}
        if not event.is_contest and event.players > 1:
            tables = {"full": (self.skill_agent,), "half": (half,)}
        for name, agents in tables.items():
            yield name, self._tournament(event, agents, self._blocks(event, len(agents), self.skill_games))

    def trace(self, event: AnalysedGame) -> Iterator[tuple[int, TournamentDefinition]]:
        """Yield the tournaments of the skill trace, by the greater budget, from the least on; none without sides.

        In each, one player with that budget meets others with half of it, in every seat.
        """
        if not self.trace_agent or not event.is_contest:
            return
        agents = [self.trace_agent]
        for _doubling in range(self.doublings):
            agents.append(halved(agents[-1]))
        blocks = -(-self.skill_games // event.players)
        for stronger, weaker in reversed(list(pairwise(agents))):
            yield budget_of(stronger), self._tournament(event, (stronger, weaker), blocks, design="gauntlet")

    def luck(self, event: AnalysedGame) -> Iterator[tuple[str, TournamentDefinition]]:
        """Yield the tournaments of ``event`` on what chance decides: all chance, then each source, by its name."""
        if not self.seeds:
            return
        design = f"repeated:games={self.games_per_seed}"
        sources = game_class(parse_spec(event.game).name).game_type.chance_sources if self.by_source else ()
        for source in ("", *sources):
            hold = (source,) if source else ()
            yield source, self._tournament(event, (self.agent,), self.seeds, design=design, hold=hold)

    @property
    def compared_events(self) -> list[AnalysedGame]:
        """The events in which heuristics are compared: those with sides, none without an agent for it."""
        return [event for event in self.events if self.heuristic_agent and event.is_contest]

    def comparison(self, event: AnalysedGame) -> TournamentDefinition:
        """Return the tournament of ``event`` between heuristics: the agent with each, under the heuristic's name."""
        agent, compared = parse_spec(self.heuristic_agent), self.compared_heuristics
        agents = tuple(with_name(name, str(agent.with_value("heuristic", spec))) for name, spec in compared.items())
        games = -(-self.heuristic_games * len(agents) // event.players)
        return self._tournament(event, agents, self._blocks(event, len(agents), games))

    def _blocks(self, event: AnalysedGame, n_agents: int, games: int) -> int:
        """Return how many blocks of a round robin have at least so many games."""
        design = make_design(DEFAULT_DESIGN, n_agents, event.players, 1)
        return -(-games // (design.n_matchups * design.n_seatings))

    def _tournament(
        self, event: AnalysedGame, agents: tuple[str, ...], blocks: int, **options: Any
    ) -> TournamentDefinition:
        opening = "" if "repeated" in options.get("design", "") else self.opening
        return define(event.game, agents, blocks, players=event.players, seed=self.seed, opening=opening, **options)


def analysis(games: tuple[str, ...], players: tuple[int, ...] = (), **options: Any) -> AnalysisDefinition:
    """Return an analysis of game types, checked.

    Args:
        games: their specs; ``all`` stands for every registered game.
        players: the numbers of players, each for at least one of the games. A game is analysed at those that it can
            seat; if omitted, at all that it can seat.
        options: the attributes of `AnalysisOptions`.

    Raises:
        TagError: a value is wrong; the message names it.
    """
    specs = [spec for game in games for spec in (game_names() if game == "all" else [game])]
    if not specs:
        raise SpecError("an analysis needs a game")
    AnalysisOptions(**options).check()
    events = tuple(dict.fromkeys(event for spec in specs for event in _events(spec, players)))
    not_seated = [number for number in players if number not in {event.players for event in events}]
    if not_seated:
        raise PlayersError(f"none of these games is for {', '.join(map(str, not_seated))} players")
    agents = {name: canonical_agent(options[name]) for name in _SPECS if options.get(name)}
    for name in _HALVED:
        if name in agents:  # the same in all games
            agents[name] = str(parse_spec(agents[name]).with_value("budget", budget_of(agents[name])))
    found = AnalysisDefinition(**{**options, **agents}, events=events)
    for event in events:
        list(parts_of(found, event, Path()))
    return found


#: The options that are specs of agents.
_SPECS: Final = ("agent", "skill_agent", "trace_agent", "heuristic_agent")
#: Those whose budgets are halved.
_HALVED: Final = ("skill_agent", "trace_agent")


def budget_of(agent: str) -> int:
    """Return the budget of the agent with this spec.

    Raises:
        ParameterError: it has none.
    """
    spec = parse_spec(agent)
    made = make_agent(spec)
    if "budget" not in made.parameters.values():
        raise ParameterError(f"skill depth needs an agent with a budget, and {spec.name} has none; try mcts")
    return int(made.new_budget().limit)


def halved(agent: str) -> str:
    """Return the spec of ``agent`` with half its budget.

    Raises:
        ParameterError: it has no budget, or none that can be halved.
    """
    budget = budget_of(agent)
    if budget < 2:
        raise ParameterError(f"budget cannot be 0, half of that of {agent}; the least is 1")
    return canonical_agent(str(parse_spec(agent).with_value("budget", budget // 2)))


def _events(spec: str, players: tuple[int, ...]) -> list[AnalysedGame]:
    """Return the events of one game type: at those of the numbers asked for that it can seat."""
    make_game(spec)
    name = parse_spec(spec).name
    kind = game_class(name).game_type
    game = canonical(spec, kind.parameters)
    counts = range(kind.min_players, kind.max_players + 1)
    return [AnalysedGame(game, n) for n in (players or counts) if n in counts]


MANIFEST: Final = "analysis.json"


def event_folder(out: Path, event: AnalysedGame) -> Path:
    """Return the folder of the event's tournament."""
    return out / "games" / event.name


def skill_folder(out: Path, event: AnalysedGame, name: str) -> Path:
    """Return the folder of the tournament ``name`` of `AnalysisDefinition.skill`."""
    return out / "skill" / f"{event.name}-{name}"


def trace_folder(out: Path, event: AnalysedGame, budget: int) -> Path:
    """Return the folder of the tournament of a budget of `AnalysisDefinition.trace`."""
    return out / "trace" / f"{event.name}-{budget}"


def luck_folder(out: Path, event: AnalysedGame, source: str) -> Path:
    """Return the folder of the tournament of a source of chance, or of all chance, of `AnalysisDefinition.luck`."""
    return out / "luck" / (f"{event.name}-{source}" if source else event.name)


def comparison_folder(out: Path, event: AnalysedGame) -> Path:
    """Return the folder of the tournament of `AnalysisDefinition.comparison`."""
    return out / "heuristics" / event.name


def parts_of(
    definition: AnalysisDefinition, event: AnalysedGame, out: Path
) -> Iterator[tuple[Path, TournamentDefinition]]:
    """Yield the tournaments of an event by folder."""
    yield event_folder(out, event), definition.play(event)
    for name, tournament in definition.skill(event):
        yield skill_folder(out, event, name), tournament
    for budget, tournament in definition.trace(event):
        yield trace_folder(out, event, budget), tournament
    for source, tournament in definition.luck(event):
        yield luck_folder(out, event, source), tournament
    if event in definition.compared_events:
        yield comparison_folder(out, event), definition.comparison(event)


@dataclass(frozen=True)
class AnalysisManifest:
    """The contents of ``analysis.json``.

    Attributes:
        id: names the analysis for ever.
    """

    definition: AnalysisDefinition
    created: str
    version: str
    id: str

    def write(self, folder: Path) -> None:
        """Write the definition to ``folder``."""
        head = {"id": self.id, "created": self.created, "version": self.version}
        storage.write_whole(folder / MANIFEST, json.dumps({**head, **asdict(self.definition)}, indent=2))


def begin(definition: AnalysisDefinition, out: Path) -> AnalysisManifest:
    """Return the manifest of the analysis in ``out`` from now on; a new or empty folder becomes an analysis's.

    In a folder with an analysis nothing is written yet: the old figures stay until there are new ones.
    """
    if (out / MANIFEST).exists():
        created, known = storage.read_json(
            out, MANIFEST, "analysis", lambda content: (str(content["created"]), str(content.get("id", "")))
        )
        return AnalysisManifest(definition, created, version_text(), known or _new_id())
    out.mkdir(parents=True, exist_ok=True)
    manifest = AnalysisManifest(definition, datetime.now(UTC).isoformat(timespec="seconds"), version_text(), _new_id())
    manifest.write(out)
    return manifest


def read_analysis_manifest(folder: Path) -> AnalysisManifest:
    """Return the manifest of the analysis in ``folder``.

    Raises:
        DataError: there is none, or it is damaged.
    """

    def read(content: dict[str, Any]) -> AnalysisManifest:
        events = tuple(AnalysedGame(**event) for event in content["events"])
        known = {one.name: content[one.name] for one in fields(AnalysisOptions) if one.name in content}
        definition = AnalysisDefinition(**known, events=events)
        return AnalysisManifest(definition, content["created"], content["version"], content["id"])

    return storage.read_json(folder, MANIFEST, "analysis", read)


def read_analysis(folder: Path) -> AnalysisResults:
    """Return the results of the analysis in ``folder``, with figures where it is complete.

    Raises:
        DataError: there is none, or a file is damaged.
    """
    manifest = read_analysis_manifest(folder)
    parts = dict(part for event in manifest.definition.events for part in parts_of(manifest.definition, event, folder))
    total = sum(len(part.schedule()) for part in parts.values())
    frames = {}
    for name in FRAMES:
        path = folder / f"{name}.parquet"
        if path.is_file():
            try:
                frames[name] = parquet.read_frame(path)
            except (OSError, ValueError) as error:
                raise DataError(f"{str(path)!r} is damaged: {error}; run the analysis again to write it anew") from None
    if frames:
        return AnalysisResults(folder, manifest, total, total, **frames)
    begun = [part for part in parts if (part / TOURNAMENT).is_file()]
    return AnalysisResults(folder, manifest, sum(outcomes.read_results(part).games for part in begun), total)


def check_folder(out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or an analysis's."""
    storage.check_is_ours(out, MANIFEST, "analysis")


def _new_id() -> str:
    return secrets.token_hex(8)


def _no_rows() -> pd.DataFrame:
    return pd.DataFrame()


@dataclass(frozen=True)
class AnalysisResults:
    """The results of an analysis; `docs/analysis.md` describes the columns.

    Attributes:
        games: how many games have been played.
        total: the games of the whole analysis; the frames are empty until all are played.
        summary: one row per event and measure.
        courses: one row per event, measure with a course over a game, and stretch of the game.
        distributions: one row per event, measure and bin.
        speed: one row per event, function and sampled game.
        heuristics: one row per heuristic that was compared.
        heuristic_pairs: one row per two of them.
    """

    folder: Path
    manifest: AnalysisManifest
    games: int
    total: int
    summary: pd.DataFrame = field(default_factory=_no_rows)
    courses: pd.DataFrame = field(default_factory=_no_rows)
    distributions: pd.DataFrame = field(default_factory=_no_rows)
    speed: pd.DataFrame = field(default_factory=_no_rows)
    heuristics: pd.DataFrame = field(default_factory=_no_rows)
    heuristic_pairs: pd.DataFrame = field(default_factory=_no_rows)

    @property
    def complete(self) -> bool:
        """True if all games have been played."""
        return self.games == self.total

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The frames that are not empty, by the name of their file."""
        found = {name: getattr(self, name) for name in FRAMES}
        return {name: frame for name, frame in found.items() if not frame.empty}

    def write(self) -> None:
        """Write the manifest and all frames to its folder."""
        self.manifest.write(self.folder)
        for name in FRAMES:
            if name in self.frames:
                storage.write_whole(self.folder / f"{name}.parquet", self.frames[name].to_parquet())
            else:
                (self.folder / f"{name}.parquet").unlink(missing_ok=True)

    def to_json(self) -> dict[str, Any]:
        """Return the figures for programs as plain values, nan and infinity as None."""
        shown = {name: frame for name, frame in self.frames.items() if name not in ("courses", "distributions")}
        return {name: json.loads(frame.to_json(orient="records")) for name, frame in shown.items()}


#: The frames of `AnalysisResults`, each a file of that name.
FRAMES: Final = ("summary", "courses", "distributions", "speed", "heuristics", "heuristic_pairs")
