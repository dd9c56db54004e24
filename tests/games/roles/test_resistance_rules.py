"""The rules of The Resistance, one test for each that is often got wrong, and Avalon's roles."""

from collections import Counter
from math import comb

import pytest
from resistance_positions import act, bits, position, propose, reject, send, vote

from tag import LOSE, WIN, Rng, make_game
from tag.errors import ParameterError, PlayersError
from tag.games.roles.resistance.data import ASSASSINATE, MISSION, PROPOSE, ROLE_NAMES, VOTE

AVALON = ((0, "Merlin"), (1, "Percival"), (3, "Assassin"), (4, "Morgana"))
ROLES = {"merlin": True, "percival": True, "morgana": True}


def winners(state):
    return [seat for seat in range(state.n_players) if state.result(seat) == WIN]


@pytest.mark.parametrize(
    ("n_players", "spies", "sizes"),
    [
        (5, 2, (2, 3, 2, 3, 3)),
        (6, 2, (2, 3, 4, 3, 4)),
        (7, 3, (2, 3, 3, 4, 4)),
        (8, 3, (3, 4, 4, 5, 5)),
        (9, 3, (3, 4, 4, 5, 5)),
        (10, 4, (3, 4, 4, 5, 5)),
    ],
)
def test_the_printed_table(n_players, spies, sizes):
    model = make_game("resistance")
    state = model.setup(n_players, Rng(1))
    assert state.roles.count(ROLE_NAMES.index("spy")) == spies
    assert [state.team(seat) for seat in range(n_players)].count(1) == spies
    for place, size in enumerate(sizes):
        state.round = place
        actions = model.available_actions(state)
        assert len({action.team for action in actions}) == comb(n_players, size)
        assert {action.team.bit_count() for action in actions} == {size}


def test_each_deal_and_each_first_leader_are_as_likely():
    model = make_game("resistance")
    found = Counter(
        (int(state.spies), int(state.leader)) for state in (model.setup(5, Rng(seed)) for seed in range(5000))
    )
    assert len(found) == 10 * 5
    assert sum((number - 100) ** 2 / 100 for number in found.values()) < 49 + 4.5 * 98**0.5
    assert all(state.current_player == state.leader for state in (model.setup(5, Rng(seed)) for seed in range(9)))


@pytest.mark.parametrize(("approving", "phase"), [((0, 1, 2), PROPOSE), ((0, 1, 2, 3), MISSION)])
def test_a_tie_rejects(approving, phase):
    model, state = position(6)
    propose(model, state, 0, 1)
    vote(model, state, *approving)
    assert (state.phase, state.rejected) == (phase, 1 if phase == PROPOSE else 0)


def test_three_of_five_approve():
    model, state = position(5)
    propose(model, state, 0, 1)
    vote(model, state, 0, 1, 2)
    assert (state.phase, state.current_player) == (MISSION, 0)


def test_the_fifth_rejection_in_a_mission_wins_for_the_spies():
    model, state = position(5)
    reject(model, state, 4)
    assert (state.is_terminal, state.rejected) == (False, 4)
    reject(model, state)
    assert state.is_terminal
    assert winners(state) == [3, 4]
    assert [state.result(seat) for seat in range(3)] == [LOSE] * 3


def test_the_count_of_rejections_begins_anew_with_each_mission():
    model, state = position(5)
    reject(model, state, 4)
    send(model, state, (0, 1))
    assert state.rejected == 0
    reject(model, state, 4)
    assert not state.is_terminal


def test_the_fifth_team_is_voted_on_too():
    model, state = position(5)
    reject(model, state, 4)
    propose(model, state, 0, 1)
    assert state.phase == VOTE


def test_the_leader_passes_after_each_vote_also_an_approved_one():
    model, state = position(5, leader=3)
    reject(model, state)
    assert state.leader == 4
    propose(model, state, 0, 1)
    vote(model, state, *range(5))
    assert state.leader == 0
    act(model, state, "play success")
    act(model, state, "play success")
    assert (state.leader, state.current_player, state.round) == (0, 0, 1)


def test_a_leader_may_leave_himself_out():
    model, state = position(5, leader=2)
    propose(model, state, 0, 1)
    assert state.proposed == bits(0, 1)


def test_votes_are_shown_at_once_and_remembered():
    model, state = position(5)
    propose(model, state, 0, 1)
    act(model, state, "approve")
    act(model, state, "reject")
    assert state.approvals == ()
    assert "approved" not in state.text(2)
    assert "player 0  unknown  leads  has chosen" in state.text(2)
    for text in ("approve", "approve", "reject"):
        act(model, state, text)
    assert (state.teams, state.approvals, state.leaders) == ((bits(0, 1),), (bits(0, 2, 3),), (0,))
    assert (
        "mission 1, player 0 proposes player 0 and player 1; approved by player 0, player 2 and player 3"
        in state.text(2)
    )


def test_of_mission_cards_only_the_number_of_fails_is_seen():
    model, state = position(5)
    other = state.copy()
    send(model, state, (0, 3, 4)[1:], failing=(3,))
    send(model, other, (0, 3, 4)[1:], failing=(4,))
    for viewer in (0, 1, 2):
        assert state.knowledge(viewer) == other.knowledge(viewer)
        assert state.text(viewer) == other.text(viewer)
    assert state.knowledge(3) != other.knowledge(3)


def test_only_spies_can_fail():
    model, state = position(5)
    propose(model, state, 2, 3)
    vote(model, state, *range(5))
    assert [str(action) for action in model.available_actions(state)] == ["play success"]
    act(model, state, "play success")
    assert [str(action) for action in model.available_actions(state)] == ["play success", "play fail"]


@pytest.mark.parametrize(
    ("n_players", "fails", "rule", "is_lost"),
    [(6, 1, "", True), (7, 1, "", False), (7, 2, "", True), (10, 1, "", False), (7, 1, "two_fails=11", True)],
)
def test_the_fourth_mission_needs_two_fails_from_seven_players_on(n_players, fails, rule, is_lost):
    model, state = position(n_players, (0, 1, 2)[: 2 if n_players == 6 else 3], **({"two_fails": 11} if rule else {}))
    state.round = 3
    state.missions, state.fails, state.failers, state.lost = (0, 0, 0), (0, 0, 0), (0, 0, 0), 1
    size = model.sizes[n_players][3]
    send(model, state, tuple(range(size)), failing=tuple(range(fails)))
    assert bool(state.lost >> 3 & 1) == is_lost


@pytest.mark.parametrize("place", [0, 1, 2, 4])
def test_one_fail_is_enough_for_the_other_missions(place):
    model, state = position(7, (0, 1, 2))
    state.round = place
    state.missions = state.fails = state.failers = (0,) * place
    send(model, state, tuple(range(model.sizes[7][place])), failing=(0,))
    assert state.lost == 1 << place


def test_three_missions_end_the_game_at_once():
    model, state = position(5)
    for team in ((0, 1), (0, 1, 2), (0, 1)):
        send(model, state, team)
    assert state.is_terminal
    assert (winners(state), state.round) == ([0, 1, 2], 3)
    model, state = position(5)
    for team in ((0, 3), (0, 1, 3), (0, 3)):
        send(model, state, team, failing=(3,))
    assert (winners(state), state.round) == ([3, 4], 3)


def test_spies_know_each_other_and_others_nobody():
    _model, state = position(5)
    assert [state.known_team(seat, 3) for seat in range(5)] == [0, 0, 0, 1, 1]
    assert [state.known_team(seat, 0) for seat in range(5)] == [0, -1, -1, -1, -1]
    assert [state.known_team(seat, 5) for seat in range(5)] == [-1] * 5
    assert [state.known_team(seat, -1) for seat in range(5)] == [0, 0, 0, 1, 1]


def test_fails_of_all_members_are_certain_to_all():
    model, state = position(5)
    send(model, state, (3, 4), failing=(3, 4))
    assert [state.known_team(seat, 5) for seat in range(5)] == [0, 0, 0, 1, 1]


# --- Avalon ------------------------------------------------------------------------------------------------------------


def successes(model, state):
    for team in ((0, 1), (0, 1, 2), (0, 1)):
        send(model, state, team)


@pytest.mark.parametrize(("target", "won"), [(0, [3, 4]), (2, [0, 1, 2])])
def test_the_assassin_names_merlin_after_three_successes(target, won):
    model, state = position(5, named=AVALON, **ROLES)
    successes(model, state)
    assert (state.is_terminal, state.phase, state.current_player) == (False, ASSASSINATE, 3)
    assert [action.target for action in model.available_actions(state)] == [0, 1, 2]
    act(model, state, f"name player {target} as Merlin")
    assert winners(state) == won


def test_the_assassin_is_not_asked_after_three_fails():
    model, state = position(5, named=AVALON, **ROLES)
    for team in ((0, 3), (0, 1, 3), (0, 3)):
        send(model, state, team, failing=(3,))
    assert winners(state) == [3, 4]


def test_merlin_sees_all_spies_but_mordred():
    _model, state = position(
        7, (4, 5, 6), named=((0, "Merlin"), (4, "Assassin"), (5, "Mordred")), merlin=True, mordred=True
    )
    assert state.told_of(0) == bits(4, 6)
    assert [state.known_team(seat, 0) for seat in range(7)] == [0, -1, -1, -1, 1, -1, 1]
    assert [state.known_team(seat, 5) for seat in range(7)] == [0, 0, 0, 0, 1, 1, 1]


def test_percival_sees_merlin_and_morgana_alike():
    _model, state = position(5, named=AVALON, **ROLES)
    assert state.told_of(1) == bits(0, 4)
    assert [line.split("  ")[1] for line in state.text(1).split("\n")[1:6]] == [
        "Merlin or Morgana",
        "Percival",
        "unknown",
        "unknown",
        "Merlin or Morgana",
    ]
    _model, state = position(5, named=AVALON[:3], merlin=True, percival=True)
    assert state.told_of(1) == bits(0)
    assert "player 0  Merlin" in state.text(1)


def test_oberon_and_the_other_spies_do_not_know_each_other():
    named = ((0, "Merlin"), (4, "Assassin"), (6, "Oberon"))
    model, state = position(7, (4, 5, 6), named=named, merlin=True, oberon=True)
    assert [state.known_team(seat, 6) for seat in range(7)] == [-1] * 6 + [1]
    assert [state.known_team(seat, 4) for seat in range(7)] == [-1] * 4 + [1, 1, -1]
    assert [state.known_team(seat, 0) for seat in range(7)] == [0] * 4 + [1] * 3
    state.phase, state.current_player = ASSASSINATE, 4
    assert [action.target for action in model.available_actions(state)] == [0, 1, 2, 3, 6]


def test_good_players_may_not_fail_whatever_their_role():
    model, state = position(5, named=AVALON, **ROLES)
    propose(model, state, 0, 1)
    vote(model, state, *range(5))
    assert len(model.available_actions(state)) == 1
    act(model, state, "play success")
    assert len(model.available_actions(state)) == 1


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("percival=true", "percival cannot be true without Merlin"),
        ("mordred=true", "mordred cannot be true without Merlin"),
        ("spies=1,merlin=true,oberon=true", "spies cannot be 1 with Assassin, Oberon; the nearest number is 2"),
        ("merlin=true,morgana=true", "morgana cannot be true without Percival"),
    ],
)
def test_a_role_without_the_one_it_is_about_is_refused(rules, message):
    with pytest.raises(ParameterError, match=message):
        make_game(f"resistance:{rules}")


def test_more_named_spies_than_spies_are_refused():
    model = make_game("resistance:merlin=true,percival=true,morgana=true,mordred=true")
    wanted = "Assassin, Morgana, Mordred cannot all be among 2 spies, the number with 5 players; see spies=3"
    with pytest.raises(ParameterError, match=wanted):
        model.setup(5, Rng(1))
    assert sorted(model.setup(7, Rng(1)).roles) == [0, 0, 1, 2, 4, 5, 6]
    with pytest.raises(ParameterError, match="spies cannot be 4 with 5 players; the nearest number is 3"):
        make_game("resistance:spies=4").setup(5, Rng(1))
    with pytest.raises(PlayersError):
        model.setup(4, Rng(1))


def test_variants_change_sizes_goal_and_limit():
    model, state = position(5, size_1=4, goal=1, rejections=2)
    assert {action.team.bit_count() for action in model.available_actions(state)} == {4}
    other = state.copy()
    send(model, state, (0, 1, 2, 3))
    assert winners(state) == [0, 1, 2]
    reject(model, other, 2)
    assert winners(other) == [3, 4]
