"""The page on tuning: its code runs."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")


def test_the_code_runs_and_recommends_what_was_played():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)  # noqa: S102  our own page
    assert names["choice"].sampler.recommend(names["study"]) == names["configuration"]
