"""Sushi Go! against the printed rules (Gamewright, 2013), by the headings of the booklet."""

import pickle
from itertools import permutations

import pytest
from sushi_go_positions import all_cards, cards, has_chosen, letters, offered, play, position

from tag import Listener, packed_size
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError, PlayersError
from tag.games.cards.sushi_go import SushiGo, SushiGoParameters
from tag.games.cards.sushi_go.actions import ChooseCard, ChooseTwo
from tag.games.cards.sushi_go.data import NAMES, listed, packed, unit
from tag.games.cards.sushi_go.rules import most_and_fewest, most_and_second
from tag.orders import GameOrder, new_game
from tag.table.events import event_texts


def laid(cards_in_order, **parameters):
    """Return the table and the points of a player who has laid these cards, one in each turn."""
    table, points = "", 0
    for card in cards_in_order:
        model, state = position(f"{card}pp", "ppp", tables=(table, ""), scored=(points, 0), **parameters)
        play(model, state, card, "p")
        table, points = letters(state.tables[0]), state.points[0]
    return table, points


# --- Contents, Setup --------------------------------------------------------------------------------------------------


def test_contents_108_cards():
    deck = SushiGoParameters().deck()
    assert deck == [14, 14, 14, 6, 12, 8, 5, 10, 5, 10, 6, 4]
    assert sum(deck) == 108


@pytest.mark.parametrize(("n_players", "hand"), [(2, 10), (3, 9), (4, 8), (5, 7)])
def test_setup_deals_by_the_number_of_players(n_players, hand):
    state = SushiGo().setup(n_players, Rng(3))
    assert [packed_size(held) for held in state.hands] == [hand] * n_players
    assert state.deck_size == packed_size(state.deck) == 108 - n_players * hand
    assert all_cards(state) == packed(SushiGoParameters().deck())


def test_setup_is_for_two_to_five():
    for n_players in (1, 6):
        with pytest.raises(PlayersError, match="2-5 players"):
            SushiGo().setup(n_players, Rng(1))


# --- How to play ------------------------------------------------------------------------------------------------------


def test_how_to_play_each_kind_of_card_in_hand_can_be_chosen():
    model, state = position("ttd3pwc", "sssssss")
    assert offered(model, state) == ["t", "d", "3", "p", "w", "c"]


def test_how_to_play_cards_are_shown_when_all_have_chosen():
    model, state = position("td3", "sse", "nnq")
    play(model, state, "t", "s")
    assert has_chosen(state) == [True, True, False]
    assert (state.tables, state.hands) == ([0, 0, 0], [cards(hand) for hand in ("td3", "sse", "nnq")])
    play(model, state, "q")
    assert [letters(table) for table in state.tables] == ["t", "s", "q"]


def test_how_to_play_hands_are_passed_to_the_left():
    model, state = position("td3", "sse", "nnq")
    play(model, state, "t", "s", "q")
    assert [letters(hand) for hand in state.hands] == ["nn", "d3", "se"]


def test_how_to_play_the_last_card_is_shown_without_a_choice():
    model, state = position("tp", "sp", dealt=10)
    play(model, state, "t", "s")
    assert (state.round, state.puddings, state.cards) == (1, (1, 1), 10)


def test_how_to_play_all_but_puddings_are_discarded_and_the_rest_of_the_deck_is_dealt():
    model, state = position("tw", "p2", tables=("Qc", "dd"), dealt=10)
    play(model, state, "t", "p")
    assert (state.puddings, state.tables) == ((0, 1), [0, 0])
    assert letters(state.discards) == "tdd2qwwc"
    assert state.deck_size == 108 - 9 - 20


def test_how_to_play_a_game_has_three_rounds():
    model = SushiGo()
    for n_players in range(2, 6):
        rng = Rng(n_players)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            model.next(state, model.random_action(state, rng), rng)
        assert state.round == 3
        assert state.tick == 3 * n_players * (model.rules.hand_size(n_players) - 1)


# --- Scoring: maki rolls ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("icons", "points"),
    [
        ([5, 3, 1, 0], [6, 3, 0, 0]),
        ([5, 5, 3], [3, 3, 0]),
        ([4, 4, 4, 4, 1], [1, 1, 1, 1, 0]),
        ([7, 2, 2], [6, 1, 1]),
        ([7, 2, 2, 2, 2], [6, 0, 0, 0, 0]),
        ([3, 0], [6, 0]),
        ([0, 0, 0], [0, 0, 0]),
    ],
    ids=["second", "tie for most", "remainder", "tie for second", "nothing left", "second without rolls", "none"],
)
def test_maki_most_and_second_most_shared_without_remainder(icons, points):
    assert most_and_second(icons, 6, 3) == points


def test_maki_counts_rolls_and_not_cards():
    model, state = position("3t", "1t", tables=("3", "111"))
    play(model, state, "3", "1")  # six rolls against four on more cards
    assert state.points == [6, 3]


# --- Scoring: tempura, sashimi, dumplings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards_in_order", "points"),
    [
        ("t", 0),
        ("tt", 5),
        ("ttt", 5),
        ("tttt", 10),
        ("ss", 0),
        ("sss", 10),
        ("sssss", 10),
        ("ssssss", 20),
        ("d", 1),
        ("dd", 3),
        ("ddd", 6),
        ("dddd", 10),
        ("ddddd", 15),
        ("ddddddd", 15),
        ("eee", 3),
        ("nn", 4),
        ("qq", 6),
        ("wwcc", 0),
    ],
)
def test_scoring_sets_and_nigiri(cards_in_order, points):
    """Scoring: Tempura, Sashimi, Dumplings, Nigiri; wasabi and chopsticks alone are worth nothing."""
    assert laid(cards_in_order)[1] == points


# --- Special cards: wasabi --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nigiri", "points"), [("e", 3), ("n", 6), ("q", 9)])
def test_wasabi_triples_the_next_nigiri(nigiri, points):
    assert laid(f"w{nigiri}") == (nigiri.upper(), points)


def test_wasabi_takes_one_nigiri_only():
    assert laid("weq") == ("qE", 3 + 3)
    assert laid("wweq") == ("EQ", 3 + 9)


def test_wasabi_takes_no_nigiri_laid_before():
    assert laid("qw") == ("qw", 3)


def test_wasabi_has_to_take_the_next_nigiri():
    model, state = position("eqp", "ppp", tables=("w", ""))
    assert offered(model, state) == ["e", "q", "p"]
    play(model, state, "e", "p")
    assert letters(state.tables[0]) == "E"


# --- Special cards: chopsticks ----------------------------------------------------------------------------------------


def test_chopsticks_are_for_a_later_turn():
    model, state = position("ctd", "ppp")
    assert offered(model, state) == ["t", "d", "c"]
    play(model, state, "c", "p")
    assert offered(model, state) == ["t", "d"]  # player 1 is asked first in this turn
    play(model, state, "t")
    assert offered(model, state) == ["p", "pp"]


def test_chopsticks_take_two_cards_and_go_into_the_hand_that_is_passed():
    model, state = position("tds", "ppe", tables=("c", ""))
    play(model, state, "td", "p")
    assert [letters(table) for table in state.tables] == ["td", ""]
    assert [letters(hand) for hand in state.hands] == ["ep", "sc"]
    assert all_cards(state) == packed(SushiGoParameters().deck())


def test_chopsticks_need_not_be_used_and_one_can_be_used_in_a_turn():
    model, state = position("tdd", "ppe", tables=("cc", ""))
    assert offered(model, state) == ["t", "d", "td", "dd"]
    play(model, state, "dd", "p")
    assert letters(state.tables[0]) == "ddc"
    model, state = position("tdd", "ppe", tables=("cc", ""))
    play(model, state, "t", "p")
    assert letters(state.tables[0]) == "tcc"


def test_chopsticks_can_take_the_last_two_cards_and_chopsticks():
    model, state = position("tc", "pp", tables=("c", ""), rounds=1)
    play(model, state, "tc", "p")
    assert state.is_terminal
    assert letters(state.discards) == "tcc"


@pytest.mark.parametrize(
    ("hand", "table", "doubles"),
    [
        ("qw", "c", ["qw", "wq"]),
        ("qw", "cw", ["qw"]),
        ("eq", "cw", ["eq", "qe"]),
        ("eq", "c", ["eq"]),
        ("eq", "cww", ["eq"]),
        ("qq", "cw", ["qq"]),
        ("tw", "c", ["tw"]),
    ],
)
def test_chopsticks_leave_the_order_of_two_cards_to_the_player_where_it_matters(hand, table, doubles):
    model, state = position(hand, "pp", tables=(table, ""))
    assert [found for found in offered(model, state) if len(found) > 1] == doubles


def test_chopsticks_play_wasabi_and_nigiri_in_the_order_chosen():
    for text, table, points in (("wq", "Q", 9), ("qw", "qw", 3)):
        model, state = position("wqp", "ppp", tables=("c", ""))
        play(model, state, text, "p")
        assert (letters(state.tables[0]), state.points[0]) == (table, points)


# --- Ending the game --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("puddings", "points"),
    [
        ((4, 3, 0, 0), [6, 0, -3, -3]),
        ((2, 2, 1), [3, 3, -6]),
        ((3, 1), [6, 0]),
        ((1, 1, 1), [0, 0, 0]),
        ((0, 0), [0, 0]),
        ((5, 0, 0, 0, 0), [6, -1, -1, -1, -1]),
        ((2, 2, 2, 2, 1), [1, 1, 1, 1, -6]),
    ],
    ids=["booklet", "tie for most", "two players", "all equal", "none", "tie for fewest", "remainder"],
)
def test_puddings_most_and_fewest(puddings, points):
    assert most_and_fewest(puddings, 6, 6) == points


def finished(points, puddings, n_players=3):
    """Return the end of a game in which the last cards, tempura, score nothing."""
    model, state = position(*["tt"] * n_players, scored=points, kept=puddings, rounds=1, tempura_points=0)
    return play(model, state, *["t"] * n_players)


def test_winner_has_most_points_with_those_for_puddings():
    state = finished((20, 25, 22), (3, 0, 1))
    assert (state.points, state.results) == ([26, 19, 22], (WIN, LOSE, LOSE))


def test_winner_of_a_tie_has_most_puddings():
    state = finished((20, 26, 10), (3, 1, 0))
    assert (state.points, state.results) == ([26, 26, 4], (WIN, LOSE, LOSE))
    assert [state.ordinal(player) for player in range(3)] == [1, 2, 3]


def test_points_can_be_below_zero():
    state = finished((0, 4, 4), (0, 1, 2))
    assert state.points == [-6, 4, 10]
    assert [part.value for part in state.components() if part.name.startswith("points")] == [-6, 4, 10]


def test_winner_is_none_where_puddings_are_equal_too():
    assert finished((20, 20, 10), (1, 1, 0)).results == (DRAW, DRAW, LOSE)


# --- Variants and rulings ---------------------------------------------------------------------------------------------


def test_pass_both_ways_goes_to_the_right_in_the_second_round():
    model = SushiGo(SushiGoParameters(both_ways=True))
    rng = Rng(6)
    state = model.setup(3, rng)
    compared = set()
    while not state.is_terminal:
        before, passed_in = state.hands[:], int(state.round)
        for seat in range(3):
            state.current_player = seat
            chosen = model.available_actions(state)[0]
            before[seat] -= int(unit(chosen.card))
            model.next(state, chosen, rng)
        if state.round == passed_in:
            shift = -1 if passed_in == 1 else 1
            assert [state.hands[(seat + shift) % 3] for seat in range(3)] == before
            compared.add(passed_in)
    assert compared == {0, 1, 2}


def test_a_deck_that_is_too_small_takes_the_discards():
    model = SushiGo(SushiGoParameters(rounds=8))
    rng = Rng(2)
    state = model.setup(5, rng)
    while not state.is_terminal:
        model.next(state, model.random_action(state, rng), rng)
        assert all_cards(state) == packed(SushiGoParameters().deck())
    assert state.round == 8


def test_dumplings_as_in_tag_before_november_2025():
    increments = {"dumpling_2": 3, "dumpling_3": 6, "dumpling_4": 10, "dumpling_5": 15, "dumpling_6": 15}
    assert [laid("d" * number, **increments)[1] for number in (1, 2, 5, 7)] == [1, 4, 35, 65]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tempura": 16}, "tempura cannot be 16; the range is 0..15, the nearest value 15"),
        ({"hand_2": 1}, "hand_2 cannot be 1; the range is 2..12, the nearest value 2"),
        (
            dict.fromkeys(["tempura", "sashimi", "dumplings", "maki_1", "maki_2", "salmon"], 0),
            "hand_4 cannot be 8 with a deck of 28 cards beside the puddings; the nearest value is 7",
        ),
    ],
)
def test_parameters_that_cannot_be_dealt_are_refused(values, message):
    with pytest.raises(ParameterError) as refused:
        SushiGo(SushiGoParameters(**values))
    assert message in str(refused.value)


def test_actions_keep_what_is_chosen_secret():
    model, state = position("wqp", "ppp", tables=("c", ""))
    assert ChooseTwo(10, 8).text(state, 0) == "choose wasabi, then squid nigiri, with chopsticks"
    assert ChooseTwo(10, 8).text(state, 1) == ChooseCard(8).text(state, 1) == "choose in secret"
    assert pickle.loads(pickle.dumps(model.available_actions(state)[0])) is model.available_actions(state)[0]


# --- the order of asking ----------------------------------------------------------------------------------------------


def chooser(seed):
    """Return a player that chooses by its hand, the tables and the points alone."""

    def choose(model, state, seat):
        actions = model.available_actions(state)
        text = repr((seed, seat, int(state.round), int(state.cards), state.hands[seat], state.tables, state.points))
        return actions[sum(text.encode()) * 31 % len(actions)]

    return choose


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_the_order_of_asking_changes_no_result(n_players):
    model = SushiGo(SushiGoParameters(rounds=2))
    choose = chooser(n_players)
    played = set()
    for order in permutations(range(n_players)):
        rng = Rng(11)
        state = model.setup(n_players, rng)
        while not state.is_terminal:
            before = int(state.turn)
            for seat in order:
                state.current_player = seat
                model.next(state, choose(model, state, seat), rng)
                if seat != order[-1]:
                    assert state.turn == before
                    assert not any(state.chosen[other] for other in order[order.index(seat) + 1 :])
            assert state.is_terminal or state.turn > before
        played.add((tuple(state.points), state.puddings, state.results))
    assert len(played) == 1


def test_another_player_is_asked_first_in_each_turn():
    model = SushiGo()
    rng = Rng(4)
    state = model.setup(3, rng)
    first = []
    while not state.is_terminal:
        if not any(has_chosen(state)):
            first.append(int(state.current_player))
        model.next(state, model.random_action(state, rng), rng)
    assert first == [turn % 3 for turn in range(len(first))]


class Deals(Listener):
    """Keeps all hands that are dealt."""

    def __init__(self):
        self.dealt = {}

    def on_action_chosen(self, state, player, action, actions, agent):
        if state.cards == state.dealt:
            self.dealt.setdefault(int(state.round), state.hands[:])


def test_the_deals_of_a_seed_depend_on_no_choice():
    found = []
    for agent in ("random", "osla"):
        deals = Deals()
        new_game(GameOrder("deals", "sushi_go", (agent,) * 3, 8), [deals]).play()
        found.append(deals.dealt)
    assert found[0] == found[1]
    assert len(found[0]) == 3


# --- games ------------------------------------------------------------------------------------------------------------


def conserves(seeds):
    """Play random games and check that no card is lost, no illegal action offered and all hands are equal."""
    model = SushiGo()
    full = packed(SushiGoParameters().deck())
    for seed in seeds:
        rng = Rng(seed)
        state = model.setup(2 + seed % 4, rng)
        while not state.is_terminal:
            assert all_cards(state) == full
            assert state.deck_size == packed_size(state.deck)
            assert {packed_size(hand) for hand in state.hands} == {state.cards}
            actions = model.available_actions(state)
            assert len(set(actions)) == len(actions)
            model.next(state, rng.choice(actions), rng)
        assert all_cards(state) == full
        assert sum(state.hands) == sum(state.tables) == 0


def test_no_card_is_lost():
    conserves(range(12))


@pytest.mark.slow
def test_no_card_is_lost_in_2000_games():
    conserves(range(2_000))


# --- Events -----------------------------------------------------------------------------------------------------------


def told(state, viewer):
    """Return what a player is told of all that has been announced, and forget it."""
    texts = event_texts(state.announced, viewer)
    state.announced = ()
    return texts


def test_cards_are_told_with_their_points_once_all_have_chosen():
    model, state = position("ttq", "ppp", tables=("tc", "w"), scored=(3, 0))
    state.recording = True
    play(model, state, "tq")
    assert told(state, 1) == []
    play(model, state, "p")
    assert told(state, 1) == [
        "player 0 plays tempura: 5 points",
        "player 0 plays squid nigiri: 3 points",
        "player 0 puts the chopsticks back into the hand",
        "player 1 plays pudding",
        "the hands go to the next player",
    ]


def test_the_end_of_a_round_tells_prizes_and_deals_hands_to_their_players():
    model, state = position("3t", "1p", "1p", kept=(1, 0, 0))
    state.recording = True
    play(model, state, "3", "1", "1")
    told_of = told(state, 0)
    assert told_of[7:11] == [
        "player 0 gets 6 points for the most maki rolls",
        "player 1 gets 1 point for the second most maki rolls",
        "player 2 gets 1 point for the second most maki rolls",
        "round 1 is over",
    ]
    assert told_of[11] == f"player 0 is dealt {', '.join(NAMES[kind] for kind in listed(state.hands[0]))}"
    assert told_of[12:] == ["player 1 is dealt 2 cards", "player 2 is dealt 2 cards"]


def test_the_end_of_a_game_tells_what_puddings_count():
    model, state = position("tt", "tt", "tt", kept=(0, 2, 1), rounds=1)
    state.recording = True
    play(model, state, "t", "t", "t")
    assert told(state, 0)[-2:] == [
        "player 0 loses 6 points for the fewest puddings",
        "player 1 gets 6 points for the most puddings",
    ]
