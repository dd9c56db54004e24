"""Studies on landscapes, like those of `tuning.tune` on games."""

from __future__ import annotations

from collections import deque

import numpy as np
import optuna

from benchmarks.landscapes.landscape import BLOCK_GAMES, Landscape
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.model_sampler import BLOCK_VARIANCE, BLOCKS, GAMES, ModelSampler
from tag.tuning.space.configurations import Configuration


def search(
    sampler: optuna.samplers.BaseSampler, landscape: Landscape, trials: int, games: int = 1, live: int = 1
) -> optuna.Study:
    """Return a study of ``trials`` configurations with ``games`` each, as `tuning.tune` makes one.

    ``live`` are in play at once, and the first is the default.
    """
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=optuna.pruners.NopPruner())
    study.enqueue_trial(landscape.default)
    line: deque[tuple[optuna.Trial, Configuration]] = deque()
    for number in range(trials + live):
        if number >= live:
            trial, configuration = line.popleft()
            blocks = landscape.play(configuration, games)
            trial.set_user_attr(GAMES, games)
            whole = blocks[: games // BLOCK_GAMES]
            if len(whole) > 1:
                trial.set_user_attr(BLOCKS, len(whole))
                trial.set_user_attr(BLOCK_VARIANCE, float(np.var(whole, ddof=1)))
            weights = np.minimum(games - BLOCK_GAMES * np.arange(len(blocks)), BLOCK_GAMES)
            study.tell(trial, float(blocks @ weights / games))
        if number < trials:
            trial = study.ask()
            line.append((trial, landscape.configurations.suggest(trial)))
    return study


def regret(name: str, games: int, landscape: Landscape, seed: int, live: int = 8) -> float:
    """Return the regret of a sampler's recommendation on a landscape, in points of 100.

    Samplers without a recommendation are judged by that of a Gaussian process on their trials.
    """
    choice = make_sampler(name, landscape.configurations, games, seed)
    study = search(choice.sampler, landscape, games // choice.games_per_trial, choice.games_per_trial, live)
    model = choice.sampler if isinstance(choice.sampler, ModelSampler) else BgpSampler(landscape.configurations)
    return 100.0 * landscape.regret(model.recommend(study))
