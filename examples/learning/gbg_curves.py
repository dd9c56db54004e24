"""GBG's learning curves, trained again: ours beside those in its repository.

    python examples/learning/gbg_curves.py                      # small: minutes
    python examples/learning/gbg_curves.py --full               # as many games as GBG: hours
    python examples/learning/gbg_curves.py --only final_adaptation

Each training is a folder of ``tag train``, so a run that was interrupted goes on where it was. GBG's figures are means of
10 to 25 runs from the CSV files of its repository (Konen and Bagheri; snapshot of March 2025), from -1 for losses to 1 for
wins.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from tag.tuning.training.definition import define_training
from tag.tuning.training.results import over_learners
from tag.tuning.training.run import run_training

TIC_TAC_TOE = "td_ntuple:tuples=all,rates=constant,alpha=1,alpha_final=0.5,epsilon=0.1"
CONNECT_FOUR = "td_ntuple:tuples=seventy_8_tuples,rates=tc_exp,alpha=5,alpha_final=5,epsilon=0.1"
HEX = "td_ntuple:n_tuples=25,length=6,rates=tc,epsilon=0.2,epsilon_final=0.1"
TILES = "td_ntuple:tuples=four_6_tuples,n_values=15,rates=tc,epsilon=0,reward=score"
SEARCH = "mcts:budget=1000,budget_type=iterations,rollout_length=1000000,heuristic=win"


@dataclass
class Curve:
    """A training of ours and what GBG has measured.

    Attributes:
        name: its name.
        learner: the spec of the learner.
        game: the spec of the game.
        evaluator: what evaluates.
        small, full: games of each learner, in the small and in GBG's form.
        theirs: GBG's curve in words.
    """

    name: str
    learner: str
    game: str
    evaluator: str
    small: int
    full: int
    theirs: str


CURVES = [
    Curve("final_adaptation", TIC_TAC_TOE, "tic_tac_toe", "max_n", 10_000, 30_000, "0.00 after 15,500 games"),
    Curve(
        "no_final_adaptation",
        f"{TIC_TAC_TOE},final_adaptation=false",
        "tic_tac_toe",
        "max_n",
        10_000,
        30_000,
        "-0.66 after 30,000 games",
    ),
    Curve("sarsa", f"{TIC_TAC_TOE},learns=sarsa", "tic_tac_toe", "max_n", 10_000, 30_000, "0.00 after 8,000 games"),
    Curve("hex_6", HEX, "hex:size=6", SEARCH, 4_000, 40_000, "0.84 after 40,000 games, as first player"),
    Curve(
        "connect_four", CONNECT_FOUR, "connect_four", SEARCH, 10_000, 750_000, "0.74 to 0.82 after 750,000 games, first"
    ),
    Curve("2048", TILES, "twenty_forty_eight", "score", 500, 10_000, "44,997 points after 10,000 games"),
]


def trained(curve: Curve, arguments: argparse.Namespace) -> str:
    """Train, or go on with it, and return a line for each evaluation."""
    episodes = curve.full if arguments.full else curve.small
    definition = define_training(
        curve.learner,
        curve.game,
        episodes,
        seeds=arguments.seeds,
        evaluate=(curve.evaluator,),
        evaluations=4,
        evaluation_games=40,
    )
    out = Path(arguments.out) / f"{curve.name}_{episodes}"
    results = run_training(definition, out, workers=arguments.workers, tracking=False)
    seats = [0, *sorted(set(results.curves["seat"]) - {0})] if definition.players > 1 else [0]
    lines = [f"{curve.name}: {curve.learner} in {curve.game}; GBG: {curve.theirs}"]
    for games, *band in over_learners(results.curves, definition.evaluate[0]).itertuples(index=False, name=None):
        value, low, high = (_scaled(number, definition.players) for number in band)
        lines.append(f"  {games:>9,} games: {value} (from {low} to {high})")
    last = results.curves[results.curves["episode"] == episodes]
    for seat in seats[1:]:
        median = last[last["seat"] == seat]["points"].median()
        lines.append(f"  in seat {seat} at the end: {_scaled(median, definition.players)}")
    return "\n".join(lines)


def _scaled(points: float, players: int) -> str:
    """Return points on GBG's scale, from -1 to 1; scores as they are."""
    return f"{2 * points - 1:.2f}" if players > 1 else f"{points:,.0f}"


def main() -> None:
    """Train and print all curves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="as many games as GBG")
    parser.add_argument("--only", choices=[curve.name for curve in CURVES], help="one curve only")
    parser.add_argument("--seeds", type=int, default=3, help="learners per curve")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--out", default="models/gbg", help="folder of the trainings")
    arguments = parser.parse_args()
    for curve in CURVES:
        if arguments.only in (None, curve.name):
            print(trained(curve, arguments), flush=True)


if __name__ == "__main__":
    main()
