"""What observations of Catan deal again: hands by all histories that all can have seen, and development cards."""

from collections import Counter, defaultdict
from fractions import Fraction
from math import sqrt

import pytest
from catan_positions import act, corners, give, held, hold, position

from tag import Rng, make_game
from tag.check import check_game
from tag.games.boards.catan.data import CARD_NAMES, MAIN, MOST_WORLDS, RESOURCES, counts_of, pack, size_of


def surprise(found, expected):
    """Return by how many standard deviations a chi-square exceeds its mean; ``expected`` are relative weights."""
    assert set(found) <= set(expected)
    total, weights = sum(found.values()), sum(expected.values())
    means = {one: total * weight / weights for one, weight in expected.items()}
    chi_square = sum((found[one] - mean) ** 2 / mean for one, mean in means.items())
    return (chi_square - len(expected) + 1) / sqrt(2 * max(len(expected) - 1, 1))


def robbed(*steals, n_players=4, hands=({}, {"wool": 2, "ore": 1}, {"grain": 2}, {"brick": 1, "lumber": 1}), seed=1):
    """Return a position after steals, as pairs of thief and victim."""
    _model, state = position(n_players)
    for seat, cards in enumerate(hands):
        give(state, seat, **cards)
    rng = Rng(seed)
    for thief, victim in steals:
        state.steal(thief, victim, rng)
    return state


def is_certain(state):
    """Say whether all hands are known to all."""
    return len(state.worlds) == 1 and state.base == state.hands


# What all know


def test_what_all_see_is_certain():
    _model, state = position()
    give(state, 1, wool=2, ore=1)
    state.pay(1, pack([0, 0, 1, 0, 0]))
    state.give(1, 2, pack([0, 0, 0, 0, 1]))
    assert is_certain(state)


def test_a_stolen_card_is_uncertain_to_others_and_known_to_both():
    state = robbed((0, 1))
    assert [counts_of(cards) for cards in (state.least_of(1), state.most_of(1))] == [[0, 0, 1, 0, 0], [0, 0, 2, 0, 1]]
    assert [counts_of(cards) for cards in (state.least_of(0), state.most_of(0))] == [[0] * 5, [0, 0, 1, 0, 1]]
    for viewer in range(4):
        seen = {tuple(state.observation(viewer, Rng(seed)).hands) for seed in range(60)}
        assert len(seen) == (1 if viewer in (0, 1) else 2)


def test_a_card_stolen_from_equal_ones_is_certain():
    state = robbed((0, 2))
    assert is_certain(state)


def test_costs_trades_and_answers_show_cards():
    for kind, name in ((2, "wool"), (4, "ore")):
        state = next(found for found in (robbed((0, 1), seed=s) for s in range(50)) if name in held(found, 0))
        state.pay(0, pack([int(kind == one) for one in range(5)]))
        assert is_certain(state)
    state = robbed((0, 1))
    state.show(0, state.hands[0])
    assert is_certain(state)


def test_a_monopoly_shows_who_had_the_kind():
    state = robbed((0, 1))
    state.monopolise(3, 4)
    assert is_certain(state)


@pytest.mark.parametrize("n_players", [3, 4])
def test_bounds_hold_in_all_games_and_observations(n_players):
    model = make_game("catan")
    for seed in range(4):
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
            if state.is_terminal or state.tick % 7:
                continue
            viewer = state.tick % n_players
            seen = state.observation(viewer, rng)
            assert seen.hands[viewer] == state.hands[viewer]
            assert seen.cards[viewer] == state.cards[viewer]
            assert [size_of(hand) for hand in seen.hands] == [size_of(hand) for hand in state.hands]
            assert [size_of(cards) for cards in seen.cards] == [size_of(cards) for cards in state.cards]
            assert sum(seen.hands) == sum(state.hands)
            assert seen.deck + sum(seen.cards) == state.deck + sum(state.cards)
            assert seen.knowledge(viewer) == state.knowledge(viewer)
            for one in (state, seen):
                assert tuple(hand - base for hand, base in zip(one.hands, one.base, strict=True)) in one.worlds
                assert abs(sum(one.weights) - 1.0) < 1e-9
                assert all(one.may_hold(seat, one.cards[seat]) for seat in range(n_players))


# Deals of hands

START = [[0] * 5, [0, 0, 2, 0, 1], [0, 0, 0, 2, 0], [1, 1, 0, 0, 0]]
STEALS = (
    ((2, 1),),
    ((1, 2), (2, 1)),
    ((2, 1), (3, 2), (1, 3)),
    ((2, 1), (2, 1), (3, 1)),
    ((3, 1), (2, 3)),
    ((0, 1), (3, 1), (2, 0)),
)


def histories(steals, viewer, own, paid=()):
    """Return all hands to which steals can lead with their probabilities; the own hand is known at the end.

    Args:
        steals: pairs of thief and victim.
        viewer: whose hand is known.
        own: that hand.
        paid: a player and a kind of which the player has paid a card afterwards.
    """
    worlds = {tuple(tuple(hand) for hand in START): Fraction(1)}
    for thief, victim in steals:
        after = defaultdict(Fraction)
        for world, weight in worlds.items():
            for kind in range(5):
                table = [list(hand) for hand in world]
                table[victim][kind] -= 1
                table[thief][kind] += 1
                if world[victim][kind]:
                    share = Fraction(world[victim][kind], sum(world[victim]))
                    after[tuple(map(tuple, table))] += weight * share
        worlds = after
    if paid:
        seat, kind = paid
        rest = defaultdict(Fraction)
        for world, weight in worlds.items():
            if world[seat][kind]:
                table = [list(hand) for hand in world]
                table[seat][kind] -= 1
                rest[tuple(map(tuple, table))] += weight
        worlds = rest
    return {world: weight for world, weight in worlds.items() if world[viewer] == own}


def hands_seen(state, viewer, draws):
    rng = Rng(5)
    observations = (state.observation(viewer, rng) for _draw in range(draws))
    return Counter(tuple(tuple(counts_of(hand)) for hand in seen.hands) for seen in observations)


@pytest.mark.flow
@pytest.mark.parametrize("steals", STEALS)
@pytest.mark.parametrize("viewer", [0, 3])
def test_hands_are_dealt_as_likely_as_the_histories_that_all_have_seen(steals, viewer):
    state = robbed(*steals)
    expected = histories(steals, viewer, tuple(counts_of(state.hands[viewer])))
    found = hands_seen(state, viewer, 2_000)
    assert surprise(found, {world: float(weight) for world, weight in expected.items()}) < 5


@pytest.mark.flow
def test_what_is_paid_later_tells_of_earlier_thefts():
    steals, checked = ((2, 1), (3, 2), (1, 3)), 0
    for seed in range(8):
        state = robbed(*steals, seed=seed)
        kind = next(kind for kind in range(5) if counts_of(state.hands[2])[kind])
        state.pay(2, pack([int(kind == one) for one in range(5)]))
        expected = histories(steals, 0, (0,) * 5, (2, kind))
        checked += len(expected) > 1
        found = hands_seen(state, 0, 600)
        assert surprise(found, {world: float(weight) for world, weight in expected.items()}) < 5
    assert checked > 2


def test_a_theft_that_would_leave_too_much_open_is_seen_by_all():
    model, state = position(4)
    for seat in range(4):
        give(state, seat, lumber=4, brick=4, wool=4, grain=4, ore=4)
    rng = Rng(1)
    for step in range(12):
        state.steal(step % 4, (step + 1) % 4, rng)
        assert len(state.worlds) <= MOST_WORLDS
        assert tuple(hand - base for hand, base in zip(state.hands, state.base, strict=True)) in state.worlds
    assert state.was_seen
    hold(state, 0, "knight")
    state.settle(1, corners(5)[0])
    state.recording = True
    act(model, state, "play knight")
    act(model, state, "robber to h6, steal from player 1")
    (stolen,) = [event for event in state.announced if event.name == "stolen"]
    assert stolen.known_to(3).items == stolen.items


# Development cards


@pytest.mark.flow
def test_development_cards_are_dealt_from_all_that_were_not_played():
    _model, state = position()
    hold(state, 0, "knight", "monopoly")
    hold(state, 1, "victory point")
    hold(state, 2, "knight")
    rng = Rng(2)
    seen = [state.observation(0, rng) for _draw in range(4_000)]
    left = dict(zip(CARD_NAMES, (13, 2, 2, 1, 5), strict=True))
    pairs = Counter((counts_of(one.cards[1]).index(1), counts_of(one.cards[2]).index(1)) for one in seen)
    names = list(left)
    weights = {
        (a, b): left[names[a]] * (left[names[b]] - (a == b))
        for a in range(5)
        for b in range(5)
        if left[names[a]] * (left[names[b]] - (a == b))
    }
    assert surprise(pairs, weights) < 5
    assert {one.cards[0] for one in seen} == {state.cards[0]}


def test_no_card_is_dealt_with_which_a_player_would_have_won():
    _model, state = position(points=3)
    state.settle(1, corners(5)[0])
    state.settle(1, corners(15)[0])
    state.shown[1] = 2
    hold(state, 1, "knight")
    seen = [state.observation(0, Rng(seed)) for seed in range(200)]
    assert not any(counts_of(one.cards[1])[4] for one in seen)
    state.shown[1] = 1
    seen = [state.observation(0, Rng(seed)) for seed in range(200)]
    assert any(counts_of(one.cards[1])[4] for one in seen)


def test_cards_bought_in_this_turn_stay_so():
    model, state = position()
    hold(state, 0, "knight")
    give(state, 0, wool=1, grain=1, ore=1)
    act(model, state, "buy a development card")
    for seed in range(50):
        seen = state.observation(1, Rng(seed))
        assert size_of(seen.fresh) == 1
        assert all(new <= all_of for new, all_of in zip(counts_of(seen.fresh), counts_of(seen.cards[0]), strict=True))
    own = state.observation(0, Rng(1))
    assert (own.fresh, own.cards[0]) == (state.fresh, state.cards[0])


# Texts and events


def test_texts_tell_sizes_and_what_is_certain():
    state = robbed((0, 1))
    text = state.text(3)
    assert "hand 2, certain: 1 wool" in text
    assert "hand 1, certain: none" in text
    assert "hand 1 brick" not in text.partition("player 3")[0]
    assert RESOURCES[0] in text
    assert state.phase == MAIN


RULES = (
    "points=4,max_rounds=15",
    "points=6,max_rounds=15,trading=bank,hand_limit=3",
    "points=5,bank=12,offers=4",
)


@pytest.mark.heavy
@pytest.mark.parametrize("rules", RULES)
def test_observations_keep_the_contract_in_variants(rules):
    only = ["observation_knowledge", "observation_varies", "observation_blind", "observation_possible", "events_blind"]
    report = check_game(f"catan:{rules}", players=3, games=2, only=only)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [3, 4])
def test_10000_observations_contradict_nothing_that_is_certain(n_players):
    model, rng, count = make_game("catan"), Rng(9), 0
    while count < 10_000:
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
            if not state.is_terminal:
                viewer = count % n_players
                assert state.observation(viewer, rng).knowledge(viewer) == state.knowledge(viewer)
                count += 1
