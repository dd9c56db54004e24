"""Expert iteration (Anthony, Tian and Barber 2017), as a learner of values of positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mypy_extensions import i64

from tag.agents.learners._td import needs
from tag.agents.learners.regression import Regression, RegressionParameters, RegressionValues
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import integer, real, spec_of
from tag.errors import DataError
from tag.playing.agent import Agent
from tag.playing.learning import Knowledge, Learner
from tag.playing.listener import Listener


@dataclass
class ExpertIterationParameters(RegressionParameters):
    """Parameters of expert iteration."""

    agent: str = spec_of(
        "agent",
        "mcts:budget=200,rollout_length=0",
        "the expert; after the first iteration, in which it plays as it is, the model is its heuristic",
    )
    games: int = integer(200, 1, 1_000_000, "games of an iteration", log=True)
    memory: int = integer(3, 1, 1000, "iterations whose positions the model is fitted to", log=True)
    mixing: float = real(
        0.0,
        0.0,
        1.0,
        "share that the value found by the player's search has in the target, beside the end of the game; from the second "
        "iteration on",
    )


class ExpertIteration(Regression):
    """Lets a search play with the model as its heuristic, fits the model to these games, and repeats.

    The expert is the search, and the apprentice the model. In the paper the apprentice imitates the expert's choices, too;
    this one learns values only, which every search here can use.
    """

    parameters_class = ExpertIterationParameters

    def __init__(
        self,
        model: ForwardModel[Any],
        n_players: i64,
        parameters: ExpertIterationParameters,
        n_episodes: i64,
        seed: i64,
    ) -> None:
        """Start untrained.

        Raises:
            ParameterError: the game has no features, or the agent cannot play it or uses no heuristic.
        """
        super().__init__(model, n_players, parameters, n_episodes, seed)
        if n_episodes > 0:  # none are played where a learner is only checked
            needs(parameters, "mixing", n_episodes > parameters.games, "more than one iteration")
        self._iterations = parameters
        self._expert: RegressionValues | None = None
        super().new_player().use_heuristic(self.fitted())

    def play_episode(self) -> None:
        """Play one game; the first one of an iteration begins with a new model, and forgets the oldest iteration."""
        settings = self._iterations
        if self.episodes > 0 and self.episodes % settings.games == 0:
            self._expert = self.fitted()
            self.rows = self.rows.last_groups(settings.games * settings.memory)
        super().play_episode()

    def listener(self) -> Listener:
        """Raise `ParameterError`: recorded games are not those of its expert."""
        return Learner.listener(self)

    def new_player(self) -> Agent:
        """Return an expert for one seat of the next game."""
        agent = super().new_player()
        if self._expert is not None:
            agent.use_heuristic(self._expert)
        return agent

    def mixing(self) -> float:
        """Return the share of searches in the targets; none before they use a model."""
        return 0.0 if self._expert is None else self._iterations.mixing

    def target_of(self, value: float) -> float:
        """Return the target that a search's ``value`` stands for, by the model that it used."""
        return value if self._expert is None else self._expert.target(value)

    def knowledge(self, to_go_on: bool) -> Knowledge:
        """Return the model; `to_go_on` also the positions and the expert's model."""
        found = super().knowledge(to_go_on)
        if to_go_on and self._expert is not None:
            self._expert.write(found, "expert_")
        return found

    def restore(self, knowledge: Knowledge) -> None:
        """Take over a model, and the positions and the expert's model where there are some."""
        super().restore(knowledge)
        self._expert = None
        if "expert_bias" in knowledge.facts:
            self._expert = self.read_values(knowledge, "expert_")
        elif "rows" in knowledge.arrays and self.episodes > self._iterations.games:
            raise DataError("the checkpoint does not fit its learner: it has no model of its expert")
