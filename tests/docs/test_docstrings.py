"""First lines of docstrings name the thing, and names that users call have examples."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "cluster", "games", "tag", "tournaments", "tuning")
PRONOUNS = {
    *("he", "her", "his", "it", "its", "itself", "she", "their", "them", "themselves", "these", "they", "those"),
    "what",  # "Return what …" tells less than "Return the value of …"
}
#: Words between a verb and a pronoun that name nothing.
NAMELESS = set(
    re.findall(
        r"\w+",
        """a about after all also among and any are as at back be been before by can each every first for has have how if in
        into is just last many more most much next no none not of on one only or other out over same some that the through
        to until when where whether which while who why will without""",
    )
)
#: Docstrings that lean on a pronoun; the number may only shrink.
MOST_LEANING = 47
#: Lines of examples per 1,000 lines; the number may only grow.
FEWEST_EXAMPLES = 7.0


def leans(line: str) -> bool:
    """Say whether a pronoun stands in a first line before any word that could be a name.

    The first word is taken for a verb, unless a colon or comma follows. Words of code are names.
    """
    words = re.findall(r"[a-z']+[:,]?", re.sub(r"`+[^`]+`+", "name:", line.lower()))
    if not words or words[0][-1] in ":,":
        return False
    named = next((number for number, word in enumerate(words[1:], 1) if word.rstrip(":,") not in NAMELESS), 0)
    return words[0] in PRONOUNS or words[named].rstrip(":,") in PRONOUNS


@cache
def docstrings() -> dict[str, str]:
    """Return the docstrings of all modules, classes and functions by place."""
    return {
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}": text
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and (text := ast.get_docstring(node))
    }


def sources() -> Iterator[Path]:
    """Yield the modules of all packages, each once: ``tag`` also has links to the others."""
    return (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")) if ROOT / name == outermost(path))


def outermost(path: Path) -> Path:
    """Return the package that a module is in, without links."""
    return ROOT / path.resolve().relative_to(ROOT).parts[0]


@pytest.mark.parametrize(
    "line",
    [
        "Its value with half the length of its interval.",
        "Return it as plain values.",
        "Return those of ``actions`` that stay.",
        "Say whether it can be asked.",
        "Have all of them forget files.",
        "True if its model is written.",
        "Return what a final position is worth.",
    ],
)
def test_lines_that_lean_on_a_pronoun_are_found(line):
    assert leans(line)


@pytest.mark.parametrize(
    "line",
    [
        "Return the tree of the last decision and its size.",
        "Agents: what they are asked.",
        "Copy the cells and their visibility.",
        "``go on``, or that it ends.",
        "Return ``values`` as they are now.",
        "The number of games.",
        "Roll.",
    ],
)
def test_lines_that_name_the_thing_are_not(line):
    assert not leans(line)


def test_first_lines_name_the_thing():
    found = [f"{place}: {text.partition(chr(10))[0]}" for place, text in docstrings().items()]
    leaning = [line for line in found if leans(line.partition(": ")[2])]
    assert len(found) > 5_000
    assert len(leaning) <= MOST_LEANING, "\n".join(leaning)


def test_names_that_users_call_have_examples():
    examples = [one for text in docstrings().values() for one in doctest.DocTestParser().get_examples(text)]
    lines = sum(one.source.count("\n") for one in examples)
    code = sum(path.read_text(encoding="utf-8").count("\n") for path in sources())
    assert 1_000 * lines / code >= FEWEST_EXAMPLES
