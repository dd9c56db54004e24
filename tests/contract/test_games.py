"""Every game that there is keeps the engine's contract, with its defaults and with random parameters."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play.random_play import players_for

from tag import Rng, make_game
from tag.catalogue.registry import game_class, game_names
from tag.check import GAME_CHECKS, check_game
from tag.check.evidence.traces import HASH_SEEDS, trace_of_views, traces_elsewhere
from tag.engine.parameters import Spec
from tag.orders import GameOrder

pytestmark = pytest.mark.flow

KUHN = f"{Path(__file__).parents[2] / 'examples' / 'kuhn_poker.py'}:KuhnPoker"
HANABI = f"{Path(__file__).parent / 'mutants' / 'hanabi.py'}:Hanabi"

#: What is fast and says something about other parameters; the rest has been checked with the defaults.
QUICK = [
    "actions_while_it_lasts",
    "actions_distinct",
    "copy_equal",
    "copy_playable",
    "cards_kept",
    "observation_knowledge",
    "observation_actions",
    "observation_end",
    "views_blind",
    "views_steady",
    "results_final",
    "results_ordered",
    "heuristic_in_range",
]


#: Its processes are started for all games at once, below: alone, each game would start one for each hash seed.
TOGETHER = "seed_other_process"
#: The checks that compare many deals; they are tested with the fewest players only, and slowly with all.
THOROUGH = [
    "observation_varies",
    "observation_blind",
    "observation_fair",
    "observation_fair_in_play",
    "observation_possible",
    "marks_kept",
    "observation_remembers",
]


#: Games that are checked interpreted as well, open and hidden; the others take up to 12 seconds there.
SHORT = ["connect_four", "love_letter", "tic_tac_toe", KUHN]


def marked(games):
    return [game if game in SHORT else pytest.param(game, marks=pytest.mark.heavy) for game in games]


@pytest.mark.parametrize("game", marked([*game_names(), KUHN]))
def test_the_game_keeps_the_contract(game):
    others = [check.name for check in GAME_CHECKS if check.name not in (*THOROUGH, TOGETHER)]
    report = check_game(game, games=2, only=others)
    assert report.ok, str(report)
    report = check_game(game, players=game_class(game).game_type.min_players, games=2, only=THOROUGH)
    assert report.ok, str(report)


@pytest.fixture(scope="module")
def orders():
    """A game of random players in every game."""
    counts = {game: game_class(game).game_type.min_players for game in [*game_names(), KUHN]}
    return [GameOrder("check", game, ("random",) * count, 1) for game, count in counts.items()]


@pytest.fixture(scope="module")
def traces(orders):
    return [trace_of_views(order) for order in orders]


@pytest.mark.heavy
@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
def test_other_processes_play_the_same_games(orders, traces, hash_seed):
    there = traces_elsewhere(orders, hash_seed)
    assert len(there) == len(traces) > 20
    assert [order for order, one, other in zip(orders, traces, there, strict=True) if one != other] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("game", [*game_names(), KUHN, HANABI])
def test_no_alarm_is_false(game, seed):
    report = check_game(game, seed=1000 * seed + 7)
    assert report.ok, str(report)
    assert not report.warnings(), str(report)


@pytest.mark.slow
def test_a_long_game_keeps_the_contract():
    report = check_game("uno:max_rounds=0,max_turns=0,hand_size=7", players=2, games=1)
    assert report.ok, str(report)


@pytest.mark.parametrize(
    "game", marked(name for name in game_names() if game_class(name).game_type.parameters.dimensions())
)
@settings(derandomize=True, deadline=None, max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_the_game_keeps_the_contract_with_random_parameters(game, seed):
    kind = game_class(game).game_type
    rng = Rng(seed)
    spec = str(Spec(game, dict(kind.parameters.sample(rng).changes())))
    players = players_for(make_game(spec), rng)
    report = check_game(spec, players=players, games=1, seed=seed, only=QUICK)
    assert report.ok, str(report)
