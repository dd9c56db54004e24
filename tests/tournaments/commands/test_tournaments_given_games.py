"""A tournament that is given further games becomes an event of an experiment, without a game again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import define, read_results, run_tournament
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger.experiment import Experiment, pause_experiment, read_experiment, request_more
from tag.tournaments.ledger.folder import request_extension
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.ledger.storage import locked, publish_folder
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.run import run_experiment
from tag.tournaments.web.live.experiment import LiveExperiment
from tag.tournaments.web.live.folders import LiveFolders
from tag.tournaments.web.live.tournament import LiveTournament
from tag.tuning.commands.live import KINDS

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

AGENTS = ("random", "osla")
ONE = define("tic_tac_toe", AGENTS, 3, seed=5)
OTHER = define("nim", AGENTS, 3, seed=5)
BOTH = Experiment.of([ONE, OTHER])
ALONE = ("--no-tracking", "--no-ray", "--quiet")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment as a new run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    run_experiment(BOTH, folder, tracking=False)
    return folder


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The tournament of its first event."""
    run_tournament(ONE, tmp_path / "run", tracking=False)
    return tmp_path / "run"


def shards(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "ledger").iterdir()}


def check_is(folder: Path, whole: Path) -> None:
    """Fail unless ``folder`` holds the same as the new run, and nothing besides."""
    for name in BOTH.events:
        assert content_hash(folder / name) == content_hash(whole / name)
    assert {path.name for path in folder.iterdir() if path.name[0] != "."} == {"experiment.json", *BOTH.events}
    assert read_experiment_results(folder).to_json()["overall"] == read_experiment_results(whole).to_json()["overall"]


def test_the_command_gives_a_tournament_another_game(alone: Path, whole: Path) -> None:
    played = shards(alone)
    result = run_tag("tournament", alone, "nim", "--extend", *ALONE)
    assert result.exit_code == 0, result.output
    assert shards(alone / "tic_tac_toe-2p") == played
    check_is(alone, whole)
    assert run_tag("verify", alone).exit_code == 0


def test_with_more_blocks_and_agents_it_is_what_a_new_run_is(alone: Path, tmp_path: Path) -> None:
    more = ("--blocks", 4, "--agent", "rmhc:budget=8")
    result = run_tag("tournament", alone, "nim", "--extend", *more, *ALONE)
    assert result.exit_code == 0, result.output
    agents = [word for agent in AGENTS for word in ("--agent", agent)]
    new = tmp_path / "new"
    assert run_tag("tournament", "tic_tac_toe", "nim", *agents, *more, "--seed", 5, "--out", new, *ALONE).exit_code == 0
    for name in BOTH.events:
        assert content_hash(alone / name) == content_hash(new / name)


def test_python_and_a_file_name_the_tournament_among_the_events(alone: Path, whole: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(alone, tmp_path / "copy")
    run_experiment(BOTH, alone, tracking=False)
    check_is(alone, whole)
    file = tmp_path / "my.toml"
    file.write_text(
        'agents = ["random", "osla"]\nblocks = 3\n[[events]]\ngame = "nim"\n[[events]]\ngame = "tic_tac_toe"\nname = "old"\n'
    )
    result = run_tag("tournament", file, "--out", copy, *ALONE)  # with the tournament's seed
    assert result.exit_code == 0, result.output
    assert content_hash(copy / "old") == content_hash(whole / "tic_tac_toe-2p")


def test_live_pages_follow_what_it_becomes(alone: Path) -> None:
    live = LiveFolders([alone.parent], KINDS)
    live.stamp()
    assert [type(one) for one in live._known.values()] == [LiveTournament]
    run_experiment(BOTH, alone, tracking=False)
    live.stamp()
    kinds = {"run": LiveExperiment, "run/nim-2p": LiveTournament, "run/tic_tac_toe-2p": LiveTournament}
    assert {one.name: type(one) for one in live._known.values()} == kinds


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_process_killed_on_the_way_leaves_the_rest_to_the_next(
    renamed: int, alone: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [renamed]

    def killed(folder: Path, new: Path) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        publish_folder(folder, new)

    with monkeypatch.context() as patched:
        patched.setattr(experiments, "publish_folder", killed)
        with pytest.raises(KeyboardInterrupt):
            run_experiment(BOTH, alone, tracking=False)
    assert read_experiment_results(alone).total == 12  # readers find the experiment, the event not yet begun
    run_experiment(BOTH, alone, tracking=False)
    check_is(alone, whole)


def test_what_was_asked_of_the_tournament_is_part_of_the_experiment(alone: Path) -> None:
    longer = define("tic_tac_toe", AGENTS, 5, seed=5)
    request_extension(alone, longer)
    run_experiment(BOTH, alone, tracking=False)
    assert read_experiment(alone).events["tic_tac_toe-2p"].blocks == 5
    assert read_results(alone / "tic_tac_toe-2p").complete
    assert not list(alone.glob("**/.request.json"))


def test_others_are_refused_and_nothing_changes(alone: Path) -> None:
    before = {path: path.read_bytes() for path in alone.rglob("*") if path.is_file()}
    refused = run_tag("tournament", alone, "nim", *ALONE)
    assert refused.stderr == f"tag: {str(alone)!r} holds a tournament already; for more games, add --extend\n"
    refused = run_tag("tournament", alone, "tic_tac_toe", "--extend", "--seed", 3, *ALONE)
    assert "holds a tournament already; its seed cannot be changed" in refused.stderr
    with pytest.raises(
        DataError, match="holds a tournament of tic_tac_toe with 2 players, which is none of the events"
    ):
        run_experiment(Experiment.of([OTHER, define("sim", AGENTS, 3, seed=5)]), alone, tracking=False)
    with locked(alone / ".lock"):  # a process plays it
        refused = run_tag("tournament", alone, "nim", "--extend", *ALONE)
        assert "takes further games once nobody is at work on it" in refused.stderr
        with pytest.raises(DataError, match="once nobody is at work"):
            request_more(alone, BOTH)
        with pytest.raises(DataError, match="another process is at work"):
            run_experiment(BOTH, alone, tracking=False)
    assert {path: path.read_bytes() for path in alone.rglob("*") if path.is_file()} == before
    with pytest.raises(DataError, match="nobody is at work"):
        pause_experiment(alone)


def test_a_part_of_a_tournament_stays_one(tmp_path: Path) -> None:
    words = ("tournament", "tic_tac_toe", "--agent", "osla", "--agent", "random", "--blocks", 4, "--seed", 5)
    assert run_tag(*words, "--part", "1/2", "--out", tmp_path / "part", *ALONE).exit_code == 0
    refused = run_tag("tournament", tmp_path / "part", "nim", "--extend", *ALONE)
    assert (refused.exit_code, "join the parts with tag merge first" in refused.stderr) == (2, True)
    assert not json.loads((tmp_path / "part" / "tournament.json").read_text()).get("events")
