"""The choices of others who choose at the same time as an agent."""

from __future__ import annotations

from typing import Final, final

from mypy_extensions import i64

from tag.engine.rng import Rng
from tag.engine.snapshot import Copyable
from tag.engine.state import GameState
from tag.playing.agent import Simulator

NO_SEED: Final = -1


@final
class SimultaneousChoices(Copyable):
    """Draws the choices of those who choose at the same time as an agent decides, and are asked after it.

    An observation deals the choices of those who were asked before. These are drawn in the same way: each action is as
    likely, and one draw serves all actions that the agent tries in a deal. So it makes no difference who is asked first.
    """

    __slots__ = ("_seed", "_sim")
    _sim: Simulator
    _seed: i64

    def __init__(self, sim: Simulator) -> None:
        """Take the rules, the stream and the budget of the agent; its stream is used only where choices are drawn."""
        self._sim = sim
        self._seed = NO_SEED

    def deal_again(self, seed: i64 = NO_SEED) -> None:
        """Draw other choices from now on, by ``seed``, or if omitted by one that is drawn when it is needed."""
        self._seed = seed

    def resolve(self, state: GameState, player: i64) -> None:
        """Play ``state`` on, in place, until the choices have happened, at no cost.

        It ends as well where ``player``, for whom the agent decides, has another choice to make.
        """
        if not state.is_unresolved():
            return
        if self._seed == NO_SEED:
            self._seed = self._sim.rng.next32()
        self._sim.resolve(state, Rng(self._seed), player)
