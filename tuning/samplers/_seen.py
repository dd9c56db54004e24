"""What a sampler has seen of a study: its trials as configurations with values and games, each read once."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from tuning.configurations import Configuration

#: The user attribute of a trial that says how many games its value is the mean of; 1 without it.
GAMES = "games"
#: The user attributes that say in how many blocks these games were played, and the sample variance between the values of the
#: blocks: what is known of the noise of the value. Without them it is estimated from the values of all trials.
BLOCKS = "blocks"
BLOCK_VARIANCE = "block_variance"


@dataclass(frozen=True)
class Seen:
    """A finished trial.

    Attributes:
        number: of the trial.
        configuration: what was played.
        value: its mean, the greater the better.
        games: how many games that is the mean of.
        blocks: in how many blocks they were played; 0 where that is not known.
        variance: the sample variance between the values of blocks, 0 with fewer than two.
    """

    number: int
    configuration: Configuration
    value: float
    games: float
    blocks: int = 0
    variance: float = 0.0


class Reader:
    """Reads the trials of one study, and on each reading returns those that have finished since the last."""

    def __init__(self) -> None:
        """Begin with none."""
        self.running: list[FrozenTrial] = []
        self._study: Study | None = None
        self._read: set[int] = set()
        self._all_read_below = 0

    def belongs_to(self, study: Study) -> bool:
        """Say whether this is the study that has been read so far, if any."""
        return self._study is None or self._study is study

    def read(self, study: Study) -> list[Seen]:
        """Return what has finished since the last reading, and note what is running."""
        self._study = study
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        trials = study.get_trials(deepcopy=False)
        found = []
        self.running = []
        for trial in trials[self._all_read_below :]:
            if trial.state == TrialState.RUNNING:
                self.running.append(trial)
            elif trial.number not in self._read and trial.state.is_finished():
                self._read.add(trial.number)
                if trial.value is not None and isfinite(trial.value):
                    attributes = trial.user_attrs
                    games, blocks = float(attributes.get(GAMES, 1)), int(attributes.get(BLOCKS, 0))
                    variance = float(attributes.get(BLOCK_VARIANCE, 0.0))
                    found.append(Seen(trial.number, trial.params, sign * trial.value, games, blocks, variance))
        while self._all_read_below in self._read:
            self._read.discard(self._all_read_below)
            self._all_read_below += 1
        return found
