"""Sim, by Gustavus Simmons (1969), a game of pencils for 2 or 3 players: who draws a triangle of the own colour loses.

Rules: six nodes are given. The players by turns draw a line between two nodes that are not joined yet, each in a colour
of their own. Who completes a triangle of three own lines between nodes loses. With six nodes or more, one of two
players always does; if all nodes are joined without a triangle, the game is a draw.

Where the rules leave it to the players: of three players, the first with a triangle is out and its lines stay, as in GBG
(General Board Game Playing), where the game is also called Hexi. The other two go on until one of them has a triangle.

Variants (`SimParameters`): the number of nodes; and a coalition, in which players 1 and 2 win and lose together against
player 0. The first triangle ends that game.

What a player knows: everything.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import (
    LOSE,
    ONGOING,
    Action,
    Actions,
    AnyAction,
    Cells,
    Event,
    Features,
    ForwardModel,
    GameState,
    GameType,
    ParameterError,
    Parameters,
    PlayerHeuristic,
    Rng,
    Vocabulary,
    bit_place,
    flag,
    integer,
    interned,
)
from tag.components import BoardNode, Component, Edge, Graph, GraphBoard

_LARGEST: Final = 8
_NODES: Final = "abcdefgh"
#: Nodes that the declared symmetries permute; all permutations of eight would be 40,320.
_PERMUTED: Final = 6


@dataclass
class SimParameters(Parameters):
    """The nodes, and who plays together."""

    nodes: int = integer(6, 4, _LARGEST, "nodes to join by lines")
    coalition: bool = flag(False, "whether players 1 and 2 of three are a team")


def lines_between(nodes: int) -> list[tuple[int, int]]:
    """Return all lines as pairs of nodes: from the first node to all others, then from the second, and so on."""
    return list(combinations(range(nodes), 2))


@mypyc_attr(allow_interpreted_subclasses=True)
class SimState(GameState):
    """The lines, as one board of bits per player: bit 0 is the first line of `lines_between`.

    Attributes:
        nodes: how many nodes there are.
        coalition: whether players 1 and 2 are a team.
        drawn: for each player the lines that it has drawn.
        free: the lines that are not drawn.
        left: how many these are.
    """

    def __init__(self, drawn: list[int], nodes: i64, coalition: bool, free: i64, left: i64) -> None:
        super().__init__(len(drawn))
        self.nodes = nodes
        self.coalition = coalition
        self.drawn = drawn
        self.free = free
        self.left = left

    def copy(self) -> SimState:
        other = SimState(self.drawn[:], self.nodes, self.coalition, self.free, self.left)
        self.copy_to(other)
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the lines and who is out: all is open."""
        return (int(self.current_player), tuple(self.drawn), self.results)

    def team(self, player: i64) -> i64:
        return 1 if self.coalition and player == 2 else player

    def safe_lines(self, player: i64) -> i64:
        """Return how many free lines complete no triangle of ``player``."""
        drawn: i64 = self.drawn[player]
        safe: i64 = 0
        for line, pairs in enumerate(_PAIRS[self.nodes]):
            if self.free >> line & 1 == 1 and not has_both(drawn, pairs):
                safe += 1
        return safe

    def draws_again(self, player: i64) -> bool:
        """Say whether the turn comes to ``player``, who is not out, before all lines are drawn."""
        turns: i64 = 0
        mover = self.current_player
        while mover != player:
            if self.result(mover) == ONGOING:
                turns += 1
            mover = (mover + 1) % self.n_players
        return turns < self.left

    def cell_values(self) -> bytes:
        """Return for each line 0 if it is free, else 1 for player 0, 2 for player 1 and 3 for player 2."""
        values: list[int] = []
        for line in range(len(_PAIRS[self.nodes])):
            value: i64 = 0
            for player in range(self.n_players):
                if self.drawn[player] >> line & 1:
                    value = player + 1
            values.append(value)
        return bytes(values)

    def components(self) -> list[Component]:
        """Return the lines as a graph in which those with a common node are next to each other."""
        return [GraphBoard("lines", _graph(int(self.nodes)), [value - 1 for value in self.cell_values()])]

    def __str__(self) -> str:
        """Name the lines of each player, and those that are free."""
        nodes = int(self.nodes)
        names: list[list[str]] = [[] for _player in range(self.n_players + 1)]
        for line, value in enumerate(self.cell_values()):
            names[value].append(line_name(line, nodes))
        owners = ["free", *[f"player {player}" for player in range(self.n_players)]]
        texts = [f"{owner}: {' '.join(found) or '-'}" for owner, found in zip(owners, names, strict=True)]
        return "\n".join([*texts[1:], texts[0]])


def has_both(drawn: i64, pairs: tuple[int, ...]) -> bool:
    """Say whether both lines of one of the ``pairs`` are among those drawn."""
    for pair in pairs:  # noqa: SIM110  a generator takes three times as long
        if drawn & pair == pair:
            return True
    return False


def line_name(line: int, nodes: int) -> str:
    """Return the names of the nodes that a line joins: ``ac``."""
    start, end = lines_between(nodes)[line]
    return _NODES[start] + _NODES[end]


def _pairs(nodes: int) -> list[tuple[int, ...]]:
    """Return for each line the pairs of lines, as boards, that make a triangle with it."""
    lines = lines_between(nodes)
    bits = {frozenset(line): 1 << number for number, line in enumerate(lines)}
    others = [[node for node in range(nodes) if node not in line] for line in lines]
    return [
        tuple([bits[frozenset([start, third])] | bits[frozenset([end, third])] for third in others[number]])
        for number, (start, end) in enumerate(lines)
    ]


#: By the number of nodes.
_PAIRS: Final = [_pairs(nodes) for nodes in range(_LARGEST + 1)]


def _lines_at_one_node(nodes: int) -> list[list[int]]:
    """Return for each line the lines that share a node with it."""
    lines = lines_between(nodes)
    return [[other for other, ends in enumerate(lines) if len({*line, *ends}) == 3] for line in lines]


@cache
def _graph(nodes: int) -> Graph:
    around = _lines_at_one_node(nodes)
    edges = [Edge(line, other) for line, others in enumerate(around) for other in others if line < other]
    return Graph([BoardNode(line_name(line, nodes)) for line in range(len(around))], edges)


class Draw(Action[SimState]):
    """Draw a line between two nodes."""

    def __init__(self, line: i64, nodes: i64) -> None:
        """Name the line between ``nodes`` by its number."""
        self.line = line
        self.nodes = nodes
        self.bit: i64 = 1 << int(line)
        self.pairs = _PAIRS[nodes][line]

    def execute(self, state: SimState, rng: Rng) -> None:
        state.drawn[state.current_player] |= self.bit
        state.free ^= self.bit
        state.left -= 1
        if state.recording:
            state.announce(Event("placed", state.current_player, places=(f"lines/{self}",)))

    def __str__(self) -> str:
        return line_name(int(self.line), int(self.nodes))


def _triangle(drawn: i64, draw: Draw) -> str:
    """Return the nodes of the first triangle that a line has completed: ``abd``."""
    nodes = int(draw.nodes)
    ends = lines_between(nodes)[draw.line]
    others = [node for node in range(nodes) if node not in ends]
    third = next(node for node, pair in zip(others, draw.pairs, strict=True) if drawn & pair == pair)
    return "".join([_NODES[node] for node in sorted([*ends, third])])


class SimFeatures(Features):
    """For each line 1 if the player has drawn it, -1 if another, 0 if it is free."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the name of each line."""
        nodes = cast("SimParameters", self.parameters).nodes
        return tuple([line_name(line, nodes) for line in range(len(lines_between(nodes)))])

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features."""
        return [0.0 if value == 0 else 1.0 if value == player + 1 else -1.0 for value in state.cell_values()]


class SimHeuristic(PlayerHeuristic):
    """The share of the free lines that are safe for the player's team, less that of the others, per player.

    All lines are safe for a player whose turn does not come again, as the others draw the last ones.
    """

    def _value_player(self, state: GameState, player: i64) -> float:
        """Return the share of the free lines that are safe for the own team, less that of the others, per player."""
        graph = cast("SimState", state)
        team = graph.team(player)
        mine, theirs = 0.0, 0.0
        friends, rivals = 0.0, 0.0
        for other in range(graph.n_players):
            if graph.result(other) == ONGOING:
                safe = float(graph.safe_lines(other) if graph.draws_again(other) else graph.left)
                if graph.team(other) == team:
                    mine += safe
                    friends += 1.0
                else:
                    theirs += safe
                    rivals += 1.0
        return (mine / friends - theirs / rivals) / float(graph.left)


class Sim(ForwardModel[SimState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("sim")
    >>> state = model.setup(2, Rng(1))
    >>> moves = model.rollout(state, 100, Rng(1))
    >>> print(state)
    player 0: bc be cd cf
    player 1: ae af bd ef
    free: ab ac ad bf ce de df
    >>> [int(state.ordinal(player)) for player in range(2)]
    [1, 2]
    """

    game_type = GameType(
        "Sim",
        2,
        3,
        SimParameters,
        categories=("abstract", "simple"),
        mechanics=("pattern avoidance", "elimination"),
        hidden_information=False,
        chance=False,
        heuristic=SimHeuristic,
        features=SimFeatures,
    )

    def __init__(self, parameters: SimParameters | None = None) -> None:
        chosen = SimParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.nodes: i64 = chosen.nodes
        self.coalition = chosen.coalition
        n_lines = len(lines_between(chosen.nodes))
        self.draws: list[AnyAction] = [interned(Draw(line, chosen.nodes)) for line in range(n_lines)]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return all lines."""
        return Vocabulary(Actions(Draw, line=range(len(self.draws)), nodes=(self.nodes,)))

    def cells(self, n_players: i64) -> Cells:
        """Return the lines; the first six nodes may be permuted: with more than these, others keep their places."""
        nodes = int(self.nodes)
        lines = lines_between(nodes)
        number = {frozenset(line): at for at, line in enumerate(lines)}
        kept = tuple(range(_PERMUTED, nodes))
        symmetries = [
            tuple([number[frozenset([order[start], order[end]])] for start, end in lines])
            for order in [(*permuted, *kept) for permuted in permutations(range(min(nodes, _PERMUTED)))]
        ]
        return Cells(len(lines), int(n_players) + 1, symmetries, symmetries, _lines_at_one_node(nodes))

    def _setup(self, n_players: i64, rng: Rng) -> SimState:
        n_lines = len(self.draws)
        return SimState([0] * n_players, self.nodes, self.coalition and n_players == 3, (1 << n_lines) - 1, n_lines)

    def _set_cells(self, state: SimState, cells: bytes) -> None:
        """Draw the lines; a player with a triangle is out, and cannot be to move."""
        for line in range(len(cells)):
            if cells[line]:
                player: i64 = cells[line] - 1
                if has_both(state.drawn[player], _PAIRS[self.nodes][line]):
                    state.set_result(player, LOSE)
                state.drawn[player] |= 1 << line
                state.free &= ~(1 << line)
                state.left -= 1
        left = [player for player in range(state.n_players) if state.result(player) == ONGOING]
        if len({state.team(player) for player in left}) <= 1:
            state.end_by_score()
        elif state.current_player not in left:
            raise ParameterError(f"player {state.current_player} cannot be to move, as its lines have a triangle")

    def _available_actions(self, state: SimState) -> list[AnyAction]:
        free = state.free
        return [draw for line, draw in enumerate(self.draws) if free >> line & 1 == 1]

    def random_action(self, state: SimState, rng: Rng) -> AnyAction:
        """Draw one of the free lines by its place among them."""
        return self.draws[bit_place(state.free, rng.below(state.left), 1)]

    def _after_action(self, state: SimState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        draw = cast("Draw", action)
        if has_both(state.drawn[player], draw.pairs):
            if state.recording:
                reason = f"its lines make the triangle {_triangle(state.drawn[player], draw)}"
                state.announce(Event("eliminated", player, reason=reason))
            state.set_result(player, LOSE)
            team = state.team(player)
            left = [
                other
                for other in range(state.n_players)
                if state.result(other) == ONGOING and state.team(other) != team
            ]
            if len({state.team(other) for other in left}) == 1:
                state.end_with_winner(left[0])
                return
        if state.left == 0:
            state.end_by_score()
        else:
            self.end_player_turn(state)

    def _next_player(self, state: SimState) -> i64:
        player = super()._next_player(state)
        return player if state.result(player) == ONGOING else (player + 1) % state.n_players
