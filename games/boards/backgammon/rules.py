"""The rules of backgammon."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Actions, AnyAction, Cells, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, interned
from tag.games.boards.backgammon.actions import Double, Drop, Play, Roll, Take
from tag.games.boards.backgammon.data import (
    ANSWER,
    BAR,
    BIT,
    CUBE,
    MEN,
    MOST_CUBE,
    NOBODY,
    OPENING,
    PENTE,
    PLAY,
    ROLLING,
    VARIANTS,
    BackgammonParameters,
    sources,
    start,
    then,
)
from tag.games.boards.backgammon.state import CUBE_NAMES, DICE, BackgammonState, name_of
from tag.games.boards.backgammon.values import BackgammonFeatures, BackgammonHeuristic, BackgammonMetric

_NO_CHANCE: Final = Rng(0)
_FACES: Final = 6
#: Turns after which pente grammai ends by the men on the sacred points, as in TAG.
_MOST_TURNS: Final = 1000
_WORDS: Final = ("", "{player} wins the game", "{player} wins a gammon", "{player} wins a backgammon")


class Backgammon(ForwardModel[BackgammonState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("backgammon")
    >>> state = model.setup(2, Rng(1))
    >>> print(state)
    player 1 to play 6 3; cube 1 in the middle; points 0 0 of 1
    player 0  pips 167  24:2 13:5 8:3 6:5
    player 1  pips 167  24:2 13:5 8:3 6:5
    >>> [action.text(state, 0) for action in model.available_actions(state)][:4]
    ['24/18, 24/21', '24/18, 18/15', '24/18, 13/10', '24/18, 8/5']
    """

    game_type = GameType(
        "Backgammon",
        2,
        2,
        BackgammonParameters,
        categories=("dice", "abstract"),
        mechanics=("dice rolling", "race", "betting"),
        hidden_information=False,
        chance_sources=("dice",),
        heuristic=BackgammonHeuristic,
        features=BackgammonFeatures,
        metric=BackgammonMetric,
    )

    def __init__(self, parameters: BackgammonParameters | None = None) -> None:
        """Make the actions once."""
        chosen = BackgammonParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.variant: i64 = VARIANTS.index(chosen.variant)
        self.length: i64 = chosen.match
        self.has_cube = chosen.cube
        self.crawford = chosen.crawford and chosen.match > 1
        self.jacoby = chosen.jacoby and chosen.cube and chosen.match == 1
        self.bar: i64 = BAR[self.variant]
        points = range(self.bar + 1)
        #: By the points of both men.
        self.plays: list[list[AnyAction]] = [[interned(Play(first, second)) for second in points] for first in points]
        self.offers: list[AnyAction] = [interned(Roll()), interned(Double())]
        self.answers: list[AnyAction] = [interned(Take()), interned(Drop())]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return all plays, and with the cube what may be said of it."""
        points = range(self.bar + 1)
        plays = Actions(Play, first=points, second=points)
        cube = [Actions(kind) for kind in (Roll, Double, Take, Drop)] if self.has_cube else []
        return Vocabulary(plays, *cube)

    def cells(self, n_players: i64) -> Cells:
        """Return the points of each player from off to the bar, the dice, the kind of decision and the cube, in a row."""
        number = 2 * (int(self.bar) + 1) + 6
        beside = [[other for other in (cell - 1, cell + 1) if 0 <= other < number] for cell in range(number)]
        return Cells(number, 16, neighbours=beside)

    def _setup(self, n_players: i64, rng: Rng) -> BackgammonState:
        state = BackgammonState(n_players, self.variant, self.length, start(self.variant), start(self.variant))
        self.resolve_chance(state, rng)
        return state

    def announce_setup(self, state: BackgammonState) -> None:
        """Announce the first roll."""
        self._announce_roll(state)

    def _available_actions(self, state: BackgammonState) -> list[AnyAction]:
        if state.phase == CUBE:
            return self.offers[:]
        if state.phase == ANSWER:
            return self.answers[:]
        found: list[AnyAction] = []
        seconds = self._seconds(state)
        for first in range(self.bar, -1, -1):
            rest: i64 = seconds[first]
            if rest:
                plays = self.plays[first]
                for second in range(self.bar, -1, -1):
                    if rest >> second & 1:
                        found.append(plays[second])
        return found

    def random_action(self, state: BackgammonState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        if state.phase != PLAY:
            return (self.offers if state.phase == CUBE else self.answers)[rng.below(2)]
        seconds = self._seconds(state)
        number: i64 = 0
        for first in range(self.bar + 1):
            number += bit_count(seconds[first])
        place = rng.below(number)
        first = self.bar
        while True:
            rest: i64 = seconds[first]
            if rest:
                number = bit_count(rest)
                if place < number:
                    break
                place -= number
            first -= 1
        second = self.bar
        while True:
            if rest >> second & 1:
                if place == 0:
                    return self.plays[first][second]
                place -= 1
            second -= 1

    def _seconds(self, state: BackgammonState) -> list[int]:
        """Return for each point of the first man, 0 for none, the set of those of the second one; bit 0 is for none.

        They are the longest plays, and of single men those by the higher die. Of plays to the same position there is one.
        """
        sets, moved, high, low = state.sets(), state.moved_set(), state.high, state.low
        is_double = high == low
        twice: i64 = state.moved if state.moved == state.moved_too else 0
        seconds = [0] * (int(self.bar) + 1)
        by_high = sources(self.variant, sets[0], sets[2], high, moved)
        by_low = by_high if is_double or low == 0 else sources(self.variant, sets[0], sets[2], low, moved)
        twos: i64 = 0
        for source in range(1, self.bar + 1 if low else 1):
            if by_high >> source & 1:
                after = then(self.variant, sets, source, high, low, moved, twice)
                twos |= after
                seconds[source] = int(seconds[source] | (after & BIT[source + 1] - 1 if is_double else after))
            if by_low >> source & 1 and not is_double:
                after = then(self.variant, sets, source, low, high, moved, twice)
                twos |= after
                for first in range(1, self.bar + 1):
                    if after >> first & 1:
                        seconds[first] = int(seconds[first] | BIT[source])
        if twos == 0:
            self._take_single(seconds, by_high, by_low)
        elif not is_double:
            self._merge(seconds, high, low, sets[3])
        return seconds

    def _take_single(self, seconds: list[int], by_high: i64, by_low: i64) -> None:
        """Set the plays of one man: by the higher die if it can be used; without any, there is no move."""
        for first in range(1, self.bar + 1):
            if by_high >> first & 1:
                seconds[first] = 1
        if by_high == 0:
            seconds[0] = int(by_low) if by_low else 1

    def _merge(self, seconds: list[int], high: i64, low: i64, blots: i64) -> None:
        """Leave out plays to the same position as others.

        They are runs of one man that hit nothing half-way, by the lower die first, and two men that are borne off, each
        by the other's die.
        """
        for first in range(low + 1, self.bar + 1):
            rest: i64 = seconds[first]
            half, run = first - high, first - low
            if half > 0 and rest >> half & 1 and (blots >> half | blots >> run) & 1 == 0:
                seconds[run] = int(seconds[run] & ~(BIT[first]))
        for first in range(2, low + 1):
            for second in range(1, first):
                if seconds[first] >> second & 1:
                    seconds[second] = int(seconds[second] & ~(BIT[first]))

    def afterstate(self, state: BackgammonState, action: AnyAction) -> BackgammonState:
        """Return the position before the next roll."""
        other = state.copy()
        other.tick += 1
        action.execute(other, _NO_CHANCE)
        self._settle(other, action)
        return other

    def resolve_chance(self, afterstate: BackgammonState, rng: Rng) -> None:
        """Roll the dice, if they are due; the first roll also says who begins."""
        state = afterstate
        if state.phase < ROLLING or state.is_terminal:
            return
        source = rng.source("dice")
        if self.variant == PENTE:
            self._land(state, source.below(_FACES) + 1, 0)
        elif state.phase == ROLLING:
            number = source.below(_FACES * _FACES)
            self._land(state, number // _FACES + 1, number % _FACES + 1)
        else:
            number = source.below(_FACES * (_FACES - 1))
            one, other = number // (_FACES - 1), number % (_FACES - 1)
            if other >= one:
                other += 1
            first: i64 = 0 if one > other else 1
            state.first_player = first
            self.give_turn(state, first)
            state.turn -= 1
            self._land(state, one + 1, other + 1)

    def _land(self, state: BackgammonState, one: i64, other: i64) -> None:
        """Let the dice show two numbers."""
        state.high, state.low = (one, other) if one > other else (other, one)
        state.left = 1 if other == 0 else 4 if one == other else 2
        state.moved = state.moved_too = 0
        state.phase = PLAY
        if state.recording:
            self._announce_roll(state)

    def _announce_roll(self, state: BackgammonState) -> None:
        dice = (int(state.high), int(state.low)) if state.low else (int(state.high),)
        state.announce(Event("rolled", state.turn_player, 0.0, dice, DICE[: len(dice)]))

    def _after_action(self, state: BackgammonState, action: AnyAction, rng: Rng) -> None:
        self._settle(state, action)
        self.resolve_chance(state, rng)

    def _settle(self, state: BackgammonState, action: AnyAction) -> None:
        """Apply what follows from an action before chance."""
        player = state.turn_player
        if isinstance(action, Drop):
            self._win(state, player, 1)
        elif state.phase == PLAY:
            if state.men(player)[0] == MEN[self.variant]:
                self._win(state, player, state.stakes(player))
            elif state.left == 0 or not self._can_move(state):
                self._end_turn(state)

    def _can_move(self, state: BackgammonState) -> bool:
        """Say whether there is a play for the rest of a double."""
        return self._seconds(state)[0] == 0

    def _end_turn(self, state: BackgammonState) -> None:
        """Give the turn to the other player, who may double or rolls."""
        self._clear_dice(state)
        self.end_player_turn(state)
        may_double = self.has_cube and state.owner != 1 - state.turn_player and state.cube < MOST_CUBE
        state.phase = CUBE if may_double and state.crawford != 1 else ROLLING
        if self.variant == PENTE and state.turn >= _MOST_TURNS:
            state.end_by_score()

    def _clear_dice(self, state: BackgammonState) -> None:
        state.high = state.low = state.left = state.moved = state.moved_too = 0

    def _win(self, state: BackgammonState, winner: i64, stakes: i64) -> None:
        """Give the points of a game; end the match or begin the next game."""
        if self.jacoby and state.owner == NOBODY:
            stakes = 1
        won = stakes * state.cube
        points = list(state.points)
        points[winner] += int(won)
        state.points = (points[0], points[1])
        if state.recording:
            state.announce(Event("game won", winner, float(won), (int(stakes),), words=f"{_WORDS[stakes]}: {won}"))
        self._clear_dice(state)
        if self.length == 1 or points[winner] >= self.length:
            state.end_with_winner(winner)
            return
        if self.crawford and state.crawford < 2 and (state.crawford or max(points) == self.length - 1):
            state.crawford += 1
        state.white, state.black = start(self.variant), start(self.variant)
        state.cube, state.owner = 1, NOBODY
        state.phase = OPENING
        self.end_round(state, winner, _NO_CHANCE)
        if state.recording:
            places = [name_of(point, player, state) for player in range(2) for point in range(self.bar + 1)]
            state.announce(Event("set up", places=(*places, *CUBE_NAMES, *DICE), words="the next game begins"))
