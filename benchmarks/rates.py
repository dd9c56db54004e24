"""What is measured: rates per CPU second of the engine and of search, each from a fixed amount of seeded work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from time import process_time
from typing import Any

import studies
from beside_open_spiel import PAIRS, our_moves, their_moves

from tag import AnyAction, GameState, Rng, Simulator, make_agent, make_game
from tag.orders import GameOrder, new_game

#: The games that TAG has too, with the number of players: four where the game allows.
GAMES = {
    "tic_tac_toe": 2,
    "connect_four:width=8,height=8": 2,
    "dots_and_boxes": 4,
    "love_letter": 4,
    "poker": 4,
    "sushi_go": 4,
    "exploding_kittens": 4,
    "virus": 4,
    "cant_stop": 4,
    "dominion": 4,
    "diamant": 4,
    "battlelore": 2,
    "pandemic": 4,
    "uno": 4,
    "colt_express": 4,
}

#: The iterations of a search: about those of 10 ms.
SEARCH = 1000


@dataclass(frozen=True)
class Rate:
    """One figure: ``work(amount, seed)`` does ``amount`` units; the rate is units per CPU second."""

    name: str
    work: Callable[[int, int], int]
    amount: int


def games(spec: str, players: int) -> Callable[[int, int], int]:
    """Return work that plays random games through the game loop, with an observation at each decision."""

    def work(amount: int, seed: int) -> int:
        for game in range(amount):
            new_game(GameOrder("", spec, ("random",) * players, seed * 1_000_000 + game)).play()
        return amount

    return work


def decisions(spec: str, players: int) -> Callable[[int, int], int]:
    """Return work that plays random games with observations and counts the decisions in which there was a choice."""

    def work(amount: int, seed: int) -> int:
        made = 0
        for number in range(amount):
            game = new_game(GameOrder("", spec, ("random",) * players, seed * 1_000_000 + number))
            game.play()
            made += sum(game.decisions)
        return made

    return work


def positions(spec: str, players: int, count: int) -> list[GameState]:
    """Return positions of random games."""
    model = make_game(spec)
    rng = Rng(1)
    found: list[GameState] = []
    while len(found) < count:
        state = model.setup(players, rng)
        while not state.is_terminal:
            found.append(state.copy())
            model.next(state, rng.choice(model.available_actions(state)), rng)
    return found[:count]


def observations(spec: str, players: int) -> Callable[[int, int], int]:
    """Return work that makes observation copies for the player to move."""
    states = positions(spec, players, 300)

    def work(amount: int, seed: int) -> int:
        rng = Rng(seed)
        for _repeat in range(amount // len(states)):
            for state in states:
                state.observation(state.current_player, rng)
        return amount // len(states) * len(states)

    return work


def available(spec: str, players: int) -> Callable[[int, int], int]:
    """Return work that computes available actions."""
    model: Any = make_game(spec)
    states = positions(spec, players, 300)

    def work(amount: int, seed: int) -> int:
        for _repeat in range(amount // len(states)):
            for state in states:
                model.available_actions(state)
        return amount // len(states) * len(states)

    return work


def search(spec: str, players: int, agent_spec: str) -> Callable[[int, int], int]:
    """Return work that searches the first decisions of games for `SEARCH` iterations each, ``amount`` in all."""
    model = make_game(spec)

    def work(amount: int, seed: int) -> int:
        for number in range(max(1, amount // SEARCH)):
            rng = Rng(seed, number)
            state = model.setup(players, rng)
            agent = make_agent(f"{agent_spec},budget_type=iterations,budget={SEARCH}")
            agent.player = state.current_player
            agent.sim = Simulator(model, Rng(seed), agent.new_budget())
            agent.start_game(state)
            actions: list[AnyAction] = model.available_actions(state)
            agent.sim.budget.start()
            agent.act(state, actions)
        return max(1, amount // SEARCH) * SEARCH

    return work


def all_rates() -> list[Rate]:
    """Return every figure, with amounts for the compiled build (the interpreted one does a tenth)."""
    return [
        Rate("love_letter games with observations, 4 players", games("love_letter", 4), 4_000),
        Rate("love_letter observation copies, 4 players", observations("love_letter", 4), 300_000),
        Rate("love_letter available actions, 4 players", available("love_letter", 4), 600_000),
        Rate("tic_tac_toe games with observations", games("tic_tac_toe", 2), 20_000),
        Rate("connect_four games with observations", games("connect_four", 2), 10_000),
        *[Rate(f"{game} decisions with a choice, {n} players", decisions(game, n), 1_000) for game, n in GAMES.items()],
        *[
            Rate(f"{game} MCTS iterations in searches of {SEARCH:,}, {text} rollouts, {n} players", work, 20_000)
            for game, n in GAMES.items()
            for text, work in [_rollouts(game, n)]
        ],
        *_beside_open_spiel(),
        Rate("study: games through the driver to the ledger, simulated workers", studies.driver, 100_000),
        Rate("study: games appended to the ledger", studies.append, 100_000),
        Rate("study: games of a ledger looked through to go on with it", studies.resume, 100_000),
        Rate("study: games of a ledger read into standings", studies.results, 100_000),
        Rate("study: agents of a wide field dealt to eight blocks of tables", studies.wide_tables, 3_000),
        Rate("study: agents of a wide field read into standings", studies.wide_standings, 3_000),
        Rate("study: agents of a wide field rated, of a thousand", studies.wide_ratings, 1_000),
    ]


def _rollouts(game: str, players: int) -> tuple[str, Callable[[int, int], int]]:
    """Return how far the search of a game plays on, to the end in the shortest, and the search."""
    if game == "tic_tac_toe":
        return "full", search(game, players, "mcts:rollout_length=1000")
    return "10-ply", search(game, players, "mcts:rollout_length=10")


def _beside_open_spiel() -> list[Rate]:
    """Return the rates of games that OpenSpiel has too, and those of OpenSpiel where it is installed."""
    found = [
        Rate(f"{game} moves called from Python", our_moves(game, n), 100_000) for game, (n, _spec) in PAIRS.items()
    ]
    if find_spec("pyspiel") is None:
        return found
    theirs = [
        Rate(f"{game} moves called from Python, by OpenSpiel", their_moves(spec), 50_000)
        for game, (_n, spec) in PAIRS.items()
    ]
    return found + theirs


def measure(rate: Rate, scale: float, repeats: int) -> list[float]:
    """Return the rate, units per CPU second, of each of ``repeats`` runs after a short warm-up."""
    amount = max(300, int(rate.amount * scale))
    rate.work(max(300, amount // 10), 0)
    found = []
    for repeat in range(repeats):
        begin = process_time()
        done = rate.work(amount, repeat + 1)
        found.append(done / (process_time() - begin))
    return found
