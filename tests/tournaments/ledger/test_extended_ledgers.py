"""Extensions of large ledgers: few games are written, read and compared, and the end is as if all were played at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random  # noqa: TID251  only the order of what happens
from typing import Any
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from play.simulated_games import made_up
from written_shards import write_shard

from tag.errors import DataError
from tag.tournaments import Ledger, PlayedGame, TournamentDefinition, define, read_ledger, read_results
from tag.tournaments.ledger import reading, storage, writing
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.games import content_hash, read_timings
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.reports.status import read_status
from tag.tournaments.results import live
from tag.tournaments.results.kept import KEPT, keep_results, kept_results, kept_sums
from tag.tournaments.results.live import GrowingResults, KeptDuringPlay, current_results
from tag.tournaments.results.tournament import TournamentResults
from tag.tournaments.results.verification import ReplaySample, verify_tournament

pytestmark = pytest.mark.flow

DEFINITION = define("love_letter", ("a=random", "b=random", "c=random"), 20, players=2, seed=3)
LONGER = replace(DEFINITION, blocks=21)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ledgers of a hundred games are treated as those of a hundred thousand."""
    monkeypatch.setattr(writing, "_LARGE", 100)


class Killed(BaseException):
    """Stands for a SIGKILL."""


def played(definition: TournamentDefinition, folder: Path) -> list[PlayedGame]:
    """The games of a tournament that are not in the ledger, the same each time."""
    with Folder.locked(folder, definition) as opened:
        there, _faults = Ledger(opened, definition).history()
    records = [game.record for game in made_up(DEFINITION, list(DEFINITION.schedule()))]
    missing = [pairing for pairing in definition.schedule() if pairing not in there]
    places = [crc32(pairing.game_id.encode()) % len(records) for pairing in missing]
    made = [replace(records[at], game_id=pairing.game_id) for at, pairing in zip(places, missing, strict=True)]
    return [PlayedGame(pairing, record, "w/1") for pairing, record in zip(missing, made, strict=True)]


def extend(definition: TournamentDefinition, folder: Path, rng: Random, *, keeps: bool = True) -> None:
    """Play what is missing, in shards in any order, and merge them."""
    missing = played(definition, folder)
    rng.shuffle(missing)
    with Folder.locked(folder, definition) as opened:
        if keeps:
            kept_sums(opened)
        ledger = Ledger(opened, definition)
        while missing:
            some = rng.randint(1, 30)
            ledger.append(missing[:some])
            missing = missing[some:]
        assert ledger.compact(len(definition.schedule()))
        if keeps:
            current_results(opened, is_checked=True)


def bits(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "ledger").glob("games-*")}


def numbers(folder: Path) -> list[int]:
    return sorted(map(storage.shard_number, (folder / "ledger").glob("games-*")))


def plain(value: Any) -> Any:
    """Values to nine digits: sums over games in another order differ by rounding."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def of_players(results: TournamentResults) -> dict[str, Any]:
    """Results without agents that have not played: those that no shard names yet are in the table of a status alone."""
    return replace(results, standings=[one for one in results.standings if one.games]).to_json()


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that was extended by one block."""
    folder = tmp_path_factory.mktemp("complete") / "t"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "_LARGE", 100)
        for definition in (DEFINITION, LONGER):
            extend(definition, folder, Random(1))
    return folder


def test_a_large_merged_shard_stays(complete: Path, tmp_path: Path) -> None:
    extend(DEFINITION, tmp_path, Random(2))
    before = bits(tmp_path)
    extend(LONGER, tmp_path, Random(3))
    assert bits(tmp_path) == bits(complete)
    assert before.items() < bits(tmp_path).items()
    assert numbers(tmp_path) == [storage.MERGED, storage.EXTENSION]


def test_a_ledger_that_has_grown_by_much_is_merged_as_a_whole(tmp_path: Path) -> None:
    for definition in (DEFINITION, LONGER, replace(DEFINITION, blocks=30)):
        extend(definition, tmp_path / "grown", Random(1))
    extend(replace(DEFINITION, blocks=30), tmp_path / "at_once", Random(2))
    assert bits(tmp_path / "grown") == bits(tmp_path / "at_once")


CHANGES: dict[str, Callable[[TournamentDefinition], TournamentDefinition]] = {
    "a block": lambda one: replace(one, blocks=one.blocks + 1),
    "three blocks": lambda one: replace(one, blocks=one.blocks + 3),
    "an agent": lambda one: replace(one, agents=(*one.agents, "random"), names=(*one.names, f"n{len(one.names)}")),
}


@contextmanager
def killed_at(write: int) -> Iterator[None]:
    """Kill the process before the so many-th change of a file's name or removal of a file."""
    left = [write]

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def change(path: Path, *arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            return original(path, *arguments, **options)

        return change

    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "unlink"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        yield


def killed(write: int, definition: TournamentDefinition, folder: Path, rng: Random) -> None:
    """Extend a tournament, and be killed before such a change of a file."""
    with suppress(Killed), killed_at(write):
        extend(definition, folder, rng)


@pytest.mark.parametrize("seed", range(6))
def test_extensions_and_kills_leave_what_is_played_at_once(seed: int, tmp_path: Path) -> None:
    rng, definition = Random(seed), DEFINITION
    disturbed, undisturbed, at_once = (tmp_path / name for name in ("disturbed", "undisturbed", "at_once"))
    extend(definition, disturbed, rng)
    extend(definition, undisturbed, rng, keeps=False)
    for change in rng.choices([*CHANGES.values()], k=2):
        definition = change(definition)
        killed(rng.randint(0, 25), definition, disturbed, rng)
        assert read_ledger(disturbed)[0]["game_id"].is_unique
        status = read_status(disturbed).results
        assert plain(of_players(status)) == plain(of_players(read_results(disturbed)))
        extend(definition, disturbed, rng)
        extend(definition, undisturbed, rng, keeps=False)
        assert bits(disturbed) == bits(undisturbed)
        with Folder.locked(disturbed, definition) as opened:
            kept = current_results(opened)
        assert plain(kept.to_json()) == plain(read_results(undisturbed).to_json())
    extend(definition, at_once, rng)
    assert content_hash(disturbed) == content_hash(at_once)
    assert len(read_timings(disturbed)) == 2 * len(definition.schedule())


@pytest.mark.parametrize("at", range(14))
def test_each_moment_of_an_extension_can_be_the_last(at: int, complete: Path, tmp_path: Path) -> None:
    extend(DEFINITION, tmp_path, Random(1))
    killed(at, LONGER, tmp_path, Random(1))
    games = read_ledger(tmp_path)[0]["game_id"]
    assert games.is_unique
    assert len(games) >= len(DEFINITION.schedule())
    extend(LONGER, tmp_path, Random(4))
    assert bits(tmp_path) == bits(complete)
    assert plain(read_status(tmp_path).results.to_json()) == plain(read_results(tmp_path).to_json())


def test_an_extension_compares_and_reads_no_earlier_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extend(DEFINITION, tmp_path, Random(1))
    missing, compared, read = played(LONGER, tmp_path), list[int](), list[int]()

    def misfit(binding: Binding, kind: str, table: Any, *, thorough: bool = False) -> str:
        compared.append(len(table))
        return original(binding, kind, table, thorough=thorough)

    def take(growing: GrowingResults, games: Any, timings: Any) -> bool:
        read.append(len(games))
        return added(growing, games, timings)

    original, added = Binding.misfit, GrowingResults._take
    monkeypatch.setattr(Binding, "misfit", misfit)
    monkeypatch.setattr(GrowingResults, "_take", take)
    with Folder.locked(tmp_path, LONGER) as opened:
        kept_sums(opened)
        ledger = Ledger(opened, LONGER)
        ledger.append(missing)
        assert ledger.compact(len(LONGER.schedule()))
        results = current_results(opened, is_checked=True)
    assert not compared
    assert read == [len(missing)]
    assert plain(results.to_json()) == plain(read_results(tmp_path).to_json())


def test_a_shard_whose_comparison_was_kept_is_still_refused_if_it_is_damaged(tmp_path: Path) -> None:
    extend(DEFINITION, tmp_path, Random(1))
    (shard,) = (tmp_path / "ledger").glob("games-*")
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    with Folder.locked(tmp_path, LONGER) as opened:
        kept_sums(opened)
        ledger = Ledger(opened, LONGER)
    assert "was damaged" in ledger.quarantined[0]
    assert len(ledger.history()[0]) == 0


def test_what_was_kept_of_another_tournament_spares_no_comparison(tmp_path: Path) -> None:
    other = replace(DEFINITION, seed=4)
    for name, definition in (("mine", DEFINITION), ("other", other)):
        extend(definition, tmp_path / name, Random(1))
    (mine,), (theirs,) = ([*(tmp_path / name / "ledger").glob("games-*")] for name in ("mine", "other"))
    mine.unlink()
    (mine.parent / theirs.name).write_bytes(theirs.read_bytes())
    (tmp_path / "mine" / KEPT).write_bytes((tmp_path / "other" / KEPT).read_bytes())
    with Folder.locked(tmp_path / "mine", DEFINITION) as opened:
        assert kept_sums(opened) is None
        assert "is not of this tournament" in Ledger(opened, DEFINITION).quarantined[0]


def test_an_edited_row_that_results_vouch_for_is_found_by_verify(tmp_path: Path) -> None:
    """A forger of what is kept spares a run the comparison of rows, and no other command."""
    extend(DEFINITION, tmp_path, Random(1))
    results = read_results(tmp_path)
    (shard,) = (tmp_path / "ledger").glob("games-*")
    table = pq.read_table(shard)
    edited = table.set_column(5, table.schema.field(5), pa.array([7] * len(table), pa.int64()))
    assert table.schema.names[5] == "seed"
    shard.unlink()
    write_shard(tmp_path, edited)
    (forged,) = (tmp_path / "ledger").glob("games-*")
    opened = Folder.open(tmp_path)
    keep_results(opened, results, opened.shards.all(), None, is_checked=True)
    with Folder.locked(tmp_path, DEFINITION) as locked:
        kept_sums(locked)
        assert forged.name in locked.shards.checked
    with pytest.raises(DataError, match="has another seed"):
        read_results(tmp_path)
    assert not verify_tournament(tmp_path, ReplaySample(0, trust=False)).is_sound


def test_a_driver_keeps_results_while_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "_KEEPING_SECONDS", 0.0)
    missing = played(DEFINITION, tmp_path)
    with Folder.locked(tmp_path, DEFINITION) as opened:
        ledger, keeping = Ledger(opened, DEFINITION), KeptDuringPlay(opened)
        ledger.append(missing[:37])
        keeping.written(37)
        assert kept_results(Folder.open(tmp_path)) is not None
        ledger.append(missing[37:60])
        growing = GrowingResults(tmp_path)
        assert growing.games == 37
        assert not growing.read()
        assert plain(growing.results().to_json()) == plain(read_results(tmp_path).to_json())


def test_a_large_shard_whose_blocks_are_not_in_order_is_merged(
    complete: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "GAMES_AT_ONCE", 5)
    games = played(LONGER, tmp_path)
    with Folder.locked(tmp_path, LONGER) as opened:
        ledger = Ledger(opened, LONGER)
        ledger.append(games[::-1])
        assert ledger.compact(len(games))
    assert content_hash(tmp_path) == content_hash(complete)
    assert numbers(tmp_path) == [storage.MERGED]
