"""PyTAG's table, trained again: PPO in self-play, against random agents, OSLA and MCTS.

    python examples/learning/pytag_table.py --out runs/ppo                        # small: minutes
    python examples/learning/pytag_table.py --out runs/ppo --full                 # as much as PyTAG
    python examples/learning/pytag_table.py --out runs/ppo --only love_letter-2

Ray trains and evaluates on all cores. Policies are files; what is there is not trained again.

PyTAG: M. Balla et al., "PyTAG: Tabletop games for multi-agent reinforcement learning", IEEE Transactions on Games 2024,
table II: 3 trainings of a million decisions, shares of wins in 100 games.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import ray
from ppo import Settings, Trainer

from tag.engine.results import WIN
from tag.orders import GameOrder, play_order
from tag.tournaments.statistics.clustered_means import ClusteredMean

POLICY = Path(__file__).with_name("ppo_policy.py").resolve()
OPPONENTS = ("random", "osla:preset=none", "mcts:budget=1000,preset=none")


@dataclass(frozen=True)
class Row:
    """A row of the table.

    Attributes:
        game: the spec of the game.
        players: the number of seats; the opponents are alike.
        reward: what is learned from (`tag.adapters.rewards`).
        theirs: PyTAG's shares of wins against the three opponents.
    """

    game: str
    players: int
    reward: str
    theirs: tuple[float, float, float]

    @property
    def name(self) -> str:
        """Return the name, also of the files."""
        return f"{self.game}-{self.players}" + ("" if self.reward == "win" else f"-{self.reward}")


ROWS = [
    Row("tic_tac_toe", 2, "win", (1.00, 1.00, 0.05)),
    Row("diamant", 2, "win", (0.72, 0.99, 0.26)),
    Row("love_letter", 2, "win", (0.80, 0.22, 0.17)),
    Row("exploding_kittens", 2, "win", (0.51, 0.49, 0.31)),
    Row("dots_and_boxes", 2, "score", (1.0, 0.0, 0.0)),
    Row("sushi_go", 2, "score", (0.81, 0.88, 0.01)),
    Row("diamant", 4, "win", (0.50, 0.98, 0.13)),
    Row("love_letter", 4, "win", (0.28, 0.03, 0.01)),
    Row("love_letter", 4, "score", (0.42, 0.09, 0.03)),
    Row("sushi_go", 4, "score", (0.76, 0.88, 0.05)),
]


@dataclass(frozen=True)
class Cell:
    """Games of a policy against copies of one opponent.

    Attributes:
        games: their number.
        wins: those that the policy won alone.
        seconds: CPU seconds per decision of the policy and of the opponents.
    """

    games: int
    wins: int
    seconds: tuple[float, float]


@ray.remote(num_cpus=1)
def trained(row: Row, seed: int, settings: Settings, folder: str) -> str:
    """Train a policy unless it is there, and return its file."""
    file = Path(folder) / f"{row.name}-{settings.decisions}-{seed}.safetensors"
    if not file.exists():
        unfinished = file.with_suffix(".tmp")
        unfinished.write_bytes(Trainer(row.game, row.players, row.reward, seed, settings).train())
        unfinished.replace(file)
    return str(file)


@ray.remote(num_cpus=1)
def evaluated(row: Row, file: str, opponent: str, seeds: range) -> Cell:
    """Play games, in one seat after another."""
    wins = 0
    seconds, decisions = [0.0, 0.0], [0, 0]
    for seed in seeds:
        seat = seed % row.players
        agents = [opponent] * row.players
        agents[seat] = f"{POLICY}:PpoPolicy:greedy=true,file={file}"
        record = play_order(GameOrder("", row.game, tuple(agents), seed))
        if record.faults:
            raise RuntimeError(record.faults[0].message)
        wins += record.results[seat] == WIN and record.results.count(WIN) == 1
        for other in range(row.players):
            seconds[other != seat] += record.cpu_seconds[other]
            decisions[other != seat] += record.decisions[other]
    return Cell(len(seeds), wins, (seconds[0] / decisions[0], seconds[1] / decisions[1]))


def cell_text(cells: list[Cell], theirs: float) -> str:
    """Return the share of wins with its interval, those of the trainings apart, PyTAG's, and the times of both sides."""
    games, wins = sum(cell.games for cell in cells), sum(cell.wins for cell in cells)
    low, high = ClusteredMean.of(np.repeat([1.0, 0.0], [wins, games - wins]), np.ones(games)).proportion_interval()
    each = ", ".join(f"{cell.wins / cell.games:.2f}" for cell in cells)
    ours, others = (1e6 * sum(cell.seconds[side] for cell in cells) / len(cells) for side in (0, 1))
    return f"{wins / games:.3f} ({low:.3f} to {high:.3f}) | {each} | {theirs:.2f} | {ours:.0f} and {others:,.0f} us"


def main() -> None:
    """Train and evaluate, and print the table as results come."""
    parser = argparse.ArgumentParser(description="PyTAG's table, trained again.")
    parser.add_argument("--out", required=True, help="the folder of the policies")
    parser.add_argument("--full", action="store_true", help="a million decisions, 3 trainings, 1,000 games")
    parser.add_argument("--only", choices=[row.name for row in ROWS], help="one row")
    said = parser.parse_args()
    decisions, trainings, games = (1_000_000, 3, 1_000) if said.full else (50_000, 2, 100)
    folder = Path(said.out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    paths = os.pathsep.join([str(POLICY.parent), *map(os.path.abspath, sys.path)])
    ray.init(address="local", include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": paths}})
    for row in [row for row in ROWS if said.only in (None, row.name)]:
        files = [trained.remote(row, seed, Settings(decisions), str(folder)) for seed in range(trainings)]
        asked = {}
        for opponent in OPPONENTS:
            parts = [range(seed * games // trainings, (seed + 1) * games // trainings) for seed in range(trainings)]
            asked[opponent] = [
                evaluated.remote(row, file, opponent, part) for file, part in zip(files, parts, strict=True)
            ]
        for (opponent, found), theirs in zip(asked.items(), row.theirs, strict=True):
            cells = ray.get(found)
            print(f"| {row.name} | {opponent} | {cell_text(cells, theirs)} |", flush=True)
            with (folder / "cells.jsonl").open("a", encoding="utf-8") as out:
                about = {"row": row.name, "opponent": opponent, "decisions": decisions}
                out.write(json.dumps({**about, "cells": [vars(cell) for cell in cells]}) + "\n")


if __name__ == "__main__":
    main()
