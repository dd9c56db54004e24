"""Games as learners see them: actions as indices (`Vocabulary`), positions as cells with small numbers (`Cells`)."""

from __future__ import annotations

from tag.engine.encoding.cells import Cells, grid_neighbours, grid_rows, square_symmetries
from tag.engine.encoding.vocabulary import Actions, Vocabulary

__all__ = ["Actions", "Cells", "Vocabulary", "grid_neighbours", "grid_rows", "square_symmetries"]
