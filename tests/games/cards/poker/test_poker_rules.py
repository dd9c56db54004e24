"""Poker against the rules of the Tournament Directors Association (TDA, 2024) and Robert's Rules of Poker (RRP)."""

import pytest
from poker_positions import offered, play, table

from tag import make_game
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError, PlayersError
from tag.games.cards.poker import Poker, PokerParameters
from tag.games.cards.poker.data import PREFLOP, RIVER


def paid(state):
    return list(state.paid)


def shown(state):
    return [seat for seat in range(state.n_players) if state.shown >> seat & 1]


# --- button and blinds ------------------------------------------------------------------------------------------------


def test_the_two_seats_left_of_the_button_post_the_blinds_and_the_next_one_acts_first():
    """RRP 4 (button and blind use)."""
    _model, state = table(100, 100, 100, 100, button=1)
    assert paid(state) == [0, 0, 5, 10]
    assert state.current_player == 0


def test_of_two_players_the_button_posts_the_small_blind_and_acts_first_before_the_flop_only():
    """TDA 34-B (heads-up): also last in all other rounds."""
    model, state = table(100, 100, button=0)
    assert (paid(state), state.current_player) == ([5, 10], 0)
    play(model, state, "call", "check")
    assert (state.phase, state.current_player) == (1, 1)


def test_after_the_flop_the_first_seat_left_of_the_button_still_in_the_hand_acts_first():
    """RRP 4."""
    model, state = table(100, 100, 100, 100, button=0)
    play(model, state, "call", "call", "fold", "check")
    assert state.current_player == 2
    play(model, state, "check", "check", "check")
    assert (state.phase, state.current_player) == (2, 2)


def test_the_big_blind_may_raise_if_all_others_call():
    """RRP 5 (hold'em): the blind has the option to raise."""
    model, state = table(200, 200, 200, button=0)
    play(model, state, "call", "call")
    assert state.current_player == 2
    assert offered(model, state) == ["check", 20, 25, 40, 200]


def test_the_button_moves_to_the_next_player_with_chips():
    """RRP 4 (a moving button)."""
    model, state = table(100, 100, 0, 100, button=1, n_hands=5)
    assert paid(state) == [10, 0, 0, 5]
    play(model, state, "fold", "fold")
    assert (state.button, paid(state)) == (3, [5, 10, 0, 0])


def test_none_has_the_big_blind_twice_in_a_row_when_two_players_are_left():
    """TDA 34-B: the button is adjusted. Here seat 2 would have the big blind again."""
    model, state = table(30, 100, 100, button=0, n_hands=5, hands=("2c 3d", "4h 9s", "Ac Ad"), board="Ah As Kd Kc Qh")
    assert paid(state) == [0, 5, 10]
    play(model, state, 30, "fold", "call")
    assert (state.stacks, paid(state), state.button) == ([0, 85, 130], [0, 10, 5], 2)
    model, state = table(30, 100, 100, button=1, n_hands=5, hands=("2c 3d", "4h 9s", "Ac Ad"), board="Ah As Kd Kc Qh")
    assert paid(state) == [10, 0, 5]
    play(model, state, "fold", 30, "call")
    assert (paid(state), state.button) == ([0, 10, 5], 2)


def test_a_short_big_blind_must_be_called_in_full():
    """RRP 14 (no-limit), rule 2: who enters the pot must put in the minimum bet."""
    model, state = table(100, 100, 3, button=0)
    assert (paid(state), state.to_match) == ([0, 5, 3], 10)
    assert offered(model, state)[:3] == ["fold", "call", 20]
    play(model, state, "call")
    assert paid(state) == [10, 5, 3]


def test_a_blind_that_covers_a_short_big_blind_is_not_asked():
    """TDA 16: betting is complete. Of five chips two are not called, and three are at stake."""
    _model, state = table(100, 3, button=0, hands=("Ac Ad", "2c 3d"), board="Ah As Kd Kc Qh")
    assert state.is_terminal
    assert state.stacks == [103, 0]


def test_a_short_small_blind_is_all_in():
    """RRP 14: all-in for less."""
    model, state = table(100, 2, 100, button=0, hands=("2c 3d", "Ac Ad", "4c 5d"), board="Ah As Kd Kc Qh")
    play(model, state, "fold")
    assert state.is_terminal
    assert state.stacks == [100, 4, 98]


def test_blinds_double_after_so_many_hands_up_to_the_chips_of_the_game():
    """TDA 23 (new hand and new limits); by default they stay."""
    model, state = table(40, 40, n_hands=9, stack=40, blinds_up_every=2)
    found = []
    for number in range(9):
        state.round = number
        model._set_blinds(state)
        found.append((state.small_blind, state.big_blind))
    assert found == [(5, 10)] * 2 + [(10, 20)] * 2 + [(20, 40)] * 2 + [(40, 80)] * 3


# --- bets and raises --------------------------------------------------------------------------------------------------


def test_a_raise_is_at_least_as_large_as_the_greatest_bet_or_raise_of_the_round():
    """TDA 43-A (raise amounts): after a raise by 25 to 35 the least is to 60, after one by 80 to 115 it is to 195."""
    model, state = table(500, 500, 500, 500, button=0)
    play(model, state, 35, "fold")
    assert offered(model, state)[2] == 60
    play(model, state, 115)
    assert offered(model, state)[2] == 195


def test_the_smallest_bet_is_the_big_blind_in_every_round():
    """RRP 14, rule 2."""
    model, state = table(500, 500, button=0)
    play(model, state, "call", "check")
    for _street in range(3):
        assert offered(model, state)[:2] == ["check", state.to_match + 10]
        play(model, state, "check", "check")


def test_raises_by_share_of_the_pot_count_the_call_first():
    """RRP 14 (pot-limit): a pot of 15 and a call of 10 allow a raise by 25."""
    model, state = table(500, 500, 500, button=0)
    assert offered(model, state) == ["fold", "call", 20, 22, 35, 500]
    play(model, state, 35)  # 35 + 5 + 10 + 30 owed are 80
    assert offered(model, state) == ["fold", "call", 60, 75, 115, 500]


def test_an_all_in_below_the_smallest_raise_does_not_reopen_the_betting():
    """TDA 47-A (re-opening the bet): seat 3 has acted and faces 10 more, less than a raise of 25."""
    model, state = table(500, 45, 500, 500, button=0)
    play(model, state, 35, "call", 45)
    assert (state.current_player, state.step) == (2, 25)
    assert offered(model, state)[:3] == ["fold", "call", 70]  # has not acted
    play(model, state, "call")
    assert (state.current_player, offered(model, state)) == (3, ["fold", "call"])


def test_several_short_all_ins_that_add_up_to_a_raise_reopen_the_betting():
    """TDA 47-A and RRP 14, rule 5: seat 3 raised by 25 to 35 and faces 27 more, in steps of 10 and 17."""
    model, state = table(500, 45, 62, 500, button=0)
    play(model, state, 35, "call", 45, 62)
    assert (state.current_player, offered(model, state)[:3]) == (3, ["fold", "call", 87])


def test_who_has_checked_may_not_raise_a_short_bet():
    """RRP 14, rule 3: a bet of 4 with blinds of 10."""
    model, state = table(100, 100, 14, button=0)
    play(model, state, "call", "call", "check")
    play(model, state, "check", 14)
    assert (state.current_player, offered(model, state)[:3]) == (0, ["fold", "call", 24])
    play(model, state, "call")
    assert (state.current_player, offered(model, state)) == (1, ["fold", "call"])


def test_who_has_checked_may_raise_a_bet():
    """RRP 3 (betting and raising), rule 1: check-raise is permitted."""
    model, state = table(500, 500, button=0)
    play(model, state, "call", "check", "check", 20)
    assert offered(model, state) == ["fold", "call", 30, 40, 60, 500]


def test_raises_are_not_limited_in_number():
    """RRP 14, rule 1."""
    model, state = table(100_000, 100_000, button=0, stack=100_000)
    for raises in range(40):
        play(model, state, offered(model, state)[2])
        assert state.to_match == 20 + 10 * raises


def test_all_in_is_at_most_what_another_player_can_call():
    """RRP (table stakes): what none can call is returned, so it is not bet."""
    model, state = table(500, 60, 80, button=0)
    assert offered(model, state)[-1] == 80
    play(model, state, 80, "fold", "fold")
    assert state.stacks == [515, 55, 70]


def test_none_raises_when_no_other_player_has_chips_left():
    """No other player could call a raise; after the calls betting is complete (TDA 16)."""
    model, state = table(500, 60, 80, button=0)
    play(model, state, 80, "call")
    assert offered(model, state) == ["fold", "call"]


def test_who_owes_no_chips_cannot_fold():
    """TDA 58 (non-standard folds): folds without a bet are penalised."""
    model, state = table(500, 500, button=0)
    play(model, state, "call")
    assert "fold" not in offered(model, state)


def test_each_amount_is_offered_once():
    """Half of a pot of 20 is the smallest bet; a raise of all chips or more is all-in."""
    model, state = table(500, 500, button=0)
    play(model, state, "call", "check")
    assert offered(model, state) == ["check", 20, 30, 500]
    model, state = table(36, 36, 500, button=0)
    assert offered(model, state) == ["fold", "call", 20, 22, 35, 36]
    model, state = table(35, 36, 35, button=0)
    assert offered(model, state) == ["fold", "call", 20, 22, 35]


@pytest.mark.parametrize(
    ("raises", "expected"),
    [
        ("minimum", [20]),
        ("all_in", [500]),
        ("pot", [35, 500]),
        ("half_pot", [22, 35, 500]),
        ("many", [20, 22, 28, 35, 47, 60, 500]),
    ],
)
def test_sizes_of_raises_are_a_parameter(raises, expected):
    model, state = table(500, 500, 500, button=0, raises=raises)
    assert offered(model, state)[2:] == expected


def test_without_all_in_a_player_who_cannot_make_the_smallest_raise_may_go_all_in():
    model, state = table(15, 500, 500, button=0, raises="minimum")
    assert offered(model, state) == ["fold", "call", 15]


# --- pots and showdown --------------------------------------------------------------------------------------------------


def test_the_last_player_in_the_hand_wins_without_showing():
    """RRP 3 (showdown)."""
    model, state = table(100, 100, 100, button=0)
    play(model, state, 35, "fold", "fold")
    assert (state.stacks, shown(state), state.phase) == ([115, 95, 90], [], PREFLOP)


def test_a_side_pot_is_for_those_who_have_paid_into_it():
    """TDA 21 (side pots): the best hand wins three times 30, the second best twice 50."""
    hands = ("Kc Kd", "Ac Ad", "Qc Qd")
    model, state = table(80, 30, 80, button=0, hands=hands, board="2c 3d 7h 8s 9c")
    play(model, state, 80, "call", "call")
    assert state.stacks == [100, 90, 0]


def test_four_players_all_in_make_three_side_pots():
    """TDA 21: four times 10, three times 10, twice 20, and 20 that none could call."""
    hands = ("2c 4d", "Kc Kd", "Qc Qd", "Ac Ad")
    model, state = table(60, 40, 20, 10, button=0, hands=hands, board="3d 7h 8s 9c Jh")
    play(model, state, "call", 40, "call", "call")
    assert state.stacks == [20, 70, 0, 40]


def test_chips_of_players_who_folded_stay_in_their_pots():
    """RRP 3: a folded hand has no part in the pots."""
    hands = ("Ac Ad", "Kc Kd", "Qc Qd")
    model, state = table(20, 200, 200, button=0, hands=hands, board="2h 3d 7h 8s 9c")
    play(model, state, 20, "call", "call", 80, "fold")
    assert state.stacks == [60, 180, 180]


@pytest.mark.parametrize("button", [0, 1, 2])
def test_an_odd_chip_goes_to_the_first_winner_left_of_the_button(button):
    """TDA 20-A (awarding odd chips): the small blind of 1 has folded, so the big blind is first; the pot is 51."""
    small, big = (button + 1) % 3, (button + 2) % 3
    hands = ["", "", ""]
    hands[button], hands[small], hands[big] = "Ac Kd", "2c 3d", "Ad Kc"
    model, state = table(
        25, 25, 25, button=button, hands=hands, board="Ah Ks 7d 8c 9h", small_blind=1, big_blind=2, stack=25
    )
    play(model, state, 25, "fold", "call")
    assert [state.stacks[seat] for seat in (button, small, big)] == [25, 24, 26]


def test_several_odd_chips_go_to_one_winner_each():
    """TDA 20-A: the big blind of 2 has folded; of a pot of 77 three winners get 25, and the first two one more."""
    hands = ("Ac Kd", "Ad Kc", "2c 3d", "As Kh")
    model, state = table(
        25, 25, 25, 25, button=0, hands=hands, board="Ah Ks 7d 8c 9h", small_blind=1, big_blind=2, stack=25
    )
    play(model, state, 25, "call", "call", "fold")
    assert state.stacks == [25, 26, 23, 26]


def test_each_pot_is_split_by_itself():
    """TDA 21: pots are not mixed before they are split."""
    hands = ("Ac 2d", "Ad 2c", "Ah 2h")
    model, state = table(7, 12, 12, button=0, hands=hands, board="Ks Qs Js 7d 6d", small_blind=1, big_blind=2)
    play(model, state, 7, 12, "call")
    assert state.stacks == [7, 12, 12]


def test_players_who_play_the_board_split_the_pot():
    """TDA 19 (playing the board)."""
    model, state = table(100, 100, button=0, hands=("2c 3d", "4h 5h"), board="Ac Kc Qc Jc Tc")
    play(model, state, 100, "call")
    assert (state.stacks, state.results) == ([100, 100], (DRAW, DRAW))


def test_once_all_are_all_in_the_board_is_dealt_and_hands_are_shown():
    """TDA 16 (face up for all-ins)."""
    model, state = table(100, 100, 100, button=0)
    play(model, state, "fold", 100, "call")
    assert (state.is_terminal, state.phase, shown(state)) == (True, RIVER, [1, 2])


def test_who_calls_all_in_for_less_is_asked_no_more():
    """RRP 3 (all-in): the others play on, for the side pot."""
    model, state = table(100, 100, 8, button=1)
    play(model, state, "call", "call", "check")
    assert (state.phase, state.current_player, paid(state)) == (1, 0, [10, 10, 8])
    play(model, state, "check", "check")
    assert (state.phase, state.current_player) == (2, 0)


# --- the end of a game ------------------------------------------------------------------------------------------------


def test_most_chips_win_after_the_last_hand():
    model, state = table(100, 100, 100, button=0, n_hands=2)
    play(model, state, "fold", "fold")
    assert (state.round, state.is_terminal) == (1, False)
    play(model, state, "fold", "fold")
    assert state.is_terminal
    assert state.stacks == [105, 95, 100]
    assert state.results == (WIN, LOSE, LOSE)
    assert [state.ordinal(player) for player in range(3)] == [1, 3, 2]


def test_a_hand_is_a_round_and_each_action_a_turn():
    model, state = table(100, 100, 100, button=0, n_hands=3)
    assert (state.turn, state.round, state.first_player) == (0, 0, 0)
    play(model, state, "fold")
    assert (state.turn, state.round) == (1, 0)
    play(model, state, "fold")
    assert (state.turn, state.round, state.first_player, state.current_player) == (2, 1, 1, 1)


def test_who_has_all_chips_wins_at_once():
    model, state = table(100, 100, button=0, n_hands=10, hands=("Ac Ad", "2c 3d"), board="Ah As Kd Kc Qh")
    play(model, state, 100, "call")
    assert (state.is_terminal, state.round, state.results) == (True, 1, (WIN, LOSE))


def test_who_is_out_sits_out_and_stands_below_those_out_later():
    """RRP (tournaments)."""
    hands = ("2c 3d", "4c 5d", "Ac Ad", "Kc Kd")
    model, state = table(50, 500, 500, 500, button=0, n_hands=3, hands=hands, board="Ah As 9d 8c Qh")
    play(model, state, "fold", 50, "fold", "call")
    assert (state.results, state.dealt) == ((LOSE, 0, 0, 0), 0b1110)
    assert state.stacks[0] == 0
    while not state.is_terminal:
        play(model, state, "fold")
    assert state.ordinal(0) == 4


def test_of_two_out_in_the_same_hand_the_one_with_more_chips_before_stands_above():
    """RRP (tournaments): the larger stack at the start of the hand finishes higher."""
    hands = ("2c 3d", "4c 5d", "Ac Ad")
    model, state = table(50, 60, 500, button=0, hands=hands, board="Ah As 9d 8c Qh")
    play(model, state, 50, 60, "call")
    assert state.stacks == [0, 0, 610]
    assert [state.ordinal(player) for player in range(3)] == [3, 2, 1]
    model, state = table(50, 50, 500, button=0, hands=hands, board="Ah As 9d 8c Qh")
    play(model, state, 50, "call", "call")
    assert [state.ordinal(player) for player in range(3)] == [2, 2, 1]


def test_a_target_ends_the_game():
    model, state = table(100, 100, button=0, n_hands=10, stack=100, target=105)
    play(model, state, 20, "fold")
    assert (state.is_terminal, state.results) == (True, (WIN, LOSE))


# --- parameters and set-up ----------------------------------------------------------------------------------------------


def test_two_to_nine_play():
    for n_players in (1, 10):
        with pytest.raises(PlayersError, match="2-9 players"):
            Poker().setup(n_players, Rng(1))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("poker:small_blind=20", "small_blind cannot be 20 with a big blind of 10; the nearest value is 10"),
        ("poker:big_blind=50,stack=40", "big_blind cannot be 50 with stacks of 40; the nearest value is 39"),
        ("poker:target=900", "target cannot be 900 with stacks of 1000; the nearest value is 1001"),
    ],
)
def test_impossible_parameters_are_refused(spec, message):
    with pytest.raises(ParameterError, match=message):
        make_game(spec)


def test_a_hand_depends_on_its_number_and_the_source_of_cards_only():
    """Whatever players do, and whoever is out, the same cards come to each seat in each hand."""
    seen = []
    for seed in range(12):
        rng, acting = Rng(5), Rng(seed)
        rng.set_apart({"cards": 77})
        model = Poker(PokerParameters(hands=6, stack=60))
        state = model.setup(4, rng)
        deals = {}
        while not state.is_terminal:
            deals[int(state.round)] = tuple(state.cards)
            actions = model.available_actions(state)
            model.next(state, actions[acting.below(len(actions))], rng)
        seen.append(deals)
    for number in range(6):
        assert len({deals[number] for deals in seen if number in deals}) == 1
    assert len({len(deals) for deals in seen}) > 1
