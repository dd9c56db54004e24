"""The leaderboard follows from the Parquet files alone: counted here once more, by pyarrow, pandas and plain loops."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments.ledger.games import read_ledger
from tag.tournaments.reports.sections.data import read_tournament
from tag.tournaments.results.tournament import rate

pytestmark = pytest.mark.flow

#: Now and then the first raises an exception, which costs it the game, and the second cheats, which voids it.
FAULTY = """
from tag import Agent

class Raises(Agent):
    def act(self, observation, actions):
        if self.sim.rng.below(9) == 0:
            raise ValueError("now and then")
        return actions[self.sim.rng.below(len(actions))]

class Cheats(Agent):
    def act(self, observation, actions):
        if self.sim.rng.below(60) == 0:
            return None
        return actions[self.sim.rng.below(len(actions))]
"""
#: As docs/ledger.md has them.
WIN, DRAW = 2, 1
BLOCKS = 12
#: By game type: a game of many places and scores, one with draws, and a co-operative one.
GAMES = {"love_letter": 3, "tic_tac_toe": 2, "pandemic:cards_for_cure=2": 2}


@pytest.fixture(scope="module", params=GAMES)
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The folder of a tournament, and what it says of itself: by ``--json``, ``--progress json`` and ``tag status``."""
    folder = tmp_path_factory.mktemp("live")
    file = folder / "faulty.py"
    file.write_text(FAULTY)
    agents = [part for spec in ("random", "osla", f"{file}:Raises", f"{file}:Cheats") for part in ("--agent", spec)]
    what = [
        request.param,
        "--players",
        str(GAMES[request.param]),
        "--blocks",
        str(BLOCKS),
        *agents,
        "--on-illegal",
        "void",
        "--seed",
        "3",
    ]
    how = ["--workers", "1", "--no-tracking", "--json", "--progress", "json", "--out", str(folder / "t")]
    played = run_tag("tournament", *what, *how)
    assert played.exit_code == 0, played.output
    status = run_tag("status", folder / "t", "--json")
    said = {
        "results": json.loads(played.stdout),
        "progress": json.loads(played.stderr.splitlines()[-1]),
        "status": json.loads(status.stdout),
    }
    return folder / "t", said


def points_of(results: list[int]) -> list[float]:
    """The winners share one point; if nobody wins, those who drew do."""
    best = WIN if WIN in results else DRAW
    shares = results.count(best)
    return [1.0 / shares if result == best else 0.0 for result in results]


def seats_of(folder: Path) -> pd.DataFrame:
    """Every seat of every game in the files, by game id."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for path in (folder / "ledger").glob("games-*.parquet"):
        table = pq.read_table(path)
        labels = json.loads(table.schema.metadata[b"agents"])
        for game in table.to_pylist():
            points = points_of(game["results"])
            rows[game["game_id"]] = [
                {
                    **{name: game[name] for name in ("block", "matchup", "seating", "void")},
                    "seat": seat,
                    "agent": labels[number],
                    "win": game["results"][seat] == WIN,
                    "points": points[seat],
                    "ordinal": game["ordinals"][seat],
                    "score": game["scores"][seat],
                    "decisions": game["decisions"][seat],
                    "faults": sum(fault["seat"] == seat for fault in game["faults"]),
                }
                for seat, number in enumerate(game["agents"])
            ]
    return pd.DataFrame([seat for game in rows.values() for seat in game])


def counted_of(seats: pd.DataFrame) -> pd.DataFrame:
    """Those of whole match-ups: all seatings of a block played, and none of them void."""
    n_seatings = seats["seating"].max() + 1
    whole = [
        rows
        for _match_up, rows in seats.groupby(["block", "matchup"])
        if rows["seating"].nunique() == n_seatings and not rows["void"].any()
    ]
    return pd.concat(whole)


def test_some_games_are_void_and_some_forfeited(live: tuple[Path, dict[str, Any]]) -> None:
    seats = seats_of(live[0])
    assert 0 < seats["void"].sum() < len(seats) / 2
    assert len(counted_of(seats)) < (~seats["void"]).sum()
    assert counted_of(seats)["faults"].sum() > 0


@pytest.mark.parametrize("said", ["results", "progress", "status"])
def test_standings(live: tuple[Path, dict[str, Any]], said: str) -> None:
    folder, live_figures = live
    standings = {standing["agent"]: standing for standing in live_figures[said]["agents"]}
    seats = seats_of(folder)
    counted = counted_of(seats)
    assert len(standings) == seats["agent"].nunique() == 4
    for agent, standing in standings.items():
        own = counted[counted["agent"] == agent]
        assert standing["games"] == len(own)
        assert standing["blocks"] == own["block"].nunique()
        assert standing["wins"] == own["win"].sum()
        assert standing["decisions"] == own["decisions"].sum()
        assert standing["faults"] == seats[seats["agent"] == agent]["faults"].sum()
        for name, column in (
            ("win_rate", "win"),
            ("points", "points"),
            ("mean_ordinal", "ordinal"),
            ("score", "score"),
        ):
            assert standing[name] == pytest.approx(own[column].mean(), abs=1e-12), name
        errors = own.groupby("block")["points"].agg(["sum", "count"])
        residuals = errors["sum"] - own["points"].mean() * errors["count"]
        n = len(errors)
        error = ((residuals**2).sum() * n / (n - 1)) ** 0.5 / errors["count"].sum()
        if error > 0.0:
            assert standing["points_error"] == pytest.approx(error, abs=1e-12)
        else:
            assert standing["points_error"] > 0.0  # a few equal blocks do not show that all are


def test_scores_and_ordinals_of_every_seat(live: tuple[Path, dict[str, Any]]) -> None:
    """What analyses are made from: the frames of `read_ledger`."""
    _games, frame = read_ledger(live[0])
    here = seats_of(live[0])
    for column in ("score", "ordinal", "points", "win", "faults"):
        ours = frame.groupby([frame["agent"].astype(str), "seat"])[column].mean()
        pd.testing.assert_series_equal(ours, here.groupby(["agent", "seat"])[column].mean(), rtol=0, atol=1e-12)


def test_seats(live: tuple[Path, dict[str, Any]]) -> None:
    counted = counted_of(seats_of(live[0]))
    shown = read_tournament(live[0]).counted.seat_points().set_index("seat")
    for seat, rows in counted.groupby("seat"):
        assert shown.loc[seat, "games"] == len(rows)
        assert shown.loc[seat, "mean"] == pytest.approx(rows["points"].mean(), abs=1e-12)


def test_pairs(live: tuple[Path, dict[str, Any]]) -> None:
    """Who ended before whom, a half for a shared place; nobody does where all win or lose together."""
    if live[1]["results"]["cooperative"]:
        with pytest.raises(DataError, match="nothing to rate"):
            rate(live[0])
        return
    counted = counted_of(seats_of(live[0]))
    pairs = rate(live[0]).pairs
    key = ["block", "matchup", "seating"]
    games = {agent: rows[[*key, "ordinal"]] for agent, rows in counted.groupby("agent")}
    for row, one in enumerate(pairs.labels):
        for column, other in enumerate(pairs.labels):
            both = games[one].merge(games[other], on=key, suffixes=("", "_other"))
            if one == other or both.empty:
                continue
            before = (both["ordinal"] < both["ordinal_other"]) + 0.5 * (both["ordinal"] == both["ordinal_other"])
            assert pairs.games[row, column] == len(both)
            assert pairs.score[row, column] == pytest.approx(before.mean(), abs=1e-12)
