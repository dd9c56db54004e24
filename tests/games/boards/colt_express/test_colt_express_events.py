"""Colt Express: the events of the round cards and the end, by the printed rules (Ludonaute 2014)."""

import pytest
from colt_express_positions import (
    FLOOR,
    PLAIN,
    bullets_in,
    inside,
    play,
    purse,
    random_positions,
    roof,
    stealing,
)

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.games.boards.colt_express.actions import ChangeFloor, Rob
from tag.games.boards.colt_express.data import (
    ANGRY_MARSHAL,
    BRAKING,
    HOSTAGE,
    PICKPOCKETING,
    REBELLION,
    REVENGE,
    SWIVEL_ARM,
    TAKE_IT_ALL,
)

# --- events ------------------------------------------------------------------------------------------------------------


def end_of_round(spots, event, **position):
    """Return the position after a floor change of the last player and the event."""
    state = stealing(spots, (len(spots) - 1, FLOOR), event=event, **position)
    return play(state, ChangeFloor())


def test_angry_marshal_shoots_the_roof_of_his_car_and_moves_towards_the_caboose():
    state = end_of_round([roof(2), inside(1), 0], ANGRY_MARSHAL, marshal=2)
    assert state.marshal == 1
    assert state.wounds == (1, 1, 0)
    assert state.spots[:2] == [roof(2), roof(1)]


def test_angry_marshal_stays_in_the_caboose():
    assert end_of_round([roof(2), inside(1), 2], ANGRY_MARSHAL, marshal=0).marshal == 0


def test_swivel_arm_sweeps_the_roofs_to_the_caboose():
    assert end_of_round([roof(2), inside(1), inside(3)], SWIVEL_ARM, marshal=0).spots == [roof(0), inside(1), roof(0)]


def test_braking_moves_bandits_on_roofs_towards_the_locomotive():
    assert end_of_round([roof(2), inside(1), inside(3)], BRAKING, marshal=0).spots == [roof(3), inside(1), roof(3)]


def test_take_it_all_puts_the_second_strongbox_where_the_marshal_is():
    state = end_of_round([inside(0), inside(0), 0], TAKE_IT_ALL, marshal=2)
    loot = state.floor[inside(2)]
    assert loot.bit_count() == 1
    assert state.values[loot.bit_length() - 1] == 1000
    assert state.boxed == 0


def test_rebellion_gives_neutral_bullets_inside():
    state = end_of_round([inside(0), roof(0), 2], REBELLION)
    assert state.wounds == (1, 0, 0)
    assert state.neutral == 12


def last_round(spots, event, **position):
    state = stealing(spots, (len(spots) - 1, FLOOR), event=event, **position)
    state.round = 4
    return state


def test_pickpocketing_gives_a_purse_to_who_is_alone_with_one():
    base = PLAIN.setup(3, Rng(1))
    floor = {inside(1): purse(base, 0), inside(0): purse(base, 1), roof(3): base.jewels & -base.jewels}
    state = last_round([inside(1), roof(3), 0], PICKPOCKETING, floor=floor)
    state.spots[2] = roof(0)
    play(state, ChangeFloor())  # bandit 2 climbs to where a purse lies
    assert state.current_player == 0
    play(state, Rob(3))
    assert state.current_player == 2
    play(state, Rob(4))
    assert state.is_terminal  # bandit 1 has only a jewel there
    assert state.loot_of(0, -1) == 550 + state.money[0]


def test_pickpocketing_gives_nothing_to_two_at_the_same_spot():
    base = PLAIN.setup(3, Rng(1))
    state = last_round([inside(1), inside(1), 0], PICKPOCKETING, floor={inside(1): purse(base, 0)})
    assert play(state, ChangeFloor()).is_terminal


def test_marshals_revenge_takes_the_least_valuable_purse_on_his_roof():
    state = last_round([roof(2), roof(1), 0], REVENGE, marshal=2)
    state.held[0] |= purse(state, 2) | state.jewels & -state.jewels
    play(state, ChangeFloor())
    assert state.loot_of(0, -1) - state.money[0] == 1000
    assert state.loot_of(1, -1) - state.money[1] == 250


def test_hostage_taking_pays_in_and_on_the_locomotive():
    state = play(last_round([roof(3), inside(3), 0], HOSTAGE, marshal=0), ChangeFloor())
    assert [money - 1000 for money in state.money] == [250, 250, 0]


# --- the end -----------------------------------------------------------------------------------------------------------


def finished(shots, money, wounds=(0, 0, 0)):
    state = last_round([2, 2, 0], TAKE_IT_ALL)
    state.shots, state.money, state.wounds = shots, money, wounds
    return play(state, ChangeFloor())


def test_gunslinger_is_who_fired_most():
    state = finished((1, 3, 2), (0, 0, 0))
    assert state.money == (0, 1000, 0)
    assert state.results == (LOSE, WIN, LOSE)


def test_gunslingers_who_fired_equally_often_all_get_the_prize():
    assert finished((3, 3, 2), (0, 0, 0)).money == (1000, 1000, 0)


def test_of_equally_rich_bandits_the_one_hit_less_often_wins():
    state = finished((3, 3, 2), (0, 0, 0), (2, 1, 0))
    assert state.results == (LOSE, WIN, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [2, 1, 3]


def test_equal_in_both_is_a_draw():
    assert finished((3, 3, 2), (0, 0, 0)).results == (DRAW, DRAW, LOSE)


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_game_has_five_rounds_of_different_cards_and_ends_at_a_station(n_players):
    titles = []
    for state in random_positions(n_players, 3):
        if state.title and (not titles or titles[-1] != state.title):
            titles.append(state.title)
    assert state.is_terminal
    assert state.round == 5
    assert len(set(titles)) == 5
    assert titles[-1] in {"Pickpocketing", "Marshal's Revenge", "Hostage-Taking of the Conductor"}


def test_loot_and_cards_are_neither_lost_nor_doubled():
    for n_players in (2, 3, 6):
        positions = random_positions(n_players, 7)
        start = [*positions[0].held, *positions[0].floor, positions[0].boxed]
        for state in positions:
            places = [*state.held, *state.floor, state.boxed]
            assert not any(one & other for i, one in enumerate(places) for other in places[:i])
            if not state.is_terminal:  # nothing has been dropped at a station yet
                assert sum(places).bit_count() == sum(start).bit_count()
            assert sum(state.wounds) == sum(bullets_in(state, player) for player in range(n_players))
            fired = sum(6 - left for left in state.bullets)
            assert sum(state.wounds) == fired + 13 - state.neutral
