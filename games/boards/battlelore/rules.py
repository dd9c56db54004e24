"""The rules of BattleLore: command, order, move, attack, and the end of a turn."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from tag import AnyAction, ForwardModel, GameType, Rng, Vocabulary, bit_count
from tag.games.boards.battlelore import telling
from tag.games.boards.battlelore.actions import (
    ADVANCE,
    ATTACKS,
    COUNTER,
    END_ATTACKS,
    END_MOVES,
    HOLD_BACK,
    MOVES,
    ORDER_ANY_UNIT,
    ORDER_UNIT,
    PLAY_CARD,
    STAY,
    vocabulary,
)
from tag.games.boards.battlelore.data import (
    ARCHERS,
    ARMY,
    BANNERS,
    BESIDE,
    BIT,
    CLEAVE,
    DISTANCE,
    FAR,
    GOALS,
    GUARD,
    HARVESTERS,
    IN_ZONE,
    IS_RANGED,
    KINDS,
    LINES,
    LOWER,
    MORALE,
    N_CARDS,
    N_DIRECTIONS,
    N_FACES,
    N_HEXES,
    N_UNITS,
    NEAR,
    NO_UNIT,
    OFF_MAP,
    ORDER_ZONES,
    OTHER_LINES,
    OTHER_RETREATS,
    PIERCE,
    RETREATS,
    START,
    STRIKE,
    UPPER,
    ZONE,
    BattleloreParameters,
    can_see,
    count,
    is_free,
    orders_used,
    packed,
)
from tag.games.boards.battlelore.state import (
    ADVANCED,
    ATTACK,
    COMMAND,
    COUNTERED,
    ENDED,
    MAY_ADVANCE,
    MAY_COUNTER,
    MAY_PURSUE,
    MOVE,
    ORDER,
    STRUCK,
    BattleloreState,
)
from tag.games.boards.battlelore.values import BattleloreFeatures, BattleloreHeuristic, BattleloreMetric


class Battlelore(ForwardModel[BattleloreState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("battlelore")
    >>> state = model.setup(2, Rng(1))
    >>> [str(action) for action in model.available_actions(state)][:2]
    ['play Patrol Right', 'play Patrol Right to order any one unit']
    """

    game_type = GameType(
        "BattleLore: Second Edition",
        2,
        2,
        BattleloreParameters,
        categories=("fantasy", "wargame"),
        mechanics=(
            "hexagon grid",
            "command cards",
            "dice rolling",
            "grid movement",
            "line of sight",
            "hand management",
        ),
        chance_sources=("cards", "dice"),
        check_parameters="max_rounds=4,goal=2,hand_size=2,flank_patrols=1,centre_patrols=1,flank_attacks=1,centre_attacks=1,"
        "line_advances=1,wedges=0",
        heuristic=BattleloreHeuristic,
        features=BattleloreFeatures,
        metric=BattleloreMetric,
    )

    def __init__(self, parameters: BattleloreParameters | None = None) -> None:
        """Copy the parameters that the rules read."""
        chosen = BattleloreParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.max_rounds = chosen.max_rounds
        self.goal: i64 = chosen.goal or GOALS[chosen.scenario]
        self.banners = BANNERS[chosen.scenario]
        self.deck: i64 = packed(chosen.deck())
        self.hand_size: i64 = chosen.hand_size
        self.figures: i64 = chosen.figures
        self.melee_dice: i64 = chosen.melee_dice
        self.ranged_dice: i64 = chosen.ranged_dice
        self.reach: i64 = chosen.reach
        self.abilities = chosen.abilities

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary()

    def _setup(self, n_players: i64, rng: Rng) -> BattleloreState:
        board = [NO_UNIT] * N_HEXES
        for unit, place in enumerate(START):
            board[place] = unit
        state = BattleloreState(START[:], [int(self.figures)] * N_UNITS, board)
        state.figures_at_start = self.figures
        state.banners = self.banners
        state.deck = self.deck
        for seat in (UPPER, LOWER):
            state.draw(seat, self.hand_size, rng.source("cards"))
        return state

    def announce_setup(self, state: BattleloreState) -> None:
        """Announce the hands."""
        for seat in (UPPER, LOWER):
            state.announce(telling.dealt(seat, state.hands[seat]))

    def _available_actions(self, state: BattleloreState) -> list[AnyAction]:
        phase = state.phase
        if phase == MOVE:
            return self._moves(state)
        if phase == ATTACK:
            return self._attacks(state)
        if phase == COMMAND:
            return self._commands(state)
        if phase == ORDER:
            return self._orders(state)
        if phase == MAY_COUNTER:
            return [COUNTER, HOLD_BACK]
        if phase == MAY_ADVANCE:
            return [ADVANCE, STAY]
        found: list[AnyAction] = []
        self._add_attacks(state, state.attacker, found)
        found.append(STAY)
        return found

    def _commands(self, state: BattleloreState) -> list[AnyAction]:
        """Return each card of the hand, if it orders a unit, and the same card for any one unit."""
        found: list[AnyAction] = []
        player = state.current_player
        zones = _zones(state, player)
        hand: i64 = state.hands[player]
        for card in range(N_CARDS):
            if count(hand, card):
                if zones & ORDER_ZONES[card]:
                    found.append(PLAY_CARD[card])
                found.append(ORDER_ANY_UNIT[card])
        return found

    def _orders(self, state: BattleloreState) -> list[AnyAction]:
        """Return the units to order next, by number, if enough others follow: so each set of units has one order."""
        candidates = _candidates(state)
        later = _by_zone(state, candidates)
        most = _n_orders(state, later)
        ordered = state.ordered
        number = bit_count(ordered)
        chosen = _by_zone(state, ordered)
        found: list[AnyAction] = []
        first = state.turn_player * ARMY
        for unit in range(first, first + ARMY):
            if candidates >> unit & 1:
                one: i64 = IN_ZONE[ZONE[state.turn_player * N_HEXES + state.places[unit]]]
                later -= one
                is_next = ordered >> unit == 0 and _n_orders(state, chosen + one) > number
                if is_next and _n_orders(state, chosen + one + later) == most:
                    found.append(ORDER_UNIT[unit])
        return found

    def _moves(self, state: BattleloreState) -> list[AnyAction]:
        """Return the moves of ordered units to free hexes, over free hexes."""
        found: list[Any] = []
        moves: list[Any] = MOVES
        board = state.board
        places = state.places
        waiting = state.ordered & ~state.moved
        army = state.turn_player * ARMY
        for unit in range(army, army + ARMY):
            if waiting >> unit & 1:
                start: i64 = places[unit]
                first = unit * N_HEXES
                for end in NEAR[start]:
                    if board[end] == NO_UNIT:
                        found.append(moves[first + end])
                far = FAR[start]
                place: i64 = 0
                while place < len(far):
                    end = far[place]
                    is_open = board[far[place + 1]] == NO_UNIT or board[far[place + 2]] == NO_UNIT
                    if is_open and board[end] == NO_UNIT:
                        found.append(moves[first + end])
                    place += 3
        found.append(END_MOVES)
        return found

    def _attacks(self, state: BattleloreState) -> list[AnyAction]:
        found: list[AnyAction] = []
        waiting = state.ordered & ~state.attacked
        army = state.turn_player * ARMY
        for unit in range(army, army + ARMY):
            if waiting >> unit & 1:
                self._add_attacks(state, unit, found)
        found.append(END_ATTACKS)
        return found

    def _add_attacks(self, state: BattleloreState, unit: i64, found: list[Any]) -> None:
        """Add the attacks of a unit."""
        attacks: list[Any] = ATTACKS
        targets = self._targets(state, unit)
        target: i64 = 0
        while targets >> target:
            if targets >> target & 1:
                found.append(attacks[unit * N_UNITS + target])
            target += 1

    def _targets(self, state: BattleloreState, unit: i64) -> i64:
        """Return the enemies next to a unit, and those to which it has a line of sight within its reach, as a set."""
        places = state.places
        start: i64 = places[unit]
        reach = self.reach if IS_RANGED[KINDS[unit]] else 1
        first: i64 = 0 if unit >= ARMY else ARMY
        found: i64 = 0
        for target in range(first, first + ARMY):
            end: i64 = places[target]
            if end != OFF_MAP:
                steps: i64 = DISTANCE[start * N_HEXES + end]
                if steps == 1 or (steps <= reach and can_see(state.board, start, end)):
                    found |= BIT[target]
        return found

    def _after_action(self, state: BattleloreState, action: AnyAction, rng: Rng) -> None:
        """Resolve the choice, and go on to the next step once one is complete."""
        self._resolve(state, rng)
        if state.is_terminal:
            return
        if state.phase == ATTACK:
            state.current_player = state.turn_player
            if not self._has_attack(state):
                state.phase = ENDED
        if state.phase == ENDED:
            self._end_turn(state, rng)

    def _resolve(self, state: BattleloreState, rng: Rng) -> None:
        """Carry out the step that an action has begun."""
        phase = state.phase
        if phase == ORDER:
            self._complete_orders(state)
        elif phase == MOVE:
            if state.ordered & ~state.moved == 0:
                state.phase = ATTACK
        elif phase == STRUCK:
            self._strike(state, rng)
        elif phase == COUNTERED:
            state.phase = ATTACK
            self._combat(state, state.target, state.attacker, "counter", rng)
        elif phase == ADVANCED:
            self._pursue(state)

    def _complete_orders(self, state: BattleloreState) -> None:
        """Go on to moves once a card has ordered all that it can; units that all fit need no choice."""
        candidates = _candidates(state)
        most = _n_orders(state, _by_zone(state, candidates))
        if most == bit_count(candidates):
            state.ordered = candidates
            if state.recording:
                units = [state.unit_name(unit) for unit in range(N_UNITS) if candidates & BIT[unit]]
                state.announce(telling.ordered(state.turn_player, tuple(units)))
        if bit_count(state.ordered) == most:
            state.phase = MOVE

    def _has_attack(self, state: BattleloreState) -> bool:
        """Say whether an ordered unit can attack."""
        waiting = state.ordered & ~state.attacked
        if waiting:
            army = state.turn_player * ARMY
            for unit in range(army, army + ARMY):
                if waiting >> unit & 1 and self._targets(state, unit):
                    return True
        return False

    def _strike(self, state: BattleloreState, rng: Rng) -> None:
        """Resolve an attack; then the target may counter if it stands where it stood, or the attacker may advance."""
        unit, target = state.attacker, state.target
        bit: i64 = BIT[unit]
        shoots_twice = self.abilities and KINDS[unit] == ARCHERS and state.moved & bit == 0
        if shoots_twice and state.shot & bit == 0:
            state.shot |= bit
        else:
            state.attacked |= bit
        state.vacated = state.places[target]
        is_near = DISTANCE[state.places[unit] * N_HEXES + state.vacated] == 1
        state.phase = ATTACK
        self._combat(state, unit, target, "attack", rng)
        if state.is_terminal or not is_near:
            return
        if state.places[target] == state.vacated:
            state.phase = MAY_COUNTER
            state.current_player = 1 - state.turn_player
        else:
            state.phase = MAY_ADVANCE

    def _combat(self, state: BattleloreState, unit: i64, target: i64, name: str, rng: Rng) -> None:
        """Roll the dice of a unit: damage first, then retreats; each eliminated unit is a victory point."""
        hits, steps = self._roll(state, unit, rng.source("dice"))
        removed = state.damage(target, hits)
        if steps and state.places[target] != OFF_MAP:
            removed += self._retreat(state, unit, target, steps, rng)
        player = unit // ARMY
        if state.recording:
            state.announce(telling.losses(name, unit, target, hits, removed))
        if state.places[target] == OFF_MAP:
            if state.recording:
                state.announce(telling.eliminated(player, target))
            state.gain(player, 1)
            if state.n_figures(1 - player) == 0:
                if state.recording:
                    state.announce(telling.army_eliminated(1 - player))
                state.end_with_winner(player)

    def _roll(self, state: BattleloreState, unit: i64, chance: Rng) -> tuple[i64, i64]:
        """Roll the dice of a unit; return the hits, and the steps that the target retreats."""
        kind = KINDS[unit]
        is_ranged = IS_RANGED[kind]
        dice = self.ranged_dice if is_ranged else self.melee_dice
        if self.abilities and kind == HARVESTERS:
            dice += self.figures - state.figures[unit]
        is_weak = state.is_weak(unit)
        hits: i64 = 0
        steps: i64 = 0
        rolled: tuple[int, ...] = ()
        for _die in range(dice):
            face = chance.below(N_FACES)
            if state.recording:
                rolled += (int(face),)
            if face == MORALE:
                steps += 1
            elif is_ranged:
                hits += face == PIERCE
            else:
                hits += face == STRIKE or (face == CLEAVE and not is_weak)
        if state.recording:
            state.announce(telling.rolled(unit, rolled))
        return hits, steps

    def _retreat(self, state: BattleloreState, unit: i64, target: i64, steps: i64, rng: Rng) -> i64:
        """Move a target straight away from an attack; return the figures lost for steps that it cannot take."""
        direction = _retreat_direction(state, unit, target, rng)
        started = state.places[target]
        while steps:
            place: i64 = BESIDE[state.places[target] * N_DIRECTIONS + direction]
            if place == OFF_MAP:
                break
            other = state.board[place]
            if other != NO_UNIT:
                if other // ARMY == target // ARMY:
                    steps = 0
                    if state.recording:
                        state.announce(telling.supported(target))
                break
            state.relocate(target, place)
            steps -= 1
        if state.recording and state.places[target] != started:
            ended = state.places[target]
            state.announce(telling.retreat(target, started, ended, DISTANCE[started * N_HEXES + ended]))
        return state.damage(target, steps)

    def _pursue(self, state: BattleloreState) -> None:
        """Let a guard that has advanced attack once more, if an enemy is beside it."""
        unit = state.attacker
        bit: i64 = BIT[unit]
        state.phase = ATTACK
        if self.abilities and KINDS[unit] == GUARD and state.pursued & bit == 0:
            state.pursued |= bit
            if self._targets(state, unit):
                state.phase = MAY_PURSUE

    def _end_turn(self, state: BattleloreState, rng: Rng) -> None:
        """Score banners, draw a card, and see after each round whether a player has enough victory points."""
        player = state.turn_player
        for banner in state.banners:
            unit = state.board[banner]
            if unit != NO_UNIT and unit // ARMY == player:
                state.gain(player, 1)
                if state.recording:
                    state.announce(telling.banner(player, banner))
        state.draw(player, 1, rng.source("cards"))
        state.clear_turn()
        if player == UPPER:
            self.end_player_turn(state)
            return
        self.end_round(state, UPPER, rng)
        if not state.is_terminal and max(state.points[UPPER], state.points[LOWER]) >= self.goal:
            if state.recording:
                state.announce(telling.goal_reached(state.points[UPPER], state.points[LOWER]))
            state.end_by_score()


def _army(state: BattleloreState, player: i64) -> i64:
    """Return the units that a player has left."""
    found: i64 = 0
    for unit in range(player * ARMY, player * ARMY + ARMY):
        if state.places[unit] != OFF_MAP:
            found |= BIT[unit]
    return found


def _orderable(state: BattleloreState, player: i64, card: i64) -> i64:
    """Return the units in the sections of a card."""
    zones: i64 = ORDER_ZONES[card]
    places = state.places
    found: i64 = 0
    for unit in range(player * ARMY, player * ARMY + ARMY):
        place: i64 = places[unit]
        if place != OFF_MAP and zones >> ZONE[player * N_HEXES + place] & 1:
            found |= BIT[unit]
    return found


def _zones(state: BattleloreState, player: i64) -> i64:
    """Return the zones with units of a player, as a set."""
    places = state.places
    found: i64 = 0
    for unit in range(player * ARMY, player * ARMY + ARMY):
        place: i64 = places[unit]
        if place != OFF_MAP:
            found |= BIT[ZONE[player * N_HEXES + place]]
    return found


def _candidates(state: BattleloreState) -> i64:
    """Return the units that the card played can order."""
    player = state.turn_player
    return _army(state, player) if state.is_single else _orderable(state, player, state.card)


def _by_zone(state: BattleloreState, units: i64) -> i64:
    """Return how many of ``units``, which are of the player whose turn it is, are in each zone."""
    player = state.turn_player
    places = state.places
    found: i64 = 0
    for unit in range(player * ARMY, player * ARMY + ARMY):
        if units >> unit & 1:
            found += IN_ZONE[ZONE[player * N_HEXES + places[unit]]]
    return found


def _n_orders(state: BattleloreState, units: i64) -> i64:
    """Return how many units the card played can order together, out of so many in each zone."""
    if state.is_single:
        return 1 if units else 0
    return orders_used(state.card, units)


def _retreat_direction(state: BattleloreState, unit: i64, target: i64, rng: Rng) -> i64:
    """Return the direction away from an attack: across the edge over which the line of sight enters.

    A line through a corner is drawn on either side of it, by lot if both sides are free.
    """
    pair = state.places[unit] * N_HEXES + state.places[target]
    one, other = RETREATS[pair], OTHER_RETREATS[pair]
    if one == other:
        return one
    if not is_free(LINES[pair], state.board):
        return other
    if is_free(OTHER_LINES[pair], state.board) and rng.source("dice").below(2):
        return other
    return one
