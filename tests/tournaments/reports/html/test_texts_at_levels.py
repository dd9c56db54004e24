"""Names of rows that one artist draws are those of an artist for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest
from matplotlib.axes import Axes

from tag.tournaments.reports.figures import ranges_figure
from tag.tournaments.reports.html import figures
from tag.tournaments.reports.html.texts import TextsAtLevels

NAMES = ["random", "mcts:budget=400,k=1.4", "$x_1^2$", "gypsy <&>", "É", "", " two words "]


def test_the_drawing_is_that_of_single_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pd.DataFrame({"name": NAMES, "colour": figures.INK, "mean": range(7), "low": -1.0, "high": 9.0})
    rows["note"] = ["A", "AB", "", "B", "C", "C", "D"]
    drawn = ranges_figure("rates", "Rates", "", rows)
    texts = drawn.svg, drawn.narrow
    assert texts[0].count("<text") > len(NAMES)

    def singly(axes: Axes, levels: Sequence[float], some: Sequence[str], share: float, style: dict[str, Any]) -> None:
        for level, text in zip(levels, some, strict=False):
            axes.text(share, level, text, **style)

    def of_each(axes: Axes, artist: TextsAtLevels) -> None:
        (levels, some), (share, _level) = zip(*artist._at_levels, strict=True), artist.get_position()
        names = ("transform", "ha", "va", "color")
        singly(axes, levels, some, share, {name: getattr(artist, f"get_{name}")() for name in names})

    monkeypatch.setattr(Axes, "add_artist", of_each)
    single = ranges_figure("rates", "Rates", "", rows)
    assert (single.svg, single.narrow) == texts
