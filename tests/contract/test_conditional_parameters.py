"""Parameters that are declared to need another one have no effect without it, and those that are refused declare it."""

from contextlib import suppress

import pytest

from tag import ParameterError, Rng, make_game
from tag.catalogue.registry import agent_class, agent_names, game_class, game_names, learner_class, learner_names
from tag.engine.parameters import Choice, Dimension, Flag, Integer, MoreThan, OtherThan, Parameters, Real, Value
from tag.orders import GameOrder, play_order

pytestmark = pytest.mark.flow

#: Random games that are compared, and the actions of each.
SEEDS = range(3)
ACTIONS = 400


def ends(dimension: Dimension) -> list[Value]:
    """Return values that differ as much as they can."""
    if isinstance(dimension, (Integer, Real)):
        return [dimension.low, dimension.high]
    return list(dimension.options) if isinstance(dimension, Choice) else [False, True]


def inactive(parameters: type[Parameters], dimension: Dimension) -> dict[str, Value] | None:
    """Return settings in which a parameter has no effect; None if it always has one."""
    if dimension.active_if is None:
        return None
    parent, wanted = dimension.active_if
    other = next(one for one in parameters.dimensions() if one.name == parent)
    candidates = ends(other) if isinstance(other, (Choice, Flag)) else []
    if isinstance(wanted, MoreThan):
        candidates = [int(wanted.low) if isinstance(other, Integer) else wanted.low]
    if isinstance(wanted, OtherThan):
        candidates = [wanted.excluded]
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
    settings = inactive(game_class(name).game_type.parameters, dimension)
    assert settings is not None
    for seed in SEEDS:
        games = []
        for value in ends(dimension):
            with suppress(ParameterError):  # such as partners who score for themselves
                games.append(played(name, {**settings, parameter: value}, seed))
        assert games
        assert all(game == games[0] for game in games)


#: Agents' parameters, with what makes the parent of theirs active, so that it alone decides.
OF_AGENTS = [
    (name, dimension.name)
    for name in agent_names()
    if name not in ("human", "learned", "process")
    for dimension in agent_class(name).parameters_class.dimensions()
    if dimension.active_if is not None and isinstance(dimension, (Integer, Real, Choice, Flag))
]
BESIDE = {"priors": "tree_policy=puct"}


def test_there_are_conditional_parameters_of_many_agents():
    assert len({name for name, _parameter in OF_AGENTS}) >= 4
    assert {("mcts", "prior_temperature"), ("mcts", "rollout_share"), ("rhea", "fitness")} <= {*OF_AGENTS}


@pytest.mark.parametrize(("name", "parameter"), OF_AGENTS)
def test_a_parameter_of_an_agent_has_no_effect_without_the_other(name, parameter):
    dimensions = {one.name: one for one in agent_class(name).parameters_class.dimensions()}
    settings = inactive(agent_class(name).parameters_class, dimensions[parameter])
    assert settings is not None
    (parent, value), *_rest = settings.items()
    fixed = [f"{parent}={value}".lower(), *([BESIDE[parent]] if parent in BESIDE else [])]
    for game in ("tic_tac_toe", "love_letter", "diamant"):
        games = []
        for end in ends(dimensions[parameter]):
            spec = f"{name}:{','.join([*fixed, f'{parameter}={end}'.lower(), 'budget=40'])}"
            games.append(play_order(GameOrder("g", game, (spec, "random"), 3, record_actions=True)).choices)
        assert all(one == games[0] for one in games)


PARAMETERS = {
    **{f"game {name}": game_class(name).game_type.parameters for name in game_names()},
    **{f"agent {name}": agent_class(name).parameters_class for name in agent_names()},
    **{f"learner {name}": learner_class(name).parameters_class for name in learner_names()},
}


@pytest.mark.parametrize("title", PARAMETERS)
def test_what_is_refused_beside_the_defaults_as_without_effect_is_conditional(title):
    """Otherwise tuning would sample it, only to have it refused, or to find nothing."""
    kind = PARAMETERS[title]
    refused = []
    for dimension in kind.dimensions():
        if isinstance(dimension, (Integer, Real, Choice, Flag)) and dimension.active_if is None:
            for value in ends(dimension):
                try:
                    kind(**{dimension.name: value})
                except ParameterError as error:
                    refused.append(str(error))
    assert not [sentence for sentence in refused if "effect only with" in sentence]
