"""Components that hold no list: kinds, counters, dice, areas; and states made of them."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tag.components
from tag.components import (
    HIDDEN_TO_ALL,
    MIXED_VISIBILITY,
    UNBOUNDED,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    Area,
    Card,
    Component,
    Counter,
    Deck,
    Die,
    GridBoard,
    Token,
    shared,
    visibility_name,
    visibility_of,
)
from tag.components.state import ComponentState
from tag.engine.rng import Rng
from tag.engine.snapshot import freeze
from tag.errors import ContractError, UnknownNameError

ACE, KING, QUEEN = [shared(Card(name, (("suit", "hearts"),))) for name in ("ace", "king", "queen")]


def table():
    area = Area("table")
    area.put(Deck("draw", [ACE, KING, QUEEN], visibility=HIDDEN_TO_ALL))
    area.put(Deck("hand_0", [ACE, KING], 0, VISIBLE_TO_OWNER))
    area.put(Deck("hand_1", [QUEEN, QUEEN], 1, VISIBLE_TO_OWNER))
    area.put(Counter("score", 3, 0, 10))
    area.put(Counter("bid", 4, 0, 9, owner=1, visibility=VISIBLE_TO_OWNER))
    area.put(Die.sided("d6", 6))
    area.put(Die("cup", (1, 2, 3), owner=0, visibility=VISIBLE_TO_OWNER))
    area.put(GridBoard("grid", 3, 2, [0] * 6))
    return area


def state():
    made = ComponentState(2)
    made.area = table()
    return made


def test_public_names_are_sorted():
    names = tag.components.__all__
    constants = sorted(n for n in names if n.isupper())
    classes = sorted(n for n in names if n[0].isupper() and not n.isupper())
    assert names == [*constants, *classes, *sorted(n for n in names if n[0].islower())]


def test_visibility_modes_have_names():
    for mode in range(MIXED_VISIBILITY + 1):
        assert visibility_of(visibility_name(mode)) == mode
    with pytest.raises(UnknownNameError, match="did you mean 'visible to all'"):
        visibility_of("visible to al")


@pytest.mark.parametrize(
    ("mode", "who"), [(VISIBLE_TO_ALL, {-1, 0, 1, 2}), (HIDDEN_TO_ALL, {-1}), (VISIBLE_TO_OWNER, {-1, 1})]
)
def test_who_sees_a_component(mode, who):
    component = Counter("c", owner=1, visibility=mode)
    assert {player for player in range(-1, 3) if component.is_visible_to(player)} == who
    assert component.hidden_count(2) == (0 if 2 in who else 1)


def test_nobody_owns_an_unowned_component():
    assert not Counter("c", visibility=VISIBLE_TO_OWNER).is_visible_to(0)


def test_a_kind_is_one_object_also_after_a_pickle():
    assert shared(Card("ace", (("suit", "hearts"),))) is ACE
    assert shared(Token("ace", (("suit", "hearts"),))) is not ACE
    assert pickle.loads(pickle.dumps(ACE)) is ACE
    assert ACE.copy() is ACE
    assert ACE.property("suit") == "hearts"
    assert ACE.property("value", 7) == 7
    assert "ace" in repr(ACE)
    assert str(ACE) == "ace"


def test_properties_are_in_one_order():
    assert shared(Card("x", (("b", 1), ("a", 2)))) is shared(Card("x", (("a", 2), ("b", 1))))


def test_counter_clamps():
    counter = Counter("c", 3, 0, 5)
    assert counter.change(4) == 2
    assert counter.value == 5
    assert counter.change(-9) == -5
    assert counter.can_change(5)
    assert not counter.can_change(6)


def test_counter_refuses():
    counter = Counter("c", 3, 0, 5, clamps=False)
    with pytest.raises(ContractError, match=r"counter 'c' cannot be 7; the nearest value is 5"):
        counter.change(4)
    assert counter.value == 3
    with pytest.raises(ContractError, match="nearest value is 0"):
        Counter("c", -1)


def test_die_rolls_its_faces_by_their_weights():
    die = Die("d", (2, 4, 8), (1, 0, 3))
    rng = Rng(1)
    rolls = [die.roll(rng) for _roll in range(4000)]
    assert set(rolls) == {2, 8}
    assert 0.22 < rolls.count(2) / 4000 < 0.28
    fair = Die.sided("d6", 6)
    rolls = [fair.roll(rng) for _roll in range(6000)]
    assert min(rolls.count(face) for face in range(1, 7)) > 850
    assert fair.copy().value == fair.value == rolls[-1]


@pytest.mark.parametrize(("faces", "weights"), [((), ()), ((1, 2), (1,)), ((1, 2), (0, 0)), ((1, 2), (-1, 2))])
def test_wrong_dice(faces, weights):
    with pytest.raises(ContractError, match="die 'd' needs"):
        Die("d", faces, weights)


def test_area_finds_by_name_and_kind():
    area = table()
    assert area.deck("draw").items[-1] is QUEEN
    assert area.counter("score").value == 3
    assert area.die("d6").value == 1
    assert area.board("grid").get(0) == 0
    with pytest.raises(UnknownNameError, match="no component named 'hand_2'; did you mean 'hand_"):
        area.get("hand_2")
    for find in (area.board, area.die, area.counter):
        with pytest.raises(UnknownNameError, match="'draw' is no .* but a Deck"):
            find("draw")
    with pytest.raises(UnknownNameError, match="'grid' is no deck but a GridBoard"):
        area.deck("grid")
    with pytest.raises(ContractError, match="named 'score' already"):
        area.put(Counter("score"))


def test_counts_for_analysis():
    area = table()
    assert area.count() == 3 + 2 + 2 + 1 + 1 + 1 + 1 + 6
    assert area.hidden_count(-1) == 0
    assert area.hidden_count(0) == 3 + 2 + 1
    assert area.hidden_count(1) == 3 + 2 + 1
    assert [part.name for part in area.deck("draw").parts()] == ["ace", "king", "queen"]
    assert area.board("grid").parts() == []
    assert len(area.parts()) == 8


def test_an_area_counts_areas_within():
    inner, outer = table(), Area("room")
    outer.put(inner)
    outer.put(Counter("c"))
    assert outer.count() == inner.count() + 1
    assert outer.hidden_count(0) == inner.hidden_count(0)


def mutable_parts(thing, found):
    """All lists, dicts and mutable components in ``thing``, by identity."""
    if isinstance(thing, dict):
        found[id(thing)] = thing
        for value in thing.values():
            mutable_parts(value, found)
    elif isinstance(thing, list):
        found[id(thing)] = thing
    elif isinstance(thing, Component) and thing.copy() is not thing:
        found[id(thing)] = thing
        for field in ("components", "items", "cells", "seen"):
            mutable_parts(getattr(thing, field, None), found)


def test_a_copy_equals_its_origin_and_shares_nothing_mutable():
    one = state()
    other = one.copy()
    assert other.snapshot() == one.snapshot()
    mine, theirs = {}, {}
    mutable_parts(one.area, mine)
    mutable_parts(other.area, theirs)
    assert len(mine) == len(theirs) > 10
    assert not mine.keys() & theirs.keys()
    other.area.deck("draw").draw()
    other.area.counter("score").change(1)
    other.area.die("d6").roll(Rng(5))
    other.area.board("grid").set(2, 1)
    assert one.snapshot() == state().snapshot()


def test_a_state_pickles():
    one = state()
    other = pickle.loads(pickle.dumps(one))
    assert other.snapshot() == one.snapshot()
    assert other.area.deck("draw").items[0] is ACE


@given(seed=st.integers(0, 1000), player=st.integers(0, 1))
@settings(derandomize=True, deadline=None)
def test_an_observation_keeps_what_the_player_knows(seed, player):
    one = state()
    seen = one.observation(player, Rng(seed))
    assert seen.knowledge(player) == one.knowledge(player)
    assert seen.area.deck(f"hand_{player}").items == one.area.deck(f"hand_{player}").items
    names = ("draw", "hand_0", "hand_1")
    dealt = sorted(card.name for name in names for card in seen.area.deck(name).items)
    assert dealt == sorted(card.name for name in names for card in one.area.deck(name).items)


def test_an_observation_deals_again_what_is_hidden_and_from_nothing_hidden():
    one = state()
    hands = {freeze(one.observation(0, Rng(seed)).area.deck("hand_1").items) for seed in range(60)}
    assert len(hands) == 7  # all ordered pairs of queen, queen, queen, king, ace
    bids = {one.observation(0, Rng(seed)).area.counter("bid").value for seed in range(100)}
    assert bids == set(range(10))
    assert {one.observation(1, Rng(seed)).area.counter("bid").value for seed in range(10)} == {4}
    assert {one.observation(1, Rng(seed)).area.die("cup").value for seed in range(30)} == {1, 2, 3}
    twin = one.observation(0, Rng(3))
    for seed in range(20):
        assert twin.observation(0, Rng(seed)).snapshot() == one.observation(0, Rng(seed)).snapshot()


def test_knowledge_tells_own_cards_and_public_fields_apart():
    one, other = state(), state()
    other.area.deck("hand_1").items.reverse()
    other.area.deck("hand_1").items[0] = ACE
    assert one.knowledge(0) == other.knowledge(0)
    assert one.knowledge(1) != other.knowledge(1)
    other = state()
    other.round = 1
    assert one.knowledge(0) != other.knowledge(0)


def test_text_hides_what_the_viewer_must_not_see():
    text = state().text(0)
    assert "hand_0: ace, king" in text
    assert "hand_1: ?, ?" in text
    assert "bid: ?" in text
    assert "hand_1: queen, queen" in str(state())
    assert "grid:\n0 0 0\n0 0 0" in text


def test_components_are_the_parts_of_the_table():
    assert [component.name for component in state().components()][:2] == ["draw", "hand_0"]


def test_a_hidden_counter_without_bounds_can_be_drawn():
    for seed in range(20):
        counter = Counter("c", low=-UNBOUNDED, visibility=HIDDEN_TO_ALL)
        counter.redeterminise(0, Rng(seed))
        assert -UNBOUNDED <= counter.value <= UNBOUNDED
        assert counter.value % 1000
