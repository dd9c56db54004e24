"""Search trees as JSON has them."""

from __future__ import annotations

from tag.engine.state import AnyAction
from tag.playing.search_tree import SearchNode, principal_variation


def plain_tree(root: SearchNode, texts: dict[AnyAction, str], depth: int) -> dict[str, object]:
    """Return a tree to a depth as JSON has it; ``texts`` are those of the decision's actions for a viewer.

    Nodes have the fields of `SearchNode`, without those that say nothing; the root has no action.
    """
    found = _plain_figures(root)
    if depth > 0:
        found["children"] = [
            _plain_node(child, texts.get(child.action, child.text()), depth) for child in root.children
        ]
    return found


def plain_line(root: SearchNode, texts: dict[AnyAction, str]) -> list[dict[str, object]]:
    """Return the principal variation as JSON has it; ``texts`` are those of the decision's actions for a viewer."""
    nodes = principal_variation(root)
    line = [_plain_node(node, node.text(), 1) for node in nodes]
    if nodes:
        line[0]["action"] = texts.get(nodes[0].action, nodes[0].text())
    return line


def _plain_node(node: SearchNode, text: str, depth: int) -> dict[str, object]:
    found: dict[str, object] = {"action": text, **_plain_figures(node)}
    if depth > 1:
        found["children"] = [_plain_node(child, child.text(), depth - 1) for child in node.children]
    return found


def _plain_figures(node: SearchNode) -> dict[str, object]:
    found: dict[str, object] = {"player": node.player, "visits": node.visits, "value": node.value}
    if node.values:
        found["values"] = list(node.values)
    if node.bound:
        found["bound"] = node.bound
    if node.proven is not None:
        found["proven"] = node.proven
    if node.probability is not None:
        found["probability"] = node.probability
    return found
