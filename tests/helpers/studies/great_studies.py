"""Great studies of which no game was played: so many trials with random values, as a search would have left them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from tag.tuning.agent.defining import define_study
from tag.tuning.agent.definition import StudyDefinition, StudyManifest
from tag.tuning.study.files import INCUMBENTS, TRIALS, write_frame

#: 23 parameters of MCTS; what they mean is of no importance here.
SEARCH = (
    *("tree_policy", "k", "exploration", "root_policy", "prior_weight", "information", "deals", "trees", "solver"),
    *("opponents", "rollout_length", "rollout_unit", "rollout_end", "rollout_share", "rollout_policy", "mast_gamma"),
    *("backup", "backup_threshold", "max_tree_depth", "fpu", "widening", "normalise", "selection"),
)
GAMES = 20


def great_definition(trials: int, search: tuple[str, ...] = SEARCH) -> StudyDefinition:
    """Return the study of so many trials."""
    return define_study(
        "mcts:budget=100", "love_letter", games=trials * GAMES, games_per_trial=GAMES, search=search, versus=("osla",),
        validation=200, sampler="random",
    )  # fmt: skip


def write_great_study(folder: Path, trials: int, of: int = 0, search: tuple[str, ...] = SEARCH) -> StudyDefinition:
    """Write a study that has made so many trials, by default all ``of`` them."""
    definition = great_definition(of or trials, search)
    folder.mkdir(parents=True, exist_ok=True)
    StudyManifest("1", "2026-01-02T03:04:05+00:00", definition, {"tag": "1"}, {}, definition.sampler_reason).write(
        folder
    )
    write_trials(folder, definition, trials)
    return definition


def write_trials(folder: Path, definition: StudyDefinition, trials: int) -> None:
    """Write the frames of a search that has made so many trials: the first ones are the same for any number."""
    rng, space = np.random.default_rng(1), definition.space
    configurations = [space.configurations.draw(rng) for _trial in range(trials)]
    values = np.random.default_rng(2).binomial(GAMES, 0.5, trials) / GAMES
    rows = [
        {
            "number": number, "agent": number, "spec": space.spec(configuration), "games": GAMES, "value": value,
            "error": 0.11, "state": "complete", "spared": 0, "blocks": 10, "block_variance": 0.1,
            **{f"parameter.{name}": chosen for name, chosen in configuration.items()},
        }
        for number, (configuration, value) in enumerate(zip(configurations, values.tolist(), strict=True))
    ]  # fmt: skip
    looks = range(max(trials // 50, 1) - 1, trials, max(trials // 50, 1))
    found = [
        {
            "games": (at + 1) * GAMES, "spec": rows[at]["spec"], "value": 0.6 + 0.1 * at / trials, "deviation": 0.03,
            "pessimistic": 0.5, "played": GAMES, "shared": 0.0,
        }
        for at in looks
    ]  # fmt: skip
    write_frame(folder / TRIALS, pd.DataFrame(rows))
    write_frame(folder / INCUMBENTS, pd.DataFrame(found))
