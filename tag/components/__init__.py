"""Components."""

from tag.components._component import Component as Component
from tag.components._grid_board import GridBoard as GridBoard
