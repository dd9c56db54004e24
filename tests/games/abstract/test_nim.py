"""Nim: every position against exhaustive search, misère and limited play, the ends for three players, and symmetries."""

from functools import cache
from itertools import product

import pytest
from play.telling import told

from tag import Rng, interned, make_game, make_heuristic
from tag.engine.parameters import Spec
from tag.engine.results import LOSE, WIN
from tag.games.abstract.nim import Nim, NimParameters, Take
from tag.orders import GameOrder, new_game

RNG = Rng(0)
THEORY = make_heuristic("nim")


def spec(**values):
    return str(Spec("nim", values))


def position(model, heaps, n_players=2, player=0):
    """Return the position with these heaps."""
    state = model.setup(n_players, RNG)
    state.heaps = sum(objects << 7 * heap for heap, objects in enumerate(heaps))
    state.current_player = state.turn_player = player
    return state


@cache
def mover_wins(heaps, at_once, misere):
    """Say whether the player to move wins, by trying everything."""
    if not any(heaps):
        return misere
    return not all(
        mover_wins((*heaps[:heap], left, *heaps[heap + 1 :]), at_once, misere)
        for heap, objects in enumerate(heaps)
        for left in range(max(0, objects - at_once), objects)
    )


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(
    ("heaps", "size", "max_minus"), [(3, 5, 0), (3, 5, 1), (3, 5, 2), (3, 5, 3), (4, 4, 2), (2, 9, 4)]
)
def test_bouton_knows_the_winner_of_every_position(heaps, size, max_minus, misere):
    model = Nim(NimParameters(heaps=heaps, size=size, max_minus=max_minus, misere=misere))
    for objects in product(range(size + 1), repeat=heaps):
        if any(objects):
            state = position(model, objects, player=sum(objects) % 2)
            wins = mover_wins(tuple(sorted(objects)), max_minus or size, misere)
            assert THEORY.value(state, state.current_player) == (0.9 if wins else -0.9), objects
            assert THEORY.value(state, 1 - state.current_player) == (-0.9 if wins else 0.9), objects


@pytest.mark.parametrize("rules", [{}, {"misere": True}, {"max_minus": 3}, {"heaps": 4, "size": 3}])
def test_the_agent_that_knows_the_theory_wins_wherever_it_can(rules):
    bouton, game = "osla:heuristic=nim", spec(**rules)
    first_wins = THEORY.value(make_game(game).setup(2, RNG), 0) > 0
    agents = (bouton, "random") if first_wins else ("random", bouton)
    for seed in range(10):
        final = new_game(GameOrder("", game, agents, seed)).play()
        assert final.result(agents.index(bouton)) == WIN


def test_theory_has_no_opinion_of_three_players():
    state = make_game("nim").setup(3, RNG)
    assert [THEORY.value(state, player) for player in range(3)] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("taker", range(3))
@pytest.mark.parametrize(
    ("rules", "wins_after", "points"),
    [
        ({}, 0, (1.0, 0.0, 0.0)),
        ({"misere": True}, 1, (1.0, 0.0, 0.0)),
        ({"second_place": True}, 0, (1.0, 0.2, 0.0)),
        ({"misere": True, "second_place": True}, 1, (1.0, 0.2, 0.0)),
    ],
)
def test_the_end_for_three_players(taker, rules, wins_after, points):
    """In GBG's game, misère play here, the player after the one who takes the last object wins."""
    model = make_game(spec(**rules))
    state = position(model, (0, 1, 0), n_players=3, player=taker)
    model.next(state, interned(Take(1, 1)), RNG)
    seats = [(taker + wins_after + after) % 3 for after in range(3)]
    assert [state.result(seat) for seat in seats] == [WIN, LOSE, LOSE]
    assert tuple(state.score(seat) for seat in seats) == points
    assert [state.ordinal(seat) for seat in seats] == ([1, 2, 3] if points[1] else [1, 2, 2])


@pytest.mark.parametrize("misere", [False, True])
def test_the_second_of_two_players_gets_no_points(misere):
    model = make_game(spec(misere=misere, second_place=True))
    state = position(model, (1, 0, 0))
    model.next(state, interned(Take(0, 1)), RNG)
    assert sorted(state.score(player) for player in (0, 1)) == [0.0, 1.0]


@pytest.mark.parametrize(("max_minus", "numbers"), [(0, 5), (1, 1), (3, 3), (5, 5), (9, 5)])
def test_no_more_are_taken_at_once_than_allowed(max_minus, numbers):
    model = make_game(spec(max_minus=max_minus))
    actions = model.available_actions(position(model, (5, 0, 2)))
    expected = [(0, number) for number in range(1, numbers + 1)] + [(2, 1), (2, 2)][: min(2, numbers)]
    assert [(action.heap, action.number) for action in actions] == expected
    assert len(model.vocabulary(2)) == 3 * numbers


def test_heaps_of_the_largest_size_do_not_touch():
    model = make_game(spec(heaps=8, size=100))
    state = model.setup(2, RNG)
    assert state.cell_values() == bytes([100] * 8)
    model.next(state, interned(Take(7, 100)), RNG)
    model.next(state, interned(Take(0, 1)), RNG)
    assert state.cell_values() == bytes([99, *[100] * 6, 0])


@pytest.mark.parametrize(("heaps", "number"), [(1, 1), (3, 6), (5, 120), (6, 6), (8, 8)])
def test_symmetries_are_a_group_of_permutations_of_heaps(heaps, number):
    cells = make_game(spec(heaps=heaps)).cells(2)
    found = set(cells.symmetries)
    assert len(found) == len(cells.symmetries) == number
    assert all(tuple(one[cell] for cell in other) in found for one in found for other in found)


@pytest.mark.parametrize("rules", [{}, {"heaps": 6, "size": 3, "max_minus": 2}, {"misere": True}])
@pytest.mark.parametrize("n_players", [2, 3])
def test_symmetries_commute_with_the_rules(rules, n_players):
    model, rng = make_game(spec(**rules)), Rng(n_players)
    cells, vocabulary = model.cells(n_players), model.vocabulary(n_players)
    for number, actions in enumerate(cells.actions):
        state, image = model.setup(n_players, RNG), model.setup(n_players, RNG)
        while not state.is_terminal:
            chosen = vocabulary.index(rng.choice(model.available_actions(state)))
            mask = vocabulary.mask(model.available_actions(state))
            image_mask = vocabulary.mask(model.available_actions(image))
            assert [image_mask[actions[index]] for index in range(len(mask))] == mask
            model.next(state, vocabulary.action(chosen), RNG)
            model.next(image, vocabulary.action(actions[chosen]), RNG)
            assert cells.moved(state.cell_values(), number) == image.cell_values()
            assert state.results == image.results
            assert state.current_player == image.current_player


def test_lockstep_with_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    rng = Rng(3)
    for misere in (False, True):
        model = make_game(spec(heaps=4, size=6, misere=misere))
        other_game = pyspiel.load_game(f"nim(pile_sizes=6;6;6;6,is_misere={str(misere).lower()})")
        for _game in range(100):
            state, other = model.setup(2, rng), other_game.new_initial_state()
            while not state.is_terminal:
                actions = model.available_actions(state)
                # An action there is the heap, and the number less one times the number of heaps.
                assert sorted(a.heap + 4 * (a.number - 1) for a in actions) == other.legal_actions()
                assert state.current_player == other.current_player()
                action = rng.choice(actions)
                model.next(state, action, rng)
                other.apply_action(action.heap + 4 * (action.number - 1))
            assert other.is_terminal()
            assert [2 * state.score(player) - 1 for player in (0, 1)] == other.returns()


@pytest.mark.parametrize(("misere", "reason"), [(False, "that wins"), (True, "the next player wins")])
def test_told_what_is_left_and_who_has_taken_the_last_object(misere, reason):
    model = make_game(spec(misere=misere))
    state = position(model, (1, 4, 0))
    assert told(model, state, "take 3 from heap 2") == ["heap 2 has 1 left"]
    last = told(model, position(model, (0, 4, 0), player=1), "take 4 from heap 2")
    assert last == ["heap 2 has 0 left", f"player 1 has taken the last object: {reason}"]
