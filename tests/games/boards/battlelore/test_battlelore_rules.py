"""BattleLore: positions for each rule, and random games against a naive implementation.

Sections named are those of the rule books, as the accounts of them name them (see the game's page).
"""

from collections import Counter
from itertools import combinations

import pytest
from battlelore_positions import attack, battle, cards, do, offered, rolling, where

from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.errors import ParameterError
from tag.games.boards.battlelore import Battlelore, BattleloreParameters
from tag.games.boards.battlelore.data import ARMY, CARD_NAMES, KINDS, N_UNITS, ZONE, hex_name
from tag.games.boards.battlelore.state import ATTACK, COMMAND, MOVE, ORDER

# --- set-up --------------------------------------------------------------------------------------------------------------


def test_the_armies_of_the_learning_scenario():
    """Learning scenario: nine units of three figures each, in places that mirror one another."""
    state = Battlelore().setup(2, Rng(4))
    places = where(state)
    assert len(places) == N_UNITS
    assert Counter(name[0] for name in places) == {"h": 5, "v": 4, "G": 5, "A": 4}
    mirrored = {"h": "G", "v": "A", "G": "h", "A": "v"}
    assert {f"{mirrored[name[0]]}{name[1:4]}{10 - int(name[4])}" for name in places} == places
    assert [sum(hand >> 4 * card & 15 for card in range(8)) for hand in state.hands] == [4, 4]


def test_the_deck_has_the_copies_that_the_page_names():
    state = Battlelore().setup(2, Rng(4))
    total = state.deck + sum(state.hands)
    assert [total >> 4 * card & 15 for card in range(8)] == [3, 5, 3, 4, 5, 4, 2, 2]


# --- command and order ---------------------------------------------------------------------------------------------------


def command(*units, card, turn=0, **more):
    hands = ((card,), ()) if turn == 0 else ((), (card,))
    return battle(*units, turn=turn, phase=COMMAND, hands=hands, **more)


def order_sets(model, state):
    """Return each set of units that can be ordered, by following all choices of the order step."""
    if state.phase != ORDER:
        return [frozenset(unit for unit in range(N_UNITS) if state.ordered >> unit & 1)]
    found = []
    for action in model.available_actions(state):
        other = state.copy()
        model.next(other, action, Rng(1))
        found += order_sets(model, other)
    return found


def feasible(sections, limits):
    """Say whether units in one or two sections each can be ordered within the limits of the sections, by trying all."""
    if not sections:
        return True
    for section in sections[0]:
        if limits[section] and feasible(sections[1:], [n - (s == section) for s, n in enumerate(limits)]):
            return True
    return False


SECTIONS = [(0,), (0, 1), (1,), (1, 2), (2,)]
LIMITS = [(2, 0, 0), (0, 2, 0), (0, 0, 2), (3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 1, 1), (1, 2, 1)]


@pytest.mark.parametrize("card", range(8))
def test_a_card_orders_as_many_units_of_its_sections_as_it_says(card):
    """Order Step: each set of units that the card can order, once; on the line between sections as one of them."""
    rng = Rng(card)
    model = Battlelore()
    for number in range(40):
        state = model.setup(2, rng)
        free = list(range(104))
        rng.shuffle(free)
        turn = number % 2
        for unit in range(N_UNITS):
            state.board[state.places[unit]] = -1
        for unit in range(N_UNITS):
            state.places[unit] = free[unit]
            state.board[free[unit]] = unit
        for unit in range(turn * ARMY, turn * ARMY + number % 6):
            state.damage(unit, 3)
        state.current_player = state.turn_player = turn
        state.hands = (cards(CARD_NAMES[card]),) * 2
        sections = {
            unit: SECTIONS[ZONE[turn * 104 + state.places[unit]]]
            for unit in range(turn * ARMY, turn * ARMY + ARMY)
            if state.places[unit] >= 0
        }
        sets = [
            frozenset(units)
            for size in range(8)
            for units in combinations(sections, size)
            if feasible([sections[unit] for unit in units], LIMITS[card])
        ]
        best = max(len(units) for units in sets)
        expected = [units for units in sets if len(units) == best]
        text = f"play {CARD_NAMES[card]}"
        assert (text in offered(model, state)) == (best > 0)
        if best:
            do(model, state, text)
            found = order_sets(model, state)
            assert len(found) == len(set(found))
            assert set(found) == set(expected)


def test_a_card_can_order_any_one_unit_instead():
    """Command Step: the text of a card may be ignored to order one unit anywhere."""
    model, state = command("h3 A1", "v3 L9", "G3 F6", card="Patrol Center")
    assert offered(model, state) == ["play Patrol Center to order any one unit"]
    do(model, state, "play Patrol Center to order any one unit")
    assert sorted(offered(model, state)) == ["order Blood Harvesters at A1", "order Viper Legion at L9"]
    do(model, state, "order Viper Legion at L9")
    assert all("Viper" in text or text == "end moves" for text in offered(model, state))
    assert state.discards == cards("Patrol Center")


@pytest.mark.parametrize(
    ("turn", "unit", "section"), [(0, "h3 L5", "Left"), (1, "G3 A5", "Left"), (1, "G3 L5", "Right")]
)
def test_sections_are_those_that_the_player_sees(turn, unit, section):
    """Sections: left and right as seen from the own side of the map."""
    for name in ("Left", "Right"):
        model, state = command(unit, "h3 F5" if turn else "G3 F5", card=f"Patrol {name}", turn=turn)
        assert (f"play Patrol {name}" in offered(model, state)) == (name == section)


# --- move ----------------------------------------------------------------------------------------------------------------


def ends(model, state):
    return {text.split()[-1] for text in offered(model, state) if text.startswith("move")}


def test_units_move_two_hexes_at_most_and_not_over_others():
    """Move Step: hexes with units, friendly or enemy, cannot be entered or crossed."""
    model, state = battle("h3 A1", "G3 B1", phase=MOVE)
    assert ends(model, state) == {"A2", "A3", "B3", "B2"}
    model, state = battle("h3 A1", "v3 A2", "G3 B1", phase=MOVE)
    state.ordered = 1 << 3
    assert ends(model, state) == set()
    model, state = battle("h3 F5", "G3 L9", phase=MOVE)
    assert len(ends(model, state)) == 18


def test_ordered_units_need_neither_move_nor_attack():
    """Order Step: a unit that is ordered may move, attack, both or neither."""
    model, state = battle("h3 F5", "G3 F6", phase=MOVE, hands=(("Wedge",), ()))
    do(model, state, "end moves")
    assert state.phase == ATTACK
    do(model, state, "end attacks")
    assert (state.current_player, state.phase) == (1, COMMAND)


def test_each_ordered_unit_moves_once():
    """Move Step: one after the other, each once."""
    model, state = battle("h3 F5", "v3 A1", "G3 L9", phase=MOVE)
    do(model, state, "move Blood Harvesters at F5 to F4")
    assert all("Viper" in text or text == "end moves" for text in offered(model, state))
    do(model, state, "move Viper Legion at A1 to A2")
    assert state.current_player == 1  # none has a target


# --- attack --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "faces", "lost"),
    [
        ("h3 E5", ("strike", "cleave", "pierce"), 2),
        ("h3 E5", ("heroic", "lore", "pierce"), 0),
        ("h1 E5", ("cleave", "cleave", "strike", "lore", "lore"), 1),
        ("h2 E5", ("cleave", "cleave", "lore", "lore"), 2),
        ("v3 E5", ("strike", "pierce"), 1),
        ("v1 E5", ("pierce", "cleave"), 1),
        ("v1 D5", ("pierce", "pierce"), 2),
    ],
)
def test_hits(attacker, faces, lost):
    """Dice: strike and cleave in melee, cleave not from weak units; pierce for ranged units, beside the target too."""
    model, state = battle(attacker, "G3 F5", "G3 L1")
    attack(model, state, attacker[3:], "F5", *faces)
    assert f"G{3 - lost} F5" in where(state)


def test_a_unit_of_a_single_figure_from_the_start_is_not_weak():
    """Weak units: those down to one of several figures."""
    model, state = battle("G1 E5", "h1 F5", "h1 L1", turn=1, figures=1)
    attack(model, state, "E5", "F5", "cleave", "lore", "lore")
    assert "h1 F5" not in where(state)


@pytest.mark.parametrize(("figures", "dice"), [(3, 3), (2, 4), (1, 5)])
@pytest.mark.parametrize("abilities", [True, False])
def test_rage_adds_a_die_for_each_figure_lost(figures, dice, abilities):
    """Rage."""
    number = dice if abilities else 3
    model, state = battle(f"h{figures} E5", "G3 F5", "G3 L1", abilities=abilities, hands=(("Wedge",), ()))
    rng = rolling(*["lore"] * number)
    following = rolling(*["lore"] * number)
    for _die in range(number):
        following.below(6)
    do(model, state, "attack Citadel Guard at F5 with Blood Harvesters at E5", rng)
    assert rng.snapshot()[:4] == following.snapshot()[:4]


def test_melee_units_attack_beside_them_and_ranged_units_within_reach():
    """Attack Step: melee and ranged."""
    model, state = battle("h3 E5", "v3 A5", "G3 F5", "G3 G5", "A3 D5", reach=3)
    assert offered(model, state) == [
        "attack Yeoman Archers at D5 with Viper Legion at A5",
        "attack Citadel Guard at F5 with Blood Harvesters at E5",
        "attack Yeoman Archers at D5 with Blood Harvesters at E5",
        "end attacks",
    ]


def test_units_between_block_the_line_of_sight():
    """Line of Sight: friendly and enemy units block; those at the ends do not."""
    for between in ("h3 C5", "G3 C5"):
        model, state = battle("v3 A5", between, "A3 E5")
        assert "attack Yeoman Archers at E5 with Viper Legion at A5" not in offered(model, state)
    model, state = battle("v3 A5", "h3 C6", "A3 E5")
    assert "attack Yeoman Archers at E5 with Viper Legion at A5" in offered(model, state)


def test_a_line_along_edges_is_blocked_on_both_sides_only():
    """Line of Sight: from E5 to E7 the line runs between D6 and E6."""
    text = "attack Yeoman Archers at E7 with Viper Legion at E5"
    for blockers in ((), ("h3 D6",), ("h3 E6",), ("h3 D6", "G3 E6")):
        model, state = battle("v3 E5", "A3 E7", *blockers)
        assert (text in offered(model, state)) == (len(blockers) < 2)


# --- retreats ------------------------------------------------------------------------------------------------------------


def test_a_target_retreats_straight_away_from_a_melee_attack():
    """Retreats: one hex for each morale, away from the attacker."""
    model, state = battle("h3 E5", "G3 F5", "G3 L1")
    attack(model, state, "E5", "F5", "morale", "strike", "morale")
    assert "G2 H5" in where(state)
    assert offered(model, state) == ["advance", "stay"]


def test_steps_off_the_map_cost_figures():
    """Retreats: each retreat that cannot be resolved causes one damage."""
    model, state = battle("h3 J5", "G3 K5", "G3 L1")
    attack(model, state, "J5", "K5", "morale", "morale", "lore")
    assert "G2 L5" in where(state)
    model, state = battle("h3 K5", "G3 L5", "G3 L1")
    attack(model, state, "K5", "L5", "morale", "morale", "lore")
    assert "G1 L5" in where(state)
    assert state.phase != ATTACK  # it stands where it stood, so it may counter


def test_enemies_on_the_way_cost_figures():
    """Retreats: a hex with an enemy unit."""
    model, state = battle("h3 E5", "v3 G5", "G3 F5", "G3 L1")
    attack(model, state, "E5", "F5", "morale", "morale", "lore")
    assert "G1 F5" in where(state)


def test_friends_on_the_way_are_support():
    """Support: the remaining retreats are ignored, without damage."""
    model, state = battle("h3 E5", "G3 F5", "G3 G5")
    attack(model, state, "E5", "F5", "morale", "morale", "morale")
    assert {"G3 F5", "G3 G5"} <= where(state)
    model, state = battle("h3 E5", "G3 F5", "G3 H5")
    attack(model, state, "E5", "F5", "morale", "morale", "morale")
    assert {"G3 G5", "G3 H5"} <= where(state)


def test_damage_comes_before_retreats():
    """Combat: damage is resolved before retreats, so a unit without figures does not retreat."""
    model, state = battle("h3 E5", "G1 F5", "G3 L1")
    attack(model, state, "E5", "F5", "strike", "morale", "morale")
    assert where(state) == {"h3 E5", "G3 L1"}
    assert state.points == (1, 0)


def test_a_unit_can_be_eliminated_by_steps_that_it_cannot_take():
    """Retreats: damage for retreats counts like other damage."""
    model, state = battle("h3 K5", "G1 L5", "G3 L1")
    attack(model, state, "K5", "L5", "morale", "lore", "lore")
    assert where(state) == {"h3 K5", "G3 L1"}
    assert (state.points, offered(model, state)) == ((1, 0), ["advance", "stay"])


def test_a_target_of_a_ranged_attack_retreats_from_the_edge_that_the_line_crosses():
    """Retreats, ranged: from A5 the line enters C5 from the left; from B3 that to D6 enters from the upper left."""
    model, state = battle("v3 A5", "G3 C5", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "A5", "C5", "morale", "lore")
    assert "G3 D5" in where(state)
    model, state = battle("v3 B3", "G3 D6", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "B3", "D6", "morale", "lore")
    assert "G3 E7" in where(state)


@pytest.mark.parametrize(
    ("blocker", "lot", "end"), [(None, 1, "E8"), (None, 0, "D8"), ("h3 D6", None, "D8"), ("h3 E6", None, "E8")]
)
def test_a_line_through_a_corner_is_drawn_on_a_free_side(blocker, lot, end):
    """Ruling: from E5 the line enters E7 at its upper corner, from D6 or from E6."""
    model, state = battle("v3 E5", "G3 E7", "G3 L1", *([blocker] if blocker else []), hands=(("Wedge",), ()))
    attack(model, state, "E5", "E7", "morale", "lore", lot=lot)
    assert f"G3 {end}" in where(state)


# --- counter, advance, abilities -----------------------------------------------------------------------------------------


def test_a_target_that_stands_may_counter():
    """Counter: a surviving target beside the attacker, in its hex; it follows the steps of an attack."""
    model, state = battle("h3 E5", "G2 F5", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "E5", "F5", "strike", "lore", "lore")
    assert (state.current_player, offered(model, state)) == (1, ["counter", "do not counter"])
    do(model, state, "counter", rolling("strike", "cleave", "morale"))
    assert "h2 D5" in where(state)  # a weak guard: the cleave does not hit
    assert (state.current_player, state.phase) == (1, COMMAND)


def test_a_counter_may_be_forgone():
    """Counter: may."""
    model, state = battle("h3 E5", "G2 F5", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "E5", "F5", "lore", "lore", "lore")
    do(model, state, "do not counter")
    assert {"h3 E5", "G2 F5"} <= where(state)
    assert state.turn_player == 1


def test_a_counter_brings_no_advance_and_no_other_counter():
    """Counter: no advance, no counter to it; the unit eliminated is a point."""
    model, state = battle("h1 E5", "v3 A1", "G3 F5", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "E5", "F5", "lore", "lore", "lore", "lore", "lore")
    do(model, state, "counter", rolling("strike", "lore", "lore"))
    assert where(state) == {"v3 A1", "G3 F5", "G3 L1"}
    assert (state.points, state.turn_player) == ((0, 1), 1)


def test_targets_at_a_distance_and_those_that_have_retreated_do_not_counter():
    """Counter: only beside the attacker, and not after a retreat."""
    model, state = battle("v3 A5", "A3 C5", "A3 L1", hands=(("Wedge",), ()))
    attack(model, state, "A5", "C5", "lore", "lore")
    assert (state.turn_player, state.phase) == (1, COMMAND)
    model, state = battle("h3 E5", "G3 F5", "G3 L1")
    attack(model, state, "E5", "F5", "lore", "lore", "morale")
    assert offered(model, state) == ["advance", "stay"]


def test_an_attacker_may_advance_to_the_hex_that_its_target_has_left():
    """Advance: after an elimination or a retreat of a target beside it; ranged units too."""
    for attacker, kind in (("h3 E5", "h3"), ("v3 E5", "v3")):
        model, state = battle(attacker, "G3 F5", "G3 L1", hands=(("Wedge",), ()))
        attack(model, state, "E5", "F5", "morale", *["lore"] * (1 if kind == "v3" else 2))
        do(model, state, "advance")
        assert f"{kind} F5" in where(state)
        assert state.turn_player == 1
    model, state = battle("v3 D5", "G3 F5", "G3 L1", hands=(("Wedge",), ()))
    attack(model, state, "D5", "F5", "morale", "lore")
    assert state.turn_player == 1


@pytest.mark.parametrize("abilities", [True, False])
def test_guards_pursue_once(abilities):
    """Pursue: after an advance an additional attack, once in a turn."""
    model, state = battle("G3 E5", "h1 F5", "h1 G5", "v3 H5", turn=1, hands=((), ("Wedge",)), abilities=abilities)
    attack(model, state, "E5", "F5", "strike", "lore", "lore")
    do(model, state, "advance")
    if not abilities:
        assert state.turn_player == 0
        return
    assert offered(model, state) == ["attack Blood Harvesters at G5 with Citadel Guard at F5", "stay"]
    attack(model, state, "F5", "G5", "strike", "lore", "lore")
    do(model, state, "advance")
    assert state.turn_player == 0
    assert where(state) == {"G3 G5", "v3 H5"}


@pytest.mark.parametrize(("moved", "abilities", "attacks"), [(False, True, 2), (True, True, 1), (False, False, 1)])
def test_archers_that_have_not_moved_attack_twice(moved, abilities, attacks):
    """Double Shot."""
    model, state = battle("A3 E5", "h3 G5", "v3 L1", turn=1, hands=((), ("Wedge",)), abilities=abilities)
    state.moved = state.ordered if moved else 0
    for _attack in range(attacks):
        assert state.turn_player == 1
        attack(model, state, "E5", "G5", "lore", "lore")
    assert state.turn_player == 0


def test_archers_that_advance_do_not_attack_again():
    """Ruling: an advance is a move, so there is no Double Shot."""
    model, state = battle("A3 E5", "h3 F5", "v3 H5", turn=1, hands=((), ("Wedge",)))
    state.moved = 0
    attack(model, state, "E5", "F5", "morale", "lore")
    do(model, state, "advance")
    assert state.turn_player == 0


# --- the end of a turn and of the game -----------------------------------------------------------------------------------


def test_a_card_is_drawn_at_the_end_of_a_turn():
    """Draw Step: one card; the deck is made of the discards when it is empty."""
    model, state = battle(
        "h3 A1", "G3 L9", phase=COMMAND, hands=(("Wedge", "Wedge"), ("Attack Right",)), deck=("Patrol Left",)
    )
    state.discards = cards("Line Advance")
    do(model, state, "play Wedge to order any one unit")
    do(model, state, "end moves")
    assert state.hands == (cards("Wedge", "Patrol Left"), cards("Attack Right"))
    do(model, state, "play Attack Right")
    do(model, state, "end moves")
    assert (state.discards, state.deck + state.hands[1]) == (0, cards("Line Advance", "Wedge", "Attack Right"))


def test_banners_score_at_the_end_of_the_turn_of_who_holds_them():
    """Victory Point Step: one point for each banner held."""
    hands = (("Wedge",) * 2, ("Wedge",) * 2)
    model, state = battle("h3 C5", "v3 J5", "G3 L9", phase=COMMAND, hands=hands, scenario="banners")
    for points in ((2, 0), (2, 0), (4, 0)):
        do(model, state, offered(model, state)[-1])
        while state.phase != COMMAND:
            do(model, state, offered(model, state)[-1])
        assert state.points == points


@pytest.mark.parametrize(
    ("points", "figures", "results"),
    [
        ((4, 3), (1, 3), (WIN, LOSE)),
        ((5, 6), (3, 1), (LOSE, WIN)),
        ((4, 4), (3, 2), (WIN, LOSE)),
        ((4, 4), (2, 2), (DRAW,) * 2),
        ((3, 3), (3, 1), ()),
    ],
)
def test_the_end_is_seen_after_a_round(points, figures, results):
    """Winning the game: enough victory points at the start of the first player's turn; more points win."""
    hands = (("Wedge",), ("Wedge",))
    model, state = battle(f"h{figures[0]} A1", f"G{figures[1]} L9", phase=COMMAND, hands=hands, points=points)
    do(model, state, "play Wedge")
    do(model, state, "end moves")
    assert not state.is_terminal
    do(model, state, "play Wedge")
    do(model, state, "end moves")
    assert state.results == results


def test_a_player_without_units_loses_at_once():
    """Winning the game: all enemy units are eliminated; also by a counter."""
    model, state = battle("h3 E5", "G1 F5", points=(0, 3))
    attack(model, state, "E5", "F5", "strike", "lore", "lore")
    assert state.results == (WIN, LOSE)
    model, state = battle("h1 E5", "G3 F5", points=(3, 0))
    attack(model, state, "E5", "F5", *["lore"] * 5)
    do(model, state, "counter", rolling("strike", "lore", "lore"))
    assert state.results == (LOSE, WIN)


def test_the_game_ends_after_the_last_round():
    """Ruling: most victory points win."""
    hands = (("Wedge",), ("Wedge",))
    model, state = battle("h3 A1", "G3 L9", turn=1, phase=COMMAND, hands=hands, points=(0, 1), max_rounds=1)
    do(model, state, "play Wedge")
    do(model, state, "end moves")
    assert state.results == (LOSE, WIN)


# --- parameters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"goal": 10}, "goal cannot be 10 where only units count; the nearest value is 9"),
        (
            {
                "hand_size": 8,
                **dict.fromkeys(("flank_patrols", "centre_patrols", "flank_attacks", "centre_attacks"), 1),
            },
            "hand_size cannot be 8 with a deck of 10 cards; the nearest value is 5",
        ),
        ({"scenario": "bridge"}, "scenario cannot be 'bridge'; it is one of learning | banners"),
    ],
)
def test_impossible_parameters_are_refused(values, message):
    with pytest.raises(ParameterError, match=message.replace("|", r"\|")):
        BattleloreParameters(**values)


def test_the_goal_is_the_scenarios_unless_it_is_given():
    assert Battlelore().goal == 4
    assert Battlelore(BattleloreParameters(scenario="banners")).goal == 16
    assert Battlelore(BattleloreParameters(scenario="banners", goal=7)).goal == 7


def test_kinds_have_names_and_hexes_too():
    assert [hex_name(place) for place in (0, 11, 12, 22, 103)] == ["A1", "L1", "A2", "K2", "L9"]
    assert sorted(set(KINDS)) == [0, 1, 2, 3]
