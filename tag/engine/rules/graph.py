"""Rule graphs: a game's flow as a graph of small rules, run by a forward model.

    class Toy(RuleGraphForwardModel[ToyState]):
        def _graph(self) -> RuleGraph:
            return RuleGraph([
                ChooseAction("action", "enough"),        # waits for a decision
                ActionsLeft("enough", "action", "draw"), # a condition: yes, no
                Draw("draw", "over"),
                DeckEmpty("over", "end_turn"),           # ends the game, or goes on
                EndTurn("end_turn", "action"),
            ])

Nodes are stateless and shared by all games. The position of a game in the graph is ``state.phase``, the number of the node
that is due. So a search from any copy goes on at the right rule, and any state class will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mypy_extensions import i64, mypyc_attr

from tag.engine.rules.nodes import Node
from tag.errors import ContractError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence


@mypyc_attr(allow_interpreted_subclasses=True)
class RuleGraph:
    """Nodes that lead to one another; the game starts at the first.

    Attributes:
        nodes: the nodes; a node's number, which is the state's phase, is its index here.
        following: for each node the numbers of its exits.
    """

    def __init__(self, nodes: Sequence[Node[Any]]) -> None:
        """Join the nodes by their names.

        Raises:
            ContractError: a name is there twice or unknown, or a node cannot be reached, or leads nowhere.
        """
        self.nodes: list[Node[Any]] = list(nodes)
        numbers = {node.name: number for number, node in enumerate(self.nodes)}
        if not self.nodes:
            raise ContractError("a rule graph needs a node")
        for number, node in enumerate(self.nodes):
            if numbers[node.name] != number:
                raise ContractError(f"two nodes of the rule graph are named {node.name!r}")
        self.following: list[list[int]] = [_exit_numbers(node, numbers) for node in self.nodes]
        self._check_reachable()
        self._check_ends()

    def number(self, name: str) -> i64:
        """Return the number of the node called ``name``, the phase in which it is due.

        Raises:
            ContractError: there is no such node.
        """
        names = [node.name for node in self.nodes]
        if name not in names:
            raise ContractError(f"no node of the rule graph is named {name!r}{nearest(name, names)}")
        return names.index(name)

    def _check_reachable(self) -> None:
        reached = _closure({0}, self.following)
        for number, node in enumerate(self.nodes):
            if number not in reached:
                raise ContractError(
                    f"node {node.name!r} of the rule graph cannot be reached from {self.nodes[0].name!r}"
                )

    def _check_ends(self) -> None:
        """Check that from every node a decision, or an end of the game, can be reached."""
        leading_here: list[list[int]] = [[] for _node in self.nodes]
        for number, exits in enumerate(self.following):
            for follower in exits:
                leading_here[follower].append(number)
        stops = {number for number, node in enumerate(self.nodes) if node.waits or node.ends_game}
        good = _closure(stops, leading_here)
        for number, node in enumerate(self.nodes):
            if number not in good:
                raise ContractError(
                    f"node {node.name!r} of the rule graph is a dead end: no decision and no end of the game follows"
                )

    def describe(self) -> str:
        """Draw the graph as text, in the language of mermaid."""
        lines = ["flowchart TD"]
        lines += [f"    n{number}{node.drawing()}" for number, node in enumerate(self.nodes)]
        for number, node in enumerate(self.nodes):
            for way, follower in enumerate(self.following[number]):
                label = f"|{node.labels[way]}|" if way < len(node.labels) else ""
                lines.append(f"    n{number} -->{label} n{follower}")
            if node.ends_game:
                lines.append(f"    n{number} -->|over| over(((end of the game)))")
        return "\n".join(lines)


def _exit_numbers(node: Node[Any], numbers: dict[str, int]) -> list[int]:
    if not node.exits:
        raise ContractError(f"node {node.name!r} of the rule graph is a dead end: nothing follows it")
    for name in node.exits:
        if name not in numbers:
            raise ContractError(
                f"node {node.name!r} of the rule graph leads to no node {name!r}{nearest(name, numbers)}"
            )
    return [numbers[name] for name in node.exits]


def _closure(starts: set[int], ways: list[list[int]]) -> set[int]:
    """Return all that can be reached from ``starts``, with them."""
    found = set(starts)
    waiting = list(starts)
    while waiting:
        for follower in ways[waiting.pop()]:
            if follower not in found:
                found.add(follower)
                waiting.append(follower)
    return found
