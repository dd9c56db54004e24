"""Links between files of the repository: each has its target there, so that they can be followed on a code host too."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^()#\s]+)(?:#[^()\s]*)?\)")
PAGES = [*ROOT.glob("*.md"), *(path for folder in ("docs", "examples") for path in (ROOT / folder).rglob("*.md"))]


def test_every_relative_link_has_its_target_in_the_repository() -> None:
    links = [
        (page, target)
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not re.match(r"\w+:", target)
    ]
    assert len(links) > 150
    broken = [f"{page.relative_to(ROOT)}: {target}" for page, target in links if not (page.parent / target).exists()]
    assert broken == []
