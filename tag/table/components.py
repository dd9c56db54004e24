"""Components as a player or a spectator sees them, as plain values."""

from __future__ import annotations

from typing import Any

from tag.components import (
    VISIBLE_TO_OWNER,
    Area,
    Component,
    Container,
    Counter,
    Deck,
    Die,
    GraphBoard,
    GridBoard,
    HexBoard,
    PartiallyObservableDeck,
)
from tag.table.game import EVERYTHING


def component_view(component: Component, viewer: int) -> dict[str, Any]:
    """Return a component as ``viewer`` sees it.

    It has ``kind`` (``deck``, ``grid``, ``hexes``, ``graph``, ``items``, ``counter``, ``die``, ``area`` or ``thing``),
    ``name`` and ``owner`` (-1 for none). A container has ``items``: numbers, texts, or None for one that is not seen; of a
    deck of which nothing is seen, only ``count``; of a hand that others know in part, what they know comes first. A board
    has the names of its ``places`` beside, and ``width`` and ``height``, ``coordinates`` (axial) or ``edges`` (pairs of
    places). Others have ``text``, a counter also ``value``, ``low`` and ``high``.
    """
    found: dict[str, Any] = {"kind": "thing", "name": component.name, "owner": int(component.owner)}
    if isinstance(component, Area):
        return {**found, "kind": "area", "parts": [component_view(part, viewer) for part in component.parts()]}
    if isinstance(component, Container):
        return {**found, **_container_view(component, viewer)}
    if isinstance(component, Die):
        found["kind"] = "die"
    if not component.is_visible_to(viewer):
        return {**found, "text": "?"}
    if isinstance(component, Counter):
        bounds = {"value": int(component.value), "low": int(component.low), "high": int(component.high)}
        return {**found, "kind": "counter", "text": component.text(viewer), **bounds}
    return {**found, "text": component.text(viewer)}


def _container_view(container: Container[Any], viewer: int) -> dict[str, Any]:
    contents = container.contents()
    items = [_item_view(container, index, viewer) for index in range(len(contents))]
    if isinstance(container, Deck):
        is_hidden = bool(items) and all(item is None for item in items)
        if isinstance(container, PartiallyObservableDeck) and container.shows == VISIBLE_TO_OWNER:
            items.sort(key=lambda item: item is None)  # else the places of hidden cards would tell of their random deal
        return {"kind": "deck", "count": len(items), "items": None if is_hidden else items}
    if isinstance(container, GridBoard):
        size = {"width": int(container.width), "height": int(container.height)}
        return {"kind": "grid", "items": items, "places": _place_names(container), **size}
    if isinstance(container, HexBoard):
        return {
            "kind": "hexes",
            "items": items,
            "places": _place_names(container),
            "coordinates": [list(coordinate) for coordinate in container.grid.coordinates],
        }
    if isinstance(container, GraphBoard):
        edges = [[int(edge.start), int(edge.end)] for edge in container.graph.edges]
        return {"kind": "graph", "items": items, "places": _place_names(container), "edges": edges}
    return {"kind": "items", "items": items}


def _item_view(container: Container[Any], index: int, viewer: int) -> int | str | None:
    """Return an item as a number or in words, None where the viewer does not see it."""
    if viewer != EVERYTHING and not container.is_item_visible(index, viewer):
        return None
    item = container.contents()[index]
    return int(item) if isinstance(item, int) else container.item_text(index, viewer)


def _place_names(board: Any) -> list[str]:
    return [board.place_name(place) for place in range(len(board.contents()))]
