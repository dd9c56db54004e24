"""Files of openings: JSON lines, each the actions of an opening in words; or a game that was saved at a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tag.catalogue.registry import canonical, game_class, make_game, spec_of
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.text_files import printable_values, read_text
from tag.errors import DataError, ParameterError, TagError, UnknownNameError, nearest
from tag.orders.opening import Opening, Openings, UnattendedGame, is_opening_text, most_decisions
from tag.table.tree import SavedGame

# A line is {"game": "connect_four", "actions": ["drop 3", "drop 3"]}. "seats" may be there, as may "choices", the numbers of
# the actions among those available. Where chance has a part in the deal or in actions, "seed" is needed: the opening has its
# own deal, so that the actions fit.

_KEYS: Final = ("game", "seats", "seed", "actions", "choices")
_MOST: Final = 10_000
_LARGEST_SEED: Final = 2**63 - 1


def canonical_openings(text: str, game: str, players: int) -> str:
    """Return the openings of games as `tag.orders.Openings` reads them, from such a text or the name of a file.

    Args:
        text: ``random:4``, ``moves:…`` or a file.
        game: the spec of the game type, in canonical form.
        players: the seats.

    Raises:
        TagError: an opening cannot be played; the message has the line and the action.
    """
    model = make_game(game)
    if not is_opening_text(text):
        return str(read_openings(Path(text), game, players))
    found = Openings.parse(text)
    if found.decisions:
        most = most_decisions(model, players, 1, found.decisions)
        if most < found.decisions:
            most_text = f"the most is random:{most}" if most else "no game has a decision left after one"
            raise ParameterError(f"opening cannot be {text!r} in {game}: games are over before; {most_text}")
    listed = [
        _checked(f"opening {number}", model, players, one.choices, None, one.seed)
        for number, one in enumerate(found.listed, start=1)
    ]
    return str(Openings(found.decisions, listed))


def read_openings(path: Path, game: str, players: int) -> Openings:
    """Return the openings in a file, in its order.

    Args:
        path: JSON lines, or a game saved by ``tag play`` or at a table in the browser.
        game: the spec of the game type for which they have to be, in canonical form.
        players: the seats.

    Raises:
        DataError: it cannot be read, or an opening is for another game, or cannot be played.
    """
    text = read_text(path, "file of openings")
    model = make_game(game)
    found: list[Opening] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number} of {str(path)!r}"
        if len(found) == _MOST:
            raise DataError(f"{where} is one opening too many; the most is {_MOST:,}")
        try:
            values = json.loads(line)
        except ValueError as error:
            raise DataError(f"{where} is no JSON: {error}") from None
        found.append(_read(where, printable_values(values), game, model, players))
    if not found:
        raise DataError(f"{str(path)!r} has no openings")
    return Openings(listed=found)


def _read(where: str, values: object, game: str, model: ForwardModel[Any], players: int) -> Opening:
    """Return the opening of one line."""
    if isinstance(values, Mapping) and "tag_game" in values:
        values = _of_saved(where, values)
    if not isinstance(values, Mapping):
        raise DataError(f"{where} is no JSON object with the keys game and actions")
    for key in values:
        if key not in _KEYS:
            raise DataError(f"{where}: {UnknownNameError.of('key', str(key), _KEYS)}")
    _check_game(where, values.get("game"), game)
    seats = values.get("seats", players)
    if seats != players:
        raise DataError(f"{where} is an opening for {seats} players, and the games have {players}")
    actions, choices = _texts(where, values), _numbers(where, values)
    if actions is None and choices is None:
        raise DataError(f"{where} has no actions")
    seed = values.get("seed", -1)
    if type(seed) is not int or not -1 <= seed <= _LARGEST_SEED:
        raise DataError(f"{where}: seed cannot be {seed!r}; it is a number from 0 to {_LARGEST_SEED}")
    return _checked(where, model, players, choices, actions, seed)


def _of_saved(where: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a saved game as a line of openings, up to the position in which it was saved."""
    try:
        saved = SavedGame.from_json(values)
    except TagError as error:
        raise DataError(f"{where}: {error}") from None
    start = saved.start
    if start.cells or start.chance_seeds:
        raise DataError(f"{where} begins in a position set up by hand, or with chance of its own; openings cannot")
    return {"game": start.game, "seats": start.players, "seed": start.seed, "choices": list(saved.line)}


def _check_game(where: str, said: object, game: str) -> None:
    """Reject openings of another game, or of other parameters."""
    try:
        spec = spec_of(str(said))
        found = canonical(spec, game_class(spec.name).game_type.parameters)
    except TagError as error:
        raise DataError(f"{where}: {error}") from None
    if found != game:
        raise DataError(f"{where} is an opening of {found}, and the games are of {game}")


def _texts(where: str, values: Mapping[str, Any]) -> list[str] | None:
    actions = values.get("actions")
    if actions is not None and not (isinstance(actions, list) and all(isinstance(one, str) for one in actions)):
        raise DataError(f"{where}: actions are a list of texts")
    return actions


def _numbers(where: str, values: Mapping[str, Any]) -> list[int] | None:
    choices = values.get("choices")
    if choices is not None and not (isinstance(choices, list) and all(type(one) is int for one in choices)):
        raise DataError(f"{where}: choices are a list of whole numbers")
    return choices


def _checked(
    where: str,
    model: ForwardModel[Any],
    players: int,
    choices: Sequence[int] | None,
    actions: Sequence[str] | None,
    seed: int,
) -> Opening:
    """Play an opening, by the numbers or by the texts of its actions, and return it.

    Both are compared where both are known. The seed is left out where there is no chance.
    """
    if seed < 0 and _has_chance(model, players):
        title = model.game_type.title
        raise DataError(f'{where} needs the random seed of its deal, such as "seed": 1, as {title} has chance')
    game = UnattendedGame(model, players, max(seed, 0))
    n_actions = len((choices if actions is None else actions) or ())
    if choices is not None and len(choices) != n_actions:
        raise DataError(f"{where} has {n_actions} actions and {len(choices)} choices")
    if n_actions == 0:
        raise DataError(f"{where} has no actions")
    for number in range(n_actions):
        if game.state.is_terminal:
            raise DataError(f"{where}: action {number} ends the game; an opening leaves a decision")
        text = None if actions is None else actions[number]
        game.take(_number_of(f"{where}: action {number + 1}", game, text, None if choices is None else choices[number]))
    found = tuple(game.recorder.choices)
    if not game.reaches_decision():
        raise DataError(f"{where} leaves no decision: the game ends; shorten it")
    return Opening(0, seed if _has_chance(model, players) else -1, found)


def _number_of(where: str, game: UnattendedGame, text: str | None, choice: int | None) -> int:
    """Return the number of the next action among those available."""
    available = [action.text(game.state, -1) for action in game.model.available_actions(game.state)]
    if choice is not None:
        if not 0 <= choice < len(available):
            raise DataError(f"{where} cannot be number {choice}; there are 0 to {len(available) - 1}")
        if text not in (None, available[choice]):
            raise DataError(f"{where} is {text!r}, and number {choice} is {available[choice]!r}")
        return choice
    found = [number for number, one in enumerate(available) if one == text]
    if not found:
        raise DataError(f"{where} cannot be {text!r}{nearest(str(text), available)}")
    if len(found) > 1:
        raise DataError(f"{where}, {text!r}, may be one of {len(found)}; give numbers as choices")
    return found[0]


def _has_chance(model: ForwardModel[Any], players: int) -> bool:
    """Say whether chance has a part in the set-up or in actions."""
    rng = Rng(1)
    model.setup(players, rng)
    return bool(model.game_type.chance) or rng.has_drawn


def opening_line(game: str, players: int, seed: int, choices: Sequence[int]) -> str:
    """Return a line of a file of openings: the first actions of a game with this seed, by their numbers.

    Args:
        game: the spec of the game type.
        players: the seats.
        seed: random seed of the game.
        choices: of each action its number among those available.

    Raises:
        DataError: they cannot be an opening.
    """
    spec = spec_of(game)
    named = canonical(spec, game_class(spec.name).game_type.parameters)
    model = make_game(named)
    found = _checked(f"the first {len(choices)} actions", model, players, choices, None, seed)
    played = UnattendedGame(model, players, seed)
    texts = []
    for choice in found.choices:
        texts.append(model.available_actions(played.state)[choice].text(played.state, -1))
        played.take(choice)
    own_seed = {"seed": seed} if found.seed >= 0 else {}
    line = {"game": named, "seats": players, **own_seed, "actions": texts, "choices": list(found.choices)}
    return json.dumps(line, ensure_ascii=False) + "\n"
