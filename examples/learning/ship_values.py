"""Learn values that come with a game, and compare them with the game's own heuristic: ``make learn GAME=colt_express``.

The training is ``examples/learning/values/GAME.toml``. Its model becomes ``games/…/GAME/learned/PLAYERS.safetensors``, the
same bytes each time. Beside it, a JSON file tells how it was made, with the evidence by which a change of the game is
noticed, and the verdict: points against the game's own heuristic and its bots, with 95 % intervals, on seeds that the
training has not used.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tag.agents.learned import values_in
from tag.catalogue.models import read_model
from tag.catalogue.models.shipped import EVIDENCE, evidence
from tag.catalogue.registry import bot_names, game_class, make_game, module_of
from tag.tournaments import play
from tag.tuning import train

ROOT: Final = Path(__file__).parents[2]
TRAININGS: Final = Path(__file__).with_name("values")
#: Players who use the values, and blocks of two games each.
PLAYERS: Final = {
    "osla:preset=none,heuristic={}": 200,
    "mcts:budget=1,budget_type=cpu_ms,rollout_length=0,heuristic={}": 50,
}
#: The first seed of the comparison.
FRESH: Final = 1_000_003


def main() -> None:
    """Train, compare, and store the model with its origin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(path.stem for path in TRAININGS.glob("*.toml")))
    parser.add_argument("--out", type=Path, default=Path("runs/learned"), help="folder of the training and the games")
    parser.add_argument("--into", type=Path, help="folder of the model, if it is not that of the game")
    parser.add_argument("--games", type=float, default=1.0, help="share of the games of the comparison")
    options = parser.parse_args()
    into = options.into or ROOT.joinpath(*module_of(game_class(options.game)).split(".")[1:], "learned")
    model, made = learned(TRAININGS / f"{options.game}.toml", options.out / options.game)
    made["verdict"] = verdict(options.game, model, options.out / f"{options.game}_games", options.games)
    into.mkdir(parents=True, exist_ok=True)
    players = made["players"]
    shutil.copyfile(model, into / f"{players}.safetensors")
    (into / f"{players}.json").write_text(f"{json.dumps(made, indent=2)}\n", encoding="utf-8")


def learned(definition: Path, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Run the training that a file defines, and return the model's file and how it was made."""
    read = tomllib.loads(definition.read_text(encoding="utf-8"))
    run = train(**read, out=folder, workers=1, tracking=False)
    file = run.results.models[0]
    model = read_model(str(file))
    made = {
        "command": f"make learn GAME={definition.stem}",
        "learner": model.learner,
        "game": model.game,
        "players": model.players,
        "seed": model.seed,
        "games": model.played,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "cpu_seconds": round(run.results.courses[model.seed].cpu_seconds, 1),
        EVIDENCE: evidence(values_in(str(file)), make_game(model.game), model.players),
    }
    return file, made


def verdict(game: str, model: Path, folder: Path, share: float) -> list[dict[str, Any]]:
    """Play with the learned values against the same agent with the game's own, and both against the game's bots."""
    found: list[dict[str, Any]] = []
    for spec, blocks in PLAYERS.items():
        ours, own = spec.format(f"(learned:file={model})"), spec.format("game")
        pairs = [(ours, own), *[(agent, bot) for bot in bot_names(game) for agent in (ours, own)]]
        for number, (agent, other) in enumerate(pairs):
            run = play(
                game,
                [f"first={agent}", f"second={other}"],
                blocks=max(2, round(blocks * share)),
                seed=FRESH,
                out=folder / f"{spec.partition(':')[0]}_{number}",
                workers=1,
                tracking=False,
            )
            first = next(one for one in run.results.standings if one.agent == "first")
            interval = first.points_interval
            found.append(
                {
                    "agent": agent.replace(f"(learned:file={model})", "learned"),
                    "against": other,
                    "games": first.games,
                    "points": [round(value, 3) for value in (first.points, interval.low, interval.high)],
                    "decision_cpu_ms": round(first.decision_cpu_ms, 3),
                }
            )
    return found


if __name__ == "__main__":
    main()
