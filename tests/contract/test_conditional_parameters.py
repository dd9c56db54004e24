"""Game parameters that are declared to need another one have no effect without it."""

from contextlib import suppress

import pytest

from tag import ParameterError, Rng, make_game
from tag.catalogue.registry import game_class, game_names
from tag.engine.parameters import Choice, Dimension, Flag, Integer, MoreThan, Real, Value

#: Random games that are compared, and the actions of each.
SEEDS = range(3)
ACTIONS = 400


def ends(dimension: Dimension) -> list[Value]:
    """Return values that differ as much as they can."""
    if isinstance(dimension, (Integer, Real)):
        return [dimension.low, dimension.high]
    return list(dimension.options) if isinstance(dimension, Choice) else [False, True]


def inactive(name: str, dimension: Dimension) -> dict[str, Value] | None:
    """Return settings in which a parameter of a game has no effect; None if it always has one."""
    if dimension.active_if is None:
        return None
    parent, wanted = dimension.active_if
    other = next(one for one in game_class(name).game_type.parameters.dimensions() if one.name == parent)
    candidates = ends(other) if isinstance(other, (Choice, Flag)) else []
    if isinstance(wanted, MoreThan):
        candidates = [int(wanted.low) if isinstance(other, Integer) else wanted.low]
    return {parent: next(value for value in candidates if value not in wanted)}


CONDITIONAL = [
    (name, dimension.name)
    for name in game_names()
    for dimension in game_class(name).game_type.parameters.dimensions()
    if dimension.active_if is not None
]


def played(name: str, settings: dict[str, Value], seed: int) -> list[object]:
    """Return what happens in a random game."""
    model = make_game(f"{name}:{','.join(f'{key}={value}'.lower() for key, value in settings.items())}")
    kind = model.game_type
    state = model.setup(min(kind.max_players, max(kind.min_players, 3)), Rng(seed))
    rng, told = Rng(seed + 100), []
    while not state.is_terminal and len(told) < ACTIONS:
        actions = model.available_actions(state)
        action = actions[rng.below(len(actions))]
        model.next(state, action, rng)
        told.append((str(action), len(actions), [state.score(player) for player in range(state.n_players)]))
    return [told, state.results]


def test_there_are_conditional_parameters_of_many_games():
    assert len({name for name, _parameter in CONDITIONAL}) >= 5
    assert ("uno", "uno_penalty") in CONDITIONAL


@pytest.mark.parametrize(("name", "parameter"), CONDITIONAL)
def test_a_parameter_has_no_effect_without_the_other(name, parameter):
    dimension = next(one for one in game_class(name).game_type.parameters.dimensions() if one.name == parameter)
    settings = inactive(name, dimension)
    assert settings is not None
    for seed in SEEDS:
        games = []
        for value in ends(dimension):
            with suppress(ParameterError):  # such as partners who score for themselves
                games.append(played(name, {**settings, parameter: value}, seed))
        assert games
        assert all(game == games[0] for game in games)
