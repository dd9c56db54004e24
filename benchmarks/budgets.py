"""Measure what decisions of agents take in each game, and write games/budgets.toml: `make budgets`.

    python -P benchmarks/budgets.py                    all games
    python -P benchmarks/budgets.py love_letter hex    these again; the others stay as they are in the file

An agent that searches as long as its budget lasts gets the forward-model calls, in two digits, that take about ten
milliseconds of CPU time per decision. The other agents and the bots of the game play with their defaults.
"""

from __future__ import annotations

import argparse
import platform
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tag.catalogue.registry import bot_names, game_class, game_names
from tag.catalogue.version import version_text
from tag.orders import GameOrder, play_order

FILE = Path(__file__).parent.parent / "games" / "budgets.toml"
#: What a decision should take, in milliseconds.
MS = 10.0
#: Agents that use their whole budget, and agents that stop by themselves.
SEARCHING = ("flat_mc", "mcts", "rhea", "rmhc")
OTHERS = ("osla", "random")
#: The CPU seconds and games of a measurement: the first ones, and those that count.
_FIRST = (0.3, 20)
_LAST = (1.0, 100)
_CALLS = 1000
_HEAD = """\
# What decisions take, and the budgets of agents that are given none: forward-model calls that took about 10 ms.
# Written by `make budgets`; tag/orders/budgets.py explains it.

measured = "{}"
"""

Table = dict[str, dict[str, float]]


def ms_per_decision(game: str, agent: str, seconds: float, games: int) -> float:
    """Return the milliseconds of CPU time per decision of an agent that has both seats, or the only one."""
    kind = game_class(game).game_type
    players = min(max(2, kind.min_players), kind.max_players)
    spent, decisions = 0.0, 0
    for seed in range(games):
        record = play_order(GameOrder("budgets", game, (agent,) * players, seed))
        spent += sum(record.cpu_seconds)
        decisions += sum(record.decisions)
        if spent > seconds:
            break
    return 1000.0 * spent / decisions


def two_digits(number: float) -> int:
    """Return a number rounded to two digits."""
    return int(float(f"{number:.1e}"))


def measured(game: str) -> Table:
    """Return budget and time of the agents in a game, by name."""
    table: Table = {}
    for agent in SEARCHING:
        budget = _CALLS
        for effort in (_FIRST, _LAST):
            budget = two_digits(budget * MS / ms_per_decision(game, f"{agent}:budget={budget}", *effort))
        table[agent] = {"budget": budget, "ms": ms_per_decision(game, f"{agent}:budget={budget}", *_LAST)}
    for agent in [*OTHERS, *bot_names(game)]:
        table[agent] = {"ms": ms_per_decision(game, agent, *_FIRST)}
    return table


def text_of(tables: dict[str, Table], provenance: str) -> str:
    """Return the file's text, with games and agents in order."""
    lines = [_HEAD.format(provenance)]
    for game in sorted(tables):
        lines.append(f"[{game}]")
        for agent, row in sorted(tables[game].items()):
            name = f'"{agent}"' if ":" in agent else agent
            budget = f"budget = {row['budget']}, " if "budget" in row else ""
            lines.append(f"{name} = {{{budget}ms = {row['ms']:.2g}}}")
        lines.append("")
    return "\n".join(lines)


def processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> None:
    """Measure the games that are named, or all, and write the file after each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", help="all if omitted")
    games = parser.parse_args().games or game_names()
    read: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    tables: dict[str, Table] = {name: table for name, table in read.items() if isinstance(table, dict)}
    said = f"{datetime.now(UTC):%-d %B %Y}, {version_text()}, one core of {processor()}, two players, or one"
    for game in games:
        tables[game] = measured(game)
        FILE.write_text(text_of(tables, said), encoding="utf-8")
        print(game, {agent: f"{row['ms']:.2g} ms" for agent, row in tables[game].items()}, flush=True)


if __name__ == "__main__":
    main()
