"""Random games by OpenSpiel's C++ beside those of this package, both called from Python with one loop, on one core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tag import Rng, make_game

#: The games that both have, with the number of players and OpenSpiel's spec.
PAIRS = {
    "tic_tac_toe": (2, "tic_tac_toe"),
    "connect_four": (2, "connect_four"),
    "backgammon": (2, "backgammon"),
    "hanabi": (2, "hanabi(players=2)"),
    "hearts": (4, "hearts"),
    "liars_dice": (2, "liars_dice(players=2)"),
    "spades": (4, "spades"),
}


def our_moves(spec: str, players: int) -> Callable[[int, int], int]:
    """Return work that plays ``amount`` random moves, whole games of them, by our rules."""
    model: Any = make_game(spec)

    def work(amount: int, seed: int) -> int:
        rng = Rng(seed)
        moves = 0
        while moves < amount:
            state = model.setup(players, rng)
            while not state.is_terminal:
                actions = model.available_actions(state)
                model.next(state, actions[rng.below(len(actions))], rng)
                moves += 1
        return moves

    return work


def their_moves(spec: str) -> Callable[[int, int], int]:
    """Return work that plays ``amount`` random moves, whole games of them, by OpenSpiel's rules; chance is no move."""
    import pyspiel  # noqa: PLC0415  it need not be installed

    game: Any = pyspiel.load_game(spec)

    def work(amount: int, seed: int) -> int:
        rng = Rng(seed)
        moves = 0
        while moves < amount:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(_outcome(state.chance_outcomes(), rng))
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[rng.below(len(actions))])
                    moves += 1
        return moves

    return work


def _outcome(outcomes: list[tuple[int, float]], rng: Rng) -> int:
    """Return an outcome drawn by its probability; of equally likely ones, as cards are, by its place."""
    if outcomes[0][1] == outcomes[-1][1]:
        return outcomes[rng.below(len(outcomes))][0]
    point = rng.uniform()
    for outcome, probability in outcomes:
        point -= probability
        if point < 0.0:
            return outcome
    return outcomes[-1][0]
