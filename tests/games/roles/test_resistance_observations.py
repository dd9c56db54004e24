"""What observations of The Resistance deal again: each role set that fits, by enumeration, and what is hidden of cards."""

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest
from resistance_positions import act, bits, position, propose, send, vote

from tag import Rng, make_game
from tag.check import check_game
from tag.games.roles.resistance.data import ASSASSINATE, ROLE_NAMES

GOOD = ("resistance", "Merlin", "Percival")
AVALON = ((0, "Merlin"), (1, "Percival"), (3, "Assassin"), (4, "Morgana"))
ROLES = {"merlin": True, "percival": True, "morgana": True}


def surprise(found, expected):
    """Return by how many standard deviations a chi-square exceeds its mean, all of ``expected`` being as likely."""
    assert set(found) <= set(expected)
    mean = sum(found.values()) / len(expected)
    chi_square = sum((found[one] - mean) ** 2 / mean for one in expected)
    return (chi_square - len(expected) + 1) / sqrt(2 * max(len(expected) - 1, 1))


def told(roles, viewer):
    """Return the seats of which a role is told, from the printed rules: roles are names."""
    own = roles[viewer]
    evil = {seat for seat, role in enumerate(roles) if role not in GOOD}
    if own == "Percival":
        return {seat for seat, role in enumerate(roles) if role in ("Merlin", "Morgana")}
    if own == "Merlin":
        return {seat for seat in evil if roles[seat] != "Mordred"}
    if own in GOOD or own == "Oberon":
        return set()
    return {seat for seat in evil if roles[seat] != "Oberon"}


def role_sets(state, viewer):
    """Return all role sets that fit what a viewer knows, by going through all of them."""
    true = tuple(ROLE_NAMES[role] for role in state.roles)
    found = []
    for roles in set(permutations(true)):
        evil = {seat for seat, role in enumerate(roles) if role not in GOOD}
        fits = roles[viewer] == true[viewer] and told(roles, viewer) == told(true, viewer)
        if state.phase == ASSASSINATE:
            fits = fits and roles[state.current_player] == "Assassin"
        for mission, fails, failers in zip(state.missions, state.fails, state.failers, strict=True):
            own = failers >> viewer & 1
            fits = fits and len([seat for seat in evil - {viewer} if mission >> seat & 1]) >= fails - own
        if fits:
            found.append(roles)
    return found


def roles_seen(state, viewer, draws, seed=1):
    rng = Rng(seed)
    observations = (state.observation(viewer, rng) for _draw in range(draws))
    return Counter(tuple(ROLE_NAMES[role] for role in seen.roles) for seen in observations)


def check_deals(state, limit=5000):
    """Compare the deals of each viewer with all that fit; return how many were compared."""
    compared = 0
    for viewer in range(state.n_players):
        expected = role_sets(state, viewer)
        if 1 < len(expected) < limit:
            assert surprise(roles_seen(state, viewer, 40 * len(expected)), expected) < 4.5
            compared += 1
        elif len(expected) == 1:
            assert set(roles_seen(state, viewer, 20)) == set(expected)
    return compared


@pytest.mark.parametrize("rules", ["", ":merlin=true,percival=true,morgana=true", ":merlin=true,oberon=true"])
def test_role_sets_are_dealt_uniformly_at_the_start(rules):
    for seed in range(3):
        assert check_deals(make_game(f"resistance{rules}").setup(5, Rng(seed))) >= 3


@pytest.mark.flow
@pytest.mark.parametrize(
    "rules",
    [
        "",
        ":merlin=true,percival=true,morgana=true",
        ":merlin=true,percival=true,mordred=true",
        ":merlin=true,oberon=true",
        ":spies=3,merlin=true,mordred=true,oberon=true",
    ],
)
def test_and_so_they_are_after_missions(rules):
    model, compared = make_game(f"resistance{rules}"), 0
    for seed in range(12):
        rng = Rng(seed)
        state = model.setup(5, rng)
        last = state.copy()
        while not state.is_terminal:
            if len(state.fails) > len(last.fails) and any(state.fails):
                last = state.copy()
            model.next(state, model.random_action(state, rng), rng)
        compared += check_deals(last)
    assert compared > 20


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [6, 7])
def test_role_sets_of_larger_tables(n_players):
    model, compared = make_game("resistance:merlin=true,percival=true"), 0
    for seed in range(6):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        while not state.is_terminal and not any(state.fails):
            model.next(state, model.random_action(state, rng), rng)
        compared += 0 if state.is_terminal else check_deals(state)
    assert compared > 10


def test_ten_players_have_all_sets_of_four_spies():
    _model, state = position(10, (6, 7, 8, 9))
    assert len(state.possible(0)) == 126
    assert len(state.possible(10)) == 210
    assert state.possible(6) == [bits(6, 7, 8, 9)]
    found = Counter(int(state.observation(0, Rng(seed)).spies) for seed in range(126 * 40))
    assert surprise(found, state.possible(0)) < 4.5


def test_a_fail_is_explained_by_own_cards_or_by_others():
    model, state = position(7, (4, 5, 6), named=((4, "Oberon"),), oberon=True)
    send(model, state, (3, 4), failing=(4,))
    assert len(state.possible(0)) == 16, "3 and 4 are not both innocent: of 20 sets of the others, 4 have neither"
    assert len(state.possible(4)) == 15, "the own fail explains it"
    model, state = position(7, (4, 5, 6), named=((4, "Oberon"),), oberon=True)
    send(model, state, (4, 5), failing=(5,))
    assert {spies & bits(5) for spies in state.possible(4)} == {bits(5)}, "somebody else failed"


def test_past_fails_are_dealt_to_spies_of_the_mission():
    model, state = position(7, (4, 5, 6))
    send(model, state, (3, 4), failing=(4,))
    send(model, state, (0, 4, 5), failing=(4, 5))
    for seed in range(60):
        seen = state.observation(1, Rng(seed))
        for mission, fails, failers in zip(seen.missions, seen.fails, seen.failers, strict=True):
            assert failers.bit_count() == fails
            assert failers & ~(mission & seen.spies) == 0
        assert seen.knowledge(1) == state.knowledge(1)
    assert {state.observation(4, Rng(seed)).failers for seed in range(9)} == {(bits(4), bits(4, 5))}
    assert {state.observation(6, Rng(seed)).spies for seed in range(9)} == {bits(4, 5, 6)}
    assert len({state.observation(1, Rng(seed)).failers for seed in range(60)}) > 3


def test_hidden_votes_are_drawn_and_hidden_cards_are_drawn_by_role():
    model, state = position(5, (0, 1))
    propose(model, state, 0, 1)
    for _vote in range(3):
        act(model, state, "approve")
    found = Counter(int(state.observation(4, Rng(seed)).choices) for seed in range(800))
    assert surprise(found, range(8)) < 4.5
    assert {int(state.observation(0, Rng(seed)).choices) & 1 for seed in range(30)} == {1}
    for text in ("approve", "approve"):
        act(model, state, text)
    act(model, state, "play fail")
    cards = Counter()
    for seed in range(1200):
        seen = state.observation(4, Rng(seed))
        cards[bool(seen.spies & 1), bool(seen.choices & 1)] += 1
    assert cards[False, True] == 0, "the resistance cannot fail"
    assert abs(cards[True, True] - cards[True, False]) < 4.5 * sqrt(600)
    assert abs(cards[False, False] - 600) < 4.5 * sqrt(300)


def test_the_order_of_asking_tells_nothing():
    """A vote in secret changes nothing that another player knows, has as features, or reads."""
    model, state = position(5)
    propose(model, state, 0, 1)
    other = state.copy()
    act(model, state, "approve")
    act(model, other, "reject")
    features = model.features()
    for viewer in (1, 2, 3, 4):
        assert state.knowledge(viewer) == other.knowledge(viewer)
        assert features.values(state, viewer) == features.values(other, viewer)
        assert state.text(viewer) == other.text(viewer)
    assert state.is_unresolved()
    for text in ("approve",) * 4:
        act(model, state, text)
    assert not state.is_unresolved()


def test_the_assassin_is_known_to_all_when_asked():
    model, state = position(5, named=AVALON, **ROLES)
    for team in ((0, 1), (0, 1, 2), (0, 1)):
        send(model, state, team)
    assert [state.known_team(3, viewer) for viewer in range(6)] == [1] * 6
    assert set(roles_seen(state, 2, 200)) == {
        ("Merlin", "Percival", "resistance", "Assassin", "Morgana"),
        ("Percival", "Merlin", "resistance", "Assassin", "Morgana"),
        ("Merlin", "Morgana", "resistance", "Assassin", "Percival"),
        ("Morgana", "Merlin", "resistance", "Assassin", "Percival"),
        ("Percival", "Morgana", "resistance", "Assassin", "Merlin"),
        ("Morgana", "Percival", "resistance", "Assassin", "Merlin"),
    }


def test_all_roles_are_shown_at_the_end():
    model, state = position(5, rejections=1)
    propose(model, state, 0, 1)
    vote(model, state)
    assert state.is_terminal
    assert all(state.observation(viewer, Rng(1)).roles == state.roles for viewer in range(5))
    assert "player 4  spy" in state.text(0)


@pytest.mark.parametrize("rules", ["", ":merlin=true,percival=true,morgana=true,mordred=true"])
def test_observations_contradict_nothing(rules):
    model = make_game(f"resistance{rules}")
    for n_players in (7, 10):
        rng = Rng(n_players)
        for _game in range(4):
            state = model.setup(n_players, rng)
            while not state.is_terminal:
                viewer = rng.below(n_players)
                seen = state.observation(viewer, rng)
                assert seen.knowledge(viewer) == state.knowledge(viewer)
                assert sorted(seen.roles) == sorted(state.roles)
                model.next(state, model.random_action(state, rng), rng)


#: What checks of information and events say of games with Avalon's roles, which the checks of all games leave out.
CHECKS = (
    *("observation_knowledge", "observation_actions", "observation_varies", "observation_blind", "observation_fair"),
    *("observation_possible", "views_blind", "events_complete", "events_blind", "secrets_kept", "results_ordered"),
)


@pytest.mark.flow
@pytest.mark.parametrize(
    ("rules", "n_players"),
    [
        ("merlin=true,percival=true,morgana=true", 5),
        ("merlin=true,mordred=true,oberon=true", 7),
        pytest.param("merlin=true,percival=true,morgana=true,mordred=true,oberon=true", 10, marks=pytest.mark.slow),
    ],
)
def test_the_checks_of_information_pass_with_roles(rules, n_players):
    report = check_game(f"resistance:{rules}", players=n_players, games=3, only=CHECKS)
    assert report.ok, str(report)
