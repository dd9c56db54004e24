"""Texts of a figure that stand below each other, drawn by one artist of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.backend_bases import RendererBase
from matplotlib.text import Text


class TextsAtLevels(Text):
    """Texts that differ in their level only; an artist for each, as `Axes.text` makes, would take half as long again."""

    def __init__(self, levels: Sequence[float], texts: Sequence[str], x: float, **style: Any) -> None:
        """Take the texts and their levels, and the ``style`` of all."""
        super().__init__(x, 0.0, "", clip_on=False, **style)
        self._at_levels = list(zip(levels, texts, strict=False))

    def draw(self, renderer: RendererBase, *args: Any, **kwargs: Any) -> None:
        """Draw one after the other."""
        for level, text in self._at_levels:
            self.set_y(level)
            self.set_text(text)
            super().draw(renderer, *args, **kwargs)
