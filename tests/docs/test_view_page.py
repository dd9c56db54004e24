"""The guide to views shows a view that is played with, and names what there is."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "view_for_your_game.md").read_text(encoding="utf-8")


def test_the_view_is_that_of_connect_four_and_short() -> None:
    (shown,) = re.findall(r"^```jinja\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown == (ROOT / "games" / "abstract" / "views" / "connect_four.jinja").read_text(encoding="utf-8")
    assert len(shown.splitlines()) <= 60


def test_what_draw_has_is_there() -> None:
    pieces = (ROOT / "tournaments" / "web" / "templates" / "tables" / "pieces.jinja").read_text(encoding="utf-8")
    named = set(re.findall(r"draw\.(\w+)\(", PAGE))
    assert {"token", "card", "picks", "acts", "key"} < named <= set(re.findall(r"{% macro (\w+)\(", pieces))
