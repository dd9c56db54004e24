"""Promises of the documents about isolation, trust, determinism and errors: each sentence has a test that holds it.

The tables beside this file have the sentences of whole sections, and those of other sections that use words of these
subjects. A key is a sentence as it is read, without emphasis and the targets of links; a row of a table is one, too. The
value lists the tests below ``tests/`` that fail where it is not true. It is "explains" where the sentence promises nothing:
it gives a reason, a limit, a measured figure or advice. Where you change a sentence, ask which test would find it false.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tag.tournaments.definition import Rules

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[3]
TABLES: list[dict[str, dict[str, dict[str, dict[str, Any]]]]] = [
    tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(__file__).parent.glob("*.toml"))
]
#: By page and heading: sections whose sentences are all in the tables, and sections of which some are.
WHOLE = {page: found for table in TABLES for page, found in table.get("whole sections", {}).items()}
OTHERS = {page: found for table in TABLES for page, found in table.get("other sections", {}).items()}
#: What a sentence that promises nothing has in place of tests.
EXPLAINS = "explains"
#: Words of the four subjects; every sentence with one of them is in the table, wherever it is.
WORDS = re.compile(
    r"number of workers|byte for byte|to the (?:same )?bits?\b|--trust|--isolate|same ledger|ledger everywhere|identical"
    r"|\bdeterministic|repeatable|interrupt(?:ed|ion)|(?:a|one) sentence|exit code|\brefuse[sd]?\b",
    re.IGNORECASE,
)
#: Pages that say why things are as they are, or what was measured once.
BACKGROUND = ("docs/decisions.md", "docs/papers.md", "docs/rhea_thesis.md", "docs/background/")
#: Tests that need real nodes or hours; all other promises are held by a test that runs with every change.
LONG = ("cluster/test_network.py", "tournaments/driver/test_kill_storm.py")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
#: A bold word or two at the beginning of a paragraph, which are its heading.
RUN_IN = re.compile(r"\*\*(?:\S+ ){0,2}\S+\.\*\* ")
END = re.compile(r"(?<=[.!?])[)\"”`]*\s+(?=[A-Z0-9`\"“(\[])")


def sections(page: str) -> dict[str, list[str]]:
    """Return the lines of each section of a page, without those of blocks of code."""
    found: dict[str, list[str]] = {}
    lines, is_code = found.setdefault("", []), False
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
            lines.append("")
        elif not is_code and line.startswith("#"):
            lines = found.setdefault(line.lstrip("# "), [])
        elif not is_code:
            lines.append(line)
    return found


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of a section as they are read: without marks of links and emphasis; a row of a table is one."""
    paragraph: list[str] = []
    rows = 0
    for line in [*lines, ""]:
        text = re.sub(r"^(?:[-*]|\d+\.) ", "", line.strip())
        if (not text or text != line.strip() or text.startswith("|")) and paragraph:
            whole = LINK.sub(r"\1", RUN_IN.sub("", " ".join(paragraph))).replace("**", "")
            yield from END.split(whole)
            paragraph.clear()
        rows = rows + 1 if text.startswith("|") else 0
        if rows > 2:  # the first are the names of the columns, and a line below them
            yield LINK.sub(r"\1", text.strip("| ").replace("**", ""))
        elif text and not rows:
            paragraph.append(text)


@cache
def functions(file: str) -> dict[str, bool]:
    """Return for each function of a module of tests, or of a class in it, whether it is marked as slow; import nothing."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    marks = [node.value for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node)]
    all_slow = any("mark.slow" in ast.unparse(mark) for mark in marks)
    return {
        node.name: all_slow or any(ast.unparse(one) == "pytest.mark.slow" for one in node.decorator_list)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def rows() -> Iterator[tuple[str, str, list[str] | str]]:
    """Yield page, sentence and tests of each row of the table."""
    for part in (WHOLE, OTHERS):
        for page, by_heading in part.items():
            for found in by_heading.values():
                for sentence, tests in found.items():
                    yield page, sentence, tests


@pytest.mark.parametrize(("page", "heading"), [(page, heading) for page in WHOLE for heading in WHOLE[page]])
def test_every_sentence_of_a_section_is_in_the_table_and_no_other(page: str, heading: str) -> None:
    assert list(WHOLE[page][heading]) == list(sentences(sections(page)[heading]))


def test_every_sentence_on_the_subjects_is_in_the_table_wherever_it_is() -> None:
    pages = [path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]]
    missing = [
        f"{page}, {heading}: {sentence}"
        for page in pages
        if not page.startswith(BACKGROUND)
        for heading, lines in sections(page).items()
        if heading not in WHOLE.get(page, {})
        for sentence in sentences(lines)
        if WORDS.search(sentence) and sentence not in OTHERS.get(page, {}).get(heading, {})
    ]
    assert missing == []


@pytest.mark.parametrize("page", OTHERS)
def test_sentences_of_other_sections_are_still_there(page: str) -> None:
    there = {heading: set(sentences(lines)) for heading, lines in sections(page).items()}
    assert [
        (heading, sentence)
        for heading, found in OTHERS[page].items()
        for sentence in found
        if sentence not in there.get(heading, set())
    ] == []


def test_every_test_named_exists_and_every_promise_names_one() -> None:
    promises = [(sentence, tests) for _page, sentence, tests in rows() if tests != EXPLAINS]
    assert len(promises) > 100
    for sentence, tests in promises:
        assert isinstance(tests, list), sentence
        assert tests, sentence
        for test in tests:
            file, _, name = test.partition("::")
            assert name.startswith("test_"), test
            assert name in functions(file), test
        named = [test.split("::") for test in tests]
        assert any(file in LONG or not functions(file)[name] for file, name in named), sentence


def test_the_defaults_in_the_table_of_faults_are_those_of_the_options() -> None:
    cases = 0
    for row in sentences(sections("docs/reference/tournaments.md")["Faults"]):
        if " | " in row:
            kind, option, default = row.split(" | ")
            name = re.sub(r"`--([a-z-]+).*", r"\1", option).replace("-", "_")
            assert default.strip("`") == ("forfeit" if kind.startswith("clock") else getattr(Rules(), name)), row
            cases += 1
    assert cases == 6
