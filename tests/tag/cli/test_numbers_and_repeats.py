"""Every number of every command has a range, and an option that takes one value is given once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from typing import Any

import click
import pytest
from commands import run_tag

from tag.catalogue.options import LARGEST, Range, check_ranges, name_of, options_in
from tag.cli import _COMMANDS
from tag.cli.numbers import Number
from tag.errors import DataError, ParameterError, TagError
from tag.tournaments.commands.analysis import AnalysisSettings
from tag.tournaments.commands.settings import DeclaredOption, Settings, flag_of
from tag.tuning.commands.python import BalanceSettings, StudySettings, TrainingSettings

pytestmark = pytest.mark.flow

DECLARING = (Settings, AnalysisSettings, StudySettings, BalanceSettings, TrainingSettings)


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield all commands with the words that name them."""
    for name, (where, _about) in _COMMANDS.items():
        module, _, attribute = where.partition(":")
        yield from _within((name,), getattr(import_module(module), attribute))


def _within(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _within((*words, name), inner)
    else:
        yield words, command


def options(kind: type[Any]) -> list[tuple[tuple[str, ...], click.Option]]:
    """Return the options of all commands that have a type of this kind, each with the words of its command."""
    return [
        (words, one)
        for words, command in commands()
        for one in command.params
        if isinstance(one, click.Option) and isinstance(one.type, kind)
    ]


def beyond(numbers: Range) -> list[float]:
    """Return a number below the range, one above it, and those that are in no range."""
    low = numbers.least - 1 if numbers.least > -LARGEST else -2.0 * LARGEST
    high = numbers.most + 1 if numbers.most < LARGEST else 2 * LARGEST
    return [one for one in (low, high) if numbers.refusal(one)]


def test_every_number_of_a_command_is_declared_with_a_range():
    plain = [
        (words, one.name) for words, one in options(click.types.IntParamType) if not isinstance(one, DeclaredOption)
    ]
    plain += [
        (words, one.name) for words, one in options(click.types.FloatParamType) if not isinstance(one, DeclaredOption)
    ]
    assert plain == []
    assert len(options(Number)) > 25
    declared = [(cls, one, about) for cls in DECLARING for one, about in options_in(cls)]
    numeric = [(cls, one, about) for cls, one, about in declared if str(one.type).startswith(("int", "float"))]
    assert [(cls.__name__, one.name) for cls, one, about in numeric if about.range is None] == []
    assert len(numeric) > 50
    without_type = [(one.name) for _cls, one, about in declared if about.range is not None and one.type == "str"]
    assert without_type == []


@pytest.mark.parametrize(
    ("words", "option"),
    options(Number),
    ids=lambda one: one.opts[0] if isinstance(one, click.Option) else "-".join(one),
)
def test_numbers_of_commands_out_of_their_range_are_refused_in_a_sentence(words, option):
    assert isinstance(option.type, Number)
    texts = [str(number) for number in beyond(option.type.range)] + (
        ["nan", "inf"] if option.type.name == "float" else []
    )
    assert texts
    for text in texts:
        result = run_tag(*words, option.opts[0], text)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"tag: {option.opts[0]} cannot be "), result.stderr
        assert result.stderr.count("\n") == 1
    for number in (option.type.range.least, min(option.type.range.most, LARGEST)):
        assert option.type.convert(str(number), option, None) == number


@pytest.mark.parametrize("cls", DECLARING)
def test_declared_numbers_out_of_their_range_are_refused_from_every_source(cls):
    checked = 0
    for one, about in options_in(cls):
        if about.range is None:
            continue
        name, is_real = name_of(one.name, about), "float" in str(one.type)
        for number in [float(beyond_it) if is_real else beyond_it for beyond_it in beyond(about.range)]:
            with pytest.raises((ParameterError, DataError), match=f"^({name}|{one.name} in study.toml) cannot be "):
                cls.from_values({one.name: number}, "study.toml")
            with pytest.raises(TagError):  # in Python, workers are no argument
                cls.from_call("play()", {one.name: number})
            checked += 1
        if is_real:
            for number in (float("nan"), float("inf")):
                with pytest.raises(DataError, match=f"{one.name} in study.toml cannot be {number}"):
                    cls.from_values({one.name: number}, "study.toml")
        kept = getattr(cls.from_values({one.name: about.range.least}, "study.toml"), one.name)
        assert kept == about.range.least
    assert checked >= 10


def test_what_a_folder_holds_is_read_although_its_numbers_are_out_of_todays_range():
    assert Settings.from_values({"workers": 2}, "runs/old", {"seed": -5, "precision": 0.0}).seed == -5
    with pytest.raises(ParameterError, match="^seed cannot be -5; the least is 0$"):
        Settings.from_values({"seed": -5}, "runs/old", {"seed": -5})


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (("tournament", "tic_tac_toe", "--precision", "0"), "precision cannot be 0; the least is 1e-06"),
        (("tournament", "tic_tac_toe", "--players", "0"), "players cannot be 0; the least is 1"),
        (("tournament", "tic_tac_toe", "--seed", "-1"), "seed cannot be -1; the least is 0"),
        (("play", "tic_tac_toe", "--seed", "-1"), "--seed cannot be -1; the least is 0"),
        (("play", "tic_tac_toe", "--players", "0"), "--players cannot be 0; the least is 1"),
        (("play", "tic_tac_toe", "--view", "-2"), "--view cannot be -2; the least is -1"),
        (("serve", ".", "--port", "65536"), "--port cannot be 65536; the most is 65535"),
        (
            ("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--sprt", "0,inf"),
            "sprt cannot be '0,inf'; its numbers are finite, such as 0,10",
        ),
        (
            ("tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--sprt", "0,10,nan,0.1"),
            "sprt cannot be '0,10,nan,0.1'; its numbers are finite, such as 0,10",
        ),
    ],
)
def test_numbers_that_were_accepted(said, sentence):
    result = run_tag(*said)
    assert (result.exit_code, result.stderr) == (2, f"tag: {sentence}\n")


def test_ranges_check_the_fields_of_a_dataclass_and_leave_defaults_alone():
    check_ranges(StudySettings())
    with pytest.raises(ParameterError, match="^live cannot be 0; the least is 1$"):
        check_ranges(StudySettings(live=0))
    assert all(one.name for one in fields(StudySettings))


# --- options that are given twice ---------------------------------------------------------------------------------------


def single_valued() -> list[tuple[tuple[str, ...], click.Option]]:
    """Return all options that take one value, or a choice of two."""
    return [
        (words, one)
        for words, one in options(click.ParamType)
        if not one.multiple and (not one.is_flag or one.secondary_opts)
    ]


def _said(one: click.Option) -> list[str]:
    return [one.opts[0], one.secondary_opts[0]] if one.secondary_opts else [one.opts[0], "1", one.opts[0], "2"]


@pytest.mark.parametrize(
    ("words", "option"),
    single_valued(),
    ids=lambda one: one.opts[0] if isinstance(one, click.Option) else "-".join(one),
)
def test_an_option_with_one_value_is_refused_when_repeated(words, option):
    result = run_tag(*words, *_said(option))
    assert result.exit_code == 2
    assert result.stderr == f"tag: {option.opts[0]} is given 2 times and takes one value; leave all but one out\n"


def test_options_that_take_several_values_and_flags_may_be_repeated(tmp_path):
    said = ["tournament", "tic_tac_toe", "--agent", "random", "--agent", "osla", "--quiet", "--quiet", "--blocks", "1"]
    result = run_tag(*said, "--no-ray", "--no-tracking", "--out", tmp_path / "run")
    assert result.exit_code == 0, result.stderr
    assert flag_of("agents", {one.name: about for one, about in options_in(Settings)}["agents"]) == "--agent"
