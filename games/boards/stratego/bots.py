"""Bots of Stratego: fights by their expected gain, and a rush."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot, real
from tag.games.boards.stratego.actions import ChoosePlan, MovePiece, PlacePiece
from tag.games.boards.stratego.data import BOMB, FLAG, KIND, MOVED, SHOWN, SIDE, STRIDE, beats
from tag.games.boards.stratego.state import StrategoState
from tag.games.boards.stratego.values import WORTH, distance

#: What taking the flag is worth, and a flag in the way of a piece that may hold one.
_FLAG: Final = 60.0
#: How much a target counts less for each step to it.
_FADE: Final = 0.8
_FADES: Final[list[float]] = [_FADE**steps for steps in range(20)]
#: By step and choice of a plan: the preference for it.
_PLANS: Final[list[list[float]]] = [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]


def _of_setup(state: StrategoState, action: AnyAction) -> float:
    """Return the preference for a choice of the set-up: the flag at the back among bombs; single pieces anywhere but so."""
    if isinstance(action, ChoosePlan):
        return _PLANS[action.step][action.choice]
    if isinstance(action, PlacePiece):
        player = state.current_player
        row = action.square // STRIDE
        from_back = state.field().height - 1 - row if player else row
        flag: i64 = -1
        for square in state.field().home(player):
            if state.board[square] & KIND == FLAG:
                flag = square
        if flag < 0:
            return -float(from_back)
        near = distance(action.square, flag) == 1
        placed = sum([1 for square in state.field().home(player) if state.board[square]])
        return float(near) if placed <= state.army[BOMB] else 0.0
    return 0.0


@dataclass
class ExpectedFightsParameters(Parameters):
    """The weights of the bot."""

    reveal: float = real(0.1, 0.0, 1.0, "cost of showing a hidden piece, as a share of its worth")
    fear: float = real(0.5, 0.0, 2.0, "cost of a step beside an enemy, as a share of what it may be expected to take")
    hunt: float = real(0.5, 0.0, 2.0, "weight of a step towards an enemy that is expected to fall")


@mypyc_attr(allow_interpreted_subclasses=True)
class ExpectedFights(RuleBot[StrategoState]):
    """Attacks where the expected gain in pieces is greatest, hunts what it can beat, and leaves what would beat it.

    A hidden enemy may be any piece that is left and hidden, each as likely; one that has moved is no bomb and not
    the flag. It sets the flag up at the back among bombs.

    Source: our own, after the advice in rule books to attack unknown pieces with cheap ones, and known ones with better.
    """

    parameters_class = ExpectedFightsParameters

    def __init__(self, parameters: ExpectedFightsParameters | None = None) -> None:
        super().__init__(parameters)
        self.enemies: list[int] = []
        self.against_moved: list[float] = []
        self.against_still: list[float] = []

    def prepare(self, state: StrategoState) -> None:
        """Find the enemies, and by kind what an attack on a hidden one gains, which has moved or has not."""
        enemy = 1 - state.current_player
        board = state.board
        self.enemies = [
            square for square in range(len(board)) if board[square] & KIND and board[square] & SIDE == enemy * SIDE
        ]
        hidden, still = state.hidden_kinds(enemy)
        fixed = float(hidden[BOMB] + hidden[FLAG])
        self.against_moved, self.against_still = [], []
        for kind in range(FLAG + 1):
            gain = _gain_of_mobile(kind, hidden)
            self.against_moved.append(gain)
            if still > 0:
                all_still = float(still)
                of_fixed = float(hidden[BOMB]) * _outcome(kind, BOMB) + float(hidden[FLAG]) * _outcome(kind, FLAG)
                gain = gain * (1.0 - fixed / all_still) + of_fixed / all_still
            self.against_still.append(gain)

    def worth(self, state: StrategoState, action: AnyAction) -> float:
        """Return the expected gain of a fight, or the worth of a step."""
        if not isinstance(action, MovePiece):
            return _of_setup(state, action)
        weights = cast("ExpectedFightsParameters", self.parameters)
        board = state.board
        source: i64 = action.source
        target: i64 = action.target
        piece: i64 = board[source]
        there: i64 = board[target]
        kind = piece & KIND
        worth = 0.0
        if there:
            worth = self._gain(kind, there)
            if piece & SHOWN == 0:
                worth -= weights.reveal * WORTH[kind]
        elif distance(source, target) > 1 and piece & SHOWN == 0:
            worth -= weights.reveal * WORTH[kind]
        best = 0.0
        for enemy in self.enemies:
            square: i64 = enemy
            if square == target:
                continue
            cell: i64 = board[square]
            before, after = distance(source, square), distance(target, square)
            gain = self._gain(kind, cell)
            if gain > 0.0:
                best = max(best, gain * (_FADES[after] - _FADES[before]))
            if (after == 1) != (before == 1) and _is_mobile(cell):
                risk = max(-gain, 0.0) if cell & SHOWN else 0.1 * WORTH[kind]
                worth += weights.fear * (risk if before == 1 else -risk)
        return worth + weights.hunt * best

    def _gain(self, kind: i64, cell: i64) -> float:
        """Return the expected gain of an attack by a piece of a kind; the kind of a hidden enemy does not count."""
        if cell & SHOWN:
            return _outcome(kind, cell & KIND)
        return self.against_moved[kind] if cell & MOVED else self.against_still[kind]


def _is_mobile(cell: i64) -> bool:
    """Say whether an enemy is known to move."""
    return cell & MOVED > 0 or (cell & SHOWN > 0 and cell & KIND < BOMB)


def _gain_of_mobile(kind: i64, hidden: list[int]) -> float:
    """Return the expected gain of an attack on one of these hidden pieces, so many of each kind, that can move."""
    mobile = 0.0
    gain = 0.0
    for other in range(1, BOMB):
        if hidden[other]:
            number = float(hidden[other])
            mobile += number
            gain += number * _outcome(kind, other)
    return gain / mobile if mobile > 0.0 else gain


def _outcome(kind: i64, other: i64) -> float:
    """Return the gain of a fight: the worth of the enemy that falls, less that of the own piece."""
    result = beats(kind, other)
    gained = _FLAG if other == FLAG else WORTH[other]
    if result > 0:
        return gained
    return -WORTH[kind] if result < 0 else gained - WORTH[kind]


@mypyc_attr(allow_interpreted_subclasses=True)
class Rush(RuleBot[StrategoState]):
    """Attacks whatever it may not know to be stronger, and otherwise moves forward, low ranks first.

    Source: our own, the plan of most beginners.
    """

    def worth(self, state: StrategoState, action: AnyAction) -> float:
        """Prefer attacks to steps forward, and these to others."""
        if not isinstance(action, MovePiece):
            return _of_setup(state, action)
        piece: i64 = state.board[action.source]
        there: i64 = state.board[action.target]
        kind = piece & KIND
        if there:
            if there & SHOWN:
                return 30.0 if beats(kind, there & KIND) > 0 else -10.0
            return 20.0 - float(kind)
        rows = action.target // STRIDE - action.source // STRIDE
        ahead = -rows if piece & SIDE else rows
        return float(ahead) - 0.01 * float(kind)
