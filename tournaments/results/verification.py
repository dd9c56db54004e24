"""Verification of a ledger: its shards, rows, duplicates and missing games, and a sample of its games played again.

Nothing is written, moved or mended: that is what going on with the tournament does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from tag.catalogue.models import models_in
from tag.catalogue.registry import make_agent
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.engine.rng import Rng
from tag.errors import DataError, TagError
from tag.orders import GameOrder, GameRecord, play_order
from tag.table.game import is_human
from tag.tournaments.definition import TIMES, TournamentDefinition
from tag.tournaments.designs.games import PLACE, Pairing
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping.in_order import InOrderStopping
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.folder import FOLDER, MANIFEST, Folder, bound_shards, is_at_work, versions_of
from tag.tournaments.ledger.identity import DECISIVE, Binding
from tag.tournaments.ledger.parquet import UnfitFileError
from tag.tournaments.ledger.reading import Shards, frames_of_table
from tag.tournaments.ledger.replay import differences, facts, replays_in
from tag.tournaments.ledger.rows import ACTIONS, GAMES, KINDS, MEASURES, TIMINGS

#: How a check ended: all is well; something cannot be known or is incomplete; something is wrong.
OK: Final = "ok"
NOTE: Final = "note"
FAULT: Final = "fault"
#: So many games or files of a kind are named; the others are counted.
_NAMED: Final = 3


@dataclass(frozen=True)
class LedgerFinding:
    """The result of a check.

    Attributes:
        of: what was checked: ``shards``, ``games``, …
        state: `OK`, `NOTE` or `FAULT`.
        text: what was found, in a sentence.
    """

    of: str
    state: str
    text: str


@dataclass(frozen=True)
class Verification:
    """The results of all checks of a ledger.

    Attributes:
        folder: that was verified: a tournament's, or a stage's of a study.
        content_hash: of the games that fit; empty if there are none.
        replayed: how many games were played again.
    """

    folder: Path
    checks: tuple[LedgerFinding, ...]
    content_hash: str = ""
    replayed: int = 0

    @property
    def is_sound(self) -> bool:
        """True if nothing is wrong."""
        return all(check.state != FAULT for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        return {
            "folder": str(self.folder),
            "sound": self.is_sound,
            "content_hash": self.content_hash,
            "replayed": self.replayed,
            "checks": [vars(check) for check in self.checks],
        }


@dataclass(frozen=True)
class ReplaySample:
    """Which games are played again.

    Attributes:
        size: how many at most.
        trust: whether code that the folder names may be run.
    """

    size: int
    trust: bool = False


def verify_tournament(folder: Path, sample: ReplaySample) -> Verification:
    """Check the tournament in ``folder`` and play a sample of its games again.

    Raises:
        DataError: there is no tournament.
    """
    try:
        opened = Folder.open(folder)
        binding = opened.shards.binding
        opened.definition.schedule()
    except TagError as error:
        if not (folder / MANIFEST).is_file():
            raise
        return Verification(folder, (LedgerFinding("definition", FAULT, str(error)),))
    manifest, definition = opened.manifest, opened.definition
    part = definition.schedule().part
    about = f"{definition.game}, {len(definition.agents)} agents, seed {definition.seed}"
    checks = [LedgerFinding("definition", OK, f"{about}, part {part.text}" if part else about)]
    if is_at_work(folder):
        checks.append(LedgerFinding("definition", NOTE, "another process is at work on it, and goes on writing"))
    checks += version_checks(manifest.versions, definition.game)
    of_shards, found = ledger_checks(opened.shards, binding or Binding(definition))
    checks += of_shards
    if not found:
        return Verification(folder, tuple(checks))
    checks += [*_lost_rows(definition, found), *_unplayed(definition, found[GAMES])]
    replayed, of_replays = _replays(opened, found, sample)
    return Verification(folder, (*checks, *of_replays), rows.digest_of(found[GAMES]), replayed)


def version_checks(versions: Mapping[str, str], game: str) -> Iterator[LedgerFinding]:
    """Yield which versions differ from those at the beginning."""
    if is_path(parse_spec(game).name):
        return  # a user's file is known by its text
    now = versions_of(game)
    known = [name for name in DECISIVE if name in versions and name in now]
    other = [f"{name} {versions[name]}, now {now[name]}" for name in known if versions[name] != now[name]]
    if other:
        yield LedgerFinding("versions", NOTE, f"played with {'; '.join(other)}: games may come out otherwise now")
    else:
        yield LedgerFinding("versions", OK, f"tag {versions.get('tag', 'of an unknown version')}, as now")


#: What is kept of each kind of shards; all columns of games and actions, for games that are played again.
_KEPT: Final[dict[str, list[str] | None]] = {GAMES: None, TIMINGS: ["game_id"], MEASURES: ["game_id"], ACTIONS: None}


def ledger_checks(shards: Shards, binding: Binding) -> tuple[list[LedgerFinding], dict[str, Any]]:
    """Check all shards, each of which is read once; return the rows of those that fit, each game once, by kind."""
    checks: list[LedgerFinding] = []
    tables: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    sound = Counter[str]()
    for path in shards.all():
        kind = storage.kind_of(path)
        try:
            table = storage.checked_shard(path, binding, _KEPT[kind])
        except FileNotFoundError:
            continue  # merged into another by now
        except DataError as error:
            reason = error.reason if isinstance(error, UnfitFileError) else str(error)
            checks.append(
                LedgerFinding("shards", FAULT, f"{path.name} {reason}" if path.name not in reason else reason)
            )
            continue
        sound[kind] += 1
        tables[kind].append(table)
    if sound:
        counted = ", ".join(f"{number} of {kind}" for kind, number in sound.items())
        checks.insert(
            0, LedgerFinding("shards", OK, f"{counted}: bytes as written, of this tournament, rows as scheduled")
        )
    if strange := storage.other_files(shards.folder):
        checks.append(LedgerFinding("shards", NOTE, f"other files, which no command reads: {_named(strange)}"))
    found = {kind: _whole(parts) for kind, parts in tables.items() if parts}
    if GAMES not in found:
        return [*checks, LedgerFinding("games", NOTE, "there are none")], {}
    arrived = found[GAMES]
    found[GAMES] = rows.in_schedule_order(arrived, in_one_piece=True)
    return [*checks, *_duplicates(arrived, found[GAMES])], found


def _whole(tables: Sequence[Any]) -> Any:
    """Return the rows of shards of a kind, which may name different numbers of agents, in the order of arrival."""
    longest = max(tables, key=lambda table: len(rows.entries_of(table.schema))).schema
    return pa.concat_tables([table.cast(longest) for table in tables]).replace_schema_metadata(longest.metadata)


def _duplicates(whole: Any, games: Any) -> Iterator[LedgerFinding]:
    """Yield how many games are there several times, and which of them came out differently."""
    if len(whole) == len(games):
        yield LedgerFinding("duplicates", OK, "every game is there once")
        return
    by_place: dict[tuple[int, ...], dict[str, Any]] = {}
    differing: dict[str, None] = {}  # in the order of arrival
    places = list(zip(*(whole[name].to_pylist() for name in PLACE), strict=True))
    counts = Counter(places)
    for row in whole.filter(pa.array([counts[place] > 1 for place in places])).to_pylist():
        place = tuple(row[name] for name in PLACE)
        if by_place.setdefault(place, row) != row:
            differing[row["game_id"]] = None
    extra = len(whole) - len(games)
    yield LedgerFinding("duplicates", OK, f"{extra:,} rows are of games that are there already; each counts once")
    if differing:
        named = _named(list(differing))
        text = f"{len(differing):,} games are there with different results, of which the last counts: {named}"
        yield LedgerFinding("duplicates", NOTE, text)


def _lost_rows(definition: TournamentDefinition, found: Mapping[str, Any]) -> Iterator[LedgerFinding]:
    """Yield which games lack what belongs to them."""
    wanted = {TIMINGS: True, MEASURES: bool(definition.metrics), ACTIONS: definition.record_actions}
    ids = set(found[GAMES]["game_id"].to_pylist())
    for kind in (kind for kind, is_wanted in wanted.items() if is_wanted):
        there = set(found[kind]["game_id"].to_pylist()) if kind in found else set()
        lost = len(ids - there)
        if lost:
            yield LedgerFinding("games", NOTE, f"{lost:,} games have no {kind}")


def _unplayed(definition: TournamentDefinition, games: Any) -> Iterator[LedgerFinding]:
    """Yield how many games are missing, and whether tables that depend on results are those that follow from them."""
    schedule = definition.schedule()
    if schedule.design.learns:
        stopping = InOrderStopping(schedule, None)
        stopping.add_ledger(*frames_of_table(games))
        yield from _tables(schedule, games)
    missing = len(schedule) - len(games)
    if missing <= 0:
        yield LedgerFinding("games", OK, f"all {len(games):,} games are there")
    else:
        yield LedgerFinding(
            "games", NOTE, f"{len(games):,} of {len(schedule):,} games are there; others may not have to be played"
        )


def _tables(schedule: Schedule, games: Any) -> Iterator[LedgerFinding]:
    """Yield which games have other agents than the design sets by the results before them."""
    seats = dict(zip(games["game_id"].to_pylist(), games["agents"].to_pylist(), strict=True))
    other = [
        pairing.game_id for pairing in schedule if tuple(seats.get(pairing.game_id, pairing.agents)) != pairing.agents
    ]
    if other:
        text = f"{len(other):,} games have other agents than follow from the results before them: {_named(other)}"
        yield LedgerFinding("tables", FAULT, text)
    else:
        yield LedgerFinding("tables", OK, "all agents meet as follows from the results before")


def _named(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def code_to_run(specs: Iterable[str], sources: Mapping[str, str]) -> list[str]:
    """Return the files and programs that playing these specs would run, in order; models are data."""
    models = models_in(sources)
    files = [file for file in sources if file not in models]
    return [*files, *(spec for spec in specs if "process:" in spec or (is_path(parse_spec(spec).name) and not files))]


def sampled(n_games: int, size: int, content_hash: str) -> list[int]:
    """Return the places of games to be played again, drawn by the content of the ledger: who edits it cannot choose."""
    numbers = list(range(n_games))
    Rng(int(content_hash[:15], 16)).shuffle(numbers)
    return sorted(numbers[:size])


def _replays(folder: Folder, found: Mapping[str, Any], sample: ReplaySample) -> tuple[int, list[LedgerFinding]]:
    """Play a sample of the games of a tournament again, from their recorded actions or by their agents."""
    manifest, games = folder.manifest, found[GAMES]
    code = code_to_run(manifest.definition.specs, manifest.sources)
    if refusal := why_not_replayed(sample, code, folder.path):
        return 0, [LedgerFinding("replay", NOTE, refusal)]
    chosen = games.take(pa.array(sampled(len(games), sample.size, rows.digest_of(games))))
    actions = rows.in_schedule_order(found.get(ACTIONS, rows.SCHEMAS[ACTIONS].empty_table()), in_one_piece=False)
    played: list[tuple[str, Callable[[], list[str]] | None]] = []
    for replay in replays_in(manifest, chosen, actions):
        is_lost = bool(replay.refusal) or _depends_on_times(replay.order)
        play = replay.play_recorded if replay.recording is not None else None if is_lost else replay.play
        played.append((replay.order.game_id, play))
    return replay_checks(played)


def _depends_on_times(order: GameOrder) -> bool:
    """Say whether a game may come out otherwise each time: agents have time limits, or are people, or not there."""
    conditions = order.conditions
    if conditions.policy.decision_seconds or conditions.clock_seconds:
        return True
    try:
        return any(is_human(spec) or make_agent(spec).new_budget().kind in TIMES for spec in order.agents)
    except TagError:
        return True


def why_not_replayed(sample: ReplaySample, code: Collection[str], folder: Path) -> str:
    """Return the reason why no game is played again; empty if there is none."""
    if sample.size == 0:
        return "no game was played again"
    if code and not sample.trust:
        return (
            f"no game was played again: that would run {_named(list(code))}; if you trust {str(folder)!r}, add --trust"
        )
    return ""


def replay_checks(played: Sequence[tuple[str, Callable[[], list[str]] | None]]) -> tuple[int, list[LedgerFinding]]:
    """Play games again, and return how many, and what came of it.

    Args:
        played: the id of each game, and the function that plays it and returns the differences; None if it cannot be
            played again.
    """
    checks, replayed = [], 0
    for game_id, play in played:
        if play is None:
            continue
        try:
            different = play()
            replayed += 1
        except TagError as error:
            checks.append(LedgerFinding("replay", NOTE, f"{game_id} cannot be played again: {error}"))
            continue
        if different:
            checks.append(LedgerFinding("replay", FAULT, f"{game_id} comes out otherwise: {different[0]}"))
    wrong = sum(check.state == FAULT for check in checks)
    left = sum(play is None for _game_id, play in played)
    text = f"{replayed - wrong} of {replayed} games that were played again came out the same"
    if left:
        text += f"; {left} depend on times or people and were not recorded"
    return replayed, [LedgerFinding("replay", OK if replayed else NOTE, text), *checks]


def verify_stage(
    folder: Path,
    binding: Binding,
    order: Callable[[Pairing, str], GameOrder],
    sample: ReplaySample,
    code: Sequence[str],
) -> Verification:
    """Check the ledger of a stage of a study, and have its agents play a sample of the games again.

    Args:
        folder: of the stage.
        binding: the stage.
        order: returns the order of a game by its place and the spec of its type.
        sample: the games that are played again.
        code: the files and programs that playing would run.
    """
    checks, found = ledger_checks(bound_shards(folder / FOLDER, binding), binding)
    if not found:
        return Verification(folder, tuple(checks))
    games = found[GAMES]
    content_hash = rows.digest_of(games)
    if refusal := why_not_replayed(sample, code, folder):
        return Verification(folder, (*checks, LedgerFinding("replay", NOTE, refusal)), content_hash)
    chosen = games.take(pa.array(sampled(len(games), sample.size, content_hash)))
    beside = [rows.SCHEMAS[kind].empty_table() for kind in (TIMINGS, MEASURES)]
    played: list[tuple[str, Callable[[], list[str]] | None]] = []
    for row, (place, record) in zip(chosen.to_pylist(), rows.records(chosen, *beside), strict=True):
        pairing = Pairing(record.game_id, *place, tuple(row["agents"]), row["seed"])
        asked = order(pairing, row["game"])
        play = None if _depends_on_times(asked) else partial(_play_again, asked, record)
        played.append((record.game_id, play))
    replayed, of_replays = replay_checks(played)
    return Verification(folder, (*checks, *of_replays), content_hash, replayed)


def _play_again(order: GameOrder, record: GameRecord) -> list[str]:
    """Play a game and return the differences from its record."""
    return differences(facts(record), play_order(order))
