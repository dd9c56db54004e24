"""The rules of a game as a page shows them: the text by which the game describes itself, in paragraphs and lists."""

from __future__ import annotations

import re
from typing import Any, Final

from tag.catalogue.describe import describe_game

_ITEM: Final = re.compile(r"(?m)^\* ")


def rules_of(game: str) -> dict[str, Any]:
    """Return the rules of the game with this name.

    They have a ``title``, and ``sections`` with a ``title``, empty for none, and ``blocks``: texts, and lists of texts.
    """
    about = describe_game(game)
    parts = {"": "", **about.sections()}
    parts[""] = f"{about.summary}\n\n{parts['']}"
    sections = [{"title": title, "blocks": text_blocks(text)} for title, text in parts.items()]
    return {"title": about.game_type.title, "sections": sections}


def text_blocks(text: str) -> list[str | list[str]]:
    r"""Return the paragraphs of a text, each as one line, and lists of such for the items of its lists.

    >>> text_blocks("Two ways:\n\n* one that is\n  long\n* another\n\nThat is all.")
    ['Two ways:', ['one that is long', 'another'], 'That is all.']
    """
    found: list[str | list[str]] = []
    for paragraph in filter(None, re.split(r"\n\s*\n", text.strip())):
        before, *items = _ITEM.split(paragraph)
        if before.strip():
            found.append(_line(before))
        if items:
            found.append([_line(item) for item in items])
    return found


def _line(text: str) -> str:
    return " ".join(text.replace("`", "").split())
