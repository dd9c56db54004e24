"""Hints: the values of a figure's marks, which a browser shows while a pointer rests on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The least width and height of what a pointer must hit, in points.
_LEAST: Final = 8.0
#: More places along an axis than this have no hint each.
_MOST: Final = 40


@dataclass(frozen=True)
class Hint:
    """A text for a rectangle in the coordinates of the data; infinite ends are those of the axes."""

    text: str
    left: float = -inf
    right: float = inf
    bottom: float = -inf
    top: float = inf

    @classmethod
    def at(cls, text: str, x: float, y: float) -> Hint:
        """Return the hint of a point."""
        return cls(text, x, x, y, y)


def of_rows(levels: Sequence[float], texts: Sequence[str], height: float = 1.0) -> list[Hint]:
    """Return a hint for each row of a figure."""
    half = 0.5 * height
    return [Hint(text, bottom=level - half, top=level + half) for level, text in zip(levels, texts, strict=True)]


def along(texts: Mapping[float, str]) -> list[Hint]:
    """Return hints for strips around places on the horizontal axis, by place; of very many some, the last among them."""
    places = sorted(texts)
    every = -(-len(places) // _MOST)
    places = places[::-1][::every][::-1]
    ends = [-inf, *((one + other) / 2.0 for one, other in pairwise(places)), inf]
    return [Hint(texts[place], left, right) for place, (left, right) in zip(places, pairwise(ends), strict=True)]


def placed(hints: Sequence[Hint], axes: Axes, height: float, dots_per_point: float) -> Iterator[str]:
    """Yield hints as elements of a drawing on these axes, which is so high in points; those outside are left out."""
    axes.get_xlim(), axes.get_ylim()  # after all that was painted
    corners = np.array([[(one.left, one.bottom), (one.right, one.top)] for one in hints]).reshape(-1, 2)
    is_end = ~np.isfinite(corners)
    room = axes.get_window_extent()
    with np.errstate(all="ignore"):
        shown = np.where(is_end, np.nan, axes.transData.transform(np.where(is_end, 1.0, corners)))
    ends = np.tile([[room.x0, room.y0], [room.x1, room.y1]], (len(hints), 1))
    boxes = (np.where(np.isnan(shown), ends, shown) / dots_per_point).reshape(-1, 2, 2)
    for hint, ((left, bottom), (right, top)) in zip(hints, boxes.tolist(), strict=True):
        if all(map(isfinite, (left, bottom, right, top))):
            yield _element(hint.text, _wide_enough(left, right), _wide_enough(height - top, height - bottom))


def _wide_enough(low: float, high: float) -> tuple[float, float]:
    """Return the begin and the size of an interval that a pointer can hit."""
    more = max(0.0, _LEAST - (high - low)) / 2.0
    return low - more, high - low + 2.0 * more


def _element(text: str, across: tuple[float, float], down: tuple[float, float]) -> str:
    (x, width), (y, height) = across, down
    title = escape(text)
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"><title>{title}</title></rect>'


def lines_text(place: str, values: Mapping[str, Any]) -> str:
    """Return the text of a place with a value per line."""
    return "\n".join([place, *(f"{name}: {value}" for name, value in values.items())])
