"""Components: the things on the table, with owners and visibility.

Component ── Kind (immutable, shared) ── Card, Token, BoardNode, Edge
          ├─ Counter, Die
          ├─ Container (a list of items) ── Deck ── PartiallyObservableDeck
          │                              └─ Board ── GridBoard ── PartiallyObservableGridBoard
          │                                       ├─ GraphBoard (over a Graph)
          │                                       └─ HexBoard (over a HexGrid)
          └─ Area (components by name)

`tag.table.components` says what tables in the browser show of each, `tag.components.data` reads them from files of TAG.
"""

from __future__ import annotations

from tag.components._areas import Area
from tag.components._boards import (
    Board,
    BoardNode,
    Edge,
    Graph,
    GraphBoard,
    GridBoard,
    HexBoard,
    HexGrid,
    PartiallyObservableGridBoard,
)
from tag.components._component import Component
from tag.components._containers import Container, redeal
from tag.components._counters import UNBOUNDED, Counter
from tag.components._decks import EVERYBODY, Deck, PartiallyObservableDeck, move_item
from tag.components._dice import Die
from tag.components._kinds import Card, Kind, Property, Token, french_cards, shared
from tag.components._visibility import (
    BOTTOM_VISIBLE_TO_ALL,
    HIDDEN_TO_ALL,
    MIXED_VISIBILITY,
    TOP_VISIBLE_TO_ALL,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    visibility_name,
    visibility_of,
)

__all__ = [
    "BOTTOM_VISIBLE_TO_ALL",
    "EVERYBODY",
    "HIDDEN_TO_ALL",
    "MIXED_VISIBILITY",
    "TOP_VISIBLE_TO_ALL",
    "UNBOUNDED",
    "VISIBLE_TO_ALL",
    "VISIBLE_TO_OWNER",
    "Area",
    "Board",
    "BoardNode",
    "Card",
    "Component",
    "Container",
    "Counter",
    "Deck",
    "Die",
    "Edge",
    "Graph",
    "GraphBoard",
    "GridBoard",
    "HexBoard",
    "HexGrid",
    "Kind",
    "PartiallyObservableDeck",
    "PartiallyObservableGridBoard",
    "Property",
    "Token",
    "french_cards",
    "move_item",
    "redeal",
    "shared",
    "visibility_name",
    "visibility_of",
]
