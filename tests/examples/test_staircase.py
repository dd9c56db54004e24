"""Staircase by its rules, and deals that respect what a player was told."""

from pathlib import Path

import pytest

from tag import LOSE, WIN, Rng, make_game
from tag.check import check_game
from tag.errors import ParameterError

pytestmark = pytest.mark.flow

FILE = Path(__file__).parents[2] / "examples" / "staircase.py"
SPEC = f"{FILE}:Staircase"


def positions(seed, players):
    """Play a random game, and return its forward model and its positions."""
    model, rng = make_game(SPEC), Rng(seed)
    state = model.setup(players, rng)
    while not state.is_terminal:
        yield state
        model.next(state, rng.choice(model.available_actions(state)), rng)
    yield state


def test_it_keeps_the_contract():
    assert check_game(SPEC).ok


@pytest.mark.parametrize("seed", range(10))
def test_the_team_wins_with_the_last_step_and_loses_otherwise(seed):
    *_, end = positions(seed, 3)
    model = make_game(SPEC)
    assert end.results == (WIN if end.steps == model.steps else LOSE,) * 3
    assert end.steps == model.steps or end.mistakes > model.mistakes or not all(end.hands)
    assert sorted([*end.laid, *filter(None, end.hands), *end.deck]) == list(range(1, model.cards + 1))


@pytest.mark.parametrize("seed", range(10))
def test_observations_deal_what_the_hints_allow_and_keep_what_is_seen(seed):
    rng = Rng(seed)
    for state in positions(seed, 4):
        for player in range(4):
            seen = state.observation(player, rng)
            if state.hands[player]:
                assert state.low[player] <= seen.hands[player] <= state.high[player]
            assert [seen.hands[p] for p in range(4) if p != player] == [state.hands[p] for p in range(4) if p != player]
            assert sorted([*seen.hands, *seen.deck]) == sorted([*state.hands, *state.deck])


def test_every_card_that_the_hints_allow_is_as_likely():
    state = make_game(SPEC).setup(2, Rng(1))
    state.low[0], state.high[0] = state.hands[0] - 2, state.hands[0] + 2
    allowed = [card for card in [*state.deck, state.hands[0]] if state.low[0] <= card <= state.high[0]]
    dealt = [state.observation(0, Rng(seed)).hands[0] for seed in range(3_000)]
    for card in allowed:
        assert dealt.count(card) == pytest.approx(3_000 / len(allowed), rel=0.2)


def test_too_long_a_staircase_is_refused():
    with pytest.raises(ParameterError, match="steps cannot be 11; the nearest value is 10"):
        make_game(f"{SPEC}:steps=11")
