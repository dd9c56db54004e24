"""Training on the recorded games of a tournament, in their order, in place of games of a learner against itself."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tag.catalogue.models import rules_of
from tag.catalogue.models.training import TrainingTask, train
from tag.catalogue.registry import make_game
from tag.catalogue.user_code import check_specs, provide_source
from tag.errors import DataError, ParameterError
from tag.playing.learning import Learner
from tag.tournaments.ledger import folder as folders
from tag.tournaments.ledger import games as ledgers
from tag.tournaments.ledger import replay as replays


class RecordedGames(NamedTuple):
    """The recorded games of a tournament.

    Attributes:
        game: the spec of the game.
        players: the number of players.
        number: the games that no fault has ended.
        content: the hash of the ledger (`tournaments.content_hash`).
    """

    game: str
    players: int
    number: int
    content: str

    def check_game(self, ledger: str, game: str, players: int | None) -> None:
        """Raise `ParameterError` if a training on ``ledger`` names another game or number of players; empty is none."""
        if game and rules_of(make_game(game)) != rules_of(make_game(self.game)):
            raise ParameterError(f"game cannot be {game!r}; the games in {ledger!r} are of {self.game!r}")
        if players not in (None, self.players):
            raise ParameterError(f"players cannot be {players}; the games in {ledger!r} have {self.players}")


def find_recorded(ledger: str) -> RecordedGames:
    """Look at the tournament in a folder, and let users' files mean here what they meant when it began.

    Raises:
        DataError: there is none, it has no games to learn from, or they are of several variants.
    """
    folder = Path(ledger)
    manifest = folders.read_manifest(folder)
    definition = manifest.definition
    if definition.draw:
        raise DataError(f"the games in {ledger!r} are of variants of {definition.game!r}, and a learner learns one")
    for file, text in manifest.sources.items():
        provide_source(file, text)
    check_specs(definition.specs)  # workers read the folder again
    number = len(replays.recorded_ids(folder))
    if not number:
        raise DataError(f"{ledger!r} has no game to learn from; games that a fault has ended do not count")
    return RecordedGames(definition.game, definition.players, number, ledgers.content_hash(folder))


def train_on_recorded(
    lesson: tuple[str, str, int, int, int, str],
    begin: int,
    end: int,
    seconds: float,
    wants_model: bool,
    checkpoint: bytes,
    ledger: str,
) -> tuple[int, int, float, bytes, bytes]:
    """Do a step of a training on the games in the folder ``ledger``; for the rest see `tag.catalogue.models.training.train`.

    Raises:
        DataError: the folder is not here, its games have changed, or they are not what is on record.
        TagError: as that function does.
    """
    games = _games(ledger, TrainingTask(*lesson).recorded)

    def play(learner: Learner) -> None:
        replays.learn_from_game(learner, games[learner.episodes])

    return train(lesson, begin, end, seconds, wants_model, checkpoint, play)


@lru_cache(maxsize=1)
def _games(ledger: str, content: str) -> list[replays.Replay]:
    """Return all games, for all steps in this process."""
    folder = Path(ledger)
    if ledgers.content_hash(folder) != content:
        raise DataError(f"the games in {ledger!r} have changed since the training began with them; name a new --out")
    return list(replays.recorded_games(folder))
