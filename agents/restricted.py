"""Restricted play: another agent without some of its actions, to measure their value.

Source: Jaffe, Miller, Andersen, Liu, Karlin and Popović: Evaluating competitive game balance with restricted play (2012).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from tag.catalogue.registry import make_agent
from tag.engine.parameters import Parameters, free_text, spec_of
from tag.engine.state import AnyAction, GameState, is_among
from tag.engine.values import StateHeuristic
from tag.playing.agent import Agent, Budget, Simulator
from tag.playing.decorators import ActionFilter, RestrictedForwardModel, meant
from tag.playing.search_tree import SearchNode

_ANYTHING: Final = "*"


@dataclass
class RestrictedParameters(Parameters):
    """The agent that plays, and the actions that it never takes."""

    agent: str = spec_of("agent", "random", "the agent that plays")
    without: str = free_text(
        "", "the actions it never takes, by class or by how their text begins; * stands for anything, nothing for none"
    )


class WithoutActions(ActionFilter):
    """Drops the actions of some names; a secret choice counts as the chosen action.

    A name matches the name of the action's class (``Guard``) or the beginning of its text for the player, in whole words
    (``play Forecast``; ``Prince`` is not ``Princess``). Capitals make no difference, and ``*`` stands for anything
    (``*reverse`` for a reverse of any colour).
    """

    def __init__(self, words: str) -> None:
        """Take the words; none drop nothing."""
        self.words = words
        #: The names to compare with classes and texts, in small letters.
        self._class = words.lower()
        self._text = re.compile(".*".join([re.escape(part) for part in words.lower().split(_ANYTHING)]) + r"(?!\w)")

    def keep(self, state: GameState, action: AnyAction) -> bool:
        """Look at the class, then at the text."""
        if not self.words:
            return True
        chosen = meant(action)
        if type(chosen).__name__.lower() == self._class:
            return False
        return self._text.match(chosen.text(state, state.current_player).lower()) is None


class Restricted(Agent):
    """Lets another agent play, and withholds actions from it unless no others are available.

    The other agent plays a game in which its player does not have these actions. They are neither offered to it nor
    available to its player when it looks ahead, so that it plans for what it can do, as restricted players should. Its
    model of the other players is unchanged, and they do not know of the restriction. It is asked only where a choice is
    left, and has its own budget.

    Words that match no action of a game withhold nothing: `statistics` gives the number of withheld actions, in the last
    decision and in the game so far.
    """

    parameters_class = RestrictedParameters

    def __init__(self, parameters: RestrictedParameters | None = None) -> None:
        """Make the other agent."""
        chosen = RestrictedParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._agent = make_agent(chosen.agent)
        self._filter = WithoutActions(chosen.without)
        self._withheld: i64 = 0
        self._withheld_in_game: i64 = 0
        self._is_asked = False
        self._dropped: list[AnyAction] = []

    def new_budget(self) -> Budget:
        """Return the budget of the other agent."""
        return self._agent.new_budget()

    def watches(self) -> bool:
        """Say whether the other agent does."""
        return self._agent.watches()

    def listens(self) -> bool:
        """Say whether the other agent does."""
        return self._agent.listens()

    def use_heuristic(self, heuristic: StateHeuristic) -> None:
        """Let the other agent value positions by ``heuristic`` from the next game on."""
        self._agent.use_heuristic(heuristic)

    def start_game(self, observation: GameState) -> None:
        """Seat the other agent in a game with fewer actions for its player."""
        sim = self.sim
        self._withheld = 0
        self._withheld_in_game = 0
        self._is_asked = False
        self._agent.player = self.player
        self._agent.watched = []
        self._agent.heard = []
        rules = RestrictedForwardModel(sim.model, [self._filter], self.player)
        self._agent.sim = Simulator(rules, sim.rng, sim.budget)
        self._agent.start_game(observation)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Ask the other agent for one of the remaining actions.

        >>> from tag import make_agent, make_game
        >>> agent = make_agent("restricted:agent=osla,without=guard")
        >>> agent.parameters
        RestrictedParameters(agent='osla', without='guard')
        """
        offered = self._filter.kept(observation, actions) or actions
        self._dropped = [action for action in actions if not is_among(action, offered)]
        self._withheld = len(self._dropped)
        self._withheld_in_game += self._withheld
        self._is_asked = len(offered) > 1
        agent = self._agent
        agent.watched += self.watched
        agent.heard += self.heard
        if not self._is_asked:
            if agent.watches():
                agent.watched.append(observation)
            return offered[0]
        agent.sim.budget = self.sim.budget
        choice = agent.act(observation, offered)
        agent.watched = []
        agent.heard = []
        return choice

    def end_game(self, state: GameState) -> None:
        """Let the other agent learn how the game ended."""
        self._agent.heard += self.heard
        self._agent.end_game(state)

    def statistics(self) -> Mapping[str, object]:
        """Return how many actions were withheld, and the other agent's figures if it was asked.

        Withheld actions have no value.
        """
        figures: dict[str, object] = dict(self._agent.statistics()) if self._is_asked else {}
        rows = figures.get("actions")
        if isinstance(rows, list):
            figures["actions"] = [*rows, *[{"action": str(action), "value": None} for action in self._dropped]]
        figures["withheld"] = int(self._withheld)
        figures["withheld_in_game"] = int(self._withheld_in_game)
        return figures

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the other agent's tree if it was asked, with the withheld actions; these have no value."""
        tree = self._agent.search_tree(least_visits, most_nodes) if self._is_asked else None
        if tree is not None:
            tree.children += [SearchNode(action, int(self.player)) for action in self._dropped]
        return tree
