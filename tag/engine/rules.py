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

from typing import TYPE_CHECKING, Any, Final, Generic

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState, S
from tag.engine.turn_order import next_in_game
from tag.errors import ContractError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence


#: More rules than this in a row without a decision count as a loop.
MAX_RULES: Final = 10_000


# --- nodes -------------------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Node(Copyable, Generic[S]):
    """One rule of a graph.

    Attributes:
        name: its name for other nodes.
        exits: the names of the nodes that can follow.
        labels: a word for each exit, for drawings; empty for none.
        waits: whether the graph waits here for a player's decision.
        ends_game: whether the game can end here.
    """

    __slots__ = ("ends_game", "exits", "labels", "name", "waits")
    name: str
    exits: tuple[str, ...]
    labels: tuple[str, ...]
    waits: bool
    ends_game: bool

    def __init__(self, name: str, exits: tuple[str, ...], labels: tuple[str, ...] = ()) -> None:
        """Name the node and those that can follow."""
        self.name = name
        self.exits = exits
        self.labels = labels
        self.waits = False
        self.ends_game = False

    def run(self, model: ForwardModel[Any], state: S, rng: Rng) -> i64:
        """Apply the rule, and return the number of the exit; not called for nodes that wait."""
        raise NotImplementedError

    def player(self, state: S) -> i64:
        """Return the player who decides; only of nodes that wait."""
        raise ContractError(f"node {self.name!r} of the rule graph is due, which takes no decision")

    def available_actions(self, state: S) -> list[AnyAction]:
        """Return the actions of that player, at least one; only of nodes that wait."""
        raise ContractError(f"node {self.name!r} of the rule graph is due, which takes no decision")

    def drawing(self) -> str:
        """Return the node in mermaid: a box."""
        return f'["{self.name}"]'


@mypyc_attr(allow_interpreted_subclasses=True)
class Rule(Node[S]):
    """Changes the state, then goes on; it may start extended sequences, which come first."""

    __slots__ = ()

    def __init__(self, name: str, following: str, ends_game: bool = False) -> None:
        """Name the node and the one that follows, and say whether the game can end here."""
        super().__init__(name, (following,))
        self.ends_game = ends_game

    def apply(self, state: S, rng: Rng) -> None:
        """Apply the rule to ``state`` in place."""
        raise NotImplementedError

    def run(self, model: ForwardModel[Any], state: S, rng: Rng) -> i64:
        """Apply the rule."""
        self.apply(state, rng)
        return 0


@mypyc_attr(allow_interpreted_subclasses=True)
class Branch(Node[S]):
    """Goes on in one of several ways."""

    __slots__ = ()

    def choose(self, state: S, rng: Rng) -> i64:
        """Return the number of the exit; ``state`` may be changed on the way."""
        raise NotImplementedError

    def run(self, model: ForwardModel[Any], state: S, rng: Rng) -> i64:
        """Choose the exit."""
        return self.choose(state, rng)

    def drawing(self) -> str:
        """Return the node in mermaid: a rhombus."""
        return f'{{"{self.name}"}}'


@mypyc_attr(allow_interpreted_subclasses=True)
class Condition(Branch[S]):
    """Goes on in one of two ways."""

    __slots__ = ()

    def __init__(self, name: str, yes: str, no: str) -> None:
        """Name the node, the one that follows if it holds, and the one that follows if not."""
        super().__init__(name, (yes, no), ("yes", "no"))

    def holds(self, state: S) -> bool:
        """Say whether the condition holds; changes nothing."""
        raise NotImplementedError

    def choose(self, state: S, rng: Rng) -> i64:
        """Test the condition."""
        return 0 if self.holds(state) else 1


@mypyc_attr(allow_interpreted_subclasses=True)
class GameOverCondition(Node[S]):
    """Ends the game if a condition holds, else goes on."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one that follows while the game goes on."""
        super().__init__(name, (following,), ("no",))
        self.ends_game = True

    def holds(self, state: S) -> bool:
        """Say whether the game is over; changes nothing."""
        raise NotImplementedError

    def finish(self, state: S) -> None:
        """End the game; by default by score."""
        state.end_by_score()

    def run(self, model: ForwardModel[Any], state: S, rng: Rng) -> i64:
        """Test the condition and end the game by it."""
        if self.holds(state):
            self.finish(state)
        return 0

    def drawing(self) -> str:
        """Return the node in mermaid: a hexagon."""
        return f'{{{{"{self.name}"}}}}'


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayerAction(Node[S]):
    """Waits for a player's decision, then goes on; conditions behind it can lead back to it."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one that follows the decision, once sequences started by it are complete."""
        super().__init__(name, (following,))
        self.waits = True

    def player(self, state: S) -> i64:
        """Return the player who decides; by default the player whose turn it is."""
        return state.turn_player

    def available_actions(self, state: S) -> list[AnyAction]:
        """Return the actions of that player: at least one."""
        raise NotImplementedError

    def drawing(self) -> str:
        """Return the node in mermaid: a stadium."""
        return f'(["{self.name}"])'


@mypyc_attr(allow_interpreted_subclasses=True)
class EndTurn(Node[GameState]):
    """Ends the turn: the next player is the forward model's ``_next_player``."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one with which the next turn starts."""
        super().__init__(name, (following,))

    def run(self, model: ForwardModel[Any], state: GameState, rng: Rng) -> i64:
        """End the turn."""
        model.end_player_turn(state)
        return 0


@mypyc_attr(allow_interpreted_subclasses=True)
class EndRound(Node[GameState]):
    """Ends the round; at the round limit that ends the game."""

    __slots__ = ()

    def __init__(self, name: str, following: str) -> None:
        """Name the node and the one with which the next round starts."""
        super().__init__(name, (following,))
        self.ends_game = True

    def first_player(self, state: GameState) -> i64:
        """Return the first player of the next round; by default the seat after this round's first player."""
        return next_in_game(state, state.first_player)

    def run(self, model: ForwardModel[Any], state: GameState, rng: Rng) -> i64:
        """End the round."""
        model.end_round(state, self.first_player(state), rng)
        return 0


# --- the graph ---------------------------------------------------------------------------------------------------------


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


# --- the forward model -------------------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class RuleGraphForwardModel(ForwardModel[S]):
    """Runs a rule graph: from decision to decision through all the rules between them.

    A game implements ``_graph`` and ``_setup`` (which leaves the phase alone). Extended sequences may be started by
    actions and by rules; the graph goes on when they are complete.

    Attributes:
        graph: the rules.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Build the graph; parameters that it needs have to be taken from ``self.parameters``.

        Raises:
            ContractError: the graph is wrong.
        """
        super().__init__(parameters)
        self.graph: RuleGraph = self._graph()

    def _graph(self) -> RuleGraph:
        """Return the rules of the game; called once."""
        raise NotImplementedError

    def setup(self, n_players: i64, rng: Rng) -> S:
        """Return the position at the first decision."""
        state = super().setup(n_players, rng)
        state.phase = 0
        self._run(state, rng)
        return state

    def _available_actions(self, state: S) -> list[AnyAction]:
        return self.graph.nodes[state.phase].available_actions(state)

    def _before_action(self, state: S, action: AnyAction, rng: Rng) -> None:
        """Leave the node that waited, before the action may start sequences; a game that overrides this calls it."""
        if not state.sequences:
            state.phase = self.graph.following[state.phase][0]

    def _after_action(self, state: S, action: AnyAction, rng: Rng) -> None:
        self._run(state, rng)

    def _run(self, state: S, rng: Rng) -> None:
        """Run rules from the one that is due to the next decision, or to the end of the game."""
        nodes = self.graph.nodes
        following = self.graph.following
        for _step in range(MAX_RULES):
            node = nodes[state.phase]
            if node.waits:
                state.current_player = node.player(state)
                return
            way = node.run(self, state, rng)
            if state.is_terminal:
                return
            state.phase = following[state.phase][way]
            if state.sequences:
                self._settle_sequences(state)
                if state.sequences:
                    return
        raise ContractError(
            f"the rule graph takes no decision after {MAX_RULES} rules, last {nodes[state.phase].name!r}"
        )
