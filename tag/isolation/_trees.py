"""Search trees of isolated agents as plain values, which are never executed."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from tag.engine.rng import Rng
from tag.engine.state import Action, AnyAction, GameState
from tag.playing.search_tree import CHANCE, LOWER, UPPER, SearchNode

#: The longest text of an action.
_LONGEST: Final = 200


class ToldAction(Action[GameState]):
    """An action in another process of which only the text is known."""

    def __init__(self, text: str) -> None:
        self.text_there = text

    def key(self) -> tuple[object, ...]:
        return (self.text_there,)

    def execute(self, state: GameState, rng: Rng) -> None:
        """Change nothing; it is never executed."""

    def __repr__(self) -> str:
        return self.text_there


def rows_of(root: SearchNode | None, actions: list[AnyAction]) -> list[list[object]]:
    """Return a row for each node, those above before those below; none without a tree.

    A row has the place of the row above; the number of the action among ``actions``, those of the decision, or its text; and
    the other fields of the node.
    """
    rows: list[list[object]] = []
    waiting = [] if root is None else [(-1, root)]
    while waiting:
        above, node = waiting.pop()
        action = actions.index(node.action) if above == 0 and node.action in actions else str(node.action)
        figures = [node.visits, node.value, list(node.values), node.bound, node.proven, node.probability]
        waiting += [(len(rows), child) for child in reversed(node.children)]
        rows.append([above, action, node.player, *figures])
    return rows


def tree_of(rows: object, actions: list[AnyAction], n_players: int) -> SearchNode | None:
    """Return the tree of `rows_of`; None if there is none, or the rows are not such: an agent may answer anything."""
    if not isinstance(rows, list) or not rows:
        return None
    nodes: list[SearchNode] = []
    for row in rows:
        if not isinstance(row, list) or len(row) != 9:
            return None
        above, *parts = row
        node = _node(parts, actions, n_players)
        if node is None or not _is_count(above, -1, len(nodes)) or (above < 0) != (not nodes):
            return None
        if nodes:
            nodes[above].children.append(node)
        nodes.append(node)
    return nodes[0]


def _node(parts: list[Any], actions: list[AnyAction], n_players: int) -> SearchNode | None:
    action, player, visits, value, values, bound, proven, probability = parts
    numbers = [value, proven, probability, *(values if isinstance(values, list) else ["none"])]
    if not all(number is None or _is_number(number) for number in numbers) or bound not in ("", LOWER, UPPER):
        return None
    if not _is_count(player, CHANCE, n_players) or not (visits is None or _is_count(visits, 0, 1 << 62)):
        return None
    if isinstance(action, str):
        known: AnyAction = ToldAction(action[:_LONGEST])
    elif _is_count(action, 0, len(actions)):
        known = actions[action]
    else:
        return None
    return SearchNode(known, player, visits, value, tuple(values), bound, proven, probability)


def _is_count(value: object, first: int, end: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and first <= value < end


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
