"""Results that follow a ledger shard by shard are those that are read all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random  # noqa: TID251  only the order in which games arrive
from typing import Any

import pytest
from play.simulated_games import made_up
from users_code import FAULTY_AGENTS

from tag.tournaments import Ledger, TournamentDefinition, define, run_tournament
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.rows import TIMINGS
from tag.tournaments.results import live as growing
from tag.tournaments.results.live import GrowingResults
from tag.tournaments.results.tournament import TournamentResults, read_results

pytestmark = pytest.mark.flow


def same(following: GrowingResults, folder: Path) -> bool:
    while following.read():
        pass
    return plain(following.results()) == plain(read_results(folder))


def plain(results: TournamentResults) -> Any:
    """All values but the hash, to nine digits: sums over games in another order differ by rounding."""

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: rounded(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [rounded(one) for one in value]
        return float(f"{value:.9g}") if isinstance(value, float) else value

    return rounded({**results.to_json(), "content_hash": ""})


def pieces(definition: TournamentDefinition, size: int) -> Iterator[list[Any]]:
    """The games of a tournament, shuffled, some at a time."""
    pairings = list(definition.schedule())
    Random(1).shuffle(pairings)
    rest = iter(pairings)
    while some := list(islice(rest, size)):
        yield some


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 3}, {"sprt": "0,10"}, {"precision": 0.05}, {"design": "gauntlet"}, {"draw": ("guards=4,5",)}],
    ids=str,
)
def test_a_ledger_is_followed(options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "_SHARDS_AT_ONCE", 2)
    monkeypatch.setattr(growing, "GAMES_AT_ONCE", 7)
    agents = ["a=random", "b=random", *(["c=random"] if "sprt" not in options else [])]
    definition = define("love_letter", agents, 12, seed=1, **{"players": 2, **options})
    with Folder.locked(tmp_path, definition):
        ledger, following = Ledger(tmp_path, definition), GrowingResults(tmp_path)
        assert following.results().games == 0
        for number, some in enumerate(pieces(definition, 20)):
            ledger.append(made_up(definition, some))
            if number % 3 == 0:
                assert same(following, tmp_path)
        read = following.games
        ledger.compact(len(definition.schedule()))
        assert same(following, tmp_path)
        assert following.games >= read
        assert following.games == sum(following.workers.values())


def test_a_game_in_two_shards_counts_once(tmp_path: Path) -> None:
    definition = define("love_letter", ["a=random", "b=random"], 5, players=2, seed=1)
    with Folder.locked(tmp_path, definition):
        ledger, following = Ledger(tmp_path, definition), GrowingResults(tmp_path)
        games = made_up(definition, list(definition.schedule()))
        for some in (games[:4], games[2:6], games[:3]):
            ledger.append(some)
            assert same(following, tmp_path)
        assert following.games == 6


def test_lost_timings_change_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A merged ledger is read in parts, and those of its timings have other games."""
    monkeypatch.setattr(growing, "GAMES_AT_ONCE", 7)
    definition = define("love_letter", ["a=random", "b=random", "c=random"], 12, players=2, seed=1)
    with Folder.locked(tmp_path, definition):
        ledger = Ledger(tmp_path, definition)
        ledger.append(made_up(definition, list(definition.schedule())))
        ledger.compact(len(definition.schedule()))
    shards = tmp_path / "ledger"
    (timings,) = storage.list_shards(shards)[TIMINGS]
    kept = [row for row in range(72) if not 20 <= row < 40 and row % 5]
    storage.write_shard(shards, TIMINGS, storage.MERGED, storage.read_shard(timings).take(kept))
    timings.unlink()
    following = GrowingResults(tmp_path)
    assert same(following, tmp_path)
    assert following.workers.total() == len(kept)


def extended(
    folder: Path, definitions: Sequence[TournamentDefinition]
) -> Iterator[tuple[TournamentDefinition, GrowingResults]]:
    """Play one definition after the other in a folder, and yield each with the results that follow it."""
    following = None
    for definition in definitions:
        with Folder.locked(folder, definition):
            Ledger(folder, definition).append(made_up(definition, list(definition.schedule())))
            following = following or GrowingResults(folder)
            yield definition, following


def test_an_extension_is_noticed(tmp_path: Path) -> None:
    shorter = define("love_letter", ["a=random", "b=random"], 2, players=2, seed=1)
    longer = define("love_letter", ["a=random", "b=random", "c=random"], 3, players=2, seed=1)
    for _definition, following in extended(tmp_path, (shorter, longer)):
        assert same(following, tmp_path)


@pytest.mark.parametrize(
    ("game", "agents", "options"),
    [
        ("pandemic", ["random"], {}),
        (
            "tic_tac_toe",
            ["random", f"{FAULTY_AGENTS}:Raises"],
            {},
        ),
        ("tic_tac_toe", ["mcts:budget=2", "mcts:budget=4"], {"design": "grid"}),
    ],
    ids=["co-operative", "faults", "grid"],
)
def test_results_that_need_all_games_are_the_same(
    game: str, agents: list[str], options: dict[str, Any], tmp_path: Path
) -> None:
    definition = define(game, agents, 3, players=2, seed=1, **options)
    run_tournament(definition, tmp_path, tracking=False)
    assert same(GrowingResults(tmp_path), tmp_path)


def test_what_needs_all_games_is_followed_through_an_extension(tmp_path: Path) -> None:
    """The manifest and the games of each worker are those of the results, not of the beginning."""
    options: dict[str, Any] = {"players": 2, "seed": 1, "design": "grid"}
    shorter = define("love_letter", ["a=random", "b=random"], 2, **options)
    longer = define("love_letter", ["a=random", "b=random", "c=random"], 3, **options)
    for definition, following in extended(tmp_path, (shorter, longer)):
        assert same(following, tmp_path)
        assert following.manifest.definition == definition
        assert following.games == following.workers.total() == len(definition.schedule())
