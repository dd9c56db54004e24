"""The pages for users of other frameworks: names and options exist, commands and code run."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from commands import run_line

from tag.catalogue.registry import agent_names, game_names, heuristic_names, learner_names
from tag.cli import main

pytestmark = pytest.mark.flow

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["coming_from_tag.md", "coming_from_others.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def ours(page: str) -> list[str]:
    """The right columns of the page's tables."""
    rows = [row.split(" | ") for row in read(page).splitlines() if row.startswith("| ")]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("page", PAGES)
def test_the_classes_and_methods_exist(page: str) -> None:
    names = {name for cell in ours(page) for name in re.findall(r"`((?:[A-Z]\w+|tag)(?:\.\w+)*)`", cell)}
    names -= {"SPEC", "DIR", "FILE"}
    assert len(names) >= 8
    for name in names:
        owner, _, attribute = name.partition(".")
        if owner == "tag":
            importlib.import_module(name)
            continue
        (module,) = [
            module for cell in ours(page) for module in re.findall(rf"`{owner}` in `(tag(?:\.\w+)+)`", cell)
        ] or ["tag"]
        found = getattr(importlib.import_module(module), owner)
        assert not attribute or hasattr(found, attribute) or f"        {attribute}: " in (found.__doc__ or ""), name


@pytest.mark.parametrize("page", PAGES)
def test_the_options_are_those_of_the_commands(page: str) -> None:
    checked = 0
    for cell in ours(page):
        command = re.search(r"`tag (\w+)", cell)
        if command is None:
            continue
        known = main.get_command(click.Context(main), command[1])
        assert known is not None, cell
        if isinstance(known, click.Group):
            known = known.get_command(click.Context(known), "run") or known
        options = {name for parameter in known.params for name in (*parameter.opts, *parameter.secondary_opts)}
        for option in re.findall(r"--[a-z-]+", cell):
            assert option in options, f"{command[1]} {option}"
            checked += 1
    assert checked >= 5


#: What the pages say does not exist, by words of the sentence: whatever it would be called is in none of the lists.
ABSENT = {
    "TAG's other games": ("descent", "terraforming_mars", "puerto_rico"),
    "Its agents": ("first", "first_action", "pickomino_greedy"),
    "Values of actions": ("action", "action_value"),
    "decision trees": ("decision_tree", "regression_tree", "tree"),
    "language models": ("language_model", "llm"),
}


def test_what_is_not_available_does_not_exist() -> None:
    """Each sentence is here; one about a feature that has come since fails."""
    lines = read("coming_from_tag.md").partition("## Not available")[2].strip().splitlines()
    assert [line for line in lines if not line.startswith("- ")] == []
    there = {*game_names(), *agent_names(), *learner_names(), *heuristic_names()}
    assert {"mcts", "connect_four", "td"} < there
    for line in lines:
        (names,) = [names for words, names in ABSENT.items() if words in line]
        assert there.isdisjoint(names), line
    assert len(lines) == len(ABSENT)


@pytest.mark.heavy
@pytest.mark.usefixtures("local_ray")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_and_the_code_run(page: str, environment: dict[str, str]) -> None:
    names = iter(re.findall(r"Save this as `(\w+\.json)`", read(page)))
    for kind, block in BLOCK.findall(read(page)):
        if kind == "json":
            Path(next(names)).write_text(block, encoding="utf-8")
        elif kind == "console":
            for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
                command, _, told = part.partition("\n")
                done = run_line(command, environment)
                assert done.returncode == 0, done.stderr
                assert done.stdout.startswith(told.strip().removesuffix("...").rstrip()), done.stdout
        else:
            assert kind == "python"
            done = subprocess.run(
                [sys.executable, "-c", block], env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            for comment in re.findall(r"^print\(.*\)  # (rhea:.*)$", block, re.MULTILINE):
                assert comment in done.stdout
