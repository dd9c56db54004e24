"""The decisions are short enough to be read, each with its reason, and each is found below one subject."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")
#: By heading, the entries of a section.
SECTIONS = {
    section.partition("\n")[0]: [
        re.sub(r"\s+", " ", entry) for entry in re.findall(r"^- .*(?:\n  .*)*", section, re.MULTILINE)
    ]
    for section in PAGE.split("\n## ")[1:]
}
ENTRIES = [entry for entries in SECTIONS.values() for entry in entries]


def test_the_page_is_short_enough_to_be_read() -> None:
    assert len(ENTRIES) >= 100
    assert len(PAGE.splitlines()) <= 360
    assert [entry for entry in ENTRIES if len(entry.split()) > 75] == []


def test_each_entry_names_a_choice_and_adds_a_reason() -> None:
    bare = [entry for entry in ENTRIES if not re.match(r"- \*\*[^*]+\*\*.{10}", entry)]
    assert bare == []


def test_each_choice_is_named_once() -> None:
    named = [entry.split("**")[1] for entry in ENTRIES]
    assert len(set(named)) == len(named)


def test_no_section_is_empty_or_too_long_to_be_searched() -> None:
    assert {heading: len(entries) for heading, entries in SECTIONS.items() if not 3 <= len(entries) <= 30} == {}
