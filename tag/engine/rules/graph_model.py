"""Forward models that run a rule graph."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters
from tag.engine.rng import Rng
from tag.engine.rules.graph import RuleGraph
from tag.engine.state import AnyAction, S
from tag.errors import ContractError

#: More rules than this in a row without a decision count as a loop.
MAX_RULES: Final = 10_000


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
