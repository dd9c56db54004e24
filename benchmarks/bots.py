"""Measure every bot against random play, one-step look-ahead and MCTS, and print the table of docs/bots.md.

    python benchmarks/bots.py --blocks 100 --mcts-blocks 10 [BOT ...]

A block is two games, one from each seat, with the same chance. In games for one player, and in those that players win
together, each agent has all seats, and its score is compared instead of points.
"""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import mean, stdev
from tempfile import TemporaryDirectory

from tag.catalogue.registry import bot_names, game_names
from tag.catalogue.version import version_text
from tag.orders import GameOrder, play_order
from tag.tournaments import play

AGENTS = ("random", "osla", "mcts")
#: Games that players do not win against each other, with the number of players.
SCORED = {"pandemic": 2, "twenty_forty_eight": 1}
#: Half the width of a 95 % interval, in standard errors.
Z = 1.96


def against(bot: str, agent: str, blocks: int) -> tuple[str, float, float]:
    """Return the points of a bot against an agent with their interval, and the CPU milliseconds per decision of both."""
    game = bot.partition(":")[0]
    with TemporaryDirectory() as folder:
        run = play(
            game,
            [bot, agent],
            players=2,
            blocks=blocks,
            seed=36,
            out=f"{folder}/run",
            workers=1,
            tracking=False,
            progress=False,
        )
        row, other = run.standings.loc[bot], run.standings.loc[agent]
    if row["faults"] or other["faults"]:
        raise SystemExit(f"{bot} or {agent} had faults; tag play {game} --agent {bot} --agent {agent} shows them")
    points = f"{row['points']:.3f} ({row['points_low']:.3f} to {row['points_high']:.3f})"
    return points, float(row["decision_cpu_ms"]), float(other["decision_cpu_ms"])


def scored(agent: str, game: str, games: int) -> tuple[str, float]:
    """Return the mean score of an agent in all seats with its interval, and the CPU milliseconds per decision."""
    records = [play_order(GameOrder("bot", game, (agent,) * SCORED[game], seed)) for seed in range(games)]
    scores = [record.scores[0] for record in records]
    seconds = sum(sum(record.cpu_seconds) for record in records)
    half = Z * stdev(scores) / sqrt(games)
    return f"{mean(scores):,.1f} ± {half:,.1f}", 1000 * seconds / sum(sum(record.decisions) for record in records)


def row_of(bot: str, blocks: int, mcts_blocks: int) -> str:
    """Return a row of the table."""
    game = bot.partition(":")[0]
    cells = []
    if game in SCORED:
        own, ms = scored(bot, game, 2 * blocks)
        for agent in AGENTS:
            found, other = scored(agent, game, 2 * (mcts_blocks if agent == "mcts" else blocks))
            cells.append(f"{own} : {found} | {other:.2g}")
    else:
        for agent in AGENTS:
            found, ms, other = against(bot, agent, mcts_blocks if agent == "mcts" else blocks)
            cells.append(f"{found} | {other:.2g}")
    return " | ".join([f"| `{bot}`", f"{ms:.2g}", *cells]) + " |"


def main() -> None:
    """Print the table, a row at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="*")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--mcts-blocks", type=int, default=10)
    said = parser.parse_args()
    print(version_text())
    print(
        "| bot | ms | against random | ms | against osla | ms | against mcts | ms |\n|---|---|---|---|---|---|---|---|"
    )
    for bot in said.bots or [bot for game in game_names() for bot in bot_names(game)]:
        print(row_of(bot, said.blocks, said.mcts_blocks), flush=True)


if __name__ == "__main__":
    main()
