"""Models that come with games: ``heuristic=learned`` names the one of the game that is played.

They lie in the folder ``learned`` of a game's package, one for each number of players: ``2.safetensors`` is a file of ``tag
train``, and ``2.json`` tells where it comes from. A model fits one version of the rules, with their default parameters. It
also fits one state of all that its values follow from, such as features and heuristic: the evidence.
"""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tag.catalogue.models import SUFFIX, Model, read_model, rules_of
from tag.catalogue.registry import game_file, game_names
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.text_files import read_json
from tag.errors import ParameterError
from tag.playing.learning import LearnedValues

#: The folder of a game's models.
_FOLDER: Final = "learned"
#: Random games, and their positions, in which values are evidence.
_GAMES: Final = 2
_POSITIONS: Final = 60
#: The key of the evidence in the file that tells where a model comes from.
EVIDENCE: Final = "evidence"


def shipped_counts(game: type[ForwardModel[Any]]) -> list[int]:
    """Return the numbers of players for which learned values come with the game of a forward model's class.

    Examples:
        >>> from tag.catalogue.registry import game_class
        >>> shipped_counts(game_class("tic_tac_toe"))
        []
    """
    return _counts_in(game_file(game, _FOLDER))


def shipped_file(model: ForwardModel[Any], n_players: int) -> str:
    """Return the file of the learned values that come with a game, for a number of players.

    Raises:
        ParameterError: there is none, or it was not learned by these rules; the message says what there is.
    """
    rules = model.undecorated()
    folder = game_file(type(rules), _FOLDER)
    counts = _counts_in(folder)
    title = rules.game_type.title
    if folder is None or not counts:
        raise ParameterError(
            f"no learned values come with {title}, only with {', '.join(_games())}; "
            "name the file of a model of `tag train`: learned:file=FILE"
        )
    if n_players not in counts:
        near = min(counts, key=lambda count: abs(count - n_players))
        raise ParameterError(
            f"the learned values of {title} are not for {n_players} players; the nearest number is {near}"
        )
    changes = rules.parameters.changes()
    if changes:
        changed = ", ".join(f"{name}={value}" for name, value in changes.items())
        raise ParameterError(
            f"the learned values of {title} are for its default parameters, not for {changed}; "
            "name the file of a model of `tag train`: learned:file=FILE"
        )
    file = folder / f"{n_players}{SUFFIX}"
    _check_rules(read_model(str(file)), rules, folder)
    return str(file)


def check_evidence(file: str, values: LearnedValues, model: ForwardModel[Any], n_players: int) -> None:
    """Raise `ParameterError` unless a model that comes with a game values fixed positions as it did when it was learned."""
    path = Path(file)
    if read_json(path.with_suffix(".json"), "file").get(EVIDENCE) != evidence(values, model, n_players):
        title = model.game_type.title
        raise _outdated(path.parent, f"{title} has other features, values or rules than those that were learned")


def evidence(values: LearnedValues, model: ForwardModel[Any], n_players: int) -> str:
    """Return a digest of the values for all players in the positions of random games.

    It changes with the values themselves, and with what they follow from: rules, chance, features.
    """
    rules = model.undecorated()
    digest = blake2b(digest_size=8)
    for game in range(_GAMES):
        rng = Rng(game)
        state = rules.setup(n_players, rng)
        for _position in range(_POSITIONS):
            for player in range(n_players):
                digest.update(f"{values.value(state, player):.6f} ".encode())
            if state.is_terminal:
                break
            rules.next(state, rules.random_action(state, rng), rng)
    return digest.hexdigest()


def _check_rules(model: Model, rules: ForwardModel[Any], folder: Path) -> None:
    learned, ours = model.rules, rules_of(rules)
    title = ours["title"]
    if learned.get("version") != ours["version"]:
        raise _outdated(
            folder, f"{title} has version {ours['version']}, and version {learned.get('version')} was learned"
        )
    if learned != ours:
        raise _outdated(folder, f"{title} has other default parameters than those that were learned")


def _outdated(folder: Path, reason: str) -> ParameterError:
    return ParameterError(f"{reason}; learn its values again: make learn GAME={folder.parent.name}")


def _counts_in(folder: Path | None) -> list[int]:
    return (
        [] if folder is None else sorted(int(path.stem) for path in folder.glob(f"*{SUFFIX}") if path.stem.isdecimal())
    )


def _games() -> list[str]:
    """Return the names of the games with which learned values come."""
    games = Path(import_module("tag.games").__path__[0])
    return sorted(name for name in game_names() if any(_counts_in(path) for path in games.glob(f"*/{name}/{_FOLDER}")))
