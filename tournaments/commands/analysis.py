"""``tag analyse``: plays the tournaments of an analysis one after the other, then measures them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from math import sqrt
from pathlib import Path
from time import process_time
from typing import Any, Final

import click
import pandas as pd

from cluster import Workers, make_workers
from cluster.workers import at_work
from tag.catalogue.registry import agent_class, canonical, game_class, game_names, make_agent, make_game, metrics_for
from tag.catalogue.version import version_text
from tag.cli._output import print_json
from tag.engine.action import AnyAction
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Spec, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.errors import ParameterError, PlayersError, SpecError
from tournaments.commands.analysis_report import REPORT, tables_text, write_report
from tournaments.commands.settings import RunSettings, declared_options, players_of, shown_options, stopped, table_width
from tournaments.definition import TournamentDefinition, canonical_agent, define, is_cooperative_game
from tournaments.designs.matchups import DEFAULT_DESIGN, make_design
from tournaments.driver import check_all, run_all
from tournaments.ledger.folder import event_name
from tournaments.ledger.storage import check_is_ours, read_json, write_whole
from tournaments.reports.progress import Progress, make_progress
from tournaments.results.luck import SeedResults, read_seed_results
from tournaments.results.measures import read_event
from tournaments.results.tournament import rate, read_results
from tournaments.statistics.standings import Standing

# --- definition: game types at numbers of players, an agent for all seats, and the number of games --------------------


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


@dataclass(frozen=True)
class AnalysisDefinition:
    """An analysis. Make one with `analysis`.

    Attributes:
        seeds: with how many chance seeds to measure how much chance decides; 0 to leave that out.
        games_per_seed: how many games to play with each.
        by_source: whether to measure each source of chance alone, too.
        skill_agent: the spec of the agent for skill depth; empty to leave that out.
        skill_games: about how many games it plays, per event, against itself with half its budget.
    """

    events: tuple[AnalysedGame, ...]
    agent: str = "random"
    games: int = 1000
    seed: int = 1
    skill_agent: str = ""
    skill_games: int = 100
    seeds: int = 0
    games_per_seed: int = 100
    by_source: bool = False

    def play(self, event: AnalysedGame) -> TournamentDefinition:
        """Return the games of ``event`` whose measures are taken."""
        metrics = tuple(metrics_for(parse_spec(event.game).name))
        return define(event.game, (self.agent,), self.games, players=event.players, seed=self.seed, metrics=metrics)

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
            blocks = -(-self.skill_games // _games_per_block(len(agents), event.players))
            yield name, define(event.game, agents, blocks, players=event.players, seed=self.seed)

    def luck(self, event: AnalysedGame) -> Iterator[tuple[str, TournamentDefinition]]:
        """Yield the tournaments of ``event`` on what chance decides: all chance, then each source, by its name."""
        if self.seeds:
            design = f"repeated:games={self.games_per_seed}"
            sources = game_class(parse_spec(event.game).name).game_type.chance_sources if self.by_source else ()
            for source in ("", *sources):
                hold = (source,) if source else ()
                yield (
                    source,
                    define(
                        event.game,
                        (self.agent,),
                        self.seeds,
                        players=event.players,
                        seed=self.seed,
                        design=design,
                        hold=hold,
                    ),
                )


def analysis(
    games: tuple[str, ...],
    players: tuple[int, ...] = (),
    *,
    agent: str = "random",
    n_games: int = 1000,
    seed: int = 1,
    skill_agent: str = "",
    skill_games: int = 100,
    seeds: int = 0,
    games_per_seed: int = 100,
    by_source: bool = False,
) -> AnalysisDefinition:
    """Return an analysis of game types, checked.

    Args:
        games: their specs; ``all`` stands for every registered game.
        players: the numbers of players, each for at least one of the games. A game is analysed at those that it can
            seat; by default at all that it can seat.
        agent: the spec of the agent in all seats.
        n_games: how many games of each event.
        seed: determines everything but the speed.
        skill_agent: the spec of an agent with a budget; empty to leave skill depth out.
        skill_games: about how many games it plays per event.
        seeds: with how many chance seeds to measure how much chance decides; 0 to leave that out.
        games_per_seed: how many games to play with each.
        by_source: whether to measure each source of chance alone, too.

    Raises:
        TagError: a value is wrong; the message names it.
    """
    if n_games < 1 or skill_games < 1:
        raise ParameterError(f"games cannot be {min(n_games, skill_games)}; the least is 1")
    if seeds < 0 or seeds == 1:
        raise ParameterError(f"seeds cannot be {seeds}; the least is 2, or 0 to leave luck out")
    if by_source and not seeds:
        raise ParameterError("sources of chance are measured with chance seeds; say how many with --seeds")
    specs = [spec for game in games for spec in (game_names() if game == "all" else [game])]
    if not specs:
        raise SpecError("an analysis needs a game")
    events = tuple(dict.fromkeys(event for spec in specs for event in _events(spec, players)))
    not_seated = [number for number in players if number not in {event.players for event in events}]
    if not_seated:
        raise PlayersError(f"none of these games is for {', '.join(map(str, not_seated))} players")
    found = AnalysisDefinition(
        events,
        canonical_agent(agent),
        n_games,
        seed,
        skill_agent and canonical_agent(skill_agent),
        skill_games,
        seeds,
        games_per_seed,
        by_source,
    )
    for event in events:
        found.play(event)
        list(found.skill(event))
        list(found.luck(event))
    return found


def halved(agent: str) -> str:
    """Return the spec of ``agent`` with half its budget."""
    spec = parse_spec(agent)
    values = make_agent(spec).parameters.values()
    if "budget" not in values:
        raise ParameterError(f"skill depth needs an agent with a budget, and {spec.name} has none; try mcts")
    half = Spec(spec.name, {**spec.values, "budget": int(values["budget"]) // 2})
    return canonical(half, agent_class(spec.name).parameters_class)


def _events(spec: str, players: tuple[int, ...]) -> list[AnalysedGame]:
    """Return the events of one game type: at those of the numbers asked for that it can seat."""
    make_game(spec)
    name = parse_spec(spec).name
    kind = game_class(name).game_type
    game = canonical(spec, kind.parameters)
    counts = range(kind.min_players, kind.max_players + 1)
    return [AnalysedGame(game, n) for n in (players or counts) if n in counts]


def _games_per_block(n_agents: int, n_players: int) -> int:
    design = make_design(DEFAULT_DESIGN, n_agents, n_players, 1)
    return design.n_matchups * design.n_seatings


def skill_row(folders: Mapping[str, Path], agent: str) -> dict[str, Any]:
    """Return the summary row of skill depth, with its 95 % interval."""
    results = {name: read_results(folder) for name, folder in folders.items()}
    standings = {name: found.standings for name, found in results.items()}
    if "both" in standings and results["both"].is_alone:
        pairs = rate(folders["both"]).pairs
        one, other = (pairs.labels.index(label) for label in (agent, halved(agent)))
        values = (float(table[one, other]) for table in (pairs.score, pairs.low, pairs.high))
        return _row("skill", int(pairs.games[one, other]), *values)
    if "both" in standings:
        full = next(standing for standing in standings["both"] if standing.agent == agent)
        return _share(full, sum(standing.points for standing in standings["both"]))
    return _difference(standings["full"][0], standings["half"][0])


def luck_rows(results: SeedResults, source: str) -> Iterator[dict[str, Any]]:
    """Yield the summary rows of luck, of all chance or of one source; of a source only what it decides alone."""
    games = int(results.games.sum())
    for name, estimate in results.measures():
        if not source or name == "luck":
            yield _row(f"luck_of_{source}" if source else name, games, estimate.value, *estimate.interval)


def _share(full: Standing, both: float) -> dict[str, Any]:
    """Return the full budget's share of the points; both budgets sit in equally many seats."""
    if not both:
        return _row("skill", full.games, 0.5, 0.0, 1.0)
    low, high = full.points_interval.low / both, min(1.0, full.points_interval.high / both)
    return _row("skill", full.games, full.points / both, low, high)


def _difference(full: Standing, half: Standing) -> dict[str, Any]:
    """Return the difference of two success rates with Newcombe's hybrid interval (Statistics in Medicine 17, 1998)."""
    difference = full.win_rate - half.win_rate
    ends, half_ends = full.win_rate_interval, half.win_rate_interval
    down = sqrt((full.win_rate - ends.low) ** 2 + (half_ends.high - half.win_rate) ** 2)
    up = sqrt((ends.high - full.win_rate) ** 2 + (half.win_rate - half_ends.low) ** 2)
    return _row("team_skill", full.games, difference, difference - down, difference + up)


def _row(name: str, games: int, mean: float, low: float, high: float) -> dict[str, Any]:
    return {"measure": name, "games": games, "mean": mean, "low": low, "high": high}


#: Games whose positions are used: each gives one figure per function.
_SAMPLES: Final = 15
#: The greatest number of positions of a game, evenly spread.
_POSITIONS: Final = 100
#: The least time for a figure, in seconds of CPU time.
_SECONDS: Final = 0.004

_Step = tuple[GameState, AnyAction]
_Call = Callable[[GameState, AnyAction], object]


def measure_speed(event: AnalysedGame, seed: int) -> pd.DataFrame:
    """Return how many calls of each function this process makes per second of CPU time.

    Args:
        event: the game type and its players.
        seed: determines the positions, not the speed.

    Returns:
        One row per function and sampled game: game, players, function (of `FUNCTIONS`), sample, per_second.
    """
    rows = []
    for sample in range(_SAMPLES):
        rng = Rng(derive_seed(seed, "speed", sample))
        model = make_game(event.game)
        steps = _random_game(model, event.players, rng)
        for name, call in _functions(model, event.players, rng).items():
            rows.append((event.game, event.players, name, sample, _rate(call, steps)))
    return pd.DataFrame(rows, columns=["game", "players", "function", "sample", "per_second"])


def _functions(model: ForwardModel[Any], players: int, rng: Rng) -> dict[str, _Call]:
    """Return the measured functions by name; each takes a position that may be used up and an action available in it."""
    return {
        "setup": lambda _state, _action: model.setup(players, rng),
        "next": lambda state, action: model.next(state, action, rng),
        "actions": lambda state, _action: model.available_actions(state),
        "copy": lambda state, _action: state.copy(),
        "observation": lambda state, _action: state.observation(state.current_player, rng),
    }


def _rate(call: _Call, steps: list[_Step]) -> float:
    """Return the number of calls in a second of CPU time, without the copies that are used up."""
    calls, seconds = 0, 0.0
    while seconds < _SECONDS:
        fresh = [(state.copy(), action) for state, action in steps]
        begin = process_time()
        for state, action in fresh:
            call(state, action)
        seconds += process_time() - begin
        calls += len(fresh)
    return calls / seconds


def _random_game(model: ForwardModel[Any], players: int, rng: Rng) -> list[_Step]:
    """Return positions of a random game, each with an available action."""
    steps: list[_Step] = []
    state = model.setup(players, rng)
    while not state.is_terminal:
        action = rng.choice(model.available_actions(state))
        steps.append((state.copy(), action))
        model.next(state, action, rng)
    return steps[:: -(-len(steps) // _POSITIONS)]


# --- folder: ``analysis.json``, the games of its events, and its figures ----------------------------------------------


_MANIFEST: Final = "analysis.json"
#: The frames of `AnalysisResults` that are stored.
_FRAMES: Final = ("summary", "courses", "distributions", "speed")


@dataclass(frozen=True)
class AnalysisManifest:
    """The contents of ``analysis.json``."""

    definition: AnalysisDefinition
    created: str
    version: str

    def write(self, folder: Path) -> None:
        """Write it to ``folder``."""
        content = {"created": self.created, "version": self.version, **asdict(self.definition)}
        write_whole(folder / _MANIFEST, json.dumps(content, indent=2))


@dataclass(frozen=True)
class AnalysisResults:
    """The results of an analysis; `docs/analysis.md` describes the columns.

    Attributes:
        summary: one row per event and measure.
        courses: one row per event, measure with a course over a game, and stretch of the game.
        distributions: one row per event, measure and bin.
        speed: one row per event, function and sampled game.
        total: the games of the whole analysis; the frames are empty until all are played.
    """

    folder: Path
    manifest: AnalysisManifest
    summary: pd.DataFrame
    courses: pd.DataFrame
    distributions: pd.DataFrame
    speed: pd.DataFrame
    games: int
    total: int

    @property
    def complete(self) -> bool:
        """True if all games have been played."""
        return self.games == self.total

    def write(self) -> None:
        """Write the manifest and all frames to its folder."""
        self.manifest.write(self.folder)
        for name in _FRAMES:
            write_whole(self.folder / f"{name}.parquet", getattr(self, name).to_parquet())

    def to_json(self) -> dict[str, Any]:
        """Return the summary and the speed as plain values, nan and infinity as None."""
        frames = {"summary": self.summary, "speed": self.speed}
        return {name: json.loads(frame.to_json(orient="records")) for name, frame in frames.items()}


def begin(definition: AnalysisDefinition, out: Path) -> AnalysisManifest:
    """Return the manifest of the analysis in ``out`` from now on; a new or empty folder becomes an analysis's.

    In a folder with an analysis nothing is written yet: the old figures stay until there are new ones.
    """
    if (out / _MANIFEST).exists():
        created = read_json(out, _MANIFEST, "analysis", lambda content: str(content["created"]))
        return AnalysisManifest(definition, created, version_text())
    out.mkdir(parents=True, exist_ok=True)
    manifest = AnalysisManifest(definition, datetime.now(UTC).isoformat(timespec="seconds"), version_text())
    manifest.write(out)
    return manifest


def check_folder(out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or an analysis's."""
    check_is_ours(out, _MANIFEST, "analysis")


def event_folder(out: Path, event: AnalysedGame) -> Path:
    """Return the folder of the event's tournament."""
    return out / "games" / event.name


def skill_folder(out: Path, event: AnalysedGame, name: str) -> Path:
    """Return the folder of the tournament ``name`` of `AnalysisDefinition.skill`."""
    return out / "skill" / f"{event.name}-{name}"


def luck_folder(out: Path, event: AnalysedGame, source: str) -> Path:
    """Return the folder of the tournament of a source of chance, or of all chance, of `AnalysisDefinition.luck`."""
    return out / "luck" / (f"{event.name}-{source}" if source else event.name)


# --- running an analysis ----------------------------------------------------------------------------------------------


#: The measures with a course over a game: they have a value at each action.
COURSES: Final = ("actions", "heuristic")


def run_analysis(
    definition: AnalysisDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> AnalysisResults:
    """Play the missing games of an analysis and return the figures, written to ``out`` as well, with a report.

    Each event is a tournament in a folder of its own, with a ledger like any other. The analysis goes on where it was
    interrupted, and a larger one reuses existing games.

    The arguments are those of `tournaments.run_tournament`.

    Raises:
        TagError: the folder does not fit, or a game breaks its contract.
    """
    check_folder(out)
    parts = dict(_parts(definition, out))
    total = sum(len(part.schedule()) for part in parts.values())
    with at_work(workers) as processes:
        check_all(parts, out, processes)
        manifest = begin(definition, out)
        played = run_all(parts, processes, progress=progress or Progress())
    if not played[-1].complete:
        nothing = pd.DataFrame()
        games = sum(part.games for part in played)
        return AnalysisResults(out, manifest, nothing, nothing, nothing, nothing, games, total)
    results = _figures(manifest, out, total)
    results.write()
    write_report(results)
    return results


def _parts(definition: AnalysisDefinition, out: Path) -> Iterator[tuple[Path, TournamentDefinition]]:
    """Yield all tournaments of an analysis by folder."""
    for event in definition.events:
        yield event_folder(out, event), definition.play(event)
    for event in definition.events:
        for name, tournament in definition.skill(event):
            yield skill_folder(out, event, name), tournament
        for source, tournament in definition.luck(event):
            yield luck_folder(out, event, source), tournament


def _figures(manifest: AnalysisManifest, out: Path, total: int) -> AnalysisResults:
    """Compute all figures from the ledgers, and measure the speed."""
    definition = manifest.definition
    rows: list[dict[str, Any]] = []
    courses: list[pd.DataFrame] = []
    distributions: list[pd.DataFrame] = []
    for event in definition.events:
        key: dict[str, Any] = {"game": event.game, "players": event.players}
        measures = read_event(event_folder(out, event))
        rows += [{**key, **measure.summary()} for measure in measures.values()]
        courses += [measures[name].course().assign(**key, measure=name) for name in COURSES if name in measures]
        distributions += [found.distribution().assign(**key, measure=name) for name, found in measures.items()]
        skill = {name: skill_folder(out, event, name) for name, _tournament in definition.skill(event)}
        if skill:
            rows.append({**key, **skill_row(skill, definition.skill_agent)})
        for source, _tournament in definition.luck(event):
            results = read_seed_results(luck_folder(out, event, source))
            rows += [{**key, **row} for row in luck_rows(results, source)]
            if not source:
                points = results.first_seat()
                rows.append({**key, **points.summary()})
                distributions.append(points.distribution().assign(**key, measure=points.name))
    speed = [measure_speed(event, definition.seed) for event in definition.events]
    return AnalysisResults(
        folder=out,
        manifest=manifest,
        summary=pd.DataFrame(rows),
        courses=pd.concat(courses, ignore_index=True),
        distributions=pd.concat(distributions, ignore_index=True),
        speed=pd.concat(speed, ignore_index=True),
        games=total,
        total=total,
    )


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option(
    "--players", metavar="N,N,...", default="", help="Numbers of players; all that the game seats by default."
)
@click.option("--games", "n_games", default=1000, show_default=True, help="Games per number of players.")
@click.option("--agent", default="random", show_default=True, metavar="SPEC", help="Who plays, in all seats.")
@click.option("--skill", "skill_agent", default="", metavar="SPEC", help="Measure skill depth: with this agent.")
@click.option("--skill-games", default=100, show_default=True, help="Games for that, per number of players.")
@click.option("--seeds", default=0, metavar="N", help="Measure how much chance decides: with so many chance seeds.")
@click.option("--games-per-seed", default=100, show_default=True, help="Games for that with each chance seed.")
@click.option("--sources", "by_source", is_flag=True, help="Measure what each source of chance decides alone, too.")
@click.option("--seed", default=1, show_default=True, help="Decides everything but the speed.")
@click.option("--out", metavar="DIR", default="", help="The folder.  [default: runs/analysis]")
@declared_options(RunSettings, "workers", "ray", "address")
@shown_options
def analyse(
    games: tuple[str, ...],
    players: str,
    n_games: int,
    agent: str,
    skill_agent: str,
    skill_games: int,
    seeds: int,
    games_per_seed: int,
    by_source: bool,
    seed: int,
    out: str,
    workers: int | None,
    ray: bool | None,
    address: str | None,
    progress: str,
    quiet: bool,
    as_json: bool,
) -> int:
    """Measure game types: action space, branching, hidden information, speed, length, rewards, drama, skill, luck.

    GAME is the spec of a game; all stands for every game. The same command goes on with what it finds in the folder.

    Example: tag analyse love_letter --players 2,4 --games 200
    """
    definition = analysis(
        games,
        players_of(players),
        agent=agent,
        n_games=n_games,
        seed=seed,
        skill_agent=skill_agent,
        skill_games=skill_games,
        seeds=seeds,
        games_per_seed=games_per_seed,
        by_source=by_source,
    )
    folder = Path(out or "runs/analysis")
    with make_workers(workers, address or "", uses_ray=ray is not False) as processes:
        results = run_analysis(definition, folder, workers=processes, progress=make_progress(quiet, progress))
    if not results.complete:
        return stopped(results.games, f"{results.total:,}")
    if as_json:
        print_json(results.to_json(), indent=None)
        return 0
    click.echo(tables_text(results, table_width()))
    click.echo(f"\n{results.games:,} games; figures and ledgers are in {folder}, the report is {folder / REPORT}")
    return 0
