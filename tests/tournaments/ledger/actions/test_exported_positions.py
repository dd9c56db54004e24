"""Positions as training data: every decision, as its player could see it, and nothing that is hidden."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from commands import run_tag
from users_code import FAULTY_AGENTS, PLAIN_GAME

from tag.catalogue.registry import make_game
from tag.engine.rng import Rng
from tag.playing.faults import VOID
from tag.playing.listener import Listener
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.definition import Rules
from tag.tournaments.ledger.replay import replays_of
from tag.tournaments.results.positions import write_positions

pytestmark = pytest.mark.flow

#: A game that declares neither actions nor features.


def folder_of(path: Path, game: str, *agents: str, players: int, record: bool) -> Path:
    definition = define(game, agents, 3, players=players, seed=5, record_actions=record)
    run_tournament(definition, path, tracking=False)
    return path


class Watching(Listener):
    """Keeps decisions as they come, with what the player sees in another position of the same knowledge."""

    def __init__(self, model, vocabulary):
        self.features = model.features()
        self.vocabulary = vocabulary
        self.rows = []

    def on_action_chosen(self, state, player, action, actions, agent):
        if len(actions) > 1:
            seen = state.observation(player, Rng(len(self.rows)))
            index = self.vocabulary.index
            self.rows.append(
                (state.tick, player, self.features.values(seen, player), list(map(index, actions)), index(action))
            )


@pytest.mark.parametrize(
    ("game", "players", "record"),
    [("love_letter", 3, True), ("sushi_go", 2, False), ("exploding_kittens", 2, True), ("virus", 2, False)],
)
def test_rows_are_the_decisions_of_the_games_as_their_players_saw_them(
    game: str, players: int, record: bool, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "run", game, "random", "osla", players=players, record=record)
    result = run_tag("export", folder, "positions", "--out", tmp_path / "positions.parquet")
    assert result.exit_code == 0, result.output
    found = pd.read_parquet(tmp_path / "positions.parquet")
    about = json.loads(pq.read_schema(tmp_path / "positions.parquet").metadata[b"tag"])
    model = make_game(game)
    vocabulary = model.vocabulary(players)
    assert (about["game"], about["players"]) == (game, players)
    assert about["actions"] == [str(vocabulary.action(index)) for index in range(len(vocabulary))]
    assert about["features"] == list(model.features().names(players))
    n_games = 0
    for replay in replays_of(folder):
        watching = Watching(model, vocabulary)
        replay.play_recorded([watching])
        rows = found[found["game_id"] == replay.order.game_id]
        assert len(rows) == len(watching.rows)
        for row, (tick, player, features, available, choice) in zip(rows.itertuples(), watching.rows, strict=True):
            assert (row.tick, row.player, row.choice) == (tick, player, choice)
            assert list(row.available) == available
            assert np.array_equal(row.features, np.array(features, np.float32))
            assert row.agent == replay.order.agents[player]
        n_games += 1
    assert f"{len(found):,} positions of {n_games:,} games" in result.stderr
    seats = read_ledger(folder)[1].set_index(["game_id", "seat"])
    ends = seats.loc[list(zip(found["game_id"], found["player"], strict=True))]
    assert found["points"].tolist() == ends["points"].tolist()
    assert found["score"].tolist() == ends["score"].tolist()


def test_boards_have_cells(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", "tic_tac_toe", "random", "osla", players=2, record=False)
    write_positions(folder, tmp_path / "positions.parquet")
    found = pd.read_parquet(tmp_path / "positions.parquet")
    for row in found.itertuples():
        assert (np.array(row.cells) > 0).sum() == row.tick
        assert len(row.available) == 9 - row.tick


def test_games_that_declare_nothing_are_told_in_words(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", str(PLAIN_GAME), "random", "random", players=2, record=False)
    rows, games = write_positions(folder, tmp_path / "positions.parquet")
    found = pd.read_parquet(tmp_path / "positions.parquet")
    assert (rows, games) == (len(found), found["game_id"].nunique())
    assert {"features", "cells"}.isdisjoint(found.columns)
    assert set(found["text"]) <= {f"{left} left" for left in range(2, 8)}
    assert all(row.choice in list(row.available) for row in found.itertuples())


def test_some_games_only_in_the_groups_that_fit_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path / "run", "love_letter", "random", "osla", players=2, record=True)
    write_positions(folder, tmp_path / "whole.parquet")
    monkeypatch.setattr("tag.tournaments.results.positions._AT_ONCE", 50)
    write_positions(folder, tmp_path / "groups.parquet")
    assert pq.ParquetFile(tmp_path / "groups.parquet").num_row_groups > 2
    whole = pd.read_parquet(tmp_path / "whole.parquet")
    pd.testing.assert_frame_equal(whole, pd.read_parquet(tmp_path / "groups.parquet"), check_categorical=False)
    some = list(whole["game_id"].unique()[:2])
    assert run_tag("export", folder, "positions", "--games", ",".join(some), "--out", tmp_path / "some").exit_code == 0
    assert set(pd.read_parquet(tmp_path / "some")["game_id"]) == set(some)


def test_games_without_end_have_no_points(tmp_path: Path) -> None:
    rules = Rules(on_exception=VOID)
    definition = define("love_letter", ("random", f"{FAULTY_AGENTS}:Raises"), 2, players=2, seed=5, rules=rules)
    run_tournament(definition, tmp_path / "run", tracking=False)
    write_positions(tmp_path / "run", tmp_path / "positions.parquet")
    found = pd.read_parquet(tmp_path / "positions.parquet")
    voided = read_ledger(tmp_path / "run")[0].set_index("game_id")["void"]
    assert voided.any()
    assert found["points"].isna().tolist() == voided.loc[found["game_id"]].tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "positions is no text; name a file with --out"),
        (["--out", "no_such_folder/positions.parquet"], "cannot write 'no_such_folder/positions.parquet'"),
        (["--out", "positions.parquet", "--games", "b99-m0-s0"], "b99-m0-s0"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(options: list[str], message: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", "tic_tac_toe", "random", "osla", players=2, record=False)
    result = run_tag("export", folder, "positions", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_old_file_stays_where_games_do_not_lead_to_what_is_on_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "run", "tic_tac_toe", "random", "osla", players=2, record=True)
    file = tmp_path / "positions.parquet"
    file.write_text("old")
    monkeypatch.setattr("tag.tournaments.ledger.replay.play_and_compare", lambda *_given: ["ticks is 5, and was 6"])
    result = run_tag("export", folder, "positions", "--out", file)
    assert "do not lead to what is on record: ticks is 5" in result.stderr
    assert file.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["positions.parquet", "run"]
