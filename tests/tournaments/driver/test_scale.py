"""What large tournaments and studies need of driver, ledger and statistics; bounds that a busy machine keeps, too."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations, islice
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from cpu_caps import cpu_time_below, slowness
from play.simulated_games import made_up

from tag.tournaments import Ledger, define, read_results
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.designs.games import PlayedGames
from tag.tournaments.designs.stopping.pausing import AgentPauses
from tag.tournaments.driver import tournament
from tag.tournaments.ledger import reading, rows
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.rows import GAMES
from tag.tournaments.reports.text import results_text
from tag.tournaments.results.tournament import rate, rate_games
from tag.tournaments.simulation import Circumstances, GameSeconds, definition_of, simulate
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.web.live.tournament import LiveTournament

pytestmark = pytest.mark.flow

GAMES_PER_SHARD = 1_000


@pytest.mark.parametrize(
    ("games", "seconds"), [(20_000, 2.0), pytest.param(1_000_000, 5.0, marks=pytest.mark.slow)], ids=["20k", "1M"]
)
@pytest.mark.system
def test_a_large_ledger_is_written_and_gone_on_with(games: int, seconds: float, tmp_path: Path) -> None:
    """Shards of a thousand four-seat games, of which the second game of every tenth shard is missing."""
    definition = definition_of(games, 8, 4)
    schedule = definition.schedule()
    ledger, wanted, appending, written = Ledger(tmp_path, definition), [], 0.0, 0
    pairings = iter(schedule)
    for shard in range(games // GAMES_PER_SHARD):
        rows = made_up(definition, [next(pairings) for _game in range(GAMES_PER_SHARD)])
        if shard % 10 == 0:
            wanted.append(rows.pop(1).pairing)
        begin = process_time()
        ledger.append(rows)
        appending += process_time() - begin
        written += len(rows)
    wanted += pairings
    assert written / appending > 5_000 / slowness()

    with cpu_time_below(seconds):
        played, _faults = Ledger(tmp_path, definition).history()
        missing = list(schedule.missing(played, range(schedule.blocks)))
    assert missing == wanted
    assert len(played) == written


def test_blocks_that_are_whole_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """To put the games of each block into the order of play took half of the time to extend 2,000,000 games by 1,000."""
    schedule = definition_of(2_000, 8, 4).schedule()
    games = list(schedule)
    rest = [game for game in games if game.block == 5]
    ordered: list[int] = []
    monkeypatch.setattr(tournament, "in_playing_order", lambda some: ordered.append(len(some)) or some)
    there = pd.DataFrame([game for game in games if game.block != 5])
    remaining = tournament._Remaining(schedule, PlayedGames([there]), AgentPauses(schedule), in_order=False)
    assert remaining.take(len(games)) == rest
    assert ordered == [len(rest)]


def test_small_shards_become_few_pieces(tmp_path: Path) -> None:
    """So many small pieces of memory as there are shards are given back piece by piece only."""
    definition = definition_of(400, 8, 4)
    ledger, pairings = Ledger(tmp_path, definition), iter(definition.schedule())
    while shard := list(islice(pairings, 40)):
        ledger.append(made_up(definition, shard))
    table = ledger.shards.table(GAMES)
    assert len(ledger.shards.of(GAMES)) > 9
    assert {column.num_chunks for column in table.columns} == {1}
    expected = rows.digest_of(table)
    ledger.merge()
    assert rows.digest_of(ledger.shards.table(GAMES)) == expected


@pytest.mark.parametrize("n_first", [0, 7, 40])
def test_rows_are_put_in_order_behind_those_that_stay(n_first: int) -> None:
    """Rows that come twice count once, the last of them."""
    rng = np.random.default_rng(n_first)
    blocks = np.concatenate([np.arange(n_first), rng.integers(n_first // 2, n_first + 20, 30)]).astype(np.int32)
    places = {"block": blocks, "matchup": np.zeros_like(blocks), "seating": np.zeros(len(blocks), np.int16)}
    table = pa.table({**places, "arrival": range(len(blocks)), "list": [[n] * (n % 3) for n in range(len(blocks))]})
    found = rows.in_schedule_order(pa.concat_tables([table.slice(0, 5), table.slice(5)]), in_one_piece=True)
    last = {block: number for number, block in enumerate(blocks.tolist())}
    assert found.to_pylist() == table.take([last[block] for block in sorted(last)]).to_pylist()
    assert {column.num_chunks for column in found.columns} == {1}


def test_the_driver_takes_little_for_a_game() -> None:
    """Batches of about a hundred; the target is 20 µs on a machine that is free, with the ledger written as well."""
    found = simulate(definition_of(10_000, 8, 4), 10, Circumstances(GameSeconds.lognormal(0.0075), start=0.0))
    assert found.driver_us_per_game < 100.0 * slowness()


def played_folder(folder: Path, agents: int, players: int, blocks: int) -> Path:
    """Return the folder of a complete tournament with made-up results, in shards of a thousand games."""
    definition = define("love_letter", [f"a{n:03}=random" for n in range(agents)], blocks, players=players, seed=1)
    with Folder.locked(folder, definition):
        ledger, pairings = Ledger(folder, definition), iter(definition.schedule())
        while shard := list(islice(pairings, GAMES_PER_SHARD)):
            ledger.append(made_up(definition, shard))
    return folder


def met_once(agents: int) -> RankedGames:
    """Return two blocks in which all agents of different strengths have met all others in both seats."""
    pairs = np.array([*combinations(range(agents), 2)])
    seats = np.tile(np.concatenate([pairs, pairs[:, ::-1]]), (2, 1))
    rng = np.random.default_rng(1)
    worth = np.linspace(1.0, -1.0, agents)[seats] + rng.gumbel(size=seats.shape)
    places = np.where(worth == worth.max(axis=1, keepdims=True), 1, 2)
    blocks = np.repeat([0, 1], len(seats) // 2)
    return RankedGames(tuple(f"a{n}" for n in range(agents)), seats, places, blocks)


def test_ratings_grow_with_the_games_and_not_with_the_cube_of_the_agents() -> None:
    """Four times the games; with a linear system for each step of each resample, 120 agents took 30 times the CPU of 60."""
    seconds = []
    for agents in (60, 60, 120):
        games = met_once(agents)
        begin = process_time()
        rate_games(games)
        seconds.append(process_time() - begin)
    assert seconds[2] < 6.0 * seconds[1]


@pytest.mark.parametrize("players", [2, 3])
def test_the_size_of_the_parts_in_which_a_ledger_is_read_changes_nothing(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played_folder(tmp_path, 4, players, 7)
    whole = results_text(read_results(folder)), rate(folder).to_json(), report_html(folder)
    monkeypatch.setattr(reading, "GAMES_AT_ONCE", 5)
    assert (results_text(read_results(folder)), rate(folder).to_json(), report_html(folder)) == whole


HEAVY = ("ray", "mlflow", "optuna", "pandas", "pyarrow", "scipy", "scipy.optimize", "scipy.sparse", "scipy.stats")
HEAVY += ("matplotlib", "jinja2", "tuning", "tag.tournaments.run")
TABLES = {"pandas", "pyarrow", "scipy"}


@pytest.mark.parametrize(
    ("command", "needed"),
    [("results", TABLES), ("ratings", TABLES | {"scipy.optimize", "scipy.sparse"})],
)
def test_a_command_imports_no_more_than_it_needs(command: str, needed: set[str], tmp_path: Path) -> None:
    folder = str(played_folder(tmp_path, 3, 2, 2))
    code = (
        "import sys; from types import ModuleType; from tag.cli import main\n"
        "try: main()\n"  # a module that waits to be loaded is of another type
        f"finally: print(*[name for name in {HEAVY} if type(sys.modules.get(name)) is ModuleType], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, command, folder], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) <= needed


def cost(*words: str) -> tuple[float, float]:
    """Return the CPU seconds and the greatest memory, in MB, of a ``tag`` command."""
    child = subprocess.Popen([sys.executable, "-m", "tag", *words], stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "ratings", "report"), [(200, 10.0, 30.0), (500, 60.0, 60.0)])
def test_many_agents(agents: int, ratings: float, report: float, tmp_path: Path) -> None:
    """The targets at 200 agents are 5 and 15 s on a machine that is free."""
    folder = str(played_folder(tmp_path, agents, 2, 2))
    assert cost("ratings", folder)[0] < ratings
    assert cost("report", folder)[0] < report


@pytest.mark.slow
def test_a_million_games(tmp_path: Path) -> None:
    """The targets are 5, 15, 25, 8 and 10 s on a machine that is free, and 600 MB; for the standings on a live page 1 s."""
    folder = str(played_folder(tmp_path, 8, 4, 3572))
    commands = {
        ("results",): 10.0,
        ("ratings",): 30.0,
        ("report",): 50.0,
        ("tournament", "--no-ray", "--no-tracking"): 16.0,
        ("export", "games", "--out", str(tmp_path / "games.csv")): 20.0,
    }
    for (name, *options), most in commands.items():
        seconds, megabytes = cost(name, folder, *options)
        assert seconds < most
        assert megabytes < 600.0
    with cpu_time_below(2.0):
        sections = list(LiveTournament(Path(folder), "").parts()[0]())
    assert "standings" in {section.name for section in sections}
