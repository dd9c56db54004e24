"""The command and the Python call that the workbench shows do the same: for every option, and played."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import pytest
from commands import run_tag

from tag.tournaments import content_hash
from tag.tournaments.commands.experiment import asked
from tag.tournaments.commands.settings import Settings, given_options
from tag.tournaments.commands.tournament import tournament
from tag.tuning.commands import cli
from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings
from tag.tuning.commands.workbench.fields import options_form
from tag.tuning.commands.workbench.kinds import KINDS
from tag.tuning.commands.workbench.wanted import WantedRun, read_values

#: What each kind cannot be without.
NEEDED: Mapping[str, dict[str, Any]] = {
    "tournament": {"game": ["nim"], "agents": ["osla", "strong=mcts:budget=20"]},
    "study": {"agents": ["mcts:budget=8"], "game": ["nim"], "games": 40},
    "balancing study": {"game": "love_letter", "agents": ["random"], "targets": ["draws<=0.5"], "games": 40},
    "training": {"learner": "td_ntuple:tuples=lines", "game": "tic_tac_toe", "episodes": 30},
}
COMMANDS: Mapping[str, click.Command] = {
    "tournament": tournament,
    "study": cli.run_tune,
    "balancing study": cli.run_balancing,
    "training": cli.run_train,
}
SETTINGS = {"study": StudySettings, "balancing study": BalanceSettings, "training": TrainingSettings}
#: Values of options whose declaration has no example, or one that names a file.
VALUES: Mapping[str, Any] = {
    "metrics": ["lead", "margin"],
    "sprt": "-10,10",
    "design": "swiss",
    "opening": "random:4",
    "sampler": "random",
    "players": 2,
}


def value_of(field: Mapping[str, Any]) -> Any:
    """A value for a field that is not its default."""
    example = VALUES.get(field["name"], field["example"])
    if field["kind"] == "flag":
        return not field["default"]
    if field["kind"] == "choice":
        return field["choices"][-1]
    if field["kind"] in ("integer", "real"):
        found = float(example) if field["kind"] == "real" else int(example)
        return found + 1 if found == field["default"] else found
    if field["kind"] in ("lines", "agents", "games"):
        return example if isinstance(example, list) else ["osla"] if field["kind"] == "agents" else example.split()
    return str(example)


def wanted(kind: str, **values: Any) -> WantedRun:
    found = {**NEEDED[kind], **values}
    return WantedRun(KINDS[kind], "runs/one", read_values(KINDS[kind], found))


def given_by_command(kind: str, command: str) -> dict[str, Any]:
    """The arguments that click reads from a command line, as those that the command's function gets."""
    tag, *words = shlex.split(command)
    assert tag == "tag"
    words = words[len(KINDS[kind].command) :]
    with COMMANDS[kind].make_context(kind, words) as context:
        return dict(context.params)


def given_by_call(call: str) -> tuple[str, list[Any], dict[str, Any]]:
    """The function that a text of Python calls, with its arguments."""
    imported, expression = ast.parse(call).body
    assert isinstance(imported, ast.ImportFrom)
    assert isinstance(expression, ast.Expr)
    assert isinstance(expression.value, ast.Call)
    function = ast.unparse(expression.value.func)
    named = {one.arg or "": ast.literal_eval(one.value) for one in expression.value.keywords}
    return function, [ast.literal_eval(one) for one in expression.value.args], named


def settings_of(kind: str, found: WantedRun) -> tuple[Any, Any]:
    """The settings that the command reads, and those of the call, as plain values."""
    given = given_by_command(kind, found.command)
    for name in ("progress", "quiet", "as_json", "dry_run", "extend"):
        given.pop(name, None)
    function, positional, named = given_by_call(found.call)
    workers, tracking = named.pop("workers", None), named.pop("tracking", True)
    if kind == "tournament":
        (game,) = given.pop("games")
        players = given.pop("players")
        numbers = {} if players is None else {"players": int(players)}
        by_command = Settings.from_values({**given_options(given), **numbers, "game": game}, "the options")
        game, agents = positional
        by_call = Settings.from_call(function, {"game": game, "agents": tuple(agents), **named})
    else:
        subject = KINDS[kind].subject
        by_command = SETTINGS[kind].from_values(given_options(given), "the options")
        first, *game = positional
        names = {"study": ("agents", "game"), "balancing study": ("game",), "training": ("learner", "game")}[kind]
        said = dict(zip(names, (first, *game), strict=True))
        if subject == "agents" and isinstance(first, str):
            said["agents"] = (first,)
        by_call = SETTINGS[kind].from_call(function, {**said, **named})
    plain = {**asdict(by_call), "workers": workers, "tracking": tracking}
    return asdict(by_command), plain


OFFERED = [
    (kind.name, field["name"])
    for kind in KINDS.values()
    for field in options_form(kind)
    if field["name"] not in NEEDED[kind.name]
]


@pytest.mark.parametrize(("kind", "option"), OFFERED)
def test_each_option_means_the_same_in_the_command_and_in_the_call(kind: str, option: str) -> None:
    (field,) = [one for one in options_form(KINDS[kind]) if one["name"] == option]
    value = value_of(field)
    if (kind, option) == ("tournament", "players"):
        value = "2"
    found = wanted(kind, **{option: value})
    by_command, by_call = settings_of(kind, found)
    assert by_command == by_call
    nothing_said, _call = settings_of(kind, wanted(kind))
    assert by_command != nothing_said


def test_several_games_and_numbers_of_players_are_an_experiment() -> None:
    found = wanted("tournament", game=["nim", "love_letter"], players="2,3", blocks=2, seed=4)
    assert found.words[:3] == ["tournament", "nim", "love_letter"]
    given = given_by_command("tournament", found.command)
    games = given.pop("games")
    by_command = asked(games, {name: one for name, one in given.items() if name not in _SHOWN}, extend=False)
    function, (events, agents), named = given_by_call(found.call)
    assert function == "tournaments.play_experiment"
    assert [event.game for event in by_command.experiment.events.values()] == [
        "nim",
        "nim",
        "love_letter",
        "love_letter",
    ]
    assert (events, agents) == (["nim", "love_letter"], ["osla", "strong=mcts:budget=20"])
    assert named == {"players": [2, 3], "blocks": 2, "seed": 4, "out": "runs/one"}


_SHOWN = ("progress", "quiet", "as_json", "dry_run", "extend")


def definition_in(folder: Path) -> dict[str, Any]:
    (file,) = [path for path in folder.iterdir() if path.name in ("tournament.json", "study.json", "training.json")]
    definition: dict[str, Any] = json.loads(file.read_text())["definition"]
    return definition


def content_of(folder: Path) -> dict[str, str | bytes]:
    """The hashes of all ledgers below a folder, and the models in it."""
    hashes = {str(one.relative_to(folder)): content_hash(one.parent) for one in folder.rglob("ledger") if one.is_dir()}
    return {**hashes, **{file.name: file.read_bytes() for file in folder.glob("*.safetensors")}}


QUIETLY = {"workers": 1, "tracking": False}


@pytest.mark.flow
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("tournament", {"blocks": 3, "seed": 7, "players": "2", "record_actions": True}),
        ("study", {"search": ["k"], "validation": 0, "games_per_trial": 4, "sampler": "random", "versus": ["osla"]}),
        ("balancing study", {"search": ["guards", "princes"], "sampler": "random", "games": 20, "validation": 20}),
        ("training", {"seeds": 1, "evaluate": ["random"], "evaluations": 1, "evaluation_games": 2}),
    ],
)
def test_the_command_and_the_call_play_the_same(
    kind: str, values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = wanted(kind, **values, **QUIETLY)

    def by_command() -> None:
        result = run_tag(*shlex.split(found.command)[1:], "--quiet")
        assert result.exit_code == 0, result.output

    def by_call() -> None:
        exec(compile(found.call, "call", "exec"), {})  # noqa: S102  what the page shows

    def folder(name: str, run: Callable[[], None]) -> Path:
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        run()
        return tmp_path / name / "runs" / "one"

    one, other = folder("command", by_command), folder("call", by_call)
    assert definition_in(one) == definition_in(other)
    assert content_of(one) == content_of(other) != {}
