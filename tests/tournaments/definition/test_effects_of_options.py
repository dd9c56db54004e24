"""Each option of a tournament, and each of its values if these are few, changes what is played, recorded or decided."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from users_code import FAULTY_AGENTS

from tag.catalogue.options import options_in
from tag.playing.faults import FAULT_POLICIES
from tag.tournaments.commands.settings import RunSettings, Settings
from tag.tournaments.definition import STREAMS, Rules, TournamentOptions
from tag.tournaments.designs.by_name import DESIGNS
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow


@dataclass(frozen=True)
class Change:
    """An option beside others.

    Attributes:
        before: its value.
        values: other values; each changes the result, and no two are the same.
        beside: what else is said.
    """

    before: Any
    values: tuple[Any, ...]
    beside: dict[str, Any] = field(default_factory=dict)


def _fault(kind: str, **beside: Any) -> Change:
    """Return the changes of the policy after a fault of the agent ``kind`` of `FAULTY_AGENTS`."""
    agents = (f"{FAULTY_AGENTS}:{kind}", "random")
    return Change(FAULT_POLICIES[0], FAULT_POLICIES[1:], {"agents": agents, "blocks": 1, **beside})


POOL = ("random", "osla", "mcts:budget=20", "rmhc:budget=20")
THREE = {"game": "love_letter:tokens_3=1", "players": 3}
OF_OTHER_TABLES = ("exhaustive", "grid", "fixed", "repeated")
#: A table of all options that decide a tournament. What decides where it is played is in `ELSEWHERE`.
CHANGES: dict[str, Change] = {
    "game": Change("tic_tac_toe", ("nim", "tic_tac_toe:size=4")),
    "agents": Change(("random", "osla"), (("osla", "random"), ("random", "osla", "mcts:budget=20"))),
    "budgets": Change("", ("10..20", "10,40"), {"agents": ("mcts", "random"), "game": "nim"}),
    "players": Change(2, (3,), {"game": "love_letter:tokens_2=1,tokens_3=1"}),
    "blocks": Change(2, (3,)),
    "seed": Change(1, (2,)),
    "part": Change("", ("1/2", "2/2")),
    "metrics": Change((), (("lead",), ("action_space",)), {"game": "nim"}),
    "design": Change(
        "round_robin",
        tuple(name for name in DESIGNS if name not in ("round_robin", "played", *OF_OTHER_TABLES)),
        {"agents": POOL, "blocks": 4},
    ),
    "sprt": Change("", ("0,400", "0,800"), {"blocks": 60}),
    "precision": Change(0.0, (0.2, 0.1), {"blocks": 60}),
    "compare": Change((), (("random",), ("random", "osla")), {"precision": 0.12, "blocks": 60, "agents": POOL[:3]}),
    "record_actions": Change(False, (True,)),
    "draw": Change((), (("size=3,4",),)),
    "hold": Change((), (("cards",), ("dice",)), {"game": "battlelore:max_rounds=3"}),
    "opening": Change("", ("random:2", "random:3", "moves:4", "moves:4;0,1")),
    "streams": Change(STREAMS[0], STREAMS[1:], {"agents": ("random", "first=random")}),
    "on_illegal": _fault("Cheats"),
    "on_exception": _fault("Raises"),
    "on_time_out": _fault("Slow", decision_seconds=0.001),
    "on_crash": _fault("Exits", isolate=True),
    "on_hang": _fault("Hangs", isolate=True, hang_seconds=1.0),
    "decision_seconds": Change(0.0, (0.001,), {"agents": (f"{FAULTY_AGENTS}:Slow", "random")}),
    "clock_seconds": Change(0.0, (0.01,), {"agents": (f"{FAULTY_AGENTS}:Slow", "random")}),
    "increment_seconds": Change(0.0, (10.0,), {"agents": (f"{FAULTY_AGENTS}:Slow", "random"), "clock_seconds": 0.05}),
    "isolate": Change(False, (True,), {"agents": (f"{FAULTY_AGENTS}:TellsPid", "random")}),
    "memory_mb": Change(1000, (64,), {"agents": (f"{FAULTY_AGENTS}:EatsSome", "random"), "isolate": True, "blocks": 1}),
    "hang_seconds": Change(
        60.0, (0.3,), {"agents": (f"{FAULTY_AGENTS}:Sleeps", "random"), "isolate": True, "blocks": 1}
    ),
}

#: Designs that need other tables, or differ from the default at these only.
SEATS = [
    ("design", Change("round_robin", ("exhaustive", "grid"), {**THREE, "agents": POOL})),
    ("design", Change("round_robin", ("fixed",))),
    (
        "design",
        Change(
            "round_robin", ("repeated",), {"game": "twenty_forty_eight:target=8,play_on=false", "agents": ("random",)}
        ),
    ),
]

#: Options that change no game, each with the test that shows its effect.
ELSEWHERE: dict[str, str] = {
    "out": "the folder; every test names one",
    "workers": "tests/tournaments/driver: the same ledger on any number",
    "ray": "tests/cluster/test_workers.py",
    "address": "tests/cluster/test_network.py",
    "tracking": "tests/tournaments/tracking",
    "tracking_uri": "tests/tournaments/tracking",
    "calibrate": "tests/tag/test_calibration.py and tests/tournaments/driver/test_calibrated_tournaments.py",
}


def test_every_option_is_in_the_table():
    declared = {one.name for one, _about in options_in(Settings)}
    assert declared == set(CHANGES) | set(ELSEWHERE)
    assert not set(CHANGES) & set(ELSEWHERE)
    assert {one.name for one in fields(TournamentOptions)} <= declared
    assert {one.name for one in fields(Rules)} <= declared
    assert {one.name for one, _about in options_in(RunSettings)} <= set(ELSEWHERE)


def _result(folder: Path, said: dict[str, Any]) -> Any:
    """Play a tournament, and return what its folder tells without times."""
    plain = {"game": "tic_tac_toe", "agents": ("random", "osla"), "blocks": 2, "seed": 1}
    settings = Settings.from_call("play()", {**plain, **said, "out": str(folder)})
    run_tournament(settings.definition(), folder, tracking=False)
    tables = {path.name: pq.read_table(path) for path in sorted((folder / "ledger").glob("*.parquet"))}
    kinds = [(name.partition("-")[0], table) for name, table in tables.items()]
    told = [(kind, table.to_pylist()) for kind, table in kinds if kind != "timings"]
    messages = [str(table.column("messages").to_pylist()) for kind, table in kinds if kind == "timings"]
    return told, [re.sub(r"\d+\.\d+ s\b", "some time", one) for one in messages]


@pytest.mark.parametrize(("name", "change"), [*CHANGES.items(), *SEATS])
def test_each_value_changes_the_tournament(name, change, tmp_path):
    first = {**change.beside, name: change.before} if change.before or change.before is False else change.beside
    seen = {"before": _result(tmp_path / "before", first)}
    for number, value in enumerate(change.values):
        found = _result(tmp_path / str(number), {**change.beside, name: value})
        same = [other for other, result in seen.items() if result == found]
        assert not same, f"{name}={value!r} is the same as {same[0]}"
        seen[repr(value)] = found
