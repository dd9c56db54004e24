"""The position: men, cube, points and dice."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState
from tag.components import Component, Counter, Die
from tag.games.boards.backgammon.data import (
    BACKGAMMON,
    BAR,
    BIT,
    HOME,
    MEN,
    MOST_CUBE,
    NOBODY,
    OPENING,
    PENTE,
    PLAY,
    RING,
    SACRED,
    SCRIPTA,
)

FACES: Final = (1, 2, 3, 4, 5, 6)
DICE: Final = ("die 1", "die 2")
CUBE_NAMES: Final = ("cube", "cube's owner")
_TO_DO: Final = ("to roll or double", "to take or drop", "to play", "to roll", "to roll")


@mypyc_attr(allow_interpreted_subclasses=True)
class BackgammonState(GameState):
    """The men, the cube, the points of the match and the dice.

    Attributes:
        variant: the number of the board.
        length: the points of the match, 1 for one game.
        white: the men of player 0 on each point as this player numbers them; 0 is off, the last number the bar.
        black: the same of player 1.
        points: what each player has won.
        cube: the factor of the stakes.
        owner: who alone may double, -1 while both may.
        crawford: 0 before the game without doubling, 1 in it, 2 later.
        high: the higher die, 0 while none lies.
        low: the lower die.
        left: how many men are to be moved.
        moved: a point with a man that has moved earlier in this turn while others wait on the bar, 0 for none.
        moved_too: another such point; the same if two have moved there.
    """

    def __init__(self, n_players: i64, variant: i64, length: i64, white: list[int], black: list[int]) -> None:
        """Start before the first roll."""
        super().__init__(n_players)
        self.variant = variant
        self.length = length
        self.white = white
        self.black = black
        self.points: tuple[int, ...] = (0, 0)
        self.cube: i64 = 1
        self.owner: i64 = NOBODY
        self.crawford: i64 = 0
        self.high: i64 = 0
        self.low: i64 = 0
        self.left: i64 = 0
        self.moved: i64 = 0
        self.moved_too: i64 = 0
        self.phase = OPENING

    def copy(self) -> BackgammonState:
        other = BackgammonState(self.n_players, self.variant, self.length, self.white[:], self.black[:])
        self.copy_to(other)
        other.points = self.points
        other.cube = self.cube
        other.owner = self.owner
        other.crawford = self.crawford
        other.high = self.high
        other.low = self.low
        other.left = self.left
        other.moved = self.moved
        other.moved_too = self.moved_too
        return other

    def knowledge(self, player: i64) -> Hashable:
        """Return the position: all is open."""
        dice = (int(self.high), int(self.low), int(self.left), int(self.moved), int(self.moved_too))
        cube = (int(self.cube), int(self.owner), int(self.crawford), self.points)
        return (self.basic_knowledge(player), tuple(self.white), tuple(self.black), cube, dice)

    def men(self, player: i64) -> list[int]:
        """Return the men of a player by point."""
        return self.black if player else self.white

    def across(self, point: i64) -> i64:
        """Return the other player's number of a point."""
        if self.variant == BACKGAMMON:
            return BAR[BACKGAMMON] - point
        return point if self.variant == SCRIPTA else (point + SACRED) % RING

    def score(self, player: i64) -> float:
        """Return the points won, or the men on the sacred point."""
        return float(self.men(player)[0] if self.variant == PENTE and self.length == 1 else self.points[player])

    def pips(self, player: i64) -> i64:
        """Return how many points the men of a player are from the end, all together."""
        men = self.men(player)
        found: i64 = 0
        for point in range(1, len(men)):
            found += point * men[point]
        return found

    def in_contact(self) -> bool:
        """Say whether men of both players have still to pass each other."""
        if self.variant != BACKGAMMON:
            return True
        return _highest(self.white) + _highest(self.black) > BAR[BACKGAMMON]

    def sets(self) -> tuple[i64, i64, i64, i64]:
        """Return sets of points for the player whose turn it is: own men, single ones, free points, and single others'."""
        own, others = self.men(self.turn_player), self.men(1 - self.turn_player)
        occupied: i64 = 0
        singles: i64 = 0
        free: i64 = 0
        blots: i64 = 0
        bit: i64 = 1
        if self.variant == PENTE:
            for point in range(RING):
                occupied |= (bit << (point or RING)) if own[point] else 0
                if point % SACRED == 0 or own[point] + others[self.across(point)] == 0:
                    free |= bit << point
            return occupied, occupied, free, 0
        is_counter = self.variant == BACKGAMMON
        bar: i64 = BAR[self.variant]
        for point in range(1, bar + 1):
            bit <<= 1
            number = own[point]
            if number:
                occupied |= bit
                singles |= bit if number == 1 else 0
            number = others[bar - point] if is_counter else others[point]
            if number < 2:
                free |= bit
                blots |= bit if number else 0
        return occupied, singles, free, blots

    def moved_set(self) -> i64:
        """Return the points with men that have moved earlier in this turn; 0 as a point is for none."""
        return BIT[self.moved] | BIT[self.moved_too] if self.moved_too else 0

    def move(self, source: i64, die: i64) -> None:
        """Move a man of the player whose turn it is, and hit a single man of the other."""
        own, others = self.men(self.turn_player), self.men(1 - self.turn_player)
        target = source - die
        if self.variant == PENTE:
            own[source % RING] -= 1
            own[target % RING] += 1
            return
        own[source] -= 1
        if target <= 0:
            own[0] += 1
            return
        own[target] += 1
        place = self.across(target)
        if others[place] == 1:
            others[place] = 0
            others[BAR[self.variant]] += 1
            if self.recording:
                other = 1 - self.turn_player
                words = "{player} is hit on the " + f"{place}-point"
                places = (name_of(place, other, self), name_of(BAR[self.variant], other, self))
                self.announce(Event("hit", other, 1.0, (int(place),), places, words=words))

    def stakes(self, winner: i64) -> i64:
        """Return 1, 2 for a gammon or 3 for a backgammon, if ``winner`` has borne off all men."""
        men = self.men(1 - winner)
        if self.variant != BACKGAMMON or men[0]:
            return 1
        return 3 if _highest(men) >= BAR[BACKGAMMON] - HOME else 2

    def cell_values(self) -> bytes:
        """Return the men of both players by point, the dice, the men to be moved, the kind of decision, and the cube."""
        dice = [self.high, self.low, self.left, self.phase]
        cube: i64 = 0
        while self.cube >> cube + 1:
            cube += 1
        return bytes([*self.white, *self.black, *dice, cube, self.owner + 1])

    def components(self) -> list[Component]:
        """Return a counter for the men on each point of each player, the cube and its owner, and the dice."""
        found: list[Component] = []
        for player in range(self.n_players):
            for point, number in enumerate(self.men(player)):
                high = MEN[self.variant]
                found.append(Counter(name_of(point, player, self), number, high=high, owner=player))
        found.append(Counter(CUBE_NAMES[0], self.cube, low=1, high=MOST_CUBE))
        found.append(Counter(CUBE_NAMES[1], self.owner, low=NOBODY, high=1))
        for name, value in zip(DICE, (self.high, self.low), strict=True):
            if value:
                die = Die(name, FACES)
                die.value = value
                found.append(die)
        return found

    def __str__(self) -> str:
        """List the men of each player from the farthest point on, with what is to be done, the cube and the points."""
        dice = f" {self.high} {self.low}".replace(" 0", "") if self.phase == PLAY else ""
        turn = "over" if self.is_terminal else f"player {self.current_player} {_TO_DO[self.phase]}{dice}"
        if self.phase == PLAY and self.high == self.low:
            turn += f", {self.left} men"
        owner = "in the middle" if self.owner == NOBODY else f"of player {self.owner}"
        lines = [f"{turn}; cube {self.cube} {owner}; points {self.points[0]} {self.points[1]} of {self.length}"]
        for player in range(self.n_players):
            men = self.men(player)
            places = [f"{point_text(point, self)}:{men[point]}" for point in range(len(men) - 1, -1, -1) if men[point]]
            lines.append(f"player {player}  pips {self.pips(player)}  {' '.join(places)}")
        return "\n".join(lines)


def _highest(men: list[int]) -> i64:
    """Return the highest point with a man, 0 for none."""
    point: i64 = len(men) - 1
    while point and men[point] == 0:
        point -= 1
    return point


def point_text(point: i64, state: BackgammonState) -> str:
    """Return the name of a point: its number, ``off`` or ``bar``, or on the ring ``goal``."""
    if state.variant == PENTE:
        return str(point) if point % RING else "goal"
    return "off" if point <= 0 else "bar" if point == BAR[state.variant] else str(point)


def name_of(point: i64, player: i64, state: BackgammonState) -> str:
    """Return the name of the component for a point of a player."""
    return f"{point_text(point, state)} of {player}"
