"""Bots of backgammon: rules of thumb, and Tesauro's linear evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, Rng, RuleBot, real
from tag.games.boards.backgammon.actions import Double, Drop, Play
from tag.games.boards.backgammon.data import BACKGAMMON, BAR, HOME, NOBODY, PENTE
from tag.games.boards.backgammon.state import BackgammonState

_NO_CHANCE: Final = Rng(0)
_FEW: Final = 3
#: Leads in pips, as a share of the own ones, from which a player doubles, doubles again, and drops.
_DOUBLE: Final = 0.08
_REDOUBLE: Final = 0.09
_DROP: Final = 0.12


def _of_cube(state: BackgammonState, action: AnyAction) -> float:
    """Return the worth of an action of the cube by the rule of 8, 9 and 12 per cent for races; others are worth 0."""
    doubler = state.turn_player
    own, other = float(state.pips(doubler)), float(state.pips(1 - doubler))
    lead = (other - own) / own
    if isinstance(action, Double):
        return lead - (_DOUBLE if state.owner == NOBODY else _REDOUBLE)
    if isinstance(action, Drop):
        return lead - _DROP
    return 0.0


@dataclass
class HitAndSafeParameters(Parameters):
    """The weights of the bot."""

    hits: float = real(4.0, 0.0, 10.0, "worth of a man that is hit")
    blots: float = real(2.0, 0.0, 10.0, "cost of a single man that can be hit")
    points: float = real(1.0, 0.0, 10.0, "worth of a point made among the last six")


@mypyc_attr(allow_interpreted_subclasses=True)
class HitAndSafe(RuleBot[BackgammonState]):
    """Hits, leaves few single men where they can be hit, makes points at home, and bears off; the farthest men move first.

    It doubles, and drops, by the rule of 8, 9 and 12 per cent.

    Source: our own for plays; the rule for the cube is that of E. O. Thorp, "Backgammon: the cold decisions", 1984, as it
    is commonly simplified for races.
    """

    parameters_class = HitAndSafeParameters

    def worth(self, state: BackgammonState, action: AnyAction) -> float:
        """Play and look at the men of both."""
        if not isinstance(action, Play):
            return _of_cube(state, action)
        weights = cast("HitAndSafeParameters", self.parameters)
        after = state.copy()
        action.execute(after, _NO_CHANCE)
        player = state.turn_player
        men, others = after.men(player), after.men(1 - player)
        squares = 0
        for point in range(1, len(men)):
            squares += point * point * men[point]
        worth = float(men[0]) - 0.001 * float(squares)
        if state.variant == PENTE:
            return worth
        bar = BAR[state.variant]
        worth += weights.hits * float(others[bar])
        highest: i64 = 0
        for point in range(1, bar + 1):
            if others[point]:
                highest = point
        for point in range(1, bar):
            if men[point] == 1 and after.across(point) < highest:
                worth -= weights.blots
            elif men[point] > 1 and point <= HOME:
                worth += weights.points
        return worth


def _numbers(text: str) -> list[float]:
    """Return the numbers in a text."""
    return [float(word) for word in text.split()]


#: Weights of positions with contact and without: five for each point from the 24-point on, for a single man of the other,
#: one own man, two or more, three, and half of each man beyond three; then half of the others on the bar, and the share off.
_CONTACT: Final[list[float]] = _numbers(
    """
    0.25696 -0.66937 -1.66135 -2.02487 -2.53398 -0.16092 -1.11725 -1.06654 -0.9283 -1.99558 -1.10388 -0.80802 0.09856
    -0.62086 -1.27999 -0.5922 -0.73667 0.89032 -0.38933 -1.59847 -1.50197 -0.60966 1.56166 -0.47389 -1.8039 -0.83425
    -0.97741 -1.41371 0.245 0.1097 -1.36476 -1.05572 1.1542 0.11069 -0.38319 -0.74816 -0.59244 0.81116 -0.39511
    0.11424 -0.73169 -0.56074 1.09792 0.15977 0.13786 -1.18435 -0.43363 1.06169 -0.21329 0.04798 -0.94373 -0.22982
    1.22737 -0.13099 -0.06295 -0.75882 -0.13658 1.78389 0.30416 0.36797 -0.69851 0.13003 1.2307 0.40868 -0.21081
    -0.64073 0.31061 1.59554 0.65718 0.25429 -0.80789 0.0824 1.78964 0.54304 0.41174 -1.06161 0.07851 2.01451 0.49786
    0.91936 -0.9075 0.05941 1.8312 0.58722 1.28777 -0.83711 -0.33248 2.64983 0.52698 0.82132 -0.58897 -1.18223
    3.35809 0.62017 0.57353 -0.07276 -0.36214 4.37655 0.45481 0.21746 0.10504 -0.61977 3.54001 0.04612 -0.18108
    0.63211 -0.87046 2.47673 -0.48016 -1.27157 0.86505 -1.11342 1.24612 -0.82385 -2.77082 1.23606 -1.59529 0.10438
    -1.30206 -4.1152 5.62596 -2.758
    """
)
_RACE: Final[list[float]] = _numbers(
    """
    0 -0.1716 0.2701 0.29906 -0.08471 0 -1.40375 -1.05121 0.07217 -0.01351 0 -1.29506 -2.16183 0.13246 -1.03508 0
    -2.29847 -2.34631 0.17253 0.08302 0 -1.27266 -2.87401 -0.07456 -0.3424 0 -1.3464 -2.46556 -0.13022 -0.01591 0
    0.27448 0.60015 0.48302 0.25236 0 0.39521 0.68178 0.05281 0.09266 0 0.24855 -0.06844 -0.37646 0.05685 0 0.17405
    0.0043 0.74427 0.00576 0 0.12392 0.31202 -0.91035 -0.1627 0 0.01418 -0.10839 -0.02781 -0.88035 0 1.07274 2.00366
    1.16242 0.2252 0 0.85631 1.06349 1.49549 0.18966 0 0.37183 -0.50352 -0.14818 0.12039 0 0.13681 0.13978 1.11245
    -0.12707 0 -0.22082 0.20178 -0.06285 -0.52728 0 -0.13597 -0.19412 -0.09308 -1.26062 0 3.05454 5.16874 1.5068 5.35
    0 2.19605 3.8539 0.88296 2.30052 0 0.92321 1.08744 -0.11696 -0.7856 0 -0.09795 -0.8305 -1.09167 -4.94251 0
    -1.00316 -3.66465 -2.56906 -9.67677 0 -2.77982 -7.26713 -3.40177 -12.3225 0 3.4204
    """
)
_UNITS: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class Pubeval(RuleBot[BackgammonState]):
    """Plays to the position of most worth by Tesauro's public evaluation, linear in what stands on each point.

    Races have weights of their own, chosen by the position before the play; each half of a double is judged for itself. It
    doubles and drops as `HitAndSafe` does, and on other boards it plays to the fewest pips.

    Source: G. Tesauro, "pubeval", rec.games.backgammon, 1993; the weights are those of the copy in OpenBSD's backgammon.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        super().__init__(parameters)
        self._weights: list[float] = _CONTACT

    def prepare(self, state: BackgammonState) -> None:
        """Choose the weights."""
        self._weights = _CONTACT if state.in_contact() else _RACE

    def worth(self, state: BackgammonState, action: AnyAction) -> float:
        """Play and value the position."""
        if not isinstance(action, Play):
            return _of_cube(state, action)
        after = state.copy()
        action.execute(after, _NO_CHANCE)
        player = state.turn_player
        if state.variant != BACKGAMMON:
            return -float(after.pips(player))
        men, others = after.men(player), after.men(1 - player)
        weights = self._weights
        bar = BAR[BACKGAMMON]
        worth = float(others[bar]) / 2.0 * weights[_UNITS * (bar - 1)] + float(men[0]) / 15.0 * weights[-1]
        for point in range(1, bar):
            at = _UNITS * (bar - 1 - point)
            number = men[point]
            if others[bar - point] == 1:
                worth += weights[at]
            if number == 1:
                worth += weights[at + 1]
            elif number:
                worth += weights[at + 2]
            if number == _FEW:
                worth += weights[at + 3]
            elif number > _FEW:
                worth += weights[at + 4] * float(number - _FEW) / 2.0
        return worth
