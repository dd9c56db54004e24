"""Measure samplers on made-up landscapes: how much weaker than the best is what they recommend, after so many games?

python benchmarks/samplers.py                          every sampler, at 1,000 to 10,000 games (an hour of CPU)
python benchmarks/samplers.py --samplers auto,tpe --landscapes 5 --games 1000

Writes a table, benchmarks/samplers/regret.json and regret.svg.
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

from tuning.landscapes import CONFIGURATIONS, DEFAULT, Landscape  # noqa: E402
from tuning.samplers import GAMES, SAMPLERS, BgpSampler, ModelSampler, make_sampler  # noqa: E402


def main() -> None:
    """Measure, print, and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samplers", default=",".join(SAMPLERS))
    parser.add_argument("--games", default="1000,3000,10000")
    parser.add_argument("--landscapes", type=int, default=20)
    parser.add_argument("--batch", type=int, default=8, help="configurations in play at once")
    parser.add_argument("--out", type=Path, default=HERE / "samplers")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    budgets = [int(text) for text in options.games.split(",")]
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for name in options.samplers.split(","):
        found[name] = {}
        for games in budgets:
            found[name][games] = measured(name, games, options.landscapes, options.batch)
            print(f"{name:8} {games:>7,} games  {text_of(found[name][games])}", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "regret.json").write_text(json.dumps(found, indent=1) + "\n")
    plot(found, options.out / "regret.svg")


def measured(name: str, games: int, landscapes: int, batch: int) -> dict[str, Any]:
    """Return the regret of a sampler on each landscape, in points of 100, and its CPU seconds per study."""
    begin = time.process_time()
    regrets = [100.0 * regret(name, games, seed, batch) for seed in range(landscapes)]
    return {"regrets": [round(value, 3) for value in regrets], "cpu": (time.process_time() - begin) / landscapes}


def regret(name: str, games: int, seed: int, batch: int) -> float:
    """Search one landscape and return how much more its best configuration wins than the one recommended."""
    landscape = Landscape(seed)
    choice = make_sampler(name, CONFIGURATIONS, games, seed)
    study = optuna.create_study(direction="maximize", sampler=choice.sampler, pruner=optuna.pruners.NopPruner())
    left = games // choice.games_per_trial
    while left:
        trials = [study.ask() for _ in range(min(batch, left))]
        played = [(trial, CONFIGURATIONS.suggest(trial)) for trial in trials]
        for trial, configuration in played:
            trial.set_user_attr(GAMES, choice.games_per_trial)
            study.tell(trial, landscape.mean(configuration, choice.games_per_trial))
        left -= len(trials)
    model = choice.sampler if isinstance(choice.sampler, ModelSampler) else BgpSampler(CONFIGURATIONS)
    return landscape.regret({**DEFAULT, **model.recommend(study)})


def text_of(found: dict[str, Any]) -> str:
    """Return mean and standard error of the regrets, and the time."""
    regrets = found["regrets"]
    error = stdev(regrets) / sqrt(len(regrets)) if len(regrets) > 1 else float("nan")
    return f"{fmean(regrets):5.1f} ± {error:.1f} points  {found['cpu']:.1f} s CPU"


def plot(found: dict[str, dict[int, dict[str, Any]]], path: Path) -> None:
    """Draw mean regret against games."""
    import matplotlib  # noqa: PLC0415  takes a second

    matplotlib.use("svg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, by_games in found.items():
        axes.plot(list(by_games), [fmean(one["regrets"]) for one in by_games.values()], marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="games", ylabel="regret in points")
    axes.legend()
    figure.savefig(path, bbox_inches="tight")


if __name__ == "__main__":
    main()
