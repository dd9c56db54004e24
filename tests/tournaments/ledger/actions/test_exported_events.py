"""``tag export RUN events``: what happened in the games of a ledger, and who could see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag

from tag.table.game import Start
from tag.table.log import seat_log
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.ledger.replay import replays_of

pytestmark = pytest.mark.flow

#: Hidden cards; events that only some are told of; simultaneous choices; no events of its own.
GAMES = ("love_letter", "poker", "exploding_kittens", "diamant", "connect_four")


def exported(folder: Path, *words: str) -> list[dict[str, Any]]:
    result = run_tag("export", folder, "events", *words)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_each_seat_is_told_what_the_export_says_that_it_was(game: str, tmp_path: Path) -> None:
    definition = define(game, ("random", "random"), 1, players=2, seed=7, record_actions=True)
    run_tournament(definition, tmp_path, tracking=False)
    rows = exported(tmp_path)
    assert {row["game_id"] for row in rows} == set(read_ledger(tmp_path)[0]["game_id"])
    for replay in replays_of(tmp_path):
        recording = replay.recorded()
        of_game = [row for row in rows if row["game_id"] == replay.order.game_id]
        for seat in (0, 1):
            log = list(seat_log(Start(game, 2, recording.seed), recording.choices, seat))
            told = [(tick, event) for tick, entry in enumerate(log) for event in entry["events"]]
            rows_told = [row for row in of_game if seat in row["told_to"]]
            assert [tick for tick, _event in told] == [row["tick"] for row in rows_told]
            for (_tick, event), row in zip(told, rows_told, strict=True):
                sees = seat in row["seen_by"]
                assert event["name"] == row["name"]
                assert event["items"] == (row["items"] if sees else [None] * len(row["items"]))
                assert event["value"] == (row["value"] if sees else 0.0)


def test_games_are_chosen_and_events_name_the_action_before_them(tmp_path: Path) -> None:
    run_tournament(define("cant_stop", ("random", "random"), 2, seed=7), tmp_path, tracking=False)
    rows = exported(tmp_path, "--games", "b1-m0-s0")
    assert {row["game_id"] for row in rows} == {"b1-m0-s0"}
    rolled = [row for row in rows if row["name"] == "rolled"]
    assert {row["action"] for row in rolled} == {"roll"}
    assert all(len(row["items"]) == 4 for row in rolled)
    assert {(row["mover"], row["action"]) for row in rows if row["tick"] == 0} <= {(-1, "")}
    refused = run_tag("export", tmp_path, "standings", "--games", "b1-m0-s0")
    assert refused.stderr == "tag: --games is for actions, events and positions, not for standings; leave it out\n"
