"""Action logs: lines from which games are played again on their own; what was changed in them is found out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tag.cli.play import GamePrinter
from tag.errors import DataError, UnknownNameError
from tag.playing.listener import Listener
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.ledger.replay import log_line, read_logged, replay_of, replays_of

pytestmark = pytest.mark.flow

AGENTS = ("random", "mcts:budget=10,k=1.4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    run_tournament(define("love_letter", AGENTS, 2, players=2, seed=3, record_actions=True), folder, tracking=False)
    return folder


@pytest.fixture(scope="module")
def lines(folder: Path) -> list[str]:
    return [log_line(replay) for replay in replays_of(folder)]


def written(path: Path, lines: list[str], **changes: Any) -> Path:
    """Write a log whose second line is changed."""
    values = {**json.loads(lines[1]), **changes}
    path.write_text(lines[0] + json.dumps({name: value for name, value in values.items() if value is not None}) + "\n")
    return path


class Told(Listener):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_action_chosen(self, state: Any, player: int, action: Any, actions: list[Any], agent: Any) -> None:
        self.lines.append(f"{player} {action.text(state, -1)}")


def test_a_line_says_what_was_played_and_what_came_of_it(folder: Path, lines: list[str]) -> None:
    games, seats = read_ledger(folder)
    for number, (line, game) in enumerate(zip(lines, games.to_dict("records"), strict=True)):
        values = json.loads(line)
        assert line.endswith("\n")
        for name in ("game_id", "seed", "ticks", "turns", "rounds", "state_hash", "void"):
            assert values[name] == game[name]
        of_game = seats[2 * number : 2 * number + 2]
        assert values["agents"] == list(of_game["agent"])
        assert values["results"] == list(of_game["result"])
        assert values["scores"] == list(of_game["score"])
        assert len(values["choices"]) == len(values["players"]) == len(values["actions"]) == game["ticks"]
        assert (values["schema_version"], values["game"], values["forfeits"]) == (1, "love_letter", [])
        told = Told()
        replay_of(folder, game["game_id"]).play([told])
        assert told.lines == [
            f"{player} {text}" for player, text in zip(values["players"], values["actions"], strict=True)
        ]


def test_every_key_is_documented(lines: list[str]) -> None:
    text = (Path(__file__).parents[4] / "docs" / "ledger.md").read_text(encoding="utf-8").partition("## Action logs")[2]
    keys = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]*) \|", text.partition("\n## ")[0], re.MULTILINE)))
    assert sorted(keys) == sorted(json.loads(lines[0]))


def test_a_log_needs_no_ledger(folder: Path, lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(lines))
    for game_id in read_ledger(folder)[0]["game_id"]:
        logged = read_logged(path, game_id)
        assert logged.play_recorded([GamePrinter(-1, logged.agents)]) == []
        assert set(logged.agents) == set(AGENTS)


def test_games_that_were_not_recorded_give_the_same_lines(lines: list[str], tmp_path: Path) -> None:
    run_tournament(define("love_letter", AGENTS, 2, players=2, seed=3), tmp_path, tracking=False)
    assert [log_line(replay) for replay in replays_of(tmp_path)] == lines


def test_a_recording_that_does_not_lead_to_the_result_is_not_exported(folder: Path) -> None:
    replay = replay_of(folder, "b0-m0-s0")
    replay.expected["state_hash"] = "0123456789abcdef"
    with pytest.raises(
        DataError, match="do not lead to what is on record: state_hash is 0123456789abcdef on record and"
    ):
        log_line(replay)


def test_what_differs_is_told_with_the_action(lines: list[str], tmp_path: Path) -> None:
    values = json.loads(lines[1])
    path = written(tmp_path / "log.jsonl", lines, actions=[*values["actions"][:3], "dance", *values["actions"][4:]])
    said = read_logged(path, values["game_id"]).play_recorded()
    text, player = values["actions"][3], values["players"][3]
    assert said == [f"action 4 is 'dance' of player {player} in the log and {text!r} of player {player} now"]
    written(path, lines, choices=[*values["choices"][:5], 99, *values["choices"][6:]])
    [sentence] = read_logged(path, values["game_id"]).play_recorded()
    assert sentence.startswith(f"action 6 of the recording of {values['game_id']} cannot be number 99; there are 0 to ")
    written(path, lines, state_hash="0" * 16)
    [sentence] = read_logged(path, values["game_id"]).play_recorded()
    assert sentence == f"state_hash is {'0' * 16} on record and {values['state_hash']} now"
    written(path, lines, seed=values["seed"] + 1)
    said = read_logged(path, values["game_id"]).play_recorded()
    assert any("action" in sentence for sentence in said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema_version": 2}, "has version 2 of action logs; this is 1"),
        ({"schema_version": None}, "is no game of an action log: KeyError: 'schema_version'"),
        ({"choices": None}, "is no game of an action log: KeyError: 'choices'"),
        ({"choices": ["many"]}, "is no game of an action log: ValueError"),
        ({"forfeits": [[7, "timeout"]]}, "is no game of an action log: ValueError"),
        ({"forfeits": [[0, "win"]]}, "is no game of an action log: KeyError: 'win'"),
        ({"players": [0]}, "is no game of an action log: ValueError"),
        ({"seed": float("inf")}, "is no game of an action log: OverflowError"),
    ],
)
def test_a_damaged_line_is_named(changes: dict[str, Any], said: str, lines: list[str], tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", lines, **changes)
    with pytest.raises(DataError) as error:
        read_logged(path, json.loads(lines[1])["game_id"])
    assert str(error.value).startswith(f"line 2 of {str(path)!r} {said}")


def test_other_files_are_no_logs(lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("[1, 2]\n")
    with pytest.raises(DataError, match="line 1 of .* is no game of an action log"):
        read_logged(path, "b0-m0-s0")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="cannot read"):
        read_logged(path, "b0-m0-s0")
    path.write_text("".join(lines))
    with pytest.raises(UnknownNameError, match="no game in .* named 'b0-m0-s7'; did you mean 'b0-m0-s"):
        read_logged(path, "b0-m0-s7")
