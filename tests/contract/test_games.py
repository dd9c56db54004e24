"""Every game that there is keeps the engine's contract, with its defaults and with random parameters."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import Rng
from tag.check import check_game
from tag.registry import game_class, game_names
from tag.spec import Spec

KUHN = f"{Path(__file__).parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"

#: What is fast and says something about other parameters; the rest has been checked with the defaults.
QUICK = [
    "actions_while_it_lasts",
    "actions_distinct",
    "copy_equal",
    "copy_playable",
    "observation_knowledge",
    "observation_actions",
    "observation_end",
    "views_blind",
    "views_steady",
    "results_final",
    "results_ordered",
    "heuristic_in_range",
]


#: Games whose random play by the printed rules takes tens of thousands of actions are checked over two short rounds.
SHORT = {"uno": "uno:max_rounds=2,max_turns=60"}


@pytest.mark.parametrize("game", [*(SHORT.get(name, name) for name in game_names()), KUHN])
def test_the_game_keeps_the_contract(game):
    report = check_game(game, games=2)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("game", SHORT)
def test_a_long_game_keeps_the_contract(game):
    report = check_game(game, games=1)
    assert report.ok, str(report)


@pytest.mark.parametrize("game", [name for name in game_names() if game_class(name).game_type.parameters.dimensions()])
@settings(derandomize=True, deadline=None, max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_the_game_keeps_the_contract_with_random_parameters(game, seed):
    kind = game_class(game).game_type
    rng = Rng(seed)
    spec = str(Spec(game, dict(kind.parameters.sample(rng).changes())))
    players = kind.min_players + int(rng.below(kind.max_players - kind.min_players + 1))
    report = check_game(spec, players=players, games=1, seed=seed, only=QUICK)
    assert report.ok, str(report)
