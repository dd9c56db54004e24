"""Colt Express: set-up, planning and the game of two, by the printed rules (Ludonaute 2014)."""

from collections import Counter

import pytest
from colt_express_positions import (
    FLOOR,
    MARSHAL,
    MOVE,
    PLAIN,
    PUNCH,
    ROB,
    SHOOT,
    available,
    cards,
    facing,
    inside,
    planning,
    play,
    roof,
)

from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.games.boards.colt_express import ColtExpress, ColtExpressParameters
from tag.games.boards.colt_express.actions import (
    ChangeFloor,
    ChooseBandits,
    Cover,
    DrawCards,
    NoCover,
    Place,
    Play,
    Reserve,
)
from tag.games.boards.colt_express.data import (
    BELLE,
    CHEYENNE,
    CHOOSE,
    COVER,
    DJANGO,
    DOC,
    GHOST,
    OUTLAW,
    PLACE,
    PLAN,
    RESERVE,
    SPEEDING_UP,
    STANDARD,
    STEAL,
    SWITCHING,
    TUCO,
    TUNNEL,
    count,
    size,
)

# --- set-up: the train has a car per player, each bandit a purse of $250, six bullets and ten cards --------------------


@pytest.mark.parametrize("n_players", [3, 4, 5, 6])
def test_train_has_a_car_per_player_and_the_locomotive_with_strongbox_and_marshal(n_players):
    state = PLAIN.setup(n_players, Rng(5))
    assert state.cars == n_players + 1
    assert state.marshal == n_players
    strongbox = state.floor[inside(n_players)]
    assert strongbox.bit_count() == 1
    assert state.values[strongbox.bit_length() - 1] == 1000
    assert state.boxed.bit_count() == 1
    assert not any(state.floor[roof(car)] for car in range(state.cars))


def test_six_cars_hold_all_purses_and_jewels_of_the_box():
    state = PLAIN.setup(6, Rng(5))
    loot = sorted(
        ((floor & state.purses).bit_count(), (floor & state.jewels).bit_count()) for floor in state.floor[:12:2]
    )
    assert loot == [(0, 3), (1, 0), (1, 1), (3, 0), (3, 1), (4, 1)]
    state.open_purses(-1, Rng(5))
    assert Counter(state.values[:18]) == {250: 8, 300: 2, 350: 2, 400: 2, 450: 2, 500: 2}


def test_each_bandit_starts_with_a_purse_six_bullets_and_ten_cards():
    state = PLAIN.setup(4, Rng(5))
    assert state.bullets == (6,) * 4
    for player in range(4):
        assert state.loot_of(player, -1) == 250
        both = state.cards[player].hand + state.cards[player].deck
        assert [count(both, kind) for kind in range(6)] == [2, 2, 2, 2, 1, 1]
        assert size(state.cards[player].hand) == 6


def test_bandits_start_by_turns_in_caboose_and_next_car():
    assert PLAIN.setup(5, Rng(5)).spots == [0, 2, 0, 2, 0]


def test_players_choose_different_bandits():
    model = ColtExpress()
    state = model.setup(3, Rng(5))
    assert state.phase == CHOOSE
    assert len(model.available_actions(state)) == 6
    for bandit in (TUCO, BELLE, DOC):
        play(state, ChooseBandits(bandit), model)
        assert interned(ChooseBandits(bandit)) not in model.available_actions(state)
    assert state.characters == [TUCO, BELLE, DOC]
    assert state.phase == PLAN
    assert size(state.cards[2].hand) == 7  # Doc draws seven cards


def test_bandits_can_be_dealt():
    state = ColtExpress(ColtExpressParameters(bandits="dealt")).setup(6, Rng(5))
    assert sorted(state.characters) == list(range(6))
    assert state.phase == PLAN


# --- planning ----------------------------------------------------------------------------------------------------------


def test_a_turn_plays_a_card_or_draws_three():
    state = planning()
    assert available(state)[-1] == "draw 3 cards"
    play(state, DrawCards(3))
    assert size(state.cards[0].hand) == 9
    assert size(state.cards[0].deck) == 3
    play(state, Play(MOVE, False))
    assert size(state.cards[1].hand) == 5
    assert not facing(state, 0)


def test_fewer_cards_than_three_are_all_drawn():
    state = planning()
    state.cards[0].deck = cards(MOVE, FLOOR)
    play(state, DrawCards(3))
    assert size(state.cards[0].hand) == 8
    assert state.cards[0].deck == 0


def test_drawing_from_an_empty_deck_is_for_who_can_play_nothing():
    state = planning()
    state.cards[0].deck = 0
    assert "draw 3 cards" not in available(state)
    state.cards[0].hand = cards(12, 12)
    assert available(state) == ["draw 3 cards"]


def test_bullet_cards_cannot_be_played():
    state = planning(hands=[cards(MOVE, 12, 12)] * 3)
    assert available(state) == ["play Move", "draw 3 cards"]


def test_tunnel_turn_is_face_down():
    state = planning(turns=(TUNNEL, STANDARD))
    play(state, Play(MOVE, True))
    assert facing(state, 0)


def test_speeding_up_gives_two_turns_in_succession():
    state = planning(turns=(SPEEDING_UP, STANDARD))
    order = []
    while state.phase == PLAN:
        order.append(int(state.current_player))
        play(state, Play(MOVE, False) if count(state.cards[state.current_player].hand, MOVE) else DrawCards(3))
    assert order[:6] == [0, 0, 1, 1, 2, 2]


def test_switching_turn_goes_the_other_way_round_from_the_first_player():
    state = planning(turns=(STANDARD, SWITCHING, STANDARD))
    state.first_player = 1
    PLAIN.give_turn(state, 1)
    order = []
    while state.phase == PLAN:
        order.append(int(state.current_player))
        play(state, DrawCards(3) if state.cards[state.current_player].deck else Play(state.slot, False))
    assert order == [1, 2, 0, 1, 0, 2, 1, 2, 0]


def test_hands_go_back_before_stealing():
    state = planning(turns=(STANDARD,))
    for _player in range(3):
        play(state, Play(FLOOR, False))
    assert state.phase == STEAL
    assert [cards.hand for cards in state.cards] == [0, 0, 0]
    assert [size(cards.deck) for cards in state.cards] == [11, 11, 11]


def test_cards_are_done_in_the_order_of_the_pile_and_go_back():
    state = planning(turns=(STANDARD,))
    for _player in range(3):
        play(state, Play(FLOOR, False))
    for player in range(3):
        assert state.current_player == player
        play(state, ChangeFloor())
    assert state.round == 1
    assert state.first_player == 1  # the first player's card goes on
    assert [size(state.cards[p].hand) + size(state.cards[p].deck) for p in range(3)] == [12, 12, 12]


def test_ghost_may_play_face_down_on_the_first_turn_only():
    state = planning(characters=[GHOST, OUTLAW, OUTLAW])
    assert "play Move face down" in available(state)
    play(state, Play(MOVE, True))
    assert facing(state, 0)
    assert not any("face down" in text for text in available(state))
    assert not any("face down" in text for text in available(planning(characters=[GHOST, OUTLAW, OUTLAW], slot=1)))


# --- two players -------------------------------------------------------------------------------------------------------


def teams():
    model = ColtExpress()
    return model, model.setup(2, Rng(4))


def test_teams_are_paired_chosen_and_placed():
    model, state = teams()
    assert state.cars == 4
    offers = model.available_actions(state)
    assert {offer.number & 7 for offer in offers} == {GHOST, DOC, BELLE}
    assert {offer.number >> 3 for offer in offers} == {TUCO, DJANGO, CHEYENNE}
    for player in range(2):
        assert model.available_actions(state) == offers[player:]
        play(state, offers[player], model)
    assert state.phase == PLACE
    play(state, Place(1), model)
    assert [state.seen_spot(bandit, 1) for bandit in range(4)] == [-1] * 4
    play(state, Place(0), model)
    assert state.spots == [inside(1), inside(0), inside(0), inside(1)]
    assert state.phase == RESERVE


def test_team_has_eleven_cards_and_reserves_one():
    model, state = teams()
    offers = (GHOST | TUCO << 3, BELLE | DJANGO << 3)
    state.offers = sum(1 << offer for offer in offers)
    for action in (ChooseBandits(offers[0]), ChooseBandits(offers[1]), Place(0), Place(0)):
        play(state, action, model)
    assert size(state.cards[0].deck) == 11
    assert [count(state.cards[0].deck, kind) for kind in range(12)] == [1] * 10 + [0, 1]
    play(state, Reserve(PUNCH), model)
    play(state, Reserve(PUNCH + 6), model)
    assert state.phase == PLAN
    assert count(state.cards[0].hand, PUNCH) == 1
    assert count(state.cards[1].hand, PUNCH + 6) == 1
    assert size(state.cards[0].hand) == 7


def two_teams(**position):
    model = ColtExpress(ColtExpressParameters(bandits="none"))
    hand = cards(MOVE, SHOOT, MARSHAL, MOVE + 6, ROB + 6, SHOOT + 6)
    state = planning(2, hands=[hand, hand], model=model, **position)
    state.spots = [0, 2, 0, 2]
    return state


def test_fire_may_be_covered_by_a_card_of_the_other_bandit_but_no_marshal():
    state = play(two_teams(), Play(SHOOT, False))
    assert state.phase == COVER
    assert state.current_player == 0
    assert available(state) == [
        "no cover",
        "cover with Move of the second bandit",
        "cover with Fire of the second bandit",
        "cover with Robbery of the second bandit",
    ]
    play(state, Cover(ROB + 6))
    assert state.current_player == 1
    play(state, Play(SHOOT + 6, False))
    assert available(state) == ["no cover", "cover with Move", "cover with Fire"]
    play(state, NoCover())
    assert len(state.pile) == 3
    assert state.current_player == 0


@pytest.mark.parametrize("turn", [TUNNEL, SPEEDING_UP, SWITCHING])
def test_there_is_no_cover_but_on_standard_turns(turn):
    state = play(two_teams(turns=(turn, STANDARD)), Play(SHOOT, turn == TUNNEL))
    assert state.phase == PLAN


def test_shots_at_the_partner_do_not_count_for_the_gunslinger():
    state = ColtExpress(ColtExpressParameters(bandits="none")).setup(2, Rng(1))
    state.spots = [0, 2, 2, 4]
    state.shoot(0, 1)
    state.shoot(0, 2)
    assert state.shots == (1, 0)
    assert state.wounds == (1, 1)
    assert state.bullets == (4, 6, 6, 6)


def test_two_can_play_with_a_bandit_each():
    state = ColtExpress(ColtExpressParameters(two_bandits=False, bandits="none")).setup(2, Rng(1))
    assert state.cars == 3
    assert len(state.spots) == 2
    assert state.phase == PLAN
