"""Measure samplers on made-up landscapes: how much weaker than the best is what they recommend, after so many games?

python benchmarks/samplers.py                          every sampler, at 200 to 10,000 games (an hour of CPU)
python benchmarks/samplers.py --samplers auto,tpe --families pairs,cliffs --landscapes 2 --games 1000

python benchmarks/samplers.py --whole --landscapes 4 --games 1000 --samplers auto
                                       searches with racing, on hard shapes (8 s of CPU each)

Writes a table, benchmarks/samplers/regret.json and regret.svg, or whole.json and whole.svg; what is not measured again stays
in them as it was.
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

from benchmarks.landscapes import EVOLUTION, NAMES, SHAPES, make_landscape  # noqa: E402
from benchmarks.landscapes.studies import regret  # noqa: E402
from benchmarks.landscapes.whole import searched  # noqa: E402
from tag.errors import ParameterError  # noqa: E402
from tag.tuning.study.definition import SAMPLERS  # noqa: E402

#: By sampler, games and family: the regrets in points, one per landscape, and CPU seconds per study.
Found = dict[str, dict[str, dict[str, dict[str, Any]]]]
#: The landscapes of a family: as many of the smooth ones as of all others together.
_LANDSCAPES = {EVOLUTION: 20}
_LANDSCAPES_OF_OTHERS = 4


def main() -> None:
    """Measure, print, and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samplers", default=",".join(SAMPLERS))
    parser.add_argument("--games", default="200,1000,4000,10000")
    parser.add_argument(
        "--families", default="", help="by default the six easy ones, or of whole searches the hard ones"
    )
    parser.add_argument("--whole", action="store_true", help="search as tag tune does, with racing and its model")
    parser.add_argument("--landscapes", type=int, default=0, help="of each family; 20 of evolution and 4 of each other")
    parser.add_argument("--repetitions", type=int, default=1, help="studies of each landscape, with other luck")
    parser.add_argument("--live", type=int, default=8, help="configurations in play at once")
    parser.add_argument("--out", type=Path, default=HERE / "samplers")
    options = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    families = tuple(filter(None, options.families.split(","))) or (tuple(SHAPES) if options.whole else NAMES)
    file = options.out / ("whole.json" if options.whole else "regret.json")
    found: Found = json.loads(file.read_text()) if file.exists() else {}
    options.out.mkdir(parents=True, exist_ok=True)
    for games in options.games.split(","):
        for family in families:
            landscapes = options.landscapes or _LANDSCAPES.get(family, _LANDSCAPES_OF_OTHERS)
            for name in options.samplers.split(","):
                try:
                    measure = measured_whole if options.whole else measured
                    one = measure(name, int(games), family, landscapes, options.repetitions, options.live)
                except ParameterError as error:
                    print(f"{name:9} {family:11} {int(games):>7,} games  {error}")
                    continue
                found.setdefault(name, {}).setdefault(games, {})[family] = one
                print(f"{name:9} {family:11} {int(games):>7,} games  {text_of(one)}", flush=True)
                file.write_text(json.dumps(found, indent=1) + "\n")
    names = tuple(SHAPES) if options.whole else NAMES
    print(table(found, names))
    plot(found, file.with_suffix(".svg"), names)


def measured(name: str, games: int, family: str, landscapes: int, repetitions: int, live: int) -> dict[str, Any]:
    """Return the regret of a sampler on each landscape of a family, in points of 100, and its CPU seconds per study."""
    begin = time.process_time()
    regrets = [
        fmean(
            regret(name, games, make_landscape(family, seed, repetition), 1000 * repetition + seed, live)
            for repetition in range(repetitions)
        )
        for seed in range(landscapes)
    ]
    return {
        "regrets": [round(value, 3) for value in regrets],
        "repetitions": repetitions,
        "live": live,
        "cpu": round((time.process_time() - begin) / landscapes / repetitions, 2),
    }


def measured_whole(name: str, games: int, family: str, landscapes: int, repetitions: int, live: int) -> dict[str, Any]:
    """Return the same of whole searches, and the mean numbers of their trials and of those pruned."""
    begin = time.process_time()
    results = [
        [
            searched(name, games, make_landscape(family, seed, repetition), 1000 * repetition + seed, live)
            for repetition in range(repetitions)
        ]
        for seed in range(landscapes)
    ]
    every = [one for of_landscape in results for one in of_landscape]
    return {
        "regrets": [round(fmean(one.regret for one in of_landscape), 3) for of_landscape in results],
        "repetitions": repetitions,
        "live": live,
        "cpu": round((time.process_time() - begin) / len(every), 2),
        "trials": round(fmean(one.trials for one in every), 1),
        "pruned": round(fmean(one.pruned for one in every), 1),
    }


def text_of(found: dict[str, Any]) -> str:
    """Return mean and standard error of the regrets, and the time."""
    return f"{fmean(found['regrets']):5.1f} ± {_error(found['regrets']):.1f} points  {found['cpu']:.1f} s CPU"


def table(found: Found, names: tuple[str, ...] = NAMES) -> str:
    """Return a table in Markdown: a row per budget and sampler, the mean regret over families and that of each."""
    lines = [f"| games | sampler | all | {' | '.join(names)} |", "|" + "---|" * (3 + len(names))]
    for games in sorted({games for by_games in found.values() for games in by_games}, key=int):
        for name, by_games in found.items():
            parts = by_games.get(games, {})
            if set(parts) == set(names):
                every = f"{_overall(parts):.1f} ± {_overall_error(parts):.1f}"
                cells = [
                    f"{fmean(parts[family]['regrets']):.1f} ± {_error(parts[family]['regrets']):.1f}"
                    for family in names
                ]
                lines.append(f"| {int(games):,} | `{name}` | {every} | {' | '.join(cells)} |")
    return "\n".join(lines)


def plot(found: Found, path: Path, names: tuple[str, ...] = NAMES) -> None:
    """Draw mean regret over families against games."""
    import matplotlib  # noqa: PLC0415  takes a second

    matplotlib.use("svg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name, by_games in found.items():
        budgets = sorted((games for games, parts in by_games.items() if set(parts) == set(names)), key=int)
        if budgets:
            means = [_overall(by_games[games]) for games in budgets]
            axes.plot([int(games) for games in budgets], means, marker="o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="games", ylabel="regret in points")
    axes.legend()
    figure.savefig(path, bbox_inches="tight")


def _error(values: list[float]) -> float:
    """Return the standard error of a mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")


def _overall(parts: dict[str, dict[str, Any]]) -> float:
    """Return the mean over families of their mean regrets."""
    return fmean(fmean(one["regrets"]) for one in parts.values())


def _overall_error(parts: dict[str, dict[str, Any]]) -> float:
    """Return its standard error."""
    return sqrt(sum(_error(one["regrets"]) ** 2 for one in parts.values())) / len(parts)


if __name__ == "__main__":
    main()
