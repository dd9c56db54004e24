"""A game of two against two, for the tests: seats 0 and 2 add up numbers against seats 1 and 3."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from tag import Action, AnyAction, ForwardModel, GameState, GameType, Rng, StateHeuristic, interned

_ROUNDS = 2


class DoublesState(GameState):
    """The totals of the two teams."""

    def __init__(self, n_players: i64) -> None:
        """Start at nothing."""
        super().__init__(n_players)
        self.totals = [0, 0]

    def copy(self) -> DoublesState:
        """Copy the totals."""
        other = DoublesState(self.n_players)
        self.copy_to(other)
        other.totals = self.totals[:]
        return other

    def team(self, player: i64) -> i64:
        """Return the partners' number."""
        return player % 2

    def score(self, player: i64) -> float:
        """Return the team's total."""
        return float(self.totals[player % 2])

    def __str__(self) -> str:
        """Return the totals."""
        return f"{self.totals[0]} : {self.totals[1]}"


class DoublesHeuristic(StateHeuristic):
    """The team's lead over the greatest there can be."""

    def value(self, state: GameState, player: i64) -> float:
        """Compare the totals."""
        if state.is_terminal:
            return state.result_value(player)
        totals = cast("DoublesState", state).totals
        return (totals[player % 2] - totals[1 - player % 2]) / (12.0 * _ROUNDS)


class Add(Action[DoublesState]):
    """Add a number and what a die shows."""

    def __init__(self, number: int) -> None:
        """Say which."""
        self.number = number

    def key(self) -> tuple[object, ...]:
        """Return the number."""
        return (self.number,)

    def execute(self, state: DoublesState, rng: Rng) -> None:
        """Add it to the team's total."""
        state.totals[state.current_player % 2] += self.number + int(rng.below(4))


_ADDS: list[AnyAction] = [interned(Add(number)) for number in (1, 2, 3)]


class Doubles(ForwardModel[DoublesState]):
    """Each adds once per round; the greater total of a team wins."""

    game_type = GameType("Doubles", 4, 4, hidden_information=False, heuristic=DoublesHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> DoublesState:
        self.max_rounds = _ROUNDS
        return DoublesState(n_players)

    def _available_actions(self, state: DoublesState) -> list[AnyAction]:
        return _ADDS[:]

    def _after_action(self, state: DoublesState, action: AnyAction, rng: Rng) -> None:
        if state.current_player == state.n_players - 1:
            self.end_round(state, 0, rng)
        else:
            self.end_player_turn(state)
