"""Monte Carlo tree search: UCT for any number of players, with hidden information determinised."""

from tag.agents.search.mcts.agent import Mcts
from tag.agents.search.mcts.parameters import MctsParameters

__all__ = ["Mcts", "MctsParameters"]
