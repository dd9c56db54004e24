"""Measure samplers on made-up landscapes: how much weaker than the best is what they recommend, after so many games?

python benchmarks/samplers.py                          every sampler, at 1,000 to 10,000 games (an hour of CPU)
python benchmarks/samplers.py --samplers auto,tpe --landscapes 5 --games 1000

Writes a table, benchmarks/samplers/regret.json and regret.svg; other samplers and budgets stay in them as they were.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import optuna  # noqa: E402  after the path has been set

from tag.errors import ParameterError  # noqa: E402
from tuning.landscapes import regret  # noqa: E402
from tuning.samplers import SAMPLERS  # noqa: E402

#: By name and games: the regrets in points, one per landscape, the mean of its repetitions, and CPU seconds per study.
Found = dict[str, dict[str, dict[str, Any]]]


def main() -> None:
    """Measure, print, and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samplers", default=",".join(SAMPLERS))
    parser.add_argument("--games", default="1000,3000,10000")
    parser.add_argument("--landscapes", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=1, help="studies of each landscape, with other luck")
    parser.add_argument("--live", type=int, default=8, help="configurations in play at once")
    parser.add_argument("--out", type=Path, default=HERE / "samplers")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    file = options.out / "regret.json"
    found: Found = json.loads(file.read_text()) if file.exists() else {}
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.samplers.split(","):
        for games in options.games.split(","):
            try:
                one = measured(name, int(games), options.landscapes, options.repetitions, options.live)
            except ParameterError as error:
                print(f"{name:8} {int(games):>7,} games  {error}")
                continue
            found.setdefault(name, {})[games] = one
            print(f"{name:8} {int(games):>7,} games  {text_of(one)}", flush=True)
            file.write_text(json.dumps(found, indent=1) + "\n")
    plot(found, options.out / "regret.svg")


def measured(name: str, games: int, landscapes: int, repetitions: int, live: int) -> dict[str, Any]:
    """Return the regret of a sampler on each landscape, in points of 100, and its CPU seconds per study."""
    begin = time.process_time()
    regrets = [
        fmean(regret(name, games, seed, repetition, live) for repetition in range(repetitions))
        for seed in range(landscapes)
    ]
    return {
        "regrets": [round(value, 3) for value in regrets],
        "repetitions": repetitions,
        "live": live,
        "cpu": round((time.process_time() - begin) / landscapes / repetitions, 2),
    }


def text_of(found: dict[str, Any]) -> str:
    """Return mean and standard error of the regrets, and the time."""
    regrets = found["regrets"]
    error = stdev(regrets) / sqrt(len(regrets)) if len(regrets) > 1 else float("nan")
    return f"{fmean(regrets):5.1f} ± {error:.1f} points  {found['cpu']:.1f} s CPU"


def plot(found: Found, path: Path) -> None:
    """Draw mean regret against games."""
    import matplotlib  # noqa: PLC0415  takes a second

    matplotlib.use("svg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, by_games in found.items():
        budgets = sorted(by_games, key=int)
        means = [fmean(by_games[games]["regrets"]) for games in budgets]
        axes.plot([int(games) for games in budgets], means, marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="games", ylabel="regret in points")
    axes.legend()
    figure.savefig(path, bbox_inches="tight")


if __name__ == "__main__":
    main()
