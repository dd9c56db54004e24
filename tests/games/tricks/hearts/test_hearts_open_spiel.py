"""Hearts beside OpenSpiel's, action by action, with its options; the deals are ours.

OpenSpiel plays one hand of four players, gives the direction of passing by chance, and asks players in the order of seats.
"""

import pytest

from tag import Rng, make_game
from tag.games.tricks.hearts.data import PASSING

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.flow

#: Our parameters and OpenSpiel's.
CASES = [
    ("queen_breaks=true", ""),
    ("", "qs_breaks_hearts=false"),
    ("queen_breaks=true,must_break=false", "must_break_hearts=false"),
    ("queen_breaks=true,first_points=true", "no_pts_on_first_trick=false"),
    ("queen_breaks=true,jack=10", "jd_bonus=true"),
    ("queen_breaks=true,passing=none", "pass_cards=false"),
]
#: The directions of our hands, as OpenSpiel names them.
DIRECTIONS = ["Left", "Right", "Across", "No Pass"]


def theirs(card):
    """Return the number of a card in OpenSpiel."""
    return card % 13 * 4 + card // 13


def start(game, state):
    """Return OpenSpiel's position after the same deal."""
    other = game.new_initial_state()
    names = [other.action_to_string(one) for one in other.legal_actions()]
    wanted = DIRECTIONS[state.round % 4] if state.rules.passing == "cycle" else DIRECTIONS[-1]
    other.apply_action(other.legal_actions()[names.index(wanted)])
    while other.is_chance_node():
        seat = (52 - len(other.legal_actions())) % 4
        hand = [card for card in range(52) if state.hands[seat] >> card & 1]
        other.apply_action(theirs(hand[(52 - len(other.legal_actions())) // 4]))
    return other


def pass_as(state, other, choices):
    """Have OpenSpiel pass the cards that were chosen, player by player."""
    for seat in range(4):
        for card in choices[seat]:
            assert other.current_player() == seat
            assert theirs(card) in other.legal_actions()
            other.apply_action(theirs(card))


def in_lockstep(parameters, options, actions, seed):
    """Play random hands in both until so many actions have been compared; return their number, and the hands."""
    model = make_game(f"hearts:goal=500,{parameters}".rstrip(","))
    game = pyspiel.load_game(f"hearts({options})")
    rng, played, hands = Rng(seed), 0, 0
    state = model.setup(4, rng)
    while played < actions:
        if state.is_terminal:
            state = model.setup(4, rng)
        other, before, choices = start(game, state), state.points, [[], [], [], []]
        hands += 1
        round_number = state.round
        while state.round == round_number and not state.is_terminal:
            available = model.available_actions(state)
            action = rng.choice(available)
            if state.phase == PASSING:
                choices[state.current_player].append(action.card)
                model.next(state, action, rng)
                if state.phase != PASSING:
                    pass_as(state, other, choices)
            else:
                assert other.current_player() == state.current_player
                assert sorted(theirs(one.card) for one in available) == other.legal_actions()
                model.next(state, action, rng)
                other.apply_action(theirs(action.card))
            played += 1
        assert other.is_terminal()
        points = [now - then for now, then in zip(state.points, before, strict=True)]
        assert [26 - value for value in other.returns()] == points
    return played, hands


@pytest.mark.parametrize(("parameters", "options"), CASES)
def test_passes_plays_and_points_are_those_of_open_spiel(parameters, options):
    played, hands = in_lockstep(parameters, options, 1_200, 3)
    assert played >= 1_200
    assert hands > 15


@pytest.mark.slow
@pytest.mark.parametrize(("parameters", "options"), CASES)
def test_a_hundred_thousand_actions_are_those_of_open_spiel(parameters, options):
    assert in_lockstep(parameters, options, 25_000, 11)[0] >= 25_000
