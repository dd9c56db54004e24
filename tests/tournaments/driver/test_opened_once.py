"""A tournament's folder is opened once: its files are listed and its manifest and specs read a fixed number of times."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from play.simulated_games import made_up

from tag.catalogue import registry
from tag.catalogue.version import is_compiled
from tag.cli import main
from tag.tournaments import define, read_ledger, read_results
from tag.tournaments.ledger import storage
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.storage import list_shards
from tag.tournaments.ledger.writing import Ledger

pytestmark = pytest.mark.flow

#: Options after ``--agent random --agent osla``, by name.
CASES = {
    "round robin": ["tic_tac_toe", "--blocks", "3"],
    "more blocks": ["tic_tac_toe", "--blocks", "40"],
    "cards": ["love_letter", "--players", "4", "--blocks", "2"],
    "a test": ["tic_tac_toe", "--blocks", "6", "--sprt", "0,200"],
    "rounds": ["tic_tac_toe", "--blocks", "2", "--agent", "random", "--agent", "osla", "--design", "swiss"],
    "actions and metrics": ["tic_tac_toe", "--blocks", "2", "--record-actions", "--metric", "lead"],
}
#: The most calls of each function, whatever is played.
MOST = {"list_shards": 4, "read_manifest": 1, "parse_spec": 15}
#: The most moves of control between modules after the last game of six, up to the end of the command.
MOST_MOVES = 319
ROOT = str(Path(registry.__file__).parents[1])


@pytest.mark.skipif(is_compiled(), reason="calls of compiled functions are not seen")
@pytest.mark.parametrize("name", CASES)
def test_a_tournament_lists_and_reads_its_folder_a_fixed_number_of_times(name: str, tmp_path: Path) -> None:
    calls, modules = Counter[str](), list[str]()

    def count(frame: FrameType, event: str, _argument: Any) -> None:
        name, module = frame.f_code.co_name, frame.f_code.co_filename
        if event == "call" and name in MOST:
            calls[name] += 1
        if event == "return" and name == "play_order":
            modules.clear()
        elif event == "call" and module.startswith(ROOT) and modules[-1:] != [module]:
            modules.append(module)

    game, *options = CASES[name]
    command = ["tournament", game, "--agent", "random", "--agent", "osla", "--seed", "1", *options]
    registry._parsed.cache_clear()  # as in a new process
    sys.setprofile(count)
    try:
        with pytest.raises(SystemExit, match="^(0|None)$"):
            main([*command, "--workers", "1", "--quiet", "--no-tracking", "--out", str(tmp_path / "t")])
    finally:
        sys.setprofile(None)
    assert len(read_ledger(tmp_path / "t")[0]), name
    assert {name: calls[name] for name in MOST if calls[name] > MOST[name]} == {}, name
    assert name != "round robin" or len(modules) <= MOST_MOVES, (len(modules), Counter(modules).most_common(9))


def test_an_open_folder_is_a_snapshot_until_it_is_refreshed(tmp_path: Path) -> None:
    definition = define("tic_tac_toe", ("random", "osla"), 4, seed=1)
    games = made_up(definition, list(definition.schedule()))
    with Folder.locked(tmp_path, definition) as mine:
        ledger = Ledger(mine, definition)
        reader = Folder.open(tmp_path)
        for number in range(1, len(games)):
            before = len(reader.games([]))
            ledger.append(games[number - 1 : number])
            assert len(mine.games([])) == number, "the writer's own readers see what it writes"
            assert len(reader.games([])) == before
            assert {path.name for path in reader.shards.refresh()} == {
                path.name for path in list_shards(tmp_path / "ledger")["games"][-1:]
            } | {path.name for path in list_shards(tmp_path / "ledger")["timings"][-1:]}
            assert read_results(reader).to_json() == read_results(tmp_path).to_json()
        ledger.append(games[-1:])
        assert ledger.compact(len(games))
        assert len(reader.games()) == len(games), "merged shards are found again"


def test_games_are_never_listed_without_their_timings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are added while a folder is read may be missing in the list."""
    for number in range(1, 4):
        for kind in ("timings", "games"):
            (tmp_path / f"{kind}-{number:06d}-{number:016x}.parquet").touch()
    real = Path.iterdir
    for missed in range(1, 4):
        hidden = [f"timings-{missed:06d}", "nothing"]

        def iterdir(path: Path, hidden: list[str] = hidden) -> Any:
            late = hidden.pop(0)
            return (one for one in real(path) if not one.name.startswith(late))

        with monkeypatch.context() as patch:
            patch.setattr(Path, "iterdir", iterdir)
            assert len(storage.list_shards(tmp_path)["timings"]) == 3
        assert not hidden
