"""Recorded games that tests have learners learn from."""

from __future__ import annotations

from pathlib import Path

from tag.playing.learning import Learner
from tag.tournaments.ledger.replay import learn_from_game, recorded_games


def learn_from_ledger(learner: Learner, folder: Path) -> int:
    """Let ``learner`` learn from all recorded games of the tournament in ``folder``, and return how many they were."""
    replays = list(recorded_games(folder))
    for replay in replays:
        learn_from_game(learner, replay)
    return len(replays)
