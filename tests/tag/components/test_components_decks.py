"""Decks: order, visibility, knowledge per item, and dealing again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tag.components import (
    BOTTOM_VISIBLE_TO_ALL,
    EVERYBODY,
    HIDDEN_TO_ALL,
    TOP_VISIBLE_TO_ALL,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    Deck,
    PartiallyObservableDeck,
    move_item,
    redeal,
)
from tag.engine.rng import Rng
from tag.errors import ContractError

pytestmark = pytest.mark.flow


def deck(visibility=VISIBLE_TO_ALL, owner=-1):
    return Deck("d", [1, 2, 3, 4], owner, visibility)


def visible(pile, player):
    return [index for index in range(len(pile)) if pile.is_item_visible(index, player)]


def test_top_is_the_end_of_the_list():
    pile = deck()
    assert pile.draw() == 4
    assert pile.draw_bottom() == 1
    pile.add(5)
    pile.add_bottom(6)
    assert pile.items == [6, 2, 3, 5]
    assert pile.take(1) == 2
    pile.insert(1, 7)
    assert pile.items == [6, 7, 3, 5]
    assert len(pile) == pile.count() == 4


def test_missing_items_are_refused():
    for act in (Deck("d", []).draw, Deck("d", []).draw_bottom, lambda: deck().take(4), lambda: deck().take(-1)):
        with pytest.raises(ContractError, match="deck 'd' has no item"):
            act()


@pytest.mark.parametrize(
    ("mode", "owner_sees", "other_sees"),
    [
        (VISIBLE_TO_ALL, [0, 1, 2, 3], [0, 1, 2, 3]),
        (HIDDEN_TO_ALL, [], []),
        (VISIBLE_TO_OWNER, [0, 1, 2, 3], []),
        (TOP_VISIBLE_TO_ALL, [3], [3]),
        (BOTTOM_VISIBLE_TO_ALL, [0], [0]),
    ],
)
def test_visibility_modes(mode, owner_sees, other_sees):
    pile = deck(mode, owner=1)
    assert visible(pile, 1) == owner_sees
    assert visible(pile, 0) == other_sees
    assert visible(pile, -1) == [0, 1, 2, 3]
    assert pile.hidden_count(0) == 4 - len(other_sees)
    for index in range(4):
        seen = pile.seen_by(index)
        assert [player for player in (0, 1) if seen >> player & 1] == [
            player for player in (0, 1) if pile.is_item_visible(index, player)
        ]
    assert deck().seen_by(0) == EVERYBODY


def test_shuffle_permutes_and_follows_the_seed():
    one, other = deck(), deck()
    one.shuffle(Rng(4))
    other.shuffle(Rng(4))
    assert one.items == other.items
    assert sorted(one.items) == [1, 2, 3, 4]
    orders = set()
    for seed in range(300):
        pile = deck()
        pile.shuffle(Rng(seed))
        orders.add(tuple(pile.items))
    assert len(orders) == 24


def test_permute_top():
    pile = deck()
    pile.permute_top((2, 0, 1), 0)
    assert pile.items == [1, 3, 4, 2]
    with pytest.raises(ContractError):
        pile.permute_top((0, 1, 2, 3, 4), 0)


@given(seed=st.integers(0, 500), player=st.integers(0, 2))
@settings(derandomize=True, deadline=None)
def test_redeal_moves_only_what_is_unseen(seed, player):
    piles = [
        Deck("stock", [1, 2, 3], visibility=HIDDEN_TO_ALL),
        Deck("hand_0", [4, 5], 0, VISIBLE_TO_OWNER),
        Deck("hand_1", [6, 7], 1, VISIBLE_TO_OWNER),
        Deck("pile", [8, 9], visibility=TOP_VISIBLE_TO_ALL),
    ]
    before = [pile.items[:] for pile in piles]
    redeal(piles, player, Rng(seed))
    assert sorted([item for pile in piles for item in pile.items]) == list(range(1, 10))
    for pile, old in zip(piles, before, strict=True):
        for index in visible(pile, player):
            assert pile.items[index] == old[index]


def test_redeal_is_uniform_and_blind():
    counts = {}
    for seed in range(3000):
        pile = Deck("d", [1, 2, 3], visibility=HIDDEN_TO_ALL)
        redeal([pile], 0, Rng(seed))
        counts[tuple(pile.items)] = counts.get(tuple(pile.items), 0) + 1
        turned = Deck("d", [3, 1, 2], visibility=HIDDEN_TO_ALL)
        redeal([turned], 0, Rng(seed))
        assert turned.items == pile.items
    assert len(counts) == 6
    assert min(counts.values()) > 420


def test_redeterminise_of_one_deck():
    orders = set()
    for seed in range(100):
        pile = deck(TOP_VISIBLE_TO_ALL)
        pile.redeterminise(0, Rng(seed))
        orders.add(tuple(pile.items))
    assert len(orders) == 6
    assert {order[-1] for order in orders} == {4}


# --- knowledge per item ------------------------------------------------------------------------------------------------


def partly(owner=0, visibility=VISIBLE_TO_OWNER):
    return PartiallyObservableDeck("hand", [1, 2, 3], 3, owner, visibility)


def test_items_start_as_the_visibility_says():
    assert partly().seen == [1, 1, 1]
    assert partly(visibility=HIDDEN_TO_ALL).seen == [0, 0, 0]
    assert partly(visibility=VISIBLE_TO_ALL).seen == [7, 7, 7]
    assert partly(owner=-1).seen == [0, 0, 0]
    with pytest.raises(ContractError, match="to all, to none or to its owner"):
        partly(visibility=TOP_VISIBLE_TO_ALL)


def test_showing_and_hiding():
    hand = partly()
    hand.show(1, 2)
    assert visible(hand, 2) == [1]
    assert visible(hand, 0) == [0, 1, 2]
    assert hand.text(2) == "?, 2, ?"
    assert hand.hidden_count(2) == 2
    hand.show(0, -1)
    assert hand.seen == [7, 5, 1]
    hand.hide(1, 2)
    hand.hide(0, -1)
    assert hand.seen == [0, 1, 1]
    assert not hand.is_visible_to(0)
    assert hand.is_visible_to(-1)


def test_knowledge_follows_a_moved_item():
    hand = partly()
    hand.show(1, 2)
    other = PartiallyObservableDeck("other", [9], 3, 1, VISIBLE_TO_OWNER)
    move_item(hand, 1, other)
    assert hand.items == [1, 3]
    assert hand.seen == [1, 1]
    assert other.items == [9, 2]
    assert other.seen == [2, 7]
    table = Deck("table", [5])
    move_item(table, 0, other)
    assert other.seen == [2, 7, 7]
    move_item(other, 0, table)
    assert table.items == [9]
    with pytest.raises(ContractError):
        move_item(hand, 2, table)


def test_a_shuffle_makes_forget():
    stock = partly(visibility=HIDDEN_TO_ALL)
    stock.show(0, 1)
    stock.shuffle(Rng(1))
    assert stock.seen == [0, 0, 0]


def test_rearranging_is_known_to_who_does_it_only():
    stock = PartiallyObservableDeck("stock", [1, 2, 3, 4], 3, -1, HIDDEN_TO_ALL)
    for index in (1, 2, 3):
        stock.show(index, 0)
    for index in (0, 3):
        stock.show(index, 2)
    stock.permute_top((1, 2, 0), 0)
    assert stock.items == [1, 4, 2, 3]
    assert stock.seen == [4, 1, 1, 1]


def test_known_items_are_not_dealt_again():
    hand, stock = partly(), PartiallyObservableDeck("stock", [4, 5], 3, -1, HIDDEN_TO_ALL)
    hand.show(1, 2)
    found = set()
    for seed in range(200):
        mine, rest = hand.copy(), stock.copy()
        redeal([mine, rest], 2, Rng(seed))
        assert mine.items[1] == 2
        assert (mine.seen, rest.seen) == (hand.seen, stock.seen)
        assert mine.known_to(2) == hand.known_to(2)
        found.add((*mine.items, *rest.items))
    assert len(found) == 24


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["draw", "bottom", "add", "under", "show", "shuffle", "permute"]), st.integers(0, 99)
        ),
        max_size=30,
    )
)
@settings(derandomize=True, deadline=None)
def test_masks_stay_parallel_to_items_and_copies_apart(steps):
    pile = partly()
    origin = pile.copy()
    for what, number in steps:
        if what in ("draw", "bottom", "permute") and len(pile) < 2:
            continue
        if what == "draw":
            pile.draw()
        elif what == "bottom":
            pile.draw_bottom()
        elif what == "add":
            pile.add(number)
        elif what == "under":
            pile.add_bottom(number)
        elif what == "show" and len(pile):
            pile.show(number % len(pile), number % 3)
        elif what == "shuffle":
            pile.shuffle(Rng(number))
        elif what == "permute":
            pile.permute_top((1, 0), number % 3)
        assert len(pile.items) == len(pile.seen)
        assert all(0 <= mask < 8 for mask in pile.seen)
    assert (origin.items, origin.seen) == ([1, 2, 3], [1, 1, 1])


@given(st.lists(st.integers(1, 3), max_size=8), st.data())
def test_of_equal_items_a_player_sees_as_many_as_are_shown(items, data):
    shown = data.draw(st.permutations(items))[: data.draw(st.integers(0, len(items)))]
    pile = PartiallyObservableDeck("d", items, 3, owner=2, visibility=VISIBLE_TO_OWNER)
    pile.show_items(shown, 1)
    assert sorted(items[index] for index in visible(pile, 1)) == sorted(shown)
    assert visible(pile, 0) == []
    assert visible(pile, 2) == list(range(len(items)))


def test_a_deck_takes_the_players_who_know_each_item():
    pile = PartiallyObservableDeck("d", [7, 8], 3, visibility=HIDDEN_TO_ALL, seen=[0b110, 0])
    copied = pile.copy()
    pile.hide(0, -1)
    pile.add(9)
    assert (pile.seen, copied.seen) == ([0, 0, 0], [0b110, 0])
    assert visible(copied, 1) == visible(copied, 2) == [0]
