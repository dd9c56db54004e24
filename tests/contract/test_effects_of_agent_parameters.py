"""Each value of each parameter of each agent changes its choices in some game, or is listed with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import pytest
from parameter_effects import (
    Inert,
    Trace,
    assert_effects_are_as_listed,
    first_effect,
    other_values,
    played,
    spec_of,
    with_activating,
)

from tag.catalogue.registry import agent_class, agent_names
from tag.engine.parameters import Dimension, Spec, Value

pytestmark = pytest.mark.heavy

#: The games in which choices are compared, for one player and several: without chance, with it, with hidden hands, with
#: simultaneous choices, and with choices in several steps.
GAMES: tuple[tuple[str, int], ...] = (
    ("tic_tac_toe", 2),
    ("love_letter", 2),
    ("cant_stop:columns=1", 2),
    ("nim:heaps=3,size=4", 3),
    ("diamant:caves=2", 2),
    ("dots_and_boxes:width=2,height=2", 2),
    ("sushi_go:rounds=1", 2),
    ("twenty_forty_eight:target=32,play_on=false", 1),
    ("uno:scoring=single", 3),
)
_SEEDS = 6

#: The usual budget: small, so that choices are not all alike.
_BUDGET = "budget=40"

#: Settings beside which a parameter has an effect, beyond what it declares itself; without an entry, `_BUDGET` alone.
BESIDE: dict[tuple[str, str], tuple[str, ...]] = {
    **{(name, "budget"): ("budget=40",) for name in agent_names()},
    **{(name, "budget_type"): ("budget=4",) for name in agent_names()},
    **{(name, option): ("budget=300",) for name in ("expectimax", "max_n") for option in ("depth", "table")},
    **{(name, "opponents"): ("budget=300",) for name in ("expectimax", "max_n", "mcts")},
    ("max_n", "budget_type"): ("budget=40",),
    ("mccfr", "heuristic"): ("budget=40,depth=3",),
    ("mcts", "prior_temperature"): ("budget=40,priors=game",),
    ("mcts", "prior_visits"): ("budget=40,priors=game",),
    ("learned", "episodes"): ("episodes=5",),
    ("learned", "learner"): ("episodes=40",),
    ("learned", "seed"): ("episodes=40",),
    ("learned", "determinisations"): ("learner=td,episodes=20",),
    ("mcts", "max_tree_depth"): ("budget=200",),
    ("mcts", "preset"): ("budget=40", "budget=40,k=0.5"),
    ("mcts", "selection_errors"): ("budget=300,root_policy=halving",),
    ("osla", "preset"): ("budget=40", "budget=40,samples=1"),
    **{(name, "preset"): ("budget=40", "budget=40,discount=0.6") for name in ("rhea", "rmhc")},
    **{("mcts", name): ("budget=4000",) for name in ("beliefs", "belief_deals", "belief_temperature")},
    ("rhea", "elite_count"): ("budget=300,horizon=3",),
    ("restricted", "without"): ("agent=osla",),
    ("restricted", "agent"): ("without=(Guard)",),
}

#: Values to compare with the default, for parameters without a range, or with one that allows a very long time.
VALUES: dict[tuple[str, str], tuple[Value, ...]] = {
    **{(name, "budget"): (1, 20, 60) for name in agent_names()},
    **{(name, "depth"): (1, 2) for name in ("expectimax", "max_n", "mccfr")},
    **{(name, "table"): (0, 10) for name in ("expectimax", "max_n")},
    ("flat_mc", "rollout_length"): (0, 1, 5),
    ("learned", "episodes"): (1, 40),
    ("learned", "seed"): (2, 3),
    **{(name, "heuristic"): ("score", "win", "null") for name in agent_names()},
    ("learned", "learner"): ("td", "td_ntuple:alpha=0.1"),
    ("mcts", "fpu"): (0.01, 0.5, 1.0),
    ("mcts", "max_tree_depth"): (1, 2, 3),
    ("osla", "budget"): (1, 3),
    ("mcts", "opponent_agent"): ("osla", "mcts:budget=10"),
    ("mcts", "priors"): ("game", "score"),
    ("mcts", "rollout_agent"): ("osla", "mcts:budget=10"),
    ("mcts", "rollout_heuristic"): ("score", "win"),
    ("mcts", "selection_agent"): ("osla", "mcts:budget=10"),
    ("restricted", "agent"): ("osla", "mcts:budget=40"),
    ("restricted", "without"): ("Guard", "Prince"),
    ("rhea", "opponent"): ("osla", "mcts:budget=10"),
    ("rmhc", "opponent"): ("osla", "mcts:budget=10"),
}

#: Values without an effect.
INERT: dict[tuple[str, str], Inert] = {
    ("human", "name"): Inert("the name of a person, for tables; no agent decides"),
    ("learned", "file"): Inert("the content of the file decides, which tests of training compare"),
    ("max_n", "budget_type"): Inert("each node costs one forward-model call", ("iterations",)),
    ("process", "command"): Inert("a program of the user's decides; tests of programs compare them"),
    ("process", "parts"): Inert("names of files, by which a tournament knows that the program has changed"),
    ("process", "url"): Inert("a server of the user's decides; tests of programs compare them"),
    ("process", "legal"): Inert("a part of the question to the program; tests of programs read the question"),
    ("process", "budget"): Inert("a number that the program is told; tests of programs read the question"),
    ("process", "budget_type"): Inert("a unit that the program is told; tests of programs read the question"),
    ("process", "hang_seconds"): Inert("a limit that ends programs; tests of programs wait for it"),
}

PARAMETERS = [
    (name, dimension) for name in agent_names() for dimension in agent_class(name).parameters_class.dimensions()
]


@lru_cache(maxsize=100_000)
def _played(agent: str, game: str, players: int, seed: int) -> Trace:
    return played(game, [agent] + ["random"] * (players - 1), seed)


def traces(agent: str, games: Sequence[tuple[str, int]] = GAMES) -> Iterator[Trace | None]:
    """Yield the courses of games with ``agent`` in the first seat."""
    for seed in range(_SEEDS):
        for game, players in games:
            yield _played(agent, game, players, seed)


def values_of(name: str, dimension: Dimension) -> list[Value]:
    """Return the values of a parameter that are compared with its default."""
    return list(VALUES.get((name, dimension.name), ())) or other_values(dimension)


def bases_of(name: str, dimension: Dimension) -> list[Spec]:
    """Return the specs beside which a parameter is tried."""
    known = agent_class(name).parameters_class.dimensions()
    has_budget = any(one.name == "budget" for one in known)
    settings = BESIDE.get((name, dimension.name), (_BUDGET if has_budget else "",))
    found = [base for setting in settings for base in with_activating(spec_of(name, setting), dimension, known)]
    if dimension.name != "preset" and any(
        one.name == "preset" for one in known
    ):  # any other parameter turns presets off
        found = [base.with_value("preset", "none") for base in found]
    return found


@pytest.mark.parametrize(("name", "dimension"), PARAMETERS, ids=lambda one: one if isinstance(one, str) else one.name)
def test_each_value_changes_choices(name, dimension):
    inert = INERT.get((name, dimension.name))
    if inert is not None and not inert.values:
        return
    values = values_of(name, dimension)
    assert values, "nothing to compare; give values in VALUES, or say why in INERT"
    bases = bases_of(name, dimension)
    effects = {value: first_effect(bases, dimension, value, traces) for value in values}
    assert_effects_are_as_listed(f"{name}:{dimension.name}", effects, inert)
