"""Search spaces as users state them."""

from __future__ import annotations

import numpy as np
import optuna
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag.catalogue.registry import agent_class, agent_names, game_names, make_agent, make_game
from tag.check.agents import agents_of_any_game
from tag.engine.parameters import COSTS, Integer, MoreThan, Real, Spec
from tag.engine.rng import Rng
from tag.errors import ParameterError, TagError, UnknownNameError
from tag.tournaments.definition import canonical_agent
from tag.tuning import SearchSpace, agent_space, game_space
from tag.tuning.agent.defining import define_study
from tag.tuning.space.configurations import Configuration, levels_of
from tag.tuning.space.ranges import read_range
from tag.tuning.space.searched import SpecParameters

pytestmark = pytest.mark.flow

SPACES = {
    **{name: ("agent", (name,), ()) for name in agents_of_any_game() if name not in ("random", "restricted")},
    **{name: ("game", (name,), ()) for name in game_names()},
    "agents": ("agent", ("mcts", "osla", "random", "rhea", "rmhc"), ()),
    "learner": (
        "agent",
        ("learned:episodes=10",),
        ("episodes=1..100,learner.alpha,learner.rates", "learner.tuples=walk,points"),
    ),
    "weights": ("agent", ("mcts:heuristic=love_letter",), ("heuristic", "k,rollout_policy,mast_gamma")),
    "opponent": ("agent", ("rhea:opponent=(osla:budget=5)",), ("budget_type,opponent.budget_type", "opponent")),
    "learned": ("agent", ("learned:episodes=9",), ("learner", "determinisations")),
    "values": ("agent", ("rhea",), ("population_size=6..20+2,tournament_size=1,5,20,selection,heuristic=game,score",)),
}


@pytest.fixture(params=SPACES)
def space(request) -> SearchSpace:
    """Return one space after another."""
    return SearchSpace(*SPACES[request.param])


NUMBERS = [
    Integer(1, 0, 50, "whole", False, 1, None),
    Integer(1, 0, 50, "logarithmic from 0", True, 1, None),
    Integer(1, 1, 50, "logarithmic", True, 1, None),
    Real(1.0, 0.0, 50.0, "real", False, None),
    Real(1.0, 0.5, 50.0, "logarithmic", True, None),
]


def drawn(space: SearchSpace, n: int, seed: int = 1) -> list[Configuration]:
    """Draw configurations."""
    rng = np.random.default_rng(seed)
    return [space.configurations.draw(rng) for _ in range(n)]


def check(space: SearchSpace, configuration: Configuration) -> None:
    """See that a configuration is one of something that can be made, and the same one when read back."""
    spec = space.spec(configuration)
    (make_agent if space.kind == "agent" else make_game)(spec)
    assert space.configuration(spec) == configuration


def test_configurations_are_specs_that_can_be_made_and_back(space):
    for configuration in drawn(space, 200):
        check(space, configuration)
        if space.kind == "agent":
            assert canonical_agent(space.spec(configuration)) == space.spec(configuration)


def test_what_is_around_a_configuration_differs_in_one_parameter_and_what_that_brings(space):
    levels = {name: levels_of(kind, 25) for name, kind in space.configurations.distributions.items()}
    middle = {name: found[len(found) // 2] for name, found in levels.items()}
    for configuration in drawn(space, 3):
        around = [found for _name, _value, found in space.configurations.around(configuration, levels, middle)]
        assert around
        for one in around:
            changed = [name for name in configuration if name in one and one[name] != configuration[name]]
            assert len(changed) == 1
            assert one == space.configurations.active(one)
            assert space.configurations.is_valid(one)
        for one in around[:: max(len(around) // 40, 1)]:
            check(space, one)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SPACES if name in [*agent_names(), *game_names()]])
def test_no_constraint_is_violated_in_100_000_samples(name):
    space, rng = SearchSpace(*SPACES[name]), np.random.default_rng(3)
    configuration = space.default
    for number in range(100_000):
        configuration = (
            space.configurations.draw(rng) if number % 2 else space.configurations.neighbour(configuration, rng)
        )
        space.spec(configuration)


def test_bases_and_written_out_entries_make_the_same_space(space):
    again = SearchSpace(space.kind, space.bases, space.search)
    assert again.difference(space) == ""
    assert again.search == space.search
    assert again.configurations.distributions == space.configurations.distributions
    assert again.configurations.conditions == space.configurations.conditions
    assert again.configurations.ordered == space.configurations.ordered
    assert again.default == space.default


def test_optuna_asks_only_for_what_has_an_effect(space):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    for _ in range(20):
        trial = study.ask()
        configuration = space.configurations.suggest(trial)
        assert trial.params == configuration
        if space.configurations.is_valid(configuration):
            check(space, configuration)


@pytest.mark.parametrize("name", ["mcts", "osla", "rhea", "rmhc"])
@given(seed=st.integers(0, 2**32))
def test_the_whole_space_holds_all_agents_that_there_are(name, seed):
    space = agent_space([f"{name}:budget=50"])
    drawn = agent_class(name).parameters_class.sample(Rng(seed)).changes()
    spec = str(Spec(name, {key: value for key, value in drawn.items() if key not in COSTS} | {"budget": 50}))
    configuration = space.configuration(spec)
    assert space.configuration(space.spec(configuration)) == configuration
    made, again = (make_agent(one).parameters for one in (spec, space.spec(configuration)))
    values = made.values()
    scope = SpecParameters("agent", spec)
    for dimension in made.dimensions():
        if scope.is_active(dimension.name, values):
            assert again.values()[dimension.name] == values[dimension.name]


@given(st.data())
def test_a_range_of_numbers_is_read_as_it_is_written(data):
    dimension = data.draw(st.sampled_from(NUMBERS))
    low, high = sorted(data.draw(st.lists(st.integers(1, 30), min_size=2, max_size=2, unique=True)))
    tail = data.draw(st.sampled_from(["", f"+{high - low}", "+1"]))
    found = read_range(dimension, [f"{low}..{high}{tail}"])
    assert read_range(dimension, [found.text]) == found
    for value in (low, high, found.nearest(data.draw(st.floats(-5.0, 50.0)))):
        assert found.holds(value)
        assert found.nearest(value) == value
        assert found.decoded(found.encoded(value)) == value
        assert found.distribution._contains(found.distribution.to_internal_repr(found.encoded(value)))
    assert not found.holds(low - 1)
    assert not found.holds(high + 0.5)


def test_the_base_is_the_default_and_what_it_names_is_fixed():
    space = agent_space(["rhea:horizon=4,crossover=uniform"])
    assert space.base == "rhea:horizon=4"
    assert space.spec(space.default) == space.base
    assert {"horizon", "crossover", "crossover_points", "budget", "budget_type"}.isdisjoint(space.ranges)
    assert all(space.spec(one).startswith("rhea:horizon=4") for one in drawn(space, 20))


def test_what_is_searched_may_be_named_in_the_base():
    space = agent_space(["rhea:horizon=4,budget=50"], ["horizon=2..12", "budget"])
    assert list(space.ranges) == ["budget", "horizon"]
    assert space.default == {"budget": 50, "horizon": 4}


def test_a_default_outside_of_the_ranges_is_the_nearest_in_them():
    assert agent_space(["rhea"], ["horizon=12..20", "elite_count=2,4,6"]).default == {"horizon": 12, "elite_count": 2}
    space = agent_space(["rhea:population_size=8"], ["tournament_size=7..20"])
    assert space.default["tournament_size"] == 7


def test_a_default_that_breaks_a_constraint_is_replaced():
    space = agent_space(["rhea"], ["population_size=6..20", "tournament_size=12..20"])
    assert space.default["tournament_size"] <= space.default["population_size"]


@pytest.mark.parametrize(
    ("search", "distribution", "ordered"),
    [
        ("horizon=2..12", optuna.distributions.IntDistribution(2, 12), False),
        ("horizon=2..12+2", optuna.distributions.IntDistribution(2, 12, step=2), False),
        ("horizon=2..16x2", optuna.distributions.CategoricalDistribution((2, 4, 8, 16)), True),
        ("horizon=10,1,3", optuna.distributions.CategoricalDistribution((1, 3, 10)), True),
        ("discount=0.5..0.9", optuna.distributions.FloatDistribution(0.5, 0.9), False),
        ("discount=0.5..0.9+0.1", optuna.distributions.FloatDistribution(0.5, 0.9, step=0.1), False),
        ("selection=rank,tournament", optuna.distributions.CategoricalDistribution(("tournament", "rank")), False),
        ("shift_buffer", optuna.distributions.CategoricalDistribution((False, True)), False),
        ("budget=100..10000", optuna.distributions.IntDistribution(100, 10000, log=True), False),
        (
            "opponent=random,(osla:budget=5)",
            optuna.distributions.CategoricalDistribution(("random", "osla:budget=5")),
            False,
        ),
    ],
)
def test_ranges(search, distribution, ordered):
    space = agent_space(["rhea"], [search])
    ((name, found),) = space.configurations.distributions.items()
    assert found == distribution
    assert (name in space.configurations.ordered) == ordered


def test_numbers_on_steps_are_written_as_people_do():
    space = agent_space(["rhea"], ["discount=0.5..1+0.1"])
    assert space.spec({"discount": 0.5 + 0.1 * 3}) == "rhea:discount=0.8"
    assert space.spec({"discount": 0.7999999999999999}) == "rhea:discount=0.8"
    assert space.configuration("rhea:discount=0.8") == {"discount": 0.8}


def test_logarithmic_ranges_from_0_are_shifted_in_optuna_only():
    space = agent_space(["mcts"], ["rollout_length=0..100"])
    assert space.configurations.distributions["rollout_length"] == optuna.distributions.IntDistribution(
        1, 101, log=True
    )
    assert space.configuration("mcts:rollout_length=0") == {"rollout_length": 1}
    assert space.spec({"rollout_length": 101}) == "mcts:rollout_length=100"
    assert space.values({"rollout_length": 1}) == {"rollout_length": 0}


def test_commas_separate_names_as_well_as_values():
    space = agent_space(["rhea"], ["horizon=1,3,10,selection=rank,tournament,crossover", "discount"])
    assert {name: one.text for name, one in space.ranges.items()} == {
        "horizon": "1,3,10",
        "discount": "0.5..1.0",
        "crossover": "uniform,n_point,none",
        "selection": "tournament,rank",
    }


def test_a_value_that_is_a_name_as_well_is_a_value_after_a_choice_that_has_it():
    """`agent` is which of several agents plays, and a policy of rollouts of `mcts`."""
    both = SearchSpace("agent", ("mcts", "osla"), ("mcts.rollout_policy=random,agent", "agent"))
    assert set(both.search) == {"mcts.rollout_policy=random,agent", "agent"}
    with pytest.raises(ParameterError, match="agent is searched twice"):
        SearchSpace("agent", ("mcts", "osla"), ("agent", "agent"))


def test_conditions():
    space = agent_space(["rhea"])
    assert space.configurations.conditions == {
        "fitness": ("horizon", MoreThan(1)),
        "discount": ("fitness", ("discounted", "differences")),
        "shift_buffer": ("horizon", MoreThan(1)),
        "crossover_points": ("crossover", ("n_point",)),
        "tournament_size": ("selection", ("tournament",)),
    }
    assert "tournament_size" not in agent_space(["rhea:selection=rank"]).ranges
    assert agent_space(["rhea:selection=tournament"], ["tournament_size"]).configurations.conditions == {}
    assert "tournament_size" not in agent_space(["mcts", "rhea"], ["rhea.selection=rank,roulette", "mcts.k"]).ranges


def test_agents_are_sub_trees():
    space = agent_space(["mcts:k=2", "rhea"], ["mcts", "rhea.horizon=2..12", "rhea.selection", "rhea.tournament_size"])
    assert space.configurations.conditions["mcts.mast_gamma"] == ("mcts.rollout_policy", ("mast",))
    assert space.configurations.conditions["mcts.rollout_policy"] == ("agent", ("mcts",))
    assert space.configurations.conditions["rhea.horizon"] == ("agent", ("rhea",))
    assert space.configurations.conditions["rhea.tournament_size"] == ("rhea.selection", ("tournament",))
    assert "mcts.k" not in space.ranges
    assert space.base == "mcts:k=2.0"
    assert space.spec({"agent": "rhea", "rhea.horizon": 3, "rhea.selection": "rank"}) == "rhea:horizon=3,selection=rank"
    with pytest.raises(UnknownNameError, match="no agent in this search space named 'rmhc'"):
        space.configuration("rmhc")


def test_which_of_several_agents_may_be_all_that_is_searched():
    space = agent_space(["mcts", "rhea:horizon=4", "random"], ["agent"])
    assert [space.spec({"agent": name}) for name in space.configurations.distributions["agent"].choices] == [
        "mcts",
        "rhea:horizon=4",
        "random",
    ]
    assert SearchSpace(space.kind, space.bases, space.search).difference(space) == ""


def test_weights_of_a_heuristic():
    space = agent_space(["mcts:heuristic=(love_letter:guard=0.5)"], ["heuristic.affection=0..1", "heuristic.cards"])
    assert list(space.ranges) == ["heuristic.affection", "heuristic.cards"]
    configuration = {"heuristic.cards": 0.25, "heuristic.affection": 1.0}
    spec = "mcts:heuristic=(love_letter:affection=1.0,cards=0.25,guard=0.5)"
    assert space.spec(configuration) == spec
    assert space.configuration(spec) == configuration
    assert "heuristic.guard" not in agent_space(["mcts:heuristic=(love_letter:guard=0.5)"], ["heuristic"]).ranges


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rhea:horizon=14", "horizon cannot be 14 in this search space; it is in 2..12"),
        ("rhea:horizon=5,discount=0.8", "discount cannot be 0.8 in this search space; it is fixed at 0.7"),
        ("rhea:horizon=5,heuristic=score", "heuristic cannot be 'score' in this search space; it is fixed at 'game'"),
        ("mcts", "no agent in this search space named 'mcts'; there are: rhea"),
        ("rhea:horzon=2", "rhea: no parameter named 'horzon'; did you mean 'horizon'?"),
    ],
)
def test_specs_outside_are_refused(spec, message):
    with pytest.raises(TagError) as caught:
        agent_space(["rhea"], ["horizon=2..12"]).configuration(spec)
    assert str(caught.value) == message


def test_what_has_no_effect_may_be_anything():
    space = agent_space(["rhea:selection=rank"], ["horizon=2..12"])
    assert space.configuration("rhea:selection=rank,tournament_size=3,horizon=7") == {"horizon": 7}


def test_configurations_of_a_narrower_space_are_in_a_wider_one():
    narrow = agent_space(
        ["rhea:mutation_count=2"], ["horizon=2..12", "selection=rank,tournament", "tournament_size=2,4"]
    )
    wide = agent_space(["rhea"], ["horizon=1..20", "selection", "tournament_size", "mutation_count", "crossover"])
    for configuration in drawn(narrow, 200):
        spec = narrow.spec(configuration)
        assert wide.spec(wide.configuration(spec)) == spec


def test_difference():
    space = agent_space(["rhea:discount=0.8"], ["horizon=2..12"])
    assert space.difference(agent_space(["rhea:discount=0.8"], ["horizon=2..12"])) == ""
    assert space.difference(agent_space(["rhea:discount=0.8"], ["horizon"])) == "horizon is 2..12 there, not 1..30"
    assert space.difference(agent_space(["rhea:horizon=4"], ["discount"])) == "horizon is 2..12 there, not fixed at 4"
    assert (
        space.difference(agent_space(["rhea"], ["horizon=2..12"])) == "discount is fixed at 0.8 there, not fixed at 0.7"
    )
    assert space.difference(agent_space(["rhea"])) == "horizon is 2..12 there, not 1..30"
    assert space.difference(agent_space(["mcts"])) == "agent is rhea there, not mcts"


@pytest.mark.parametrize(
    ("agents", "search", "message"),
    [
        ("rhea", "horizn", "no parameter of rhea named 'horizn'; did you mean 'horizon'?"),
        ("mcts rhea", "k", "no parameter of mcts, rhea named 'k'; did you mean 'mcts.k'?"),
        (
            "rhea",
            "selection=rank,tournement",
            "no parameter or value of selection named 'tournement'; did you mean 'tournament'?",
        ),
        ("rhea", "horizon=2,horizn", "no parameter of rhea named 'horizn'; did you mean 'horizon'?"),
        ("rhea", "horizon,,discount", "a name is missing between two commas of what is to be searched"),
        ("rhea", "horizon,horizon=2..4", "horizon is searched twice; say it once"),
        ("rhea", "horizon=", "horizon= names no values; its range is 1..30"),
        ("rhea", "heuristic", "heuristic cannot be searched; there is nothing to tune in 'game'"),
        (
            "mcts rhea",
            "mcts=2",
            "mcts takes no values; only parameters do",
        ),
        ("rhea", "horizon=12..2", "horizon cannot be searched in '12..2', which is inverted; did you mean '2..12'?"),
        (
            "rhea",
            "horizon=12..2+5",
            "horizon cannot be searched in '12..2+5', which is inverted; did you mean '2..12+5'?",
        ),
        (
            "rhea",
            "horizon=5",
            "horizon cannot be searched in '5', a single value; name two, or fix it in the spec: horizon=5",
        ),
        (
            "rhea",
            "horizon=5..5",
            "horizon cannot be searched in '5', a single value; name two, or fix it in the spec: horizon=5",
        ),
        ("rhea", "horizon=2..50", "horizon cannot be 50; the range is 1..30, the nearest value 30"),
        ("rhea", "horizon=2,3,40", "horizon cannot be 40; the range is 1..30, the nearest value 30"),
        ("rhea", "horizon=a..b", "horizon cannot be 'a'; it is a whole number in 1..30"),
        ("rhea", "horizon=1.5..3", "horizon cannot be '1.5'; it is a whole number in 1..30"),
        ("rhea", "horizon=1,2,1", "horizon cannot be searched in '1,2,1', where 1 is named twice; name it once"),
        (
            "rhea",
            "horizon=2..13+2",
            "horizon cannot be searched in '2..13+2', whose end steps of 2 do not meet; the nearest that they do is 12",
        ),
        (
            "rhea",
            "horizon=2..30x2",
            "horizon cannot be searched in '2..30x2', whose end 2-fold steps do not meet; the nearest that they "
            "do is 16",
        ),
        ("rhea", "horizon=2..5+1.5", "horizon cannot be searched in '2..5+1.5'; the step is a whole number above 0"),
        ("rhea", "horizon=2..5x1", "horizon cannot be searched in '2..5x1'; the factor is a whole number above 1"),
        ("mcts", "k=1..10xnan", "k cannot be searched in '1..10xnan'; the factor is a number above 1"),
        (
            "mcts",
            "k=0.1..100x1.0001",
            "k cannot be searched in '0.1..100x1.0001', which has more than 1000 values; did you mean 0.1..100?",
        ),
        (
            "mcts",
            "progressive_bias=0..8x2",
            "progressive_bias cannot be searched in '0..8x2', which cannot grow by a factor; start above 0",
        ),
        ("rhea", "selection=rank..tournament", "selection cannot be 'rank..tournament'; did you mean 'tournament'?"),
        ("rhea", "heuristic=game,scroe", "no heuristic named 'scroe'; did you mean 'score'?"),
        (
            "rhea:selection=rank",
            "tournament_size",
            "tournament_size cannot be searched; it has an effect only with selection=tournament",
        ),
        (
            "rhea",
            "selection=rank,roulette,tournament_size",
            "tournament_size cannot be searched; it has an effect only with selection=tournament",
        ),
        (
            "mcts:heuristic=love_letter",
            "heuristic=game,win,heuristic.cards",
            "heuristic.cards cannot be searched beside heuristic, the spec that it is a parameter of; fix one of them",
        ),
        ("random", "", "nothing of random is left to search; it has no parameters"),
        (
            "tic",
            "",
            "no agent named 'tic'; there are: expectimax, flat_mc, human, learned, max_n, mccfr, mcts, osla, process, "
            "random, restricted, rhea, rmhc",
        ),
        ("mcts mcts:k=2", "", "mcts is given twice; the agents of a search space differ by name"),
        ("", "", "a search space needs the spec of an agent"),
        (
            "rhea:population_size=6",
            "tournament_size=7..20",
            "no configuration of this search space is valid: tournament_size cannot be 7 with population_size 6; "
            "the nearest value is 6",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(agents, search, message):
    with pytest.raises(TagError) as caught:
        agent_space(agents.split(), [search] if search else [])
    assert str(caught.value) == message


def test_texts_are_searched_among_the_ones_that_are_named():
    space = agent_space(["learned:learner=(td_ntuple:alpha=2),episodes=10"], ["learner.tuples=walk,points,lines"])
    assert set(space.ranges["learner.tuples"].distribution.choices) == {"walk", "points", "lines"}
    for tuples in ("points", "lines"):
        spec = f"learned:learner=(td_ntuple:alpha=2.0,tuples={tuples}),episodes=10"
        assert space.spec({"learner.tuples": tuples}) == spec
        assert space.configuration(spec) == {"learner.tuples": tuples}
    with pytest.raises(ParameterError, match="it is a text, which has no range"):
        agent_space(["learned:episodes=10"], ["learner.tuples"])


def test_a_game_with_nothing_left():
    with pytest.raises(ParameterError, match="all of its parameters are fixed or have no effect"):
        game_space("tic_tac_toe:size=3")


def test_a_study_keeps_what_its_specs_fix_at_the_defaults():
    definition = define_study("rhea:horizon=10", "tic_tac_toe", games=5_000)
    assert "horizon" not in definition.space.ranges
    assert "horizon" in define_study("rhea", "tic_tac_toe", games=5_000).space.ranges


# --- conditions above a number ---------------------------------------------------------------------------------------


def test_a_parameter_may_need_a_number_above_a_bound():
    space = game_space("uno", ["uno_slip=0..0.5+0.25", "uno_penalty=1..3"])
    configurations = space.configurations
    assert configurations.active({"uno_slip": 0.0, "uno_penalty": 3}) == {"uno_slip": 0.0}
    assert configurations.active({"uno_slip": 0.25, "uno_penalty": 3}) == {"uno_slip": 0.25, "uno_penalty": 3}
    levels = {"uno_slip": [0.0, 0.25, 0.5], "uno_penalty": [1, 2, 3]}
    assert len(list(configurations.among(levels))) == 1 + 2 * 3
    with pytest.raises(ParameterError, match="uno_penalty cannot be searched; it has an effect only with uno_slip > 0"):
        game_space("uno", ["uno_penalty=1..3"])
    with pytest.raises(ParameterError, match="only with horizon > 1"):
        agent_space(["rhea:horizon=1"], ["fitness"])


@pytest.mark.parametrize("entry", ["horizon=1..4", "horizon=1,2,4"])
def test_what_follows_from_a_number_above_a_bound_follows_too(entry):
    space = agent_space(["rhea"], [entry, "discount=0.5..1", "shift_buffer"])
    drawn = [space.configurations.draw(np.random.default_rng(seed)) for seed in range(40)]
    assert {len(one) for one in drawn if one["horizon"] == 1} == {1}
    assert {len(one) for one in drawn if one["horizon"] != 1} == {3}
