"""`tag tournament --part` and `tag merge` on the command line: output, sentences, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from commands import run_tag

pytestmark = pytest.mark.flow

LOCAL = ("--workers", "1", "--no-tracking", "--quiet")
GAME = ("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--blocks", "5")


def tag(*words: object) -> Result:
    return run_tag(*words)


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(folders, start=1):
        done = tag(*GAME, "--seed", 2, "--part", f"{number}/3", "--out", folder, *LOCAL)
        assert done.exit_code == 0, done.output
        assert f"part {number} of 3 of the tournament; tag merge joins the parts" in done.output
    return folders


def test_merging_prints_the_table_of_one_run(parts: list[Path], tmp_path: Path) -> None:
    done = tag("merge", *parts, "--out", tmp_path / "whole", "--no-tracking")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    assert f"10 games in {tmp_path / 'whole'}; further:" in done.stdout
    one = tag(*GAME, "--seed", 2, "--out", tmp_path / "one", *LOCAL, "--json")
    whole = tag("results", tmp_path / "whole", "--json")
    found, expected = (json.loads(result.stdout) for result in (whole, one))
    assert found["content_hash"] == expected["content_hash"]
    assert "part" not in found
    assert found["complete"]
    again = tag("merge", *parts, "--out", tmp_path / "whole", "--no-tracking")
    assert again.exit_code == 2
    assert again.output == f"tag: '{tmp_path}/whole' holds a tournament already; name a new folder with --out\n"


def test_a_missing_part_is_named_and_can_be_played_in_the_whole(parts: list[Path], tmp_path: Path) -> None:
    words = ("merge", parts[2], parts[0], "--out", tmp_path / "whole", "--no-tracking", "--json")
    refused = tag(*words)
    assert refused.exit_code == 2
    assert refused.stderr == (
        "tag: part 2 of 3 is missing; name them, or add --incomplete, and tag tournament plays what is missing\n"
    )
    assert not (tmp_path / "whole").exists()
    merged = tag(*words, "--incomplete")
    assert merged.exit_code == 0
    assert merged.stderr == f"tag: 4 games are missing; tag tournament {tmp_path}/whole plays what is missing\n"
    assert json.loads(merged.stdout)["games"] == 6
    assert tag("tournament", tmp_path / "whole", *LOCAL).exit_code == 0
    assert json.loads(tag("results", tmp_path / "whole", "--json").stdout)["games"] == 10


def test_a_part_resumes_by_the_same_command_and_by_its_folder(parts: list[Path], tmp_path: Path) -> None:
    for path in parts[1].glob("ledger/*.parquet"):
        path.unlink()
    status = tag("status", parts[1])
    assert status.output.startswith("0 of 4 games, part 2 of 3, nobody at work")
    assert tag("tournament", parts[1], *LOCAL).exit_code == 0
    again = tag(*GAME, "--seed", 2, "--part", "2/3", "--out", parts[1], *LOCAL)
    assert again.exit_code == 0
    assert "b1-m0-s0" in again.output
    extended = tag("tournament", parts[1], "--extend", "--blocks", "9")
    assert extended.exit_code == 2
    assert extended.output == (
        "tag: this tournament cannot be extended: it is part 2 of 3 of one; merge the parts, and extend the whole\n"
    )
    assert "its part cannot be changed" in tag("tournament", parts[1], "--part", "1/3").output


def test_a_part_without_a_seed_is_refused(tmp_path: Path) -> None:
    done = tag(*GAME, "--part", "1/3", "--out", tmp_path / "part", *LOCAL)
    assert done.exit_code == 2
    assert done.output == "tag: part needs a seed, as all parts have the same; add --seed\n"
    assert not (tmp_path / "part").exists()


def test_an_experiment_has_no_parts(tmp_path: Path) -> None:
    (tmp_path / "several.toml").write_text('agents = ["random", "osla"]\npart = "1/2"\n[[events]]\ngame = "nim"\n')
    done = tag("tournament", tmp_path / "several.toml", "--out", tmp_path / "several", *LOCAL)
    assert done.exit_code == 2
    assert done.output == "tag: part is for one tournament, and this is an experiment of several; leave it out\n"


def test_what_a_part_takes_is_told_beforehand(tmp_path: Path) -> None:
    done = tag(*GAME, "--seed", 2, "--part", "3/3", "--out", tmp_path / "part", "--dry-run", "--workers", "1")
    lines = done.output.splitlines()
    assert lines[0] == "tic_tac_toe, 2 players, round_robin of 2 agents, part 3/3:"
    assert lines[1].strip() == "1 blocks of 1 match-ups in 2 seatings: 2 games"
    assert lines[3].split()[0] == "b2-m0-s0"
    empty = tag(*GAME, "--seed", 2, "--part", "9/9", "--out", tmp_path / "part", "--dry-run", "--workers", "2")
    assert "0 blocks of 1 match-ups in 2 seatings: 0 games" in empty.output


def test_parts_with_time_limits_are_to_be_played_on_equal_machines(tmp_path: Path) -> None:
    done = tag(*GAME, "--seed", 2, "--part", "1/3", "--decision-seconds", 5, "--out", tmp_path / "part", *LOCAL)
    assert done.exit_code == 0
    assert "tag: decision_seconds is a time limit; play all parts on equal machines" in done.stderr
    assert "equal machines" not in tag(*GAME, "--decision-seconds", 5, "--out", tmp_path / "whole", *LOCAL).stderr
