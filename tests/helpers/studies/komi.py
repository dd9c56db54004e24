"""A made-up game of which the truth is known: both roll as often, the first has a head start, the second gets komi.

Whoever plays, neither seat is better just where the komi equals the head start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from tag import Action, AnyAction, ForwardModel, GameState, GameType, Parameters, Rng, StateHeuristic, integer, interned

HEAD_START = 4


@dataclass
class KomiParameters(Parameters):
    """What can be changed."""

    komi: int = integer(0, 0, 12, "points that the second player gets")
    turns: int = integer(3, 1, 12, "turns of each player")
    paint: int = integer(1, 1, 5, "what changes nothing")


class KomiState(GameState):
    """Totals."""

    def __init__(self, n_players: int, komi: int) -> None:
        super().__init__(n_players)
        self.totals = [HEAD_START, komi]

    def copy(self) -> KomiState:
        other = KomiState(self.n_players, 0)
        self.copy_to(other)
        other.totals = self.totals[:]
        return other

    def score(self, player: int) -> float:
        return float(self.totals[player])


class KomiHeuristic(StateHeuristic):
    """The lead."""

    def value(self, state: GameState, player: int) -> float:
        totals = cast("KomiState", state).totals
        return state.result_value(player) if state.is_terminal else 0.02 * (totals[player] - totals[1 - player])


class Roll(Action[KomiState]):
    """Roll a die; they differ by colour only, so that no player can be better than another."""

    def __init__(self, colour: str) -> None:
        self.colour = colour

    def key(self) -> tuple[object, ...]:
        return (self.colour,)

    def execute(self, state: KomiState, rng: Rng) -> None:
        state.totals[state.current_player] += 1 + int(rng.below(6))


ACTIONS: list[AnyAction] = [interned(Roll(colour)) for colour in ("red", "blue")]


class Komi(ForwardModel[KomiState]):
    """The rules; a tie is decided by a coin."""

    game_type = GameType("Komi", 2, 2, parameters=KomiParameters, heuristic=KomiHeuristic)
    parameters: KomiParameters

    def _setup(self, n_players: int, rng: Rng) -> KomiState:
        return KomiState(n_players, self.parameters.komi)

    def _available_actions(self, state: KomiState) -> list[AnyAction]:
        return ACTIONS[:]

    def _after_action(self, state: KomiState, action: AnyAction, rng: Rng) -> None:
        if state.tick < 2 * self.parameters.turns:
            self.end_player_turn(state)
            return
        if state.totals[0] == state.totals[1]:
            state.totals[int(rng.below(2))] += 1
        state.end_by_score()
