"""Nodes of a rule graph: one rule each."""

from __future__ import annotations

from typing import Any, Generic

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.rules.turn_order import next_in_game
from tag.engine.snapshot import Copyable
from tag.engine.state import AnyAction, GameState, S
from tag.errors import ContractError


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
