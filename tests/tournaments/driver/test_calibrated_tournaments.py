"""Tournaments with time limits on unequal workers: the same thinking for everybody, also after a resumption elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from copied import TIC_TAC_TOE

from tag.cluster.batches import WorkerSpeed
from tag.cluster.workers import InProcess
from tag.errors import ClusterError, DataError
from tag.orders import GameOrder, Speed
from tag.tournaments import read_measures
from tag.tournaments.definition import Rules, TournamentDefinition, define
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.speeds import speeds_sentences
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

FAST = WorkerSpeed("10.0.0.2", "EPYC", 8, 400.0, 1.0)
SLOW = WorkerSpeed("10.0.0.3", "Atom", 2, 100.0, 1.0)
#: The file of a user's own, in which one worker of Ray's is slower than the others, whatever machine it is on.
SOURCE = """
import sys
from pathlib import Path
from tag import Metric

MARK = Path({mark!r})

def is_slow():
    if "default_worker" not in sys.argv[0]:
        return False
    try:
        MARK.mkdir()
    except FileExistsError:
        return False
    return True

SLOW = is_slow()
SPINS = 16_000 if SLOW else 4_000

class Laboured(TicTacToe):
    def _after_action(self, state, action, rng):
        for _ in range(SPINS):
            pass
        super()._after_action(state, action, rng)

class Calls(Metric):
    def on_start(self, state):
        self.calls = []

    def on_action_chosen(self, state, player, action, actions, agent):
        calls = agent.sim.budget.forward_model_calls if state.tick < 2 else 0
        if calls:  # random looks nowhere
            self.calls.append(float(calls))

    def values(self):
        return {{"slow" if SLOW else "fast": self.calls}}
"""


class Measured(InProcess):
    """Has workers of these speeds, and keeps the orders it is given."""

    def __init__(self, *speeds: WorkerSpeed) -> None:
        super().__init__()
        self.speeds = list(speeds)
        self.orders: list[GameOrder] = []

    def measure(self, game: str, players: int) -> list[WorkerSpeed]:
        assert (game, players) == ("tic_tac_toe", 2)
        return self.speeds

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        self.orders += orders
        super().submit(number, orders)


class Heard(Progress):
    """Keeps what is said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def timed(blocks: int = 2, **rules: object) -> TournamentDefinition:
    return define("tic_tac_toe", ("random", "osla"), blocks, rules=Rules(clock_seconds=60.0, **rules))  # type: ignore[arg-type]


def play(folder: Path, *speeds: WorkerSpeed, blocks: int = 2) -> tuple[set[float], list[str]]:
    """Play on workers of these speeds, and return the references in the orders and what was said."""
    pool, heard = Measured(*speeds), Heard()
    made = timed(blocks, calibrate=True)
    run_tournament(made, folder, tracking=False, progress=heard, workers=pool)
    return {order.conditions.reference_speed for order in pool.orders}, heard.said


@pytest.fixture(autouse=True)
def as_fast_as_the_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tag.orders.playing.own_speed", lambda game, players: Speed(100.0, 1.0))


def test_the_slowest_worker_is_the_reference_and_stays_it(tmp_path: Path) -> None:
    references, said = play(tmp_path / "t", FAST, SLOW)
    assert references == {100.0}
    assert said[0].startswith("times are scaled by the speed of each worker")
    assert "cannot be repeated to the bit" in said[0]
    kept = json.loads((tmp_path / "t" / "calibration.json").read_text())
    assert kept["reference"] == 100.0
    assert [worker["machine"] for worker in kept["workers"]] == ["10.0.0.2", "10.0.0.3"]
    slower = replace(SLOW, machine="10.0.0.4", calls_per_second=25.0)
    references, said = play(tmp_path / "t", slower, blocks=3)
    assert references == {100.0}
    assert said[0].splitlines()[-1].split() == ["10.0.0.4", "Atom", "1", "25", "x", "4.00"]


def test_what_is_complete_needs_no_workers(tmp_path: Path) -> None:
    play(tmp_path / "t", FAST)
    assert play(tmp_path / "t") == (set(), [])


def test_a_tournament_is_calibrated_from_the_start_or_never(tmp_path: Path) -> None:
    run_tournament(timed(), tmp_path / "t", tracking=False)
    with pytest.raises(DataError, match="holds another tournament: calibrate is False there, not True"):
        play(tmp_path / "t", FAST)


def test_the_table_has_a_row_per_machine() -> None:
    (text,) = speeds_sentences([FAST, replace(FAST, calls_per_second=500.0), SLOW], 100.0)
    heading, *rows = text.splitlines()[1:]
    assert heading.split() == ["machine", "processor", "workers", "calls/s", "times", "last"]
    assert rows[0].split() == ["10.0.0.2", "EPYC", "2", "400", "to", "500", "x", "0.20", "to", "0.25"]
    assert rows[1].split() == ["10.0.0.3", "Atom", "1", "100", "x", "1.00"]


def test_what_calibration_cannot_make_up_for_is_said() -> None:
    crowd = [SLOW] * 3
    assert speeds_sentences(crowd, 100.0)[1:] == [
        "3 workers on 10.0.0.3 share 2 cores: with time limits they take time from one another's agents; one worker "
        "per core is fair"
    ]
    (busy,) = speeds_sentences([FAST, replace(SLOW, share=0.6)], 100.0)[1:]
    assert busy.startswith("a worker on 10.0.0.3 got 60% of a core's time")


@pytest.mark.parametrize("content", ["{", "{}", '{"reference": 0.0}', '{"reference": "fast"}', "[]"])
def test_a_damaged_reference_is_named(tmp_path: Path, content: str) -> None:
    play(tmp_path / "t", FAST)
    (tmp_path / "t" / "calibration.json").write_text(content)
    with pytest.raises(DataError, match="calibration.json' is damaged: "):
        play(tmp_path / "t", FAST, blocks=3)


def test_no_answer_is_an_error(tmp_path: Path) -> None:
    pool = Measured()
    with pytest.raises(ClusterError, match="no worker has said how fast it plays"):
        run_tournament(timed(calibrate=True), tmp_path / "t", tracking=False, workers=pool)


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_a_slow_worker_thinks_as_much_as_a_fast_one(tmp_path: Path, write: Callable[[Path], Path]) -> None:
    file = write(tmp_path / "slow")
    agents = ("mcts:budget=60,budget_type=cpu_ms", "random")
    rules = Rules(calibrate=True)
    made = define(f"{file}:Laboured", agents, 8, rules=rules, metrics=(f"{file}:Calls",))
    heard = Heard()
    run_tournament(made, tmp_path / "t", workers=2, tracking=False, progress=heard)
    low, high = map(float, heard.said[0].splitlines()[2].rpartition("x ")[2].split(" to "))
    assert 0.9 < high <= 1.0
    assert 0.15 < low < 0.5
    calls = read_measures(tmp_path / "t").groupby("measure", observed=True)["value"].median()
    assert 0.5 < calls["slow"] / calls["fast"] < 2.2  # 0.25 without calibration


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Path], Path]:
    """Return a function that writes the user's file, with what the first worker is to mark, and returns its path."""

    def written(mark: Path) -> Path:
        file = tmp_path / "own.py"
        file.write_text(TIC_TAC_TOE + SOURCE.format(mark=str(mark)))
        return file

    return written
