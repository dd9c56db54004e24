"""Search trees in words: the expected line of play, and the tree to a depth."""

from __future__ import annotations

from typing import Final

from tag.engine.state import AnyAction
from tag.playing.search_tree import SearchNode, principal_variation

#: The visits, and their share of those of the whole tree, below which a later action is only counted.
_LEAST: Final = 2
_SHARE: Final = 0.01


def line_of_play(root: SearchNode, texts: dict[AnyAction, str]) -> str:
    """Return the principal variation; ``texts`` are those of the decision's actions for the viewer."""
    parts = []
    for place, node in enumerate(principal_variation(root)):
        mover = f"player {node.player}: " if node.probability is None else ""
        parts.append(f"{mover}{node.text() if place else texts.get(node.action, node.text())}")
    return ", ".join(parts)


def tree_lines(root: SearchNode, texts: dict[AnyAction, str], depth: int) -> list[str]:
    """Return a heading and a row for each node to a depth; later actions with few visits are only counted."""
    least = max(_LEAST, _SHARE * (root.visits or 0))
    rows = [("tree", "player", "visits", "value", "own value", "proven")]
    for child in root.children:
        rows.append((texts.get(child.action, child.text()), *_figures(child)))
        rows += _rows(child, depth - 1, least, "  ")
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*columns, strict=True)
    ]


def _rows(node: SearchNode, depth: int, least: float, indent: str) -> list[tuple[str, str, str, str, str, str]]:
    """Return the rows below a node."""
    rows: list[tuple[str, str, str, str, str, str]] = []
    if depth == 0:
        return rows
    for child in node.children:
        if child.visits is None or child.visits >= least:
            rows.append((indent + child.text(), *_figures(child)))
            rows += _rows(child, depth - 1, least, f"{indent}  ")
    left = len([child for child in node.children if child.visits is not None and child.visits < least])
    return [*rows, (f"{indent}… {left} more", "", "", "", "", "")] if left else rows


def _figures(node: SearchNode) -> tuple[str, str, str, str, str]:
    """Return the player, the visits, the values for who decides and for the player, and the value that is proven."""
    if node.probability is not None:
        player = own = ""
    else:
        player = str(node.player)
        own = _number(node.values[node.player]) if node.values else ""
    visits = "" if node.visits is None else f"{node.visits:,}"
    value = f"{node.bound}{' ' * len(node.bound)}{_number(node.value)}"
    return player, visits, value, own, "" if node.proven is None else _number(node.proven)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
