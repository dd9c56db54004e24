"""Exports: what is written is read back as it was, by the csv module and by pandas; files are whole or as before."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run_tag

from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.commands import export
from tag.tournaments.commands.export import crosstable_frame, pairs_frame, write_pieces
from tag.tournaments.ledger import reading

pytestmark = pytest.mark.flow

MCTS = "mcts:budget=10,k=1.4"


def exported(*arguments: object) -> str:
    result = run_tag("export", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_csv_is_that_of_pandas() -> None:
    floats = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e16, 1e15, 1e-5, 1e-4, 1 / 3, 5e-324, 123456789012345678.0]
    rng, n = np.random.default_rng(1), 400
    frame = pd.DataFrame(
        {
            "float": rng.choice(floats, n),
            "other floats": rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
            "int": rng.integers(-(2**62), 2**62, n),
            "int16": rng.integers(0, 9, n).astype(np.int16),
            "bool": rng.random(n) < 0.5,
            "text": rng.choice(["a,b", 'q"q', "two\nlines", "", "plain", " é"], n),
            "object": pd.Series(rng.choice(["a,b", "c"], n), dtype=object),
            "mixed": pd.Series([None, np.nan, 0.5, 2, "a,b"] * (n // 5), dtype=object),
            "category": pd.Categorical.from_codes(rng.integers(-1, 3, n), ["a,b", 'c"', "d"]),
            "unknown": pd.arrays.IntegerArray(rng.integers(0, 9, n), rng.random(n) < 0.5),
            'head,"er': 1,
        }
    )
    for rows in (frame, frame[:1], frame[:0]):
        assert "".join(export.csv_of([rows])) == rows.to_csv(index=False, lineterminator="\n")
    assert "".join(export.csv_of([frame[:7], frame[7:]])) == frame.to_csv(index=False, lineterminator="\n")


def frame_of(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), dtype={"state_hash": str})


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two seats, with commas in a spec, drawn games, and one agent twice."""
    folder = tmp_path_factory.mktemp("two")
    run_tournament(define("tic_tac_toe", ("random", MCTS, "random", "osla"), 4, seed=5), folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of three seats in which two agents share them."""
    folder = tmp_path_factory.mktemp("three")
    run_tournament(define("love_letter", ("random", "osla"), 3, players=3, seed=5), folder, tracking=False)
    return folder


def points_by_hand(folder: Path) -> dict[tuple[str, str], list[float]]:
    """The points of every agent against every other, game by game."""
    points: dict[tuple[str, str], list[float]] = {}
    for _game, seats in read_ledger(folder)[1].groupby("game_id"):
        places = list(zip(seats["agent"], seats["ordinal"], strict=True))
        for one, place in places:
            for other, theirs in places:
                if one != other:
                    points.setdefault((one, other), []).append(
                        1.0 if place < theirs else 0.5 if place == theirs else 0.0
                    )
    return points


@pytest.mark.parametrize("name", ["two", "three"])
def test_the_cross_table_is_what_counting_by_hand_gives(name: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(name)
    table = frame_of(exported(folder, "crosstable")).set_index("agent")
    by_hand = points_by_hand(folder)
    for one in table.index:
        for other in table.index:
            played = by_hand.get((one, other))
            assert played is not None or (
                np.isnan(table.loc[one, other]) and np.isnan(table.loc[one, f"games: {other}"])
            )
            assert played is None or [table.loc[one, other], table.loc[one, f"games: {other}"]] == [
                sum(played),
                len(played),
            ]
        mine = [point for (row, _column), points in by_hand.items() if row == one for point in points]
        assert (table.loc[one, "points"], table.loc[one, "games"]) == (sum(mine), len(mine))
        assert table.loc[one, "score"] == pytest.approx(sum(mine) / len(mine))
    assert list(table["rank"]) == list(range(1, len(table) + 1))
    assert table["score"].is_monotonic_decreasing
    assert list(table.columns[4 : 4 + len(table)]) == list(table.index)


def test_in_games_of_two_the_cross_table_adds_up_to_the_standings(two: Path) -> None:
    table = crosstable_frame(two).set_index("agent")
    for standing in read_results(two).standings:
        assert table.loc[standing.agent, "games"] == standing.games
        assert table.loc[standing.agent, "points"] == pytest.approx(standing.points * standing.games)


def test_pairs_have_wins_draws_and_losses(two: Path) -> None:
    frame = frame_of(exported(two, "pairs"))
    by_hand = points_by_hand(two)
    assert len(frame) == len(by_hand) == 12
    assert frame["draws"].sum() > 0
    for row in frame.to_dict("records"):
        points = by_hand[row["agent"], row["opponent"]]
        expected = [len(points), points.count(1.0), points.count(0.5), points.count(0.0)]
        assert [row[name] for name in ("games", "wins", "draws", "losses")] == expected
        assert row["score"] == pytest.approx(np.mean(points))
        assert row["low"] <= row["score"] <= row["high"]


def test_specs_with_commas_survive_csv(two: Path) -> None:
    for what, column in (("crosstable", "agent"), ("standings", "agent"), ("pairs", "opponent"), ("seats", "agent")):
        text = exported(two, what)
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {row[column] for row in rows} == {"random", "random#2", "osla", MCTS}
        assert all(None not in row and None not in row.values() for row in rows)
        assert set(frame_of(text)[column]) == {"random", "random#2", "osla", MCTS}


def test_seats_and_games_are_those_of_the_ledger(three: Path) -> None:
    games, seats = read_ledger(three)
    read = frame_of(exported(three, "seats"))
    plain = seats.astype({"agent": str, "result": str})
    pd.testing.assert_frame_equal(read, plain, check_dtype=False)
    wide = frame_of(exported(three, "games"))
    pd.testing.assert_frame_equal(wide[list(games.columns)], games.astype({"game": str}), check_dtype=False)
    for seat in range(3):
        of_seat = plain[plain["seat"] == seat].reset_index()
        for name in ("agent", "result", "points", "ordinal", "score", "decisions"):
            assert list(wide[f"{name}_{seat}"]) == list(of_seat[name])


def test_tables_in_parts_are_written_as_one(monkeypatch: pytest.MonkeyPatch, two: Path) -> None:
    """Parts of some games, each written some rows at a time: one head, and all rows."""
    whole = {what: exported(two, what) for what in ("games", "seats", "crosstable")}
    monkeypatch.setattr(reading, "GAMES_AT_ONCE", 7)
    monkeypatch.setattr(export, "_CELLS_AT_ONCE", 0)
    monkeypatch.setattr(export, "_FEWEST_ROWS", 3)
    assert len(list(export.games_frames(two))) > 2
    assert {what: exported(two, what) for what in whole} == whole


def test_every_export_and_its_columns_are_documented(two: Path) -> None:
    text = (
        (Path(__file__).parents[3] / "docs" / "ledger.md")
        .read_text(encoding="utf-8")
        .partition("## For other programs")[2]
    )
    rows = dict(re.findall(r"^\| `(\w+)` \| \w[\w ]* \| (.*) \|$", text.partition("\n## ")[0], re.MULTILINE))
    assert sorted(rows) == sorted(re.findall(r"^  (\w+)  ", run_tag("export", "--help").stdout, re.MULTILINE))
    for what in ("crosstable", "pairs"):
        names = [name for name in exported(two, what).splitlines()[0].split(",") if name.isalpha()]
        assert all(f"`{name}`" in rows[what] for name in names if name not in ("random", "osla"))


def test_standings_are_those_of_the_results(two: Path) -> None:
    read = frame_of(exported(two, "standings"))
    expected = pd.DataFrame([standing.to_json() for standing in read_results(two).standings])
    expected["peak_mb"] = expected["peak_mb"].astype(float)  # empty, as agents were not isolated
    pd.testing.assert_frame_equal(read, expected, check_dtype=False, rtol=1e-12)


def test_json_has_everything(two: Path) -> None:
    read = json.loads(exported(two, "json"), parse_constant=pytest.fail)
    assert read["results"] == json.loads(run_tag("results", two, "--json").stdout)
    assert read["ratings"] == json.loads(run_tag("ratings", two, "--json").stdout)
    assert read["tournament"]["agents"] == ["random", MCTS, "random", "osla"]
    assert len(read["pairs"]) == 12
    games, seats = read_ledger(two)
    assert [game["game_id"] for game in read["games"]] == list(games["game_id"])
    flat = [
        (game["game_id"], seat["seat"], seat["agent"], seat["points"])
        for game in read["games"]
        for seat in game["seats"]
    ]
    assert flat == list(seats[["game_id", "seat", "agent", "points"]].itertuples(index=False, name=None))


def test_pgn_has_who_played_whom_and_the_result(two: Path) -> None:
    games = exported(two, "pgn").split("\n\n")
    headers = [dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE)) for text in games[:-1:2]]
    points: dict[tuple[str, str], list[float]] = {}
    for tags, result in zip(headers, games[1::2], strict=True):
        assert tags["Result"] == result
        white = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[result]
        points.setdefault((tags["White"], tags["Black"]), []).append(white)
        points.setdefault((tags["Black"], tags["White"]), []).append(1.0 - white)
    by_hand = points_by_hand(two)
    assert {pair: sorted(found) for pair, found in points.items()} == {pair: sorted(p) for pair, p in by_hand.items()}
    assert headers[0]["Event"] == "tic_tac_toe"
    assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", headers[0]["Date"])


def test_a_tournament_that_has_just_begun_has_empty_tables(two: Path, tmp_path: Path) -> None:
    (tmp_path / "tournament.json").write_text((two / "tournament.json").read_text())
    (tmp_path / "ledger").mkdir()
    assert list(frame_of(exported(tmp_path, "crosstable"))["games"]) == []
    for what in ("pairs", "games", "seats"):
        assert exported(tmp_path, what).count("\n") == 1
    assert json.loads(exported(tmp_path, "json"))["games"] == []
    assert exported(tmp_path, "pgn") == exported(tmp_path, "actions") == ""


def test_a_file_is_the_same_as_what_is_printed(two: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("what was there before")
    assert exported(two, "pairs", "--out", file) == ""
    assert file.read_bytes().decode() == exported(two, "pairs")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_what_fails_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    def pieces() -> object:
        yield "half"
        raise RuntimeError

    file = tmp_path / "table.csv"
    file.write_text("what was there before")
    with pytest.raises(RuntimeError):
        write_pieces(pieces(), file)  # type: ignore[arg-type]
    assert file.read_text() == "what was there before"
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("crosstabel",), "no export named 'crosstabel'; did you mean 'crosstable'?"),
        (("pgn",), "PGN is for games of 2 players, and those in {folder!r} have 3; export pairs instead"),
        (("games", "--games", "b0-m0-s0"), "--games is for actions, events and positions, not for games; leave it out"),
        (("actions", "--games", "b9-m0-s0"), "no game named 'b9-m0-s0'; there are: b0-m0-s0 to b2-m1-s2"),
        (
            ("seats", "--out", "/nowhere/seats.csv"),
            "cannot write '/nowhere/seats.csv': No such file or directory; name a file with --out",
        ),
    ],
)
def test_a_mistake_is_one_sentence(three: Path, arguments: tuple[str, ...], sentence: str) -> None:
    result = run_tag("export", three, *arguments)
    assert result.exit_code == 2
    assert result.stderr == f"tag: {sentence.format(folder=str(three))}\n"
    assert result.stdout == ""


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several") / "e"
    agents = ("--agent", "random", "--agent", "osla", "--blocks", 2, "--seed", 1)
    quiet = ("--workers", 1, "--no-tracking", "--quiet")
    assert run_tag("tournament", "tic_tac_toe", "love_letter", *agents, *quiet, "--out", folder).exit_code == 0
    return folder


@pytest.mark.parametrize("what", ["crosstable", "standings", "pairs", "games", "seats"])
def test_tables_of_an_experiment_are_those_of_its_events(what: str, several: Path) -> None:
    shown = run_tag("export", several, what)
    assert shown.exit_code == 0, shown.output
    found = frame_of(shown.stdout)
    assert found["event"].unique().tolist() == ["tic_tac_toe-2p", "love_letter-2p"]
    for name, rows in found.groupby("event"):
        alone = frame_of(exported(several / str(name), what))
        pd.testing.assert_frame_equal(rows[alone.columns].reset_index(drop=True), alone, check_dtype=False)


def test_an_experiment_is_one_json_object_and_one_file_of_pgn(several: Path) -> None:
    found = json.loads(run_tag("export", several, "json").stdout)
    assert [one["agent"] for one in found["overall"]] == ["osla", "random"]
    for name, event in found["events"].items():
        assert event == json.loads(run_tag("export", several / name, "json").stdout)
    events = [run_tag("export", several / name, "pgn").stdout for name in found["events"]]
    assert run_tag("export", several, "pgn").stdout == "".join(events)


@pytest.mark.parametrize("what", [("actions",), ("bundle", "--out", "x.zip"), ("positions", "--out", "x.parquet")])
def test_other_exports_are_of_the_events(what: tuple[str, ...], several: Path) -> None:
    result = run_tag("export", several, *what)
    assert result.exit_code == 2
    events = f"{several / 'tic_tac_toe-2p'}, {several / 'love_letter-2p'}"
    assert result.stderr == f"tag: {str(several)!r} is an experiment; export its events: {events}\n"


def test_frames_are_functions_too(two: Path) -> None:
    assert pairs_frame(two)["games"].sum() == 2 * 48
