"""Colt Express: the six actions and the bandits' abilities, by the printed rules (Ludonaute 2014)."""

from colt_express_positions import (
    FLOOR,
    MARSHAL,
    MOVE,
    PLAIN,
    PUNCH,
    ROB,
    SHOOT,
    available,
    bullets_in,
    inside,
    play,
    purse,
    roof,
    stealing,
)

from tag.engine.rng import Rng
from tag.games.boards.colt_express.actions import ChangeFloor, Fire, Move, MoveMarshal, Punch, Rob
from tag.games.boards.colt_express.data import BELLE, CHEYENNE, DJANGO, OUTLAW, TUCO, count

# --- Move and Floor Change ---------------------------------------------------------------------------------------------


def test_move_inside_goes_to_the_next_car():
    assert available(stealing([inside(1), 0, 0], (0, MOVE))) == ["move to car 0", "move to car 2"]
    assert available(stealing([inside(0), 0, 0], (0, MOVE))) == ["move to car 1"]


def test_move_on_the_roofs_goes_up_to_three_cars():
    spots = [roof(0), 0, 0, 0, 0]
    assert available(stealing(spots, (0, MOVE))) == ["move to car 1", "move to car 2", "move to car 3"]
    state = play(stealing(spots, (0, MOVE), (0, ROB)), Move(3))
    assert state.spots[0] == roof(3)


def test_floor_change_goes_up_and_down():
    state = play(stealing([inside(1), 0, 0], (0, FLOOR), (0, FLOOR)), ChangeFloor())
    assert state.spots[0] == roof(1)
    assert play(state, ChangeFloor()).spots[0] == inside(1)


# --- Marshal -----------------------------------------------------------------------------------------------------------


def test_bandit_who_moves_into_the_marshals_car_is_shot_and_flees_to_the_roof():
    state = play(stealing([inside(2), 0, 0], (0, MOVE)), Move(3))
    assert state.spots[0] == roof(3)
    assert bullets_in(state, 0) == 1
    assert state.neutral == 12


def test_bandit_who_climbs_into_the_marshals_car_is_shot_and_climbs_back():
    state = play(stealing([roof(3), 0, 0], (0, FLOOR)), ChangeFloor())
    assert state.spots[0] == roof(3)
    assert state.wounds == (1, 0, 0)


def test_marshal_moves_to_a_next_car_and_shoots_everybody_inside():
    state = stealing([inside(1), inside(1), roof(1)], (0, MARSHAL), marshal=2)
    assert available(state) == ["move the Marshal to car 1", "move the Marshal to car 3"]
    play(state, MoveMarshal(1))
    assert state.spots == [roof(1)] * 3
    assert state.wounds == (1, 1, 0)


def test_too_few_neutral_bullets_hit_nobody_but_all_flee():
    state = stealing([inside(1), inside(1), 0], (0, MARSHAL), marshal=2)
    state.neutral = 1
    play(state, MoveMarshal(1))
    assert state.spots[:2] == [roof(1)] * 2
    assert state.wounds == (0, 0, 0)
    assert state.neutral == 1


# --- Robbery -----------------------------------------------------------------------------------------------------------


def test_robbery_takes_one_piece_of_loot_of_ones_choice():
    state = PLAIN.setup(3, Rng(1))
    jewel = state.jewels & -state.jewels
    state = stealing([inside(1), 0, 0], (0, ROB), floor={inside(1): purse(state, 0) | purse(state, 1) | jewel})
    token = jewel.bit_length() - 1
    assert available(state) == ["take loot 3", f"take loot {token}"]  # two unknown purses look the same
    play(state, Rob(token))
    assert state.loot_of(0, -1) == 750
    assert state.floor[inside(1)] == purse(state, 0) | purse(state, 1)


def test_robbery_on_the_roof_takes_what_lies_there():
    state = PLAIN.setup(3, Rng(1))
    state = stealing([roof(1), 0, 0], (0, ROB), floor={inside(1): purse(state, 0), roof(1): purse(state, 1)})
    assert available(state) == ["take loot 4"]


def test_robbery_where_there_is_nothing_has_no_effect():
    state = stealing([inside(1), 0, 0], (0, ROB), (1, FLOOR))
    assert state.current_player == 1
    assert count(state.cards[0].deck, ROB) == 1


# --- Fire --------------------------------------------------------------------------------------------------------------


def test_fire_inside_reaches_the_next_cars_only():
    state = stealing([inside(1), inside(0), inside(2), inside(3), inside(1), roof(2)], (0, SHOOT), marshal=5)
    assert available(state) == ["fire at bandit 1", "fire at bandit 2"]


def test_fire_on_the_roofs_reaches_the_nearest_either_way_at_any_distance():
    state = stealing([roof(2), roof(0), roof(5), roof(6), roof(5), inside(3)], (0, SHOOT))
    assert available(state) == ["fire at bandit 1", "fire at bandit 2", "fire at bandit 4"]


def test_nobody_fires_at_the_own_spot():
    state = stealing([roof(2), roof(2), inside(2)], (0, SHOOT), (1, FLOOR))
    assert state.current_player == 1


def test_fire_gives_a_bullet_card_to_the_victim():
    state = play(stealing([inside(0), inside(1), inside(3)], (0, SHOOT), marshal=2), Fire(1))
    assert state.bullets == (5, 6, 6)
    assert state.shots == (1, 0, 0)
    assert bullets_in(state, 1) == 1


def test_nobody_fires_without_bullets():
    state = stealing([inside(0), inside(1), 0], (1, FLOOR), (0, SHOOT), (2, FLOOR))
    state.bullets = (0, 6, 6)
    play(state, ChangeFloor())
    assert state.current_player == 2


def test_tuco_fires_through_the_roof():
    spots = [inside(1), roof(1), inside(2)]
    assert available(stealing(spots, (0, SHOOT), characters=[TUCO, OUTLAW, OUTLAW])) == [
        "fire at bandit 1",
        "fire at bandit 2",
    ]
    assert available(stealing([roof(1), inside(1), 0], (0, SHOOT), characters=[TUCO, OUTLAW, OUTLAW])) == [
        "fire at bandit 1"
    ]


def test_belle_is_no_target_while_somebody_else_is():
    characters = [OUTLAW, BELLE, OUTLAW]
    assert available(stealing([inside(1), inside(2), inside(0)], (0, SHOOT), characters=characters)) == [
        "fire at bandit 2"
    ]
    assert available(stealing([inside(0), inside(1), inside(3)], (0, SHOOT), characters=characters, marshal=2)) == [
        "fire at bandit 1"
    ]


def test_belle_is_not_punched_while_somebody_else_can_be():
    state = stealing([inside(0), inside(0), inside(0)], (0, PUNCH), characters=[OUTLAW, BELLE, OUTLAW])
    assert available(state) == ["punch bandit 2 to car 1, who loses loot 2"]


def test_djangos_victim_is_moved_on_by_a_car_on_its_floor():
    characters = [DJANGO, OUTLAW, OUTLAW]
    assert play(stealing([roof(1), roof(2), 0], (0, SHOOT), characters=characters), Fire(1)).spots[1] == roof(3)
    assert play(stealing([inside(2), inside(1), 0], (0, SHOOT), characters=characters), Fire(1)).spots[1] == inside(0)


def test_djangos_victim_never_leaves_the_train():
    characters = [DJANGO, OUTLAW, OUTLAW]
    assert play(stealing([inside(1), inside(0), 6], (0, SHOOT), characters=characters), Fire(1)).spots[1] == inside(0)
    assert play(stealing([roof(1), roof(3), 0], (0, SHOOT), characters=characters), Fire(1)).spots[1] == roof(3)


def test_djangos_victim_meets_the_marshal():
    state = stealing([inside(0), inside(1), 0], (0, SHOOT), characters=[DJANGO, OUTLAW, OUTLAW], marshal=2)
    play(state, Fire(1))
    assert state.spots[1] == roof(2)
    assert state.wounds == (0, 2, 0)


# --- Punch -------------------------------------------------------------------------------------------------------------


def test_punch_hits_who_is_at_the_same_spot_only():
    state = stealing([inside(1), roof(1), inside(1)], (0, PUNCH))
    assert available(state) == [
        "punch bandit 2 to car 0, who loses loot 2",
        "punch bandit 2 to car 2, who loses loot 2",
    ]


def test_punched_bandit_drops_the_loot_chosen_and_is_moved():
    state = stealing([inside(1), inside(1), 0], (0, PUNCH))
    play(state, Punch(1, 1, 2))
    assert state.floor[inside(1)] == 1 << 1
    assert state.held[1] == 0
    assert state.spots[1] == inside(2)


def test_puncher_chooses_the_loot():
    state = stealing([inside(1), inside(1), 0], (2, FLOOR), (0, PUNCH))
    state.held[1] |= state.jewels & -state.jewels | purse(state, 0)
    state.known = (state.known[0], state.known[1] | purse(state, 0), state.known[2])
    play(state, ChangeFloor())
    assert len(available(state)) == 6  # the first purse, the other one and the jewel, each to both sides


def test_bandit_without_loot_is_only_moved():
    state = stealing([inside(0), inside(0), 4], (2, FLOOR), (0, PUNCH))
    state.held[1] = 0
    play(state, ChangeFloor())
    assert available(state) == ["punch bandit 1 to car 1"]


def test_bandit_punched_into_the_marshals_car_is_shot_and_flees():
    state = play(stealing([inside(2), inside(2), 0], (0, PUNCH)), Punch(1, 1, 3))
    assert state.spots[1] == roof(3)
    assert state.wounds == (0, 1, 0)
    assert state.floor[inside(2)] == 1 << 1


def test_cheyenne_takes_the_purse_but_no_jewel():
    characters = [CHEYENNE, OUTLAW, OUTLAW]
    state = play(stealing([inside(1), inside(1), 0], (0, PUNCH), characters=characters), Punch(1, 1, 2))
    assert state.held[0] == 0b11
    assert state.floor[inside(1)] == 0
    state = stealing([inside(1), inside(1), 0], (2, FLOOR), (0, PUNCH), characters=characters)
    jewel = state.jewels & -state.jewels
    state.held[1] = jewel
    play(state, ChangeFloor())
    play(state, Punch(1, jewel.bit_length() - 1, 2))
    assert state.floor[inside(1)] == jewel
