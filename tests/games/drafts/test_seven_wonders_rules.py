"""The rules of 7 Wonders that are often got wrong, each as the printed rules have it."""

import pytest
from seven_wonders_positions import act, built, kind, names_in, offered, position, turn

from tag import DRAW, LOSE, WIN, ParameterError, Rng, make_game
from tag.games.drafts.seven_wonders import SevenWondersParameters
from tag.games.drafts.seven_wonders.data import GUILD_CARDS, best_science, hand_size, kinds_in
from tag.games.drafts.seven_wonders.state import CHOOSE, LAST_CARD, RECOVER

# --- payments ----------------------------------------------------------------------------------------------------------


def test_coins_that_come_in_during_a_turn_pay_for_nothing_in_it():
    hands = (("Baths", "Altar"), ("Barracks", "Loom"), ("Stockade", "Theater"))
    model, state = position(wonders=("Rhodes A", "Giza A", "Olympia A"), hands=hands, coins=(3, 1, 3), n_players=3)
    act(model, state, "build Baths, paying 2 to the left")
    assert offered(model, state, "build Barracks") == []
    act(model, state, "build Loom")
    act(model, state, "build Stockade")
    assert state.coins == [1, 3, 3], "player 1 had one coin, and gets two when all have chosen"


def test_all_choices_happen_at_once():
    hands = (("Baths", "Altar"), ("Stone Pit", "Stockade"), ("Theater", "Loom"))
    model, state = position(wonders=("Rhodes A", "Ephesus A", "Olympia A"), hands=hands)
    assert offered(model, state, "build Baths") == [], "the neighbour builds the stone pit in this turn"
    act(model, state, "discard Baths")
    act(model, state, "build Stone Pit")
    assert built(state, 1) == set()
    act(model, state, "build Theater")
    assert built(state, 1) == {"Stone Pit"}


def test_a_resource_costs_two_coins_and_neighbours_cannot_refuse():
    hands = (("Baths", "Altar"), ("Stockade", "Press"), ("Theater", "Loom"))
    model, state = position(wonders=("Rhodes A", "Giza A", "Olympia A"), hands=hands)
    assert offered(model, state, "build Baths") == ["build Baths, paying 2 to the left"]


@pytest.mark.parametrize(("post", "cost"), [("West Trading Post", 1), ("East Trading Post", 2), ("Marketplace", 2)])
def test_a_trading_post_is_for_raw_materials_of_one_neighbour(post, cost):
    model, state = position((post,), wonders=("Rhodes A", "Giza A", "Olympia A"), hands=(("Baths", "Altar"),))
    assert offered(model, state, "build Baths") == [f"build Baths, paying {cost} to the left"]


@pytest.mark.parametrize(("post", "cost"), [("West Trading Post", 2), ("East Trading Post", 1), ("Marketplace", 2)])
def test_the_east_is_the_right_neighbour(post, cost):
    model, state = position((post,), wonders=("Rhodes A", "Olympia A", "Giza A"), hands=(("Baths", "Altar"),))
    assert offered(model, state, "build Baths") == [f"build Baths, paying {cost} to the right"]


def test_the_marketplace_is_for_goods_of_both():
    hands = (("Apothecary", "Workshop"),)
    model, state = position(("Marketplace",), ("Loom",), ("Glassworks",), hands=hands)
    paid = ["build Apothecary, paying 1 to the left", "build Workshop, paying 1 to the right"]
    assert offered(model, state, "build") == paid


def test_yellow_cards_and_stages_are_not_for_sale():
    giza = ("Giza A", "Alexandria B", "Rhodes A")
    hands = (("Walls", "Courthouse"),)
    model, state = position((), ("Caravansery", "Forum"), wonders=giza, hands=hands, age=1, stages=(0, 2), coins=9)
    assert offered(model, state, "build") == []
    model, state = position(("Caravansery", "Forum", "Clay Pool"), wonders=giza, hands=hands, age=1)
    assert offered(model, state, "build") == ["build Courthouse"]


def test_a_card_of_two_materials_gives_one_of_them_to_each_city_in_a_turn():
    hands = (("Statue", "Stables"),)
    wonders = ("Giza A", "Rhodes A", "Ephesus A")
    model, state = position((), ("Forest Cave", "Mine"), wonders=wonders, hands=hands, age=1, coins=9)
    assert offered(model, state, "build Statue") == ["build Statue, paying 6 to the left"]
    state.coins[0] = 5
    assert offered(model, state, "build Statue") == []


def test_resources_are_never_spent():
    model, state = position(("Baths", "Quarry"), ("Stone Pit",), hands=(("Walls", "Aqueduct"),), age=1, coins=0)
    assert offered(model, state, "build") == ["build Aqueduct", "build Walls"]
    turn(model, state, "build Walls")
    assert (state.coins[0], state.made[0] >> 4 & 15) == (0, 3)


def test_payments_can_be_chosen_and_the_cheapest_is_even():
    city = ("West Trading Post",)
    both = ("Quarry",)
    model, state = position(city, both, both, hands=(("Walls", "Loom"),), age=1)
    state.made[0] = 0
    assert offered(model, state, "build Walls") == [], "four stones are for sale, for more than three coins"
    state.coins[0] = 4
    assert offered(model, state, "build Walls") == ["build Walls, paying 2 to the left and 2 to the right"]
    state.coins[0] = 9
    paid = ["1 to the left and 4 to the right", "2 to the left and 2 to the right"]
    assert offered(model, state, "build Walls") == [f"build Walls, paying {one}" for one in paid]
    model, state = position(city, both, both, hands=(("Walls", "Loom"),), age=1, coins=9, splits=False)
    state.made[0] = 0
    assert offered(model, state, "build Walls") == [f"build Walls, paying {paid[1]}"]


# --- structures --------------------------------------------------------------------------------------------------------


def test_no_city_has_two_structures_of_a_name():
    model, state = position(("Altar", "Loom"), hands=(("Altar", "Theater"),))
    assert offered(model, state, "build") == ["build Theater"]
    model, state = position(("Altar", "Loom"), hands=(("Loom", "Press"),), age=1)
    assert offered(model, state, "build") == ["build Press"], "the loom of Age II is the same"


@pytest.mark.parametrize(
    ("parent", "child", "age"),
    [
        ("Baths", "Aqueduct", 1),
        ("East Trading Post", "Forum", 1),
        ("West Trading Post", "Forum", 1),
        ("School", "Study", 2),
    ],
)
def test_chains_are_free(parent, child, age):
    other = {1: "Bazar", 2: "Gardens"}[age]
    _model, without = position((), hands=((child, other),), age=age, coins=0, n_players=4)
    model, state = position((parent,), hands=((child, other),), age=age, coins=0, n_players=4)
    assert f"build {child}" in offered(model, state, "build")
    assert offered(model, without, f"build {child}") == []
    turn(model, state, f"build {child}")
    assert child in built(state, 0)


def test_brown_cards_with_a_coin_cost_it():
    model, state = position(hands=(("Timber Yard", "Clay Pit"), ("Altar", "Loom"), ("Theater", "Press")))
    turn(model, state, "build Timber Yard", "build Loom", "build Press")
    assert state.coins == [2, 3, 3]


def test_income_counts_what_is_built_in_the_same_turn():
    hands = (("Vineyard", "Walls"), ("Sawmill", "School"), ("Quarry", "Library"))
    model, state = position(("Clay Pool",), (), (), hands=hands, age=1)
    turn(model, state, "build Vineyard", "build Sawmill", "build Quarry")
    assert state.coins == [6, 2, 2]


def test_the_lighthouse_counts_itself_and_the_arena_stages():
    hands = (("Lighthouse", "Study"), ("Arena", "Senate"), ("Haven", "Palace"))
    cities = (("Caravansery", "Tavern"), ("Dispensary",), ("Forum", "Mine", "Quarry"))
    model, state = position(*cities, hands=hands, age=2, stages=(0, 2, 0), coins=0, cards=2)
    turn(model, state, "build Lighthouse", "build Arena", "build Haven")
    assert state.coins == [3, 6, 2]
    assert [state.points(seat)[4] for seat in range(3)] == [3, 2, 2]


# --- hands -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("age", "to"), [(0, 1), (1, 2), (2, 1)])
def test_hands_go_left_right_left(age, to):
    model, state = position(age=age, cards=3)
    before = names_in(state, 0)
    turn(model, state)
    assert names_in(state, to) == before[1:]


def test_the_seventh_card_is_discarded():
    model, state = position(hands=(("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace")))
    turn(model, state, "build Altar", "build Loom", "build Press")
    assert state.age == 1
    assert sorted(state.discarded()) == sorted(kind(name) for name in ("Theater", "Baths", "Marketplace"))


def test_a_discard_brings_three_coins_and_lies_face_down():
    model, state = position(cards=3)
    first = names_in(state, 0)[0]
    turn(model, state)
    assert state.coins == [6, 6, 6]
    assert kind(first) == state.discarded()[0]
    assert [state.class_of(entry, 0) == -1 for entry in state.face_down] == [True, False, False]
    assert "discards: 3" in state.text(0)


def test_guilds_are_two_more_than_players():
    for n_players in range(3, 8):
        state = make_game("seven_wonders").setup(n_players, Rng(n_players))
        assert state.rules.n_guilds(n_players) == n_players + 2
        state.age = 2
        state.deal(Rng(3))
        guilds = sum(hand_size(one & GUILD_CARDS) for one in state.hands)
        assert (guilds, hand_size(state.decks[2])) == (n_players + 2, 10 - n_players - 2)
        assert state.decks[2] & ~GUILD_CARDS == 0


# --- conflicts and points ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("age", "won"), [(0, 1), (1, 3), (2, 5)])
def test_conflicts_are_worth_1_3_and_5_and_a_defeat_always_costs_1(age, won):
    armies = (("Stockade", "Barracks"), ("Stockade",), ())
    model, state = position(*armies, age=age, cards=2)
    turn(model, state)
    assert state.victories == [2 * won, won, 0]
    assert [state.conflict_points(seat) for seat in range(3)] == [2 * won, won - 1, -2]


def test_equal_armies_have_no_conflict():
    model, state = position(("Stockade",), ("Barracks",), ("Guard Tower",), age=2, cards=2)
    turn(model, state)
    assert (state.victories, state.defeats) == ([0, 0, 0], [0, 0, 0])


def test_rhodes_has_shields():
    _model, state = position(
        ("Walls", "Stockade", "Arsenal"), wonders=("Rhodes A", "Rhodes B", "Giza A"), stages=(2, 2)
    )
    assert [state.shields(seat) for seat in range(3)] == [8, 2, 0]


@pytest.mark.parametrize(
    ("symbols", "points"),
    [((1, 0, 0), 1), ((3, 0, 0), 9), ((1, 1, 1), 10), ((2, 2, 2), 26), ((4, 4, 4), 76)],
)
def test_science_is_squares_and_seven_a_set(symbols, points):
    assert best_science(*symbols, 0, 7) == points


def test_symbols_of_choice_are_the_best_ones():
    assert best_science(1, 1, 0, 1, 7) == 10
    assert best_science(4, 1, 0, 1, 7) == 26
    assert best_science(1, 1, 0, 2, 7) == 13
    wonders = ("Babylon A", "Giza A", "Rhodes A")
    _model, state = position(("Workshop", "Apothecary", "Scientists Guild"), wonders=wonders, stages=(2,))
    assert (state.free_symbols(0), state.points(0)[6]) == (2, 13)


def test_ties_are_broken_by_coins():
    model, state = position(age=2, cards=2, coins=(4, 3, 0))
    assert [state.score(seat) for seat in range(2)] == [1, 1]
    turn(model, state)
    assert (state.result(0), state.result(1), state.ordinal(1)) == (WIN, LOSE, 2)
    model, state = position(age=2, cards=2, coins=(3, 3, 0))
    turn(model, state)
    assert [state.result(seat) for seat in range(3)] == [DRAW, DRAW, LOSE]


def test_three_coins_are_a_point():
    _model, state = position(coins=(8, 9, 0))
    assert [state.points(seat)[1] for seat in range(3)] == [2, 3, 0]


@pytest.mark.parametrize(
    ("guild", "points"),
    [
        ("Workers Guild", 3),
        ("Craftsmens Guild", 4),
        ("Traders Guild", 1),
        ("Philosophers Guild", 2),
        ("Spies Guild", 1),
        ("Strategists Guild", 3),
        ("Shipowners Guild", 4),
        ("Magistrates Guild", 2),
        ("Builders Guild", 6),
    ],
)
def test_guilds_count_neighbours_and_some_the_own_city(guild, points):
    left = ("Sawmill", "Mine", "Loom", "Tavern", "School", "Altar")
    right = ("Quarry", "Press", "Library", "Walls", "Baths")
    _model, state = position((guild, "Clay Pool", "Mine", "Glassworks"), left, right, age=2, stages=(1, 2, 3))
    state.defeats = [5, 1, 2]
    assert state.points(0)[5] == points


# --- wonders -----------------------------------------------------------------------------------------------------------


def test_stages_are_built_in_order():
    model, state = position(("Quarry", "Sawmill", "Lumber Yard"), hands=(("Altar", "Theater"),), coins=0)
    for stage in range(3):
        assert "lay Altar under the wonder" in offered(model, state)
        state.stages[0] = stage + 1
        state.made[0] += 1 << 4 if stage else 0
    assert offered(model, state, "lay") == [], "the wonder is complete"
    assert state.points(0)[2] == 15


def test_the_card_under_a_stage_is_chosen_before_others_show_theirs_and_is_no_structure():
    model, state = position(("Stone Pit",), hands=(("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace")))
    act(model, state, "lay Altar under the wonder")
    assert state.is_unresolved()
    assert state.stages == [0, 0, 0]
    act(model, state, "build Loom")
    act(model, state, "build Press")
    assert (state.stages, built(state, 0), kind("Altar") in state.discarded()) == ([1, 0, 0], {"Stone Pit"}, False)


def test_a_stage_can_be_built_with_resources_of_neighbours():
    model, state = position((), ("Stone Pit",), hands=(("Altar", "Theater"),))
    assert offered(model, state, "lay Altar") == ["lay Altar under the wonder, paying 2 to the left"]


def test_babylon_plays_the_seventh_card():
    wonders = ("Babylon B", "Giza A", "Rhodes A")
    hands = (("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace"))
    model, state = position(wonders=wonders, hands=hands, stages=(2,))
    turn(model, state, "build Altar", "build Loom", "build Press")
    assert (state.phase, state.current_player, state.age) == (LAST_CARD, 0, 0)
    assert offered(model, state) == ["build Theater", "discard Theater"]
    act(model, state, "build Theater")
    assert built(state, 0) == {"Altar", "Theater"}
    assert (state.age, state.phase) == (1, CHOOSE)
    assert sorted(state.discarded()) == sorted([kind("Baths"), kind("Marketplace")])


def test_babylon_may_play_both_cards_when_its_stage_is_built_with_the_sixth():
    wonders = ("Babylon B", "Giza A", "Rhodes A")
    hands = (("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace"))
    model, state = position(("Sawmill", "Glassworks"), wonders=wonders, hands=hands, stages=(1,))
    turn(model, state, "lay Altar under the wonder", "build Loom", "build Press")
    assert (state.phase, offered(model, state, "build")) == (LAST_CARD, ["build Theater"])
    act(model, state, "discard Theater")
    assert state.coins[0] == 6


def test_halicarnassus_builds_a_discard_after_the_turn():
    wonders = ("Halicarnassus B", "Giza A", "Rhodes A")
    hands = (("Altar", "Theater", "Loom"), ("Baths", "Clay Pool", "Stone Pit"), ("Stockade", "Marketplace", "Press"))
    model, state = position(("Foundry",), wonders=wonders, hands=hands)
    turn(model, state, "lay Altar under the wonder", "discard Baths", "build Press")
    assert (state.phase, state.current_player) == (RECOVER, 0)
    assert offered(model, state) == ["build Baths from the discards", "build nothing from the discards"]
    act(model, state, "build Baths from the discards")
    assert (built(state, 0), state.coins[0], state.discarded()) == ({"Foundry", "Baths"}, 3, [])
    assert (state.phase, state.cards, state.step) == (CHOOSE, 2, 5)


def test_halicarnassus_builds_none_that_it_has_and_can_do_without():
    wonders = ("Halicarnassus B", "Giza A", "Rhodes A")
    hands = (("Altar", "Theater", "Loom"), ("Baths", "Clay Pool", "Press"))
    model, state = position(("Foundry", "Baths"), wonders=wonders, hands=hands)
    turn(model, state, "lay Altar under the wonder", "discard Baths", "discard " + names_in(state, 2)[0])
    assert "build Baths from the discards" not in offered(model, state)
    act(model, state, "build nothing from the discards")
    assert (state.phase, len(state.discarded())) == (CHOOSE, 2)


def test_last_cards_can_be_recovered():
    wonders = ("Halicarnassus B", "Babylon B", "Rhodes A")
    hands = (("Altar", "Theater"), ("Baths", "Loom"), ("Press", "Marketplace"))
    model, state = position(("Foundry",), wonders=wonders, hands=hands, stages=(0, 2))
    turn(model, state, "lay Altar under the wonder", "build Loom", "build Press")
    assert state.phase == LAST_CARD
    act(model, state, "discard Baths")
    wanted = ["Baths", "Marketplace", "Theater", "nothing"]
    assert offered(model, state) == [f"build {name} from the discards" for name in wanted]
    act(model, state, "build Theater from the discards")
    assert (state.age, built(state, 0)) == (1, {"Foundry", "Theater"})


def test_olympia_builds_once_in_each_age_without_cost():
    wonders = ("Olympia A", "Giza A", "Ephesus A")
    model, state = position(wonders=wonders, hands=(("Barracks", "Stockade", "Apothecary"),), stages=(2,), coins=0)
    free = ["build Apothecary free of cost by Olympia", "build Barracks free of cost by Olympia"]
    assert offered(model, state, "build")[:2] == free
    turn(model, state, free[1])
    assert offered(model, state, "build") == [text for text in offered(model, state, "build") if "Olympia" not in text]
    turn(model, state)
    assert (state.age, state.is_free_used) == (1, False)


def test_olympia_buys_cheaply_and_copies_the_best_guild():
    wonders = ("Olympia B", "Giza A", "Rhodes A")
    model, state = position(wonders=wonders, hands=(("Baths", "Altar"),), stages=(1,))
    assert offered(model, state, "build Baths") == ["build Baths, paying 1 to the left"]
    cities = ((), ("Spies Guild", "Builders Guild", "Walls"), ("Scientists Guild", "Stockade"))
    _model, state = position(*cities, wonders=wonders, age=2, stages=(3, 2, 1))
    assert state.points(0)[5] == 6
    state.stages[0] = 2
    assert state.points(0)[5] == 0


def test_a_copied_guild_of_scientists_is_a_symbol():
    wonders = ("Olympia B", "Giza A", "Rhodes A")
    science = ("Workshop", "Laboratory", "Apothecary", "Dispensary")
    _model, state = position(science, ("Scientists Guild",), wonders=wonders, age=2, stages=(3,))
    assert (state.points(0)[5], state.points(0)[6]) == (8, 8)
    assert state.score(0) == sum(state.points(0))


def test_ephesus_gets_coins_once():
    wonders = ("Ephesus A", "Giza A", "Rhodes A")
    model, state = position(("Sawmill",), wonders=wonders, hands=(("Altar", "Theater"),), stages=(1,))
    turn(model, state, "lay Altar under the wonder")
    assert state.coins[0] == 12


def test_sides_are_dealt_as_the_parameter_says():
    for sides, wanted in (("a", {0}), ("b", {1}), ("random", {0, 1})):
        found = set()
        for seed in range(10):
            state = make_game(f"seven_wonders:sides={sides}").setup(7, Rng(seed))
            assert len({wonder // 2 for wonder in state.wonders}) == 7
            found |= {wonder % 2 for wonder in state.wonders}
        assert found == wanted


def test_a_reduced_price_is_not_above_the_usual_one():
    with pytest.raises(ParameterError, match="low_price cannot be 3 above price; the nearest value is 2"):
        SevenWondersParameters(low_price=3)


def test_another_player_is_asked_first_in_each_turn():
    model, state = position(cards=4)
    asked = []
    for _turn in range(3):
        asked.append(int(state.current_player))
        turn(model, state)
    assert asked == [0, 1, 2]
    assert kinds_in(1, state.hands[0])
