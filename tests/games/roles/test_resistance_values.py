"""Features, heuristic, metric and bots of The Resistance, and how often spies win random games."""

from math import comb, sqrt

import pytest
from play.measuring import random_game, scripted
from play.telling import told
from resistance_positions import act, position, propose, reject, send, vote

from tag import WIN, Rng, make_agent, make_game, make_heuristic
from tag.games.roles.resistance.values import suspicions
from tag.orders import GameOrder, play_order

SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
SIZES = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4), **dict.fromkeys((8, 9, 10), (3, 4, 4, 5, 5))}


def exact_share(n_players):
    """Return how often spies win if all is random, by counting: votes, then teams, then fails."""
    spies, sizes = SPIES[n_players], SIZES[n_players]
    approved = sum(comb(n_players, votes) for votes in range(n_players + 1) if 2 * votes > n_players) / 2**n_players
    all_rejected = (1 - approved) ** 5

    def lost(place):
        size, needed = sizes[place], 2 if place == 3 and n_players >= 7 else 1
        share = 0.0
        for there in range(min(spies, size) + 1):
            teams = comb(spies, there) * comb(n_players - spies, size - there) / comb(n_players, size)
            share += teams * sum(comb(there, fails) for fails in range(needed, there + 1)) / 2**there
        return share

    def won(place, failed):
        if failed == 3 or place - failed == 3:
            return float(failed == 3)
        share = lost(place)
        ahead = share * won(place + 1, failed + 1) + (1 - share) * won(place + 1, failed)
        return all_rejected + (1 - all_rejected) * ahead

    return won(0, 0)


def random_share(n_players, games):
    model, won = make_game("resistance"), 0
    for seed in range(games):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        model.rollout(state, 10_000, rng)
        won += any(state.result(seat) == WIN for seat in range(n_players) if state.team(seat))
    return won / games


@pytest.mark.parametrize("n_players", range(5, 11))
def test_spies_win_random_games_as_often_as_counted(n_players):
    share = exact_share(n_players)
    assert abs(random_share(n_players, 500) - share) < 4.5 * sqrt(share * (1 - share) / 500)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_players", "measured"), [(5, 0.501), (6, 0.667), (7, 0.499), (8, 0.707), (9, 0.515), (10, 0.719)]
)
def test_spies_win_long_runs_of_random_games_as_often(n_players, measured):
    share = exact_share(n_players)
    assert abs(measured - share) < 3.0 * sqrt(share * (1 - share) / 100_000), "as measured with other code"
    assert abs(random_share(n_players, 20_000) - share) < 4.0 * sqrt(share * (1 - share) / 20_000)


# --- suspicion ---------------------------------------------------------------------------------------------------------


def test_suspicion_is_even_at_first_and_none_of_oneself():
    _model, state = position(5)
    assert suspicions(state, 5, 0.7, 0.6) == pytest.approx([0.4] * 5)
    assert suspicions(state, 0, 0.7, 0.6) == pytest.approx([0.0, *[0.5] * 4])
    assert suspicions(state, 3, 0.7, 0.6) == pytest.approx([0, 0, 0, 1, 1])


def test_suspicion_follows_bayes_rule():
    model, state = position(5)
    send(model, state, (2, 3), failing=(3,))
    # One fail of two: 0.7 for each set with one of them, 2 * 0.7 * 0.3 for both.
    weights = {pair: 0.0 for pair in [(a, b) for a in range(5) for b in range(a)]}
    for pair in weights:
        there = len({2, 3} & set(pair))
        weights[pair] = (0.0, 0.7, 2 * 0.7 * 0.3)[there]
    total = sum(weights.values())
    wanted = [sum(weight for pair, weight in weights.items() if seat in pair) / total for seat in range(5)]
    assert suspicions(state, 5, 0.7, 0.5) == pytest.approx(wanted)
    success, other = position(5)
    send(success, other, (2, 3))
    assert suspicions(other, 0, 0.7, 0.5)[2] < suspicions(other, 0, 0.7, 0.5)[1]


def test_votes_for_teams_of_spies_are_suspect():
    model, state = position(5)
    send(model, state, (0, 3), failing=(3,), approving=(0, 3, 4))
    ignored, read = suspicions(state, 1, 0.7, 0.5), suspicions(state, 1, 0.7, 0.8)
    assert ignored[2] == pytest.approx(ignored[4])
    assert read[4] > ignored[4] > read[2]


def test_the_heuristic_is_for_one_side_what_it_is_against_the_other():
    model, state = position(5)
    heuristic = make_heuristic("resistance")
    even = [heuristic.value(state, seat) for seat in range(5)]
    assert even == pytest.approx([0.0] * 5)
    send(model, state, (0, 1))
    ahead = [heuristic.value(state, seat) for seat in range(5)]
    assert ahead[0] == ahead[1] == ahead[2] == -ahead[3] == -ahead[4]
    assert ahead[0] > 0.2
    reject(model, state, 3)
    assert heuristic.value(state, 0) < ahead[0]
    plain = make_heuristic("resistance:suspicion=0,rejections=0,missions=0.9")
    assert plain.value(state, 0) == pytest.approx(0.3)
    assert plain.value(state, 3) == pytest.approx(-0.3)


def test_the_heuristic_prefers_spies_to_be_suspected():
    model, state = position(5)
    caught, missed = state.copy(), state.copy()
    send(model, caught, (3, 4), failing=(3,))
    send(model, missed, (2, 3), failing=(3,))
    heuristic = make_heuristic("resistance:missions=0")
    assert heuristic.value(caught, 0) > heuristic.value(missed, 0)


def test_features_tell_missions_roles_and_suspicion():
    named = ((0, "Merlin"), (3, "Assassin"))
    model, state = position(5, named=named, merlin=True)
    send(model, state, (0, 3), failing=(3,))
    propose(model, state, 1, 2, 4)
    act(model, state, "approve")
    found = model.features().named(state, 0)
    assert (found["mission"], found["lost"], found["needed"], found["voting"], found["role_merlin"]) == (1, 1, 3, 1, 1)
    assert (found["told_3"], found["told_4"], found["told_1"], found["suspicion_3"]) == (1, 1, 0, 1)
    assert (found["sent_0"], found["failed_0"], found["approved_0"], found["approved_lost_1"]) == (1, 1, 1, 1)
    assert (found["in_team_1"], found["in_team_0"], found["leads_1"], found["chosen"]) == (1, 0, 1, 0)
    assert model.features().named(state, 1)["chosen"] == 1
    assert model.features().named(state, 2)["suspicion_1"] == pytest.approx(suspicions(state, 2, 0.75, 0.5)[3])


# --- metric and events -------------------------------------------------------------------------------------------------


def test_the_metric_counts_sides_votes_and_missions():
    model, state = position(5, goal=1, rejections=2)
    texts = ["propose player 0 and player 1", *["reject"] * 5, "propose player 0 and player 3"]
    texts += [*["approve"] * 5, "play success", "play fail"]
    assert scripted(model, "resistance", state, *texts) == {
        "spies_win": [1.0],
        "by_rejections": [0.0],
        "by_assassin": [0.0],
        "missions": [1.0],
        "approved": [0.5],
        "clean_teams": [0.0],
        "fails": [1.0],
    }
    _state, _log, found = random_game(make_game("resistance:rejections=1,merlin=true"), "resistance", 10, 3)
    assert sum(found["by_rejections"] + found["by_assassin"]) <= sum(found["spies_win"])


def test_what_is_told_of_votes_and_missions():
    model, state = position(5)
    propose(model, state, 0, 3)
    for _vote in range(4):
        act(model, state, "approve")
    words = "the team is approved, with votes for it by player 0, player 1, player 2 and player 3"
    assert told(model, state, "reject", 1) == [words]
    act(model, state, "reject")
    assert told(model, state, "play success", 1) == []
    act(model, state, "play success")
    assert told(model, state, "play fail", 1) == ["mission 1 fails: 1 fail"]


def test_all_roles_are_told_at_the_end():
    model, state = position(5, rejections=1)
    propose(model, state, 0, 3)
    for _vote in range(4):
        act(model, state, "reject")
    shown = told(model, state, "reject", 1)
    assert shown[1:6] == [f"player {seat} was {'spy' if seat > 2 else 'resistance'}" for seat in range(5)]
    assert "the spies win: 1 teams were rejected" in shown


# --- bots --------------------------------------------------------------------------------------------------------------


def chosen(bot, model, state):
    agent = make_agent(bot)
    agent.player = state.current_player
    return str(agent.act(state.observation(state.current_player, Rng(1)), model.available_actions(state)))


def test_logical_rules_out_who_has_failed():
    model, state = position(5, leader=1)
    send(model, state, (3, 4), failing=(3, 4))
    assert chosen("resistance:logical", model, state) == "propose player 0, player 1 and player 2"


def test_logical_rejects_teams_with_spies_but_for_the_last_one():
    model, state = position(5, leader=0)
    send(model, state, (3, 4), failing=(3, 4))
    propose(model, state, 0, 1, 3)
    assert state.current_player == 1
    assert chosen("resistance:logical", model, state) == "reject"
    state.rejected = 4
    assert chosen("resistance:logical", model, state) == "approve"


def test_spies_propose_themselves_fail_and_the_assassin_names_who_voted_best():
    model, state = position(5, leader=3, named=((0, "Merlin"), (3, "Assassin")), merlin=True)
    assert chosen("resistance:logical", model, state) == "propose player 0 and player 3"
    send(model, state, (0, 1), approving=(0, 1, 2))
    send(model, state, (0, 1, 2), approving=(0, 1, 2, 3))
    propose(model, state, 0, 3)
    vote(model, state, 1, 2)
    send(model, state, (0, 1), approving=(0, 1, 2))
    assert chosen("resistance:logical", model, state) == "name player 0 as Merlin"


def test_of_two_spies_in_a_team_the_suspicious_ones_play_one_fail():
    model, state = position(5)
    propose(model, state, 3, 4)
    vote(model, state, *range(5))
    assert chosen("resistance:suspicious", model, state) == "play fail"
    act(model, state, "play fail")
    assert chosen("resistance:suspicious", model, state) == "play success"
    assert chosen("resistance:logical", model, state) == "play fail"


@pytest.mark.flow
@pytest.mark.parametrize(
    ("good", "evil", "low", "high"), [("logical", "random", 0, 8), ("suspicious", "logical", 0, 3)]
)
def test_bots_of_the_resistance_win_against_weaker_spies(good, evil, low, high):
    won = 0
    for seed in range(30):
        order = GameOrder("x", "resistance", ("random",) * 5, seed)
        teams = play_order(order).teams
        agents = tuple(
            "random" if team and evil == "random" else f"resistance:{evil if team else good}" for team in teams
        )
        record = play_order(GameOrder("x", "resistance", agents, seed))
        assert record.teams == teams
        won += record.results[teams.index(1)] == WIN
    assert low <= won <= high
