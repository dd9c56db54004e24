"""Spades beside OpenSpiel's, action by action; the deals are ours, and cards have the same numbers.

OpenSpiel plays one hand, in which seat 0 bids first, and partners may not bid more than 13 tricks together. It never notes
that spades are broken (2.0.2), so that only who has nothing else leads them; rule books let all lead them then. Here both
differ by these leads and no others.
"""

import pytest

from tag import Rng, make_game
from tag.games.tricks.spades.data import BIDDING

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.flow

#: Bids in OpenSpiel come after the cards.
FIRST_BID = 52
FIRST_SPADE = 39


def start(game, state):
    """Return OpenSpiel's position after the same deal."""
    other = game.new_initial_state()
    hands = [[card for card in range(52) if hand >> card & 1] for hand in state.hands]
    for number in range(52):
        other.apply_action(hands[number % 4][number // 4])
    return other


def in_lockstep(actions, seed):
    """Play random hands in both until so many actions have been compared; return their number, and the hands."""
    model = make_game("spades:hands=1,team_limit=true,goal=1000,lowest=1000")
    game = pyspiel.load_game("spades(use_mercy_rule=false,win_or_loss_bonus=0)")
    rng, played, hands = Rng(seed), 0, 0
    while played < actions:
        state = model.setup(4, rng)
        other = start(game, state)
        hands += 1
        while not state.is_terminal:
            assert other.current_player() == state.current_player
            available = model.available_actions(state)
            is_bid = state.phase == BIDDING
            numbers = [FIRST_BID + one.tricks if is_bid else one.card for one in available]
            shared = [number for number in numbers if number < FIRST_SPADE or is_bid]
            is_lead = not is_bid and state.trick == 0 and shared
            assert sorted(shared if is_lead else numbers) == other.legal_actions()
            assert not is_lead or state.broken or shared == numbers
            place = numbers.index(rng.choice(other.legal_actions()))
            if is_bid:  # mostly bids that can be made, and nils
                place = min(place, int(rng.below(6)))
            model.next(state, available[place], rng)
            other.apply_action(numbers[place])
            played += 1
        assert other.is_terminal()
        assert other.returns() == [state.score(seat) for seat in range(4)]
    return played, hands


def test_bids_plays_and_points_are_those_of_open_spiel():
    played, hands = in_lockstep(2_000, 3)
    assert played >= 2_000
    assert hands > 30


@pytest.mark.slow
def test_a_hundred_thousand_actions_are_those_of_open_spiel():
    assert in_lockstep(100_000, 11)[0] >= 100_000
