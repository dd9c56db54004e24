"""Graph boards: places joined by edges."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from mypy_extensions import i64, mypyc_attr

from tag.components._boards.board import Board
from tag.components._containers import T
from tag.components._kinds import Kind, Property
from tag.components._visibility import VISIBLE_TO_ALL
from tag.errors import ContractError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence


@mypyc_attr(allow_interpreted_subclasses=True)
class BoardNode(Kind):
    """A place of a graph: a city, a space. The board holds its value.

    Examples:
        >>> paris = BoardNode("Paris", properties=(("colour", "blue"),))
        >>> paris.name, paris.property("colour")
        ('Paris', 'blue')
    """

    __slots__ = ()


@mypyc_attr(allow_interpreted_subclasses=True)
class Edge(Kind):
    """A way between two nodes.

    Examples:
        >>> way = Edge(0, 1, length=3, directed=True)
        >>> way.start, way.end, way.length
        (0, 1, 3)

    Attributes:
        start: the number of the node where it begins.
        end: the number of the node where it ends.
        length: its length in distances, at least 1.
        directed: whether it leads from start to end only.
    """

    __slots__ = ("directed", "end", "length", "start")
    start: i64
    end: i64
    length: i64
    directed: bool

    def __init__(
        self,
        start: i64,
        end: i64,
        length: i64 = 1,
        directed: bool = False,
        properties: tuple[tuple[str, Property], ...] = (),
    ) -> None:
        """Join the nodes ``start`` and ``end``."""
        super().__init__(f"{start}{'>' if directed else '-'}{end}", properties)
        self.start = start
        self.end = end
        self.length = length
        self.directed = directed

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor."""
        return (self.start, self.end, self.length, self.directed, self.properties)


@mypyc_attr(allow_interpreted_subclasses=True)
class Graph:
    """Nodes and edges: the immutable map that all copies of a board share.

    Examples:
        >>> cities = [BoardNode("Paris"), BoardNode("Essen"), BoardNode("Milan")]
        >>> rails = Graph(cities, [Edge(0, 1, length=5), Edge(1, 2, length=6), Edge(0, 2, length=20)])
        >>> rails.distance(0, 2), rails.path(0, 2)
        (11, [0, 1, 2])

    Attributes:
        nodes: the nodes; a node's number is its index here.
        edges: the edges.
    """

    __slots__ = ("_numbers", "_ways", "edges", "nodes")
    nodes: tuple[BoardNode, ...]
    edges: tuple[Edge, ...]
    _numbers: dict[str, int]
    _ways: list[list[tuple[int, int]]]

    def __init__(self, nodes: Sequence[BoardNode], edges: Sequence[Edge]) -> None:
        """Join the ``nodes`` by the ``edges``.

        Raises:
            ContractError: two nodes have one name, or an edge leads nowhere or is too short.
        """
        self.nodes = tuple(nodes)
        self.edges = tuple(edges)
        self._numbers = {node.name: number for number, node in enumerate(self.nodes)}
        if len(self._numbers) != len(self.nodes):
            raise ContractError("two nodes of a graph have the same name")
        self._ways = [[] for _node in self.nodes]
        for edge in self.edges:
            self._join(edge)

    def _join(self, edge: Edge) -> None:
        start, end, length = int(edge.start), int(edge.end), int(edge.length)
        if not (0 <= start < len(self.nodes) and 0 <= end < len(self.nodes) and length >= 1):
            raise ContractError(f"edge {edge.name} of length {length} does not fit {len(self.nodes)} nodes")
        self._ways[start].append((end, length))
        if not edge.directed:
            self._ways[end].append((start, length))

    def number(self, name: str) -> int:
        """Return the number of the node called ``name``.

        Raises:
            UnknownNameError: there is no such node.
        """
        if name not in self._numbers:
            raise UnknownNameError.of("node", name, self._numbers)
        return self._numbers[name]

    def neighbours(self, node: i64) -> list[int]:
        """Return the nodes to which an edge leads from ``node``, in the order of the edges."""
        return [near for near, _length in self._ways[node]]

    def distances(self, start: i64) -> list[int]:
        """Return the length of the shortest path from ``start`` to each node, -1 where there is none."""
        return self._search(start)[0]

    def distance(self, start: i64, end: i64) -> int:
        """Return the length of the shortest path, -1 where there is none."""
        return self.distances(start)[end]

    def path(self, start: i64, end: i64) -> list[int]:
        """Return the nodes of a shortest path with both ends, empty where there is none."""
        lengths, before = self._search(start)
        if lengths[end] < 0:
            return []
        found = [int(end)]
        while found[-1] != start:
            found.append(before[found[-1]])
        found.reverse()
        return found

    def _search(self, start: i64) -> tuple[list[int], list[int]]:
        """Return each node's distance and the node before it (Dijkstra); ties go to the node with the lower number."""
        lengths = [-1] * len(self.nodes)
        before = [-1] * len(self.nodes)
        open_ways: list[tuple[int, int, int]] = [(0, int(start), -1)]
        while open_ways:
            length, node, earlier = heappop(open_ways)
            if lengths[node] >= 0:
                continue
            lengths[node] = length
            before[node] = earlier
            for near, step in self._ways[node]:
                if lengths[near] < 0:
                    heappush(open_ways, (length + step, near, node))
        return lengths, before

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor."""
        return (self.nodes, self.edges)

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor."""
        return (Graph, self.key())


@mypyc_attr(allow_interpreted_subclasses=True)
class GraphBoard(Board[T]):
    """A board whose places are the nodes of a graph.

    Examples:
        >>> graph = Graph([BoardNode("Paris"), BoardNode("Essen")], [Edge(0, 1)])
        >>> cubes = GraphBoard("cubes", graph, [0, 3])
        >>> cubes.get(cubes.place("Essen")), cubes.neighbours(0)
        (3, [1])

    Attributes:
        graph: the nodes and edges, shared by all copies.
    """

    __slots__ = ("graph",)
    graph: Graph

    def __init__(
        self,
        name: str,
        graph: Graph,
        cells: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the value on each node.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, cells, owner, visibility)
        self.graph = graph
        self.check_cells(len(graph.nodes))

    def copy(self) -> GraphBoard[T]:
        """Copy the values; the graph is shared."""
        return GraphBoard(self.name, self.graph, self.cells[:], self.owner, self.visibility)

    def place(self, name: str) -> i64:
        """Return the place of the node called ``name``.

        Raises:
            UnknownNameError: there is no such node.
        """
        return self.graph.number(name)

    def neighbours(self, place: i64) -> list[int]:
        """Return the places to which an edge leads."""
        return self.graph.neighbours(place)

    def place_name(self, place: i64) -> str:
        """Return the node's name."""
        return self.graph.nodes[place].name
