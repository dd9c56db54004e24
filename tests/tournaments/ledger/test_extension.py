"""A tournament that is given more blocks and more agents ends as if it had begun with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tag.errors import DataError
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.ledger.games import content_hash

pytestmark = pytest.mark.flow


def test_more_agents_and_blocks_leave_the_same_ledger(tmp_path: Path) -> None:
    small = define("love_letter", ("random", "osla"), 2, players=2, seed=3)
    larger = define("love_letter", ("random", "osla", "random", "rmhc:budget=8"), 3, players=2, seed=3)
    run_tournament(small, tmp_path / "grown", tracking=False)
    before = read_ledger(tmp_path / "grown")[0].set_index("game_id")["state_hash"]
    run_tournament(larger, tmp_path / "grown", tracking=False)
    run_tournament(larger, tmp_path / "at_once", tracking=False)
    assert content_hash(tmp_path / "grown") == content_hash(tmp_path / "at_once")
    after = read_ledger(tmp_path / "grown")[0].set_index("game_id")["state_hash"]
    assert (after[before.index] == before).all()
    assert [standing.games for standing in read_results(tmp_path / "grown").standings] == [18] * 4


def test_an_unfinished_extension_can_be_read(tmp_path: Path) -> None:
    from tag.tournaments.ledger.folder import Folder

    small = define("tic_tac_toe", ("random", "osla"), 2, seed=3)
    larger = define("tic_tac_toe", ("random", "osla", "random"), 2, seed=3)
    run_tournament(small, tmp_path, tracking=False)
    with Folder.locked(tmp_path, larger):
        pass
    results = read_results(tmp_path)
    assert (results.games, results.total, results.complete) == (4, 12, False)
    assert {standing.agent: standing.games for standing in results.standings} == {"osla": 4, "random": 4}


@pytest.mark.parametrize(
    ("agents", "blocks", "sentence"),
    [
        (("osla", "random"), 2, "agents is random, osla there, not osla, random"),
        (("random",), 2, "agents is random, osla there, not random"),
        (("random", "osla"), 1, "blocks is 2 there and can only grow, not shrink to 1"),
    ],
)
def test_what_is_another_tournament_is_refused(
    agents: tuple[str, ...], blocks: int, sentence: str, tmp_path: Path
) -> None:
    run_tournament(define("tic_tac_toe", ("random", "osla"), 2, seed=3), tmp_path, tracking=False)
    with pytest.raises(DataError, match=sentence):
        run_tournament(define("tic_tac_toe", agents, blocks, seed=3), tmp_path, tracking=False)


def test_shared_seats_cannot_be_shared_with_more(tmp_path: Path) -> None:
    run_tournament(define("love_letter", ("random", "osla"), 1, players=3), tmp_path, tracking=False)
    with pytest.raises(DataError, match="it has 2 agents, and this round_robin cannot take more"):
        run_tournament(define("love_letter", ("random", "osla", "random"), 1, players=3), tmp_path, tracking=False)


@pytest.mark.parametrize("damage", ["{", "[]", '{"blocks": 3}', "\x00"])
def test_a_damaged_request_is_refused_in_a_sentence_and_nothing_is_lost(damage: str, tmp_path: Path) -> None:
    definition = define("tic_tac_toe", ("random", "osla"), 2, seed=3)
    run_tournament(definition, tmp_path, tracking=False)
    request = tmp_path / ".request.json"
    request.write_text(damage)
    with pytest.raises(DataError, match=r"request\.json' is .*; delete it"):
        run_tournament(definition, tmp_path, tracking=False)
    request.unlink()
    assert read_results(tmp_path).complete
