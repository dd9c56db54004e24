"""The command line at its edges: whatever is typed, and whatever a user's file does, ends in one sentence."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from commands import run_tag
from cpu_caps import cpu_time_below
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tag.catalogue.registry import make_agent
from tag.cli import _COMMANDS, main
from tag.engine.parameters import Spec, parse_spec
from tag.errors import TagError, one_line, sentence_of
from tag.orders import Conditions, GameOrder, forget_user_code, play_order

pytestmark = pytest.mark.flow

#: What is said of a folder that is a link to itself: from Python 3.13 on, only reading it fails.
LOOP = "a symbolic link to itself" if sys.version_info < (3, 13) else "'loop' holds no study: it has no study.json"

_AGENT = "from tag import Agent\nimport os, sys\nclass Mine(Agent):\n"
_FIRST = "    def act(self, observation, actions):\n        return actions[0]\n"
#: Files that fail as they are imported, or as the agent in them is made.
FILES = {
    "exit.py": "raise SystemExit(0)",
    "quit.py": "import sys\nsys.exit()",
    "base.py": "class Gone(BaseException):\n    pass\nraise Gone('away')",
    "cancelled.py": "import asyncio\nraise asyncio.CancelledError",
    "mute.py": "class Mute(Exception):\n    def __str__(self):\n        raise KeyError\nraise Mute",
    "loud.py": "raise ValueError('one\\ntwo\\x1b[31m' + 'x' * 1_000_000)",
    "init.py": _AGENT + "    def __init__(self, *values):\n        raise RuntimeError('no')\n",
    "leaves.py": _AGENT + "    def __init__(self, *values):\n        sys.exit(0)\n",
    "bounds.py": "from tag import real\nx = real(1.0, 0.0, float('inf'), 'how far')",
    "wide.py": "from tag import integer\nx = integer(1, 0, 10**30, 'how far')",
    "twice.py": "from tag import TagError\nraise TagError('mine')",
    "nul.py": "a = 1\0",
    "words.py": "this is no Python",
    "empty.py": "",
}
#: Where they fail.
LINES = {
    **dict.fromkeys(["exit.py", "loud.py", "words.py"], "line 1)"),
    **dict.fromkeys(["quit.py", "cancelled.py", "bounds.py", "wide.py", "twice.py"], "line 2)"),
    "base.py": "line 3)",
    "mute.py": "line 4)",
    "init.py": "line 5)",
    "leaves.py": "line 5)",
}


def assert_one_sentence(result: click.testing.Result) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("tag: ")
    assert "tag's own" not in result.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with files that nothing can be made of; servers of pages end at once."""
    for server in ("tag.tournaments.web.server.serve",):
        monkeypatch.setattr(server, lambda *_given, **_options: click.echo("served"))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.py").write_bytes(b"x = '\xe9'")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "broken.toml").write_text("agents = [1,\n")
    (tmp_path / "huge.toml").write_text(f'game = "tic_tac_toe"\nagents = ["random", "osla"]\nblocks = {10**30}\n')
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "folder.py").mkdir()
    for manifest in ("tournament", "experiment", "study", "balance"):
        (tmp_path / "other").mkdir(exist_ok=True)
        (tmp_path / "other" / f"{manifest}.json").write_text("[]")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("file", [*FILES, "latin.py", "loop.py", "folder.py", "absent.py"])
def test_a_file_that_fails_is_named_in_one_sentence(folder: Path, file: str) -> None:
    for arguments in (
        ("play", "tic_tac_toe", "--agent", f"./{file}"),
        ("tournament", "tic_tac_toe", "--agent", "random", "--agent", f"./{file}"),
        ("check", f"./{file}"),
    ):
        result = run_tag(*arguments)
        assert_one_sentence(result)
        assert file in result.stderr
        assert LINES.get(file, "") in result.stderr
        assert len(result.stderr) < 1000
        assert result.stderr[:-1].isprintable()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("play", "tic_tac_toe", "--seed", str(10**30)), "--seed cannot be"),
        (("play", "tic_tac_toe", "--players", str(10**30)), "--players cannot be"),
        (("play", "tic_tac_toe", "--view", "7"), "--view cannot be 7; the players are 0 to 1"),
        (("play", "tic_tac_toe", "--agent", "mcts:budget=1,budget=2"), "sets budget more than once"),
        (("games", "--mechanic", "chess"), "no mechanic named 'chess'"),
        (("games", "--category", "chess"), "no category named 'chess'"),
        (("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--address", ""), "--address cannot be"),
        (("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--precision", "inf"), "--precision"),
        (("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--blocks", "10" * 20), "--blocks"),
        (("tournament", "huge.toml"), "blocks"),
        (("tune", "mcts", "--game", "tic_tac_toe", "--games", "9", "--search", "k=1..inf"), "inf"),
        (("results", "loop"), "loop"),
        (("tune", "export", "loop", "--storage", "study.log"), LOOP),
        (("replay", "binary", "b0-m0-s0"), "binary"),
        (("play", "deep.json"), "deep.json"),
    ],
)
def test_a_value_that_cannot_be_is_refused(folder: Path, arguments: tuple[str, ...], named: str) -> None:
    result = run_tag(*arguments)
    assert_one_sentence(result)
    assert named in result.stderr


#: What no option takes without a sentence; each parameter gets some of them, another share in each command.
HOSTILE = [
    "",
    "\0",
    "a\nb\x1b[1m",
    str(10**30),
    str(-(10**30)),
    "nan",
    "inf",
    "-inf",
    "../",
    "loop",
    "loop.py",
    "exit.py",
]
HOSTILE += [
    "folder.py",
    "binary",
    "broken.toml",
    "huge.toml",
    "deep.json",
    "other",
    "=",
    ":",
    "a=1,a=2",
    "((",
    "\ud800",
]
HOSTILE += ["mcts:budget=inf", "mcts:k=" + "(" * 3000, "rhea:opponent=" * 300, "127.0.0.1:x", "x" * 100_000]
#: Commands that would start something on this machine, or play for long.
_NOT_HERE = (["cluster", "start"], ["cluster", "join"], ["cluster", "stop"])


def commands() -> Iterator[tuple[list[str], click.Command]]:
    for name in _COMMANDS:
        yield from _within([name], main.get_command(click.Context(main), name))


def _within(path: list[str], command: click.Command | None) -> Iterator[tuple[list[str], click.Command]]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _within([*path, name], inner)
    elif command is not None and path not in _NOT_HERE:
        yield path, command


def check_hostile(path: list[str], command: click.Command, each: int) -> None:
    """Give every parameter of a command so many hostile values, in place of what a command needs to play."""
    words = iter(HOSTILE[len(path[0]) :] + HOSTILE * 1000)
    for parameter in command.params:
        for _number in range(1 if getattr(parameter, "is_flag", False) else each):
            arguments = [*path]
            for one in command.params:
                if one is parameter or (isinstance(one, click.Argument) and one.required):
                    said = [one.opts[0]] if isinstance(one, click.Option) else []
                    arguments += said if getattr(one, "is_flag", False) else [*said, next(words)]
            result = run_tag(*arguments)
            assert result.exit_code in (0, 1, 2), arguments
            assert "tag's own" not in result.stderr, (arguments, result.stderr)
            assert "Traceback" not in result.output, arguments
            assert result.output.strip(), arguments


@pytest.mark.parametrize("name", list(_COMMANDS))
def test_no_command_fails_silently_or_with_a_traceback(folder: Path, name: str) -> None:
    for path, command in commands():
        if path[0] == name:
            check_hostile(path, command, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(_COMMANDS))
def test_no_command_fails_on_any_hostile_value(folder: Path, name: str) -> None:
    for path, command in commands():
        if path[0] == name:
            check_hostile(path, command, len(HOSTILE))


_SPECS = st.text(st.sampled_from("mctsk:=,()./py 01\x00\n-") | st.characters(), max_size=40)


@given(_SPECS | st.builds("mcts:{}={}".format, st.sampled_from(["budget", "k", "x", ""]), _SPECS))
@settings(deadline=None, max_examples=150)
def test_any_text_is_a_spec_or_a_tag_error(text: str) -> None:
    try:
        spec = parse_spec(text)
    except TagError:
        return
    assert parse_spec(str(Spec(spec.name, spec.values))).values.keys() == spec.values.keys()


@given(_SPECS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_as_agent_and_game_ends_in_a_sentence(folder: Path, text: str) -> None:
    for arguments in (["play", "--", text], ["play", "tic_tac_toe", f"--agent={text}"], ["results", "--", text]):
        result = run_tag(*arguments)
        assert result.exit_code in (0, 2)
        assert "tag's own" not in result.stderr
        assert result.output


@given(st.text(max_size=50))
@settings(deadline=None, max_examples=50)
def test_one_line_is_printable_and_short(text: str) -> None:
    for some in (text, "\x1b[31m" + text * 1000 + "\x1b]0;title\x07"):
        line = one_line(some)
        assert line.isprintable()
        assert len(line) <= 300
        assert sentence_of(ValueError(some)).isprintable()


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('one\\ntwo\\x1b[31m\\x07' + 'x' * 1_000_000)",
        "return type('Odd', (), {'__repr__': lambda _self: 'a\\nb' * 1_000_000})()",
        "import asyncio\n        raise asyncio.CancelledError",
    ],
)
def test_faults_are_one_short_line(tmp_path: Path, body: str, isolate: bool) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(f"{_AGENT}    def act(self, observation, actions):\n        {body}\n")
    agents = (f"{file}:Mine", "random")
    record = play_order(GameOrder("g", "tic_tac_toe", agents, 1, Conditions(isolate=isolate)))
    assert record.faults
    for fault in record.faults:
        assert fault.message.isprintable()
        assert len(fault.message) < 400


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    pass",
        "import time\ntime.sleep(3600)",
        "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass",
    ],
)
def test_a_file_that_does_not_end_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    file = tmp_path / "endless.py"
    file.write_text(f"a = 1\n{body}\n")
    monkeypatch.setenv("TAG_IMPORT_SECONDS", "0.2")
    begin = time.monotonic()
    result = run_tag("play", "tic_tac_toe", "--agent", file)
    assert time.monotonic() - begin < 20.0
    assert_one_sentence(result)
    assert re.search(r"takes longer than 0\.2 s \(\S+endless.py, line \d\); TAG_IMPORT_SECONDS raises", result.stderr)


def test_no_limit_is_none_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "slow.py"
    file.write_text(f"import time\ntime.sleep(0.5)\n{_AGENT}{_FIRST}")
    for seconds, code in (("0.1", 2), ("0", 0)):
        monkeypatch.setenv("TAG_IMPORT_SECONDS", seconds)
        forget_user_code()
        assert run_tag("play", "tic_tac_toe", "--agent", file, "--agent", "random", "--quiet").exit_code == code


def test_the_time_limit_has_to_be_a_number(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAG_IMPORT_SECONDS", "long")
    result = run_tag("play", "tic_tac_toe", "--agent", "./empty.py")
    assert_one_sentence(result)
    assert "TAG_IMPORT_SECONDS cannot be 'long'" in result.stderr


def test_a_fault_of_our_own_can_be_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setitem(_COMMANDS, "version", ("tests:none", ""))
    monkeypatch.setattr(type(main), "get_command", lambda *_: click.Command("version", callback=broken))
    result = run_tag("version")
    assert result.exit_code == 2
    found = re.search(r"tag's own: ZeroDivisionError: ours; .* in '(.+)'\n", result.stderr)
    assert found is not None
    kept = Path(found[1])
    assert "line" in kept.read_text()
    kept.unlink()
    monkeypatch.setenv("TAG_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in run_tag("version").stderr


@pytest.mark.parametrize("words", ["play tic_tac_to", "play tic_tac_toe --agent ./base.py", "results ./other --json"])
def test_the_traceback_of_every_failure_is_shown_on_demand(
    folder: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_one_sentence(run_tag(*words.split()))
    monkeypatch.setenv("TAG_TRACEBACK", "1")
    shown = run_tag(*words.split())
    assert shown.exit_code == 2
    assert shown.stderr.startswith("Traceback (most recent call last)")


LOUD = f"""import atexit, ctypes
{_AGENT}{_FIRST}        pass
def shout(where):
    print("from", where)
    os.write(1, b"raw from " + where.encode() + b"\\n")
    ctypes.CDLL(None).puts(b"native from " + where.encode())
    ctypes.CDLL(None).fflush(None)
    os.system("echo a program from " + where)
class Loud(Mine):
    def act(self, observation, actions):
        shout("act")
        return actions[0]
shout("import")
atexit.register(shout, "exit")
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "tic_tac_toe", "--agent", "./loud.py:Loud"),
        (
            "tournament",
            "tic_tac_toe",
            "--agent",
            "./loud.py:Loud",
            "--agent",
            "random",
            "--blocks",
            "1",
            "--workers",
            "1",
            "--no-tracking",
        ),
        ("agents", "./loud.py:Loud"),
    ],
)
def test_only_json_reaches_standard_output(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tag", *arguments, "--json"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)
    for how in ("from", "raw from", "native from", "a program from"):
        assert f"{how} import\n" in done.stderr
        assert f"{how} exit\n" in done.stderr


@pytest.mark.parametrize("lines", [0, 2])
@pytest.mark.parametrize(
    "arguments", ["--help", "tournament --help", "agents mcts", "agents", "games", "games battlelore", "heuristics"]
)
def test_a_reader_that_has_seen_enough_is_no_error(arguments: str, lines: int) -> None:
    """As with ``tag agents mcts | head -1``, whether click prints or Rich."""
    command = [sys.executable, "-m", "tag", *arguments.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _line in range(lines):
            process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_help_answers_at_once() -> None:
    with cpu_time_below(1.0):
        subprocess.run([sys.executable, "-m", "tag", "--help"], check=True, stdout=subprocess.DEVNULL)


def test_a_timer_of_the_caller_goes_on_as_it_was(tmp_path: Path) -> None:
    """Of one that rings once, a second alarm would interrupt what is none of its business."""
    for interval in (0.0, 30.0):
        signal.setitimer(signal.ITIMER_REAL, 60.0, interval)
        try:
            make_agent("random")
            left, again = signal.getitimer(signal.ITIMER_REAL)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        assert 50.0 < left <= 60.0
        assert again == pytest.approx(interval)
