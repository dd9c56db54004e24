"""Exploding Kittens: the printed rules of the 2015 original, sentence by sentence."""

import pytest
from exploding_kittens_positions import (
    ATTACK,
    BEARD,
    DEFUSE,
    FAVOR,
    KITTEN,
    MELON,
    NOPE,
    POTATO,
    RAINBOW,
    SEE,
    SHUFFLE,
    SKIP,
    TACO,
    available,
    discarded,
    hand,
    observations,
    passes,
    pile,
    play,
    played,
    position,
    random_positions,
    sizes,
)

from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING
from tag.errors import TagError
from tag.games.cards.exploding_kittens import ExplodingKittens, ExplodingKittensParameters
from tag.games.cards.exploding_kittens.actions import (
    Attack,
    Demand,
    Draw,
    Explode,
    Favor,
    FiveDifferent,
    Give,
    Lay,
    Nope,
    Pair,
    Reinsert,
    Retrieve,
    SeeTheFuture,
    Shuffle,
    Skip,
    Three,
)
from tag.games.cards.exploding_kittens.data import size
from tag.table.events import event_texts

PASS = DO_NOTHING

# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_everybody_gets_a_defuse_and_seven_other_cards(n_players):
    state = ExplodingKittens().setup(n_players, Rng(1))
    for player in range(n_players):
        assert len(hand(state, player)) == state.size(player) == 8
        assert hand(state, player).count(DEFUSE) == 1
        assert KITTEN not in hand(state, player)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_one_kitten_fewer_than_players_goes_into_the_pile(n_players):
    assert pile(ExplodingKittens().setup(n_players, Rng(1))).count(KITTEN) == n_players - 1


@pytest.mark.parametrize(("n_players", "spare"), [(2, 2), (3, 3), (4, 2), (5, 1)])
def test_defuses_left_over_go_into_the_pile_but_two_only_with_two_players(n_players, spare):
    assert pile(ExplodingKittens().setup(n_players, Rng(1))).count(DEFUSE) == spare


def test_box_has_56_cards():
    state = ExplodingKittens().setup(5, Rng(1))
    cards = pile(state) + [card for player in range(5) for card in hand(state, player)]
    assert len(cards) == 56
    counts = [4, 6, 4, 4, 4, 4, 5, 5, 4, 4, 4, 4, 4]
    assert [cards.count(kind) for kind in range(13)] == counts


def test_first_leaflets_deal_four_cards():
    state = ExplodingKittens(ExplodingKittensParameters(hand_cards=4)).setup(3, Rng(1))
    assert sizes(state) == [5, 5, 5]


@pytest.mark.parametrize(("n_players", "spare"), [(2, 2), (3, 2), (4, 2), (5, 1)])
def test_rules_of_2024_leave_two_defuses_at_most(n_players, spare):
    state = ExplodingKittens(ExplodingKittensParameters(spare_defuses=2)).setup(n_players, Rng(1))
    assert pile(state).count(DEFUSE) == spare


def test_rules_of_2024_shuffle_the_defuses_in_before_the_deal():
    model = ExplodingKittens(ExplodingKittensParameters(spare_defuses=2, early_defuses=True))
    dealt = set()
    for seed in range(20):
        state = model.setup(4, Rng(seed))
        in_hands = sum(hand(state, player).count(DEFUSE) for player in range(4))
        dealt.add(in_hands)
        assert in_hands + pile(state).count(DEFUSE) == 6
        assert sizes(state) == [8] * 4
    assert dealt == {4, 5, 6}


# --- turns ------------------------------------------------------------------------------------------------------------


def test_drawing_ends_the_turn():
    state = play(position([[SKIP], [SKIP]]), Draw())
    assert hand(state, 0) == [SKIP, TACO]
    assert state.current_player == 1
    assert state.turn == 1


def test_any_number_of_cards_can_be_played_before_drawing():
    state = position([[SEE, SEE, SHUFFLE], [SKIP]])
    played(state, SeeTheFuture(), Shuffle(), SeeTheFuture())
    assert state.turn == 0
    assert state.current_player == 0
    assert available(state) == ["draw"]


def test_playing_nothing_is_allowed_and_drawing_always_possible():
    assert "draw" in available(position([[SKIP, ATTACK], [SKIP]]))


def test_defuse_nope_and_cats_do_nothing_alone():
    assert available(position([[DEFUSE, NOPE, TACO, MELON], [SKIP]])) == ["draw"]


# --- kittens ----------------------------------------------------------------------------------------------------------


def test_kitten_without_defuse_explodes_at_once():
    state = play(position([[SKIP, TACO], [SKIP], [SKIP]], [KITTEN, TACO, KITTEN]), Draw())
    assert state.result(0) == LOSE
    assert hand(state, 0) == []
    assert [discarded(state, kind) for kind in (KITTEN, SKIP, TACO)] == [1, 1, 1]
    assert state.current_player == 1
    assert not state.is_terminal


def test_rules_of_2024_leave_the_dead_their_cards_face_down():
    hands = [[SKIP, TACO], [FAVOR], [SEE]]
    state = play(position(hands, [KITTEN, TACO, KITTEN]), Draw(), keep_dead_hands=True)
    assert hand(state, 0) == [SKIP, TACO]
    assert size(state.discards) == 1
    assert available(state, keep_dead_hands=True) == ["draw", "Favor of player 2"]
    found = {tuple(hand(seen, 0)) for seen in observations(state, 1, 200)}
    assert (SKIP, TACO) in found
    assert len(found) == 4


def test_defuse_puts_the_kitten_back_where_its_player_wants():
    for depth in range(4):
        state = play(position([[DEFUSE], [SKIP]], [KITTEN, TACO, MELON, BEARD]), Draw())
        assert state.current_player == 0
        play(state, Reinsert(0, depth))
        expected = [TACO, MELON, BEARD]
        expected.insert(depth, KITTEN)
        assert pile(state) == expected
        assert hand(state, 0) == []
        assert discarded(state, DEFUSE) == 1
        assert state.current_player == 1


def test_all_places_are_offered_and_the_defuse_can_be_withheld():
    state = play(position([[DEFUSE], [SKIP], [SKIP]], [KITTEN, TACO, KITTEN]), Draw())
    assert len(available(state)) == 3 + 1
    play(state, Explode())
    assert state.result(0) == LOSE
    assert discarded(state, DEFUSE) == 1


def test_defuse_cannot_be_noped():
    state = play(position([[DEFUSE], [NOPE]], [KITTEN, TACO]), Draw(), Reinsert(0, 1))
    assert state.current_player == 1
    assert available(state) == ["draw"]


def test_last_player_left_wins_and_places_are_in_order_of_explosion():
    state = play(position([[], [], []], [KITTEN, KITTEN, TACO]), Draw(), Draw())
    assert state.is_terminal
    assert [state.result(player) for player in range(3)] == [LOSE, LOSE, WIN]
    assert [state.ordinal(player) for player in range(3)] == [3, 2, 1]
    assert [state.score(player) for player in range(3)] == [0.0, 1.0, 2.0]


def test_exploded_players_are_skipped():
    state = play(position([[], [], []], [KITTEN, TACO, MELON, KITTEN]), Draw(), Draw(), Draw())
    assert state.current_player == 1


# --- attack and skip --------------------------------------------------------------------------------------------------


def test_attack_ends_the_turn_without_drawing_and_the_next_player_takes_two():
    state = played(position([[ATTACK], [], []]), Attack())
    assert hand(state, 0) == []
    assert (state.current_player, state.due) == (1, 2)
    play(state, Draw())
    assert (state.current_player, state.due) == (1, 1)
    play(state, Draw())
    assert (state.current_player, state.due) == (2, 1)


@pytest.mark.parametrize("first", [[], [Draw()]])
def test_attack_of_a_victim_ends_all_its_turns_and_the_next_takes_two(first):
    state = played(position([[ATTACK], [ATTACK], []]), Attack(), *first, Attack())
    assert (state.current_player, state.due) == (2, 2)


@pytest.mark.parametrize(("first", "due"), [([], 4), ([Draw()], 3)])
def test_attacks_add_the_turns_left_in_later_printings(first, due):
    state = position([[ATTACK], [ATTACK], []])
    played(state, Attack(), *first, Attack(), attacks_stack=True)
    assert (state.current_player, state.due) == (2, due)


def test_stacking_counts_no_turn_of_a_player_who_was_not_attacked():
    state = played(position([[ATTACK], []]), Attack(), attacks_stack=True)
    assert state.due == 2


def test_turns_of_an_attack_are_a_parameter():
    assert played(position([[ATTACK], []]), Attack(), attack_turns=3).due == 3


def test_skip_ends_the_turn_without_drawing():
    state = played(position([[SKIP], []]), Skip())
    assert hand(state, 0) == []
    assert (state.current_player, state.turn) == (1, 1)


def test_skip_ends_one_turn_of_an_attack_only():
    state = played(position([[ATTACK], [SKIP], []]), Attack(), Skip())
    assert (state.current_player, state.due) == (1, 1)


def test_defusing_ends_one_turn_of_an_attack_only():
    state = played(position([[ATTACK], [DEFUSE]], [KITTEN, TACO, TACO]), Attack(), Draw(), Reinsert(1, 2))
    assert (state.current_player, state.due) == (1, 1)


def test_explosion_leaves_no_turns_to_the_next_player():
    state = played(position([[ATTACK], [], []], [KITTEN, TACO, TACO, KITTEN]), Attack(), Draw())
    assert (state.current_player, state.due, state.attacked) == (2, 1, False)


# --- favor, shuffle, see the future -----------------------------------------------------------------------------------


def test_favor_lets_the_other_player_choose_a_card():
    state = played(position([[FAVOR], [SKIP, TACO, TACO], []]), Favor(1))
    assert state.current_player == 1
    assert available(state) == ["give player 0 Skip", "give player 0 Tacocat"]
    play(state, Give(1, 0, TACO))
    assert hand(state, 0) == [TACO]
    assert hand(state, 1) == [SKIP, TACO]
    assert (state.current_player, state.turn) == (0, 0)


def test_players_without_cards_or_out_of_the_game_are_no_victims():
    state = position([[FAVOR, TACO, TACO], [], [SKIP]])
    assert available(state) == ["draw", "Favor of player 2", "pair of Tacocat against player 2"]


def test_favor_of_a_player_who_noped_with_the_last_card_has_no_effect():
    state = play(position([[FAVOR, NOPE], [NOPE]]), Favor(1), Nope(), Nope())
    passes(state)
    assert state.current_player == 0
    assert available(state) == ["draw"]


def test_shuffle_shuffles_the_pile():
    cards = [TACO, MELON, POTATO, BEARD, RAINBOW, KITTEN, SKIP, SEE]
    state = played(position([[SHUFFLE], []], cards), Shuffle())
    assert sorted(pile(state)) == sorted(cards)
    assert state.current_player == 0


def test_see_the_future_changes_nothing():
    state = position([[SEE], []])
    before = pile(state)
    played(state, SeeTheFuture())
    assert pile(state) == before
    assert state.current_player == 0


# --- combinations -----------------------------------------------------------------------------------------------------


def test_pair_takes_a_random_card():
    taken = set()
    for seed in range(30):
        state = played(position([[TACO, TACO], [SKIP, SKIP, SEE, MELON], []]), Pair(TACO, 1), seed=seed)
        assert sum(sizes(state)) == 4
        assert discarded(state, TACO) == 2
        taken.update(hand(state, 0))
        passes(state)
    assert taken <= {SKIP, SEE, MELON}


def test_each_card_is_as_likely_to_be_taken():
    state = position([[], [SKIP, SKIP, SKIP, MELON]])
    rng = Rng(1)
    drawn = [state.random_card(1, rng) for _each in range(2000)]
    assert drawn.count(SKIP) == pytest.approx(1500, abs=100)
    assert set(drawn) == {SKIP, MELON}


@pytest.mark.parametrize("kind", [DEFUSE, ATTACK, SKIP, FAVOR, SHUFFLE, SEE, NOPE, TACO])
def test_any_two_equal_cards_are_a_pair_whose_instructions_do_not_count(kind):
    state = played(position([[kind, kind], [RAINBOW]]), Pair(kind, 1))
    assert hand(state, 0) == [RAINBOW]
    assert (state.current_player, state.turn) == (0, 0)


def test_only_cats_are_pairs_without_the_special_combinations():
    hands = [[SKIP, SKIP, TACO, TACO, TACO, MELON, POTATO, BEARD], [SKIP]]
    assert available(position(hands), special_combos=False) == ["draw", "Skip", "pair of Tacocat against player 1"]


def test_two_different_cats_are_no_pair():
    assert available(position([[TACO, MELON], [SKIP]])) == ["draw"]


def test_three_of_a_kind_take_the_card_named():
    state = play(position([[TACO] * 3, [SKIP, DEFUSE], [SKIP]]), Three(TACO, 1))
    assert len(available(state)) == 12
    played(state, Demand(1, DEFUSE))
    assert hand(state, 0) == [DEFUSE]
    assert hand(state, 1) == [SKIP]
    assert discarded(state, TACO) == 3
    assert state.current_player == 0


def test_three_of_a_kind_get_nothing_if_the_card_is_not_there():
    state = played(play(position([[TACO] * 3, [SKIP], [SKIP]]), Three(TACO, 1)), Demand(1, DEFUSE))
    assert hand(state, 0) == []
    assert hand(state, 1) == [SKIP]


def test_five_different_cards_take_any_card_from_the_discards():
    state = play(position([[SKIP, TACO, MELON, POTATO, BEARD], []], discards=[DEFUSE, KITTEN, NOPE]), FiveDifferent())
    play(state, Lay(SKIP), Lay(TACO), Lay(MELON), Lay(POTATO), Lay(BEARD))
    passes(state)
    names = ["Defuse", "Skip", "Nope", "Tacocat", "Cattermelon", "Hairy Potato Cat", "Beard Cat"]
    assert available(state) == [f"take {name} from the discards" for name in names]
    play(state, Retrieve(DEFUSE))
    assert hand(state, 0) == [DEFUSE]
    assert discarded(state, DEFUSE) == 0
    assert (state.current_player, state.turn) == (0, 0)


def test_five_different_cards_are_nothing_in_the_rules_of_2024():
    hands = [[SKIP, SKIP, TACO, MELON, POTATO, BEARD], [SEE]]
    assert "five different cards" in available(position(hands))
    found = available(position(hands), five_different=False)
    assert found == ["draw", "Skip", "pair of Skip against player 1"]


def test_five_cards_can_be_chosen_among_more_in_one_order_only():
    state = play(position([[SKIP, SEE, TACO, MELON, POTATO, BEARD], []]), FiveDifferent())
    assert available(state) == ["lay down Skip", "lay down See the Future"]
    play(state, Lay(SEE))
    assert available(state) == ["lay down Tacocat"]


def test_five_cards_with_two_alike_are_not_five_different():
    assert "five different cards" not in available(position([[SKIP, SKIP, TACO, MELON, POTATO], []]))


# --- nope -------------------------------------------------------------------------------------------------------------


def test_nope_stops_a_card_and_both_are_lost():
    state = passes(play(position([[ATTACK], [NOPE], []]), Attack(), Nope()))
    assert (state.current_player, state.turn, state.due) == (0, 0, 1)
    assert hand(state, 0) == hand(state, 1) == []
    assert [discarded(state, kind) for kind in (ATTACK, NOPE)] == [1, 1]


def test_nope_can_be_noped():
    state = passes(play(position([[ATTACK, NOPE], [NOPE], []]), Attack(), Nope(), PASS, Nope()))
    assert (state.current_player, state.due) == (1, 2)


def test_any_number_of_nopes_can_follow():
    state = play(position([[ATTACK, NOPE], [NOPE, NOPE], []]), Attack(), Nope(), PASS, Nope())
    assert state.current_player == 1
    passes(play(state, Nope()))
    assert (state.current_player, state.turn) == (0, 0)


def test_everybody_is_asked_in_turn_from_the_left_with_or_without_a_nope():
    state = play(position([[TACO], [SKIP], [NOPE], [NOPE]]), Draw(), Skip())
    asked = []
    while state.turn_player == 1:
        asked.append(state.current_player)
        play(state, PASS)
    assert asked == [2, 3, 0]
    assert state.current_player == 2


def test_after_a_nope_everybody_else_is_asked_again_from_the_left_of_its_player():
    state = play(position([[SKIP], [], [NOPE], [], []]), Skip(), PASS, Nope())
    asked = []
    for _each in range(4):
        asked.append(state.current_player)
        play(state, PASS)
    assert asked == [3, 4, 0, 1]
    assert (state.current_player, state.turn) == (0, 0)


def test_who_has_no_nope_can_only_pass():
    state = play(position([[SKIP], [SKIP], [NOPE]]), Skip())
    assert available(state) == ["pass"]
    play(state, PASS)
    assert available(state) == ["pass", "Nope"]


def test_players_who_exploded_are_not_asked():
    state = position([[], [SKIP], []], [KITTEN, TACO, KITTEN])
    play(state, Draw(), Skip())
    assert state.current_player == 2
    play(state, PASS)
    assert (state.current_player, state.turn) == (2, 2)


def test_own_cards_cannot_be_noped_unless_a_parameter_says_so():
    state = play(position([[SKIP, NOPE], []]), Skip(), PASS)
    assert state.current_player == 1
    assert state.turn == 1
    state = play(position([[SKIP, NOPE], []], nope_own=True), Skip(), PASS, nope_own=True)
    assert (state.current_player, state.turn) == (0, 0)
    passes(play(state, Nope(), nope_own=True), nope_own=True)
    assert (state.current_player, state.turn) == (0, 0)


@pytest.mark.parametrize("kind", [FAVOR, SHUFFLE, SEE, SKIP])
def test_each_card_can_be_stopped(kind):
    action = {FAVOR: Favor(1), SHUFFLE: Shuffle(), SEE: SeeTheFuture(), SKIP: Skip()}[kind]
    state = position([[kind], [NOPE, TACO]])
    before = pile(state)
    passes(play(state, action, Nope()))
    assert pile(state) == before
    assert hand(state, 1) == [TACO]
    assert available(state) == ["draw"]


def test_combinations_can_be_stopped():
    state = passes(play(position([[TACO, TACO], [NOPE, SKIP]]), Pair(TACO, 1), Nope()))
    assert hand(state, 0) == []
    state = passes(play(position([[TACO] * 3, [NOPE, SKIP]]), Three(TACO, 1), Demand(1, SKIP), Nope()))
    assert hand(state, 0) == []
    state = play(position([[SKIP, TACO, MELON, POTATO, BEARD], [NOPE]]), FiveDifferent())
    play(state, Lay(SKIP), Lay(TACO), Lay(MELON), Lay(POTATO), Lay(BEARD))
    passes(play(state, Nope()))
    assert hand(state, 0) == []
    assert available(state) == ["draw"]


# --- the whole --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_no_card_is_ever_lost_and_kittens_are_one_fewer_than_players(n_players):
    for state in random_positions(n_players, 5, games=3):
        cards = pile(state) + [card for player in range(n_players) for card in hand(state, player)]
        kittens = cards.count(KITTEN) + (state.exploding >= 0)
        assert kittens == n_players - len(state.out) - 1
        start = 46 + n_players + (2 if n_players == 2 else 6 - n_players) + n_players - 1
        assert len(cards) + (state.exploding >= 0) + size(state.discards) == start
        assert [len(hand(state, player)) for player in range(n_players)] == sizes(state)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"hand_cards": 10}, "hand_cards cannot be 10"),
        ({"two_player_defuses": 5}, "two_player_defuses cannot be 5"),
        ({"hand_cards": 0}, "hand_cards"),
        ({"attacks": -1}, "attacks"),
    ],
)
def test_settings_that_cannot_be_dealt_are_refused(values, words):
    with pytest.raises(TagError, match=words):
        ExplodingKittensParameters(**values)


def test_empty_deck_is_refused():
    names = ["attacks", "skips", "favors", "shuffles", "see_the_futures", "nopes", "cats"]
    with pytest.raises(TagError, match="a deck of 0 cards"):
        ExplodingKittensParameters(**dict.fromkeys(names, 0))


# --- Events -----------------------------------------------------------------------------------------------------------


def told(state, viewer, *actions):
    """Return what ``viewer`` is told of actions that nobody nopes."""
    state.recording = True
    played(state, *actions)
    return event_texts(state.announced, viewer)


def test_events_of_a_draw_show_the_card_to_the_player_and_to_those_who_have_looked():
    state = position([[SEE, SKIP], [TACO], [TACO]], [MELON, TACO, KITTEN])
    assert told(state, 0, SeeTheFuture(), Skip())[0] == (
        "player 0 sees Cattermelon, Tacocat, Exploding Kitten from the top of the pile"
    )
    assert event_texts(state.announced, 1)[0] == "player 0 sees 3 cards from the top of the pile"
    state.announced = ()
    told(state, 0, Draw())
    assert [event_texts(state.announced, viewer) for viewer in range(3)] == [
        ["player 1 draws Cattermelon"],
        ["player 1 draws Cattermelon"],
        ["player 1 draws a card"],
    ]


def test_events_tell_who_explodes_and_why():
    state = position([[TACO], [TACO], [TACO]], [KITTEN, TACO, KITTEN])
    assert told(state, 1, Draw()) == [
        "player 0 draws an Exploding Kitten",
        "player 0 explodes: no Defuse in hand",
        "player 0 discards Tacocat",
    ]
    state = position([[DEFUSE], [TACO], [TACO]], [KITTEN, TACO, KITTEN])
    assert told(state, 1, Draw(), Explode())[1] == "player 0 explodes: the Defuse is kept"


def test_events_tell_what_is_noped_and_how_many_turns_follow():
    state = position([[ATTACK, ATTACK], [NOPE], [TACO]])
    state.recording = True
    passes(play(state, Attack(), Nope()))
    assert event_texts(state.announced, 2) == ["Attack has no effect: Nope"]
    state.announced = ()
    assert told(state, 2, Attack()) == ["player 1 has to take 2 turns"]


def test_events_of_a_theft_hide_the_card_from_others():
    state = position([[MELON, MELON], [TACO], [SKIP]])
    assert told(state, 2, Pair(MELON, 1)) == ["player 0 gets a card from player 1"]
    assert event_texts(state.announced, 1) == ["player 0 gets Tacocat from player 1"]
