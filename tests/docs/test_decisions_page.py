"""The decisions keep their numbers: each is there once, none is lost, and references lead to one."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")
NUMBERED, _, NEW = PAGE.partition("\n## New\n")
NUMBERS = [int(number) for number in re.findall(r'^- <a id="d(?:\d+)"></a>\*\*#(\d+) ', NUMBERED, re.MULTILINE)]


def test_every_number_is_there_once() -> None:
    assert sorted(NUMBERS) == list(range(1, len(NUMBERS) + 1))
    assert len(NUMBERS) >= 132


def test_every_entry_has_its_number_as_an_anchor() -> None:
    entries = re.findall(r"^- .*", NUMBERED, re.MULTILINE)
    anchors = re.findall(r'^- <a id="d(\d+)"></a>\*\*#(\d+) ', NUMBERED, re.MULTILINE)
    assert len(entries) == len(anchors)
    assert all(anchor == number for anchor, number in anchors)
    assert all(entry.startswith("- **") for entry in re.findall(r"^- .*", NEW, re.MULTILINE))


def test_references_lead_to_decisions() -> None:
    for shown, target in re.findall(r"\[#(\d+)\]\(#d(\d+)\)", PAGE):
        assert shown == target
        assert int(target) in NUMBERS
