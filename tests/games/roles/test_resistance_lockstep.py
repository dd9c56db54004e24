"""Random games of The Resistance beside a separate implementation of the printed rules: legal moves, movers and ends."""

import pytest
from printed_resistance import PrintedResistance

from tag import WIN, Rng, make_game
from tag.games.roles.resistance.actions import Assassinate, PlayMissionCard, Propose, Vote
from tag.games.roles.resistance.data import ROLE_NAMES, seats_in

VARIANTS = (
    "resistance",
    "resistance:merlin=true",
    "resistance:merlin=true,percival=true,morgana=true",
    "resistance:merlin=true,oberon=true",
)
SEVEN = "resistance:merlin=true,percival=true,mordred=true,oberon=true"
TEN = "resistance:merlin=true,percival=true,morgana=true,mordred=true,oberon=true"


def in_words(action):
    """Return an action as the oracle calls it."""
    if isinstance(action, Propose):
        return "team", frozenset(seats_in(action.team))
    if isinstance(action, Vote):
        return "vote", action.approves
    if isinstance(action, PlayMissionCard):
        return "card", not action.fails
    assert isinstance(action, Assassinate)
    return "name", action.target


def side_by_side(spec, n_players, least, bold):
    """Play at least so many actions at random, and compare; votes are for teams in ``bold`` of 10 cases."""
    model, played, ends = make_game(spec), 0, set()
    seed = 0
    while played < least:
        seed += 1
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        other = PrintedResistance([ROLE_NAMES[role] for role in state.roles], int(state.leader))
        while not state.is_terminal:
            actions = model.available_actions(state)
            words = [in_words(action) for action in actions]
            assert len(set(words)) == len(words)
            assert set(words) == other.legal()
            assert state.current_player == other.mover()
            choice = rng.below(len(actions))
            if words[0][0] == "vote":
                choice = int(rng.below(10) < bold)
            model.next(state, actions[choice], rng)
            other.move(*words[choice])
            played += 1
        assert other.legal() == set()
        winners = {seat for seat in range(n_players) if state.result(seat) == WIN}
        assert winners == (other.evil if other.winner == "evil" else set(range(n_players)) - other.evil)
        assert (state.lost.bit_count(), state.round - state.lost.bit_count()) == (other.failures, other.successes)
        ends.add((other.winner, other.stage))
    return ends


@pytest.mark.parametrize("spec", VARIANTS)
@pytest.mark.parametrize("n_players", [5, 6, 7, 10])
def test_games_are_those_of_the_printed_rules(spec, n_players):
    ends = side_by_side(spec, n_players, 400, 6)
    assert {winner for winner, _stage in ends} == {"good", "evil"}


@pytest.mark.parametrize(("spec", "n_players"), [(SEVEN, 7), (TEN, 10), (SEVEN, 9)])
def test_so_are_games_with_all_roles(spec, n_players):
    assert len(side_by_side(spec, n_players, 800, 7)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("n_players", range(5, 11))
def test_100000_actions_are_those_of_the_printed_rules(n_players):
    ends = set()
    for spec in VARIANTS:
        for bold in (3, 5, 8):
            ends |= side_by_side(spec, n_players, 9_000, bold)
    assert {("evil", "team"), ("good", "team"), ("good", "name"), ("evil", "name")} <= ends
