"""Boards of squares, of hexagons, and of places with connections."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from tag.components._component import MIXED_VISIBILITY, VISIBLE_TO_ALL, Container, Kind, Property, T, sees
from tag.errors import ContractError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


# --- boards: numbered places with a value on each, and their neighbours -------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Board(Container[T]):
    """Places numbered from 0, with one value on each: a number, or a token.

    Attributes:
        cells: the value on each place.
    """

    __slots__ = ("cells",)
    cells: list[T]

    def __init__(self, name: str, cells: list[T], owner: i64 = -1, visibility: i64 = VISIBLE_TO_ALL) -> None:
        """Take the values by place; hidden ones are dealt among the board's own places only."""
        super().__init__(name, name, owner, visibility)
        self.cells = cells

    def contents(self) -> list[T]:
        """Return the list itself."""
        return self.cells

    def get(self, place: i64) -> T:
        """Return the value on ``place``."""
        return self.cells[place]

    def set(self, place: i64, value: T) -> None:
        """Put ``value`` on ``place``.

        Raises:
            ContractError: there is no such place.
        """
        if not 0 <= place < len(self.cells):
            raise ContractError(f"board {self.name!r} has no place {place}; it has {len(self.cells)}")
        self.cells[place] = value

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in a fixed order."""
        raise NotImplementedError

    def place_name(self, place: i64) -> str:
        """Return ``place`` for people."""
        return str(place)

    def text(self, viewer: i64) -> str:
        """Return the value on each place, by the place's name."""
        places = range(len(self.cells))
        return ", ".join([f"{self.place_name(place)}: {self.item_text(place, viewer)}" for place in places])

    def check_cells(self, places: int) -> None:
        """Raise `ContractError` where there is not one value for each of ``places``."""
        if len(self.cells) != places:
            raise ContractError(f"board {self.name!r} needs {places} cells, not {len(self.cells)}")


# --- grid boards: rectangles of square cells ----------------------------------------------------------------------------


#: Steps to the neighbours: orthogonal ones first.
_SQUARE_STEPS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
#: Directions of straight lines: right, down, down-right, down-left.
_DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))


@mypyc_attr(allow_interpreted_subclasses=True)
class GridBoard(Board[T]):
    """A rectangular board over one flat list, row by row: column x of row y is place ``y * width + x``.

    Examples:
        >>> board = GridBoard("board", 3, 2, [0] * 6)
        >>> board.set(board.place(2, 1), 7)
        >>> print(board.text(-1))
        0 0 0
        0 0 7
        >>> board.place_name(5), board.neighbours(5)
        ('c2', [4, 2])
    """

    __slots__ = ("height", "width")
    width: i64
    height: i64

    def __init__(
        self,
        name: str,
        width: i64,
        height: i64,
        cells: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the cells row by row.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, cells, owner, visibility)
        self.width = width
        self.height = height
        self.check_cells(int(width * height))

    def copy(self) -> GridBoard[T]:
        """Copy the cells."""
        return GridBoard(self.name, self.width, self.height, self.cells[:], self.owner, self.visibility)

    def place(self, x: i64, y: i64) -> i64:
        """Return the place in column ``x`` of row ``y``, both from 0.

        Raises:
            ContractError: it lies beyond the edge.
        """
        if not self.is_inside(x, y):
            raise ContractError(f"board {self.name!r} has {self.width} by {self.height} cells, and none at ({x}, {y})")
        return y * self.width + x

    def is_inside(self, x: i64, y: i64) -> bool:
        """Say whether there is a cell in column ``x`` of row ``y``."""
        return 0 <= x < self.width and 0 <= y < self.height

    def neighbours(self, place: i64, diagonal: bool = False) -> list[int]:
        """Return the places next to ``place``: right, down, left, up, and then the ``diagonal`` ones."""
        x, y = place % self.width, place // self.width
        found: list[int] = []
        for dx, dy in _SQUARE_STEPS if diagonal else _SQUARE_STEPS[:4]:
            if self.is_inside(x + dx, y + dy):
                found.append(int(place + dy * self.width + dx))
        return found

    def lines(self, length: i64) -> list[tuple[int, ...]]:
        """Return the places of every straight line of ``length`` cells: in rows, columns and both diagonals.

        Examples:
            >>> GridBoard("board", 3, 3, [0] * 9).lines(3)[:4]
            [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)]
        """
        found: list[tuple[int, ...]] = []
        for dx, dy in _DIRECTIONS:
            step = dy * self.width + dx
            for place in range(self.width * self.height):
                x, y = place % self.width, place // self.width
                if self.is_inside(x + dx * (length - 1), y + dy * (length - 1)):
                    found.append(tuple([int(place + step * i) for i in range(length)]))
        return found

    def place_name(self, place: i64) -> str:
        """Return ``place`` as column and row: ``b3``; columns after z are numbers."""
        x, y = place % self.width, place // self.width
        return f"{chr(int(97 + x)) if self.width <= 26 else f'{x + 1}/'}{y + 1}"

    def text(self, viewer: i64) -> str:
        """Draw the cells row by row."""
        rows: list[str] = []
        for y in range(self.height):
            rows.append(" ".join([self.item_text(y * self.width + x, viewer) for x in range(self.width)]))
        return "\n".join(rows)


@mypyc_attr(allow_interpreted_subclasses=True)
class PartiallyObservableGridBoard(GridBoard[T]):
    """A grid in which each cell has its own set of players who see it: its visibility is mixed.

    Examples:
        >>> from tag.components import HIDDEN_TO_ALL
        >>> board = PartiallyObservableGridBoard("map", 2, 1, ["x", "y"], n_players=2, visibility=HIDDEN_TO_ALL)
        >>> board.show(0, 1)
        >>> board.text(0), board.text(1)
        ('? ?', 'x ?')

    Attributes:
        n_players: the number of players.
        seen: for each cell the players who see it, as bits.
    """

    __slots__ = ("n_players", "seen")
    n_players: i64
    seen: list[int]

    def __init__(
        self,
        name: str,
        width: i64,
        height: i64,
        cells: list[T],
        n_players: i64,
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the cells row by row; ``visibility`` (to all, to none or to the owner) holds at first.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, width, height, cells, owner, visibility)
        self.n_players = n_players
        seen = 0
        for player in range(n_players):
            if self.is_visible_to(player):
                seen |= 1 << int(player)
        self.seen = [seen] * len(cells)
        self.visibility = MIXED_VISIBILITY

    def copy(self) -> PartiallyObservableGridBoard[T]:
        """Copy the cells and their visibility."""
        cells = self.cells[:]
        other = PartiallyObservableGridBoard(self.name, self.width, self.height, cells, self.n_players, self.owner)
        other.seen = self.seen[:]
        return other

    def is_item_visible(self, index: i64, player: i64) -> bool:
        """Say whether ``player`` sees the cell at ``index``."""
        return sees(self.seen[index], player)

    def show(self, place: i64, player: i64) -> None:
        """Let ``player`` (-1 for all) see ``place``."""
        self.seen[place] |= (1 << int(self.n_players)) - 1 if player < 0 else 1 << int(player)

    def hide(self, place: i64, player: i64) -> None:
        """Hide ``place`` from ``player`` (-1 for all)."""
        self.seen[place] &= 0 if player < 0 else ~(1 << int(player))

    def known_to(self, player: i64) -> Hashable:
        """Return the cells that ``player`` sees, and the players who see each cell."""
        return (super().known_to(player), tuple(self.seen))


# --- graph boards: places joined by edges -------------------------------------------------------------------------------


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


# --- hex boards: six-sided cells in axial coordinates -------------------------------------------------------------------


#: Steps to the six neighbours, in turn around the cell.
_HEXAGON_STEPS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@mypyc_attr(allow_interpreted_subclasses=True)
class HexGrid:
    """Set of hexagons: the immutable map that all copies of a board share.

    Coordinates are axial: q counts columns, r rows; the six neighbours of (q, r) are at (±1, 0), (0, ±1), (1, -1), (-1, 1).

    Examples:
        >>> grid = HexGrid.hexagon(2)
        >>> middle = grid.place(0, 0)
        >>> len(grid.coordinates), grid.neighbours(middle), len(grid.ring(middle, 2))
        (19, [10, 14, 13, 8, 4, 5], 12)
        >>> grid.distance(0, len(grid.coordinates) - 1)
        4

    Attributes:
        coordinates: (q, r) of each place.
    """

    __slots__ = ("_places", "coordinates")
    coordinates: tuple[tuple[int, int], ...]
    _places: dict[tuple[int, int], int]

    def __init__(self, coordinates: Sequence[tuple[int, int]]) -> None:
        """Number the hexagons in the order given.

        Raises:
            ContractError: one is there twice.
        """
        self.coordinates = tuple([(q, r) for q, r in coordinates])
        self._places = {coordinate: place for place, coordinate in enumerate(self.coordinates)}
        if len(self._places) != len(self.coordinates):
            raise ContractError("a hexagon is there twice")

    @classmethod
    def hexagon(cls, radius: i64) -> HexGrid:
        """Return a hexagon of hexagons, row by row, with ``radius`` rings around the middle at (0, 0)."""
        size = int(radius)
        return HexGrid([(q, r) for r in range(-size, size + 1) for q in range(-size, size + 1) if abs(q + r) <= size])

    @classmethod
    def rectangle(cls, width: i64, height: i64) -> HexGrid:
        """Return ``height`` rows of ``width`` hexagons, every second one pushed by half a hexagon; (0, 0) is first."""
        return HexGrid([(q - r // 2, r) for r in range(int(height)) for q in range(int(width))])

    def place(self, q: i64, r: i64) -> i64:
        """Return the place at (``q``, ``r``), -1 where there is none."""
        return self._places.get((int(q), int(r)), -1)

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in turn around it."""
        q, r = self.coordinates[place]
        near = [self._places.get((q + dq, r + dr), -1) for dq, dr in _HEXAGON_STEPS]
        return [found for found in near if found >= 0]

    def distance(self, start: i64, end: i64) -> int:
        """Return how many steps lie between two places on an endless board."""
        q1, r1 = self.coordinates[start]
        q2, r2 = self.coordinates[end]
        dq, dr = q2 - q1, r2 - r1
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def ring(self, place: i64, radius: i64) -> list[int]:
        """Return the places at a distance of exactly ``radius``, by number."""
        return [other for other in range(len(self.coordinates)) if self.distance(place, other) == radius]

    def within(self, place: i64, radius: i64) -> list[int]:
        """Return the places at a distance of at most ``radius`` (itself as well), by number."""
        return [other for other in range(len(self.coordinates)) if self.distance(place, other) <= radius]

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor."""
        return (self.coordinates,)

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor."""
        return (HexGrid, self.key())


@mypyc_attr(allow_interpreted_subclasses=True)
class HexBoard(Board[T]):
    """A board whose places are hexagons.

    Examples:
        >>> board = HexBoard("board", HexGrid.rectangle(3, 2), [0] * 6)
        >>> board.set(board.place(1, 0), 5)
        >>> board.contents(), board.place_name(1)
        ([0, 5, 0, 0, 0, 0], '(1, 0)')

    Attributes:
        grid: the hexagons, shared by all copies.
    """

    __slots__ = ("grid",)
    grid: HexGrid

    def __init__(
        self,
        name: str,
        grid: HexGrid,
        cells: list[T],
        owner: i64 = -1,
        visibility: i64 = VISIBLE_TO_ALL,
    ) -> None:
        """Take the value on each hexagon.

        Raises:
            ContractError: their number does not fit.
        """
        super().__init__(name, cells, owner, visibility)
        self.grid = grid
        self.check_cells(len(grid.coordinates))

    def copy(self) -> HexBoard[T]:
        """Copy the values; the grid is shared."""
        return HexBoard(self.name, self.grid, self.cells[:], self.owner, self.visibility)

    def place(self, q: i64, r: i64) -> i64:
        """Return the place at (``q``, ``r``).

        Raises:
            ContractError: there is none.
        """
        found = self.grid.place(q, r)
        if found < 0:
            raise ContractError(f"board {self.name!r} has no hexagon at ({q}, {r})")
        return found

    def neighbours(self, place: i64) -> list[int]:
        """Return the places next to ``place``, in turn around it."""
        return self.grid.neighbours(place)

    def place_name(self, place: i64) -> str:
        """Return the axial coordinates."""
        q, r = self.grid.coordinates[place]
        return f"({q}, {r})"
