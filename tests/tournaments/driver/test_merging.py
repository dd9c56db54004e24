"""Parts of a tournament, played apart and merged, are one run: the same bytes, exactly once, or a sentence and nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stores.seen_runs import Runs
from users_code import FAULTY_AGENTS

from tag.cluster.batches import PlayedBatch
from tag.cluster.workers import InProcess
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError
from tag.orders import GameOrder, GameRecord
from tag.playing.faults import CRASH, Fault
from tag.tournaments import content_hash, play, read_actions, read_faults, read_ledger, read_measures, read_timings
from tag.tournaments.definition import Rules, TournamentDefinition, define
from tag.tournaments.driver.events import Listeners
from tag.tournaments.driver.merging import merge_parts
from tag.tournaments.ledger.folder import MANIFEST, extended, request_extension
from tag.tournaments.ledger.storage import locked
from tag.tournaments.reports.sections.again import as_command
from tag.tournaments.reports.sections.tournament import folder_page
from tag.tournaments.reports.status import read_status
from tag.tournaments.results.tournament import TournamentResults, read_results
from tag.tournaments.results.verification import ReplaySample, verify_tournament
from tag.tournaments.run import merge_tournament, run_tournament
from tag.tournaments.tracking.stores import default_tracking_uri
from tag.tournaments.web.live.tournament import LiveTournament

pytestmark = [pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy:DeprecationWarning"), pytest.mark.flow]

FAILING = f"{FAULTY_AGENTS}:Raises"
THREE = ("random", "osla", "random")


def of(
    game: str = "tic_tac_toe", agents: tuple[str, ...] = THREE, blocks: int = 5, **more: Any
) -> TournamentDefinition:
    return define(game, agents, blocks, seed=6, **more)


#: Tournaments of every kind whose schedules are known beforehand, and of all that a ledger can hold.
KINDS = {
    "round_robin": lambda: of(agents=("random", "good=osla", "random")),
    "self_play": lambda: of(design="self_play"),
    "exhaustive": lambda: of("love_letter", players=3, design="exhaustive", blocks=2),
    "balanced": lambda: of("love_letter", (*THREE, "random", "osla"), players=2, design="balanced"),
    "gauntlet": lambda: of(design="gauntlet"),
    "ladder": lambda: of(design="ladder"),
    "grid": lambda: of(agents=("mcts:budget=4", "mcts:budget=8", "random"), design="grid"),
    "fixed": lambda: of(agents=THREE[:2], design="fixed"),
    "repeated": lambda: of("love_letter", ("osla",), players=2, design="repeated:games=3"),
    "shared seats": lambda: of("love_letter", THREE[:2], players=4),
    "one player": lambda: of("blackjack", THREE[:2], players=1, blocks=3),
    "drawn rules and openings": lambda: of("connect_four", draw=("length=3,4",), opening="random:2", blocks=4),
    "metrics and actions": lambda: of("diamant", THREE[:2], metrics=("lead",), record_actions=True, hold=("deck",)),
    "faults": lambda: of(agents=("random", FAILING), record_actions=True, rules=Rules(on_exception="void")),
}


def played(definition: TournamentDefinition, folder: Path, workers: Any = 1) -> TournamentResults:
    return run_tournament(definition, folder, workers=workers, tracking=False)


def parts_of(definition: TournamentDefinition, n: int, home: Path, workers: Any = 1) -> list[Path]:
    """Play all parts of a tournament, and return their folders."""
    folders = [home / f"part{number}of{n}" for number in range(1, n + 1)]
    for number, folder in enumerate(folders, start=1):
        results = played(replace(definition, part=f"{number}/{n}"), folder, workers)
        assert results.complete
        assert results.part == f"{number}/{n}"
    return folders


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def bytes_of(folder: Path, but: tuple[str, ...] = ("timings",)) -> dict[str, bytes]:
    """The files of a ledger by name, but those of some kinds."""
    return {name: text for name, text in contents(folder / "ledger").items() if not name.startswith(but)}


def without_times(results: TournamentResults, folder: Path) -> TournamentResults:
    untimed = [replace(one, decision_ms=0.0, decision_cpu_ms=0.0) for one in results.standings]
    return replace(results, folder=folder, standings=untimed)


@pytest.mark.parametrize(
    ("kind", "n"),
    [(kind, n) for kind in KINDS for n in ((1, 2, 3, 7) if kind in ("round_robin", "balanced") else (3,))],
)
def test_merged_parts_are_one_run_to_the_bit(kind: str, n: int, tmp_path: Path) -> None:
    definition = KINDS[kind]()
    whole = played(definition, tmp_path / "one")
    folders = parts_of(definition, n, tmp_path)
    before = [contents(folder) for folder in folders]
    Rng(n).shuffle(folders)
    assert merge_parts(folders, tmp_path / "whole") == 0
    assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")
    assert [contents(folder) for folder in sorted(folders)] == before
    assert repr(without_times(read_results(tmp_path / "whole"), tmp_path)) == repr(without_times(whole, tmp_path))
    for read in (read_faults, read_measures, read_actions):
        assert read(tmp_path / "whole").equals(read(tmp_path / "one"))
    assert read_timings(tmp_path / "whole")["game_id"].equals(read_timings(tmp_path / "one")["game_id"])
    found = verify_tournament(tmp_path / "whole", ReplaySample(3, trust=True))
    assert {check.state for check in found.checks} == {"ok"}
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"one", "whole", *(folder.name for folder in folders)}


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_parts_on_two_workers_are_the_same(tmp_path: Path) -> None:
    definition = of("love_letter", players=3)
    played(definition, tmp_path / "one")
    merge_parts(parts_of(definition, 3, tmp_path, workers=2), tmp_path / "whole")
    assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")


def test_the_folder_of_the_whole_goes_on_like_any_other(tmp_path: Path) -> None:
    merge_parts(parts_of(of(), 2, tmp_path), tmp_path / "whole")
    assert played(of(), tmp_path / "whole").complete
    longer = extended(of(), 7, ["osla"])
    played(longer, tmp_path / "whole")
    played(longer, tmp_path / "one")
    assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")


def test_the_order_of_folders_makes_no_difference(tmp_path: Path) -> None:
    """Not even to the times, also where a part is there twice, or its folder is named twice."""
    folders = parts_of(of(), 3, tmp_path)
    played(of(part="2/3"), tmp_path / "again")
    folders += [tmp_path / "again", folders[0]]
    found = set()
    for number in range(6):
        Rng(number).shuffle(folders)
        out = tmp_path / f"whole{number}"
        merge_parts(folders, out)
        found.add(json.dumps({name: text.hex() for name, text in contents(out).items()}))
    assert len(found) == 1
    assert read_results(tmp_path / "whole0").games == len(of().schedule())


class TestParts:
    def test_a_part_says_what_it_is(self, tmp_path: Path) -> None:
        played(of(part="2/3"), tmp_path / "part")
        status = read_status(tmp_path / "part")
        assert status.text == "12 of 12 games, part 2 of 3"
        assert status.to_json()["part"] == "2/3"
        assert ("Part", "2 of 3: 2 of these blocks") in folder_page(tmp_path / "part").facts
        assert LiveTournament(tmp_path / "part", "part").row().game == "tic_tac_toe, 2 players, part 2 of 3"
        assert "--part 2/3" in as_command(of(part="2/3"))
        assert set(read_ledger(tmp_path / "part")[0]["block"]) == {1, 4}
        texts = [check.text for check in verify_tournament(tmp_path / "part", ReplaySample(2)).checks]
        assert "tic_tac_toe, 3 agents, seed 6, part 2 of 3" in texts
        assert "all 12 games are there" in texts

    def test_its_statistics_are_those_of_its_blocks(self, tmp_path: Path) -> None:
        results = played(of(blocks=20, part="1/4"), tmp_path / "part")
        assert [standing.games for standing in results.standings] == [20] * 3
        assert all(standing.win_rate_interval.low < standing.win_rate for standing in results.standings)

    def test_python_plays_parts(self, tmp_path: Path) -> None:
        quietly: dict[str, Any] = {"workers": 1, "tracking": False, "progress": False}
        run = play("tic_tac_toe", THREE, blocks=5, seed=6, part="1/2", out=tmp_path / "part", **quietly)
        assert run.complete
        assert read_results(tmp_path / "part").part == "1/2"

    @pytest.mark.parametrize(
        ("more", "named"),
        [
            ({"design": "swiss", "agents": ("random", "osla")}, "design swiss"),
            ({"design": "knockout", "agents": ("random", "osla")}, "design knockout"),
            ({"design": "best_agent"}, "design best_agent"),
            ({"sprt": "0,50", "agents": ("random", "osla")}, "sprt"),
            ({"precision": 0.1}, "precision"),
        ],
    )
    def test_what_depends_on_results_cannot_be_parted(self, more: dict[str, Any], named: str) -> None:
        with pytest.raises(
            ParameterError, match=f"^part cannot be combined with {named}: what is played depends on res"
        ):
            of(part="1/2", **more)

    def test_each_part_would_have_its_own_reference_of_speed(self) -> None:
        with pytest.raises(
            ParameterError, match=r"^part cannot be combined with calibrate: each part would have a refe"
        ):
            of(part="1/2", rules=Rules(decision_seconds=1.0, calibrate=True))

    def test_another_part_and_the_whole_need_other_folders(self, tmp_path: Path) -> None:
        played(of(part="1/2"), tmp_path / "part")
        before = contents(tmp_path / "part")
        for part, there in (("2/2", "1/2 there, not 2/2"), ("", "1/2 there, not the whole tournament")):
            with pytest.raises(DataError, match=f"holds another tournament: part is {there}; name a new folder"):
                played(of(part=part), tmp_path / "part")
        for longer in (of(part="1/2", blocks=6), of(part="1/2", agents=(*THREE, "osla"))):
            with pytest.raises(DataError, match="it is part 1 of 2 of one; merge the parts, and extend the whole"):
                played(longer, tmp_path / "part")
        with pytest.raises(DataError, match="this tournament cannot be extended: it is part 1 of 2 of one"):
            extended(of(part="1/2"), 6, [])
        assert contents(tmp_path / "part") == before

    def test_a_request_for_more_is_refused(self, tmp_path: Path) -> None:
        played(of(part="1/2"), tmp_path / "part")
        with pytest.raises(DataError, match="this tournament cannot be extended: it is part 1 of 2 of one"):
            request_extension(tmp_path / "part", of(part="1/2", blocks=6))
        assert played(of(part="1/2"), tmp_path / "part").complete

    def test_no_part_shares_its_default_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        quietly: dict[str, Any] = {"workers": 1, "tracking": False, "progress": False}
        runs = [play("tic_tac_toe", THREE, blocks=2, seed=6, part=part, **quietly) for part in ("1/2", "2/2", "")]
        assert len({run.folder for run in runs}) == 3


class TestRefusals:
    """A sentence tells what makes the parts no whole, and nothing is written."""

    @pytest.fixture
    def folders(self, tmp_path: Path) -> list[Path]:
        return parts_of(of(), 5, tmp_path)

    def refused(self, folders: list[Path], sentence: str, out: Path | None = None) -> None:
        home = folders[0].parent
        before = contents(home)
        with pytest.raises(DataError, match=sentence):
            merge_parts(folders, out or home / "whole")
        assert contents(home) == before
        assert out or not (home / "whole").exists()

    def test_missing_parts_are_named(self, folders: list[Path]) -> None:
        self.refused(
            folders[::2], r"^parts 2 and 4 of 5 are missing; name them, or add --incomplete, and tag tournament"
        )
        self.refused(folders[:2], r"^parts 3 to 5 of 5 are missing; ")
        self.refused(folders[1:], r"^part 1 of 5 is missing; ")

    def test_parts_that_are_not_complete_are_named(self, folders: list[Path]) -> None:
        (shard,) = folders[2].glob("ledger/games-*")
        shard.unlink()
        self.refused(folders[1:], r"^part 1 of 5 is missing, and part 3 has 0 of 6 games; name them")
        for folder in folders:
            for path in folder.glob("ledger/games-*"):
                path.unlink()
        self.refused(folders, "^part 1 has 0 of 6 games, part 2 .*, part 3 .*, and 2 more parts are not complete; name")

    def test_parts_of_other_tournaments_are_refused(self, folders: list[Path]) -> None:
        others = {
            "seed is 6 there, not 7": replace(of(), seed=7),
            "game is tic_tac_toe there, not tic_tac_toe:size=4": of("tic_tac_toe:size=4"),
            "blocks": of(blocks=6),
            "agents is random, osla, random there, not random, good=osla, random": of(
                agents=("random", "good=osla", "random")
            ),
            "on_exception is forfeit there, not void": of(rules=Rules(on_exception="void")),
        }
        for number, (reason, other) in enumerate(others.items()):
            folder = folders[0].parent / f"other{number}"
            played(replace(other, part="3/5"), folder)
            expected = "it is part 1 of 5 of one" if reason == "blocks" else reason
            self.refused(
                [*folders[:2], folder, *folders[3:]], f"is no part of the tournament in .*part1of5': {expected}"
            )

    def test_other_divisions_are_refused(self, folders: list[Path]) -> None:
        played(of(part="3/4"), folders[0].parent / "quarter")
        self.refused([*folders, folders[0].parent / "quarter"], "is no part of .*: part is 1/5 there, not 3/4")

    def test_a_whole_tournament_is_no_part(self, folders: list[Path]) -> None:
        played(of(), folders[0].parent / "one")
        self.refused(
            [*folders, folders[0].parent / "one"], "one' holds a whole tournament, not a part of one; leave it out"
        )

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [
            ("tag", "was begun with version 0 of tag, and .* play all parts with the same"),
            ("game", "version 0 of game"),
        ],
    )
    def test_parts_of_other_versions_are_refused(self, name: str, sentence: str, folders: list[Path]) -> None:
        changed(folders[2], lambda content: content["versions"].update({name: "0"}))
        self.refused(folders, sentence)

    def test_versions_that_decide_nothing_may_differ(self, folders: list[Path], tmp_path: Path) -> None:
        changed(folders[2], lambda content: content["versions"].update({"python": "3.0", "numpy": "0"}))
        assert merge_parts(folders, tmp_path / "whole") == 0

    def test_parts_with_other_code_are_refused(self, tmp_path: Path) -> None:
        folders = parts_of(of(agents=("random", FAILING)), 2, tmp_path)
        changed(folders[1], lambda content: content["sources"].update({str(FAULTY_AGENTS): "other"}))
        self.refused(folders, "was played with another '.*' than .*; play all with the same")

    def test_a_part_that_is_there_twice_with_other_games_is_refused(self, folders: list[Path], tmp_path: Path) -> None:
        played(replace(of(part="2/5"), seed=7), tmp_path / "again")
        changed(tmp_path / "again", lambda content: content["definition"].update({"seed": 6}))
        for path in (tmp_path / "again").glob("ledger/*.parquet"):
            path.unlink()
        self.refused([*folders, tmp_path / "again"], "both hold part 2 of 5, with other games; leave one out")

    def test_a_damaged_part_is_refused(self, folders: list[Path]) -> None:
        (shard,) = folders[2].glob("ledger/games-*")
        data = bytearray(shard.read_bytes())
        data[len(data) // 2] ^= 1
        shard.write_bytes(data)
        self.refused(folders, "is damaged; run the tournament again to replay what was in it")

    def test_games_of_other_parts_are_foreign(self, folders: list[Path]) -> None:
        (shard,) = folders[1].glob("ledger/games-*")
        (other,) = folders[2].glob("ledger/games-*")
        shard.rename(other.with_name(shard.name.replace("000000", "000001")))
        self.refused(folders, "is not of this tournament .its game b1-m0-s0 is not in the schedule")

    @pytest.mark.parametrize("part", ["0/5", "6/5", "", 3, None, ["1/5"], "1/5 "])
    def test_a_manifest_with_a_part_that_is_none_is_damaged(self, part: Any, folders: list[Path]) -> None:
        changed(folders[2], lambda content: content["definition"].update({"part": part}))
        self.refused(folders, r"part3of5/tournament\.json' is damaged: this is no definition of a tournament: ")

    def test_a_part_at_work_is_refused(self, folders: list[Path]) -> None:
        with locked(folders[2] / ".lock"):
            self.refused(folders, "another process is at work on '.*part3of5'; wait for it, or stop it")

    def test_a_folder_that_holds_something_is_refused(self, folders: list[Path], tmp_path: Path) -> None:
        merge_parts(folders, tmp_path / "merged")
        self.refused(folders, "merged' holds a tournament already; name a new folder with --out", tmp_path / "merged")
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "note").touch()
        self.refused(folders, "notes' is not empty and holds no tournament", tmp_path / "notes")
        self.refused(folders, "part1of5' holds a tournament already", folders[0])
        (tmp_path / "empty").mkdir()
        assert merge_parts(folders, tmp_path / "empty") == 0

    def test_two_merges_at_once_are_refused(self, folders: list[Path], tmp_path: Path) -> None:
        (tmp_path / ".whole.new").mkdir()
        with locked(tmp_path / ".whole.new" / ".lock"):
            self.refused(folders, "another process is at work on '.*whole'")


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Edit the manifest of a tournament."""
    content = json.loads((folder / MANIFEST).read_text())
    change(content)
    (folder / MANIFEST).write_text(json.dumps(content))


class TestIncomplete:
    def test_what_is_missing_can_be_played_in_the_folder(self, tmp_path: Path) -> None:
        folders = parts_of(of(), 5, tmp_path)
        assert merge_parts(folders[1:4], tmp_path / "whole", incomplete=True) == 2 * 6
        found = read_results(tmp_path / "whole")
        assert (found.games, found.total, found.part) == (18, 30, "")
        assert played(of(), tmp_path / "whole").complete
        played(of(), tmp_path / "one")
        assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")

    def test_a_part_that_was_stopped_goes_on(self, tmp_path: Path) -> None:
        class Stopping(InProcess):
            batches = 3

            def completed(self, timeout: float) -> list[PlayedBatch]:
                self.batches -= 1
                if not self.batches:
                    raise KeyboardInterrupt
                return super().completed(timeout)

        definition = of(blocks=8, part="2/2")
        (first, second) = (tmp_path / "first", tmp_path / "second")
        played(of(blocks=8, part="1/2"), first)
        with pytest.raises(KeyboardInterrupt):
            played(definition, second, Stopping())
        there = read_results(second).games
        assert 0 < there < 24
        with pytest.raises(DataError, match=f"^part 2 has {there} of 24 games; name them, or add --incomplete"):
            merge_parts([first, second], tmp_path / "whole")
        assert merge_parts([first, second], tmp_path / "early", incomplete=True) == 24 - there
        played(definition, second)
        assert merge_parts([first, second], tmp_path / "whole") == 0
        for folder in ("one", "early"):
            played(of(blocks=8), tmp_path / folder)
            assert bytes_of(tmp_path / folder) == bytes_of(tmp_path / "whole")

    def test_lost_times_are_lost_and_no_game(self, tmp_path: Path) -> None:
        folders = parts_of(of(), 2, tmp_path)
        (shard,) = folders[1].glob("ledger/timings-*")
        shard.unlink()
        assert merge_parts(folders, tmp_path / "whole") == 0
        assert len(read_timings(tmp_path / "whole")) == 2 * 3 * 6


class TestPauses:
    """Each part pauses agents by its own games; in the end the whole is that of one run."""

    def test_the_ledger_is_that_of_one_run(self, tmp_path: Path) -> None:
        rules = Rules(isolate=True, on_crash="substitute")
        definition = of(agents=("random", f"{FAULTY_AGENTS}:Exits", "osla"), rules=rules)
        whole = played(definition, tmp_path / "one")
        folders = parts_of(definition, 2, tmp_path)
        assert [read_results(folder).paused[0].from_block for folder in folders] == [0, 1]
        assert merge_parts(folders, tmp_path / "whole") == 0
        assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")
        assert read_results(tmp_path / "whole").paused == whole.paused

    def test_games_that_only_a_part_left_out_are_played_then(self, tmp_path: Path) -> None:
        """In the whole, osla is paused before random#2 has failed against it."""
        definition = of(blocks=10)
        whole = played(definition, tmp_path / "one", Failing())
        assert [paused.agent for paused in whole.paused] == ["osla"]
        folders = [tmp_path / "odd", tmp_path / "even"]
        for number, folder in enumerate(folders, start=1):
            played(replace(definition, part=f"{number}/2"), folder, Failing())
        assert [paused.agent for paused in read_results(folders[0]).paused] == ["osla", "random#2"]
        assert merge_parts(folders, tmp_path / "whole") == 4  # in the two blocks after the last pause
        assert not read_results(tmp_path / "whole").complete
        played(definition, tmp_path / "whole", Failing())
        assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")


class Failing(InProcess):
    """The agent osla crashes in the last game of each block, random#2 in its games against it from block 4 on."""

    def completed(self, timeout: float) -> list[PlayedBatch]:
        orders = {order.game_id: order for order in self._orders}
        return [
            played._replace(records=[with_crashes(orders[record.game_id], record) for record in played.records])
            for played in super().completed(60.0)
        ]


def with_crashes(order: GameOrder, record: GameRecord) -> GameRecord:
    block, matchup, seating = (int(part[1:]) for part in record.game_id.split("-"))
    failing = {"osla"} if (matchup, seating) == (2, 1) else set()
    failing |= {"random"} if matchup == 2 and block >= 4 else set()
    return replace(
        record, faults=[Fault(CRASH, seat, 0, "ended") for seat, agent in enumerate(order.agents) if agent in failing]
    )


class TestTracking:
    """A part is tracked only in a store that is named, the whole as any tournament."""

    def test_the_whole_is_one_run(self, runs_in: Runs, tmp_path: Path) -> None:
        folders = [tmp_path / f"part{number}" for number in (1, 2)]
        for number, folder in enumerate(folders, start=1):
            run_tournament(of(part=f"{number}/2"), folder)
        uri = default_tracking_uri(tmp_path / "whole")
        assert not (tmp_path / "mlflow.db").exists()
        for out in ("whole", "again"):  # the same parts are the same tournament
            merge_tournament(folders, tmp_path / out, events=Listeners())
        (run,) = runs_in(uri)
        assert run.status == "FINISHED"
        assert [games for games, _ in run.curve("games")] == [6, 12, 18, 24, 30]
        assert "report.html" in run.files()

    def test_a_part_is_tracked_where_its_store_is_named(self, runs_in: Runs, tmp_path: Path) -> None:
        uri = f"sqlite:///{tmp_path}/named.db"
        run_tournament(of(part="2/2"), tmp_path / "part", tracking=uri)
        (run,) = runs_in(uri)
        assert [(games, blocks) for games, blocks in run.curve("blocks")] == [(6, 1), (12, 2)]

    def test_what_is_not_complete_is_not_tracked(self, tmp_path: Path) -> None:
        folders = parts_of(of(), 2, tmp_path)
        results = merge_tournament(folders[:1], tmp_path / "whole", incomplete=True, events=Listeners())
        assert not results.complete
        assert not (tmp_path / "mlflow.db").exists()


#: ``tag merge`` that is killed at its Nth write of a shard, or with 0 before its end.
KILLED = """
import os, signal, sys
from tag.cli import main
from tag.tournaments.ledger import folder, storage
left = [int(sys.argv.pop(1))]
def dying(function, at):
    def call(*arguments):
        left[0] -= 1
        if left[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return call
if left[0]:
    storage.write_parts = dying(storage.write_parts, 0)
else:
    folder.publish_folder = dying(folder.publish_folder, -1)
main(prog_name="tag")
"""


@pytest.mark.system
@pytest.mark.parametrize("at", [1, 4, 5, 0])
def test_a_merge_that_is_killed_is_whole_or_absent(at: int, tmp_path: Path) -> None:
    """While the second part is copied, before the shards are merged, between those of two kinds, and before the end."""
    folders = parts_of(of(), 2, tmp_path)
    before = [contents(folder) for folder in folders]
    words = ["merge", *folders, "--out", tmp_path / "whole", "--no-tracking"]
    paths = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100  "" is the working directory
    done = subprocess.run(
        [sys.executable, "-P", "-c", KILLED, str(at), *map(str, words)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not (tmp_path / "whole").exists()
    assert [contents(folder) for folder in folders] == before
    assert merge_parts(folders, tmp_path / "whole") == 0
    played(of(), tmp_path / "one")
    assert bytes_of(tmp_path / "whole") == bytes_of(tmp_path / "one")
    assert content_hash(tmp_path / "whole") == content_hash(tmp_path / "one")
    assert not (tmp_path / ".whole.new").exists()
