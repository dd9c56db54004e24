"""Search trees as agents tell them: actions, what the search found out about them, and the expected line of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from mypy_extensions import i64

from tag.engine.state import DO_NOTHING, AnyAction

#: The player of an outcome of chance.
CHANCE: Final = -1

#: The bounds that a value can be.
UPPER: Final = "≤"
LOWER: Final = "≥"

#: Visits below which a line of play is noise.
FEW_VISITS: Final = 10


@dataclass
class SearchNode:
    """An action in the search for a decision, what the search found out about it, and what may follow.

    With hidden information a tree mixes deals: what follows an action was possible in some of them. A position of the tree
    is not kept, so only actions of the decision itself can be shown with `Action.text`; show later ones with ``str``.

    Examples:
        >>> from tag import make_agent, make_game
        >>> from tag.playing.inspection import InspectedGame
        >>> agents = [make_agent("mcts:budget=100,preset=none"), make_agent("random")]
        >>> tree = InspectedGame(make_game("nim:heaps=1"), agents, seed=1).decide(with_tree=True).tree
        >>> [(child.text(), child.visits) for child in tree.children][:2]
        [('take 5 from heap 1', 64), ('take 1 from heap 1', 8)]

    Attributes:
        action: the action; `DO_NOTHING` at the root and for an outcome of chance.
        player: the player who takes it, `CHANCE` for an outcome of chance; at the root the player who decides.
        visits: how often the search took it; None where an agent does not count.
        value: its value for the player who decides at the root, greater is better; None if there is none.
        values: its value for each player, or None; empty if the search values positions for one player only.
        bound: ``≤`` if the value is an upper bound only, ``≥`` if a lower one, as the search was cut off; empty otherwise.
        proven: its value in perfect play for the player who decides at the root; None where that is unknown. Where an agent
            proves results, 1 is a win, 0 a draw and -1 a loss.
        probability: of an outcome of chance; None for actions.
        children: what follows, the best for the player to move first; at the root the actions of the decision, the chosen
            one first.
    """

    action: AnyAction
    player: int
    visits: int | None = None
    value: float | None = None
    values: tuple[float | None, ...] = ()
    bound: str = ""
    proven: float | None = None
    probability: float | None = None
    children: list[SearchNode] = field(default_factory=list)

    def text(self) -> str:
        """Return the action in words, as far as they need no position; an outcome of chance by its probability."""
        return str(self.action) if self.probability is None else f"chance {self.probability:.3g}"

    def size(self) -> int:
        """Return the number of nodes, this one included."""
        count = 0
        waiting = [self]
        while waiting:
            node = waiting.pop()
            count += 1
            waiting.extend(node.children)
        return count


def valued_actions(
    player: i64,
    choice: AnyAction | None,
    actions: list[AnyAction],
    values: list[float | None],
    visits: list[int | None],
) -> SearchNode:
    """Return the tree of a search that valued the actions of a decision only."""
    nodes: list[SearchNode] = []
    for place in range(len(actions)):
        nodes.append(SearchNode(actions[place], int(player), visits[place], values[place]))
    return decision(player, choice, nodes)


def decision(player: i64, choice: AnyAction | None, nodes: list[SearchNode]) -> SearchNode:
    """Return the root above the actions of a decision: by value, ``choice`` first.

    Its visits are the sum of theirs, its value is that of the choice.
    """
    nodes = sorted(nodes, key=_worth, reverse=True)
    for place in range(len(nodes)):
        if nodes[place].action is choice:
            nodes.insert(0, nodes.pop(place))
            break
    counts = [node.visits for node in nodes if node.visits is not None]
    visits = sum(counts) if counts else None
    return SearchNode(DO_NOTHING, int(player), visits, nodes[0].value if nodes else None, children=nodes)


def _worth(node: SearchNode) -> float:
    return -1e300 if node.value is None else node.value


def principal_variation(root: SearchNode, least_visits: int = FEW_VISITS) -> list[SearchNode]:
    """Return the expected line of play: the chosen action, then the best of each node while it has enough visits.

    Actions that are proven, or not counted, need no visits.

    Examples:
        >>> from tag import make_agent, make_game
        >>> from tag.playing.inspection import InspectedGame
        >>> agents = [make_agent("mcts:budget=300,rollout_length=0"), make_agent("random")]
        >>> game = InspectedGame(make_game("tic_tac_toe"), agents, seed=1)
        >>> tree = game.decide(with_tree=True).tree
        >>> [node.text() for node in principal_variation(tree, least_visits=5)]
        ['b2', 'a1']
    """
    line: list[SearchNode] = []
    node = root
    while node.children:
        node = node.children[0]
        is_known = node.visits is None or node.visits >= least_visits or node.proven is not None
        if line and not is_known:
            break
        line.append(node)
    return line
