"""Learned values against perfect play: positions that a search solves, and the learned values and choices there.

The functions run on workers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from tag.catalogue.registry import make_agent, make_game, make_heuristic
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.playing.agent import Agent, Simulator

#: Values that differ by less are the same.
_TINY: Final = 1e-9


class SolvedPosition(NamedTuple):
    """A position whose value is known.

    Attributes:
        state: the position.
        values: the value of each available action for the player to move: -1 for a loss, 0 for a draw, 1 for a win.
    """

    state: GameState
    values: list[float]


def measure_positions(
    model_file: str, game: str, players: int, positions: int, budget: int
) -> list[tuple[float, float]]:
    """Compare learned values and choices with perfect play, in positions of random games that a search solves.

    Args:
        model_file: the file of the learned values.
        game: the spec of the game, for two sides, without chance and hidden information.
        players: the number of players.
        positions: how many positions are drawn; they depend on nothing else.
        budget: forward-model calls for the solution of the position after each action.

    Returns:
        For each solved position the share of the greedy choices that are best, and the absolute error of its value.
    """
    model = make_game(game)
    agent = make_agent(Spec("learned", {"file": model_file}))
    values = make_heuristic(Spec("learned", {"file": model_file}))
    found = []
    for number, solved in enumerate(solved_positions(game, players, positions, budget)):
        state, player = solved.state, solved.state.current_player
        best = max(solved.values)
        greedy = _greedy(agent, model, state, Rng(derive_seed(number, "choice")))
        right = sum(solved.values[place] > best - _TINY for place in greedy)
        found.append((right / len(greedy), abs(values.value(state, player) - best)))
    return found


@lru_cache(maxsize=4)
def solved_positions(game: str, players: int, positions: int, budget: int) -> list[SolvedPosition]:
    """Return those of the drawn positions that the search solves within the budget; for the arguments see above."""
    model = make_game(game)
    solver = make_agent(Spec("max_n", {"budget": budget, "heuristic": "win", "depth": 400}))
    found = []
    for number in range(positions):
        rng = Rng(derive_seed(number, "position"))
        state = _drawn(model, players, rng)
        values = None if state is None else _solved(solver, model, state, rng)
        if state is not None and values is not None:
            found.append(SolvedPosition(state, values))
    return found


def _drawn(model: ForwardModel[Any], players: int, rng: Rng) -> GameState | None:
    """Return a position of a random game in which there is a choice, each as likely as the others; None without one."""
    state: GameState = model.setup(players, rng)
    chosen = None
    choices = 0
    while not state.is_terminal:
        if len(model.available_actions(state)) > 1:
            choices += 1
            if rng.below(choices) == 0:
                chosen = state.copy()
        model.next(state, model.random_action(state, rng), rng)
    return chosen


def _solved(solver: Agent, model: ForwardModel[Any], state: GameState, rng: Rng) -> list[float] | None:
    """Return the value of each action of a position for the player to move; None if one is not solved."""
    player = state.current_player
    values = []
    for action in model.available_actions(state):
        after = state.copy()
        model.next(after, action, rng)
        value = _value(solver, model, after, player, rng)
        if value is None:
            return None
        values.append(value)
    return values


def _value(solver: Agent, model: ForwardModel[Any], state: GameState, player: int, rng: Rng) -> float | None:
    """Return the value of a position for a player; None if it is not solved."""
    if state.is_terminal:
        return state.result_value(player)
    mover = state.current_player
    _seat(solver, model, state, rng)
    solver.act(state, model.available_actions(state))
    found = solver.statistics()
    if not found["is_proven"]:
        return None
    value = 2.0 * cast("float", found["value"]) - 1.0  # the heuristic is from 0 to 1
    return value if state.team(mover) == state.team(player) else -value


def _greedy(agent: Agent, model: ForwardModel[Any], state: GameState, rng: Rng) -> list[int]:
    """Return the places of the actions among which the learned values do not choose."""
    _seat(agent, model, state, rng)
    agent.act(state, model.available_actions(state))
    actions = cast("list[dict[str, Any]]", agent.statistics()["actions"])
    values = [float(one["value"]) for one in actions]
    return [place for place, value in enumerate(values) if value > max(values) - _TINY]


def _seat(agent: Agent, model: ForwardModel[Any], state: GameState, rng: Rng) -> None:
    """Have an agent play the position for the player to move."""
    agent.player = state.current_player
    budget = agent.new_budget()
    agent.sim = Simulator(model.search_model(), rng, budget)
    agent.start_game(state)
    budget.start()
