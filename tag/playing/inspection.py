"""Inspected games: in any position an agent can be asked for its decision, and any action can be taken.

An agent draws from the streams that it has in a game of the same seed (`tag.playing.game.Game`). So it decides as in that
game, as long as it is asked in the same positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mypy_extensions import i64

from tag.engine.forward_model import ForwardModel
from tag.engine.state import AnyAction
from tag.playing.agent import Agent
from tag.playing.faults import OVER_BUDGET, SUBSTITUTE, FaultPolicy
from tag.playing.game import Game, Seat
from tag.playing.listener import Listener
from tag.playing.search_tree import SearchNode


@dataclass
class InspectedDecision:
    """The decision of an agent in a position.

    Attributes:
        choice: the number of the chosen action among those available, from 0; None if the agent failed.
        by_action: for each available action what `Agent.statistics` has in ``actions``, without the action's name; an empty
            dictionary where it has nothing.
        figures: all else that it has.
        seconds: the wall time that the decision took.
        fault: how the agent failed, in one line; empty if it did not.
        tree: the tree of its search, if it was asked for and there is one.
    """

    choice: int | None
    by_action: list[dict[str, object]]
    figures: dict[str, object] = field(default_factory=dict)
    seconds: float = 0.0
    fault: str = ""
    tree: SearchNode | None = None


class InspectedGame(Game):
    """A game whose agents are asked without being followed.

    Examples:
        >>> from tag import make_agent, make_game
        >>> game = InspectedGame(make_game("nim:heaps=2,size=2"), [make_agent("osla"), make_agent("osla")], seed=1)
        >>> decision = game.decide()
        >>> str(game.model.available_actions(game.state)[decision.choice]), decision.fault
        ('take 2 from heap 1', '')
        >>> game.take(decision.choice)
    """

    def __init__(
        self,
        model: ForwardModel[Any],
        agents: Sequence[Agent],
        seed: int,
        chance_seeds: Mapping[str, int] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        """Set the game up, and let the agents prepare for it.

        Args:
            model: the rules.
            agents: one per seat.
            seed: decides all chance.
            chance_seeds: seeds of sources of chance, as in `Game`.
            listeners: receive the events of the game.

        Raises:
            PlayersError: the game cannot seat so many.
            ParameterError: it has no such source of chance.
        """
        policy = FaultPolicy(on_exception=SUBSTITUTE)
        super().__init__(model, agents, seed, policy=policy, chance_seeds=chance_seeds, listeners=listeners)
        self._given: AnyAction | None = None
        self._n_faults: i64 = 0
        self.start()

    def decide(self, *, with_tree: bool = False) -> InspectedDecision:
        """Ask the current player's agent, as `Game.step` does: only where there is a choice, unless it wants all.

        The position stays as it is, and must not be terminal.
        """
        actions = self.model.available_actions(self.state)
        player = self.state.current_player
        seat = self._seats[player]
        agent = seat.agent
        if len(actions) == 1 and not agent.wants_single_actions:
            return InspectedDecision(0, [{}])
        before = seat.seconds
        action = super()._ask(seat, player, actions)
        seconds = seat.seconds - before
        faults = self.faults[self._n_faults :]
        self._n_faults = len(self.faults)
        fault = "; ".join([f"{one.kind}: {one.message}" for one in faults])
        if action is None or any([one.kind != OVER_BUDGET for one in faults]):
            return InspectedDecision(None, [{} for _action in actions], {}, seconds, fault)
        told: Any = agent.statistics()
        figures = dict(told) if isinstance(told, Mapping) else {}
        by_action = _by_action(figures.pop("actions", None), actions)
        tree = agent.search_tree() if with_tree else None
        return InspectedDecision(actions.index(action), by_action, figures, seconds, fault, tree)

    def take(self, number: int) -> None:
        """Play an action, by its number among those available."""
        self._given = self.model.available_actions(self.state)[number]
        self.step()

    def _ask(self, seat: Seat, player: i64, actions: list[AnyAction]) -> AnyAction | None:
        """Return the given action."""
        return self._given


def _by_action(rows: object, actions: list[AnyAction]) -> list[dict[str, object]]:
    """Return the figures of each action; of actions with the same text, in the order in which these are told."""
    waiting: dict[str, list[dict[str, object]]] = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, Mapping):
            figures = {str(name): value for name, value in row.items() if name != "action"}
            waiting.setdefault(str(row.get("action")), []).append(figures)
    found: list[dict[str, object]] = []
    for action in actions:
        told = waiting.get(str(action))
        found.append(told.pop(0) if told else {})
    return found
