"""Boards: grids, graphs, hexagons."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.components import (
    HIDDEN_TO_ALL,
    VISIBLE_TO_OWNER,
    BoardNode,
    Edge,
    Graph,
    GraphBoard,
    GridBoard,
    HexBoard,
    HexGrid,
    PartiallyObservableGridBoard,
    Token,
    shared,
)
from tag.engine.rng import Rng
from tag.engine.snapshot import freeze
from tag.errors import ContractError, UnknownNameError


def grid(width=4, height=3):
    return GridBoard("grid", width, height, list(range(width * height)))


def test_places_of_a_grid():
    board = grid()
    assert board.place(2, 1) == 6
    assert board.get(6) == 6
    board.set(6, 60)
    assert board.cells[6] == 60
    assert board.place_name(6) == "c2"
    assert GridBoard("wide", 30, 1, [0] * 30).place_name(29) == "30/1"
    assert grid(2, 2).text(0) == "0 1\n2 3"
    for x, y in ((4, 0), (-1, 0), (0, 3)):
        assert not board.is_inside(x, y)
        with pytest.raises(ContractError, match="4 by 3 cells"):
            board.place(x, y)
    with pytest.raises(ContractError, match="no place 12; it has 12"):
        board.set(12, 0)
    with pytest.raises(ContractError, match="needs 6 cells, not 5"):
        GridBoard("grid", 3, 2, [0] * 5)


def test_neighbours_of_a_grid():
    board = grid()
    assert board.neighbours(0) == [1, 4]
    assert board.neighbours(5) == [6, 9, 4, 1]
    assert sorted(board.neighbours(5, diagonal=True)) == [0, 1, 2, 4, 6, 8, 9, 10]
    assert sorted(board.neighbours(11, diagonal=True)) == [6, 7, 10]


def test_lines_of_a_grid():
    assert sorted(grid(3, 3).lines(3)) == sorted(
        [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    )
    assert len(grid(7, 6).lines(4)) == 69
    assert grid(3, 2).lines(4) == []


@given(st.integers(1, 6), st.integers(1, 6), st.booleans())
@settings(derandomize=True, deadline=None)
def test_being_neighbours_is_mutual(width, height, diagonal):
    board = grid(width, height)
    for place in range(width * height):
        near = board.neighbours(place, diagonal)
        assert len(near) == len(set(near))
        for other in near:
            assert place in board.neighbours(other, diagonal)


def test_a_grid_of_tokens():
    pawn = shared(Token("pawn"))
    board = GridBoard("grid", 2, 1, [None, pawn])
    assert board.parts() == [pawn]
    assert board.count() == 2


def test_cells_seen_by_some():
    board = PartiallyObservableGridBoard("field", 2, 2, [1, 2, 3, 4], 2, 0, VISIBLE_TO_OWNER)
    assert board.seen == [1, 1, 1, 1]
    board.hide(0, 0)
    board.show(1, 1)
    board.show(2, -1)
    assert board.seen == [0, 3, 3, 1]
    assert board.hidden_count(1) == 2
    assert board.text(1) == "? 2\n3 ?"
    assert not board.is_visible_to(0)
    copied = board.copy()
    copied.show(0, 0)
    copied.set(0, 9)
    assert (board.seen, board.cells) == ([0, 3, 3, 1], [1, 2, 3, 4])
    board.hide(2, -1)
    assert board.seen[2] == 0


def test_hidden_cells_are_dealt_again_among_themselves():
    board = PartiallyObservableGridBoard("field", 2, 2, [1, None, 3, 4], 2, visibility=HIDDEN_TO_ALL)
    board.show(3, 0)
    found = set()
    for seed in range(100):
        seen = board.copy()
        seen.redeterminise(0, Rng(seed))
        assert seen.cells[3] == 4
        assert seen.known_to(0) == board.known_to(0)
        found.add(tuple(seen.cells))
    assert len(found) == 6


# --- graphs ------------------------------------------------------------------------------------------------------------

NODES = [shared(BoardNode(name)) for name in ("a", "b", "c", "d", "e")]


def graph():
    edges = [Edge(0, 1, 1), Edge(1, 2, 1), Edge(0, 2, 5), Edge(2, 3, 2, True)]
    return Graph(NODES, [shared(edge) for edge in edges])


def test_ways_of_a_graph():
    ways = graph()
    assert ways.number("c") == 2
    assert ways.neighbours(0) == [1, 2]
    assert ways.neighbours(2) == [1, 0, 3]
    assert ways.neighbours(3) == []
    assert ways.path(0, 3) == [0, 1, 2, 3]
    assert ways.distance(0, 3) == 4
    assert ways.distances(0) == [0, 1, 2, 4, -1]
    assert ways.path(3, 0) == []
    assert ways.path(4, 4) == [4]
    assert ways.distance(3, 0) == -1
    with pytest.raises(UnknownNameError, match="no node named 'z'"):
        ways.number("z")


@pytest.mark.parametrize("edge", [Edge(0, 5), Edge(-1, 0), Edge(0, 1, 0)])
def test_wrong_edges(edge):
    with pytest.raises(ContractError, match="does not fit 5 nodes"):
        Graph(NODES, [edge])


def test_nodes_have_names_of_their_own():
    with pytest.raises(ContractError, match="same name"):
        Graph([NODES[0], NODES[0]], [])


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 9)), max_size=20))
@settings(derandomize=True, deadline=None)
def test_shortest_paths_agree_with_floyd_and_warshall(ways):
    n = 8
    made = Graph([shared(BoardNode(str(i))) for i in range(n)], [Edge(a, b, length) for a, b, length in ways])
    far = 10**6
    best = [[0 if i == j else far for j in range(n)] for i in range(n)]
    for a, b, length in ways:
        best[a][b] = min(best[a][b], length)
        best[b][a] = min(best[b][a], length)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                best[i][j] = min(best[i][j], best[i][k] + best[k][j])
    for i in range(n):
        assert made.distances(i) == [d if d < far else -1 for d in best[i]]
        for j in range(n):
            path = made.path(i, j)
            assert (path == []) == (best[i][j] == far)
            assert all(b in made.neighbours(a) for a, b in pairwise(path))


def test_graph_board():
    board = GraphBoard("world", graph(), [0, 1, 2, 3, 4])
    other = board.copy()
    other.set(other.place("b"), 7)
    assert board.cells[1] == 1
    assert other.graph is board.graph
    assert board.text(0) == "a: 0, b: 1, c: 2, d: 3, e: 4"
    assert board.neighbours(0) == [1, 2]
    loaded = pickle.loads(pickle.dumps(board))
    assert freeze(loaded) == freeze(board)
    assert loaded.graph.distances(0) == [0, 1, 2, 4, -1]
    with pytest.raises(ContractError, match="needs 5 cells"):
        GraphBoard("world", graph(), [0])


# --- hexagons ----------------------------------------------------------------------------------------------------------


def test_a_hexagon_of_hexagons():
    cells = HexGrid.hexagon(2)
    assert len(cells.coordinates) == 19
    middle = cells.place(0, 0)
    assert len(cells.neighbours(middle)) == 6
    assert [cells.coordinates[p] for p in cells.neighbours(middle)][:2] == [(1, 0), (0, 1)]
    assert len(cells.ring(middle, 1)) == 6
    assert len(cells.ring(middle, 2)) == 12
    assert len(cells.within(middle, 1)) == 7
    corner = cells.place(2, 0)
    assert len(cells.neighbours(corner)) == 3
    assert cells.place(3, 0) == -1
    assert cells.distance(cells.place(-2, 0), corner) == 4
    assert cells.distance(cells.place(-2, 2), cells.place(2, -2)) == 4


def test_a_rectangle_of_hexagons():
    cells = HexGrid.rectangle(3, 3)
    assert len(cells.coordinates) == 9
    assert cells.place(0, 0) == 0
    assert cells.coordinates[6] == (-1, 2)
    assert len(cells.neighbours(4)) == 6


@given(st.integers(0, 3))
@settings(derandomize=True, deadline=None)
def test_hex_distance_is_the_number_of_steps(radius):
    cells = HexGrid.hexagon(radius)
    for start in range(len(cells.coordinates)):
        steps, front = {start: 0}, [start]
        while front:
            place = front.pop(0)
            for near in cells.neighbours(place):
                if near not in steps:
                    steps[near] = steps[place] + 1
                    front.append(near)
        assert [cells.distance(start, p) for p in range(len(cells.coordinates))] == [
            steps[p] for p in range(len(cells.coordinates))
        ]


def test_hex_board():
    board = HexBoard("island", HexGrid.hexagon(1), [0] * 7)
    board.set(board.place(1, 0), 5)
    assert board.copy().cells == board.cells
    assert board.copy().grid is board.grid
    assert board.place_name(board.place(0, 1)) == "(0, 1)"
    assert freeze(pickle.loads(pickle.dumps(board))) == freeze(board)
    with pytest.raises(ContractError, match=r"no hexagon at \(2, 0\)"):
        board.place(2, 0)
    with pytest.raises(ContractError, match="twice"):
        HexGrid([(0, 0), (0, 0)])
