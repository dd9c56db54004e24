"""Measure agents over all games, against the rule bots of each and against cheaper agents, and print a table.

    python benchmarks/panel.py build/panel mcts:budget=10,budget_type=cpu_ms osla --blocks 50
    python benchmarks/panel.py build/panel random osla mcts --against bots --blocks 100
    python benchmarks/panel.py build/panel mcts --players usual --blocks 60

Each cell is a tournament of two agents in a folder, so that a run which was stopped goes on, and one with more blocks
plays those that are missing. A block is a game from each seat, with the same chance for all agents: so their
differences are paired. With more than two players the opponent has all other seats, or the other side, and equal
strength is 1 / players. In games for one player, and in those that players win together, an agent has all seats, and
scores are shown that enter no mean.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from hashlib import sha256
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, stdev, variance

from tag.catalogue.registry import bot_names, game_class, game_names
from tag.catalogue.version import version_text
from tag.engine.parameters import parse_spec
from tag.orders import GameOrder, play_order
from tag.tournaments import play

#: Games that players do not win against each other, with the number of players.
SCORED = {"hanabi": 2, "pandemic": 2, "twenty_forty_eight": 1}
#: Games that are usually played by more than two, with the number of players.
USUAL = {
    "blackjack": 4,
    "cant_stop": 4,
    "catan": 3,
    "colt_express": 4,
    "diamant": 4,
    "dominion": 4,
    "exploding_kittens": 4,
    "hearts": 4,
    "love_letter": 4,
    "poker": 4,
    "resistance": 5,
    "seven_wonders": 4,
    "spades": 4,
    "sushi_go": 4,
    "uno": 4,
    "virus": 4,
}
#: Games of two sides, in which an agent has all seats of its side.
SIDES = ("spades",)
#: Stands for the bots of a game among the opponents.
BOTS = "bots"
#: Half the width of a 95 % interval, in standard errors.
Z = 1.96
_TWO = 2


@dataclass(frozen=True)
class Cell:
    """What an agent has reached in a game against an opponent.

    Attributes:
        text: the points, or the score, with a 95 % interval.
        ms: CPU milliseconds per decision of the agent.
        its_ms: the same of the opponent.
        blocks: its points in each block; empty for scores.
        high: the upper end of the interval of the points.
    """

    text: str
    ms: float
    its_ms: float = 0.0
    blocks: tuple[float, ...] = ()
    high: float = inf


def played(game: str, agent: str, opponent: str, blocks: int, seed: int, folder: Path, players: int = _TWO) -> Cell:
    """Play the games of a cell that its folder lacks, and return the points of the agent."""
    names = f"{game} {agent} {opponent} {seed}" + (f" {players}" if players > _TWO else "")
    out = folder / f"{parse_spec(game).name}-{sha256(names.encode()).hexdigest()[:12]}"
    run = play(
        game,
        [agent, opponent],
        players=players,
        design="round_robin" if players == _TWO or parse_spec(game).name in SIDES else "gauntlet",
        blocks=blocks,
        seed=seed,
        out=out,
        workers=1,
        tracking=False,
        progress=False,
    )
    games, seats = run.ledger
    if games["faults"].sum():
        raise SystemExit(f"faults in {out}; tag results {out} shows them")
    own = seats[(seats["agent_index"] == 0) & (seats["block"] < blocks)]
    points = tuple(own.groupby("block")["points"].mean())
    row = run.standings.loc[own["agent"].iloc[0]]
    other = run.standings.loc[seats[seats["agent_index"] == 1]["agent"].iloc[0]]
    text = f"{row['points']:.2f} ({row['points_low']:.2f} to {row['points_high']:.2f})"
    return Cell(text, float(row["decision_cpu_ms"]), float(other["decision_cpu_ms"]), points, float(row["points_high"]))


def scored(game: str, agent: str, blocks: int, seed: int) -> Cell:
    """Play two games for each block with the agent in all seats, and return its mean score."""
    seats = (agent,) * SCORED[parse_spec(game).name]
    records = [play_order(GameOrder("panel", game, seats, 1000 * seed + number)) for number in range(2 * blocks)]
    scores = [record.scores[0] for record in records]
    half = Z * stdev(scores) / sqrt(len(scores))
    seconds = sum(sum(record.cpu_seconds) for record in records)
    decisions = sum(sum(record.decisions) for record in records)
    return Cell(f"{fmean(scores):,.1f} ± {half:,.1f}", 1000 * seconds / decisions)


def interval(cells: list[list[float]]) -> str:
    """Return the mean of cells of equal weight, each a list of values by block, with its 95 % interval."""
    error = sqrt(sum(variance(values) / len(values) for values in cells)) / len(cells)
    return f"{fmean(fmean(values) for values in cells):+.3f} ± {Z * error:.3f}"


def summary(columns: dict[str, list[Cell]]) -> list[str]:
    """Return the mean, the least and the paired difference from the first agent, of each agent over all cells."""
    first = next(iter(columns.values()))
    lines = ["", "| agent | mean | least | beside the first, paired |", "|---|---|---|---|"]
    for agent, cells in columns.items():
        own = [list(cell.blocks) for cell in cells]
        pairs = [
            [mine - its for mine, its in zip(cell.blocks, other.blocks, strict=True)]
            for cell, other in zip(cells, first, strict=True)
        ]
        least = min(fmean(values) for values in own)
        lines.append(f"| `{agent}` | {interval(own)[1:]} | {least:.2f} | {interval(pairs)} |")
    return lines


def players_of(game: str, said: str) -> int:
    """Return the number of players of a game's cells, two if possible; 0 where it is not usually played by more."""
    name = parse_spec(game).name
    fewest = max(_TWO, game_class(name).game_type.min_players)
    return SCORED.get(name, fewest) if said == str(_TWO) else USUAL.get(name, 0)


def opponents_of(game: str, named: list[str]) -> list[str]:
    """Return the opponents in a game: those named, with its bots in place of `BOTS`."""
    return [one for name in named for one in (bot_names(parse_spec(game).name) if name == BOTS else [name])]


def main() -> None:
    """Print the table, a row at a time, then means and the cells in which an agent is shown to be the weaker one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where tournaments are kept")
    parser.add_argument("agents", nargs="+", help="specs; differences are from the first")
    parser.add_argument("--games", nargs="+", default=game_names())
    parser.add_argument("--against", nargs="+", default=[BOTS, "osla"], help="opponents; bots are those of the game")
    parser.add_argument("--blocks", type=int, default=50)
    parser.add_argument("--seed", type=int, default=36)
    parser.add_argument("--players", choices=("2", "usual"), default="2", help="usual: games for more than two only")
    said = parser.parse_args()
    print(version_text(), f"; {said.blocks} blocks in each cell")
    print(f"| game, opponent | {' | '.join(f'`{agent}` | ms | its ms' for agent in said.agents)} |")
    print(f"|---{'|---|---|---' * len(said.agents)}|")
    columns: dict[str, list[Cell]] = {agent: [] for agent in said.agents}
    weaker = []
    for game in said.games:
        is_scored = parse_spec(game).name in SCORED
        players = players_of(game, said.players)
        if players == 0:
            continue
        for opponent in ["alone"] if is_scored else opponents_of(game, said.against):
            row = []
            for agent in said.agents:
                if is_scored:
                    cell = scored(game, agent, said.blocks, said.seed)
                else:
                    cell = played(game, agent, opponent, said.blocks, said.seed, said.folder, players)
                    columns[agent].append(cell)
                row.append(f"{cell.text} | {cell.ms:.2g} | {cell.its_ms:.2g}")
                if cell.high < 1 / players:
                    weaker.append(f"- `{agent}` against `{opponent}` in `{game}`: {cell.text}")
            place = opponent if opponent.startswith(f"{game}:") else f"{game}, {opponent}"
            print(f"| `{place}` | {' | '.join(row)} |", flush=True)
    if any(columns.values()):
        print("\n".join(summary(columns)))
    print("\n".join(["", "Shown to be weaker:", "", *weaker]))


if __name__ == "__main__":
    main()
