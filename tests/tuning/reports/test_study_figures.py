"""The figures of a study's report follow what they are given."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from tag.tuning.reports.figures import (
    Curve,
    curves_figure,
    map_figure,
    pareto_figure,
    path_figure,
    shares_figure,
    slice_figure,
)
from tag.tuning.search.trials import pareto_front

pytestmark = pytest.mark.flow


class TestFigures:
    """Figures follow what they are given."""

    def curve(self, values):
        return Curve("c", "#010400", pd.DataFrame({"games": [1.0, 2.0, 3.0], "value": values}))

    def points(self, values, is_ordered=True):
        values = np.array(values)
        n = len(values)
        return pd.DataFrame({
            "place": np.linspace(0.0, 1.0, n), "text": [f"choice number {at}" for at in range(n)], "value": values,
            "low": values - 0.1, "high": values + 0.1, "is_ordered": is_ordered, "is_recommended": np.arange(n) == 0,
        })  # fmt: skip

    def test_other_data_give_other_drawings(self):
        rows = pd.DataFrame({"name": ["a", "b"], "main": [0.2, 0.1], "total": [0.3, 0.1]})
        steps = pd.DataFrame(
            {"name": ["a", "b"], "before": [1.0, 3.0], "after": [3.0, 2.0], "is_better": [True, False]}
        )
        front = pd.DataFrame({
            "first": [1.0, 2.0, 0.5], "second": [1.0, 2.0, 2.5], "label": list("xyz"), "is_front": [True, True, False],
        })  # fmt: skip
        grid = np.array([[0.1, 0.2], [np.nan, 0.4]])

        def drawn(change):
            return [
                curves_figure("f", "T", "", [self.curve([0.1, 0.3, 0.2 + change])]),
                curves_figure("f", "T", "", [self.curve([0.1, 0.3, 0.2])], band=(-np.inf, 0.3 - change)),
                slice_figure("f", "T", "", self.points([0.4, 0.5, 0.6 + change]), 0.5, (0.0, 1.0)),
                slice_figure("f", "T", "", self.points([0.4, 0.5, 0.6 + change], False), None, (0.0, 1.0)),
                map_figure("f", "T", "", ("a", "b"), ("uv", "wx"), grid + change, [((0, 1), "#010400")], (0.0, 1.0)),
                shares_figure("f", "T", "", rows.assign(main=rows["main"] + change)),
                path_figure("f", "T", "", steps.assign(after=steps["after"] + change)),
                pareto_figure("f", "T", "", front.assign(second=front["second"] + change), ("a", "b")),
            ]

        for same, again, other in zip(drawn(0.0), drawn(0.0), drawn(0.25), strict=True):
            assert same.svg == again.svg
            assert re.sub("aria-label=.*", "", same.svg) != re.sub("aria-label=.*", "", other.svg)

    def test_an_empty_cell_has_no_colour(self):
        grid = np.array([[0.0, 1.0], [np.nan, 0.5]])
        figure = map_figure("f", "T", "", ("a", "b"), ("uv", "wx"), grid, [], (0.0, 1.0))
        assert [figure.svg.count(f"fill: var(--series-{shade})") for shade in (0, 5, 9)] == [1, 1, 1]
        assert len(re.findall(r"fill: var\(--series-\d\)", figure.svg)) == 3
        assert "The greatest value, 1, is at a u and b x." in figure.svg

    def test_long_names_of_choices_are_cut(self):
        figure = slice_figure("f", "T", "", self.points([0.4, 0.5, 0.6, 0.7], False), None, (0.0, 1.0))
        texts = re.findall(r"<text[^>]*>(choi[^<]*)<", figure.svg)
        assert len(texts) == 4
        assert all(len(text) <= 9 and text.endswith("…") for text in texts)

    def test_a_front_keeps_equals_and_drops_what_is_beaten(self):
        values = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5], [0.4, 0.5]])
        assert pareto_front(values) == [True, True, True, True, False]
