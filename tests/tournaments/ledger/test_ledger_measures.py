"""What metrics measured, in the ledger: the same whoever plays, in whatever order, however often interrupted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tag.orders import play_order
from tag.tournaments import Ledger, PlayedGame, define, read_measures, run_tournament
from tag.tournaments.ledger.games import content_hash, ledger_files

pytestmark = pytest.mark.flow

DEFINITION = define("love_letter", ("random", "osla"), 4, players=2, seed=3, metrics=("action_space", "lead"))
PAIRINGS = list(DEFINITION.schedule())
RECORDS = [play_order(DEFINITION.order(pairing)) for pairing in PAIRINGS]


def written(folder: Path, order: list[int], cuts: list[int]) -> Ledger:
    ledger = Ledger(folder, DEFINITION)
    for begin, end in zip([0, *cuts], [*cuts, len(order)], strict=True):
        ledger.append([PlayedGame(PAIRINGS[number], RECORDS[number]) for number in order[begin:end]])
    return ledger


def test_every_value_is_there_in_schedule_order(tmp_path: Path) -> None:
    written(tmp_path, list(range(len(PAIRINGS))), [3])
    frame = read_measures(tmp_path)
    expected = [
        (record.game_id, name, number, value)
        for record in RECORDS
        for name, values in record.measures
        for number, value in enumerate(values)
    ]
    assert list(frame.itertuples(index=False, name=None)) == expected


def test_order_cuts_and_merging_make_no_difference(tmp_path: Path) -> None:
    n = len(PAIRINGS)
    written(tmp_path / "a", list(range(n)), [3])
    ledger = written(tmp_path / "b", [*reversed(range(n)), 2, 2], [1, 5, 6])
    pd.testing.assert_frame_equal(read_measures(tmp_path / "a"), read_measures(tmp_path / "b"))
    assert ledger.compact(len(DEFINITION.schedule()))
    pd.testing.assert_frame_equal(read_measures(tmp_path / "a"), read_measures(tmp_path / "b"))
    assert len(ledger_files(tmp_path / "b")) == 3


def test_a_ledger_without_metrics_has_no_files_for_them(tmp_path: Path) -> None:
    plain = define("tic_tac_toe", ("random", "random"), 2)
    run_tournament(plain, tmp_path, tracking=False)
    assert not [path for path in ledger_files(tmp_path) if path.name.startswith("measures")]
    assert read_measures(tmp_path).empty


def test_damaged_measures_are_set_aside_and_their_games_kept(tmp_path: Path) -> None:
    written(tmp_path, list(range(len(PAIRINGS))), [3])
    first = next(path for path in ledger_files(tmp_path) if path.name.startswith("measures"))
    first.write_bytes(first.read_bytes()[:-1] + b"!")
    resumed = Ledger(tmp_path, DEFINITION)
    assert [sentence.split("; ")[1] for sentence in resumed.quarantined] == [
        "its games are measured again, if the agents are deterministic"
    ]
    assert len(resumed.history()[0]) == len(PAIRINGS)
    lost = {pairing.game_id for pairing in PAIRINGS[:3]}
    assert set(read_measures(tmp_path)["game_id"].unique()) == {pairing.game_id for pairing in PAIRINGS} - lost


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_measure_the_same(tmp_path: Path) -> None:
    run_tournament(DEFINITION, tmp_path / "here", tracking=False)
    run_tournament(DEFINITION, tmp_path / "ray", workers=2, tracking=False)
    pd.testing.assert_frame_equal(read_measures(tmp_path / "here"), read_measures(tmp_path / "ray"))
    assert content_hash(tmp_path / "here") == content_hash(tmp_path / "ray")
    merged = [
        [path.name for path in ledger_files(tmp_path / name) if "timings" not in path.name] for name in ("here", "ray")
    ]
    assert merged[0] == merged[1]


def test_metrics_are_part_of_what_a_tournament_is(tmp_path: Path) -> None:
    run_tournament(DEFINITION, tmp_path, tracking=False)
    other = define("love_letter", ("random", "osla"), 4, players=2, seed=3)
    assert "metrics is" in DEFINITION.difference(other)
    assert np.isfinite(read_measures(tmp_path)["value"]).all()
