"""All files of TAG's own repository: the counts in the guide are those of the readers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from java_files import counts, refusals, table

pytestmark = pytest.mark.flow

_WHERE = "TAG_IN_JAVA"
_GUIDE = Path(__file__).parents[3] / "docs/coming_from_tag.md"


@pytest.fixture(scope="module")
def checkout() -> Path:
    folder = os.environ.get(_WHERE)
    if not folder:
        pytest.skip(f"{_WHERE} names no checkout of TAG's repository, whose files are counted")
    return Path(folder)


def test_the_table_of_the_guide_is_what_the_readers_find(checkout: Path) -> None:
    assert table(checkout) in _GUIDE.read_text(encoding="utf-8")


def test_every_refusal_has_one_reason(checkout: Path) -> None:
    found = dict(refusals(checkout))
    assert len(found) == sum(one["refused"] for one in counts(checkout).values())
    assert all(reason and "\n" not in reason for reason in found.values())
