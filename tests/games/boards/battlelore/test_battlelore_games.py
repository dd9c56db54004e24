"""BattleLore: whole random games beside a naive implementation of the rules."""

from itertools import combinations

import pytest
from battlelore_geometry import AROUND, CENTRES, moved, seen_by

from tag.engine.rng import Rng
from tag.games.boards.battlelore import Battlelore, BattleloreParameters
from tag.games.boards.battlelore.actions import AttackUnit, MoveUnit, OrderAnyUnit, OrderUnit, PlayCard
from tag.games.boards.battlelore.state import ORDER

pytestmark = pytest.mark.flow

VARIANTS = [
    {},
    {"scenario": "banners", "goal": 6},
    {"figures": 1, "hand_size": 2, "goal": 9},
    {"figures": 4, "abilities": False, "reach": 3, "melee_dice": 4},
    {"hand_size": 1, "flank_attacks": 0, "centre_patrols": 0, "ranged_dice": 5, "reach": 6, "max_rounds": 12},
]

ARMIES = "VVVHHVHHH" + "GGGAGGAAA"
SETUP = ["D2", "H2", "B3", "D3", "I3", "K3", "D4", "F4", "H4", "D6", "F6", "H6", "B7", "D7", "I7", "K7", "D8", "H8"]
LIMITS = [(2, 0, 0), (0, 2, 0), (0, 0, 2), (3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 1, 1), (1, 2, 1)]
NAMES = {f"{'ABCDEFGHIJKL'[x // 2]}{y // 3 + 1}": place for place, (x, y) in enumerate(CENTRES)}


def feasible(sections, limits):
    if not sections:
        return True
    return any(
        limits[section] and feasible(sections[1:], [n - (s == section) for s, n in enumerate(limits)])
        for section in sections[0]
    )


class Naive:
    """The rules with a dictionary of units, and sets of what has been done; it draws what the game draws."""

    def __init__(self, rules, rng):
        self.rules, self.rng = rules, rng
        self.at = {unit: NAMES[name] for unit, name in enumerate(SETUP)}
        self.figures = dict.fromkeys(self.at, rules.figures)
        self.deck = [card for card, copies in enumerate(rules.deck()) for _copy in range(copies)]
        self.hands, self.discards, self.points = ([], []), [], [0, 0]
        self.banners = [NAMES["C5"], NAMES["J5"]] if rules.scenario == "banners" else []
        self.goal = rules.goal or (16 if self.banners else 4)
        self.rounds, self.player, self.winner = 0, 0, None
        for seat in (0, 1):
            for _card in range(rules.hand_size):
                self.draw(seat)
        self.start_turn()

    def draw(self, seat):
        if not self.deck:
            self.deck, self.discards[:] = sorted(self.discards), []
        self.hands[seat].append(self.deck.pop(self.rng.below(len(self.deck))))

    def start_turn(self):
        self.step, self.card, self.ordered = "command", None, []
        self.moved, self.attacks = set(), {}
        self.pursued, self.fight = set(), None

    # --- facts ---------------------------------------------------------------------------------------------------------

    def side(self, unit):
        return unit // 9

    def army(self, seat):
        return [unit for unit in self.at if self.side(unit) == seat]

    def sections(self, unit):
        x = CENTRES[self.at[unit]][0]
        found = [n for n in range(3) if x < 8 * n + 8 and x + 2 > 8 * n]
        return found if self.player == 1 else [2 - n for n in found]

    def best_sets(self):
        """Return the sets of units that the card orders at most."""
        army = self.army(self.player)
        if self.card[0] == "any":
            return [{unit} for unit in army]
        limits = LIMITS[self.card[1]]
        for number in range(sum(limits), 0, -1):
            found = [set(s) for s in combinations(army, number) if feasible([self.sections(u) for u in s], limits)]
            if found:
                return found
        return []

    def targets(self, unit):
        if unit not in self.at:
            return []
        start = self.at[unit]
        near = [moved(start, step) for step in AROUND]
        found = []
        for target in self.army(1 - self.player):
            end = self.at[target]
            if end in near or (
                ARMIES[unit] in "VA" and self.steps(start, end) <= self.rules.reach and self.sides(start, end)
            ):
                found.append(target)
        return found

    def steps(self, start, end):
        (x, y), (to_x, to_y) = CENTRES[start], CENTRES[end]
        rows = abs(to_y - y) // 3
        return rows + max(0, (abs(to_x - x) - rows) // 2)

    def sides(self, start, end):
        """Return the free sides of the line of sight: 0, 1 or both."""
        inside, sides, _last = seen_by(start, end)
        held = set(self.at.values())
        return [side for side in (0, 1) if not held & (inside | sides[side])]

    def attacks_left(self, unit):
        twice = self.rules.abilities and ARMIES[unit] == "A" and unit not in self.moved
        return (self.attacks.get(unit, 0) < (2 if twice else 1)) and self.attacks.get(unit, 0) < 2

    # --- what can be done ----------------------------------------------------------------------------------------------

    def legal(self):
        held = set(self.at.values())
        if self.step == "command":
            found = set()
            for card in set(self.hands[self.player]):
                self.card = ("card", card)
                found |= {("any", card)} | ({("card", card)} if self.best_sets() else set())
            self.card = None
            return found
        if self.step == "move":
            found = {"EndMoves"}
            for unit in set(self.ordered) - self.moved:
                near = {end for step in AROUND if (end := moved(self.at[unit], step)) >= 0} - held
                far = {end for place in near for step in AROUND if (end := moved(place, step)) >= 0} - held
                found |= {("move", unit, end) for end in near | far}
            return found
        if self.step == "attack":
            able = [unit for unit in self.ordered if self.attacks_left(unit)]
            return {("attack", unit, target) for unit in able for target in self.targets(unit)} | {"EndAttacks"}
        if self.step == "pursue":
            unit = self.fight[0]
            return {("attack", unit, target) for target in self.targets(unit)} | {"Stay"}
        return {"counter": {"Counter", "HoldBack"}, "advance": {"Advance", "Stay"}}[self.step]

    # --- what is done --------------------------------------------------------------------------------------------------

    def do(self, what):
        name = what if isinstance(what, str) else what[0]
        if name in ("card", "any"):
            self.card = what
            self.hands[self.player].remove(what[1])
            self.discards.append(what[1])
            sets = self.best_sets()
            self.step = "order"
            if len(sets) == 1 and self.covers(sets[0]):
                self.ordered, self.step = sorted(sets[0]), "move"
        elif name == "order":
            self.ordered.append(what[1])
            if set(self.ordered) in self.best_sets():
                self.step = "move"
        elif name == "move":
            self.at[what[1]] = what[2]
            self.moved.add(what[1])
        elif name == "attack":
            self.attack(what[1], what[2])
        else:
            self.answer(name)
        if self.step == "move" and set(self.ordered) <= self.moved:
            self.step = "attack"
        if self.winner is None and self.step == "attack" and self.legal() == {"EndAttacks"}:
            self.end_turn()

    def covers(self, units):
        """Say whether these are all units that the card could order."""
        if self.card[0] == "any":
            return len(self.army(self.player)) == 1
        limits = LIMITS[self.card[1]]
        return all(unit in units for unit in self.army(self.player) if feasible([self.sections(unit)], limits))

    def answer(self, name):
        if name == "EndMoves":
            self.step = "attack"
        elif name == "EndAttacks":
            self.end_turn()
        elif name == "Counter":
            attacker, target, _hex = self.fight
            self.step = "attack"
            self.roll(target, attacker)
        elif name == "Advance":
            unit = self.fight[0]
            self.at[unit] = self.fight[2]
            self.moved.add(unit)
            self.step = "attack"
            if self.rules.abilities and ARMIES[unit] == "G" and unit not in self.pursued:
                self.pursued.add(unit)
                if self.targets(unit):
                    self.step = "pursue"
        else:
            self.step = "attack"

    def attack(self, unit, target):
        if self.step == "attack":
            first = self.attacks.get(unit, 0)
            twice = self.rules.abilities and ARMIES[unit] == "A" and unit not in self.moved
            self.attacks[unit] = first + 1 if twice else 2
        self.step = "attack"
        stood = self.at[target]
        near = stood in [moved(self.at[unit], step) for step in AROUND]
        self.fight = (unit, target, stood)
        self.roll(unit, target)
        if near and self.winner is None:
            self.step = "counter" if self.at.get(target) == stood else "advance"

    def roll(self, unit, target):
        kind = ARMIES[unit]
        dice = self.rules.ranged_dice if kind in "VA" else self.rules.melee_dice
        if kind == "H" and self.rules.abilities:
            dice += self.rules.figures - self.figures[unit]
        faces = ["SCPMHL"[self.rng.below(6)] for _die in range(dice)]
        weak = self.figures[unit] == 1 < self.rules.figures
        hits = faces.count("P") if kind in "VA" else faces.count("S") + (0 if weak else faces.count("C"))
        flags = faces.count("M")
        self.figures[target] -= hits
        if self.figures[target] > 0 and flags:
            self.retreat(unit, target, flags)
        if self.figures[target] <= 0:
            del self.at[target]
            self.points[self.side(unit)] += 1
            if not self.army(self.side(target)):
                self.winner = self.side(unit)

    def retreat(self, unit, target, flags):
        start, end = self.at[unit], self.at[target]
        _inside, _sides, last = seen_by(start, end)
        if len(last) == 1:
            direction = (last[0] + 3) % 6
        else:
            free = self.sides(start, end)
            side = free[self.rng.below(2) if len(free) == 2 else 0]
            direction = (self.edge_of(end, last, side, start) + 3) % 6
        while flags:
            place = moved(self.at[target], AROUND[direction])
            other = next((other for other, at in self.at.items() if at == place), None)
            if other is not None and self.side(other) == self.side(target):
                return
            if place < 0 or other is not None:
                break
            self.at[target] = place
            flags -= 1
        self.figures[target] -= flags

    def edge_of(self, end, last, side, start):
        """Return the edge by which the line comes on one of its sides."""
        (x, y), (to_x, to_y) = CENTRES[start], CENTRES[end]
        way = (to_x - x, to_y - y)
        turns = {direction: way[0] * AROUND[direction][1] - way[1] * AROUND[direction][0] for direction in last}
        return next(direction for direction, turn in turns.items() if (turn > 0) == (side == 1))

    def end_turn(self):
        for banner in self.banners:
            if any(self.at[unit] == banner for unit in self.army(self.player)):
                self.points[self.player] += 1
        self.draw(self.player)
        self.start_turn()
        self.player = 1 - self.player
        if self.player == 0:
            self.rounds += 1
            if max(self.points) >= self.goal or self.rounds == self.rules.max_rounds:
                left = [sum(max(self.figures[unit], 0) for unit in self.army(seat)) for seat in (0, 1)]
                ranks = [(self.points[seat], left[seat]) for seat in (0, 1)]
                self.winner = "draw" if ranks[0] == ranks[1] else int(ranks[1] > ranks[0])


def described(action):
    if isinstance(action, PlayCard):
        return ("card", action.card)
    if isinstance(action, OrderAnyUnit):
        return ("any", action.card)
    if isinstance(action, OrderUnit):
        return ("order", action.unit)
    if isinstance(action, MoveUnit):
        return ("move", action.unit, action.place)
    if isinstance(action, AttackUnit):
        return ("attack", action.unit, action.target)
    return type(action).__name__


def check_equal(state, naive):
    assert {unit: place for unit, place in enumerate(state.places) if place >= 0} == naive.at
    assert all(state.figures[unit] == naive.figures[unit] for unit in naive.at)
    assert [state.board[place] for place in naive.at.values()] == list(naive.at)
    assert sum(unit >= 0 for unit in state.board) == len(naive.at)
    assert list(state.points) == naive.points
    packed = [sum(1 << 4 * card for card in pile) for pile in (*naive.hands, naive.deck, naive.discards)]
    assert [*state.hands, state.deck, state.discards] == packed


def play_beside_naive(rules, seed):
    parameters = BattleloreParameters(**rules)
    model, rng, choices = Battlelore(parameters), Rng(seed), Rng(seed + 1)
    state, naive = model.setup(2, rng), Naive(parameters, Rng(seed))
    while not state.is_terminal:
        assert naive.winner is None
        check_equal(state, naive)
        actions = model.available_actions(state)
        if state.phase == ORDER:
            assert naive.step == "order"
        else:
            assert {described(action) for action in actions} == naive.legal()
            assert len(actions) == len(set(actions))
        fights = [action for action in actions if isinstance(action, AttackUnit)]
        action = choices.choice(fights if fights and choices.below(4) else actions)
        model.next(state, action, rng)
        naive.do(described(action))
    check_equal(state, naive)
    expected = {0: (2, -1), 1: (-1, 2), "draw": (1, 1)}[naive.winner]
    assert [(result > 0, result < 0) for result in state.results] == [(r == 2 or r == 1, r < 0) for r in expected]
    assert state.round == naive.rounds
    return state


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_random_games_are_those_of_a_naive_implementation(rules):
    for seed in range(24):
        play_beside_naive(rules, 10 * seed)


@pytest.mark.slow
def test_2000_random_games_are_those_of_a_naive_implementation():
    for seed in range(2000):
        rules = (
            dict(BattleloreParameters.sample(Rng(seed)).changes()) if seed % 2 else VARIANTS[seed // 2 % len(VARIANTS)]
        )
        play_beside_naive(rules, seed)
