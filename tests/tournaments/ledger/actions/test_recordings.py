"""Recorded actions that are deleted or damaged are back after the same command, if the agents are deterministic."""

from pathlib import Path

import pytest
from click.testing import Result
from commands import run_tag
from copied import RANDOM

from tag.tournaments.ledger.games import content_hash, read_actions, read_choices

pytestmark = pytest.mark.flow

CLOCKED = (
    RANDOM
    + """import time

class Clocked(Random):
    def act(self, observation, actions):
        return actions[time.monotonic_ns() // 1000 % len(actions)]
"""
)


def play(folder: Path, *agents: str) -> Result:
    words = [word for agent in agents for word in ("--agent", agent)]
    options = ["--record-actions", "--blocks", "3", "--workers", "1", "--no-tracking", "--progress", "plain"]
    done = run_tag("tournament", "love_letter", *words, *options, "--out", folder)
    assert done.exit_code == 0, done.output
    return done


def delete(folder: Path) -> None:
    for path in (folder / "ledger").glob("actions-*"):
        path.unlink()


def damage(folder: Path) -> None:
    for path in (folder / "ledger").glob("actions-*"):
        path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("harm", [delete, damage])
def test_actions_of_deterministic_agents_are_restored(tmp_path: Path, harm: object) -> None:
    play(tmp_path, "random", "osla")
    before, games = list(read_choices(tmp_path)), content_hash(tmp_path)
    harm(tmp_path)
    done = play(tmp_path, "random", "osla")
    assert "restored the actions of 6 games" in done.stderr
    assert list(read_choices(tmp_path)) == before
    assert content_hash(tmp_path) == games
    assert len(list((tmp_path / "ledger").glob("actions-*"))) == 1
    assert "restored" not in play(tmp_path, "random", "osla").stderr


def test_actions_of_agents_that_go_by_the_clock_are_not_made_up(tmp_path: Path) -> None:
    (tmp_path / "clocked.py").write_text(CLOCKED)
    agents = ("random", "osla", f"{tmp_path}/clocked.py:Clocked")
    play(tmp_path / "run", *agents)
    before = {row[0]: row for row in read_choices(tmp_path / "run")}
    delete(tmp_path / "run")
    done = play(tmp_path / "run", *agents)
    assert "are still missing: their agents play otherwise now" in done.stderr
    after = {row[0]: row for row in read_choices(tmp_path / "run")}
    assert 6 <= len(after) < len(before) == 18
    assert all(before[game_id] == row for game_id, row in after.items())
    assert read_actions(tmp_path / "run")["game_id"].nunique() == len(after)
