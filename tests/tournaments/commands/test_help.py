"""Help of large commands: every option under a heading that says what it is about."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner
from commands import run_tag

from tag.cli import main
from tag.tournaments.commands.settings import GroupedCommand


def command_of(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command.commands["run"] if isinstance(command, click.Group) else command


@pytest.mark.parametrize("name", ["tournament", "tune", "balance", "analyse"])
def test_every_option_is_under_a_heading_once(name: str) -> None:
    command = command_of(name)
    text = run_tag(name, "--help").output
    assert isinstance(command, GroupedCommand)
    assert "Other options:" not in text
    options = text[text.index(":\n  -") :]  # the example has some, too
    sections = {part.partition("\n")[0] for part in text.split("\n\n")}
    assert len([section for section in sections if section.endswith(":")]) >= 7
    for option in command.params:
        if isinstance(option, click.Option):
            assert len(re.findall(rf"^  (-h, )?{option.opts[-1]}\b(?!-)", options, re.MULTILINE)) == 1, option.opts


@pytest.mark.parametrize("name", ["tournament", "tune", "balance", "analyse"])
def test_no_section_is_longer_than_a_screen(name: str) -> None:
    text = run_tag(name, "--help").output
    assert max(part.count("\n  -") for part in text.split("\n\n")) <= 12


def test_an_option_without_a_heading_is_still_there() -> None:
    @click.command(cls=GroupedCommand)
    @click.option("--mine")
    def mine() -> None:
        """Do nothing."""

    assert "Other options:\n  --mine" in CliRunner().invoke(mine, ["--help"]).output
