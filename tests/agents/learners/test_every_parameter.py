"""Every value of every learner's parameters changes what is learned, or is refused, or is listed with the reason."""

import pytest

from tag import ParameterError, make_game
from tag.catalogue.registry import learner_class, learner_names, make_learner

EPISODES = 16
LONG = ("nim:heaps=1,size=50,max_minus=1", 2)
TIC_TAC_TOE = ("tic_tac_toe", 2)
NIM = ("nim", 2)
CONNECT_FOUR = ("connect_four:width=4,height=4,length=3", 2)
TILES = ("twenty_forty_eight:target=32,play_on=false", 1)

#: For each learner the table and the settings beside which a parameter is changed.
BESIDE = {
    "td_ntuple": (TIC_TAC_TOE, {"n_tuples": 4, "length": 3, "epsilon": 0.5, "trace": 0.5, "replay": 20}),
    "td": (NIM, {"epsilon": 0.5, "replay": 20}),
    "regression": (NIM, {"agent": "osla"}),
    "expert_iteration": (NIM, {"agent": "osla", "games": 4}),
}
#: The same for those that need others.
BESIDE_OTHERS = {
    "horizon": (LONG, {"trace": 1.0, "resets": False, "epsilon": 0.5}),
    "learns": (TILES, {"n_tuples": 4, "length": 3}),
    "n_values": (TILES, {"n_tuples": 4, "length": 3}),
    "reward": (TILES, {}),
    "heuristic": (CONNECT_FOUR, {"agent": "osla"}),
    "target": (TILES, {"agent": "osla"}),
    "products": (NIM, {"agent": "osla", "epsilon": 1.0, "products": 8, "criterion": "aic"}),
    "criterion": (NIM, {"agent": "osla", "epsilon": 1.0, "products": 8}),
}
#: Values that are tried; of other parameters all choices, both bounds and a value in between.
VALUES = {
    "agent": ("mcts:budget=5", "osla"),
    "heuristic": ("game",),
    "tuples": ("points", "lines"),
    "n_tuples": (1, 2, 10),
    "length": (1, 2, 5),
    "n_values": (1, 2, 4),
    "symmetries": (1, 2, 7),
    "hidden": (1, 20),
    "products": (1, 2),
    "positions": (1, 2, 5),
    "games": (1, 2, 10),
    "memory": (1, 2),
    "replay": (0, 1, 1_000_000),
    "replay_batch": (1, 50),
}
#: Values that change nothing somewhere, though they are allowed.
REASONS = {
    "length": "more cells than the game has are all of them",
    "n_values": "more values than a cell has are all of them",
    "symmetries": "more than the game has are all of them",
    "games": "as many games as are played are one iteration",
    "memory": "as many iterations as are played are all of them",
    "trace": "with gamma 0 nothing reaches back",
    "alpha_final": "of one game the rate is that of the start",
    "replay": "more lessons than there are are all of them",
    "positions": "more positions than the game has are all of them",
    "products": "more products than the criterion finds are all of them",
    "epsilon": "an agent that plays at random plays no otherwise",
}


def values_of(dimension):
    if dimension.name in VALUES:
        return VALUES[dimension.name]
    if dimension.kind == "choice":
        return dimension.options
    if dimension.kind == "bool":
        return (True, False)
    return (dimension.low, (dimension.low + dimension.high) / 2 if dimension.kind == "float" else 7, dimension.high)


def beside(learner, name):
    """Return the table and the settings beside which the parameter is changed."""
    return BESIDE_OTHERS.get(name, BESIDE[learner])


def cases():
    """Return each learner, parameter and value that is not the one beside which it is tried."""
    found = []
    for learner in learner_names():
        parameters_class = learner_class(learner).parameters_class
        for dimension in parameters_class.dimensions():
            usual = parameters_class(**beside(learner, dimension.name)[1]).values()[dimension.name]
            found += [(learner, dimension.name, value) for value in values_of(dimension) if value != usual]
    return found


CASES = cases()


def knowledge(learner, table, settings):
    game, n_players = table
    parameters = learner_class(learner).parameters_class(**settings)
    made = learner_class(learner)(make_game(game), n_players, parameters, EPISODES, 3)
    for _episode in range(EPISODES):
        made.play_episode()
    found = made.knowledge(False)
    found.facts.pop("features", None)  # names alone are no change
    return found.facts, {name: list(values) for name, values in found.arrays.items()}


@pytest.mark.parametrize(("learner", "name", "value"), CASES)
def test_every_value_changes_what_is_learned(learner, name, value):
    table, settings = beside(learner, name)
    if learner == "td_ntuple" and table is not TIC_TAC_TOE:
        settings = {"n_tuples": 4, "length": 3} | settings
    assert knowledge(learner, table, settings | {name: value}) != knowledge(learner, table, settings)


def test_reasons_are_of_parameters_that_there_are():
    assert set(REASONS) | set(VALUES) | set(BESIDE_OTHERS) <= {name for _learner, name, _value in CASES}
    assert set(BESIDE) == set(learner_names())


REFUSED = [
    ("td_ntuple", TIC_TAC_TOE, {"horizon": 5}, "trace above 0"),
    ("td_ntuple", TIC_TAC_TOE, {"resets": False}, "trace and epsilon above 0"),
    ("td_ntuple", TIC_TAC_TOE, {"trace": 0.5, "epsilon": 0.0, "resets": False}, "trace and epsilon above 0"),
    ("td_ntuple", TIC_TAC_TOE, {"epsilon": 0.0, "learns_from_random": False}, "epsilon above 0"),
    ("td_ntuple", TIC_TAC_TOE, {"replay_batch": 5}, "replay above 0"),
    ("td_ntuple", TIC_TAC_TOE, {"trace": 0.5, "horizon": 1}, "nearest value 2"),
    ("td_ntuple", TIC_TAC_TOE, {"learns": "states"}, "no chance follows a move; the nearest is 'afterstates'"),
    ("td_ntuple", TILES, {"learns": "sarsa", "final_adaptation": False}, "several players"),
    ("td", TILES, {"shared": False}, "several players"),
    ("td", NIM, {"trace": 0.0, "horizon": 3}, "trace above 0"),
    ("td", NIM, {"replay_batch": 5}, "replay above 0"),
    ("regression", NIM, {"criterion": "aic"}, "products above 0"),
    ("expert_iteration", NIM, {"criterion": "bic"}, "products above 0"),
    ("expert_iteration", NIM, {"mixing": 0.5, "games": EPISODES}, "more than one iteration"),
]


@pytest.mark.parametrize(("learner", "table", "settings", "condition"), REFUSED)
def test_what_has_no_effect_beside_others_is_refused(learner, table, settings, condition):
    with pytest.raises(ParameterError, match=condition) as refusal:
        knowledge(learner, table, settings)
    assert "\n" not in str(refusal.value)


def test_drawn_tuples_are_conditional():
    """Their number and length have no effect beside a set of the game's, and are not searched there."""
    for dimension in learner_class("td_ntuple").parameters_class.dimensions():
        if dimension.name in ("n_tuples", "length"):
            assert not dimension.is_active({"tuples": "lines"})
            assert dimension.is_active({"tuples": "walk"})


def test_recorded_games_are_not_played_by_the_learner():
    for name, value in (("agent", "osla"), ("epsilon", 0.5)):
        learner = make_learner(f"regression:{name}={value}", make_game("nim"), 2, 5)
        with pytest.raises(ParameterError, match=f"{name} cannot be .* only with games that the learner plays itself"):
            learner.listener()
    make_learner("regression", make_game("nim"), 2, 5).listener()
