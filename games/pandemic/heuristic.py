"""The heuristic of Pandemic: how far the players are towards the cures, and how near they are to losing."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from games.pandemic.parameters import PandemicHeuristicParameters
from games.pandemic.state import PandemicState
from games.pandemic.weights import Weights
from tag.heuristics import StateHeuristic
from tag.state import GameState


class PandemicHeuristic(StateHeuristic):
    """What is gained and what threatens, weighed; 1 for a win and -1 for a loss.

    - ``cures``: the share of diseases cured.
    - ``hands``: how far the best hand is towards each cure, as a share of the cards that it takes there; cured is 1.
    - ``way``: for each disease, 1 divided by 1 and the drives to a research station, of the nearest player who has all
      cards for its cure; 0 without one, cured is 1.
    - ``cubes``: the share of cubes that are not on the board.
    - ``threat``: the cubes on the board, a city's first one counted once, the second one twice, the third one three
      times, as that is how near an outbreak is, as a share of what all cubes count in full cities; each city's grow by
      the share ``reach`` with each drive to the nearest pawn.
    - ``outbreaks``: the share of the outbreaks that lose.
    - ``stations`` and ``deck``: the share of research stations built and of player cards left.

    The last two are in TAG's heuristic and weigh nothing by default: a station is worth its card only where it shortens
    the way to a cure, and the deck shrinks with every turn, whatever the players do. TAG has neither ways nor threats,
    so that a search sees no reason to go to what is farther away than it looks ahead. With the default weights no
    position of a game that goes on is worth as much as a win.

    It is for searches that value positions after the actions considered (``mcts:rollout_length=0,k=0.1``): random
    players, as in rollouts, burn the cards of cures on flights within a turn or two, and treat next to nothing.
    """

    parameters_class = PandemicHeuristicParameters

    def __init__(self, parameters: PandemicHeuristicParameters | None = None) -> None:
        """Take the weights."""
        chosen = PandemicHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.weights = Weights(chosen)

    def value(self, state: GameState, player: i64) -> float:
        """Weigh the table, in [-1, 1]; it is the same for all players."""
        return cast("PandemicState", state).weighted(player, self.weights)
